"""`frame: {inset: 3mm, stroke: 0.4mm $ink, radius: 2mm}` — a line that follows the trim."""

from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.core.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.outline import inset_corners
from generator.pack.fields import Colour, Length, Line, NotNegative
from generator.pack.shape import ShapeKind


class Frame(DrawnLayer):
    """A line at the same distance from the trim all round, perhaps filled inside."""

    inset: Length = 3.0
    stroke: Line = None
    fill: Colour = "none"
    radius: NotNegative = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Draw the outline of the shape, moved inwards."""
        shape = canvas.subject.shape
        inner = Rect(0, 0, *shape.size).grown(-self.inset)
        if min(inner.size) <= 0:
            raise Wrong(f"inset: nothing is left {number(self.inset)} mm inside a piece of {shape}", "a smaller inset")
        if shape.kind is ShapeKind.RECT:
            canvas.rect(inner, self.fill, self.stroke, self.radius)
        elif shape.kind is ShapeKind.CIRCLE:
            canvas.circle(inner.centre, inner.w / 2, self.fill, self.stroke)
        else:
            canvas.polygon(inset_corners(shape.corners, self.inset), self.fill, self.stroke)
