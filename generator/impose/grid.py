"""Grids: how many pieces of a size lie side by side in an area."""

from dataclasses import dataclass
from math import floor

from generator.core.geometry import EPSILON, Size


@dataclass(frozen=True)
class Grid:
    """Columns by rows of cells with gutters between them; `turn` is 90 when the pieces lie on their side."""

    columns: int
    rows: int
    cell: Size
    gutter: float
    turn: int = 0

    @property
    def capacity(self) -> int:
        """How many pieces it holds."""
        return self.columns * self.rows

    @property
    def size(self) -> Size:
        """Width and height from the first trim to the last, in mm."""
        return Size(
            _span(self.columns, self.cell.w, self.gutter),
            _span(self.rows, self.cell.h, self.gutter),
        )

    def fits(self, area: Size) -> bool:
        """Whether its trims lie inside such an area."""
        return self.size.w <= area.w + EPSILON and self.size.h <= area.h + EPSILON

    def __str__(self) -> str:
        return f"{self.columns} x {self.rows}"


def best(piece: Size, area: Size, gutter: float) -> Grid | None:
    """The grid that holds most pieces, turned only when that holds more; none when not one fits."""
    upright, turned = (_fullest(piece, area, gutter, turn) for turn in (0, 90))
    fullest = turned if turned.capacity > upright.capacity else upright
    return fullest if fullest.capacity else None


def forced(shape: tuple[int, int], piece: Size, area: Size, gutter: float) -> Grid | None:
    """The grid of so many columns and rows, turned only when it does not fit upright; none when it never fits."""
    grids = [Grid(*shape, piece.turned(turn), gutter, turn) for turn in (0, 90)]
    return next((grid for grid in grids if grid.fits(area)), None)


def _fullest(piece: Size, area: Size, gutter: float, turn: int) -> Grid:
    cell = piece.turned(turn)
    return Grid(_count(cell.w, area.w, gutter), _count(cell.h, area.h, gutter), cell, gutter, turn)


def _count(cell: float, room: float, gutter: float) -> int:
    return max(0, floor((room + gutter + EPSILON) / (cell + gutter)))


def _span(count: int, cell: float, gutter: float) -> float:
    return count * cell + (count - 1) * gutter
