"""Excel's workbooks, by the library openpyxl: what is more than a plain table of moderate size is read by a worker.

The library fills every cell that a merge or a link covers, which may be all seventeen thousand million of a sheet.
"""

import io
import json
import re
from collections.abc import Iterator
from datetime import date, datetime, time
from importlib.util import find_spec
from typing import Any
from zipfile import ZipFile

from generator.core.problems import Wrong
from generator.core.worker import Failed, TooMuch, Worker
from generator.pack.book_sheets import PLAIN, BookSheet, CellLook, check_cells, marked, shown

INSTALL = "it installed (`pip install openpyxl`), or the table saved as .ods or as CSV"
FEW_MARKS = 200_000
"""Beginnings and ends of elements that take the library less than a few seconds."""
TABLES = frozenset(
    b"worksheet sheetPr outlinePr pageSetUpPr dimension sheetViews sheetView pane selection sheetFormatPr cols col "
    b"sheetData row c v f is t r rPr b i u sz color rFont family scheme charset vertAlign pageMargins pageSetup".split()
)
"""What a plain table consists of."""

_ELEMENT = re.compile(rb"<(?:\w+:)?([A-Za-z]\w*)")


def excel_sheets(data: bytes, name: str, marks: int) -> dict[str, BookSheet]:
    """Every sheet, in order; `marks` says how large the workbook is."""
    if find_spec("openpyxl") is None:
        raise Wrong(f"{name} is an Excel workbook, which needs the library openpyxl", INSTALL)
    if marks <= FEW_MARKS and set(_ELEMENT.findall(_worksheets(data))) <= TABLES:
        return dict(_excel(data, name))
    try:
        with Worker() as worker:
            told = json.loads(worker.run(read_apart, data, name))
    except TooMuch as error:
        raise Wrong(f"{name} takes {error.why} to read", "a smaller workbook, or the table saved as CSV") from None
    except Failed as error:
        raise ValueError(str(error)) from None
    if "wrong" in told:
        raise Wrong(*told["wrong"])
    return {title: _unpacked(*sheet) for title, sheet in told["sheets"]}


def read_apart(data: bytes, name: str) -> bytes:
    """The worker's part: the sheets, or what is wrong with them, as JSON."""
    try:
        sheets = [(title, (sheet.rows, [*sheet.marked.items()])) for title, sheet in _excel(data, name)]
    except Wrong as wrong:
        return json.dumps({"wrong": (wrong.found, wrong.expected, wrong.hint)}).encode()
    return json.dumps({"sheets": sheets}).encode()


def _unpacked(rows: list[tuple[int, list[str]]], looks: list[tuple[tuple[int, int], str]]) -> BookSheet:
    return BookSheet([(number, cells) for number, cells in rows], {(line, at): cell for (line, at), cell in looks})


def _excel(data: bytes, name: str) -> Iterator[tuple[str, BookSheet]]:
    import openpyxl

    book: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True, rich_text=True)
    formulas: Any = openpyxl.load_workbook(io.BytesIO(data)) if b"<f" in _worksheets(data) else None
    for sheet in book.worksheets:
        check_cells(sheet.max_row * sheet.max_column, f"{name}: the sheet {sheet.title!r}")
        asked = formulas[sheet.title] if formulas else None
        made = BookSheet()
        for n, cells in enumerate(sheet.iter_rows(), 1):
            plain = [_cell(cell, asked, name) for cell in cells]
            made.add(n, plain, [PLAIN if isinstance(cell.value, list) else _font_look(cell.font) for cell in cells])
        yield sheet.title, made


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
