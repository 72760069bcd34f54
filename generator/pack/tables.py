"""Component data as people have it: CSV from any spreadsheet, Excel's own workbooks, or rows written in `game.yaml`."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from generator.core.problems import Reporter, Where, Wrong, nearest, unknown
from generator.pack import fields
from generator.pack.folder import PackFolder
from generator.pack.functions import Value, ValueKind
from generator.pack.source import Node
from generator.pack.spec import IDENTIFIER


@dataclass(frozen=True)
class DataRow:
    """One design's data: its columns, and the line where it begins."""

    values: Mapping[str, str]
    where: Where
    computed: Mapping[str, Value] = field(default_factory=dict)
    """The values of computed columns, which are in `values` as texts."""

    @property
    def id(self) -> str:
        """What the design is called."""
        return self.values["id"]

    @property
    def count(self) -> int:
        """How many pieces to make: 1 where nothing is said."""
        return fields.count(self.values.get("count", "").strip() or "1")


@dataclass(frozen=True)
class DataTable:
    """A component's data."""

    columns: tuple[str, ...] = ()
    rows: tuple[DataRow, ...] = ()
    kinds: Mapping[str, ValueKind] = field(default_factory=dict)
    """What computed columns give."""


NO_TABLE = DataTable()


_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
"""A first line that tells Excel what parts the cells."""

Reader = Callable[[PackFolder, str, Reporter], DataTable]


def read_table(folder: PackFolder, source: Node, report: Reporter) -> DataTable:
    """The rows of a component's `data:`, checked for what all of them must have."""
    return _checked(read_rows_of(folder, source, report), source.where, report)


def read_rows_of(folder: PackFolder, source: Node, report: Reporter) -> DataTable:
    """The rows of any table, in a file or written in place."""
    if isinstance(source.value, list):
        return in_place(source)
    with report.at(source.where, "data"):
        return _in_file(folder, str(source.value), report)
    return NO_TABLE


def _in_file(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    suffix = PurePosixPath(name.partition("#")[0]).suffix.lower()
    if suffix not in READERS:
        raise unknown("kind of table", suffix, READERS)
    return READERS[suffix](folder, name, report)


def in_place(source: Node) -> DataTable:
    """Rows that are written in YAML."""
    items = source.value if isinstance(source.value, list) else []
    rows = []
    for item in items:
        plain = item.plain()
        if isinstance(plain, dict):
            rows.append(
                DataRow({key: value if isinstance(value, str) else "" for key, value in plain.items()}, item.where)
            )
    columns = dict.fromkeys(key for row in rows for key in row.values)
    return DataTable(
        tuple(columns), tuple(DataRow({**dict.fromkeys(columns, ""), **row.values}, row.where) for row in rows)
    )


def _read_csv(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    text = folder.text(name)
    told = _SEPARATOR.match(text)
    start = 2 if told else 1
    body = text[told.end() :] if told else text
    delimiter = told[1] if told else delimiter_of(text)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    before = start
    try:
        for cells in reader:
            lines.append((start, cells))
            start = reader.line_num + before
    except csv.Error as error:
        hint = 'a quote inside a text is written twice: ""'
        report.tell(folder.where(name, start), f"this row cannot be read: {error}", "quotes that are closed", hint)
        return NO_TABLE
    return _table(folder, name, lines, report)


def delimiter_of(text: str) -> str:
    """What parts the cells: whichever of comma, semicolon and tab the first row has most of."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=header.count)


def _table(folder: PackFolder, name: str, lines: Sequence[tuple[int, list[str]]], report: Reporter) -> DataTable:
    filled = [(line, [cell.strip() for cell in cells]) for line, cells in lines if any(cell.strip() for cell in cells)]
    if not filled:
        report.tell(folder.where(name), "the table is empty", "a first row with the names of the columns")
        return NO_TABLE
    (head_line, columns), *body = filled
    for column, times in Counter(column for column in columns if column).items():
        if times > 1:
            found = f"the column {column!r} stands {times} times"
            report.tell(folder.where(name, head_line), found, "each column once")
    rows = []
    for line, cells in body:
        extra = [cell for cell in cells[len(columns) :] if cell]
        if extra:
            found = f"{len(cells)} cells in a table of {len(columns)} columns; the first too many is {extra[0]!r}"
            hint = "put quotes round a text that contains the separator"
            report.tell(folder.where(name, line), found, "a cell for each column", hint)
        padded = cells + [""] * (len(columns) - len(cells))
        rows.append(DataRow({c: v for c, v in zip(columns, padded, strict=False) if c}, folder.where(name, line)))
    return DataTable(tuple(column for column in columns if column), tuple(rows))


def _checked(table: DataTable, where: Where, report: Reporter) -> DataTable:
    if table.columns and "id" not in table.columns:
        place = table.rows[0].where if table.rows else where
        found = f"there is no column 'id' (columns: {', '.join(table.columns)})"
        expected = "a column id, with a different name in each row"
        report.tell(Where(place.file), found, expected, nearest("id", table.columns))
        return NO_TABLE
    seen: dict[str, Where] = {}
    good = [row for row in table.rows if _row_is_good(row, seen, report)]
    return DataTable(table.columns, tuple(good))


def _row_is_good(row: DataRow, seen: dict[str, Where], report: Reporter) -> bool:
    before = len(report.problems)
    if not IDENTIFIER.fullmatch(row.id):
        found = f"id: {row.id!r} is no name" if row.id else "id: this row has none"
        report.tell(row.where, found, "letters, digits, - _ and .")
    elif row.id in seen:
        first = f"the first is in line {seen[row.id].line}"
        report.tell(row.where, f"id: {row.id!r} stands twice", "a different id in each row", first)
    seen.setdefault(row.id, row.where)
    with report.at(row.where, "count"):
        _ = row.count
    return len(report.problems) == before


def _read_xlsx(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    file, _, sheet = name.partition("#")
    return _table(folder, file, list(read_rows(folder.read(file), file, sheet)), report)


READERS: dict[str, Reader] = {".csv": _read_csv, ".tsv": _read_csv, ".txt": _read_csv, ".xlsx": _read_xlsx}
"""The kinds of table, by the file's ending; `cards.xlsx#heroes` is a sheet of a workbook."""


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
