"""Patterns drawn in the `ink` of a link's style, so that kinds of links differ without colour.

At a tile's edge every pattern is its own mirror image along and across the link, so that
neighbouring tiles continue it in any turn and either face up. `zigzag` forks at the edge for this
reason. A new pattern is a function and a row of `PATTERNS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Generic, ParamSpec, TypeAlias

from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Point
from generator.base.units import number
from generator.draw.links.curves import Cubic, LinkWay, closed_path, open_path, polyline
from generator.draw.links.outline import Body, Lane, outline
from generator.pack.game import LinkStyle
from generator.picture.items import Group, Item, Path, Shape, Stroke

Arguments = ParamSpec("Arguments")
"""The arguments of the functions that draw patterns; those of areas differ from those of links."""


@dataclass(frozen=True)
class Pattern(Generic[Arguments]):
    """A pattern of links or areas: the function that draws it, and its description."""

    draw: Callable[Arguments, tuple[Item, ...]]
    description: str


LinkPattern: TypeAlias = Pattern[[Body, LinkStyle]]
"""A pattern drawn for the body of a link."""


MAX_MARKS = 100_000
"""Marks of a pattern on one leg of a link, or on a tile: dots over an A2 board have half as many.

So many scales, the most elaborate marks, take ten seconds.
"""


def check_mark_count(count: float) -> None:
    """Raise `InvalidValueError` for a pattern with too many marks."""
    if count > MAX_MARKS:
        raise InvalidValueError(
            f"a pattern of more than {MAX_MARKS:,} marks", "a larger `period:` or `motif:`"
        )


def fit_period(way: LinkWay, period: float, extra: float = 0.0) -> float:
    """Return the period in mm nearest to `period` of which a whole number, plus `extra`, fills the way."""
    check_mark_count(way.length / period)
    return way.length / (max(1, round(way.length / period - extra)) + extra)


def period_middles(lane: Lane, period: float) -> list[float]:
    """Return the stations of the middles of all periods of a lane and its bleed."""
    first = floor(lane.way.start / period)
    return [(k + 0.5) * period for k in range(first, ceil(lane.far / period))]


def clipped_shapes(area_of: str, d: str, colour: str) -> tuple[Item, ...]:
    """Return shapes in one colour, clipped to an area, because shapes that begin in the bleed would leave the area."""
    return (Group((Shape(Path(d), colour),), clip=area_of),) if d else ()


def disc(place: Point, radius: float) -> str:
    """Return path data of a full circle."""
    r = number(radius)
    across = number(2 * radius)
    return f"M{number(place.x - radius)} {number(place.y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"


Offset = tuple[float, float]
"""Millimetres along a way and to its right."""

# All periods, widths and diameters of patterns are shares of the link's width. They are chosen by
# eye, from pictures of a link 6.4 mm wide in which one value at a time was varied. Measured on it,
# ink takes 11 % (dashes) to 48 % (scales) of a link, so its fill stays the larger part and names its
# kind, too; the thinnest part, a rail, is 1.0 mm wide.

# With a period of 0.4 the discs merge to a chain, with 1.4 they look like single marks.
DOT_PERIOD = 0.8
DOT_DIAMETER = 0.5

# From a width of 1 on, the rim cuts the diamonds off, and they look like stripes.
DIAMOND_PERIOD = 1.05
DIAMOND_WIDTH = 0.74

# Scales that fill half of their cells look like dots; from 0.88 on, they cover the fill.
SCALE_PERIOD = 0.66
SCALE_FILL = 0.66
"""The share of its cell that a scale fills in either direction."""


def dots(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return discs down the middle.

    The edge lies halfway between two discs, and one stands where lanes meet.
    """
    places = (
        lane.way.at(s, 0) for lane, s, _ in _row_stations(body, style.pattern_period(DOT_PERIOD))
    )
    return clipped_shapes(
        outline(body, 0),
        "".join(disc(place, DOT_DIAMETER * style.across / 2) for place in places),
        style.ink,
    )


def diamonds(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a chain of solid diamonds that touch tip to tip, also at the edge.

    Where lanes meet, they form a star.
    """
    wide = DIAMOND_WIDTH * style.across / 2
    shapes = (
        polyline(lane.way.at(s + ahead, right) for ahead, right in _tips(period / 2, wide)) + "Z"
        for lane, s, period in _row_stations(body, style.pattern_period(DIAMOND_PERIOD))
    )
    return clipped_shapes(outline(body, 0), "".join(shapes), style.ink)


def scales(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a snake's skin: staggered rows of pointed scales, the outer ones cut by the rim."""
    return tuple(
        part
        for lane in body.lanes
        for part in clipped_shapes(lane.area, _skin_path(lane, style), style.ink)
    )


def _row_stations(body: Body, ideal_period: float) -> Iterator[tuple[Lane, float, float]]:
    """Yield the stations of a row of shapes, each with its lane and period, up to the ends of the lanes."""
    for lane in body.lanes:
        period = fit_period(lane.way, ideal_period, 0.5 if lane.meets else 0)
        yield from (
            (lane, s, period) for s in period_middles(lane, period) if s < lane.way.stop + EPSILON
        )


def _skin_path(lane: Lane, style: LinkStyle) -> str:
    period = fit_period(lane.way, style.pattern_period(SCALE_PERIOD))
    pitch = style.across / 4
    check_mark_count(2 * lane.spread / pitch * lane.way.length / period)
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
    offsets = [
        (a[0] * u + b[0] * v, a[1] * u + b[1] * v)
        for u, v in ((1, 0), (0.7, 0.5), (0.5, 0.7), (0, 1))
    ]
    p, q, r, s = (way.at(middle[0] + x, middle[1] + y) for x, y in offsets)
    return Cubic(p, q, r, s)


# With a share of 0.46 the dashes look like dots, with 0.83 like a line.
DASH_PERIOD = 1.05
DASH_SHARE = 0.62
"""The share of the period that is dash."""
DASH_WIDTH = 0.18

# With an inset of 0.12 the rails look like part of the casing, with 0.43 they become one line.
RAIL_WIDTH = 0.15
RAIL_INSET = 0.24
"""The distance of a rail's centre line from the link's edge."""

# Half as wide, the line could be taken for dashes; from 0.45 on, for the colour of the link.
CORE_WIDTH = 0.34


def dashes(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a dashed line down the middle; the edge lies in the middle of a gap."""
    stroke = Stroke(DASH_WIDTH * style.across, style.ink)
    return tuple(
        dashed_line(lane, lane.way.stop, style.pattern_period(DASH_PERIOD), DASH_SHARE, stroke)
        for lane in body.lanes
    )


def line(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a broad line down the middle, through junctions, rounded where it ends inside the tile."""
    width = CORE_WIDTH * style.across
    stroke = Stroke(width, style.ink)
    lines = (Shape(Path(open_path(way.whole(0))), stroke=stroke) for way in body.spine)
    ends = (
        Shape(Path(disc(way.at(way.length, 0), width / 2)), style.ink)
        for way in body.spine
        if way.after is None
    )
    return (*lines, *dict.fromkeys(ends))


def double(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return two rails that keep their distance from the rims, also around corners and caps."""
    stroke = Stroke(RAIL_WIDTH * style.across, style.ink, join="round")
    return tuple(
        Shape(Path(open_path(rim)), stroke=stroke) for rim in body.chains(-RAIL_INSET * style.width)
    )


# With half of this period, gaps are 1.1 mm wide and look grey from a distance.
STRIPE_PERIOD = 0.62
STRIPE_SHARE = 0.46
"""The share of the period that is ink; the tile's edge lies halfway between two bars."""


def stripes(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return bars that reach the rim, also where a junction widens.

    A cap behind the last bar stays plain.
    """
    return tuple(Group((_bars(lane, style),), clip=lane.area) for lane in body.lanes)


def _bars(lane: Lane, style: LinkStyle) -> Shape:
    stop = lane.far if lane.meets else lane.way.stop
    return dashed_line(
        lane,
        stop,
        style.pattern_period(STRIPE_PERIOD),
        STRIPE_SHARE,
        Stroke(2 * lane.spread, style.ink),
    )


def dashed_line(
    lane: Lane, stop: float, ideal_period: float, share: float, stroke: Stroke
) -> Shape:
    """Return a dashed line from the bleed's edge to a station, with the middle of a gap at each port.

    `ideal_period` is the wanted period in mm; `share` is the part of the period that is dash.
    """
    period = fit_period(lane.way, ideal_period)
    dash = period * share
    offset = ((period + dash) / 2 + lane.way.start) % period
    path = open_path(lane.way.rim(0, lane.way.start, stop))
    return Shape(Path(path), stroke=replace(stroke, dash=(dash, period - dash), dash_offset=offset))


# With half of this step the line closes to a row of teeth; from a swing of 0.36 on, its turns meet the rims.
ZIGZAG_STEP = 0.45
"""The distance of two turns of the line along the link."""
ZIGZAG_SWING = 0.27
ZIGZAG_WIDTH = 0.16
KNOT_DIAMETER = 0.36


def zigzag(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a line that swings from side to side, forked at the ports, with a knot where it ends inside the tile."""
    ways = [lane.way for lane in body.lanes]
    stroke = Stroke(ZIGZAG_WIDTH * style.across, style.ink)
    radius = KNOT_DIAMETER * style.across / 2
    lines = (Shape(Path(path), stroke=stroke) for way in ways for path in _zigzag_paths(way, style))
    knots = (
        Shape(Path(disc(way.at(way.length, 0), radius)), style.ink)
        for way in ways
        if way.after is None
    )
    return (Group((*lines, *dict.fromkeys(knots)), clip=outline(body, 0)),)


def _zigzag_paths(way: LinkWay, style: LinkStyle) -> tuple[str, ...]:
    step = fit_period(way, style.pattern_period(ZIGZAG_STEP), 0.5 if way.after is None else 0)
    return _zigzag_path(way, step, ZIGZAG_SWING * style.across), *(
        _fork_path(way, port, step, ZIGZAG_SWING * style.across) for port in way.ports
    )


def _zigzag_path(way: LinkWay, step: float, swing: float) -> str:
    """Return path data of the zigzag; turn `k` stands `k` steps from the first port."""
    before = ceil(-way.start / step)
    count = ceil(way.stop / step - EPSILON)
    turns = [(k * step, _turn_side(k) * swing) for k in range(-before, count + 1)]
    if way.after is None:
        turns[-1] = (way.length, 0.0)
    return polyline(way.at(ahead, right) for ahead, right in turns)


def _fork_path(way: LinkWay, port: float, step: float, swing: float) -> str:
    """Return path data of the second branch at a port, from inside the tile to the bleed."""
    other = -_turn_side(round(port / step)) * swing
    places = ((port - step / 2, 0.0), (port, other), (port + step / 2, 0.0))
    return polyline(way.at(ahead, right) for ahead, right in places)


def _turn_side(turn: int) -> int:
    return -1 if turn % 2 else 1


def solid(_body: Body, _style: LinkStyle) -> tuple[Item, ...]:
    """Return no shapes."""
    return ()


PATTERNS: Mapping[str, LinkPattern] = {
    "solid": Pattern(solid, "the plain fill"),
    "stripes": Pattern(stripes, "bars across the link"),
    "dots": Pattern(dots, "a row of dots"),
    "dashes": Pattern(dashes, "a thin broken line down the middle"),
    "line": Pattern(line, "a broad line down the middle"),
    "double": Pattern(double, "two rails along the rims"),
    "zigzag": Pattern(zigzag, "a line that swings from side to side, with a diamond at each edge"),
    "diamonds": Pattern(diamonds, "a chain of solid diamonds"),
    "scales": Pattern(scales, "a snake's skin of staggered scales"),
}
"""Patterns by the name that a link's style gives; each is drawn for a body and a style."""


def pattern_of(style: LinkStyle) -> LinkPattern:
    """Return the pattern of a style; the plain fill if the style names none."""
    pattern: LinkPattern = style.pattern or PATTERNS["solid"]
    return pattern
