"""`icon: sword` — a small picture by its name, from the pack's icons."""

from typing import ClassVar

from generator.core.geometry import Rect
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Above, Colour, IconField, Place, Real


class Icon(DrawnLayer):
    """A picture of the pack's icons, `size` mm wide and high, with its middle `at` a place."""

    main: ClassVar[str | None] = "icon"
    icon: IconField
    at: Place
    size: Above
    colour: Colour | None = None
    turn: Real = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Put the icon on its place."""
        box = Rect(self.at.x - self.size / 2, self.at.y - self.size / 2, self.size, self.size)
        canvas.art(self.icon, box, "contain", self.colour, self.turn)
        canvas.keep_safe(f"icon {self.icon.stem!r}", box)
