"""`blocks: [...]`: texts, rules and spaces in a column, sharing the height of a box."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import EPSILON, Rect
from generator.base.units import number, points
from generator.draw.canvas import Canvas, DrawnLayer
from generator.draw.layers.text import TALL_BOX_MM, StyleChanges, fit_to_height, set_on
from generator.pack.fields import Axes, Box, Length, Line, StyleField, Text, TextSize
from generator.pack.text_marks import check_marks, style_with_text_marks
from generator.text import Block
from generator.text.style import Align, Style, VAlign


class BlockSpec(StyleChanges):
    """A block: a text, a `rule` across the box, or a `space`.

    It is left out unless `when` holds.
    """

    text: Text = ""
    style: StyleField | None = None
    axes: Axes = Field(default_factory=dict)
    align: Align | None = None
    rule: Line = None
    space: Length = 0.0
    when: Text = ""

    _check_text = field_validator("text")(check_marks)
    _add_marks = field_validator("style")(style_with_text_marks)

    @model_validator(mode="after")
    def _check_one_kind(self) -> "BlockSpec":
        if len(self.model_fields_set & {"text", "rule", "space"}) != 1:
            raise InvalidValueError(
                "a block with no content, or with two kinds",
                "text: with a style, rule: 0.3mm $ink, or space: 2mm",
            )
        if "text" in self.model_fields_set and self.style is None:
            raise InvalidValueError("a text without a style", "style: and the name of one")
        return self

    @property
    def styled(self) -> Style:
        """Return the style with this block's changes."""
        return self.change(self.style or Style(), self.axes, align=self.align, valign=VAlign.TOP)


def _check_list(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise InvalidValueError(
            "this is not a list of blocks",
            "such as `- text: $title`, `- rule: 0.3mm $ink`, each with its dash",
        )
    return value


class BlocksLayer(DrawnLayer):
    """Blocks in a column, `gap` mm apart.

    With `fit` all texts shrink together, down to that size.
    """

    main: ClassVar[str | None] = "blocks"
    blocks: Annotated[tuple[BlockSpec, ...], BeforeValidator(_check_list)]
    box: Box
    gap: Length = 1.0
    fit: TextSize | None = None
    valign: Literal["top", "middle", "bottom", "spread"] = "top"

    @property
    def styles(self) -> tuple[Style, ...]:
        """Return the styles of the blocks."""
        return tuple(block.styled for block in self.blocks if block.style)

    def draw(self, canvas: Canvas) -> None:
        """Set the blocks as large as they fit.

        Raise `InvalidValueError` if they are too tall at the smallest size.
        """
        visible = [block for block in self.blocks if block.style is None or block.text.strip()]
        if not any(block.style for block in visible):
            return
        smallest = min(block.styled.size for block in visible if block.style)
        room = self.box.h - self.gap * (len(visible) - 1)
        least = self.fit / smallest if self.fit else 1.0
        scale, heights = fit_to_height(
            lambda scale: self._block_heights(canvas, visible, scale), room, least
        )
        if self._unused_height(heights) < -EPSILON:
            self._draw_blocks(canvas, visible, heights, scale)
            over = number(-self._unused_height(heights))
            size = number(points(smallest * scale))
            found = (
                f"the blocks are {over} mm too tall for their box, their smallest text at {size} pt"
            )
            hint = "shorten the texts, enlarge the box, or allow smaller ones with `fit:`"
            raise InvalidValueError(found, f"at most {number(self.box.h)} mm", hint, Kind.FIT)
        self._draw_blocks(canvas, visible, heights, scale)

    def _unused_height(self, heights: Sequence[float]) -> float:
        """Return the height of the box in mm that no block uses."""
        return self.box.h - sum(heights) - self.gap * (len(heights) - 1)

    def _block_heights(
        self, canvas: Canvas, visible: Sequence[BlockSpec], scale: float
    ) -> list[float]:
        return [self._block_height(canvas, block, scale) for block in visible]

    def _block_height(self, canvas: Canvas, block: BlockSpec, scale: float) -> float:
        if block.style is None:
            return block.rule.width if block.rule else block.space
        block_set = self._set_text(canvas, block, 0.0, scale)
        return max(block_set.box.bottom, block_set.lines * block_set.size * block.styled.leading)

    def _set_text(self, canvas: Canvas, block: BlockSpec, top: float, scale: float) -> Block:
        style = replace(block.styled, size=block.styled.size * scale)
        return set_on(
            canvas, block.text, style, Rect(self.box.x, top, self.box.w, TALL_BOX_MM), None
        )

    def _draw_blocks(
        self, canvas: Canvas, visible: Sequence[BlockSpec], heights: Sequence[float], scale: float
    ) -> None:
        """Draw the blocks; unused height goes below, above, around or between them."""
        left = self._unused_height(heights)
        top = (
            self.box.y
            + {"top": 0.0, "spread": 0.0, "middle": left / 2, "bottom": left}[self.valign]
        )
        between = self.gap + (left / max(len(visible) - 1, 1) if self.valign == "spread" else 0.0)
        for block, height in zip(visible, heights, strict=True):
            if block.style is not None:
                block_set = self._set_text(canvas, block, top, scale)
                canvas.block(block_set)
                canvas.keep_safe("text", block_set.box, letters=block_set.letters)
            elif block.rule:
                y = number(top + block.rule.width / 2)
                canvas.path(
                    f"M{number(self.box.x)} {y}H{number(self.box.right)}", "none", block.rule
                )
            top += height + between
