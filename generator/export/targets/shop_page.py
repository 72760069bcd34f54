"""Write pictures for a shop's page: a fan, a stack, a table, a turning card, and the box."""

import io
from collections.abc import Iterator

from PIL import Image

from generator.base.files import Outbox
from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import Written
from generator.export.grids import fit_grid, render_cell
from generator.export.pictures import Pixels, encode_sized_png
from generator.export.shop_pictures import (
    FRAME_MS,
    draw_box,
    draw_fan,
    draw_stack,
    draw_table,
    turning_frames,
)
from generator.export.targets import select_chosen
from generator.pipeline.project import Project

# Longer side of a piece, and the resolution written into the files.
PIECE_PX = 640
DPI = 96

# Cards in the picture of a table.
MAX_CARDS_ON_TABLE = 24
COLUMNS = 6


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the pictures of each component of flat pieces, and of each box."""
    components = select_chosen(project)
    with project.watch.stage("pictures", len(components)) as tick:
        for done, component in enumerate(components, 1):
            names = (
                _boxes(project, outbox, component)
                if component.spec.make.name == "tuckbox"
                else None
            )
            if names is None and component.spec.make.name == "piece":
                names = _pieces(project, outbox, component)
            for name, what in names or ():
                yield Written(outbox.folder / name, f"{component.spec.title}: {what}")
            tick(done)


def _pieces(
    project: Project, outbox: Outbox, component: DrawnComponent
) -> Iterator[tuple[str, str]]:
    spec = component.spec
    raster = project.raster
    pixels = fit_grid(1, spec.outline.size, (1, 1), PIECE_PX).cell
    fronts = [
        _render_front(project, component, design, pixels)
        for design in component.designs[:MAX_CARDS_ON_TABLE]
    ]
    behind = render_cell(raster, component.designs[0].back, spec.behind, pixels).convert("RGBA")
    if component.designs[0].back is None:
        behind.putalpha(fronts[0].getchannel("A"))
    count = sum(design.count for design in component.designs)
    for what, image in (
        ("fan", draw_fan(fronts)),
        ("stack", draw_stack(fronts[0], behind, count)),
        ("table", draw_table(fronts, min(COLUMNS, len(fronts)))),
    ):
        outbox.write(f"{spec.id}-{what}.png", encode_sized_png(image, DPI))
        yield f"{spec.id}-{what}.png", what
    frames = list(turning_frames(fronts[0], behind))
    for ending in ("gif", "webp"):
        outbox.write(f"{spec.id}-turn.{ending}", _encode_animation(frames, ending))
        yield f"{spec.id}-turn.{ending}", "turn"


def _render_front(
    project: Project, component: DrawnComponent, design: DrawnDesign, pixels: Pixels
) -> Image.Image:
    return render_cell(project.raster, design.front, component.spec.outline, pixels).convert("RGBA")


def _boxes(
    project: Project, outbox: Outbox, component: DrawnComponent
) -> Iterator[tuple[str, str]]:
    """Write each box, from its front, right side and top: the first, second and fifth of its faces."""
    for design in component.designs:
        faces = (design.front, *design.more)
        dpi = PIECE_PX / max(design.front.size) * MM_PER_INCH
        visible_faces = [faces[at] for at in (0, 1, 4)]
        front, right, top = (
            project.raster.face(face, dpi, Rect(0, 0, *face.size)) for face in visible_faces
        )
        name = f"{component.spec.id}-{design.id}-box.png"
        outbox.write(name, encode_sized_png(draw_box(front, right, top), DPI))
        yield name, "box"


def _encode_animation(frames: list[Image.Image], ending: str) -> bytes:
    buffer = io.BytesIO()
    if ending == "gif":
        frames = [
            frame.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            for frame in frames
        ]
    frames[0].save(
        buffer, ending, save_all=True, append_images=frames[1:], duration=FRAME_MS, loop=0
    )
    return buffer.getvalue()
