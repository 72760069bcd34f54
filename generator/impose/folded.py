"""What is cut out, folded and glued, as rows of panels: dice, and tuckboxes for decks.

A die's faces are in the order of their numbers; a tuckbox's flaps are panels of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import pi, sin, sqrt
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


def tuckbox_faces(held: Size, depth: float) -> tuple[Outline, ...]:
    """The faces of a box for what is so large and so thick, in the order of `FACES`."""
    w, h, d = held.w + SLACK, held.h + SLACK, depth + SLACK
    sizes = ((w, h), (d, h), (w, h), (d, h), (w, d), (w, d))
    return tuple(Outline.of_box(Rect(0, 0, *size)) for size in sizes)


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


@cache
def _flat_box(held: Size, depth: float, bleed: float) -> PrintedNet:
    return PrintedNet(tuckbox_plan(held, depth), bleed)


def tuckbox(piece: Piece) -> Piece:
    """The box for what is as large as the piece and as thick as its depth."""
    return folded(piece, _flat_box(piece.size, piece.depth, piece.bleed), range(len(FACES)))
