"""Doors of tables: component data in every format, orders of an edition, plans of a farm."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from generator.base.errors import InvalidValueError, PnpError
from generator.farm.editions import EditionOptions, plan_edition
from generator.farm.jobs import read_plan
from generator.farm.store import check_name
from generator.pack.folder import PackFolder
from generator.pack.load import PackForm, load
from generator.pack.new.cells import CellWriter
from generator.pack.new.import_notes import Notes
from generator.pack.new.raw_table import read_raw_table
from generator.pack.new.table import tidy_table
from generator.pipeline.pull import _check_table
from generator.pipeline.vocabulary import vocabulary
from tests.tools.make_pack import make
from tests.tools.make_workbook import MANIFEST, MIMETYPE, NAMESPACES, zip_parts

ODS = f"""<?xml version="1.0"?><office:document-content {NAMESPACES}>
<office:automatic-styles><style:style style:name="b">
<style:text-properties fo:font-weight="bold" fo:color="#ff0000"/></style:style></office:automatic-styles><office:body>
<office:spreadsheet><table:table table:name="one"><table:table-column table:number-columns-repeated="3"/>
<table:table-row><table:table-cell office:value-type="string"><text:p>id</text:p></table:table-cell
><table:table-cell office:value-type="string"><text:p>count</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1"><table:table-cell office:value-type="string">
<text:p>fox<text:s text:c="1"/><text:tab/>a<text:line-break/></text:p></table:table-cell
><table:table-cell office:value-type="float" office:value="3" table:formula="of:=1+2"
 table:number-columns-repeated="1" table:style-name="b"><text:p><text:span text:style-name="b">3</text:span></text:p>
</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""


def open_document(content: bytes) -> bytes:
    return zip_parts(
        {"mimetype": MIMETYPE, "META-INF/manifest.xml": MANIFEST, "content.xml": content}
    )


def workbook() -> dict[str, bytes]:
    """Return the parts of an Excel workbook."""
    from openpyxl import Workbook

    book = Workbook()
    out = io.BytesIO()
    for row in (["id", "count", "text"], ["fox", 3, "a"], ["owl", 1.5, "=A1"]):
        book.active.append(row)
    book.save(out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Table:
    """Tables of every kind, read as part of a pack and imported into a new one.

    The first line of the bytes names the format.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = make(folder / "tables", "- text: $id\n  box: [5, 5, 30, 5]\n  style: body\n")
        self.main = (self.folder / "game.yaml").read_text()
        self.parts = workbook()
        tables = {
            "csv": b'id,count,text\nfox,2,"a, b"\nowl,,x\n',
            "tsv": b"id\tcount\nfox\t2\n",
            "json": json.dumps(
                [{"id": "fox", "count": 2, "tags": ["a"], "n": 1.5, "t": True, "x": None}]
            ).encode(),
            "ods": ODS.encode(),
            "raw.ods": open_document(ODS.encode()),
            "raw.xlsx": zip_parts(self.parts),
            **{f"{name}|xlsx": data for name, data in self.parts.items()},
        }
        self.seeds = [f"{name}\n".encode() + data for name, data in tables.items()]

    def run(self, data: bytes) -> None:
        first_line, _, body = data.partition(b"\n")
        name = first_line.decode(errors="replace")
        part, _, excel = name.partition("|")
        kind = (
            "xlsx"
            if excel or "xlsx" in name
            else next((item for item in KINDS_OF_TABLE if item in name), "csv")
        )
        if kind == "ods" and "raw" not in name:
            body = open_document(body)
        elif kind == "xlsx" and "raw" not in name:
            body = zip_parts({**self.parts, part: body} if part in self.parts else self.parts)
        (self.folder / f"cards.{kind}").write_bytes(body)
        (self.folder / "game.yaml").write_text(self.main.replace("cards.csv", f"cards.{kind}"))
        call_all(
            lambda: load(self.folder, vocabulary(), PackForm()),
            lambda: import_table(self.folder, f"cards.{kind}"),
            lambda: _check_table(self.folder, "cards.csv", body),
        )


def import_table(folder: Path, name: str) -> None:
    """Tidy a table as `pnp new --from` does, without drawing it."""
    notes = Notes()
    table = tidy_table(read_raw_table(PackFolder(folder), name, notes), notes)
    CellWriter(str.isascii, notes).write(table)


KINDS_OF_TABLE = ("json", "tsv", "ods", "csv")


def call_all(*functions: Callable[[], object]) -> None:
    """Call all functions, and raise the first error at the end."""
    errors: list[Exception] = []
    for function in functions:
        try:
            function()
        except (PnpError, InvalidValueError) as error:
            errors.append(error)
    if errors:
        raise errors[0]


COPIES = """\
order: {name: Nobody, town: ""}
lots: {booster: {of: cards, take: 3, by: kind, weights: {a: 2}, least: {b: 1}, most: {a: 2}, unique: true}}
variants: {dark: {palette: {ink: "#000000"}}}
"""


class Orders:
    """Orders of an edition, and a pack's settings for copies."""

    def __init__(self, folder: Path) -> None:
        rows = "id,count,kind\n" + "".join(f"c{n},2,{'ab'[n % 2]}\n" for n in range(6))
        self.folder = make(folder / "edition", "- fill: red\n", rows, more=COPIES)
        self.main = (self.folder / "game.yaml").read_bytes()
        self.orders = folder / "orders.csv"
        table = io.StringIO()
        csv.writer(table).writerows(
            [["id", "name", "town", "variant", "language", "paper", "cards:c1"]]
            + [[f"k{n}", "A", "B", "dark" if n % 2 else "", "", "a4", n] for n in range(4)]
        )
        self.table = table.getvalue().encode()
        self.seeds = [self.table, self.main]

    def run(self, data: bytes) -> None:
        is_main = data[:2] != self.table[:2] and b"components" in data
        (self.folder / "game.yaml").write_bytes(data if is_main else self.main)
        self.orders.write_bytes(self.table if is_main else data)
        jobs, picking_list = plan_edition(
            str(self.folder), EditionOptions(self.orders, "a seed", groupings=("order", "sheet"))
        )
        for job in jobs:
            check_name(f"{job.store_folder or job.name}/x")
        assert picking_list


JOBS = b"""\
store: out
games: [pack, "pack*"]
versions: [now, "1"]
papers: [a4, letter]
languages: ["", nl]
variants: ["", dark]
outputs: [sheets, rules, release]
targets: [press]
minutes: 2
"""


class Jobs:
    """Plans of a farm."""

    def __init__(self, folder: Path) -> None:
        make(folder / "farm" / "pack")
        self.path = folder / "farm" / "jobs.yaml"
        self.seeds = [JOBS]

    def run(self, data: bytes) -> None:
        self.path.write_bytes(data)
        for job in read_plan(self.path).jobs:
            check_name(f"{job.store_folder or job.name}/x")
