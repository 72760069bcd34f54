"""Tables that are made to fill the memory, or that are damaged: an answer in words, and soon."""

import io
import json
import zipfile

import pytest
from making import make

from generator.core.problems import Wrong
from generator.core.worker import TooMuch, Worker
from generator.pack import workbooks
from generator.pack.book_sheets import MOST_CELLS
from generator.pack.workbooks import sheets_of

LAYOUT = "- fill: red\n"
NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
CELL = "<table:table-cell{}><text:p>id</text:p></table:table-cell>"
ROW = f"<table:table-row{{}}>{CELL.format('')}</table:table-row>"
WIDE = CELL.format(' table:number-columns-repeated="500"')


def zipped(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, data in parts.items():
            whole.writestr(name, data)
    return out.getvalue()


def ods(rows):
    """An OpenDocument of one sheet."""
    return zipped({"content.xml": f'<x {NAMES}><table:table table:name="a">{rows}</table:table></x>'})


def xlsx(sheet):
    """An Excel workbook with another sheet in the place of its own."""
    from openpyxl import Workbook

    out = io.BytesIO()
    Workbook().save(out)
    with zipfile.ZipFile(out) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    return zipped({**parts, "xl/worksheets/sheet1.xml": f"{head}{sheet}</worksheet>"})


def text(place, value):
    return f'<row r="{place[1:]}"><c r="{place}" t="inlineStr"><is><t>{value}</t></is></c></row>'


TABLES = {
    "rows-times-columns.csv": (
        f"id,{','.join(f'a{n}' for n in range(9_000))}\n" + "".join(f"x{n}\n" for n in range(900)),
        "a table of 900 rows and 9001 columns",
    ),
    "a-column-a-row.json": (
        json.dumps([{"id": f"x{n}", f"a{n}": 1} for n in range(2000)]),
        "a table of 2000 rows and 2001 columns",
    ),
    "many-objects.json": (f"[{'{},' * 30_000}{{}}]", "a table of 30001 rows"),
    "deep-lists.json": (f'[{{"id": "a", "x": {"[" * 900}{"]" * 900}}}]', "lists stand in lists"),
    "repeated.ods": (ods(f'<table:table-row table:number-rows-repeated="500">{WIDE * 5}</table:table-row>'), "reaches"),
    "wide.ods": (ods(f"<table:table-row>{WIDE * 2_001}</table:table-row>"), "reaches over 1000001 cells"),
    "no-number.ods": (ods(ROW.format(' table:number-rows-repeated="junk"')), "cannot be read as a workbook"),
    "long-number.ods": (ods(ROW.format(f' table:number-rows-repeated="{"9" * 5000}"')), "cannot be read as"),
    "deep.ods": (
        ods(f"<table:table-row>{CELL.format('').replace('id', '<a>' * 50_000 + '</a>' * 50_000)}</table:table-row>"),
        "cannot be read as a workbook",
    ),
    "marks.ods": (ods("<a/>" * (workbooks.MOST_MARKS + 1)), "has too many cells"),
    "unpacked.ods": (ods(" " * (workbooks.LARGEST + 1)), "too large once it is unpacked"),
    "nothing.xlsx": (b"PK\x05\x06" + b"\0" * 18, "cannot be read as a workbook"),
    "cut.xlsx": (zipped({"xl/workbook.xml": b"x" * 999})[:60], "cannot be read as a workbook"),
    "far-away.xlsx": (
        xlsx(f"<sheetData>{text('A1', 'id')}{text('C1048576', 'x')}</sheetData>"),
        "reaches over 3145728 cells",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_refused(name, tmp_path, pnp):
    data, said = TABLES[name]
    pack = make(tmp_path / "pack", LAYOUT, files={name: data})
    main = pack / "game.yaml"
    main.write_text(main.read_text("utf-8").replace("cards.csv", name), "utf-8")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert said in result.stderr


def test_rows_that_are_written_in_place_too(tmp_path, pnp):
    pack = make(tmp_path / "pack", LAYOUT)
    rows = "".join(f"\n      - {{id: x{n}, a{n}: 1}}" for n in range(1500))
    main = pack / "game.yaml"
    main.write_text(main.read_text("utf-8").replace("data: cards.csv", f"data:{rows}"), "utf-8")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert "a table of 1500 rows and 1501 columns" in result.stderr


ALL = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'


def test_what_fills_every_cell_is_read_where_it_can_be_stopped(monkeypatch):
    monkeypatch.setattr(Worker, "run", lambda *_: (_ for _ in ()).throw(TooMuch("more than 15 seconds")))
    with pytest.raises(Wrong, match="takes more than 15 seconds to read"):
        sheets_of(xlsx(f"<sheetData>{text('A1', 'id')}</sheetData>{ALL}"), "a.xlsx")


def test_what_a_worker_reads_is_what_we_read():
    sheet = f"<sheetData>{text('A1', 'id')}{text('A2', 'fox')}</sheetData>"
    small = ALL.replace("A1:XFD1048576", "B3:C4")
    plain, merged = (sheets_of(xlsx(each), "a.xlsx")["Sheet"] for each in (sheet, sheet + small))
    assert plain.rows == [(1, ["id"]), (2, ["fox"])]
    assert [(line, [cell for cell in cells if cell]) for line, cells in merged.rows if any(cells)] == plain.rows
    far = f"<sheetData>{text('A1', 'id')}{text(f'B{MOST_CELLS}', 'x')}</sheetData>{small}"
    with pytest.raises(Wrong, match="reaches over 3000000 cells"):
        sheets_of(xlsx(far), "a.xlsx")
