"""What a pack says of boards, ready to be used: its pieces, how sides join, what is legal, and what counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from generator.board.counting.score import Score, points_of
from generator.board.kit import Kit
from generator.board.lattice import SQUARE, Lattice
from generator.board.matching.fills import Fills
from generator.board.matching.over import Over
from generator.board.matching.verdict import Rule, Verdict
from generator.board.moves import Move
from generator.board.placement import Board
from generator.board.removal import Removal
from generator.board.scene import DEFAULTS, Scene, Settings, look
from generator.core.problems import unknown

UNSTATED = Over()


@dataclass(frozen=True)
class Rules:
    """All that a claim can be about, beside the board itself."""

    kit: Kit
    lattice: Lattice = SQUARE
    settings: Settings = DEFAULTS
    matching: tuple[Rule, ...] = ()
    scores: Mapping[str, Score] = field(default_factory=lambda: MappingProxyType({}))
    removals: Mapping[str, Removal] = field(default_factory=lambda: MappingProxyType({}))
    moves: Mapping[str, Move] = field(default_factory=lambda: MappingProxyType({}))

    def look(self, board: Board) -> Scene:
        """The board under these rules."""
        return look(board, self.kit, self.settings)

    @property
    def stated(self) -> bool:
        """Whether the pack says at all what is legal: that no tile lies over another holds in every one."""
        return any(rule != UNSTATED for rule in self.matching)

    def verdicts(self, scene: Scene) -> tuple[Verdict, ...]:
        """Everything on the board that is not legal."""
        return tuple(verdict for rule in self.matching for verdict in rule.check(scene))

    def score(self, name: str, scene: Scene) -> float:
        """What the board scores under a name."""
        if name not in self.scores:
            raise unknown("score", name, self.scores)
        return points_of(name, self.scores, scene)

    def filled(self, board: Board) -> Board:
        """The board with the tiles that its labelled sides call for."""
        scene = self.look(board)
        found = [one for rule in self.matching if isinstance(rule, Fills) for one in rule.filling(scene)]
        return board.with_pieces(found)
