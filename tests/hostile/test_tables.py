"""Test tables that would fill the memory or are damaged: they are refused soon, in words."""

import io
import json
import zipfile

import pytest

from generator.base.errors import InvalidValueError
from generator.base.worker import Worker, WorkLimitError
from generator.pack import workbooks
from generator.pack.tables import MAX_CELLS
from generator.pack.workbooks import read_sheets
from tests.tools.make_pack import make
from tests.tools.make_workbook import make_xlsx, ods_of, xlsx_of, zip_parts

LAYOUT = "- fill: red\n"
CELL = '<table:table-cell office:value-type="string"{}><text:p>id</text:p></table:table-cell>'
ROW = f"<table:table-row{{}}>{CELL.format('')}</table:table-row>"
WIDE_CELL = CELL.format(' table:number-columns-repeated="500"')


def ods(rows):
    """Return an OpenDocument of one sheet."""
    return ods_of(f'<table:table table:name="a">{rows}</table:table>')


def inline(place, value):
    """Return a row of a worksheet with one text in it."""
    return f'<row r="{place[1:]}"><c r="{place}" t="inlineStr"><is><t>{value}</t></is></c></row>'


def shared_strings(text):
    """Return the part of an .xlsx file with one shared text."""
    return f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>{text}</t></si></sst>'


def understate_size(data):
    """Return an archive that declares its first part as shorter than it is."""
    out = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sizes = archive.infolist()[0].file_size.to_bytes(4, "little")
    first = out.index(sizes, 18)
    out[first : first + 4] = (5).to_bytes(4, "little")
    central = out.index(sizes, out.index(b"PK\x01\x02"))
    out[central : central + 4] = (5).to_bytes(4, "little")
    return bytes(out)


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
    "deep-lists.json": (
        f'[{{"id": "a", "x": {"[" * 900}{"]" * 900}}}]',
        "lists are nested too deeply",
    ),
    "repeated.ods": (
        ods(f'<table:table-row table:number-rows-repeated="500">{WIDE_CELL * 5}</table:table-row>'),
        "reaches",
    ),
    "wide.ods": (
        ods(f"<table:table-row>{WIDE_CELL * 2_001}</table:table-row>"),
        "reaches over 1000500 cells",
    ),
    "no-number.ods": (
        ods(ROW.format(' table:number-rows-repeated="junk"')),
        "cannot be read as a workbook",
    ),
    "long-number.ods": (
        ods(ROW.format(f' table:number-rows-repeated="{"9" * 5000}"')),
        "cannot be read as",
    ),
    "deep.ods": (
        ods(
            f"<table:table-row>{CELL.format('').replace('id', '<a>' * 50_000 + '</a>' * 50_000)}</table:table-row>"
        ),
        "the table is empty",
    ),
    "marks.ods": (ods("<a/>" * (workbooks.MAX_BRACKETS + 1)), "has too many cells"),
    "unpacked.ods": (
        ods(" " * (workbooks.MAX_UNPACKED_BYTES + 1)),
        "too large once it is unpacked",
    ),
    "nothing.xlsx": (b"PK\x05\x06" + b"\0" * 18, "cannot be read as a workbook"),
    "cut.xlsx": (zip_parts({"xl/workbook.xml": b"x" * 999})[:60], "cannot be read as a workbook"),
    "far-away.xlsx": (
        xlsx_of(f"<sheetData>{inline('A1', 'id')}{inline('C1048576', 'x')}</sheetData>"),
        "reaches over 3145728 cells",
    ),
    "no-cell.xlsx": (
        xlsx_of(f"<sheetData>{inline('A1', 'id')}{inline('?2', 'x')}</sheetData>"),
        "cannot be read as",
    ),
    "one-text-a-million-times.xlsx": (
        xlsx_of(
            "<sheetData><row>" + '<c t="s"><v>0</v></c>' * 300 + "</row></sheetData>",
            **{"xl/sharedStrings.xml": shared_strings("x" * 30_000_000)},
        ),
        "takes more than 1 GB of memory to read",
    ),
    "one-text-a-million-times.ods": (
        ods(f"<table:table-row>{WIDE_CELL.replace('id', 'x' * 30_000_000)}</table:table-row>"),
        "takes more than 1 GB of memory to read",
    ),
    "blanks.ods": (
        ods(ROW.format("").replace("id", '<text:s text:c="2000000000"/>')),
        "takes more than",
    ),
    "lying.xlsx": (
        understate_size(make_xlsx(A=[["id"], ["a"]])),
        "cannot be read as a workbook (Bad CRC-32",
    ),
    "entities.xlsx": (
        zip_parts({"xl/workbook.xml": "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"}),
        "entities.xlsx defines entities",
    ),
    "old.xlsx": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(999),
        "is protected by a password, or is an old .xls",
    ),
    "secret.ods": (
        zip_parts(
            {"META-INF/manifest.xml": "<manifest:encryption-data/>", "content.xml": b"\x03\x9f"}
        ),
        "secret.ods is protected by a password",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_harmful_or_damaged_table_is_refused(name, tmp_path, pnp):
    data, message = TABLES[name]
    pack = make(tmp_path / "pack", LAYOUT, files={name: data})
    main = pack / "game.yaml"
    main.write_text(main.read_text("utf-8").replace("cards.csv", name), "utf-8")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert message in result.stderr


def test_rows_written_in_game_file_obey_limits_of_tables(tmp_path, pnp):
    pack = make(tmp_path / "pack", LAYOUT)
    rows = "".join(f"\n      - {{id: x{n}, a{n}: 1}}" for n in range(1500))
    main = pack / "game.yaml"
    main.write_text(main.read_text("utf-8").replace("data: cards.csv", f"data:{rows}"), "utf-8")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert "a table of 1500 rows and 1501 columns" in result.stderr


ALL = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'


def test_workbook_beyond_its_time_limit_is_refused(monkeypatch):
    monkeypatch.setattr(
        Worker, "run", lambda *_: (_ for _ in ()).throw(WorkLimitError("more than 15 seconds"))
    )
    with pytest.raises(InvalidValueError, match="takes more than 15 seconds to read"):
        read_sheets(make_xlsx(A=[["id"]]), "a.xlsx", MAX_CELLS)


def test_merged_cell_may_cover_the_whole_sheet():
    (sheet,) = read_sheets(
        xlsx_of(f"<sheetData>{inline('A1', 'id')}</sheetData>{ALL}"), "a.xlsx", MAX_CELLS
    )
    assert sheet.rows == ((1, ("id",)),)


def test_media_in_a_workbook_are_not_unpacked():
    data = zip_parts({"xl/media/film.bin": bytes(workbooks.MAX_UNPACKED_BYTES + 1)})
    with zipfile.ZipFile(io.BytesIO(make_xlsx(A=[["id"], ["a"]]))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    (sheet,) = read_sheets(zip_parts({**parts, "xl/media/film.bin": data}), "a.xlsx", MAX_CELLS)
    assert [cells for _, cells in sheet.rows] == [("id",), ("a",)]
