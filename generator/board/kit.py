"""A board and its pieces: which design lies where and which way up, and what a board needs to know of the designs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from generator.board.lattice import HEX, POINTED, SQUARE, TRIANGULAR, Lattice, Place
from generator.core.problems import Wrong, unknown
from generator.pack.game import Component, FaceSpec
from generator.pack.links import NO_LINKS, Tile


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


NO_NUMBERS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class StockFace:
    """One side of a piece: what runs across it, the words that it is marked with, and its numbers by name."""

    tile: Tile = NO_LINKS
    marks: frozenset[str] = frozenset()
    numbers: Mapping[str, float] = field(default_factory=lambda: NO_NUMBERS)

    def labels(self) -> frozenset[str]:
        """What its sides are labelled with."""
        return frozenset(border.label for border in self.tile.borders)

    def words(self) -> frozenset[str]:
        """Everything that a rule can call this side by, but its labels, which belong to single sides."""
        return self.marks | self.features() | self.kinds()

    def kinds(self) -> frozenset[str]:
        """The kinds of its links and of its areas."""
        return frozenset(link.kind for link in self.tile.links) | frozenset(area.kind for area in self.tile.areas)

    def features(self) -> frozenset[str]:
        """What stands on its links and in its areas."""
        return frozenset(name for name, _ in self.tile.carried if name)


@dataclass(frozen=True)
class Stock:
    """A design: how many there are, and its sides. A token rests on a tile and hides nothing of it.

    `covers` are the places that it lies on, from A1 on and row by row, where they are more than one.
    """

    id: str
    front: StockFace
    back: StockFace | None = None
    count: int = 1
    token: bool = False
    covers: tuple[Place, ...] = ()

    def face(self, side: FaceUp) -> StockFace:
        """The side that is up."""
        if side is FaceUp.FRONT:
            return self.front
        if self.back is None:
            raise Wrong(f"{self.id!r} has no back", "a design with two sides, or no ~ before its name")
        return self.back

    def faces(self) -> Iterator[StockFace]:
        """Its one or two sides."""
        yield self.front
        if self.back is not None:
            yield self.back


@dataclass(frozen=True)
class Kit:
    """All designs by name. A name that two components use is only known as `component:name`."""

    designs: Mapping[str, Stock]
    twice: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def design(self, name: str) -> Stock:
        """The design of that name."""
        if name in self.twice:
            raise Wrong(f"{name!r} is the name of {len(self.twice[name])} designs", f"{' or '.join(self.twice[name])}")
        if name not in self.designs:
            raise unknown("design", name, self.designs)
        return self.designs[name]

    def with_aliases(self, aliases: Mapping[str, str]) -> Kit:
        """The same kit with other names for some designs, such as the short ones of a figure."""
        return replace(self, designs={**self.designs, **{name: self.design(of) for name, of in aliases.items()}})

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of links and of areas."""
        return frozenset(kind for face in self._faces() for kind in face.kinds())

    @cached_property
    def features(self) -> frozenset[str]:
        """What stands on links and in areas."""
        return frozenset(name for face in self._faces() for name in face.features())

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of sides."""
        return frozenset(label for face in self._faces() for label in face.labels())

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The names of numbers."""
        return frozenset(name for face in self._faces() for name in face.numbers)

    @cached_property
    def words(self) -> frozenset[str]:
        """What a rule can call tiles by: kinds of links, features, marks, numbers, and the designs' own names."""
        words = {word for face in self._faces() for word in face.words()}
        return frozenset(self.designs) | self.numbers | words

    def _faces(self) -> Iterator[StockFace]:
        return (face for stock in self.designs.values() for face in stock.faces())


def kit_of(components: Iterable[Component]) -> Kit:
    """The kit of a game.

    Where the pack does not say what lies as a token on tiles, a component without a single link, area or label does,
    unless it is cut to the size of those that have some; where nothing has any, all are tiles.
    """
    parts = tuple(components)
    tiled = tiles_of(parts)
    named: dict[str, list[Stock]] = {}
    for part in parts:
        for stock in _stocks(part, token=part not in tiled):
            named.setdefault(stock.id.partition(":")[2], []).append(stock)
    designs: dict[str, Stock] = {}
    for name, stocks in named.items():
        designs |= {stock.id: stock for stock in stocks} if len(stocks) > 1 else {name: replace(stocks[0], id=name)}
    twice = {name: tuple(stock.id for stock in stocks) for name, stocks in named.items() if len(stocks) > 1}
    return Kit(designs, MappingProxyType(twice))


def tiles_of(components: Iterable[Component]) -> tuple[Component, ...]:
    """The components that lie on a board as tiles."""
    parts = tuple(components)
    sizes = {part.outline for part in parts if _has_links(part)}
    guessed = {part.id for part in parts if not sizes or part.outline in sizes or part.covers}
    return tuple(part for part in parts if part.lies == "tile" or (part.lies is None and part.id in guessed))


def lattice_for(components: Iterable[Component]) -> Lattice:
    """How tiles lie where the pack does not say: as their shapes fit together, or as squares."""
    kinds = {part.outline.kind for part in tiles_of(components) if part.make.name == "piece" and not part.covers}
    return BY_SHAPE.get(kinds.pop(), SQUARE) if len(kinds) == 1 else SQUARE


BY_SHAPE: Mapping[str, Lattice] = MappingProxyType({"hex": HEX, "hex pointed": POINTED, "triangle": TRIANGULAR})
"""How tiles lie by the shape that they have."""


def _has_links(component: Component) -> bool:
    faces = (face for design in component.designs for face in (design.front, design.back) if face)
    return any(face.tile != NO_LINKS for face in faces)


def _stocks(component: Component, *, token: bool) -> Iterator[Stock]:
    for design in component.designs:
        back = _face(design.back, design.numbers) if design.back else None
        front = _face(design.front, design.numbers)
        covers = tuple(Place(*cell) for cell in component.covers)
        yield Stock(f"{component.id}:{design.id}", front, back, design.count, token, covers)


def _face(spec: FaceSpec, numbers: Mapping[str, float]) -> StockFace:
    return StockFace(spec.tile, spec.marks, numbers)
