"""A part of a board that is counted by itself: the whole of it, a network, a tile, a row, a column or a limb."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.network import Network
from generator.board.place import Place
from generator.board.runs import RunAt, parts
from generator.board.scene import Scene
from generator.pack.links import Link


@dataclass(frozen=True)
class Group:
    """Some tiles with some of their links, and the networks that these belong to."""

    places: frozenset[Place]
    runs: frozenset[RunAt]
    networks: tuple[Network, ...]

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


def of_board(scene: Scene) -> Group:
    """All that lies on the board."""
    return Group(frozenset(scene.tiles), frozenset(scene.runs), scene.networks)


def of_network(network: Network) -> Group:
    """A network's own tiles and links."""
    return Group(network.places, network.runs, (network,))


def of_places(scene: Scene, places: Iterable[Place]) -> Group:
    """Some tiles with all their links."""
    here = frozenset(places) & frozenset(scene.tiles)
    runs = frozenset(run for run in scene.runs if run.place in here)
    return Group(here, runs, tuple(network for network in scene.networks if network.runs & runs))


def narrowed(scene: Scene, group: Group, by: Filter) -> Group:
    """The part of a group that passes a filter."""
    links = bool(by.of or by.forms)
    places = frozenset(place for place in group.places if _passes(scene, place, by))
    runs = frozenset(run for run in group.runs if run.place in places and _counts(scene.runs[run], by))
    if links:
        places &= {run.place for run in runs}
    networks = tuple(network for network in group.networks if network.runs & runs) if links else group.networks
    return Group(places, runs, networks)


def _passes(scene: Scene, place: Place, by: Filter) -> bool:
    tile = scene.tiles[place]
    return all(tile.carries(word) for word in by.having) and not tile.carries_any(by.without)


def _counts(link: Link, by: Filter) -> bool:
    return (not by.of or link.kind in by.of) and (not by.forms or any(FORMS[form](link) for form in by.forms))


def _board(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[Group, ...]:
    return (of_board(scene),)


def _networks(scene: Scene, kinds: tuple[str, ...], _: str | None) -> tuple[Group, ...]:
    return tuple(of_network(network) for network in scene.networks_of(kinds))


def _tiles(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[Group, ...]:
    return tuple(of_places(scene, [place]) for place in sorted(scene.tiles))


def _rows(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[Group, ...]:
    rows = sorted({place.row for place in scene.tiles})
    return tuple(of_places(scene, [place for place in scene.tiles if place.row == row]) for row in rows)


def _columns(scene: Scene, _: tuple[str, ...], __: str | None) -> tuple[Group, ...]:
    columns = sorted({place.column for place in scene.tiles})
    return tuple(of_places(scene, [place for place in scene.tiles if place.column == column]) for column in columns)


def _limbs(scene: Scene, kinds: tuple[str, ...], root: str | None) -> tuple[Group, ...]:
    """What the root's links lead to: the joined parts that are left when the root is taken away."""
    roots = {place for place, tile in scene.tiles.items() if root is None or tile.carries(root)}
    runs = {run for run, link in scene.runs.items() if run.place not in roots and (not kinds or link.kind in kinds)}
    near = {run: others for run, others in scene.near.items() if run.place not in roots}
    touching = {other for run, others in scene.near.items() if run.place in roots for other in others}
    limbs = (limb for limb in parts(runs, near) if limb & touching)
    return tuple(
        Group(frozenset(run.place for run in limb), limb, tuple(n for n in scene.networks if n.runs & limb))
        for limb in limbs
    )


Grouping = Callable[[Scene, tuple[str, ...], str | None], tuple[Group, ...]]

GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {"board": _board, "network": _networks, "tile": _tiles, "row": _rows, "column": _columns, "limb": _limbs}
)
"""What `each:` may say. A limb is what stays joined when the piece of `root:` is taken away, on either side of it."""
