"""Sheets of faces for virtual tables: pictures of one size without gaps, within a limit of pixels.

The target `virtual-table` writes them for Screentop, Tabletopia and similar sites, with a picture of each face.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from PIL import Image

from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.base.outline import Outline
from generator.base.units import MM_PER_INCH, format_count
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import WrittenFile
from generator.export.face_images import (
    WHITE,
    Pixels,
    encode_sized_png,
    tile_pictures,
    trim_face,
)
from generator.export.face_names import BACK, FRONT
from generator.export.targets import note_first_faces, select_chosen
from generator.picture.face import Face
from generator.picture.raster import Rasteriser
from generator.pipeline.project import Project

# Faces are rendered at most at this resolution.
MAX_DPI = 300

# Columns and rows of a sheet, and its longest side: the limits of Screentop, Tabletopia and similar sites.
SITES_MAX_COLUMNS_AND_ROWS = (10, 10)
SITES_MAX_SHEET_PX = 4096
# The resolution written into the files for these sites.
SITES_DPI = 300
# The longest side of a single picture on these sites.
SITES_MAX_PICTURE_PX = 2048


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


def write_virtual_table(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a folder for each component: its faces, and sheets of them with columns and rows in their names."""
    for component in project.watch.stage_of("pictures", select_chosen(project)):
        spec = component.spec
        # A grid of one cell, for the pictures of single faces.
        pixels = fit_grid(1, spec.outline.size, (1, 1), SITES_MAX_PICTURE_PX).cell
        for design in component.designs:
            for side, face, outline in (
                (FRONT, design.front, spec.outline),
                (BACK, design.back, spec.behind),
            ):
                if face:
                    image = render_cell(project.raster, face, outline, pixels)
                    outbox.write(
                        f"{spec.id}/{design.id}-x{design.count}-{side}.png",
                        encode_sized_png(image, SITES_DPI),
                    )
        sheets = list(
            render_sheets(project.raster, component, SITES_MAX_COLUMNS_AND_ROWS, SITES_MAX_SHEET_PX)
        )
        for number, sheet in enumerate(sheets, 1):
            stem = f"{spec.id}/sheet-{number}-{sheet.grid.columns}x{sheet.grid.rows}"
            outbox.write(f"{stem}-fronts.png", encode_sized_png(sheet.front, SITES_DPI))
            outbox.write(
                f"{stem}-backs.png" if sheet.own_backs else f"{spec.id}/back.png",
                encode_sized_png(sheet.back, SITES_DPI),
            )
        faces = format_count(len(component.designs), "face")
        yield WrittenFile(
            outbox.folder / spec.id,
            f"{spec.title}: {faces}, {format_count(len(sheets), 'sheet')}",
            note_first_faces(component),
        )
