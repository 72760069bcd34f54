"""Tiles as placed on a board: turned to the board's directions, stacked, with the tokens on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from types import MappingProxyType
from typing import NamedTuple

from generator.board.footprint import BRIDGE_PREFIX, find_covered_places, split_tile
from generator.board.kit import NO_FACE_NUMBERS, Board, BoardFace, FaceUp, Kit, Placement
from generator.board.lattice import Lattice, Place
from generator.core import ports as names
from generator.core.problems import Wrong
from generator.pack.tile import Area, Border, Link, Tile

Pair = frozenset[str]


def unordered_pair(first: str, second: str) -> Pair:
    """Return an unordered pair; the same name twice is a pair of that name with itself."""
    return frozenset((first, second))


@dataclass(frozen=True)
class Joining:
    """The rules for two sides that meet.

    Links of the same kind always join; `joins` adds pairs of kinds. A label meets its like, unless `fits` names its
    partners. At a labelled side a link is closed if its own or the opposite label is in `closed_at`, unless the
    opposite label is in `reopened_by`. A link with one side and no feature ends inside its tile if its kind is in
    `dead_ends`. A link that meets a tile without joining it is closed if its kind is in `cut_off`.
    """

    joins: frozenset[Pair] = frozenset()
    fits: frozenset[Pair] = frozenset()
    closed_at: frozenset[str] = frozenset()
    reopened_by: frozenset[str] = frozenset()
    dead_ends: frozenset[str] = frozenset()
    cut_off: frozenset[str] = frozenset()

    def kinds_join(self, kind: str, other_kind: str) -> bool:
        """Return True if links of these kinds join where they meet."""
        return kind == other_kind or unordered_pair(kind, other_kind) in self.joins

    def kinds_match(self, kinds: Iterable[str], other_kinds: Iterable[str]) -> bool:
        """Return True if the links of two sides can be joined one to one."""
        first = sorted(kinds)
        second = sorted(other_kinds)
        if first == second:
            return True
        return len(first) == len(second) and any(
            all(map(self.kinds_join, first, permutation)) for permutation in permutations(second)
        )

    def labels_fit(self, label: str | None, other_label: str | None) -> bool:
        """Return True if sides with these labels may touch."""
        if label is None or other_label is None:
            return label is other_label
        if any(label in fit or other_label in fit for fit in self.fits):
            return unordered_pair(label, other_label) in self.fits
        return label == other_label

    def closes(self, own: str | None, faced: str | None) -> bool:
        """Return True if a side's own label or the opposite one closes the links that end there."""
        return faced not in self.reopened_by and bool({own, faced} & self.closed_at)


# Links join their own kind, and only features close an end.
DEFAULT_JOINING = Joining()


@dataclass(frozen=True)
class Token:
    """A token on a tile: its owner, the number it counts for, the part of the place it stands on."""

    design: str
    owner: str
    number: float
    on: str
    face: BoardFace


class PieceAt(NamedTuple):
    """The identity of a piece on a board: the place where it is written, and its level."""

    place: Place
    level: int


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the board, or the part of a larger tile that lies at one place.

    `stack` lists the designs at the place, bottom first, with their turned faces. `piece` is the same for all parts
    of one tile, and None for tiles of a single place.
    """

    place: Place
    design: str
    face: BoardFace
    tokens: tuple[Token, ...] = ()
    stack: tuple[tuple[str, BoardFace], ...] = ()
    piece: PieceAt | None = None

    def is_same_piece(self, other: PlacedTile) -> bool:
        """Return True if both are parts of one piece."""
        return self.piece is not None and self.piece == other.piece

    @property
    def token_designs(self) -> tuple[str, ...]:
        """Return the designs of the tokens on the tile."""
        return tuple(token.design for token in self.tokens)

    @property
    def links(self) -> tuple[Link, ...]:
        """Return the links, with ports in the board's directions."""
        return self.face.tile.links

    @property
    def areas(self) -> tuple[Area, ...]:
        """Return the areas, with parts in the board's directions."""
        return self.face.tile.areas

    def label(self, port: str) -> str | None:
        """Return the label of a side, or of the part of a side that contains a port."""
        side = names.side_of(port)
        share = names.share_of(port)
        return self._word_at(side, share, ((border.port, border.label) for border in self.face.tile.borders))

    def area(self, side: str, share: Fraction) -> str | None:
        """Return the kind of the area at a share of a side."""
        return self._word_at(side, share, ((part, area.kind) for area in self.areas for part in area.parts))

    def label_and_area(self, side: str, share: Fraction) -> tuple[str | None, str | None]:
        """Return the label and the kind of area at a share of a side."""
        return self._word_at(
            side, share, ((border.port, border.label) for border in self.face.tile.borders)
        ), self.area(side, share)

    @staticmethod
    def _word_at(side: str, share: Fraction, parts: Iterable[tuple[str, str]]) -> str | None:
        """Return the word of the first part that contains a share of a side; None without one."""
        for part, word in parts:
            index, count = names.part_of(part)
            if names.side_of(part) == side and Fraction(index - 1, count) <= share <= Fraction(index, count):
                return word
        return None

    def ports(self, side: str) -> frozenset[str]:
        """Return the ports of a side that links reach."""
        return frozenset(port for link in self.links for port in link.ports if names.side_of(port) == side)

    def kinds(self, port: str) -> tuple[str, ...]:
        """Return the kinds of links that reach a port, sorted."""
        return tuple(sorted(link.kind for link in self.links if port in link.ports))

    def carries(self, word: str) -> bool:
        """Return True if a rule's word names this tile: its design, a token, a mark, a feature or a kind."""
        return word == self.design or word in self.token_designs or word in self.face.words()

    def carries_any(self, words: Iterable[str]) -> bool:
        """Return True if any of the words names this tile."""
        return any(self.carries(word) for word in words)

    def side_breaks(self, side: str) -> frozenset[Fraction]:
        """Return the shares of a side at which its label or area changes."""
        parts = [border.port for border in self.face.tile.borders] + [
            part for area in self.areas for part in area.parts
        ]
        own_parts = [names.part_of(part) for part in parts if names.side_of(part) == side]
        return frozenset(Fraction(end, count) for index, count in own_parts for end in (index - 1, index))


def place_tiles(board: Board, kit: Kit) -> Mapping[Place, PlacedTile]:
    """Return the visible tiles by place; places with tokens only are left out."""
    tiles: dict[Place, PlacedTile] = {}
    counted_pieces: set[PieceAt] = set()
    stacks = _stack_tiles(board, kit)
    for place in sorted(stacks, key=lambda place: (place.row, place.column)):
        stack = stacks[place]
        top, face = stack[-1]
        piece = PieceAt(top.place, top.level) if len(kit.design(top.design).covers) > 1 else None
        if piece in counted_pieces:
            face = replace(face, numbers=NO_FACE_NUMBERS)
        counted_pieces |= {piece} if piece else set()
        tokens = tuple(find_tokens(board, kit, place))
        tiles[place] = PlacedTile(
            place, top.design, face, tokens, tuple((placement.design, up) for placement, up in stack), piece
        )
    return MappingProxyType(tiles)


_Stack = list[tuple[Placement, BoardFace]]


def _stack_tiles(board: Board, kit: Kit) -> dict[Place, _Stack]:
    """Return the tiles at each place, bottom first, with the face that each shows there.

    Raise `Wrong` if two pieces overlap on the same level.
    """
    stacks: dict[Place, _Stack] = {}
    for placement in sorted(board.placements, key=lambda placement: (placement.level, placement.row, placement.column)):
        for place, face in (
            find_visible_faces(placement, kit, board.lattice) if not kit.design(placement.design).is_token else ()
        ):
            stack = stacks.setdefault(place, [])
            if stack and stack[-1][0].level == placement.level:
                lower = stack[-1][0]
                pieces = f"{lower.design!r} of {lower.place} and {placement.design!r} of {placement.place}"
                raise Wrong(
                    f"{pieces} both lie at {place}",
                    "one piece at a place",
                    f"what lies over part of another is written .+{placement.design}",
                )
            stack.append((placement, face))
    return stacks


def find_tokens(board: Board, kit: Kit, place: Place) -> Iterator[Token]:
    """Yield the tokens at a place, the lowest first."""
    for placement in sorted(board.placements, key=lambda placement: placement.level):
        if placement.place == place and kit.design(placement.design).is_token:
            yield Token(
                placement.design,
                placement.owner,
                placement.number,
                placement.on,
                kit.design(placement.design).face(placement.side),
            )


def find_piece_places(placement: Placement, kit: Kit, lattice: Lattice) -> tuple[Place, ...]:
    """Return the places that a piece covers."""
    stock = kit.design(placement.design)
    flipped = placement.side is FaceUp.BACK
    return find_covered_places(stock.covers, lattice, placement.place, placement.turn, flipped=flipped)


def find_visible_faces(placement: Placement, kit: Kit, lattice: Lattice) -> Iterator[tuple[Place, BoardFace]]:
    """Yield each place of a piece with the face it shows there, turned.

    Mirrored backs arrive mirrored.
    """
    stock = kit.design(placement.design)
    face = stock.face(placement.side)
    turn = lattice.table_turn(placement.place, placement.turn)
    places = find_piece_places(placement, kit, lattice)
    if len(places) == 1:
        yield placement.place, replace(face, tile=_turn_tile(face.tile, turn, lattice))
        return
    for place, tile in zip(places, split_tile(face.tile, stock.covers, lattice).values(), strict=True):
        yield place, replace(face, tile=_turn_tile(tile, turn, lattice))


def find_visible_face(placement: Placement, kit: Kit, lattice: Lattice) -> BoardFace:
    """Return the face that a piece shows at the place where it is written."""
    return next(face for place, face in find_visible_faces(placement, kit, lattice) if place == placement.place)


def _turn_tile(tile: Tile, degrees: int, lattice: Lattice) -> Tile:
    """Return the tile with its ports turned clockwise by degrees."""
    if not degrees:
        return tile
    inner = {point.name for point in tile.points}

    def turn(port: str) -> str:
        return port if port in inner or port.startswith(BRIDGE_PREFIX) else lattice.turn_port(port, degrees)

    return Tile(
        tuple(replace(link, ports=tuple(map(turn, link.ports))) for link in tile.links),
        tuple(Border(turn(border.port), border.label) for border in tile.borders),
        tuple(replace(area, parts=tuple(map(turn, area.parts))) for area in tile.areas),
        tile.points,
    )
