"""A tile's outline and the places on it where links may enter, and which way is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, pi, radians, sin
from types import MappingProxyType

from generator.core.geometry import Point, Rect, Size
from generator.core.outline import Outline
from generator.core.ports import CORNERS, TRIANGLE_PORTS, part_of, share_of, side_of
from generator.core.problems import unknown
from generator.pack.tile import Inner

ROUND = 96
"""Straight sides by which a circle's inside is measured."""


@dataclass(frozen=True)
class Entry:
    """A side, or a port: its middle, the unit vector from there into the tile, and how much room it has, in mm."""

    port: str
    middle: Point
    inward: Point
    length: float

    def depth(self, place: Point) -> float:
        """How far inside this side's line a place lies."""
        return (place.x - self.middle.x) * self.inward.x + (place.y - self.middle.y) * self.inward.y


@dataclass(frozen=True)
class Plot:
    """A tile's trim as links see it: vertices clockwise, side `i` from vertex `i` to the next.

    `points` are places inside it, by the names that its links call them. A circle's sides have no names.
    """

    vertices: tuple[Point, ...]
    sides: tuple[Entry, ...]
    points: Mapping[str, Point] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def box(self) -> Rect:
        """The upright box round the tile."""
        xs, ys = [v.x for v in self.vertices], [v.y for v in self.vertices]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))

    @cached_property
    def centre(self) -> Point:
        """The tile's middle: that of a triangle is nearer to its foot than to its tip."""
        if len(self.vertices) == len(TRIANGLE_PORTS):
            return Point(sum(v.x for v in self.vertices), sum(v.y for v in self.vertices)).scaled(1 / 3)
        return self.box.centre

    def with_points(self, points: Iterable[Inner]) -> Plot:
        """The outline with some points inside it."""
        named = {point.name: self.inner(point.x, point.y) for point in points}
        return replace(self, points=MappingProxyType(named))

    def inner(self, x: float, y: float) -> Point:
        """The place at so many hundredths of the box."""
        return Point(self.box.x + self.box.w * x / 100, self.box.y + self.box.h * y / 100)

    def side(self, port: str) -> Entry:
        """The side of this name, or the part of a side, the corner or the place on a circle that a port means."""
        if port.isdigit() and not self.sides[0].port:
            return self._on_circle(port)
        names = tuple(side.port for side in self.sides)
        if side_of(port) in names:
            return self._part(self.sides[names.index(side_of(port))], port)
        corners = CORNERS.get(names, ())
        if port in corners:
            return self._corner(corners.index(port), port)
        raise unknown("side", port, [*names, *corners])

    def edge(self, part: str) -> tuple[float, float]:
        """Where a part of a side begins and ends round the tile, in sides clockwise from the first vertex."""
        nth, of = part_of(part)
        first = [side.port for side in self.sides].index(side_of(part))
        return first + (nth - 1) / of, first + nth / of

    def _part(self, side: Entry, port: str) -> Entry:
        if side.port == port:
            return side
        share = float(share_of(port)) - 0.5
        along = side.inward.turned(-90)
        return Entry(port, side.middle + along.scaled(side.length * share), side.inward, side.length / part_of(port)[1])

    def _corner(self, nth: int, port: str) -> Entry:
        before, after = self.sides[nth], self.sides[(nth + 1) % len(self.sides)]
        inward = (before.inward + after.inward).unit()
        return Entry(port, self.vertices[(nth + 1) % len(self.vertices)], inward, min(before.length, after.length))

    def _on_circle(self, port: str) -> Entry:
        out, radius = radians(int(port)), self.box.w / 2
        inward = Point(-sin(out), cos(out))
        return Entry(port, self.centre - inward.scaled(radius), inward, radius)

    def depth(self, place: Point) -> float:
        """How far a place lies from the nearest side; negative outside."""
        return min(side.depth(place) for side in self.sides)


def plot_of(outline: Outline) -> Plot:
    """What is cut, as links see it: its corners sharp, and the line round it where it has no straight sides."""
    if outline.is_circle or not outline.names:
        line = _circle(outline.size) if outline.is_circle else outline.flat
        return outline_round(line, ("",) * len(line))
    return outline_round(outline.corners, outline.names)


def outline_round(vertices: tuple[Point, ...], ports: tuple[str, ...]) -> Plot:
    """The outline with these vertices, clockwise; `ports` are the names of the sides between them."""
    ends = zip(ports, vertices, vertices[1:] + vertices[:1], strict=True)
    return Plot(vertices, tuple(_side(port, a, b) for port, a, b in ends))


def _circle(size: Size) -> tuple[Point, ...]:
    turns = (2 * pi * (i - 0.5) / ROUND for i in range(ROUND))
    reach = size.w / 2 / cos(pi / ROUND)
    return tuple(Point(size.w / 2 + reach * sin(turn), size.h / 2 - reach * cos(turn)) for turn in turns)


def _side(port: str, a: Point, b: Point) -> Entry:
    return Entry(port, (a + b).scaled(0.5), (b - a).unit().turned(90), (b - a).length())
