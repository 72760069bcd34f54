"""The edges of paths: straight lines, arcs and curves, and SVG's notation for them; in mm, y downwards."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import asin, atan, atan2, ceil, pi, sin, sqrt, tan
from typing import NamedTuple

from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Affine, Point
from generator.base.units import number

# Largest distance in mm between a curve and the straight lines that replace it: an eighth of a
# printer's dot at 600 dpi.
MAX_CHORD_GAP_MM = 0.005
MAX_CHORDS_PER_CURVE = 200

_TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
# How many numbers each command takes (SVG 1.1, section 8.3).
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
MAX_PATH_LINES = 20_000
"""Lines in a path; no outline that a blade follows has more."""
MAX_COORDINATE = 1e12
"""The largest number of a path, in any units: squares of sums of such numbers do not overflow."""


def xy(p: Point) -> str:
    """Return a point as path data writes it."""
    return f"{number(p.x)} {number(p.y)}"


class Edge(NamedTuple):
    """The part of a path from `a` to `b`: a straight line, an arc of a circle, or a cubic curve.

    An arc has a `bulge`, as in DXF files: the tangent of a quarter of its angle, above 0 if it runs
    clockwise as y points down. A curve has two `handles`, its control points.
    """

    a: Point
    b: Point
    bulge: float = 0.0
    handles: tuple[Point, ...] = ()

    @property
    def radius(self) -> float:
        """The radius of an arc."""
        return (self.b - self.a).length() * (1 + self.bulge**2) / (4 * abs(self.bulge))

    @property
    def centre(self) -> Point:
        """The centre of an arc."""
        chord = self.b - self.a
        height = (1 - self.bulge**2) / (4 * self.bulge)
        return (self.a + self.b).scaled(0.5) + Point(-chord.y, chord.x).scaled(height)

    @property
    def area(self) -> float:
        """The area in mm² between the edge and its chord, positive if the edge bows outwards."""
        if self.handles:
            flat = (self.a, *self.flat())
            return sum(p.x * q.y - p.y * q.x for p, q in pairwise((*flat, self.a))) / 2
        if not self.bulge:
            return 0.0
        angle = 4 * atan(self.bulge)
        return self.radius**2 * (angle - sin(angle)) / 2

    @property
    def is_straight(self) -> bool:
        """True for a straight line."""
        return not self.bulge and not self.handles

    def bezier(self) -> Iterator[tuple[Point, Point, Point]]:
        """Yield an arc or a curve as Bézier curves: two handles and the end of each.

        Nothing for a straight line.
        """
        if self.handles:
            yield self.handles[0], self.handles[1], self.b
        elif self.bulge:
            middle = self.centre
            angle = 4 * atan(self.bulge)
            count = ceil(abs(angle) / (pi / 2) - EPSILON)  # of at most a quarter circle each
            step = angle / count
            length = 4 / 3 * tan(step / 4)  # of the handles, in radii
            start = self.a
            for n in range(1, count + 1):
                end = self.b if n == count else self._at_angle(step * n)
                first = start - middle
                last = end - middle
                yield (
                    start + Point(-first.y, first.x).scaled(length),
                    end - Point(-last.y, last.x).scaled(length),
                    end,
                )
                start = end

    def _at_angle(self, radians: float) -> Point:
        """Return the point of an arc so far round from its start."""
        return self.centre + (self.a - self.centre).turned(radians * 180 / pi)

    def mapped(self, move: Affine) -> Edge:
        """Return the edge after a map that keeps circles round."""
        turned = move.a * move.d - move.b * move.c < 0
        handles = tuple(move.apply(handle) for handle in self.handles)
        return Edge(
            move.apply(self.a), move.apply(self.b), -self.bulge if turned else self.bulge, handles
        )

    def reversed(self) -> Edge:
        """Return the edge from its end to its start."""
        return Edge(self.b, self.a, -self.bulge, self.handles[::-1])

    def flat(self, max_gap: float = MAX_CHORD_GAP_MM) -> Iterator[Point]:
        """Yield points along the edge, the last at its end, whose chords lie within `max_gap` of it."""
        if self.bulge:
            yield from self._round(max_gap)
        elif self.handles:
            yield from self._curve(max_gap)
        else:
            yield self.b

    def _round(self, max_gap: float) -> Iterator[Point]:
        angle = 4 * atan(self.bulge)
        # The gap between a chord and its arc is radius * angle² / 8.
        step = 2 * sqrt(2 * max_gap / max(self.radius, max_gap))
        count = max(1, ceil(abs(angle) / min(step, pi / 6)))
        for n in range(1, count):
            yield self._at_angle(angle / count * n)
        yield self.b

    def _curve(self, max_gap: float) -> Iterator[Point]:
        p, q, r, s = self.a, *self.handles, self.b
        # Chords at equal steps of the parameter leave a gap of at most 0.75 * bend / count².
        bend = max((p - q.scaled(2) + r).length(), (q - r.scaled(2) + s).length())
        count = min(MAX_CHORDS_PER_CURVE, max(1, ceil(sqrt(0.75 * bend / max_gap))))
        for n in range(1, count):
            t = n / count
            u = 1 - t
            a, b, c, d = u**3, 3 * u * u * t, 3 * u * t * t, t**3  # Bernstein's polynomials
            yield Point(
                a * p.x + b * q.x + c * r.x + d * s.x, a * p.y + b * q.y + c * r.y + d * s.y
            )
        yield s

    @property
    def d(self) -> str:
        """The SVG command that draws the edge to its end."""
        if self.handles:
            return "C" + " ".join(map(xy, (*self.handles, self.b)))
        if not self.bulge:
            return f"L{xy(self.b)}"
        radius = number(self.radius)
        return f"A{radius} {radius} 0 {int(abs(self.bulge) > 1)} {int(self.bulge > 0)} {xy(self.b)}"


def path_data(edges: Sequence[Edge]) -> str:
    """Return SVG path data of a closed path; a straight last line is left to the `Z`."""
    written_edges = edges[:-1] if edges[-1].is_straight else edges
    return " ".join((f"M{xy(edges[0].a)}", *(edge.d for edge in written_edges), "Z"))


def curve_data(edges: Sequence[Edge]) -> str:
    """Return path data with straight lines and curves only: `M`, `L`, `C` and `Z`, as PDF has them."""
    steps = (
        edge.d if edge.is_straight else " ".join(map(_bezier_data, edge.bezier())) for edge in edges
    )
    return " ".join((f"M{xy(edges[0].a)}", *steps, "Z"))


def _bezier_data(places: Sequence[Point]) -> str:
    return "C" + " ".join(map(xy, places))


def read_path(d: str) -> list[list[Edge]]:
    """Return the subpaths of SVG path data, each closed."""
    remainder = _TOKEN.sub("", d).replace(",", "").strip()
    if remainder:
        raise InvalidValueError(
            f"{remainder[:20]!r} is not path data", "letters of SVG path commands, and numbers"
        )
    reader = _PathReader()
    for letter, numbers in _steps(d):
        reader.step(letter, numbers)
        if sum(map(len, reader.parts)) + len(reader.open) > MAX_PATH_LINES:
            raise InvalidValueError(
                f"a path of more than {MAX_PATH_LINES} lines", "a simpler outline"
            )
    reader.close()
    return reader.parts


# The flags of an arc are its fourth and fifth number. Programs that shorten files leave out the
# blank after a flag, which is a single digit: in `a5 5 0 0110 10` they are 0 and 1, before 10 and 10.
_FLAGS_OF_ARCS = (3, 4)
_JOINED_FLAG = re.compile(r"[01](?:\d|\.\d).*")


def _steps(d: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command's letter with the numbers of one step.

    A missing letter repeats the one before.
    """
    letter = ""
    numbers: list[float] = []
    tokens = [("Z", ""), *reversed(_TOKEN.findall(d))]
    while tokens:
        command, value = tokens.pop()
        if (
            letter in {"A", "a"}
            and len(numbers) in _FLAGS_OF_ARCS
            and _JOINED_FLAG.fullmatch(value)
        ):
            tokens.append(("", value[1:]))
            value = value[0]
        if command:
            if numbers:
                raise InvalidValueError(
                    f"{len(numbers)} numbers too many after {letter!r} in a path",
                    "complete path data",
                )
            letter = command
            if letter in "Zz":
                yield letter, []
            continue
        numbers.append(float(value))
        if abs(numbers[-1]) > MAX_COORDINATE:
            raise InvalidValueError(
                f"{value} is too large for a path", f"at most {MAX_COORDINATE:g}"
            )
        if not letter or letter in "Zz":
            raise InvalidValueError(
                "a path begins with a number", "M and the place where it begins"
            )
        if len(numbers) == _TAKES[letter.upper()]:
            yield letter, numbers
            numbers = []
            # After a move, lines follow (SVG 1.1, section 8.3.2).
            letter = {"M": "L", "m": "l"}.get(letter, letter)


class _PathReader:
    """Follows the commands of a path: `parts` are the closed subpaths, `open` is the one being drawn."""

    def __init__(self) -> None:
        self.parts: list[list[Edge]] = []
        self.open: list[Edge] = []
        self._at = self._start = Point(0, 0)
        self._handle: tuple[str, Point] = ("", self._at)

    def step(self, letter: str, n: list[float]) -> None:
        """Follow one command."""
        kind = letter.upper()
        base = self._at if letter.islower() else Point(0, 0)
        if kind == "Z":
            self.close()
        elif kind in "HV":
            self._to(
                Point(n[0] + base.x, self._at.y)
                if kind == "H"
                else Point(self._at.x, n[0] + base.y)
            )
        elif kind == "A":
            self._arc(n, Point(n[5], n[6]) + base)
        else:
            places = [Point(x, y) + base for x, y in zip(n[::2], n[1::2], strict=True)]
            self._places(kind, places)

    def close(self) -> None:
        """Draw a line back to the start of the subpath."""
        if self.open:
            if (self._at - self._start).length() > EPSILON:
                self._to(self._start)
            self.parts.append(self.open)
        self.open = []
        self._at = self._start

    def _places(self, kind: str, places: list[Point]) -> None:
        if kind == "M":
            self.close()
            self._at = self._start = places[0]
        elif kind == "L":
            self._to(places[0])
        elif kind in "CS":
            first = places[0] if kind == "C" else self._smooth("C")
            self._bend("C", places[-2], places[-1], (first, places[-2]))
        else:
            handle = places[0] if kind == "Q" else self._smooth("Q")
            ends = (self._at, places[-1])
            self._bend(
                "Q", handle, places[-1], tuple(end + (handle - end).scaled(2 / 3) for end in ends)
            )

    def _smooth(self, kind: str) -> Point:
        """Return the mirror image of the last handle, or the current point after another kind of command."""
        return self._at.scaled(2) - self._handle[1] if self._handle[0] == kind else self._at

    def _to(self, place: Point) -> None:
        if (place - self._at).length() > EPSILON:
            self.open.append(Edge(self._at, place))
        self._at = place
        self._handle = ("", place)

    def _bend(self, kind: str, handle: Point, place: Point, handles: tuple[Point, ...]) -> None:
        self.open.append(Edge(self._at, place, 0.0, handles))
        self._at = place
        self._handle = (kind, handle)

    def _arc(self, n: list[float], place: Point) -> None:
        """Draw an elliptical arc, as curves of at most a quarter each (SVG 1.1, appendix F.6)."""
        rx = abs(n[0])
        ry = abs(n[1])
        if min(rx, ry) < EPSILON or (place - self._at).length() < EPSILON:
            self._to(place)
            return
        # The ellipse is the image of a circle of radius 1 whose arc runs from `start` to `-start`.
        middle = (self._at + place).scaled(0.5)
        tilted = (self._at - middle).turned(-n[2])
        start = Point(tilted.x / rx, tilted.y / ry)
        growth = max(1.0, start.length())  # radii that are too small for the distance grow
        x_axis = Point(rx * growth, 0).turned(n[2])
        y_axis = Point(0, ry * growth).turned(n[2])
        from_circle = Affine(*x_axis, *y_axis, *middle)
        start = start.scaled(1 / growth)
        angle = 2 * asin(min(1.0, start.length()))
        bulge = tan((2 * pi - angle if n[3] else angle) / 4)
        *curves, last = Edge(start, start.scaled(-1), bulge if n[4] else -bulge).bezier()
        for first, second, end in curves:
            self._bend_on(from_circle, first, second, from_circle.apply(end))
        self._bend_on(from_circle, last[0], last[1], place)

    def _bend_on(self, move: Affine, first: Point, second: Point, place: Point) -> None:
        handles = (move.apply(first), move.apply(second))
        self._bend("A", handles[1], place, handles)


@dataclass(frozen=True)
class Track:
    """A line to place things along: points joined by straight lines."""

    places: tuple[Point, ...]

    @cached_property
    def lengths(self) -> tuple[float, ...]:
        """The distance from the start to each point."""
        return tuple(accumulate(((b - a).length() for a, b in pairwise(self.places)), initial=0.0))

    @property
    def length(self) -> float:
        """The distance from the start to the end."""
        return self.lengths[-1]

    def at(self, distance: float) -> tuple[Point, float]:
        """Return the point so far along, and the direction there: degrees clockwise, 0 to the right."""
        index = min(max(bisect_right(self.lengths, distance) - 1, 0), len(self.places) - 2)
        a = self.places[index]
        b = self.places[index + 1]
        step = (b - a).unit()
        return a + step.scaled(distance - self.lengths[index]), atan2(step.y, step.x) * 180 / pi


_FIRST_SUBPATH = re.compile(r"\s*[Mm][^MmZz]*[Zz]?")


def track(d: str) -> Track:
    """Return the first subpath as a line to place things along.

    It is closed only if the path closes it.
    """
    if match := _FIRST_SUBPATH.match(d):
        d = match[0]
    is_closed = d.rstrip().lower().endswith("z")
    # read_path closes every subpath. One more line before that, of 1 mm, makes sure that the closing
    # line is there even if the path ends where it begins: so both are the last two edges.
    (edges, *_) = read_path(d if is_closed else f"{d} l 1 0") or [[]]
    track_edges = edges if is_closed else edges[:-2]
    places = tuple(place for edge in track_edges for place in edge.flat())
    if not track_edges or Track((track_edges[0].a, *places)).length < EPSILON:
        raise InvalidValueError(
            f"{d!r} draws nothing", "SVG path data in mm, such as M10 40 C20 20 40 20 50 40"
        )
    return Track((track_edges[0].a, *places))


def read_points(text: str) -> list[list[Edge]]:
    """Return the subpaths of SVG's `points`."""
    numbers = [float(value) for _, value in _TOKEN.findall(text) if value]
    corners = [Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=False)]
    return [
        [Edge(a, b) for a, b in pairwise((*corners, *corners[:1])) if (b - a).length() > EPSILON]
    ]
