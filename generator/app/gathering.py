"""Pieces of several components onto the fewest sheets: those that are laid out alike share theirs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.core.words import SheetWords
from generator.impose.duplex import SINGLE, Mode
from generator.impose.layout import layout_for
from generator.impose.setup import Setup
from generator.impose.sheet import Piece

MOST_TITLES = 3
"""More of them make a footer that nobody reads."""


def gathered(pieces: Sequence[Piece], setup: Setup) -> list[Piece]:
    """The same pieces, those that may share sheets one after the other and under one title."""
    kinds: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        kinds.setdefault(_kind(piece), []).append(piece)
    mode = setup.duplex if any(piece.back for piece in pieces) else SINGLE
    return [piece for group in kinds.values() for piece in _shared(group, setup, mode)]


def _kind(piece: Piece) -> tuple[object, ...]:
    """All that the layout of a piece's sheet depends on."""
    own = piece.component if _made(piece) else ""
    return piece.outline, piece.bleed, piece.gutter, piece.grid, own


def _made(piece: Piece) -> bool:
    """Whether it is folded or joined: then it shares sheets with its like only."""
    return piece.splits or piece.net is not None


def _shared(group: Sequence[Piece], setup: Setup, mode: Mode) -> Iterator[Piece]:
    """Pieces without backs come last; where sheets without backs hold more, only what fills the last one joins."""
    if _made(group[0]):
        yield from group
        return
    backed = [piece for piece in group if piece.back is not None]
    bare = [piece for piece in group if piece.back is None]
    full = _capacity(group[0], setup, mode)
    joining = len(bare)
    if backed and _capacity(group[0], setup, mode.without_backs) > full:
        joining = min(joining, -len(backed) % full)
    first, rest = backed + bare[:joining], bare[joining:]
    title = _title(first, setup.words)
    yield from (replace(piece, component=title) for piece in first)
    title = setup.words.one_side.format(title=_title(rest, setup.words))
    yield from (replace(piece, component=title) for piece in rest)


def _capacity(piece: Piece, setup: Setup, mode: Mode) -> int:
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return len(layout_for(piece, replace(setup, gutter=gutter, grid=piece.grid or setup.grid), mode).slots)


def _title(group: Sequence[Piece], words: SheetWords) -> str:
    titles = list(dict.fromkeys(piece.component for piece in group))
    return ", ".join(titles) if len(titles) <= MOST_TITLES else words.pieces
