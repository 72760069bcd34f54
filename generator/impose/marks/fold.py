"""Lines that are no marks: folds, dotted, through nothing that is printed, and thin lines round what has no marks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from generator.core.geometry import EPSILON, Point, Rect, Segment
from generator.core.outline import Outline
from generator.impose.marks.styles import CLEAR, SHORTEST, LineSpan, merged, without
from generator.impose.sheet import Line

DOTS = (0.4, 1.2)
"""mm drawn and mm left out, where it is folded away from the reader."""

DASHES = (1.5, 0.8)
"""The same where it is folded towards him."""

WIDTH = 0.3

REACH = 5.0
"""How far the ends of a piece's creases stand out, in mm."""


ROOM = 3.0
"""What is left free beside a piece that is folded, from its ink to the next, in mm: enough for a mark to be seen."""


def lines(crease: Segment, within: Rect, kept: Sequence[Rect]) -> tuple[Line, ...]:
    """An upright or level crease inside `within`, broken where it would cross a rectangle of `kept`."""
    upright = crease.a.x == crease.b.x
    return tuple(
        _upright(crease, within, kept) if upright else map(_swap_line, _upright(*_swapped(crease, within, kept)))
    )


def ends(crease: Segment, ink: Rect, within: Rect, kept: Sequence[Rect]) -> tuple[Line, ...]:
    """Where a crease of a piece goes on outside its ink, so that none is printed on the piece."""
    far = CLEAR + REACH
    if crease.a.x == crease.b.x:
        longer = Segment(Point(crease.a.x, ink.y - far), Point(crease.a.x, ink.bottom + far))
    else:
        longer = Segment(Point(ink.x - far, crease.a.y), Point(ink.right + far, crease.a.y))
    return lines(longer, within, [ink, *kept])


def _upright(crease: Segment, within: Rect, kept: Sequence[Rect]) -> Iterator[Line]:
    x, inner = crease.a.x, within.grown(-WIDTH / 2)
    whole = LineSpan(max(inner.y, crease.a.y), min(inner.bottom, crease.b.y))
    grown = [rect.grown(CLEAR) for rect in kept]
    blocks = [LineSpan(rect.y, rect.bottom) for rect in grown if rect.x < x < rect.right]
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


AWAY = 0.8
"""From the trim to the line, in mm: a hand with scissors that is half a mm off leaves none of it on the piece."""

WIDTHS = ((0.3, 1.0), (0.1, 0.0))
"""What is drawn one on the other: a width in mm and its grey, 0 for black."""


def has_room(cut: Outline, others: Sequence[Outline], within: Rect) -> bool:
    """Whether a line round a piece lies on no other, and where the printer prints."""
    line = cut.grown(AWAY + WIDTHS[0][0] / 2)
    return within.holds(line.box) and not any(line.overlaps(other) for other in others if other is not cut)


CIRCLE_WIDTHS = ((0.4, 1.0), (0.15, 0.0))
"""Width in mm and grey of the lines of a cut circle: black in a white rim, to be seen on ink of any colour."""


def circle_lines(cut: Outline) -> Iterator[Line]:
    """Yield the thin line along the trim of a round piece, as chords."""
    chords = [Line(a, b) for a, b in pairwise((*cut.flat, cut.flat[0])) if (b - a).length() > EPSILON]
    for width, grey in CIRCLE_WIDTHS:
        yield from (replace(chord, width=width, grey=grey) for chord in chords)


def cut_lines(cut: Outline) -> Iterator[Line]:
    """The line round a piece."""
    flat = cut.grown(AWAY).flat
    sides = [Line(a, b) for a, b in pairwise((*flat, flat[0])) if (b - a).length() > EPSILON]
    for width, grey in WIDTHS:
        yield from (replace(side, width=width, grey=grey) for side in sides)
