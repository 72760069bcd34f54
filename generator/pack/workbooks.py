"""Read workbooks: plain values by python-calamine, cell formats by openpyxl.

A file of 7 kB may ask for thousands of millions of cells, and neither library can be interrupted.
So both run in a worker with bounds on time and memory. The worker measures the archive, walks its
XML, and gives python-calamine a new archive that holds only the parts that were measured: a second
ZIP reader cannot find anything else in it.

The walk also finds what python-calamine does not report: errors (it returns an empty text for
`#REF!`, and for a formula without a result), and the merged cells of OpenDocument files.
"""

import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from generator.base.errors import InvalidValueError, join_some, list_ranges
from generator.base.worker import Worker, WorkError, WorkLimitError
from generator.pack.expression_functions import column_letters

MAX_UNPACKED_BYTES = 40_000_000
"""Total size of the XML parts of a workbook."""
MAX_BRACKETS = 1_500_000
"""Number of `<` in these parts; a cell has four or more."""

MAX_NAMED_CELLS = 8
"""Number of cells that a message names."""

CellValue = str | float | bool
ValueRows = tuple[tuple[int, tuple[CellValue, ...]], ...]


@dataclass(frozen=True)
class WorkbookSheet:
    """A sheet of a workbook: the rows that are not empty, each with its number, or the first problem in them."""

    title: str
    rows: ValueRows
    problem: InvalidValueError | None = None
    merged: tuple[tuple[int, int, int, int], ...] = ()
    """Its merged cells: first line and column, then last ones, from 1; `rows` has the first cell."""
    uncalculated: tuple[str, ...] = ()
    """Its cells with a formula that no program has calculated; `rows` has no text for them."""
    hidden: str = ""
    """A description of the hidden rows and columns with values, or of the sheet if it is hidden; they are in `rows`."""

    def describe_uncalculated(self) -> str:
        """Return the words for its formulas that were never calculated, with their cells."""
        names = ", ".join(self.uncalculated[:MAX_NAMED_CELLS])
        others = len(self.uncalculated) - MAX_NAMED_CELLS
        cells = "cell" if others == 1 else "cells"
        more = f" and {others} more {cells}" if others > 0 else ""
        formulas = "formula" if len(self.uncalculated) == 1 else "formulas"
        was = "was" if len(self.uncalculated) == 1 else "were"
        return f"the {formulas} in {names}{more} of {self.title!r} {was} never calculated"


# The sheets of one workbook are often the tables of several components: `cards.xlsx#heroes`.
@lru_cache(maxsize=1)
def read_sheets(data: bytes, name: str, max_cells: int) -> tuple[WorkbookSheet, ...]:
    """Return all sheets of an .xlsx or .ods file, in order.

    Dates and times are ISO 8601 texts, with a blank instead of the T.

    Raises:
        InvalidValueError: if the file is damaged, protected by a password, or too large.

    """
    sheets = []
    for title, rows, problem, merged, uncalculated, hidden in _run_in_worker(
        read_sheets_in_worker, name, data, max_cells
    ):
        cells = tuple((number, tuple(values)) for number, values in rows)
        wrong = InvalidValueError(*problem) if problem else None
        blocks = tuple((top, left, bottom, right) for top, left, bottom, right in merged)
        sheets.append(WorkbookSheet(title, cells, wrong, blocks, tuple(uncalculated), hidden))
    return tuple(sheets)


def read_formats(
    data: bytes,
    name: str,
    sheet: str | None,
    head: int,
    columns: Sequence[str],
    lines: Sequence[int],
) -> Mapping[str, Mapping[int, str]]:
    """Return the cells of some columns of an .xlsx file as their formats show them, by column and line.

    Numbers, dates and times are in their number formats. Bold, italic and coloured words are markup.

    Args:
        data: the content of the file.
        name: the file's name, for messages.
        sheet: the sheet's title, or None for the first sheet.
        head: the line that holds the names of the columns.
        columns: the columns to read.
        lines: the lines to read.

    Raises:
        InvalidValueError: if openpyxl is not installed or cannot read the file.

    """
    if find_spec("openpyxl") is None:
        raise InvalidValueError(
            "cell formats need the library openpyxl",
            "openpyxl installed",
            'pip install "pnp-generator[xlsx]"',
        )
    cells = _run_in_worker(
        read_formats_in_worker, name, data, sheet, head, list(columns), list(lines)
    )
    return {column: dict(texts) for column, texts in cells}


def _run_in_worker(function: Callable[..., bytes], name: str, *args: object) -> Any:
    try:
        with Worker() as worker:
            answer = json.loads(worker.run(function, name, *args))
    except WorkLimitError as error:
        hint = "delete rows and columns that are not part of the table"
        raise InvalidValueError(
            f"{name} takes {error.why} to read",
            "a smaller workbook, or the table saved as CSV",
            hint,
        ) from None
    except WorkError as error:
        reason = f" ({error})" if str(error) else ""
        expected = "an .xlsx or .ods file as a spreadsheet saves it, or a CSV"
        raise InvalidValueError(f"{name} cannot be read as a workbook{reason}", expected) from None
    if "problem" in answer:
        raise InvalidValueError(*answer["problem"])
    return answer["result"]


def _to_json(function: Callable[..., object], *args: object) -> bytes:
    try:
        return json.dumps({"result": function(*args)}).encode()
    except InvalidValueError as wrong:
        return json.dumps({"problem": _problem_fields(wrong)}).encode()


def _problem_fields(wrong: InvalidValueError) -> tuple[str, str, str]:
    return wrong.found, wrong.expected, wrong.hint


# --- The rest of this module runs in the worker. ---


def read_sheets_in_worker(name: str, data: bytes, max_cells: int) -> bytes:
    """Return the sheets of a workbook, or its problem, as JSON."""
    return _to_json(_read_sheets, name, data, max_cells)


def read_formats_in_worker(
    name: str,
    data: bytes,
    sheet: str | None,
    head: int,
    columns: Sequence[str],
    lines: Sequence[int],
) -> bytes:
    """Return formatted cells of a workbook, or its problem, as JSON."""
    return _to_json(_read_formats, name, data, sheet, head, columns, lines)


def _unpack(name: str, data: bytes) -> dict[str, bytes]:
    """Return the XML parts of a workbook.

    Raise InvalidValueError if they are too large or encrypted.
    """
    # The signature of OLE files (MS-CFB §2.2): workbooks of Excel 97 to 2003, and encrypted ones
    # since.
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        found = f"{name} is protected by a password, or is an old .xls workbook"
        raise InvalidValueError(found, "an .xlsx or .ods file without a password, or a CSV")
    with ZipFile(io.BytesIO(data)) as archive:
        infos = [
            info
            for info in archive.infolist()
            if info.filename.endswith((".xml", ".rels", "mimetype"))
        ]
        if sum(info.file_size for info in infos) > MAX_UNPACKED_BYTES:
            raise InvalidValueError(
                f"{name} is too large once it is unpacked",
                f"at most {MAX_UNPACKED_BYTES // 1_000_000} MB",
            )
        # read() stops at the declared size, and checks the CRC.
        parts = {info.filename: archive.read(info) for info in infos}
    if sum(part.count(b"<") for part in parts.values()) > MAX_BRACKETS:
        raise InvalidValueError(
            f"{name} has too many cells", f"at most {MAX_BRACKETS} brackets `<` in its XML"
        )
    # python-calamine does not expand entities, and expat does: the walk would see other cells.
    if any(b"<!DOCTYPE" in part for part in parts.values()):
        raise InvalidValueError(f"{name} defines entities", "a workbook as a spreadsheet saves it")
    if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
        raise InvalidValueError(
            f"{name} is protected by a password", "a workbook that was saved without one"
        )
    return parts


def _pack(parts: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


# python-calamine leaves these two elements out, so that words grow together. It knows them by their
# usual prefix.
_LINE_BREAK = re.compile(rb"<text:line-break\s*(?:/>|>\s*</text:line-break\s*>)")
_TAB = re.compile(rb"<text:tab(?:\s[^<>]*)?(?:/>|>\s*</text:tab\s*>)")


def _read_sheets(name: str, data: bytes, max_cells: int) -> list[tuple[object, ...]]:
    """Return the fields of `WorkbookSheet` for each sheet."""
    parts = _unpack(name, data)
    walk: Callable[[str], SheetFindings]
    find_hidden: Callable[[str], HiddenLines]
    if "content.xml" in parts:
        checked = _walk_open_document(name, parts["content.xml"], max_cells)
        walk = checked.__getitem__
        find_hidden = _hidden_in_open_document(parts["content.xml"]).__getitem__
        broken = _LINE_BREAK.sub(b"\n", parts["content.xml"])
        parts = {**parts, "content.xml": _TAB.sub(b"\t", broken)}
    else:
        places = _worksheet_parts(parts)

        def walk(title: str) -> SheetFindings:
            return _walk_worksheet(name, title, parts[places[title]], max_cells)

        def find_hidden(title: str) -> HiddenLines:
            return _hidden_in_worksheet(parts[places[title]])

    from python_calamine import SheetTypeEnum, SheetVisibleEnum, load_workbook

    book = load_workbook(io.BytesIO(_pack(parts)))
    sheets: list[tuple[object, ...]] = []
    for metadata in book.sheets_metadata:
        title = metadata.name
        if metadata.typ != SheetTypeEnum.WorkSheet:
            continue
        try:
            findings = walk(title)
            if findings.problem is not None:
                raise findings.problem
            sheet = book.get_sheet_by_name(title)
            findings.merged += _merged_blocks(sheet)
            rows = _rows(sheet, findings)
            hidden = (
                find_hidden(title).describe(title, rows)
                if metadata.visible == SheetVisibleEnum.Visible
                else f"the sheet {title!r} is"
            )
            sheets.append((title, rows, None, findings.merged, findings.uncalculated, hidden))
        except InvalidValueError as wrong:
            sheets.append((title, [], _problem_fields(wrong), [], [], ""))
    return sheets


@dataclass
class HiddenLines:
    """The rows and columns of a sheet that its program does not show, in blocks that count from 1."""

    rows: list[range] = field(default_factory=list)
    columns: list[range] = field(default_factory=list)

    def describe(self, title: str, rows: Sequence[tuple[int, Sequence[CellValue]]]) -> str:
        """Return the words for the hidden lines that have values, such as `rows 3–5 of 'Cards' are`."""
        last_row = rows[-1][0] if rows else 0
        hidden_rows = _numbers_up_to(last_row, self.rows).intersection(number for number, _ in rows)
        width = max((len(cells) for _, cells in rows), default=0)
        hidden_columns = [
            number
            for number in sorted(_numbers_up_to(width, self.columns))
            if any(cells[number - 1] != "" for _, cells in rows)
        ]
        kinds = [
            ("row", len(hidden_rows), list_ranges(sorted(hidden_rows))),
            ("column", len(hidden_columns), list(map(column_letters, hidden_columns))),
        ]
        named = [
            f"{kind}{'s' if count > 1 else ''} {join_some(names, MAX_NAMED_CELLS)}"
            for kind, count, names in kinds
            if count
        ]
        is_one = len(hidden_rows) + len(hidden_columns) == 1
        return f"{' and '.join(named)} of {title!r} {'is' if is_one else 'are'}" if named else ""


def _numbers_up_to(last: int, blocks: Iterable[range]) -> set[int]:
    return {number for block in blocks for number in _overlap(block, range(1, last + 1))}


@dataclass
class SheetFindings:
    """The findings of a walk over a sheet that python-calamine does not report; `problem` makes the sheet useless.

    `errors` are the rows and columns, from 0, of blocks that show an error such as `#REF!`, with its text.
    `uncalculated` are the names of the cells with a formula that no program has calculated. `merged`
    are the merged cells: first line and column, then last ones, from 1.
    """

    errors: list[tuple[range, range, str]] = field(default_factory=list)
    problem: InvalidValueError | None = None
    uncalculated: list[str] = field(default_factory=list)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)


def _rows(sheet: Any, findings: SheetFindings) -> list[tuple[int, list[CellValue]]]:
    """Return the rows of a python-calamine sheet that are not empty, with their numbers from 1."""
    if sheet.start is None:
        return []
    top, left = sheet.start
    grid = [[""] * left + cells for cells in sheet.to_python()]
    within = range(top, top + len(grid))
    width = len(grid[0])
    # Some programs leave values in cells that a merged cell covers. Spreadsheets show the first
    # cell only.
    for first_line, first_column, last_line, last_column in findings.merged:
        for row in _overlap(range(first_line - 1, last_line), within):
            for column in range(first_column - 1, min(last_column, width)):
                if (row, column) != (first_line - 1, first_column - 1):
                    grid[row - top][column] = ""
    for rows, columns, text in findings.errors:
        for row in _overlap(rows, within):
            for column in _overlap(columns, range(width)):
                grid[row - top][column] = text
    numbered = enumerate(grid, top + 1)
    return [
        (number, [_plain_value(value) for value in cells])
        for number, cells in numbered
        if any(value != "" for value in cells)  # 0 and False are values
    ]


def _merged_blocks(sheet: Any) -> list[tuple[int, int, int, int]]:
    """Return the merged cells of a python-calamine sheet of an .xlsx file; it knows none in other files."""
    return [
        (top + 1, left + 1, bottom + 1, right + 1)
        for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()
    ]


def _overlap(one: range, other: range) -> range:
    return range(max(one.start, other.start), min(one.stop, other.stop))


def _plain_value(value: object) -> CellValue:
    """Return a value of python-calamine as text, number or truth."""
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return value.date().isoformat() if midnight else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}"
    if isinstance(value, bool | float | int):
        return value
    return str(value).replace("\r\n", "\n")  # Excel may write a line's end as `_x000D_\n`


def _check_extent(name: str, title: str, rows: int, columns: int, max_cells: int) -> None:
    """Refuse a sheet whose cells, counted from A1, would fill the memory."""
    if rows * columns > max_cells:
        hint = "delete the rows below the table, and the columns next to it, in which cells were once used"
        raise InvalidValueError(
            f"{name}: the sheet {title!r} reaches over {rows * columns} cells",
            f"at most {max_cells}",
            hint,
        )


def _cell_name(row: int, column: int) -> str:
    """Return the name of a cell, such as B2, from its row and column, which count from 0."""
    return f"{column_letters(column + 1)}{row + 1}"


_CELL_NAME = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")


def _cell_position(name: str) -> tuple[int, int]:
    """Return the row and column of a cell, from 0.

    Raise ValueError for a name that is not a cell's.
    """
    match = _CELL_NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"a cell is called {name!r}")
    column = 0
    for letter in match[1].upper():
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1


def _local(tag: str) -> str:
    """Return a tag or attribute without its namespace."""
    return tag.rpartition("}")[2]


# --- Office Open XML (ECMA-376, part 1, §18) ---

_CALAMINE_ERRORS = frozenset(
    {"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#GETTING_DATA"}
)
"""The errors of §18.18.11. python-calamine refuses a sheet that holds another, such as `#SPILL!`."""


def _worksheet_parts(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the name of each sheet's part by the sheet's title."""
    relations = ET.fromstring(parts["xl/_rels/workbook.xml.rels"])
    targets = {relation.get("Id", ""): relation.get("Target", "") for relation in relations}
    parts_by_sheet = {}
    for element in ET.fromstring(parts["xl/workbook.xml"]).iter():
        if _local(element.tag) != "sheet":
            continue
        relation = next((value for key, value in element.attrib.items() if key.endswith("}id")), "")
        target = targets.get(relation, "").removeprefix("/")
        parts_by_sheet[element.get("name", "")] = (
            target if target.startswith("xl/") else f"xl/{target}"
        )
    return parts_by_sheet


def _walk_worksheet(name: str, title: str, part: bytes, max_cells: int) -> SheetFindings:
    """Return the cells of a worksheet that hold errors.

    Raise InvalidValueError for the first problem.
    """
    findings = SheetFindings()
    last_row = -1
    last_column = -1
    for row, column, cell in _worksheet_cells(part):
        children = {_local(child.tag): child for child in cell}
        value = (children["v"].text or "") if "v" in children else ""
        # A formula whose result is the empty text is of the type `str`.
        if "f" in children and not value and cell.get("t") != "str":
            findings.uncalculated.append(_cell_name(row, column))
        if cell.get("t") == "e":
            if value not in _CALAMINE_ERRORS:
                found = f"{name}: {_cell_name(row, column)} of {title!r} shows {value!r}"
                raise InvalidValueError(found, "the result of the formula")
            findings.errors.append((range(row, row + 1), range(column, column + 1), value))
        if value or "is" in children:
            last_row = max(last_row, row)
            last_column = max(last_column, column)
            _check_extent(name, title, last_row + 1, last_column + 1, max_cells)
    return findings


def _worksheet_cells(part: bytes) -> Iterator[tuple[int, int, ET.Element]]:
    """Yield the cells of a worksheet with their rows and columns, which count from 0."""
    row = 0
    column = 0
    for event, element in ET.iterparse(io.BytesIO(part), ("start", "end")):
        tag = _local(element.tag)
        if event == "start":
            if tag == "row" and "r" in element.attrib:
                row = int(element.attrib["r"]) - 1
        elif tag == "row":
            row += 1
            column = 0
            element.clear()
        elif tag == "c":
            cell_row = row
            if "r" in element.attrib:  # a cell without a name stands behind the one before
                cell_row, column = _cell_position(element.attrib["r"])
            yield cell_row, column, element
            column += 1


def _hidden_in_worksheet(part: bytes) -> HiddenLines:
    """Return the hidden rows and columns of a worksheet."""
    hidden = HiddenLines()
    if b"hidden=" not in part:
        return hidden  # most sheets hide nothing, and walking takes long
    row = 0
    for _, element in ET.iterparse(io.BytesIO(part)):
        tag = _local(element.tag)
        is_hidden = element.get("hidden") in {"1", "true"}
        if tag == "row":
            row = int(element.get("r", row + 1))
            if is_hidden:
                hidden.rows.append(range(row, row + 1))
            element.clear()
        elif tag == "col" and is_hidden:
            hidden.columns.append(range(int(element.get("min", 1)), int(element.get("max", 1)) + 1))
    return hidden


# --- OpenDocument (ODF 1.3, part 3, §9 and §19) ---

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_PARAGRAPH = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"
_CELLS = frozenset({f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"})


def _hidden_in_open_document(content: bytes) -> dict[str, HiddenLines]:
    """Return the hidden rows and columns of each sheet by its title."""
    sheets: defaultdict[str, HiddenLines] = defaultdict(HiddenLines)
    if b"visibility=" not in content:
        return sheets  # most sheets hide nothing, and walking takes long
    hidden = HiddenLines()
    row = 1
    column = 1
    for event, element in ET.iterparse(io.BytesIO(content), ("start", "end")):
        if event == "start":
            if element.tag == f"{_TABLE}table":
                hidden = sheets[element.get(f"{_TABLE}name", "")]
                row = 1
                column = 1
            continue
        # A filter hides rows as `filter`, and a person hides them as `collapse`.
        is_hidden = element.get(f"{_TABLE}visibility", "visible") != "visible"
        if element.tag == f"{_TABLE}table-row":
            rows = range(row, row + int(element.get(f"{_TABLE}number-rows-repeated", "1")))
            if is_hidden:
                hidden.rows.append(rows)
            row = rows.stop
            element.clear()
        elif element.tag == f"{_TABLE}table-column":
            count = int(element.get(f"{_TABLE}number-columns-repeated", "1"))
            columns = range(column, column + count)
            if is_hidden:
                hidden.columns.append(columns)
            column = columns.stop
    return sheets


def _walk_open_document(name: str, content: bytes, max_cells: int) -> dict[str, SheetFindings]:
    """Return the findings in each sheet by its title.

    Raise InvalidValueError if a sheet is too large.

    python-calamine reads all sheets of an OpenDocument at once, so one that is too large stops all.
    """
    sheets: dict[str, SheetFindings] = {}
    title = ""
    row = 0
    width = 0
    for event, element in ET.iterparse(io.BytesIO(content), ("start", "end")):
        if event == "start":
            if element.tag == f"{_TABLE}table":
                title = element.get(f"{_TABLE}name", "")
                sheets.setdefault(title, SheetFindings())
                row = 0
                width = 0
            continue
        if element.tag != f"{_TABLE}table-row":
            continue
        rows = range(row, row + int(element.get(f"{_TABLE}number-rows-repeated", "1")))
        filled = [
            (columns, cell) for columns, cell in _placed_cells(element) if len(cell) or cell.attrib
        ]
        for columns, cell in filled:
            findings = sheets[title]
            findings.merged += _merged_block(rows, columns, cell)
            problem = _check_cell(name, title, rows, columns, cell, findings)
            findings.problem = findings.problem or problem
        typed = [columns.stop for columns, cell in filled if cell.get(f"{_OFFICE}value-type")]
        if typed:
            width = max(width, *typed)
            _check_extent(name, title, rows.stop, width, max_cells)
        row = rows.stop
        element.clear()
    return sheets


def _merged_block(rows: range, columns: range, cell: ET.Element) -> list[tuple[int, int, int, int]]:
    """Return the block of a merged cell as its only item; nothing for another cell."""
    height = int(cell.get(f"{_TABLE}number-rows-spanned", "1"))
    width = int(cell.get(f"{_TABLE}number-columns-spanned", "1"))
    if height == width == 1:
        return []
    top = rows.start + 1
    left = columns.start + 1
    return [(top, left, top + height - 1, left + width - 1)]


def _placed_cells(row: ET.Element) -> Iterator[tuple[range, ET.Element]]:
    """Yield the cells of a row with the columns that they stand in."""
    column = 0
    for cell in row:
        if cell.tag in _CELLS:
            columns = range(column, column + int(cell.get(f"{_TABLE}number-columns-repeated", "1")))
            yield columns, cell
            column = columns.stop


def _check_cell(
    name: str, title: str, rows: range, columns: range, cell: ET.Element, findings: SheetFindings
) -> InvalidValueError | None:
    """Return the reason why a cell cannot be used; None if it can. Add a formula's error to `findings`."""
    displayed = "\n".join("".join(paragraph.itertext()) for paragraph in cell.findall(_PARAGRAPH))
    has_formula = bool(cell.get(f"{_TABLE}formula"))
    # LibreOffice gives an error's cell the empty text as its value, and Excel gives it the number
    # 0.
    if has_formula and displayed.startswith(("#", "Err:")):
        findings.errors.append((rows, columns, displayed))
    elif cell.get(f"{_OFFICE}value-type"):
        return None
    elif has_formula:
        findings.uncalculated.append(_cell_name(rows.start, columns.start))
    elif displayed:
        found = (
            f"{name}: the text in {_cell_name(rows.start, columns.start)} of {title!r} has no type"
        )
        return InvalidValueError(found, "a workbook as a spreadsheet saves it")
    return None


# --- Cell formats, by openpyxl ---


def _read_formats(
    name: str,
    data: bytes,
    title: str | None,
    head: int,
    columns: Iterable[str],
    lines: Sequence[int],
) -> list[tuple[str, list[tuple[int, str]]]]:
    import openpyxl

    _unpack(name, data)
    book: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True, rich_text=True)
    sheet = book.worksheets[0] if title is None else book[title]
    heads: dict[str, int] = {}
    for number in range(1, sheet.max_column + 1):
        heads.setdefault(str(sheet.cell(head, number).value or "").strip(), number)
    formats = []
    for column in columns:
        cells = [(line, _formatted_text(sheet.cell(line, heads[column]))) for line in lines]
        formats.append((column, [(line, text) for line, text in cells if text is not None]))
    return formats


def _formatted_text(cell: Any) -> str | None:
    """Return the text of an openpyxl cell in its format; None if the cell is empty."""
    value = cell.value
    if value is None:
        return None
    if isinstance(value, list):  # rich text: a list of texts, some with a font
        return "".join(
            part if isinstance(part, str) else _mark_up(part.text, part.font) for part in value
        )
    if isinstance(value, datetime | date | time):
        text = format_date(value, str(cell.number_format))
    elif isinstance(value, bool):
        text = str(value).upper()
    elif isinstance(value, float | int):
        text = format_number(value, str(cell.number_format))
    else:
        text = str(value)
    return _mark_up(text, cell.font)


def _mark_up(text: str, font: Any) -> str:
    """Return a text with markup for a font that is bold, italic or coloured.

    Blanks at its ends stay outside.
    """
    inner = text.strip()
    if not inner or font is None:
        return text
    stars = "*" * (2 * bool(font.b) + bool(font.i))
    marked = f"{stars}{inner}{stars}"
    rgb = (
        font.color.rgb[-6:].lower()
        if font.color is not None and isinstance(font.color.rgb, str)
        else ""
    )
    if rgb not in {"", "000000"}:
        marked = f"[#{rgb}]{marked}[/]"
    start = text[: len(text) - len(text.lstrip())]
    end = text[len(text.rstrip()) :]
    return start + marked + end


def format_number(value: float, code: str) -> str:
    """Return a number in a format with fixed decimals or as a percentage.

    In other formats, plain.
    """
    match = re.fullmatch(r"0(?:\.(0+))?(%?)", code)
    if match is None or (code == "0" and value != int(value)):
        return str(int(value)) if float(value).is_integer() else str(value)
    return f"{value * (100 if match[2] else 1):.{len(match[1] or '')}f}{match[2]}"


# The parts of a date format (ECMA-376, part 1, §18.8.31): [locale or colour], "text", \character,
# AM/PM, fields.
_DATE_PART = re.compile(
    r"\[[^\]]*\]|\"([^\"]*)\"|\\(.)|(AM/PM)|([yY]+|[mM]+|[dD]+|[hH]+|[sS]+)|(.)", re.DOTALL
)


def format_date(value: datetime | date | time, code: str) -> str:
    """Return a date or time in a spreadsheet's format, such as `d mmm yyyy`.

    The letter m stands for minutes next to hours or seconds, and otherwise for the month.
    """
    if code == "General":
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    parts = list(_DATE_PART.finditer(code.split(";", maxsplit=1)[0]))
    letters = [(match[4] or "")[:1].lower() for match in parts]
    out = []
    for index, match in enumerate(parts):
        before = "".join(letters[:index])[-1:]
        after = "".join(letters[index + 1 :])[:1]
        is_minute = letters[index] == "m" and (before == "h" or after == "s") and len(match[4]) <= 2
        out.append(
            _format_date_part(value, match, is_minute=is_minute, twelve_hours="AM/PM" in code)
        )
    return "".join(out)


def _format_date_part(
    value: Any, match: re.Match[str], *, is_minute: bool, twelve_hours: bool
) -> str:
    if match[4] is None:
        return value.strftime("%p") if match[3] else match[1] or match[2] or match[5] or ""
    letter = match[4][0].lower()
    count = len(match[4])
    if letter == "y":
        return str(value.year) if count > 2 else f"{value.year % 100:02}"
    if letter == "m" and not is_minute:
        return (
            value.strftime({3: "%b", 4: "%B"}.get(count, "%m")) if count > 1 else str(value.month)
        )
    if letter == "d" and count > 2:
        return str(value.strftime("%a" if count == 3 else "%A"))
    field = {"m": "minute", "d": "day", "h": "hour", "s": "second"}[letter]
    amount = getattr(value, field, 0)
    if letter == "h" and twelve_hours:
        amount = (amount - 1) % 12 + 1
    return f"{amount:02}" if count > 1 else str(amount)
