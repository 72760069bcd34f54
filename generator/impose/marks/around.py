"""Marks for pieces outside grids of boxes: each side continues past its corners where there is paper."""

from collections.abc import Iterable, Iterator, Sequence

from generator.base import polygon
from generator.base.geometry import EPSILON, Point, Rect
from generator.base.outline import Outline
from generator.impose.marks.styles import (
    INK_CLEARANCE_MM,
    MARK_WIDTH_MM,
    MIN_MARK_MM,
    LineSpan,
    merge_spans,
    subtract_spans,
)
from generator.impose.sheet import Line

# The sine of a turn below which a corner counts as straight.
MAX_STRAIGHT_SINE = 0.05

AXES = (Point(0, -1), Point(1, 0), Point(0, 1), Point(-1, 0))

# Directions of a circle's marks: between neighbours in a square or hexagonal arrangement there is
# space.
MARK_DIRECTIONS = tuple(
    tuple(Point(0, -1).turned(turn) for turn in range(first, first + 360, step))
    for first, step in ((0, 90), (45, 90), (30, 60), (0, 60))
)


def draw_marks(
    cuts: Sequence[Outline],
    inks: Sequence[Outline],
    reach: float,
    within: Rect,
    obstacles: Sequence[Rect],
) -> tuple[Line, ...]:
    """Return strokes from the corners of the trims, clear of every ink and every rectangle of `obstacles`.

    The strokes of a round trim point away from its centre, in the directions with most space. A
    concave corner has space for none.
    """
    grown = [ink.grown(INK_CLEARANCE_MM).flat for ink in inks] + [
        polygon.box(rect.grown(INK_CLEARANCE_MM)) for rect in obstacles
    ]
    blocks = [(polygon.round_all(block), block) for block in grown]
    inner = polygon.box(within.grown(-MARK_WIDTH_MM / 2))

    def draw(ink: Outline, strokes: Iterable[tuple[Point, Point]]) -> list[Line]:
        return [
            line
            for start, along in strokes
            for line in _free_parts(
                start,
                along,
                _length_in_bleed(ink, start, along) + INK_CLEARANCE_MM + reach,
                blocks,
                inner,
            )
        ]

    marks: list[Line] = []
    directions = list(MARK_DIRECTIONS)
    for cut, ink in zip(cuts, inks, strict=True):
        best = [] if cut.is_circle else draw(ink, _strokes(cut))
        for direction_set in list(directions) if cut.is_circle else ():
            candidate = draw(
                ink,
                [
                    (cut.centre + direction.scaled(cut.size.w / 2), direction)
                    for direction in direction_set
                ],
            )
            best = max(best, candidate, key=len)
            if len(candidate) >= len(direction_set):
                directions.remove(direction_set)
                # Neighbours of a circle lie as it does, so the next one tries these first.
                directions.insert(0, direction_set)
                break
        marks += best
    return tuple(dict.fromkeys(marks))


def _strokes(cut: Outline) -> Iterator[tuple[Point, Point]]:
    if cut.curve:
        box = cut.box
        for axis in AXES:
            yield box.centre + Point(axis.x * box.w / 2, axis.y * box.h / 2), axis
        return
    corners = cut.corners
    for i, (corner, turn) in enumerate(zip(corners, polygon.turn_sines(corners), strict=True)):
        if turn > MAX_STRAIGHT_SINE:
            yield corner, (corner - corners[i - 1]).unit()
            yield corner, (corner - corners[(i + 1) % len(corners)]).unit()


def _length_in_bleed(ink: Outline, start: Point, along: Point) -> float:
    """Return how far a stroke runs through its own piece's bleed, in mm."""
    met = [end for begin, end in ink.inside_spans(start, along) if begin <= EPSILON]
    return max([0.0, *met])


def _free_parts(
    start: Point,
    along: Point,
    length: float,
    blocks: Sequence[tuple[Rect, tuple[Point, ...]]],
    inner: tuple[Point, ...],
) -> Iterator[Line]:
    room = polygon.inside_spans(inner, start, along)
    if not room:
        return
    reach = polygon.round_all((start, start + along.scaled(length))).grown(INK_CLEARANCE_MM)
    near = (block for box, block in blocks if box.overlaps(reach))
    blocked = [
        LineSpan(*ends) for block in near for ends in polygon.inside_spans(block, start, along)
    ]
    for span in subtract_spans(
        [LineSpan(max(0.0, room[0][0]), min(length, room[0][1]))], merge_spans(blocked)
    ):
        if span.end - span.start >= MIN_MARK_MM:
            yield Line(
                start + along.scaled(span.start), start + along.scaled(span.end), MARK_WIDTH_MM
            )
