"""Cubic Bézier curves in mm, and chains of them as path data.

Every bend here is the cubic that comes closest to a circle's arc between two
frames; a chain of such bends stays smooth because neighbours share a frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import acos, sin, tan
from typing import NamedTuple

from generator.core.geometry import EPSILON, Point
from generator.core.units import number


class Frame(NamedTuple):
    """A place on a line and the unit vector along it."""

    place: Point
    along: Point

    def at(self, ahead: float, right: float) -> Point:
        """The place so far ahead and to the right of this one, in mm."""
        return Point(
            self.place.x + self.along.x * ahead - self.along.y * right,
            self.place.y + self.along.y * ahead + self.along.x * right,
        )

    def moved(self, ahead: float, right: float) -> Frame:
        """The frame shifted in its own directions."""
        return Frame(self.at(ahead, right), self.along)


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

    def placed(self, frame: Frame) -> Cubic:
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


def bend(start: Frame, end: Frame) -> Cubic:
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
