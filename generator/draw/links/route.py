"""From a link's notation to the area that it covers: which line it takes between its ports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, pi, radians, sin, tan
from types import MappingProxyType

from generator.core.geometry import EPSILON, Point, Rect, Size
from generator.core.outline import Outline
from generator.core.ports import CORNERS, TRIANGLE_PORTS, part_of, share_of, side_of
from generator.core.problems import Kind, Wrong, unknown
from generator.core.units import number
from generator.draw.links.body import Body, Stub, Through, junction
from generator.draw.links.caps import ROUND_CAP, Cap, cap_of
from generator.draw.links.line import Chain, LinePoint, LinkWay, bend, line, measured, turning
from generator.pack.game import LinkStyle
from generator.pack.tile import Bend, Course, Inner, Link

TIGHT = 0.75
"""The middle of a sharp bend turns by this many widths of its link, at the least."""

SPARE, MANY = 0.25, 4
"""The corners of a junction of more legs than so many are rounded by so many half widths."""

SPECK = 0.01
"""mm; how long a link is that leads nowhere, under the feature that stands alone on a point."""

INSIDE = 0.75
"""A link with one port goes no further than this share of the way through to the other side."""

LEAD = 0.6
"""A straight link leaves its port square for so many widths."""


def route(link: Link, style: LinkStyle, plot: Plot, bleed: float, share: float) -> Body:
    """The body of a link; `share` is how far a link with one port goes from its side to the centre."""
    ends = [plot.points.get(port) or plot.side(port) for port in link.ports]
    for end in ends:
        if isinstance(end, Entry):
            _check_room(link, style, end)
    if len(ends) > 2 or link.course.hub:
        middle = meeting(link, plot)
        return junction([_leg(end, middle, bleed) for end in ends], style.width / 2, _fillet(link, style))
    return _two(ends, link, style, plot, bleed, share)


def _two(
    ends: Sequence[Entry | Point], link: Link, style: LinkStyle, plot: Plot, bleed: float, share: float
) -> Through | Stub:
    """The body of a link of one port or two, some of them perhaps inside."""
    half = style.width / 2
    match ends:
        case [Entry() as a]:
            return Stub(_leg(a, _reached(a, link.course, plot, share), bleed), half, _cap(link, style))
        case [Entry() as a, Entry() as b]:
            return Through(_between(a, b, link.course, style, plot, bleed), half)
        case [Entry() as a, Point() as b] | [Point() as b, Entry() as a]:
            return Stub(_leg(a, b, bleed), half, ROUND_CAP)
        case [Point() as a] if link.feature:
            return Stub(_leg(a, a + Point(0.0, SPECK), bleed), half, ROUND_CAP)
        case [Point() as a, Point() as b]:
            return Stub(_leg(a, b, bleed), half, ROUND_CAP)
    raise Wrong(f"{link.ports[0]!r} leads nowhere", "a side beside a point inside, such as n-market:road")


def meeting(link: Link, plot: Plot) -> Point:
    """Where the legs of a junction meet."""
    return plot.inner(*link.course.through) if link.course.through else plot.centre


def _fillet(link: Link, style: LinkStyle) -> float | None:
    """How much a junction's corners are rounded, in half widths; less where there are many, so that legs are seen."""
    if style.fillet is not None:
        return style.fillet / (style.width / 2)
    return SPARE if link.course.hub or len(link.ports) > MANY else None


def _cap(link: Link, style: LinkStyle) -> Cap:
    return ROUND_CAP if link.feature else cap_of(style)


def _reached(side: Entry, course: Course, plot: Plot, share: float) -> Point:
    """Where a link with one port ends."""
    if course.through:
        return plot.inner(*course.through)
    far = course.reach if course.reach is not None else share
    depth = plot.way_in(side)
    end = side.middle + side.inward.scaled(depth * far if far <= 1 else far)
    if far > 1 and plot.depth(end) < 0:
        raise Wrong(f"a link of {number(far)} mm leaves the tile", f"{number(depth)} mm is the way to its centre")
    return end


def _leg(start: Entry | Point, end: Point, bleed: float) -> LinkWay:
    """Square to its side, and from there in one bend to a place inside."""
    if isinstance(start, Point):
        return measured((line(start, end),), None, None)
    chord = (end - start.middle).unit()
    if turning(chord, start.inward) < EPSILON:
        return measured((line(start.middle, end),), bleed, None)
    along = 2 * (chord.x * start.inward.x + chord.y * start.inward.y)
    arriving = chord.scaled(along) - start.inward
    return measured((bend(LinePoint(start.middle, start.inward), LinePoint(end, arriving)),), bleed, None)


def _between(a: Entry, b: Entry, course: Course, style: LinkStyle, plot: Plot, bleed: float) -> LinkWay:
    """Square to both sides, and between them an arc (for opposite sides a straight line), or as its course says."""
    first, last = LinePoint(a.middle, a.inward), LinePoint(b.middle, b.inward.scaled(-1))
    if course.through:
        place = plot.inner(*course.through)
        middle = LinePoint(place, (b.middle - a.middle).unit())
        return measured((bend(first, middle), bend(middle, last)), bleed, bleed)
    if course.bend is Bend.SHARP and (corner := _crossing(a, b)) is not None:
        return measured(_rounded([a.middle, corner, b.middle], TIGHT * style.width), bleed, bleed)
    if course.bend is Bend.STRAIGHT:
        lead = LEAD * style.width
        places = [a.middle, a.middle + a.inward.scaled(lead), b.middle + b.inward.scaled(lead), b.middle]
        return measured(_rounded(places, TIGHT * style.width), bleed, bleed)
    return measured((bend(first, last),), bleed, bleed)


def _crossing(a: Entry, b: Entry) -> Point | None:
    """Where the straight ways in from two ports meet; nowhere where they run beside each other."""
    cross = a.inward.x * b.inward.y - a.inward.y * b.inward.x
    if abs(cross) < EPSILON:
        return None
    apart = b.middle - a.middle
    ahead = (apart.x * b.inward.y - apart.y * b.inward.x) / cross
    return a.middle + a.inward.scaled(ahead) if ahead > 0 else None


def _rounded(places: Sequence[Point], radius: float) -> Chain:
    """Straight lines from place to place, with their corners rounded as far as the lines are long enough."""
    found: list[Chain] = []
    at = places[0]
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        into, out = (corner - before).unit(), (after - corner).unit()
        turn = turning(into, out)
        if turn < EPSILON or turn > pi - EPSILON:
            continue
        cut = min(radius * tan(turn / 2), 0.49 * (corner - before).length(), 0.49 * (after - corner).length())
        start, end = LinePoint(corner - into.scaled(cut), into), LinePoint(corner + out.scaled(cut), out)
        found.append((line(at, start.place), bend(start, end)))
        at = end.place
    return (*(piece for pair in found for piece in pair), line(at, places[-1]))


def _check_room(link: Link, style: LinkStyle, side: Entry) -> None:
    casing = style.casing.width if style.casing else 0.0
    if style.width + 2 * casing > side.length:
        found = f"a link of kind {link.kind!r} is {number(style.width + 2 * casing)} mm wide with its casing"
        raise Wrong(found, f"at most its side, {number(side.length)} mm", kind=Kind.FIT)


ROUND = 96
"""Straight sides by which a circle's inside is measured."""


@dataclass(frozen=True)
class Entry:
    """A side, or a port: its middle, the unit vector from there into the tile, and how much room it has, in mm."""

    port: str
    middle: Point
    inward: Point
    length: float

    def depth(self, place: Point) -> float:
        """How far inside this side's line a place lies."""
        return (place.x - self.middle.x) * self.inward.x + (place.y - self.middle.y) * self.inward.y


@dataclass(frozen=True)
class Plot:
    """A tile's trim as links see it: vertices clockwise, side `i` from vertex `i` to the next.

    `points` are places inside it, by the names that its links call them. A circle's sides have no names.
    """

    vertices: tuple[Point, ...]
    sides: tuple[Entry, ...]
    points: Mapping[str, Point] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def box(self) -> Rect:
        """The upright box round the tile."""
        xs, ys = [v.x for v in self.vertices], [v.y for v in self.vertices]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))

    @cached_property
    def centre(self) -> Point:
        """The tile's middle: that of a triangle is nearer to its foot than to its tip."""
        if len(self.vertices) == len(TRIANGLE_PORTS):
            return Point(sum(v.x for v in self.vertices), sum(v.y for v in self.vertices)).scaled(1 / 3)
        return self.box.centre

    def with_points(self, points: Iterable[Inner]) -> Plot:
        """The outline with some points inside it."""
        named = {point.name: self.inner(point.x, point.y) for point in points}
        return replace(self, points=MappingProxyType(named))

    def inner(self, x: float, y: float) -> Point:
        """The place at so many hundredths of the box."""
        return Point(self.box.x + self.box.w * x / 100, self.box.y + self.box.h * y / 100)

    def side(self, port: str) -> Entry:
        """The side of this name, or the part of a side, the corner or the place on a circle that a port means."""
        if port.isdigit() and not self.sides[0].port:
            return self._on_circle(port)
        names = tuple(side.port for side in self.sides)
        if side_of(port) in names:
            return self._part(self.sides[names.index(side_of(port))], port)
        corners = CORNERS.get(names, ())
        if port in corners:
            return self._corner(corners.index(port), port)
        raise unknown("side", port, [*names, *corners])

    def edge(self, part: str) -> tuple[float, float]:
        """Where a part of a side begins and ends round the tile, in sides clockwise from the first vertex."""
        nth, of = part_of(part)
        first = [side.port for side in self.sides].index(side_of(part))
        return first + (nth - 1) / of, first + nth / of

    def _part(self, side: Entry, port: str) -> Entry:
        if side.port == port:
            return side
        share = float(share_of(port)) - 0.5
        along = side.inward.turned(-90)
        return Entry(port, side.middle + along.scaled(side.length * share), side.inward, side.length / part_of(port)[1])

    def _corner(self, nth: int, port: str) -> Entry:
        before, after = self.sides[nth], self.sides[(nth + 1) % len(self.sides)]
        inward = (before.inward + after.inward).unit()
        return Entry(port, self.vertices[(nth + 1) % len(self.vertices)], inward, min(before.length, after.length))

    def _on_circle(self, port: str) -> Entry:
        out, radius = radians(int(port)), self.box.w / 2
        inward = Point(-sin(out), cos(out))
        return Entry(port, self.centre - inward.scaled(radius), inward, radius)

    def way_in(self, side: Entry) -> float:
        """How far a link with one port goes in, in mm: to the centre, but never near to where it would come out."""
        out = (
            other.depth(side.middle) / -slope
            for other in self.sides
            if (slope := side.inward.x * other.inward.x + side.inward.y * other.inward.y) < -EPSILON
            and other.depth(side.middle) > EPSILON
        )
        return min(side.depth(self.centre), INSIDE * min(out, default=side.depth(self.centre)))

    def depth(self, place: Point) -> float:
        """How far a place lies from the nearest side; negative outside."""
        return min(side.depth(place) for side in self.sides)


def plot_of(outline: Outline) -> Plot:
    """What is cut, as links see it: its corners sharp, and the line round it where it has no straight sides."""
    if outline.is_circle or not outline.names:
        line = _circle(outline.size) if outline.is_circle else outline.flat
        return outline_round(line, ("",) * len(line))
    return outline_round(outline.corners, outline.names)


def outline_round(vertices: tuple[Point, ...], ports: tuple[str, ...]) -> Plot:
    """The outline with these vertices, clockwise; `ports` are the names of the sides between them."""
    ends = zip(ports, vertices, vertices[1:] + vertices[:1], strict=True)
    return Plot(vertices, tuple(_side(port, a, b) for port, a, b in ends))


def _circle(size: Size) -> tuple[Point, ...]:
    turns = (2 * pi * (i - 0.5) / ROUND for i in range(ROUND))
    reach = size.w / 2 / cos(pi / ROUND)
    return tuple(Point(size.w / 2 + reach * sin(turn), size.h / 2 - reach * cos(turn)) for turn in turns)


def _side(port: str, a: Point, b: Point) -> Entry:
    return Entry(port, (a + b).scaled(0.5), (b - a).unit().turned(90), (b - a).length())
