"""Interpret the content of a page: yield each instruction with the box that it paints, in mm from the top left.

An instruction with an unknown extent has no box; callers assume that it paints everywhere inside the clip.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import pikepdf

from generator.core.geometry import IDENTITY, Affine, Point, Rect
from generator.pdf.foreign.glyphs import INITIAL_STATE, GlyphWidths, TextState, WordCursor
from generator.pdf.foreign.opening import box_through

# Instructions on a page, including those of its forms each time they are shown.
MAX_INSTRUCTIONS = 400_000

# The box of hidden content.
NOWHERE = Rect(0, 0, -1, -1)

PATH = frozenset(("m", "l", "c", "v", "y", "h", "re"))
STROKES = frozenset(("S", "s", "B", "B*", "b", "b*"))
FILLS = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
CLOSING = frozenset(("s", "b", "b*"))
ENDS = STROKES | FILLS | {"n"}
TEXT_STATE = frozenset(("Tc", "Tw", "Tz", "TL", "Ts", "Tr"))
SHOWS = frozenset(("Tj", "TJ", "'", '"'))
MARKED = frozenset(("BMC", "BDC", "EMC", "MP", "DP"))
IMAGE = "INLINE IMAGE"


class TooManySteps(Exception):
    """Raised for a page with more than `MAX_INSTRUCTIONS` instructions."""


@dataclass
class Trail:
    """A subpath on the page: its corners, whether it has curves, and whether it is closed."""

    corners: list[Point]
    curved: bool = False
    closed: bool = False

    @property
    def box(self) -> Rect:
        """The bounding box."""
        xs = [at.x for at in self.corners]
        ys = [at.y for at in self.corners]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True)
class Painted:
    """The result of an instruction: its box within the clip, and its path, form or image.

    `instead` is the TJ number that replaces a dropped text. For a form, `ctm` is the map of its content.
    """

    box: Rect | None
    trails: tuple[Trail, ...] = ()
    stroked: bool = False
    dashed: bool = False
    width: float = 0.0
    instead: float | None = None
    form: Any = None
    ctm: Affine = IDENTITY
    clip: Rect | None = None
    is_image: bool = False


@dataclass(frozen=True)
class Instruction:
    """An instruction, and the result if it paints."""

    operands: list[Any]
    name: str
    paints: Painted | None = None
    raw: Any = None


@dataclass(frozen=True)
class Graphics:
    """The graphics state: the clip, and line widths in mm on the page."""

    ctm: Affine
    clip: Rect
    width: float = 1.0
    dashed: bool = False
    text: TextState = INITIAL_STATE


@dataclass
class Walk:
    """An interpreter for the content of a page or a form; `steps` counts instructions of the whole page."""

    resources: Any
    graphics: Graphics
    hidden: frozenset[tuple[int, int]]
    steps: list[int] = field(default_factory=lambda: [0])
    _stack: list[Graphics] = field(default_factory=list)
    _trails: list[Trail] = field(default_factory=list)
    _clips: bool = False
    _cursor: WordCursor = field(default_factory=WordCursor)
    _marked: list[bool] = field(default_factory=list)
    _fonts: dict[str, GlyphWidths] = field(default_factory=dict)

    def through(self, holder: Any) -> Iterator[Instruction]:
        """Yield each instruction of a page or a form."""
        for raw in pikepdf.parse_content_stream(holder):
            self.steps[0] += 1
            if self.steps[0] > MAX_INSTRUCTIONS:
                raise TooManySteps
            name = str(raw.operator)
            operands = list(raw.operands)
            try:
                paints = self._take(name, operands)
            except (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError):
                paints = Painted(None) if name in ENDS | SHOWS | {"Do", "sh", IMAGE} else None
            yield Instruction(operands, name, paints, raw)

    def _take(self, name: str, operands: list[Any]) -> Painted | None:
        if name in PATH:
            self._draw(name, [float(number) for number in operands])
        elif name in ENDS:
            return self._end(name)
        elif name in {"W", "W*"}:
            self._clips = True
        elif name in {"Do", "sh", IMAGE}:
            return self._shown(name, operands)
        elif name in SHOWS:
            return self._says(name, operands)
        elif name in MARKED:
            self._mark(name, operands)
        else:
            self._state(name, operands)
        return None

    def _state(self, name: str, operands: list[Any]) -> None:
        now = self.graphics
        if name == "q":
            self._stack.append(now)
        elif name == "Q":
            self.graphics = self._stack.pop() if self._stack else now
        elif name == "cm":
            self.graphics = replace(now, ctm=now.ctm @ Affine(*map(float, operands)))
        elif name == "w":
            self.graphics = replace(now, width=float(operands[0]))
        elif name == "d":
            self.graphics = replace(now, dashed=len(operands[0]) > 0)
        elif name in TEXT_STATE:
            self.graphics = replace(now, text=now.text.after(name, operands))
        elif name in {"Tf", "gs"}:
            self._font(name, operands)
        elif name in {"BT", "Td", "TD", "Tm", "T*"}:
            self._place(name, [float(number) for number in operands])

    def _font(self, name: str, operands: list[Any]) -> None:
        if name == "gs":
            said = self.resources.ExtGState[str(operands[0])]
            if "/LW" in said:
                self.graphics = replace(self.graphics, width=float(said.LW))
            if "/Font" in said:
                self.graphics = replace(self.graphics, text=replace(self.graphics.text, widths=None))
            return
        key = str(operands[0])
        if key not in self._fonts:
            self._fonts[key] = GlyphWidths(self.resources.Font[key])
        text = replace(self.graphics.text, widths=self._fonts[key], size=float(operands[1]))
        self.graphics = replace(self.graphics, text=text)

    def _place(self, name: str, numbers: list[float]) -> None:
        if name == "BT":
            self._cursor.begin(Affine())
        elif name == "Tm":
            self._cursor.begin(Affine(*numbers))
        elif name == "T*":
            self._cursor.move(0, -self.graphics.text.leading)
        else:
            if name == "TD":
                self.graphics = replace(self.graphics, text=replace(self.graphics.text, leading=-numbers[1]))
            self._cursor.move(*numbers)

    def _says(self, name: str, operands: list[Any]) -> Painted:
        if name == '"':
            for key, value in zip(("Tw", "Tc"), operands, strict=False):
                self._state(key, [value])
        if name in {"'", '"'}:
            self._place("T*", [])
        parts = list(operands[-1]) if name == "TJ" else operands[-1:]
        box, instead = self._cursor.show(self.graphics.text, parts, self.graphics.ctm)
        return Painted(self._seen(box), instead=instead)

    def _mark(self, name: str, operands: list[Any]) -> None:
        if name == "EMC":
            self._marked = self._marked[:-1]
        elif name in {"BMC", "BDC"}:
            is_layer = name == "BDC" and str(operands[0]) == "/OC"
            self._marked.append(is_layer and self._is_hidden(self.resources.Properties[str(operands[1])]))

    def _is_hidden(self, layer: Any) -> bool:
        if layer.get("/Type") == "/OCMD":
            several = layer.get("/OCGs", [])
            all_of = [several] if isinstance(several, pikepdf.Dictionary) else list(several)
            return bool(all_of) and all(one.objgen in self.hidden for one in all_of)
        return layer.objgen in self.hidden

    def _seen(self, box: Rect | None) -> Rect | None:
        """Return the visible part of a box: inside the clip, and not in a hidden layer."""
        if any(self._marked):
            return NOWHERE
        return box.common(self.graphics.clip) if box and all(map(isfinite, box)) else self.graphics.clip

    def _draw(self, name: str, numbers: list[float]) -> None:
        if name == "h":
            if self._trails:
                self._trails[-1].closed = True
            return
        pairs = [self.graphics.ctm.apply(Point(*numbers[at : at + 2])) for at in range(0, len(numbers) - 1, 2)]
        if name == "re":
            x, y, w, h = numbers
            places = ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))
            corners = [self.graphics.ctm.apply(Point(*place)) for place in places]
            self._trails.append(Trail(corners, closed=True))
        elif name == "m" or not self._trails:
            self._trails.append(Trail(pairs[-1:]))
        else:
            self._trails[-1].curved |= name != "l"
            self._trails[-1].corners += pairs

    def _end(self, name: str) -> Painted | None:
        trails = tuple(self._trails)
        self._trails = []
        box = Rect.round_all([trail.box for trail in trails]) if trails else NOWHERE
        is_stroked = name in STROKES
        if name in CLOSING and trails:
            trails[-1].closed = True
        width = self.graphics.width * self.graphics.ctm.scale
        painted = Painted(
            self._seen(box.grown(width) if is_stroked else box), trails, is_stroked, self.graphics.dashed, width
        )
        if self._clips:
            self.graphics = replace(self.graphics, clip=self.graphics.clip.common(box))
            self._clips = False
        return None if name == "n" else painted

    def _shown(self, name: str, operands: list[Any]) -> Painted:
        unit = box_through(self.graphics.ctm, 0, 0, 1, 1)
        if name == "sh":
            return Painted(self._seen(None))
        if name == IMAGE:
            return Painted(self._seen(unit), is_image=True)
        thing = self.resources.XObject[str(operands[0])]
        if "/OC" in thing and self._is_hidden(thing.OC):
            return Painted(NOWHERE)
        if thing.Subtype != "/Form":
            return Painted(self._seen(unit), is_image=True)
        ctm = self.graphics.ctm @ Affine(*map(float, thing.get("/Matrix", [1, 0, 0, 1, 0, 0])))
        left, bottom, right, top = (float(number) for number in thing.BBox)
        box = self._seen(box_through(ctm, left, bottom, right, top))
        return Painted(box, form=thing, ctm=ctm, clip=box)


def inside(walk: Walk, painted: Painted) -> Walk:
    """Return the interpreter for a form that another one reached."""
    resources = painted.form.get("/Resources", walk.resources)
    graphics = replace(walk.graphics, ctm=painted.ctm, clip=painted.clip or NOWHERE)
    return Walk(resources, graphics, walk.hidden, walk.steps)
