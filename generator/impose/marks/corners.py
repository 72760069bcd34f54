"""Short strokes at the corners of each piece."""

from collections.abc import Iterator, Sequence

from generator.impose.marks.near import near_corners
from generator.impose.marks.style import Cut, Stroke, Style

REACH = 2.0


def _upright(cuts: Sequence[Cut]) -> Iterator[Stroke]:
    return near_corners(cuts, REACH)


STYLE = Style("corners", "short strokes at the corners of each piece", REACH, _upright)
