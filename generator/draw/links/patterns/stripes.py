"""Bars across the link, from rim to rim; in a bend they widen outwards, as on a bent hose."""

from __future__ import annotations

from generator.draw.links.body import Body, Lane
from generator.draw.links.curve import open_path
from generator.draw.links.patterns.base import beat
from generator.draw.links.primitives import Clipped, Primitive, Stroked
from generator.pack.game import LinkStyle, Stroke

PERIOD = 0.62
BAR = 0.46
"""The share of the period that is ink; the edge lies in the middle of the ground between two bars."""


def stripes(body: Body, style: LinkStyle) -> tuple[Primitive, ...]:
    """Bars that reach the rim also where a junction widens; a cap past the last of them stays plain."""
    return tuple(Clipped(lane.area, (_bars(lane, style),)) for lane in body.lanes)


def _bars(lane: Lane, style: LinkStyle) -> Stroked:
    stop = lane.far if lane.meets else lane.way.stop
    return dashed(lane, stop, style.beat(PERIOD), BAR, Stroke(2 * lane.spread, style.ink))


def dashed(lane: Lane, stop: float, wanted: float, share: float, stroke: Stroke) -> Stroked:
    """A dashed line from the bleed's edge to a station, the middle of a gap at each port; `share` of it is dash."""
    period = beat(lane.way, wanted)
    dash = period * share
    offset = ((period + dash) / 2 + lane.way.start) % period
    path = open_path(lane.way.rim(0, lane.way.start, stop))
    return Stroked(path, stroke.width, stroke.colour, dash=(dash, period - dash), dash_offset=offset)
