"""Faces as pictures that leave the house: without alpha on white, so many pixels large, with sRGB and dpi written."""

import io
from collections.abc import Sequence
from math import ceil, floor

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from generator.core.geometry import Rect, Size
from generator.core.outline import Outline
from generator.core.units import MM_PER_INCH
from generator.draw.face import Face
from generator.preview.raster import Rasteriser

WHITE = (255, 255, 255)
_PERCEPTUAL = b"\0"

Pixels = tuple[int, int]


def bled(raster: Rasteriser, face: Face, pixels: Pixels, dpi: int) -> Image.Image:
    """A face in the middle of so many pixels; past its own bleed, its outermost pixels are carried outwards."""
    size = Size(*(side * MM_PER_INCH / dpi for side in pixels))
    centre = face.full.centre
    window = Rect(centre.x - size.w / 2, centre.y - size.h / 2, *size)
    image = on_white(raster.face(face, dpi, window))
    scale = dpi / MM_PER_INCH
    left, top = (max(0, ceil((inner - outer) * scale)) for inner, outer in zip(face.full[:2], window[:2], strict=True))
    right = min(image.width, floor((face.full.right - window.x) * scale))
    bottom = min(image.height, floor((face.full.bottom - window.y) * scale))
    return _spread(image, (left, top, right, bottom))


def _spread(image: Image.Image, core: tuple[int, int, int, int]) -> Image.Image:
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


def trimmed(raster: Rasteriser, face: Face, outline: Outline, pixels: Pixels) -> Image.Image:
    """A face as it is cut out, stretched to fill so many pixels; with alpha round it."""
    svg = face.cut(outline)
    dpi = max(pixels[0] / face.size.w, pixels[1] / face.size.h) * MM_PER_INCH
    made = raster.face(svg, dpi, Rect(0, 0, *face.size))
    return made if made.size == pixels else made.resize(pixels, Image.Resampling.LANCZOS)


def on_white(image: Image.Image) -> Image.Image:
    """A picture without alpha: what is not inked is paper."""
    paper = Image.new("RGB", image.size, WHITE)
    paper.paste(image, mask=image.getchannel("A") if image.mode == "RGBA" else None)
    return paper


def tiled(images: Sequence[Image.Image], columns: int) -> Image.Image:
    """Pictures of one size side by side without gaps, row by row."""
    w, h = images[0].size
    sheet = Image.new("RGB", (columns * w, ceil(len(images) / columns) * h), WHITE)
    for nth, image in enumerate(images):
        sheet.paste(on_white(image), (nth % columns * w, nth // columns * h))
    return sheet


def png(image: Image.Image, dpi: int) -> bytes:
    """As a PNG that says its colours and its resolution."""
    buffer, info = io.BytesIO(), PngInfo()
    info.add(b"sRGB", _PERCEPTUAL)
    image.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=info)
    return buffer.getvalue()
