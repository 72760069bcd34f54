"""Lines along the link: one down the middle, broken or whole, or two that follow its rims."""

from __future__ import annotations

from generator.draw.links.body import Body
from generator.draw.links.curve import open_path
from generator.draw.links.patterns.base import disc
from generator.draw.links.patterns.stripes import dashed
from generator.draw.links.primitives import Filled, Primitive, Stroked
from generator.pack.game import LinkStyle, Stroke

DASH_PERIOD = 1.05
DASH = 0.62
DASH_WIDTH = 0.18

RAIL = 0.15
RAIL_INSET = 0.24
"""How far a rail's middle lies inside the link's edge; like all here, a share of the link's width."""

CORE = 0.34


def dashes(body: Body, style: LinkStyle) -> tuple[Primitive, ...]:
    """A broken line down the middle; the edge lies in the middle of a gap."""
    stroke = Stroke(DASH_WIDTH * style.across, style.ink)
    return tuple(dashed(lane, lane.way.stop, style.beat(DASH_PERIOD), DASH, stroke) for lane in body.lanes)


def line(body: Body, style: LinkStyle) -> tuple[Primitive, ...]:
    """A broad line down the middle, through junctions, rounded where it ends inside the tile."""
    width = CORE * style.across
    lines = (Stroked(open_path(way.whole(0)), width, style.ink) for way in body.spine)
    ends = (Filled(disc(way.at(way.length, 0), width / 2), style.ink) for way in body.spine if way.after is None)
    return (*lines, *dict.fromkeys(ends))


def double(body: Body, style: LinkStyle) -> tuple[Primitive, ...]:
    """Two rails that keep their distance from the rims, round corners and caps too."""
    rims = body.chains(-RAIL_INSET * style.width)
    return tuple(Stroked(open_path(rim), RAIL * style.across, style.ink, join="round") for rim in rims)
