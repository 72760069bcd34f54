"""What stands in the margins besides the marks: the ruler, the footer, the line to glue by, and their places."""

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

LEADING = 0.1
"""Between the two rows of a footer, in parts of the font size: what hangs from one may not touch the other."""


def footer_text(caption: Caption, component: str, sheet: str, side: str, printing: str) -> str:
    """The footer: `Game 2 · cards · sheet 2 of 5 · front · print at 100 %, flip on the long edge`."""
    game = f"{caption.game} {caption.version}".strip()
    parts = (game, component, sheet, side, printing)
    return " · ".join(part for part in parts if part)


def footer_wants(line: str, level: Level, room: float) -> Size | None:
    """Its length and depth at the level's font size, or smaller if it is too long for the room; then in two rows."""
    for rows in ((line,), in_two(line)):
        longest = max(text_width(row, 1) for row in rows)
        size = min(level.text, room / longest)
        if size >= SMALLEST:
            return Size(longest * size, _footer_height(line, rows) * size)
    return None


def footer_notes(line: str, frame: MarginFrame) -> tuple[Note, ...]:
    """The line in the frame that was found for it."""
    height = text_height(line)
    rows = (line,) if text_width(line, frame.depth / height) <= frame.length + EPSILON else in_two(line)
    size = frame.depth / _footer_height(line, rows)
    return tuple(
        Note(row, frame.at(0, (nth * (height + LEADING) + text_ascent(line)) * size), size, turn=frame.turn)
        for nth, row in enumerate(rows)
    )


def _footer_height(line: str, rows: Sequence[str]) -> float:
    """The depth of all rows of a line, in parts of the font size."""
    return len(rows) * text_height(line) + (len(rows) - 1) * LEADING


def in_two(line: str) -> tuple[str, ...]:
    """A footer parted between two of the things that it says, so that both rows are about as long."""
    ends = [match.span() for match in re.finditer(r" · |(?<=,) ", line)]
    if not ends:
        return (line,)
    first, then = min(ends, key=lambda span: max(span[0], len(line) - span[1]))
    return line[:first], line[then:]


RULE = 0.15
LENGTH_MM = 100
LENGTH_IN = 4
LONGEST = LENGTH_IN * MM_PER_INCH
CROSS_DEPTH = 0.6
"""Of the depth of the ruler with its two scales."""

SPACE = 1.0
"""Between the ruler and its labels, in mm."""

RulerLabels = tuple[str, str]
"""What the two scales are called."""


def ruler_wants(said: RulerLabels, level: Level, _room: float) -> Size | None:
    """Its length with both labels after it, and its depth."""
    labels = sum(SPACE + text_width(label, SMALLEST) for label in said)
    return Size(RULE + LONGEST + labels, level.ruler)


def ruler_lines(frame: MarginFrame) -> tuple[Line, ...]:
    """Millimetres upwards from the middle line, parts of an inch downwards."""
    middle, half = frame.depth / 2, (frame.depth - RULE) / 2
    start = RULE / 2

    def tick(x: float, tall: float) -> Line:
        return Line(frame.at(start + x, middle), frame.at(start + x, middle + tall * half), RULE)

    return (
        Line(frame.at(0, middle), frame.at(RULE + LONGEST, middle), RULE),
        *(tick(x, -tall) for x, tall in _millimetres()),
        *(tick(x, tall) for x, tall in _inches()),
    )


def cross_wants(level: Level, _room: float) -> Size:
    """The length and the depth of the ruler in the other direction."""
    return Size(RULE + LENGTH_MM, CROSS_DEPTH * level.ruler)


def cross_lines(frame: MarginFrame) -> tuple[Line, ...]:
    """Millimetres on a line: 100 of them, as in the other direction."""
    start = RULE / 2
    ticks = ((mm, (frame.depth - RULE) * tall) for mm, tall in _millimetres())
    foot = frame.depth - start
    return (
        Line(frame.at(0, foot), frame.at(RULE + LENGTH_MM, foot), RULE),
        *(Line(frame.at(start + mm, foot), frame.at(start + mm, foot - tall), RULE) for mm, tall in ticks),
    )


def _millimetres() -> Iterator[tuple[float, float]]:
    for mm in range(LENGTH_MM + 1):
        yield mm, 1.0 if mm % 10 == 0 else 0.7 if mm % 5 == 0 else 0.4


def _inches() -> Iterator[tuple[float, float]]:
    for eighth in range(8 * LENGTH_IN + 1):
        yield eighth * MM_PER_INCH / 8, 1.0 if eighth % 8 == 0 else 0.7 if eighth % 4 == 0 else 0.4


def ruler_labels(frame: MarginFrame, said: RulerLabels) -> tuple[Note, Note]:
    """`100 mm` beside the upper scale, then `4 in` beside the lower one."""
    upper, lower = said
    x = RULE + LONGEST + SPACE
    beyond = x + text_width(upper, SMALLEST) + SPACE
    return (
        Note(upper, frame.at(x, text_ascent(upper) * SMALLEST), SMALLEST, turn=frame.turn),
        Note(lower, frame.at(beyond, frame.depth - DESCENT * SMALLEST), SMALLEST, turn=frame.turn),
    )


STEPS = (5.0, 2.5, 0.6)
"""How far it stands out from the ink in mm, the best first: beyond the cut marks where there is room."""

KEEP = 3.6
"""Between it and the end of what can be printed, in mm, where the best place is to leave room for the footer."""


def grid_outline(ink: Rect, printable: Rect) -> Rect | None:
    """Where the line runs; none when it cannot be printed."""
    for step in STEPS:
        wanted = ink.grown(step)
        if printable.holds(wanted.grown(KEEP)):
            return wanted
    last = ink.grown(STEPS[-1])
    return last if printable.holds(last.grown(EPSILON)) else None


def outline_lines(around: Rect) -> tuple[Line, ...]:
    """Its four sides."""
    a, b = Point(around.x, around.y), Point(around.right, around.y)
    c, d = Point(around.right, around.bottom), Point(around.x, around.bottom)
    return Line(a, b), Line(b, c), Line(c, d), Line(d, a)


GAP = 0.2
"""Between a thing in the margin and the ink or the marks, in mm."""


@dataclass(frozen=True)
class MarginItem:
    """A thing that wants a place: its edges in the order it likes them, and what it needs of a strip so long.

    The ruler and the footer line up with different ends of the ink, so that no cut has its marks shortened at both.
    """

    name: str
    edges: tuple[PaperEdge, ...]
    align: Anchor
    wants: Callable[[Level, float], Size | None]


@dataclass(frozen=True)
class MarginPlan:
    """The places found, by name, and the names of what found none."""

    frames: tuple[tuple[str, MarginFrame], ...]
    missing: tuple[str, ...]

    def frame(self, item: str) -> MarginFrame | None:
        """The place of a thing, if there was room."""
        return dict(self.frames).get(item)

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """What marks must keep clear of."""
        return tuple(frame.box for _, frame in self.frames)


NOTHING = MarginPlan((), ())
"""No furniture."""


@dataclass(frozen=True)
class MarginTexts:
    """What the furniture of a side says: its longest footer, and what the ruler's scales are called."""

    footer: str
    labels: RulerLabels


Planner = Callable[[MarginTexts, Rect, Rect, float], MarginPlan]
"""From what is said, the printable part, the ink and the reach of the marks, in mm."""

RULER = "scale ruler"
CROSS = "ruler across it"
FOOTER = "footer"


def for_front(said: MarginTexts, printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    """A ruler and a footer, and where there is room a ruler in the other direction."""
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
    """A footer: one ruler a sheet is enough."""
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
    frames, missing = [], []
    for item in items:
        found = next(_berths(item, free, reach), None)
        if found is None:
            missing.append(item.name)
        else:
            frame, free = found
            frames.append((item.name, frame))
    return MarginPlan(tuple(frames), tuple(missing))


def _berths(item: MarginItem, free: Bands, reach: float) -> Iterator[tuple[MarginFrame, Bands]]:
    """Places for an item, the best first, each with the strips that are left then."""
    for level in LEVELS:
        for edge in item.edges:
            for band in free[edge]:
                size = item.wants(level, band.frame.length)
                found = band.berth(size, _room(level, reach), item.align) if size else None
                if found is not None:
                    frame, rest = found
                    yield frame, free | {edge: tuple(other for other in free[edge] if other is not band) + rest}


def _room(level: Level, reach: float) -> float:
    """What marks take between a thing and the ink: those that would stand out less anyway take less."""
    mark = min(level.mark, reach)
    return CLEAR + mark + CLEAR if mark else GAP
