"""A line measured by its length, so that a pattern can say "3.2 mm from the edge, 1 mm to the right"."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil, pi

from generator.core.geometry import EPSILON, Point
from generator.draw.links.curve import Chain, Cubic, Frame, backwards, bend, turning

STEPS = 96
"""Chords by which a curve's length is measured: right to a few micrometres on a tile."""

PIECE = pi / 6
"""A line beside a curve is drawn in pieces that turn by no more than this."""


@dataclass(frozen=True)
class Way:
    """A link's centre line from a port inwards, in mm along it from the tile's edge.

    `before` and `after` are how far it runs straight on past its ends: the bleed at
    a port; `after` is None where the end lies inside the tile. `marks` are the lengths
    at equal steps of the curve's parameter.
    """

    curve: Cubic
    before: float
    after: float | None
    marks: tuple[float, ...]

    @property
    def length(self) -> float:
        """From end to end, in mm, without what runs on past them."""
        return self.marks[-1]

    @property
    def ports(self) -> tuple[float, ...]:
        """The stations, in mm, of its ends that lie on the tile's edge."""
        return (0.0,) if self.after is None else (0.0, self.length)

    @property
    def start(self) -> float:
        """The station of the bleed's edge before its first port."""
        return -self.before

    @property
    def stop(self) -> float:
        """The station of the bleed's edge past its second port, or its end inside the tile."""
        return self.length + (self.after or 0.0)

    def frame(self, station: float) -> Frame:
        """The place and direction at a station; straight on before the start and after the end."""
        held = min(max(station, 0.0), self.length)
        t = self._parameter(held)
        return Frame(self.curve.at(t), self.curve.along(t)).moved(station - held, 0)

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

    def _parameter(self, station: float) -> float:
        i = min(max(bisect_left(self.marks, station), 1), STEPS)
        a, b = self.marks[i - 1], self.marks[i]
        return (i - 1 + (station - a) / (b - a)) / STEPS

    def _knots(self) -> list[float]:
        pieces = ceil(turning(self.curve.along(0), self.curve.along(1)) / PIECE - EPSILON)
        return [self.length * i / pieces for i in range(pieces + 1)] if pieces else []


def measured(curve: Cubic, before: float, after: float | None) -> Way:
    """The way along a curve that runs on so far past its start and its end."""
    places = [curve.at(i / STEPS) for i in range(STEPS + 1)]
    chords = ((b - a).length() for a, b in pairwise(places))
    return Way(curve, before, after, tuple(accumulate(chords, initial=0.0)))
