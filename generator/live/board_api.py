"""The board of a tile game: legal places, reasons for illegal ones, and scores, by the pack's rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from generator.base.errors import InvalidValueError
from generator.board.board import Board, FaceUp, Placement, build_board, find_tile_components
from generator.board.lattice import Place
from generator.board.rules import BoardRules
from generator.live.server import Request, Response, json_response
from generator.live.session import Session
from generator.pack.game import Game
from generator.pipeline.rulebook import board_rules

# Largest number of pieces on a board, and largest coordinate.
MAX_PIECES = 500


@dataclass
class BoardRoutes:
    """Judges boards by the rules of the displayed state; the page itself stores the board."""

    session: Session
    _game: Game | None = None
    _rules: BoardRules | None = None
    _lock: Lock = field(default_factory=Lock)

    def describe(self, _: Request) -> Response:
        """Return the lattice, the components that are tiles, and the names of the scores."""
        game, rules = self._current_rules()
        lattice = rules.lattice
        tiles = [
            part.id
            for part in find_tile_components(game.components)
            if part.make.name == "piece" and not part.covers
        ]
        return json_response(
            {
                "tiles": tiles,
                "has_rules": rules.has_matching_rules,
                "scores": list(rules.specs.scoring),
                "pitch": list(lattice.pitch),
                "shift": list(lattice.shift),
                "parity": lattice.parity,
                "turn_step": lattice.turn_step,
                "points": [
                    [list(corner) for corner in lattice.place_corners(Place(0, index))]
                    for index in range(2)
                ],
            }
        )

    def judge(self, request: Request) -> Response:
        """Return whether a piece may lie at a place, the reasons if not, and the scores afterwards."""
        _, rules = self._current_rules()
        placed = request.body.get("board", [])
        piece = request.body.get("piece")
        if not isinstance(placed, list) or len(placed) > MAX_PIECES:
            raise InvalidValueError("this is not a board", f"at most {MAX_PIECES} pieces")
        before = rules.add_printed_tiles(
            build_board(rules.lattice, [_placed(rules, entry) for entry in placed])
        )
        if piece is None:
            return json_response({"legal": True, "why": [], "scores": _scores(rules, before)})
        placement = _placed(rules, piece)
        earlier_breaches = set(rules.breaches(rules.analyse(before)))
        after = before.with_pieces([placement])
        new_breaches = [
            breach
            for breach in rules.breaches(rules.analyse(after))
            if breach not in earlier_breaches
        ]
        scores = _scores(rules, before if new_breaches else after)
        return json_response(
            {
                "legal": not new_breaches,
                "why": [item.text for item in new_breaches],
                "scores": scores,
            }
        )

    def _current_rules(self) -> tuple[Game, BoardRules]:
        with self._lock:
            game = self.session.state.game
            if game is None:
                raise InvalidValueError("there is no game yet", "a pack without mistakes")
            if game is not self._game or self._rules is None:
                self._rules = board_rules(game)
                self._game = game
            return game, self._rules


def _placed(rules: BoardRules, data: Any) -> Placement:
    piece: Mapping[str, Any] = data if isinstance(data, dict) else {}
    component = str(piece.get("component", ""))
    design = str(piece.get("id", ""))
    full_name = f"{component}:{design}"
    name = full_name if full_name in rules.kit.designs else rules.kit.design(design).id
    numbers = [piece.get(key, 0) for key in ("column", "row", "turn")]
    if not all(
        isinstance(number, int) and -MAX_PIECES <= number <= MAX_PIECES for number in numbers
    ):
        raise InvalidValueError(f"{numbers} is not a place", "whole numbers")
    column, row, turn = numbers
    side = FaceUp.BACK if piece.get("side") == "back" else FaceUp.FRONT
    return Placement(name, column, row, turn % 360, side)


def _scores(rules: BoardRules, board: Board) -> dict[str, float]:
    scene = rules.analyse(board)
    scores = {}
    for name in rules.specs.scoring:
        try:
            scores[name] = round(rules.score(name, scene), 3)
        except InvalidValueError:
            continue
    return scores
