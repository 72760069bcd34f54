"""Networks of joined links: how links join at the sides of tiles, and where networks end.

A run is a link or an area of a tile on the board, a seam is a joint of two runs. The file ends with
two searches: for the longest path through joined tiles, and for loops that contain no other loop.
If no tile has two links of a network, the network is a planar drawing, and its loops are the areas
it encloses that contain no other loop. If links cross others of their own network, there are no
such areas; the loops are then an independent set of cycles (joined links, minus links, plus one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Literal, NamedTuple, TypeVar

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point
from generator.base.ports import part_of, side_of
from generator.board.lattice import Lattice, Place, Spot
from generator.board.spec import MatchingSpec
from generator.board.tiles import PlacedTile
from generator.pack.tile import Link, Plane

Node = TypeVar("Node")


class RunId(NamedTuple):
    """The identity of a link on the board; a tile's areas are numbered after its links."""

    place: Place
    link_index: int


class Seam(NamedTuple):
    """Two joined runs; `a` is the run at the earlier place.

    A seam joins them across touching sides, named by the two ports. A bond, which joins runs of one
    piece, has the shape of a seam, with the name of its inner point or bridge as both ports.
    """

    a: RunId
    port: str
    b: RunId
    facing: str


Adjacency = Mapping[RunId, tuple[RunId, ...]]
"""The runs joined to each run."""


def list_runs(tiles: Mapping[Place, PlacedTile]) -> Mapping[RunId, Link]:
    """Return every link and area of the board.

    An area becomes a link between all its parts of sides.
    """
    runs = {}
    for place, tile in tiles.items():
        areas = (Link(area.parts, area.kind, area.feature, stand=area.stand) for area in tile.areas)
        runs.update({RunId(place, index): link for index, link in enumerate((*tile.links, *areas))})
    return runs


def find_seams(
    tiles: Mapping[Place, PlacedTile], lattice: Lattice, matching: MatchingSpec
) -> frozenset[Seam]:
    """Return every seam between links, and between areas."""
    links = chain.from_iterable(
        _join_links(tiles, group, matching) for group in _find_ends_by_spot(tiles, lattice).values()
    )
    areas = (
        seam
        for place, tile in tiles.items()
        for port, neighbour in lattice.neighbours(place)
        if tile.areas and place < neighbour and neighbour in tiles
        for seam in _join_areas(tile, port, tiles[neighbour], lattice, matching)
    )
    return frozenset((*links, *areas))


_RunEnd = tuple[RunId, str]
"""An end of a link: the run, and the port at which it reaches the edge of its tile."""


def _find_ends_by_spot(
    tiles: Mapping[Place, PlacedTile], lattice: Lattice
) -> Mapping[Spot, list[_RunEnd]]:
    """Return the ends of links by their position on the table."""
    ends: dict[Spot, list[_RunEnd]] = {}
    for place, tile in sorted(tiles.items()):
        inner = {point.name for point in tile.face.tile.points}
        for index, link in enumerate(tile.links):
            for port in link.ports:
                if port not in inner and (spot := lattice.port_spot(place, port)) is not None:
                    ends.setdefault(spot, []).append((RunId(place, index), port))
    return ends


def _join_links(
    tiles: Mapping[Place, PlacedTile], ends: Sequence[_RunEnd], matching: MatchingSpec
) -> Iterator[Seam]:
    """Yield the seams between link ends at the same position."""
    unlabelled = [(run, port) for run, port in ends if tiles[run.place].label(port) is None]
    for (run, port), (other, facing) in combinations(unlabelled, 2):
        kinds = (
            tiles[run.place].links[run.link_index].kind,
            tiles[other.place].links[other.link_index].kind,
        )
        if run.place != other.place and matching.kinds_join(*kinds):
            yield Seam(run, port, other, facing)


def _join_areas(
    tile: PlacedTile, side: str, other: PlacedTile, lattice: Lattice, matching: MatchingSpec
) -> Iterator[Seam]:
    """Yield the seams between areas of two tiles across a shared side."""
    facing = lattice.facing(side)
    for (i, area), (j, other_area) in product(enumerate(tile.areas), enumerate(other.areas)):
        if matching.kinds_join(area.kind, other_area.kind):
            near_parts = [part for part in area.parts if side_of(part) == side]
            far_parts = [part for part in other_area.parts if side_of(part) == facing]
            for part, other_part in product(near_parts, far_parts):
                if _is_overlapping(part, other_part):
                    yield Seam(
                        RunId(tile.place, len(tile.links) + i),
                        part,
                        RunId(other.place, len(other.links) + j),
                        other_part,
                    )


def _is_overlapping(part: str, other_part: str) -> bool:
    """Return True if a part of a side touches a part of the opposite side, which runs the other way."""
    (index, count) = part_of(part)
    (other_index, other_count) = part_of(other_part)
    low = 1 - Fraction(other_index, other_count)
    high = 1 - Fraction(other_index - 1, other_count)
    return Fraction(index - 1, count) < high and low < Fraction(index, count)


def find_bonds(tiles: Mapping[Place, PlacedTile], matching: MatchingSpec) -> frozenset[Seam]:
    """Return the joints inside tiles: at a shared inner point, or at a crossing that joins."""
    bonds = set()
    for place, tile in tiles.items():
        inner = {point.name for point in tile.face.tile.points}
        for (i, first), (j, second) in combinations(enumerate(tile.links), 2):
            shared = sorted(inner & set(first.ports) & set(second.ports))
            crossed = Plane.JOINS in {first.course.plane, second.course.plane} and not {
                *first.ports
            } & {*second.ports}
            if matching.kinds_join(first.kind, second.kind) and (shared or crossed):
                at = shared[0] if shared else CROSSING
                bonds.add(Seam(RunId(place, i), at, RunId(place, j), at))
    return frozenset(bonds)


# The port name of a joint between links that cross inside a tile.
CROSSING = "+"


def map_adjacency(seams: Iterable[Seam]) -> Adjacency:
    """Return the runs joined to each run, in a fixed order."""
    joined: dict[RunId, list[RunId]] = {}
    for seam in sorted(seams):
        joined.setdefault(seam.a, []).append(seam.b)
        joined.setdefault(seam.b, []).append(seam.a)
    return {run: tuple(others) for run, others in joined.items()}


def find_reachable(starts: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return everything that a walk from the starts reaches, including these; `near` returns the next steps."""
    reached = set(starts)
    queue = list(reached)
    while queue:
        for other in near(queue.pop()):
            if other not in reached:
                reached.add(other)
                queue.append(other)
    return reached


Track = Mapping[_RunEnd, tuple[_RunEnd, ...]]
"""The ends of other runs that meet each end of a run."""


def map_track(seams: Iterable[Seam]) -> Track:
    """Return the ends that meet each end, in a fixed order."""
    meeting: dict[_RunEnd, list[_RunEnd]] = {}
    for seam in sorted(seams):
        meeting.setdefault((seam.a, seam.port), []).append((seam.b, seam.facing))
        meeting.setdefault((seam.b, seam.facing), []).append((seam.a, seam.port))
    return {end: tuple(others) for end, others in meeting.items()}


def follow_track(
    starts: Iterable[RunId], runs: Mapping[RunId, Link], track: Track
) -> frozenset[RunId]:
    """Return every run that a walk without reversing can reach from the start runs."""

    def onward(end: _RunEnd) -> Iterator[_RunEnd]:
        run, entered = end
        for port in (*runs[run].ports, CROSSING):
            if port != entered:
                yield from track.get((run, port), ())

    return frozenset(run for run, _ in find_reachable(((run, "") for run in starts), onward))


def connected_components(runs: Iterable[RunId], near: Adjacency) -> tuple[frozenset[RunId], ...]:
    """Return the connected components of the runs, ordered by their first tile in reading order."""
    components: list[frozenset[RunId]] = []
    unvisited = set(runs)
    adjacent = {
        run: tuple(other for other in near.get(run, ()) if other in unvisited) for run in unvisited
    }
    for start in sorted(
        unvisited, key=lambda run: (run.place.row, run.place.column, run.link_index)
    ):
        if start in unvisited:
            components.append(frozenset(find_reachable([start], adjacent.__getitem__)))
            unvisited -= components[-1]
    return tuple(components)


Closure = Literal["open", "feature", "label", "stop"]
"""The cause that closes an end of a network, or `open`."""


class End(NamedTuple):
    """The place where a run stops: a side that joins nothing, or a point inside the tile (empty port)."""

    run: RunId
    port: str
    close: Closure


NO_PORT = ""


@dataclass(frozen=True)
class Network:
    """Connected runs, with all their ends."""

    runs: frozenset[RunId]
    seams: frozenset[Seam]
    ends: frozenset[End]
    kinds: frozenset[str]

    @property
    def places(self) -> frozenset[Place]:
        """Return the places of its tiles."""
        return frozenset(run.place for run in self.runs)

    @property
    def is_closed(self) -> bool:
        """Return True if every end is closed."""
        return not self.open_ends

    @property
    def open_ends(self) -> tuple[End, ...]:
        """Return the open ends, sorted."""
        return tuple(sorted(end for end in self.ends if end.close == "open"))


def find_networks(
    runs: Mapping[RunId, Link],
    seams: frozenset[Seam],
    bonds: frozenset[Seam],
    ends: Mapping[RunId, Sequence[End]],
) -> tuple[Network, ...]:
    """Return the networks of a board, ordered by their first tile in reading order."""
    return tuple(
        Network(
            group,
            frozenset(seam for seam in seams if seam.a in group),
            frozenset(end for run in group for end in ends[run]),
            frozenset(runs[run].kind for run in group),
        )
        for group in connected_components(runs, map_adjacency(seams | bonds))
    )


# The search is exact and gives up before it takes minutes. The boards in figures take a few
# thousand steps.
MAX_SEARCH_STEPS = 300_000

# The search recurses once per tile; this stays below Python's recursion limit of 1,000.
MAX_LINKS = 500


def find_longest_path(runs: Iterable[RunId], near: Adjacency) -> tuple[Place, ...]:
    """Return the tiles along the longest path, in order.

    Of paths of equal length, the first one found is returned. Raise `InvalidValueError` if there
    are too many links, or if the search takes too long.
    """
    search = _PathSearch({})
    run_ids = set(runs)
    if len(run_ids) > MAX_LINKS:
        raise InvalidValueError(
            f"the longest path through {len(run_ids)} links", f"at most {MAX_LINKS} links"
        )
    for part in sorted(
        connected_components(run_ids, near), key=lambda part: (-len(part), min(part))
    ):
        search.near = {
            run: tuple(other for other in near.get(run, ()) if other in part) for run in part
        }
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
            raise InvalidValueError(
                "the longest path through these tiles takes too long to find",
                "a smaller board, or fewer loops",
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
        reached = find_reachable(
            [run], lambda at: (other for other in self.near[at] if other.place not in used)
        )
        return len({other.place for other in reached}) - 1


_Loop = tuple[Place, ...]
_Step = tuple[Place, Place]


def find_loops(
    runs: Iterable[RunId], seams: Iterable[Seam], lattice: Lattice
) -> tuple[frozenset[Place], ...]:
    """Return the tiles of each loop."""
    run_ids = frozenset(runs)
    inside = [seam for seam in seams if seam.a in run_ids and seam.b in run_ids]
    flat: list[_Loop] = []
    others: list[frozenset[Place]] = []
    for part in connected_components(run_ids, map_adjacency(inside)):
        mine = [seam for seam in inside if seam.a in part]
        if len({run.place for run in part}) == len(part):
            flat.extend(_trace_areas(mine, lattice))
        else:
            others.extend(_find_cycles(mine))
    empty = [
        path
        for path in flat
        if not any(_encloses(path, other, lattice) for other in flat if other is not path)
    ]
    return tuple(sorted([*map(frozenset, empty), *others], key=sorted))


def _trace_areas(seams: Iterable[Seam], lattice: Lattice) -> Iterator[_Loop]:
    """Yield the outlines of the areas that a network encloses.

    A walk that always turns the same way goes round each area exactly once.
    """
    # A dict serves as an ordered set, so that areas are found in the same order each time.
    left: dict[_Step, None] = {}
    for seam in sorted(seams):
        left[seam.a.place, seam.b.place] = None
        left[seam.b.place, seam.a.place] = None
    steps = frozenset(left)
    while left:
        first = next(iter(left))
        step = first
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
    """Return the next step: the first direction clockwise from straight back.

    Straight back if there is no other.
    """
    behind, place = step
    back = next(port for port, beside in lattice.neighbours(place) if beside == behind)
    for turn in range(lattice.turn_step, 361, lattice.turn_step):
        step_ahead = (place, lattice.neighbour(place, lattice.turn_port(back, -turn)))
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
    return sum(
        a.x * b.y - b.x * a.y for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    )


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
