"""Lines over a face that show where it will be cut and what is safe. Not printed: only in pictures."""

from PIL import Image, ImageDraw

from generator.geometry import Rect
from generator.pack.shape import Shape, ShapeKind
from generator.units import MM_PER_INCH

TRIM, SAFE = "#e6007e", "#00a0e0"


def mark(image: Image.Image, window: Rect, shape: Shape, safe: float, dpi: float) -> Image.Image:
    """The picture of a window of a face with the trim in magenta and the safe area in blue."""
    marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    scale = dpi / MM_PER_INCH
    width = max(1, round(0.25 * scale))
    for inset, colour in ((0.0, TRIM), (safe, SAFE)):
        box = Rect(0, 0, *shape.size).grown(-inset).shifted((-window.x, -window.y))
        edges = (box.x * scale, box.y * scale, box.right * scale, box.bottom * scale)
        if shape.kind is ShapeKind.CIRCLE:
            draw.ellipse(edges, outline=colour, width=width)
        elif shape.kind is ShapeKind.RECT:
            draw.rectangle(edges, outline=colour, width=width)
        else:
            _hexagon(draw, shape, inset, window, scale, colour, width)
    return marked


def _hexagon(
    draw: ImageDraw.ImageDraw, shape: Shape, inset: float, window: Rect, scale: float, colour: str, width: int
) -> None:
    from generator.draw.outline import inset_corners

    corners = [((p.x - window.x) * scale, (p.y - window.y) * scale) for p in inset_corners(shape.corners, inset)]
    draw.line([*corners, corners[0]], fill=colour, width=width)
