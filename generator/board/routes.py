"""Routes of trains: from stop to stop along links, each piece of track once, never straight back; the best one found.

A train enters a link by one port and leaves it by another, so it cannot reverse at a switch, where two links of a tile
share a port. A link of more than two ports is as many pieces of track as it has ports. A train that is owned passes a
stop with a token of its owner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from generator.board.groups import stood_on
from generator.board.lattice import Place
from generator.board.network import CROSSING, RunAt
from generator.board.scene import Scene
from generator.core.problems import Wrong

STEPS = 200_000
"""The search is exact, and gives up on boards that would take minutes."""


@dataclass(frozen=True)
class Train:
    """What runs: on links of the kinds `along`, over stops with these features, so many of them at most.

    A stop is worth its feature's own value, or else the number of its tile that `worth` names.
    """

    along: tuple[str, ...]
    stops: tuple[str, ...]
    most: int | None = None
    least: int = 2
    worth: str | None = None


@dataclass(frozen=True)
class Route:
    """A way that a train can take: its tiles in order, its stops and what they are worth."""

    places: tuple[Place, ...] = ()
    stops: tuple[RunAt, ...] = ()
    value: float = 0.0

    @property
    def score(self) -> tuple[float, int]:
        """By which routes are compared: the worth, and of two as good the shorter."""
        return self.value, -len(self.places)


def best_route(scene: Scene, train: Train, owner: str = "", along: Sequence[Place] | None = None) -> Route | None:
    """The route worth most, of all or of those over just these tiles in this order; none where none can be run."""
    search = _RouteSearch(scene, train, owner, tuple(along) if along is not None else None)
    starts = [run for run in search.values if along is None or run.place == along[0]]
    for run in sorted(starts):
        search.start(run)
    return search.best


def stop_values(scene: Scene, train: Train) -> Mapping[RunAt, float]:
    """What each stop on the board is worth."""
    found = {}
    for run, link in scene.runs.items():
        if link.kind in train.along and link.feature in train.stops:
            number = scene.tiles[run.place].face.numbers.get(train.worth or "", 0.0)
            found[run] = link.stand.value or number
    return found


@dataclass
class _RouteSearch:
    """Depth first over ends of links; the state is the track that is used."""

    scene: Scene
    train: Train
    owner: str
    along: tuple[Place, ...] | None
    best: Route | None = None
    steps: int = 0
    used: set[tuple[RunAt, str]] = field(default_factory=set)
    places: list[Place] = field(default_factory=list)
    stops: list[RunAt] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = stop_values(self.scene, self.train)
        self.homes = {run for run in self.values if self._is_home(run)} if self.owner else set(self.values)

    def _is_home(self, run: RunAt) -> bool:
        tokens = (token for token in self.scene.tiles[run.place].held if token.owner == self.owner)
        return any((on := stood_on(self.scene, run.place, token)) is None or run in on for token in tokens)

    def start(self, run: RunAt) -> None:
        """Every route that begins at a stop."""
        self.places, self.stops, self.used = [run.place], [run], set()
        self._keep()
        for port in self._exits(run, ""):
            self._leave(run, port)

    def _exits(self, run: RunAt, entered: str) -> Iterator[str]:
        yield from (port for port in (*self.scene.runs[run].ports, CROSSING) if port != entered)

    def _legs(self, run: RunAt, entered: str, left: str) -> set[tuple[RunAt, str]]:
        """The pieces of track between two ports of a link: one where it has but two, else one at each port."""
        if len(self.scene.runs[run].ports) <= 2 and not self.scene.runs[run].feature:
            return {(run, "")}
        return {(run, port) for port in (entered, left) if port}

    def _leave(self, run: RunAt, port: str, entered: str = "") -> None:
        legs = self._legs(run, entered, port)
        if legs & self.used:
            return
        self.used |= legs
        for other, facing in self.scene.track.get((run, port), ()):
            if self.scene.runs[other].kind in self.train.along:
                self._enter(other, facing)
        self.used -= legs

    def _enter(self, run: RunAt, port: str) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise Wrong("the best route on this board takes too long to find", "a smaller board, or a shorter train")
        moved = run.place != self.places[-1]
        if moved and self.along is not None and self.along[len(self.places) : len(self.places) + 1] != (run.place,):
            return
        stop = run in self.values
        if stop and (run in self.stops or len(self.stops) >= (self.train.most or inf) or (run, port) in self.used):
            return
        self.places += [run.place] * moved
        self.stops += [run] * stop
        if stop:
            self._keep()
        for out in self._exits(run, port):
            self._leave(run, out, port)
        if stop:
            self.stops.pop()
        if moved:
            self.places.pop()

    def _keep(self) -> None:
        """The route so far, if it is one and better than the best."""
        if len(self.stops) < self.train.least or not self.homes & set(self.stops):
            return
        if self.along is not None and tuple(self.places) != self.along:
            return
        route = Route(tuple(self.places), tuple(self.stops), sum(self.values[stop] for stop in self.stops))
        if self.best is None or route.score > self.best.score:
            self.best = route
