"""Which edges a person can find on the paper: those that marks go on with at both ends."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import atan2, pi

from generator.core import polygon
from generator.core.geometry import Point
from generator.core.outline import Outline
from generator.impose.sheet import Line

ANGLE = 0.002
"""Lines that differ by less, in radians, may be one line."""

OFF = 0.02
"""So far from a line, in mm, a mark is still on it."""

Lane = tuple[int, int]


class FoundLines:
    """Marks by the line that they lie on."""

    def __init__(self, marks: Sequence[Line]) -> None:
        """Sort them."""
        self._lanes: dict[Lane, list[Line]] = defaultdict(list)
        self.solid = [mark for mark in marks if not mark.dash]
        for mark in self.solid:
            self._lanes[_lane(mark.a, mark.b)].append(mark)

    def along(self, a: Point, b: Point) -> Iterator[tuple[float, float]]:
        """From where to where marks lie on the line through two places, from the first on, in mm."""
        turn, off = _lane(a, b)
        way = (b - a).unit()
        turns = round(pi / ANGLE)
        for step in (-1, 0, 1):
            for aside in (-1, 0, 1):
                for sign, around in ((1, 0), (-1, turns), (-1, -turns)):
                    for mark in self._lanes.get((turn + step + around, sign * (off + aside)), ()):
                        start, end = (polygon.dot(place - a, way) for place in (mark.a, mark.b))
                        if max(abs(polygon.cross(way, place - a)) for place in (mark.a, mark.b)) < OFF:
                            yield min(start, end), max(start, end)


def _lane(a: Point, b: Point) -> Lane:
    angle = atan2(b.y - a.y, b.x - a.x) % pi
    way = Point(1, 0).turned(angle * 180 / pi)
    return round(angle / ANGLE), round(polygon.cross(way, a) / OFF)


def unfound(cuts: Sequence[Outline], marks: Sequence[Line]) -> int:
    """How many edges have no marks at both ends; a circle is one edge, and two marks that point at its middle do."""
    lines = FoundLines(marks)
    return sum(_unfound(cut, lines) for cut in cuts)


def bare(cuts: Sequence[Outline], marks: Sequence[Line]) -> list[Outline]:
    """The outlines of which some edge is not found."""
    lines = FoundLines(marks)
    return [cut for cut in cuts if _unfound(cut, lines)]


def edges(cuts: Sequence[Outline]) -> int:
    """How many edges there are to be cut."""
    return sum(1 if cut.is_circle or cut.curve else len(cut.corners) for cut in cuts)


def _unfound(cut: Outline, lines: FoundLines) -> int:
    if cut.is_circle:
        return 0 if _pointed(cut, lines) else 1
    if cut.curve:
        return 1
    pairs = zip(cut.corners, (*cut.corners[1:], cut.corners[0]), strict=True)
    return sum(not _both_ends(a, b, lines) for a, b in pairs)


def _both_ends(a: Point, b: Point, lines: FoundLines) -> bool:
    spans, length = list(lines.along(a, b)), (b - a).length()
    return any(end <= OFF for _, end in spans) and any(start >= length - OFF for start, _ in spans)


def _pointed(cut: Outline, lines: FoundLines) -> bool:
    """Whether marks near a circle give its middle."""
    centre, reach = cut.centre, cut.size.w
    ways = [
        (mark.b - mark.a).unit()
        for mark in lines.solid
        if (mark.a - centre).length() < reach and abs(polygon.cross((mark.b - mark.a).unit(), mark.a - centre)) < OFF
    ]
    return any(abs(polygon.cross(ways[0], way)) > 0.1 for way in ways)
