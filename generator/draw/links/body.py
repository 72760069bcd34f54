"""The area that a link covers: one closed outline, at any distance outside or inside its edge.

Casing, fill, the clear halo and rails that follow the rim all come from the same
outline, grown by different amounts, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, dist, pi, tan
from typing import Protocol

from generator.core.geometry import EPSILON, Point
from generator.draw.links.caps import ROUND_CAP, Cap
from generator.draw.links.line import Chain, LinePoint, LinkWay, bend, closed_path, line
from generator.pack.game import LinkStyle
from generator.pack.tile import Link

FILLET = 1.1
"""A junction's corners are rounded by this many half widths."""

ROUND_CAPING = 0.22
"""Where two legs meet with nothing behind them, the outer side bends from this share of their length on."""

CAP_REACH = 1.5
"""No cap reaches further from a link's end, ahead or sideways, in half widths."""

OVERLAP = 0.08
"""A junction's sectors overlap by about this many mm, so that no hairline of the fill shows between them."""

NARROW = 0.05
"""Two legs of one junction are taken to lie at least so far apart, in radians."""

SAMPLES = 24


@dataclass(frozen=True)
class Lane:
    """A part of a link that a pattern covers: `area` (path data) along a way, at most `spread` mm from it.

    `meets` says whether its end inside the tile joins other lanes.
    """

    way: LinkWay
    area: str
    spread: float
    meets: bool

    @property
    def far(self) -> float:
        """The station past which the area certainly ends, in mm."""
        return self.way.stop if self.way.after is not None else self.way.length + self.spread


class Body(Protocol):
    """What every drawn link can say of itself; lengths in mm."""

    @property
    def half(self) -> float:
        """Half the link's width, without casing."""

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The areas that a pattern covers, each along a line from a port; together they are the whole body."""

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """The lines along its middle, wherever it goes."""

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """Its rims, so far outside its edge (negative: inside), in the order that closes to its outline."""


@dataclass(frozen=True)
class Through:
    """A link from port to port."""

    way: LinkWay
    half: float

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """All of it."""
        return (Lane(self.way, outline(self, 0), self.half, meets=False),)

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """The one line."""
        return (self.way,)

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """Out along the left rim, back along the right."""
        off = self.half + grow
        return self.way.whole(-off), self.way.rim(off, self.way.stop, self.way.start)


@dataclass(frozen=True)
class Stub:
    """A link from a port in to an end inside the tile; where it starts inside too, it is capped there as well."""

    way: LinkWay
    half: float
    cap: Cap

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """All of it, cap and all."""
        return (Lane(self.way, outline(self, 0), CAP_REACH * self.half, meets=False),)

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """The one line."""
        return (self.way,)

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """In along the right rim, round the cap, out along the left."""
        end = self.way.frame(self.way.length)
        cap = self.cap(self.half, grow)
        off, reach = self.half + grow, self.way.length + cap[0].a.x
        into = self.way.rim(off, self.way.start, reach)
        out = self.way.rim(-off, reach, self.way.start)
        around = into + tuple(piece.placed(end) for piece in cap) + out
        if self.way.before is not None:
            return (around,)
        first = self.way.frame(0)
        tail = LinePoint(first.place, first.along.scaled(-1))
        return (around + tuple(piece.placed(tail) for piece in ROUND_CAP(self.half, grow)),)


@dataclass(frozen=True)
class Corner:
    """The rim between two legs of a junction that follow each other clockwise.

    It is straight along each leg down to `station` mm from the centre and an arc between.
    """

    first: LinkWay
    second: LinkWay
    station: float

    def halves(self, off: float) -> tuple[Chain, Chain]:
        """The rim so far beside the legs' middle: from the first leg's bleed to halfway round, and from there on."""
        a, b = self.first, self.second
        into = a.rim(-off, a.start, a.length - self.station)
        out = b.rim(off, b.length - self.station, b.start)
        start, end = a.frame(a.length - self.station), b.frame(b.length - self.station)
        early, late = bend(start.moved(0, -off), LinePoint(end.at(0, off), end.along.scaled(-1))).halves()
        return (*into, early), (late, *out)


@dataclass(frozen=True)
class Junction:
    """A link of three ports or more: legs, clockwise, that meet in one place, and the corner after each."""

    legs: tuple[LinkWay, ...]
    corners: tuple[Corner, ...]
    half: float

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Each leg's sector, up to the lines from the centre to halfway round its corners."""
        around = zip(self.legs, self.corners[-1:] + self.corners[:-1], self.corners, strict=True)
        return tuple(self._sector(leg, before, after) for leg, before, after in around)

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """The legs."""
        return self.legs

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """The rim between each two neighbours."""
        return tuple(early + late for early, late in (corner.halves(self.half + grow) for corner in self.corners))

    def _sector(self, leg: LinkWay, before: Corner, after: Corner) -> Lane:
        centre = leg.at(leg.length, 0)
        near, far = before.halves(self.half)[1], after.halves(self.half)[0]
        spread = max((near[0].a - centre).length(), (far[-1].d - centre).length())
        over = line(far[-1].d + far[-1].along(1).scaled(OVERLAP), centre + leg.frame(leg.length).along.scaled(OVERLAP))
        under = line(over.d, near[0].a - near[0].along(0).scaled(OVERLAP))
        return Lane(leg, closed_path([near, far, (over, under)]), spread, meets=True)


def junction(legs: Sequence[LinkWay], half: float, fillet: float | None = None) -> Junction:
    """The joined shape of legs that all end in the same place; the first stays the first."""
    rounding = FILLET if fillet is None else fillet
    clockwise = sorted(legs, key=lambda leg: _gap(legs[0], leg))
    pairs = list(zip(clockwise, clockwise[1:] + clockwise[:1], strict=True))
    return Junction(tuple(clockwise), tuple(_corner(a, b, half, rounding) for a, b in pairs), half)


def outline(body: Body, grow: float) -> str:
    """Path data of the body's whole area, grown by so many mm."""
    return closed_path(body.chains(grow))


def samples(body: Body) -> list[Point]:
    """Places along the body's middle, a few mm apart at most, for measuring how near others come."""
    return [way.at(way.length * i / SAMPLES, 0) for way in body.spine for i in range(SAMPLES + 1)]


def _corner(first: LinkWay, second: LinkWay, half: float, fillet: float) -> Corner:
    gap = _gap(first, second)
    limit = min(first.length, second.length)
    if gap > pi + EPSILON:
        return Corner(first, second, ROUND_CAPING * limit)
    return Corner(first, second, min((1 + fillet) * half / tan(max(gap, NARROW) / 2), 0.95 * limit))


def _gap(first: LinkWay, second: LinkWay) -> float:
    """The angle, clockwise, from one leg to the next, in radians."""
    return (_bearing(second) - _bearing(first)) % (2 * pi)


def _bearing(leg: LinkWay) -> float:
    inward = leg.frame(leg.length).along
    return atan2(-inward.y, -inward.x)


HALO = 0.09
"""The clear gap beside a link that crosses over another, as a share of its width; from `HALO_MIN` to `HALO_MAX` mm."""

HALO_MIN, HALO_MAX = 0.5, 1.1


@dataclass(frozen=True)
class StyledLink:
    """A link with its body and its style."""

    link: Link
    body: Body
    style: LinkStyle

    @property
    def casing(self) -> float:
        """The casing's width on either side, in mm."""
        return self.style.casing.width if self.style.casing else 0.0

    @cached_property
    def places(self) -> tuple[Point, ...]:
        """Places along the body's middle, near enough to each other to measure distances from."""
        return tuple(samples(self.body))

    @property
    def halo(self) -> float:
        """How far the clear gap reaches outside the link's edge, in mm, casing and all."""
        return self.casing + min(max(HALO * self.style.width, HALO_MIN), HALO_MAX)

    def distance(self, place: Point) -> float:
        """From a place to the rim of the casing, in mm; negative on the link."""
        return min(dist(place, other) for other in self.places) - self.body.half - self.casing
