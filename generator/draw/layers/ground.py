"""What covers the whole face: `fill: $parchment`, one colour from bleed to bleed, and `frame: {inset: 3mm, …}`.

A frame is a line that follows the trim.
"""

from typing import ClassVar

from generator.core.problems import Wrong
from generator.core.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Colour, Length, Line, NotNegative


class Fill(DrawnLayer):
    """One colour over the whole face, to the end of the bleed."""

    main: ClassVar[str | None] = "fill"
    fill: Colour

    def draw(self, canvas: Canvas) -> None:
        """Fill the face."""
        canvas.rect(canvas.subject.full, self.fill)


class FrameLayer(DrawnLayer):
    """A line at the same distance from the trim all round, perhaps filled inside."""

    inset: Length = 3.0
    stroke: Line = None
    fill: Colour = "none"
    radius: NotNegative = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Draw the outline of the shape, moved inwards."""
        outline = canvas.subject.outline
        inner = outline.shrunk(self.inset) if self.inset >= 0 else outline.grown(-self.inset)
        if inner is None or min(inner.size) <= 0:
            expected = "a smaller inset"
            raise Wrong(f"inset: nothing is left {number(self.inset)} mm inside a piece of {outline}", expected)
        if inner.is_box and not inner.is_circle:
            canvas.rect(inner.box, self.fill, self.stroke, self.radius)
        else:
            canvas.outlined(inner, self.fill, self.stroke)
