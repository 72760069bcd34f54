"""Parts of a board that are counted by themselves, and the things that a count finds in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import NamedTuple

from generator.board.kit import Board
from generator.board.lattice import Place
from generator.board.network import Network, RunAt, parts
from generator.board.scene import Scene
from generator.board.tiles import Token
from generator.core.ports import CORNERS, side_of
from generator.core.problems import Wrong
from generator.core.units import number
from generator.pack.tile import Link

_SPAN = re.compile(
    r"(?:(?P<exact>-?\d+(?:\.\d+)?)|at least (?P<low>-?\d+)|at most (?P<high>-?\d+)|(?P<a>-?\d+) to (?P<b>-?\d+))"
)


@dataclass(frozen=True)
class NumberRange:
    """The numbers from `low` to `high`, both included."""

    low: float = -inf
    high: float = inf

    def holds(self, value: float) -> bool:
        """Whether a number lies in it."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.low == self.high:
            return number(self.low)
        if self.high == inf:
            return f"at least {number(self.low)}"
        return f"at most {number(self.high)}" if self.low == -inf else f"{number(self.low)} to {number(self.high)}"


ANY = NumberRange()


def parse_span(text: str) -> NumberRange:
    """Read a span."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise Wrong(f"{text!r} is no number", "a number, at least 1, at most 2, or 2 to 4")
    if match["exact"]:
        return NumberRange(float(match["exact"]), float(match["exact"]))
    return NumberRange(float(match["low"] or match["a"] or -inf), float(match["high"] or match["b"] or inf))


@dataclass(frozen=True)
class TileGroup:
    """Some tiles with some of their links, and the networks that these belong to; of the board also its bare places."""

    places: frozenset[Place]
    runs: frozenset[RunAt]
    networks: tuple[Network, ...]
    bare: frozenset[Place] = frozenset()

    @property
    def closed(self) -> bool:
        """Whether there is a network here and none has an open end."""
        return bool(self.networks) and all(network.closed for network in self.networks)


@dataclass(frozen=True)
class Filter:
    """What of a group is counted.

    `of`: only links of these kinds, and the tiles that carry them; `having`: only tiles that carry all of these words;
    `without`: none of these; `forms`: only links of these forms (`FORMS`).
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
"""The forms of links, by how many sides of their tile they reach."""


def of_board(scene: Scene) -> TileGroup:
    """All that lies on the board."""
    return TileGroup(frozenset(scene.tiles), frozenset(scene.runs), scene.networks, frozenset(scene.bare))


def of_network(network: Network) -> TileGroup:
    """A network's own tiles and links."""
    return TileGroup(network.places, network.runs, (network,))


def of_places(scene: Scene, places: Iterable[Place]) -> TileGroup:
    """Some tiles with all their links."""
    here = frozenset(places) & frozenset(scene.tiles)
    runs = frozenset(run for run in scene.runs if run.place in here)
    return TileGroup(here, runs, tuple(network for network in scene.networks if network.runs & runs))


def narrowed(scene: Scene, group: TileGroup, by: Filter) -> TileGroup:
    """The part of a group that passes a filter."""
    if by == Filter():
        return group
    links = bool(by.of or by.forms)
    places = frozenset(place for place in group.places if _passes(scene, place, by))
    runs = frozenset(run for run in group.runs if run.place in places and _counts(scene.runs[run], by))
    if links:
        places &= {run.place for run in runs}
    networks = tuple(network for network in group.networks if network.runs & runs) if links else group.networks
    return TileGroup(places, runs, networks)


def _passes(scene: Scene, place: Place, by: Filter) -> bool:
    tile = scene.tiles[place]
    return all(tile.carries(word) for word in by.having) and not tile.carries_any(by.without)


def _counts(link: Link, by: Filter) -> bool:
    return (not by.of or link.kind in by.of) and (not by.forms or any(FORMS[form](link) for form in by.forms))


def _board(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    return (of_board(scene),)


def _networks(scene: Scene, kinds: tuple[str, ...], _: str | None) -> tuple[TileGroup, ...]:
    return tuple(of_network(network) for network in scene.networks_of(kinds))


def _tiles(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    return tuple(of_places(scene, scene.whole(place)) for place in sorted(scene.tiles) if place == scene.first(place))


def _rows(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    rows = sorted({place.row for place in scene.tiles})
    return tuple(of_places(scene, [place for place in scene.tiles if place.row == row]) for row in rows)


def _columns(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[TileGroup, ...]:
    columns = sorted({place.column for place in scene.tiles})
    return tuple(of_places(scene, [place for place in scene.tiles if place.column == column]) for column in columns)


def _limbs(scene: Scene, kinds: tuple[str, ...], root: str | None) -> tuple[TileGroup, ...]:
    """What the root's links lead to: the joined parts that are left when the root is taken away."""
    roots = {place for place, tile in scene.tiles.items() if root is None or tile.carries(root)}
    runs = {run for run, link in scene.runs.items() if run.place not in roots and (not kinds or link.kind in kinds)}
    near = {run: others for run, others in scene.near.items() if run.place not in roots}
    touching = {other for run, others in scene.near.items() if run.place in roots for other in others}
    limbs = (limb for limb in parts(runs, near) if limb & touching)
    return tuple(
        TileGroup(frozenset(run.place for run in limb), limb, tuple(n for n in scene.networks if n.runs & limb))
        for limb in limbs
    )


Grouping = Callable[[Scene, tuple[str, ...], str | None], tuple[TileGroup, ...]]

GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {"board": _board, "network": _networks, "tile": _tiles, "row": _rows, "column": _columns, "limb": _limbs}
)
"""What `each:` may say. A limb is what stays joined when the piece of `root:` is taken away, on either side of it."""


class Thing(NamedTuple):
    """One thing that counts: where it is (if at one place), what tells it from others there, and what it weighs."""

    place: Place | None
    key: Hashable = None
    value: float = 1.0


def things(scene: Scene, group: TileGroup, word: str) -> frozenset[Thing]:
    """What a word means in a group.

    The first of these that the pack knows it as: a kind of link (each link of it), a feature (each that stands on one
    of the group's links), a number (each tile weighs what its number says), a mark, token or design (each tile that
    has it).
    """
    if word in scene.kit.kinds:
        return frozenset(Thing(*run) for run in firsts(scene, group.runs) if scene.runs[run].kind == word)
    if word in scene.kit.features:
        return frozenset(Thing(*run) for run in group.runs if scene.runs[run].feature == word)
    if word in scene.kit.numbers:
        values = ((place, word, scene.tiles[place].face.numbers.get(word, 0.0)) for place in group.places)
        told = (
            (place, key, token.face.numbers.get(word, 0.0) * token.number) for place, key, token in held(scene, group)
        )
        return frozenset(Thing(place, key, value) for place, key, value in (*values, *told) if value)
    tiles = (place for place in group.places if word in {scene.tiles[place].design, *scene.tiles[place].face.marks})
    tokens = ((place, key, token) for place, key, token in held(scene, group) if token.design == word)
    return frozenset(
        (
            *(Thing(scene.first(place), word) for place in tiles),
            *(Thing(place, key, token.number) for place, key, token in tokens),
        )
    )


def firsts(scene: Scene, runs: frozenset[RunAt]) -> frozenset[RunAt]:
    """The same links, those that are parts of one once: by the first of its parts."""
    parts: dict[RunAt, set[RunAt]] = {}
    for bridge in scene.bridges:
        mine = parts.get(bridge.a, {bridge.a}) | parts.get(bridge.b, {bridge.b})
        parts.update(dict.fromkeys(mine, mine))
    return frozenset(run for run in runs if run == min(parts.get(run, {run}) & runs))


def held(scene: Scene, group: TileGroup) -> Iterator[tuple[Place, Hashable, Token]]:
    """The tokens of a group, each with its place and what tells it from others there.

    One that stands on a link, a feature or an area belongs to the groups that hold that; one that does not say where it
    stands to all that hold its tile; one in a corner or on an edge to those that hold the whole tile.
    """
    for place in sorted(group.places):
        here = frozenset(run for run in scene.runs if run.place == place)
        for index, token in enumerate(scene.tiles[place].held):
            on = stood_on(scene, place, token)
            if on is None or (on & group.runs if on else here <= group.runs):
                yield place, index, token
    for place in sorted(group.bare):
        for index, token in enumerate(scene.bare[place]):
            yield place, index, token


def check_stands(scene: Scene) -> Board:
    """The board, unless a token says of its place what is not there; whether or not anything counts it."""
    held = ((place, token) for place, tile in scene.tiles.items() for token in tile.held)
    for place, token in (*held, *((place, token) for place, each in scene.bare.items() for token in each)):
        if token.on:
            stood_on(scene, place, token)
    return scene.board


def stood_on(scene: Scene, place: Place, token: Token) -> frozenset[RunAt] | None:
    """The links and areas on which a token stands: none in a corner or on an edge, nothing where it does not say."""
    runs = {run: link for run, link in scene.runs.items() if run.place == place}
    if not token.on:
        if token.owner and len(runs) > 1:
            what = ", ".join(f"{link.kind}.{link.ports[0]}" for link in runs.values())
            raise Wrong(f"{token.design!r} at {place} does not say on what it stands", f"@ and one of: {what}")
        return None
    word, _, port = token.on.partition(".")
    if word in {"corner", "edge"}:
        sides = scene.lattice.sides(place)
        ring = sides if word == "edge" else CORNERS.get(sides, ())
        if port not in ring:
            raise Wrong(f"{place} has no {token.on!r}", f"one of: {', '.join(f'{word}.{name}' for name in ring)}")
        return frozenset()
    found = frozenset(run for run, link in runs.items() if is_at(link, word, port))
    if len(found) != 1:
        many = f"{len(found)} parts of {place} are" if found else f"no part of {place} is"
        raise Wrong(f"{many} meant by @{token.on}", "a kind or a feature, and perhaps a side, such as @city.n")
    return found


def is_at(link: Link, word: str, port: str) -> bool:
    """Whether `city.n`, `city` or `n` means a link."""
    reached = {*link.ports, *map(side_of, link.ports)}
    if port:
        return word in {link.kind, link.feature} and port in reached
    return word in {link.kind, link.feature} or word in reached


def weight(found: frozenset[Thing]) -> float:
    """What things weigh together: their number, unless they carry numbers of their own."""
    return sum(thing.value for thing in found)
