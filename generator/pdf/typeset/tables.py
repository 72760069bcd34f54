"""Lay out tables among rules: at their natural width, and split if they are long."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.core.units import MM_PER_PT, number
from generator.pdf.typeset.boxes import FlowBox, FlowItem, Heights, words
from generator.pdf.typeset.code import BODY, RuleCoder
from generator.pdf.typeset.pages import LOOSE, Tie
from generator.rules.model import Line, Table, plain
from generator.text.shape import measure

# Background colours of the head, and of the first column of a table by players.
SHADES = "#efe6d4", "#f4ecdc"

# Rows; a longer table may continue in the next column.
MAX_UNSPLIT_ROWS = 9

# The share of a table's width that all columns but the widest may take without line breaks.
MAX_NATURAL_SHARE = 0.72

# Points of padding at each side of a cell.
CELL_PADDING_PT = 5.0


@dataclass(frozen=True)
class Tables:
    """Makes the items of tables."""

    coder: RuleCoder
    heights: Heights

    def items(self, block: Table) -> Iterator[FlowItem]:
        """Return a table; a long one is split into stretches, each below the head."""
        notes = self.coder.notes(*block.head, *(cell for row in block.rows for cell in row))
        if len(block.rows) <= MAX_UNSPLIT_ROWS:

            def box(width: float, _share: float) -> FlowBox:
                return words(self.heights, self._table(block, block.rows, self._columns(block, width)))(width)

            yield FlowItem(box, before=1.6, after=3.2, notes=notes)
            return
        for start in range(0, len(block.rows), MAX_UNSPLIT_ROWS):
            part = self._table(block, block.rows[start : start + MAX_UNSPLIT_ROWS], _shares(block))
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
        if sum(wide) - max(wide) > MAX_NATURAL_SHARE * width:
            return f"(auto,) * {len(wide)}"
        numbers = range(len(wide))
        texts = [number for number in numbers if block.aligns[number] != "right"]
        grows = max(texts or numbers, key=lambda number: wide[number])
        return "(" + ", ".join("1fr" if number == grows else "auto" for number in numbers) + ",)"

    def _wide(self, line: Line) -> float:
        """Return the approximate width of a cell without line breaks."""
        font = self.coder.fonts.find(BODY, 700)
        return 2 * CELL_PADDING_PT * MM_PER_PT + measure(plain(line), font, self.coder.form.text * MM_PER_PT)

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
            f"inset: (x: {number(CELL_PADDING_PT)}pt, y: 3.4pt), fill: (x, y) => {shaded}, "
            f"stroke: (x, y) => (bottom: {line}), {head}{rows}) }}"
        )


def _shares(block: Table) -> str:
    """Return the column shares of a long table by its longest cells, so that its stretches are alike."""
    longest = [max(len(plain(row[n])) for row in (block.head, *block.rows)) for n in range(len(block.head))]
    return "(" + ", ".join(f"{min(60, max(5, length))}fr" for length in longest) + ",)"
