"""Boards as they are written in a pack: rows of cells, or a list of places.

    straight>  bend^   .
    .          cross   road+cover#hole

Hexagons are written in the same rows; the second, fourth, … cell of a row hangs half a tile lower.
The list names its places and may leave any out: `B1 bend^`, `C2 road+cover`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from generator.board.cell import Cell, parse_cell, write_cell
from generator.board.kit import Kit
from generator.board.lattice import Lattice
from generator.board.place import Place, parse_place
from generator.board.placement import Board, Placement, board_of
from generator.core.problems import Wrong, labelled

LARGEST = 100
"""More columns or rows than this are a slip of the keyboard."""

Found = tuple[Place, Cell]


def parse_grid(text: str, kit: Kit, lattice: Lattice) -> Board:
    """Read rows of cells."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows:
        raise Wrong("this board is empty", "a row of cells for each row of the board")
    _check_rows(rows)
    return _board(_cells(rows, kit, lattice), lattice)


def parse_list(items: Sequence[str], kit: Kit, lattice: Lattice) -> Board:
    """Read a list of places, each with what lies there."""
    return _board(_items(items, kit, lattice), lattice)


def write_grid(board: Board) -> str:
    """The board as rows of cells, its columns in line: what `parse_grid` reads."""
    stacks = board.stacks()
    names = {place: name for name, place in board.names.items()}
    known = set(stacks) | set(names)
    columns = range(max((place.column for place in known), default=0) + 1)
    rows = range(max((place.row for place in known), default=0) + 1)
    cells = [[write_cell(stacks.get(Place(c, r), ()), names.get(Place(c, r))) for c in columns] for r in rows]
    widths = [max(len(row[c]) for row in cells) for c in columns]
    return "\n".join("  ".join(cell.ljust(widths[c]) for c, cell in enumerate(row)).rstrip() for row in cells)


def _check_rows(rows: Sequence[Sequence[str]]) -> None:
    if len(rows) > LARGEST or len(rows[0]) > LARGEST:
        raise Wrong(f"a board of {len(rows[0])} columns and {len(rows)} rows", f"at most {LARGEST} of each")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise Wrong(
                f"row {number} has {_cells_of(len(row))}, row 1 has {_cells_of(len(rows[0]))}",
                "the same number in each row",
                "an empty place is written .",
            )


def _cells_of(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _cells(rows: Sequence[Sequence[str]], kit: Kit, lattice: Lattice) -> Iterator[Found]:
    for y, row in enumerate(rows):
        for x, text in enumerate(row):
            with labelled(f"row {y + 1}, column {x + 1}"):
                cell = parse_cell(text, Place(x, y), kit, lattice)
            yield Place(x, y), cell


def _items(items: Sequence[str], kit: Kit, lattice: Lattice) -> Iterator[Found]:
    for number, item in enumerate(items, 1):
        name, _, rest = item.strip().partition(" ")
        with labelled(f"item {number}"):
            place = parse_place(name)
            if not rest.strip():
                raise Wrong(f"nothing lies at {name}", "a place and what lies there, such as B1 bend^")
            cell = parse_cell(rest.strip(), place, kit, lattice)
        yield place, cell


def _board(cells: Iterable[Found], lattice: Lattice) -> Board:
    pieces: list[Placement] = []
    names: dict[str, Place] = {}
    for place, cell in cells:
        pieces.extend(cell.pieces)
        if cell.name is not None:
            if cell.name in names:
                raise Wrong(f"#{cell.name} is the name of {names[cell.name]} and of {place}", "each name once")
            names[cell.name] = place
    return board_of(lattice, pieces, names)
