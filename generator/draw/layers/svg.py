"""`svg: art/$art` — a picture of the pack, as vectors."""

from typing import ClassVar, Literal

from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.geometry import Rect
from generator.pack.fields import AssetField, Box, Colour, Real


class Svg(DrawnLayer):
    """An SVG file in a box; without a box it covers the face and its bleed."""

    main: ClassVar[str | None] = "svg"
    svg: AssetField
    box: Box | None = None
    fit: Literal["contain", "cover", "stretch"] = "contain"
    colour: Colour | None = None
    turn: Real = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Put the picture into its box."""
        box: Rect = self.box or canvas.subject.full
        canvas.art(self.svg, box, self.fit, self.colour, self.turn)
