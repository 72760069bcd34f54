"""`must-join: [street, greenway]` — a tile with links must be joined to a tile beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.matching.verdict import Verdict
from generator.board.scene import Scene


@dataclass(frozen=True)
class MustJoin:
    """Kinds of links; a tile that carries one must have one of its sides joined by such a link.

    A tile that the game starts from (`start:`) need not be, nor the only tile of a board.
    """

    kinds: tuple[str, ...]

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every tile with such links."""
        for place, tile in scene.tiles.items():
            mine = [run for run, link in scene.runs.items() if run.place == place and link.kind in self.kinds]
            free = len(scene.tiles) == 1 or tile.carries_any(scene.settings.start)
            if mine and not free and not any(scene.near.get(run) for run in mine):
                kinds = " and ".join(sorted({scene.runs[run].kind for run in mine}))
                yield Verdict("must-join", f"no {kinds} of {tile.design} at {place} joins a tile beside it", (place,))
