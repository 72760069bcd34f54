"""Moving along links, from tile to tile, counted by the stops on the way; and taking a tile away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from generator.board.beside import How, MatchingVerdict, hanging
from generator.board.groups import ANY, NumberRange
from generator.board.lattice import Place, listed
from generator.board.network import RunAt
from generator.board.scene import Scene, look


class KindChange(NamedTuple):
    """A feature at which a way may go over from one kind of link to another on the same tile."""

    feature: str
    before: str
    after: str


@dataclass(frozen=True)
class Movement:
    """How something moves.

    It follows links of the kinds `along`. Each feature of `stops` on its way is a step, but on links of the kinds
    `express` only where it leaves them; it ends at a stop. It goes over between kinds at `changes`. Tiles that carry
    all words of one of `never_from`, `never_through`, `never_onto` cannot be where it starts, passes or ends. It enters
    a tile once, unless it may do so `again`, and then each link of it once; `counts_start` is whether the tiles that
    are counted on its way are all of them or those after the first.
    """

    along: tuple[str, ...]
    stops: tuple[str, ...]
    express: tuple[str, ...]
    changes: tuple[KindChange, ...]
    starts: tuple[str, ...]
    never_from: tuple[tuple[str, ...], ...]
    never_through: tuple[tuple[str, ...], ...]
    never_onto: tuple[tuple[str, ...], ...]
    dice: str
    again: bool
    counts_start: bool


DICE: Mapping[str, Callable[[Iterable[int]], int]] = MappingProxyType({"highest": max, "lowest": min, "sum": sum})
"""How many steps a roll allows."""


@dataclass(frozen=True)
class WayMoved:
    """What became of a way: the tiles at which its steps end, in order, and what forbids it."""

    stops: tuple[Place, ...]
    verdicts: tuple[MatchingVerdict, ...]


def forbidden(scene: Scene, move: Movement, route: Sequence[Place]) -> Iterator[MatchingVerdict]:
    """What is wrong with a route wherever its links lead: its places, and the pieces that bar them."""
    for place in route:
        if place not in scene.tiles:
            yield MatchingVerdict("empty", f"nothing lies at {place}", (place,))
    twice = {place for place in route if route.count(place) > 1}
    if twice and not move.again:
        yield MatchingVerdict("twice", f"{listed(twice)} is used twice", tuple(sorted(twice)))
    last = [route[-1]] if len(route) > 1 else []
    bars = (("start", route[:1], move.never_from), ("through", route[1:], move.never_through))
    for code, places, never in (*bars, ("occupied", last, move.never_onto)):
        for place in places:
            tile = scene.tiles.get(place)
            if tile and any(all(tile.carries(word) for word in words) for words in never):
                yield MatchingVerdict(code, f"{tile.design} at {place} bars the way", (place,))
    first = scene.tiles.get(route[0])
    if first and move.starts and not first.carries_any(move.starts):
        yield MatchingVerdict("start", f"{first.design} at {route[0]} is no place to start", (route[0],))


class At(NamedTuple):
    """Standing on a link of a tile, with the steps made so far, and the links that may not be used again."""

    run: RunAt
    stops: tuple[Place, ...]
    used: frozenset[RunAt] = frozenset()


def way_of(scene: Scene, move: Movement, route: Sequence[Place]) -> WayMoved:
    """Follow a route from its first place to its last; of several ways along it, the one with the fewest steps."""
    wrong = tuple(forbidden(scene, move, route))
    if len(route) == 1 or any(place not in scene.tiles for place in route):
        return WayMoved((), wrong)
    walker = Walker(scene, move)
    leaving = walker.starting(route[0])
    arrived: frozenset[At] = frozenset()
    for here, there in pairwise(route):
        arrived = frozenset(at for state in leaving for at in walker.onto(state, there))
        if not arrived:
            text = f"no {' or '.join(move.along)} leads on from {here} to {there}"
            return WayMoved((), (*wrong, MatchingVerdict("not-joined", text, (here, there))))
        leaving = frozenset(at for state in arrived for at in walker.passing(state))
    finished = sorted((at.stops for state in arrived for at in walker.stopping(state)), key=lambda s: (len(s), s))
    if not finished:
        return WayMoved((), (*wrong, MatchingVerdict("no-stop", f"{route[-1]} is no place to stop", (route[-1],))))
    return WayMoved(finished[0], wrong)


@dataclass(frozen=True)
class Walker:
    """The steps that one kind of move can make on one board."""

    scene: Scene
    move: Movement

    def starting(self, place: Place) -> frozenset[At]:
        """On any link with a stop at the first place, or gone over from there; a start is no step."""
        runs = (run for run, link in self.scene.runs.items() if run.place == place and link.kind in self.move.along)
        standing = [run for run in runs if self.scene.runs[run].feature in self.move.stops]
        used = {run: frozenset([run]) if self.move.again else frozenset[RunAt]() for run in self.scene.runs}
        return frozenset(At(run, (), used[run]) for one in standing for run in (one, *self._over(one)))

    def onto(self, state: At, there: Place) -> Iterator[At]:
        """On every link of the next tile that this one leads to."""
        for run in self.scene.near.get(state.run, ()):
            if run.place == there and self.scene.runs[run].kind in self.move.along and run not in state.used:
                yield At(run, state.stops, state.used)

    def passing(self, state: At) -> Iterator[At]:
        """Leaving a tile on the same link, a step if it has a stop, or going over to another, which always is one."""
        stops = (*state.stops, state.run.place)
        used = state.used | {state.run} if self.move.again else state.used
        yield At(state.run, stops if self._stop(state.run) else state.stops, used)
        for run in self._over(state.run):
            yield At(run, stops, used)

    def stopping(self, state: At) -> Iterator[At]:
        """Ending on a tile: at a stop of the link itself, or where an express link may be left."""
        if self._stop(state.run) or any(self._over(state.run)):
            yield At(state.run, (*state.stops, state.run.place))

    def _stop(self, run: RunAt) -> bool:
        link = self.scene.runs[run]
        return link.feature in self.move.stops and link.kind not in self.move.express

    def _over(self, run: RunAt) -> tuple[RunAt, ...]:
        """The links of the same tile that a way may go over to."""
        tile, kind = self.scene.tiles[run.place], self.scene.runs[run].kind
        features = {link.feature for link in tile.links}
        after = {change.after for change in self.move.changes if change.before == kind and change.feature in features}
        return tuple(RunAt(run.place, i) for i, link in enumerate(tile.links) if link.kind in after and i != run.nth)


@dataclass(frozen=True)
class Removal:
    """A way to take a tile away.

    Tiles that carry a word of `never` stay; the tile must have so many `neighbours` (open space is none); what is then
    no longer joined to a tile that carries `root` falls off.
    """

    root: str
    never: tuple[str, ...] = ()
    neighbours: NumberRange = ANY


def refused(scene: Scene, removal: Removal, place: Place) -> Iterator[MatchingVerdict]:
    """Why the tile at a place may not be taken."""
    if place not in scene.tiles:
        yield MatchingVerdict("empty", f"nothing lies at {place}", (place,))
        return
    own = scene.whole(place)
    beside = (tile for part in sorted(own) for tile in scene.neighbours(part) if tile.place not in own)
    tile, around = scene.tiles[place], list({scene.first(tile.place): tile for tile in beside}.values())
    if tile.carries_any(removal.never):
        yield MatchingVerdict("never", f"{tile.design} at {place} stays where it is", (place,))
    if not removal.neighbours.holds(len(around)):
        text = f"{tile.design} at {place} has {len(around)} neighbours, not {removal.neighbours}"
        yield MatchingVerdict("neighbours", text, (place, *(other.place for other in around)))


def kept(scene: Scene, root: str) -> frozenset[Place]:
    """The tiles that are joined, tile by tile, to one that carries a word."""
    starts = [place for place, tile in scene.tiles.items() if tile.carries(root)]
    return hanging(scene, starts, How.JOINED)


def dropped(scene: Scene, removal: Removal, place: Place) -> tuple[Place, ...]:
    """What falls off when the tile at a place is taken, without that tile."""
    own = scene.whole(place)
    piece = scene.tiles[place].piece
    left = look(scene.board.without(own | {piece.place if piece else place}), scene.kit, scene.settings)
    return tuple(sorted({scene.first(at) for at in kept(scene, removal.root) - kept(left, removal.root) - own}))
