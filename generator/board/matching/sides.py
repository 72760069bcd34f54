"""`sides: equal` — what meets at two touching sides must be the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.joining import Joining
from generator.board.matching.verdict import Verdict
from generator.board.scene import Scene
from generator.board.tiles import Laid

EQUAL = frozenset({"borders", "kinds", "sides"})
SAME_KIND = frozenset({"borders", "kinds"})


@dataclass(frozen=True)
class Sides:
    """Three ways to go wrong, each with its code, so that a figure can show one and not another.

    `kinds`: two links that meet are of different kinds; `sides`: a link meets a side without one (allowed by
    `sides: same-kind`); `borders`: a side's label meets another label or none. Labels come first: under one, links are
    not compared.
    """

    codes: frozenset[str] = EQUAL

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every two sides that touch."""
        for tile, port, other, facing in scene.touching():
            code = mismatch(tile, port, other, facing, scene.settings.joining)
            if code in self.codes:
                text = f"{shown(tile, port)} at {tile.place} meets {shown(other, facing)} at {other.place}"
                yield Verdict(code, text, (tile.place, other.place))


def mismatch(tile: Laid, port: str, other: Laid, facing: str, joining: Joining) -> str | None:
    """The code of what is wrong between two touching sides."""
    if not joining.labels_fit(tile.label(port), other.label(facing)):
        return "borders"
    mine, theirs = tile.kinds(port), other.kinds(facing)
    if tile.label(port) is not None or joining.kinds_match(mine, theirs):
        return None
    return "kinds" if mine and theirs else "sides"


def shown(tile: Laid, port: str) -> str:
    """A side in words: its label, its links, or `a blank side`."""
    label = tile.label(port)
    if label is not None:
        return f"the border {label}"
    return " and ".join(tile.kinds(port)) or "a blank side"
