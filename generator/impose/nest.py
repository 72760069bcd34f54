"""Pieces that are no boxes, nested: in columns that reach into each other, or beside neighbours that are turned."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor

from generator.core.geometry import EPSILON, Affine, Point, Rect, Size
from generator.core.outline import Outline
from generator.impose.sheet import Piece
from generator.impose.slots import Slot, move

ROUGH = 0.02
"""How far the polygon that stands for a circle may lie outside of it without being cut off, in mm."""

ACROSS = Affine(0, 1, 1, 0)
"""What is level becomes upright: columns become rows."""


@dataclass(frozen=True)
class Nest:
    """Columns side by side: each pair of them `wide`, the second `shift` mm right of the first and `lower` than it.

    With `flips`, pieces in the second lie half a turn round. `turn` is that of all pieces; `rows` lie so instead.
    """

    cell: Size
    step: float
    wide: float
    shift: float
    lower: float = 0.0
    flips: bool = False
    turn: int = 0
    rows: bool = False

    def places(self, area: Size) -> Iterator[tuple[Point, bool]]:
        """The top left corners of as many cells as fit, from the area's top left, and whether each is flipped."""
        column, left = 0, 0.0
        while left + self.cell.w <= area.w + EPSILON:
            odd = column % 2 == 1
            top = self.lower if odd else 0.0
            rows = floor((area.h - top - self.cell.h + self.step + EPSILON) / self.step)
            for row in range(max(0, rows)):
                yield Point(left, top + row * self.step), odd and self.flips
            column += 1
            left = column // 2 * self.wide + (self.shift if column % 2 else 0.0)


def nests(outline: Outline, gutter: float) -> Iterator[Nest]:
    """The ways to nest pieces of a shape, those that are usual first; none for a shape that does not nest."""
    if not outline.is_convex or (outline.is_box and not outline.is_circle):
        return
    for turn, rows in ((0, False), (90, True), (0, True), (90, False)):
        lying = _at_origin(outline.turned(turn))
        lying = _at_origin(lying.mapped(ACROSS)) if rows else lying
        for nest in (_staggered(lying, gutter), _turned(lying, gutter)):
            yield replace(nest, turn=turn, rows=rows)


def _at_origin(outline: Outline) -> Outline:
    return outline.moved((-outline.box.x, -outline.box.y))


def _staggered(outline: Outline, gutter: float) -> Nest:
    """Every other column is lower by half a step, so that its pieces lie in the gaps of its neighbours."""
    step = outline.size.h + gutter
    shift = max(outline.beside(outline, down, gutter) or 0.0 for down in (step / 2, -step / 2))
    shift = max(shift, (outline.beside(outline, 0, gutter) or 0.0) / 2)
    return Nest(outline.size, step, 2 * shift, shift, step / 2)


def _turned(outline: Outline, gutter: float) -> Nest:
    """Every other column is turned half round, as triangles lie in a row."""
    other = _at_origin(outline.turned(180))
    shift, back = outline.beside(other, 0, gutter) or 0.0, other.beside(outline, 0, gutter) or 0.0
    wide = max(shift + back, outline.beside(outline, 0, gutter) or 0.0, other.beside(other, 0, gutter) or 0.0)
    return Nest(outline.size, outline.size.h + gutter, wide, shift, flips=True)


def nested(piece: Piece, gutter: float, area: Rect, printable: Rect) -> tuple[Slot, ...]:
    """The slots of the fullest nest in the middle of an area, row by row from the top left."""
    found = [(nest, list(nest.places(_room(nest, area)))) for nest in nests(piece.outline, gutter)]
    nest, places = max(found, key=lambda pair: len(pair[1]), default=(None, []))
    if nest is None or not places:
        return ()
    bleed = min(piece.bleed, gutter / 2)
    bled = piece.outline.grown(bleed)
    return tuple(
        _slot(piece, bled, Slot(trim, trim.grown(bleed), turn), printable) for trim, turn in _trims(nest, places, area)
    )


def _room(nest: Nest, area: Rect) -> Size:
    return area.size.turned(90) if nest.rows else area.size


def _trims(nest: Nest, places: list[tuple[Point, bool]], area: Rect) -> list[tuple[Rect, int]]:
    """The boxes in the middle of the area, and how what lies in each is turned."""
    trims = [(Rect(*place, *nest.cell), nest.turn + 180 * flipped) for place, flipped in places]
    if nest.rows:
        trims = [(Rect(trim.y, trim.x, trim.h, trim.w), turn) for trim, turn in trims]
    whole = Rect.round_all([trim for trim, _ in trims])
    by = (area.centre.x - whole.centre.x, area.centre.y - whole.centre.y)
    return sorted(((trim.shifted(by), turn) for trim, turn in trims), key=lambda pair: _order(pair[0]))


def _order(trim: Rect) -> tuple[float, float]:
    return round(trim.y, 3), trim.x


def _slot(piece: Piece, bled: Outline, slot: Slot, printable: Rect) -> Slot:
    on, ink = move(piece, slot), slot.ink.common(printable)
    return replace(slot, ink=ink, clip=bled.mapped(on).within(printable), cut=piece.outline.mapped(on))


def shaped(piece: Piece, slot: Slot, printable: Rect) -> Slot:
    """A slot that lies in no nest, with the outline of a piece that is no box."""
    if piece.outline.is_box and not piece.outline.is_circle:
        return slot
    cut, clip = (line.mapped(move(piece, slot)) for line in (piece.outline, piece.outline.grown(piece.bleed)))
    if not slot.ink.grown(ROUGH).holds(clip.box):
        clip = clip.within(slot.ink.common(printable))
    return replace(slot, clip=clip, cut=cut)
