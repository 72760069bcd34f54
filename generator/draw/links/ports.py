"""A tile's outline and its sides: where links may enter and which way is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

from generator.core.geometry import Point, Rect, Size
from generator.core.problems import Wrong, unknown
from generator.core.units import number
from generator.pack.links import HEX_PORTS, SQUARE_PORTS

REGULAR = 0.01
"""A hexagon may be this much (as a share of its height) out of true: sizes are typed in, and often rounded."""


@dataclass(frozen=True)
class Side:
    """One side: its middle, the unit vector from there into the tile, and its length, in mm."""

    port: str
    middle: Point
    inward: Point
    length: float

    def depth(self, place: Point) -> float:
        """How far inside this side's line a place lies."""
        return (place.x - self.middle.x) * self.inward.x + (place.y - self.middle.y) * self.inward.y


@dataclass(frozen=True)
class Outline:
    """A tile's trim: vertices clockwise, side `i` from vertex `i` to the next, and the name of each side."""

    vertices: tuple[Point, ...]
    sides: tuple[Side, ...]

    @property
    def box(self) -> Rect:
        """The upright box round the tile."""
        xs, ys = [v.x for v in self.vertices], [v.y for v in self.vertices]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))

    @property
    def centre(self) -> Point:
        """The tile's middle."""
        return self.box.centre

    def side(self, port: str) -> Side:
        """The side of this name."""
        for side in self.sides:
            if side.port == port:
                return side
        raise unknown("side", port, [side.port for side in self.sides])

    def depth(self, place: Point) -> float:
        """How far a place lies from the nearest side; negative outside."""
        return min(side.depth(place) for side in self.sides)


def outline_of(kind: str, size: Size) -> Outline:
    """The outline of a tile shape that fills a size, with its top left corner at the origin."""
    if kind not in SHAPES:
        raise unknown("tile shape", kind, SHAPES)
    return SHAPES[kind](size)


def _square(size: Size) -> Outline:
    w, h = size
    return _outline((Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)), SQUARE_PORTS)


def _hex(size: Size) -> Outline:
    w, h = size
    if abs(w * sqrt(3) / 2 - h) > REGULAR * h:
        raise Wrong(
            f"a hexagon of {number(w)} × {number(h)} mm is not regular", f"a height of {number(w * sqrt(3) / 2)} mm"
        )
    corners = ((0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1), (0, 0.5))
    return _outline(tuple(Point(x * w, y * h) for x, y in corners), HEX_PORTS)


def _outline(vertices: tuple[Point, ...], ports: tuple[str, ...]) -> Outline:
    ends = zip(ports, vertices, vertices[1:] + vertices[:1], strict=True)
    return Outline(vertices, tuple(_side(port, a, b) for port, a, b in ends))


def _side(port: str, a: Point, b: Point) -> Side:
    return Side(port, (a + b).scaled(0.5), (b - a).unit().turned(90), (b - a).length())


SHAPES: Mapping[str, Callable[[Size], Outline]] = {"square": _square, "hex": _hex}
"""Tile shapes by name. Square tiles may be oblong; hexagons lie on a flat side."""
