"""Fold lines outside the print, and thin cut lines around pieces that marks cannot show."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from generator.core.geometry import EPSILON, Point, Rect, Segment
from generator.core.outline import Outline
from generator.impose.marks.styles import CLEAR, SHORTEST, LineSpan, merged, without
from generator.impose.sheet import Line

# Lengths in mm drawn and left out, for folds away from the reader.
DOTS = (0.4, 1.2)

# Lengths in mm drawn and left out, for folds towards the reader.
DASHES = (1.5, 0.8)

WIDTH = 0.3

# Length of the ends of a piece's creases.
REACH = 5.0


# Free space from the ink of a folded piece to the next ink: enough for a mark to be seen.
ROOM = 3.0


def lines(crease: Segment, within: Rect, kept: Sequence[Rect]) -> tuple[Line, ...]:
    """Return an upright or level crease inside `within`, broken at the rectangles of `kept`."""
    upright = crease.a.x == crease.b.x
    return tuple(
        _upright(crease, within, kept) if upright else map(_swap_line, _upright(*_swapped(crease, within, kept)))
    )


def ends(crease: Segment, ink: Rect, within: Rect, kept: Sequence[Rect]) -> tuple[Line, ...]:
    """Return the ends of a crease outside the piece's ink: nothing is printed on the piece."""
    far = CLEAR + REACH
    if crease.a.x == crease.b.x:
        longer = Segment(Point(crease.a.x, ink.y - far), Point(crease.a.x, ink.bottom + far))
    else:
        longer = Segment(Point(ink.x - far, crease.a.y), Point(ink.right + far, crease.a.y))
    return lines(longer, within, [ink, *kept])


def _upright(crease: Segment, within: Rect, kept: Sequence[Rect]) -> Iterator[Line]:
    x = crease.a.x
    inner = within.grown(-WIDTH / 2)
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


# Distance from the trim to the thin line: scissors that are half a mm off leave none of it on the
# piece.
AWAY = 0.8

# (width in mm, grey) of lines drawn over one another: black in a white rim shows on any ink.
WIDTHS = ((0.3, 1.0), (0.1, 0.0))


def has_room(cut: Outline, others: Sequence[Outline], within: Rect) -> bool:
    """Return True if a thin line around a piece touches no other piece and is printable."""
    line = cut.grown(AWAY + WIDTHS[0][0] / 2)
    return within.holds(line.box) and not any(line.overlaps(other) for other in others if other is not cut)


# (width in mm, grey) of the lines on a cut circle: black in a white rim shows on any ink.
CIRCLE_WIDTHS = ((0.4, 1.0), (0.15, 0.0))


def circle_lines(cut: Outline) -> Iterator[Line]:
    """Yield the thin line along the trim of a round piece, as chords."""
    chords = [Line(a, b) for a, b in pairwise((*cut.flat, cut.flat[0])) if (b - a).length() > EPSILON]
    for width, grey in CIRCLE_WIDTHS:
        yield from (replace(chord, width=width, grey=grey) for chord in chords)


def cut_lines(cut: Outline) -> Iterator[Line]:
    """Yield the thin line around a piece."""
    flat = cut.grown(AWAY).flat
    sides = [Line(a, b) for a, b in pairwise((*flat, flat[0])) if (b - a).length() > EPSILON]
    for width, grey in WIDTHS:
        yield from (replace(side, width=width, grey=grey) for side in sides)
