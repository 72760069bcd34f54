"""The scale ruler: 100 mm and 4 in, to be held against a real one before cutting."""

from collections.abc import Iterator

from generator.core.geometry import Size
from generator.core.units import MM_PER_INCH
from generator.impose.furniture import lettering
from generator.impose.furniture.bands import Frame
from generator.impose.furniture.levels import SMALLEST, Level
from generator.impose.sheet import Line, Note

WIDTH = 0.15
LENGTH_MM = 100
LENGTH_IN = 4
LONGEST = LENGTH_IN * MM_PER_INCH
SPACE = 1.0
"""Between the ruler and its labels, in mm."""

Labels = tuple[str, str]
"""What the two scales are called."""


def wants(said: Labels, level: Level, _room: float) -> Size | None:
    """Its length with both labels after it, and its depth."""
    labels = sum(SPACE + lettering.width(label, SMALLEST) for label in said)
    return Size(WIDTH + LONGEST + labels, level.ruler)


def lines(frame: Frame) -> tuple[Line, ...]:
    """Millimetres upwards from the middle line, parts of an inch downwards."""
    middle, half = frame.depth / 2, (frame.depth - WIDTH) / 2
    start = WIDTH / 2

    def tick(x: float, tall: float) -> Line:
        return Line(frame.at(start + x, middle), frame.at(start + x, middle + tall * half), WIDTH)

    return (
        Line(frame.at(0, middle), frame.at(WIDTH + LONGEST, middle), WIDTH),
        *(tick(x, -tall) for x, tall in _millimetres()),
        *(tick(x, tall) for x, tall in _inches()),
    )


def _millimetres() -> Iterator[tuple[float, float]]:
    for mm in range(LENGTH_MM + 1):
        yield mm, 1.0 if mm % 10 == 0 else 0.7 if mm % 5 == 0 else 0.4


def _inches() -> Iterator[tuple[float, float]]:
    for eighth in range(8 * LENGTH_IN + 1):
        yield eighth * MM_PER_INCH / 8, 1.0 if eighth % 8 == 0 else 0.7 if eighth % 4 == 0 else 0.4


def labels(frame: Frame, said: Labels) -> tuple[Note, Note]:
    """`100 mm` beside the upper scale, then `4 in` beside the lower one."""
    upper, lower = said
    x = WIDTH + LONGEST + SPACE
    beyond = x + lettering.width(upper, SMALLEST) + SPACE
    return (
        Note(upper, frame.at(x, lettering.ascent(upper) * SMALLEST), SMALLEST, turn=frame.turn),
        Note(lower, frame.at(beyond, frame.depth - lettering.DESCENT * SMALLEST), SMALLEST, turn=frame.turn),
    )
