"""What is cut out, folded and glued, as rows of panels: dice, boxes and stands; a row each in the two tables.

A die's faces are in the order of their numbers; the flaps of boxes are panels of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import acos, degrees, pi, sin, sqrt
from types import MappingProxyType

from generator.core.geometry import EPSILON, Point, Rect, Size
from generator.core.outline import Outline
from generator.core.problems import Wrong
from generator.core.units import number
from generator.impose.folding import PrintedNet, folded
from generator.impose.nets import Corners, NetPanel, NetPlan
from generator.impose.sheet import Piece


@dataclass(frozen=True)
class Die:
    """A row: the shape of its faces, how they hang together (for one edge of 1), and which of its panels is which face.

    `hung` says of each panel after the first its parent, the parent's side and its own; `numbers` the panels from the
    face with the least number on.
    """

    shape: str
    corners: Corners
    hung: tuple[tuple[int, int, int], ...]
    bend: float
    numbers: tuple[int, ...]
    tabs: frozenset[int] | None = None

    def plan(self, across: float) -> NetPlan:
        """The net of a die whose faces are so wide."""
        wide = max(place.x for place in self.corners)
        shape = tuple(place.scaled(across / wide) for place in self.corners)
        rest = (NetPanel(shape, *hung) for hung in self.hung)
        return NetPlan((NetPanel(shape), *rest), self.bend, tabs=self.tabs)


_SQUARE = (Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1))
_UP = (Point(0.5, 0), Point(1, sqrt(3) / 2), Point(0, sqrt(3) / 2))
_ROUND = 0.5 / sin(2 * pi / 5)
"""The radius of the circle round a pentagon that is 1 wide."""

_FIVE = tuple(Point(0.5, _ROUND) + Point(0, -_ROUND).turned(nth * 360 / 5) for nth in range(5))


def _strip(first: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Triangles side by side, from the second on: each hangs on the right of the one before, turned over."""
    for nth in range(1, count):
        yield (first + nth - 1, 0, 0) if nth % 2 else (first + nth - 1, 2, 2)


_EIGHT = (*_strip(0, 6), (3, 1, 1), (2, 1, 1))
_TWENTY = (*_strip(0, 10), *((nth, 1, 1) for nth in (1, 3, 5, 7, 9)), *((nth, 1, 1) for nth in (0, 2, 4, 6, 8)))
_FLOWERS = (*((0, nth, 2) for nth in range(5)), (1, 0, 0), (6, 2, 2), *((7, nth, 2) for nth in (0, 1, 3, 4)))
_CROSS = ((0, 1, 3), (0, 0, 2), (0, 2, 0), (0, 3, 1), (4, 3, 1))

DICE: Mapping[str, Die] = MappingProxyType(
    {
        "die": Die("rect", _SQUARE, _CROSS, 90.0, tuple(range(6)), frozenset({3, 4, 5, 9, 10, 12, 13})),
        "d4": Die("triangle", _UP, tuple(_strip(0, 4)), 109.4712206, (0, 1, 2, 3)),
        "d8": Die("triangle", _UP, _EIGHT, 70.5287794, (0, 1, 2, 6, 7, 5, 4, 3)),
        "d12": Die("pentagon", _FIVE, _FLOWERS, 63.4349488, (0, 1, 2, 3, 4, 5, 9, 6, 10, 11, 8, 7)),
        "d20": Die(
            *("triangle", _UP, _TWENTY, 41.8103149),
            (0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 17, 16, 15, 19, 18, 9, 8, 7, 6, 5),
        ),
    }
)
"""Dice by what `make:` calls them."""


@cache
def _flat_die(name: str, across: float, bleed: float) -> PrintedNet:
    """The net of a size, worked out once for all dice that have it."""
    return PrintedNet(DICE[name].plan(across), bleed)


def die(name: str) -> Callable[[Piece], Piece]:
    """What makes a die of a piece with a face for each side; its size is that of a face."""

    def made(piece: Piece) -> Piece:
        if DICE[name].shape == "rect" and abs(piece.size.w - piece.size.h) > EPSILON:
            size = f"{number(piece.size.w)} x {number(piece.size.h)} mm"
            raise Wrong(f"{piece.component}: a die with faces of {size} cannot be", "a square, such as 16mm")
        flat = _flat_die(name, piece.size.w, piece.bleed)
        return folded(piece, flat, DICE[name].numbers)

    return made


SLACK = 1.0
"""mm; how much larger a box is inside, each way, than what it holds."""

GLUE, TUCK, DUST = 12.0, 16.0, 14.0
"""mm; how deep the flaps are at most: the one that is glued, those that are tucked in, those at the sides."""

FACES = ("front", "right", "back", "left", "top", "bottom")


def sized(faces: Sequence[tuple[float, float]]) -> tuple[Outline, ...]:
    """Faces of these widths and heights."""
    return tuple(Outline.of_box(Rect(0, 0, *size)) for size in faces)


def tuckbox_faces(held: Size, depth: float) -> tuple[Outline, ...]:
    """The faces of a box for what is so large and so thick, in the order of `FACES`."""
    w, h, d = held.w + SLACK, held.h + SLACK, depth + SLACK
    return sized(((w, h), (d, h), (w, h), (d, h), (w, d), (w, d)))


def tuckbox_plan(held: Size, depth: float) -> NetPlan:
    """Its net; the faces come first."""
    front, right, back, left, top, bottom = (_box(*outline.size) for outline in tuckbox_faces(held, depth))
    w, h, d = held.w + SLACK, held.h + SLACK, depth + SLACK
    tuck, dust = min(TUCK, 0.7 * h), min(DUST, w / 2 - 1, 0.9 * h)
    return NetPlan(
        (
            NetPanel(front),
            NetPanel(right, 0, 1, 3),
            NetPanel(back, 1, 1, 3),
            NetPanel(left, 2, 1, 3),
            NetPanel(top, 2, 0, 2),
            NetPanel(bottom, 0, 2, 0),
            NetPanel(_flap(h, min(GLUE, 0.8 * w)), 3, 1, 0, face=False),
            NetPanel(_flap(w, tuck, 0.5), 4, 0, 0, face=False),
            NetPanel(_flap(w, tuck, 0.5), 5, 2, 0, face=False),
            *(NetPanel(_flap(d, dust, 0.3), side, edge, 0, face=False) for side in (1, 3) for edge in (0, 2)),
        ),
        glued=False,
    )


def _box(w: float, h: float) -> Corners:
    return Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)


def _flap(long: float, deep: float, lean: float = 1.0) -> Corners:
    """A flap that hangs by its first side and narrows by so much of its depth at either end."""
    off = min(lean * deep, 0.3 * long)
    return Point(0, 0), Point(long, 0), Point(long - off, deep), Point(off, deep)


def tray_faces(held: Size, depth: float) -> tuple[Outline, ...]:
    """The bottom of a tray for what is so large, and its walls from the upper one on, clockwise."""
    w, h = held.w + SLACK, held.h + SLACK
    return sized(((w, h), (w, depth), (h, depth), (w, depth), (h, depth)))


def tray_plan(held: Size, depth: float) -> NetPlan:
    """An open box: four walls on the sides of its bottom, the upper and the lower with a tab at either end."""
    bottom, *walls = (_box(*outline.size) for outline in tray_faces(held, depth))
    tab = _flap(depth, min(GLUE, 0.45 * min(held)))
    return NetPlan(
        (
            NetPanel(bottom),
            *(NetPanel(wall, 0, side, 2) for side, wall in enumerate(walls)),
            *(NetPanel(tab, wall, edge, 0, face=False) for wall in (1, 3) for edge in (1, 3)),
        ),
        glued=False,
    )


def tent_faces(side: Size, depth: float) -> tuple[Outline, ...]:
    """The two sides that lean on each other."""
    _foot(side, depth)
    return sized(((side.w, side.h), (side.w, side.h)))


def tent_plan(side: Size, depth: float) -> NetPlan:
    """Front, floor and back in a row, and a flap that is glued behind the front's upper edge."""
    foot = _foot(side, depth)
    face = _box(side.w, side.h)
    return NetPlan(
        (
            NetPanel(face),
            NetPanel(_box(side.w, depth), 0, 2, 0, face=False, bend=180 - foot),
            NetPanel(face, 1, 2, 2, bend=180 - foot),
            NetPanel(_flap(side.w, min(GLUE, 0.4 * side.h), 0.5), 2, 0, 0, face=False, bend=2 * foot),
        ),
        glued=False,
    )


LIP, SLOT = 0.25, 6.0
"""How high the lip of a stand is, as a part of its plate, and how far it stands before that, in mm."""


def stand_faces(plate: Size, depth: float) -> tuple[Outline, ...]:
    """The plate on which a card leans, and what is behind it."""
    _foot(plate, depth)
    return sized(((plate.w, plate.h), (plate.w, plate.h)))


def stand_plan(plate: Size, depth: float) -> NetPlan:
    """Lip, slot, plate, strut and floor in a row, and a flap that is glued under the slot."""
    foot = _foot(plate, depth)
    face = _box(plate.w, plate.h)
    return NetPlan(
        (
            NetPanel(face),
            NetPanel(face, 0, 0, 0, bend=2 * foot),
            NetPanel(_box(plate.w, SLOT), 0, 2, 0, face=False, bend=-foot),
            NetPanel(_box(plate.w, LIP * plate.h), 2, 2, 0, face=False, bend=-90),
            NetPanel(_box(plate.w, depth), 1, 2, 0, face=False, bend=180 - foot),
            NetPanel(_flap(plate.w, SLOT, 0.3), 4, 2, 0, face=False, bend=0),
        ),
        glued=False,
    )


def _foot(leg: Size, depth: float) -> float:
    """The angle at which two legs of one length stand on their floor, in degrees."""
    if not 0 < depth < 2 * leg.h:
        raise Wrong(
            f"a floor of {number(depth)} mm is as long as its two sides of {number(leg.h)} mm together",
            f"a depth below {number(2 * leg.h)} mm",
        )
    return degrees(acos(depth / 2 / leg.h))


def _first(names: Sequence[str]) -> Mapping[str, int]:
    return MappingProxyType({name: nth for nth, name in enumerate(names)})


@dataclass(frozen=True)
class BoxNet:
    """A row: its faces with the panels that they are, and by size and depth (mm) their sizes and all panels."""

    what: str
    on: Mapping[str, int]
    faces: Callable[[Size, float], tuple[Outline, ...]]
    plan: Callable[[Size, float], NetPlan]


BOXES: Mapping[str, BoxNet] = MappingProxyType(
    {
        "tuckbox": BoxNet("a box that is closed", _first(FACES), tuckbox_faces, tuckbox_plan),
        "tray": BoxNet("an open box", _first(("bottom", "upper", "right", "lower", "left")), tray_faces, tray_plan),
        "tent": BoxNet(
            "two pictures that lean on each other", MappingProxyType({"front": 0, "back": 2}), tent_faces, tent_plan
        ),
        "stand": BoxNet("a foot on which a card leans", _first(("plate", "behind")), stand_faces, stand_plan),
    }
)
"""What is folded of panels of its own, by what `make:` calls it."""


@cache
def _flat_box(name: str, held: Size, depth: float, bleed: float) -> PrintedNet:
    return PrintedNet(BOXES[name].plan(held, depth), bleed)


def box(name: str) -> Callable[[Piece], Piece]:
    """What makes the net for what is as large as a piece and as thick as its depth."""

    def made(piece: Piece) -> Piece:
        return folded(piece, _flat_box(name, piece.size, piece.depth, piece.bleed), tuple(BOXES[name].on.values()))

    return made


def net_plan(make: str, size: Size, depth: float) -> tuple[NetPlan, tuple[int, ...]] | None:
    """The net of what is folded round something, and the panels of its faces in turn; none of what lies flat."""
    if make in BOXES:
        return BOXES[make].plan(size, depth), tuple(BOXES[make].on.values())
    return (DICE[make].plan(size.w), DICE[make].numbers) if make in DICE else None
