"""The entry point of imposition: pieces and a setup become a job.

Margins and gutters are chosen so that the job takes the fewest sheets.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, groupby, product

from generator.base.errors import Kind, Wrong
from generator.base.units import number
from generator.impose import duplex
from generator.impose.duplex import DuplexMode
from generator.impose.grid import find_best_grid
from generator.impose.layout import (
    bound_per_sheet,
    describe_gutter,
    describe_inner_bleed,
    describe_margin,
    describe_orientations,
    describe_saving,
    find_layout,
    find_mixed_layout,
    find_reductions,
    get_least_margin,
)
from generator.impose.nets.standee import crease_board, split_board
from generator.impose.packing import pack_sheets
from generator.impose.setup import Setup
from generator.impose.sheet import Job, Piece
from generator.impose.sheet_run import SheetRun, make_beds, make_sheets, place_run


def impose(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Place all pieces on sheets in order; each component, size and bleed starts a new sheet."""
    mode, prepared = _prepare(pieces, setup)
    groups = [tuple(group) for _, group in groupby(prepared, key=key_of_kind)]
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
    mode, prepared = _prepare(pieces, setup)
    if setup.skip:
        raise Wrong("slots cannot be skipped on packed sheets, which have no grid", "--no-pack, or no --skip")
    groups = [tuple(group) for _, group in groupby(sorted(prepared, key=_order_by_kind(prepared)), key=key_of_kind)]
    runs = [_run(group, setup, mode, 0) for group in groups]
    full = [len(run.pieces) // run.capacity * run.capacity for run in runs]
    plain = [_run(run.pieces[:many], setup, mode, 0) for run, many in zip(runs, full, strict=True) if many]
    rests = [run.pieces[many:] for run, many in zip(runs, full, strict=True) if len(run.pieces) > many]
    folded = [rest for rest in rests if mode.is_glued and _is_folded(rest[0])]
    flat = [rest for rest in rests if rest not in folded]
    # Nobody finds the straight cuts of a grid between outlines that are cut with scissors: two kinds of sheet.
    straight = [rest for rest in flat if _has_straight_cuts(rest[0])]
    outlined = [rest for rest in flat if not _has_straight_cuts(rest[0])]
    separate = _share_sheets(straight, setup, mode) + _share_sheets(outlined, setup, mode)
    mixed = _share_sheets(flat, setup, mode, tight=False)  # on one sheet only far apart, and only where that saves one
    saves = sum(run.sheet_count for run in mixed) < sum(run.sheet_count for run in separate)
    return _job(plain + (mixed if saves else separate) + _share_sheets(folded, setup, mode), setup, mode, len(pieces))


def impose_fewest(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Return the job on grids, or on shared sheets with straight cuts if those are fewer."""
    job = impose(pieces, setup)
    if len(job.sheets) < 2 or setup.skip:
        return job
    return min(job, impose_packed(pieces, setup), key=lambda each: len(each.sheets))


def _share_sheets(
    rests: Sequence[tuple[Piece, ...]], setup: Setup, mode: DuplexMode, *, tight: bool = True
) -> list[SheetRun]:
    """Return shared sheets for several kinds of pieces if that saves any; else separate sheets.

    `tight` lets rows that are cut along other lines lie near each other.
    """
    left = [_run(rest, setup, mode, 0) for rest in rests]
    together = [piece for rest in rests for piece in rest]
    mode = _mode_for(together, mode)
    shared = [SheetRun(group, layout, setup, mode) for group, layout in pack_sheets(together, setup, mode, tight=tight)]
    return shared if shared and sum(run.sheet_count for run in shared) < len(left) else left


def _has_straight_cuts(piece: Piece) -> bool:
    """Return True if a ruler along marks cuts the piece out: a box without a net."""
    return piece.outline.is_box and not piece.outline.is_circle and piece.net is None


def _is_folded(piece: Piece) -> bool:
    """Return True if the piece folds from one layer of paper, so that nothing may be glued behind it."""
    return piece.net is not None and piece.back is None and bool(piece.net.creases or piece.net.lines)


def _prepare(pieces: Sequence[Piece], setup: Setup) -> tuple[DuplexMode, list[Piece]]:
    """Return the mode, and the pieces with boards split into the parts that the paper requires."""
    for piece in pieces:
        _check(piece)
    mode = _mode(pieces, setup)
    return mode, [part for piece in pieces for part in _split(piece, setup, _mode_for([piece], mode))]


def _split(piece: Piece, setup: Setup, mode: DuplexMode) -> Iterator[Piece]:
    spots = mode.find_spots(setup.get_area(piece.bleed), setup.paper.size, piece.bleed)
    rooms = [spot.area.size for spot in spots]
    if not piece.splits or any(find_best_grid(piece.size, room, 0) for room in rooms):
        yield crease_board(piece) if piece.folds else piece
    else:
        yield from split_board(piece, max(rooms, key=min), setup.words)


def _order_by_kind(pieces: Sequence[Piece]) -> Callable[[Piece], int]:
    """Return a sort key that groups pieces of a kind in the order in which the kinds first appear."""
    places = {key: place for place, key in enumerate(dict.fromkeys(map(key_of_kind, pieces)))}
    return lambda piece: places[key_of_kind(piece)]


def _run(group: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int) -> SheetRun:
    own = _setup_for(setup, group[0])
    bare = _mode_for(group, mode)
    return make_run(group, _fit_roll(group, own, bare, skip) if setup.paper.rolls else own, bare, skip)


def count_per_sheet(group: Sequence[Piece], setup: Setup) -> float:
    """Return the number of pieces of a kind that fit on a sheet.

    A fraction stands for a piece on several sheets, 0 for a piece that fits on none.
    """
    try:
        mode, prepared = _prepare(group, setup)
        if len(prepared) > len(group):
            return len(group) / len(prepared)
        return _run(tuple(prepared), setup, mode, 0).capacity
    except Wrong as wrong:
        if wrong.kind is not Kind.FIT:
            raise
        return 0


def _fit_roll(group: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int) -> Setup:
    """Return the setup with the shortest stretch of a roll, in whole mm, that takes all pieces."""
    few = 0
    enough = int(setup.paper.size.h)
    while enough - few > 1:
        middle = (few + enough) // 2
        try:
            room = len(find_layout(group[0], replace(setup, paper=setup.paper.long(middle)), mode).slots)
        except Wrong:
            room = 0
        few, enough = (few, middle) if room >= len(group) + skip else (middle, enough)
    return replace(setup, paper=setup.paper.long(enough))


def _job(runs: Sequence[SheetRun], setup: Setup, mode: DuplexMode, count: int) -> Job:
    if not runs:
        return Job(())
    total = sum(run.sheet_count for run in runs)
    firsts = list(accumulate((run.sheet_count for run in runs), initial=1))
    placed_runs = [place_run(run, total) for run in runs]
    all_sheets = tuple(
        sheet for part, first in zip(placed_runs, firsts, strict=False) for sheet in make_sheets(part, first, total)
    )
    notices = tuple(dict.fromkeys(notice for part in placed_runs for notice in part.notices))
    cut = tuple(bed for run, first in zip(runs, firsts, strict=False) for bed in make_beds(run, first))
    return Job(all_sheets, notices, mode.pdf_duplex, count, mode.name, mode.order_pages(all_sheets, setup.tray), cut)


def key_of_kind(piece: Piece) -> tuple[object, ...]:
    """Return a key that is equal for pieces that share sheets."""
    return (
        piece.component,
        piece.outline,
        piece.bleed,
        piece.gutter,
        piece.grid,
        piece.net and piece.net.creases,
    )


def _setup_for(setup: Setup, piece: Piece) -> Setup:
    """Return the setup with the gutter and grid that the piece's component requires."""
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return replace(setup, gutter=gutter, grid=piece.grid or setup.grid)


def _mode(pieces: Sequence[Piece], setup: Setup) -> DuplexMode:
    """Return the setup's mode, or single-sided if no piece of the job has a back."""
    return setup.duplex if any(piece.back is not None for piece in pieces) else duplex.SINGLE


def _mode_for(group: Sequence[Piece], mode: DuplexMode) -> DuplexMode:
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


def make_run(pieces: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int) -> SheetRun:
    """Return the run with the layout that takes the fewest sheets."""
    try:
        usual = SheetRun(pieces, find_layout(pieces[0], setup, mode), setup, mode, skip)
    except Wrong:
        nearer = list(_with_smaller_margins(pieces, setup, mode, skip, None))
        if not nearer:
            raise
        return min(nearer, key=lambda each: each.sheet_count)
    alike = min((usual, *_with_smaller_margins(pieces, setup, mode, skip, usual)), key=lambda each: each.sheet_count)
    best = min((alike, *_with_both_orientations(alike, usual, setup)), key=lambda each: each.sheet_count)
    return _with_mark_space(best, setup)


def _with_both_orientations(alike: SheetRun, usual: SheetRun, setup: Setup) -> Iterator[SheetRun]:
    """Yield runs with pieces in both orientations, the largest margins first, that save sheets."""
    piece = alike.pieces[0]
    spare = _spare_margin(setup)
    box = piece.outline.is_box and not piece.outline.is_circle
    if not box or setup.grid is not None or alike.sheet_count == 1:
        return
    for gap, step in product(setup.get_gaps(piece.bleed), range(MARGIN_STEPS + 1 if spare else 1)):
        off = spare * step / MARGIN_STEPS
        nearer = replace(setup, margins=setup.safe_margins.shrink(off)) if off else setup
        try:
            few = -(-(len(alike.pieces) + alike.skip) // max(1, bound_per_sheet(piece, nearer, alike.mode)))
            layout = find_mixed_layout(piece, nearer, alike.mode, gap) if few < alike.sheet_count else None
        except Wrong:
            continue
        run = replace(alike, layout=layout, setup=nearer) if layout else alike
        if run.sheet_count < alike.sheet_count:
            margins = describe_margin(setup, off) if off else ""
            counts = (run.sheet_count, usual.sheet_count)
            why = describe_orientations(margins, (run.capacity, usual.capacity), counts)
            tight = describe_inner_bleed(piece.bleed, run.layout.slots)
            yield replace(run, choices=tuple(filter(None, (f"on {setup.paper.title}, {why}", tight))))


# Margins between the default and the smallest that are tried for pieces in both orientations.
MARGIN_STEPS = 4


# Gaps in mm between the bleeds of neighbours that are no boxes: the first gives every edge a mark,
# the second is easy to see.
BLEED_GAPS_MM = (1.0, 2.0)


def _with_mark_space(run: SheetRun, setup: Setup) -> SheetRun:
    """Return the run with space for marks between pieces that are no boxes, if that costs no sheet.

    Otherwise add a notice of the price.
    """
    piece = run.pieces[0]
    given = setup.gutter is not None or setup.grid is not None or not setup.marks.reach
    if given or piece.outline.is_box or piece.outline.curve or min(run.capacity, len(run.pieces)) == 1:
        return run
    candidates = [one for room in BLEED_GAPS_MM for one in _with_gutter(run, setup, 2 * piece.bleed + room)]
    fitting = [one for one in candidates if one.sheet_count <= run.sheet_count]
    if candidates and not fitting:
        gutter = 2 * piece.bleed + BLEED_GAPS_MM[0]
        sheet_count = min(one.sheet_count for one in candidates)
        return replace(run, choices=(*run.choices, describe_gutter(gutter, sheet_count, run.sheet_count)))
    return fitting[-1] if fitting else run


def _with_gutter(run: SheetRun, setup: Setup, gutter: float) -> Iterator[SheetRun]:
    """Yield the run with this gutter, and with smaller margins if it then takes more sheets."""
    spare = _spare_margin(setup)
    for base in (run.setup, replace(setup, margins=setup.safe_margins.shrink(spare))) if spare else (run.setup,):
        with suppress(Wrong):
            roomy = replace(base, gutter=gutter)
            candidate = replace(run, layout=find_layout(run.pieces[0], roomy, run.mode), setup=roomy)
            yield candidate
            if candidate.sheet_count <= run.sheet_count:
                return


def _spare_margin(setup: Setup) -> float:
    """Return how much the margins may shrink, in mm."""
    return 0.0 if setup.least_margin is None else max(0.0, get_least_margin(setup) - setup.least_margin)


def _with_smaller_margins(
    pieces: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int, usual: SheetRun | None
) -> Iterator[SheetRun]:
    """Yield runs with smaller margins, the largest first, that save sheets; none if the user chose the margins."""
    if setup.least_margin is None or setup.grid is not None or (usual and usual.sheet_count == 1):
        return
    piece = pieces[0]
    spare = _spare_margin(setup)
    box = piece.outline.is_box and not piece.outline.is_circle
    for off in find_reductions(piece, setup.get_gutter(piece.bleed), setup, mode, spare) if box else [spare]:
        nearer = replace(setup, margins=setup.safe_margins.shrink(off))
        try:
            layout = find_layout(piece, nearer, mode)
        except Wrong:
            continue
        run = SheetRun(pieces, layout, nearer, mode, skip)
        if usual is None or run.sheet_count < usual.sheet_count:
            margins = describe_margin(setup, off)
            why = describe_saving(margins, run.sheet_count, usual.sheet_count if usual else 0, setup)
            yield replace(run, choices=(why,))
