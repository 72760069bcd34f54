"""Runs and seams: what a network is made of.

A run is one link of one tile. Two runs join at a seam: they reach the two touching sides of neighbouring tiles, their
kinds join, and neither side is labelled (a link that reaches a labelled side ends there).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from generator.board.joining import Joining
from generator.board.lattice import Lattice
from generator.board.place import Place
from generator.board.tiles import Laid
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


def runs_of(tiles: Mapping[Place, Laid]) -> Mapping[RunAt, Link]:
    """Every link on the board."""
    return MappingProxyType(
        {RunAt(place, index): link for place, tile in tiles.items() for index, link in enumerate(tile.links)}
    )


def seams_of(tiles: Mapping[Place, Laid], lattice: Lattice, joining: Joining) -> frozenset[Seam]:
    """Every place where two links join."""
    return frozenset(
        seam
        for place, tile in tiles.items()
        for port, beside in lattice.round(place)
        if place < beside and beside in tiles
        for seam in _meeting(tile, port, tiles[beside], lattice.facing(port), joining)
    )


def _meeting(tile: Laid, port: str, other: Laid, facing: str, joining: Joining) -> Iterator[Seam]:
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
