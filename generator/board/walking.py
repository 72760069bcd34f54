"""Following a route along links: where its steps end, or where it cannot go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from generator.board.matching.verdict import Verdict
from generator.board.moves import Move, Way, forbidden
from generator.board.place import Place
from generator.board.runs import RunAt
from generator.board.scene import Scene


class At(NamedTuple):
    """Standing on a link of a tile, with the steps made so far."""

    run: RunAt
    stops: tuple[Place, ...]


def way_of(scene: Scene, move: Move, route: Sequence[Place]) -> Way:
    """Follow a route from its first place to its last; of several ways along it, the one with the fewest steps."""
    wrong = tuple(forbidden(scene, move, route))
    if len(route) == 1 or any(place not in scene.tiles for place in route):
        return Way((), wrong)
    walker = Walker(scene, move)
    leaving = walker.starting(route[0])
    arrived: frozenset[At] = frozenset()
    for here, there in pairwise(route):
        arrived = frozenset(at for state in leaving for at in walker.onto(state, there))
        if not arrived:
            text = f"no {' or '.join(move.along)} leads on from {here} to {there}"
            return Way((), (*wrong, Verdict("not-joined", text, (here, there))))
        leaving = frozenset(at for state in arrived for at in walker.passing(state))
    finished = sorted((at.stops for state in arrived for at in walker.stopping(state)), key=lambda s: (len(s), s))
    if not finished:
        return Way((), (*wrong, Verdict("no-stop", f"{route[-1]} is no place to stop", (route[-1],))))
    return Way(finished[0], wrong)


@dataclass(frozen=True)
class Walker:
    """The steps that one kind of move can make on one board."""

    scene: Scene
    move: Move

    def starting(self, place: Place) -> frozenset[At]:
        """On any link with a stop at the first place, or gone over from there; a start is no step."""
        runs = (run for run, link in self.scene.runs.items() if run.place == place and link.kind in self.move.along)
        standing = [run for run in runs if self.scene.runs[run].feature in self.move.stops]
        return frozenset(At(run, ()) for one in standing for run in (one, *self._over(one)))

    def onto(self, state: At, there: Place) -> Iterator[At]:
        """On every link of the next tile that this one leads to."""
        for run in self.scene.near.get(state.run, ()):
            if run.place == there and self.scene.runs[run].kind in self.move.along:
                yield At(run, state.stops)

    def passing(self, state: At) -> Iterator[At]:
        """Leaving a tile on the same link, a step if it has a stop, or going over to another, which always is one."""
        stops = (*state.stops, state.run.place)
        yield At(state.run, stops if self._stop(state.run) else state.stops)
        for run in self._over(state.run):
            yield At(run, stops)

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
