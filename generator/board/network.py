"""Networks: links joined across touching tiles, and where they stop.

A run is one link of one tile. Two runs join at a seam: they reach the two touching sides of neighbouring tiles, their
kinds join, and neither side is labelled (a link that reaches a labelled side ends there).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain, combinations, product
from types import MappingProxyType
from typing import NamedTuple

from generator.board.lattice import Lattice, Place, Spot
from generator.board.tiles import Joining, LaidTile
from generator.core.ports import part_of, side_of
from generator.pack.tile import Link, Plane


class RunAt(NamedTuple):
    """Which link of which tile; areas are counted on after the links."""

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
    """Every link on the board, and every area, which is a link of all its parts of sides."""
    found = {}
    for place, tile in tiles.items():
        areas = (Link(area.parts, area.kind, area.feature, stand=area.stand) for area in tile.areas)
        found.update({RunAt(place, index): link for index, link in enumerate((*tile.links, *areas))})
    return MappingProxyType(found)


def seams_of(tiles: Mapping[Place, LaidTile], lattice: Lattice, joining: Joining) -> frozenset[Seam]:
    """Every place where two links join, or two areas."""
    links = chain.from_iterable(_meeting(tiles, group, joining) for group in _at_spots(tiles, lattice).values())
    areas = (
        seam
        for place, tile in tiles.items()
        for port, beside in lattice.round(place)
        if tile.areas and place < beside and beside in tiles
        for seam in _bordering(tile, port, tiles[beside], lattice, joining)
    )
    return frozenset((*links, *areas))


_At = tuple[RunAt, str]
"""An end of a link: the run, and the port by which it reaches its tile's edge."""


def _at_spots(tiles: Mapping[Place, LaidTile], lattice: Lattice) -> Mapping[Spot, list[_At]]:
    """The ends of links by where they lie on the table."""
    found: dict[Spot, list[_At]] = {}
    for place, tile in sorted(tiles.items()):
        inner = {point.name for point in tile.face.tile.points}
        for index, link in enumerate(tile.links):
            for port in link.ports:
                if port not in inner and (spot := lattice.spot(place, port)) is not None:
                    found.setdefault(spot, []).append((RunAt(place, index), port))
    return found


def _meeting(tiles: Mapping[Place, LaidTile], ends: Sequence[_At], joining: Joining) -> Iterator[Seam]:
    free = [(run, port) for run, port in ends if tiles[run.place].label(port) is None]
    for (run, port), (other, facing) in combinations(free, 2):
        kinds = (tiles[run.place].links[run.nth].kind, tiles[other.place].links[other.nth].kind)
        if run.place != other.place and joining.kinds_join(*kinds):
            yield Seam(run, port, other, facing)


def _bordering(tile: LaidTile, side: str, other: LaidTile, lattice: Lattice, joining: Joining) -> Iterator[Seam]:
    facing = lattice.facing(side)
    for (i, one), (j, two) in product(enumerate(tile.areas), enumerate(other.areas)):
        if joining.kinds_join(one.kind, two.kind):
            mine = [part for part in one.parts if side_of(part) == side]
            theirs = [part for part in two.parts if side_of(part) == facing]
            for part, far in product(mine, theirs):
                if _overlap(part, far):
                    yield Seam(
                        RunAt(tile.place, len(tile.links) + i), part, RunAt(other.place, len(other.links) + j), far
                    )


def _overlap(part: str, far: str) -> bool:
    """Whether a part of a side touches a part of the side that faces it, which runs the other way."""
    (a, of), (b, off) = part_of(part), part_of(far)
    low, high = 1 - Fraction(b, off), 1 - Fraction(b - 1, off)
    return Fraction(a - 1, of) < high and low < Fraction(a, of)


def bonds_of(tiles: Mapping[Place, LaidTile], joining: Joining) -> frozenset[Seam]:
    """Where links of one tile join inside it: at a point that they share, or where one says that it joins."""
    found = set()
    for place, tile in tiles.items():
        inner = {point.name for point in tile.face.tile.points}
        for (i, one), (j, two) in combinations(enumerate(tile.links), 2):
            shared = sorted(inner & set(one.ports) & set(two.ports))
            crossed = Plane.JOINS in {one.course.plane, two.course.plane} and not {*one.ports} & {*two.ports}
            if joining.kinds_join(one.kind, two.kind) and (shared or crossed):
                at = shared[0] if shared else CROSSING
                found.add(Seam(RunAt(place, i), at, RunAt(place, j), at))
    return frozenset(found)


CROSSING = "+"
"""The port at which links join that cross inside their tile."""


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


Track = Mapping[_At, tuple[_At, ...]]
"""Where each end of a run leads: the ends of other runs that meet it."""


def track_of(seams: Iterable[Seam]) -> Track:
    """The ends that meet, in a fixed order."""
    found: dict[_At, list[_At]] = {}
    for seam in sorted(seams):
        found.setdefault((seam.a, seam.port), []).append((seam.b, seam.facing))
        found.setdefault((seam.b, seam.facing), []).append((seam.a, seam.port))
    return MappingProxyType({end: tuple(others) for end, others in found.items()})


def led_to(starts: Iterable[RunAt], runs: Mapping[RunAt, Link], track: Track) -> frozenset[RunAt]:
    """Every run that is reached from some by going on: in by one port, out by another, and never straight back."""
    waiting: list[_At] = [(run, "") for run in starts]
    seen = set(waiting)
    while waiting:
        run, entered = waiting.pop()
        for port in (*runs[run].ports, CROSSING):
            for other in track.get((run, port), ()) if port != entered else ():
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    return frozenset(run for run, _ in seen)


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
        tile = self.tiles[run.place]
        if run.nth >= len(tile.links):
            yield from (End(run, part, self._of_area(run, part)) for part in link.ports if (run, part) not in joined)
            return
        inner = {point.name for point in tile.face.tile.points}
        for port in link.ports:
            if (run, port) not in joined:
                inside = port in inner
                yield End(
                    run, INSIDE if inside else port, self._inside(link) if inside else self._at_side(run, port, link)
                )
        if len(link.ports) == 1:
            yield End(run, INSIDE, self._inside(link))

    def _of_area(self, run: RunAt, part: str) -> Close:
        """An area is open where nothing lies beside it; what borders on it closes it."""
        side = side_of(part)
        faced = side in self.lattice.sides(run.place) and self.lattice.beside(run.place, side) in self.tiles
        return Close.LABEL if faced else Close.OPEN

    def _at_side(self, run: RunAt, port: str, link: Link) -> Close:
        if side_of(port) not in self.lattice.sides(run.place):
            return Close.OPEN
        beside = self.tiles.get(self.lattice.beside(run.place, side_of(port)))
        if beside and link.kind in self.joining.cut_off:
            return Close.STOP
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


def networks_of(
    runs: Mapping[RunAt, Link], seams: frozenset[Seam], bonds: frozenset[Seam], ends: Ends
) -> tuple[Network, ...]:
    """All networks of a board, in the order of their first tiles."""
    inside = ((end, seam.port) for seam in bonds for end in (seam.a, seam.b))
    joined = ends.joined() | frozenset(inside)
    return tuple(
        Network(
            group,
            frozenset(seam for seam in seams if seam.a in group),
            frozenset(end for run in group for end in ends.of_run(run, runs[run], joined)),
            frozenset(runs[run].kind for run in group),
        )
        for group in parts(runs, near_of(seams | bonds))
    )
