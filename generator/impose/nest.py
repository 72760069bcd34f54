"""Hexagons and circles nested: every other row is moved by half a piece, into the gaps of its neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor, sqrt

from generator.core.geometry import EPSILON, Point, Rect, Size
from generator.impose import polygon
from generator.impose.sheet import Piece
from generator.impose.slots import Slot

ROUGH = 0.02
"""How far the outline that stands for a circle may lie outside of it without being cut off, in mm."""


@dataclass(frozen=True)
class Nest:
    """Columns side by side, every other one lower by half a step; `turn` is 90 when they lie as rows."""

    cell: Size
    pitch: float
    step: float
    turn: int = 0

    def places(self, area: Size) -> tuple[Point, ...]:
        """The top left corners of as many cells as fit, from the area's top left."""
        columns = floor((area.w - self.cell.w + EPSILON) / self.pitch) + 1
        return tuple(place for column in range(max(0, columns)) for place in self._column(column, area.h))

    def _column(self, column: int, height: float) -> Iterator[Point]:
        top = self.step / 2 if column % 2 else 0.0
        rows = floor((height - top - self.cell.h + EPSILON) / self.step) + 1
        for row in range(max(0, rows)):
            yield Point(column * self.pitch, top + row * self.step)


def nests(piece: Piece, gutter: float) -> tuple[Nest, ...]:
    """The ways to nest pieces of a shape; none for a shape that does not nest."""
    w, h = piece.size
    if piece.corners:
        # flat sides above and below: columns reach three quarters of a width into each other
        upright = Nest(piece.size, 0.75 * w + gutter * sqrt(3) / 2, h + gutter)
    elif piece.radius >= max(w, h) / 2 - EPSILON:
        upright = Nest(piece.size, (w + gutter) * sqrt(3) / 2, h + gutter)
    else:
        return ()
    return upright, Nest(upright.cell, upright.pitch, upright.step, 90)


def nested(piece: Piece, gutter: float, area: Rect, printable: Rect) -> tuple[Slot, ...]:
    """The slots of the fullest nest in the middle of an area, row by row from the top left."""
    found = [_slots(nest, piece, gutter, area, printable) for nest in nests(piece, gutter)]
    return max(found, key=len, default=())


def _slots(nest: Nest, piece: Piece, gutter: float, area: Rect, printable: Rect) -> tuple[Slot, ...]:
    room = area.size.turned(nest.turn)
    places = nest.places(room)
    if not places:
        return ()
    trims = [Rect(*place, *nest.cell) for place in places]
    if nest.turn:
        trims = [Rect(trim.y, trim.x, trim.h, trim.w) for trim in trims]
    whole = Rect.round_all(trims)
    by = (area.centre.x - whole.centre.x, area.centre.y - whole.centre.y)
    moved = sorted((trim.shifted(by) for trim in trims), key=lambda trim: (round(trim.y, 3), trim.x))
    return tuple(_slot(trim, nest.turn, piece, min(piece.bleed, gutter / 2), printable) for trim in moved)


def _slot(trim: Rect, turn: int, piece: Piece, bleed: float, printable: Rect) -> Slot:
    ink = trim.grown(bleed).common(printable)
    clip = polygon.within(inked(piece, trim, turn, bleed), printable)
    return Slot(trim, ink, turn, clip, inked(piece, trim, turn, 0))


def shaped(piece: Piece, slot: Slot, printable: Rect) -> Slot:
    """A slot that lies in no nest, with the outline of a piece that is no box."""
    if not nests(piece, 0):
        return slot
    clip = inked(piece, slot.trim, slot.turn, piece.bleed)
    if not slot.ink.grown(ROUGH).holds(polygon.round_all(clip)):
        clip = polygon.within(clip, slot.ink.common(printable))
    return replace(slot, clip=clip, shape=inked(piece, slot.trim, slot.turn, 0))


def inked(piece: Piece, trim: Rect, turn: int, bleed: float) -> tuple[Point, ...]:
    """The outline of a piece with its bleed, where it lies on the paper."""
    if not piece.corners:
        return polygon.circle(trim.centre, trim.w / 2 + bleed)
    middle = Rect(0, 0, *piece.size).centre
    corners = [(corner - middle).turned(turn) + trim.centre for corner in piece.corners]
    return polygon.grown(corners, bleed)
