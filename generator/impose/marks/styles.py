"""Cut marks: a row for each style, their strokes clear of all ink, and the edges that can be found by them."""

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

# Width of a mark.
WIDTH = 0.15

# From a mark's middle to the nearest ink: 0.2 mm of paper, half the line, and the tolerance of
# rounding.
CLEAR = 0.2 + WIDTH / 2 + 0.005

# Length of ticks: beside empty slots a longer one would suggest a cut.
LONGEST = 15.0


class PieceCut(NamedTuple):
    """The trim and the ink of a piece."""

    trim: Rect
    ink: Rect


class MarkStroke(NamedTuple):
    """A stretch of the upright line at `x`, from `top` down to `bottom`, in mm."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class MarkStyle:
    """A style of cut marks.

    `reach` is the preferred length in mm of strokes outside the pieces. `upright` yields the strokes
    along the upright cuts; those along the level cuts follow by swapping x and y. At corners where four
    pieces touch, where no paper is left, a + with `arms` in mm is drawn on the pieces.
    """

    name: str
    what: str
    reach: float
    upright: Callable[[Sequence[PieceCut]], Iterable[MarkStroke]]
    arms: float = 0.0

    def __reduce__(self) -> tuple[Callable[[str], "MarkStyle"], tuple[str]]:
        """Pickle the style as its name: the functions in its row cannot be pickled."""
        return style, (self.name,)


def _near_corners(reach: float, cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    """Yield strokes from each corner past the piece's own ink, and `reach` mm further."""
    for trim, ink in cuts:
        for x in (trim.x, trim.right):
            yield MarkStroke(x, ink.y - CLEAR - reach, trim.y)
            yield MarkStroke(x, trim.bottom, ink.bottom + CLEAR + reach)


def _round_the_grid(cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    """Yield strokes outwards from the ink's outer edge; none between the pieces or beside empty slots."""
    whole = Rect.round_all([ink for _, ink in cuts])
    for trim, _ in cuts:
        for x in (trim.x, trim.right):
            yield MarkStroke(x, whole.y - LONGEST, whole.y)
            yield MarkStroke(x, whole.bottom, whole.bottom + LONGEST)


def _nothing(_cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    return iter(())


# For users who cut with a template, and for machines.
NO_MARKS = MarkStyle("none", "no cut marks", 0.0, _nothing)

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
    """Return the style called `name`; raise Wrong for an unknown name."""
    if name not in STYLES:
        raise unknown("marks", name, STYLES)
    return STYLES[name]


# Shorter marks would be specks.
SHORTEST = 0.4

# Decimals in mm to which cuts must agree to be one cut.
SAME = 6


class LineSpan(NamedTuple):
    """A stretch of a line, from `start` to `end` in mm."""

    start: float
    end: float


def lines(style: MarkStyle, cuts: Sequence[PieceCut], within: Rect, kept: Sequence[Rect] = ()) -> tuple[Line, ...]:
    """Return the marks of one side: inside `within`, clear of every ink and every rectangle of `kept`."""
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
    """Return the points where four pieces touch."""
    times = Counter((round(x, SAME), round(y, SAME)) for cut in cuts for x, y in product(*_ends(cut.trim)))
    return [Point(*at) for at, many in sorted(times.items()) if many == 4]


def _ends(rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    return (rect.x, rect.right), (rect.y, rect.bottom)


def _cross(at: Point, arm: float) -> Iterator[Line]:
    yield Line(Point(at.x, at.y - arm), Point(at.x, at.y + arm), WIDTH)
    yield Line(Point(at.x - arm, at.y), Point(at.x + arm, at.y), WIDTH)


def both_ways(marks: Sequence[Line]) -> bool:
    """Return True if there are marks for upright and for level cuts."""
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
            top = max(span.start, inner.y)
            bottom = min(span.end, inner.bottom)
            if bottom - top >= SHORTEST and inner.x <= x <= inner.right:
                yield MarkStroke(x, top, bottom)


def merged(spans: Sequence[LineSpan]) -> list[LineSpan]:
    """Return the stretches in order, joined where they meet."""
    result: list[LineSpan] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            result[-1] = LineSpan(result[-1].start, max(span.end, result[-1].end))
        else:
            result.append(span)
    return result


def without(spans: Sequence[LineSpan], blocks: Sequence[LineSpan]) -> Iterator[LineSpan]:
    """Yield the parts of the stretches outside the blocks; both must be sorted and disjoint."""
    for span in spans:
        start = span.start
        for block in blocks:
            if block.end > start and block.start < span.end:
                if block.start > start:
                    yield LineSpan(start, block.start)
                start = block.end
        if start < span.end:
            yield LineSpan(start, span.end)


# Radians by which the directions of marks on one line may differ.
ANGLE = 0.002

# Distance from a line within which a mark lies on it.
OFF = 0.02

Lane = tuple[int, int]


class FoundLines:
    """Marks by the line on which they lie."""

    def __init__(self, marks: Sequence[Line]) -> None:
        """Sort the marks by line."""
        self._lanes: dict[Lane, list[Line]] = defaultdict(list)
        self.solid = [mark for mark in marks if not mark.dash]
        for mark in self.solid:
            self._lanes[_lane(mark.a, mark.b)].append(mark)

    def along(self, a: Point, b: Point) -> Iterator[tuple[float, float]]:
        """Yield the stretches of marks on the line through two points, in mm from the first point."""
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
    """Count the edges without marks at both ends.

    A circle is one edge and needs two marks that point at its centre.
    """
    lines = FoundLines(marks)
    return sum(_unfound(cut, lines) for cut in cuts)


def bare_edges(cuts: Sequence[Outline], marks: Sequence[Line]) -> list[Outline]:
    """Return the outlines with an edge that lacks marks."""
    lines = FoundLines(marks)
    return [cut for cut in cuts if _unfound(cut, lines)]


def edges(cuts: Sequence[Outline]) -> int:
    """Count the edges to cut."""
    return sum(1 if cut.is_circle or cut.curve else len(cut.corners) for cut in cuts)


def _unfound(cut: Outline, lines: FoundLines) -> int:
    if cut.is_circle:
        return 0 if _pointed(cut, lines) else 1
    if cut.curve:
        return 1
    pairs = zip(cut.corners, (*cut.corners[1:], cut.corners[0]), strict=True)
    return sum(not _both_ends(a, b, lines) for a, b in pairs)


def _both_ends(a: Point, b: Point, lines: FoundLines) -> bool:
    spans = list(lines.along(a, b))
    length = (b - a).length()
    return any(end <= OFF for _, end in spans) and any(start >= length - OFF for start, _ in spans)


def _pointed(cut: Outline, lines: FoundLines) -> bool:
    """Return True if marks near a circle give its centre."""
    centre = cut.centre
    reach = cut.size.w
    ways = [
        (mark.b - mark.a).unit()
        for mark in lines.solid
        if (mark.a - centre).length() < reach and abs(polygon.cross((mark.b - mark.a).unit(), mark.a - centre)) < OFF
    ]
    return any(abs(polygon.cross(ways[0], way)) > 0.1 for way in ways)
