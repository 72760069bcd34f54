"""Slots: the places for pieces on one side of a sheet."""

from dataclasses import dataclass, replace
from math import cos, radians, sin

from generator.core.geometry import Affine, Rect
from generator.core.outline import Outline
from generator.impose.grid import Grid
from generator.impose.sheet import Piece


@dataclass(frozen=True)
class Slot:
    """A place for a piece: its cut, the paper that it may ink, and how its face is turned (clockwise degrees).

    `clip` is the outline of the ink where it is no rectangle, and `cut` then that of the trim.
    """

    trim: Rect
    ink: Rect
    turn: int = 0
    clip: Outline | None = None
    cut: Outline | None = None


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
    own = piece.net.outline if piece.net and piece.net.outline else piece.outline
    return own.mapped(move(piece, slot))


def move(piece: Piece, slot: Slot) -> Affine:
    """From places on a piece, upright and with its box at the origin, to those on the paper."""
    middle, centre = Rect(0, 0, *piece.size).centre, slot.trim.centre
    c, s = cos(radians(slot.turn)), sin(radians(slot.turn))
    return Affine(e=centre.x, f=centre.y) @ Affine(c, s, -s, c) @ Affine(e=-middle.x, f=-middle.y)
