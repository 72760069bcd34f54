"""`table: $players` — rows parted by `/` or a new line, cells by `|`, or a list of rows; the first row is its head.

A cell that is `<` belongs to the one on its left, `^` to the one above it. A backslash before a sign makes it a sign
like others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby
from typing import ClassVar, Literal

from pydantic import field_validator

from generator.core.geometry import EPSILON, Rect
from generator.core.problems import Kind, Wrong
from generator.core.units import number, points
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.layers.text import DEEP, set_on, shared
from generator.pack.fields import Box, Line, NotNegative, Paint, StyleField, TextSize
from generator.pack.looks import Aligns, Rows, Shares, check_cell_marks, style_with_cell_marks
from generator.pack.style import Style, VAlign
from generator.picture.items import Gradient, Stroke

LEFT, ABOVE = "<", "^"


@dataclass(frozen=True)
class _TableCell:
    """A text and the columns and rows that it takes, each from its first to the one after its last."""

    text: str
    columns: tuple[int, int]
    rows: tuple[int, int]

    @property
    def plain(self) -> str:
        """Without the backslashes before signs that part cells."""
        return re.sub(r"\\([/|<^])", r"\1", self.text)


@dataclass(frozen=True)
class _CellGrid:
    """Which cell each place of a table belongs to."""

    owners: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]]) -> "_CellGrid":
        owners: list[list[tuple[int, int]]] = []
        for r, row in enumerate(rows):
            owners.append([])
            for c, text in enumerate(row):
                if (text == LEFT and not c) or (text == ABOVE and not r):
                    side = "left of" if text == LEFT else "above"
                    raise Wrong(f"{text!r} belongs to the cell {side} it, and there is none", f"\\{text} for the sign")
                near = {LEFT: (r, c - 1), ABOVE: (r - 1, c)}.get(text)
                owners[r].append(owners[near[0]][near[1]] if near else (r, c))
        return cls(tuple(map(tuple, owners)))

    def cells(self, rows: Sequence[Sequence[str]]) -> Iterator[_TableCell]:
        places: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for r, row in enumerate(self.owners):
            for c, owner in enumerate(row):
                places.setdefault(owner, []).append((r, c))
        for (r, c), taken in places.items():
            bottom, right = (max(place[at] for place in taken) + 1 for at in (0, 1))
            if len(taken) != (bottom - r) * (right - c):
                raise Wrong(
                    f"the cells that belong to {rows[r][c]!r} make no rectangle", f"{LEFT} and {ABOVE} in each of them"
                )
            yield _TableCell(rows[r][c], (c, right), (r, bottom))

    def parted(self, index: int, way: Literal["across", "down"]) -> Iterator[tuple[int, int]]:
        """Where a line before a row (or a column) parts two cells: from which column (or row) to which."""
        lines = self.owners if way == "across" else tuple(zip(*self.owners, strict=True))
        pairs = zip(lines[index - 1], lines[index], strict=True)
        for is_line, group in groupby(enumerate(a != b for a, b in pairs), lambda pair: pair[1]):
            taken = [at for at, _ in group]
            if is_line:
                yield taken[0], taken[-1] + 1


class TableLayer(DrawnLayer):
    """A table that fills its box: `columns` and `rows` are their shares of it, or rows are as high as their `content`.

    `line` lies between rows, `down` between columns, `border` round it; `align` has a word for each column.
    """

    main: ClassVar[str | None] = "table"
    table: Rows
    box: Box
    style: StyleField
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

    _readable = field_validator("table")(check_cell_marks)
    _looks = field_validator("style", "head")(style_with_cell_marks)

    def draw(self, canvas: Canvas) -> None:
        """Set each cell in its part of the box."""
        if not self.table or not any(any(row) for row in self.table):
            return
        self._check()
        _TableOnCanvas(self, canvas).draw()

    def _check(self) -> None:
        wide, high = len(self.table[0]), len(self.table)
        told = ("share", self.columns, wide, "columns"), ("word", self.align, wide, "columns")
        shares = () if isinstance(self.rows, str) else self.rows
        for what, given, count, of in (*told, ("share", shares, high, "rows")):
            if given and len(given) != count and (what, len(given)) != ("word", 1):
                raise Wrong(f"{len(given)} {what}s for {count} {of}", f"one {what} for each of the {of}")


@dataclass(frozen=True)
class _TableOnCanvas:
    """A table on its canvas."""

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
        scale, heights = self._heights()
        ys = list(accumulate(heights, initial=layer.box.y))
        for r, row in enumerate(self.grid.owners):
            for fill, group in groupby(enumerate(self._fill(top) for top, _ in row), lambda pair: pair[1]):
                taken = [at for at, _ in group]
                left, right = self.xs[taken[0]], self.xs[taken[-1] + 1]
                if fill != "none":
                    self.canvas.rect(Rect(left, ys[r], right - left, heights[r]), fill)
        for cell in self.cells:
            self._set(cell, ys, scale)
        for r in range(1, len(layer.table)) if layer.line else ():
            for a, b in self.grid.parted(r, "across"):
                self._draw(f"M{number(self.xs[a])} {number(ys[r])}H{number(self.xs[b])}", layer.line)
        for c in range(1, len(layer.table[0])) if layer.down else ():
            for a, b in self.grid.parted(c, "down"):
                self._draw(f"M{number(self.xs[c])} {number(ys[a])}V{number(ys[b])}", layer.down)
        if layer.border:
            self.canvas.rect(layer.box, "none", layer.border)

    def _draw(self, path: str, line: Stroke | None) -> None:
        self.canvas.path(path, "none", line)

    def _fill(self, row: int) -> str | Gradient:
        """What lies behind cells that begin in a row: the head's, and in every second of the others the stripe."""
        if not row:
            return self.layer.head_fill
        return self.layer.stripe if row % 2 == 0 else "none"

    def _heights(self) -> tuple[float, list[float]]:
        """How much smaller the texts are set, and how high each row is."""
        layer = self.layer
        count = len(layer.table)
        if layer.rows == "content":
            return self._by_content()
        shares = (1.0,) * count if isinstance(layer.rows, str) else layer.rows
        return 1.0, [layer.box.h * share / sum(shares) for share in shares]

    def _by_content(self) -> tuple[float, list[float]]:
        layer = self.layer
        smallest = min(layer.style.size, (layer.head or layer.style).size)
        scale, needed = shared(self._needed, layer.box.h, layer.fit / smallest if layer.fit else 1.0)
        left = layer.box.h - sum(needed)
        if left < -EPSILON:
            found = f"the table is {number(-left)} mm too tall for its box at {number(points(smallest * scale))} pt"
            hint = "shorten the texts, enlarge the box, or allow smaller ones with `fit:`"
            raise Wrong(found, f"at most {number(layer.box.h)} mm", hint, Kind.FIT)
        return scale, [height + left / len(needed) for height in needed]

    def _needed(self, scale: float) -> list[float]:
        """How high each row must be for those of its cells that are in it alone."""
        heights = [self.layer.style.size * scale + 2 * self.layer.padding] * len(self.layer.table)
        for cell in self.cells:
            first, after = cell.rows
            if after == first + 1 and cell.plain:
                left, right = (self.xs[c] for c in cell.columns)
                box = Rect(left, 0.0, right - left, DEEP).grown(-self.layer.padding)
                style = replace(self._style(cell, scale), valign=VAlign.TOP)
                made = set_on(self.canvas, cell.plain, style, box, None)
                tall = max(made.box.bottom - box.y, made.lines * style.size * style.leading)
                heights[first] = max(heights[first], tall + 2 * self.layer.padding)
        return heights

    def _style(self, cell: _TableCell, scale: float) -> Style:
        layer, column = self.layer, cell.columns[0]
        style = layer.head if cell.rows[0] == 0 and layer.head else layer.style
        align = (layer.align[column % len(layer.align)]) if layer.align else style.align
        return replace(style, valign=VAlign.MIDDLE, align=align, size=style.size * scale)

    def _set(self, cell: _TableCell, ys: Sequence[float], scale: float) -> None:
        if not cell.plain:
            return
        (left, right), (top, bottom) = (self.xs[c] for c in cell.columns), (ys[r] for r in cell.rows)
        box = Rect(left, top, right - left, bottom - top).grown(-self.layer.padding)
        if min(box.size) <= 0:
            found = f"a padding of {number(self.layer.padding)} mm leaves a cell no room"
            raise Wrong(found, "a smaller padding")
        fit = None if self.layer.rows == "content" else self.layer.fit
        block = set_on(self.canvas, cell.plain, self._style(cell, scale), box, fit)
        self.canvas.block(block)
        self.canvas.keep_safe("table", block.box)
