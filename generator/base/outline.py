"""The cutting line of a piece: one closed line in mm, and its geometry.

An outline is a polygon, clockwise, whose corners may all have the same radius; a square with the
largest radius is a circle. An outline that no polygon describes, such as a puzzle's piece, also has
a `curve`: its corners lie on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from math import cos, pi, sin

from generator.base import polygon
from generator.base.errors import unknown
from generator.base.geometry import EPSILON, Affine, Point, Rect, Size
from generator.base.paths import Edge, path_data
from generator.base.units import number

CIRCLE_SIDES = 90
"""Sides of the polygon that stands for a circle.

It lies outside by at most 0.06 % of the radius.
"""


@dataclass(frozen=True)
class Side:
    """A straight side with its name, from corner to corner, clockwise round the outline, in mm."""

    port: str
    start: Point
    end: Point

    @cached_property
    def middle(self) -> Point:
        """The midpoint."""
        return (self.start + self.end).scaled(0.5)

    @cached_property
    def inward(self) -> Point:
        """The unit vector into the piece."""
        return (self.end - self.start).unit().turned(90)

    @property
    def outward(self) -> Point:
        """The unit vector away from the piece."""
        return self.inward.scaled(-1)

    @property
    def length(self) -> float:
        """The distance from corner to corner."""
        return (self.end - self.start).length()

    def at(self, share: float) -> Point:
        """Return the point at a share of the side: 0 at its start, 1 at its end."""
        return self.start + (self.end - self.start).scaled(share)

    def depth(self, place: Point) -> float:
        """Return how far inside this side's line a point lies, in mm."""
        return polygon.dot(place - self.middle, self.inward)


@dataclass(frozen=True)
class Outline:
    """A closed line.

    `names` are those of its sides, from each corner to the next, and `kind` that of its shape.
    """

    corners: tuple[Point, ...]
    radius: float = 0.0
    names: tuple[str, ...] = ()
    kind: str = ""
    curve: tuple[Edge, ...] = ()

    @classmethod
    def of_box(cls, box: Rect, radius: float = 0.0) -> Outline:
        """Return a rectangle, with rounded corners if there is a radius."""
        return cls(polygon.box(box), radius)

    @cached_property
    def box(self) -> Rect:
        """The bounding box."""
        if self.radius and not self.is_box:
            return polygon.box_around(self.core).grown(self.radius)
        return polygon.box_around(self.corners)

    @property
    def size(self) -> Size:
        """The size of the bounding box."""
        return self.box.size

    @property
    def centre(self) -> Point:
        """The centre of the bounding box."""
        return self.box.centre

    @cached_property
    def is_box(self) -> bool:
        """True for an upright rectangle, with or without rounded corners."""
        sides = pairwise((*self.corners, self.corners[0]))
        upright = all(min(abs(a.x - b.x), abs(a.y - b.y)) < EPSILON for a, b in sides)
        return len(self.corners) == 4 and not self.curve and upright

    @property
    def is_circle(self) -> bool:
        """True for a circle."""
        return self.is_box and self.radius >= max(self.size) / 2 - EPSILON

    @property
    def is_rectangle(self) -> bool:
        """True for an upright rectangle that is no circle."""
        return self.is_box and not self.is_circle

    @cached_property
    def is_convex(self) -> bool:
        """True for a convex outline."""
        return polygon.is_convex(self.corners)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The straight sides with their names; a circle and a curve have none."""
        ends = pairwise((*self.corners, self.corners[0]))
        return (
            tuple(Side(name, *end) for name, end in zip(self.names, ends, strict=True))
            if self.names
            else ()
        )

    def side(self, port: str) -> Side:
        """Return the side of a name."""
        for side in self.sides:
            if side.port == port:
                return side
        raise unknown("side", port, self.names)

    @cached_property
    def core(self) -> tuple[Point, ...]:
        """The polygon inside the rounding: the outline is everything within `radius` of it."""
        return polygon.grow(self.corners, -self.radius) if self.radius else self.corners

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges of the line, clockwise."""
        if self.curve:
            return self.curve
        if not self.radius:
            return tuple(Edge(a, b) for a, b in pairwise((*self.corners, self.corners[0])))
        return tuple(edge for edge in self._rounded() if (edge.b - edge.a).length() > EPSILON)

    def _rounded(self) -> Iterator[Edge]:
        """Yield each side and the arc at its end, from the first side on."""
        core = self.core
        count = len(self.core)
        directions = [
            polygon.outward(self.corners[i - 1], corner) for i, corner in enumerate(self.corners)
        ]
        for i in range(1, count + 1):
            first = directions[i % count]
            last = directions[(i + 1) % count]
            before = core[i - 1] + first.scaled(self.radius)
            corner = core[i % count]
            a = corner + first.scaled(self.radius)
            b = corner + last.scaled(self.radius)
            half = (first + last).length() / 2
            yield Edge(before, a)
            yield Edge(a, b, polygon.cross(first, last) / (2 * half * (1 + half)))

    @cached_property
    def flat(self) -> tuple[Point, ...]:
        """A polygon in place of the outline: outside of a circle, and within 0.005 mm of any other curve."""
        if self.is_circle:
            outer = self.size.w / 2 / cos(pi / CIRCLE_SIDES)
            angles = [2 * pi * n / CIRCLE_SIDES for n in range(CIRCLE_SIDES)]
            return tuple(self.centre + Point(outer * cos(a), outer * sin(a)) for a in angles)
        return (
            tuple(place for edge in self.edges for place in edge.flat())
            if self.radius
            else self.corners
        )

    @property
    def d(self) -> str:
        """The line as SVG path data."""
        return path_data(self.edges)

    @property
    def notation(self) -> str:
        """The kind, or the path data of an outline without a kind, as a release stores it next to size and radius."""
        return self.kind or replace(self, radius=0.0).d

    @cached_property
    def area(self) -> float:
        """The area in mm²."""
        edges = self.edges
        return polygon.area([edge.a for edge in edges]) + sum(edge.area for edge in edges)

    def mapped(self, move: Affine) -> Outline:
        """Return the outline moved, turned, mirrored or scaled; each side keeps its name."""
        corners = tuple(move.apply(corner) for corner in self.corners)
        curve = tuple(edge.mapped(move) for edge in self.curve)
        names = self.names
        if move.a * move.d < move.b * move.c:
            corners = corners[::-1]
            curve = tuple(edge.reversed() for edge in curve[::-1])
            names = (*names[-2::-1], *names[-1:])
        return replace(
            self, corners=corners, curve=curve, names=names, radius=self.radius * move.scale
        )

    def moved(self, by: tuple[float, float]) -> Outline:
        """Return the outline moved by a vector."""
        return self.mapped(Affine(e=by[0], f=by[1]))

    def turned(self, degrees: float) -> Outline:
        """Return the outline turned clockwise about the centre of its box."""
        return self.mapped(Affine.moving(self.centre, self.centre, degrees))

    def mirrored(self) -> Outline:
        """Return the outline as seen from behind, in the same box: left becomes right."""
        return self.mapped(Affine(a=-1, e=2 * self.centre.x))

    def placed(self, centre: Point, turn: float) -> Outline:
        """Return the outline turned clockwise, with the centre of its unturned box at a point."""
        return self.turned(turn).moved(centre - self.centre)

    def rounded(self, radius: float) -> Outline:
        """Return the outline with its corners rounded."""
        return replace(self, radius=radius)

    def grown(self, by: float) -> Outline:
        """Return the outline moved outwards by some mm all round: the edge of a bleed."""
        return self if by < EPSILON else _grown(self, by)

    def shrunk(self, by: float) -> Outline | None:
        """Return the outline moved inwards by so many mm: the safe area.

        None if nothing is left.
        """
        corners = _moved(self.corners, -by)
        if len(corners) < 3 or polygon.area(corners) <= EPSILON:
            return None
        return replace(
            self,
            corners=corners,
            radius=max(0.0, self.radius - by),
            curve=(),
            names=self.kept_names(corners),
            kind="",
        )

    def kept_names(self, corners: tuple[Point, ...]) -> tuple[str, ...]:
        """Return the names of the sides, if the new corners are as many."""
        return self.names if len(corners) == len(self.corners) else ()

    def within(self, rect: Rect) -> Outline:
        """Return the part inside a rectangle."""
        return self if rect.holds(self.box) else Outline(polygon.clip_to_rect(self.flat, rect))

    def contains(self, place: Point) -> bool:
        """Return True if a point lies inside."""
        return self.depth(place) > 0 if self.radius else polygon.contains(self.corners, place)

    def depth(self, place: Point) -> float:
        """Return how far inside the line a point lies, in mm; negative outside."""
        return polygon.depth(self.core, place) + self.radius

    def holds(self, other: Outline) -> bool:
        """Return True if another outline lies wholly inside."""
        return all(self.depth(place) >= -EPSILON for place in other.flat)

    def overlaps(self, other: Outline) -> bool:
        """Return True if the two share an area, not merely a line."""
        if not self.box.overlaps(other.box):
            return False
        if self.is_convex and other.is_convex:
            return not _are_separate(self.flat, other.flat)
        mine = self.flat
        theirs = other.flat
        inside = (
            polygon.depth(item, place)
            for item, two in ((mine, theirs), (theirs, mine))
            for place in _sample_places(two)
        )
        return any(deep > EPSILON for deep in inside)

    def distance_to(self, other: Outline) -> float:
        """Return the distance of two outlines; 0 if they meet."""
        return max(0.0, polygon.distance(self.core, other.core) - self.radius - other.radius)

    def nesting_distance(self, other: Outline, down: float, gutter: float) -> float | None:
        """Return how far right another convex outline must lie if it is `down` mm lower and `gutter` mm away.

        Both have the top left of their boxes at the origin. Return None if they are apart at any distance.
        """
        one = self.core
        two = other.core
        sums = polygon.hull([a - b for a in one for b in two])
        return polygon.reach(sums, self.radius + other.radius + gutter, down)

    def inside_spans(self, start: Point, along: Point) -> list[tuple[float, float]]:
        """Return where a line runs inside, as (start, end) distances from a point in a direction."""
        return polygon.inside_spans(self.flat, start, along)

    def __str__(self) -> str:
        return f"{number(self.size.w)} × {number(self.size.h)} mm"


_moved = lru_cache(maxsize=512)(polygon.grow)


@lru_cache(maxsize=512)
def _grown(outline: Outline, by: float) -> Outline:
    """Return the grown outline; cached, as every slot of a sheet and every card asks for it."""
    radius = outline.radius + by if outline.radius else 0.0
    corners = polygon.grow(
        outline.flat if outline.radius and not outline.is_convex else outline.corners, by
    )
    return replace(
        outline,
        corners=corners,
        radius=radius,
        curve=(),
        names=outline.kept_names(corners),
        kind="",
    )


def _are_separate(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """Return True if two convex polygons share no area: a side of one of them then lies between them."""
    for flat in (one, other):
        for i, corner in enumerate(flat):
            out = polygon.outward(flat[i - 1], corner)
            a = [polygon.dot(place, out) for place in one]
            b = [polygon.dot(place, out) for place in other]
            if min(max(a) - min(b), max(b) - min(a)) <= EPSILON:
                return True
    return False


def _sample_places(flat: tuple[Point, ...]) -> list[Point]:
    """Return the corners of a polygon, and for each side its midpoint and a place just inside.

    Without the places inside, equal polygons would not overlap: all corners lie on the other's
    line.
    """
    sides = list(pairwise((*flat, flat[0])))
    middles = [(a + b).scaled(0.5) for a, b in sides]
    inside = [
        middle - polygon.outward(a, b).scaled(3 * EPSILON)
        for middle, (a, b) in zip(middles, sides, strict=True)
    ]
    return [*flat, *middles, *inside]
