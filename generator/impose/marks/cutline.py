"""A true cut line, for what marks cannot show: a thin line outside of the trim, black on white, seen on any picture."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from generator.core.geometry import EPSILON, Rect
from generator.core.outline import Outline
from generator.impose.sheet import Line

AWAY = 0.5
"""From the trim to the line, in mm: as far as a hand with scissors is off, so that none of it stays on the piece."""

WIDTHS = ((0.3, 1.0), (0.1, 0.0))
"""What is drawn one on the other: a width in mm and its grey, 0 for black."""


def has_room(cut: Outline, others: Sequence[Outline], within: Rect) -> bool:
    """Whether a line round a piece lies on no other, and where the printer prints."""
    line = cut.grown(AWAY + WIDTHS[0][0] / 2)
    return within.holds(line.box) and not any(line.overlaps(other) for other in others if other is not cut)


def lines(cut: Outline) -> Iterator[Line]:
    """The line round a piece."""
    flat = cut.grown(AWAY).flat
    sides = [Line(a, b) for a, b in pairwise((*flat, flat[0])) if (b - a).length() > EPSILON]
    for width, grey in WIDTHS:
        yield from (replace(side, width=width, grey=grey) for side in sides)
