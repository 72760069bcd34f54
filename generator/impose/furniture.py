"""Items in the margins besides marks: the rulers, the footer and the outline for gluing; and their places."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from generator.core.geometry import EPSILON, Point, Rect, Size
from generator.core.units import MM_PER_INCH
from generator.impose.bands import (
    DESCENT,
    LEVELS,
    SMALLEST,
    Bands,
    Level,
    MarginFrame,
    PaperEdge,
    bands,
    text_ascent,
    text_height,
    text_width,
)
from generator.impose.marks.styles import CLEAR
from generator.impose.setup import Caption
from generator.impose.sheet import Anchor, Line, Note

# Gap in em between the two rows of a footer: descenders of one must not touch the other.
LEADING = 0.1


def footer_text(caption: Caption, component: str, sheet: str, side: str, printing: str) -> str:
    """Join the parts of a footer.

    The result is such as `Game 2 · cards · sheet 2 of 5 · front · print at 100 %, flip on the long edge`.
    """
    game = f"{caption.game} {caption.version}".strip()
    parts = (game, component, sheet, side, printing)
    return " · ".join(part for part in parts if part)


def footer_wants(line: str, level: Level, room: float) -> Size | None:
    """Return the length and depth in mm of a footer in one row, or in two if it is too long.

    The font size is the level's or smaller. Return None if two rows of the smallest text are too long
    for `room` mm.
    """
    for rows in ((line,), in_two(line)):
        longest = max(text_width(row, 1) for row in rows)
        size = min(level.text, room / longest)
        if size >= SMALLEST:
            return Size(longest * size, _footer_height(line, rows) * size)
    return None


def footer_notes(line: str, frame: MarginFrame) -> tuple[Note, ...]:
    """Return the rows of a footer in the frame that was chosen for it."""
    height = text_height(line)
    rows = (line,) if text_width(line, frame.depth / height) <= frame.length + EPSILON else in_two(line)
    size = frame.depth / _footer_height(line, rows)
    return tuple(
        Note(row, frame.at(0, (nth * (height + LEADING) + text_ascent(line)) * size), size, turn=frame.turn)
        for nth, row in enumerate(rows)
    )


def _footer_height(line: str, rows: Sequence[str]) -> float:
    """Return the depth of all rows in em."""
    return len(rows) * text_height(line) + (len(rows) - 1) * LEADING


def in_two(line: str) -> tuple[str, ...]:
    """Split a footer between two of its parts into rows of nearly equal length."""
    ends = [match.span() for match in re.finditer(r" · |(?<=,) ", line)]
    if not ends:
        return (line,)
    first, then = min(ends, key=lambda span: max(span[0], len(line) - span[1]))
    return line[:first], line[then:]


# Width of the ruler's lines.
RULE = 0.15
LENGTH_MM = 100
LENGTH_IN = 4
LONGEST = LENGTH_IN * MM_PER_INCH
# Depth of the second ruler as a part of the depth of the first, which has two scales.
CROSS_DEPTH = 0.6

# Gap between the ruler and its labels.
SPACE = 1.0

# The labels of the two scales.
RulerLabels = tuple[str, str]


def ruler_wants(said: RulerLabels, level: Level, _room: float) -> Size | None:
    """Return the length of the ruler with both labels after it, and its depth, in mm."""
    labels = sum(SPACE + text_width(label, SMALLEST) for label in said)
    return Size(RULE + LONGEST + labels, level.ruler)


def ruler_lines(frame: MarginFrame) -> tuple[Line, ...]:
    """Return the ruler: millimetres above its middle line, eighths of an inch below."""
    middle = frame.depth / 2
    half = (frame.depth - RULE) / 2
    start = RULE / 2

    def tick(x: float, tall: float) -> Line:
        return Line(frame.at(start + x, middle), frame.at(start + x, middle + tall * half), RULE)

    return (
        Line(frame.at(0, middle), frame.at(RULE + LONGEST, middle), RULE),
        *(tick(x, -tall) for x, tall in _millimetres()),
        *(tick(x, tall) for x, tall in _inches()),
    )


def cross_wants(level: Level, _room: float) -> Size:
    """Return the length and depth in mm of the ruler in the other direction."""
    return Size(RULE + LENGTH_MM, CROSS_DEPTH * level.ruler)


def cross_lines(frame: MarginFrame) -> tuple[Line, ...]:
    """Return a ruler of 100 mm for the other direction."""
    start = RULE / 2
    ticks = ((mm, (frame.depth - RULE) * tall) for mm, tall in _millimetres())
    foot = frame.depth - start
    return (
        Line(frame.at(0, foot), frame.at(RULE + LENGTH_MM, foot), RULE),
        *(Line(frame.at(start + mm, foot), frame.at(start + mm, foot - tall), RULE) for mm, tall in ticks),
    )


def _millimetres() -> Iterator[tuple[float, float]]:
    """Yield the place of each mm tick and its height, as a part of the longest."""
    for mm in range(LENGTH_MM + 1):
        yield mm, 1.0 if mm % 10 == 0 else 0.7 if mm % 5 == 0 else 0.4


def _inches() -> Iterator[tuple[float, float]]:
    """Yield the place in mm of each tick at an eighth of an inch, and its height as a part of the longest."""
    for eighth in range(8 * LENGTH_IN + 1):
        yield eighth * MM_PER_INCH / 8, 1.0 if eighth % 8 == 0 else 0.7 if eighth % 4 == 0 else 0.4


def ruler_labels(frame: MarginFrame, said: RulerLabels) -> tuple[Note, Note]:
    """Return the labels `100 mm` beside the upper scale and `4 in` beside the lower one."""
    upper, lower = said
    x = RULE + LONGEST + SPACE
    beyond = x + text_width(upper, SMALLEST) + SPACE
    return (
        Note(upper, frame.at(x, text_ascent(upper) * SMALLEST), SMALLEST, turn=frame.turn),
        Note(lower, frame.at(beyond, frame.depth - DESCENT * SMALLEST), SMALLEST, turn=frame.turn),
    )


# Distances in mm of the outline from the ink, the best first: beyond the cut marks where there is
# space.
STEPS = (5.0, 2.5, 0.6)

# Space between the outline and the printable edge that leaves room for the footer.
KEEP = 3.6


def grid_outline(ink: Rect, printable: Rect) -> Rect | None:
    """Return the outline around the grid, or None if it cannot be printed."""
    for step in STEPS:
        wanted = ink.grown(step)
        if printable.holds(wanted.grown(KEEP)):
            return wanted
    last = ink.grown(STEPS[-1])
    return last if printable.holds(last.grown(EPSILON)) else None


def outline_lines(around: Rect) -> tuple[Line, ...]:
    """Return the four sides of a rectangle."""
    a = Point(around.x, around.y)
    b = Point(around.right, around.y)
    c = Point(around.right, around.bottom)
    d = Point(around.x, around.bottom)
    return Line(a, b), Line(b, c), Line(c, d), Line(d, a)


# Space between an item in the margin and the ink or the marks.
GAP = 0.2


@dataclass(frozen=True)
class MarginItem:
    """An item that needs a place in the margin.

    `edges` are in order of preference. `wants` returns its size in mm on a strip of the given length,
    or None. The ruler and the footer line up with different ends of the ink, so that no cut has its
    marks shortened at both ends.
    """

    name: str
    edges: tuple[PaperEdge, ...]
    align: Anchor
    wants: Callable[[Level, float], Size | None]


@dataclass(frozen=True)
class MarginPlan:
    """The frames of the placed items by name, and the names of the items without a place."""

    frames: tuple[tuple[str, MarginFrame], ...]
    missing: tuple[str, ...]

    def frame(self, item: str) -> MarginFrame | None:
        """Return the frame of an item, or None if it has no place."""
        return dict(self.frames).get(item)

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """The rectangles that marks must keep clear of."""
        return tuple(frame.box for _, frame in self.frames)


# A margin without items.
NOTHING = MarginPlan((), ())


@dataclass(frozen=True)
class MarginTexts:
    """The texts in the margins of a side: its longest footer and the labels of the ruler."""

    footer: str
    labels: RulerLabels


# Returns the plan for texts, the printable area, the ink and the reach of the marks in mm.
Planner = Callable[[MarginTexts, Rect, Rect, float], MarginPlan]

RULER = "scale ruler"
CROSS = "ruler across it"
FOOTER = "footer"


def for_front(said: MarginTexts, printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    """Place a ruler, a footer and, where there is space, a ruler in the other direction."""
    edges = (PaperEdge.TOP, PaperEdge.LEFT, PaperEdge.BOTTOM, PaperEdge.RIGHT)
    items = (_footer(said.footer), MarginItem(RULER, edges, Anchor.END, partial(ruler_wants, said.labels)))
    plans = [(_plan(order, printable, ink, reach), order) for order in (items, items[::-1])]
    plan, order = max(plans, key=lambda pair: len(pair[0].frames))
    level = plan.frame(RULER)
    if level is None:
        return plan
    sides = edges[1::2] if level.turn % 180 == 0 else edges[::2]
    across = MarginItem(CROSS, sides, Anchor.END, cross_wants)
    both = _plan((*order, across), printable, ink, reach)
    return MarginPlan(both.frames, plan.missing)


def for_back(said: MarginTexts, printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    """Place a footer only: one ruler for each sheet is enough."""
    return _plan((_footer(said.footer),), printable, ink, reach)


def _footer(longest: str) -> MarginItem:
    return MarginItem(
        FOOTER,
        (PaperEdge.BOTTOM, PaperEdge.RIGHT, PaperEdge.TOP, PaperEdge.LEFT),
        Anchor.START,
        partial(footer_wants, longest),
    )


def _plan(items: Sequence[MarginItem], printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    free = bands(printable, ink)
    frames = []
    missing = []
    for item in items:
        found = next(_berths(item, free, reach), None)
        if found is None:
            missing.append(item.name)
        else:
            frame, free = found
            frames.append((item.name, frame))
    return MarginPlan(tuple(frames), tuple(missing))


def _berths(item: MarginItem, free: Bands, reach: float) -> Iterator[tuple[MarginFrame, Bands]]:
    """Yield places for an item, the best first, each with the strips that stay free."""
    for level in LEVELS:
        for edge in item.edges:
            for band in free[edge]:
                size = item.wants(level, band.frame.length)
                found = band.berth(size, _room(level, reach), item.align) if size else None
                if found is not None:
                    frame, rest = found
                    yield frame, free | {edge: tuple(other for other in free[edge] if other is not band) + rest}


def _room(level: Level, reach: float) -> float:
    """Return the space in mm that marks need between an item and the ink.

    Marks that would be shorter anyway need less.
    """
    mark = min(level.mark, reach)
    return CLEAR + mark + CLEAR if mark else GAP
