"""Choosing the layout of a run: the margins and the gutter with which it takes the fewest sheets and can be cut."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product

from generator.core.problems import Wrong
from generator.impose.duplex import Mode
from generator.impose.layout import layout_for, mixed_layout, most
from generator.impose.notices import between, both, least_margin, margin, offs, saved, wider
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
    alike = min((usual, *_fewer(pieces, setup, mode, skip, usual)), key=lambda each: each.sheets)
    best = min((alike, *_both_ways(alike, usual, setup)), key=lambda each: each.sheets)
    return _marked(best, setup)


def _both_ways(alike: SheetRun, usual: SheetRun, setup: Setup) -> Iterator[SheetRun]:
    """The same with pieces that lie both ways, with the largest margins first, where that may save sheets."""
    piece, spare = alike.pieces[0], _spare(setup)
    box = piece.outline.is_box and not piece.outline.is_circle
    if not box or setup.grid is not None or alike.sheets == 1:
        return
    for gap, step in product(setup.gaps(piece.bleed), range(STEPS + 1 if spare else 1)):
        off = spare * step / STEPS
        nearer = replace(setup, margins=setup.kept.smaller(off)) if off else setup
        try:
            few = -(-(len(alike.pieces) + alike.skip) // max(1, most(piece, nearer, alike.mode)))
            layout = mixed_layout(piece, nearer, alike.mode, gap) if few < alike.sheets else None
        except Wrong:
            continue
        run = replace(alike, layout=layout, setup=nearer) if layout else alike
        if run.sheets < alike.sheets:
            why = both(margin(setup, off) if off else "", (run.capacity, usual.capacity), (run.sheets, usual.sheets))
            tight = between(piece.bleed, run.layout.slots)
            yield replace(run, chosen=tuple(filter(None, (f"on {setup.paper.title}, {why}", tight))))


STEPS = 4
"""Margins between the usual one and the least that are tried for pieces that lie both ways."""


ROOMS = (1.0, 2.0)
"""Between the bleeds of neighbours that are no boxes, in mm: what gives every edge a mark, and what is easy to see."""


def _marked(run: SheetRun, setup: Setup) -> SheetRun:
    """The run with room for marks between pieces that are no boxes, where that costs no sheet; else it is said."""
    piece = run.pieces[0]
    given = setup.gutter is not None or setup.grid is not None or not setup.marks.reach
    if given or piece.outline.is_box or piece.outline.curve or min(run.capacity, len(run.pieces)) == 1:
        return run
    tried = [one for room in ROOMS for one in _roomy(run, setup, 2 * piece.bleed + room)]
    fitting = [one for one in tried if one.sheets <= run.sheets]
    if tried and not fitting:
        gutter, many = 2 * piece.bleed + ROOMS[0], min(one.sheets for one in tried)
        return replace(run, chosen=(*run.chosen, wider(gutter, many, run.sheets)))
    return fitting[-1] if fitting else run


def _roomy(run: SheetRun, setup: Setup, gutter: float) -> Iterator[SheetRun]:
    """The run with such a gutter and its own margins, and where it then takes more sheets with smaller ones."""
    spare = _spare(setup)
    for each in (run.setup, replace(setup, margins=setup.kept.smaller(spare))) if spare else (run.setup,):
        with suppress(Wrong):
            roomy = replace(each, gutter=gutter)
            one = replace(run, layout=layout_for(run.pieces[0], roomy, run.mode), setup=roomy)
            yield one
            if one.sheets <= run.sheets:
                return


def _spare(setup: Setup) -> float:
    """By how much margins may become smaller, in mm."""
    return 0.0 if setup.least is None else max(0.0, least_margin(setup) - setup.least)


def _fewer(
    pieces: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int, usual: SheetRun | None
) -> Iterator[SheetRun]:
    """The same with smaller margins, the largest first, where nobody asked for any and it saves sheets."""
    if setup.least is None or setup.grid is not None or (usual and usual.sheets == 1):
        return
    piece = pieces[0]
    spare = _spare(setup)
    box = piece.outline.is_box and not piece.outline.is_circle
    for off in offs(piece, setup.gutter_for(piece.bleed), setup, mode, spare) if box else [spare]:
        nearer = replace(setup, margins=setup.kept.smaller(off))
        try:
            layout = layout_for(piece, nearer, mode)
        except Wrong:
            continue
        run = SheetRun(pieces, layout, nearer, mode, skip)
        if usual is None or run.sheets < usual.sheets:
            why = saved(margin(setup, off), run.sheets, usual.sheets if usual else 0, setup)
            yield replace(run, chosen=(why,))
