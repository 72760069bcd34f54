"""Lines over a face that show where it will be cut and what is safe. Not printed: only in pictures."""

from PIL import Image, ImageDraw

from generator.core.geometry import Rect
from generator.core.outline import Outline
from generator.core.units import MM_PER_INCH

TRIM, SAFE = "#e6007e", "#00a0e0"
LINE = 0.25
"""mm."""


def mark(image: Image.Image, window: Rect, outline: Outline, safe: float, dpi: float) -> Image.Image:
    """The picture of a window of a face with the trim in magenta and the safe area in blue."""
    marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    scale = dpi / MM_PER_INCH
    width = max(1, round(LINE * scale))
    for line, colour in ((outline, TRIM), (outline.shrunk(safe), SAFE)):
        flat = line.flat if line else ()
        places = [((x - window.x) * scale, (y - window.y) * scale) for x, y in (*flat, *flat[:1])]
        draw.line(places, fill=colour, width=width, joint="curve")
    return marked
