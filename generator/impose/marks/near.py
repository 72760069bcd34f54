"""Strokes that begin at the corners of the pieces and run outwards along the cuts."""

from collections.abc import Iterator, Sequence

from generator.impose.marks.draw import CLEAR
from generator.impose.marks.style import Cut, Stroke


def near_corners(cuts: Sequence[Cut], reach: float) -> Iterator[Stroke]:
    """From each corner past the piece's own ink and `reach` mm further."""
    for trim, ink in cuts:
        for x in (trim.x, trim.right):
            yield Stroke(x, ink.y - CLEAR - reach, trim.y)
            yield Stroke(x, trim.bottom, ink.bottom + CLEAR + reach)
