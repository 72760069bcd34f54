"""The way in: pieces and a setup become a job."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, groupby

from generator.errors import Wrong
from generator.impose import duplex
from generator.impose.duplex.mode import Mode
from generator.impose.run import Run, beds, laid, run_of, sheets
from generator.impose.setup import Setup
from generator.impose.sheet import Job, Piece
from generator.units import number


def impose(pieces: Sequence[Piece], setup: Setup) -> Job:
    """All sheets for the pieces, in their order; each component, size and bleed starts a sheet of its own."""
    for piece in pieces:
        _check(piece)
    if not pieces:
        return Job(())
    mode = _mode(pieces, setup)
    groups = [tuple(group) for _, group in groupby(pieces, key=_kind)]
    runs = [
        run_of(group, _own(setup, group[0]), _bare(group, mode), 0 if index else setup.skip)
        for index, group in enumerate(groups)
    ]
    _check_skip(runs[0])
    total = sum(run.sheets for run in runs)
    firsts = list(accumulate((run.sheets for run in runs), initial=1))
    made = [laid(run, total) for run in runs]
    done = tuple(sheet for part, first in zip(made, firsts, strict=False) for sheet in sheets(part, first, total))
    notices = tuple(dict.fromkeys(notice for part in made for notice in part.notices))
    cut = tuple(bed for run, first in zip(runs, firsts, strict=False) for bed in beds(run, first))
    return Job(done, notices, mode.viewer, len(pieces), mode.name, mode.parts(done, setup.tray), cut)


def _kind(piece: Piece) -> tuple[object, ...]:
    return piece.component, piece.size, piece.bleed, piece.gutter, piece.grid, piece.radius, piece.corners


def _own(setup: Setup, piece: Piece) -> Setup:
    """The setup with what the piece's component insists on."""
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return replace(setup, gutter=gutter, grid=piece.grid or setup.grid)


def _mode(pieces: Sequence[Piece], setup: Setup) -> Mode:
    """The setup's mode; a job in which nothing has a back is printed on one side whatever was asked."""
    return duplex.mode(setup.duplex if any(piece.back is not None for piece in pieces) else "single")


def _bare(group: Sequence[Piece], mode: Mode) -> Mode:
    """The mode for pieces of which perhaps none has a back."""
    return mode if any(piece.back is not None for piece in group) else duplex.mode(mode.bare)


def _check_skip(run: Run) -> None:
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
