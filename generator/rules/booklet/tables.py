"""Set the tables of rules as items of a booklet's flow. Lengths in mm; type in points."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.base.units import MM_PER_PT, number
from generator.rules.booklet.boxes import FlowBox, FlowItem, Heights, words
from generator.rules.booklet.pages import LOOSE, Tie
from generator.rules.booklet.typst_code import BODY, RuleCoder
from generator.rules.model import Line, Table, plain
from generator.text.shape import measure

# Background colours of the head, and of the first column of a table by players.
SHADES = "#efe6d4", "#f4ecdc"

# Rows of a table that stays in one column; a longer one may continue in the next. Nine rows of one line
# take a quarter of a column to read: keeping more together would leave a hole of that height.
MAX_UNSPLIT_ROWS = 9

# The share of a table's width that all columns but the widest may take without line breaks.
MAX_NATURAL_SHARE = 0.72

# Padding at each side of a cell.
CELL_PADDING_PT = 5.0

# The longest cell of a column, in letters, gives the share of the width that the column of a long
# table gets, within these limits.
MIN_COLUMN_LETTERS = 5
MAX_COLUMN_LETTERS = 60


def set_table(coder: RuleCoder, heights: Heights, block: Table) -> Iterator[FlowItem]:
    """Yield a table as one item; a long one as several stretches of rows, each below the head."""
    notes = coder.notes(*block.head, *(cell for row in block.rows for cell in row))
    if len(block.rows) <= MAX_UNSPLIT_ROWS:

        def box(width: float, _share: float) -> FlowBox:
            columns = _natural_columns(coder, block, width)
            return words(heights, _write_table(coder, block, block.rows, columns))(width)

        yield FlowItem(box, before=1.6, after=3.2, notes=notes)
        return
    for start in range(0, len(block.rows), MAX_UNSPLIT_ROWS):
        rows = block.rows[start : start + MAX_UNSPLIT_ROWS]
        code = _write_table(coder, block, rows, _shared_columns(block))
        yield _set_stretch(heights, code, () if start else notes)


def _set_stretch(heights: Heights, code: str, notes: tuple[str, ...]) -> FlowItem:
    """Return some rows of a long table as an item, loosely tied to the rows that follow."""
    set_words = words(heights, code)
    return FlowItem(
        lambda width, _share: set_words(width), after=1.2, notes=notes, tie=Tie(LOOSE), give=0.5
    )


def _natural_columns(coder: RuleCoder, block: Table, width: float) -> str:
    """Return the widths of a table's columns as typst code: as wide as their words want.

    The widest column takes the width that the others leave, if that is not too little. Columns of
    numbers, aligned right, stay narrow.
    """
    if block.players:
        return f"(1fr,) * {len(block.head)}"
    columns = range(len(block.head))
    widths = [
        max(_cell_width(coder, row[column]) for row in (block.head, *block.rows))
        for column in columns
    ]
    if sum(widths) - max(widths) > MAX_NATURAL_SHARE * width:
        return f"(auto,) * {len(widths)}"
    texts = [column for column in columns if block.aligns[column] != "right"]
    grows = max(texts or columns, key=lambda column: widths[column])
    return "(" + ", ".join("1fr" if column == grows else "auto" for column in columns) + ",)"


def _cell_width(coder: RuleCoder, line: Line) -> float:
    """Return the approximate width of a cell without line breaks."""
    font = coder.fonts.find(BODY, 700)
    return 2 * CELL_PADDING_PT * MM_PER_PT + measure(plain(line), font, coder.form.text * MM_PER_PT)


def _shared_columns(block: Table) -> str:
    """Return the column widths of a long table by its longest cells, so that its stretches are alike."""
    longest = [
        max(len(plain(row[column])) for row in (block.head, *block.rows))
        for column in range(len(block.head))
    ]
    shares = (min(MAX_COLUMN_LETTERS, max(MIN_COLUMN_LETTERS, length)) for length in longest)
    return "(" + ", ".join(f"{share}fr" for share in shares) + ",)"


def _write_table(
    coder: RuleCoder, block: Table, lines: Sequence[tuple[Line, ...]], columns: str
) -> str:
    """Return typst code for some rows of a table below its head."""
    style = coder.rules.style
    aligns = ", ".join(
        {"center": "center", "right": "right"}.get(align, "left") for align in block.aligns
    )
    cells = "".join(f"[#strong[{coder.inline(cell, coder.text)}]], " for cell in block.head)
    head = f"table.header({cells}), " if any(map(plain, block.head)) else ""
    rows = "".join(f"[{coder.inline(cell, coder.text)}], " for line in lines for cell in line)
    head_fill, side_fill = [style.theme.box] * 2 if style.theme.box else SHADES
    # No row is number -1: a table without a head has no row with its looks.
    top = f"y == {0 if head else -1}"
    shaded = (
        f'if {top} {{ rgb("{head_fill}") }}'
        + f' else if x == 0 {{ rgb("{side_fill}") }}' * block.players
    )
    line = f'if {top} {{ 0.9pt + rgb("{style.accent}") }} else {{ 0.3pt + luma(28%) }}'
    return (
        f"{{ {coder.set_rules(replace(coder.text, align='left'))} set text(hyphenate: false); "
        f"table(columns: {columns}, align: ({aligns},), "
        f"inset: (x: {number(CELL_PADDING_PT)}pt, y: 3.4pt), fill: (x, y) => {shaded}, "
        f"stroke: (x, y) => (bottom: {line}), {head}{rows}) }}"
    )
