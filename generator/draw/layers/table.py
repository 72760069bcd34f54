"""`table: $players` — a small table: rows parted by `/` or a new line, cells by `|`, the first row its head.

A backslash before a parting sign makes it a sign like others.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, WithJsonSchema

from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.core.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Box, Colour, Line, NotNegative, StyleField, Text, TextSize, real
from generator.pack.style import Style, VAlign
from generator.text import set_text


def _shares(value: object) -> object:
    parts = value if isinstance(value, list) else str(value).split()
    shares = tuple(real(str(part)) for part in parts)
    if not shares or min(shares) <= 0:
        raise Wrong(f"{value!r} are no shares", "a number above 0 for each column, such as [2, 1]")
    return shares


Shares = Annotated[
    tuple[float, ...], BeforeValidator(_shares), WithJsonSchema({"type": "array", "items": {"type": "number"}})
]


def _plain(cell: str) -> str:
    """A cell's text: a backslash before a parting sign makes it a sign like others."""
    return re.sub(r"\\([/|])", r"\1", cell.strip())


class TableLayer(DrawnLayer):
    """A table that fills its box: rows of one height, columns by their `columns` shares, lines between the rows."""

    main: ClassVar[str | None] = "table"
    table: Text
    box: Box
    style: StyleField
    head: StyleField | None = None
    columns: Shares | None = None
    line: Line = None
    head_fill: Colour = "none"
    padding: NotNegative = 0.6
    fit: TextSize | None = None

    def draw(self, canvas: Canvas) -> None:
        """Set each cell in its part of the box."""
        rows = self._rows()
        if not rows:
            return
        height = self.box.h / len(rows)
        if self.head_fill != "none":
            canvas.rect(Rect(self.box.x, self.box.y, self.box.w, height), self.head_fill)
        for index, row in enumerate(rows):
            style = self.head if index == 0 and self.head else self.style
            for cell, text in zip(self._cells(index * height, height, len(row)), row, strict=True):
                self._set(canvas, text, style, cell)
            if index and self.line:
                y = number(self.box.y + index * height)
                canvas.painted_path(f"M{number(self.box.x)} {y}H{number(self.box.right)}", "none", self.line)

    def _rows(self) -> list[list[str]]:
        lines = [line.strip() for line in re.split(r"(?<![\\\[])[/\n]", self.table) if line.strip()]
        rows = [[_plain(cell) for cell in re.split(r"(?<!\\)\|", line)] for line in lines]
        for row in rows:
            if len(row) != len(rows[0]):
                found = f"a row of {len(row)} cells ({' | '.join(row)}) in a table of {len(rows[0])} columns"
                raise Wrong(found, "as many cells as in the first row, with | between them")
        if rows and self.columns and len(self.columns) != len(rows[0]):
            raise Wrong(f"{len(self.columns)} shares for {len(rows[0])} columns", "one share for each column")
        return rows

    def _cells(self, top: float, height: float, count: int) -> Iterator[Rect]:
        shares = self.columns or (1.0,) * count
        left = self.box.x
        for share in shares:
            width = self.box.w * share / sum(shares)
            yield Rect(left, self.box.y + top, width, height).grown(-self.padding)
            left += width

    def _set(self, canvas: Canvas, text: str, style: Style, box: Rect) -> None:
        if text:
            if min(box.size) <= 0:
                raise Wrong(f"a padding of {number(self.padding)} mm leaves a cell no room", "a smaller padding")
            subject = canvas.subject
            block = set_text(
                text,
                replace(style, valign=VAlign.MIDDLE),
                box,
                subject.fonts,
                icons=canvas.icon_widths(),
                lang=subject.language,
                minimum=self.fit,
            )
            canvas.block(block)
            canvas.keep_safe("table", block.box)
