"""A board: which design lies where, which way up and which way round."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from generator.board.kit import Kit
from generator.board.lattice import Lattice, Place, parse_place
from generator.core import units
from generator.core.problems import Wrong, labelled, unknown


class FaceUp(StrEnum):
    """Which face of a piece is up."""

    FRONT = "front"
    BACK = "back"


@dataclass(frozen=True)
class Placement:
    """One piece on the board. `turn` is in degrees clockwise; `level` counts up where pieces lie on one another.

    A token may have an `owner`, count for a `number` of them, and stand `on` a part of its place: a port of a link or
    of an area (`n`, `city.n`), a kind that is there once (`city`), a corner or an edge (`corner.ne`, `edge.n`).
    """

    design: str
    column: int
    row: int
    turn: int = 0
    side: FaceUp = FaceUp.FRONT
    level: int = 0
    owner: str = ""
    number: float = 1.0
    on: str = ""

    @property
    def place(self) -> Place:
        """Where it lies."""
        return Place(self.column, self.row)


@dataclass(frozen=True)
class Board:
    """Pieces on a table. `names` are places that a figure or a claim calls by a word."""

    lattice: Lattice
    placements: tuple[Placement, ...] = ()
    names: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}))

    def stacks(self) -> dict[Place, tuple[Placement, ...]]:
        """The pieces at each place, bottom first."""
        found: dict[Place, tuple[Placement, ...]] = {}
        for one in sorted(self.placements, key=lambda one: (one.row, one.column, one.level)):
            found[one.place] = (*found.get(one.place, ()), one)
        return found

    def with_pieces(self, more: Iterable[Placement]) -> Board:
        """The board with other pieces added."""
        return board_of(self.lattice, [*self.placements, *more], self.names)

    def without(self, places: Container[Place]) -> Board:
        """The board with nothing at some places."""
        left = tuple(one for one in self.placements if one.place not in places)
        return Board(self.lattice, left, self.names)

    def named(self, word: str) -> Place:
        """The place that carries a name."""
        if word not in self.names:
            raise unknown("place", "#" + word, ["#" + name for name in self.names])
        return self.names[word]


def board_of(
    lattice: Lattice, placements: Iterable[Placement], names: Mapping[str, Place] = MappingProxyType({})
) -> Board:
    """A board, once it is sure that no two pieces are in one place and that every turn is a whole step."""
    taken: dict[tuple[Place, int], str] = {}
    pieces = tuple(placements)
    for one in pieces:
        lattice.check_turn(one.turn)
        if (one.place, one.level) in taken:
            other = taken[one.place, one.level]
            raise Wrong(
                f"two tiles at {one.place}: {other!r} and {one.design!r}",
                "one tile at a place",
                f"a tile laid over another is written {other}+{one.design}",
            )
        taken[one.place, one.level] = one.design
    return Board(lattice, pieces, MappingProxyType(dict(names)))


EMPTY = "."
TURNS: Mapping[str, int] = MappingProxyType({"^": 0, ">": 90, "v": 180, "<": 270})
ARROWS: Mapping[int, str] = MappingProxyType({turn: arrow for arrow, turn in TURNS.items()})

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


def write_cell(pieces: tuple[Placement, ...], name: str | None = None) -> str:
    """The text of one place, as `parse_cell` reads it."""
    written = "+".join([EMPTY] * bool(pieces and pieces[0].level) + [_written(one) for one in pieces]) or EMPTY
    return f"{written}#{name}" if name else written


def _written(one: Placement) -> str:
    back = "~" if one.side is FaceUp.BACK else ""
    if one.turn == 180 or one.turn not in ARROWS:
        piece = f"{back}{one.design}/{one.turn}"
    else:
        piece = back + one.design + (ARROWS[one.turn] if one.turn or one.design.endswith("v") else "")
    said = ",".join([one.owner] * bool(one.owner) + [units.number(one.number)] * (one.number != 1))
    return piece + (f"({said})" if said else "") + (f"@{one.on}" if one.on else "")


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
    return Wrong(f"{text!r} is no tile", "a design and perhaps its turn, such as bend>, ~bend/60 or road+cover, or .")


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
