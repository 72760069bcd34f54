"""Cut and stack: pieces laid so that each slot's stack of cut pieces goes on where the one before ends."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from generator.impose.duplex import SINGLE, Mode
from generator.impose.layout import layout_for
from generator.impose.setup import Setup
from generator.impose.sheet import Piece


def order_of_stacks(pieces: int, slots: int) -> list[int]:
    """Which piece lies in which slot, sheet by sheet; put on top of each other, the stacks are in their order again.

    Where the last sheet is not full, the first stacks are a piece higher than the others.
    """
    sheets = -(-pieces // slots)
    full = pieces - slots * (sheets - 1)
    heights = [sheets if slot < full else sheets - 1 for slot in range(slots)]
    begins = [sum(heights[:slot]) for slot in range(slots)]
    return [begins[slot] + sheet for sheet in range(sheets) for slot in range(slots) if sheet < heights[slot]]


def stacked(pieces: Sequence[Piece], setup: Setup) -> list[Piece]:
    """Pieces of one component in that order."""
    found = []
    for _, group in groupby(pieces, key=lambda piece: (piece.outline, piece.bleed, piece.back is None)):
        alike = list(group)
        slots = capacity(alike[0], setup, setup.duplex if alike[0].back else SINGLE)
        found += [alike[nth] for nth in order_of_stacks(len(alike), slots)]
    return found


def capacity(piece: Piece, setup: Setup, mode: Mode) -> int:
    """How many pieces of a sort a sheet holds."""
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return len(layout_for(piece, replace(setup, gutter=gutter, grid=piece.grid or setup.grid), mode).slots)
