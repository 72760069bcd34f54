"""Tables among the blocks of rules: as wide as their column where that is natural, and parted where they are long."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.core.units import MM_PER_PT, number
from generator.pdf.typeset.boxes import FlowBox, FlowItem, Heights, words
from generator.pdf.typeset.code import BODY, RuleCoder
from generator.pdf.typeset.pages import LOOSE, Tie
from generator.rules.model import Line, Table, plain
from generator.text.shape import measure

SHADES = "#efe6d4", "#f4ecdc"
"""Of a table's head, and of the first column of a table by players."""

LONG_TABLE = 9
"""Rows; a table with more of them may go on in the next column."""

MOST = 0.72
"""The share of a table's width that all columns but the widest may take without a break in their words."""

CELL = 5.0
"""Points at both sides of a table's cells."""


@dataclass(frozen=True)
class Tables:
    """Makes the items of tables."""

    coder: RuleCoder
    heights: Heights

    def items(self, block: Table) -> Iterator[FlowItem]:
        """A table; a long one in stretches that may stand in different columns, each under the head."""
        notes = self.coder.notes(*block.head, *(cell for row in block.rows for cell in row))
        if len(block.rows) <= LONG_TABLE:

            def box(width: float, _share: float) -> FlowBox:
                return words(self.heights, self._table(block, block.rows, self._columns(block, width)))(width)

            yield FlowItem(box, before=1.6, after=3.2, notes=notes)
            return
        for start in range(0, len(block.rows), LONG_TABLE):
            part = self._table(block, block.rows[start : start + LONG_TABLE], _shares(block))
            yield self._stretch(part, () if start else notes)

    def _stretch(self, code: str, notes: tuple[str, ...]) -> FlowItem:
        made = words(self.heights, code)
        return FlowItem(lambda width, _share: made(width), after=1.2, notes=notes, tie=Tie(LOOSE), give=0.5)

    def _columns(self, block: Table, width: float) -> str:
        """Return the widths of a table's columns as typst's code: as wide as their words want.

        The widest column takes the width that the others leave, if that is not too little. Columns of numbers, aligned
        right, stay narrow.
        """
        if block.players:
            return f"(1fr,) * {len(block.head)}"
        wide = [max(self._wide(row[n]) for row in (block.head, *block.rows)) for n in range(len(block.head))]
        if sum(wide) - max(wide) > MOST * width:
            return f"(auto,) * {len(wide)}"
        numbers = range(len(wide))
        texts = [number for number in numbers if block.aligns[number] != "right"]
        grows = max(texts or numbers, key=lambda number: wide[number])
        return "(" + ", ".join("1fr" if number == grows else "auto" for number in numbers) + ",)"

    def _wide(self, line: Line) -> float:
        """About how wide a cell is whose words stand on one line."""
        font = self.coder.fonts.find(BODY, 700)
        return 2 * CELL * MM_PER_PT + measure(plain(line), font, self.coder.form.text * MM_PER_PT)

    def _table(self, block: Table, lines: Sequence[tuple[Line, ...]], columns: str) -> str:
        coder = self.coder
        look = self.coder.rules.look
        aligns = ", ".join({"center": "center", "right": "right"}.get(align, "left") for align in block.aligns)
        cells = "".join(f"[#strong[{coder.inline(cell, coder.text)}]], " for cell in block.head)
        head = f"table.header({cells}), " if any(map(plain, block.head)) else ""
        rows = "".join(f"[{coder.inline(cell, coder.text)}], " for line in lines for cell in line)
        head_fill, side_fill = [look.theme.box] * 2 if look.theme.box else SHADES
        top = f"y == {0 if head else -1}"
        shaded = f'if {top} {{ rgb("{head_fill}") }}' + f' else if x == 0 {{ rgb("{side_fill}") }}' * block.players
        line = f'if {top} {{ 0.9pt + rgb("{look.accent}") }} else {{ 0.3pt + luma(28%) }}'
        return (
            f"{{ {coder.style(replace(coder.text, align='left'))} set text(hyphenate: false); "
            f"table(columns: {columns}, align: ({aligns},), "
            f"inset: (x: {number(CELL)}pt, y: 3.4pt), fill: (x, y) => {shaded}, "
            f"stroke: (x, y) => (bottom: {line}), {head}{rows}) }}"
        )


def _shares(block: Table) -> str:
    """Those of a long table by the longest cells of all its rows, so that its stretches are alike."""
    longest = [max(len(plain(row[n])) for row in (block.head, *block.rows)) for n in range(len(block.head))]
    return "(" + ", ".join(f"{min(60, max(5, length))}fr" for length in longest) + ",)"
