"""No marks, for those who cut with a template."""

from collections.abc import Iterator, Sequence

from generator.impose.marks.style import Cut, Stroke, Style


def _upright(_cuts: Sequence[Cut]) -> Iterator[Stroke]:
    return iter(())


STYLE = Style("none", "no cut marks", 0.0, _upright)
