"""What all patterns share: the phase in which they reach a tile's edge, and the shapes that they are made of.

A pattern's period is a share of its link's width. A whole number of periods is fitted into the line's length, so that
at each port it stands in the same phase, and that phase is its own mirror image in both directions: along the
line (the next tile comes from the other side) and across it (the next tile may lie face down).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor

from generator.core.geometry import Point
from generator.core.units import number
from generator.draw.links.body import Body, Lane
from generator.draw.links.primitives import Clipped, Filled, Primitive
from generator.draw.links.way import Way
from generator.pack.game import LinkStyle

Draw = Callable[[Body, LinkStyle], tuple[Primitive, ...]]


@dataclass(frozen=True)
class Pattern:
    """How a pattern is drawn, what it looks like, and whether it continues on a tile that lies face down."""

    draw: Draw
    looks: str
    mirror_safe: bool


def beat(way: Way, wanted: float, rest: float = 0.0) -> float:
    """The period nearest to a wanted one of which a whole number, and `rest` of one more, fill the way; all in mm."""
    return way.length / (max(1, round(way.length / wanted - rest)) + rest)


def middles(lane: Lane, period: float) -> list[float]:
    """The stations of every period's middle, all over the lane and its bleed."""
    first = floor(lane.way.start / period)
    return [(k + 0.5) * period for k in range(first, ceil(lane.far / period))]


def inked(area_of: str, d: str, colour: str) -> tuple[Primitive, ...]:
    """Shapes in one colour, shown only inside an area: those that begin in the bleed would leave it."""
    return (Clipped(area_of, (Filled(d, colour),)),) if d else ()


def polygon(places: Iterable[Point]) -> str:
    """Path data of a polygon."""
    return "M" + "L".join(f"{number(p.x)} {number(p.y)}" for p in places) + "Z"


def disc(place: Point, radius: float) -> str:
    """Path data of a full circle."""
    r, across = number(radius), number(2 * radius)
    return f"M{number(place.x - radius)} {number(place.y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"
