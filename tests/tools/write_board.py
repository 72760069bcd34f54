"""Write boards in the notation of packs, so that tests can read them back."""

from generator.base import units
from generator.board.board import EMPTY, TURNS, Board, FaceUp, Placement
from generator.board.lattice import Place

ARROWS = {turn: arrow for arrow, turn in TURNS.items()}


def write_grid(board: Board) -> str:
    """Return the board as rows of aligned cells, which `parse_grid` reads."""
    stacks = board.stacks
    names = {place: name for name, place in board.names.items()}
    places = set(stacks) | set(names)
    columns = range(max((place.column for place in places), default=0) + 1)
    rows = range(max((place.row for place in places), default=0) + 1)
    cells = [
        [write_cell(stacks.get(Place(c, r), ()), names.get(Place(c, r))) for c in columns]
        for r in rows
    ]
    widths = [max(len(row[c]) for row in cells) for c in columns]
    return "\n".join(
        "  ".join(cell.ljust(widths[c]) for c, cell in enumerate(row)).rstrip() for row in cells
    )


def write_cell(pieces: tuple[Placement, ...], name: str | None = None) -> str:
    """Return the text of a place, as `parse_cell` reads it."""
    written = (
        "+".join([EMPTY] * bool(pieces and pieces[0].level) + [_written(piece) for piece in pieces])
        or EMPTY
    )
    return f"{written}#{name}" if name else written


def _written(placement: Placement) -> str:
    back = "~" if placement.side is FaceUp.BACK else ""
    if placement.turn == 180 or placement.turn not in ARROWS:
        piece = f"{back}{placement.design}/{placement.turn}"
    else:
        piece = (
            back
            + placement.design
            + (ARROWS[placement.turn] if placement.turn or placement.design.endswith("v") else "")
        )
    details = ",".join(
        [placement.owner] * bool(placement.owner)
        + [units.number(placement.number)] * (placement.number != 1)
    )
    return (
        piece + (f"({details})" if details else "") + (f"@{placement.on}" if placement.on else "")
    )
