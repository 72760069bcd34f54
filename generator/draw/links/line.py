"""Lines in mm: cubic Bézier curves, chains of them as path data, and a way along one measured by its length.

Every bend here is the cubic that comes closest to a circle's arc between two frames; a chain of such bends stays
smooth because neighbours share a frame.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import acos, ceil, pi, sin, tan
from typing import NamedTuple

from generator.core.geometry import EPSILON, Point
from generator.core.units import number


class LinePoint(NamedTuple):
    """A place on a line and the unit vector along it."""

    place: Point
    along: Point

    def at(self, ahead: float, right: float) -> Point:
        """The place so far ahead and to the right of this one, in mm."""
        return Point(
            self.place.x + self.along.x * ahead - self.along.y * right,
            self.place.y + self.along.y * ahead + self.along.x * right,
        )

    def moved(self, ahead: float, right: float) -> LinePoint:
        """The frame shifted in its own directions."""
        return LinePoint(self.at(ahead, right), self.along)


@dataclass(frozen=True)
class Cubic:
    """A cubic from `a` to `d` with control points `b` and `c`."""

    a: Point
    b: Point
    c: Point
    d: Point

    def at(self, t: float) -> Point:
        """The place at parameter 0 to 1."""
        u = 1 - t
        i, j, k, m = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        a, b, c, d = self.a, self.b, self.c, self.d
        return Point(a.x * i + b.x * j + c.x * k + d.x * m, a.y * i + b.y * j + c.y * k + d.y * m)

    def along(self, t: float) -> Point:
        """The unit vector along the curve at parameter 0 to 1."""
        u = 1 - t
        i, j, k = u * u, 2 * u * t, t * t
        a, b, c, d = self.a, self.b, self.c, self.d
        x = (b.x - a.x) * i + (c.x - b.x) * j + (d.x - c.x) * k
        y = (b.y - a.y) * i + (c.y - b.y) * j + (d.y - c.y) * k
        return Point(x, y).unit()

    def reversed(self) -> Cubic:
        """The same curve from its other end."""
        return Cubic(self.d, self.c, self.b, self.a)

    def halves(self) -> tuple[Cubic, Cubic]:
        """The curve cut at parameter ½."""
        ab, bc, cd = (self.a + self.b).scaled(0.5), (self.b + self.c).scaled(0.5), (self.c + self.d).scaled(0.5)
        abc, bcd = (ab + bc).scaled(0.5), (bc + cd).scaled(0.5)
        middle = (abc + bcd).scaled(0.5)
        return Cubic(self.a, ab, abc, middle), Cubic(middle, bcd, cd, self.d)

    def placed(self, frame: LinePoint) -> Cubic:
        """A curve drawn in a frame (x ahead, y to the right), where that frame stands."""
        a, b, c, d = (frame.at(p.x, p.y) for p in (self.a, self.b, self.c, self.d))
        return Cubic(a, b, c, d)

    def is_straight(self) -> bool:
        """Whether the control points lie on the chord."""
        chord = (self.d - self.a).unit()
        return all(abs(chord.x * (p.y - self.a.y) - chord.y * (p.x - self.a.x)) < EPSILON for p in (self.b, self.c))


Chain = tuple[Cubic, ...]
"""Curves end to start."""


def line(a: Point, b: Point) -> Cubic:
    """The straight cubic between two places."""
    third = (b - a).scaled(1 / 3)
    return Cubic(a, a + third, b - third, b)


def bend(start: LinePoint, end: LinePoint) -> Cubic:
    """The curve that leaves one frame and arrives in another, as near a circle's arc as they allow."""
    turn = turning(start.along, end.along)
    reach = (end.place - start.place).length() * _handle(turn)
    return Cubic(start.place, start.at(reach, 0), end.at(-reach, 0), end.place)


def turning(a: Point, b: Point) -> float:
    """The angle between two unit vectors, in radians, 0 to π."""
    return acos(max(-1.0, min(1.0, a.x * b.x + a.y * b.y)))


def _handle(turn: float) -> float:
    """The length of a circular arc's Bézier handles as a share of its chord."""
    return 1 / 3 if turn < EPSILON else 2 / 3 * tan(turn / 4) / sin(turn / 2)


def backwards(chain: Chain) -> Chain:
    """The chain from its other end."""
    return tuple(piece.reversed() for piece in reversed(chain))


def open_path(chain: Chain) -> str:
    """Path data of a chain as a line with two ends."""
    return f"M{_xy(chain[0].a)}" + _pieces(chain)


def closed_path(chains: Iterable[Chain]) -> str:
    """Path data of the area round which the chains run; straight lines close the gaps between them."""
    first, *rest = chains
    joined = "".join(f"L{_xy(chain[0].a)}{_pieces(chain)}" for chain in rest)
    return open_path(first) + joined + "Z"


def polyline(places: Iterable[Point]) -> str:
    """Path data of straight lines from place to place."""
    return "M" + "L".join(_xy(place) for place in places)


def _pieces(chain: Chain) -> str:
    return "".join(f"L{_xy(p.d)}" if p.is_straight() else f"C{_xy(p.b)} {_xy(p.c)} {_xy(p.d)}" for p in chain)


def _xy(p: Point) -> str:
    return f"{number(p.x)} {number(p.y)}"


STEPS = 96
"""Chords by which a curve's length is measured: right to a few micrometres on a tile."""

PIECE = pi / 6
"""A line beside a curve is drawn in pieces that turn by no more than this."""


@dataclass(frozen=True)
class LinkWay:
    """A link's centre line from one end to the other, in mm along it.

    `before` and `after` are how far it runs straight on past its ends: the bleed at a port, nothing where the end lies
    inside the tile. `marks` are the lengths at equal steps of the curves' parameters.
    """

    curves: Chain
    before: float | None
    after: float | None
    marks: tuple[float, ...]

    @property
    def length(self) -> float:
        """From end to end, in mm, without what runs on past them."""
        return self.marks[-1]

    @property
    def ports(self) -> tuple[float, ...]:
        """The stations, in mm, of its ends that lie on the tile's edge."""
        ends = ((0.0, self.before), (self.length, self.after))
        return tuple(station for station, beyond in ends if beyond is not None)

    @property
    def start(self) -> float:
        """The station of the bleed's edge before its first port, or its end inside the tile."""
        return -(self.before or 0.0)

    @property
    def stop(self) -> float:
        """The station of the bleed's edge past its second port, or its end inside the tile."""
        return self.length + (self.after or 0.0)

    def frame(self, station: float) -> LinePoint:
        """The place and direction at a station; straight on before the start and after the end."""
        held = min(max(station, 0.0), self.length)
        nth, t = self._parameter(held)
        curve = self.curves[nth]
        return LinePoint(curve.at(t), curve.along(t)).moved(station - held, 0)

    def at(self, station: float, right: float) -> Point:
        """The place at a station, so far to the right of the line."""
        return self.frame(station).at(0, right)

    def rim(self, right: float, start: float, stop: float) -> Chain:
        """The line that runs beside this one at a distance, from one station to another (backwards if that is less)."""
        if start > stop:
            return backwards(self.rim(right, stop, start))
        inner = [knot for knot in self._knots() if start + EPSILON < knot < stop - EPSILON]
        frames = [self.frame(station).moved(0, right) for station in (start, *inner, stop)]
        return tuple(bend(a, b) for a, b in pairwise(frames))

    def whole(self, right: float) -> Chain:
        """The line beside this one, from the bleed's edge to the bleed's edge."""
        return self.rim(right, self.start, self.stop)

    def _parameter(self, station: float) -> tuple[int, float]:
        """Which curve, and where on it."""
        i = min(max(bisect_left(self.marks, station), 1), len(self.marks) - 1)
        a, b = self.marks[i - 1], self.marks[i]
        nth, step = divmod(i - 1, STEPS)
        return nth, (step + ((station - a) / (b - a) if b > a else 0.0)) / STEPS

    def _knots(self) -> list[float]:
        found = [0.0] if len(self.curves) > 1 else []
        for nth, curve in enumerate(self.curves):
            first, last = self.marks[nth * STEPS], self.marks[(nth + 1) * STEPS]
            turns = sum(turning(curve.along(i / 4), curve.along((i + 1) / 4)) for i in range(4))
            pieces = ceil(turns / PIECE - EPSILON) or (1 if len(self.curves) > 1 else 0)
            steps = range(1 if found else 0, pieces + 1) if pieces else ()
            found += [first + (last - first) * i / pieces for i in steps]
        return found


def measured(curves: Chain, before: float | None, after: float | None) -> LinkWay:
    """The way along curves that runs on so far past its start and its end."""
    places = [curves[0].a, *(curve.at(i / STEPS) for curve in curves for i in range(1, STEPS + 1))]
    chords = ((b - a).length() for a, b in pairwise(places))
    return LinkWay(curves, before, after, tuple(accumulate(chords, initial=0.0)))
