"""How one place of a board is written: `~bend>`, `road+cover`, `bend/60`, `straight^#new`, and `.` for an empty place.

A turn stands behind the name: `^ > v <` for 0, 90, 180 and 270 degrees clockwise, or `/` and the degrees, which is how
hexagons turn. `~` in front turns the back up, `+` lays the next piece on top, `#` gives the place a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.kit import Kit
from generator.board.lattice import Lattice
from generator.board.place import Place
from generator.board.placement import Placement, Side
from generator.core.problems import Wrong

EMPTY = "."
TURNS: Mapping[str, int] = MappingProxyType({"^": 0, ">": 90, "v": 180, "<": 270})
ARROWS: Mapping[int, str] = MappingProxyType({turn: arrow for arrow, turn in TURNS.items()})

_PIECE = re.compile(r"(?P<back>~?)(?P<name>[A-Za-z0-9][\w.:-]*)(?P<turn>[\^<>]|/-?\d{1,4})?")
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
    return Cell(
        tuple(_piece(part, at, level, kit, lattice) for level, part in enumerate(parts)),
        whole["name"],
    )


def write_cell(pieces: tuple[Placement, ...], name: str | None = None) -> str:
    """The text of one place, as `parse_cell` reads it."""
    written = "+".join(_written(one) for one in pieces) or EMPTY
    return f"{written}#{name}" if name else written


def _written(one: Placement) -> str:
    back = "~" if one.side is Side.BACK else ""
    if one.turn == 180 or one.turn not in ARROWS:
        return f"{back}{one.design}/{one.turn}"
    return back + one.design + (ARROWS[one.turn] if one.turn or one.design.endswith("v") else "")


def _piece(text: str, at: Place, level: int, kit: Kit, lattice: Lattice) -> Placement:
    match = _PIECE.fullmatch(text)
    if match is None:
        raise _no_cell(text)
    name, turn = _turned(match["name"], match["turn"], kit)
    side = Side.BACK if match["back"] else Side.FRONT
    stock = kit.design(name)
    stock.face(side)
    return Placement(stock.id, at.column, at.row, lattice.check_turn(turn), side, level)


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
