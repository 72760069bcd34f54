"""Lines at the sheet's edge only, for a guillotine or a steel ruler."""

from collections.abc import Iterator, Sequence

from generator.geometry import Rect
from generator.impose.marks.style import Cut, Stroke, Style

REACH = 4.0

FAR = 1e6
"""Beyond any paper: the strokes are clipped to its printable part."""


def _upright(cuts: Sequence[Cut]) -> Iterator[Stroke]:
    """From the ink's outer edge to the paper's: nothing between the pieces, not even beside empty slots."""
    whole = Rect.round_all([ink for _, ink in cuts])
    for trim, _ in cuts:
        for x in (trim.x, trim.right):
            yield Stroke(x, -FAR, whole.y)
            yield Stroke(x, whole.bottom, FAR)


STYLE = Style("ticks", "lines from the grid to the sheet's edge, nothing between the pieces", REACH, _upright)
