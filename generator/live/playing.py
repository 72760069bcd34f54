"""The board of a tile game: legal places, reasons for illegal ones, and scores, by the pack's rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from generator.app.rulebook import board_rules
from generator.board.kit import Board, FaceUp, Placement, build_board, find_tile_components
from generator.board.lattice import Place
from generator.board.rules import BoardRules
from generator.core.problems import Wrong
from generator.live.server import Answer, Asked, told
from generator.live.session import Session
from generator.pack.game import Game

# Largest number of pieces on a board, and largest coordinate.
MOST = 500


@dataclass
class Boards:
    """Judges boards by the rules of the displayed state; the board itself is kept by the page."""

    session: Session
    _of: Game | None = None
    _rules: BoardRules | None = None
    _lock: Lock = field(default_factory=Lock)

    def about(self, _: Asked) -> Answer:
        """Return the lattice, the components that are tiles, and the names of the scores."""
        game, rules = self._now()
        lattice = rules.lattice
        tiles = [
            part.id for part in find_tile_components(game.components) if part.make.name == "piece" and not part.covers
        ]
        return told(
            {
                "tiles": tiles,
                "stated": rules.has_matching_rules,
                "scores": list(rules.scores),
                "pitch": list(lattice.pitch),
                "shift": list(lattice.shift),
                "by": lattice.parity,
                "quantum": lattice.turn_step,
                "points": [[list(corner) for corner in lattice.place_corners(Place(0, nth))] for nth in range(2)],
            }
        )

    def lay(self, asked: Asked) -> Answer:
        """Return whether a piece may lie at a place, the reasons if not, and the scores afterwards."""
        _, rules = self._now()
        laid = asked.order.get("board", [])
        piece = asked.order.get("piece")
        if not isinstance(laid, list) or len(laid) > MOST:
            raise Wrong("this is no board", f"at most {MOST} pieces")
        before = rules.add_printed_tiles(build_board(rules.lattice, [_placed(rules, each) for each in laid]))
        if piece is None:
            return told({"legal": True, "why": [], "scores": _scores(rules, before)})
        one = _placed(rules, piece)
        known = set(rules.verdicts(rules.analyse(before)))
        after = before.with_pieces([one])
        wrong = [each for each in rules.verdicts(rules.analyse(after)) if each not in known]
        scores = _scores(rules, before if wrong else after)
        return told({"legal": not wrong, "why": [each.text for each in wrong], "scores": scores})

    def _now(self) -> tuple[Game, BoardRules]:
        with self._lock:
            game = self.session.shown.game
            if game is None:
                raise Wrong("there is no game yet", "a pack without mistakes")
            if game is not self._of or self._rules is None:
                self._rules = board_rules(game)
                self._of = game
            return game, self._rules


def _placed(rules: BoardRules, told_piece: Any) -> Placement:
    piece: Mapping[str, Any] = told_piece if isinstance(told_piece, dict) else {}
    component = str(piece.get("component", ""))
    design = str(piece.get("id", ""))
    whole = f"{component}:{design}"
    name = whole if whole in rules.kit.designs else rules.kit.design(design).id
    numbers = [piece.get(key, 0) for key in ("column", "row", "turn")]
    if not all(isinstance(number, int) and -MOST <= number <= MOST for number in numbers):
        raise Wrong(f"{numbers} is no place", "whole numbers")
    column, row, turn = numbers
    side = FaceUp.BACK if piece.get("side") == "back" else FaceUp.FRONT
    return Placement(name, column, row, turn % 360, side)


def _scores(rules: BoardRules, board: Board) -> dict[str, float]:
    scene = rules.analyse(board)
    found = {}
    for name in rules.scores:
        try:
            found[name] = round(rules.score(name, scene), 3)
        except Wrong:
            continue
    return found
