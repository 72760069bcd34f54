"""What is drawn upon a link's fill, in its style's `ink`, so that kinds differ without colour.

All of them are mirror-safe: at a tile's edge each is its own mirror image along the link and across it, so two tiles
continue it in any turn and either face up. `zigzag`, which by nature is not, forks at the edge for that reason
(`zigzag.py`). A new pattern is a function and a row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

from generator.core.geometry import EPSILON
from generator.draw.links.body import Body, Lane, outline
from generator.draw.links.line import LinkWay, open_path, polyline
from generator.draw.links.motifs import Pattern, beat, diamonds, disc, dots, scales
from generator.pack.game import LinkStyle
from generator.picture.items import Group, Item, Path, Shape, Stroke

DASH_PERIOD = 1.05
DASH = 0.62
DASH_WIDTH = 0.18

RAIL = 0.15
RAIL_INSET = 0.24
"""How far a rail's middle lies inside the link's edge; like all here, a share of the link's width."""

CORE = 0.34


def dashes(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a dashed line down the middle; the edge lies in the middle of a gap."""
    stroke = Stroke(DASH_WIDTH * style.across, style.ink)
    return tuple(dashed(lane, lane.way.stop, style.beat(DASH_PERIOD), DASH, stroke) for lane in body.lanes)


def line(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a broad line down the middle, through junctions, rounded where it ends inside the tile."""
    width = CORE * style.across
    stroke = Stroke(width, style.ink)
    lines = (Shape(Path(open_path(way.whole(0))), stroke=stroke) for way in body.spine)
    ends = (Shape(Path(disc(way.at(way.length, 0), width / 2)), style.ink) for way in body.spine if way.after is None)
    return (*lines, *dict.fromkeys(ends))


def double(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return two rails that keep their distance from the rims, also around corners and caps."""
    stroke = Stroke(RAIL * style.across, style.ink, join="round")
    return tuple(Shape(Path(open_path(rim)), stroke=stroke) for rim in body.chains(-RAIL_INSET * style.width))


PERIOD = 0.62
BAR = 0.46
"""The share of the period that is ink; the edge lies in the middle of the ground between two bars."""


def stripes(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return bars that reach the rim, also where a junction widens; a cap behind the last bar stays plain."""
    return tuple(Group((_bars(lane, style),), clip=lane.area) for lane in body.lanes)


def _bars(lane: Lane, style: LinkStyle) -> Shape:
    stop = lane.far if lane.meets else lane.way.stop
    return dashed(lane, stop, style.beat(PERIOD), BAR, Stroke(2 * lane.spread, style.ink))


def dashed(lane: Lane, stop: float, wanted: float, share: float, stroke: Stroke) -> Shape:
    """Return a dashed line from the bleed's edge to a station, with the middle of a gap at each port.

    `wanted` is the wanted period in mm; `share` is the part of the period that is dash.
    """
    period = beat(lane.way, wanted)
    dash = period * share
    offset = ((period + dash) / 2 + lane.way.start) % period
    path = open_path(lane.way.rim(0, lane.way.start, stop))
    return Shape(Path(path), stroke=replace(stroke, dash=(dash, period - dash), dash_offset=offset))


STEP = 0.45
"""From one turn of the line to the next, along the link; like all here, a share of the link's width."""

SWING = 0.27
WIDTH = 0.16
KNOT = 0.36
"""A knot's diameter."""


def zigzag(body: Body, style: LinkStyle) -> tuple[Item, ...]:
    """Return a line that swings from side to side, forked at the ports, with a knot where it ends inside the tile."""
    ways = [lane.way for lane in body.lanes]
    stroke = Stroke(WIDTH * style.across, style.ink)
    radius = KNOT * style.across / 2
    lines = (Shape(Path(path), stroke=stroke) for way in ways for path in _paths(way, style))
    knots = (Shape(Path(disc(way.at(way.length, 0), radius)), style.ink) for way in ways if way.after is None)
    return (Group((*lines, *dict.fromkeys(knots)), clip=outline(body, 0)),)


def _paths(way: LinkWay, style: LinkStyle) -> tuple[str, ...]:
    step = beat(way, style.beat(STEP), 0.5 if way.after is None else 0)
    return _line(way, step, SWING * style.across), *(_fork(way, port, step, SWING * style.across) for port in way.ports)


def _line(way: LinkWay, step: float, swing: float) -> str:
    """Turn `k` stands `k` steps from the first port."""
    before, count = ceil(-way.start / step), ceil(way.stop / step - EPSILON)
    turns = [(k * step, _side(k) * swing) for k in range(-before, count + 1)]
    if way.after is None:
        turns[-1] = (way.length, 0.0)
    return polyline(way.at(ahead, right) for ahead, right in turns)


def _fork(way: LinkWay, port: float, step: float, swing: float) -> str:
    """The other branch at a port, from the tile's inside to the bleed."""
    other = -_side(round(port / step)) * swing
    places = ((port - step / 2, 0.0), (port, other), (port + step / 2, 0.0))
    return polyline(way.at(ahead, right) for ahead, right in places)


def _side(turn: int) -> int:
    return -1 if turn % 2 else 1


def solid(_body: Body, _style: LinkStyle) -> tuple[Item, ...]:
    """Return no shapes."""
    return ()


PATTERNS: Mapping[str, Pattern] = {
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


def pattern_of(style: LinkStyle) -> Pattern:
    """The pattern of a style, which is a row of this table; a plain fill where it has none."""
    match style.pattern:
        case Pattern():
            return style.pattern
        case None:
            return PATTERNS["solid"]
    raise TypeError(f"{style.pattern!r} is no pattern")
