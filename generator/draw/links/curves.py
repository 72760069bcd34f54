"""Cubic curves, and the centre line of a link: places and parallel lines at distances along it.

`route.py` finds a link's way over its tile, and `outline.py`, `caps.py` and `patterns.py` draw along
it. Lengths are in mm, y downwards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import acos, ceil, pi, sin, tan
from typing import NamedTuple

from generator.base.geometry import EPSILON, Point
from generator.base.paths import xy


class LinePoint(NamedTuple):
    """A place on a line and the unit vector along the line: a frame of its own, x ahead and y right."""

    place: Point
    along: Point

    def at(self, ahead: float, right: float) -> Point:
        """Return the place `ahead` mm along and `right` mm to the right."""
        return Point(
            self.place.x + self.along.x * ahead - self.along.y * right,
            self.place.y + self.along.y * ahead + self.along.x * right,
        )

    def moved(self, ahead: float, right: float) -> LinePoint:
        """Return the frame moved in its own directions."""
        return LinePoint(self.at(ahead, right), self.along)


@dataclass(frozen=True)
class Cubic:
    """A cubic Bézier curve from `a` to `d` with control points `b` and `c`."""

    a: Point
    b: Point
    c: Point
    d: Point

    def at(self, t: float) -> Point:
        """Return the place at a parameter from 0 to 1."""
        u = 1 - t
        i, j, k, m = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        a, b, c, d = self.a, self.b, self.c, self.d
        return Point(a.x * i + b.x * j + c.x * k + d.x * m, a.y * i + b.y * j + c.y * k + d.y * m)

    def along(self, t: float) -> Point:
        """Return the unit tangent at a parameter from 0 to 1."""
        u = 1 - t
        i, j, k = u * u, 2 * u * t, t * t
        a, b, c, d = self.a, self.b, self.c, self.d
        x = (b.x - a.x) * i + (c.x - b.x) * j + (d.x - c.x) * k
        y = (b.y - a.y) * i + (c.y - b.y) * j + (d.y - c.y) * k
        return Point(x, y).unit()

    def reversed(self) -> Cubic:
        """Return the curve in the opposite direction."""
        return Cubic(self.d, self.c, self.b, self.a)

    def halves(self) -> tuple[Cubic, Cubic]:
        """Return both halves of the curve, divided at parameter ½ (de Casteljau)."""
        ab = (self.a + self.b).scaled(0.5)
        bc = (self.b + self.c).scaled(0.5)
        cd = (self.c + self.d).scaled(0.5)
        abc = (ab + bc).scaled(0.5)
        bcd = (bc + cd).scaled(0.5)
        middle = (abc + bcd).scaled(0.5)
        return Cubic(self.a, ab, abc, middle), Cubic(middle, bcd, cd, self.d)

    def placed(self, frame: LinePoint) -> Cubic:
        """Return a curve given in a frame (x ahead, y right) in the frame's surroundings."""
        a, b, c, d = (frame.at(p.x, p.y) for p in (self.a, self.b, self.c, self.d))
        return Cubic(a, b, c, d)

    def is_straight(self) -> bool:
        """Return True if the control points lie on the chord."""
        chord = (self.d - self.a).unit()
        return all(
            abs(chord.x * (p.y - self.a.y) - chord.y * (p.x - self.a.x)) < EPSILON
            for p in (self.b, self.c)
        )


Chain = tuple[Cubic, ...]
"""Curves, each of which begins where the one before ends."""


def line(a: Point, b: Point) -> Cubic:
    """Return a straight line as a cubic."""
    third = (b - a).scaled(1 / 3)
    return Cubic(a, a + third, b - third, b)


def bend(start: LinePoint, end: LinePoint) -> Cubic:
    """Return the curve from one frame to another that is closest to a circular arc."""
    turn = angle_between(start.along, end.along)
    reach = (end.place - start.place).length() * _handle_share(turn)
    return Cubic(start.place, start.at(reach, 0), end.at(-reach, 0), end.place)


def angle_between(a: Point, b: Point) -> float:
    """Return the angle between two unit vectors in radians, from 0 to π."""
    return acos(max(-1.0, min(1.0, a.x * b.x + a.y * b.y)))


def _handle_share(turn: float) -> float:
    """Return the length of a circular arc's Bézier handles as a share of its chord."""
    return 1 / 3 if turn < EPSILON else 2 / 3 * tan(turn / 4) / sin(turn / 2)


def reverse_chain(chain: Chain) -> Chain:
    """Return the chain in the opposite direction."""
    return tuple(piece.reversed() for piece in reversed(chain))


def open_path(chain: Chain) -> str:
    """Return path data of a chain as an open line."""
    return f"M{xy(chain[0].a)}" + _pieces(chain)


def closed_path(chains: Iterable[Chain]) -> str:
    """Return path data of the area enclosed by chains; straight lines close the gaps."""
    first, *others = chains
    joined = "".join(f"L{xy(chain[0].a)}{_pieces(chain)}" for chain in others)
    return open_path(first) + joined + "Z"


def polyline(places: Iterable[Point]) -> str:
    """Return path data of straight lines from place to place."""
    return "M" + "L".join(xy(place) for place in places)


def _pieces(chain: Chain) -> str:
    return "".join(
        f"L{xy(p.d)}" if p.is_straight() else f"C{xy(p.b)} {xy(p.c)} {xy(p.d)}" for p in chain
    )


CHORDS_PER_CURVE = 96
"""Number of chords that measure a curve's length: exact to a few micrometres on a tile."""

MAX_PIECE_TURN = pi / 6
"""Radians; the largest turn of one piece of a line parallel to a curve."""


@dataclass(frozen=True)
class LinkWay:
    """A link's centre line, addressed by stations in mm along it.

    `before` and `after` are the straight extensions beyond the ends: the bleed at a port, None if
    the end lies inside the tile. `marks` are the lengths at equal steps of the curves' parameters.
    """

    curves: Chain
    before: float | None
    after: float | None
    marks: tuple[float, ...]

    @property
    def length(self) -> float:
        """The length from end to end in mm, without extensions."""
        return self.marks[-1]

    @property
    def ports(self) -> tuple[float, ...]:
        """The stations of the ends on the tile's edge."""
        ends = ((0.0, self.before), (self.length, self.after))
        return tuple(station for station, beyond in ends if beyond is not None)

    @property
    def start(self) -> float:
        """The station at the bleed's edge before the first port, or of the first end inside the tile."""
        return -(self.before or 0.0)

    @property
    def stop(self) -> float:
        """The station at the bleed's edge after the second port, or of the second end inside the tile."""
        return self.length + (self.after or 0.0)

    def frame(self, station: float) -> LinePoint:
        """Return the place and direction at a station.

        The line continues straight beyond both ends.
        """
        clamped = min(max(station, 0.0), self.length)
        index, t = self._parameter(clamped)
        curve = self.curves[index]
        return LinePoint(curve.at(t), curve.along(t)).moved(station - clamped, 0)

    def at(self, station: float, right: float) -> Point:
        """Return the place at a station, `right` mm to the right of the line."""
        return self.frame(station).at(0, right)

    def rim(self, right: float, start: float, stop: float) -> Chain:
        """Return the line parallel to this one from a station to another, in either direction."""
        if start > stop:
            return reverse_chain(self.rim(right, stop, start))
        inner = [knot for knot in self._knots() if start + EPSILON < knot < stop - EPSILON]
        frames = [self.frame(station).moved(0, right) for station in (start, *inner, stop)]
        return tuple(bend(a, b) for a, b in pairwise(frames))

    def whole(self, right: float) -> Chain:
        """Return the line parallel to this one from bleed edge to bleed edge."""
        return self.rim(right, self.start, self.stop)

    def _parameter(self, station: float) -> tuple[int, float]:
        """Return the index of the curve at a station, and the parameter on the curve."""
        i = min(max(bisect_left(self.marks, station), 1), len(self.marks) - 1)
        a = self.marks[i - 1]
        b = self.marks[i]
        index, step = divmod(i - 1, CHORDS_PER_CURVE)
        return index, (step + ((station - a) / (b - a) if b > a else 0.0)) / CHORDS_PER_CURVE

    def _knots(self) -> list[float]:
        """Return the stations at which a parallel line is divided, so that each piece turns little."""
        knots = [0.0] if len(self.curves) > 1 else []
        for index, curve in enumerate(self.curves):
            first = self.marks[index * CHORDS_PER_CURVE]
            last = self.marks[(index + 1) * CHORDS_PER_CURVE]
            turns = sum(
                angle_between(curve.along(i / 4), curve.along((i + 1) / 4)) for i in range(4)
            )
            pieces = ceil(turns / MAX_PIECE_TURN - EPSILON) or (1 if len(self.curves) > 1 else 0)
            steps = range(1 if knots else 0, pieces + 1) if pieces else ()
            knots += [first + (last - first) * i / pieces for i in steps]
        return knots


def measure_way(curves: Chain, before: float | None, after: float | None) -> LinkWay:
    """Return the way along curves, extended by `before` and `after` mm."""
    places = [
        curves[0].a,
        *(
            curve.at(i / CHORDS_PER_CURVE)
            for curve in curves
            for i in range(1, CHORDS_PER_CURVE + 1)
        ),
    ]
    chords = ((b - a).length() for a, b in pairwise(places))
    return LinkWay(curves, before, after, tuple(accumulate(chords, initial=0.0)))
