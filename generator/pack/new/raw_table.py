"""The cells of a designer's table as its file has them, with its blank lines and merged cells."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath

from generator.base.errors import InvalidValueError, Kind, Reporter, unknown
from generator.base.units import format_count
from generator.pack.folder import PackFolder
from generator.pack.new.import_notes import Notes
from generator.pack.tables import MAX_CELLS, READERS, SEPARATOR, cell_text
from generator.pack.workbooks import WorkbookSheet, read_sheets

DELIMITERS = ",;\t|"
SAMPLE_ROWS = 30
"""Number of rows from which the separator of the cells is guessed."""


@dataclass(frozen=True)
class RawTable:
    """The filled rows of a table: for each row its line in the file, and its cells."""

    file: str
    rows: Sequence[tuple[int, Sequence[str]]]
    blank: Sequence[int] = ()
    """The blank lines between the filled lines."""
    merged: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """For each line, the columns (from 0) whose cell belongs to a merged cell that begins above."""


def read_raw_table(folder: PackFolder, name: str, notes: Notes) -> RawTable:
    """Return the cells of a table; `cards.xlsx#heroes` is a sheet of a workbook."""
    file, _, sheet = name.partition("#")
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in READERS:
        raise unknown("kind of table", suffix, READERS)
    if suffix in {".xlsx", ".xlsm", ".ods"}:
        raw = _read_workbook(folder, file, sheet, notes)
    elif suffix == ".json":
        raw = _read_json(folder, file)
    else:
        raw = _read_text(folder, file, notes)
    filled = [
        (line, [cell.strip() for cell in cells])
        for line, cells in raw.rows
        if any(map(str.strip, cells))
    ]
    if not filled:
        raise InvalidValueError(f"{name} is empty", "a table with a row for each card")
    if sum(len(cells) for _, cells in filled) > MAX_CELLS:
        raise InvalidValueError(f"{name} is too large", f"at most {MAX_CELLS} cells")
    blank = [line for line in raw.blank if filled[0][0] < line < filled[-1][0]]
    return RawTable(name, filled, blank, raw.merged)


def _read_workbook(folder: PackFolder, file: str, sheet_title: str, notes: Notes) -> RawTable:
    """Return the cells of the named sheet, or of the first sheet with a table."""
    every_sheet = read_sheets(folder.read(file), file, MAX_CELLS)
    sheets = [sheet for sheet in every_sheet if sheet.rows or sheet.problem]
    if not sheets:
        raise InvalidValueError(f"{file} is empty", "a workbook with a table")
    titles = [sheet.title for sheet in sheets]
    if sheet_title in {sheet.title for sheet in every_sheet if sheet not in sheets}:
        raise InvalidValueError(
            f"the sheet {sheet_title!r} of {file} is empty", f"one of: {', '.join(titles)}"
        )
    if sheet_title and sheet_title not in titles:
        raise unknown("sheet", sheet_title, titles, f"those of {file}", Kind.USAGE)
    tables = [
        sheet
        for sheet in sheets
        if sheet.title == sheet_title or (not sheet_title and _is_table(sheet))
    ]
    sheet = (tables or sheets)[0]
    if sheet.problem:
        raise sheet.problem
    if sheet.uncalculated:
        notes.add(
            f"{sheet.describe_uncalculated()}, and left empty; to import their results, "
            f"open and save {file} in a spreadsheet first"
        )
    if sheet.hidden:
        notes.add(f"{sheet.hidden} hidden, and imported all the same")
    if not sheet_title:
        for other in sheets:
            if other is not sheet:
                notes.add(
                    f"the sheet {other.title!r} ({format_count(len(other.rows), 'row')}) was not imported; "
                    f"import it with --from '{file}#{other.title}'"
                )
    lines = [(line, [cell_text(cell) for cell in cells]) for line, cells in sheet.rows]
    numbers = {line for line, _ in lines}
    blank = [line for line in range(1, max(numbers, default=0)) if line not in numbers]
    return RawTable(file, lines, blank, _spread_merged(sheet, lines))


def _is_table(sheet: WorkbookSheet) -> bool:
    """Return True if a sheet has two rows of two or more filled cells, unlike a title page."""
    return (
        bool(sheet.problem) or sum(sum(cell != "" for cell in row) > 1 for _, row in sheet.rows) > 1
    )


def _spread_merged(
    sheet: WorkbookSheet, lines: Sequence[tuple[int, list[str]]]
) -> Mapping[int, Sequence[int]]:
    """Give each row below the first of a merged cell its text; return the columns by line."""
    cells_of = dict(lines)
    spread: dict[int, list[int]] = {}
    last_line = max(cells_of, default=0)  # a file may claim merged cells of any height
    for top, left, bottom, _ in sheet.merged:
        column = left - 1
        above = cells_of.get(top, [])
        for line in range(top + 1, min(bottom, last_line) + 1):
            cells = cells_of.get(line)
            if cells and column < len(cells) and column < len(above):
                cells[column] = above[column]
                spread.setdefault(line, []).append(column)
    return spread


def _read_json(folder: PackFolder, file: str) -> RawTable:
    report = Reporter()
    table = READERS[".json"](folder, file, report)
    report.raise_any()
    rows = [list(table.columns), *(list(row.values.values()) for row in table.rows)]
    return RawTable(file, list(enumerate(rows)))


def _read_text(folder: PackFolder, file: str, notes: Notes) -> RawTable:
    """Return the cells of a CSV with any separator, also below a title line without one."""
    text = folder.text(file)
    if decoded := folder.code_pages.get(file):
        notes.add(decoded.note)
    separator_line = SEPARATOR.match(text)
    start = 1 if separator_line else 0
    body = text[separator_line.end() :] if separator_line else text
    delimiter = separator_line[1] if separator_line else guess_delimiter(body)
    try:
        rows = _parse(body, delimiter, strict=True)
    except csv.Error as error:
        if "end of data" in str(error):
            raise InvalidValueError(
                f"{file}: a quote begins a text that has no end",
                "a closing quote for each opening quote",
                'a quote inside a text is written twice: ""',
            ) from None
        rows = _parse(body, delimiter, strict=False)
        notes.add("quotes inside texts are not doubled: compare the cells with your table")
    lines = [(line + start, cells) for line, cells in rows]
    return RawTable(file, lines, [line for line, cells in lines if not any(map(str.strip, cells))])


def _parse(body: str, delimiter: str, *, strict: bool) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=strict)
    rows = []
    line = 1
    for cells in reader:
        rows.append((line, cells))
        line = reader.line_num + 1
    return rows


def guess_delimiter(text: str) -> str:
    """Return the separator that gives most rows the same number of cells."""
    best = (0, 0, 0)
    delimiter_found = ","
    for delimiter in DELIMITERS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = (cells for cells in reader if any(map(str.strip, cells)))
        try:
            sample = list(islice(rows, SAMPLE_ROWS))
        except csv.Error:
            continue
        widths = Counter(len(cells) for cells in sample if len(cells) > 1)
        times, width = max(((n, width) for width, n in widths.items()), default=(0, 0))
        # In prose a comma has a blank after it, between cells hardly ever.
        after_blank = sum(cell.startswith(" ") for cells in sample for cell in cells)
        if (times, width, -after_blank) > best:
            best = (times, width, -after_blank)
            delimiter_found = delimiter
    return delimiter_found
