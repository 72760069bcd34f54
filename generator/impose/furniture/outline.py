"""The line round the whole grid by which two sheets are laid on each other, for those who glue."""

from generator.core.geometry import EPSILON, Point, Rect
from generator.impose.sheet import Line

STEPS = (5.0, 2.5, 0.6)
"""How far it stands out from the ink in mm, the best first: beyond the cut marks where there is room."""

KEEP = 3.6
"""Between it and the end of what can be printed, in mm, where the best place is to leave room for the footer."""


def box(ink: Rect, printable: Rect) -> Rect | None:
    """Where the line runs; none when it cannot be printed."""
    for step in STEPS:
        wanted = ink.grown(step)
        if printable.holds(wanted.grown(KEEP)):
            return wanted
    last = ink.grown(STEPS[-1])
    return last if printable.holds(last.grown(EPSILON)) else None


def lines(around: Rect) -> tuple[Line, ...]:
    """Its four sides."""
    a, b = Point(around.x, around.y), Point(around.right, around.y)
    c, d = Point(around.right, around.bottom), Point(around.x, around.bottom)
    return Line(a, b), Line(b, c), Line(c, d), Line(d, a)
