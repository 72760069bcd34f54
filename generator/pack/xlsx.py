"""Tables from Excel workbooks, by the extra `xlsx`."""

import io
from collections.abc import Iterator
from typing import Any

from generator.core.problems import Wrong, unknown

INSTALL = "pip install 'pnp-generator[xlsx]'"


def read_rows(data: bytes, name: str, sheet: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet (the first if none is named) as text, with their numbers."""
    try:
        import openpyxl
    except ImportError:
        raise Wrong(f"{name} is an Excel workbook, which needs a library that is not installed", INSTALL) from None
    try:
        book: Any = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except Exception as error:
        raise Wrong(f"{name} cannot be read as a workbook ({error})", "an .xlsx file, or a CSV") from error
    if sheet and sheet not in book.sheetnames:
        raise unknown("sheet", sheet, book.sheetnames)
    rows = (book[sheet] if sheet else book.worksheets[0]).iter_rows(values_only=True)
    for number, cells in enumerate(rows, 1):
        yield number, [_text(cell) for cell in cells]
    book.close()


def _text(cell: object) -> str:
    """A cell as the spreadsheet shows it: 3.0 is 3, and truth is TRUE."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
