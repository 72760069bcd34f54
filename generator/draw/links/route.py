"""From a link's notation to the area that it covers: which line it takes between its ports."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, tan

from generator.core.geometry import EPSILON, Point
from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.draw.links.body import Body, Stub, Through, junction
from generator.draw.links.caps import Cap, cap_named, round_cap
from generator.draw.links.line import Chain, LinePoint, LinkWay, bend, line, measured, turning
from generator.draw.links.ports import Entry, Plot
from generator.pack.game import LinkStyle
from generator.pack.tile import Bend, Course, Link

TIGHT = 0.75
"""The middle of a sharp bend turns by this many widths of its link, at the least."""

SPARE, MANY = 0.25, 4
"""The corners of a junction of more legs than so many are rounded by so many half widths."""

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
            return Stub(_leg(a, b, bleed), half, round_cap)
        case [Point() as a, Point() as b]:
            return Stub(_leg(a, b, bleed), half, round_cap)
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
    return round_cap if link.feature else cap_named(style.cap)


def _reached(side: Entry, course: Course, plot: Plot, share: float) -> Point:
    """Where a link with one port ends."""
    if course.through:
        return plot.inner(*course.through)
    far = course.reach if course.reach is not None else share
    depth = side.depth(plot.centre)
    aim = side.middle + side.inward.scaled(depth)
    way = aim - side.middle
    return side.middle + (way.scaled(far) if far <= 1 else way.unit().scaled(far))


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
