"""Choosing the grid for a component, and saying what would do when there is none."""

from generator.errors import Kind, Wrong
from generator.geometry import Size
from generator.impose.grid import Grid, best, forced
from generator.impose.paper import papers
from generator.impose.setup import Setup, inside
from generator.impose.sheet import Piece
from generator.units import number


def grid_for(piece: Piece, setup: Setup, area: Size) -> Grid:
    """The forced grid or the fullest one for a part of the paper; raises with what is needed when there is none."""
    gutter = setup.gutter_for(piece.bleed)
    found = _grid(piece.size, gutter, setup, area)
    if found is None:
        raise _too_large(piece, setup, area) if setup.grid is None else _too_many(piece, gutter, setup, area)
    return found


def _grid(piece: Size, gutter: float, setup: Setup, area: Size) -> Grid | None:
    return best(piece, area, gutter) if setup.grid is None else forced(setup.grid, piece, area, gutter)


def _too_large(piece: Piece, setup: Setup, area: Size) -> Wrong:
    return Wrong(
        f"{piece.component}: a piece of {_mm(piece.size)} does not fit on {setup.paper.title}",
        f"at most {_mm(area)}, which is what the margins leave",
        _papers_for(piece, setup),
        Kind.FIT,
    )


def _too_many(piece: Piece, gutter: float, setup: Setup, area: Size) -> Wrong:
    grid = Grid(*(setup.grid or (1, 1)), piece.size, gutter)
    return Wrong(
        f"{piece.component}: a grid of {grid} pieces of {_mm(piece.size)}, {number(gutter)} mm apart, "
        f"needs {_mm(grid.size)}",
        f"at most {_mm(area)}, which is what the margins leave of {setup.paper.title}",
        _largest(grid, area) + _papers_for(piece, setup),
        Kind.FIT,
    )


def _largest(grid: Grid, area: Size) -> str:
    w = (area.w - (grid.columns - 1) * grid.gutter) / grid.columns
    h = (area.h - (grid.rows - 1) * grid.gutter) / grid.rows
    return f"the largest piece that fits it: {_mm(Size(w, h))}; " if min(w, h) > 0 else ""


def _papers_for(piece: Piece, setup: Setup) -> str:
    gutter = setup.gutter_for(piece.bleed)
    enough = [
        row.title
        for row in papers()
        if _grid(piece.size, gutter, setup, inside(row.size, setup.margins).size) is not None
    ]
    return f"paper that would do: {', '.join(enough)}" if enough else "no paper of the table is large enough"


def _mm(size: Size) -> str:
    return f"{number(size.w)} x {number(size.h)} mm"
