"""Patterns of separate shapes (dots, diamonds, scales), and the parts that all patterns share.

A pattern's period is a share of its link's width. A whole number of periods is fitted into the line's length, so that
the pattern has the same phase at each port. This phase is its own mirror image along the line (the next tile comes
from the other side) and across it (the next tile may lie face down).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor

from generator.core.geometry import EPSILON, Point
from generator.core.units import number
from generator.draw.links.body import Body, Lane, outline
from generator.draw.links.line import Cubic, LinkWay, closed_path
from generator.pack.game import LinkStyle
from generator.pack.tile import DEFAULT_STAND, Stand
from generator.picture.items import Group, Item, Path, Shape


@dataclass(frozen=True)
class FeatureAt:
    """The place of a feature on its link.

    `towards` is a unit vector along the link to its first port. A feature within `room` mm of `place` touches no other
    feature, no other link and no edge.
    """

    name: str
    place: Point
    towards: Point
    kind: str
    room: float
    stand: Stand = DEFAULT_STAND


@dataclass(frozen=True)
class LinkDrawing:
    """The areas and links of a tile's side as items, lowest first, and the features, in the links' order."""

    items: tuple[Item, ...]
    features: tuple[FeatureAt, ...]


Draw = Callable[[Body, LinkStyle], tuple[Item, ...]]


@dataclass(frozen=True)
class Pattern:
    """A pattern of links: the function that draws it, and its description.

    Every pattern continues on a neighbouring tile that lies face down.
    """

    draw: Draw
    looks: str


def fit_period(way: LinkWay, wanted: float, rest: float = 0.0) -> float:
    """Return the period in mm nearest to `wanted` of which a whole number, plus `rest`, fills the way."""
    return way.length / (max(1, round(way.length / wanted - rest)) + rest)


def period_middles(lane: Lane, period: float) -> list[float]:
    """Return the stations of the middles of all periods of a lane and its bleed."""
    first = floor(lane.way.start / period)
    return [(k + 0.5) * period for k in range(first, ceil(lane.far / period))]


def clipped_shapes(area_of: str, d: str, colour: str) -> tuple[Item, ...]:
    """Return shapes in one colour, clipped to an area, because shapes that begin in the bleed would leave the area."""
    return (Group((Shape(Path(d), colour),), clip=area_of),) if d else ()


def polygon(places: Iterable[Point]) -> str:
    """Return path data of a polygon."""
    return "M" + "L".join(f"{number(p.x)} {number(p.y)}" for p in places) + "Z"


def disc(place: Point, radius: float) -> str:
    """Return path data of a full circle."""
    r = number(radius)
    across = number(2 * radius)
    return f"M{number(place.x - radius)} {number(place.y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"


Offset = tuple[float, float]
"""Millimetres along a way and to its right."""

# Periods and sizes are shares of the link's width.
DOT_PERIOD = 0.8
DOT_DIAMETER = 0.5

DIAMOND_PERIOD = 1.05
DIAMOND_WIDTH = 0.74

SCALE_PERIOD = 0.66
SCALE_FILL = 0.66
"""The share of its cell that a scale fills in either direction."""


def dots(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return discs down the middle; the edge lies halfway between two discs, and one stands where lanes meet."""
    places = (lane.way.at(s, 0) for lane, s, _ in _row_stations(body, style.pattern_period(DOT_PERIOD)))
    return clipped_shapes(
        outline(body, 0), "".join(disc(place, DOT_DIAMETER * style.across / 2) for place in places), style.ink
    )


def diamonds(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a chain of solid diamonds that touch tip to tip, also at the edge; where lanes meet, they form a star."""
    wide = DIAMOND_WIDTH * style.across / 2
    shapes = (
        polygon(lane.way.at(s + ahead, right) for ahead, right in _tips(period / 2, wide))
        for lane, s, period in _row_stations(body, style.pattern_period(DIAMOND_PERIOD))
    )
    return clipped_shapes(outline(body, 0), "".join(shapes), style.ink)


def scales(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a snake's skin: staggered rows of pointed scales, the outer ones cut by the rim."""
    return tuple(part for lane in body.lanes for part in clipped_shapes(lane.area, _skin_path(lane, style), style.ink))


def _row_stations(body: Body, wanted: float) -> Iterator[tuple[Lane, float, float]]:
    """Yield the stations of a row of shapes, each with its lane and period, up to the ends of the lanes."""
    for lane in body.lanes:
        period = fit_period(lane.way, wanted, 0.5 if lane.meets else 0)
        yield from ((lane, s, period) for s in period_middles(lane, period) if s < lane.way.stop + EPSILON)


def _skin_path(lane: Lane, style: LinkStyle) -> str:
    period = fit_period(lane.way, style.pattern_period(SCALE_PERIOD))
    pitch = style.across / 4
    rows = ceil(lane.spread / pitch)
    tips = _tips(period / 2 * SCALE_FILL, pitch * SCALE_FILL)
    places = (
        (station + (row % 2) * period / 2, row * pitch)
        for row in range(-rows, rows + 1)
        for station in period_middles(lane, period)
    )
    return "".join(_scale_path(lane.way, place, tips) for place in places)


def _tips(long: float, wide: float) -> tuple[Offset, ...]:
    return ((-long, 0.0), (0.0, wide), (long, 0.0), (0.0, -wide))


def _scale_path(way: LinkWay, middle: Offset, tips: tuple[Offset, ...]) -> str:
    """Return path data of a scale: four bowed sides between four tips."""
    sides = zip(tips, tips[1:] + tips[:1], strict=True)
    return closed_path([tuple(_bowed_side(way, middle, a, b) for a, b in sides)])


def _bowed_side(way: LinkWay, middle: Offset, a: Offset, b: Offset) -> Cubic:
    offsets = [(a[0] * u + b[0] * v, a[1] * u + b[1] * v) for u, v in ((1, 0), (0.7, 0.5), (0.5, 0.7), (0, 1))]
    p, q, r, s = (way.at(middle[0] + x, middle[1] + y) for x, y in offsets)
    return Cubic(p, q, r, s)
