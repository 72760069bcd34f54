"""The items in the margins besides marks, and their places: rulers, footer, outline for gluing.

They stand in the four margin strips between the printable edge and the ink. Imposition knows no fonts, so the width of
a text is estimated on the safe side. Items shrink step by step when space is short.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from generator.base.geometry import EPSILON, Point, Rect, Size
from generator.base.polygon import box_around
from generator.base.units import MM_PER_INCH, MM_PER_PT
from generator.impose.marks import INK_CLEARANCE_MM
from generator.impose.sheet import Anchor, Line, Note, PaperEdge

# Width of a character in em. Text faces average 0.35 to 0.45; more is on the safe side.
CHARACTER_WIDTH_EM = 0.5

# Heights in em, a little more than the ink of Alegreya Sans, the font of notes, takes (measured):
# ascenders 0.711, accented capitals 0.88, descenders 0.194.
ASCENT_EM = 0.725
ACCENTED_ASCENT_EM = 0.92
DESCENT_EM = 0.25


def estimate_text_width(text: str, size: float) -> float:
    """Estimate the length of a line in mm for a font size in mm."""
    return CHARACTER_WIDTH_EM * size * len(text)


def estimate_text_ascent(text: str) -> float:
    """Return the height above the baseline in em; accented capitals are higher."""
    has_accented = any(letter.isupper() and letter > "\x7f" for letter in text)
    return ACCENTED_ASCENT_EM if has_accented else ASCENT_EM


def estimate_text_height(text: str) -> float:
    """Return the height of a line in em, from its descent to its ascent."""
    return estimate_text_ascent(text) + DESCENT_EM


# The smallest text, 5 pt, in mm.
MIN_TEXT_MM = 5 * MM_PER_PT


@dataclass(frozen=True)
class Level:
    """One size of the margin items: mark length, ruler depth and footer font size, all in mm."""

    mark: float
    ruler: float
    text: float


# From the best to the tightest.
LEVELS = (
    Level(4.0, 3.0, 7 * MM_PER_PT),
    Level(1.5, 3.0, 7 * MM_PER_PT),
    Level(1.5, 2.4, 6 * MM_PER_PT),
    Level(1.0, 2.0, MIN_TEXT_MM),
    Level(0.5, 1.725, MIN_TEXT_MM),
)


# For a footer that has no other place: it may stand where marks would be, and they end before it.
NO_MARKS_LEVEL = Level(0.0, 0.0, MIN_TEXT_MM)


# Gap between two items that follow one another in a strip.
ITEM_GAP_MM = 4.0

# Distance of items from the printable edge where there is space: some printers leave a wider blank
# edge than most.
EDGE_DISTANCE_MM = 2.0

# Gap between two items one above the other in a strip.
STACK_GAP_MM = 0.6


@dataclass(frozen=True)
class MarginFrame:
    """A rectangle on the paper with a reading direction: x along the line, y down from its top, in mm."""

    origin: Point
    turn: int
    length: float
    depth: float

    def to_paper(self, x: float, y: float) -> Point:
        """Return the point on the paper for a point in this frame."""
        return self.origin + Point(x, y).turned(self.turn)

    def cut_part(self, x: float, y: float, length: float, depth: float) -> "MarginFrame":
        """Return a smaller rectangle with this reading direction."""
        return MarginFrame(self.to_paper(x, y), self.turn, length, depth)

    @property
    def box(self) -> Rect:
        """The rectangle in paper coordinates."""
        return box_around((self.to_paper(0, 0), self.to_paper(self.length, self.depth)))


@dataclass(frozen=True)
class MarginStrip:
    """A margin strip.

    With `has_edge_below`, the paper's edge is at the foot of the text, otherwise above it. Items
    line up with the ink, which runs from `start` to `end` along the strip.
    """

    frame: MarginFrame
    start: float
    end: float
    has_edge_below: bool = False

    def place_item(
        self, size: Size, clearance: float, align: Anchor
    ) -> tuple[MarginFrame, tuple["MarginStrip", ...]] | None:
        """Place an item near the paper's edge, leaving `clearance` mm towards the ink.

        Return its frame and the strips that stay free, or None if the item does not fit.
        """
        free = self.frame.depth - size.h - clearance
        if size.w > self.frame.length or free < 0:
            return None
        x = self._along(size.w, align)
        edge = min(EDGE_DISTANCE_MM, free)
        y = self.frame.depth - size.h - edge if self.has_edge_below else edge
        return self.frame.cut_part(x, y, *size), (
            self._stretch(0, x - ITEM_GAP_MM),
            self._stretch(x + size.w + ITEM_GAP_MM, self.frame.length),
            self._under(edge + size.h + STACK_GAP_MM),
        )

    def _along(self, length: float, align: Anchor) -> float:
        x = self.end - length if align is Anchor.END else self.start
        return max(0.0, min(x, self.frame.length - length))

    def _stretch(self, start: float, end: float) -> "MarginStrip":
        """Return the part of the strip from `start` to `end` along it."""
        frame = self.frame.cut_part(start, 0, end - start, self.frame.depth)
        return replace(self, frame=frame, start=0, end=end - start)

    def _under(self, depth: float) -> "MarginStrip":
        """Return the strip between `depth` mm from the paper's edge and the ink."""
        y = 0 if self.has_edge_below else depth
        frame = self.frame.cut_part(0, y, self.frame.length, self.frame.depth - depth)
        return replace(self, frame=frame)


MarginStrips = dict[PaperEdge, tuple[MarginStrip, ...]]


def find_margin_strips(printable: Rect, ink: Rect) -> MarginStrips:
    """Return the strips around the ink; text at the left reads upwards, at the right downwards."""
    across = (ink.x - printable.x, ink.right - printable.x)
    down = (0, ink.h)
    top = MarginFrame(Point(printable.x, printable.y), 0, printable.w, ink.y - printable.y)
    bottom = MarginFrame(
        Point(printable.x, ink.bottom), 0, printable.w, printable.bottom - ink.bottom
    )
    left = MarginFrame(Point(printable.x, ink.bottom), 270, ink.h, ink.x - printable.x)
    right = MarginFrame(Point(printable.right, ink.y), 90, ink.h, printable.right - ink.right)
    return {
        PaperEdge.TOP: (MarginStrip(top, *across),),
        PaperEdge.BOTTOM: (MarginStrip(bottom, *across, has_edge_below=True),),
        PaperEdge.LEFT: (MarginStrip(left, *down),),
        PaperEdge.RIGHT: (MarginStrip(right, *down),),
    }


# Gap in em between the two rows of a footer: descenders of one must not touch the other.
ROW_GAP_EM = 0.1


def measure_footer(line: str, level: Level, length: float) -> Size | None:
    """Return the length and depth in mm of a footer in one row, or in two if it is too long.

    The font size is the level's or smaller. Return None if two rows of the smallest text are longer
    than `length` mm.
    """
    for rows in ((line,), split_footer(line)):
        longest = max(estimate_text_width(row, 1) for row in rows)
        size = min(level.text, length / longest)
        if size >= MIN_TEXT_MM:
            return Size(longest * size, _footer_height(line, rows) * size)
    return None


def place_footer(line: str, frame: MarginFrame) -> tuple[Note, ...]:
    """Return the rows of a footer in the frame that was chosen for it."""
    height = estimate_text_height(line)
    rows = (
        (line,)
        if estimate_text_width(line, frame.depth / height) <= frame.length + EPSILON
        else split_footer(line)
    )
    size = frame.depth / _footer_height(line, rows)
    ascent = estimate_text_ascent(line)
    baselines = [(index * (height + ROW_GAP_EM) + ascent) * size for index in range(len(rows))]
    return tuple(
        Note(row, frame.to_paper(0, baseline), size, turn=frame.turn)
        for row, baseline in zip(rows, baselines, strict=True)
    )


def _footer_height(line: str, rows: Sequence[str]) -> float:
    """Return the depth of all rows in em."""
    return len(rows) * estimate_text_height(line) + (len(rows) - 1) * ROW_GAP_EM


def split_footer(line: str) -> tuple[str, ...]:
    """Split a footer between two of its parts into rows of nearly equal length."""
    ends = [match.span() for match in re.finditer(r" · |(?<=,) ", line)]
    if not ends:
        return (line,)
    first, then = min(ends, key=lambda span: max(span[0], len(line) - span[1]))
    return line[:first], line[then:]


# Width of the ruler's lines.
RULE_WIDTH_MM = 0.15
RULER_LENGTH_MM = 100
RULER_LENGTH_INCHES = 4
INCH_SCALE_LENGTH_MM = RULER_LENGTH_INCHES * MM_PER_INCH
# Depth of the second ruler as a part of the depth of the first, which has two scales.
CROSS_RULER_DEPTH_SHARE = 0.6

# Heights of ticks at whole units (10 mm, 1 in), at halves and at others, as parts of the longest.
LONG_TICK = 1.0
MIDDLE_TICK = 0.7
SHORT_TICK = 0.4

# Gap between the ruler and its labels.
LABEL_GAP_MM = 1.0

# The labels of the two scales.
RulerLabels = tuple[str, str]


def measure_ruler(labels_text: RulerLabels, level: Level, _length: float) -> Size | None:
    """Return the length of the ruler with both labels after it, and its depth, in mm."""
    labels = sum(LABEL_GAP_MM + estimate_text_width(label, MIN_TEXT_MM) for label in labels_text)
    return Size(RULE_WIDTH_MM + INCH_SCALE_LENGTH_MM + labels, level.ruler)


def draw_ruler(frame: MarginFrame) -> tuple[Line, ...]:
    """Return the ruler: millimetres above its middle line, eighths of an inch below."""
    half = (frame.depth - RULE_WIDTH_MM) / 2
    ticks = [
        *((x, -half * tall) for x, tall in _millimetres()),
        *((x, half * tall) for x, tall in _inches()),
    ]
    return tuple(_draw_scale(frame, frame.depth / 2, INCH_SCALE_LENGTH_MM, ticks))


def measure_cross_ruler(level: Level, _length: float) -> Size:
    """Return the length and depth in mm of the ruler in the other direction."""
    return Size(RULE_WIDTH_MM + RULER_LENGTH_MM, CROSS_RULER_DEPTH_SHARE * level.ruler)


def draw_cross_ruler(frame: MarginFrame) -> tuple[Line, ...]:
    """Return a ruler of 100 mm for the other direction."""
    height = frame.depth - RULE_WIDTH_MM
    ticks = [(mm, -height * tall) for mm, tall in _millimetres()]
    return tuple(_draw_scale(frame, frame.depth - RULE_WIDTH_MM / 2, RULER_LENGTH_MM, ticks))


def _draw_scale(
    frame: MarginFrame, y: float, length: float, ticks: Iterable[tuple[float, float]]
) -> Iterator[Line]:
    """Yield the line of a scale, `length` mm long, and its ticks, each a distance along the line and down."""
    yield Line(frame.to_paper(0, y), frame.to_paper(RULE_WIDTH_MM + length, y), RULE_WIDTH_MM)
    start = RULE_WIDTH_MM / 2
    for x, down in ticks:
        yield Line(frame.to_paper(start + x, y), frame.to_paper(start + x, y + down), RULE_WIDTH_MM)


def _millimetres() -> Iterator[tuple[float, float]]:
    """Yield the place of each mm tick and its height, as a part of the longest."""
    for mm in range(RULER_LENGTH_MM + 1):
        yield mm, LONG_TICK if mm % 10 == 0 else MIDDLE_TICK if mm % 5 == 0 else SHORT_TICK


def _inches() -> Iterator[tuple[float, float]]:
    """Yield the place in mm of each tick at an eighth of an inch, and its height as a part of the longest."""
    for eighth in range(8 * RULER_LENGTH_INCHES + 1):
        tall = LONG_TICK if eighth % 8 == 0 else MIDDLE_TICK if eighth % 4 == 0 else SHORT_TICK
        yield eighth * MM_PER_INCH / 8, tall


def place_ruler_labels(frame: MarginFrame, labels: RulerLabels) -> tuple[Note, Note]:
    """Return the labels `100 mm` beside the upper scale and `4 in` beside the lower one."""
    upper, lower = labels
    x = RULE_WIDTH_MM + INCH_SCALE_LENGTH_MM + LABEL_GAP_MM
    beyond = x + estimate_text_width(upper, MIN_TEXT_MM) + LABEL_GAP_MM
    at_top = frame.to_paper(x, estimate_text_ascent(upper) * MIN_TEXT_MM)
    at_foot = frame.to_paper(beyond, frame.depth - DESCENT_EM * MIN_TEXT_MM)
    return (
        Note(upper, at_top, MIN_TEXT_MM, turn=frame.turn),
        Note(lower, at_foot, MIN_TEXT_MM, turn=frame.turn),
    )


# Distances in mm of the outline from the ink, the best first: beyond the cut marks where there is
# space.
OUTLINE_DISTANCES_MM = (5.0, 2.5, 0.6)

# Space between the outline and the printable edge that leaves length for the footer.
FOOTER_SPACE_MM = 3.6


def find_outline(ink: Rect, printable: Rect) -> Rect | None:
    """Return the outline around the grid, or None if it cannot be printed."""
    for step in OUTLINE_DISTANCES_MM:
        outline = ink.grown(step)
        if printable.holds(outline.grown(FOOTER_SPACE_MM)):
            return outline
    last = ink.grown(OUTLINE_DISTANCES_MM[-1])
    return last if printable.holds(last.grown(EPSILON)) else None


def draw_outline(around: Rect) -> tuple[Line, ...]:
    """Return the four sides of a rectangle."""
    a = Point(around.x, around.y)
    b = Point(around.right, around.y)
    c = Point(around.right, around.bottom)
    d = Point(around.x, around.bottom)
    return Line(a, b), Line(b, c), Line(c, d), Line(d, a)


# Space between an item in the margin and the ink or the marks.
INK_GAP_MM = 0.2


@dataclass(frozen=True)
class MarginItem:
    """An item that needs a place in the margin.

    `edges` are in order of preference. `measure` returns the item's size in mm on a strip of the
    given length, or None; `levels` are the sizes to try, the best first. The ruler and the footer
    line up with different ends of the ink, so that no cut has its marks shortened at both ends.
    """

    name: str
    edges: tuple[PaperEdge, ...]
    align: Anchor
    measure: Callable[[Level, float], Size | None]
    levels: tuple[Level, ...] = LEVELS


@dataclass(frozen=True)
class MarginPlan:
    """The frames of the placed items by name, and the names of the items without a place."""

    frames: Mapping[str, MarginFrame] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """The rectangles that marks must keep clear of."""
        return tuple(frame.box for frame in self.frames.values())


RULER = "scale ruler"
CROSS = "ruler across it"
FOOTER = "footer"


def plan_front(
    footer: str, labels: RulerLabels, printable: Rect, ink: Rect, reach: float
) -> MarginPlan:
    """Place a ruler, the longest footer and, where there is space, a ruler in the other direction."""
    edges = (PaperEdge.TOP, PaperEdge.LEFT, PaperEdge.BOTTOM, PaperEdge.RIGHT)
    items = (
        _footer(footer),
        MarginItem(RULER, edges, Anchor.END, partial(measure_ruler, labels)),
    )
    plans = [(_plan(order, printable, ink, reach), order) for order in (items, items[::-1])]
    plan, order = max(plans, key=lambda pair: len(pair[0].frames))
    ruler = plan.frames.get(RULER)
    if ruler is None:
        return plan
    is_level = ruler.turn % 180 == 0
    sides = (PaperEdge.LEFT, PaperEdge.RIGHT) if is_level else (PaperEdge.TOP, PaperEdge.BOTTOM)
    across = MarginItem(CROSS, sides, Anchor.END, measure_cross_ruler)
    both = _plan((*order, across), printable, ink, reach)
    return MarginPlan(both.frames, plan.missing)


def plan_back(footer: str, printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    """Place the longest footer only: one ruler for each sheet is enough."""
    return _plan((_footer(footer),), printable, ink, reach)


def _footer(longest: str) -> MarginItem:
    return MarginItem(
        FOOTER,
        (PaperEdge.BOTTOM, PaperEdge.RIGHT, PaperEdge.TOP, PaperEdge.LEFT),
        Anchor.START,
        partial(measure_footer, longest),
        (*LEVELS, NO_MARKS_LEVEL),
    )


def measure_least_footer(line: str) -> float:
    """Return the depth in mm of the strip between ink and printable edge that the smallest footer takes."""
    return estimate_text_height(line) * MIN_TEXT_MM + INK_GAP_MM + EPSILON


def _plan(items: Sequence[MarginItem], printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    free = find_margin_strips(printable, ink)
    frames = {}
    missing = []
    for item in items:
        place = _find_place(item, free, reach)
        if place is None:
            missing.append(item.name)
        else:
            frames[item.name], free = place
    return MarginPlan(frames, tuple(missing))


def _find_place(
    item: MarginItem, free: MarginStrips, reach: float
) -> tuple[MarginFrame, MarginStrips] | None:
    """Return the best place for an item with the strips that stay free, or None if there is none."""
    for level in item.levels:
        clearance = _space_for_marks(level, reach)
        for edge in item.edges:
            for strip in free[edge]:
                size = item.measure(level, strip.frame.length)
                place = strip.place_item(size, clearance, item.align) if size else None
                if place is not None:
                    frame, remaining = place
                    others = tuple(other for other in free[edge] if other is not strip)
                    return frame, {**free, edge: others + remaining}
    return None


def _space_for_marks(level: Level, reach: float) -> float:
    """Return the space in mm that marks need between an item and the ink.

    Marks that would be shorter anyway need less.
    """
    mark = min(level.mark, reach)
    return INK_CLEARANCE_MM + mark + INK_CLEARANCE_MM if mark else INK_GAP_MM
