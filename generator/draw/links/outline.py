"""The area that a link covers: one closed outline that can be grown or shrunk.

Casing, fill, clear halo and rails along the rim are the same outline, grown by different amounts,
so they always fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, dist, pi, tan
from typing import Protocol

from generator.base.geometry import EPSILON, Point
from generator.draw.links.caps import Cap, round_cap
from generator.draw.links.curves import Chain, LinePoint, LinkWay, bend, closed_path, line
from generator.pack.game import LinkStyle
from generator.pack.tile import Link

OUTER_BEND_SHARE = 0.22
"""The distance from the centre at which the rim bends between legs more than half a turn apart.

It is a share of the shorter leg's length.
"""

MAX_CAP_HALF_WIDTHS = 1.5
"""The largest extent of a cap beyond a link's end, ahead or sideways."""

SECTOR_OVERLAP_MM = 0.08
"""The overlap of a junction's sectors, so that no hairline of the fill is visible between them."""

MIN_LEG_ANGLE = 0.05
"""Radians; the smallest angle between two legs in the computation of their corner."""

SAMPLES_PER_LINE = 24
"""Number of points along a centre line for measuring distances."""


@dataclass(frozen=True)
class Lane:
    """A part of a link for a pattern: an `area` (path data) along a way, at most `spread` mm from the way.

    `meets` is True if the end inside the tile joins other lanes.
    """

    way: LinkWay
    area: str
    spread: float
    meets: bool

    @property
    def far(self) -> float:
        """Return a station in mm beyond which the area certainly ends."""
        return self.way.stop if self.way.after is not None else self.way.length + self.spread


class Body(Protocol):
    """The shape of a link; lengths in mm."""

    @property
    def half(self) -> float:
        """Half the link's width, without the casing."""

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The areas for a pattern, each along a line from a port.

        Together they are the whole body.
        """

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """The centre lines of the link."""

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """Return the rims, grown by `grow` mm (negative: shrunk), in the order of the closed outline."""


@dataclass(frozen=True)
class Through:
    """A link from port to port."""

    way: LinkWay
    half: float

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Return the whole link as one lane."""
        return (Lane(self.way, outline(self, 0), self.half, meets=False),)

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """Return the centre line."""
        return (self.way,)

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """Return the left rim outwards, then the right rim back."""
        off = self.half + grow
        return self.way.whole(-off), self.way.rim(off, self.way.stop, self.way.start)


@dataclass(frozen=True)
class Stub:
    """A link from a port to an end inside the tile.

    If it starts inside too, it has a cap at both ends.
    """

    way: LinkWay
    half: float
    cap: Cap

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Return the whole link, cap included, as one lane."""
        return (Lane(self.way, outline(self, 0), MAX_CAP_HALF_WIDTHS * self.half, meets=False),)

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """Return the centre line."""
        return (self.way,)

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """Return the right rim inwards, around the cap, and the left rim outwards."""
        end = self.way.frame(self.way.length)
        cap = self.cap(self.half, grow)
        off = self.half + grow
        reach = self.way.length + cap[0].a.x
        into = self.way.rim(off, self.way.start, reach)
        out = self.way.rim(-off, reach, self.way.start)
        around = into + tuple(piece.placed(end) for piece in cap) + out
        if self.way.before is not None:
            return (around,)
        first = self.way.frame(0)
        tail = LinePoint(first.place, first.along.scaled(-1))
        return (around + tuple(piece.placed(tail) for piece in round_cap(self.half, grow)),)


@dataclass(frozen=True)
class Corner:
    """The rim between two neighbouring legs of a junction, clockwise.

    It is straight along each leg up to `station` mm from the centre, with an arc between.
    """

    first: LinkWay
    second: LinkWay
    station: float

    def halves(self, off: float) -> tuple[Chain, Chain]:
        """Return the rim `off` mm beside the legs, as two parts that meet in the middle of the arc."""
        a = self.first
        b = self.second
        into = a.rim(-off, a.start, a.length - self.station)
        out = b.rim(off, b.length - self.station, b.start)
        start = a.frame(a.length - self.station)
        end = b.frame(b.length - self.station)
        early, late = bend(
            start.moved(0, -off), LinePoint(end.at(0, off), end.along.scaled(-1))
        ).halves()
        return (*into, early), (late, *out)


@dataclass(frozen=True)
class Junction:
    """A link of three or more ports: legs in clockwise order that meet at one place, and the corner after each."""

    legs: tuple[LinkWay, ...]
    corners: tuple[Corner, ...]
    half: float

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Return the sector of each leg, bounded by lines from the centre to the middle of its corners."""
        around = zip(self.legs, self.corners[-1:] + self.corners[:-1], self.corners, strict=True)
        return tuple(self._sector(leg, before, after) for leg, before, after in around)

    @property
    def spine(self) -> tuple[LinkWay, ...]:
        """Return the legs."""
        return self.legs

    def chains(self, grow: float) -> tuple[Chain, ...]:
        """Return the rim between each two neighbouring legs."""
        return tuple(
            early + late
            for early, late in (corner.halves(self.half + grow) for corner in self.corners)
        )

    def _sector(self, leg: LinkWay, before: Corner, after: Corner) -> Lane:
        centre = leg.at(leg.length, 0)
        near = before.halves(self.half)[1]
        far = after.halves(self.half)[0]
        spread = max((near[0].a - centre).length(), (far[-1].d - centre).length())
        to_centre = line(
            far[-1].d + far[-1].along(1).scaled(SECTOR_OVERLAP_MM),
            centre + leg.frame(leg.length).along.scaled(SECTOR_OVERLAP_MM),
        )
        from_centre = line(to_centre.d, near[0].a - near[0].along(0).scaled(SECTOR_OVERLAP_MM))
        return Lane(leg, closed_path([near, far, (to_centre, from_centre)]), spread, meets=True)


def junction(legs: Sequence[LinkWay], half: float, fillet: float) -> Junction:
    """Return the joined shape of legs that end at the same place; the first leg stays the first.

    `fillet` is the radius of the corners in half widths.
    """
    clockwise = sorted(legs, key=lambda leg: _angle_between(legs[0], leg))
    pairs = list(zip(clockwise, clockwise[1:] + clockwise[:1], strict=True))
    return Junction(tuple(clockwise), tuple(_corner(a, b, half, fillet) for a, b in pairs), half)


def outline(body: Body, grow: float) -> str:
    """Return path data of the body's area, grown by `grow` mm."""
    return closed_path(body.chains(grow))


def samples(body: Body) -> list[Point]:
    """Return points along the body's centre lines, at most a few mm apart, for measuring distances."""
    return [
        way.at(way.length * i / SAMPLES_PER_LINE, 0)
        for way in body.spine
        for i in range(SAMPLES_PER_LINE + 1)
    ]


def _corner(first: LinkWay, second: LinkWay, half: float, fillet: float) -> Corner:
    angle = _angle_between(first, second)
    limit = min(first.length, second.length)
    if angle > pi + EPSILON:
        return Corner(first, second, OUTER_BEND_SHARE * limit)
    # At its port, the rim runs along the leg for a twentieth of the shorter leg at least, so that it
    # fits the link of the next tile.
    station = min((1 + fillet) * half / tan(max(angle, MIN_LEG_ANGLE) / 2), 0.95 * limit)
    return Corner(first, second, station)


def _angle_between(first: LinkWay, second: LinkWay) -> float:
    """Return the angle in radians, clockwise, from one leg to the next."""
    return (_bearing(second) - _bearing(first)) % (2 * pi)


def _bearing(leg: LinkWay) -> float:
    inward = leg.frame(leg.length).along
    return atan2(-inward.y, -inward.x)


HALO_SHARE = 0.09
"""The clear gap beside a link that crosses over another, as a share of the link's width."""

# Bounds of the gap. They change it for links narrower than 5.6 mm and wider than 12.2 mm; of the
# bundled games, only for city blocks of 30 mm.
MIN_HALO_MM = 0.5
MAX_HALO_MM = 1.1


@dataclass(frozen=True)
class StyledLink:
    """A link with its body and its style."""

    link: Link
    body: Body
    style: LinkStyle

    @property
    def casing(self) -> float:
        """Return the casing's width on either side in mm."""
        return self.style.casing.width if self.style.casing else 0.0

    @cached_property
    def places(self) -> tuple[Point, ...]:
        """Return points along the body's centre lines, for measuring distances."""
        return tuple(samples(self.body))

    @property
    def halo(self) -> float:
        """Return the extent of the clear gap outside the link's edge in mm, casing included."""
        return self.casing + min(max(HALO_SHARE * self.style.width, MIN_HALO_MM), MAX_HALO_MM)

    def distance(self, place: Point) -> float:
        """Return the distance from a place to the rim of the casing in mm; negative on the link."""
        return min(dist(place, other) for other in self.places) - self.body.half - self.casing
