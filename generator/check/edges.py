"""Art that stops at the trim although it is coloured there: measured on the picture, not guessed from the layers."""

from collections.abc import Iterator

from PIL import Image

from generator.draw.face import Face
from generator.geometry import Rect
from generator.preview.raster import Rasteriser
from generator.units import MM_PER_INCH, number

DPI = 127
"""Five pixels a millimetre: enough to see an edge."""

INSIDE = 0.3
"""mm inside the trim where colour is looked for; it must go on to the end of the bleed."""

WHITE = 245
"""From this value on, a channel is as good as paper."""

SHARE = 0.02
"""Of an edge's length that may differ without a word."""


def edge_fault(face: Face, raster: Rasteriser) -> str:
    """Which edges are coloured inside the trim and bare in the bleed, as a sentence; empty when none is."""
    paper = Image.new("RGBA", raster.face(face, DPI).size, "white")
    picture = Image.alpha_composite(paper, raster.face(face, DPI)).convert("RGB")
    trim = Rect(0, 0, *face.size).shifted((face.bleed, face.bleed))
    bare = [(name, length) for name, length in _bare(picture, trim, face.bleed) if length > SHARE * max(face.size)]
    if not bare:
        return ""
    edges = ", ".join(f"{name} ({number(round(length, 1))} mm)" for name, length in bare)
    return f"coloured art stops at the cut: {edges}"


def _bare(picture: Image.Image, trim: Rect, bleed: float) -> Iterator[tuple[str, float]]:
    """Each edge with the length in mm along which colour inside meets paper outside."""
    middle = bleed * 0.6
    lines = {
        "top": ((trim.x, trim.y + INSIDE), (trim.x, trim.y - middle), (1, 0), trim.w),
        "bottom": ((trim.x, trim.bottom - INSIDE), (trim.x, trim.bottom + middle), (1, 0), trim.w),
        "left": ((trim.x + INSIDE, trim.y), (trim.x - middle, trim.y), (0, 1), trim.h),
        "right": ((trim.right - INSIDE, trim.y), (trim.right + middle, trim.y), (0, 1), trim.h),
    }
    step = MM_PER_INCH / DPI
    for name, (inside, outside, along, length) in lines.items():
        count = int((length - 2 * INSIDE) / step)
        offsets = [INSIDE + n * step for n in range(count)]
        places = [
            (
                (inside[0] + along[0] * o, inside[1] + along[1] * o),
                (outside[0] + along[0] * o, outside[1] + along[1] * o),
            )
            for o in offsets
        ]
        yield name, step * sum(_inked(picture, a) and not _inked(picture, b) for a, b in places)


def _inked(picture: Image.Image, place: tuple[float, float]) -> bool:
    x = min(picture.width - 1, int(place[0] / MM_PER_INCH * DPI))
    y = min(picture.height - 1, int(place[1] / MM_PER_INCH * DPI))
    value = picture.getpixel((x, y))
    return isinstance(value, tuple) and min(value) < WHITE
