"""The ends of links inside a tile: one function per cap, listed in the table `CAPS`.

A cap has its own frame: x in mm ahead of the link's end, y in mm to the right. It runs from the
link's right rim to the left and is its own mirror image, so that a tile may lie either face up.
`grow` is the distance in mm outside the link's edge (casing, halo); the link is `2 * half` mm wide.

The shares of `half` in a cap are chosen by eye, from pictures of a link 7 mm wide with a casing of
0.6 mm in which one share at a time was varied. Shares of `grow` are measured on the casing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from generator.base.geometry import Point
from generator.draw.links.curves import Chain, Cubic, LinePoint, bend, line, reverse_chain
from generator.pack.game import LinkStyle

Cap = Callable[[float, float], Chain]
"""Returns the rim of a link's end for `half` and `grow`."""


def cap_of(style: LinkStyle) -> Cap:
    """Return the cap of a style; the round cap if the style names none."""
    cap: Cap = style.cap or round_cap
    return cap


def round_cap(half: float, grow: float) -> Chain:
    """Return half a disc beyond the end."""
    r = half + grow
    return _mirror_half(
        bend(LinePoint(Point(0, r), Point(1, 0)), LinePoint(Point(r, 0), Point(0, -1)))
    )


def butt_cap(half: float, grow: float) -> Chain:
    """Return a straight cut at the end."""
    return (line(Point(grow, half + grow), Point(grow, -half - grow)),)


def flared_cap(half: float, grow: float) -> Chain:
    """Return a mouth wider than the link, as at the end of a hose or a pipe."""
    # A brim of 1.2 hardly shows, one of 1.7 is a trumpet. A rise from -0.6 makes a knob, one from
    # -2.2 a wedge. A bend at -0.1 ends in a thin lip, one at -1 in a bell.
    start = Point(-1.3 * half, half + grow)
    brim = Point(grow, 1.4 * half + grow)
    middle = Point(-0.45 * half, 0)
    rise = Cubic(start, Point(middle.x, start.y), Point(middle.x, brim.y), brim)
    return _mirror_half(rise, line(brim, Point(grow, 0)))


def pointed_cap(half: float, grow: float) -> Chain:
    """Return a pointed tip."""
    r = half + grow
    # At 1 the tip looks like a round cap, at 2 like a needle. Below 1.35 shares of `grow` the casing
    # gets thinner towards the tip; at 1.6 it is 15 % wider on average, and its own tip is sharp.
    tip = 1.35 * half + 1.6 * grow
    # With handles of 0.2 the sides are straight; with 0.3 * r at 0 or 0.6 the tip is a thorn or blunt.
    return _mirror_half(
        Cubic(Point(0, r), Point(0.5 * tip, r), Point(0.8 * tip, 0.3 * r), Point(tip, 0))
    )


def jagged_cap(half: float, grow: float) -> Chain:
    """Return a broken end."""
    r = half + grow
    # In half widths ahead of the end: at the rim, halfway to the middle, and in the middle.
    # Notches at 0.1 look like a slanted cut; at -0.6 the teeth at the rim have no casing.
    ahead = (0.4, -0.25, 0.55)
    # With 1 share of `grow` the casing vanishes beside the teeth at the rim (2 % of its width); with
    # 1.5 it keeps 30 % there and 85 % on average.
    tips = [Point(1.5 * grow + x * half, y * r) for x, y in zip(ahead, (1, 0.5, 0), strict=True)]
    return _mirror_half(line(tips[0], tips[1]), line(tips[1], tips[2]))


def _mirror_half(*right: Cubic) -> Chain:
    """Return a cap from its right half: the half itself, then its mirror image."""
    left = (replace(p, a=_flip(p.a), b=_flip(p.b), c=_flip(p.c), d=_flip(p.d)) for p in right)
    return right + reverse_chain(tuple(left))


def _flip(p: Point) -> Point:
    return Point(p.x, -p.y)


CAPS: Mapping[str, Cap] = {
    "round": round_cap,
    "butt": butt_cap,
    "flare": flared_cap,
    "point": pointed_cap,
    "jagged": jagged_cap,
}
"""Caps by the name that a link's style gives."""
