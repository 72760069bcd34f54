"""A board: which design lies where, which way up and which way round."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from generator.board.lattice import Lattice, Place
from generator.core.problems import Wrong, unknown


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
