"""Cut marks by style, clear of all ink, and the lines on the paper by which pieces are folded or cut out.

Marks of boxes in a grid are shared by their cuts; around other outlines each side continues past its corners. The
edges that no mark shows are counted, and pieces that marks cannot show get a thin line.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, product
from math import atan2, pi
from types import MappingProxyType

from generator.base import polygon
from generator.base.errors import find_row
from generator.base.geometry import EPSILON, Point, Rect, Segment
from generator.base.outline import Outline
from generator.impose.grid import Slot
from generator.impose.sheet import Line

# Nearly two dots of a printer with 300 dpi, so a mark has no gaps; a blade can be held to its middle.
MARK_WIDTH_MM = 0.15

# From a mark's middle to the nearest ink: 0.2 mm of paper, half the line, and the tolerance of
# rounding.
INK_CLEARANCE_MM = 0.2 + MARK_WIDTH_MM / 2 + 0.005

# Length of ticks: beside empty slots a longer one would suggest a cut.
TICK_LENGTH_MM = 15.0


# A stretch of an upright line: its x, top and bottom in mm.
MarkStroke = tuple[float, float, float]

# A stretch of a line: its start and end in mm.
Span = tuple[float, float]


@dataclass(frozen=True)
class MarkStyle:
    """A style of cut marks.

    `reach` is the preferred length in mm of strokes outside the pieces. `draw_upright` returns the
    strokes along the upright cuts; those along the level cuts follow by swapping x and y. At
    corners where four pieces touch, no paper is left for marks: with a `cross_arm` in mm, a + is
    drawn on the pieces there.
    """

    name: str
    summary: str
    reach: float
    draw_upright: Callable[[Sequence[Slot]], Iterable[MarkStroke]]
    cross_arm: float = 0.0

    def __reduce__(self) -> tuple[Callable[[str], "MarkStyle"], tuple[str]]:
        """Pickle the style as its name: the functions in its row cannot be pickled."""
        return find_style, (self.name,)


def _near_corners(reach: float, slots: Sequence[Slot]) -> Iterator[MarkStroke]:
    """Yield strokes from each corner past the piece's own ink, and `reach` mm further."""
    for slot in slots:
        for x in (slot.trim.x, slot.trim.right):
            yield x, slot.ink.y - INK_CLEARANCE_MM - reach, slot.trim.y
            yield x, slot.trim.bottom, slot.ink.bottom + INK_CLEARANCE_MM + reach


def _outside_grid(slots: Sequence[Slot]) -> Iterator[MarkStroke]:
    """Yield strokes outwards from the ink's outer edge; none between the pieces."""
    extent = Rect.around([slot.ink for slot in slots])
    for slot in slots:
        for x in (slot.trim.x, slot.trim.right):
            yield x, extent.y - TICK_LENGTH_MM, extent.y
            yield x, extent.bottom, extent.bottom + TICK_LENGTH_MM


def _no_strokes(_slots: Sequence[Slot]) -> Iterator[MarkStroke]:
    return iter(())


# For users who cut with a template, and for machines.
NO_MARKS = MarkStyle("none", "no cut marks", 0.0, _no_strokes)

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
        cross_arm=1.5,
    ),
    MarkStyle(
        "ticks", "lines from the grid outwards, nothing between the pieces", 4.0, _outside_grid
    ),
    MarkStyle(
        "corners", "short strokes at the corners of each piece", 2.0, partial(_near_corners, 2.0)
    ),
    NO_MARKS,
)

MARK_STYLES: Mapping[str, MarkStyle] = MappingProxyType({row.name: row for row in _ROWS})
CROSSHAIR = MARK_STYLES["crosshair"]


def find_style(name: str) -> MarkStyle:
    """Return the style called `name`; raise InvalidValueError for an unknown name."""
    return find_row("marks", name, MARK_STYLES)


# Shorter marks would be specks.
MIN_MARK_MM = 0.4

# Decimals in mm to which cuts must agree to be one cut.
CUT_DECIMALS = 6


def draw_grid_marks(
    style: MarkStyle, slots: Sequence[Slot], within: Rect, obstacles: Sequence[Rect] = ()
) -> tuple[Line, ...]:
    """Return the marks of one side: inside `within`, clear of every ink and every rectangle of `obstacles`."""
    if not slots:
        return ()
    upright = _upright(style, slots, within, obstacles)
    swapped = [Slot(slot.trim.transposed, slot.ink.transposed) for slot in slots]
    level = _upright(style, swapped, within.transposed, [rect.transposed for rect in obstacles])
    crosses = _shared_corners(slots) if style.cross_arm else []
    return (
        *(Line(Point(x, top), Point(x, bottom), MARK_WIDTH_MM) for x, top, bottom in upright),
        *(Line(Point(left, y), Point(right, y), MARK_WIDTH_MM) for y, left, right in level),
        *(line for at in crosses for line in _cross(at, style.cross_arm)),
    )


def _shared_corners(slots: Sequence[Slot]) -> list[Point]:
    """Return the points where four pieces touch."""
    times = Counter(
        (round(x, CUT_DECIMALS), round(y, CUT_DECIMALS))
        for slot in slots
        for x, y in product(*_ends(slot.trim))
    )
    return [Point(*at) for at, count in sorted(times.items()) if count == 4]


def _ends(rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    return (rect.x, rect.right), (rect.y, rect.bottom)


def _cross(at: Point, arm: float) -> Iterator[Line]:
    yield Line(Point(at.x, at.y - arm), Point(at.x, at.y + arm), MARK_WIDTH_MM)
    yield Line(Point(at.x - arm, at.y), Point(at.x + arm, at.y), MARK_WIDTH_MM)


def has_both_directions(marks: Sequence[Line]) -> bool:
    """Return True if there are marks for upright and for level cuts."""
    upright = [abs(mark.a.x - mark.b.x) < abs(mark.a.y - mark.b.y) for mark in marks]
    return any(upright) and not all(upright)


def _upright(
    style: MarkStyle, slots: Sequence[Slot], within: Rect, obstacles: Sequence[Rect]
) -> Iterator[MarkStroke]:
    strokes: dict[float, list[Span]] = defaultdict(list)
    for x, top, bottom in style.draw_upright(slots):
        strokes[round(x, CUT_DECIMALS)].append((top, bottom))
    blocked = [rect.grown(INK_CLEARANCE_MM) for rect in (*(slot.ink for slot in slots), *obstacles)]
    inner = within.grown(-MARK_WIDTH_MM / 2)
    for x in sorted(strokes):
        blocks = [(rect.y, rect.bottom) for rect in blocked if rect.x < x < rect.right]
        for start, end in subtract_spans(merge_spans(strokes[x]), merge_spans(blocks)):
            top = max(start, inner.y)
            bottom = min(end, inner.bottom)
            if bottom - top >= MIN_MARK_MM and inner.x <= x <= inner.right:
                yield x, top, bottom


def merge_spans(spans: Sequence[Span]) -> list[Span]:
    """Return the stretches in order, joined where they meet."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def subtract_spans(spans: Sequence[Span], blocks: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of the stretches outside the blocks; both must be sorted and disjoint."""
    for first, end in spans:
        start = first
        for block_start, block_end in blocks:
            if block_end > start and block_start < end:
                if block_start > start:
                    yield start, block_start
                start = block_end
        if start < end:
            yield start, end


def clear_parts(
    line: Line, blocks: Iterable[Sequence[Point]], bounds: Sequence[Point] | None = None
) -> Iterator[Line]:
    """Yield the parts of a line that no polygon of `blocks` covers, without those too short to be seen.

    With `bounds`, the parts stay inside this convex polygon.
    """
    along = (line.b - line.a).unit()
    start = 0.0
    end = (line.b - line.a).length()
    if bounds is not None:
        inside = polygon.inside_spans(bounds, line.a, along)
        if not inside:
            return
        start = max(start, inside[0][0])
        end = min(end, inside[0][1])
    blocked = [span for block in blocks for span in polygon.inside_spans(block, line.a, along)]
    for first, last in subtract_spans([(start, end)], merge_spans(blocked)):
        if last - first >= MIN_MARK_MM:
            yield replace(line, a=line.a + along.scaled(first), b=line.a + along.scaled(last))


# Radians by which the directions of marks on one line may differ.
ANGLE_TOLERANCE_RAD = 0.002

# Distance from a line within which a mark lies on it.
LINE_TOLERANCE_MM = 0.02

# The sine of the least angle between two marks that give a circle's centre.
MIN_CROSSING_SINE = 0.1

# The direction of a line and its distance from the origin, in units of the two tolerances.
Lane = tuple[int, int]


# Marks by the line on which they lie; dashed ones are folds and left out.
MarksByLine = Mapping[Lane, Sequence[Line]]


def _sort_by_line(marks: Sequence[Line]) -> MarksByLine:
    lanes: dict[Lane, list[Line]] = defaultdict(list)
    for mark in marks:
        if not mark.dash:
            lanes[_lane(mark.a, mark.b)].append(mark)
    return lanes


def _find_along(lanes: MarksByLine, a: Point, b: Point) -> Iterator[Span]:
    """Yield the stretches of marks on the line through two points, in mm from the first point."""
    # Marks may have been rounded into a neighbouring lane, and a direction near 180 degrees into
    # one near 0, which turns the distance over.
    turn, off = _lane(a, b)
    way = (b - a).unit()
    turns = round(pi / ANGLE_TOLERANCE_RAD)
    flips = ((1, 0), (-1, turns), (-1, -turns))
    for step, aside, (sign, around) in product((-1, 0, 1), (-1, 0, 1), flips):
        for mark in lanes.get((turn + step + around, sign * (off + aside)), ()):
            ends = (mark.a - a, mark.b - a)
            if max(abs(polygon.cross(way, end)) for end in ends) < LINE_TOLERANCE_MM:
                start, end = sorted(polygon.dot(end, way) for end in ends)
                yield start, end


def _lane(a: Point, b: Point) -> Lane:
    angle = atan2(b.y - a.y, b.x - a.x) % pi
    way = Point(1, 0).turned(angle * 180 / pi)
    return round(angle / ANGLE_TOLERANCE_RAD), round(polygon.cross(way, a) / LINE_TOLERANCE_MM)


def count_unmarked_edges(cuts: Sequence[Outline], marks: Sequence[Line]) -> int:
    """Count the edges without marks at both ends.

    A circle is one edge and needs two marks that point at its centre.
    """
    lines = _sort_by_line(marks)
    return sum(_count_unmarked(cut, lines) for cut in cuts)


def find_unmarked(cuts: Sequence[Outline], marks: Sequence[Line]) -> list[Outline]:
    """Return the outlines with an edge that lacks marks."""
    lines = _sort_by_line(marks)
    return [cut for cut in cuts if _count_unmarked(cut, lines)]


def count_edges(cuts: Sequence[Outline]) -> int:
    """Count the edges to cut."""
    return sum(1 if cut.is_circle or cut.curve else len(cut.corners) for cut in cuts)


def _count_unmarked(cut: Outline, lines: MarksByLine) -> int:
    if cut.is_circle:
        return 0 if _has_centre_marks(cut, lines) else 1
    if cut.curve:
        return 1
    pairs = zip(cut.corners, (*cut.corners[1:], cut.corners[0]), strict=True)
    return sum(not _has_both_ends(a, b, lines) for a, b in pairs)


def _has_both_ends(a: Point, b: Point, lines: MarksByLine) -> bool:
    spans = list(_find_along(lines, a, b))
    length = (b - a).length()
    return any(end <= LINE_TOLERANCE_MM for _, end in spans) and any(
        start >= length - LINE_TOLERANCE_MM for start, _ in spans
    )


def _has_centre_marks(cut: Outline, lines: MarksByLine) -> bool:
    """Return True if marks near a circle give its centre."""
    centre = cut.centre
    reach = cut.size.w
    ways = [
        (mark.b - mark.a).unit()
        for mark in chain.from_iterable(lines.values())
        if (mark.a - centre).length() < reach
        and abs(polygon.cross((mark.b - mark.a).unit(), mark.a - centre)) < LINE_TOLERANCE_MM
    ]
    return any(abs(polygon.cross(ways[0], way)) > MIN_CROSSING_SINE for way in ways)


# Lengths in mm drawn and left out, for folds away from the reader.
DOT_LENGTHS_MM = (0.4, 1.2)

# Lengths in mm drawn and left out, for folds towards the reader.
DASH_LENGTHS_MM = (1.5, 0.8)

# Twice the width of a cut mark, because the dots of a fold are only 0.4 mm long.
FOLD_WIDTH_MM = 0.3

# Length of the ends of a piece's creases.
CREASE_END_MM = 5.0


# Free space from the ink of a folded piece to the next ink: enough for a mark to be seen.
FOLD_CLEARANCE_MM = 3.0


def draw_crease(crease: Segment, within: Rect, obstacles: Sequence[Rect]) -> tuple[Line, ...]:
    """Return an upright or level crease inside `within`, broken at the rectangles of `obstacles`."""
    line = Line(crease.a, crease.b, FOLD_WIDTH_MM, DOT_LENGTHS_MM)
    blocks = [polygon.box(rect.grown(INK_CLEARANCE_MM)) for rect in obstacles]
    return tuple(clear_parts(line, blocks, polygon.box(within.grown(-FOLD_WIDTH_MM / 2))))


def draw_crease_ends(
    crease: Segment, ink: Rect, within: Rect, obstacles: Sequence[Rect]
) -> tuple[Line, ...]:
    """Return the ends of a crease outside the piece's ink: nothing is printed on the piece."""
    reach = INK_CLEARANCE_MM + CREASE_END_MM
    if crease.a.x == crease.b.x:
        longer = Segment(Point(crease.a.x, ink.y - reach), Point(crease.a.x, ink.bottom + reach))
    else:
        longer = Segment(Point(ink.x - reach, crease.a.y), Point(ink.right + reach, crease.a.y))
    return draw_crease(longer, within, [ink, *obstacles])


# Distance from the trim to the thin line: scissors that are half a mm off leave none of it on the
# piece.
THIN_LINE_DISTANCE_MM = 0.8

# (width in mm, grey) of lines drawn over one another: black in a white rim shows on any ink.
THIN_LINE_STROKES = ((0.3, 1.0), (0.1, 0.0))


def has_space_around(cut: Outline, others: Sequence[Outline], within: Rect) -> bool:
    """Return True if a thin line around a piece touches no other piece and is printable."""
    line = cut.grown(THIN_LINE_DISTANCE_MM + THIN_LINE_STROKES[0][0] / 2)
    return within.holds(line.box) and not any(
        line.overlaps(other) for other in others if other is not cut
    )


# (width in mm, grey) of the lines on a cut circle: black in a white rim shows on any ink.
CIRCLE_STROKES = ((0.4, 1.0), (0.15, 0.0))


def draw_circle_line(cut: Outline) -> Iterator[Line]:
    """Yield the thin line along the trim of a round piece, as chords."""
    return _draw_rim(cut, CIRCLE_STROKES)


def draw_thin_line(cut: Outline) -> Iterator[Line]:
    """Yield the thin line around a piece."""
    return _draw_rim(cut.grown(THIN_LINE_DISTANCE_MM), THIN_LINE_STROKES)


def _draw_rim(outline: Outline, strokes: Sequence[tuple[float, float]]) -> Iterator[Line]:
    """Yield the lines along an outline in some strokes: the width in mm and the grey of each."""
    flat = outline.flat
    sides = [(a, b) for a, b in pairwise((*flat, flat[0])) if (b - a).length() > EPSILON]
    for width, grey in strokes:
        yield from (Line(a, b, width, grey=grey) for a, b in sides)


# The sine of a turn below which a corner counts as straight.
MAX_STRAIGHT_SINE = 0.05

AXES = (Point(0, -1), Point(1, 0), Point(0, 1), Point(-1, 0))

# Directions of a circle's marks: between neighbours in a square or hexagonal arrangement there is
# space.
MARK_DIRECTIONS = tuple(
    tuple(Point(0, -1).turned(turn) for turn in range(first, first + 360, step))
    for first, step in ((0, 90), (45, 90), (30, 60), (0, 60))
)


def draw_outline_marks(
    cuts: Sequence[Outline],
    inks: Sequence[Outline],
    reach: float,
    within: Rect,
    obstacles: Sequence[Rect],
) -> tuple[Line, ...]:
    """Return strokes from the corners of the trims, clear of every ink and every rectangle of `obstacles`.

    The strokes of a round trim point away from its centre, in the directions with most space. A
    concave corner has space for none.
    """
    grown = [ink.grown(INK_CLEARANCE_MM).flat for ink in inks] + [
        polygon.box(rect.grown(INK_CLEARANCE_MM)) for rect in obstacles
    ]
    blocks = [(polygon.box_around(block), block) for block in grown]
    inner = polygon.box(within.grown(-MARK_WIDTH_MM / 2))

    def draw_stroke(start: Point, way: Point) -> Iterator[Line]:
        line = Line(start, start + way, MARK_WIDTH_MM)
        reached = polygon.box_around((line.a, line.b)).grown(INK_CLEARANCE_MM)
        return clear_parts(line, (block for box, block in blocks if box.overlaps(reached)), inner)

    def draw(ink: Outline, strokes: Iterable[tuple[Point, Point]]) -> list[Line]:
        return [
            line
            for start, along in strokes
            for line in draw_stroke(
                start, along.scaled(_length_in_bleed(ink, start, along) + INK_CLEARANCE_MM + reach)
            )
        ]

    marks: list[Line] = []
    directions = list(MARK_DIRECTIONS)
    for cut, ink in zip(cuts, inks, strict=True):
        best = [] if cut.is_circle else draw(ink, _strokes(cut))
        for direction_set in list(directions) if cut.is_circle else ():
            candidate = draw(
                ink,
                [
                    (cut.centre + direction.scaled(cut.size.w / 2), direction)
                    for direction in direction_set
                ],
            )
            best = max(best, candidate, key=len)
            if len(candidate) >= len(direction_set):
                directions.remove(direction_set)
                # Neighbours of a circle lie as it does, so the next one tries these first.
                directions.insert(0, direction_set)
                break
        marks += best
    return tuple(dict.fromkeys(marks))


def _strokes(cut: Outline) -> Iterator[tuple[Point, Point]]:
    if cut.curve:
        box = cut.box
        for axis in AXES:
            yield box.centre + Point(axis.x * box.w / 2, axis.y * box.h / 2), axis
        return
    corners = cut.corners
    for i, (corner, turn) in enumerate(zip(corners, polygon.turn_sines(corners), strict=True)):
        if turn > MAX_STRAIGHT_SINE:
            yield corner, (corner - corners[i - 1]).unit()
            yield corner, (corner - corners[(i + 1) % len(corners)]).unit()


def _length_in_bleed(ink: Outline, start: Point, along: Point) -> float:
    """Return how far a stroke runs through its own piece's bleed, in mm."""
    met = [end for begin, end in ink.inside_spans(start, along) if begin <= EPSILON]
    return max([0.0, *met])
