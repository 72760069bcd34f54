"""Component data as people have it: CSV from any spreadsheet, workbooks, JSON, or rows written in `game.yaml`."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from json import loads as parse_json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from generator.base.errors import InvalidValueError, Reporter, Where, find_row, unknown
from generator.base.values import Frozen
from generator.pack import fields
from generator.pack.expression_functions import Value, ValueKind
from generator.pack.folder import PackFolder
from generator.pack.game_spec import IDENTIFIER
from generator.pack.validation import check_head, find_cell_mistake
from generator.pack.yaml_nodes import Node

if TYPE_CHECKING:
    from generator.pack.workbooks import ValueRows


@dataclass(frozen=True)
class DataRow:
    """One design's data: its columns, and the line where it begins."""

    values: Mapping[str, str]
    where: Where
    computed: Mapping[str, Value] = field(default_factory=dict)
    """The values of computed columns; `values` holds their texts."""
    computed_at: Mapping[str, Where] = field(default_factory=dict)
    """The lines of game.yaml that compute these columns."""
    failed: frozenset[str] = frozenset()
    """The computed columns whose expression failed for this row, which has been reported."""

    @property
    def id(self) -> str:
        """The design's id."""
        return self.values["id"]

    @property
    def count(self) -> int:
        """The number of pieces to print; 1 without a `count` column."""
        return fields.parse_count(self.values.get("count", "").strip() or "1")


@dataclass(frozen=True)
class DataTable:
    """A component's data."""

    columns: tuple[str, ...] = ()
    rows: tuple[DataRow, ...] = ()
    kinds: Mapping[str, ValueKind] = field(default_factory=dict)
    """The kinds of the computed columns."""
    head: Where | None = None
    """The place of the row with the column names, in a file."""


NO_TABLE = DataTable()

QUOTED = "put quotes round a text that contains the separator"
HEADS = 5
"""Number of rows below the first that are searched for the column names."""

SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
"""A first line that tells Excel the separator of the cells."""

MAX_ROWS = 20_000
"""Largest number of designs of a component."""
MAX_CELLS = 1_000_000
"""Largest number of cells of a table; in a workbook, empty cells between others count too."""
MAX_PIECES = 100_000
"""Largest number of pieces of a component; 100,000 cards take some five thousand sheets."""

Reader = Callable[[PackFolder, str, Reporter], DataTable]


def read_table(folder: PackFolder, source: Node, report: Reporter) -> DataTable:
    """Return the rows of a component's `data:`, with ids and counts checked."""
    table = _checked(read_rows_of(folder, source, report), source.where, report)
    if (pieces := sum(row.count for row in table.rows)) > MAX_PIECES:
        report.add_problem(
            source.where,
            f"data: {pieces} pieces",
            f"at most {MAX_PIECES}",
            "print more copies with --copies",
        )
    silent = [
        row for row in table.rows if "count" in table.columns and not row.values["count"].strip()
    ]
    if silent and not isinstance(source.value, list):
        message = (
            f"{len(silent)} rows have no count, and are"
            if len(silent) > 1
            else "this row has no count, and is"
        )
        report.notes.append(f"{silent[0].where}: {message} made once")
    return table


def read_rows_of(folder: PackFolder, source: Node, report: Reporter) -> DataTable:
    """Return the rows of a table, in a file or in `game.yaml` itself."""
    with report.at(source.where, "data"):
        return (
            in_place(source)
            if isinstance(source.value, list)
            else _in_file(folder, str(source.value), report)
        )
    return NO_TABLE


def _in_file(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    if "://" in name:
        expected = f"`source: {name}`, and `data: cards.csv`, into which `pnp pull` downloads it"
        raise InvalidValueError("a table is not read from the network", expected)
    suffix = PurePosixPath(name.partition("#")[0]).suffix.lower()
    return find_row("kind of table", suffix, READERS)(folder, name, report)


def in_place(source: Node) -> DataTable:
    """Return the rows that are written in `game.yaml` itself."""
    items = source.value if isinstance(source.value, list) else []
    rows = []
    for item in items:
        plain = item.plain()
        if isinstance(plain, dict):
            rows.append(
                DataRow(
                    {key: value if isinstance(value, str) else "" for key, value in plain.items()},
                    item.where,
                )
            )
    columns = dict.fromkeys(key for row in rows for key in row.values)
    _check_size(len(rows), len(columns))
    return DataTable(
        tuple(columns),
        tuple(DataRow({**dict.fromkeys(columns, ""), **row.values}, row.where) for row in rows),
    )


def _read_csv(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    text = folder.text(name)
    separator_line = SEPARATOR.match(text)
    start = 2 if separator_line else 1
    body = text[separator_line.end() :] if separator_line else text
    delimiter = separator_line[1] if separator_line else delimiter_of(text)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    before = start
    try:
        for cells in reader:
            lines.append((start, cells))
            start = reader.line_num + before
    except csv.Error as error:
        hint = 'a quote inside a text is written twice: ""'
        report.add_problem(
            folder.where(name, start),
            f"this row cannot be read: {error}",
            "a closing quote for each opening quote",
            hint,
        )
        return NO_TABLE
    return _table(folder, name, lines, report)


def delimiter_of(text: str) -> str:
    """Return the separator of the cells: the most frequent of comma, semicolon, tab and bar in the first row."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t|", key=header.count)


def _table(
    folder: PackFolder, name: str, lines: Sequence[tuple[int, list[str]]], report: Reporter
) -> DataTable:
    filled = [
        (line, [cell.strip() for cell in cells])
        for line, cells in lines
        if any(cell.strip() for cell in cells)
    ]
    if not filled:
        report.add_problem(
            folder.where(name), "the table is empty", "a first row with the names of the columns"
        )
        return NO_TABLE
    (head_line, columns), *body = filled
    below = (
        next((line for line, cells in body[:HEADS] if "id" in cells), 0)
        if "id" not in columns
        else 0
    )
    if below:
        hint = "remove the lines above them"
        report.add_problem(
            folder.where(name, below),
            "these are the names of the columns",
            "the names of the columns in the first row",
            hint,
        )
        return NO_TABLE
    for column, times in Counter(column for column in columns if column).items():
        if times > 1:
            found = f"the column {column!r} occurs {times} times"
            report.add_problem(folder.where(name, head_line), found, "each column once")
    with report.at(folder.where(name)):
        _check_size(len(body), len(columns))
        return DataTable(
            tuple(column for column in columns if column),
            tuple(_rows(folder, name, columns, body, report)),
            head=folder.where(name, head_line),
        )
    return NO_TABLE


def _check_size(rows: int, columns: int) -> None:
    """Raise `InvalidValueError` for a table too large for memory: every row stores every column."""
    if rows > MAX_ROWS:
        raise InvalidValueError(f"a table of {rows} rows", f"at most {MAX_ROWS}")
    if rows * columns > MAX_CELLS:
        raise InvalidValueError(
            f"a table of {rows} rows and {columns} columns", f"at most {MAX_CELLS} cells"
        )


def _rows(
    folder: PackFolder,
    name: str,
    columns: Sequence[str],
    body: Sequence[tuple[int, list[str]]],
    report: Reporter,
) -> list[DataRow]:
    """Return the rows below the column names; report cells that belong to no column."""
    rows = []
    file = folder.where(name).file
    for line, cells in body:
        extra = [cell for cell in cells[len(columns) :] if cell]
        if extra:
            found = f"{len(cells)} cells in a table of {len(columns)} columns; the first too many is {extra[0]!r}"
            is_late = any(cell.startswith('"') for cell in cells)
            hint = "no blank before the quote that begins a text" if is_late else QUOTED
            report.add_problem(folder.where(name, line), found, "a cell for each column", hint)
        padded = cells + [""] * (len(columns) - len(cells))
        rows.append(
            DataRow({c: v for c, v in zip(columns, padded, strict=False) if c}, Where(file, line))
        )
    beside = (zip(columns, cells, strict=False) for _, cells in body)
    unread = [
        (rows[at].where, cell)
        for at, row in enumerate(beside)
        for column, cell in row
        if cell and not column
    ]
    report.notes.extend(_nameless(unread))
    return rows


def _nameless(unread: Sequence[tuple[Where, str]]) -> Iterator[str]:
    """Yield a note for each group of cells in columns without a name."""
    if unread:
        (where, cell), *others = unread
        message = (
            f"{len(unread)} cells under no name of a column are"
            if others
            else "a cell under no name of a column is"
        )
        yield f"{where}: {message} not read: {cell!r}{', …' if others else ''}"


def _checked(table: DataTable, where: Where, report: Reporter) -> DataTable:
    if table.head:
        check_head(table.head, table.columns, report)
    if table.columns and "id" not in table.columns:
        place = table.rows[0].where if table.rows else where
        found = f"there is no column 'id' (columns: {', '.join(table.columns)})"
        expected = "a column id, with a different name in each row"
        called = next(
            (column for column in table.columns if column.lower() in {"id", "ids", "key", "name"}),
            "",
        )
        hint = f"call the column {called!r} `id`, if its values differ" if called else ""
        report.add_problem(Where(place.file), found, expected, hint)
        return NO_TABLE
    first_places: dict[str, Where] = {}
    good = [row for row in table.rows if _row_is_good(row, first_places, report)]
    return replace(table, rows=tuple(good))


def _row_is_good(row: DataRow, first_places: dict[str, Where], report: Reporter) -> bool:
    before = len(report.problems)
    if not IDENTIFIER.fullmatch(row.id):
        found = f"id: {row.id!r} is not a name" if row.id else "id: this row has none"
        report.add_problem(row.where, found, "letters, digits, - _ and .")
    elif row.id in first_places:
        first = f"the first is in line {first_places[row.id].line}"
        report.add_problem(
            row.where, f"id: {row.id!r} occurs twice", "a different id in each row", first
        )
    first_places.setdefault(row.id, row.where)
    with report.at(row.where, "count"):
        _ = row.count
    for column, cell in row.values.items():
        if cell and (mistake := find_cell_mistake(cell, row.values)):
            report.add(mistake.at(row.where, column))
    return len(report.problems) == before


def _read_book(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    """Return the table on a sheet of a workbook: the first sheet, or a named one, as in `cards.xlsx#heroes`."""
    from generator.pack.workbooks import read_sheets

    file, _, sheet_name = name.partition("#")
    sheets = {sheet.title: sheet for sheet in read_sheets(folder.read(file), file, MAX_CELLS)}
    if sheet_name and sheet_name not in sheets:
        raise unknown("sheet", sheet_name, sheets)
    if not sheets:
        raise InvalidValueError(f"{file} has no sheet", "a workbook with a table")
    sheet = sheets[sheet_name or next(iter(sheets))]
    if sheet.problem:
        raise sheet.problem
    if sheet.uncalculated:
        found = f"{file}: {sheet.describe_uncalculated()}"
        raise InvalidValueError(found, "a workbook that was opened and saved in a spreadsheet")
    others = [other for other in sheets if other != sheet.title and _has_ids(sheets[other].rows)]
    if not sheet_name and others and not _has_ids(sheet.rows):
        found = f"the first sheet, {sheet.title!r}, has no column 'id'"
        raise InvalidValueError(found, f"the one with the table: {file}#{others[0]}")
    if sheet.hidden:
        report.notes.append(
            f"{folder.where(file).file}: {sheet.hidden} hidden; pnp reads hidden cells, too"
        )
    lines = [(line, [cell_text(cell) for cell in cells]) for line, cells in sheet.rows]
    return _table(folder, file, lines, report)


def _has_ids(rows: "ValueRows") -> bool:
    first = next((cells for _, cells in rows), ())
    return "id" in [cell.strip() for cell in first if isinstance(cell, str)]


FORMATTED = (".xlsx", ".xlsm")
"""The suffixes of workbooks whose cell formats can be read."""


def with_formats(
    folder: PackFolder,
    source: Node,
    table: DataTable,
    columns: Sequence[str],
    where: Where,
    report: Reporter,
) -> DataTable:
    """Return the table with the cells of some columns as their formats show them in the workbook.

    A column also stands for its translations: `text` for `text@nl`. `where` is the place of
    `formatted:`.
    """
    if not columns or not table.rows:
        return table
    unknown_columns = [name for name in columns if name not in table.columns]
    report.add(
        *(unknown("column", name, table.columns).at(where, "formatted") for name in unknown_columns)
    )
    with report.at(where, "formatted"):
        return replace(table, rows=tuple(_formatted_rows(folder, source, table, columns)))
    return table


def _formatted_rows(
    folder: PackFolder, source: Node, table: DataTable, columns: Sequence[str]
) -> Iterator[DataRow]:
    name = "" if isinstance(source.value, list) else str(source.value)
    file, _, sheet = name.partition("#")
    if not file.lower().endswith(FORMATTED) or table.head is None:
        found = (
            f"{file} has no cell formats that can be read"
            if file
            else "rows in place have no cell formats"
        )
        raise InvalidValueError(
            found, "a table in an .xlsx workbook; or markup in the cells, such as **bold**"
        )
    from generator.pack.workbooks import read_formats

    formatted_columns = [column for column in table.columns if column.partition("@")[0] in columns]
    lines = [row.where.line for row in table.rows]
    cells = read_formats(
        folder.read(file), file, sheet or None, table.head.line, formatted_columns, lines
    )
    for row in table.rows:
        texts = {
            column: texts[row.where.line].strip()
            for column, texts in cells.items()
            if row.where.line in texts
        }
        yield replace(row, values={**row.values, **texts})


def _read_json(folder: PackFolder, name: str, report: Reporter) -> DataTable:
    """Return the rows of a list of objects: `[{"id": "fox", "count": 2}]`.

    Also read what other programs write: an object for each row by its id, and a list for each column.
    A list in a cell is joined with commas.
    """
    try:
        rows_of_json = parse_json(folder.text(name))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        report.add_problem(
            folder.where(name, line), f"this is not JSON: {error}", 'rows such as [{"id": "fox"}]'
        )
        return NO_TABLE
    if isinstance(rows_of_json, dict):
        rows_of_json = _json_rows(rows_of_json)
    if not isinstance(rows_of_json, list) or not all(isinstance(row, dict) for row in rows_of_json):
        raise InvalidValueError(
            f"{name!r} has no rows", 'a list of objects, such as [{"id": "fox"}, {"id": "elk"}]'
        )
    columns = tuple(dict.fromkeys(str(key) for row in rows_of_json for key in row))
    _check_size(len(rows_of_json), len(columns))
    where = folder.where(name)
    try:
        rows = [
            DataRow(
                {column: _json_cell(row.get(column), column, number) for column in columns}, where
            )
            for number, row in enumerate(rows_of_json, 1)
        ]
    except RecursionError:
        raise InvalidValueError(
            "lists are nested too deeply", "a list of texts or numbers"
        ) from None
    return DataTable(columns, tuple(rows))


def _json_rows(table: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a JSON object that has an object for each row, or a list for each column."""
    if table and all(isinstance(row, dict) for row in table.values()):
        return [{"id": key, **row} for key, row in table.items()]
    if not table or not all(isinstance(cells, list) for cells in table.values()):
        return None
    first, *_ = table
    for column, cells in table.items():
        if len(cells) != len(table[first]):
            raise InvalidValueError(
                f"{column!r} has {len(cells)} values, and {first!r} has {len(table[first])}",
                "a value for each row",
            )
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _json_cell(value: object, column: str, number: int) -> str:
    """Return the text of a cell of the row with this number; JSON has no lines to name."""
    if isinstance(value, list):
        return ", ".join(_json_cell(item, column, number) for item in value)
    if isinstance(value, dict):
        raise InvalidValueError(
            f"{column} in row {number} is an object",
            "a text, a number, true, false, or a list of them",
        )
    return "" if value is None else cell_text(value)


def cell_text(value: object) -> str:
    """Return a value as CSV text: `3` for 3.0, `TRUE` for true."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


READERS: Frozen[str, Reader] = Frozen(
    {".csv": _read_csv, ".tsv": _read_csv, ".txt": _read_csv, ".json": _read_json}
    | dict.fromkeys((".xlsx", ".xlsm", ".ods"), _read_book)
)
"""The readers of tables, by the file's suffix."""
