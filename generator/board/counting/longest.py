"""The longest way through joined tiles that enters no tile twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.board.place import Place
from generator.board.runs import Near, RunAt, parts
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
