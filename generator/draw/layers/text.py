"""`text: $title` — words in a box, set in one of the pack's styles."""

from dataclasses import replace
from typing import ClassVar

from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Box, Colour, StyleField, Text, TextSize
from generator.text import set_text


class TextLayer(DrawnLayer):
    """Text in a box; with `fit` it may shrink to that size, and beyond that the build stops."""

    main: ClassVar[str | None] = "text"
    text: Text
    box: Box
    style: StyleField
    fit: TextSize | None = None
    colour: Colour | None = None

    def draw(self, canvas: Canvas) -> None:
        """Set the text and put its runs on the canvas."""
        if not self.text.strip():
            return
        subject = canvas.subject
        style = replace(self.style, colour=self.colour) if self.colour else self.style
        widths = canvas.icon_widths()
        block = set_text(
            self.text, style, self.box, subject.fonts, icons=widths, lang=subject.language, minimum=self.fit
        )
        canvas.block(block)
        canvas.keep_safe("text", block.box)
