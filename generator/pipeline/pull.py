"""Download of the tables that a pack names by address.

Only `pnp pull` does this; a build never uses the network.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.base.errors import (
    InvalidValueError,
    PnpError,
    Problem,
    Reporter,
    Where,
    join_some,
)
from generator.base.fetch import fetch
from generator.base.files import Outbox, read_limited
from generator.pack.folder import GAME_FILE, PackFolder
from generator.pack.load import PackForm, load_from
from generator.pack.tables import delimiter_of
from generator.pack.yaml_nodes import Node, parse_yaml
from generator.pipeline.new_pack import csv_address, tidy_download
from generator.pipeline.vocabulary import vocabulary

# The most rows of each kind of change that a line names.
MAX_NAMED_ROWS = 6


@dataclass(frozen=True)
class TableSource:
    """A component's `source:`, the file that the download replaces, and whether it is tidied."""

    address: Node
    file: Node
    is_tidied: bool


@dataclass(frozen=True)
class PulledTable:
    """A downloaded table: the pack's file, its bytes, and its rows by id, before and now."""

    file: str
    data: bytes
    before: Mapping[str, tuple[str, ...]]
    now: Mapping[str, tuple[str, ...]]
    rows: int
    is_as_before: bool
    notes: tuple[str, ...] = ()
    """What was skipped, changed or left out where the sheet was tidied."""

    @property
    def changes(self) -> Mapping[str, list[str]]:
        """The ids of rows by the kind of change: new, gone or changed."""
        return {
            "new": [key for key in self.now if key not in self.before],
            "gone": [key for key in self.before if key not in self.now],
            "changed": [
                key for key in self.now if self.before.get(key, self.now[key]) != self.now[key]
            ],
        }

    def __str__(self) -> str:
        if self.is_as_before:
            return f"{self.file}: {self.rows} rows, as before"
        changed = "; ".join(
            f"{len(keys)} {kind}: {join_some(keys, MAX_NAMED_ROWS)}"
            for kind, keys in self.changes.items()
            if keys
        )
        return f"{self.file}: {self.rows} rows" + (
            f" ({changed})" if changed and self.before else ""
        )


def pull(
    folder: Path,
    *,
    near: bool = False,
    proxy: bool = False,
    check: Callable[[PulledTable], object] = lambda _: None,
) -> list[PulledTable]:
    """Download every `source:` into its component's `data:`: all of them or, if one fails, none.

    With `near`, addresses may be on this machine or its network; with `proxy`, the user's proxy is
    used. `check` raises if a file must not be replaced.
    """
    pack = PackFolder(folder)
    report = Reporter()
    pulled: list[PulledTable] = []
    with Outbox(folder) as outbox:
        for source in _find_sources(pack, report):
            with report.at(source.address.where, "source"):
                name = str(source.file.value)
                data = fetch(csv_address(str(source.address.value)), near=near, proxy=proxy)
                notes: Iterable[str] = ()
                if source.is_tidied:
                    data, notes = tidy_download(pack, name, data)
                table = _check_table(folder, name, data)
                pulled.append(replace(table, notes=tuple(notes)))
        report.raise_any()
        _check_pack(pack, {table.file: table.data for table in pulled})
        for table in pulled:
            if not table.is_as_before:
                check(table)
                outbox.write(table.file, table.data)
    return pulled


def _check_pack(pack: PackFolder, tables: Mapping[str, bytes]) -> None:
    """Load the pack with the new tables.

    Raise for every problem that the pack did not have before.
    """
    before = _find_problems(pack)
    new_problems = [
        problem
        for problem in _find_problems(replace(pack, replaced=tables))
        if problem not in before
    ]
    if new_problems:
        discarded = f"the download for {', '.join(tables)} was discarded"
        raise PnpError(
            [
                replace(problem, hint="\n  ".join(filter(None, (problem.hint, discarded))))
                for problem in new_problems
            ]
        )


def _find_problems(pack: PackFolder) -> tuple[Problem, ...]:
    try:
        load_from(pack, vocabulary(), PackForm())
    except PnpError as error:
        return error.problems
    return ()


def _find_sources(pack: PackFolder, report: Reporter) -> list[TableSource]:
    """Return the sources of all components; report those without a file to download into."""
    root = parse_yaml(pack.text(GAME_FILE), pack.where(GAME_FILE).file)
    components = root.find("components")
    sources: list[TableSource] = []
    for name in components.keys if components else ():
        source = root.find("components", name, "source")
        data = root.find("components", name, "data")
        if source is None:
            continue
        if data is None or not isinstance(data.value, str) or not _is_inside(pack, data.value):
            expected = "the name of a CSV file in the pack's folder, which is written anew"
            report.add_problem((data or source).where, "data: no file to download into", expected)
        elif any(pack.root / str(other.file.value) == pack.root / data.value for other in sources):
            report.add_problem(
                data.where,
                f"data: two components are downloaded into {data.value!r}",
                "a file for each",
            )
        else:
            tidy = root.find("components", name, "tidy")
            sources.append(TableSource(source, data, tidy is not None and tidy.value == "true"))
    if not sources and not report.problems:
        expected = "a component with `source: https://…` and `data: file.csv`"
        report.add_problem(
            Where(pack.where(GAME_FILE).file),
            "nothing to download: no component names a source",
            expected,
        )
    return sources


def _is_inside(pack: PackFolder, name: str) -> bool:
    """Return True if a name is that of a table inside the pack after following links: it will be replaced."""
    path = Path(name)
    plain = (
        not path.is_absolute()
        and ".." not in path.parts
        and path.suffix.lower() in {".csv", ".tsv"}
    )
    return plain and pack.holds(pack.root / path)


def _check_table(folder: Path, name: str, data: bytes) -> PulledTable:
    """Return a downloaded table; raise if it is none, such as a page that asks to sign in."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidValueError(
            "the download is not UTF-8 text", "a table published as CSV"
        ) from None
    cells = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    try:
        rows = [row for row in cells if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidValueError(
            f"the download is not a table ({error})", "a table published as CSV"
        ) from None
    if text.lstrip().startswith("<") or not rows or "id" not in [cell.strip() for cell in rows[0]]:
        hint = "in Google Sheets: File > Share > Publish to web, this sheet, as comma-separated values (.csv)"
        raise InvalidValueError(
            "the download is not a table with a column 'id'", "a table published as CSV", hint
        )
    if len(rows) == 1:
        raise InvalidValueError(
            "the download has a header but no rows", "a table with a row for each design"
        )
    old = folder / name
    before = read_limited(old, name) if old.is_file() else b""
    return PulledTable(
        name,
        data,
        _cells_by_id(_read_old_rows(before)),
        _cells_by_id(rows),
        len(rows) - 1,
        before == data,
    )


def _read_old_rows(data: bytes) -> list[list[str]]:
    """Return the rows of the old table, which may be any bytes."""
    text = data.decode("utf-8-sig", "replace")
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text)))
    except csv.Error:
        return []


def _cells_by_id(rows: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return each row's cells with their columns, by the row's id."""
    head = [cell.strip() for cell in rows[0]] if rows else []
    if "id" not in head:
        return {}
    cells = (dict(zip(head, map(str.strip, row), strict=False)) for row in rows[1:])
    return {
        row["id"]: tuple(f"{key}={row[key]}" for key in sorted(row))
        for row in cells
        if row.get("id")
    }
