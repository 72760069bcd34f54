"""The counting kinds: what a score or a claim may count, each one row of the table at the end.

Every kind turns a group of a board into things; how many they are is the count. A word of the pack (a kind of link, a
feature, a mark, a number, a token, a design) may be counted as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.beside import holes
from generator.board.circuits import longest_way, loops_of
from generator.board.groups import Thing, TileGroup, firsts, held, things
from generator.board.lattice import Place
from generator.board.network import RunAt
from generator.board.scene import Scene
from generator.core.problems import Wrong, unknown

Found = frozenset[Thing]


@dataclass(frozen=True)
class CountKind:
    """A way to count: what it says in the documentation, and the things that it finds."""

    meaning: str
    find: Callable[[Scene, TileGroup], Found]


def _tiles(scene: Scene, group: TileGroup) -> Found:
    return _pieces(scene, group.places)


def _pieces(scene: Scene, places: Iterable[Place]) -> Found:
    """Tiles at some places, one that covers several of them once."""
    return frozenset(Thing(scene.first(place)) for place in places)


def _places(_: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(place) for place in group.places)


def _runs(scene: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(*run) for run in firsts(scene, group.runs))


def _links(scene: Scene, group: TileGroup) -> Found:
    sides = ((run, port) for s in scene.seams for run, port in ((s.a, s.port), (s.b, s.facing)))
    return frozenset(Thing(run.place, (run.nth, port)) for run, port in sides if run in group.runs)


def _joins(scene: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(s.a.place, s) for s in scene.seams if s.a in group.runs and s.b in group.runs)


def _ends(_: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(end.run.place, end) for n in group.networks for end in n.ends if end.run in group.runs)


def _open_ends(_: Scene, group: TileGroup) -> Found:
    ends = (end for network in group.networks for end in network.open_ends)
    return frozenset(Thing(end.run.place, end) for end in ends if end.run in group.runs)


def _networks(_: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(None, network.runs) for network in group.networks)


def _rows(_: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(None, place.row) for place in group.places)


def _columns(_: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(None, place.column) for place in group.places)


def _tracks(scene: Scene, group: TileGroup) -> frozenset[RunAt]:
    return frozenset(run for run in group.runs if not scene.is_area(run))


def _longest(scene: Scene, group: TileGroup) -> Found:
    return _pieces(scene, longest_way(_tracks(scene, group), scene.near))


def _loops(scene: Scene, group: TileGroup) -> Found:
    seams = (*scene.seams, *scene.bridges)
    return frozenset(Thing(None, loop) for loop in loops_of(_tracks(scene, group), seams, scene.lattice))


def _holes(scene: Scene, group: TileGroup) -> Found:
    beside = (place for place in holes(scene) if {tile.place for tile in scene.beside(place)} <= group.places)
    return frozenset(Thing(place) for place in beside)


def _others(scene: Scene, group: TileGroup, places: Iterable[Place]) -> Found:
    """Tiles at some places that are not of the group."""
    return _pieces(scene, places) - _pieces(scene, group.places)


def _neighbours(scene: Scene, group: TileGroup) -> Found:
    own = frozenset(part for place in group.places for part in scene.whole(place))
    return _others(scene, group, (tile.place for place in own for tile in scene.neighbours(place)))


def _joined(scene: Scene, group: TileGroup) -> Found:
    return _others(scene, group, (run.place for mine in group.runs for run in scene.near.get(mine, ())))


def _diagonal(scene: Scene, group: TileGroup) -> Found:
    own = frozenset(part for place in group.places for part in scene.whole(place))
    beside = (tile.place for place in own for tile in scene.by_corner(place))
    return _others(scene, group, beside) - _neighbours(scene, group)


def _around(scene: Scene, group: TileGroup) -> Found:
    return _neighbours(scene, group) | _diagonal(scene, group)


def _tokens(scene: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(place, key, token.number) for place, key, token in held(scene, group))


def _owners(scene: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(None, token.owner) for _, _, token in held(scene, group) if token.owner)


def _slots(scene: Scene, group: TileGroup) -> Found:
    stands = ((run, scene.runs[run]) for run in group.runs if scene.runs[run].feature)
    return frozenset(Thing(*run, link.stand.slots) for run, link in stands)


def _value(scene: Scene, group: TileGroup) -> Found:
    return frozenset(Thing(*run, scene.runs[run].stand.value) for run in group.runs if scene.runs[run].stand.value)


def _bordering(scene: Scene, group: TileGroup) -> Found:
    """The networks of areas that lie beside areas of the group round the edge of a tile, and are of another kind."""
    mine = {run for run in group.runs if scene.is_area(run)}
    kinds = {scene.runs[run].kind for run in mine}
    near = {other for run in mine for other in scene.edged(run) if scene.runs[other].kind not in kinds}
    return frozenset(Thing(None, network.runs) for network in scene.networks if network.runs & near)


def _bordering_closed(scene: Scene, group: TileGroup) -> Found:
    closed = {network.runs for network in scene.networks if network.closed}
    return frozenset(thing for thing in _bordering(scene, group) if thing.key in closed)


def _unused(scene: Scene, _: TileGroup) -> Found:
    laid = [one.design for one in scene.board.placements]
    left = {name: stock.count - laid.count(name) for name, stock in scene.kit.designs.items() if not stock.token}
    for name, count in left.items():
        if count < 0:
            pack = scene.kit.designs[name].count
            raise Wrong(f"this board has {pack - count} of {name!r}, the pack has {pack}", "no more than there are")
    return frozenset(Thing(None, name, count) for name, count in left.items() if count > 0)


COUNTS: Mapping[str, CountKind] = MappingProxyType(
    {
        "tiles": CountKind("tiles", _tiles),
        "places": CountKind("places with a tile: a tile may lie over several", _places),
        "runs": CountKind("single links of tiles, joined or not", _runs),
        "links": CountKind("sides at which a link joins the next tile, counted from every tile", _links),
        "joins": CountKind("touching sides at which two links join, each once", _joins),
        "ends": CountKind("places where a link stops, closed or open", _ends),
        "open-ends": CountKind("places where a link stops and nothing closes it", _open_ends),
        "networks": CountKind("networks", _networks),
        "rows": CountKind("rows with a tile", _rows),
        "columns": CountKind("columns with a tile", _columns),
        "longest": CountKind("tiles along the longest way through joined tiles that enters no tile twice", _longest),
        "loops": CountKind("circuits that contain no other circuit", _loops),
        "holes": CountKind("empty places with a tile on every side, open space aside", _holes),
        "neighbours": CountKind(
            "tiles that share a side with these and are not of them, open space aside", _neighbours
        ),
        "diagonal": CountKind("tiles that touch these at a corner only, open space aside", _diagonal),
        "around": CountKind("tiles that touch these at a side or a corner, open space aside", _around),
        "tokens": CountKind("tokens, each for its number", _tokens),
        "owners": CountKind("owners of tokens", _owners),
        "slots": CountKind("slots of features", _slots),
        "value": CountKind("what features are worth by their own words", _value),
        "bordering": CountKind("areas of other kinds that lie beside these on a tile", _bordering),
        "bordering-closed": CountKind("the same, of those that are closed", _bordering_closed),
        "joined": CountKind("tiles that a link joins to these and that are not of them", _joined),
        "unused": CountKind("tiles of the pack that do not lie on the board", _unused),
    }
)
"""What `count:` may name, beside the pack's own words."""


def check_countable(name: str, words: frozenset[str]) -> None:
    """Raise when a name is neither a counting kind nor a word of the pack."""
    if name not in COUNTS and name not in words:
        raise unknown("count", name, {*COUNTS, *words})


def find(scene: Scene, group: TileGroup, name: str) -> Found:
    """The things of one kind or one word in a group."""
    return COUNTS[name].find(scene, group) if name in COUNTS else things(scene, group, name)
