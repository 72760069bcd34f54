"""Slots: the places for pieces on one side of a sheet."""

from dataclasses import dataclass, replace

from generator.core.geometry import Point, Rect
from generator.impose.grid import Grid
from generator.impose.sheet import Outline, Piece


@dataclass(frozen=True)
class Slot:
    """A place for a piece: its cut, the paper that it may ink, and how its face is turned (clockwise degrees).

    `clip` is the outline of the ink where it is no rectangle, and `shape` then that of the cut.
    """

    trim: Rect
    ink: Rect
    turn: int = 0
    clip: tuple[Point, ...] = ()
    shape: tuple[Point, ...] = ()


def within(slot: Slot, printable: Rect) -> Slot:
    """The slot with no ink beyond the printer's edge: what lies behind may be nearer to it than its front is."""
    ink = Rect.between(
        max(slot.ink.x, printable.x),
        max(slot.ink.y, printable.y),
        min(slot.ink.right, printable.right),
        min(slot.ink.bottom, printable.bottom),
    )
    return replace(slot, ink=ink)


def slots(grid: Grid, area: Rect, bleed: float, printable: Rect) -> tuple[Slot, ...]:
    """The slots of a grid in the middle of an area, row by row from the top left.

    Ink reaches a bleed past the trim, but only to the middle of a gutter, where the
    neighbour's begins, and never past the paper's printable part.
    """
    left = area.x + (area.w - grid.size.w) / 2
    top = area.y + (area.h - grid.size.h) / 2
    return tuple(
        _slot(grid, column, row, (left, top), (bleed, printable))
        for row in range(grid.rows)
        for column in range(grid.columns)
    )


def _slot(grid: Grid, column: int, row: int, origin: tuple[float, float], ink: tuple[float, Rect]) -> Slot:
    bleed, printable = ink
    pitch_x, pitch_y = grid.cell.w + grid.gutter, grid.cell.h + grid.gutter
    trim = Rect(origin[0] + column * pitch_x, origin[1] + row * pitch_y, grid.cell.w, grid.cell.h)
    inner = min(bleed, grid.gutter / 2)
    inked = Rect.between(
        max(printable.x, trim.x - (inner if column else bleed)),
        max(printable.y, trim.y - (inner if row else bleed)),
        min(printable.right, trim.right + (inner if column < grid.columns - 1 else bleed)),
        min(printable.bottom, trim.bottom + (inner if row < grid.rows - 1 else bleed)),
    )
    return Slot(trim, inked, grid.turn)


def outline(piece: Piece, slot: Slot) -> Outline:
    """What to cut out for a piece in a slot."""
    middle, own = Rect(0, 0, *piece.size).centre, piece.net.outline if piece.net else ()
    corners = tuple((corner - middle).turned(slot.turn) + slot.trim.centre for corner in own or piece.corners)
    return Outline(slot.trim, piece.radius, corners)
