"""Slips that newcomers make: each is told, at its place, with what to do."""

import io
from datetime import date, datetime, time
from zipfile import ZipFile

import openpyxl
import pytest
from making import drawn, loaded, make, problems
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from PIL import Image

TEXT = "- text: $text\n  box: trim\n  style: body\n"


SLIPS = [
    (
        "- fill: red\n",
        "id,Count\na,3\n",
        "cards.csv:1: the column 'Count' does not say how many pieces are made\n  expected the name `count`",
    ),
    (
        "- fill: red\n",
        "id,qty\na,3\n",
        "the column 'qty' does not say",
    ),
    (
        "- text: $text\n  box: trim\n  style: body\n",
        "id,text\na,#REF!\n",
        "cards.csv:2: text: '#REF!' is a fault of the spreadsheet",
    ),
    (
        "- text: $text\n  box: trim\n  style: body\n",
        "id,text\na,#DIV/0!\n",
        "'#DIV/0!' is a fault",
    ),
    (
        "- shape: {circle: [5, 5], r: 2}\n",
        "id\na\n",
        "front.yaml:1: a shape with neither fill nor stroke shows nothing",
    ),
    (
        "- shape: {rect: trim, stroke: 3mm #ff0000}\n",
        "id\na\n",
        "front.yaml:1: #ff0000 has no quotes: YAML takes it for a remark",
    ),
    (
        "- fill: #b4532a\n",
        "id\na\n",
        'expected "#b4532a", or the whole value in quotes',
    ),
    (
        "- text: $text\n  box: trim\n  style: body\n  fit: 8\n",
        "id,text\na,b\n",
        "fit: 8 of what?\n  expected a size with its unit: 8pt, or 8mm",
    ),
    (
        "- icon: $icon\n  at: center\n  size: 5\n",
        "id,icon\na,\n",
        "cards.csv:2: icon: no icon is named",
    ),
    (
        "- fill: red\n  when: id == 2 && id = 3\n",
        "id\na\n",
        "'&&' in",
    ),
    (
        "- text: 'x\n  box: trim\n",
        "id\na\n",
        "front.yaml:1: this is not YAML: a quote that is opened here is not closed",
    ),
    (
        "- fill:red\n- fill: blue\n",
        "id\na\n",
        "front.yaml:1: there is no blank after the colon of 'fill'",
    ),
    (
        "- frame:\n    inset: 3mm\n   radius: 2mm\n",
        "id\na\n",
        "front.yaml:3: this is not YAML: this line is not indented",
    ),
]


@pytest.mark.parametrize(("layout", "table", "said"), SLIPS)
def test_it_is_told(tmp_path, layout, table, said):
    assert said in problems(make(tmp_path, layout, table))


def test_a_size_of_letters_has_a_unit(tmp_path):
    pack = make(tmp_path)
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("size: 3mm,", "size: 10,"))
    assert "styles.body.size: 10 of what?\n  expected a size with its unit: 10pt, or 10mm" in problems(pack)


def test_an_empty_count_is_made_once_and_said(tmp_path):
    game = loaded(make(tmp_path, table="id,count\na,2\nb,\nc,\n"))
    assert [design.count for design in game.components[0].designs] == [2, 1, 1]
    assert len(game.notes) == 1
    assert game.notes[0].endswith("cards.csv:3: 2 rows have no count, and are made once")
    assert loaded(make(tmp_path, table="id,count\na,2\n")).notes == ()


def test_one_bad_colour_is_one_problem(tmp_path):
    pack = make(tmp_path, "- fill: $ink\n- shape: {rect: trim, fill: $ink, stroke: 1mm $ink}\n")
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("#20302a", "#20302"))
    assert problems(pack).count("unknown colour") == 1
    assert "palette.ink" in problems(pack)


def test_a_file_that_lies_elsewhere_in_the_pack(tmp_path):
    pack = make(tmp_path)
    (pack / "layouts/front.yaml").rename(pack / "front.yaml")
    assert "did you mean 'front.yaml'?" in problems(pack)


def test_the_main_file_under_nearly_its_name(tmp_path):
    pack = make(tmp_path)
    (pack / "game.yaml").rename(pack / "game.yml")
    assert "game.yml is not read\n  expected the name game.yaml" in problems(pack)


def book(*sheets):
    whole = openpyxl.Workbook()
    whole.remove(whole.active)
    for name, rows in sheets:
        sheet = whole.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return whole


def saved(whole):
    out = io.BytesIO()
    whole.save(out)
    return out.getvalue()


def with_book(folder, data, name="cards.xlsx"):
    pack = make(folder, TEXT, files={name.partition("#")[0]: data})
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("cards.csv", f'"{name}"' if "#" in name else name))
    return pack


def test_a_workbook_called_csv(tmp_path):
    said = problems(make(tmp_path, table=saved(book(("A", [["id"], ["a"]])))))
    assert "'cards.csv' is a workbook under another name\n  expected its own ending, .xlsx or .ods" in said


def test_a_first_sheet_of_notes(tmp_path):
    data = saved(book(("Notes", [["Remember the milk"]]), ("Cards", [["id", "text"], ["a", "b"]])))
    said = problems(with_book(tmp_path, data))
    assert "the first sheet, 'Notes', has no column 'id'\n  expected the one with the table: cards.xlsx#Cards" in said
    assert problems(with_book(tmp_path, data, "cards.xlsx#Cards")) == ""


def test_a_formula_that_was_never_worked_out(tmp_path):
    said = problems(with_book(tmp_path, saved(book(("A", [["id", "text"], ["a", "=1+1"]])))))
    assert "cards.xlsx: the formula in B2 of 'A' was never worked out" in said


def texts(pack):
    return [design.front.layers[0].layer.text for design in loaded(pack).components[0].designs]


def test_bold_words_and_dates_of_a_workbook(tmp_path):
    shown = {
        "a": (date(2026, 1, 2), "d mmm yyyy", "2 Jan 2026"),
        "b": (datetime(2026, 1, 2, 9, 5), "yyyy-mm-dd hh:mm", "2026-01-02 09:05"),  # noqa: DTZ001
        "c": (time(13, 5), "h:mm AM/PM", "1:05 PM"),
        "d": (0.25, "0%", "25%"),
        "e": (2.5, "0.00", "2.50"),
        "f": (CellRichText("Draw ", TextBlock(InlineFont(b=True), "two "), "cards"), "General", "Draw **two** cards"),
        "g": (CellRichText(TextBlock(InlineFont(color="00FF0000", i=True), "no")), "General", "[#ff0000]*no*[/]"),
        "h": (True, "General", "TRUE"),
        "i": (3.0, "General", "3"),
    }
    whole = book(("A", [["id", "text"], *([key, ""] for key in shown)]))
    for row, (value, code, _) in enumerate(shown.values(), 2):
        whole["A"][f"B{row}"] = value
        whole["A"][f"B{row}"].number_format = code
    assert texts(with_book(tmp_path, saved(whole))) == [text for _, _, text in shown.values()]


ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0">
 <office:automatic-styles><style:style style:name="T1"><style:text-properties fo:font-weight="bold" fo:color="#b4532a"/>
 </style:style></office:automatic-styles><office:body><office:spreadsheet>
 <table:table table:name="Notes"><table:table-row><table:table-cell><text:p>milk</text:p></table:table-cell>
 </table:table-row></table:table><table:table table:name="Cards"><table:table-row><table:table-cell><text:p>id</text:p>
 </table:table-cell><table:table-cell/><table:table-cell><text:p>text</text:p></table:table-cell></table:table-row>
 <table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/>
 </table:table-row><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell/>
 <table:table-cell><text:p>Draw <text:span text:style-name="T1">two</text:span><text:s text:c="2"/>cards</text:p>
 </table:table-cell>
 </table:table-row><table:table-row><table:table-cell><text:p>b</text:p></table:table-cell><table:table-cell/>
 <table:table-cell office:value-type="float" office:value="2"><text:p>2,00</text:p></table:table-cell></table:table-row>
 <table:table-row><table:table-cell><text:p>c</text:p></table:table-cell><table:table-cell/>
 <table:table-cell office:value-type="date" office:date-value="2026-01-02"><text:p>2 januari</text:p></table:table-cell>
 </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""


def zipped(content):
    out = io.BytesIO()
    with ZipFile(out, "w") as whole:
        whole.writestr("content.xml", content)
    return out.getvalue()


def test_a_workbook_of_open_document(tmp_path):
    pack = with_book(tmp_path, zipped(ODS), "cards.ods#Cards")
    assert texts(pack) == ["Draw [#b4532a]**two**[/]  cards", "2", "2 januari"]
    said = problems(with_book(tmp_path, zipped(ODS), "cards.ods"))
    assert "the first sheet, 'Notes', has no column 'id'\n  expected the one with the table: cards.ods#Cards" in said


def asking(pack, column="text"):
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("    size:", f"    formatted: {column}\n    size:", 1))
    return pack


def test_a_column_may_ask_for_the_look_of_whole_cells(tmp_path):
    whole = book(("A", [["id", "text"], ["a", "fire"], ["b", "ice"], ["c", "**so**"], ["d", ""]]))
    whole["A"]["B2"].font = Font(bold=True, color="FFB4532A")
    whole["A"]["B3"].font = Font(italic=True)
    whole["A"]["A2"].font = Font(bold=True)
    pack = with_book(tmp_path, saved(whole))
    assert texts(pack) == ["fire", "ice", "**so**", ""]
    assert texts(asking(pack)) == ["[#b4532a]**fire**[/]", "*ice*", "**so**", ""]


def test_the_same_of_open_document(tmp_path):
    styled = ODS.replace("<table:table-cell><text:p>Draw", '<table:table-cell table:style-name="T1"><text:p>Draw')
    pack = asking(
        with_book(
            tmp_path,
            zipped(styled.replace('<text:span text:style-name="T1">two</text:span>', "two")),
            "cards.ods#Cards",
        )
    )
    assert texts(pack)[0] == "[#b4532a]**Draw two  cards**[/]"


def test_only_columns_of_a_workbook_have_looks(tmp_path):
    assert "formatted: this table has no looks\n  expected a workbook" in problems(
        asking(make(tmp_path, TEXT, "id,text\na,b\n"))
    )
    pack = asking(
        with_book(
            tmp_path,
            saved(book(("A", [["id", "text"], ["a", "fire"]]))),
        ),
        "txet",
    )
    assert "formatted: unknown column 'txet'" in problems(pack)
    assert "did you mean 'text'?" in problems(pack)


@pytest.mark.parametrize("content", ["<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "<x", ""])
def test_a_workbook_that_is_none(tmp_path, content):
    assert "cards.ods" in problems(with_book(tmp_path, zipped(content), "cards.ods"))


def test_rows_in_json(tmp_path):
    rows = '[{"id": "a", "text": ["fire", 2]}, {"id": "b", "text": true}, {"id": "c", "text": 1.0}, {"id": "d"}]'
    assert texts(with_book(tmp_path, rows, "cards.json")) == ["fire, 2", "TRUE", "1", ""]
    for slip, said in (("[{]", "cards.json:1: this is no JSON"), ("{}", "has no rows"), ('[{"id": {}}]', "an object")):
        assert said in problems(with_book(tmp_path, slip, "cards.json"))


def test_an_icon_may_be_pixels(tmp_path):
    out = io.BytesIO()
    Image.new("RGBA", (4, 4), (255, 0, 0, 255)).save(out, "PNG")
    layout = "- icon: coin\n  at: [20, 20]\n  size: 10\n- text: 'a :coin:'\n  box: [0, 0, 40, 10]\n  style: body\n"
    picture = drawn(make(tmp_path, layout, files={"art/icons/coin.png": out.getvalue()}))
    assert (picture.at(16, 16), picture.at(24, 24), picture.at(26, 26)) == ("#ff0000", "#ff0000", "")
    assert any(picture.at(x / 10, 2) == "#ff0000" for x in range(10, 80))


def test_an_expression_between_braces_wants_quotes(tmp_path):
    said = problems(make(tmp_path, "- shape: {rect: trim, fill: ${kind.colour}}\n"))
    assert "front.yaml:1: this is not YAML: a `${…}` between braces has no quotes" in said
