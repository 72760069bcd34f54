"""The room for a feature: the largest share of its size at which it touches no edge, link or other feature.

A feature counts as its convex outline. Two convex shapes are separate if some straight line lies between them; such a
line is looked for in a fixed set of directions and in that from one shape to the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from math import cos, hypot, inf, pi, sin

from generator.base.geometry import EPSILON, Point
from generator.base.polygon import distance_to_segment, dot
from generator.draw.links.outline import Body
from generator.draw.links.route import Plot

# 4.5 degrees between two directions: a share is too small by at most 0.1 % of the outline's size.
DIRECTIONS = tuple(Point(cos(2 * pi * i / 80), sin(2 * pi * i / 80)) for i in range(80))

DISC = tuple(direction.scaled(0.5) for direction in DIRECTIONS)
"""The outline of a disc of width 1."""

CHORDS_PER_LINE = 16
"""Number of straight lines that stand for a link's centre line.

On a tile they differ by less than 0.05 mm.
"""

MIN_DISTANCE_MM = 0.01
"""A link nearer to a feature's place runs under it and leaves it its room."""


@dataclass(frozen=True)
class FeatureShape:
    """A kind of feature: its convex outline at a width of 1 mm, its width in mm, and whether it turns with its link.

    With `crowd`, it may lie over links and features.
    """

    outline: tuple[Point, ...]
    size: float
    turns: bool = False
    crowd: bool = False


DEFAULT_EDGE_MM = 3.0
"""The distance of features from the cut, if the component names none."""


@dataclass(frozen=True)
class FeatureSettings:
    """The shapes of features by name, and how features stand on a tile.

    They stay `edge` mm away from the cut if they can. With `crowd`, all may lie over links and
    features.
    """

    shapes: Mapping[str, FeatureShape] = field(default_factory=dict)
    edge: float = DEFAULT_EDGE_MM
    crowd: bool = False


@dataclass(frozen=True)
class Footprint:
    """The convex outline of a feature at its full size, in mm around its place."""

    corners: tuple[Point, ...]

    @cached_property
    def radius(self) -> float:
        """The distance of the farthest corner."""
        return max(hypot(*corner) for corner in self.corners)

    @cached_property
    def extents(self) -> tuple[tuple[Point, float], ...]:
        """Each direction, and how far the outline extends in it."""
        return tuple((direction, self.extent(direction)) for direction in DIRECTIONS)

    def extent(self, direction: Point) -> float:
        """Return how far the outline extends in a direction, a unit vector."""
        return max(corner.x * direction.x + corner.y * direction.y for corner in self.corners)


@dataclass(frozen=True)
class FeatureAt:
    """A feature at its place on a link or in an area.

    `size` is the width in mm and `turn` in degrees clockwise. At a width of `room` mm, the outline
    touches no other feature, no other link and no edge; `room` is at most `size`. `is_fixed` is True
    if the notation decides the place.
    """

    name: str
    place: Point
    size: float
    turn: float
    shape: Footprint
    crowd: bool
    is_fixed: bool = False
    room: float = 0.0


@lru_cache(200)
def footprint(outline: tuple[Point, ...], size: float, turn: float) -> Footprint:
    """Return the footprint of an outline of width 1, at a size in mm, turned clockwise by degrees."""
    corners = [corner.scaled(size) for corner in outline]
    return Footprint(tuple(corner.turned(turn) for corner in corners) if turn else tuple(corners))


def share_inside(shape: Footprint, place: Point, plot: Plot, edge: float) -> float:
    """Return the share, up to 1, at which a footprint stays `edge` mm inside the tile."""
    shares = (
        _share(side.depth(place) - edge, shape.extent(side.inward.scaled(-1)))
        for side in plot.sides
    )
    return min((1.0, *shares))


def share_beside_link(shape: Footprint, place: Point, body: Body, casing: float) -> float:
    """Return the share, up to 1, at which a footprint touches no link.

    A link that runs under it does not count.
    """
    reach = body.half + casing
    chords = _chords(body)
    distance = min(distance_to_segment(place, a, b) for a, b in chords) - reach
    if distance < MIN_DISTANCE_MM or distance >= shape.radius:
        return 1.0
    return min((1.0, *(_share_beside_line(shape, a - place, b - place, reach) for a, b in chords)))


def share_beside(shape: Footprint, place: Point, other: Footprint, other_place: Point) -> float:
    """Return the share, up to 1, at which two footprints do not overlap."""
    to = other_place - place
    if to.length() >= shape.radius + other.radius:
        return 1.0
    if to.length() < EPSILON:
        return 0.0
    extents = zip(shape.extents, _opposite(other.extents), strict=True)
    shares = [_share(dot(to, along), mine + theirs) for (along, mine), (_, theirs) in extents]
    towards = to.unit()
    shares.append(_share(to.length(), shape.extent(towards) + other.extent(towards.scaled(-1))))
    return min(1.0, max(shares))


def share_in_region(shape: Footprint, place: Point, rim: Sequence[Point]) -> float:
    """Return the share, up to 1, at which a footprint stays within a closed line around its place."""
    lines = ((a - place, b - place) for a, b in pairwise((*rim, rim[0])))
    return min(
        (
            1.0,
            *(
                _share_beside_line(shape, a, b, 0.0)
                for a, b in lines
                if distance_to_segment(Point(0, 0), a, b) < shape.radius
            ),
        )
    )


def _share_beside_line(shape: Footprint, a: Point, b: Point, reach: float) -> float:
    """Return the share at which a footprint at the origin is `reach` mm from a straight line."""
    near = _nearest_to_origin(a, b)
    if near.length() < EPSILON:
        return 0.0
    towards = near.unit()
    best = _share(near.length() - reach, shape.extent(towards))
    for along, extent in shape.extents:
        ahead = min(a.x * along.x + a.y * along.y, b.x * along.x + b.y * along.y) - reach
        if ahead > 0:
            best = max(best, _share(ahead, extent))
    return best


def _nearest_to_origin(a: Point, b: Point) -> Point:
    along = b - a
    squared = dot(along, along)
    share = min(1.0, max(0.0, -dot(a, along) / squared)) if squared > EPSILON else 0.0
    return a + along.scaled(share)


def _share(free: float, extent: float) -> float:
    """Return the share of an extent that is free; 0 where the place itself is taken."""
    if free <= 0:
        return 0.0
    return free / extent if extent > EPSILON else inf


def _opposite(extents: Sequence[tuple[Point, float]]) -> Sequence[tuple[Point, float]]:
    half = len(extents) // 2
    return (*extents[half:], *extents[:half])


def _chords(body: Body) -> list[tuple[Point, Point]]:
    """Return straight lines along a body's centre lines."""
    steps = range(CHORDS_PER_LINE + 1)
    lines = ([way.at(way.length * i / CHORDS_PER_LINE, 0) for i in steps] for way in body.spine)
    return [chord for line in lines for chord in pairwise(line)]
