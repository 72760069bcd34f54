"""`gaps: none` — no empty place with tiles on all its sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.matching.verdict import Verdict
from generator.board.place import Place
from generator.board.scene import Scene


@dataclass(frozen=True)
class NoGaps:
    """A place that no tile could be added to without being surrounded is not allowed to stay empty."""

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at the empty places beside tiles."""
        for place in holes(scene):
            yield Verdict("gaps", f"{place} is empty and surrounded", (place,))


def holes(scene: Scene) -> tuple[Place, ...]:
    """Empty places with a tile on every side; tiles that count as open space surround nothing."""
    edge = {beside for place in scene.tiles for _, beside in scene.lattice.round(place)} - set(scene.tiles)
    return tuple(sorted(p for p in edge if len(scene.neighbours(p)) == len(scene.lattice.ports)))
