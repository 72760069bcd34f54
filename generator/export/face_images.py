"""Images of faces for other programs: cut to an outline, extended beyond the bleed, joined, or with guides."""

import io
from collections.abc import Sequence
from math import ceil, floor

from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from generator.base.geometry import Rect, Size
from generator.base.outline import Outline
from generator.base.units import MM_PER_INCH
from generator.picture.face import Face
from generator.picture.raster import Rasteriser

WHITE = (255, 255, 255)
# The rendering intent in PNG's sRGB chunk.
_PERCEPTUAL = b"\0"

Pixels = tuple[int, int]


def extend_edges(raster: Rasteriser, face: Face, pixels: Pixels, dpi: int) -> Image.Image:
    """Return a face centred in a picture; beyond its bleed, its outermost pixels are repeated."""
    size = Size(*(side * MM_PER_INCH / dpi for side in pixels))
    centre = face.full.centre
    window = Rect(centre.x - size.w / 2, centre.y - size.h / 2, *size)
    image = on_white(raster.face(face, dpi, window))
    scale = dpi / MM_PER_INCH
    left, top = (
        max(0, ceil((inner - outer) * scale))
        for inner, outer in zip(face.full[:2], window[:2], strict=True)
    )
    right = min(image.width, floor((face.full.right - window.x) * scale))
    bottom = min(image.height, floor((face.full.bottom - window.y) * scale))
    return _repeat_edges(image, (left, top, right, bottom))


def _repeat_edges(image: Image.Image, core: tuple[int, int, int, int]) -> Image.Image:
    """Repeat the outermost pixels of the core (left, top, right, bottom) up to the picture's edges."""
    left, top, right, bottom = core
    for edge, strip in (
        ((left, 0, left + 1, image.height), (0, 0, left, image.height)),
        ((right - 1, 0, right, image.height), (right, 0, image.width, image.height)),
        ((0, top, image.width, top + 1), (0, 0, image.width, top)),
        ((0, bottom - 1, image.width, bottom), (0, bottom, image.width, image.height)),
    ):
        size = strip[2] - strip[0], strip[3] - strip[1]
        if min(size) > 0:
            image.paste(image.crop(edge).resize(size, Image.Resampling.NEAREST), strip)
    return image


def trim_face(raster: Rasteriser, face: Face, outline: Outline, pixels: Pixels) -> Image.Image:
    """Return a face cut to its outline and scaled to fill a size in pixels, with alpha around it."""
    svg = face.cut(outline)
    dpi = max(pixels[0] / face.size.w, pixels[1] / face.size.h) * MM_PER_INCH
    picture = raster.face(svg, dpi, Rect(0, 0, *face.size))
    return picture if picture.size == pixels else picture.resize(pixels, Image.Resampling.LANCZOS)


def on_white(image: Image.Image) -> Image.Image:
    """Return a picture on white, without alpha."""
    paper = Image.new("RGB", image.size, WHITE)
    paper.paste(image, mask=image.getchannel("A") if image.mode == "RGBA" else None)
    return paper


def tile_pictures(images: Sequence[Image.Image], columns: int) -> Image.Image:
    """Return pictures of one size side by side without gaps, row by row."""
    w, h = images[0].size
    sheet = Image.new("RGB", (columns * w, ceil(len(images) / columns) * h), WHITE)
    for index, image in enumerate(images):
        sheet.paste(on_white(image), (index % columns * w, index // columns * h))
    return sheet


def encode_sized_png(image: Image.Image, dpi: int) -> bytes:
    """Return a PNG with colour space and resolution."""
    buffer = io.BytesIO()
    info = PngInfo()
    info.add(b"sRGB", _PERCEPTUAL)
    image.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=info)
    return buffer.getvalue()


TRIM_COLOUR = "#e6007e"
SAFE_COLOUR = "#00a0e0"
# Of the trim and safe lines.
LINE_MM = 0.25


def draw_guides(
    image: Image.Image, window: Rect, outline: Outline, safe: float, dpi: float
) -> Image.Image:
    """Return a picture of a face with the trim line in magenta and the safe area in blue."""
    marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    scale = dpi / MM_PER_INCH
    width = max(1, round(LINE_MM * scale))
    for line, colour in ((outline, TRIM_COLOUR), (outline.shrunk(safe), SAFE_COLOUR)):
        flat = line.flat if line else ()
        places = [((x - window.x) * scale, (y - window.y) * scale) for x, y in (*flat, *flat[:1])]
        draw.line(places, fill=colour, width=width, joint="curve")
    return marked
