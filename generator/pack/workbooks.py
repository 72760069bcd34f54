"""Sheets of workbooks as rows of texts: Excel's (by the library openpyxl) and OpenDocument's.

A cell is the text that the spreadsheet shows: dates in their format, 3 for 3.0, TRUE. Words in bold, in italics or in
a colour of their own keep it as markup; what a whole cell looks like is kept beside it.
"""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any
from xml.etree import ElementTree as ET
from zipfile import ZipFile

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


LARGEST = 40_000_000
"""Bytes of a workbook's tables and styles once they are unpacked."""
MOST_MARKS = 2_000_000
"""Beginnings and ends of elements in them; a cell has four or more."""
MOST_CELLS = 1_000_000
"""Cells of a sheet, the empty ones between others and repeated ones counted too."""
WIDEST = 500
"""Columns, and as many rows of one content, that a workbook may repeat."""

INSTALL = "it installed (`pip install openpyxl`), or the table saved as .ods or as CSV"


def sheets_of(data: bytes, name: str) -> dict[str, BookSheet]:
    """Every sheet, in order."""
    try:
        content = _content(data, name)
        return dict(_excel(data, name) if content is None else _open_document(content, name))
    except (Wrong, MemoryError):
        raise
    except Exception as error:  # an archive can be damaged in as many ways as it has parts
        said = f" ({error})" if str(error) else ""
        raise Wrong(f"{name} cannot be read as a workbook{said}", "an .xlsx or .ods file, or a CSV") from error


def _content(data: bytes, name: str) -> bytes | None:
    """What an OpenDocument says, nothing of an Excel workbook; either is refused where it unpacks to too much."""
    with ZipFile(io.BytesIO(data)) as whole:
        texts = [part for part in whole.infolist() if part.filename.endswith((".xml", ".rels", ".vml"))]
        if sum(part.file_size for part in texts) > LARGEST:
            raise Wrong(f"{name} is too large once it is unpacked", f"at most {LARGEST // 1_000_000} MB")
        if sum(whole.read(part).count(b"<") for part in texts) > MOST_MARKS:
            raise Wrong(f"{name} has too many cells", f"at most {MOST_CELLS}, the empty ones counted too")
        return whole.read("content.xml") if "content.xml" in whole.namelist() else None


def marked(text: str, *, bold: bool = False, italic: bool = False, colour: str = "") -> str:
    """A part of a cell with its look as markup; blanks at its ends stay outside."""
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    stars = "*" * (2 * bold + italic)
    shown_text = f"{stars}{inner}{stars}"
    return before + (f"[{colour}]{shown_text}[/]" if colour else shown_text) + after


def _excel(data: bytes, name: str) -> Iterator[tuple[str, BookSheet]]:
    try:
        import openpyxl
    except ImportError:
        raise Wrong(f"{name} is an Excel workbook, which needs the library openpyxl", INSTALL) from None
    book: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True, rich_text=True)
    formulas: Any = openpyxl.load_workbook(io.BytesIO(data)) if b"<f" in _worksheets(data) else None
    for sheet in book.worksheets:
        _check_cells(sheet.max_row * sheet.max_column, f"{name}: the sheet {sheet.title!r}")
        asked = formulas[sheet.title] if formulas else None
        made = BookSheet()
        for n, cells in enumerate(sheet.iter_rows(), 1):
            plain = [_cell(cell, asked, name) for cell in cells]
            made.add(n, plain, [PLAIN if isinstance(cell.value, list) else _font_look(cell.font) for cell in cells])
        yield sheet.title, made


def _check_cells(count: int, label: str) -> None:
    if count > MOST_CELLS:
        hint = "delete the rows below the table, and the columns beside it, of which a cell was once used"
        raise Wrong(f"{label} reaches over {count} cells", f"at most {MOST_CELLS}", hint)


def _worksheets(data: bytes) -> bytes:
    with ZipFile(io.BytesIO(data)) as whole:
        return b"".join(whole.read(part) for part in whole.namelist() if part.startswith("xl/worksheets/"))


def _cell(cell: Any, formulas: Any, name: str) -> str:
    value = cell.value
    if value is None:
        if formulas is not None and str(formulas[cell.coordinate].value or "").startswith("="):
            found = f"{name}: the formula in {cell.coordinate} of {cell.parent.title!r} was never worked out"
            raise Wrong(found, "a workbook that was opened and saved in a spreadsheet")
        return ""
    if isinstance(value, list):
        return "".join(_rich(part) for part in value)
    if isinstance(value, datetime | date | time):
        return shown_date(value, str(cell.number_format))
    if isinstance(value, float | int) and not isinstance(value, bool):
        return shown_number(value, str(cell.number_format))
    return shown(value)


def _rich(part: Any) -> str:
    if isinstance(part, str):
        return part
    look = _font_look(part.font)
    return marked(part.text, bold=look.bold, italic=look.italic, colour=look.colour)


def _font_look(font: Any) -> CellLook:
    if font is None:
        return PLAIN
    rgb = font.color.rgb if font.color is not None and isinstance(font.color.rgb, str) else ""
    return CellLook(bool(font.b), bool(font.i), f"#{rgb[-6:].lower()}" if rgb and rgb[-6:] != "000000" else "")


def shown(value: object) -> str:
    """A value as a spreadsheet shows it: 3.0 is 3, and truth is TRUE."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def shown_number(value: float, code: str) -> str:
    """A number in a format with a fixed number of decimals, or as a percentage; plain in any other."""
    match = re.fullmatch(r"0(?:\.(0+))?(%?)", code)
    if match is None or (code == "0" and value != int(value)):
        return shown(value)
    return f"{value * (100 if match[2] else 1):.{len(match[1] or '')}f}{match[2]}"


_DATE = re.compile(r"\[[^\]]*\]|\"([^\"]*)\"|\\(.)|(AM/PM)|([yY]+|[mM]+|[dD]+|[hH]+|[sS]+)|(.)", re.DOTALL)


def shown_date(value: datetime | date | time, code: str) -> str:
    """A date in a spreadsheet's format, such as `d mmm yyyy`; `m` beside hours or seconds is minutes."""
    if code == "General":
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    parts = list(_DATE.finditer(code.split(";", maxsplit=1)[0]))
    letters = [(match[4] or "")[:1].lower() for match in parts]
    out = []
    for index, match in enumerate(parts):
        near = "".join(letters[:index])[-1:] + "".join(letters[index + 1 :])[:1]
        is_minute = letters[index] == "m" and (near[:1] == "h" or near[-1:] == "s") and len(match[4]) <= 2
        out.append(_date_part(value, match, is_minute=is_minute, half="AM/PM" in code))
    return "".join(out)


def _date_part(value: Any, match: re.Match[str], *, is_minute: bool, half: bool) -> str:
    if match[4] is None:
        return value.strftime("%p") if match[3] else match[1] or match[2] or match[5] or ""
    kind, count = match[4][0].lower(), len(match[4])
    if kind == "y":
        return str(value.year) if count > 2 else f"{value.year % 100:02}"
    if kind == "m" and not is_minute:
        return value.strftime({3: "%b", 4: "%B"}.get(count, "%m")) if count > 1 else str(value.month)
    if kind == "d" and count > 2:
        return str(value.strftime("%a" if count == 3 else "%A"))
    number = {"m": "minute", "d": "day", "h": "hour", "s": "second"}[kind]
    amount = getattr(value, number, 0)
    amount = (amount - 1) % 12 + 1 if kind == "h" and half else amount
    return f"{amount:02}" if count > 1 else str(amount)


OFFICE, TABLE, TEXT, STYLE, FO = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{part}:1.0}}"
    for part in ("office", "table", "text", "style", "xsl-fo-compatible")
)


def _open_document(content: bytes, name: str) -> Iterator[tuple[str, BookSheet]]:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise Wrong(f"{name} defines entities", "a workbook as a spreadsheet saves it")
    root = ET.fromstring(content)
    looks = {style.get(f"{STYLE}name", ""): _look(style) for style in root.iter(f"{STYLE}style")}
    for table in root.iter(f"{TABLE}table"):
        title = table.get(f"{TABLE}name", "")
        yield title, _sheet(table, looks, f"{name}: the sheet {title!r}")


def _look(style: ET.Element) -> CellLook:
    properties = style.find(f"{STYLE}text-properties")
    found = {} if properties is None else {key.rpartition("}")[2]: value for key, value in properties.attrib.items()}
    colour = found.get("color", "")
    is_plain = colour == "#000000" or not colour.startswith("#")
    return CellLook(found.get("font-weight") == "bold", found.get("font-style") == "italic", "" if is_plain else colour)


def _sheet(table: ET.Element, looks: Mapping[str, CellLook], label: str) -> BookSheet:
    made, number, count = BookSheet(), 1, 0
    columns = [
        column.get(f"{TABLE}default-cell-style-name", "")
        for column in table.iter(f"{TABLE}table-column")
        for _ in range(min(int(column.get(f"{TABLE}number-columns-repeated", "1")), WIDEST))
    ]
    for row in table.iter(f"{TABLE}table-row"):
        cells = list(_cells(row, looks))
        texts = [text for text, _ in cells]
        styles = [name or (columns[at] if at < len(columns) else "") for at, (_, name) in enumerate(cells)]
        times = int(row.get(f"{TABLE}number-rows-repeated", "1"))
        count += len(cells) * min(times, WIDEST)
        _check_cells(count, label)
        for n in range(min(times, WIDEST) if any(texts) else 0):
            made.add(number + n, texts, [looks.get(name, PLAIN) for name in styles])
        number += times
    return made


def _cells(row: ET.Element, looks: Mapping[str, CellLook]) -> Iterator[tuple[str, str]]:
    """Each cell's text, and its style's name."""
    waiting = 0
    for cell in row:
        if cell.tag not in {f"{TABLE}table-cell", f"{TABLE}covered-table-cell"}:
            continue
        text = _open_cell(cell, looks)
        times = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        if not text:
            waiting += times
            continue
        yield from [("", "")] * min(waiting, WIDEST)
        yield from [(text, cell.get(f"{TABLE}style-name", ""))] * min(times, WIDEST)
        waiting = 0


def _open_cell(cell: ET.Element, looks: Mapping[str, CellLook]) -> str:
    kind, value = cell.get(f"{OFFICE}value-type", ""), cell.get(f"{OFFICE}value", "")
    if kind == "float" and value:
        return shown(float(value))
    if kind == "boolean":
        return cell.get(f"{OFFICE}boolean-value", "").upper()
    return "\n".join("".join(_spans(paragraph, looks)) for paragraph in cell.findall(f"{TEXT}p"))


def _spans(node: ET.Element, looks: Mapping[str, CellLook]) -> Iterator[str]:
    yield node.text or ""
    for part in node:
        tag = part.tag.rpartition("}")[2]
        if tag == "span":
            look = looks.get(part.get(f"{TEXT}style-name", ""), PLAIN)
            yield marked("".join(_spans(part, looks)), bold=look.bold, italic=look.italic, colour=look.colour)
        elif tag in {"s", "tab", "line-break"}:
            yield {"s": " " * min(int(part.get(f"{TEXT}c", "1")), WIDEST), "tab": "\t"}.get(tag, "\n")
        elif tag != "annotation":
            yield from _spans(part, looks)
        yield part.tail or ""
