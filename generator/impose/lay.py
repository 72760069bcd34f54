"""The way in: pieces and a setup become a job."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby

from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.impose import duplex
from generator.impose.choice import run_of
from generator.impose.duplex import Mode
from generator.impose.layout import layout_for
from generator.impose.net import creased, parts
from generator.impose.packing import packed
from generator.impose.run import SheetRun, beds, laid, sheets
from generator.impose.setup import Setup
from generator.impose.sheet import Job, Piece
from generator.impose.slots import best


def impose(pieces: Sequence[Piece], setup: Setup) -> Job:
    """All sheets for the pieces, in their order; each component, size and bleed starts a sheet of its own."""
    mode, prepared = _prepared(pieces, setup)
    groups = [tuple(group) for _, group in groupby(prepared, key=kind)]
    runs = [_run(group, setup, mode, 0 if index else setup.skip) for index, group in enumerate(groups)]
    if runs:
        _check_skip(runs[0])
    return _job(runs, setup, mode, len(pieces))


def impose_packed(pieces: Sequence[Piece], setup: Setup) -> Job:
    """The same, but what does not fill a sheet shares sheets with other components, where that saves any."""
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
    return _job(plain + _shared(flat, setup, mode) + _shared(folded, setup, mode), setup, mode, len(pieces))


def _shared(rests: Sequence[tuple[Piece, ...]], setup: Setup, mode: Mode) -> list[SheetRun]:
    """Sheets that some pieces share, where that saves any; else each sort has its own."""
    left = [_run(rest, setup, mode, 0) for rest in rests]
    together = [piece for rest in rests for piece in rest]
    mode = _bare(together, mode)
    shared = [SheetRun(group, layout, setup, mode) for group, layout in packed(together, setup, mode)]
    return shared if shared and sum(run.sheets for run in shared) < len(left) else left


def _folded(piece: Piece) -> bool:
    """Whether it is folded of one thickness of paper, so that nothing may be glued behind it."""
    return piece.net is not None and piece.back is None and bool(piece.net.creases or piece.net.lines)


def _prepared(pieces: Sequence[Piece], setup: Setup) -> tuple[Mode, list[Piece]]:
    """The mode, and the pieces with boards in as many parts as the paper asks for."""
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
    """Pieces of a kind together, in the order in which the kinds come first."""
    kinds = {kind: place for place, kind in enumerate(dict.fromkeys(map(kind, pieces)))}
    return lambda piece: kinds[kind(piece)]


def _run(group: tuple[Piece, ...], setup: Setup, mode: Mode, skip: int) -> SheetRun:
    own, bare = _own(setup, group[0]), _bare(group, mode)
    return run_of(group, _long_enough(group, own, bare, skip) if setup.paper.rolls else own, bare, skip)


def held(group: Sequence[Piece], setup: Setup) -> float:
    """How many of some pieces of a kind a sheet holds, a part of one where it takes several; none where none fits."""
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
    """The setup for as much of a roll as takes all of some pieces, to the mm."""
    few, enough = 0, int(setup.paper.size.h)
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
    """What pieces have alike that share their sheets."""
    return (
        piece.component,
        piece.outline,
        piece.bleed,
        piece.gutter,
        piece.grid,
        piece.net and piece.net.creases,
    )


def _own(setup: Setup, piece: Piece) -> Setup:
    """The setup with what the piece's component insists on."""
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return replace(setup, gutter=gutter, grid=piece.grid or setup.grid)


def _mode(pieces: Sequence[Piece], setup: Setup) -> Mode:
    """The setup's mode; a job in which nothing has a back is printed on one side whatever was asked."""
    return setup.duplex if any(piece.back is not None for piece in pieces) else duplex.SINGLE


def _bare(group: Sequence[Piece], mode: Mode) -> Mode:
    """The mode for pieces of which perhaps none has a back."""
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
