"""A line measured by its length, so that a pattern can say "3.2 mm from the edge, 1 mm to the right"."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil, pi

from generator.core.geometry import EPSILON, Point
from generator.draw.links.curve import Chain, Frame, backwards, bend, turning

STEPS = 96
"""Chords by which a curve's length is measured: right to a few micrometres on a tile."""

PIECE = pi / 6
"""A line beside a curve is drawn in pieces that turn by no more than this."""


@dataclass(frozen=True)
class Way:
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

    def frame(self, station: float) -> Frame:
        """The place and direction at a station; straight on before the start and after the end."""
        held = min(max(station, 0.0), self.length)
        nth, t = self._parameter(held)
        curve = self.curves[nth]
        return Frame(curve.at(t), curve.along(t)).moved(station - held, 0)

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


def measured(curves: Chain, before: float | None, after: float | None) -> Way:
    """The way along curves that runs on so far past its start and its end."""
    places = [curves[0].a, *(curve.at(i / STEPS) for curve in curves for i in range(1, STEPS + 1))]
    chords = ((b - a).length() for a, b in pairwise(places))
    return Way(curves, before, after, tuple(accumulate(chords, initial=0.0)))
