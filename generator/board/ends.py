"""Where links stop, and what closes them there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from generator.board.joining import Joining
from generator.board.lattice import Lattice
from generator.board.place import Place
from generator.board.runs import RunAt, Seam
from generator.board.tiles import Laid
from generator.pack.links import Link


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

    tiles: Mapping[Place, Laid]
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
