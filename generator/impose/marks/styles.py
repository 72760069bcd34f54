"""Cut marks: a row a style, how strokes become lines clear of all ink, and which edges a person can find by them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import atan2, pi
from types import MappingProxyType
from typing import NamedTuple

from generator.core import polygon
from generator.core.geometry import Point, Rect
from generator.core.outline import Outline
from generator.core.problems import unknown
from generator.impose.sheet import Line

WIDTH = 0.15
"""A mark's width in mm."""

CLEAR = 0.2 + WIDTH / 2 + 0.005
"""From a mark's middle to the nearest ink, in mm: 0.2 mm of paper, half the line, and what rounding may take."""

LONGEST = 15.0
"""mm: beside slots that stay empty, a longer tick would say that there is something to cut."""


class PieceCut(NamedTuple):
    """A piece as marks see it: where it is cut, and where it is inked."""

    trim: Rect
    ink: Rect


class MarkStroke(NamedTuple):
    """A stretch of the upright line at `x`, from `top` down to `bottom`, in mm."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class MarkStyle:
    """A style of marks.

    `reach` is how far, in mm, its strokes would like to stand out from the pieces.
    `upright` gives the strokes along the upright cuts; those along the level cuts are
    had from it by swapping x and y. At corners where four pieces touch, a + of such `arms`, in mm,
    lies over them: there is no paper that could bear it.
    """

    name: str
    what: str
    reach: float
    upright: Callable[[Sequence[PieceCut]], Iterable[MarkStroke]]
    arms: float = 0.0

    def __reduce__(self) -> tuple[Callable[[str], "MarkStyle"], tuple[str]]:
        """It travels by its name."""
        return style, (self.name,)


def _near_corners(reach: float, cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    """From each corner past the piece's own ink and `reach` mm further."""
    for trim, ink in cuts:
        for x in (trim.x, trim.right):
            yield MarkStroke(x, ink.y - CLEAR - reach, trim.y)
            yield MarkStroke(x, trim.bottom, ink.bottom + CLEAR + reach)


def _round_the_grid(cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    """Outwards from the ink's outer edge: nothing between the pieces, not even beside empty slots."""
    whole = Rect.round_all([ink for _, ink in cuts])
    for trim, _ in cuts:
        for x in (trim.x, trim.right):
            yield MarkStroke(x, whole.y - LONGEST, whole.y)
            yield MarkStroke(x, whole.bottom, whole.bottom + LONGEST)


def _nothing(_cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    return iter(())


NO_MARKS = MarkStyle("none", "no cut marks", 0.0, _nothing)
"""For those who cut with a template, and for machines."""

_ROWS = (
    MarkStyle(
        "crosshair",
        "a + at every crossing of cuts that has room for one, and outside the grid",
        4.0,
        partial(_near_corners, 4.0),
    ),
    MarkStyle(
        "crosses",
        "as crosshair, and a small + over the pieces at every corner where four of them touch",
        4.0,
        partial(_near_corners, 4.0),
        arms=1.5,
    ),
    MarkStyle("ticks", "lines from the grid outwards, nothing between the pieces", 4.0, _round_the_grid),
    MarkStyle("corners", "short strokes at the corners of each piece", 2.0, partial(_near_corners, 2.0)),
    NO_MARKS,
)

STYLES: Mapping[str, MarkStyle] = MappingProxyType({row.name: row for row in _ROWS})
CROSSHAIR = STYLES["crosshair"]


def style(name: str) -> MarkStyle:
    """The style of that name."""
    if name not in STYLES:
        raise unknown("marks", name, STYLES)
    return STYLES[name]


SHORTEST = 0.4
"""Marks that would come out shorter than this, in mm, are specks and not marks."""

SAME = 6
"""Cuts that agree to so many digits after the point, in mm, are one cut."""


class LineSpan(NamedTuple):
    """A stretch of a line."""

    start: float
    end: float


def lines(style: MarkStyle, cuts: Sequence[PieceCut], within: Rect, kept: Sequence[Rect] = ()) -> tuple[Line, ...]:
    """The marks of one side: inside `within`, clear of every ink and of every rectangle of `kept`."""
    if not cuts:
        return ()
    upright = _upright(style, cuts, within, kept)
    level = _upright(style, [PieceCut(*map(_swap, cut)) for cut in cuts], _swap(within), [_swap(rect) for rect in kept])
    return (
        *(Line(Point(x, top), Point(x, bottom), WIDTH) for x, top, bottom in upright),
        *(Line(Point(left, y), Point(right, y), WIDTH) for y, left, right in level),
        *(line for at in _shared_corners(cuts) if style.arms for line in _cross(at, style.arms)),
    )


def _shared_corners(cuts: Sequence[PieceCut]) -> list[Point]:
    """Where four pieces touch."""
    times = Counter((round(x, SAME), round(y, SAME)) for cut in cuts for x, y in product(*_ends(cut.trim)))
    return [Point(*at) for at, many in sorted(times.items()) if many == 4]


def _ends(rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    return (rect.x, rect.right), (rect.y, rect.bottom)


def _cross(at: Point, arm: float) -> Iterator[Line]:
    yield Line(Point(at.x, at.y - arm), Point(at.x, at.y + arm), WIDTH)
    yield Line(Point(at.x - arm, at.y), Point(at.x + arm, at.y), WIDTH)


def both_ways(marks: Sequence[Line]) -> bool:
    """Whether there are marks for upright cuts and for level ones."""
    upright = [abs(mark.a.x - mark.b.x) < abs(mark.a.y - mark.b.y) for mark in marks]
    return any(upright) and not all(upright)


def _swap(rect: Rect) -> Rect:
    return Rect(rect.y, rect.x, rect.h, rect.w)


def _upright(style: MarkStyle, cuts: Sequence[PieceCut], within: Rect, kept: Sequence[Rect]) -> Iterator[MarkStroke]:
    wanted: dict[float, list[LineSpan]] = defaultdict(list)
    for x, top, bottom in style.upright(cuts):
        wanted[round(x, SAME)].append(LineSpan(top, bottom))
    taken = [rect.grown(CLEAR) for rect in (*(cut.ink for cut in cuts), *kept)]
    inner = within.grown(-WIDTH / 2)
    for x in sorted(wanted):
        blocks = [LineSpan(rect.y, rect.bottom) for rect in taken if rect.x < x < rect.right]
        for span in without(merged(wanted[x]), merged(blocks)):
            top, bottom = max(span.start, inner.y), min(span.end, inner.bottom)
            if bottom - top >= SHORTEST and inner.x <= x <= inner.right:
                yield MarkStroke(x, top, bottom)


def merged(spans: Sequence[LineSpan]) -> list[LineSpan]:
    """The same stretches in order, those that meet made one."""
    result: list[LineSpan] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            result[-1] = LineSpan(result[-1].start, max(span.end, result[-1].end))
        else:
            result.append(span)
    return result


def without(spans: Sequence[LineSpan], blocks: Sequence[LineSpan]) -> Iterator[LineSpan]:
    """What the blocks leave of the stretches; both in order and apart from their like."""
    for span in spans:
        start = span.start
        for block in blocks:
            if block.end > start and block.start < span.end:
                if block.start > start:
                    yield LineSpan(start, block.start)
                start = block.end
        if start < span.end:
            yield LineSpan(start, span.end)


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


def bare_edges(cuts: Sequence[Outline], marks: Sequence[Line]) -> list[Outline]:
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
