"""The entry point of imposition: pieces and a setup become a job.

`distribute_pieces` shares pieces out to papers in limited stock: on the fewest sheets, then on the
least paper.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise, product
from math import ceil

from generator.base.errors import InvalidValueError, Kind
from generator.base.units import format_count, number
from generator.impose.duplex import DuplexMode
from generator.impose.grid import find_best_grid
from generator.impose.layout import find_layout
from generator.impose.nets.standee import crease_board, split_board
from generator.impose.packing import (
    choose_mode,
    choose_setup,
    gather_pieces,
    group_pieces,
    layout_key,
    order_stacks,
    pack_sheets,
)
from generator.impose.search import make_run
from generator.impose.setup import Setup
from generator.impose.sheet import Job, Piece
from generator.impose.sheet_run import SheetRun, make_beds, make_sheets, place_run


def impose(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Place all pieces on sheets in order; each component, size and bleed starts a new sheet."""
    mode, prepared = _prepare(pieces, setup)
    groups = [tuple(group) for _, group in groupby(prepared, key=key_of_kind)]
    runs = [
        _keep_places(_run(group, setup, mode, 0 if index else setup.skip))
        for index, group in enumerate(groups)
    ]
    if runs:
        _check_skip(runs[0])
    return _job(runs, setup, mode, len(pieces))


def impose_packed(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Place pieces so that components with a partly filled last sheet share sheets, if that saves any.

    Raise InvalidValueError if slots of the first sheet are skipped: shared sheets have no grid.
    """
    if setup.paper.is_roll:
        return impose(pieces, setup)
    mode, prepared = _prepare(pieces, setup)
    if setup.skip:
        raise InvalidValueError(
            "slots cannot be skipped on packed sheets, which have no grid",
            "--no-pack, or no --skip",
        )
    runs = [_run(group, setup, mode, 0) for group in group_pieces(prepared, key_of_kind)]
    full_counts = [len(run.pieces) // run.capacity * run.capacity for run in runs]
    plain = [
        _run(run.pieces[:count], setup, mode, 0)
        for run, count in zip(runs, full_counts, strict=True)
        if count
    ]
    remainders = [
        run.pieces[count:]
        for run, count in zip(runs, full_counts, strict=True)
        if len(run.pieces) > count
    ]
    remainders = _join_grids(remainders, setup, mode)
    folded = [remainder for remainder in remainders if mode.is_glued and _is_folded(remainder[0])]
    flat = [remainder for remainder in remainders if remainder not in folded]
    # Nobody finds the straight cuts of a grid between outlines that are cut with scissors, so these
    # are two kinds of sheet.
    straight = [remainder for remainder in flat if _has_straight_cuts(remainder[0])]
    outlined = [remainder for remainder in flat if not _has_straight_cuts(remainder[0])]
    separate = _share_sheets(straight, setup, mode) + _share_sheets(outlined, setup, mode)
    # Both kinds share a sheet only if that saves one, and then lie far apart.
    mixed = _share_sheets(flat, setup, mode, tight=False)
    saves = sum(run.sheet_count for run in mixed) < sum(run.sheet_count for run in separate)
    return _job(
        plain + (mixed if saves else separate) + _share_sheets(folded, setup, mode),
        setup,
        mode,
        len(pieces),
    )


def _join_grids(
    remainders: Sequence[tuple[Piece, ...]], setup: Setup, mode: DuplexMode
) -> list[tuple[Piece, ...]]:
    """Return the remainders of components, those joined that share the cuts of one grid and fit on one sheet.

    Side by side on a shared sheet, pieces of two components would lie a bleed apart and in no grid.
    """
    joined: dict[object, tuple[Piece, ...]] = {}
    for index, remainder in enumerate(remainders):
        piece = remainder[0]
        shares_cuts = piece.gutter is not None and piece.gutter < 2 * piece.bleed
        key = (layout_key(piece), bool(piece.back)) if shares_cuts else index
        together = (*joined.get(key, ()), *remainder)
        if len(together) > _run(remainder, setup, mode, 0).capacity:
            key = index
            together = remainder
        joined[key] = together
    return [
        tuple(gather_pieces(pieces, setup))
        if len({each.component for each in pieces}) > 1
        else pieces
        for pieces in joined.values()
    ]


def impose_fewest(pieces: Sequence[Piece], setup: Setup) -> Job:
    """Return the job on grids, or on shared sheets with straight cuts if those are fewer."""
    job = impose(pieces, setup)
    if len(job.sheets) < 2 or setup.skip:
        return job
    return min(job, impose_packed(pieces, setup), key=lambda each: len(each.sheets))


def order_for_stacking(pieces: Sequence[Piece], setup: Setup) -> list[Piece]:
    """Return the pieces in cut-and-stack order: stacked, the pieces of a slot continue those of the slot before.

    Boards on several sheets keep their order.
    """
    mode = choose_mode(pieces, setup)
    ordered = []
    for _, group in groupby(pieces, key=key_of_kind):
        alike = list(group)
        parts = tuple(
            part for piece in alike for part in _split(piece, setup, _mode_for([piece], mode))
        )
        if len(parts) > len(alike):
            ordered += alike
        else:
            slots = _run(parts, setup, mode, 0).capacity
            ordered += [alike[index] for index in order_stacks(len(alike), slots)]
    return ordered


def _share_sheets(
    kinds: Sequence[tuple[Piece, ...]], setup: Setup, mode: DuplexMode, *, tight: bool = True
) -> list[SheetRun]:
    """Return shared sheets for several kinds of pieces if that saves any; else separate sheets.

    `tight` lets rows that are cut along other lines lie near each other.
    """
    separate = [_run(kind, setup, mode, 0) for kind in kinds]
    together = [piece for kind in kinds for piece in kind]
    mode = _mode_for(together, mode)
    shared = [
        SheetRun(group, layout, setup, mode)
        for group, layout in pack_sheets(together, setup, mode, tight=tight)
    ]
    return shared if shared and sum(run.sheet_count for run in shared) < len(separate) else separate


def _has_straight_cuts(piece: Piece) -> bool:
    """Return True if a ruler along marks cuts the piece out: a box without a net."""
    return piece.outline.is_rectangle and piece.net is None


def _is_folded(piece: Piece) -> bool:
    """Return True if the piece folds from one layer of paper, so that nothing may be glued behind it."""
    return (
        piece.net is not None and piece.back is None and bool(piece.net.creases or piece.net.lines)
    )


def _prepare(pieces: Sequence[Piece], setup: Setup) -> tuple[DuplexMode, list[Piece]]:
    """Return the mode, and the pieces with boards split into the parts that the paper requires."""
    for piece in pieces:
        _check(piece)
    mode = choose_mode(pieces, setup)
    return mode, [
        part for piece in pieces for part in _split(piece, setup, _mode_for([piece], mode))
    ]


def _split(piece: Piece, setup: Setup, mode: DuplexMode) -> Iterator[Piece]:
    spots = setup.find_spots(mode, piece.bleed)
    spaces = [spot.area.size for spot in spots]
    if not piece.splits or any(find_best_grid(piece.size, space, 0) for space in spaces):
        yield crease_board(piece) if piece.folds else piece
    else:
        yield from split_board(piece, max(spaces, key=min), setup.words)


def _run(group: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int) -> SheetRun:
    run_setup = choose_setup(setup, group[0])
    run_mode = _mode_for(group, mode)
    return make_run(
        group,
        _fit_roll(group, run_setup, run_mode, skip) if setup.paper.is_roll else run_setup,
        run_mode,
        skip,
    )


def _keep_places(run: SheetRun) -> SheetRun:
    """Return the run with its pieces in the slots that the pack's order gives them, if that costs no sheet.

    So if only a part of a game is printed, pictures that continue on neighbouring pieces still do.
    """
    places = [piece.place for piece in run.pieces if piece.place is not None]
    has_gaps = places != list(range(len(places)))
    is_in_order = len(places) == len(run.pieces) and all(a < b for a, b in pairwise(places))
    # In a patch, components of one size may share a sheet, and each has places of its own.
    is_mixed = len({piece.id.partition(":")[0] for piece in run.pieces}) > 1
    if run.skip or run.layout.grid is None or not has_gaps or not is_in_order or is_mixed:
        return run
    slots_by_sheet: dict[int, list[int]] = {}
    for place in places:
        sheet, slot = divmod(place, run.capacity)
        slots_by_sheet.setdefault(sheet, []).append(slot)
    if len(slots_by_sheet) > run.sheet_count:
        return run
    return replace(run, sheet_slots=tuple(map(tuple, slots_by_sheet.values())))


def count_per_sheet(group: Sequence[Piece], setup: Setup) -> float:
    """Return the number of pieces of a kind that fit on a full sheet.

    A fraction stands for a piece on several sheets, 0 for a piece that fits on none.
    """
    try:
        mode, prepared = _prepare(group, setup)
        if len(prepared) > len(group):
            return len(group) / len(prepared)
        capacity = _run(tuple(prepared), setup, mode, 0).capacity
        # Margins and gutters shrink only where that saves a sheet, so one more piece may fit.
        while (
            not setup.paper.is_roll
            and _run((prepared[0],) * (capacity + 1), setup, mode, 0).sheet_count == 1
        ):
            capacity += 1
    except InvalidValueError as wrong:
        if wrong.kind is not Kind.FIT:
            raise
        return 0
    return capacity


def _fit_roll(group: tuple[Piece, ...], setup: Setup, mode: DuplexMode, skip: int) -> Setup:
    """Return the setup with the shortest stretch of a roll, in whole mm, that takes all pieces."""

    def has_space(length: int) -> bool:
        try:
            shorter = replace(setup, paper=setup.paper.cut_to(length))
            return len(find_layout(group[0], shorter, mode).slots) >= len(group) + skip
        except InvalidValueError:
            return False

    lengths = range(1, int(setup.paper.size.h) + 1)
    shortest = bisect_left(lengths[:-1], x=True, key=has_space)
    return replace(setup, paper=setup.paper.cut_to(lengths[shortest]))


def _job(runs: Sequence[SheetRun], setup: Setup, mode: DuplexMode, count: int) -> Job:
    if not runs:
        return Job(())
    total = sum(run.sheet_count for run in runs)
    firsts = list(accumulate((run.sheet_count for run in runs), initial=1))
    placed_runs = [place_run(run, total) for run in runs]
    all_sheets = tuple(
        sheet
        for part, first in zip(placed_runs, firsts, strict=False)
        for sheet in make_sheets(part, first, total)
    )
    notices = tuple(dict.fromkeys(notice for part in placed_runs for notice in part.notices))
    beds = tuple(
        bed for run, first in zip(runs, firsts, strict=False) for bed in make_beds(run, first)
    )
    return Job(
        all_sheets,
        notices,
        mode.pdf_duplex,
        count,
        mode.name,
        mode.order_pages(all_sheets, setup.tray),
        beds,
    )


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


def _mode_for(group: Sequence[Piece], mode: DuplexMode) -> DuplexMode:
    """Return the mode, or its counterpart without backs if no piece of the group has one."""
    return mode if any(piece.back is not None for piece in group) else mode.without_backs


def _check_skip(run: SheetRun) -> None:
    if run.skip >= run.capacity:
        raise InvalidValueError(
            f"--skip {run.skip} leaves no slot: the first sheet, of {run.pieces[0].component}, has {run.capacity}",
            f"0 to {run.capacity - 1}",
        )


def _check(piece: Piece) -> None:
    if min(piece.size) <= 0:
        raise InvalidValueError(
            f"{piece.component}: a piece cannot be {number(piece.size.w)} x {number(piece.size.h)} mm",
            "a width and a height above 0 mm",
        )
    if piece.bleed < 0:
        raise InvalidValueError(
            f"{piece.component}: a bleed cannot be {number(piece.bleed)} mm", "0 mm or more"
        )


# Tolerance for fractions of a piece per sheet, such as a third, whose sums are not exact.
ROUNDING_PIECES = 1e-9

# The number of sheets of each paper.
SheetCounts = tuple[int, ...]


@dataclass(frozen=True)
class PaperStock:
    """A paper with its setup, and the number of sheets in stock."""

    setup: Setup
    count: int


@dataclass(frozen=True)
class EqualPieces:
    """Pieces that share sheets, and how many fit on a sheet of each paper (a fraction or 0 is possible)."""

    pieces: tuple[Piece, ...]
    capacities: tuple[float, ...]

    def count_on(self, index: int, sheets: int) -> int:
        """Return how many pieces fit on this many sheets of a paper."""
        return int(sheets * self.capacities[index] + ROUNDING_PIECES)

    def list_sheet_counts(self, stock: SheetCounts) -> Iterator[SheetCounts]:
        """Yield the counts of sheets of each paper that take all pieces; the last paper takes the rest."""
        ranges = [
            range(min(count, self.count_sheets(number, len(self.pieces))) + 1)
            for number, count in enumerate(stock[:-1])
        ]
        for counts in product(*ranges):
            left = len(self.pieces) - sum(
                self.count_on(index, sheets) for index, sheets in enumerate(counts)
            )
            last = self.count_sheets(len(counts), max(0, left))
            if last <= stock[-1] and (left <= 0 or self.capacities[-1]):
                yield (*counts, last)

    @property
    def least_sheets(self) -> int:
        """The sheets that the pieces take on the paper that holds most of them; 0 if they fit on none."""
        capacities = self.capacities
        return self.count_sheets(capacities.index(max(capacities)), len(self.pieces))

    def count_sheets(self, index: int, pieces: int) -> int:
        """Return how many sheets of a paper some pieces take; 0 if they do not fit on it."""
        return (
            ceil(pieces / self.capacities[index] - ROUNDING_PIECES) if self.capacities[index] else 0
        )


def distribute_pieces(pieces: Sequence[Piece], papers: Sequence[PaperStock]) -> list[list[Piece]]:
    """Return the pieces for each paper; raise InvalidValueError if the stock does not suffice."""
    equal_groups = [
        EqualPieces(group, tuple(count_per_sheet(group, row.setup) for row in papers))
        for group in group_pieces(pieces, key_of_kind)
    ]
    sheet_counts = _choose_sheet_counts(equal_groups, papers)
    by_paper: list[list[Piece]] = [[] for _ in papers]
    for group, sheets in zip(equal_groups, sheet_counts, strict=True):
        start = 0
        for index, count in enumerate(sheets):
            end = start + group.count_on(index, count)
            by_paper[index] += group.pieces[start:end]
            start = end
    return by_paper


def _choose_sheet_counts(
    groups: Sequence[EqualPieces], papers: Sequence[PaperStock]
) -> tuple[SheetCounts, ...]:
    """Return the sheets of each group that use the fewest sheets, then the least paper.

    Of all ways that use equal parts of the first papers, only the one that uses least of the last
    is followed, and none that must end with more sheets than `_count_greedily` finds.
    """
    stock = tuple(row.count for row in papers)
    least_sheets = [group.least_sheets for group in groups]
    sheets_allowed = _count_greedily(groups, stock) - sum(least_sheets)
    counts_by_use: dict[SheetCounts, tuple[SheetCounts, ...]] = {(0,) * len(papers): ()}
    for group, least in zip(groups, least_sheets, strict=True):
        # From here on, `sheets_allowed` leaves out only the least that the groups after this one take.
        sheets_allowed += least
        best: dict[SheetCounts, tuple[SheetCounts, tuple[SheetCounts, ...]]] = {}
        for (used, before), more in product(counts_by_use.items(), group.list_sheet_counts(stock)):
            now = tuple(a + b for a, b in zip(used, more, strict=True))
            if (
                sum(now) <= sheets_allowed
                and all(a <= b for a, b in zip(now, stock, strict=True))
                and (now[:-1] not in best or now < best[now[:-1]][0])
            ):
                best[now[:-1]] = now, (*before, more)
        counts_by_use = dict(best.values())
    if not counts_by_use:
        raise _not_enough_paper(groups, papers)
    areas = [row.setup.paper.size.w * row.setup.paper.size.h for row in papers]
    best_of_all = min(
        counts_by_use,
        key=lambda used: (sum(used), sum(a * b for a, b in zip(used, areas, strict=True))),
    )
    return counts_by_use[best_of_all]


def _count_greedily(groups: Sequence[EqualPieces], stock: SheetCounts) -> int:
    """Return the sheets that the groups take if each prefers the paper that holds most of it.

    Return the whole stock if that does not suffice. The fewest sheets are no more than this.
    """
    left = list(stock)
    for group in groups:
        pieces = len(group.pieces)
        for index in sorted(range(len(stock)), key=lambda index: -group.capacities[index]):
            if pieces > 0 and group.capacities[index]:
                sheets = min(left[index], group.count_sheets(index, pieces))
                pieces -= group.count_on(index, sheets)
                left[index] -= sheets
        if pieces > 0:
            return sum(stock)
    return sum(stock) - sum(left)


def _not_enough_paper(
    groups: Sequence[EqualPieces], papers: Sequence[PaperStock]
) -> InvalidValueError:
    stock = " and ".join(
        f"{format_count(row.count, 'sheet')} of {row.setup.paper.title}" for row in papers
    )
    for group in groups:
        if not any(group.capacities):
            return InvalidValueError(
                f"{group.pieces[0].component}: a piece fits on none of the papers",
                "a larger paper",
                "",
                Kind.FIT,
            )
    piece_count = sum(len(group.pieces) for group in groups)
    return InvalidValueError(
        f"{piece_count} pieces do not fit on {stock}",
        "more sheets",
        "",
        Kind.FIT,
    )
