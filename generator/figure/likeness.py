"""`board: like city` — a figure with the board of another, for other overlays and claims."""

import re
from collections.abc import Collection, Mapping

from generator.core.problems import unknown
from generator.pack.source import Node

_LIKE = re.compile(r"\s*like\s+(\S+)\s*")


def with_board(node: Node, figures: Mapping[str, Node]) -> Node:
    """The figure with the board and the names of the one that it is like, beside names of its own."""
    part = node.find("board")
    other = figures.get(_model(part.value) or "") if part else None
    board = other.find("board") if other and other is not node else None
    if part is None or other is None or board is None or not isinstance(node.value, dict):
        return node
    named = [names for each in (other, node) if (names := each.find("names"))]
    joined = {key: value for names in named if isinstance(names.value, dict) for key, value in names.value.items()}
    own = {"names": Node(joined, named[-1].where)} if joined else {}
    return Node({**node.value, **own, "board": Node(board.value, part.where)}, node.where, node.keys)


def check_board(written: object, figures: Collection[str]) -> None:
    """Raise where a board is still like one that is not there, or that is itself like another."""
    name = _model(written)
    if name is not None:
        raise unknown("figure with a board of its own", name, figures)


def _model(written: object) -> str | None:
    match = _LIKE.fullmatch(written) if isinstance(written, str) else None
    return match[1] if match else None
