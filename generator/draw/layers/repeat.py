"""`repeat: sword` — a row of the same icon, as many as a number says."""

from typing import ClassVar, Literal

from generator.core.geometry import Point, Rect
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Above, Colour, Count, IconField, Length, Place

STEPS = {"right": Point(1, 0), "left": Point(-1, 0), "down": Point(0, 1), "up": Point(0, -1)}


class Repeat(DrawnLayer):
    """An icon `times` times: the first (or the middle) of the row stands `at` a place, `gap` mm lie between two."""

    main: ClassVar[str | None] = "repeat"
    repeat: IconField
    times: Count
    at: Place
    size: Above
    gap: Length = 1.0
    towards: Literal["right", "left", "down", "up"] = "right"
    align: Literal["start", "center"] = "start"
    colour: Colour | None = None

    def draw(self, canvas: Canvas) -> None:
        """Put the icons on their places."""
        step = STEPS[self.towards].scaled(self.size + self.gap)
        first = self.at - step.scaled((self.times - 1) / 2) if self.align == "center" else self.at
        for number in range(self.times):
            centre = first + step.scaled(number)
            box = Rect(centre.x - self.size / 2, centre.y - self.size / 2, self.size, self.size)
            canvas.art(self.repeat, box, "contain", self.colour)
            canvas.keep_safe(f"icon {self.repeat.stem!r}", box)
