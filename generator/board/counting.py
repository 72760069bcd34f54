"""The countable kinds of things: the rows of `COUNTS`.

Each kind turns a group of tiles into a set of things; the count is the sum of their values. Words
of the pack (kinds of links, features, marks, numbers, tokens, designs) can be counted too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import NamedTuple

from generator.base.errors import InvalidValueError, unknown
from generator.base.ports import CORNERS, side_of
from generator.base.units import number
from generator.board.analysis import Scene, find_holes
from generator.board.board import Board
from generator.board.lattice import Place
from generator.board.networks import (
    Network,
    RunId,
    connected_components,
    find_longest_path,
    find_loops,
)
from generator.board.tiles import Token
from generator.pack.tile import Link

_NUMBER_RANGE = re.compile(
    r"(?:(?P<exact>-?\d+(?:\.\d+)?)|at least (?P<low>-?\d+)|at most (?P<high>-?\d+)|(?P<a>-?\d+) to (?P<b>-?\d+))"
)


@dataclass(frozen=True)
class NumberRange:
    """The numbers from `low` to `high`, both included."""

    low: float = -inf
    high: float = inf

    def contains(self, value: float) -> bool:
        """Return True if the range contains a number."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.low == self.high:
            return number(self.low)
        if self.high == inf:
            return f"at least {number(self.low)}"
        return (
            f"at most {number(self.high)}"
            if self.low == -inf
            else f"{number(self.low)} to {number(self.high)}"
        )


ANY = NumberRange()


def parse_number_range(text: str) -> NumberRange:
    """Read a range: `3`, `at least 1`, `at most 2` or `2 to 4`.

    Raise `InvalidValueError` for any other text.
    """
    match = _NUMBER_RANGE.fullmatch(text.strip())
    if match is None:
        raise InvalidValueError(
            f"{text!r} is not a number", "a number, at least 1, at most 2, or 2 to 4"
        )
    if match["exact"]:
        return NumberRange(float(match["exact"]), float(match["exact"]))
    return NumberRange(
        float(match["low"] or match["a"] or -inf), float(match["high"] or match["b"] or inf)
    )


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


FORMS: Mapping[str, Callable[[Link], bool]] = MappingProxyType(
    {
        "end": lambda link: len(link.ports) == 1,
        "through": lambda link: len(link.ports) == 2,
        "branch": lambda link: len(link.ports) > 2,
    }
)
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


def _group_whole_board(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    return (group_board(scene),)


def _group_by_network(scene: Scene, kinds: tuple[str, ...], _: str | None) -> tuple[TileGroup, ...]:
    return tuple(group_network(network) for network in scene.networks_with(kinds))


def _group_by_tile(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    return tuple(
        group_places(scene, scene.piece_places(place))
        for place in sorted(scene.tiles)
        if place == scene.counted_place(place)
    )


def _group_by_row(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    return _group_by_line(scene, lambda place: place.row)


def _group_by_column(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    return _group_by_line(scene, lambda place: place.column)


def _group_by_line(scene: Scene, line_of: Callable[[Place], int]) -> tuple[TileGroup, ...]:
    """Return the tiles of each row or column, given by the function that numbers them."""
    lines = sorted({line_of(place) for place in scene.tiles})
    return tuple(
        group_places(scene, [place for place in scene.tiles if line_of(place) == line])
        for line in lines
    )


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

GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "board": _group_whole_board,
        "network": _group_by_network,
        "tile": _group_by_tile,
        "row": _group_by_row,
        "column": _group_by_column,
        "limb": _group_by_limb,
    }
)
"""The values of `each:`.

A limb is a part that remains connected after the piece of `root:` is taken away.
"""


class Thing(NamedTuple):
    """A countable thing: its place (None if it has several), a key unique at that place, and its value."""

    place: Place | None
    key: Hashable = None
    value: float = 1.0


def find_things(scene: Scene, group: TileGroup, word: str) -> frozenset[Thing]:
    """Return the things that a word names in a group.

    The first meaning that the pack defines wins: a kind of link (each such link), a feature (each
    link of the group that carries it), a number (each tile, valued by its number), a mark, token or
    design (each tile that has it).
    """
    if word in scene.kit.kinds:
        return frozenset(
            Thing(*run)
            for run in merge_bridged_runs(scene, group.runs)
            if scene.runs[run].kind == word
        )
    if word in scene.kit.features:
        return frozenset(Thing(*run) for run in group.runs if scene.runs[run].feature == word)
    if word in scene.kit.numbers:
        values = (
            (place, word, scene.tiles[place].face.numbers.get(word, 0.0)) for place in group.places
        )
        token_values = (
            (place, key, token.face.numbers.get(word, 0.0) * token.number)
            for place, key, token in find_group_tokens(scene, group)
        )
        return frozenset(
            Thing(place, key, value) for place, key, value in (*values, *token_values) if value
        )
    tiles = (
        place
        for place in group.places
        if word in {scene.tiles[place].design, *scene.tiles[place].face.marks}
    )
    tokens = (
        (place, key, token)
        for place, key, token in find_group_tokens(scene, group)
        if token.design == word
    )
    return frozenset(
        (
            *(Thing(scene.counted_place(place), word) for place in tiles),
            *(Thing(place, key, token.number) for place, key, token in tokens),
        )
    )


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


def check_token_positions(scene: Scene) -> Board:
    """Return the board.

    Raise `InvalidValueError` if a token stands on a part that its place does not have.

    All tokens are checked, counted or not.
    """
    tokens = ((place, token) for place, tile in scene.tiles.items() for token in tile.tokens)
    for place, token in (
        *tokens,
        *(
            (place, token)
            for place, tokens_there in scene.loose_tokens.items()
            for token in tokens_there
        ),
    ):
        if token.on:
            find_token_position(scene, place, token)
    return scene.board


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


def sum_values(things: frozenset[Thing]) -> float:
    """Return the sum of the values of things: their number, unless they carry other values."""
    return sum(thing.value for thing in things)


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
    return frozenset(
        Thing(run.place, (run.link_index, port)) for run, port in sides if run in group.runs
    )


def _find_joins(scene: Scene, group: TileGroup) -> Things:
    return frozenset(
        Thing(s.a.place, s) for s in scene.seams if s.a in group.runs and s.b in group.runs
    )


def _find_ends(_: Scene, group: TileGroup) -> Things:
    return frozenset(
        Thing(end.run.place, end) for n in group.networks for end in n.ends if end.run in group.runs
    )


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
    return frozenset(
        Thing(None, loop)
        for loop in find_loops(_find_link_runs(scene, group), seams, scene.lattice)
    )


def _find_holes(scene: Scene, group: TileGroup) -> Things:
    surrounded = (
        place
        for place in find_holes(scene)
        if {tile.place for tile in scene.touching_tiles(place)} <= group.places
    )
    return frozenset(Thing(place) for place in surrounded)


def _find_others(scene: Scene, group: TileGroup, places: Iterable[Place]) -> Things:
    """Return the pieces at some places that do not belong to the group."""
    return _find_pieces(scene, places) - _find_pieces(scene, group.places)


def _find_neighbours(scene: Scene, group: TileGroup) -> Things:
    group_tiles = frozenset(part for place in group.places for part in scene.piece_places(place))
    return _find_others(
        scene, group, (tile.place for place in group_tiles for tile in scene.neighbours(place))
    )


def _find_joined(scene: Scene, group: TileGroup) -> Things:
    return _find_others(
        scene, group, (run.place for mine in group.runs for run in scene.adjacency.get(mine, ()))
    )


def _find_diagonal(scene: Scene, group: TileGroup) -> Things:
    group_tiles = frozenset(part for place in group.places for part in scene.piece_places(place))
    touching = (tile.place for place in group_tiles for tile in scene.corner_neighbours(place))
    return _find_others(scene, group, touching) - _find_neighbours(scene, group)


def _find_around(scene: Scene, group: TileGroup) -> Things:
    return _find_neighbours(scene, group) | _find_diagonal(scene, group)


def _find_tokens(scene: Scene, group: TileGroup) -> Things:
    return frozenset(
        Thing(place, key, token.number) for place, key, token in find_group_tokens(scene, group)
    )


def _find_owners(scene: Scene, group: TileGroup) -> Things:
    return frozenset(
        Thing(None, token.owner) for _, _, token in find_group_tokens(scene, group) if token.owner
    )


def _find_slots(scene: Scene, group: TileGroup) -> Things:
    stands = ((run, scene.runs[run]) for run in group.runs if scene.runs[run].feature)
    return frozenset(Thing(*run, link.stand.slots) for run, link in stands)


def _find_values(scene: Scene, group: TileGroup) -> Things:
    return frozenset(
        Thing(*run, scene.runs[run].stand.value)
        for run in group.runs
        if scene.runs[run].stand.value
    )


def _find_bordering(scene: Scene, group: TileGroup) -> Things:
    """Return the networks of areas of other kinds next to the group's areas along the edge of a tile."""
    mine = {run for run in group.runs if scene.is_area(run)}
    kinds = {scene.runs[run].kind for run in mine}
    near = {
        other
        for run in mine
        for other in scene.bordering_areas(run)
        if scene.runs[other].kind not in kinds
    }
    return frozenset(Thing(None, network.runs) for network in scene.networks if network.runs & near)


def _find_closed_bordering(scene: Scene, group: TileGroup) -> Things:
    closed = {network.runs for network in scene.networks if network.is_closed}
    return frozenset(thing for thing in _find_bordering(scene, group) if thing.key in closed)


def _find_unused(scene: Scene, _: TileGroup) -> Things:
    placed_designs = [placement.design for placement in scene.board.placements]
    left = {
        name: design.count - placed_designs.count(name)
        for name, design in scene.kit.designs.items()
        if not design.is_token
    }
    for name, count in left.items():
        if count < 0:
            pack = scene.kit.designs[name].count
            raise InvalidValueError(
                f"this board has {pack - count} of {name!r}, the pack has {pack}",
                "at most as many as the pack has",
            )
    return frozenset(Thing(None, name, count) for name, count in left.items() if count > 0)


COUNTS: Mapping[str, CountKind] = MappingProxyType(
    {
        "tiles": CountKind("tiles", _find_tiles),
        "places": CountKind("places with a tile; a tile can cover several", _find_places),
        "runs": CountKind("single links of tiles, whether joined or not", _find_runs),
        "links": CountKind(
            "sides at which a link joins the next tile, counted for both tiles", _find_links
        ),
        "joins": CountKind("touching sides at which two links join, counted once", _find_joins),
        "ends": CountKind("ends of links, closed or open", _find_ends),
        "open-ends": CountKind("ends of links that nothing closes", _find_open_ends),
        "networks": CountKind("networks", _find_networks),
        "rows": CountKind("rows with a tile", _find_rows),
        "columns": CountKind("columns with a tile", _find_columns),
        "longest": CountKind(
            "tiles on the longest path through joined tiles that enters no tile twice",
            _find_longest,
        ),
        "loops": CountKind("circuits that contain no other circuit", _find_loops),
        "holes": CountKind(
            "empty places with a tile on every side, not counting open space", _find_holes
        ),
        "neighbours": CountKind(
            "other tiles that share a side with these, without open space", _find_neighbours
        ),
        "diagonal": CountKind(
            "tiles that touch these at a corner only, without open space", _find_diagonal
        ),
        "around": CountKind(
            "tiles that touch these at a side or a corner, without open space", _find_around
        ),
        "tokens": CountKind("tokens, each counted by its number", _find_tokens),
        "owners": CountKind("owners of tokens", _find_owners),
        "slots": CountKind("slots of features", _find_slots),
        "value": CountKind("the values of features", _find_values),
        "bordering": CountKind("areas of other kinds next to these on a tile", _find_bordering),
        "bordering-closed": CountKind(
            "closed areas of other kinds next to these on a tile", _find_closed_bordering
        ),
        "joined": CountKind("other tiles joined to these by a link", _find_joined),
        "unused": CountKind("tiles of the pack that are not on the board", _find_unused),
    }
)
"""The values of `count:` besides the pack's own words."""


def check_countable(name: str, words: frozenset[str]) -> None:
    """Raise `InvalidValueError` if a name is neither a countable kind nor a word of the pack."""
    if name not in COUNTS and name not in words:
        raise unknown("count", name, {*COUNTS, *words})


def find_counted(scene: Scene, group: TileGroup, name: str) -> Things:
    """Return the things of a countable kind, or of a word of the pack, in a group."""
    return COUNTS[name].find(scene, group) if name in COUNTS else find_things(scene, group, name)
