"""The entry point of imposition: pieces and a setup become a job.

Margins and gutters are chosen so that the job takes the fewest sheets.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, groupby, product

from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.impose import duplex
from generator.impose.duplex import Mode
from generator.impose.layout import (
    between,
    both,
    layout_for,
    least_margin,
    margin,
    mixed_layout,
    most,
    offs,
    saved,
    wider,
)
from generator.impose.net import creased, parts
from generator.impose.packing import packed
from generator.impose.run import SheetRun, beds, laid, sheets
from generator.impose.setup import Setup
from generator.impose.sheet import Job, Piece
from generator.impose.slots import best


def impose(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Place all pieces on sheets in order; each component, size and bleed starts a new sheet."""
    mode, prepared = _prepared(pieces, setup)
    groups = [tuple(group) for _, group in groupby(prepared, key=kind)]
    runs = [_run(group, setup, mode, 0 if index else setup.skip) for index, group in enumerate(groups)]
    if runs:
        _check_skip(runs[0])
    return _job(runs, setup, mode, len(pieces))


def impose_packed(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Place pieces so that components with a partly filled last sheet share sheets, if that saves any.

    Raise Wrong if slots of the first sheet are skipped: shared sheets have no grid.
    """
    if setup.paper.rolls:
        return impose(pieces, setup)
    mode, prepared = _prepared(pieces, setup)
    if setup.skip:
        raise Wrong("slots cannot be skipped on packed sheets, which have no grid", "--no-pack, or no --skip")
    groups = [tuple(group) for _, group in groupby(sorted(prepared, key=_order(prepared)), key=kind)]
    runs = [_run(group, setup, mode, 0) for group in groups]
    full = [len(run.pieces) // run.capacity * run.capacity for run in runs]
    plain = [_run(run.pieces[:many], setup, mode, 0) for run, many in zip(runs, full, strict=True) if many]
    rests = [run.pieces[many:] for run, many in zip(runs, full, strict=True) if len(run.pieces) > many]
    folded = [rest for rest in rests if mode.glued and _folded(rest[0])]
    flat = [rest for rest in rests if rest not in folded]
    # Nobody finds the straight cuts of a grid between outlines that are cut with scissors: two kinds of sheet.
    straight = [rest for rest in flat if _has_straight_cuts(rest[0])]
    outlined = [rest for rest in flat if not _has_straight_cuts(rest[0])]
    separate = _shared(straight, setup, mode) + _shared(outlined, setup, mode)
    mixed = _shared(flat, setup, mode, tight=False)  # on one sheet only far apart, and only where that saves one
    saves = sum(run.sheets for run in mixed) < sum(run.sheets for run in separate)
    return _job(plain + (mixed if saves else separate) + _shared(folded, setup, mode), setup, mode, len(pieces))


def impose_fewest(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Return the job on grids, or on shared sheets with straight cuts if those are fewer."""
    job = impose(pieces, setup)
    if len(job.sheets) < 2 or setup.skip:
        return job
    return min(job, impose_packed(pieces, setup), key=lambda each: len(each.sheets))


def _shared(rests: Sequence[tuple[Piece, ...]], setup: Setup, mode: Mode, *, tight: bool = True) -> list[SheetRun]:
    """Return shared sheets for several kinds of pieces if that saves any; else separate sheets.

    `tight` lets rows that are cut along other lines lie near each other.
    """
    left = [_run(rest, setup, mode, 0) for rest in rests]
    together = [piece for rest in rests for piece in rest]
    mode = _bare(together, mode)
    shared = [SheetRun(group, layout, setup, mode) for group, layout in packed(together, setup, mode, tight=tight)]
    return shared if shared and sum(run.sheets for run in shared) < len(left) else left


def _has_straight_cuts(piece: Piece) -> bool:
    """Return True if a ruler along marks cuts the piece out: a box without a net."""
    return piece.outline.is_box and not piece.outline.is_circle and piece.net is None


def _folded(piece: Piece) -> bool:
    """Return True if the piece folds from one layer of paper, so that nothing may be glued behind it."""
    return piece.net is not None and piece.back is None and bool(piece.net.creases or piece.net.lines)


def _prepared(pieces: Sequence[Piece], setup: Setup) -> tuple[Mode, list[Piece]]:
    """Return the mode, and the pieces with boards split into the parts that the paper requires."""
    for piece in pieces:
        _check(piece)
    mode = _mode(pieces, setup)
    return mode, [part for piece in pieces for part in _split(piece, setup, _bare([piece], mode))]


def _split(piece: Piece, setup: Setup, mode: Mode) -> Iterator[Piece]:
    spots = mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed)
    rooms = [spot.field.size for spot in spots]
    if not piece.splits or any(best(piece.size, room, 0) for room in rooms):
        yield creased(piece) if piece.folds else piece
    else:
        yield from parts(piece, max(rooms, key=min), setup.words)


def _order(pieces: Sequence[Piece]) -> Callable[[Piece], int]:
    """Return a sort key that groups pieces of a kind in the order in which the kinds first appear."""
    kinds = {kind: place for place, kind in enumerate(dict.fromkeys(map(kind, pieces)))}
    return lambda piece: kinds[kind(piece)]


def _run(group: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int) -> SheetRun:
    own = _own(setup, group[0])
    bare = _bare(group, mode)
    return run_of(group, _long_enough(group, own, bare, skip) if setup.paper.rolls else own, bare, skip)


def held(group: Sequence[Piece], setup: Setup) -> float:
    """Return the number of pieces of a kind that fit on a sheet.

    A fraction stands for a piece on several sheets, 0 for a piece that fits on none.
    """
    try:
        mode, prepared = _prepared(group, setup)
        if len(prepared) > len(group):
            return len(group) / len(prepared)
        return _run(tuple(prepared), setup, mode, 0).capacity
    except Wrong as wrong:
        if wrong.kind is not Kind.FIT:
            raise
        return 0


def _long_enough(group: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int) -> Setup:
    """Return the setup with the shortest stretch of a roll, in whole mm, that takes all pieces."""
    few = 0
    enough = int(setup.paper.size.h)
    while enough - few > 1:
        middle = (few + enough) // 2
        try:
            room = len(layout_for(group[0], replace(setup, paper=setup.paper.long(middle)), mode).slots)
        except Wrong:
            room = 0
        few, enough = (few, middle) if room >= len(group) + skip else (middle, enough)
    return replace(setup, paper=setup.paper.long(enough))


def _job(runs: Sequence[SheetRun], setup: Setup, mode: Mode, count: int) -> Job:
    if not runs:
        return Job(())
    total = sum(run.sheets for run in runs)
    firsts = list(accumulate((run.sheets for run in runs), initial=1))
    made = [laid(run, total) for run in runs]
    done = tuple(sheet for part, first in zip(made, firsts, strict=False) for sheet in sheets(part, first, total))
    notices = tuple(dict.fromkeys(notice for part in made for notice in part.notices))
    cut = tuple(bed for run, first in zip(runs, firsts, strict=False) for bed in beds(run, first))
    return Job(done, notices, mode.viewer, count, mode.name, mode.parts(done, setup.tray), cut)


def kind(piece: Piece) -> tuple[object, ...]:
    """Return a key that is equal for pieces that share sheets."""
    return (
        piece.component,
        piece.outline,
        piece.bleed,
        piece.gutter,
        piece.grid,
        piece.net and piece.net.creases,
    )


def _own(setup: Setup, piece: Piece) -> Setup:
    """Return the setup with the gutter and grid that the piece's component requires."""
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return replace(setup, gutter=gutter, grid=piece.grid or setup.grid)


def _mode(pieces: Sequence[Piece], setup: Setup) -> Mode:
    """Return the setup's mode, or single-sided if no piece of the job has a back."""
    return setup.duplex if any(piece.back is not None for piece in pieces) else duplex.SINGLE


def _bare(group: Sequence[Piece], mode: Mode) -> Mode:
    """Return the mode, or its counterpart without backs if no piece of the group has one."""
    return mode if any(piece.back is not None for piece in group) else mode.without_backs


def _check_skip(run: SheetRun) -> None:
    if run.skip >= run.capacity:
        raise Wrong(
            f"skipping {run.skip} slots leaves none: the first sheet, of {run.pieces[0].component}, has {run.capacity}",
            f"0 to {run.capacity - 1}",
        )


def _check(piece: Piece) -> None:
    if min(piece.size) <= 0:
        raise Wrong(
            f"{piece.component}: a piece of {number(piece.size.w)} x {number(piece.size.h)} mm cannot be",
            "a width and a height above 0 mm",
        )
    if piece.bleed < 0:
        raise Wrong(f"{piece.component}: a bleed of {number(piece.bleed)} mm cannot be", "0 mm or more")


def run_of(pieces: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int) -> SheetRun:
    """Return the run with the layout that takes the fewest sheets."""
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
    """Yield runs with pieces in both orientations, the largest margins first, that save sheets."""
    piece = alike.pieces[0]
    spare = _spare(setup)
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


# Margins between the default and the smallest that are tried for pieces in both orientations.
STEPS = 4


# Gaps in mm between the bleeds of neighbours that are no boxes: the first gives every edge a mark,
# the second is easy to see.
ROOMS = (1.0, 2.0)


def _marked(run: SheetRun, setup: Setup) -> SheetRun:
    """Return the run with space for marks between pieces that are no boxes, if that costs no sheet.

    Otherwise add a notice of the price.
    """
    piece = run.pieces[0]
    given = setup.gutter is not None or setup.grid is not None or not setup.marks.reach
    if given or piece.outline.is_box or piece.outline.curve or min(run.capacity, len(run.pieces)) == 1:
        return run
    tried = [one for room in ROOMS for one in _roomy(run, setup, 2 * piece.bleed + room)]
    fitting = [one for one in tried if one.sheets <= run.sheets]
    if tried and not fitting:
        gutter = 2 * piece.bleed + ROOMS[0]
        many = min(one.sheets for one in tried)
        return replace(run, chosen=(*run.chosen, wider(gutter, many, run.sheets)))
    return fitting[-1] if fitting else run


def _roomy(run: SheetRun, setup: Setup, gutter: float) -> Iterator[SheetRun]:
    """Yield the run with this gutter, and with smaller margins if it then takes more sheets."""
    spare = _spare(setup)
    for each in (run.setup, replace(setup, margins=setup.kept.smaller(spare))) if spare else (run.setup,):
        with suppress(Wrong):
            roomy = replace(each, gutter=gutter)
            one = replace(run, layout=layout_for(run.pieces[0], roomy, run.mode), setup=roomy)
            yield one
            if one.sheets <= run.sheets:
                return


def _spare(setup: Setup) -> float:
    """Return how much the margins may shrink, in mm."""
    return 0.0 if setup.least is None else max(0.0, least_margin(setup) - setup.least)


def _fewer(
    pieces: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int, usual: SheetRun | None
) -> Iterator[SheetRun]:
    """Yield runs with smaller margins, the largest first, that save sheets; none if the user chose the margins."""
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
