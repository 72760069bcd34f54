"""What is wrong with a board, and what every rule of a pack looks like from outside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from generator.board.place import Place
from generator.board.scene import Scene


@dataclass(frozen=True)
class Verdict:
    """A rule that a board breaks: its code, why in words, and the places that it is about."""

    code: str
    text: str
    places: tuple[Place, ...]


class Rule(Protocol):
    """One rule of a pack's `matching:`."""

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Everything on the board that breaks the rule."""
        ...
