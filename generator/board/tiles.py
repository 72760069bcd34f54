"""Tiles as they lie: each turned onto the sides of the board, and what a pack says of where their sides meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from types import MappingProxyType

from generator.board.kit import Kit, StockFace
from generator.board.lattice import Lattice, Place
from generator.board.placement import Board, Placement
from generator.pack.links import Border, Link, Tile

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
    `dead_ends`.
    """

    joins: frozenset[Pair] = frozenset()
    fits: frozenset[Pair] = frozenset()
    closed_at: frozenset[str] = frozenset()
    reopened_by: frozenset[str] = frozenset()
    dead_ends: frozenset[str] = frozenset()

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
class LaidTile:
    """One tile on the board. `stack` is what lies there, bottom first, each with its face as it is turned."""

    place: Place
    design: str
    face: StockFace
    tokens: tuple[str, ...] = ()
    stack: tuple[tuple[str, StockFace], ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, by the sides of the board."""
        return self.face.tile.links

    def label(self, port: str) -> str | None:
        """What a side is labelled with."""
        return next((border.label for border in self.face.tile.borders if border.port == port), None)

    def kinds(self, port: str) -> tuple[str, ...]:
        """The kinds of links that reach a side."""
        return tuple(sorted(link.kind for link in self.links if port in link.ports))

    def carries(self, word: str) -> bool:
        """Whether a rule that names this word means this tile."""
        return word == self.design or word in self.tokens or word in self.face.words()

    def carries_any(self, words: Iterable[str]) -> bool:
        """Whether it carries one of the words."""
        return any(self.carries(word) for word in words)


def laid(board: Board, kit: Kit) -> Mapping[Place, LaidTile]:
    """What can be seen of a board, by place; a place where only a token lies holds no tile."""
    found = {}
    for place, stack in board.stacks().items():
        tiles = [one for one in stack if not kit.design(one.design).token]
        tokens = tuple(one.design for one in stack if kit.design(one.design).token)
        if tiles:
            faces = tuple((one.design, face_up(one, kit, board.lattice)) for one in tiles)
            found[place] = LaidTile(place, faces[-1][0], faces[-1][1], tokens, faces)
    return MappingProxyType(found)


def face_up(one: Placement, kit: Kit, lattice: Lattice) -> StockFace:
    """The face that a piece shows, turned as the piece lies. A mirrored back comes mirrored out of the pack."""
    face = kit.design(one.design).face(one.side)
    return replace(face, tile=_turned(face.tile, one.turn, lattice))


def _turned(tile: Tile, degrees: int, lattice: Lattice) -> Tile:
    if not degrees:
        return tile
    links = (replace(link, ports=tuple(lattice.turned(port, degrees) for port in link.ports)) for link in tile.links)
    borders = (Border(lattice.turned(border.port, degrees), border.label) for border in tile.borders)
    return Tile(tuple(links), tuple(borders))
