"""Boards as they are written in a pack: rows of cells, or a list of places.

    straight>  bend^   .
    .          cross   road+cover#hole

A turn stands behind the name: `^ > v <` for 0, 90, 180 and 270 degrees clockwise, or `/` and the degrees. `~` in front
turns the back up, `+` lays the next piece on top, `#` gives the place a name, and `.` is an empty place. A token may
say whose it is, how many there are, and on what it stands: `knight(red,2)@city.n`. The list names its
places and may leave any out: `B1 bend^`, `C2 road+cover`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from generator.board.kit import Board, FaceUp, Kit, Placement, board_of
from generator.board.lattice import Lattice, Place, parse_place
from generator.core.problems import Wrong, labelled

EMPTY = "."
TURNS: Mapping[str, int] = MappingProxyType({"^": 0, ">": 90, "v": 180, "<": 270})

_PIECE = re.compile(r"(?P<back>~?)(?P<name>[A-Za-z0-9][\w.:-]*)(?P<turn>[\^<>]|/-?\d{1,4})?")
_TOKEN = re.compile(
    r"(?P<piece>[^()@]+)(?:\((?P<owner>[A-Za-z][\w-]*)?,?(?P<number>\d{1,4})?\))?(?:@(?P<on>[\w./-]+))?"
)
_NAMED = re.compile(r"(?P<cell>[^#]+?)(?:#(?P<name>[A-Za-z][\w-]*))?")


@dataclass(frozen=True)
class Cell:
    """What lies at one place, bottom first, and what the place is called."""

    pieces: tuple[Placement, ...]
    name: str | None = None


def parse_cell(text: str, at: Place, kit: Kit, lattice: Lattice) -> Cell:
    """Read one place."""
    whole = _NAMED.fullmatch(text)
    if whole is None:
        raise _no_cell(text)
    if whole["cell"] == EMPTY:
        return Cell((), whole["name"])
    parts = whole["cell"].split("+")
    laid = [(level, part) for level, part in enumerate(parts) if level or part != EMPTY]
    return Cell(tuple(_piece(part, at, level, kit, lattice) for level, part in laid), whole["name"])


def _piece(text: str, at: Place, level: int, kit: Kit, lattice: Lattice) -> Placement:
    token = _TOKEN.fullmatch(text)
    match = _PIECE.fullmatch(token["piece"]) if token else None
    if token is None or match is None:
        raise _no_cell(text)
    name, turn = _turned(match["name"], match["turn"], kit)
    side = FaceUp.BACK if match["back"] else FaceUp.FRONT
    stock = kit.design(name)
    stock.face(side)
    if not stock.token and (token["owner"] or token["number"] or token["on"]):
        raise Wrong(f"{text!r} is a tile", "an owner, a number or a part of a place for a token only")
    if token["number"] and not int(token["number"]):
        raise Wrong(f"{text!r} is no token at all", "1 or more of them, such as knight(red,2)")
    lies = Placement(stock.id, at.column, at.row, lattice.check_turn(turn), side, level)
    return replace(lies, owner=token["owner"] or "", number=float(token["number"] or 1), on=token["on"] or "")


def _turned(name: str, turn: str | None, kit: Kit) -> tuple[str, int]:
    """The design and its turn; a `v` at the end is a turn unless it belongs to the design's own name."""
    if turn is not None:
        return name, TURNS[turn] if turn in TURNS else int(turn[1:])
    down = name.endswith("v") and name[:-1] in kit.designs
    if down and name in kit.designs:
        raise Wrong(f"{name!r} is a design, and also {name[:-1]!r} turned", f"{name}^ or {name[:-1]}/180")
    return (name[:-1], TURNS["v"]) if down else (name, 0)


def _no_cell(text: str) -> Wrong:
    hint = "quotes round the board: between braces a comma parts it" if text.count("(") > text.count(")") else ""
    expected = "a design and perhaps its turn, such as bend>, ~bend/60 or road+cover, or ."
    return Wrong(f"{text!r} is no tile", expected, hint)


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
