"""Lines round the grid only, for a guillotine or a steel ruler."""

from collections.abc import Iterator, Sequence

from generator.core.geometry import Rect
from generator.impose.marks.style import Cut, Stroke, Style

REACH = 4.0

LONGEST = 15.0
"""mm: beside slots that stay empty, a longer line would say that there is something to cut."""


def _upright(cuts: Sequence[Cut]) -> Iterator[Stroke]:
    """Outwards from the ink's outer edge: nothing between the pieces, not even beside empty slots."""
    whole = Rect.round_all([ink for _, ink in cuts])
    for trim, _ in cuts:
        for x in (trim.x, trim.right):
            yield Stroke(x, whole.y - LONGEST, whole.y)
            yield Stroke(x, whole.bottom, whole.bottom + LONGEST)


STYLE = Style("ticks", "lines from the grid outwards, nothing between the pieces", REACH, _upright)
