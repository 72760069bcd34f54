"""Downloading the tables that a pack names by address. Only `pnp pull` does this; a build never touches the network."""

import csv
import io
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from generator import __version__
from generator.core.files import Outbox
from generator.core.problems import Reporter, Where, Wrong
from generator.pack.folder import PackFolder
from generator.pack.load import MAIN
from generator.pack.source import Node, parse
from generator.pack.tables import delimiter_of

TIMEOUT = 30.0
"""Seconds without an answer."""

LARGEST = 20_000_000
"""Bytes; no honest table is larger."""


@dataclass(frozen=True)
class Pulled:
    """A table that was downloaded: the pack's file, how many rows it has now, and whether it is another than before."""

    file: str
    rows: int
    changed: bool


def pull(folder: Path) -> list[Pulled]:
    """Download every `source:` into its component's `data:`; all of them or, if one fails, none."""
    pack = PackFolder(folder)
    report = Reporter()
    pulled: list[Pulled] = []
    with Outbox(folder) as outbox:
        for source, target in _wanted(pack, report):
            with report.at(source.where, "source"):
                data = _download(str(source.value))
                pulled.append(_kept(outbox, folder, str(target.value), data))
        report.raise_any()
    return pulled


def _wanted(pack: PackFolder, report: Reporter) -> list[tuple[Node, Node]]:
    """The address and the file of each component that names an address."""
    root = parse(pack.text(MAIN), pack.where(MAIN).file)
    components = root.find("components")
    wanted = []
    for name in components.keys if components else ():
        source, data = root.find("components", name, "source"), root.find("components", name, "data")
        if source is None:
            continue
        if data is None or not isinstance(data.value, str) or not _is_inside(pack, data.value):
            expected = "the name of a CSV file in the pack's folder, which is written anew"
            report.tell((data or source).where, "data: no file to download into", expected)
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


def _download(address: str) -> bytes:
    if not address.startswith(("https://", "http://")):
        raise Wrong(f"{address!r} is no address", "one that begins with https://")
    try:
        request = Request(address, headers={"User-Agent": f"pnp/{__version__}"})  # noqa: S310 - http and https only
        with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
            data = bytes(answer.read(LARGEST + 1))
    except (URLError, OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise Wrong(
            f"{address} cannot be downloaded: {reason}", "an address that answers without signing in"
        ) from error
    if len(data) > LARGEST:
        raise Wrong(f"{address} sends more than {LARGEST // 1_000_000} MB", "a table")
    return data


def _kept(outbox: Outbox, folder: Path, name: str, data: bytes) -> Pulled:
    """Keep a table that is one; a page that asks to sign in is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Wrong("what came is not UTF-8 text", "a table published as CSV") from None
    cells = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
    try:
        rows = [row for row in cells if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise Wrong(f"what came is no table ({error})", "a table published as CSV") from None
    if text.lstrip().startswith("<") or not rows or "id" not in [cell.strip() for cell in rows[0]]:
        hint = "in Google Sheets: File > Share > Publish to web, this sheet, as comma-separated values (.csv)"
        raise Wrong("what came is no table with a column 'id'", "a table published as CSV", hint)
    old = folder / name
    changed = not old.is_file() or old.read_bytes() != data
    outbox.write(name, data)
    return Pulled(name, len(rows) - 1, changed)
