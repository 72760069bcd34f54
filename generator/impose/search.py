"""The search for the layout of a run of sheets.

Fewer sheets always win, but no margin shrinks so far that the line on how to flip the paper has no
space. Of layouts that take equally many sheets, the first of these is chosen:

1. the setup's margins and gutter;
2. smaller margins, down to `Setup.least_margin`;
3. pieces in both orientations;
4. a smaller gutter between boxes, down to `Setup.least_gutter`, with smaller margins if necessary.

A notice names what was given up for fewer sheets, and what still smaller margins or gutters would
save.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import ceil, inf

from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Rect
from generator.impose.duplex import DuplexMode
from generator.impose.layout import (
    bound_per_sheet,
    describe_gutter,
    describe_inner_bleed,
    describe_margin,
    describe_orientations,
    describe_possible_saving,
    describe_saving,
    describe_smaller_gutter,
    find_layout,
    find_mixed_layout,
    find_reductions,
)
from generator.impose.setup import MARK_AND_BLEED_MM, Setup
from generator.impose.sheet import Piece
from generator.impose.sheet_run import SheetRun, has_footers, leave_footer_space, move_up_for_footer

# Steps from the default margin to the smallest that are tried with other gutters and orientations: from 10
# to 6 mm, one for each millimetre.
MARGIN_STEPS = 4

# Margins and gutters that notices name are multiples of this: a rule is read to half a millimetre.
STEP_MM = 0.1

# Gaps in mm between the bleeds of neighbours that are no boxes: the first gives every edge a mark,
# the second is easy to see.
BLEED_GAPS_MM = (1.0, 2.0)

# A notice names no margin that is smaller than the user's by more than this: the user has a reason.
MAX_MARGIN_ADVICE_MM = 3.0


def make_run(pieces: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int) -> SheetRun:
    """Return the run with the layout that takes the fewest sheets.

    Raise InvalidValueError if no piece fits.
    """
    usual = None
    try:
        usual = SheetRun(pieces, find_layout(pieces[0], setup, mode), setup, mode, skip)
    except InvalidValueError:
        best = _fewest_sheets(_with_smaller_margins(pieces, setup, mode, skip, None))
        if best is None:
            raise
    else:
        best = _fewest_sheets(_with_smaller_margins(pieces, setup, mode, skip, usual)) or usual
        best = _fewest_sheets(_with_both_orientations(best, usual, setup)) or best
    best = _with_smaller_gutter(best, usual or best, setup)
    best = _with_mark_space(best, setup)
    return replace(
        best, choices=tuple(filter(None, (*best.choices, _find_possible_saving(best, setup))))
    )


def _fewest_sheets(runs: Iterator[SheetRun]) -> SheetRun | None:
    """Return the first of the runs with the fewest sheets, or None if there are no runs."""
    return min(runs, key=lambda run: run.sheet_count, default=None)


def _with_footers(run: SheetRun) -> SheetRun | None:
    """Return a run with smaller margins so that each side says how to flip the paper, or None if there is no space.

    Bleed at the bottom gives way if necessary, and the pieces move up.
    """
    if has_footers(run):
        return run
    narrower = leave_footer_space(run)
    return next(
        (item for item in (narrower, move_up_for_footer(narrower)) if has_footers(item)), None
    )


def _margin_reductions(setup: Setup) -> Iterator[float]:
    """Yield the reductions of the margins in mm to try with other gutters and orientations, smallest first."""
    spare = setup.spare_margin
    yield from (spare * step / MARGIN_STEPS for step in range(MARGIN_STEPS + 1 if spare else 1))


def _shrink(setup: Setup, off: float, gutter: float | None) -> Setup:
    """Return the setup with margins smaller by `off` mm and another gutter in mm."""
    return replace(
        setup, margins=setup.shrink_margins(off) if off else setup.margins, gutter=gutter
    )


def _with_setup(run: SheetRun, setup: Setup) -> SheetRun:
    """Return the run with the fullest layout for a setup.

    Raise InvalidValueError if no piece fits.
    """
    return replace(run, layout=find_layout(run.pieces[0], setup, run.mode), setup=setup)


def _count_sheets(run: SheetRun, setup: Setup) -> float:
    """Return the number of sheets of a run with another setup; infinity if no piece fits."""
    try:
        return _with_setup(run, setup).sheet_count
    except InvalidValueError:
        return inf


def _with_smaller_margins(
    pieces: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int, usual: SheetRun | None
) -> Iterator[SheetRun]:
    """Yield runs with smaller margins, the largest first, that save sheets; none if the user chose the margins."""
    if setup.least_margin is None or setup.grid is not None or (usual and usual.sheet_count == 1):
        return
    piece = pieces[0]
    spare = setup.spare_margin
    box = piece.outline.is_rectangle
    offs = (
        find_reductions(piece, setup.get_gutter(piece.bleed), setup, mode, spare)
        if box
        else [spare]
    )
    if not setup.margins.is_even and spare not in offs and spare:
        # Margins that shrink by different amounts make space at another reduction; the largest is
        # enough for it.
        offs.append(spare)
    for off in offs:
        nearer = replace(setup, margins=setup.shrink_margins(off))
        try:
            layout = find_layout(piece, nearer, mode)
        except InvalidValueError:
            continue
        run = SheetRun(pieces, layout, nearer, mode, skip)
        if usual is None or run.sheet_count < usual.sheet_count:
            with_footers = _with_footers(run)
            if with_footers is None and usual is not None:
                continue
            run = with_footers or run
            margins = describe_margin(setup, off)
            why = describe_saving(
                margins, run.sheet_count, usual.sheet_count if usual else 0, setup
            )
            yield replace(run, choices=(why,))


def _with_both_orientations(best: SheetRun, usual: SheetRun, setup: Setup) -> Iterator[SheetRun]:
    """Yield runs with pieces in both orientations, the largest margins first, that save sheets."""
    piece = best.pieces[0]
    box = piece.outline.is_rectangle
    if not box or setup.grid is not None or best.sheet_count == 1:
        return
    for gap, off in product(setup.get_gaps(piece.bleed), _margin_reductions(setup)):
        nearer = replace(setup, margins=setup.shrink_margins(off)) if off else setup
        try:
            most = max(1, bound_per_sheet(piece, nearer, best.mode))
            few = ceil((len(best.pieces) + best.skip) / most)
            layout = (
                find_mixed_layout(piece, nearer, best.mode, gap) if few < best.sheet_count else None
            )
        except InvalidValueError:
            continue
        run = replace(best, layout=layout, setup=nearer) if layout else best
        with_footers = _with_footers(run) if off and run.sheet_count < best.sheet_count else run
        if with_footers is not None and run.sheet_count < best.sheet_count:
            run = with_footers
            margins = describe_margin(setup, off) if off else ""
            counts = (run.sheet_count, usual.sheet_count)
            why = describe_orientations(margins, (run.capacity, usual.capacity), counts)
            tight = describe_inner_bleed(piece.bleed, run.layout.slots)
            yield replace(
                run, choices=tuple(filter(None, (f"on {setup.paper.title}, {why}", tight)))
            )


def _with_smaller_gutter(best: SheetRun, usual: SheetRun, setup: Setup) -> SheetRun:
    """Return the run with the gutter and margins that save most sheets and leave most bleed, or the run itself.

    A gutter that takes the space of marks at the sheet's edge saves too little. Pieces that are no boxes keep their
    gutter: scissors need the whole bleed, and marks and lines the space between pieces.
    """
    piece = best.pieces[0]
    is_box = piece.outline.is_rectangle
    gutter = setup.get_gutter(piece.bleed)
    least = setup.least_gutter
    if (
        not is_box
        or least is None
        or least >= gutter
        or setup.grid is not None
        or best.sheet_count == 1
    ):
        return best
    fewest = _count_sheets(best, _shrink(setup, setup.spare_margin, least))
    if fewest >= best.sheet_count:
        return best
    candidates = []
    for off in _margin_reductions(setup):
        largest = _find_largest_gutter(best, setup, off, (least, gutter), fewest)
        # Smaller gutters leave more bleed at the sheet's edge.
        for smaller in reversed(_steps(least, largest)) if largest is not None else ():
            run = _with_setup(best, _shrink(setup, off, smaller))
            with_footers = _with_footers(run) if off else run
            if with_footers is None:
                continue
            run = with_footers
            margin = describe_margin(setup, off) if off else ""
            counts = (run.sheet_count, usual.sheet_count)
            why = describe_smaller_gutter(margin, (smaller, gutter), counts, piece.bleed)
            candidates.append(replace(run, choices=(f"on {setup.paper.title}, {why}",)))
    if not candidates:
        return best
    # Of equally good candidates, the first has the largest margins and then the largest gutter.
    chosen = max(candidates, key=lambda run: (_has_mark_space(run), _get_least_bleed(run)))
    return chosen if _has_mark_space(chosen) or not _has_mark_space(best) else best


def _find_largest_gutter(
    run: SheetRun, setup: Setup, off: float, limits: tuple[float, float], sheets: float
) -> float | None:
    """Return the largest gutter in mm between two limits with which a run takes at most so many sheets.

    Return None if even the smallest takes more.
    """
    gutters = _steps(*limits)
    at = bisect_right(
        gutters, sheets, key=lambda gutter: _count_sheets(run, _shrink(setup, off, gutter))
    )
    return gutters[at - 1] if at else None


def _steps(low: float, high: float) -> list[float]:
    """Return the multiples of `STEP_MM` between two limits and the limits themselves, in rising order."""
    first = int(low / STEP_MM) + 1
    between = [round(step * STEP_MM, 3) for step in range(first, int(high / STEP_MM) + 1)]
    return [low, *(mm for mm in between if low + EPSILON < mm < high - EPSILON), high]


def _get_least_bleed(run: SheetRun) -> float:
    """Return the smallest bleed of a piece in mm on any of its sides."""
    trims = Rect.around([slot.trim for slot in run.layout.slots])
    limit = run.setup.limit_ink(trims)
    bleed = run.pieces[0].bleed
    edges = (
        trims.x - limit.x,
        trims.y - limit.y,
        limit.right - trims.right,
        limit.bottom - trims.bottom,
    )
    return min(bleed, run.setup.get_gutter(bleed) / 2, *edges)


def _has_mark_space(run: SheetRun) -> bool:
    """Return True if marks and some bleed fit between all trims and the printable edge, or if there are no marks."""
    trims = Rect.around([slot.trim for slot in run.layout.slots])
    return not run.setup.marks.reach or run.setup.printable.grown(
        EPSILON - MARK_AND_BLEED_MM
    ).holds(trims)


def _find_possible_saving(run: SheetRun, setup: Setup) -> str:
    """Return a notice that margins or gutters smaller than may be chosen would save sheets, or an empty text.

    The notice names a gutter if that suffices, else a margin if that suffices, else both.
    """
    if run.sheet_count == 1 or setup.grid is not None:
        return ""
    bleed = run.pieces[0].bleed
    gutter = setup.get_gutter(bleed)
    spare = setup.spare_margin
    most = setup.printable_margin
    if setup.least_margin is None:
        most = max(0.0, min(MAX_MARGIN_ADVICE_MM, most - MARK_AND_BLEED_MM))
    fewest = _count_sheets(run, _shrink(setup, most, 0.0))
    if fewest >= run.sheet_count:
        return ""
    largest = _find_largest_gutter(run, setup, spare, (0.0, gutter), fewest)
    off = 0.0
    if largest is None:
        is_margin_enough = _count_sheets(run, _shrink(setup, most, setup.gutter)) <= fewest
        tried = setup.gutter if is_margin_enough else 0.0
        offs = _steps(spare, most)
        off = offs[
            bisect_left(
                offs, -fewest, key=lambda mm: -_count_sheets(run, _shrink(setup, mm, tried))
            )
        ]
        largest = (
            None
            if is_margin_enough
            else _find_largest_gutter(run, setup, off, (0.0, gutter), fewest)
        )
    saving = _with_setup(
        run, _shrink(setup, off or spare, setup.gutter if largest is None else largest)
    )
    sheets = (saving.sheet_count, run.sheet_count)
    return describe_possible_saving(setup, off, largest, sheets, (_get_least_bleed(saving), bleed))


def _with_mark_space(run: SheetRun, setup: Setup) -> SheetRun:
    """Return the run with space for marks between pieces that are no boxes, if that costs no sheet.

    Otherwise add a notice of the price.
    """
    piece = run.pieces[0]
    is_fixed = run.setup.gutter is not None or setup.grid is not None or not setup.marks.reach
    if (
        is_fixed
        or piece.outline.is_box
        or piece.outline.curve
        or min(run.capacity, len(run.pieces)) == 1
    ):
        return run
    candidates = [
        entry for gap in BLEED_GAPS_MM for entry in _with_gutter(run, setup, 2 * piece.bleed + gap)
    ]
    fitting = [item for item in candidates if item.sheet_count <= run.sheet_count]
    if candidates and not fitting:
        gutter = 2 * piece.bleed + BLEED_GAPS_MM[0]
        sheet_count = min(candidate.sheet_count for candidate in candidates)
        return replace(
            run, choices=(*run.choices, describe_gutter(gutter, sheet_count, run.sheet_count))
        )
    return fitting[-1] if fitting else run


def _with_gutter(run: SheetRun, setup: Setup, gutter: float) -> Iterator[SheetRun]:
    """Yield the run with this gutter, and with smaller margins if it then takes more sheets."""
    spare = setup.spare_margin
    for base in (
        (run.setup, replace(setup, margins=setup.shrink_margins(spare))) if spare else (run.setup,)
    ):
        with suppress(InvalidValueError):
            candidate = _with_setup(run, replace(base, gutter=gutter))
            with_footers = _with_footers(candidate) if base.margins != setup.margins else candidate
            if with_footers is None:
                continue
            candidate = with_footers
            yield candidate
            if candidate.sheet_count <= run.sheet_count:
                return
