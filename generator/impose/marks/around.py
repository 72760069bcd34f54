"""Marks for pieces that lie in no grid of boxes: the sides of each go on past its corners, as far as there is paper."""

from collections.abc import Iterator, Sequence

from generator.core.geometry import Point, Rect
from generator.impose import polygon
from generator.impose.marks.draw import SHORTEST, Span, merged, without
from generator.impose.marks.styles import CLEAR, WIDTH
from generator.impose.sheet import Line

AXES = (Point(0, -1), Point(1, 0), Point(0, 1), Point(-1, 0))


def lines(shapes: Sequence[tuple[Point, ...]], inks: Sequence[tuple[Point, ...]], reach: float, within: Rect,
          kept: Sequence[Rect]) -> tuple[Line, ...]:  # fmt: skip
    """Strokes from the corners of the trims, clear of every ink and of every rectangle of `kept`.

    A round trim has four, away from its middle.
    """
    grown = [polygon.grown(ink, CLEAR) for ink in inks] + [polygon.box(rect.grown(CLEAR)) for rect in kept]
    blocks = [(polygon.round_all(block), block) for block in grown]
    inner = polygon.box(within.grown(-WIDTH / 2))
    found = [
        line
        for shape, ink in zip(shapes, inks, strict=True)
        for start, along in _strokes(shape)
        for line in _free(start, along, _length(ink, start, along) + CLEAR + reach, blocks, inner)
    ]
    return tuple(dict.fromkeys(found))


def _strokes(shape: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    if len(shape) == polygon.ROUND:
        box = polygon.round_all(shape)
        for axis in AXES:
            yield box.centre + Point(axis.x * box.w / 2, axis.y * box.h / 2), axis
        return
    for i, corner in enumerate(shape):
        before, after = shape[i - 1], shape[(i + 1) % len(shape)]
        yield corner, (corner - before).unit()
        yield corner, (corner - after).unit()


def _length(ink: tuple[Point, ...], start: Point, along: Point) -> float:
    """How far a stroke runs through its own piece's bleed."""
    crossed = polygon.crossed(ink, start, along)
    return max(0.0, crossed[1]) if crossed else 0.0


def _free(
    start: Point,
    along: Point,
    length: float,
    blocks: Sequence[tuple[Rect, tuple[Point, ...]]],
    inner: tuple[Point, ...],
) -> Iterator[Line]:
    room = polygon.crossed(inner, start, along)
    if room is None:
        return
    reach = polygon.round_all((start, start + along.scaled(length))).grown(CLEAR)
    near = (block for box, block in blocks if box.overlaps(reach))
    taken = [Span(*found) for block in near if (found := polygon.crossed(block, start, along))]
    for span in without([Span(max(0.0, room[0]), min(length, room[1]))], merged(taken)):
        if span.end - span.start >= SHORTEST:
            yield Line(start + along.scaled(span.start), start + along.scaled(span.end), WIDTH)
