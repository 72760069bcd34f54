"""Write pictures for a shop's page: a fan, a stack, a table, a turning card, and the box.

Numbers in the drawings are multiples of the width and height of a card. Cards are pictures with alpha; drawings are on
the background colour, without alpha.
"""

import io
from collections.abc import Iterator, Sequence
from math import ceil, cos, pi, radians, sin, sqrt

from PIL import Image, ImageChops, ImageFilter

from generator.base.files import Outbox
from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import WrittenFile
from generator.export.face_images import Pixels, encode_sized_png
from generator.export.targets import select_chosen
from generator.export.targets.grids import fit_grid, render_cell
from generator.pipeline.project import Project

Spot = tuple[float, float]
# The corners of a picture: top left, top right, bottom right, bottom left.
Quad = tuple[Spot, Spot, Spot, Spot]

BACKGROUND_RGB = (233, 230, 223)
# Opacity of shadows, of 255.
SHADOW_OPACITY = 90

# Supersampling of pictures in perspective: their edges come out smooth.
SUPERSAMPLING = 2

# Cards of a fan, and the angle from the first to the last.
MAX_FAN_CARDS = 7
FAN_DEGREES = 60

# The most cards that a stack shows, however many there are.
MAX_STACKED_CARDS = 30

# Frames of a full turn, and the time of each.
FRAME_COUNT = 24
FRAME_MS = 60


def draw_fan(cards: Sequence[Image.Image]) -> Image.Image:
    """Draw cards as a hand holds them."""
    fanned = cards[:MAX_FAN_CARDS]
    h = fanned[0].height
    side = int(h * 2.4)
    pivot = (h * 1.2, h * 1.75)
    background = _background((side, int(h * 1.75)))
    for index, card in enumerate(fanned):
        angle = FAN_DEGREES * (index / (len(fanned) - 1) - 0.5) if len(fanned) > 1 else 0.0
        turned = card.convert("RGBA").rotate(-angle, Image.Resampling.BICUBIC, expand=True)
        away = h * 0.95
        x = pivot[0] + away * sin(radians(angle))
        y = pivot[1] - away * cos(radians(angle))
        _paste_with_shadow(
            background, turned, (round(x - turned.width / 2), round(y - turned.height / 2))
        )
    return background


def draw_stack(top: Image.Image, below: Image.Image, count: int) -> Image.Image:
    """Draw a pile of `count` cards, seen slightly from above, with the top card next to it."""
    w, h = top.size
    background = _background((int(w * 2.7), int(h * 1.3)))
    for index in range(min(MAX_STACKED_CARDS, max(2, count))):
        _paste_with_shadow(
            background,
            below.convert("RGBA"),
            (round(w * 0.25), round(h * 0.2 - index * h / 300)),
            shade=index == 0,
        )
    _paste_with_shadow(background, top.convert("RGBA"), (round(w * 1.45), round(h * 0.15)))
    return background


def draw_table(cards: Sequence[Image.Image], columns: int) -> Image.Image:
    """Draw cards in rows on a table in perspective."""
    w, h = cards[0].size
    gap = w // 10
    rows = ceil(len(cards) / columns)
    flat = Image.new(
        "RGBA", (columns * (w + gap) + gap, rows * (h + gap) + gap), (*BACKGROUND_RGB, 0)
    )
    for index, card in enumerate(cards):
        flat.paste(
            card,
            (gap + index % columns * (w + gap), gap + index // columns * (h + gap)),
            card.convert("RGBA"),
        )
    across = 1600
    down = round(across * min(1.4, flat.height / flat.width) * 0.62)
    quad = (
        (across * 0.17, 0.0),
        (across * 0.83, 0.0),
        (float(across), float(down)),
        (0.0, float(down)),
    )
    background = _background((int(across * 1.04), int(down * 1.06)))
    _paste_with_shadow(
        background,
        transform_to_quad(flat, quad, (across, down)),
        (int(across * 0.02), int(down * 0.03)),
    )
    return background


def turning_frames(front: Image.Image, back: Image.Image) -> Iterator[Image.Image]:
    """Yield the frames of a card that turns once around its vertical axis."""
    w, h = front.size
    for index in range(FRAME_COUNT):
        angle = 2 * pi * index / FRAME_COUNT
        face, wide = (front, cos(angle)) if cos(angle) >= 0 else (back, -cos(angle))
        lean = sin(angle) * h * 0.05 * (1 if cos(angle) >= 0 else -1)
        half = max(1.0, w * wide / 2)
        left = w * 0.6 - half
        right = w * 0.6 + half
        top = h * 0.1
        foot = h * 1.1
        corners = (
            (left, top - lean),
            (right, top + lean),
            (right, foot - lean),
            (left, foot + lean),
        )
        background = _background((int(w * 1.2), int(h * 1.2)))
        _paste_with_shadow(background, transform_to_quad(face, corners, background.size), (0, 0))
        yield background


def draw_box(front: Image.Image, right: Image.Image, top: Image.Image) -> Image.Image:
    """Draw a box from its three visible sides, in parallel projection."""
    w, h = front.size
    deep = right.width
    run = deep * 0.75
    rise = deep * 0.4
    x = w * 0.2
    y = w * 0.2 + rise
    size = (int(w * 1.4 + run), int(h + w * 0.4 + rise))
    sides: tuple[tuple[Image.Image, Quad, int], ...] = (
        (front, ((x, y), (x + w, y), (x + w, y + h), (x, y + h)), 0),
        (
            right,
            ((x + w, y), (x + w + run, y - rise), (x + w + run, y + h - rise), (x + w, y + h)),
            70,
        ),
        (top, ((x + run, y - rise), (x + w + run, y - rise), (x + w, y), (x, y)), 25),
    )
    box = Image.new("RGBA", size, (*BACKGROUND_RGB, 0))
    for image, quad, dark in sides:
        shaded = Image.blend(image.convert("RGB"), Image.new("RGB", image.size), dark / 255)
        box.alpha_composite(transform_to_quad(shaded, quad, size))
    background = _background(size)
    _paste_with_shadow(background, box, (0, 0))
    return background


def transform_to_quad(image: Image.Image, quad: Quad, size: tuple[int, int]) -> Image.Image:
    """Return a picture of a size with the image's corners moved to `quad`, transparent elsewhere."""
    fine = (size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING)
    scaled = [(x * SUPERSAMPLING, y * SUPERSAMPLING) for x, y in quad]
    coefficients = _perspective_coefficients(scaled, image.size)
    transformed = image.convert("RGBA").transform(
        fine, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC
    )
    return transformed.resize(size, Image.Resampling.LANCZOS)


def _perspective_coefficients(quad: Sequence[Spot], size: tuple[int, int]) -> tuple[float, ...]:
    """Return Pillow's eight coefficients, from points in `quad` to points in the image.

    They invert the mapping of a square to a quadrilateral, as derived by Heckbert ("Fundamentals of
    Texture Mapping and Image Warping", 1989).
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    dx1 = x1 - x2
    dx2 = x3 - x2
    dx3 = x0 - x1 + x2 - x3
    dy1 = y1 - y2
    dy2 = y3 - y2
    dy3 = y0 - y1 + y2 - y3
    under = dx1 * dy2 - dx2 * dy1
    g = (dx3 * dy2 - dx2 * dy3) / under
    h = (dx1 * dy3 - dx3 * dy1) / under
    a = x1 - x0 + g * x1
    b = x3 - x0 + h * x3
    c = x0
    d = y1 - y0 + g * y1
    e = y3 - y0 + h * y3
    f = y0
    last = a * e - b * d
    across = [(e - f * h) / last, (c * h - b) / last, (b * f - c * e) / last]
    down = [(f * g - d) / last, (a - c * g) / last, (c * d - a * f) / last]
    share = [(d * h - e * g) / last, (b * g - a * h) / last]
    return (*(size[0] * part for part in across), *(size[1] * part for part in down), *share)


def _background(size: tuple[int, int]) -> Image.Image:
    return Image.new("RGB", size, BACKGROUND_RGB)


def _paste_with_shadow(
    background: Image.Image, image: Image.Image, at: tuple[int, int], *, shade: bool = True
) -> None:
    """Paste a picture with a soft shadow to its lower right."""
    mask = image.getchannel("A")
    if shade:
        soft = max(2, round(sqrt(image.width * image.height) / 90))
        mask_on_background = Image.new("L", background.size)
        mask_on_background.paste(mask, (at[0] + soft, at[1] + soft))
        shadow = mask_on_background.filter(ImageFilter.GaussianBlur(soft)).point(
            lambda level: level * SHADOW_OPACITY // 255
        )
        background.paste(
            ImageChops.multiply(background, Image.new("RGB", background.size, (60, 55, 50))),
            mask=shadow,
        )
    background.paste(image, at, mask)


# Longer side of a piece, and the resolution written into the files.
PIECE_PX = 640
DPI = 96

# Cards in the picture of a table.
MAX_CARDS_ON_TABLE = 24
COLUMNS = 6


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the pictures of each component of flat pieces, and of each box."""
    writers = {"tuckbox": _boxes, "piece": _pieces}
    for component in project.watch.stage_of("pictures", select_chosen(project)):
        write_pictures = writers.get(component.spec.make.name)
        for name, what in write_pictures(project, outbox, component) if write_pictures else ():
            yield WrittenFile(outbox.folder / name, f"{component.spec.title}: {what}")


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
