"""The longest path through joined tiles, and loops that contain no other loop.

If no tile has two links of a network, the network is a planar drawing, and its loops are the areas it encloses that
contain no other loop. If links cross others of their own network, there are no such areas; the loops are then an
independent set of cycles (joined links, minus links, plus one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from generator.board.lattice import Lattice, Place
from generator.board.network import Adjacency, RunId, Seam, connected_components, map_adjacency
from generator.core.geometry import Point
from generator.core.problems import Wrong

# The search is exact and gives up before it takes minutes. The boards in figures take a few
# thousand steps.
MAX_SEARCH_STEPS = 300_000

# The search recurses once per tile; this stays below Python's recursion limit of 1,000.
MAX_LINKS = 500


def find_longest_path(runs: Iterable[RunId], near: Adjacency) -> tuple[Place, ...]:
    """Return the tiles along the longest path, in order.

    Of paths of equal length, the first one found is returned. Raise `Wrong` if there are too many links, or if the
    search takes too long.
    """
    search = _PathSearch({})
    wanted = set(runs)
    if len(wanted) > MAX_LINKS:
        raise Wrong(f"the longest path through {len(wanted)} links", f"at most {MAX_LINKS} links")
    for part in sorted(connected_components(wanted, near), key=lambda part: (-len(part), min(part))):
        search.near = {run: tuple(other for other in near.get(run, ()) if other in part) for run in part}
        for start in sorted(part, key=lambda run: (len(search.near[run]), run)):
            search.walk(start, [start.place])
    return tuple(search.best)


@dataclass
class _PathSearch:
    """A depth-first search that prunes branches too short to beat the best path."""

    near: dict[RunId, tuple[RunId, ...]]
    best: list[Place] = field(default_factory=list)
    steps: int = 0

    def walk(self, run: RunId, path: list[Place]) -> None:
        """Extend the path in every direction from a run, and record the best."""
        self.steps += 1
        if self.steps > MAX_SEARCH_STEPS:
            raise Wrong(
                "the longest path through these tiles takes too long to find", "a smaller board, or fewer loops"
            )
        if len(path) > len(self.best):
            self.best = list(path)
        if len(path) + self.count_reachable(run, path) <= len(self.best):
            return
        for other in self.near[run]:
            if other.place not in path:
                path.append(other.place)
                self.walk(other, path)
                path.pop()

    def count_reachable(self, run: RunId, path: list[Place]) -> int:
        """Return the number of tiles that can still be reached."""
        used = set(path)
        seen = {run}
        waiting = [run]
        while waiting:
            for other in self.near[waiting.pop()]:
                if other not in seen and other.place not in used:
                    seen.add(other)
                    waiting.append(other)
        return len({other.place for other in seen}) - 1


_Loop = tuple[Place, ...]
_Step = tuple[Place, Place]


def find_loops(runs: Iterable[RunId], seams: Iterable[Seam], lattice: Lattice) -> tuple[frozenset[Place], ...]:
    """Return the tiles of each loop."""
    wanted = frozenset(runs)
    inside = [seam for seam in seams if seam.a in wanted and seam.b in wanted]
    flat: list[_Loop] = []
    others: list[frozenset[Place]] = []
    for part in connected_components(wanted, map_adjacency(inside)):
        mine = [seam for seam in inside if seam.a in part]
        if len({run.place for run in part}) == len(part):
            flat.extend(_trace_areas(mine, lattice))
        else:
            others.extend(_find_cycles(mine))
    empty = [path for path in flat if not any(_encloses(path, other, lattice) for other in flat if other is not path)]
    return tuple(sorted([*map(frozenset, empty), *others], key=sorted))


def _trace_areas(seams: Iterable[Seam], lattice: Lattice) -> Iterator[_Loop]:
    """Yield the outlines of the areas that a network encloses.

    A walk that always turns the same way goes round each area exactly once.
    """
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
            step = _next_step(step, steps, lattice)
            if step == first:
                break
        path = _cut_detours(walk)
        if _signed_area(path, lattice) > 0:
            yield path


def _next_step(step: _Step, steps: frozenset[_Step], lattice: Lattice) -> _Step:
    """Return the next step: the first direction clockwise from straight back; straight back if there is no other."""
    behind, here = step
    back = next(port for port, beside in lattice.neighbours(here) if beside == behind)
    for turn in range(lattice.turn_step, 361, lattice.turn_step):
        step_ahead = (here, lattice.neighbour(here, lattice.turn_port(back, -turn)))
        if step_ahead in steps:
            return step_ahead
    raise AssertionError(step)


def _cut_detours(walk: list[Place]) -> _Loop:
    """Return a closed walk without dead ends and without inner loops, which are counted separately."""
    path: list[Place] = []
    for place in walk:
        if place in path:
            del path[path.index(place) :]
        path.append(place)
    return tuple(path)


def _signed_area(path: _Loop, lattice: Lattice) -> float:
    """Return twice the enclosed area, positive if the loop runs clockwise as seen by the reader."""
    corners = [lattice.centre(place) for place in path]
    return sum(a.x * b.y - b.x * a.y for a, b in zip(corners, corners[1:] + corners[:1], strict=True))


def _encloses(path: _Loop, other: _Loop, lattice: Lattice) -> bool:
    """Return True if a tile of the other loop lies strictly inside this loop."""
    corners = [lattice.centre(place) for place in path]
    return any(place not in path and _is_inside(lattice.centre(place), corners) for place in other)


def _is_inside(point: Point, corners: list[Point]) -> bool:
    """Return True if a ray to the right crosses the polygon an odd number of times."""
    y = point.y + 0.001  # off every tile's centre, so that no corner of the polygon lies on the ray
    odd = False
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if (a.y > y) != (b.y > y) and point.x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x):
            odd = not odd
    return odd


def _find_cycles(seams: Iterable[Seam]) -> Iterator[frozenset[Place]]:
    """Yield the cycle that each seam closes together with the seams before it."""
    before: list[Seam] = []
    for seam in sorted(seams):
        path = _find_shortest_path(seam.a, seam.b, map_adjacency(before))
        if path:
            yield frozenset(run.place for run in path)
        else:
            before.append(seam)


def _find_shortest_path(start: RunId, goal: RunId, near: Adjacency) -> tuple[RunId, ...]:
    """Return the shortest path between two runs, including both; empty if there is none."""
    paths: dict[RunId, tuple[RunId, ...]] = {start: (start,)}
    waiting = [start]
    for run in waiting:
        for other in near.get(run, ()):
            if other not in paths:
                paths[other] = (*paths[run], other)
                waiting.append(other)
    return paths.get(goal, ())
