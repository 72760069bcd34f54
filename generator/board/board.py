"""Boards and their pieces: placements, the properties of designs that matter on a board, and the notation of boards.

A pack writes a board as rows of cells, or as a list of places:

    straight>  bend^   .
    .          cross   road+cover#hole

The sign after a name is its turn: `^ > v <` for 0, 90, 180 and 270 degrees clockwise, or `/` and
degrees. `~` in front shows the back, `+` stacks the next piece on top, `#` names the place, and `.`
is an empty place. A token can have an owner, a number and a position: `knight(red,2)@city.n`. A
list names its places and can leave some out: `B1 bend^`, `C2 road+cover`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from generator.base.errors import InvalidValueError, find_row, prefixing
from generator.base.units import format_count
from generator.board.lattice import HEX, POINTED, SQUARE, TRIANGULAR, Lattice, Place, parse_place
from generator.pack.game import Component, FaceSpec
from generator.pack.tile import EMPTY_TILE, Tile


class FaceUp(StrEnum):
    """The side of a piece that faces up."""

    FRONT = "front"
    BACK = "back"


@dataclass(frozen=True)
class Placement:
    """A piece on the board.

    `turn` is in degrees clockwise; `level` counts stacked pieces upwards from 0. A token may have
    an `owner`, count for a `number` of tokens, and stand `on` a part of its place: a port of a link
    or of an area (`n`, `city.n`), a kind that occurs once (`city`), a corner or an edge
    (`corner.ne`, `edge.n`).
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
        """Return the place where the piece is written."""
        return Place(self.column, self.row)


@dataclass(frozen=True)
class Board:
    """Pieces on a table; `names` are places named by a figure or a claim."""

    lattice: Lattice
    placements: tuple[Placement, ...] = ()
    names: Mapping[str, Place] = field(default_factory=dict)

    @cached_property
    def stacks(self) -> Mapping[Place, tuple[Placement, ...]]:
        """The pieces written at each place, bottom first; the places are in reading order."""
        stacks: dict[Place, tuple[Placement, ...]] = {}
        for placement in sorted(
            self.placements,
            key=lambda placement: (placement.row, placement.column, placement.level),
        ):
            stacks[placement.place] = (*stacks.get(placement.place, ()), placement)
        return stacks

    def with_pieces(self, more: Iterable[Placement]) -> Board:
        """Return the board with more pieces."""
        return build_board(self.lattice, [*self.placements, *more], self.names)

    def without(self, places: Container[Place]) -> Board:
        """Return the board without the pieces at some places."""
        remaining = tuple(
            placement for placement in self.placements if placement.place not in places
        )
        return Board(self.lattice, remaining, self.names)

    def place(self, word: str) -> Place:
        """Return the place of `B3` or `#name`; raise `InvalidValueError` for unknown names."""
        if not word.startswith("#"):
            return parse_place(word)
        return find_row("place", word, {f"#{name}": place for name, place in self.names.items()})


def build_board(
    lattice: Lattice,
    placements: Iterable[Placement],
    names: Mapping[str, Place] | None = None,
) -> Board:
    """Return a board of these pieces.

    Raise `InvalidValueError` if two pieces share a place and a level, or if a turn does not fit the
    tiling.
    """
    occupied: dict[tuple[Place, int], str] = {}
    pieces = tuple(placements)
    for placement in pieces:
        lattice.check_turn(placement.turn)
        if (placement.place, placement.level) in occupied:
            lower = occupied[placement.place, placement.level]
            raise InvalidValueError(
                f"two tiles at {placement.place}: {lower!r} and {placement.design!r}",
                "one tile at a place",
                f"a tile laid over another is written {lower}+{placement.design}",
            )
        occupied[placement.place, placement.level] = placement.design
    return Board(lattice, pieces, names or {})


@dataclass(frozen=True)
class BoardFace:
    """A side of a design: its links, areas and labels, its marks, and its numbers by name."""

    tile: Tile = EMPTY_TILE
    marks: frozenset[str] = frozenset()
    numbers: Mapping[str, float] = field(default_factory=dict)

    def labels(self) -> frozenset[str]:
        """Return the labels of its sides."""
        return frozenset(border.label for border in self.tile.borders)

    def words(self) -> frozenset[str]:
        """Return the words by which rules can name this face, without labels, which belong to single sides."""
        return self.marks | self.features() | self.kinds()

    def kinds(self) -> frozenset[str]:
        """Return the kinds of its links and areas."""
        return frozenset(link.kind for link in self.tile.links) | frozenset(
            area.kind for area in self.tile.areas
        )

    def features(self) -> frozenset[str]:
        """Return the features on its links and in its areas."""
        return frozenset(name for name, _ in self.tile.carried if name)


@dataclass(frozen=True)
class BoardDesign:
    """A design on a board: its sides and its number of copies.

    Tokens rest on tiles and hide nothing. `covers` are the places covered by a piece at A1, in
    reading order, if there are several.
    """

    id: str
    front: BoardFace
    back: BoardFace | None = None
    count: int = 1
    is_token: bool = False
    covers: tuple[Place, ...] = ()

    def face(self, side: FaceUp) -> BoardFace:
        """Return the face for a side; raise `InvalidValueError` if the design has no back."""
        if side is FaceUp.FRONT:
            return self.front
        if self.back is None:
            raise InvalidValueError(
                f"{self.id!r} has no back", "a design with two sides, or no ~ before its name"
            )
        return self.back

    def faces(self) -> Iterator[BoardFace]:
        """Yield the front and, if there is one, the back."""
        yield self.front
        if self.back is not None:
            yield self.back


@dataclass(frozen=True)
class Kit:
    """All designs of a game by name.

    A name used by two components is only known as `component:name`.
    """

    designs: Mapping[str, BoardDesign]
    ambiguous: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def design(self, name: str) -> BoardDesign:
        """Return the design with a name.

        Raise `InvalidValueError` for unknown and ambiguous names.
        """
        if name in self.ambiguous:
            raise InvalidValueError(
                f"{name!r} is the name of {len(self.ambiguous[name])} designs",
                f"{' or '.join(self.ambiguous[name])}",
            )
        return find_row("design", name, self.designs)

    def with_aliases(self, aliases: Mapping[str, str]) -> Kit:
        """Return the kit with additional names for designs, such as the short names of a figure."""
        return replace(
            self,
            designs={**self.designs, **{name: self.design(of) for name, of in aliases.items()}},
        )

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of links and areas."""
        return frozenset(kind for face in self._faces() for kind in face.kinds())

    @cached_property
    def features(self) -> frozenset[str]:
        """Return the features on links and in areas."""
        return frozenset(name for face in self._faces() for name in face.features())

    @cached_property
    def labels(self) -> frozenset[str]:
        """Return the labels of sides."""
        return frozenset(label for face in self._faces() for label in face.labels())

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Return the names of numbers."""
        return frozenset(name for face in self._faces() for name in face.numbers)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the words by which rules can name tiles: kinds, features, marks, numbers and designs."""
        words = {word for face in self._faces() for word in face.words()}
        return frozenset(self.designs) | self.numbers | words

    def _faces(self) -> Iterator[BoardFace]:
        return (face for design in self.designs.values() for face in design.faces())


def build_kit(components: Iterable[Component]) -> Kit:
    """Return the kit of a game's components.

    Unless the pack says which components are tokens, components without links, areas or labels are
    tokens, except those cut to the size of a component that has some. If no component has any, all
    are tiles.
    """
    parts = tuple(components)
    tiled = find_tile_components(parts)
    by_name: dict[str, list[BoardDesign]] = {}
    for part in parts:
        for design in _list_designs(part, is_token=part not in tiled):
            by_name.setdefault(design.id.partition(":")[2], []).append(design)
    designs: dict[str, BoardDesign] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for name, same_name in by_name.items():
        if len(same_name) == 1:
            designs[name] = replace(same_name[0], id=name)
        else:
            designs |= {design.id: design for design in same_name}
            ambiguous[name] = tuple(design.id for design in same_name)
    return Kit(designs, ambiguous)


def find_tile_components(components: Iterable[Component]) -> tuple[Component, ...]:
    """Return the components that are placed on a board as tiles."""
    parts = tuple(components)
    sizes = {part.outline for part in parts if _has_links(part)}
    guessed = {part.id for part in parts if not sizes or part.outline in sizes or part.covers}
    return tuple(
        part for part in parts if part.lies == "tile" or (part.lies is None and part.id in guessed)
    )


def choose_lattice(components: Iterable[Component]) -> Lattice:
    """Return the tiling that fits the shape of the tiles; squares if they have several shapes."""
    kinds = {
        part.outline.kind
        for part in find_tile_components(components)
        if part.make.name == "piece" and not part.covers
    }
    return LATTICE_BY_SHAPE.get(kinds.pop(), SQUARE) if len(kinds) == 1 else SQUARE


LATTICE_BY_SHAPE: Mapping[str, Lattice] = {
    "hex": HEX,
    "hex pointed": POINTED,
    "triangle": TRIANGULAR,
}
"""The tiling for each shape of tile; other shapes use squares."""


def _has_links(component: Component) -> bool:
    faces = (face for design in component.designs for face in (design.front, design.back) if face)
    return any(face.tile != EMPTY_TILE for face in faces)


def _list_designs(component: Component, *, is_token: bool) -> Iterator[BoardDesign]:
    """Yield the designs of a component under their full ids."""
    for design in component.designs:
        back = _face(design.back, design.numbers) if design.back else None
        front = _face(design.front, design.numbers)
        covers = tuple(Place(*cell) for cell in component.covers)
        yield BoardDesign(
            f"{component.id}:{design.id}", front, back, design.count, is_token, covers
        )


def _face(spec: FaceSpec, numbers: Mapping[str, float]) -> BoardFace:
    return BoardFace(spec.tile, spec.marks, numbers)


EMPTY = "."
TURNS: Mapping[str, int] = {"^": 0, ">": 90, "v": 180, "<": 270}

_PIECE_PATTERN = re.compile(
    r"(?P<back>~?)(?P<name>[A-Za-z0-9][\w.:-]*)(?P<turn>[\^<>]|/-?\d{1,4})?"
)
_TOKEN_PATTERN = re.compile(
    r"(?P<piece>[^()@]+)(?:\((?P<owner>[A-Za-z][\w-]*)?,?(?P<number>\d{1,4})?\))?(?:@(?P<on>[\w./-]+))?"
)
_CELL_PATTERN = re.compile(r"(?P<cell>[^#]+?)(?:#(?P<name>[A-Za-z][\w-]*))?")


Cell = tuple[tuple[Placement, ...], str | None]
"""The pieces at a place, bottom first, and the name of the place."""


def parse_cell(text: str, at: Place, kit: Kit, lattice: Lattice) -> Cell:
    """Parse the notation of a place; raise `InvalidValueError` if it cannot be read."""
    match = _CELL_PATTERN.fullmatch(text)
    if match is None:
        raise _cell_error(text)
    if match["cell"] == EMPTY:
        return (), match["name"]
    texts = match["cell"].split("+")
    levels = [(level, part) for level, part in enumerate(texts) if level or part != EMPTY]
    pieces = tuple(_parse_piece(part, at, level, kit, lattice) for level, part in levels)
    return pieces, match["name"]


def parse_single_piece(text: str, kit: Kit, lattice: Lattice, expected: str) -> Placement:
    """Parse the notation of one piece, such as `bend>`; raise `InvalidValueError` for none or several."""
    pieces, _ = parse_cell(text, Place(0, 0), kit, lattice)
    if len(pieces) != 1:
        raise InvalidValueError(f"{text!r} is {len(pieces)} pieces", expected)
    return pieces[0]


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
            f"{text!r} stands for 0 tokens", "at least 1, such as knight(red,2)"
        )
    return Placement(
        design.id,
        at.column,
        at.row,
        lattice.check_turn(turn),
        side,
        level,
        owner=token["owner"] or "",
        number=float(token["number"] or 1),
        on=token["on"] or "",
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
                f"row {number} has {format_count(len(row), 'cell')}, row 1 has {format_count(len(rows[0]), 'cell')}",
                "the same number in each row",
                "an empty place is written .",
            )


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
    for place, (pieces_there, name) in cells:
        pieces.extend(pieces_there)
        if name in names:
            raise InvalidValueError(
                f"#{name} is the name of {names[name]} and of {place}", "each name once"
            )
        if name is not None:
            names[name] = place
    return build_board(lattice, pieces, names)
