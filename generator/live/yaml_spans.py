"""Edits of YAML and tables at exact character positions: one value changes, everything else stays.

Every edit is read back: the file must contain the new value and nothing else may have changed.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from generator.base.errors import InvalidValueError, PnpError
from generator.pack.tables import SEPARATOR, delimiter_of
from generator.pack.yaml_nodes import parse_yaml

Path = tuple[str | int, ...]
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Change:
    """A replacement of the characters from `start` to before `end` by `text`."""

    start: int
    end: int
    text: str

    def apply_to(self, text: str) -> str:
        """Return a text with the change applied."""
        return text[: self.start] + self.text + text[self.end :]


def find_change(before: str, after: str) -> Change:
    """Return the smallest change that turns one text into another."""
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Change(start, len(before) - end, after[start : len(after) - end])


def parse_tree(text: str) -> Any:
    """Return a YAML file as PyYAML nodes, which know their positions.

    Raise InvalidValueError if it is not YAML.
    """
    try:
        return yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise InvalidValueError(
            "this is not valid YAML at the moment", "a file that can be read"
        ) from error


def walk(node: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield all nodes with their paths, outer ones first."""
    yield path, node
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from walk(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from walk(item, (*path, index))


def _scalars(text: str) -> dict[Path, str]:
    """Return the texts of a file by path."""
    return {
        path: node.value
        for path, node in walk(parse_tree(text))
        if isinstance(node, yaml.ScalarNode)
    }


def replace_scalars(text: str, texts: Mapping[Path, str]) -> str:
    """Return a YAML file with new texts at some paths, and all other characters unchanged."""
    nodes = dict(walk(parse_tree(text)))
    for path, value in sorted(texts.items(), key=lambda item: -nodes[item[0]].start_mark.index):
        text = _replace_scalar(text, nodes[path], path, value)
    return text


def _replace_scalar(text: str, node: Any, path: Path, value: str) -> str:
    scalars_before = _scalars(text)
    start = node.start_mark.index
    end = node.end_mark.index
    for written in _spellings(value, node.style, text[start:end]):
        after = text[:start] + written + text[end:]
        try:
            parse_yaml(after, "this file")
            scalars_after = _scalars(after)
        except (PnpError, InvalidValueError):
            continue
        if scalars_after == {**scalars_before, path: value}:
            return after
    raise InvalidValueError(
        f"{value!r} cannot be written in this place", "a text that YAML can hold in this place"
    )


def _spellings(value: str, style: str | None, old: str) -> Iterator[str]:
    """Yield ways to write a text, starting with the present style."""
    double = json.dumps(value, ensure_ascii=False)
    single = "'" + value.replace("'", "''") + "'"
    blank = " " if not old else ""
    tail = old[len(old.rstrip("\n")) :]
    if style == '"':
        yield double
    if style == "'":
        yield single
    if not style and value and value == value.strip():
        yield blank + value
    yield from (blank + double + tail, blank + single + tail)


def replace_cell(text: str, line: int, column: str, value: str) -> str:
    """Return a table with a new text in one cell of the row that begins in a line.

    Raise InvalidValueError if there is no such row or column, or the text cannot be stored.
    """
    if "\0" in value:
        raise InvalidValueError("a cell cannot hold this character", "letters, digits, signs")
    start, delimiter, first = _find_start(text)
    rows = list(_records(text, start, delimiter, first))
    filled = [row for row in rows if any(cell.strip() for cell in row.cells)]
    head = [cell.strip() for cell in filled[0].cells] if filled else []
    row = next((row for row in filled[1:] if row.line == line), None)
    if row is None or column not in head:
        raise InvalidValueError(
            f"there is no row in line {line} with a column {column!r}", "the table as displayed"
        )
    index = head.index(column)
    changed = _replace_cell_at(text, row, index, value, delimiter)
    expected = [list(item.cells) for item in rows]
    cells = expected[rows.index(row)]
    cells += [""] * (index + 1 - len(cells))
    cells[index] = value
    records = [list(record.cells) for record in _records(changed, start, delimiter, first)]
    if records != expected or not _reads_as(changed, expected, start, delimiter):
        raise InvalidValueError(
            f"{value!r} cannot be written in this place", "a text that a table can hold"
        )
    return changed


def _reads_as(text: str, expected: Sequence[Sequence[str]], start: int, delimiter: str) -> bool:
    """Return True if the csv module, which reads tables for a build, reads the same rows."""
    try:
        rows = list(
            csv.reader(io.StringIO(text[start:], newline=""), delimiter=delimiter, strict=True)
        )
    except csv.Error:
        return False
    blank: tuple[list[str], ...] = ([], [""])
    return [row for row in rows if row not in blank] == [
        list(row) for row in expected if list(row) not in blank
    ]


def _replace_cell_at(text: str, row: "Record", at: int, value: str, delimiter: str) -> str:
    if at >= len(row.spans):
        missing = delimiter * (at + 1 - len(row.spans))
        return Change(row.end, row.end, missing + _cell(value, delimiter, quoted=False)).apply_to(
            text
        )
    start, end = row.spans[at]
    return Change(
        start, end, _cell(value, delimiter, quoted=text[start : start + 1] == '"')
    ).apply_to(text)


def _cell(value: str, delimiter: str, *, quoted: bool) -> str:
    needs_quotes = (
        quoted
        or value != value.strip()
        or any(sign in value for sign in (delimiter, '"', "\n", "\r"))
    )
    return '"' + value.replace('"', '""') + '"' if needs_quotes else value


@dataclass(frozen=True)
class Record:
    """A row of a table: its line, its cells, the span of each cell, and the end of the row."""

    line: int
    cells: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    end: int


def _find_start(text: str) -> tuple[int, str, int]:
    """Return the start of the rows, the delimiter and the number of the first line."""
    separator = SEPARATOR.match(text)
    return (separator.end(), separator[1], 2) if separator else (0, delimiter_of(text), 1)


def _records(text: str, at: int, delimiter: str, line: int) -> Iterator[Record]:
    """Yield the rows as the csv module reads them."""
    while at < len(text):
        first_line = line
        cells = []
        spans = []
        while True:
            start = at
            cell, at = _cell_at(text, at, delimiter)
            cells.append(cell)
            spans.append((start, at))
            if not text.startswith(delimiter, at):
                break
            at += 1
        end = at
        line += _count_line_breaks(text[spans[0][0] : end])
        if text.startswith("\r\n", at):
            at += 2
        elif at < len(text):
            at += 1
        line += 1
        yield Record(first_line, tuple(cells), tuple(spans), end)


def _count_line_breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _cell_at(text: str, at: int, delimiter: str) -> tuple[str, int]:
    """Return the cell that begins at a position, and its end."""
    parts: list[str] = []
    if text.startswith('"', at):
        at += 1
        while at < len(text):
            close = text.find('"', at)
            close = len(text) if close < 0 else close
            parts.append(text[at:close])
            at = close + 1
            if not text.startswith('"', at):
                break
            parts.append('"')
            at += 1
    start = at
    while at < len(text) and text[at] not in (delimiter, "\n", "\r"):
        at += 1
    return "".join(parts) + text[start:at], min(at, len(text))
