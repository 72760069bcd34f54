"""`+` where four pieces meet, open in the middle where the gutter has two cuts, and the like outside the grid."""

from collections.abc import Iterator, Sequence

from generator.impose.marks.near import near_corners
from generator.impose.marks.style import Cut, Stroke, Style

REACH = 4.0


def _upright(cuts: Sequence[Cut]) -> Iterator[Stroke]:
    return near_corners(cuts, REACH)


STYLE = Style("crosshair", "a + at every crossing of cuts that has room for one, and outside the grid", REACH, _upright)
