"""The longest way through joined tiles, and their loops, counted so that no loop contains another.

Where no tile carries two links of one network, the network is a drawing without crossings, and its loops are the
areas that it encloses, less those in which another loop lies. Where links pass over others of their own network there
are no such areas; then every way round that is not made of others counts (links joined, less links, plus one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from generator.board.lattice import Lattice, Place
from generator.board.network import Near, RunAt, Seam, near_of, parts
from generator.core.geometry import Point
from generator.core.problems import Wrong

STEPS = 300_000
"""The search is exact, and gives up on boards that would take minutes: those in figures take a few thousand steps."""

LARGEST = 500


def longest_way(runs: Iterable[RunAt], near: Near) -> tuple[Place, ...]:
    """The tiles along the longest way, in order; of two as long, the one that the search meets first."""
    search = _Search({})
    wanted = set(runs)
    if len(wanted) > LARGEST:
        raise Wrong(f"the longest way through {len(wanted)} links", f"at most {LARGEST} links")
    for part in sorted(parts(wanted, near), key=lambda part: (-len(part), min(part))):
        search.near = {run: tuple(other for other in near.get(run, ()) if other in part) for run in part}
        for start in sorted(part, key=lambda run: (len(search.near[run]), run)):
            search.walk(start, [start.place])
    return tuple(search.best)


@dataclass
class _Search:
    """Depth first, cut where even all that can still be reached would not beat the best."""

    near: dict[RunAt, tuple[RunAt, ...]]
    best: list[Place] = field(default_factory=list)
    steps: int = 0

    def walk(self, run: RunAt, way: list[Place]) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise Wrong("the longest way through these tiles takes too long to find", "a smaller board, or fewer loops")
        if len(way) > len(self.best):
            self.best = list(way)
        if len(way) + self.ahead(run, way) <= len(self.best):
            return
        for other in self.near[run]:
            if other.place not in way:
                way.append(other.place)
                self.walk(other, way)
                way.pop()

    def ahead(self, run: RunAt, way: list[Place]) -> int:
        """How many tiles can still be reached."""
        used, seen, waiting = set(way), {run}, [run]
        while waiting:
            for other in self.near[waiting.pop()]:
                if other not in seen and other.place not in used:
                    seen.add(other)
                    waiting.append(other)
        return len({other.place for other in seen}) - 1


WayMoved = tuple[Place, ...]
_Step = tuple[Place, Place]


def loops_of(runs: Iterable[RunAt], seams: Iterable[Seam], lattice: Lattice) -> tuple[frozenset[Place], ...]:
    """The tiles of each loop."""
    wanted = frozenset(runs)
    inside = [seam for seam in seams if seam.a in wanted and seam.b in wanted]
    flat: list[WayMoved] = []
    others: list[frozenset[Place]] = []
    for part in parts(wanted, near_of(inside)):
        mine = [seam for seam in inside if seam.a in part]
        if len({run.place for run in part}) == len(part):
            flat.extend(_areas(mine, lattice))
        else:
            others.extend(_independent(mine))
    empty = [way for way in flat if not any(_holds(way, other, lattice) for other in flat if other is not way)]
    return tuple(sorted([*map(frozenset, empty), *others], key=sorted))


def _areas(seams: Iterable[Seam], lattice: Lattice) -> Iterator[WayMoved]:
    """The rims of the areas that a network encloses: keep turning the same way, and every area is walked round once."""
    left: dict[_Step, None] = {}
    for seam in sorted(seams):
        left[seam.a.place, seam.b.place] = left[seam.b.place, seam.a.place] = None
    steps = frozenset(left)
    while left:
        step = first = next(iter(left))
        walk = []
        while True:
            del left[step]
            walk.append(step[0])
            step = _next(step, steps, lattice)
            if step == first:
                break
        way = _rim(walk)
        if _area(way, lattice) > 0:
            yield way


def _next(step: _Step, steps: frozenset[_Step], lattice: Lattice) -> _Step:
    """The first way on to the right of straight back, and straight back only if there is no other."""
    behind, here = step
    back = next(port for port, beside in lattice.round(here) if beside == behind)
    for turn in range(lattice.quantum, 361, lattice.quantum):
        ahead = (here, lattice.beside(here, lattice.turned(back, -turn)))
        if ahead in steps:
            return ahead
    raise AssertionError(step)


def _rim(walk: list[Place]) -> WayMoved:
    """A closed walk without what leads back to a place of it: dead ends, and loops within, which count alone."""
    path: list[Place] = []
    for place in walk:
        if place in path:
            del path[path.index(place) :]
        path.append(place)
    return tuple(path)


def _area(way: WayMoved, lattice: Lattice) -> float:
    """Twice the area inside; positive when the way runs clockwise as the reader sees it."""
    corners = [lattice.centre(place) for place in way]
    return sum(a.x * b.y - b.x * a.y for a, b in zip(corners, corners[1:] + corners[:1], strict=True))


def _holds(way: WayMoved, other: WayMoved, lattice: Lattice) -> bool:
    """Whether a loop has a tile of another strictly inside."""
    corners = [lattice.centre(place) for place in way]
    return any(place not in way and _inside(lattice.centre(place), corners) for place in other)


def _inside(point: Point, corners: list[Point]) -> bool:
    """Whether a ray to the right crosses the rim an odd number of times; no corner lies on the ray."""
    y = point.y + 0.001
    odd = False
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if (a.y > y) != (b.y > y) and point.x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x):
            odd = not odd
    return odd


def _independent(seams: Iterable[Seam]) -> Iterator[frozenset[Place]]:
    """The way round that each seam closes together with those before it, if it closes one."""
    before: list[Seam] = []
    for seam in sorted(seams):
        way = _way(seam.a, seam.b, near_of(before))
        if way:
            yield frozenset(run.place for run in way)
        else:
            before.append(seam)


def _way(start: RunAt, goal: RunAt, near: Near) -> tuple[RunAt, ...]:
    """The shortest way between two runs, both included; empty when there is none."""
    ways: dict[RunAt, tuple[RunAt, ...]] = {start: (start,)}
    waiting = [start]
    for run in waiting:
        for other in near.get(run, ()):
            if other not in ways:
                ways[other] = (*ways[run], other)
                waiting.append(other)
    return ways.get(goal, ())
