"""What a board shows, in words, for those who cannot see it."""

from collections.abc import Mapping

from generator.board.placement import Board, Placement, Side


def told(board: Board, titles: Mapping[str, str], caption: str) -> str:
    """The caption, then what lies where, row by row: `A1 Red bend 90°, B1 …`."""
    pieces = ", ".join(_piece(one, titles) for stack in board.stacks().values() for one in stack)
    return f"{caption.rstrip('.')}. {pieces}".lstrip(". ") if caption else pieces


def _piece(one: Placement, titles: Mapping[str, str]) -> str:
    turn = f" {one.turn}°" if one.turn else ""
    back = " ⟲" if one.side is Side.BACK else ""
    return f"{one.place} {titles.get(one.design, one.design)}{turn}{back}"
