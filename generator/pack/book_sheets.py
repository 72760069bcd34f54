"""What workbooks of every kind give: sheets of rows, each cell the text that the spreadsheet shows."""

from dataclasses import dataclass, field

from generator.core.problems import Wrong


@dataclass(frozen=True)
class CellLook:
    """What a font says that is more than plain."""

    bold: bool = False
    italic: bool = False
    colour: str = ""


PLAIN = CellLook()
Rows = list[tuple[int, list[str]]]


@dataclass
class BookSheet:
    """A sheet's rows with their numbers; `marked` are cells with the look of the whole cell, by row and place."""

    rows: Rows = field(default_factory=list)
    marked: dict[tuple[int, int], str] = field(default_factory=dict)

    def add(self, number: int, cells: list[str], looks: list[CellLook]) -> None:
        """One more row; texts that hold markup already stay as they are."""
        self.rows.append((number, cells))
        for place, (cell, look) in enumerate(zip(cells, looks, strict=True)):
            shown_so = marked(cell, bold=look.bold, italic=look.italic, colour=look.colour)
            if shown_so != cell:
                self.marked[number, place] = shown_so


MOST_CELLS = 1_000_000
"""Cells of a sheet, the empty ones between others and repeated ones counted too."""


def marked(text: str, *, bold: bool = False, italic: bool = False, colour: str = "") -> str:
    """A part of a cell with its look as markup; blanks at its ends stay outside."""
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    stars = "*" * (2 * bold + italic)
    shown_text = f"{stars}{inner}{stars}"
    return before + (f"[{colour}]{shown_text}[/]" if colour else shown_text) + after


def check_cells(count: int, label: str) -> None:
    """Refuse a sheet that would fill the memory."""
    if count > MOST_CELLS:
        hint = "delete the rows below the table, and the columns beside it, of which a cell was once used"
        raise Wrong(f"{label} reaches over {count} cells", f"at most {MOST_CELLS}", hint)


def shown(value: object) -> str:
    """A value as a spreadsheet shows it: 3.0 is 3, and truth is TRUE."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
