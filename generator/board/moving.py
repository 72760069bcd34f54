"""Movement along links from tile to tile, counted in stops; the best routes of trains; and removal of tiles.

A train uses each piece of track once and does not reverse. It enters a link by a port and leaves it by another, so it
cannot reverse at a switch, where two links of a tile share a port. A link with more than two ports has a piece of track
for each of them. A train with an owner must pass a stop that holds a token of this owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from math import inf
from typing import Annotated, NamedTuple, Self

from pydantic import Field, model_validator

from generator.base.errors import InvalidValueError
from generator.board.analysis import Scene, analyse
from generator.board.counting import find_token_position
from generator.board.lattice import Place, join_places
from generator.board.matching_rules import Breach
from generator.board.networks import CROSSING, RunId
from generator.board.spec import BoardSpec, NumberRange, NumberRangeField, Words, choice_from
from generator.pack import fields

WAYS_TO_READ_DICE: Mapping[str, Callable[[Iterable[int]], int]] = {
    "highest": max,
    "lowest": min,
    "sum": sum,
}
"""The number of steps that a roll allows, by the values of `dice:`."""


class MovementSpec(BoardSpec):
    """An entry of `moving:`."""

    # The piece follows links of the kinds `along`. Each feature of `stops` on its path is a step;
    # on links of the kinds `express` only if it leaves the link there. It must end at a stop.
    # `changes` are features at which it may change from a kind of link to another on the same tile.
    # Tiles that carry all words of an entry of `never_from`, `never_through` or `never_onto` cannot
    # be its start, on its path, or its end. It enters a tile once; with `again`, it uses each link
    # once instead. `counts_start` includes the first tile in counts along the path.

    along: Words = Field(examples=["road"])
    stops: Words = Field(examples=["stop"])
    express: Words = ()
    changes: tuple[tuple[fields.Text, fields.Text, fields.Text], ...] = ()
    starts: Words = ()
    never_from: tuple[Words, ...] = ()
    never_through: tuple[Words, ...] = ()
    never_onto: tuple[Words, ...] = ()
    dice: Annotated[str, choice_from("way to read dice", WAYS_TO_READ_DICE)] = "highest"
    again: fields.Bool = False
    counts_start: fields.Bool = False


def find_barriers(scene: Scene, move: MovementSpec, route: Sequence[Place]) -> Iterator[Breach]:
    """Yield the reasons that bar a route: empty or repeated places, and pieces in the way."""
    for place in route:
        if place not in scene.tiles:
            yield Breach("empty", f"nothing lies at {place}", (place,))
    repeated = {place for place in route if route.count(place) > 1}
    if repeated and not move.again:
        yield Breach("twice", f"{join_places(repeated)} is used twice", tuple(sorted(repeated)))
    last = [route[-1]] if len(route) > 1 else []
    barriers = (("start", route[:1], move.never_from), ("through", route[1:], move.never_through))
    for code, places, never in (*barriers, ("occupied", last, move.never_onto)):
        for place in places:
            tile = scene.tiles.get(place)
            if tile and any(all(tile.carries(word) for word in words) for words in never):
                yield Breach(code, f"{tile.design} at {place} blocks the path", (place,))
    first = scene.tiles.get(route[0])
    if first and move.starts and not first.carries_any(move.starts):
        yield Breach("start", f"{first.design} at {route[0]} is not a place to start", (route[0],))


class WalkState(NamedTuple):
    """A position on a link, with the steps taken so far and the links that cannot be used again."""

    run: RunId
    stops: tuple[Place, ...]
    used: frozenset[RunId] = frozenset()


def follow_path(
    scene: Scene, move: MovementSpec, route: Sequence[Place]
) -> tuple[tuple[Place, ...], tuple[Breach, ...]]:
    """Follow a route from its first place to its last.

    Return the tiles at which its steps end, in order, and the breaches of the movement's rules. Of several paths along
    the route, follow the one with the fewest steps.
    """
    barriers = tuple(find_barriers(scene, move, route))
    if len(route) == 1 or any(place not in scene.tiles for place in route):
        return (), barriers
    walker = Walker(scene, move)
    leaving = walker.list_starts(route[0])
    arrived: frozenset[WalkState] = frozenset()
    for position, next_place in pairwise(route):
        arrived = frozenset(at for state in leaving for at in walker.enter_tile(state, next_place))
        if not arrived:
            text = f"no {' or '.join(move.along)} leads on from {position} to {next_place}"
            return (), (*barriers, Breach("not-joined", text, (position, next_place)))
        leaving = frozenset(at for state in arrived for at in walker.leave_tile(state))
    finished = sorted(
        (at.stops for state in arrived for at in walker.stop_on_tile(state)),
        key=lambda s: (len(s), s),
    )
    if not finished:
        at = route[-1]
        return (), (*barriers, Breach("no-stop", f"{at} is not a place to stop", (at,)))
    return finished[0], barriers


@dataclass(frozen=True)
class Walker:
    """The possible steps of a movement on a board."""

    scene: Scene
    move: MovementSpec

    def list_starts(self, place: Place) -> frozenset[WalkState]:
        """Return the states at the first place: on links with a stop, or changed over from there, without a step."""
        runs = (
            run
            for run, link in self.scene.runs.items()
            if run.place == place and link.kind in self.move.along
        )
        standing = [run for run in runs if self.scene.runs[run].feature in self.move.stops]
        used = {
            run: frozenset([run]) if self.move.again else frozenset[RunId]()
            for run in self.scene.runs
        }
        return frozenset(
            WalkState(run, (), used[run])
            for start in standing
            for run in (start, *self._find_changes(start))
        )

    def enter_tile(self, state: WalkState, next_place: Place) -> Iterator[WalkState]:
        """Yield the states after entering the next tile."""
        for run in self.scene.adjacency.get(state.run, ()):
            if (
                run.place == next_place
                and self.scene.runs[run].kind in self.move.along
                and run not in state.used
            ):
                yield WalkState(run, state.stops, state.used)

    def leave_tile(self, state: WalkState) -> Iterator[WalkState]:
        """Yield the states after leaving a tile: on the same link (a step at a stop), or on another (always a step)."""
        stops = (*state.stops, state.run.place)
        used = state.used | {state.run} if self.move.again else state.used
        yield WalkState(state.run, stops if self._is_stop(state.run) else state.stops, used)
        for run in self._find_changes(state.run):
            yield WalkState(run, stops, used)

    def stop_on_tile(self, state: WalkState) -> Iterator[WalkState]:
        """Yield the state after ending on a tile: at a stop, or where an express link can be left."""
        if self._is_stop(state.run) or any(self._find_changes(state.run)):
            yield WalkState(state.run, (*state.stops, state.run.place))

    def _is_stop(self, run: RunId) -> bool:
        """Return True if ending or passing on this link is a step."""
        link = self.scene.runs[run]
        return link.feature in self.move.stops and link.kind not in self.move.express

    def _find_changes(self, run: RunId) -> tuple[RunId, ...]:
        """Return the links of the same tile to which a path can change."""
        tile = self.scene.tiles[run.place]
        kind = self.scene.runs[run].kind
        features = {link.feature for link in tile.links}
        kinds = {
            after
            for feature, before, after in self.move.changes
            if before == kind and feature in features
        }
        return tuple(
            RunId(run.place, i)
            for i, link in enumerate(tile.links)
            if link.kind in kinds and i != run.link_index
        )


class RemovalSpec(BoardSpec):
    """An entry of `removing:`."""

    # Tiles that carry a word of `never` stay. A tile needs a number of `neighbours` (open space
    # does not count). Tiles that are then no longer joined to a tile with the word `root` fall off.

    root: fields.Text = Field(examples=["body"])
    never: Words = ()
    neighbours: NumberRangeField = NumberRange()


def find_refusals(scene: Scene, removal: RemovalSpec, place: Place) -> Iterator[Breach]:
    """Yield the reasons why the tile at a place cannot be removed."""
    if place not in scene.tiles:
        yield Breach("empty", f"nothing lies at {place}", (place,))
        return
    covered = scene.piece_places(place)
    adjacent = (
        other
        for part in sorted(covered)
        for other in scene.neighbours(part)
        if other.place not in covered
    )
    tile = scene.tiles[place]
    neighbours = list({scene.counted_place(other.place): other for other in adjacent}.values())
    if tile.carries_any(removal.never):
        yield Breach("never", f"{tile.design} at {place} cannot be removed", (place,))
    if not removal.neighbours.contains(len(neighbours)):
        text = (
            f"{tile.design} at {place} has {len(neighbours)} neighbours, not {removal.neighbours}"
        )
        yield Breach("neighbours", text, (place, *(other.place for other in neighbours)))


def find_anchored(scene: Scene, root: str) -> set[Place]:
    """Return the places joined, tile by tile, to a tile that carries a word."""
    starts = [place for place, tile in scene.tiles.items() if tile.carries(root)]
    return scene.find_connected(starts, by_links=True)


def find_dropped(scene: Scene, removal: RemovalSpec, place: Place) -> tuple[Place, ...]:
    """Return the places that fall off when the tile at a place is removed, without this tile."""
    covered = scene.piece_places(place)
    piece = scene.tiles[place].piece
    # A piece that covers several places is written at one of them.
    written_at = piece[0] if piece else place
    remaining = analyse(scene.board.without(covered | {written_at}), scene.kit, scene.matching)
    return tuple(
        sorted(
            {
                scene.counted_place(at)
                for at in find_anchored(scene, removal.root)
                - find_anchored(remaining, removal.root)
                - covered
            }
        )
    )


# The search is exact and gives up before it takes minutes.
MAX_SEARCH_STEPS = 200_000


class RouteSpec(BoardSpec):
    """An entry of `routing:`, a train that runs along links from stop to stop."""

    # Its route has `least` to `most` stops. A stop is worth its feature's value, or else the number
    # of its tile named by `worth`.

    along: Words = Field(examples=["rail"])
    stops: Words = Field(examples=["city"])
    most: fields.Count | None = None
    least: fields.Count = 2
    worth: fields.Text | None = None

    @model_validator(mode="after")
    def _check_stops(self) -> Self:
        """Raise `InvalidValueError` if the train may have fewer stops than it must have."""
        if self.most is not None and self.most < max(self.least, 1):
            found = f"a train of at most {self.most} stops and of at least {self.least}"
            raise InvalidValueError(found, "a larger `most`, or a smaller `least`")
        return self


@dataclass(frozen=True)
class Route:
    """A route of a train: its tiles in order, its stops and their total value."""

    places: tuple[Place, ...] = ()
    stops: tuple[RunId, ...] = ()
    value: float = 0.0

    @property
    def score(self) -> tuple[float, int]:
        """Return the sort key of routes: the higher value wins, then the shorter route."""
        return self.value, -len(self.places)


def find_best_route(
    scene: Scene, train: RouteSpec, owner: str = "", along: Sequence[Place] | None = None
) -> Route | None:
    """Return the most valuable route, or None if no route is possible.

    With `along`, only routes over exactly these tiles in this order are considered. Raise
    `InvalidValueError` if the search takes too long.
    """
    values = map_stop_values(scene, train)
    homes = {run for run in values if not owner or _is_home(scene, run, owner)}
    search = _RouteSearch(scene, train, values, tuple(along) if along is not None else None)
    routes = (
        route
        for run in sorted(values)
        if along is None or run.place == along[0]
        for route in search.list_routes(_RouteEnd(Route((run.place,), (run,), values[run]), run))
    )
    possible = (
        route
        for route in routes
        if len(route.stops) >= train.least
        and homes.intersection(route.stops)
        and route.places == (search.along or route.places)
    )
    return max(possible, key=lambda route: route.score, default=None)


def _is_home(scene: Scene, run: RunId, owner: str) -> bool:
    """Return True if a token of a train's owner stands at a stop."""
    return any(
        (on := find_token_position(scene, run.place, token)) is None or run in on
        for token in scene.tiles[run.place].tokens
        if token.owner == owner
    )


def map_stop_values(scene: Scene, train: RouteSpec) -> Mapping[RunId, float]:
    """Return the value of each stop on the board."""
    values = {}
    for run, link in scene.runs.items():
        if link.kind in train.along and link.feature in train.stops:
            number = scene.tiles[run.place].face.numbers.get(train.worth or "", 0.0)
            values[run] = link.stand.value or number
    return values


Leg = tuple[RunId, str]
"""A piece of track: a link, or the part of a link at a port."""


class _RouteEnd(NamedTuple):
    """A route that has entered a link by a port; `used` is the track that it used before this link."""

    route: Route
    run: RunId
    port: str = ""
    used: frozenset[Leg] = frozenset()


@dataclass(frozen=True)
class _RouteSearch:
    """A depth-first search over the ends of links, along some places if these are given."""

    scene: Scene
    train: RouteSpec
    values: Mapping[RunId, float]
    along: tuple[Place, ...] | None
    steps: Iterator[int] = field(default_factory=count)

    def list_routes(self, start: _RouteEnd) -> Iterator[Route]:
        """Yield all routes that continue a route and end at a stop, including this route itself."""
        # A stack in place of recursion, because a route may be longer than Python's recursion limit.
        stack = [start]
        while stack:
            end = stack.pop()
            if end.run in self.values:
                yield end.route
            stack += reversed([*self._list_next(end)])

    def _list_next(self, end: _RouteEnd) -> Iterator[_RouteEnd]:
        """Yield the routes that are one link longer."""
        for port in (*self.scene.runs[end.run].ports, CROSSING):
            legs = self._legs(end.run, end.port, port)
            if port == end.port or legs & end.used:
                continue
            for other, facing in self.scene.track.get((end.run, port), ()):
                longer = self._enter(end.route, other, facing, end.used | legs)
                if longer:
                    yield _RouteEnd(longer, other, facing, end.used | legs)

    def _legs(self, run: RunId, entered: str, left: str) -> frozenset[Leg]:
        """Return the pieces of track used between two ports: the whole link, or one piece for each port."""
        if len(self.scene.runs[run].ports) <= 2 and not self.scene.runs[run].feature:
            return frozenset({(run, "")})
        return frozenset((run, port) for port in (entered, left) if port)

    def _enter(self, route: Route, run: RunId, port: str, used: frozenset[Leg]) -> Route | None:
        """Return the route with the next link; None if the train cannot enter this link."""
        if self.scene.runs[run].kind not in self.train.along:
            return None
        if next(self.steps) >= MAX_SEARCH_STEPS:
            raise InvalidValueError(
                "the best route on this board takes too long to find",
                "a smaller board, or a shorter train",
            )
        has_moved = run.place != route.places[-1]
        places = (*route.places, run.place) if has_moved else route.places
        if self.along is not None and places != self.along[: len(places)]:
            return None
        if run not in self.values:
            return replace(route, places=places)
        if run in route.stops or (run, port) in used:
            return None
        if len(route.stops) >= (self.train.most or inf):
            return None
        return Route(places, (*route.stops, run), route.value + self.values[run])
