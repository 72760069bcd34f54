"""The countable kinds of things: the rows of `COUNTS`.

Each kind turns a group of tiles into a set of things; the count is the sum of their values. Words
of the pack (kinds of links, features, marks, numbers, tokens, designs) can be counted too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from generator.base.errors import InvalidValueError, unknown
from generator.base.ports import CORNERS, side_of
from generator.board.analysis import Scene, find_holes
from generator.board.lattice import Place
from generator.board.networks import (
    End,
    Network,
    RunId,
    connected_components,
    find_longest_path,
    find_loops,
)
from generator.board.tiles import PlacedTile, Token
from generator.pack.tile import Link


@dataclass(frozen=True)
class TileGroup:
    """Tiles with some of their links and the networks of these links.

    The group of a whole board also has places with tokens only.
    """

    places: frozenset[Place]
    runs: frozenset[RunId]
    networks: tuple[Network, ...]
    loose_places: frozenset[Place] = frozenset()

    @property
    def is_closed(self) -> bool:
        """Return True if the group has networks and all of them are closed."""
        return bool(self.networks) and all(network.is_closed for network in self.networks)


@dataclass(frozen=True)
class Filter:
    """The conditions for counting parts of a group; an empty tuple is not a condition.

    `of`: kinds of links, and only the tiles with such links. `having`: words that tiles must carry.
    `without`: words that they must not carry. `forms`: forms of links, from `FORMS`.
    """

    of: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()


FORMS: Mapping[str, Callable[[Link], bool]] = {
    "end": lambda link: len(link.ports) == 1,
    "through": lambda link: len(link.ports) == 2,
    "branch": lambda link: len(link.ports) > 2,
}
"""The forms of links, by the number of sides they reach."""


def group_board(scene: Scene) -> TileGroup:
    """Return the whole board as a group."""
    return TileGroup(
        frozenset(scene.tiles), frozenset(scene.runs), scene.networks, frozenset(scene.loose_tokens)
    )


def group_network(network: Network) -> TileGroup:
    """Return the tiles and links of a network."""
    return TileGroup(network.places, network.runs, (network,))


def group_places(scene: Scene, places: Iterable[Place]) -> TileGroup:
    """Return the tiles at some places, with all their links."""
    tiles = frozenset(places) & frozenset(scene.tiles)
    runs = frozenset(run for run in scene.runs if run.place in tiles)
    return TileGroup(
        tiles, runs, tuple(network for network in scene.networks if network.runs & runs)
    )


def filter_group(scene: Scene, group: TileGroup, by: Filter) -> TileGroup:
    """Return the part of a group that meets the conditions of a filter."""
    if by == Filter():
        return group
    links = bool(by.of or by.forms)
    places = frozenset(place for place in group.places if _is_counted_tile(scene, place, by))
    runs = frozenset(
        run for run in group.runs if run.place in places and _is_counted_link(scene.runs[run], by)
    )
    if links:
        places &= {run.place for run in runs}
    networks = (
        tuple(network for network in group.networks if network.runs & runs)
        if links
        else group.networks
    )
    return TileGroup(places, runs, networks)


def _is_counted_tile(scene: Scene, place: Place, by: Filter) -> bool:
    """Return True if the tile at a place meets the filter's conditions for tiles."""
    tile = scene.tiles[place]
    return all(tile.carries(word) for word in by.having) and not tile.carries_any(by.without)


def _is_counted_link(link: Link, by: Filter) -> bool:
    """Return True if a link meets the filter's conditions for links."""
    return (not by.of or link.kind in by.of) and (
        not by.forms or any(FORMS[form](link) for form in by.forms)
    )


def _group_by(scene: Scene, key: Callable[[Place], Any]) -> tuple[TileGroup, ...]:
    """Return the tiles for each value of a key of places, in the order of these values."""
    groups: dict[Any, list[Place]] = {}
    for place in scene.tiles:
        groups.setdefault(key(place), []).append(place)
    return tuple(group_places(scene, groups[value]) for value in sorted(groups))


def _group_by_limb(scene: Scene, kinds: tuple[str, ...], root: str | None) -> tuple[TileGroup, ...]:
    """Return the connected parts that touch the root and remain when it is taken away."""
    roots = {place for place, tile in scene.tiles.items() if root is None or tile.carries(root)}
    runs = {
        run
        for run, link in scene.runs.items()
        if run.place not in roots and (not kinds or link.kind in kinds)
    }
    near = {run: others for run, others in scene.adjacency.items() if run.place not in roots}
    touching = {
        other for run, others in scene.adjacency.items() if run.place in roots for other in others
    }
    limbs = (limb for limb in connected_components(runs, near) if limb & touching)
    return tuple(
        TileGroup(
            frozenset(run.place for run in limb),
            limb,
            tuple(n for n in scene.networks if n.runs & limb),
        )
        for limb in limbs
    )


Grouping = Callable[[Scene, tuple[str, ...], str | None], tuple[TileGroup, ...]]

GROUPINGS: Mapping[str, Grouping] = {
    "board": lambda scene, *_: (group_board(scene),),
    "network": lambda scene, kinds, _: tuple(map(group_network, scene.networks_with(kinds))),
    "tile": lambda scene, *_: _group_by(scene, scene.counted_place),
    "row": lambda scene, *_: _group_by(scene, lambda place: place.row),
    "column": lambda scene, *_: _group_by(scene, lambda place: place.column),
    "limb": _group_by_limb,
}
"""The values of `each:`.

A limb is a part that remains connected after the piece of `root:` is taken away.
"""


class Thing(NamedTuple):
    """A countable thing: its place (None if it has several), a key unique at that place, and its value."""

    place: Place | None
    key: Hashable = None
    value: float = 1.0


Things = frozenset[Thing]


def find_things(scene: Scene, group: TileGroup, word: str) -> Things:
    """Return the things that a word names in a group.

    The first meaning that the pack defines wins: a kind of link (each such link), a feature (each
    link of the group that carries it), a number (each tile, valued by its number), a mark, token or
    design (each tile that has it).
    """
    if word in scene.kit.kinds:
        runs = merge_bridged_runs(scene, group.runs)
        return frozenset(Thing(*run) for run in runs if scene.runs[run].kind == word)
    if word in scene.kit.features:
        return frozenset(Thing(*run) for run in group.runs if scene.runs[run].feature == word)
    if word in scene.kit.numbers:
        return frozenset(thing for thing in _find_numbers(scene, group, word) if thing.value)
    return frozenset(_find_named(scene, group, word))


def _find_numbers(scene: Scene, group: TileGroup, word: str) -> Iterator[Thing]:
    """Yield the tiles and tokens of a group, valued by their number."""
    for place in group.places:
        yield Thing(place, word, scene.tiles[place].face.numbers.get(word, 0.0))
    for place, key, token in find_group_tokens(scene, group):
        yield Thing(place, key, token.face.numbers.get(word, 0.0) * token.number)


def _find_named(scene: Scene, group: TileGroup, word: str) -> Iterator[Thing]:
    """Yield the tiles of a group with a mark or a design, and its tokens of a design."""
    for place in group.places:
        tile = scene.tiles[place]
        if word == tile.design or word in tile.face.marks:
            yield Thing(scene.counted_place(place), word)
    for place, key, token in find_group_tokens(scene, group):
        if token.design == word:
            yield Thing(place, key, token.number)


def merge_bridged_runs(scene: Scene, runs: frozenset[RunId]) -> frozenset[RunId]:
    """Return the runs with bridged parts of the same link merged into the first part."""
    parts: dict[RunId, set[RunId]] = {}
    for bridge in scene.bridges:
        mine = parts.get(bridge.a, {bridge.a}) | parts.get(bridge.b, {bridge.b})
        parts.update(dict.fromkeys(mine, mine))
    return frozenset(run for run in runs if run == min(parts.get(run, {run}) & runs))


def find_group_tokens(scene: Scene, group: TileGroup) -> Iterator[tuple[Place, Hashable, Token]]:
    """Yield the tokens of a group as (place, key, token).

    A token on a link, feature or area belongs to groups that contain it. A token without a position
    belongs to all groups that contain its tile. A token in a corner or on an edge belongs to groups
    with all links of the tile.
    """
    for place in sorted(group.places):
        runs_of_place = frozenset(run for run in scene.runs if run.place == place)
        for index, token in enumerate(scene.tiles[place].tokens):
            on = find_token_position(scene, place, token)
            if on is None or (on & group.runs if on else runs_of_place <= group.runs):
                yield place, index, token
    for place in sorted(group.loose_places):
        for index, token in enumerate(scene.loose_tokens[place]):
            yield place, index, token


def check_token_positions(scene: Scene) -> None:
    """Raise `InvalidValueError` if a token, counted or not, stands on a part that its place does not have."""
    on_tiles = {place: tile.tokens for place, tile in scene.tiles.items()}
    for place, tokens in (*on_tiles.items(), *scene.loose_tokens.items()):
        for token in tokens:
            if token.on:
                find_token_position(scene, place, token)


def find_token_position(scene: Scene, place: Place, token: Token) -> frozenset[RunId] | None:
    """Return the links and areas on which a token stands.

    Empty for a corner or an edge, None for a token without a position. Raise `InvalidValueError` if
    the position does not exist or is ambiguous.
    """
    runs = {run: link for run, link in scene.runs.items() if run.place == place}
    if not token.on:
        if token.owner and len(runs) > 1:
            choices = ", ".join(f"{link.kind}.{link.ports[0]}" for link in runs.values())
            raise InvalidValueError(
                f"{token.design!r} at {place} needs a position", f"@ and one of: {choices}"
            )
        return None
    word, _, port = token.on.partition(".")
    if word in {"corner", "edge"}:
        sides = scene.lattice.sides(place)
        ring = sides if word == "edge" else CORNERS.get(sides, ())
        if port not in ring:
            raise InvalidValueError(
                f"{place} has no {token.on!r}",
                f"one of: {', '.join(f'{word}.{name}' for name in ring)}",
            )
        return frozenset()
    stood_runs = frozenset(run for run, link in runs.items() if is_named_part(link, word, port))
    if len(stood_runs) != 1:
        parts = f"{len(stood_runs)} parts" if stood_runs else "no part"
        raise InvalidValueError(
            f"@{token.on} names {parts} of {place}",
            "a kind or a feature, and perhaps a side, such as @city.n",
        )
    return stood_runs


def is_named_part(link: Link, word: str, port: str) -> bool:
    """Return True if a word and a port, as in `city.n`, `city` or `n`, name this link."""
    reached = {*link.ports, *map(side_of, link.ports)}
    if port:
        return word in {link.kind, link.feature} and port in reached
    return word in {link.kind, link.feature} or word in reached


def sum_values(things: Iterable[Thing]) -> float:
    """Return the sum of the values of things: their number, unless they carry other values."""
    return sum(thing.value for thing in things)


@dataclass(frozen=True)
class CountKind:
    """A countable kind: its meaning for the documentation, and the function that finds its things."""

    meaning: str
    find: Callable[[Scene, TileGroup], Iterable[Thing]]


def _find_pieces(scene: Scene, places: Iterable[Place]) -> Things:
    """Return the pieces at some places; a piece over several places counts once."""
    return frozenset(Thing(scene.counted_place(place)) for place in places)


def _find_links(scene: Scene, group: TileGroup) -> Iterator[Thing]:
    for seam in scene.seams:
        for run, port in ((seam.a, seam.port), (seam.b, seam.facing)):
            if run in group.runs:
                yield Thing(run.place, (run.link_index, port))


def _find_joins(scene: Scene, group: TileGroup) -> Iterator[Thing]:
    for seam in scene.seams:
        if seam.a in group.runs and seam.b in group.runs:
            yield Thing(seam.a.place, seam)


def _find_ends(group: TileGroup, ends_of: Callable[[Network], Iterable[End]]) -> Iterator[Thing]:
    for network in group.networks:
        for end in ends_of(network):
            if end.run in group.runs:
                yield Thing(end.run.place, end)


def _find_link_runs(scene: Scene, group: TileGroup) -> frozenset[RunId]:
    return frozenset(run for run in group.runs if not scene.is_area(run))


def _find_longest(scene: Scene, group: TileGroup) -> Things:
    return _find_pieces(scene, find_longest_path(_find_link_runs(scene, group), scene.adjacency))


def _find_loops(scene: Scene, group: TileGroup) -> Iterator[Thing]:
    seams = (*scene.seams, *scene.bridges)
    for loop in find_loops(_find_link_runs(scene, group), seams, scene.lattice):
        yield Thing(None, loop)


def _find_holes(scene: Scene, group: TileGroup) -> Iterator[Thing]:
    for place in find_holes(scene):
        if {tile.place for tile in scene.touching_tiles(place)} <= group.places:
            yield Thing(place)


def _find_others(scene: Scene, group: TileGroup, places: Iterable[Place]) -> Things:
    """Return the pieces at some places that do not belong to the group."""
    return _find_pieces(scene, places) - _find_pieces(scene, group.places)


def _find_beside(
    scene: Scene, group: TileGroup, touching: Callable[[Place], Iterable[PlacedTile]]
) -> Things:
    """Return the pieces of other groups that touch the pieces of a group."""
    parts = {part for place in group.places for part in scene.piece_places(place)}
    return _find_others(scene, group, (tile.place for part in parts for tile in touching(part)))


def _find_neighbours(scene: Scene, group: TileGroup) -> Things:
    return _find_beside(scene, group, scene.neighbours)


def _find_around(scene: Scene, group: TileGroup) -> Things:
    return _find_neighbours(scene, group) | _find_beside(scene, group, scene.corner_neighbours)


def _find_joined(scene: Scene, group: TileGroup) -> Things:
    joined = (run.place for mine in group.runs for run in scene.adjacency.get(mine, ()))
    return _find_others(scene, group, joined)


def _find_slots(scene: Scene, group: TileGroup) -> Iterator[Thing]:
    for run in group.runs:
        if scene.runs[run].feature:
            yield Thing(*run, scene.runs[run].stand.slots)


def _find_values(scene: Scene, group: TileGroup) -> Iterator[Thing]:
    for run in group.runs:
        if value := scene.runs[run].stand.value:
            yield Thing(*run, value)


def _find_bordering(
    scene: Scene, group: TileGroup, *, only_closed: bool = False
) -> Iterator[Thing]:
    """Yield the networks of areas of other kinds next to the group's areas along the edge of a tile."""
    mine = {run for run in group.runs if scene.is_area(run)}
    kinds = {scene.runs[run].kind for run in mine}
    near = {
        other
        for run in mine
        for other in scene.bordering_areas(run)
        if scene.runs[other].kind not in kinds
    }
    for network in scene.networks:
        if network.runs & near and (network.is_closed or not only_closed):
            yield Thing(None, network.runs)


def _find_unused(scene: Scene, _: TileGroup) -> Iterator[Thing]:
    placed = Counter(placement.design for placement in scene.board.placements)
    for name, design in scene.kit.designs.items():
        if placed[name] > design.count and not design.is_token:
            raise InvalidValueError(
                f"this board has {placed[name]} of {name!r}, the pack has {design.count}",
                "at most as many as the pack has",
            )
        if placed[name] < design.count and not design.is_token:
            yield Thing(None, name, design.count - placed[name])


COUNTS: Mapping[str, CountKind] = {
    "tiles": CountKind("tiles", lambda scene, group: _find_pieces(scene, group.places)),
    "places": CountKind(
        "places with a tile; a tile can cover several",
        lambda _, group: (Thing(place) for place in group.places),
    ),
    "runs": CountKind(
        "single links of tiles, whether joined or not",
        lambda scene, group: (Thing(*run) for run in merge_bridged_runs(scene, group.runs)),
    ),
    "links": CountKind(
        "sides at which a link joins the next tile, counted for both tiles", _find_links
    ),
    "joins": CountKind("touching sides at which two links join, counted once", _find_joins),
    "ends": CountKind(
        "ends of links, closed or open",
        lambda _, group: _find_ends(group, lambda network: network.ends),
    ),
    "open-ends": CountKind(
        "ends of links that nothing closes",
        lambda _, group: _find_ends(group, lambda network: network.open_ends),
    ),
    "networks": CountKind(
        "networks", lambda _, group: (Thing(None, network.runs) for network in group.networks)
    ),
    "rows": CountKind(
        "rows with a tile", lambda _, group: (Thing(None, place.row) for place in group.places)
    ),
    "columns": CountKind(
        "columns with a tile",
        lambda _, group: (Thing(None, place.column) for place in group.places),
    ),
    "longest": CountKind(
        "tiles on the longest path through joined tiles that enters no tile twice", _find_longest
    ),
    "loops": CountKind("circuits that contain no other circuit", _find_loops),
    "holes": CountKind(
        "empty places with a tile on every side, not counting open space", _find_holes
    ),
    "neighbours": CountKind(
        "other tiles that share a side with these, without open space", _find_neighbours
    ),
    "diagonal": CountKind(
        "tiles that touch these at a corner only, without open space",
        lambda scene, group: _find_around(scene, group) - _find_neighbours(scene, group),
    ),
    "around": CountKind(
        "tiles that touch these at a side or a corner, without open space", _find_around
    ),
    "tokens": CountKind(
        "tokens, each counted by its number",
        lambda scene, group: (
            Thing(place, key, token.number) for place, key, token in find_group_tokens(scene, group)
        ),
    ),
    "owners": CountKind(
        "owners of tokens",
        lambda scene, group: (
            Thing(None, token.owner) for *_, token in find_group_tokens(scene, group) if token.owner
        ),
    ),
    "slots": CountKind("slots of features", _find_slots),
    "value": CountKind("the values of features", _find_values),
    "bordering": CountKind("areas of other kinds next to these on a tile", _find_bordering),
    "bordering-closed": CountKind(
        "closed areas of other kinds next to these on a tile",
        lambda scene, group: _find_bordering(scene, group, only_closed=True),
    ),
    "joined": CountKind("other tiles joined to these by a link", _find_joined),
    "unused": CountKind("tiles of the pack that are not on the board", _find_unused),
}
"""The values of `count:` besides the pack's own words."""


def check_countable(name: str, words: frozenset[str]) -> None:
    """Raise `InvalidValueError` if a name is neither a countable kind nor a word of the pack."""
    if name not in COUNTS and name not in words:
        raise unknown("count", name, {*COUNTS, *words})


def find_counted(scene: Scene, group: TileGroup, name: str) -> Things:
    """Return the things of a countable kind, or of a word of the pack, in a group."""
    if name in COUNTS:
        return frozenset(COUNTS[name].find(scene, group))
    return find_things(scene, group, name)
