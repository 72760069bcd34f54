"""A board looked at under a pack's rules: all that legality, counting and claims ask of it, worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.board.kit import Kit
from generator.board.lattice import Lattice, Place
from generator.board.network import Ends, Near, Network, RunAt, Seam, near_of, networks_of, runs_of, seams_of
from generator.board.placement import Board
from generator.board.tiles import PLAIN, Joining, LaidTile, laid
from generator.pack.links import Link


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
                if place < beside and beside in self.tiles:
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

    def networks_of(self, kinds: Iterable[str]) -> tuple[Network, ...]:
        """The networks that hold a link of one of these kinds; all of them when none is named."""
        wanted = frozenset(kinds)
        return tuple(network for network in self.networks if not wanted or network.kinds & wanted)


def look(board: Board, kit: Kit, settings: Settings) -> Scene:
    """Work out the tiles, seams and networks of a board."""
    tiles = laid(board, kit)
    runs = runs_of(tiles)
    seams = seams_of(tiles, board.lattice, settings.joining)
    networks = networks_of(runs, seams, Ends(tiles, seams, board.lattice, settings.joining))
    return Scene(board, kit, settings, tiles, runs, seams, near_of(seams), networks)
