"""`within: {columns: 8, rows: 8}` — how far a board may spread, wherever it lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.matching.verdict import Verdict
from generator.board.scene import Scene


@dataclass(frozen=True)
class Within:
    """The most columns and rows from the first tile to the last."""

    columns: int
    rows: int

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Measure both ways."""
        columns = [place.column for place in scene.tiles]
        rows = [place.row for place in scene.tiles]
        for most, found, name in ((self.columns, columns, "columns"), (self.rows, rows, "rows")):
            if found and max(found) - min(found) + 1 > most:
                text = f"the board spreads over {max(found) - min(found) + 1} {name} of at most {most}"
                yield Verdict("within", text, tuple(sorted(scene.tiles)))
