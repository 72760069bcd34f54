"""Find the line that a link takes between its ports, and the area that it covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, pi, radians, sin, tan
from types import MappingProxyType

from generator.base.errors import InvalidValueError, Kind, unknown
from generator.base.geometry import EPSILON, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.polygon import box_around
from generator.base.ports import CORNERS, TRIANGLE_PORTS, part_of, share_of, side_of
from generator.base.units import number
from generator.draw.links.caps import Cap, cap_of, round_cap
from generator.draw.links.curves import (
    Chain,
    LinePoint,
    LinkWay,
    angle_between,
    bend,
    line,
    measure_way,
)
from generator.draw.links.outline import Body, Stub, Through, junction
from generator.pack.game import LinkStyle
from generator.pack.tile import Bend, Course, Inner, Link

SHARP_RADIUS_WIDTHS = 0.75
"""The radius of a sharp bend's centre line, in widths of the link."""

FILLET_HALF_WIDTHS = 1.1
"""The default radius of a junction's corners."""
MAX_ROUNDED_LEGS = 4
"""The number of legs up to which a junction has corners of the default radius."""
SMALL_FILLET_HALF_WIDTHS = 0.25
"""The radius of the corners of hubs and of junctions with more legs."""

POINT_LINK_MM = 0.01
"""The length of a link that only carries a feature on a point inside the tile."""

MAX_CROSSING_SHARE = 0.75
"""The largest length of a link with one port, as a share of the way to the opposite side."""

STRAIGHT_LEAD_WIDTHS = 0.6
"""The length for which a straight link leaves its port at a right angle, in widths of the link."""


def route(link: Link, style: LinkStyle, plot: Plot, bleed: float, share: float) -> Body:
    """Return the body of a link.

    `share` is the length of a link with one port, of the way to the centre.

    Raises `InvalidValueError` if the link is wider than its side, leaves the tile, or leads
    nowhere.
    """
    ends = [plot.points.get(port) or plot.side(port) for port in link.ports]
    for end in ends:
        if isinstance(end, Entry):
            _check_width(link, style, end)
    if len(ends) > 2 or link.course.hub:
        middle = meeting_place(link, plot)
        return junction(
            [_leg_line(end, middle, bleed) for end in ends],
            style.width / 2,
            _fillet_half_widths(link, style),
        )
    return _route_one_or_two(ends, link, style, plot, bleed, share)


def _route_one_or_two(
    ends: Sequence[Entry | Point],
    link: Link,
    style: LinkStyle,
    plot: Plot,
    bleed: float,
    share: float,
) -> Through | Stub:
    """Return the body of a link with one or two ports, some of which may be points inside the tile."""
    half = style.width / 2
    match ends:
        case [Entry() as a]:
            return Stub(
                _leg_line(a, _inner_end(a, link.course, plot, share), bleed),
                half,
                _cap(link, style),
            )
        case [Entry() as a, Entry() as b]:
            return Through(_line_between(a, b, link.course, style, plot, bleed), half)
        case [Entry() as a, Point() as b] | [Point() as b, Entry() as a]:
            return Stub(_leg_line(a, b, bleed), half, round_cap)
        case [Point() as a] if link.feature:
            return Stub(_leg_line(a, a + Point(0.0, POINT_LINK_MM), bleed), half, round_cap)
        case [Point() as a, Point() as b]:
            return Stub(_leg_line(a, b, bleed), half, round_cap)
    raise InvalidValueError(
        f"a link from the point {link.ports[0]!r} alone leads nowhere",
        "a side or another point for its other end, such as n-market:road",
    )


def meeting_place(link: Link, plot: Plot) -> Point:
    """Return the place where the legs of a junction meet."""
    return plot.inner(*link.course.through) if link.course.through else plot.centre


def _fillet_half_widths(link: Link, style: LinkStyle) -> float:
    """Return the radius of a junction's corners in half widths.

    With many legs the radius is small, so that the legs remain visible.
    """
    if style.fillet is not None:
        return style.fillet / (style.width / 2)
    has_small_corners = link.course.hub or len(link.ports) > MAX_ROUNDED_LEGS
    return SMALL_FILLET_HALF_WIDTHS if has_small_corners else FILLET_HALF_WIDTHS


def _cap(link: Link, style: LinkStyle) -> Cap:
    return round_cap if link.feature else cap_of(style)


def _inner_end(side: Entry, course: Course, plot: Plot, share: float) -> Point:
    """Return the inner end of a link with one port.

    Raise `InvalidValueError` if it lies outside the tile.
    """
    if course.through:
        return plot.inner(*course.through)
    far = course.reach if course.reach is not None else share
    depth = plot.max_length_inwards(side)
    end = side.middle + side.inward.scaled(depth * far if far <= 1 else far)
    if far > 1 and plot.depth(end) < 0:
        raise InvalidValueError(
            f"a link of {number(far)} mm leaves the tile",
            f"at most {number(depth)} mm, the distance to the centre",
        )
    return end


def _leg_line(start: Entry | Point, end: Point, bleed: float) -> LinkWay:
    """Return the line that leaves a side at a right angle and bends once to a place inside."""
    if isinstance(start, Point):
        return measure_way((line(start, end),), None, None)
    chord = (end - start.middle).unit()
    if angle_between(chord, start.inward) < EPSILON:
        return measure_way((line(start.middle, end),), bleed, None)
    along = 2 * (chord.x * start.inward.x + chord.y * start.inward.y)
    arriving = chord.scaled(along) - start.inward
    return measure_way(
        (bend(LinePoint(start.middle, start.inward), LinePoint(end, arriving)),), bleed, None
    )


def _line_between(
    a: Entry, b: Entry, course: Course, style: LinkStyle, plot: Plot, bleed: float
) -> LinkWay:
    """Return the line between two sides: an arc at right angles to both, or as the course says."""
    first = LinePoint(a.middle, a.inward)
    last = LinePoint(b.middle, b.inward.scaled(-1))
    if course.through:
        place = plot.inner(*course.through)
        middle = LinePoint(place, (b.middle - a.middle).unit())
        return measure_way((bend(first, middle), bend(middle, last)), bleed, bleed)
    if course.bend is Bend.SHARP and (corner := _crossing(a, b)) is not None:
        return measure_way(
            _rounded_chain([a.middle, corner, b.middle], SHARP_RADIUS_WIDTHS * style.width),
            bleed,
            bleed,
        )
    if course.bend is Bend.STRAIGHT:
        lead = STRAIGHT_LEAD_WIDTHS * style.width
        places = [
            a.middle,
            a.middle + a.inward.scaled(lead),
            b.middle + b.inward.scaled(lead),
            b.middle,
        ]
        return measure_way(_rounded_chain(places, SHARP_RADIUS_WIDTHS * style.width), bleed, bleed)
    return measure_way((bend(first, last),), bleed, bleed)


def _crossing(a: Entry, b: Entry) -> Point | None:
    """Return the place where the straight lines into the tile from two ports meet.

    None if they do not.
    """
    cross = a.inward.x * b.inward.y - a.inward.y * b.inward.x
    if abs(cross) < EPSILON:
        return None
    apart = b.middle - a.middle
    ahead = (apart.x * b.inward.y - apart.y * b.inward.x) / cross
    return a.middle + a.inward.scaled(ahead) if ahead > 0 else None


def _rounded_chain(places: Sequence[Point], radius: float) -> Chain:
    """Return straight lines from place to place with rounded corners, as far as their lengths allow."""
    chains: list[Chain] = []
    at = places[0]
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        into = (corner - before).unit()
        out = (after - corner).unit()
        turn = angle_between(into, out)
        if turn < EPSILON or turn > pi - EPSILON:
            continue
        # Less than half of each side, so that the corners at both its ends fit.
        cut = min(
            radius * tan(turn / 2),
            0.49 * (corner - before).length(),
            0.49 * (after - corner).length(),
        )
        start = LinePoint(corner - into.scaled(cut), into)
        end = LinePoint(corner + out.scaled(cut), out)
        chains.append((line(at, start.place), bend(start, end)))
        at = end.place
    return (*(piece for pair in chains for piece in pair), line(at, places[-1]))


def _check_width(link: Link, style: LinkStyle, side: Entry) -> None:
    casing = style.casing.width if style.casing else 0.0
    if style.width + 2 * casing > side.length:
        found = f"a link of kind {link.kind!r} is {number(style.width + 2 * casing)} mm wide with its casing"
        raise InvalidValueError(found, f"at most its side, {number(side.length)} mm", kind=Kind.FIT)


CIRCLE_SIDES = 96
"""Number of sides of the polygon that stands for a circle."""


@dataclass(frozen=True)
class Entry:
    """A side or a port: its middle, the unit vector into the tile, and its width in mm."""

    port: str
    middle: Point
    inward: Point
    length: float

    def depth(self, place: Point) -> float:
        """Return the distance in mm of a place inside this side's line; negative outside."""
        return (place.x - self.middle.x) * self.inward.x + (place.y - self.middle.y) * self.inward.y


@dataclass(frozen=True)
class Plot:
    """A tile's trim for links: vertices clockwise; side `i` runs from vertex `i` to the next.

    `points` are named places inside. The sides of a circle have empty names.
    """

    vertices: tuple[Point, ...]
    sides: tuple[Entry, ...]
    points: Mapping[str, Point] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def box(self) -> Rect:
        """Return the upright box around the tile."""
        return box_around(self.vertices)

    @cached_property
    def centre(self) -> Point:
        """Return the centre of the tile; of a triangle, the centroid."""
        if len(self.vertices) == len(TRIANGLE_PORTS):
            return Point(sum(v.x for v in self.vertices), sum(v.y for v in self.vertices)).scaled(
                1 / 3
            )
        return self.box.centre

    def with_points(self, points: Iterable[Inner]) -> Plot:
        """Return the plot with named points inside."""
        named = {point.name: self.inner(point.x, point.y) for point in points}
        return replace(self, points=MappingProxyType(named))

    def inner(self, x: float, y: float) -> Point:
        """Return the place at hundredths of the box."""
        return Point(self.box.x + self.box.w * x / 100, self.box.y + self.box.h * y / 100)

    def side(self, port: str) -> Entry:
        """Return the side, part of a side, corner, or place on a circle that a port names."""
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
        """Return the start and end of a part of a side around the tile, in sides clockwise from the first vertex."""
        number_of_part, parts = part_of(part)
        first = [side.port for side in self.sides].index(side_of(part))
        return first + (number_of_part - 1) / parts, first + number_of_part / parts

    def _part(self, side: Entry, port: str) -> Entry:
        if side.port == port:
            return side
        share = float(share_of(port)) - 0.5
        along = side.inward.turned(-90)
        return Entry(
            port,
            side.middle + along.scaled(side.length * share),
            side.inward,
            side.length / part_of(port)[1],
        )

    def _corner(self, index: int, port: str) -> Entry:
        before = self.sides[index]
        after = self.sides[(index + 1) % len(self.sides)]
        inward = (before.inward + after.inward).unit()
        return Entry(
            port,
            self.vertices[(index + 1) % len(self.vertices)],
            inward,
            min(before.length, after.length),
        )

    def _on_circle(self, port: str) -> Entry:
        out = radians(int(port))
        radius = self.box.w / 2
        inward = Point(-sin(out), cos(out))
        return Entry(port, self.centre - inward.scaled(radius), inward, radius)

    def max_length_inwards(self, side: Entry) -> float:
        """Return the largest length in mm of a link with one port: to the centre, well short of the far side."""
        out = (
            other.depth(side.middle) / -slope
            for other in self.sides
            if (slope := side.inward.x * other.inward.x + side.inward.y * other.inward.y) < -EPSILON
            and other.depth(side.middle) > EPSILON
        )
        return min(
            side.depth(self.centre), MAX_CROSSING_SHARE * min(out, default=side.depth(self.centre))
        )

    def depth(self, place: Point) -> float:
        """Return the distance in mm of a place from the nearest side; negative outside."""
        return min(side.depth(place) for side in self.sides)


def plot_of(outline: Outline) -> Plot:
    """Return the plot of an outline: with sharp corners, or with short sides around a curve."""
    if outline.is_circle or not outline.names:
        line = _circle(outline.size) if outline.is_circle else outline.flat
        return plot_from_vertices(line, ("",) * len(line))
    return plot_from_vertices(outline.corners, outline.names)


def plot_from_vertices(vertices: tuple[Point, ...], ports: tuple[str, ...]) -> Plot:
    """Return the plot with these vertices, clockwise.

    `ports` are the names of the sides between them.
    """
    ends = zip(ports, vertices, vertices[1:] + vertices[:1], strict=True)
    return Plot(vertices, tuple(_side(port, a, b) for port, a, b in ends))


def _circle(size: Size) -> tuple[Point, ...]:
    turns = (2 * pi * (i - 0.5) / CIRCLE_SIDES for i in range(CIRCLE_SIDES))
    reach = size.w / 2 / cos(pi / CIRCLE_SIDES)
    return tuple(
        Point(size.w / 2 + reach * sin(turn), size.h / 2 - reach * cos(turn)) for turn in turns
    )


def _side(port: str, a: Point, b: Point) -> Entry:
    return Entry(port, (a + b).scaled(0.5), (b - a).unit().turned(90), (b - a).length())
