"""The countable kinds of things: the rows of `COUNTS`.

Each kind turns a group of tiles into a set of things; the count is the sum of their values. Words of the pack (kinds
of links, features, marks, numbers, tokens, designs) can be counted too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.circuits import find_longest_path, find_loops
from generator.board.groups import Thing, TileGroup, find_group_tokens, find_things, merge_bridged_runs
from generator.board.lattice import Place
from generator.board.network import RunId
from generator.board.scene import Scene, find_holes
from generator.core.problems import Wrong, unknown

Things = frozenset[Thing]


@dataclass(frozen=True)
class CountKind:
    """A countable kind: its meaning for the documentation, and the function that finds its things."""

    meaning: str
    find: Callable[[Scene, TileGroup], Things]


def _find_tiles(scene: Scene, group: TileGroup) -> Things:
    return _find_pieces(scene, group.places)


def _find_pieces(scene: Scene, places: Iterable[Place]) -> Things:
    """Return the pieces at some places; a piece over several places counts once."""
    return frozenset(Thing(scene.counted_place(place)) for place in places)


def _find_places(_: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(place) for place in group.places)


def _find_runs(scene: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(*run) for run in merge_bridged_runs(scene, group.runs))


def _find_links(scene: Scene, group: TileGroup) -> Things:
    sides = ((run, port) for s in scene.seams for run, port in ((s.a, s.port), (s.b, s.facing)))
    return frozenset(Thing(run.place, (run.link_index, port)) for run, port in sides if run in group.runs)


def _find_joins(scene: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(s.a.place, s) for s in scene.seams if s.a in group.runs and s.b in group.runs)


def _find_ends(_: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(end.run.place, end) for n in group.networks for end in n.ends if end.run in group.runs)


def _find_open_ends(_: Scene, group: TileGroup) -> Things:
    ends = (end for network in group.networks for end in network.open_ends)
    return frozenset(Thing(end.run.place, end) for end in ends if end.run in group.runs)


def _find_networks(_: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(None, network.runs) for network in group.networks)


def _find_rows(_: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(None, place.row) for place in group.places)


def _find_columns(_: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(None, place.column) for place in group.places)


def _find_link_runs(scene: Scene, group: TileGroup) -> frozenset[RunId]:
    return frozenset(run for run in group.runs if not scene.is_area(run))


def _find_longest(scene: Scene, group: TileGroup) -> Things:
    return _find_pieces(scene, find_longest_path(_find_link_runs(scene, group), scene.adjacency))


def _find_loops(scene: Scene, group: TileGroup) -> Things:
    seams = (*scene.seams, *scene.bridges)
    return frozenset(Thing(None, loop) for loop in find_loops(_find_link_runs(scene, group), seams, scene.lattice))


def _find_holes(scene: Scene, group: TileGroup) -> Things:
    surrounded = (
        place for place in find_holes(scene) if {tile.place for tile in scene.touching_tiles(place)} <= group.places
    )
    return frozenset(Thing(place) for place in surrounded)


def _find_others(scene: Scene, group: TileGroup, places: Iterable[Place]) -> Things:
    """Return the pieces at some places that do not belong to the group."""
    return _find_pieces(scene, places) - _find_pieces(scene, group.places)


def _find_neighbours(scene: Scene, group: TileGroup) -> Things:
    own = frozenset(part for place in group.places for part in scene.piece_places(place))
    return _find_others(scene, group, (tile.place for place in own for tile in scene.neighbours(place)))


def _find_joined(scene: Scene, group: TileGroup) -> Things:
    return _find_others(scene, group, (run.place for mine in group.runs for run in scene.adjacency.get(mine, ())))


def _find_diagonal(scene: Scene, group: TileGroup) -> Things:
    own = frozenset(part for place in group.places for part in scene.piece_places(place))
    touching = (tile.place for place in own for tile in scene.corner_neighbours(place))
    return _find_others(scene, group, touching) - _find_neighbours(scene, group)


def _find_around(scene: Scene, group: TileGroup) -> Things:
    return _find_neighbours(scene, group) | _find_diagonal(scene, group)


def _find_tokens(scene: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(place, key, token.number) for place, key, token in find_group_tokens(scene, group))


def _find_owners(scene: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(None, token.owner) for _, _, token in find_group_tokens(scene, group) if token.owner)


def _find_slots(scene: Scene, group: TileGroup) -> Things:
    stands = ((run, scene.runs[run]) for run in group.runs if scene.runs[run].feature)
    return frozenset(Thing(*run, link.stand.slots) for run, link in stands)


def _find_values(scene: Scene, group: TileGroup) -> Things:
    return frozenset(Thing(*run, scene.runs[run].stand.value) for run in group.runs if scene.runs[run].stand.value)


def _find_bordering(scene: Scene, group: TileGroup) -> Things:
    """Return the networks of areas of other kinds next to the group's areas along the edge of a tile."""
    mine = {run for run in group.runs if scene.is_area(run)}
    kinds = {scene.runs[run].kind for run in mine}
    near = {other for run in mine for other in scene.bordering_areas(run) if scene.runs[other].kind not in kinds}
    return frozenset(Thing(None, network.runs) for network in scene.networks if network.runs & near)


def _find_closed_bordering(scene: Scene, group: TileGroup) -> Things:
    closed = {network.runs for network in scene.networks if network.is_closed}
    return frozenset(thing for thing in _find_bordering(scene, group) if thing.key in closed)


def _find_unused(scene: Scene, _: TileGroup) -> Things:
    placed_designs = [placement.design for placement in scene.board.placements]
    left = {
        name: stock.count - placed_designs.count(name)
        for name, stock in scene.kit.designs.items()
        if not stock.is_token
    }
    for name, count in left.items():
        if count < 0:
            pack = scene.kit.designs[name].count
            raise Wrong(
                f"this board has {pack - count} of {name!r}, the pack has {pack}", "at most as many as the pack has"
            )
    return frozenset(Thing(None, name, count) for name, count in left.items() if count > 0)


COUNTS: Mapping[str, CountKind] = MappingProxyType(
    {
        "tiles": CountKind("tiles", _find_tiles),
        "places": CountKind("places with a tile; a tile can cover several", _find_places),
        "runs": CountKind("single links of tiles, whether joined or not", _find_runs),
        "links": CountKind("sides at which a link joins the next tile, counted for both tiles", _find_links),
        "joins": CountKind("touching sides at which two links join, counted once", _find_joins),
        "ends": CountKind("ends of links, closed or open", _find_ends),
        "open-ends": CountKind("ends of links that nothing closes", _find_open_ends),
        "networks": CountKind("networks", _find_networks),
        "rows": CountKind("rows with a tile", _find_rows),
        "columns": CountKind("columns with a tile", _find_columns),
        "longest": CountKind("tiles on the longest path through joined tiles that enters no tile twice", _find_longest),
        "loops": CountKind("circuits that contain no other circuit", _find_loops),
        "holes": CountKind("empty places with a tile on every side, not counting open space", _find_holes),
        "neighbours": CountKind("other tiles that share a side with these, without open space", _find_neighbours),
        "diagonal": CountKind("tiles that touch these at a corner only, without open space", _find_diagonal),
        "around": CountKind("tiles that touch these at a side or a corner, without open space", _find_around),
        "tokens": CountKind("tokens, each counted by its number", _find_tokens),
        "owners": CountKind("owners of tokens", _find_owners),
        "slots": CountKind("slots of features", _find_slots),
        "value": CountKind("the values of features", _find_values),
        "bordering": CountKind("areas of other kinds next to these on a tile", _find_bordering),
        "bordering-closed": CountKind("closed areas of other kinds next to these on a tile", _find_closed_bordering),
        "joined": CountKind("other tiles joined to these by a link", _find_joined),
        "unused": CountKind("tiles of the pack that are not on the board", _find_unused),
    }
)
"""The values of `count:` besides the pack's own words."""


def check_countable(name: str, words: frozenset[str]) -> None:
    """Raise `Wrong` if a name is neither a countable kind nor a word of the pack."""
    if name not in COUNTS and name not in words:
        raise unknown("count", name, {*COUNTS, *words})


def find_counted(scene: Scene, group: TileGroup, name: str) -> Things:
    """Return the things of a countable kind, or of a word of the pack, in a group."""
    return COUNTS[name].find(scene, group) if name in COUNTS else find_things(scene, group, name)
