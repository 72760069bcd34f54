"""A board analysed under a pack's rules: tiles, runs, seams and networks, each found once, when first needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from generator.base.ports import part_of, side_of
from generator.board.board import Board, Kit
from generator.board.lattice import Lattice, Place, Spot
from generator.board.networks import (
    NO_PORT,
    Adjacency,
    Closure,
    End,
    Network,
    RunId,
    Seam,
    Track,
    find_bonds,
    find_networks,
    find_reachable,
    find_seams,
    list_runs,
    map_adjacency,
    map_track,
)
from generator.board.spec import MatchingSpec
from generator.board.tiles import (
    BRIDGE_PREFIX,
    PieceAt,
    PlacedTile,
    Token,
    find_bridges,
    find_tokens,
    place_tiles,
)
from generator.pack.tile import Link, Tile


@dataclass(frozen=True)
class Scene:
    """A board analysed under a pack's rules; `tiles` are the visible tiles by place."""

    board: Board
    kit: Kit
    matching: MatchingSpec
    tiles: Mapping[Place, PlacedTile]

    @cached_property
    def runs(self) -> Mapping[RunId, Link]:
        """Return the links and areas of the tiles."""
        return list_runs(self.tiles)

    @cached_property
    def seams(self) -> frozenset[Seam]:
        """Return the joints of runs of two pieces, across a side that they share."""
        return find_seams(self.tiles, self.lattice, self.matching)

    @cached_property
    def bonds(self) -> frozenset[Seam]:
        """Return the joints of runs of one piece: within a tile, or between the tiles that the piece covers.

        Scores of seams count no joint that a piece has by itself.
        """
        return find_bonds(self.tiles, self.matching) | _find_piece_bonds(self.tiles)

    @cached_property
    def adjacency(self) -> Adjacency:
        """Return the runs joined to each run."""
        return map_adjacency(self.seams | self.bonds)

    @cached_property
    def networks(self) -> tuple[Network, ...]:
        """Return the networks, ordered by their first tile in reading order."""
        joints = self.seams | self.bonds
        joined = {end for s in joints for end in ((s.a, s.port), (s.b, s.facing))}
        ends = {run: tuple(self._find_ends(run, link, joined)) for run, link in self.runs.items()}
        return find_networks(self.runs, self.seams, self.bonds, ends)

    def _find_ends(self, run: RunId, link: Link, joined: set[tuple[RunId, str]]) -> Iterator[End]:
        """Yield the ends of a run: one at each port that joins nothing, and one inside a link with a single port."""
        inner = {point.name for point in self.tiles[run.place].face.tile.points}
        for port in link.ports:
            if (run, port) in joined:
                continue
            if self.is_area(run):
                yield End(run, port, self._area_closure(run, port))
            elif port in inner:
                yield End(run, NO_PORT, self._inner_closure(link))
            else:
                yield End(run, port, self._side_closure(run, port, link))
        if len(link.ports) == 1 and not self.is_area(run):
            yield End(run, NO_PORT, self._inner_closure(link))

    def _tile_across(self, place: Place, side: str) -> PlacedTile | None:
        """Return the tile across a side; None for an empty place, and for a corner."""
        if side not in self.lattice.sides(place):
            return None
        return self.tiles.get(self.lattice.neighbour(place, side))

    def _area_closure(self, run: RunId, part: str) -> Closure:
        """Return `open` where the neighbouring place is empty; a neighbouring tile closes an area."""
        return "label" if self._tile_across(run.place, side_of(part)) else "open"

    def _side_closure(self, run: RunId, port: str, link: Link) -> Closure:
        """Return the closure of a link's end at a side; at a corner, it is open."""
        if side_of(port) not in self.lattice.sides(run.place):
            return "open"
        neighbour = self._tile_across(run.place, side_of(port))
        if neighbour and link.kind in self.matching.cut_off:
            return "stop"
        opposite_label = neighbour.label(self.lattice.facing(port)) if neighbour else None
        is_closed = self.matching.closes(self.tiles[run.place].label(port), opposite_label)
        return "label" if is_closed else "open"

    def _inner_closure(self, link: Link) -> Closure:
        """Return the closure of a link's end inside its tile."""
        if link.feature is not None:
            return "feature"
        return "stop" if link.kind in self.matching.dead_ends else "open"

    @property
    def lattice(self) -> Lattice:
        """Return the tiling of the board."""
        return self.board.lattice

    def touching_pairs(self) -> Iterator[tuple[PlacedTile, str, PlacedTile, str]]:
        """Yield each pair of tiles with a shared side once, as (tile, side, other tile, opposite side)."""
        for place, tile in self.tiles.items():
            for port, neighbour in self.lattice.neighbours(place):
                if (
                    place < neighbour
                    and neighbour in self.tiles
                    and not tile.is_same_piece(self.tiles[neighbour])
                ):
                    yield tile, port, self.tiles[neighbour], self.lattice.facing(port)

    def touching_tiles(self, place: Place) -> tuple[PlacedTile, ...]:
        """Return the tiles that share a side with a place."""
        return tuple(
            self.tiles[other] for _, other in self.lattice.neighbours(place) if other in self.tiles
        )

    def neighbours(self, place: Place) -> tuple[PlacedTile, ...]:
        """Return the tiles that share a side with a place, without open space."""
        return tuple(
            tile
            for tile in self.touching_tiles(place)
            if not tile.carries_any(self.matching.open_space)
        )

    def joined_places(self, place: Place) -> set[Place]:
        """Return the places whose tiles are joined by a link to the tile at this place."""
        mine = (run for run in self.runs if run.place == place)
        return {other.place for run in mine for other in self.adjacency.get(run, ())}

    def find_connected(self, starts: Iterable[Place], *, by_links: bool) -> set[Place]:
        """Return the places connected to the start places by shared sides, or by links, including these."""

        def near(place: Place) -> set[Place]:
            touching = {tile.place for tile in self.touching_tiles(place)}
            joined = self.joined_places(place) if by_links else touching
            return joined | self.piece_places(place)

        return find_reachable(starts, near)

    @cached_property
    def track(self) -> Track:
        """Return the ends of runs that meet each end."""
        return map_track(self.seams | self.bonds)

    def is_area(self, run: RunId) -> bool:
        """Return True if a run is an area."""
        return run.link_index >= len(self.tiles[run.place].links)

    def bordering_areas(self, run: RunId) -> frozenset[RunId]:
        """Return the areas next to an area along the edge of its tile: each begins where the other ends."""
        areas = (
            RunId(at, index)
            for at in self.piece_places(run.place)
            for index in self._area_indices(self.tiles[at])
        )
        ends = {area: _find_area_ends(self.runs[area], self.lattice, area.place) for area in areas}
        return frozenset(
            other for other, spots in ends.items() if other != run and spots & ends[run]
        )

    def _area_indices(self, tile: PlacedTile) -> range:
        """Return the run numbers of a tile's areas, which follow those of its links."""
        return range(len(tile.links), len(tile.links) + len(tile.areas))

    def piece_places(self, place: Place) -> frozenset[Place]:
        """Return the places that the piece at a place covers."""
        piece = self.tiles[place].piece if place in self.tiles else None
        return self.pieces.get(piece, frozenset([place])) if piece else frozenset([place])

    def counted_place(self, place: Place) -> Place:
        """Return the place at which the piece is counted: the first that it covers, in reading order."""
        return min(self.piece_places(place), key=lambda at: (at.row, at.column))

    @cached_property
    def loose_tokens(self) -> Mapping[Place, tuple[Token, ...]]:
        """Return the tokens at places without a tile."""
        places = (place for place in self.board.stacks if place not in self.tiles)
        return {place: tuple(find_tokens(self.board, self.kit, place)) for place in places}

    @cached_property
    def bridges(self) -> tuple[Seam, ...]:
        """Return the bonds between parts of pieces that cover several places."""
        return tuple(sorted(bond for bond in self.bonds if bond.a.place != bond.b.place))

    @cached_property
    def pieces(self) -> Mapping[PieceAt, frozenset[Place]]:
        """Return the visible places of each piece that covers several."""
        places_by_piece: dict[PieceAt, frozenset[Place]] = {}
        for place, tile in self.tiles.items():
            if tile.piece:
                places_by_piece[tile.piece] = places_by_piece.get(tile.piece, frozenset()) | {place}
        return places_by_piece

    def corner_neighbours(self, place: Place) -> tuple[PlacedTile, ...]:
        """Return the tiles that touch a place at a corner only, without open space."""
        touching = (
            self.tiles[other]
            for other in self.lattice.corner_neighbours(place)
            if other in self.tiles
        )
        return tuple(tile for tile in touching if not tile.carries_any(self.matching.open_space))

    def networks_with(self, kinds: Iterable[str]) -> tuple[Network, ...]:
        """Return the networks with a link of one of these kinds; all networks if no kind is given."""
        wanted_kinds = frozenset(kinds)
        return tuple(
            network for network in self.networks if not wanted_kinds or network.kinds & wanted_kinds
        )


def analyse(board: Board, kit: Kit, matching: MatchingSpec) -> Scene:
    """Return the scene of a board; raise `InvalidValueError` if two pieces overlap."""
    return Scene(board, kit, matching, place_tiles(board, kit))


def _find_piece_bonds(tiles: Mapping[Place, PlacedTile]) -> frozenset[Seam]:
    """Return the bonds between the parts of links and areas that a piece has at its several places."""
    parts: dict[PieceAt, list[tuple[Place, Tile]]] = {}
    for place, tile in tiles.items():
        if tile.piece:
            parts.setdefault(tile.piece, []).append((place, tile.face.tile))
    ends = (bridge for part in parts.values() for bridge in find_bridges(part))
    return frozenset(Seam(RunId(*min(a, b)), port, RunId(*max(a, b)), port) for a, port, b in ends)


def _find_area_ends(area: Link, lattice: Lattice, place: Place) -> frozenset[Spot]:
    """Return the table positions where an area begins and ends.

    Joints between its own parts are no ends.
    """
    starts = set()
    stops = set()
    for part in area.ports:
        if not part.startswith(BRIDGE_PREFIX):
            index, count = part_of(part)
            starts.add(lattice.side_spot(place, side_of(part), Fraction(index - 1, count)))
            stops.add(lattice.side_spot(place, side_of(part), Fraction(index, count)))
    return frozenset(starts ^ stops)


def find_holes(scene: Scene) -> tuple[Place, ...]:
    """Return the empty places with a tile on every side, sorted; open space surrounds nothing."""
    candidates = {
        neighbour for place in scene.tiles for _, neighbour in scene.lattice.neighbours(place)
    } - set(scene.tiles)
    return tuple(
        sorted(
            place
            for place in candidates
            if len(scene.neighbours(place)) == len(scene.lattice.sides(place))
        )
    )
