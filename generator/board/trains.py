"""Find the best route of a train: from stop to stop along links, using each piece of track once, without reversing.

A train enters a link by a port and leaves it by another, so it cannot reverse at a switch, where two links of a tile
share a port. A link with more than two ports has a piece of track for each of them. A train with an owner must pass a
stop that holds a token of this owner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from generator.base.errors import InvalidValueError
from generator.board.analysis import Scene
from generator.board.counting import find_token_position
from generator.board.lattice import Place
from generator.board.networks import CROSSING, RunId

# The search is exact and gives up before it takes minutes.
MAX_SEARCH_STEPS = 200_000


@dataclass(frozen=True)
class Train:
    """A train: the kinds of links it runs on, the features it stops at, and its limits of stops.

    A stop is worth its feature's value, or else the number of its tile named by `worth`.
    """

    along: tuple[str, ...]
    stops: tuple[str, ...]
    max_stops: int | None = None
    min_stops: int = 2
    worth: str | None = None


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
    scene: Scene, train: Train, owner: str = "", along: Sequence[Place] | None = None
) -> Route | None:
    """Return the most valuable route, or None if no route is possible.

    With `along`, only routes over exactly these tiles in this order are considered. Raise
    `InvalidValueError` if the search takes too long.
    """
    search = _RouteSearch(scene, train, owner, tuple(along) if along is not None else None)
    starts = [run for run in search.values if along is None or run.place == along[0]]
    for run in sorted(starts):
        search.start(run)
    return search.best


def map_stop_values(scene: Scene, train: Train) -> Mapping[RunId, float]:
    """Return the value of each stop on the board."""
    values = {}
    for run, link in scene.runs.items():
        if link.kind in train.along and link.feature in train.stops:
            number = scene.tiles[run.place].face.numbers.get(train.worth or "", 0.0)
            values[run] = link.stand.value or number
    return values


@dataclass
class _RouteSearch:
    """A depth-first search over the ends of links; its state is the track already used."""

    scene: Scene
    train: Train
    owner: str
    along: tuple[Place, ...] | None
    best: Route | None = None
    steps: int = 0
    used: set[tuple[RunId, str]] = field(default_factory=set)
    places: list[Place] = field(default_factory=list)
    stops: list[RunId] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = map_stop_values(self.scene, self.train)
        self.homes = (
            {run for run in self.values if self._is_home(run)} if self.owner else set(self.values)
        )

    def _is_home(self, run: RunId) -> bool:
        """Return True if a token of the train's owner stands at the stop."""
        tokens = (
            token for token in self.scene.tiles[run.place].tokens if token.owner == self.owner
        )
        return any(
            (on := find_token_position(self.scene, run.place, token)) is None or run in on
            for token in tokens
        )

    def start(self, run: RunId) -> None:
        """Try every route that begins at a stop."""
        self.places = [run.place]
        self.stops = [run]
        self.used = set()
        self._record()
        for port in self._exits(run, ""):
            self._leave(run, port)

    def _exits(self, run: RunId, entered: str) -> Iterator[str]:
        """Yield the ports by which a train may leave a link that it entered at a port."""
        yield from (port for port in (*self.scene.runs[run].ports, CROSSING) if port != entered)

    def _legs(self, run: RunId, entered: str, left: str) -> set[tuple[RunId, str]]:
        """Return the pieces of track used between two ports: the whole link, or one piece for each port."""
        if len(self.scene.runs[run].ports) <= 2 and not self.scene.runs[run].feature:
            return {(run, "")}
        return {(run, port) for port in (entered, left) if port}

    def _leave(self, run: RunId, port: str, entered: str = "") -> None:
        """Continue the route through a port onto the next link, if its track is unused."""
        legs = self._legs(run, entered, port)
        if legs & self.used:
            return
        self.used |= legs
        for other, facing in self.scene.track.get((run, port), ()):
            if self.scene.runs[other].kind in self.train.along:
                self._enter(other, facing)
        self.used -= legs

    def _enter(self, run: RunId, port: str) -> None:
        """Enter a link, record the route at a stop, and continue from there."""
        self.steps += 1
        if self.steps > MAX_SEARCH_STEPS:
            raise InvalidValueError(
                "the best route on this board takes too long to find",
                "a smaller board, or a shorter train",
            )
        moved = run.place != self.places[-1]
        if (
            moved
            and self.along is not None
            and self.along[len(self.places) : len(self.places) + 1] != (run.place,)
        ):
            return
        stop = run in self.values
        if stop and (
            run in self.stops
            or len(self.stops) >= (self.train.max_stops or inf)
            or (run, port) in self.used
        ):
            return
        self.places += [run.place] * moved
        self.stops += [run] * stop
        if stop:
            self._record()
        for out in self._exits(run, port):
            self._leave(run, out, port)
        if stop:
            self.stops.pop()
        if moved:
            self.places.pop()

    def _record(self) -> None:
        """Record the current route if it is valid and better than the best."""
        if len(self.stops) < self.train.min_stops or not self.homes & set(self.stops):
            return
        if self.along is not None and tuple(self.places) != self.along:
            return
        route = Route(
            tuple(self.places), tuple(self.stops), sum(self.values[stop] for stop in self.stops)
        )
        if self.best is None or route.score > self.best.score:
            self.best = route
