"""Fold lines: dotted, through nothing that is printed."""

from collections.abc import Iterator, Sequence

from generator.geometry import Point, Rect, Segment
from generator.impose.marks.draw import CLEAR, SHORTEST, Span, merged, without
from generator.impose.sheet import Line

DOTS = (0.4, 1.2)
"""mm drawn and mm left out."""

WIDTH = 0.3


def lines(crease: Segment, within: Rect, kept: Sequence[Rect]) -> tuple[Line, ...]:
    """An upright or level crease inside `within`, broken where it would cross a rectangle of `kept`."""
    upright = crease.a.x == crease.b.x
    return tuple(
        _upright(crease, within, kept) if upright else map(_swap_line, _upright(*_swapped(crease, within, kept)))
    )


def _upright(crease: Segment, within: Rect, kept: Sequence[Rect]) -> Iterator[Line]:
    x, inner = crease.a.x, within.grown(-WIDTH / 2)
    whole = Span(max(inner.y, crease.a.y), min(inner.bottom, crease.b.y))
    grown = [rect.grown(CLEAR) for rect in kept]
    blocks = [Span(rect.y, rect.bottom) for rect in grown if rect.x < x < rect.right]
    for span in without([whole], merged(blocks)):
        if span.end - span.start >= SHORTEST:
            yield Line(Point(x, span.start), Point(x, span.end), WIDTH, DOTS)


def _swapped(crease: Segment, within: Rect, kept: Sequence[Rect]) -> tuple[Segment, Rect, list[Rect]]:
    turned = Segment(Point(crease.a.y, crease.a.x), Point(crease.b.y, crease.b.x))
    return turned, _swap(within), [_swap(rect) for rect in kept]


def _swap(rect: Rect) -> Rect:
    return Rect(rect.y, rect.x, rect.h, rect.w)


def _swap_line(line: Line) -> Line:
    return Line(Point(line.a.y, line.a.x), Point(line.b.y, line.b.x), line.width, line.dash)
