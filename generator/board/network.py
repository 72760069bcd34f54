"""Networks: links joined across touching tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.board.ends import Close, End, Ends
from generator.board.place import Place
from generator.board.runs import RunAt, Seam, near_of, parts
from generator.pack.links import Link


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
