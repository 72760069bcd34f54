"""How a link ends inside its tile: one function a cap, in a table.

A cap is drawn in a frame of its own: x in mm ahead of the link's end, y in mm to
its right. It starts on the link's right rim and ends on its left, and each is its
own mirror image, so that a tile may lie either face up.
`grow` mm is how far outside the link's own edge it runs (casing, halo); the link is
`2 * half` mm wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from generator.core.geometry import Point
from generator.draw.links.line import Chain, Cubic, LinePoint, backwards, bend, line
from generator.pack.game import LinkStyle


@dataclass(frozen=True)
class Cap:
    """A way to end."""

    drawn: Callable[[float, float], Chain]

    def __call__(self, half: float, grow: float) -> Chain:
        """Its rim, round a link of half a width."""
        return self.drawn(half, grow)


def cap_of(style: LinkStyle) -> Cap:
    """The cap of a style, which is a row of this table; a round one where it has none."""
    match style.cap:
        case Cap():
            return style.cap
        case None:
            return ROUND_CAP
    raise TypeError(f"{style.cap!r} is no cap")


def rounded(half: float, grow: float) -> Chain:
    """Half a disc past the end."""
    r = half + grow
    return _mirrored(bend(LinePoint(Point(0, r), Point(1, 0)), LinePoint(Point(r, 0), Point(0, -1))))


def butt(half: float, grow: float) -> Chain:
    """Cut straight across at the end."""
    return (line(Point(grow, half + grow), Point(grow, -half - grow)),)


def flare(half: float, grow: float) -> Chain:
    """A mouth wider than the link, as at the end of a hose or a pipe."""
    start, brim = Point(-1.3 * half, half + grow), Point(grow, 1.4 * half + grow)
    middle = Point(-0.45 * half, 0)
    rise = Cubic(start, Point(middle.x, start.y), Point(middle.x, brim.y), brim)
    return _mirrored(rise, line(brim, Point(grow, 0)))


def point(half: float, grow: float) -> Chain:
    """Drawn out into a tip."""
    r, tip = half + grow, 1.35 * half + 1.6 * grow
    return _mirrored(Cubic(Point(0, r), Point(0.5 * tip, r), Point(0.8 * tip, 0.3 * r), Point(tip, 0)))


def jagged(half: float, grow: float) -> Chain:
    """Broken off."""
    r = half + grow
    ahead = (0.4, -0.25, 0.55)
    tips = [Point(1.5 * grow + x * half, y * r) for x, y in zip(ahead, (1, 0.5, 0), strict=True)]
    return _mirrored(line(tips[0], tips[1]), line(tips[1], tips[2]))


def _mirrored(*right: Cubic) -> Chain:
    """The right half of a cap, from the rim to the middle, and then its left half."""
    left = (replace(p, a=_flip(p.a), b=_flip(p.b), c=_flip(p.c), d=_flip(p.d)) for p in right)
    return right + backwards(tuple(left))


def _flip(p: Point) -> Point:
    return Point(p.x, -p.y)


ROUND_CAP = Cap(rounded)
CAPS: Mapping[str, Cap] = {
    "round": ROUND_CAP,
    "butt": Cap(butt),
    "flare": Cap(flare),
    "point": Cap(point),
    "jagged": Cap(jagged),
}
"""Caps by the name that a link's style gives."""
