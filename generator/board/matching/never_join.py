"""`never-join: [[firefighter, firefighter]]` — what may not stand in one network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.counting.group import of_network
from generator.board.counting.things import things
from generator.board.matching.verdict import Verdict
from generator.board.network import Network
from generator.board.place import Place, listed
from generator.board.scene import Scene


@dataclass(frozen=True)
class NeverJoin:
    """Pairs of words, each perhaps with the kind of network that it is about."""

    pairs: tuple[tuple[str, ...], ...]

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every network for both of a pair, or two of the same."""
        for network in scene.networks:
            for one, two, *kinds in self.pairs:
                places = _places(scene, network, one, two)
                if places and (not kinds or network.kinds & set(kinds)):
                    what = f"two of {one}" if one == two else f"{one} and {two}"
                    text = f"{what} are joined by {' and '.join(sorted(network.kinds))}: {listed(places)}"
                    yield Verdict("never-join", text, places)


def _places(scene: Scene, network: Network, one: str, two: str) -> tuple[Place, ...]:
    group = of_network(network)
    ones, twos = things(scene, group, one), things(scene, group, two)
    both = ones | twos
    enough = len(ones) > 1 if one == two else bool(ones and twos)
    return tuple(sorted({thing.place for thing in both if thing.place is not None})) if enough else ()
