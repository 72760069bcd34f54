"""Export to Screentop, Tabletopia and similar sites: a picture of each face in one size, and sheets of them."""

from collections.abc import Iterator

from generator.base.files import Outbox
from generator.export import Written
from generator.export.grids import fit_grid, render_cell, render_sheets
from generator.export.pictures import BACK, FRONT, encode_sized_png
from generator.export.targets import select_chosen
from generator.pipeline.project import Project

# Columns and rows of a sheet, and its longest side: the limits of these sites.
MAX_COLUMNS_AND_ROWS = (10, 10)
MAX_SHEET_PX = 4096
# The resolution written into the files.
DPI = 300
# The longest side of a single picture.
MAX_PICTURE_PX = 2048


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write a folder for each component: its faces, and sheets of them with columns and rows in their names."""
    components = select_chosen(project)
    with project.watch.stage("pictures", len(components)) as tick:
        for done, component in enumerate(components, 1):
            spec = component.spec
            # A grid of one cell, for the pictures of single faces.
            pixels = fit_grid(1, spec.outline.size, (1, 1), MAX_PICTURE_PX).cell
            for design in component.designs:
                for side, face, outline in (
                    (FRONT, design.front, spec.outline),
                    (BACK, design.back, spec.behind),
                ):
                    if face:
                        image = render_cell(project.raster, face, outline, pixels)
                        outbox.write(
                            f"{spec.id}/{design.id}-x{design.count}-{side}.png",
                            encode_sized_png(image, DPI),
                        )
            sheets = list(
                render_sheets(project.raster, component, MAX_COLUMNS_AND_ROWS, MAX_SHEET_PX)
            )
            for number, sheet in enumerate(sheets, 1):
                stem = f"{spec.id}/sheet-{number}-{sheet.grid.columns}x{sheet.grid.rows}"
                outbox.write(f"{stem}-fronts.png", encode_sized_png(sheet.front, DPI))
                outbox.write(
                    f"{stem}-backs.png" if sheet.own_backs else f"{spec.id}/back.png",
                    encode_sized_png(sheet.back, DPI),
                )
            yield Written(
                outbox.folder / spec.id,
                f"{spec.title}: {len(component.designs)} faces, {len(sheets)} sheets",
            )
            tick(done)
