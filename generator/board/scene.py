"""A board looked at under a pack's rules: all that legality, counting and claims ask of it, worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from generator.board.footprint import BRIDGE, bridged
from generator.board.kit import Board, Kit
from generator.board.lattice import Lattice, Place, Spot
from generator.board.network import (
    Ends,
    Near,
    Network,
    RunAt,
    Seam,
    Track,
    bonds_of,
    near_of,
    networks_of,
    runs_of,
    seams_of,
    track_of,
)
from generator.board.tiles import PLAIN, Joining, LaidTile, PieceAt, Token, laid, tokens_at
from generator.core.ports import part_of, side_of
from generator.pack.tile import Link, Tile


@dataclass(frozen=True)
class Settings:
    """What holds for a whole board: how sides join, the tiles that it starts from, those that count as open space."""

    joining: Joining = PLAIN
    start: frozenset[str] = frozenset()
    open_space: frozenset[str] = frozenset()


DEFAULTS = Settings()


@dataclass(frozen=True)
class Scene:
    """A board with its tiles as they lie and its networks."""

    board: Board
    kit: Kit
    settings: Settings
    tiles: Mapping[Place, LaidTile]
    runs: Mapping[RunAt, Link]
    seams: frozenset[Seam]
    bonds: frozenset[Seam]
    near: Near
    networks: tuple[Network, ...]

    @property
    def lattice(self) -> Lattice:
        """How its places touch."""
        return self.board.lattice

    def touching(self) -> Iterator[tuple[LaidTile, str, LaidTile, str]]:
        """Every two tiles that share a side, once, with the sides by which they touch."""
        for place, tile in self.tiles.items():
            for port, beside in self.lattice.round(place):
                if place < beside and beside in self.tiles and not tile.beside_itself(self.tiles[beside]):
                    yield tile, port, self.tiles[beside], self.lattice.facing(port)

    def beside(self, place: Place) -> tuple[LaidTile, ...]:
        """The tiles that share a side with a place."""
        return tuple(self.tiles[other] for _, other in self.lattice.round(place) if other in self.tiles)

    def neighbours(self, place: Place) -> tuple[LaidTile, ...]:
        """The tiles beside a place, but those that count as open space."""
        return tuple(tile for tile in self.beside(place) if not tile.carries_any(self.settings.open_space))

    def joined(self, place: Place) -> frozenset[Place]:
        """The places whose tiles are joined to this one's by a link."""
        mine = (run for run in self.runs if run.place == place)
        return frozenset(other.place for run in mine for other in self.near.get(run, ()))

    @cached_property
    def track(self) -> Track:
        """Where each end of a run leads."""
        return track_of(self.seams | self.bonds)

    def is_area(self, run: RunAt) -> bool:
        """Whether a run is an area."""
        return run.nth >= len(self.tiles[run.place].links)

    def edged(self, run: RunAt) -> frozenset[RunAt]:
        """The areas that lie beside an area round the edge of its tile: where one ends, the other begins."""
        areas = (RunAt(at, nth) for at in self.whole(run.place) for nth in self._areas(self.tiles[at]))
        ends = {area: _ends_of(self.runs[area], self.lattice, area.place) for area in areas}
        return frozenset(other for other, found in ends.items() if other != run and found & ends[run])

    def _areas(self, tile: LaidTile) -> range:
        return range(len(tile.links), len(tile.links) + len(tile.areas))

    def whole(self, place: Place) -> frozenset[Place]:
        """The places that the piece at a place covers."""
        piece = self.tiles[place].piece if place in self.tiles else None
        return self.pieces.get(piece, frozenset([place])) if piece else frozenset([place])

    def first(self, place: Place) -> Place:
        """The one place by which the piece at a place is counted."""
        return min(self.whole(place), key=lambda at: (at.row, at.column))

    @cached_property
    def bare(self) -> Mapping[Place, tuple[Token, ...]]:
        """The tokens at places where no tile lies."""
        places = dict.fromkeys(one.place for one in self.board.placements if one.place not in self.tiles)
        return {place: tuple(tokens_at(self.board, self.kit, place)) for place in places}

    @cached_property
    def bridges(self) -> tuple[Seam, ...]:
        """Where links go on inside a piece over several places."""
        return tuple(sorted(bond for bond in self.bonds if bond.a.place != bond.b.place))

    @cached_property
    def pieces(self) -> Mapping[PieceAt, frozenset[Place]]:
        """The pieces over several places, with those at which they are seen."""
        found: dict[PieceAt, frozenset[Place]] = {}
        for place, tile in self.tiles.items():
            if tile.piece:
                found[tile.piece] = found.get(tile.piece, frozenset()) | {place}
        return found

    def by_corner(self, place: Place) -> tuple[LaidTile, ...]:
        """The tiles that touch a place at a corner only, but those that count as open space."""
        found = (self.tiles[other] for other in self.lattice.by_corner(place) if other in self.tiles)
        return tuple(tile for tile in found if not tile.carries_any(self.settings.open_space))

    def networks_of(self, kinds: Iterable[str]) -> tuple[Network, ...]:
        """The networks that hold a link of one of these kinds; all of them when none is named."""
        wanted = frozenset(kinds)
        return tuple(network for network in self.networks if not wanted or network.kinds & wanted)


def look(board: Board, kit: Kit, settings: Settings) -> Scene:
    """Work out the tiles, seams and networks of a board."""
    tiles = laid(board, kit)
    runs = runs_of(tiles)
    seams = seams_of(tiles, board.lattice, settings.joining)
    bonds = bonds_of(tiles, settings.joining) | _bridges(tiles)
    networks = networks_of(runs, seams, bonds, Ends(tiles, seams, board.lattice, settings.joining))
    return Scene(board, kit, settings, tiles, runs, seams, bonds, near_of(seams | bonds), networks)


def _bridges(tiles: Mapping[Place, LaidTile]) -> frozenset[Seam]:
    """Where links and areas of pieces over several places go on from one of these to another."""
    parts: dict[PieceAt, list[tuple[Place, Tile]]] = {}
    for place, tile in tiles.items():
        if tile.piece:
            parts.setdefault(tile.piece, []).append((place, tile.face.tile))
    ends = (found for part in parts.values() for found in bridged(part))
    return frozenset(Seam(RunAt(*min(a, b)), port, RunAt(*max(a, b)), port) for a, port, b in ends)


def _ends_of(area: Link, lattice: Lattice, place: Place) -> frozenset[Spot]:
    """Where an area begins and ends round a tile, on the table; where two of its parts meet is no end."""
    starts, stops = set(), set()
    for part in area.ports:
        if not part.startswith(BRIDGE):
            nth, of = part_of(part)
            starts.add(lattice.along(place, side_of(part), Fraction(nth - 1, of)))
            stops.add(lattice.along(place, side_of(part), Fraction(nth, of)))
    return frozenset(starts ^ stops)
