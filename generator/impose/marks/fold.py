"""Fold lines outside the print, and thin cut lines around pieces that marks cannot show."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from generator.base.geometry import EPSILON, Point, Rect, Segment
from generator.base.outline import Outline
from generator.impose.marks.styles import (
    INK_CLEARANCE_MM,
    MIN_MARK_MM,
    LineSpan,
    merge_spans,
    subtract_spans,
)
from generator.impose.sheet import Line

# Lengths in mm drawn and left out, for folds away from the reader.
DOT_LENGTHS_MM = (0.4, 1.2)

# Lengths in mm drawn and left out, for folds towards the reader.
DASH_LENGTHS_MM = (1.5, 0.8)

FOLD_WIDTH_MM = 0.3

# Length of the ends of a piece's creases.
CREASE_END_MM = 5.0


# Free space from the ink of a folded piece to the next ink: enough for a mark to be seen.
FOLD_CLEARANCE_MM = 3.0


def draw_crease(crease: Segment, within: Rect, obstacles: Sequence[Rect]) -> tuple[Line, ...]:
    """Return an upright or level crease inside `within`, broken at the rectangles of `obstacles`."""
    upright = crease.a.x == crease.b.x
    return tuple(
        _upright(crease, within, obstacles)
        if upright
        else map(_swap_line, _upright(*_swapped(crease, within, obstacles)))
    )


def draw_crease_ends(
    crease: Segment, ink: Rect, within: Rect, obstacles: Sequence[Rect]
) -> tuple[Line, ...]:
    """Return the ends of a crease outside the piece's ink: nothing is printed on the piece."""
    reach = INK_CLEARANCE_MM + CREASE_END_MM
    if crease.a.x == crease.b.x:
        longer = Segment(Point(crease.a.x, ink.y - reach), Point(crease.a.x, ink.bottom + reach))
    else:
        longer = Segment(Point(ink.x - reach, crease.a.y), Point(ink.right + reach, crease.a.y))
    return draw_crease(longer, within, [ink, *obstacles])


def _upright(crease: Segment, within: Rect, obstacles: Sequence[Rect]) -> Iterator[Line]:
    x = crease.a.x
    inner = within.grown(-FOLD_WIDTH_MM / 2)
    full_span = LineSpan(max(inner.y, crease.a.y), min(inner.bottom, crease.b.y))
    grown = [rect.grown(INK_CLEARANCE_MM) for rect in obstacles]
    blocks = [LineSpan(rect.y, rect.bottom) for rect in grown if rect.x < x < rect.right]
    for span in subtract_spans([full_span], merge_spans(blocks)):
        if span.end - span.start >= MIN_MARK_MM:
            yield Line(Point(x, span.start), Point(x, span.end), FOLD_WIDTH_MM, DOT_LENGTHS_MM)


def _swapped(
    crease: Segment, within: Rect, obstacles: Sequence[Rect]
) -> tuple[Segment, Rect, list[Rect]]:
    turned = Segment(Point(crease.a.y, crease.a.x), Point(crease.b.y, crease.b.x))
    return turned, within.transposed, [rect.transposed for rect in obstacles]


def _swap_line(line: Line) -> Line:
    return Line(Point(line.a.y, line.a.x), Point(line.b.y, line.b.x), line.width, line.dash)


# Distance from the trim to the thin line: scissors that are half a mm off leave none of it on the
# piece.
THIN_LINE_DISTANCE_MM = 0.8

# (width in mm, grey) of lines drawn over one another: black in a white rim shows on any ink.
THIN_LINE_STROKES = ((0.3, 1.0), (0.1, 0.0))


def has_space_around(cut: Outline, others: Sequence[Outline], within: Rect) -> bool:
    """Return True if a thin line around a piece touches no other piece and is printable."""
    line = cut.grown(THIN_LINE_DISTANCE_MM + THIN_LINE_STROKES[0][0] / 2)
    return within.holds(line.box) and not any(
        line.overlaps(other) for other in others if other is not cut
    )


# (width in mm, grey) of the lines on a cut circle: black in a white rim shows on any ink.
CIRCLE_STROKES = ((0.4, 1.0), (0.15, 0.0))


def draw_circle_line(cut: Outline) -> Iterator[Line]:
    """Yield the thin line along the trim of a round piece, as chords."""
    chords = [
        Line(a, b) for a, b in pairwise((*cut.flat, cut.flat[0])) if (b - a).length() > EPSILON
    ]
    for width, grey in CIRCLE_STROKES:
        yield from (replace(chord, width=width, grey=grey) for chord in chords)


def draw_thin_line(cut: Outline) -> Iterator[Line]:
    """Yield the thin line around a piece."""
    flat = cut.grown(THIN_LINE_DISTANCE_MM).flat
    sides = [Line(a, b) for a, b in pairwise((*flat, flat[0])) if (b - a).length() > EPSILON]
    for width, grey in THIN_LINE_STROKES:
        yield from (replace(side, width=width, grey=grey) for side in sides)
