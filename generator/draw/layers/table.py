"""`table: $players`: rows separated by `/` or a newline, cells by `|`, or a list.

The first row is the head.

A cell `<` is merged with the cell on its left, `^` with the cell above. A backslash makes the next
sign literal.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import EPSILON, Rect
from generator.base.units import number, points
from generator.draw.canvas import Canvas, DrawnLayer
from generator.draw.layers.text import TALL_BOX_MM, StyleChanges, fit_to_height, set_on
from generator.pack.fields import Axes, Box, Line, NotNegative, Paint, StyleField, TextSize
from generator.pack.text_marks import Aligns, Rows, Shares, check_cell_marks, style_with_cell_marks
from generator.picture.items import Gradient, Stroke
from generator.text.style import Style, VAlign

LEFT = "<"
ABOVE = "^"


@dataclass(frozen=True)
class _TableCell:
    """A text with its columns and rows, each from the first to the one after the last."""

    text: str
    columns: tuple[int, int]
    rows: tuple[int, int]

    @property
    def plain(self) -> str:
        """Return the text without the backslashes before literal signs."""
        return re.sub(r"\\([/|<^])", r"\1", self.text)


@dataclass(frozen=True)
class _CellGrid:
    """The cell that each place of a table belongs to, by the row and column of its first place."""

    owners: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]]) -> "_CellGrid":
        owners: list[list[tuple[int, int]]] = []
        for r, row in enumerate(rows):
            owners.append([])
            for c, text in enumerate(row):
                if (text == LEFT and not c) or (text == ABOVE and not r):
                    side = "left of" if text == LEFT else "above"
                    raise InvalidValueError(
                        f"{text!r} belongs to the cell {side} it, but there is none",
                        f"\\{text} for the sign",
                    )
                near = {LEFT: (r, c - 1), ABOVE: (r - 1, c)}.get(text)
                owners[r].append(owners[near[0]][near[1]] if near else (r, c))
        return cls(tuple(map(tuple, owners)))

    def cells(self, rows: Sequence[Sequence[str]]) -> Iterator[_TableCell]:
        places: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for r, row in enumerate(self.owners):
            for c, owner in enumerate(row):
                places.setdefault(owner, []).append((r, c))
        for (r, c), cell_places in places.items():
            bottom, right = (max(place[at] for place in cell_places) + 1 for at in (0, 1))
            if len(cell_places) != (bottom - r) * (right - c):
                raise InvalidValueError(
                    f"the cells that belong to {rows[r][c]!r} do not form a rectangle",
                    f"{LEFT} and {ABOVE} in each of them",
                )
            yield _TableCell(rows[r][c], (c, right), (r, bottom))

    def separations(self, index: int, way: Literal["across", "down"]) -> Iterator[tuple[int, int]]:
        """Yield the stretches in which a line before a row (or column) separates two cells."""
        lines = self.owners if way == "across" else tuple(zip(*self.owners, strict=True))
        pairs = zip(lines[index - 1], lines[index], strict=True)
        for is_line, group in groupby(enumerate(a != b for a, b in pairs), lambda pair: pair[1]):
            places = [at for at, _ in group]
            if is_line:
                yield places[0], places[-1] + 1


class TableLayer(StyleChanges, DrawnLayer):
    """A table that fills its box.

    `columns` and `rows` are shares, or rows are as high as their `content`.

    `line` is drawn between rows, `down` between columns, `border` around the table; `align` has a
    word per column. `colour`, `font`, `weight` and `size` change the style of all cells but those of a `head` with a
    style of its own.
    """

    main: ClassVar[str | None] = "table"
    table: Rows
    box: Box
    style: StyleField
    axes: Axes = Field(default_factory=dict)
    head: StyleField | None = None
    columns: Shares | None = None
    rows: Literal["even", "content"] | Shares = "even"
    align: Aligns = ()
    line: Line = None
    down: Line = None
    border: Line = None
    head_fill: Paint = "none"
    stripe: Paint = "none"
    padding: NotNegative = 0.6
    fit: TextSize | None = None

    _check_text = field_validator("table")(check_cell_marks)
    _add_marks = field_validator("style", "head")(style_with_cell_marks)

    @property
    def styled(self) -> Style:
        """Return the style with this layer's changes."""
        return self.change(self.style, self.axes)

    @property
    def styles(self) -> tuple[Style, ...]:
        """Return the styles of the cells."""
        return (self.styled, self.head) if self.head else (self.styled,)

    def draw(self, canvas: Canvas) -> None:
        """Set each cell in its part of the box."""
        if not self.table or not any(any(row) for row in self.table):
            return
        self._check_counts()
        _TableOnCanvas(self, canvas).draw()

    def _check_counts(self) -> None:
        column_count = len(self.table[0])
        row_shares = () if isinstance(self.rows, str) else self.rows
        checks = (
            ("share", self.columns, column_count, "columns"),
            ("word", self.align, column_count, "columns"),
            ("share", row_shares, len(self.table), "rows"),
        )
        for kind, values, count, counted in checks:
            is_for_all = kind == "word" and len(values or ()) == 1  # one alignment for all columns
            if values and len(values) != count and not is_for_all:
                raise InvalidValueError(
                    f"{len(values)} {kind}s for {count} {counted}",
                    f"one {kind} for each of the {counted}",
                )


@dataclass(frozen=True)
class _TableOnCanvas:
    """A table being drawn on a canvas."""

    layer: TableLayer
    canvas: Canvas

    @cached_property
    def grid(self) -> _CellGrid:
        return _CellGrid.of(self.layer.table)

    @cached_property
    def cells(self) -> tuple[_TableCell, ...]:
        return tuple(self.grid.cells(self.layer.table))

    @cached_property
    def xs(self) -> list[float]:
        box = self.layer.box
        shares = self.layer.columns or (1.0,) * len(self.layer.table[0])
        return [box.x + box.w * share / sum(shares) for share in accumulate(shares, initial=0.0)]

    def draw(self) -> None:
        layer = self.layer
        scale, heights = self._row_heights()
        ys = list(accumulate(heights, initial=layer.box.y))
        for r, row in enumerate(self.grid.owners):
            for fill, group in groupby(
                enumerate(self._fill_of_row(top) for top, _ in row), lambda pair: pair[1]
            ):
                columns = [at for at, _ in group]
                left = self.xs[columns[0]]
                right = self.xs[columns[-1] + 1]
                if fill != "none":
                    self.canvas.rect(Rect(left, ys[r], right - left, heights[r]), fill)
        for cell in self.cells:
            self._draw_cell(cell, ys, scale)
        for r in range(1, len(layer.table)) if layer.line else ():
            for a, b in self.grid.separations(r, "across"):
                self._draw_line(
                    f"M{number(self.xs[a])} {number(ys[r])}H{number(self.xs[b])}", layer.line
                )
        for c in range(1, len(layer.table[0])) if layer.down else ():
            for a, b in self.grid.separations(c, "down"):
                self._draw_line(
                    f"M{number(self.xs[c])} {number(ys[a])}V{number(ys[b])}", layer.down
                )
        if layer.border:
            self.canvas.rect(layer.box, "none", layer.border)

    def _draw_line(self, path: str, line: Stroke | None) -> None:
        self.canvas.path(path, "none", line)

    def _fill_of_row(self, row: int) -> str | Gradient:
        """Return the fill behind cells that begin in a row: of the head, or of every second other row."""
        if not row:
            return self.layer.head_fill
        return self.layer.stripe if row % 2 == 0 else "none"

    def _row_heights(self) -> tuple[float, list[float]]:
        """Return the scale of the texts, and the height of each row in mm."""
        layer = self.layer
        count = len(layer.table)
        if layer.rows == "content":
            return self._heights_by_content()
        shares = (1.0,) * count if isinstance(layer.rows, str) else layer.rows
        return 1.0, [layer.box.h * share / sum(shares) for share in shares]

    def _heights_by_content(self) -> tuple[float, list[float]]:
        layer = self.layer
        smallest = min(layer.styled.size, (layer.head or layer.styled).size)
        scale, needed = fit_to_height(
            self._needed_heights, layer.box.h, layer.fit / smallest if layer.fit else 1.0
        )
        left = layer.box.h - sum(needed)
        if left < -EPSILON:
            found = f"the table is {number(-left)} mm too tall for its box at {number(points(smallest * scale))} pt"
            hint = "shorten the texts, enlarge the box, or allow smaller ones with `fit:`"
            raise InvalidValueError(found, f"at most {number(layer.box.h)} mm", hint, Kind.FIT)
        return scale, [height + left / len(needed) for height in needed]

    def _needed_heights(self, scale: float) -> list[float]:
        """Return the height in mm that each row needs for cells that span only this row."""
        heights = [self.layer.styled.size * scale + 2 * self.layer.padding] * len(self.layer.table)
        for cell in self.cells:
            first, after = cell.rows
            if after == first + 1 and cell.plain:
                left, right = (self.xs[c] for c in cell.columns)
                box = Rect(left, 0.0, right - left, TALL_BOX_MM).grown(-self.layer.padding)
                style = replace(self._cell_style(cell, scale), valign=VAlign.TOP)
                block = set_on(self.canvas, cell.plain, style, box, None)
                height = max(block.box.bottom - box.y, block.lines * style.size * style.leading)
                heights[first] = max(heights[first], height + 2 * self.layer.padding)
        return heights

    def _cell_style(self, cell: _TableCell, scale: float) -> Style:
        layer = self.layer
        column = cell.columns[0]
        style = layer.head if cell.rows[0] == 0 and layer.head else layer.styled
        align = (layer.align[column % len(layer.align)]) if layer.align else style.align
        return replace(style, valign=VAlign.MIDDLE, align=align, size=style.size * scale)

    def _draw_cell(self, cell: _TableCell, ys: Sequence[float], scale: float) -> None:
        if not cell.plain:
            return
        left, right = (self.xs[c] for c in cell.columns)
        top, bottom = (ys[r] for r in cell.rows)
        box = Rect(left, top, right - left, bottom - top).grown(-self.layer.padding)
        if min(box.size) <= 0:
            found = f"a padding of {number(self.layer.padding)} mm leaves no space in a cell"
            raise InvalidValueError(found, "a smaller padding")
        fit = None if self.layer.rows == "content" else self.layer.fit
        block = set_on(self.canvas, cell.plain, self._cell_style(cell, scale), box, fit)
        self.canvas.block(block)
        self.canvas.keep_safe("table", block.box)
