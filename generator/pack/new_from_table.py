"""A new pack from an existing table: a layout is guessed from its columns."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from generator.base.errors import InvalidValueError, Reporter
from generator.pack.folder import PackFolder
from generator.pack.functions import number_in
from generator.pack.game_spec import IDENTIFIER
from generator.pack.tables import DataTable, read_rows_of
from generator.pack.validation import COUNT_SYNONYMS
from generator.pack.yaml_nodes import Node

TITLES = ("title", "name", "card", "card name", "titel", "nom")
MIN_TEXT_CHARACTERS = 30
"""Characters on the average from which a column is words to read, and no label."""

GAME = """\
# yaml-language-server: $schema=schema/game.json
name: {name}
version: "1"
palette: {{ink: "#20302a", paper: "#fbf7ee", accent: "#7a4b2a"}}
styles:
  title: {{font: Alegreya SC, weight: bold, size: 13pt, colour: $ink, align: center, valign: middle}}
  number: {{font: Alegreya Sans, weight: bold, size: 15pt, colour: $paper, align: center, valign: middle}}
  label: {{font: Alegreya Sans, size: 8.5pt, colour: $accent, align: center}}
  body: {{font: Alegreya, size: 10pt, colour: $ink}}
components:
  cards:
    title: Cards
    size: poker
    data: cards.csv            # columns: {columns}
    front: layouts/front.yaml
"""


@dataclass(frozen=True)
class Columns:
    """The columns of a table, by the role inferred for them."""

    title: str
    number: str
    labels: tuple[str, ...]
    texts: tuple[str, ...]

    def __str__(self) -> str:
        parts = {"title": self.title, "number": self.number, "labels": ", ".join(self.labels)}
        parts["text"] = ", ".join(self.texts)
        return "; ".join(f"{what}: {names}" for what, names in parts.items() if names)


def pack_of(path: Path) -> tuple[dict[str, bytes], str]:
    """Return the files of a pack for a table, by name, and a text on the inferred roles of its columns."""
    report = Reporter()
    table = read_rows_of(
        PackFolder(path.parent), Node(path.name, PackFolder(path.parent).where(path.name)), report
    )
    report.raise_any()
    if not table.rows:
        raise InvalidValueError(
            f"{path.name} has no rows",
            "a first row with the names of the columns, and a row for each card",
        )
    rows, columns = _named(table)
    found = _columns(rows, [column for column in columns if column not in {"id", "count"}])
    name = re.sub(r"[-_]+", " ", path.stem).strip().title()
    files = {
        "game.yaml": GAME.format(name=_quoted(name), columns=", ".join(columns)),
        "cards.csv": _csv(
            [columns, *([row.get(column, "") for column in columns] for row in rows)]
        ),
        "layouts/front.yaml": "\n".join(_layout(found)) + "\n",
    }
    return {name: text.encode() for name, text in files.items()}, str(found)


def _named(table: DataTable) -> tuple[list[dict[str, str]], list[str]]:
    """Return the rows with an id each, and the column names, with the column of counts named `count`."""
    counts = next((column for column in table.columns if column.lower() in COUNT_SYNONYMS), "")
    bare = next((column for column in table.columns if number_in(column) is not None), "")
    if bare:
        raise InvalidValueError(
            f"a column is called {bare!r}",
            "names of columns in the first row",
            "is that row missing?",
        )
    names: dict[str, str] = {}
    for column in table.columns:
        names[column] = "count" if column == counts else _nameable(column, names.values())
    rows = [{names[column]: cell for column, cell in row.values.items()} for row in table.rows]
    ids = [row.get("id", "") for row in rows]
    if len({*ids}) < len(ids) or not all(IDENTIFIER.fullmatch(item) for item in ids):
        rows = [{**row, "id": f"c{index:03}"} for index, row in enumerate(rows, 1)]
    return rows, ["id", *(name for name in names.values() if name != "id")]


def _nameable(column: str, taken: Collection[str]) -> str:
    """Return a unique column name without the signs that would end it between braces."""
    plain = re.sub(r"[${}|\"']", "", column).strip() or "column"
    others = (f"{plain} {n}" for n in count(2))
    return next(name for name in chain([plain], others) if name not in taken)


def _columns(rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> Columns:
    shown = [
        column
        for column in columns
        if "@" not in column and any(row.get(column, "") for row in rows)
    ]
    cells = {
        column: [row.get(column, "") for row in rows if row.get(column, "")] for column in shown
    }
    numbers = [
        column for column in shown if all(number_in(cell) is not None for cell in cells[column])
    ]
    words = [column for column in shown if column not in numbers]
    texts = [
        column
        for column in words
        if sum(map(len, cells[column])) / len(cells[column]) >= MIN_TEXT_CHARACTERS
    ]
    short = [column for column in words if column not in texts]
    title = next(
        (column for column in short if column.lower() in TITLES), short[0] if short else ""
    )
    labels = [column for column in (*short, *numbers[1:]) if column != title]
    return Columns(title, numbers[0] if numbers else "", tuple(labels), tuple(texts))


def _layout(found: Columns) -> Iterator[str]:
    """Yield a layer for each column that was recognised."""
    yield "# yaml-language-server: $schema=../schema/layout.json"
    yield "- fill: $paper"
    yield "- frame: {inset: 3mm, stroke: 0.5mm $ink, radius: 2mm}"
    if found.number:
        yield from ("- group:", "    - shape: {circle: [11, 11], r: 5.5mm, fill: $accent}")
        yield from (
            f"    - text: {_hole(found.number)}",
            "      box: [6, 6, 10, 10]",
            "      style: number",
            "      fit: 6pt",
        )
        yield f"  when: {_condition(found.number)}"
    if found.title:
        yield from (
            f"- text: {_hole(found.title)}",
            "  box: [17.5, 6, 40, 10]",
            "  style: title",
            "  fit: 6pt",
        )
    yield "- blocks:"
    for column in found.labels:
        yield from (
            f"    - text: {_quoted(column + ': ' + _hole(column))}",
            "      style: label",
            f"      when: {_condition(column)}",
        )
    yield "    - rule: 0.3mm $accent"
    for column in found.texts:
        yield from (
            f"    - text: {_hole(column)}",
            "      style: body",
            f"      when: {_condition(column)}",
        )
    yield from ("  box: [6, 20, 51.5, 62]", "  gap: 1.5mm", "  fit: 5pt")


def _hole(column: str) -> str:
    return f"${column}" if re.fullmatch(r"[A-Za-z_]\w*", column) else f"${{{column}}}"


def _condition(column: str) -> str:
    return f"{_quoted('${' + column + '} is not empty')}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _csv(rows: Sequence[Sequence[str]]) -> str:
    import csv
    import io

    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
