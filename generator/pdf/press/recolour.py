"""Every colour of a file as inks: what is painted, gradients and pixel images; spot colours stay as they are.

A file is changed in place, each of its streams once. Black text prints over what it lies on, where that is wanted.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Operator

from generator.pdf.press.functions import inked
from generator.pdf.press.inks import Inks, MaskInks, PressInks

Instruction = tuple[list[Any], Operator]

GREY = 1
RGB = 3
OTHER = 0
"""How many numbers a colour has that must be told as inks; another stays."""

OVER = Name("/PnpOver")
KNOCK = Name("/PnpKnock")
_SETS = {"cs": "fill", "CS": "line", "g": "fill", "G": "line", "rg": "fill", "RG": "line", "sc": "fill", "scn": "fill"}
_SETS |= {"SC": "line", "SCN": "line", "k": "fill", "K": "line"}
_DEVICE = {"g": GREY, "G": GREY, "rg": RGB, "RG": RGB, "k": OTHER, "K": OTHER}
_INK = {("fill", 4): Operator("k"), ("line", 4): Operator("K"), ("fill", 1): Operator("g"), ("line", 1): Operator("G")}
_SPACE = {"fill": Operator("cs"), "line": Operator("CS")}
_SPOT = {"fill": Operator("scn"), "line": Operator("SCN")}


@dataclass(frozen=True)
class PaintState:
    """In which colours fills and lines are given, and whether what is filled is black."""

    fill: int = GREY
    line: int = GREY
    black: bool = True

    def told(self, which: str, parts: int) -> "PaintState":
        """With fills or lines in other colours."""
        return replace(self, fill=parts) if which == "fill" else replace(self, line=parts)


@dataclass
class Recolourer:
    """Of one file; `over` lets black text print over what it lies on, `overprints` says that some does."""

    pdf: pikepdf.Pdf
    inks: PressInks | MaskInks
    over: bool
    overprints: bool = False
    _done: set[tuple[int, int]] = field(default_factory=set)

    def page(self, page: pikepdf.Page) -> None:
        """A page, and all that it shows."""
        page.contents_coalesce()
        content, resources = self._content(page.obj, page.obj.get("/Resources", Dictionary()))
        page.obj.Contents = self.pdf.make_stream(content)
        page.obj.Resources = resources
        self._deepen(page.obj)

    def _content(self, holder: Any, shared: Any) -> tuple[bytes, Any]:
        """The instructions with inks, and what they use, changed too: faces of one file may share more than that."""
        instructions = [([*operands], operator) for operands, operator in _read(holder)]
        names = {str(operand) for operands, _ in instructions for operand in operands if isinstance(operand, Name)}
        resources = Dictionary({kind: _kept(kind, things, names) for kind, things in shared.items()})
        made = [*self._paint(instructions, resources)]
        if any(str(operator) == "gs" and operands[0] == OVER for operands, operator in made):
            states = dict(_items(resources, "/ExtGState"))
            resources.ExtGState = Dictionary({**states, **_overprint()})
        self._used(resources)
        spaces = self._spots({str(part) for operands, _ in made for part in operands if isinstance(part, Name)})
        if spaces:
            resources.ColorSpace = Dictionary({**dict(_items(resources, "/ColorSpace")), **spaces})
        return pikepdf.unparse_content_stream(made), resources

    def _paint(self, instructions: Sequence[Instruction], resources: Any) -> Iterator[Instruction]:
        state = PaintState()
        kept = list[PaintState]()
        for operands, operator in instructions:
            name = str(operator)
            if name == "q":
                kept.append(state)
            elif name == "Q" and kept:
                state = kept.pop()
            if name in _SETS:
                state, colour = self._colour(state, name, operands, resources)
                yield from colour if colour is not None else [(operands, operator)]
            elif name == "BT" and state.black:
                self.overprints |= self.over
                yield from [*self._said([*self.inks.key], OVER), (operands, operator)]
            elif name == "ET" and state.black:
                yield from [(operands, operator), *self._said([*self.inks.black], KNOCK)]
            else:
                yield operands, operator

    def _spots(self, names: set[str]) -> dict[str, Any]:
        """The spaces of the spot inks that are named: each an ink of its own, or mixed where a press has it not."""
        spotted = self.inks.spotted if isinstance(self.inks, PressInks) else {}
        found = {_spot_key(ink): _separation(ink, likeness) for ink, likeness in spotted.items()}
        return {key: space for key, space in found.items() if key in names}

    def _said(self, black: list[Any], over: Name) -> list[Instruction]:
        """Another black, and whether it prints over."""
        return [(black, _INK["fill", len(black)]), *([([over], Operator("gs"))] if self.over else [])]

    def _colour(
        self, state: PaintState, name: str, operands: list[Any], resources: Any
    ) -> tuple[PaintState, list[Instruction] | None]:
        """The state after a colour is set, and the instructions that set it as inks; none where it stays."""
        which = _SETS[name]
        if name in {"cs", "CS"}:
            parts = _parts(operands[0], resources)
            state = state.told(which, parts)
            values = [0.0] * parts
        else:
            parts = _DEVICE.get(name, state.fill if which == "fill" else state.line)
            state = state.told(which, parts)
            values = [float(value) for value in operands] if parts else []
        if not parts:
            return (replace(state, black=False) if which == "fill" else state), None
        rgb = values * 3 if parts == GREY else values
        if which == "fill":
            state = replace(state, black=max(rgb) == 0)
        name = self.inks.spot(rgb)
        if name:
            return state, [([Name(_spot_key(name))], _SPACE[which]), ([1], _SPOT[which])]
        inks = self.inks.of(rgb)
        return state, [([*inks], _INK[which, len(inks)])]

    def _used(self, resources: Any) -> None:
        for _, thing in _items(resources, "/XObject"):
            if self._new(thing):
                self._image(thing) if thing.Subtype == Name.Image else self.form(thing)
        for _, pattern in _items(resources, "/Pattern"):
            if self._new(pattern):
                self.form(pattern) if "/PaintType" in pattern else self._gradient(pattern.Shading)
        for _, shading in _items(resources, "/Shading"):
            if self._new(shading):
                self._gradient(shading)
        for _, state in _items(resources, "/ExtGState"):
            mask = state.get("/SMask")
            if isinstance(mask, Dictionary) and self._new(mask.G):
                Recolourer(self.pdf, MaskInks(), over=False).form(mask.G)
        spots = {key: space for key, space in _items(resources, "/ColorSpace") if _parts(space, resources) == OTHER}
        if "/ColorSpace" in resources:
            resources.ColorSpace = Dictionary(spots)

    @property
    def _device(self) -> Name:
        return Name.DeviceCMYK if isinstance(self.inks, PressInks) else Name.DeviceGray

    def _new(self, thing: Any) -> bool:
        if not thing.is_indirect:
            return True
        fresh = thing.objgen not in self._done
        self._done.add(thing.objgen)
        return fresh

    def _deepen(self, holder: Any) -> None:
        """What is mixed on a page or in a group is mixed as inks, or in a mask as lightness."""
        if "/Group" in holder:
            isolated = holder.Group.get("/I", False)
            holder.Group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=self._device, I=isolated)

    def form(self, form: Any) -> None:
        """What is shown as one thing, and all that it shows."""
        content, resources = self._content(form, form.get("/Resources", Dictionary()))
        form.write(content)
        form.Resources = resources
        self._deepen(form)

    def _gradient(self, shading: Any) -> None:
        parts = _parts(shading.ColorSpace, Dictionary())
        if not parts:
            return

        def inks(values: list[float]) -> tuple[float, ...]:
            return self.inks.of(values * 3 if parts == GREY else values)

        ends = [float(end) for end in shading.get("/Domain", [0, 1])]
        shading.Function, shading.ColorSpace = inked(self.pdf, shading.Function, ends, inks), self._device
        if "/Background" in shading:
            shading.Background = pikepdf.Array([*inks([float(part) for part in shading.Background])])

    def _image(self, image: Any) -> None:
        if image.get("/ImageMask") or _parts(image.ColorSpace, Dictionary()) == OTHER:
            return
        plates = self.inks.image(pikepdf.PdfImage(image).as_pil_image().convert("RGB"))
        image.write(zlib.compress(plates.tobytes()), filter=Name.FlateDecode)
        image.ColorSpace = self._device
        image.BitsPerComponent = 8
        for key in ("/Decode", "/Intent"):
            if key in image:
                del image[key]


def _spot_key(ink: str) -> str:
    return f"/PnpSpot{sha256(ink.encode()).hexdigest()[:8]}"


def _separation(ink: str, likeness: Inks) -> pikepdf.Array:
    """A spot ink, and what stands for it where there is none."""
    none = pikepdf.Array([0, 0, 0, 0])
    full = pikepdf.Array([*likeness])
    tint = Dictionary(FunctionType=2, Domain=pikepdf.Array([0, 1]), N=1, C0=none, C1=full)
    return pikepdf.Array([Name.Separation, Name(f"/{ink}"), Name.DeviceCMYK, tint])


def _items(resources: Any, kind: str) -> Iterable[tuple[str, Any]]:
    return list(resources.get(kind, Dictionary()).items())


def _parts(space: Any, resources: Any) -> int:
    """How many numbers a colour of a space has that are told as inks."""
    named = resources.get("/ColorSpace", Dictionary())
    if isinstance(space, Name) and str(space) in named:
        return _parts(named[str(space)], Dictionary())
    kind = space if isinstance(space, Name) else space[0]
    if kind == Name.Indexed:
        return _parts(space[1], resources)
    if kind == Name.ICCBased:
        return {1: GREY, 3: RGB}.get(int(space[1].N), OTHER)
    return {Name.DeviceRGB: RGB, Name.CalRGB: RGB, Name.DeviceGray: GREY, Name.CalGray: GREY}.get(kind, OTHER)


def _overprint() -> dict[str, Dictionary]:
    """Printing over what lies below, and no longer."""
    kinds = ((OVER, True), (KNOCK, False))
    return {str(name): Dictionary(Type=Name.ExtGState, OP=over, op=over, OPM=int(over)) for name, over in kinds}


def _read(holder: Any) -> Iterable[Any]:
    return pikepdf.parse_content_stream(holder)


def _kept(kind: str, things: Any, names: set[str]) -> Any:
    """Those of the things of a kind that are used by name."""
    if kind == "/ProcSet" or not isinstance(things, Dictionary):
        return things
    return Dictionary({name: thing for name, thing in things.items() if name in names})
