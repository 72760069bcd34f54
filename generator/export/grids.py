"""Sheets of faces for virtual tables: pictures of one size without gaps, within a limit of pixels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from PIL import Image

from generator.base.geometry import Size
from generator.base.outline import Outline
from generator.base.units import MM_PER_INCH
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export.pictures import WHITE, Pixels, tile_pictures, trim_face
from generator.picture.face import Face
from generator.picture.raster import Rasteriser

# Faces are rendered at most at this resolution.
MAX_DPI = 300


@dataclass(frozen=True)
class FaceGrid:
    """Columns and rows of cells; `cell` is the size of a cell in pixels."""

    columns: int
    rows: int
    cell: Pixels


def fit_grid(count: int, size: Size, most: tuple[int, int], side: int) -> FaceGrid:
    """Return the grid with the largest cells for `count` faces of a size in mm.

    `most` is the maximum of columns and rows, and `side` the longest side of the sheet in pixels.
    """
    grids = [
        _grid(columns, ceil(count / columns), size, side)
        for columns in range(1, min(count, most[0]) + 1)
        if ceil(count / columns) <= most[1]
    ]
    return max(grids, key=lambda grid: (grid.cell, -grid.columns * grid.rows))


def _grid(columns: int, rows: int, size: Size, side: int) -> FaceGrid:
    scale = min(MAX_DPI / MM_PER_INCH, side / (columns * size.w), side / (rows * size.h))
    return FaceGrid(columns, rows, (max(1, int(size.w * scale)), max(1, int(size.h * scale))))


@dataclass(frozen=True)
class FaceSheet:
    """Some designs of a component on one sheet.

    `back` is a sheet of their backs, or one back for all.
    """

    designs: tuple[DrawnDesign, ...]
    grid: FaceGrid
    front: Image.Image
    back: Image.Image
    own_backs: bool


def render_sheets(
    raster: Rasteriser, component: DrawnComponent, most: tuple[int, int], side: int
) -> Iterator[FaceSheet]:
    """Yield the sheets of a component with each design once; a missing back is white.

    The designs are spread evenly, and all sheets have the same grid: a card whose sheet had larger
    cells would be known by its sharpness. Cells without a design are white.
    """
    spec = component.spec
    count = len(component.designs)
    sheet_count = ceil(count / (most[0] * most[1]))
    ends = [count * number // sheet_count for number in range(sheet_count + 1)]
    for start, end in pairwise(ends):
        grid = fit_grid(ceil(count / sheet_count), spec.outline.size, most, side)
        designs = component.designs[start:end]
        front = _sheet(raster, [design.front for design in designs], spec.outline, grid)
        backs = [design.back for design in designs]
        has_several_backs = len({back and back.name for back in backs}) > 1
        back = (
            _sheet(raster, backs, spec.behind, grid)
            if has_several_backs
            else render_cell(raster, backs[0], spec.behind, grid.cell)
        )
        yield FaceSheet(designs, grid, front, back, has_several_backs)


def _sheet(
    raster: Rasteriser, faces: Sequence[Face | None], outline: Outline, grid: FaceGrid
) -> Image.Image:
    padding = [None] * (grid.columns * grid.rows - len(faces))
    return tile_pictures(
        [render_cell(raster, face, outline, grid.cell) for face in (*faces, *padding)], grid.columns
    )


def render_cell(
    raster: Rasteriser, face: Face | None, outline: Outline, pixels: Pixels
) -> Image.Image:
    """Return a face cut to its outline, or a white cell for None."""
    return trim_face(raster, face, outline, pixels) if face else Image.new("RGB", pixels, WHITE)
