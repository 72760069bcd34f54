"""Downloading the tables that a pack names by address. Only `pnp pull` does this; a build never touches the network."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from generator.app.fetching import fetch
from generator.core.files import Outbox
from generator.core.problems import Reporter, Where, Wrong
from generator.pack.folder import PackFolder
from generator.pack.load import MAIN
from generator.pack.source import Node, parse
from generator.pack.tables import delimiter_of


@dataclass(frozen=True)
class Pulled:
    """A table that was downloaded: the pack's file, how many rows it has now, and whether it is another than before."""

    file: str
    rows: int
    changed: bool


def pull(folder: Path, *, near: bool = False) -> list[Pulled]:
    """Download every `source:` into its component's `data:`; all of them or, if one fails, none.

    With `near`, addresses may be on this machine or in the network round it.
    """
    pack = PackFolder(folder)
    report = Reporter()
    pulled: list[Pulled] = []
    with Outbox(folder) as outbox:
        for source, target in _wanted(pack, report):
            with report.at(source.where, "source"):
                data = fetch(str(source.value), near=near)
                pulled.append(_kept(outbox, folder, str(target.value), data))
        report.raise_any()
    return pulled


def _wanted(pack: PackFolder, report: Reporter) -> list[tuple[Node, Node]]:
    """The address and the file of each component that names an address."""
    root = parse(pack.text(MAIN), pack.where(MAIN).file)
    components = root.find("components")
    wanted: list[tuple[Node, Node]] = []
    for name in components.keys if components else ():
        source, data = root.find("components", name, "source"), root.find("components", name, "data")
        if source is None:
            continue
        if data is None or not isinstance(data.value, str) or not _is_inside(pack, data.value):
            expected = "the name of a CSV file in the pack's folder, which is written anew"
            report.tell((data or source).where, "data: no file to download into", expected)
        elif any(pack.root / str(other.value) == pack.root / data.value for _, other in wanted):
            report.tell(data.where, f"data: two components are downloaded into {data.value!r}", "a file for each")
        else:
            wanted.append((source, data))
    if not wanted and not report.problems:
        expected = "a component with `source: https://…` and `data: file.csv`"
        report.tell(Where(pack.where(MAIN).file), "nothing to download: no component names a source", expected)
    return wanted


def _is_inside(pack: PackFolder, name: str) -> bool:
    """Whether a name is that of a table in the pack, once all links are followed: what is there is written over."""
    path = Path(name)
    plain = not path.is_absolute() and ".." not in path.parts and path.suffix.lower() in {".csv", ".tsv"}
    return plain and pack.holds(pack.root / path)


def _kept(outbox: Outbox, folder: Path, name: str, data: bytes) -> Pulled:
    """Keep a table that is one; a page that asks to sign in is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Wrong("what came is not UTF-8 text", "a table published as CSV") from None
    cells = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    try:
        rows = [row for row in cells if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise Wrong(f"what came is no table ({error})", "a table published as CSV") from None
    if text.lstrip().startswith("<") or not rows or "id" not in [cell.strip() for cell in rows[0]]:
        hint = "in Google Sheets: File > Share > Publish to web, this sheet, as comma-separated values (.csv)"
        raise Wrong("what came is no table with a column 'id'", "a table published as CSV", hint)
    if len(rows) == 1:
        raise Wrong("what came has a header and no rows", "a table with a row for each design")
    old = folder / name
    changed = not old.is_file() or old.read_bytes() != data
    outbox.write(name, data)
    return Pulled(name, len(rows) - 1, changed)
