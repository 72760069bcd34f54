"""Networks: links joined across touching tiles, and where they stop.

A run is one link of one tile. Two runs join at a seam: they reach the two touching sides of neighbouring tiles, their
kinds join, and neither side is labelled (a link that reaches a labelled side ends there).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from generator.board.lattice import Lattice, Place
from generator.board.tiles import Joining, LaidTile
from generator.pack.links import Link


class RunAt(NamedTuple):
    """Which link of which tile."""

    place: Place
    nth: int


class Seam(NamedTuple):
    """Two runs joined across touching sides; `a` is the run at the earlier place."""

    a: RunAt
    port: str
    b: RunAt
    facing: str


Near = Mapping[RunAt, tuple[RunAt, ...]]
"""The runs that each run joins."""


def runs_of(tiles: Mapping[Place, LaidTile]) -> Mapping[RunAt, Link]:
    """Every link on the board."""
    return MappingProxyType(
        {RunAt(place, index): link for place, tile in tiles.items() for index, link in enumerate(tile.links)}
    )


def seams_of(tiles: Mapping[Place, LaidTile], lattice: Lattice, joining: Joining) -> frozenset[Seam]:
    """Every place where two links join."""
    return frozenset(
        seam
        for place, tile in tiles.items()
        for port, beside in lattice.round(place)
        if place < beside and beside in tiles
        for seam in _meeting(tile, port, tiles[beside], lattice.facing(port), joining)
    )


def _meeting(tile: LaidTile, port: str, other: LaidTile, facing: str, joining: Joining) -> Iterator[Seam]:
    if tile.label(port) is not None or other.label(facing) is not None:
        return
    for i, link in enumerate(tile.links):
        for j, far in enumerate(other.links):
            if port in link.ports and facing in far.ports and joining.kinds_join(link.kind, far.kind):
                yield Seam(RunAt(tile.place, i), port, RunAt(other.place, j), facing)


def near_of(seams: Iterable[Seam]) -> Near:
    """The runs that each run joins, in a fixed order."""
    found: dict[RunAt, list[RunAt]] = {}
    for seam in sorted(seams):
        found.setdefault(seam.a, []).append(seam.b)
        found.setdefault(seam.b, []).append(seam.a)
    return MappingProxyType({run: tuple(others) for run, others in found.items()})


def reached(starts: Iterable[RunAt], near: Near) -> frozenset[RunAt]:
    """Every run that can be reached from some."""
    seen = set(starts)
    waiting = list(seen)
    while waiting:
        for other in near.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return frozenset(seen)


def parts(runs: Iterable[RunAt], near: Near) -> tuple[frozenset[RunAt], ...]:
    """Runs sorted into groups that hang together, in the order of their first tiles, row by row."""
    found: list[frozenset[RunAt]] = []
    left = set(runs)
    within = {run: tuple(other for other in near.get(run, ()) if other in left) for run in left}
    for start in sorted(left, key=lambda run: (run.place.row, run.place.column, run.nth)):
        if start in left:
            found.append(reached([start], within))
            left -= found[-1]
    return tuple(found)


class Close(StrEnum):
    """What closes an end of a network, if anything does."""

    OPEN = "open"
    FEATURE = "feature"
    LABEL = "label"
    STOP = "stop"


class End(NamedTuple):
    """Where a run stops: at a side that joins nothing, or inside its tile (no port)."""

    run: RunAt
    port: str
    close: Close


INSIDE = ""


@dataclass(frozen=True)
class Ends:
    """Finds the ends of runs on one board."""

    tiles: Mapping[Place, LaidTile]
    seams: frozenset[Seam]
    lattice: Lattice
    joining: Joining

    def joined(self) -> frozenset[tuple[RunAt, str]]:
        """The sides at which runs go on into the next tile."""
        return frozenset(side for seam in self.seams for side in ((seam.a, seam.port), (seam.b, seam.facing)))

    def of_run(self, run: RunAt, link: Link, joined: frozenset[tuple[RunAt, str]]) -> Iterator[End]:
        """Its ends: none where it goes on, one at each other side, and one inside when it has but one side."""
        for port in link.ports:
            if (run, port) not in joined:
                yield End(run, port, self._at_side(run, port))
        if len(link.ports) == 1:
            yield End(run, INSIDE, self._inside(link))

    def _at_side(self, run: RunAt, port: str) -> Close:
        beside = self.tiles.get(self.lattice.beside(run.place, port))
        faced = beside.label(self.lattice.facing(port)) if beside else None
        closed = self.joining.closes(self.tiles[run.place].label(port), faced)
        return Close.LABEL if closed else Close.OPEN

    def _inside(self, link: Link) -> Close:
        if link.feature is not None:
            return Close.FEATURE
        return Close.STOP if link.kind in self.joining.dead_ends else Close.OPEN


@dataclass(frozen=True)
class Network:
    """Joined runs, and every end at which they stop."""

    runs: frozenset[RunAt]
    seams: frozenset[Seam]
    ends: frozenset[End]
    kinds: frozenset[str]

    @property
    def places(self) -> frozenset[Place]:
        """Where its tiles lie."""
        return frozenset(run.place for run in self.runs)

    @property
    def closed(self) -> bool:
        """Whether no end is open."""
        return not self.open_ends

    @property
    def open_ends(self) -> tuple[End, ...]:
        """The ends that nothing closes."""
        return tuple(sorted(end for end in self.ends if end.close is Close.OPEN))


def networks_of(runs: Mapping[RunAt, Link], seams: frozenset[Seam], ends: Ends) -> tuple[Network, ...]:
    """All networks of a board, in the order of their first tiles."""
    joined = ends.joined()
    return tuple(
        Network(
            group,
            frozenset(seam for seam in seams if seam.a in group),
            frozenset(end for run in group for end in ends.of_run(run, runs[run], joined)),
            frozenset(runs[run].kind for run in group),
        )
        for group in parts(runs, near_of(seams))
    )
