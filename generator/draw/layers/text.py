"""`text: $title` — words in a box, set in one of the pack's styles."""

from dataclasses import replace
from typing import ClassVar

from pydantic import ValidationInfo, field_validator

from generator.core.geometry import Rect
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Box, Colour, Line, Real, StyleField, Text, TextSize, Weight, names_of
from generator.pack.looks import with_looks
from generator.pack.style import Align, Style, VAlign
from generator.text import Block, Overflow, set_text

SETTINGS = ("colour", "align", "valign", "font", "weight", "size")
"""What a layer may say otherwise than its style."""


def set_on(canvas: Canvas, text: str, style: Style, box: Rect, fit: float | None) -> Block:
    """A text set with the fonts, the icons and the language of a canvas."""
    subject = canvas.subject
    return set_text(text, style, box, subject.fonts, icons=canvas.icon_widths(), lang=subject.language, minimum=fit)


class TextLayer(DrawnLayer):
    """Text in a box; with `fit` it may shrink to that size, and beyond that the build stops.

    `outline` is a line round every letter; a `shadow` lies so far below and to the right.
    """

    main: ClassVar[str | None] = "text"
    text: Text
    box: Box
    style: StyleField
    fit: TextSize | None = None
    colour: Colour | None = None
    align: Align | None = None
    valign: VAlign | None = None
    font: Text | None = None
    weight: Weight | None = None
    size: TextSize | None = None
    turn: Real = 0.0
    outline: Line = None
    shadow: Line = None

    @field_validator("style")
    @classmethod
    def _looks(cls, style: Style, info: ValidationInfo) -> Style:
        return with_looks(style, info.data.get("text", ""), names_of(info))

    def draw(self, canvas: Canvas) -> None:
        """Set the text and put its runs on the canvas."""
        if not self.text.strip():
            return
        given = {name: getattr(self, name) for name in SETTINGS}
        style = replace(self.style, **{name: value for name, value in given.items() if value is not None})
        try:
            self._put(canvas, set_on(canvas, self.text, style, self.box, self.fit))
        except Overflow as over:
            self._put(canvas, over.block)
            raise

    def _put(self, canvas: Canvas, block: Block) -> None:
        with canvas.turned(self.box.centre, self.turn):
            canvas.block(block, self.outline, self.shadow)
            canvas.keep_safe("text", block.box)
