"""Convert every colour of a file to inks: fills, strokes, gradients and images.

A file is changed in place, each of its streams once. Black text can overprint.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Operator
from PIL import Image

from generator.base.errors import InvalidValueError
from generator.pdf.press.profile import Inks, MaskInks, PressInks

# Bits of a sample in converted images.
BITS = 8

# Entries of a table: one for each level of such an image.
SAMPLE_COUNT = 256

# A function from a colour to inks.
ColourToInks = Callable[[list[float]], tuple[float, ...]]


def evaluate(function: pikepdf.Object, x: float) -> list[float]:
    """Return the values of a PDF function, or of an array of PDF functions, at x (ISO 32000-1, 7.10).

    Raise `InvalidValueError` for types of functions that typst does not write.
    """
    if isinstance(function, pikepdf.Array):
        return [part for item in function for part in evaluate(item, x)]
    low, high = (float(end) for end in function.Domain)
    x = min(high, max(low, x))
    kind = int(function.FunctionType)
    if kind == 2:
        first = [float(part) for part in function.get("/C0", [0.0])]
        last = [float(part) for part in function.get("/C1", [1.0])]
        return [a + x ** float(function.N) * (b - a) for a, b in zip(first, last, strict=True)]
    if kind == 3:
        return _evaluate_stitched(function, x, (low, high))
    if kind == 0 and int(function.BitsPerSample) in {8, 16} and len(function.Size) == 1:
        return _evaluate_sampled(function, (x - low) / (high - low or 1))
    raise InvalidValueError(
        f"a gradient by a function of kind {kind} cannot be converted to inks",
        "a gradient of colour stops, or a picture",
    )


def _evaluate_stitched(
    function: pikepdf.Object, x: float, domain: tuple[float, float]
) -> list[float]:
    edges = [domain[0], *(float(edge) for edge in function.Bounds), domain[1]]
    index = max(n for n in range(len(edges) - 1) if n == 0 or edges[n] <= x)
    start, end = (float(function.Encode[2 * index + side]) for side in (0, 1))
    share = (x - edges[index]) / (edges[index + 1] - edges[index] or 1)
    return evaluate(function.Functions[index], start + share * (end - start))


def _evaluate_sampled(function: pikepdf.Object, share: float) -> list[float]:
    count = int(function.Size[0])
    width = int(function.BitsPerSample) // 8
    ends = [float(end) for end in function.get("/Decode", function.Range)]
    parts = len(ends) // 2
    data = function.read_bytes()
    at = share * (count - 1)

    def sample(index: int, part: int) -> float:
        start = (index * parts + part) * width
        return float(int.from_bytes(data[start : start + width], "big")) / float(256**width - 1)

    def interpolate(part: int) -> float:
        before = int(at)
        after = min(count - 1, before + 1)
        low = sample(before, part)
        level = low + (at - before) * (sample(after, part) - low)
        return ends[2 * part] + level * (ends[2 * part + 1] - ends[2 * part])

    return [interpolate(part) for part in range(parts)]


def convert_function(
    pdf: pikepdf.Pdf, function: pikepdf.Object, ends: Sequence[float], to_inks: ColourToInks
) -> pikepdf.Object:
    """Return a gradient between two places as a sampled function of inks (ISO 32000-1, 7.10.2)."""
    low, high = ends
    levels = [
        to_inks(evaluate(function, low + (high - low) * n / (SAMPLE_COUNT - 1)))
        for n in range(SAMPLE_COUNT)
    ]
    converted = pikepdf.Stream(pdf, b"")
    data = bytes(round(255 * part) for inks in levels for part in inks)
    converted.write(zlib.compress(data), filter=pikepdf.Name.FlateDecode)
    converted.FunctionType = 0
    converted.Domain = pikepdf.Array([low, high])
    converted.Range = pikepdf.Array([0, 1] * len(levels[0]))
    converted.Size = pikepdf.Array([SAMPLE_COUNT])
    converted.BitsPerSample = 8
    return pdf.make_indirect(converted)


Instruction = tuple[list[Any], Operator]

# The number of components of a colour space. `OTHER` stands for spaces that are not converted.
GREY = 1
RGB = 3
CMYK = 4
OTHER = 0

# The graphics states that switch overprinting on and off. No page of typst has names with this prefix.
OVERPRINT = Name("/PnpOver")
KNOCK_OUT = Name("/PnpKnock")
# What each operator of colour paints: fills or strokes (ISO 32000-1, table 74).
_TARGETS = {
    **dict.fromkeys(("cs", "g", "rg", "k", "sc", "scn"), "fill"),
    **dict.fromkeys(("CS", "G", "RG", "K", "SC", "SCN"), "stroke"),
}
# The components of colours that are set together with their space.
_DEVICE_COMPONENTS = {"g": GREY, "G": GREY, "rg": RGB, "RG": RGB, "k": OTHER, "K": OTHER}
_INK_OPERATORS = {
    ("fill", 4): Operator("k"),
    ("stroke", 4): Operator("K"),
    ("fill", 1): Operator("g"),
    ("stroke", 1): Operator("G"),
}
_SPACE_OPERATORS = {"fill": Operator("cs"), "stroke": Operator("CS")}
_TINT_OPERATORS = {"fill": Operator("scn"), "stroke": Operator("SCN")}


@dataclass(frozen=True)
class PaintState:
    """The current colours of a content stream: the components of their spaces, and whether fills are black."""

    fill: int = GREY
    stroke: int = GREY
    is_black: bool = True  # of fills: without a spot ink, so that text gets the inks of black text

    def with_space(self, target: str, components: int) -> "PaintState":
        """Return the state with another colour space for fills or strokes."""
        if target == "fill":
            return replace(self, fill=components)
        return replace(self, stroke=components)


@dataclass
class Recolourer:
    """Converts the colours of one file."""

    pdf: pikepdf.Pdf
    inks: PressInks | MaskInks
    lets_black_overprint: bool  # for black text
    overprints: bool = False  # True once black text was found that overprints
    _converted: set[tuple[int, int]] = field(default_factory=set)

    def convert_page(self, page: pikepdf.Page) -> None:
        """Convert a page and everything on it."""
        page.contents_coalesce()
        content, resources = self._convert_content(
            page.obj, page.obj.get("/Resources", Dictionary())
        )
        page.obj.Contents = self.pdf.make_stream(content)
        page.obj.Resources = resources
        self._set_group_space(page.obj)

    def _convert_content(self, holder: Any, shared: Any) -> tuple[bytes, Any]:
        """Return the converted content of a page or form, and its resources.

        `shared` are its resources, which other faces of the file may use too: unused ones are dropped first.
        """
        instructions = [
            ([*item.operands], item.operator) for item in pikepdf.parse_content_stream(holder)
        ]
        names = {
            str(operand)
            for operands, _ in instructions
            for operand in operands
            if isinstance(operand, Name)
        }
        resources = Dictionary(
            {kind: _used_by_name(kind, things, names) for kind, things in shared.items()}
        )
        converted = [*self._convert_instructions(instructions, resources)]
        if any(
            str(operator) == "gs" and operands[0] == OVERPRINT for operands, operator in converted
        ):
            states = dict(_items(resources, "/ExtGState"))
            resources.ExtGState = Dictionary({**states, **_overprint()})
        self._convert_resources(resources)
        spaces = self._spot_spaces(
            {str(part) for operands, _ in converted for part in operands if isinstance(part, Name)}
        )
        if spaces:
            resources.ColorSpace = Dictionary({**dict(_items(resources, "/ColorSpace")), **spaces})
        return pikepdf.unparse_content_stream(converted), resources

    def _convert_instructions(
        self, instructions: Sequence[Instruction], resources: Any
    ) -> Iterator[Instruction]:
        """Yield the instructions with colours as inks; around black text, set its black and overprinting."""
        state = PaintState()
        saved_states = list[PaintState]()
        for operands, operator in instructions:
            name = str(operator)
            if name == "q":
                saved_states.append(state)
            elif name == "Q" and saved_states:
                state = saved_states.pop()
            if name in _TARGETS:
                state, colour = self._convert_colour(state, name, operands, resources)
                yield from colour if colour is not None else [(operands, operator)]
            elif name == "BT" and state.is_black:
                self.overprints |= self.lets_black_overprint
                yield from [*self._set_black([*self.inks.key], OVERPRINT), (operands, operator)]
            elif name == "ET" and state.is_black:
                yield from [(operands, operator), *self._set_black([*self.inks.black], KNOCK_OUT)]
            else:
                yield operands, operator

    def _spot_spaces(self, names: set[str]) -> dict[str, Any]:
        """Return the colour spaces of the named spot inks, each with a CMYK alternative."""
        used_spots = self.inks.used_spots if isinstance(self.inks, PressInks) else {}
        spaces = {_spot_key(ink): _separation(ink, cmyk) for ink, cmyk in used_spots.items()}
        return {key: space for key, space in spaces.items() if key in names}

    def _set_black(self, black: list[Any], state: Name) -> list[Instruction]:
        """Return the instructions that set a black for fills, and a graphics state if black text may overprint."""
        return [
            (black, _INK_OPERATORS["fill", len(black)]),
            *([([state], Operator("gs"))] if self.lets_black_overprint else []),
        ]

    def _convert_colour(
        self, state: PaintState, name: str, operands: list[Any], resources: Any
    ) -> tuple[PaintState, list[Instruction] | None]:
        """Return the state after a colour is set, and the instructions that set it as inks, or None to keep it."""
        target = _TARGETS[name]
        if name in {"cs", "CS"}:
            parts = _count_components(operands[0], resources)
            state = state.with_space(target, parts)
            values = [0.0] * parts
        else:
            parts = _DEVICE_COMPONENTS.get(name, state.fill if target == "fill" else state.stroke)
            state = state.with_space(target, parts)
            values = [float(value) for value in operands] if parts else []
        if not parts:
            return (replace(state, is_black=False) if target == "fill" else state), None
        rgb = values * 3 if parts == GREY else values
        ink = self.inks.find_spot(rgb)
        if target == "fill":
            state = replace(state, is_black=max(rgb) == 0 and not ink)
        if ink:
            space = ([Name(_spot_key(ink))], _SPACE_OPERATORS[target])
            return state, [space, ([1], _TINT_OPERATORS[target])]
        inks = self.inks.convert(rgb)
        return state, [([*inks], _INK_OPERATORS[target, len(inks)])]

    def _convert_resources(self, resources: Any) -> None:
        """Convert images, forms, patterns, gradients and soft masks, and drop converted colour spaces."""
        for _, thing in _items(resources, "/XObject"):
            if self._is_new(thing):
                self._convert_image(thing) if thing.Subtype == Name.Image else self.convert_form(
                    thing
                )
        for _, pattern in _items(resources, "/Pattern"):
            if self._is_new(pattern):
                self.convert_form(pattern) if "/PaintType" in pattern else self._convert_gradient(
                    pattern.Shading
                )
        for _, shading in _items(resources, "/Shading"):
            if self._is_new(shading):
                self._convert_gradient(shading)
        for _, state in _items(resources, "/ExtGState"):
            mask = state.get("/SMask")
            if isinstance(mask, Dictionary) and self._is_new(mask.G):
                Recolourer(self.pdf, MaskInks(), lets_black_overprint=False).convert_form(mask.G)
        unconverted = {
            key: space
            for key, space in _items(resources, "/ColorSpace")
            if _count_components(space, resources) == OTHER
        }
        if "/ColorSpace" in resources:
            resources.ColorSpace = Dictionary(unconverted)

    @property
    def _device(self) -> Name:
        return Name.DeviceCMYK if isinstance(self.inks, PressInks) else Name.DeviceGray

    def _is_new(self, thing: Any) -> bool:
        """Return True if an object was not converted before, and note that it is now."""
        if not thing.is_indirect:
            return True
        is_new = thing.objgen not in self._converted
        self._converted.add(thing.objgen)
        return is_new

    def _set_group_space(self, holder: Any) -> None:
        """Set the blending space of a page or group: inks, or grey in a mask."""
        if "/Group" in holder:
            isolated = holder.Group.get("/I", False)
            holder.Group = Dictionary(
                Type=Name.Group, S=Name.Transparency, CS=self._device, I=isolated
            )

    def convert_form(self, form: Any) -> None:
        """Convert a form and everything in it."""
        content, resources = self._convert_content(form, form.get("/Resources", Dictionary()))
        form.write(content)
        form.Resources = resources
        self._set_group_space(form)

    def _convert_gradient(self, shading: Any) -> None:
        parts = _count_components(shading.ColorSpace, Dictionary())
        if not parts:
            return

        def inks(values: list[float]) -> tuple[float, ...]:
            return self.inks.convert(values * 3 if parts == GREY else values)

        ends = [float(end) for end in shading.get("/Domain", [0, 1])]
        shading.Function = convert_function(self.pdf, shading.Function, ends, inks)
        shading.ColorSpace = self._device
        if "/Background" in shading:
            shading.Background = pikepdf.Array(
                [*inks([float(part) for part in shading.Background])]
            )

    def _convert_image(self, image: Any) -> None:
        if image.get("/ImageMask"):
            return
        if _is_cmyk(image.ColorSpace):
            plates = self.inks.limit_ink(pikepdf.PdfImage(image).as_pil_image())
            if plates:
                self._write_image(image, plates)
            return
        if _count_components(image.ColorSpace, Dictionary()) == OTHER:
            return
        if image.BitsPerComponent == 2 * BITS:
            # pikepdf does not convert 16-bit grey. The first byte of each sample is the more
            # significant one.
            image.write(zlib.compress(image.read_bytes()[::2]), filter=Name.FlateDecode)
            image.BitsPerComponent = BITS
        self._write_image(image, self.inks.convert_image(pikepdf.PdfImage(image).as_pil_image()))

    def _write_image(self, image: Any, plates: Image.Image) -> None:
        image.write(zlib.compress(plates.tobytes()), filter=Name.FlateDecode)
        image.ColorSpace = self._device
        image.BitsPerComponent = BITS
        for key in ("/Decode", "/Intent"):
            if key in image:
                del image[key]


def _spot_key(ink: str) -> str:
    return f"/PnpSpot{sha256(ink.encode()).hexdigest()[:8]}"


def _separation(ink: str, cmyk: Inks) -> pikepdf.Array:
    """Return the colour space of a spot ink with its CMYK alternative (ISO 32000-1, 8.6.6.4)."""
    none = pikepdf.Array([0, 0, 0, 0])
    full = pikepdf.Array([*cmyk])
    tint = Dictionary(FunctionType=2, Domain=pikepdf.Array([0, 1]), N=1, C0=none, C1=full)
    return pikepdf.Array([Name.Separation, Name(f"/{ink}"), Name.DeviceCMYK, tint])


def _items(resources: Any, kind: str) -> Iterable[tuple[str, Any]]:
    return list(resources.get(kind, Dictionary()).items())


def _is_cmyk(space: Any) -> bool:
    return space == Name.DeviceCMYK or (
        not isinstance(space, Name) and space[0] == Name.ICCBased and space[1].N == CMYK
    )


def _count_components(space: Any, resources: Any) -> int:
    """Return the number of components of a colour in a space that has to be converted, or `OTHER`."""
    named = resources.get("/ColorSpace", Dictionary())
    if isinstance(space, Name) and str(space) in named:
        return _count_components(named[str(space)], Dictionary())
    kind = space if isinstance(space, Name) else space[0]
    if kind == Name.Indexed:
        return _count_components(space[1], resources)
    if kind == Name.ICCBased:
        return {1: GREY, 3: RGB}.get(int(space[1].N), OTHER)
    return {Name.DeviceRGB: RGB, Name.CalRGB: RGB, Name.DeviceGray: GREY, Name.CalGray: GREY}.get(
        kind, OTHER
    )


def _overprint() -> dict[str, Dictionary]:
    """Return the graphics states that switch overprinting on and off."""
    return {
        str(name): Dictionary(Type=Name.ExtGState, OP=is_on, op=is_on, OPM=int(is_on))
        for name, is_on in ((OVERPRINT, True), (KNOCK_OUT, False))
    }


def _used_by_name(kind: str, things: Any, names: set[str]) -> Any:
    """Return the resources of a kind that are used by name."""
    if kind == "/ProcSet" or not isinstance(things, Dictionary):
        return things
    return Dictionary({name: thing for name, thing in things.items() if name in names})
