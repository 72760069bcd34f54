"""Lines over a face that show where it will be cut and what is safe. Not printed: only in pictures."""

from PIL import Image, ImageDraw

from generator.core.geometry import Rect
from generator.core.units import MM_PER_INCH
from generator.draw.outline import inset_corners
from generator.pack.shape import Shape, ShapeKind

TRIM, SAFE = "#e6007e", "#00a0e0"
LINE = 0.25
"""mm."""


def mark(image: Image.Image, window: Rect, shape: Shape, safe: float, dpi: float) -> Image.Image:
    """The picture of a window of a face with the trim in magenta and the safe area in blue."""
    marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    scale = dpi / MM_PER_INCH
    width = max(1, round(LINE * scale))
    for inset, colour in ((0.0, TRIM), (safe, SAFE)):
        box = Rect(0, 0, *shape.size).grown(-inset).shifted((-window.x, -window.y))
        if shape.kind is ShapeKind.CIRCLE:
            draw.ellipse([edge * scale for edge in (box.x, box.y, box.right, box.bottom)], outline=colour, width=width)
        else:
            corners = [(p.x - window.x, p.y - window.y) for p in inset_corners(shape.corners, inset)]
            line = [(x * scale, y * scale) for x, y in (*corners, corners[0])]
            draw.line(line, fill=colour, width=width, joint="curve")
    return marked
