"""Choosing the layout of a run: the margins and the gutter with which it takes the fewest sheets and can be cut."""

from collections.abc import Iterator
from dataclasses import replace

from generator.core.problems import Wrong
from generator.impose.duplex import Mode
from generator.impose.layout import layout_for
from generator.impose.notices import least_margin, margin, offs, saved
from generator.impose.run import SheetRun
from generator.impose.setup import Setup
from generator.impose.sheet import Piece


def run_of(pieces: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int) -> SheetRun:
    """The run with the layout that fits its pieces."""
    try:
        usual = SheetRun(pieces, layout_for(pieces[0], setup, mode), setup, mode, skip)
    except Wrong:
        nearer = list(_fewer(pieces, setup, mode, skip, None))
        if not nearer:
            raise
        return min(nearer, key=lambda each: each.sheets)
    return min((usual, *_fewer(pieces, setup, mode, skip, usual)), key=lambda each: each.sheets)


def _fewer(
    pieces: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int, usual: SheetRun | None
) -> Iterator[SheetRun]:
    """The same with smaller margins, the largest first, where nobody asked for any and it saves sheets."""
    if setup.least is None or setup.grid is not None or (usual and usual.sheets == 1):
        return
    piece = pieces[0]
    most = least_margin(setup) - setup.least
    box = piece.outline.is_box and not piece.outline.is_circle
    for off in offs(piece, setup.gutter_for(piece.bleed), setup, mode, most) if box else [most]:
        nearer = replace(setup, margins=setup.kept.smaller(off))
        try:
            layout = layout_for(piece, nearer, mode)
        except Wrong:
            continue
        run = SheetRun(pieces, layout, nearer, mode, skip)
        if usual is None or run.sheets < usual.sheets:
            why = saved(margin(setup, off), run.sheets, usual.sheets if usual else 0, setup)
            yield replace(run, chosen=(why,))
