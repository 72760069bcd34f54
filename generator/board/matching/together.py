"""`together: touching` or `together: joined` — a board is in one piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from generator.board.matching.verdict import Verdict
from generator.board.place import Place, listed
from generator.board.scene import Scene


class How(StrEnum):
    """What holds tiles together: a shared side, or a link across it."""

    TOUCHING = "touching"
    JOINED = "joined"


APART: Mapping[How, tuple[str, str]] = MappingProxyType(
    {
        How.TOUCHING: ("does not touch", "do not touch"),
        How.JOINED: ("is not joined to", "are not joined to"),
    }
)
"""How it is said of one tile and of several."""


@dataclass(frozen=True)
class Together:
    """Every tile hangs together with the tile that the game starts from, or else with the first."""

    how: How

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Walk from the starting tile and see what is left out."""
        starts = [place for place, tile in scene.tiles.items() if tile.carries_any(scene.settings.start)]
        held = hanging(scene, starts or sorted(scene.tiles)[:1], self.how)
        left = [place for place in scene.tiles if place not in held]
        if left:
            one, many = APART[self.how]
            text = f"{listed(left)} {one if len(left) == 1 else many} the rest"
            yield Verdict("together", text, tuple(sorted(left)))


def hanging(scene: Scene, starts: list[Place], how: How) -> frozenset[Place]:
    """The places that hang together with some."""
    seen, waiting = set(starts), list(starts)
    while waiting:
        place = waiting.pop()
        beside = scene.joined(place) if how is How.JOINED else {tile.place for tile in scene.beside(place)}
        waiting.extend(beside - seen)
        seen |= beside
    return frozenset(seen)
