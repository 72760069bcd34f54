"""What stands in the flow of a booklet: things with a place, and how they lie under and beside each other. In mm.

A box is a function from a width to what lies in it; texts are measured by typst, all at once, so whoever lays boxes out
does it twice: first to learn which texts are wanted at which width, then with their heights known.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from generator.draw.face import Face
from generator.rules.pages import NO_TIE, Tie


@dataclass(frozen=True)
class SetText:
    """Words in typst's code, at a place, broken at a width."""

    x: float
    y: float
    width: float
    code: str


@dataclass(frozen=True)
class SetPicture:
    """A face cut to its trim, at a place and a size; where it is `lined`, with a thin line round what is cut out.

    Where it is `filling` it keeps its shape, and covers the place: what stands over is cut off.
    """

    x: float
    y: float
    width: float
    height: float
    face: Face
    alt: str
    lined: bool = False
    filling: bool = False


@dataclass(frozen=True)
class SetGround:
    """A plain rectangle; what has no colour is not drawn."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    thickness: float = 0.0
    radius: float = 0.0


Thing = SetText | SetPicture | SetGround


@dataclass(frozen=True)
class Box:
    """Things from the top left of a box of a size."""

    width: float
    height: float
    things: tuple[Thing, ...] = ()

    def at(self, x: float, y: float) -> tuple[Thing, ...]:
        """The things with the box's corner at a place."""
        return tuple(replace(thing, x=thing.x + x, y=thing.y + y) for thing in self.things)


@dataclass
class Heights:
    """How high texts are at a width; those that are not known yet are kept to be asked for."""

    known: dict[tuple[str, float], float] = field(default_factory=dict)
    wanted: dict[tuple[str, float], None] = field(default_factory=dict)
    lines: dict[tuple[str, float], tuple[int, ...]] = field(default_factory=dict)
    unbroken: dict[tuple[str, float], None] = field(default_factory=dict)

    def of(self, code: str, width: float) -> float:
        """The height, or nothing as long as it is not known."""
        key = code, round(width, 3)
        if key not in self.known:
            self.wanted[key] = None
        return self.known.get(key, 0.0)

    def breaks(self, code: str, width: float) -> tuple[int, ...]:
        """Which words lines begin with, of code whose words are numbered; none as long as it is not known."""
        key = code, round(width, 3)
        if key not in self.lines:
            self.unbroken[key] = None
        return self.lines.get(key, ())


Maker = Callable[[float], Box]
"""A box as soon as its width is known."""


def words(heights: Heights, code: str) -> Maker:
    """A text as wide as there is room."""
    return lambda width: Box(width, heights.of(code, width), (SetText(0, 0, width, code),))


def picture(face: Face, width: float, height: float, alt: str = "") -> Box:
    """A face at a size."""
    return Box(width, height, (SetPicture(0, 0, width, height, face, alt),))


def thumbnail(face: Face, width: float, height: float) -> Box:
    """A face in small that says nothing of its own, with a line round it."""
    return Box(width, height, (SetPicture(0, 0, width, height, face, "", lined=True),))


def stack(boxes: Iterable[Box], width: float, gap: float, *, middle: bool = False) -> Box:
    """Boxes under each other."""
    things: list[Thing] = []
    y = 0.0
    for number, box in enumerate(boxes):
        y += gap if number else 0.0
        things += box.at((width - box.width) / 2 if middle else 0.0, y)
        y += box.height
    return Box(width, y, tuple(things))


def row(boxes: Sequence[Box], gap: float, *, middle: bool = False) -> Box:
    """Boxes beside each other, their tops level, or their middles."""
    things: list[Thing] = []
    height = max(box.height for box in boxes)
    x = 0.0
    for box in boxes:
        things += box.at(x, (height - box.height) / 2 if middle else 0.0)
        x += box.width + gap
    return Box(x - gap, height, tuple(things))


def framed(box: Box, width: float, room: float, ground: SetGround, bar: str = "") -> Box:
    """A box on a ground, with room round it and a bar at its left."""
    height = box.height + 2 * room
    edge = (SetGround(0, 0, 0.8, height, fill=bar),) if bar else ()
    return Box(width, height, (replace(ground, width=width, height=height), *edge, *box.at(room, room)))


@dataclass(frozen=True)
class FlowItem:
    """A thing in the flow, as it is at a width and a share of its pictures; `rank` is a heading's level."""

    box: Callable[[float, float], Box] | None
    before: float = 0.0
    after: float = 0.0
    tie: Tie = NO_TIE
    across: bool = False
    opens: bool = False
    back: bool = False
    notes: tuple[str, ...] = ()
    rank: int = 0
    slug: str = ""
    name: str = ""
    least: float = 0.0
    give: float = 1.0
