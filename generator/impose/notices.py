"""What a person should know of a layout that works but could be better."""

from collections.abc import Iterator
from math import floor

from generator.core.geometry import EPSILON, Rect
from generator.core.units import number
from generator.impose.duplex import Mode
from generator.impose.setup import Setup, inside
from generator.impose.sheet import Piece
from generator.impose.slots import Grid, Slot, best

MOST_OFF_A_MARGIN = 3.0
"""A margin that is smaller by more than this, in mm, is another margin and not advice."""


def smaller_margin(piece: Piece, grid: Grid, setup: Setup, mode: Mode) -> str:
    """Says which slightly smaller margin would fit another row or column, if one would.

    Never one that the printer cannot keep: the whole bleed must still be printable.
    """
    least = min(mm for _, mm in setup.margins.sides())
    most = min(MOST_OFF_A_MARGIN, least - setup.unprintable - piece.bleed)
    for off in sorted(set(_missing(piece, grid.gutter, setup, mode))):
        if EPSILON < off <= most + EPSILON:
            fuller = _fullest(piece, grid.gutter, setup, mode, off)
            if fuller is not None and fuller.capacity > grid.capacity:
                return f"{_margin(setup, off)} would fit {fuller} instead of {grid}"
    return ""


def _fullest(piece: Piece, gutter: float, setup: Setup, mode: Mode, off: float) -> Grid | None:
    spots = mode.spots(inside(setup.paper.size, setup.margins.smaller(off)), setup.paper.size, piece.bleed)
    grids = [grid for spot in spots if (grid := best(piece.size, spot.field.size, gutter))]
    return max(grids, key=lambda grid: grid.capacity, default=None)


def _missing(piece: Piece, gutter: float, setup: Setup, mode: Mode) -> Iterator[float]:
    """What each margin would have to lose for one more column or row, upright or turned.

    A part of the paper between two margins gains both of what they lose, one beside a fold gains one.
    """
    for spot in mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed):
        for turn in (0, 90):
            for cell, room in zip(piece.size.turned(turn), spot.field.size, strict=True):
                more = floor((room + gutter + EPSILON) / (cell + gutter)) + 1
                short = more * cell + (more - 1) * gutter - room
                yield from (_upwards(short / 2), _upwards(short))


def _upwards(mm: float) -> float:
    """Rounded up to 0.01 mm, so that the margin we name is enough."""
    return -floor(-(mm - EPSILON) * 100) / 100


def _margin(setup: Setup, off: float) -> str:
    sizes = {mm for _, mm in setup.margins.sides()}
    if len(sizes) > 1:
        return f"margins smaller by {number(off)} mm"
    mm = sizes.pop()
    return f"a margin of {number(mm - off)} mm instead of {number(mm)} mm"


def cut_bleed(bleed: float, slots: tuple[Slot, ...]) -> str:
    """Says how much bleed is left where the printer's unprintable edge cuts into it, if it does."""
    trims, inks = Rect.round_all([slot.trim for slot in slots]), Rect.round_all([slot.ink for slot in slots])
    left = min(trims.x - inks.x, trims.y - inks.y, inks.right - trims.right, inks.bottom - trims.bottom)
    if left > bleed - EPSILON:
        return ""
    return (
        f"only {number(left)} mm of the {number(bleed)} mm bleed can be printed at the sheet's edge; "
        "a larger margin keeps it whole"
    )


def no_room(item: str, setup: Setup) -> str:
    """Says that something is missing from the margins."""
    return f"no room for the {item} in the margins of {setup.paper.title}; larger margins would give it some"


def other_grid(wanted: tuple[int, int] | None, grid: Grid) -> str:
    """Says that the grid that the pack asks for does not fit, where it does not."""
    if wanted is None or sorted(wanted) == sorted((grid.columns, grid.rows)):
        return ""
    return f"the pack's grid of {wanted[0]} x {wanted[1]} does not fit here; {grid} instead"
