"""`never-touch: [[park, park], [building, building]]` — tiles that may not lie side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.matching.verdict import Verdict
from generator.board.scene import Scene


@dataclass(frozen=True)
class NeverTouch:
    """Pairs of words; a tile that carries the one may not share a side with a tile that carries the other."""

    pairs: tuple[tuple[str, str], ...]

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every two tiles that share a side."""
        for tile, _, other, _ in scene.touching():
            for one, two in self.pairs:
                first = tile.carries(one) and other.carries(two)
                if first or (tile.carries(two) and other.carries(one)):
                    words = (one, two) if first else (two, one)
                    text = f"{words[0]} at {tile.place} touches {words[1]} at {other.place}"
                    yield Verdict("never-touch", text, (tile.place, other.place))
