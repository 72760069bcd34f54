"""Strokes become lines: whatever comes near any ink is taken off, and crumbs are left out."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.core.geometry import Point, Rect
from generator.impose.marks.styles import CLEAR, WIDTH, MarkStroke, MarkStyle, PieceCut
from generator.impose.sheet import Line

SHORTEST = 0.4
"""Marks that would come out shorter than this, in mm, are specks and not marks."""

SAME = 6
"""Cuts that agree to so many digits after the point, in mm, are one cut."""


class LineSpan(NamedTuple):
    """A stretch of a line."""

    start: float
    end: float


def lines(style: MarkStyle, cuts: Sequence[PieceCut], within: Rect, kept: Sequence[Rect] = ()) -> tuple[Line, ...]:
    """The marks of one side: inside `within`, clear of every ink and of every rectangle of `kept`."""
    if not cuts:
        return ()
    upright = _upright(style, cuts, within, kept)
    level = _upright(style, [PieceCut(*map(_swap, cut)) for cut in cuts], _swap(within), [_swap(rect) for rect in kept])
    return (
        *(Line(Point(x, top), Point(x, bottom), WIDTH) for x, top, bottom in upright),
        *(Line(Point(left, y), Point(right, y), WIDTH) for y, left, right in level),
    )


def both_ways(marks: Sequence[Line]) -> bool:
    """Whether there are marks for upright cuts and for level ones."""
    upright = [abs(mark.a.x - mark.b.x) < abs(mark.a.y - mark.b.y) for mark in marks]
    return any(upright) and not all(upright)


def _swap(rect: Rect) -> Rect:
    return Rect(rect.y, rect.x, rect.h, rect.w)


def _upright(style: MarkStyle, cuts: Sequence[PieceCut], within: Rect, kept: Sequence[Rect]) -> Iterator[MarkStroke]:
    wanted: dict[float, list[LineSpan]] = defaultdict(list)
    for x, top, bottom in style.upright(cuts):
        wanted[round(x, SAME)].append(LineSpan(top, bottom))
    taken = [rect.grown(CLEAR) for rect in (*(cut.ink for cut in cuts), *kept)]
    inner = within.grown(-WIDTH / 2)
    for x in sorted(wanted):
        blocks = [LineSpan(rect.y, rect.bottom) for rect in taken if rect.x < x < rect.right]
        for span in without(merged(wanted[x]), merged(blocks)):
            top, bottom = max(span.start, inner.y), min(span.end, inner.bottom)
            if bottom - top >= SHORTEST and inner.x <= x <= inner.right:
                yield MarkStroke(x, top, bottom)


def merged(spans: Sequence[LineSpan]) -> list[LineSpan]:
    """The same stretches in order, those that meet made one."""
    result: list[LineSpan] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            result[-1] = LineSpan(result[-1].start, max(span.end, result[-1].end))
        else:
            result.append(span)
    return result


def without(spans: Sequence[LineSpan], blocks: Sequence[LineSpan]) -> Iterator[LineSpan]:
    """What the blocks leave of the stretches; both in order and apart from their like."""
    for span in spans:
        start = span.start
        for block in blocks:
            if block.end > start and block.start < span.end:
                if block.start > start:
                    yield LineSpan(start, block.start)
                start = block.end
        if start < span.end:
            yield LineSpan(start, span.end)
