"""Letters above a board and numbers beside it: the names of its columns and rows, as claims and texts call them."""

from generator.board.place import Place
from generator.core.geometry import Point, Rect
from generator.figure.pen import Pen
from generator.figure.spots import Ground
from generator.pack.links import HEX_PORTS

GAP = 3.4
"""mm from the board's edge to the middle of a letter."""


def draw_coordinates(ground: Ground, pen: Pen, first: Place, last: Place) -> Rect:
    """The names of all columns and rows from one place to another; gives the box round them."""
    before = len(pen.reach)
    above, left = ground.tile / 2 + GAP, half_width(ground) + GAP
    for column in range(first.column, last.column + 1):
        pen.name(_letters(column), ground.centre(Place(column, first.row)) - Point(0, above))
    for row in range(first.row, last.row + 1):
        pen.name(str(row + 1), ground.centre(Place(first.column, row)) - Point(left, 0))
    return Rect.round_all(pen.reach[before:])


def half_width(ground: Ground) -> float:
    """From the middle of a tile to its left, in mm."""
    return ground.tile / 3**0.5 if ground.lattice.ports == HEX_PORTS else ground.tile / 2


def _letters(column: int) -> str:
    return str(Place(column, 0)).removesuffix("1")
