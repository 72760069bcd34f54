"""Test .xlsx and .ods workbooks as tables: plain values, and cell formats on request."""

import json
from datetime import date, datetime, time, timedelta
from pathlib import Path
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from generator.base.errors import Reporter
from generator.pack import workbooks
from generator.pack.folder import PackFolder
from generator.pack.tables import read_rows_of
from generator.pack.yaml_nodes import Node
from tests.tools.make_pack import loaded, make, problems
from tests.tools.make_workbook import (
    csv_text,
    make_book,
    make_ods,
    make_xlsx,
    ods_cell,
    ods_of,
    ods_row,
    save_book,
    xlsx_of,
    zip_parts,
)

TEXT = "- text: $text\n  box: trim\n  style: body\n"


def with_book(folder, data, name="cards.xlsx", formatted=""):
    pack = make(folder, TEXT, files={name.partition("#")[0]: data})
    game = pack / "game.yaml"
    text = game.read_text().replace("cards.csv", f'"{name}"' if "#" in name else name)
    game.write_text(
        text.replace("    size:", f"    formatted: {formatted}\n    size:", 1)
        if formatted
        else text
    )
    return pack


def texts_of(pack):
    return [design.front.layers[0].layer.text for design in loaded(pack).components[0].designs]


# --- One table in three kinds of file ---


WORDS = st.text(st.sampled_from([*printable[:95], *"äßé–✓\n"]), max_size=12).map(
    # CSV has no values but texts, spaces round a cell do not count, and OpenDocument writes several
    # as <text:s/>.
    lambda text: "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))
)
VALUES = st.one_of(
    st.none(),
    WORDS,
    st.integers(-(10**12), 10**12),
    st.integers(-(10**6), 10**6).map(lambda thousandths: thousandths / 1000),
    st.integers(0, 100).map(lambda percent: percent / 100),
    st.booleans(),
    st.from_regex(r"0[0-9]{1,5}", fullmatch=True),
    # Excel knows no day before 1900, and takes 1900 for a leap year (ECMA-376, part 1, §18.17.4.1).
    st.dates(date(1900, 3, 1), date(2199, 12, 31)),
    st.datetimes(datetime(1900, 3, 1), datetime(2199, 12, 31)).map(  # noqa: DTZ001
        lambda when: when.replace(microsecond=0)
    ),
    st.times().map(lambda when: when.replace(microsecond=0)),
)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(VALUES, min_size=width, max_size=width), min_size=1, max_size=5)
)


def rows_of(folder: Path, name: str, data: bytes) -> list[tuple[int, list[str]]]:
    """Return the lines and cells of a table in a file."""
    (folder / name).write_bytes(data)
    report = Reporter()
    table = read_rows_of(PackFolder(folder), Node(name, PackFolder(folder).where(name)), report)
    report.raise_any()
    assert not report.notes
    return [(row.where.line, list(row.values.values())) for row in table.rows]


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@given(TABLES)
def test_table_is_the_same_in_csv_xlsx_and_ods(here, rows):
    heads = [f"c{number}" for number in range(len(rows[0]))]
    table = [["id", *heads], *([f"r{number}", *row] for number, row in enumerate(rows))]
    book = make_book(A=table)
    for line, row in enumerate(table, 1):
        for column, value in enumerate(row, 1):
            cell = book["A"].cell(line, column)
            if isinstance(value, str):
                cell.value = value
                cell.data_type = "s"  # openpyxl takes `=1` for a formula, and `#N/A` for an error
            if isinstance(value, float):
                cell.number_format = "0%"
    expected = [[csv_text(value) for value in row] for row in table[1:]]
    from_csv = "\r\n".join(
        ",".join('"' + csv_text(cell).replace('"', '""') + '"' for cell in row) for row in table
    )
    assert [cells for _, cells in rows_of(here, "a.csv", from_csv.encode())] == expected
    numbered = list(enumerate(expected, 2))
    with pytest.MonkeyPatch.context() as patch:  # hundreds of workers would take a minute to start
        patch.setattr(workbooks.Worker, "run", lambda _, function, *args: function(*args))
        assert rows_of(here, "a.xlsx", save_book(book)) == numbered
        assert rows_of(here, "a.ods", make_ods(A=table)) == numbered


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (-0.0, "0"),
        (0.25, "0.25"),
        (1e20, "100000000000000000000"),
        (True, "TRUE"),
        (False, "FALSE"),
        ("007", "007"),
        ("1.0", "1.0"),
        ("a\nb", "a\nb"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2), "2026-01-02"),  # noqa: DTZ001
        (datetime(2026, 1, 2, 9, 5), "2026-01-02 09:05:00"),  # noqa: DTZ001
        (time(13, 5), "13:05:00"),
    ],
)
def test_cell_value_becomes_plain_text(tmp_path, value, text):
    rows = [["id", "text"], ["a", value]]
    assert rows_of(tmp_path, "a.xlsx", make_xlsx(A=rows)) == [(2, ["a", text])]
    assert rows_of(tmp_path, "a.ods", make_ods(A=rows)) == [(2, ["a", text])]


def test_carriage_returns_in_cells_are_read_as_line_breaks(here):
    data = worksheet(cell("B2", "<is><t>one_x000D_\ntwo</t></is>", "inlineStr"))
    assert rows_of(here, "a.xlsx", data) == [(2, ["a", "one\ntwo"])]


def test_duration_may_be_longer_than_a_day(tmp_path):
    span = timedelta(hours=26, minutes=5)
    assert rows_of(tmp_path, "a.xlsx", make_xlsx(A=[["id", "text"], ["a", span]])) == [
        (2, ["a", "26:05:00"])
    ]


# --- Through the worker, as people meet it ---


def test_xlsx_and_ods_are_read_without_an_extra(tmp_path):
    rows = [["id", "text"], ["a", "fire"], ["b", 2.0]]
    assert texts_of(with_book(tmp_path / "x", make_xlsx(A=rows))) == ["fire", "2"]
    assert texts_of(with_book(tmp_path / "o", make_ods(A=rows), "cards.ods")) == ["fire", "2"]


def test_workbook_named_csv_is_refused(tmp_path):
    message = problems(make(tmp_path, table=make_xlsx(A=[["id"], ["a"]])))
    assert (
        "'cards.csv' is a workbook under another name\n  expected its own ending, .xlsx or .ods"
        in message
    )


@pytest.mark.parametrize(("kind", "write"), [("xlsx", make_xlsx), ("ods", make_ods)])
def test_workbook_whose_first_sheet_has_no_ids_asks_for_the_sheet(tmp_path, kind, write):
    data = write(Notes=[["Remember the milk"]], Cards=[["id", "text"], ["a", "b"]])
    message = problems(with_book(tmp_path, data, f"cards.{kind}"))
    assert (
        f"the first sheet, 'Notes', has no column 'id'\n  expected the one with the table: cards.{kind}#Cards"
        in message
    )
    assert texts_of(with_book(tmp_path, data, f"cards.{kind}#Cards")) == ["b"]
    assert "unknown sheet 'Crads'" in problems(with_book(tmp_path, data, f"cards.{kind}#Crads"))


def test_sheets_of_one_workbook_are_read_once(tmp_path, monkeypatch):
    data = make_xlsx(A=[["id", "text"], ["a", "one"]], B=[["id", "text"], ["b", "two"]])
    calls = []
    run = workbooks.Worker.run
    monkeypatch.setattr(workbooks.Worker, "run", lambda *args: calls.append(args[1]) or run(*args))
    workbooks.read_sheets.cache_clear()
    assert texts_of(with_book(tmp_path, data, "cards.xlsx#B")) == ["two"]
    assert texts_of(with_book(tmp_path, data, "cards.xlsx#A")) == ["one"]
    assert calls == [workbooks.read_sheets_in_worker]


def test_problems_name_the_row_of_the_spreadsheet(tmp_path):
    empty = '<table:table-row table:number-rows-repeated="6"><table:table-cell/></table:table-row>'
    column = '<table:table-cell table:number-columns-repeated="3"/>'

    def row(*cells):
        return f"<table:table-row>{column}{''.join(map(ods_cell, cells))}</table:table-row>"

    data = ods_of(
        f'<table:table table:name="A">{empty}{row("id", "text")}{empty}{row("a/b", "x")}</table:table>'
    )
    assert "cards.ods:14: id: 'a/b' is not a name" in problems(
        with_book(tmp_path, data, "cards.ods")
    )
    book = make_book(A=[])
    for place, value in {"D7": "id", "E7": "text", "D14": "a/b", "E14": "x"}.items():
        book["A"][place] = value
    assert "cards.xlsx:14: id: 'a/b' is not a name" in problems(
        with_book(tmp_path, save_book(book))
    )


def test_spaces_tabs_and_breaks_of_ods_cells_are_kept(tmp_path):
    words = 'two<text:s text:c="2"/>cards<text:tab/>or<text:line-break/>three &amp; <text:span>one</text:span>'
    cell = (
        f'<table:table-cell office:value-type="string"><text:p>{words}</text:p><text:p>'
        "more</text:p></table:table-cell>"
    )
    pack = with_book(tmp_path, make_ods(A=[["id", "text"], ["a", cell]]), "cards.ods")
    assert texts_of(pack) == ["two  cards\tor\nthree & one\nmore"]


def cell(place, inner, kind=""):
    return f'<c r="{place}" t="{kind}">{inner}</c>' if kind else f'<c r="{place}">{inner}</c>'


def worksheet(second, more=""):
    """Return a workbook with `id` and `text` in the first row, and some cells in the second."""
    first = cell("A1", "<is><t>id</t></is>", "inlineStr") + cell(
        "B1", "<is><t>text</t></is>", "inlineStr"
    )
    named = cell("A2", "<is><t>a</t></is>", "inlineStr")
    return xlsx_of(
        f'<sheetData><row r="1">{first}</row><row r="2">{named}{second}</row></sheetData>{more}'
    )


def test_formula_without_a_stored_result_is_refused(tmp_path):
    message = problems(with_book(tmp_path, make_xlsx(A=[["id", "text"], ["a", "=1+1"]])))
    assert (
        "cards.xlsx: the formula in B2 of 'A' was never calculated\n  expected a workbook that was opened"
        in message
    )
    formula = '<table:table-cell table:formula="of:=1+1"/>'
    message = problems(
        with_book(tmp_path, make_ods(A=[["id", "text"], ["a", formula]]), "cards.ods")
    )
    assert "cards.ods: the formula in B2 of 'A' was never calculated" in message


def test_formulas_without_stored_results_are_named_together(tmp_path):
    cells = ", ".join(f"B{line}" for line in range(2, 10))
    for count, more in ((9, "1 more cell"), (10, "2 more cells")):
        rows = [[f"r{number}", "=1+1"] for number in range(count)]
        message = problems(with_book(tmp_path, make_xlsx(A=[["id", "text"], *rows])))
        assert f"the formulas in {cells} and {more} of 'A' were never calculated" in message


def test_formula_gives_its_stored_result(tmp_path):
    assert texts_of(with_book(tmp_path, worksheet(cell("B2", "<f>1+1</f><v>2</v>")))) == ["2"]
    assert texts_of(with_book(tmp_path, worksheet(cell("B2", '<f>""</f><v></v>', "str")))) == [""]
    value = 'office:value-type="string" office:string-value=""'
    formula = f'<table:table-cell table:formula="of:=&quot;&quot;" {value}/>'
    assert texts_of(
        with_book(tmp_path, make_ods(A=[["id", "text"], ["a", formula]]), "cards.ods")
    ) == [""]


def test_formula_on_an_unused_sheet_is_ignored(tmp_path):
    data = make_xlsx(A=[["id", "text"], ["a", "fire"]], B=[["=1+1"]])
    assert texts_of(with_book(tmp_path, data)) == ["fire"]


@pytest.mark.parametrize("fault", ["#REF!", "#DIV/0!", "#N/A"])
def test_formula_error_is_reported_with_its_row(tmp_path, fault):
    message = problems(
        with_book(tmp_path, worksheet(cell("B2", f"<f>A9/0</f><v>{fault}</v>", "e")))
    )
    assert f"cards.xlsx:2: text: {fault!r} is an error of the spreadsheet" in message
    for value in (
        'office:value-type="string" office:string-value=""',
        'office:value-type="float" office:value="0"',
    ):
        formula = f'<table:table-cell table:formula="of:=1/0" {value}><text:p>{fault}</text:p></table:table-cell>'
        message = problems(
            with_book(tmp_path, make_ods(A=[["id", "text"], ["a", formula]]), "cards.ods")
        )
        assert f"cards.ods:2: text: {fault!r} is an error of the spreadsheet" in message


def test_newer_formula_error_is_reported_with_its_cell(tmp_path):
    message = problems(with_book(tmp_path, worksheet(cell("B2", "<f>A1#</f><v>#SPILL!</v>", "e"))))
    assert (
        "cards.xlsx: B2 of 'Sheet' shows '#SPILL!'\n  expected the result of the formula" in message
    )


def test_ods_text_without_a_type_is_refused(tmp_path):
    untyped = "<table:table-cell><text:p>lost</text:p></table:table-cell>"
    message = problems(
        with_book(tmp_path, make_ods(A=[["id", "text"], ["a", untyped]]), "cards.ods")
    )
    assert "cards.ods: the text in B2 of 'A' has no type" in message


def test_merged_cells_have_the_value_of_their_first_cell(tmp_path):
    merged = '<mergeCells count="1"><mergeCell ref="B2:C3"/></mergeCells>'
    data = worksheet(cell("B2", "<v>1</v>") + cell("C2", "<v>9</v>"), merged)
    assert rows_of(tmp_path, "a.xlsx", data) == [
        (2, ["a", "1"])
    ]  # otherwise the 9 has no column name


def test_merged_cells_of_an_ods_have_the_value_of_their_first_cell(tmp_path):
    """Some programs leave the old value in a covered cell, which spreadsheets do not show."""
    first = ods_cell("new").replace("-cell ", '-cell table:number-rows-spanned="2" ', 1)
    covered = ods_cell("old").replace("table:table-cell", "table:covered-table-cell")
    book = make_ods(A=[["id", "text"], ["a", first], ["b", covered], ["c", "own"]])
    pack = with_book(tmp_path, book, "cards.ods")
    assert texts_of(pack) == ["new", "", "own"]


def notes_of(tmp_path, data, name):
    """Return the notes on hidden parts of a workbook, without its folder; all its rows are read."""
    pack = with_book(tmp_path, data, name)
    assert texts_of(pack) == ["one", "two", "three", "four"]
    notes = [note for note in loaded(pack).notes if "hidden" in note]
    return [note.removeprefix(f"{pack}/") for note in notes]


NUMBERS = [("a", "one", 1), ("b", "two", 1), ("c", "three", 1), ("d", "four", 1)]


def test_hidden_rows_and_columns_of_an_xlsx_are_read_and_named(tmp_path):
    book = make_book(Cards=[("id", "text", "count"), *NUMBERS])
    for row in (2, 4, 5, 9):  # row 9 is empty
        book["Cards"].row_dimensions[row].hidden = True
    for column in ("C", "F"):  # column F is empty
        book["Cards"].column_dimensions[column].hidden = True
    assert notes_of(tmp_path, save_book(book), "cards.xlsx") == [
        "cards.xlsx: rows 2, 4–5 and column C of 'Cards' are hidden; pnp reads hidden cells, too"
    ]


def test_hidden_rows_and_columns_of_an_ods_are_read_and_named(tmp_path):
    columns = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>'
    rows = "".join(map(ods_row, [("id", "text", "count"), *NUMBERS]))
    start = "<table:table-row>"
    filtered = rows.replace(start, '<table:table-row table:visibility="filter">')
    shown, hidden = (text.split("</table:table-row>") for text in (rows, filtered))
    lines = "</table:table-row>".join([*shown[:2], *hidden[2:4], *shown[4:]])
    data = ods_of(f'<table:table table:name="Cards">{columns}{lines}</table:table>')
    assert notes_of(tmp_path, data, "cards.ods") == [
        "cards.ods: rows 3–4 and column B of 'Cards' are hidden; pnp reads hidden cells, too"
    ]


def test_hidden_sheet_is_read_and_named(tmp_path):
    book = make_book(Old=[("id", "text", "count"), *NUMBERS], Cards=[("id",), ("x",)])
    book["Old"].sheet_state = "hidden"
    note = "cards.xlsx: the sheet 'Old' is hidden; pnp reads hidden cells, too"
    for name in ("cards.xlsx", "cards.xlsx#Old"):
        assert notes_of(tmp_path / name.partition("#")[2], save_book(book), name) == [note]


def test_workbook_without_hidden_parts_has_no_note(tmp_path):
    data = make_xlsx(Cards=[("id", "text", "count"), *NUMBERS])
    assert notes_of(tmp_path, data, "cards.xlsx") == []


def test_error_in_a_table_away_from_the_corner_names_its_row(tmp_path):
    book = make_book(A=[])
    for place, value in {"D7": "id", "E7": "text", "D8": "a", "E8": "#REF!"}.items():
        book["A"][place] = value
    assert "cards.xlsx:8: text: '#REF!' is an error" in problems(
        with_book(tmp_path, save_book(book))
    )


def test_cells_without_references_are_read_in_order(tmp_path):
    row = "<row>{}</row>".format
    text = '<c t="inlineStr"><is><t>{}</t></is></c>'.format
    data = xlsx_of(
        f"<sheetData>{row(text('id') + text('text'))}{row(text('a') + '<c><f>1+1</f></c>')}</sheetData>"
    )
    assert "the formula in B2 of 'Sheet' was never calculated" in problems(
        with_book(tmp_path, data)
    )


# --- Cell formats ---


FORMATS = {
    "a": (date(2026, 1, 2), "d mmm yyyy", "2 Jan 2026", "2026-01-02"),
    "b": (
        datetime(2026, 1, 2, 9, 5),  # noqa: DTZ001
        "yyyy-mm-dd hh:mm",
        "2026-01-02 09:05",
        "2026-01-02 09:05:00",
    ),
    "c": (time(13, 5), "h:mm AM/PM", "1:05 PM", "13:05:00"),
    "d": (0.25, "0%", "25%", "0.25"),
    "e": (2.5, "0.00", "2.50", "2.5"),
    "f": (
        CellRichText("Draw ", TextBlock(InlineFont(b=True), "two "), "cards"),
        "General",
        "Draw **two** cards",
        "Draw two cards",
    ),
    "g": (
        CellRichText(TextBlock(InlineFont(color="00FF0000", i=True), "no")),
        "General",
        "[#ff0000]*no*[/]",
        "no",
    ),
    "h": (True, "General", "TRUE", "TRUE"),
    "i": (3.0, "General", "3", "3"),
    "j": ("**so**", "General", "**so**", "**so**"),
    "k": (None, "General", "", ""),
}


def formatted_book():
    book = make_book(A=[["id", "text"], *([key, ""] for key in FORMATS)])
    for row, (value, code, *_) in enumerate(FORMATS.values(), 2):
        book["A"][f"B{row}"] = value
        book["A"][f"B{row}"].number_format = code
    return book


def test_cell_formats_apply_only_to_formatted_columns(tmp_path):
    data = save_book(formatted_book())
    assert texts_of(with_book(tmp_path, data)) == [plain for *_, plain in FORMATS.values()]
    assert texts_of(with_book(tmp_path, data, formatted="id")) == [
        plain for *_, plain in FORMATS.values()
    ]
    assert texts_of(with_book(tmp_path, data, formatted="text")) == [
        text for _, _, text, _ in FORMATS.values()
    ]


def test_font_style_of_a_cell_becomes_markup(tmp_path):
    book = make_book(
        Notes=[["milk"]],
        A=[["id", "text"], ["a", "fire"], ["b", "ice"], ["c", "**so**"], ["d", ""]],
    )
    book["A"]["B2"].font = Font(bold=True, color="FFB4532A")
    book["A"]["B3"].font = Font(italic=True)
    book["A"]["A2"].font = Font(bold=True)
    data = save_book(book)
    assert texts_of(with_book(tmp_path, data, "cards.xlsx#A")) == ["fire", "ice", "**so**", ""]
    pack = with_book(tmp_path, data, "cards.xlsx#A", "text")
    assert texts_of(pack) == ["[#b4532a]**fire**[/]", "*ice*", "**so**", ""]


def test_translation_of_a_formatted_column_is_formatted(tmp_path):
    book = make_book(A=[["id", "text", "text@nl"], ["a", "fire", "vuur"]])
    book["A"]["C2"].font = Font(bold=True)
    game = loaded(with_book(tmp_path, save_book(book), formatted="text"), language="nl")
    assert game.components[0].designs[0].front.layers[0].layer.text == "**vuur**"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("cards.csv", "id,text\na,b\n", "cards.csv has no cell formats that can be read"),
        (
            "cards.json",
            json.dumps([{"id": "a", "text": "b"}]),
            "cards.json has no cell formats that can be read",
        ),
        (
            "cards.ods",
            make_ods(A=[["id", "text"], ["a", "b"]]),
            "cards.ods has no cell formats that can be read",
        ),
    ],
)
def test_formats_of_other_files_than_xlsx_are_refused(tmp_path, name, data, message):
    messages = problems(with_book(tmp_path, data, name, "text"))
    assert (
        f"game.yaml:10: formatted: {message}\n  expected a table in an .xlsx workbook; or markup"
        in messages
    )


def test_unknown_formatted_column_is_refused_with_the_nearest_name(tmp_path):
    messages = problems(
        with_book(tmp_path, make_xlsx(A=[["id", "text"], ["a", "fire"]]), formatted="txet")
    )
    assert "formatted: unknown column 'txet'" in messages
    assert "did you mean 'text'?" in messages


@pytest.mark.parametrize("content", ["<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "<x", ""])
def test_damaged_workbook_is_refused_with_its_name(tmp_path, content):
    assert "cards.ods" in problems(
        with_book(tmp_path, zip_parts({"content.xml": content}), "cards.ods")
    )
