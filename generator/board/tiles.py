"""Tiles as they lie: each turned onto the sides of the board, and what a pack says of where their sides meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from types import MappingProxyType
from typing import NamedTuple

from generator.board.footprint import BRIDGE, covered, parted
from generator.board.kit import NO_NUMBERS, Board, FaceUp, Kit, Placement, StockFace
from generator.board.lattice import Lattice, Place
from generator.core import ports as names
from generator.core.problems import Wrong
from generator.pack.tile import Area, Border, Link, Tile

Pair = frozenset[str]


def pair(one: str, other: str) -> Pair:
    """Two names in no order; one name twice is a pair of that name with itself."""
    return frozenset((one, other))


@dataclass(frozen=True)
class Joining:
    """How sides meet.

    Links of one kind always join; `joins` adds pairs of kinds. Labels meet their own, unless `fits` names pairs for
    them. A link's end at a labelled side is closed when that label or the one it faces is in `closed_at`, unless the
    one it faces is in `reopened_by`. A link with one side and no feature ends by itself when its kind is in
    `dead_ends`; one that runs against a tile which it does not join ends there when its kind is in `cut_off`.
    """

    joins: frozenset[Pair] = frozenset()
    fits: frozenset[Pair] = frozenset()
    closed_at: frozenset[str] = frozenset()
    reopened_by: frozenset[str] = frozenset()
    dead_ends: frozenset[str] = frozenset()
    cut_off: frozenset[str] = frozenset()

    def kinds_join(self, one: str, other: str) -> bool:
        """Whether links of these kinds join where they meet."""
        return one == other or pair(one, other) in self.joins

    def kinds_match(self, ones: Iterable[str], others: Iterable[str]) -> bool:
        """Whether every link that reaches one side can join one of its own that reaches the other."""
        mine, theirs = sorted(ones), sorted(others)
        if mine == theirs:
            return True
        return len(mine) == len(theirs) and any(
            all(map(self.kinds_join, mine, order)) for order in permutations(theirs)
        )

    def labels_fit(self, one: str | None, other: str | None) -> bool:
        """Whether sides with these labels may touch."""
        if one is None or other is None:
            return one is other
        if any(one in fit or other in fit for fit in self.fits):
            return pair(one, other) in self.fits
        return one == other

    def closes(self, own: str | None, faced: str | None) -> bool:
        """Whether a link's end is closed by the labels of its side and of the side that it faces."""
        return faced not in self.reopened_by and bool({own, faced} & self.closed_at)


PLAIN = Joining()
"""Links join their own kind, and nothing but a feature closes an end."""


@dataclass(frozen=True)
class Token:
    """A token as it lies: whose it is, for how many it counts, and on what of its place it stands."""

    design: str
    owner: str
    number: float
    on: str
    face: StockFace


class PieceAt(NamedTuple):
    """Which piece of a board: where it is written, and on which level it lies."""

    place: Place
    level: int


@dataclass(frozen=True)
class LaidTile:
    """One tile on the board, or what one over several places has at one of them.

    `stack` is what lies there, bottom first, each with its face as it is turned; `piece` tells the parts of one tile.
    """

    place: Place
    design: str
    face: StockFace
    held: tuple[Token, ...] = ()
    stack: tuple[tuple[str, StockFace], ...] = ()
    piece: PieceAt | None = None

    def beside_itself(self, other: LaidTile) -> bool:
        """Whether both are parts of one piece."""
        return self.piece is not None and self.piece == other.piece

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens that rest on it."""
        return tuple(token.design for token in self.held)

    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, by the sides of the board."""
        return self.face.tile.links

    @property
    def areas(self) -> tuple[Area, ...]:
        """Its areas, by the sides of the board."""
        return self.face.tile.areas

    def label(self, port: str) -> str | None:
        """What a side, or the part of a side at which a port lies, is labelled with."""
        side, share = names.side_of(port), names.share_of(port)
        return self.at(side, share, ((border.port, border.label) for border in self.face.tile.borders))

    def area(self, side: str, share: Fraction) -> str | None:
        """The kind of the area so far along a side."""
        return self.at(side, share, ((part, area.kind) for area in self.areas for part in area.parts))

    def at_share(self, side: str, share: Fraction) -> tuple[str | None, str | None]:
        """The label and the kind of area so far along a side."""
        return self.at(side, share, ((one.port, one.label) for one in self.face.tile.borders)), self.area(side, share)

    @staticmethod
    def at(side: str, share: Fraction, parts: Iterable[tuple[str, str]]) -> str | None:
        """What of some parts of sides, each with a word, lies so far along a side."""
        for part, word in parts:
            nth, of = names.part_of(part)
            if names.side_of(part) == side and Fraction(nth - 1, of) <= share <= Fraction(nth, of):
                return word
        return None

    def ports(self, side: str) -> frozenset[str]:
        """The ports of a side that its links reach."""
        return frozenset(port for link in self.links for port in link.ports if names.side_of(port) == side)

    def kinds(self, port: str) -> tuple[str, ...]:
        """The kinds of links that reach a port."""
        return tuple(sorted(link.kind for link in self.links if port in link.ports))

    def carries(self, word: str) -> bool:
        """Whether a rule that names this word means this tile."""
        return word == self.design or word in self.tokens or word in self.face.words()

    def carries_any(self, words: Iterable[str]) -> bool:
        """Whether it carries one of the words."""
        return any(self.carries(word) for word in words)

    def cuts(self, side: str) -> frozenset[Fraction]:
        """Where the parts of a side end that are labelled or belong to an area."""
        parts = [border.port for border in self.face.tile.borders] + [
            part for area in self.areas for part in area.parts
        ]
        mine = [names.part_of(part) for part in parts if names.side_of(part) == side]
        return frozenset(Fraction(end, of) for nth, of in mine for end in (nth - 1, nth))


def laid(board: Board, kit: Kit) -> Mapping[Place, LaidTile]:
    """What can be seen of a board, by place; a place where only a token lies holds no tile."""
    found: dict[Place, LaidTile] = {}
    told: set[PieceAt] = set()
    stacks = _stacks(board, kit)
    for place in sorted(stacks, key=lambda place: (place.row, place.column)):
        stack = stacks[place]
        top, face = stack[-1]
        piece = PieceAt(top.place, top.level) if len(kit.design(top.design).covers) > 1 else None
        if piece in told:
            face = replace(face, numbers=NO_NUMBERS)
        told |= {piece} if piece else set()
        held = tuple(tokens_at(board, kit, place))
        found[place] = LaidTile(place, top.design, face, held, tuple((one.design, up) for one, up in stack), piece)
    return MappingProxyType(found)


_Stack = list[tuple[Placement, StockFace]]


def _stacks(board: Board, kit: Kit) -> dict[Place, _Stack]:
    """The tiles at each place, bottom first, each with the face that it shows there."""
    found: dict[Place, _Stack] = {}
    for one in sorted(board.placements, key=lambda one: (one.level, one.row, one.column)):
        for place, face in faces_up(one, kit, board.lattice) if not kit.design(one.design).token else ():
            below = found.setdefault(place, [])
            if below and below[-1][0].level == one.level:
                other = below[-1][0]
                raise Wrong(
                    f"{other.design!r} of {other.place} and {one.design!r} of {one.place} both lie at {place}",
                    "one piece at a place",
                    f"what lies over part of another is written .+{one.design}",
                )
            below.append((one, face))
    return found


def tokens_at(board: Board, kit: Kit, place: Place) -> Iterator[Token]:
    """The tokens at a place, the lowest first, whatever lies below them."""
    for one in sorted(board.placements, key=lambda one: one.level):
        if one.place == place and kit.design(one.design).token:
            yield Token(one.design, one.owner, one.number, one.on, kit.design(one.design).face(one.side))


def places_of(one: Placement, kit: Kit, lattice: Lattice) -> tuple[Place, ...]:
    """The places that a piece covers."""
    stock, flipped = kit.design(one.design), one.side is FaceUp.BACK
    return covered(stock.covers, lattice, one.place, one.turn, flipped=flipped)


def faces_up(one: Placement, kit: Kit, lattice: Lattice) -> Iterator[tuple[Place, StockFace]]:
    """The face that a piece shows at each of its places, turned as it lies. A mirrored back comes mirrored already."""
    stock = kit.design(one.design)
    face, turn = stock.face(one.side), lattice.lying(one.place, one.turn)
    places = places_of(one, kit, lattice)
    if len(places) == 1:
        yield one.place, replace(face, tile=_turned(face.tile, turn, lattice))
        return
    for place, tile in zip(places, parted(face.tile, stock.covers, lattice).values(), strict=True):
        yield place, replace(face, tile=_turned(tile, turn, lattice))


def face_up(one: Placement, kit: Kit, lattice: Lattice) -> StockFace:
    """The face that a piece shows where it is written."""
    return next(face for place, face in faces_up(one, kit, lattice) if place == one.place)


def _turned(tile: Tile, degrees: int, lattice: Lattice) -> Tile:
    if not degrees:
        return tile
    inner = {point.name for point in tile.points}

    def turn(port: str) -> str:
        return port if port in inner or port.startswith(BRIDGE) else lattice.turned(port, degrees)

    return Tile(
        tuple(replace(link, ports=tuple(map(turn, link.ports))) for link in tile.links),
        tuple(Border(turn(border.port), border.label) for border in tile.borders),
        tuple(replace(area, parts=tuple(map(turn, area.parts))) for area in tile.areas),
        tile.points,
    )
