"""`fill: $parchment` — one colour from bleed to bleed."""

from typing import ClassVar

from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Colour


class Fill(DrawnLayer):
    """One colour over the whole face, to the end of the bleed."""

    main: ClassVar[str | None] = "fill"
    fill: Colour

    def draw(self, canvas: Canvas) -> None:
        """Fill the face."""
        canvas.rect(canvas.subject.full, self.fill)
