"""A zigzag that a mirror does not betray.

One zigzag crosses a tile's edge to the left or to the right, and a tile lying face
down would answer wrongly. So at each port the line forks to both sides, and two
tiles close the forks to a diamond: the link's joint, and the same from all sides.
"""

from __future__ import annotations

from math import ceil

from generator.core.geometry import EPSILON
from generator.draw.links.body import Body, outline
from generator.draw.links.curve import polyline
from generator.draw.links.patterns.base import beat, disc
from generator.draw.links.primitives import Clipped, Filled, Primitive, Stroked
from generator.draw.links.way import Way
from generator.pack.game import LinkStyle

STEP = 0.45
"""From one turn of the line to the next, along the link; like all here, a share of the link's width."""

SWING = 0.27
WIDTH = 0.16
KNOT = 0.36
"""A knot's diameter."""


def zigzag(body: Body, style: LinkStyle) -> tuple[Primitive, ...]:
    """One line that swings from side to side, forked at the ports; where it ends inside the tile, a knot."""
    ways = [lane.way for lane in body.lanes]
    lines = (Stroked(path, WIDTH * style.across, style.ink) for way in ways for path in _paths(way, style))
    knots = (
        Filled(disc(way.at(way.length, 0), KNOT * style.across / 2), style.ink) for way in ways if way.after is None
    )
    return (Clipped(outline(body, 0), (*lines, *dict.fromkeys(knots))),)


def _paths(way: Way, style: LinkStyle) -> tuple[str, ...]:
    step = beat(way, style.beat(STEP), 0.5 if way.after is None else 0)
    return _line(way, step, SWING * style.across), *(_fork(way, port, step, SWING * style.across) for port in way.ports)


def _line(way: Way, step: float, swing: float) -> str:
    """Turn `k` stands `k` steps from the first port."""
    before, count = ceil(-way.start / step), ceil(way.stop / step - EPSILON)
    turns = [(k * step, _side(k) * swing) for k in range(-before, count + 1)]
    if way.after is None:
        turns[-1] = (way.length, 0.0)
    return polyline(way.at(ahead, right) for ahead, right in turns)


def _fork(way: Way, port: float, step: float, swing: float) -> str:
    """The other branch at a port, from the tile's inside to the bleed."""
    other = -_side(round(port / step)) * swing
    places = ((port - step / 2, 0.0), (port, other), (port + step / 2, 0.0))
    return polyline(way.at(ahead, right) for ahead, right in places)


def _side(turn: int) -> int:
    return -1 if turn % 2 else 1
