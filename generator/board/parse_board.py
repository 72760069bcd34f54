"""The notation of boards in a pack: rows of cells, or a list of places.

    straight>  bend^   .
    .          cross   road+cover#hole

The sign after a name is its turn: `^ > v <` for 0, 90, 180 and 270 degrees clockwise, or `/` and
degrees. `~` in front shows the back, `+` stacks the next piece on top, `#` names the place, and `.`
is an empty place. A token can have an owner, a number and a position: `knight(red,2)@city.n`. A
list names its places and can leave some out: `B1 bend^`, `C2 road+cover`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from generator.base.errors import InvalidValueError, prefixing
from generator.board.board import Board, FaceUp, Kit, Placement, build_board
from generator.board.lattice import Lattice, Place, parse_place

EMPTY = "."
TURNS: Mapping[str, int] = MappingProxyType({"^": 0, ">": 90, "v": 180, "<": 270})

_PIECE_PATTERN = re.compile(
    r"(?P<back>~?)(?P<name>[A-Za-z0-9][\w.:-]*)(?P<turn>[\^<>]|/-?\d{1,4})?"
)
_TOKEN_PATTERN = re.compile(
    r"(?P<piece>[^()@]+)(?:\((?P<owner>[A-Za-z][\w-]*)?,?(?P<number>\d{1,4})?\))?(?:@(?P<on>[\w./-]+))?"
)
_CELL = re.compile(r"(?P<cell>[^#]+?)(?:#(?P<name>[A-Za-z][\w-]*))?")


@dataclass(frozen=True)
class Cell:
    """The pieces at a place, bottom first, and the name of the place."""

    pieces: tuple[Placement, ...]
    name: str | None = None


def parse_cell(text: str, at: Place, kit: Kit, lattice: Lattice) -> Cell:
    """Parse the notation of a place; raise `InvalidValueError` if it cannot be read."""
    match = _CELL.fullmatch(text)
    if match is None:
        raise _cell_error(text)
    if match["cell"] == EMPTY:
        return Cell((), match["name"])
    texts = match["cell"].split("+")
    levels = [(level, part) for level, part in enumerate(texts) if level or part != EMPTY]
    return Cell(
        tuple(_parse_piece(part, at, level, kit, lattice) for level, part in levels), match["name"]
    )


def _parse_piece(text: str, at: Place, level: int, kit: Kit, lattice: Lattice) -> Placement:
    """Parse a piece.

    Raise `InvalidValueError` for unknown designs, missing backs and tiles written like tokens.
    """
    token = _TOKEN_PATTERN.fullmatch(text)
    match = _PIECE_PATTERN.fullmatch(token["piece"]) if token else None
    if token is None or match is None:
        raise _cell_error(text)
    name, turn = _split_turn(match["name"], match["turn"], kit)
    side = FaceUp.BACK if match["back"] else FaceUp.FRONT
    design = kit.design(name)
    design.face(side)
    if not design.is_token and (token["owner"] or token["number"] or token["on"]):
        raise InvalidValueError(
            f"{text!r} is a tile", "an owner, a number or a part of a place for a token only"
        )
    if token["number"] and not int(token["number"]):
        raise InvalidValueError(
            f"{text!r} stands for no tokens", "at least 1, such as knight(red,2)"
        )
    lies = Placement(design.id, at.column, at.row, lattice.check_turn(turn), side, level)
    return replace(
        lies, owner=token["owner"] or "", number=float(token["number"] or 1), on=token["on"] or ""
    )


def _split_turn(name: str, turn: str | None, kit: Kit) -> tuple[str, int]:
    """Return the design and its turn in degrees.

    A final `v` is a turn, unless it belongs to the name of a design.
    """
    if turn is not None:
        return name, TURNS[turn] if turn in TURNS else int(turn[1:])
    down = name.endswith("v") and name[:-1] in kit.designs
    if down and name in kit.designs:
        raise InvalidValueError(
            f"{name!r} is a design, and also {name[:-1]!r} turned", f"{name}^ or {name[:-1]}/180"
        )
    return (name[:-1], TURNS["v"]) if down else (name, 0)


def _cell_error(text: str) -> InvalidValueError:
    """Return the error for a cell that cannot be read."""
    hint = (
        "put the board in quotes: within braces, a comma separates values"
        if text.count("(") > text.count(")")
        else ""
    )
    expected = "a design and perhaps its turn, such as bend>, ~bend/60 or road+cover, or ."
    return InvalidValueError(f"{text!r} is not a tile", expected, hint)


# More columns or rows than this are a typing error. The limit also bounds the time a check takes.
MAX_BOARD_CELLS_PER_SIDE = 100

PlacedCell = tuple[Place, Cell]


def parse_grid(text: str, kit: Kit, lattice: Lattice) -> Board:
    """Parse rows of cells; raise `InvalidValueError` with row and column for any mistake."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows:
        raise InvalidValueError("this board is empty", "a row of cells for each row of the board")
    _check_rows(rows)
    return _assemble_board(_parse_cells(rows, kit, lattice), lattice)


def parse_list(items: Sequence[str], kit: Kit, lattice: Lattice) -> Board:
    """Parse a list of places, each followed by its pieces.

    Raise `InvalidValueError` with the item for any mistake.
    """
    return _assemble_board(_parse_items(items, kit, lattice), lattice)


def _check_rows(rows: Sequence[Sequence[str]]) -> None:
    """Raise `InvalidValueError` if there are too many cells, or if the rows differ in length."""
    if len(rows) > MAX_BOARD_CELLS_PER_SIDE or len(rows[0]) > MAX_BOARD_CELLS_PER_SIDE:
        raise InvalidValueError(
            f"a board of {len(rows[0])} columns and {len(rows)} rows",
            f"at most {MAX_BOARD_CELLS_PER_SIDE} of each",
        )
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise InvalidValueError(
                f"row {number} has {_count_cells(len(row))}, row 1 has {_count_cells(len(rows[0]))}",
                "the same number in each row",
                "an empty place is written .",
            )


def _count_cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _parse_cells(rows: Sequence[Sequence[str]], kit: Kit, lattice: Lattice) -> Iterator[PlacedCell]:
    for y, row in enumerate(rows):
        for x, text in enumerate(row):
            with prefixing(f"row {y + 1}, column {x + 1}"):
                cell = parse_cell(text, Place(x, y), kit, lattice)
            yield Place(x, y), cell


def _parse_items(items: Sequence[str], kit: Kit, lattice: Lattice) -> Iterator[PlacedCell]:
    for number, item in enumerate(items, 1):
        name, _, details = item.strip().partition(" ")
        with prefixing(f"item {number}"):
            place = parse_place(name)
            if not details.strip():
                raise InvalidValueError(
                    f"nothing lies at {name}", "a place and what lies there, such as B1 bend^"
                )
            cell = parse_cell(details.strip(), place, kit, lattice)
        yield place, cell


def _assemble_board(cells: Iterable[PlacedCell], lattice: Lattice) -> Board:
    pieces: list[Placement] = []
    names: dict[str, Place] = {}
    for place, cell in cells:
        pieces.extend(cell.pieces)
        if cell.name is not None:
            if cell.name in names:
                raise InvalidValueError(
                    f"#{cell.name} is the name of {names[cell.name]} and of {place}",
                    "each name once",
                )
            names[cell.name] = place
    return build_board(lattice, pieces, names)
