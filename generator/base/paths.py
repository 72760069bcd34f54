"""The edges of paths, and SVG's notation for them; in mm, y downwards."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import acos, atan, atan2, ceil, cos, pi, sin, sqrt, tan
from typing import NamedTuple

from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Affine, Point
from generator.base.units import number

# Largest distance in mm between a curve and the straight lines that replace it.
FINE = 0.005

_TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
MAX_PATH_LINES = 20_000
"""Lines in a path; no outline that a blade follows has more."""


class Edge(NamedTuple):
    """From one place to the next: straight.

    Part of a circle; or a curve of four places, by its two `handles`.

    `bulge` is the tangent of a quarter of the arc's angle, above 0 for one that runs clockwise.
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
    def straight(self) -> bool:
        """True for a straight line."""
        return not self.bulge and not self.handles

    def bezier(self) -> Iterator[tuple[Point, Point, Point]]:
        """Yield an arc or a curve as Bézier curves: two handles and the end of each.

        Nothing for a straight line.
        """
        if self.handles:
            yield self.handles[0], self.handles[1], self.b
        elif self.bulge:
            angle, chord = 4 * atan(self.bulge), self.b - self.a
            middle = (self.a + self.b).scaled(0.5)
            middle += Point(-chord.y, chord.x).scaled((1 - self.bulge**2) / (4 * self.bulge))
            count = ceil(abs(angle) / (pi / 2) - EPSILON)
            long, at = 4 / 3 * tan(angle / count / 4), self.a
            for n in range(1, count + 1):
                end = (
                    self.b
                    if n == count
                    else middle + (self.a - middle).turned(angle / count * n * 180 / pi)
                )
                first, last = at - middle, end - middle
                yield (
                    at + Point(-first.y, first.x).scaled(long),
                    end - Point(-last.y, last.x).scaled(long),
                    end,
                )
                at = end

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

    def flat(self) -> Iterator[Point]:
        """Yield points along the edge, the last at its end."""
        if self.bulge:
            yield from self._round()
        elif self.handles:
            yield from self._curve()
        else:
            yield self.b

    def _round(self) -> Iterator[Point]:
        angle, chord = 4 * atan(self.bulge), self.b - self.a
        middle = (self.a + self.b).scaled(0.5) + Point(-chord.y, chord.x).scaled(
            (1 - self.bulge**2) / (4 * self.bulge)
        )
        step = 2 * sqrt(2 * FINE / max(self.radius, FINE))
        count = max(1, ceil(abs(angle) / min(step, pi / 6)))
        for n in range(1, count):
            yield middle + (self.a - middle).turned(angle / count * n * 180 / pi)
        yield self.b

    def _curve(self) -> Iterator[Point]:
        p, q, r, s = self.a, *self.handles, self.b
        bend = max((p - q.scaled(2) + r).length(), (q - r.scaled(2) + s).length())
        count = min(200, max(1, ceil(sqrt(0.75 * bend / FINE))))
        for n in range(1, count):
            t, u = n / count, 1 - n / count
            yield (
                p.scaled(u**3) + q.scaled(3 * u * u * t) + r.scaled(3 * u * t * t) + s.scaled(t**3)
            )
        yield s

    @property
    def d(self) -> str:
        """Return the SVG command that draws the edge to its end."""
        end = f"{number(self.b.x)} {number(self.b.y)}"
        if self.handles:
            handles = " ".join(f"{number(handle.x)} {number(handle.y)}" for handle in self.handles)
            return f"C{handles} {end}"
        if not self.bulge:
            return f"L{end}"
        radius = number(self.radius)
        return f"A{radius} {radius} 0 {int(abs(self.bulge) > 1)} {int(self.bulge > 0)} {end}"


def path_data(edges: Sequence[Edge]) -> str:
    """Return SVG path data of a closed path; a straight last line is left to the `Z`."""
    start = f"M{number(edges[0].a.x)} {number(edges[0].a.y)}"
    last = [] if edges[-1].d.startswith("L") else [edges[-1].d]
    return " ".join((start, *(edge.d for edge in edges[:-1]), *last, "Z"))


def curve_data(edges: Sequence[Edge]) -> str:
    """Return path data with straight lines and curves only: `M`, `L`, `C` and `Z`, as PDF has them."""
    steps = (
        edge.d if edge.straight else " ".join(map(_bezier_data, edge.bezier())) for edge in edges
    )
    return " ".join((f"M{number(edges[0].a.x)} {number(edges[0].a.y)}", *steps, "Z"))


def _bezier_data(places: Sequence[Point]) -> str:
    return "C" + " ".join(f"{number(place.x)} {number(place.y)}" for place in places)


def read_path(d: str) -> list[list[Edge]]:
    """Return the subpaths of SVG path data, each closed."""
    rest = _TOKEN.sub("", d).replace(",", "").strip()
    if rest:
        raise InvalidValueError(
            f"{rest[:20]!r} is not path data", "letters of SVG path commands, and numbers"
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


def _steps(d: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command's letter with the numbers of one step.

    A missing letter repeats the one before.
    """
    letter, numbers = "", list[float]()
    for found, value in (*_TOKEN.findall(d), ("Z", "")):
        if found:
            if numbers:
                raise InvalidValueError(
                    f"{len(numbers)} numbers are left over after {letter!r} in a path",
                    "a whole path",
                )
            letter = found
            if letter in "Zz":
                yield letter, []
            continue
        numbers.append(float(value))
        if not letter or letter in "Zz":
            raise InvalidValueError(
                "a path begins with a number", "M and the place where it begins"
            )
        if len(numbers) == _TAKES[letter.upper()]:
            yield letter, numbers
            numbers, letter = [], {"M": "L", "m": "l"}.get(letter, letter)


class _PathReader:
    """Follows the commands of a path."""

    def __init__(self) -> None:
        self.parts: list[list[Edge]] = []
        self.open: list[Edge] = []
        self._at = self._start = Point(0, 0)
        self._handle: tuple[str, Point] = ("", self._at)

    def step(self, letter: str, n: list[float]) -> None:
        """Follow one command."""
        kind, base = letter.upper(), self._at if letter.islower() else Point(0, 0)
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
        self.open, self._at = [], self._start

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
        """Return the mirror image of the last handle."""
        return self._at.scaled(2) - self._handle[1] if self._handle[0] == kind else self._at

    def _to(self, place: Point) -> None:
        if (place - self._at).length() > EPSILON:
            self.open.append(Edge(self._at, place))
        self._at, self._handle = place, ("", place)

    def _bend(self, kind: str, handle: Point, place: Point, handles: tuple[Point, ...]) -> None:
        self.open.append(Edge(self._at, place, 0.0, handles))
        self._at, self._handle = place, (kind, handle)

    def _arc(self, n: list[float], place: Point) -> None:
        """Draw an elliptical arc, as curves of at most a quarter each."""
        rx, ry, tilt, large, sweep = abs(n[0]), abs(n[1]), n[2], n[3] != 0, n[4] != 0
        if min(rx, ry) < EPSILON or (place - self._at).length() < EPSILON:
            self._to(place)
            return
        half = (self._at - place).scaled(0.5).turned(-tilt)
        x, y = half.x / rx, half.y / ry
        wide = max(1.0, sqrt(x * x + y * y))
        x, y = x / wide, y / wide
        off = sqrt(max(0.0, 1 / (x * x + y * y) - 1)) * (-1 if large == sweep else 1)
        centre, scale = Point(off * y, -off * x), Point(rx * wide, ry * wide)
        first = atan2(y - centre.y, x - centre.x)
        angle = (atan2(-y - centre.y, -x - centre.x) - first) % (2 * pi)
        angle -= 0 if sweep else 2 * pi
        middle = (self._at + place).scaled(0.5)

        def on(unit: Point) -> Point:
            return (
                Point((unit.x + centre.x) * scale.x, (unit.y + centre.y) * scale.y).turned(tilt)
                + middle
            )

        count = max(1, ceil(abs(angle) / (pi / 2) - EPSILON))
        part, long = angle / count, 4 / 3 * tan(angle / count / 4)
        for k in range(count):
            a, b = first + k * part, first + (k + 1) * part
            one, two = Point(cos(a), sin(a)), Point(cos(b), sin(b))
            handles = (
                on(one + Point(-one.y, one.x).scaled(long)),
                on(two - Point(-two.y, two.x).scaled(long)),
            )
            self._bend("A", handles[1], place if k == count - 1 else on(two), handles)


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
        a, b = self.places[index], self.places[index + 1]
        step = (b - a).unit()
        return a + step.scaled(distance - self.lengths[index]), atan2(step.y, step.x) * 180 / pi


def track(d: str) -> Track:
    """Return the first subpath as a line to place things along.

    It is closed only if the path closes it.
    """
    is_closed = d.rstrip().lower().endswith("z")
    (edges, *_) = read_path(d if is_closed else f"{d} l 1 0") or [[]]
    kept = edges if is_closed else edges[:-2]
    places = tuple(place for edge in kept for place in edge.flat())
    if not kept or Track((kept[0].a, *places)).length < EPSILON:
        raise InvalidValueError(
            f"{d!r} draws nothing", "SVG path data in mm, such as M10 40 C20 20 40 20 50 40"
        )
    return Track((kept[0].a, *places))


def read_points(text: str) -> list[list[Edge]]:
    """Return the subpaths of SVG's `points`."""
    numbers = [float(value) for _, value in _TOKEN.findall(text) if value]
    corners = [Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=False)]
    return [
        [Edge(a, b) for a, b in pairwise((*corners, *corners[:1])) if (b - a).length() > EPSILON]
    ]


class LinePoint(NamedTuple):
    """A place on a line and the unit vector along the line."""

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
    first, *rest = chains
    joined = "".join(f"L{xy(chain[0].a)}{_pieces(chain)}" for chain in rest)
    return open_path(first) + joined + "Z"


def polyline(places: Iterable[Point]) -> str:
    """Return path data of straight lines from place to place."""
    return "M" + "L".join(xy(place) for place in places)


def _pieces(chain: Chain) -> str:
    return "".join(
        f"L{xy(p.d)}" if p.is_straight() else f"C{xy(p.b)} {xy(p.c)} {xy(p.d)}" for p in chain
    )


def xy(p: Point) -> str:
    """Return a point as path data writes it."""
    return f"{number(p.x)} {number(p.y)}"


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
        """Return the length from end to end in mm, without extensions."""
        return self.marks[-1]

    @property
    def ports(self) -> tuple[float, ...]:
        """Return the stations of the ends on the tile's edge."""
        ends = ((0.0, self.before), (self.length, self.after))
        return tuple(station for station, beyond in ends if beyond is not None)

    @property
    def start(self) -> float:
        """Return the station at the bleed's edge before the first port, or of the first end inside the tile."""
        return -(self.before or 0.0)

    @property
    def stop(self) -> float:
        """Return the station at the bleed's edge after the second port, or of the second end inside the tile."""
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
        found = [0.0] if len(self.curves) > 1 else []
        for index, curve in enumerate(self.curves):
            first = self.marks[index * CHORDS_PER_CURVE]
            last = self.marks[(index + 1) * CHORDS_PER_CURVE]
            turns = sum(
                angle_between(curve.along(i / 4), curve.along((i + 1) / 4)) for i in range(4)
            )
            pieces = ceil(turns / MAX_PIECE_TURN - EPSILON) or (1 if len(self.curves) > 1 else 0)
            steps = range(1 if found else 0, pieces + 1) if pieces else ()
            found += [first + (last - first) * i / pieces for i in steps]
        return found


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
