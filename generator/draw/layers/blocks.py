"""`blocks: [...]` — texts, rules and spaces one below the other in a box, which share what room there is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, field_validator, model_validator

from generator.core.geometry import EPSILON, Rect
from generator.core.problems import Kind, Wrong
from generator.core.units import number, points
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.layers.text import DEEP, set_on, shared
from generator.pack.fields import Box, Colour, Length, Line, StyleField, Text, TextSize
from generator.pack.looks import check_marks, style_with_text_marks
from generator.pack.style import Align, Style, VAlign
from generator.text import Block


class BlockSpec(BaseModel):
    """One of a flow of blocks: a text, a `rule` across the box, or a `space`; `when` leaves it out."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)
    text: Text = ""
    style: StyleField | None = None
    colour: Colour | None = None
    align: Align | None = None
    size: TextSize | None = None
    rule: Line = None
    space: Length = 0.0
    when: Text = ""

    _readable = field_validator("text")(check_marks)
    _looks = field_validator("style")(style_with_text_marks)

    @model_validator(mode="after")
    def _one(self) -> "BlockSpec":
        if len(self.model_fields_set & {"text", "rule", "space"}) != 1:
            raise Wrong("a block that is not one thing", "text: with a style, rule: 0.3mm $ink, or space: 2mm")
        if "text" in self.model_fields_set and self.style is None:
            raise Wrong("a text without a style", "style: and the name of one")
        return self

    @property
    def own(self) -> Style:
        """The style with what is otherwise here."""
        given: dict[str, Any] = {"colour": self.colour, "align": self.align, "size": self.size}
        style = replace(self.style or Style(), valign=VAlign.TOP)
        return replace(style, **{name: value for name, value in given.items() if value is not None})


def _several(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise Wrong("no list of blocks", "such as `- text: $title`, `- rule: 0.3mm $ink`, each with its dash")
    return value


class BlocksLayer(DrawnLayer):
    """Blocks one below the other, `gap` mm apart; with `fit` their texts shrink together, down to that size."""

    main: ClassVar[str | None] = "blocks"
    blocks: Annotated[tuple[BlockSpec, ...], BeforeValidator(_several)]
    box: Box
    gap: Length = 1.0
    fit: TextSize | None = None
    valign: Literal["top", "middle", "bottom", "spread"] = "top"

    def draw(self, canvas: Canvas) -> None:
        """Set the blocks as large as they fit, and put them on the canvas."""
        shown = [block for block in self.blocks if block.style is None or block.text.strip()]
        if not any(block.style for block in shown):
            return
        smallest = min(block.own.size for block in shown if block.style)
        room = self.box.h - self.gap * (len(shown) - 1)
        least = self.fit / smallest if self.fit else 1.0
        scale, heights = shared(lambda scale: self._heights(canvas, shown, scale), room, least)
        if self._left(heights) < -EPSILON:
            self._put(canvas, shown, heights, scale)
            over, size = number(-self._left(heights)), number(points(smallest * scale))
            found = f"the blocks are {over} mm too tall for their box, their smallest text at {size} pt"
            hint = "shorten the texts, enlarge the box, or allow smaller ones with `fit:`"
            raise Wrong(found, f"at most {number(self.box.h)} mm", hint, Kind.FIT)
        self._put(canvas, shown, heights, scale)

    def _left(self, heights: Sequence[float]) -> float:
        """What of the box's height nothing takes."""
        return self.box.h - sum(heights) - self.gap * (len(heights) - 1)

    def _heights(self, canvas: Canvas, shown: Sequence[BlockSpec], scale: float) -> list[float]:
        return [self._height(canvas, block, scale) for block in shown]

    def _height(self, canvas: Canvas, block: BlockSpec, scale: float) -> float:
        if block.style is None:
            return block.rule.width if block.rule else block.space
        made = self._made(canvas, block, 0.0, scale)
        return max(made.box.bottom, made.lines * made.size * block.own.leading)

    def _made(self, canvas: Canvas, block: BlockSpec, top: float, scale: float) -> Block:
        style = replace(block.own, size=block.own.size * scale)
        return set_on(canvas, block.text, style, Rect(self.box.x, top, self.box.w, DEEP), None)

    def _put(self, canvas: Canvas, shown: Sequence[BlockSpec], heights: Sequence[float], scale: float) -> None:
        """What room is left lies below the blocks, above them, on both sides, or between them."""
        left = self._left(heights)
        top = self.box.y + {"top": 0.0, "spread": 0.0, "middle": left / 2, "bottom": left}[self.valign]
        between = self.gap + (left / max(len(shown) - 1, 1) if self.valign == "spread" else 0.0)
        for block, height in zip(shown, heights, strict=True):
            if block.style is not None:
                made = self._made(canvas, block, top, scale)
                canvas.block(made)
                canvas.keep_safe("text", made.box, letters=made.letters)
            elif block.rule:
                y = number(top + block.rule.width / 2)
                canvas.path(f"M{number(self.box.x)} {y}H{number(self.box.right)}", "none", block.rule)
            top += height + between
