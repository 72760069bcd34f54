"""What stands in the margins besides the marks: the footer, the ruler, the line round the grid for those who glue.

The footer is the one line that says what a sheet is and how to print it. The ruler, 100 mm and 4 in, is held
against a real one before cutting. By the line round the grid two sheets are laid on each other.
"""

from collections.abc import Iterator

from generator.core.geometry import EPSILON, Point, Rect, Size
from generator.core.units import MM_PER_INCH
from generator.impose.furniture.bands import DESCENT, SMALLEST, Level, MarginFrame, text_ascent, text_height, text_width
from generator.impose.setup import Caption
from generator.impose.sheet import Line, Note


def footer_text(caption: Caption, component: str, sheet: str, side: str, printing: str) -> str:
    """The footer: `Game 2 · cards · sheet 2 of 5 · front · print at 100 %, flip on the long edge`."""
    game = f"{caption.game} {caption.version}".strip()
    parts = (game, component, sheet, side, printing)
    return " · ".join(part for part in parts if part)


def footer_wants(line: str, level: Level, room: float) -> Size | None:
    """Its length and depth at the level's font size, or smaller if it is too long for the room."""
    size = min(level.text, room / text_width(line, 1))
    if size < SMALLEST:
        return None
    return Size(text_width(line, size), text_height(line) * size)


def footer_note(line: str, frame: MarginFrame) -> Note:
    """The line in the frame that was found for it."""
    size = frame.depth / text_height(line)
    return Note(line, frame.at(0, text_ascent(line) * size), size, turn=frame.turn)


RULE = 0.15
LENGTH_MM = 100
LENGTH_IN = 4
LONGEST = LENGTH_IN * MM_PER_INCH
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
