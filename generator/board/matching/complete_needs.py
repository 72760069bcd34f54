"""`complete-needs: {street: intersection}` — what a network must hold before its last end may be closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.board.counting.group import of_network
from generator.board.counting.things import things
from generator.board.matching.verdict import Verdict
from generator.board.place import listed
from generator.board.scene import Scene


@dataclass(frozen=True)
class CompleteNeeds:
    """By kind of link, the words of which a closed network must hold one each."""

    needs: Mapping[str, tuple[str, ...]]

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every closed network."""
        for network in scene.networks:
            for kind in sorted(network.kinds & set(self.needs)) if network.closed else ():
                for word in self.needs[kind]:
                    if not things(scene, of_network(network), word):
                        text = f"the {kind} through {listed(network.places)} is complete and has no {word}"
                        yield Verdict("complete-needs", text, tuple(sorted(network.places)))
