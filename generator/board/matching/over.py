"""`over: [[pit, road], [cover, pit], [cover, road]]` — which tile may be laid over which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from generator.board.kit import Face
from generator.board.matching.verdict import Verdict
from generator.board.scene import Scene


@dataclass(frozen=True)
class Over:
    """Pairs of words, upper first; without this rule, no tile may lie over another."""

    pairs: tuple[tuple[str, str], ...] = ()

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every stack, from below."""
        for place, tile in scene.tiles.items():
            for lower, upper in pairwise(tile.stack):
                if not any(_is(upper, top) and _is(lower, base) for top, base in self.pairs):
                    yield Verdict("over", f"{upper[0]} lies over {lower[0]} at {place}", (place,))


def _is(piece: tuple[str, Face], word: str) -> bool:
    design, face = piece
    return word == design or word in face.marks
