"""Test `pnp new --from table`: a pack from an existing spreadsheet."""

import csv
import re
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from generator.pack.new import installed_fonts
from tests.tools.make_pack import svg
from tests.tools.make_workbook import make_book, make_ods, make_xlsx, ods_cell, save_book

CARDS = """Card Name;Qty;Cost;Type;Rules text
Fire Drake;2;5;Monster;"Flying. When it enters, it deals 3 damage to any one target of your choice."
River: Wall;1;0;;Defender. It holds whatever comes by water, and asks no price for it at all.
"""
FONTS = Path(__file__).parents[1] / "data" / "fonts"


@pytest.fixture
def computer_with_fonts(tmp_path, monkeypatch):
    """Return an empty folder, on a computer with fonts for Hebrew, Arabic and Devanagari."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installed_fonts, "FONT_FOLDERS", (FONTS,))
    return tmp_path


@pytest.fixture
def new_pack_from(computer_with_fonts, pnp):
    """Return a function that makes a pack `mine` from a table and returns the output."""

    def run(content, name="cards.csv"):
        data = content.encode() if isinstance(content, str) else content
        Path(name.partition("#")[0]).write_bytes(data)
        result = pnp("new", "mine", "--from", name)
        assert result.exit_code == 0, result.stderr
        return result.output

    return run


def rows():
    """Return the rows of the new table."""
    with Path("mine/cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def printed_words():
    """Return all words on the sheets, in order."""
    document = pypdfium2.PdfDocument("output/mine/mine-1-sheets-a4.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def build_sheets(pnp):
    result = pnp("build", "mine", "--what", "sheets", "--paper", "a4")
    assert result.exit_code == 0, result.stderr
    return result.output


# --- Columns ---


def test_columns_of_table_get_their_roles(new_pack_from):
    output = new_pack_from(CARDS, "my deck.csv")
    roles = "name: title; number in the corner: Cost; labels: Type; text: Rules text"
    assert f"2 cards from my deck.csv; {roles}" in output
    assert "- the column 'Card Name' is now called 'title'\n" in output
    assert "- the column 'Qty' is now called 'count'\n" in output


def test_table_with_one_row_makes_one_card(new_pack_from):
    assert new_pack_from("Name,Text\nFox,Draw a card.\n").startswith("1 card from ")


def test_new_pack_from_table_builds_without_warnings(new_pack_from, pnp):
    new_pack_from(CARDS)
    assert build_sheets(pnp).startswith("output/mine/mine-1-sheets-a4.pdf  3 pieces on 1 sheet")
    assert "\n0 warnings\n" in pnp("check", "mine").output


def test_last_line_of_output_names_next_command(new_pack_from):
    assert new_pack_from(CARDS).splitlines()[-1] == "  pnp build mine"


def test_ids_and_picture_names_come_from_card_names(new_pack_from, pnp):
    new_pack_from(CARDS)
    assert [(row["id"], row["title"]) for row in rows()] == [
        ("fire-drake", "Fire Drake"),
        ("river-wall", "River: Wall"),
    ]
    pnp("preview", "mine")
    names = [path.name for path in Path("output/mine").rglob("*.png")]
    assert any("fire-drake" in name for name in names), names


def test_new_layout_and_table_hold_every_choice(new_pack_from):
    new_pack_from(CARDS)
    layout = Path("mine/layouts/front.yaml").read_text("utf-8")
    assert "text: '$title'" in layout
    assert "when: '${Type} is not empty'" in layout
    table = Path("mine/cards.csv").read_text("utf-8").splitlines()
    assert table[0] == "id,title,count,Cost,Type,Rules text"
    assert table[1].startswith("fire-drake,Fire Drake,2,5,Monster,")


def test_own_ids_of_a_table_are_preserved(new_pack_from):
    new_pack_from("ID,Name\nfox,The Fox\nelk,The Elk\n")
    assert [row["id"] for row in rows()] == ["fox", "elk"]


def test_equal_names_and_foreign_letters_give_different_ids(new_pack_from):
    new_pack_from("Name,Cost\nÉpée,1\nEpee,2\nДракон,3\n???,4\n")
    assert [row["id"] for row in rows()] == ["epee", "epee-2", "card-дракон", "card-4"]


def test_column_names_may_hold_any_character(new_pack_from, pnp):
    head = 'Card/Name,$cost,{x},x,"a ""b""",e-f,1st,über,$,"Line\nbreak",a.b,3'
    output = new_pack_from(f"{head}\nFox,3,q,w,e,r,t,u,v,n,d,z\nElk,3,q,w,e,r,t,u,v,n,d,z\n")
    assert "labels: x, x 2, a b, e-f, 1st, über, Column I, Line break, a b 2, Column 3" in output
    assert "- the column 'Line\\nbreak' is now called 'Line break'" in output
    build_sheets(pnp)


@pytest.mark.parametrize(
    ("cells", "read_as"),
    [
        (["2x", "×3", "x 4"], ["2", "3", "4"]),
        (["2 copies", "1 copy", "3"], ["2", "1", "3"]),
        (["2.0", "3 Stück", "4 cards"], ["2", "3", "4"]),
    ],
)
def test_counts_are_read_with_signs_and_words(new_pack_from, cells, read_as):
    new_pack_from("Name,Copies\n" + "".join(f"Card {n},{cell}\n" for n, cell in enumerate(cells)))
    assert [row["count"] for row in rows()] == read_as


def test_count_column_is_recognised_by_its_cells(new_pack_from):
    new_pack_from("Name,In the box\nFox,2x\nElk,×3\n")
    assert [row["count"] for row in rows()] == ["2", "3"]


def test_invalid_count_is_reported_and_one_copy_printed(new_pack_from):
    output = new_pack_from("Name,Qty\nFox,2\nElk,many\nOwl,\nBee,4\n")
    assert [row["count"] for row in rows()] == ["2", "1", "1", "4"]
    assert "- row 3: the count 'many' is not a number; one copy is printed" in output
    assert "- row 4: there is no count; one copy is printed" in output


def test_running_number_is_no_count(new_pack_from):
    new_pack_from("Number,Name\n1,Fox\n2,Elk\n3,Owl\n")
    assert [row["title"] for row in rows()] == ["Fox", "Elk", "Owl"]
    assert "count" not in rows()[0]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,5", "2"], ["1.5", "2"]),
        (["1,000", "12,500"], ["1000", "12500"]),
        (["1.234,5", "7"], ["1234.5", "7"]),
        (["1 000", "250"], ["1000", "250"]),
    ],
)
def test_numbers_with_separators_are_read(new_pack_from, cells, numbers):
    output = new_pack_from(
        "Name;Price\n" + "".join(f"Card {n};{cell}\n" for n, cell in enumerate(cells))
    )
    assert [row["Price"] for row in rows()] == numbers
    assert "number in the corner: Price" in output
    assert "the numbers of the column 'Price' are written as pnp reads them" in output


def test_yes_or_no_column_prints_its_name(new_pack_from, pnp):
    output = new_pack_from("Name,Flying?\nFox,no\nOwl,✓\nElk,\n")
    assert [row["Flying?"] for row in rows()] == ["FALSE", "TRUE", "FALSE"]
    assert "yes or no: Flying?" in output
    build_sheets(pnp)
    assert printed_words().count("Flying") == 1


def test_notes_column_is_not_printed(new_pack_from, pnp):
    output = new_pack_from("Name,Text,Notes\nFox,Draw a card.,too strong?\nElk,Rest.,\n")
    assert "not printed: Notes" in output
    assert rows()[0]["Notes"] == "too strong?"
    build_sheets(pnp)
    assert "too strong" not in printed_words()


def test_empty_column_is_reported_and_not_imported(new_pack_from):
    assert "- the column 'Art' has no cells and was not imported" in new_pack_from(
        "Name,Art,Cost\nFox,,1\n"
    )


# --- Rows ---


@pytest.mark.parametrize(
    "above",
    [
        "My Game\n",
        "My Game;;;;\n2026-03-01;;;;\n",
        "\n\nMy Game;version;3\n;;;;\n",
        "sep=;\nMy Game\n",
    ],
)
def test_header_row_is_found_below_a_title(new_pack_from, above):
    output = new_pack_from(above + CARDS)
    assert [row["title"] for row in rows()] == ["Fire Drake", "River: Wall"]
    assert re.search(r"- row \d: skipped, because it stands above the names .*'My Game'", output)


@pytest.mark.parametrize("blanks", ["", ",,"])
def test_notes_beside_the_first_card_do_not_make_it_the_header(blanks, new_pack_from):
    output = new_pack_from(f"Name,Text{blanks}\nFox,Runs.,too weak,ask Ann\nElk,Walks.{blanks}\n")
    assert [row["title"] for row in rows()] == ["Fox", "Elk"]
    assert "skipped" not in output


def test_blank_rows_and_repeated_headers_are_skipped_and_reported(new_pack_from):
    head, first, second = CARDS.splitlines()
    output = new_pack_from("\n".join([head, first, "", ";;;;", head, second]))
    assert len(rows()) == 2
    assert "- rows 3–4: skipped, because blank" in output
    assert "- row 5: skipped, because it repeats the names of the columns" in output


@pytest.mark.parametrize("total", ["Total;;5;", "Summe;;5;2,5", "Suma;; 5 copias;"])
def test_row_that_adds_up_the_cards_is_skipped_and_reported(new_pack_from, total):
    output = new_pack_from(f"Name;Type;Qty;Cost\nFox;beast;2;1\nElk;beast;3;1\n{total}\n")
    assert [row["title"] for row in rows()] == ["Fox", "Elk"]
    assert "- row 4: skipped, because it adds up the rows above it" in output


@pytest.mark.parametrize("last", ["Total;beast;5;", "Total;;;"])
def test_card_called_total_is_kept(new_pack_from, last):
    new_pack_from(f"Name;Type;Qty;Cost\nFox;beast;2;1\nElk;beast;3;1\n{last}\n")
    assert [row["title"] for row in rows()] == ["Fox", "Elk", "Total"]


def test_name_divided_between_lines_of_a_header_is_one_word(new_pack_from):
    new_pack_from('Nr;"Karten-\nname";"Anzahl\n(Stück)"\n1;Fuchs;2\n2;Elch;3\n')
    assert [row["title"] for row in rows()] == ["Fuchs", "Elch"]


def test_number_in_the_corner_is_not_that_of_the_row(new_pack_from):
    output = new_pack_from("No.,Name,Price\n1,Fox,4\n2,Elk,4\n3,Owl,2\n")
    assert "number in the corner: Price; labels: No;" in f"{output};".replace("\n", ";")


def test_remark_in_brackets_does_not_hide_the_role_of_a_column(new_pack_from):
    output = new_pack_from("Name (EN),Qty (copies),Text (draft)\nFox,2,Draw.\nElk,3,Hide.\n")
    assert "2 cards from cards.csv; name: title; text: Text (draft)" in output


def test_mostly_empty_column_of_names_is_no_title_beside_a_full_one(new_pack_from):
    new_pack_from("Card name;Qty;Name\nFox;2;Reynard\nElk;3;\nOwl;1;\n")
    assert [row["title"] for row in rows()] == ["Fox", "Elk", "Owl"]


def test_table_without_header_row_loses_no_card(new_pack_from, pnp):
    output = new_pack_from("Fox,3,red\nElk,2,blue\n")
    assert "no row names the columns, so they are called after their letters" in output
    assert [row["title"] for row in rows()] == ["Fox", "Elk"]
    build_sheets(pnp)


def test_row_with_one_cell_is_reported_as_possible_heading(new_pack_from):
    output = new_pack_from("Name,Cost,Type\nHeroes,,\nFox,1,Animal\n")
    assert "- row 2: this row has one cell, 'Heroes'; delete the card if it is a heading" in output


def test_table_without_rows_makes_no_pack(computer_with_fonts, pnp):
    Path("empty.csv").write_text("id,title\n", "utf-8")
    result = pnp("new", "mine", "--from", "empty.csv")
    assert result.exit_code == 3
    assert "empty.csv has no cards" in result.stderr
    assert not Path("mine").exists()


# --- Files ---


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(CARDS.encode("utf-8-sig"), id="BOM"),
        pytest.param(CARDS.encode("utf-16"), id="UTF-16"),
        pytest.param(CARDS.replace(";", "\t").encode(), id="tabs"),
        pytest.param(CARDS.replace("\n", "\r\n").encode(), id="Windows line ends"),
        pytest.param(CARDS.replace("Flying. ", "Flying.\n").encode(), id="quoted newline"),
        pytest.param(CARDS.replace("Drake", 'D"ra"ke').encode(), id="quotes in a cell"),
    ],
)
def test_table_is_read_in_every_encoding_and_format_of_export(new_pack_from, pnp, data):
    new_pack_from(data)
    assert len(rows()) == 2
    assert rows()[0]["Type"] == "Monster"
    build_sheets(pnp)


def test_table_in_a_code_page_is_read_and_reported(new_pack_from):
    output = new_pack_from("Name,Cost\nGröße,1\nÜbung,2\n".encode("cp1252"))
    assert [row["title"] for row in rows()] == ["Größe", "Übung"]
    assert "it is read as Windows-1252 (Western Europe), for example 'Größe'" in output


BOOK = {"About": [["My Game"]], "Cards": [["Name", "Cost"], ["Fox", 1], ["Elk", 2]]}


FORMULAS = ["Name", "Cost", "Text"], ["Fox", "=1+1", "Jump."], ["Elk", "3", "=B3+B2"]


def test_hidden_rows_are_imported_with_a_note(new_pack_from):
    book = make_book(A=[["Name", "Cost"], ["Fox", 1], ["Elk", 2], ["Owl", 3]])
    book["A"].row_dimensions[3].hidden = True
    output = new_pack_from(save_book(book), "cards.xlsx")
    assert "row 3 of 'A' is hidden, and imported all the same" in " ".join(output.split())
    assert "Elk" in Path("mine/cards.csv").read_text("utf-8")


@pytest.mark.parametrize("name", ["cards.xlsx", "cards.ods"])
def test_formulas_that_no_program_calculated_are_left_empty_with_a_note(new_pack_from, pnp, name):
    if name.endswith("xlsx"):
        book = make_xlsx(A=FORMULAS)
    else:
        formula = '<table:table-cell table:formula="of:{}"/>'.format
        cells = [[formula(cell) if cell[0] == "=" else cell for cell in row] for row in FORMULAS]
        book = make_ods(A=cells)
    output = new_pack_from(book, name)
    note = "the formulas in B2, C3 of 'A' were never calculated, and left empty; to import their"
    assert f"{note} results, open and save {name} in a spreadsheet first" in output
    assert [(row["Cost"], row["Text"]) for row in rows()] == [("", "Jump."), ("3", "")]
    build_sheets(pnp)


@pytest.mark.parametrize("name", ["cards.xlsx", "cards.ods"])
def test_first_sheet_with_a_table_is_read_and_other_sheets_are_reported(new_pack_from, name):
    output = new_pack_from((make_xlsx if name.endswith("xlsx") else make_ods)(**BOOK), name)
    assert [row["title"] for row in rows()] == ["Fox", "Elk"]
    assert f"the sheet 'About' (1 row) was not imported; import it with --from '{name}#About'" in (
        output
    )


def test_sheet_of_workbook_can_be_named(new_pack_from):
    new_pack_from(make_xlsx(**BOOK, Heroes=[["Name", "Cost"], ["Ann", 3]]), "cards.xlsx#Heroes")
    assert [row["title"] for row in rows()] == ["Ann"]


@pytest.mark.parametrize(
    ("sheet", "code", "message"),
    [
        ("Empty", 3, "the sheet 'Empty' of cards.xlsx is empty\n  expected one of: About, Cards"),
        ("Card", 2, "unknown sheet 'Card'\n  expected one of those of cards.xlsx: About, Cards"),
    ],
)
def test_empty_or_unknown_sheet_is_refused_with_those_of_the_file(
    sheet, code, message, computer_with_fonts, pnp
):
    Path("cards.xlsx").write_bytes(make_xlsx(**BOOK, Empty=[]))
    result = pnp("new", "mine", "--from", f"cards.xlsx#{sheet}")
    assert result.exit_code == code
    assert message in result.stderr
    assert not Path("mine").exists()


def test_workbook_without_cells_is_refused_whatever_sheet_is_named(computer_with_fonts, pnp):
    Path("cards.xlsx").write_bytes(make_xlsx(Notes=[]))
    result = pnp("new", "mine", "--from", "cards.xlsx#Notes")
    assert "cards.xlsx is empty\n  expected a workbook with a table" in result.stderr


def test_each_row_of_a_merged_cell_gets_its_text(new_pack_from):
    book = make_book(A=[["Name", "Realm"], ["Fox", "Forest"], ["Elk", None], ["Crab", "Sea"]])
    book["A"].merge_cells("B2:B3")
    output = new_pack_from(save_book(book), "cards.xlsx")
    assert [row["Realm"] for row in rows()] == ["Forest", "Forest", "Sea"]
    assert "- row 3 ('Realm'): has the text of the merged cell that it is a part of" in output


def test_each_row_of_a_merged_cell_of_an_ods_gets_its_text(new_pack_from):
    forest = ods_cell("Forest").replace("-cell ", '-cell table:number-rows-spanned="2" ', 1)
    covered = "<table:covered-table-cell/>"
    book = make_ods(A=[["Name", "Realm"], ["Fox", forest], ["Elk", covered], ["Crab", "Sea"]])
    output = new_pack_from(book, "cards.ods")
    assert [row["Realm"] for row in rows()] == ["Forest", "Forest", "Sea"]
    assert "- row 3 ('Realm'): has the text of the merged cell that it is a part of" in output


# --- Words ---


@pytest.mark.parametrize(
    ("cell", "printed"),
    [
        ("<b>Draw</b> a card<br>now", "Draw a card now"),
        ("__Draw__ _one_ card", "Draw one card"),
        ("costs $5, ${Cost} & 100%", "costs $5, ${Cost} & 100%"),
        ("see [this](http://a.b) ~~or~~ not", "see [this](http://a.b) ~~or~~ not"),
        ("**unfinished bold", "**unfinished bold"),
        ("a <tag> and {{hole}} %x%", "a <tag> and {{hole}} %x%"),
        ("CafÃ© au lait", "Café au lait"),
        ("[b]x[/b] done", "[b]x[/b] done"),
        ("5 * 3, 10:30, a_b", "5 * 3, 10:30, a_b"),
    ],
)
def test_cell_text_with_markup_or_signs_is_printed_as_meant(new_pack_from, pnp, cell, printed):
    new_pack_from(make_xlsx(A=[["Name", "Text"], ["Fox", cell], ["Elk", "Rest."]]), "cards.xlsx")
    build_sheets(pnp)
    assert printed in printed_words()


def test_spreadsheet_error_in_cell_is_dropped_and_reported(new_pack_from, pnp):
    output = new_pack_from("Name,Text\nFox,#REF!\nElk,Rest.\n")
    assert "- row 2 ('Text'): left out, because '#REF!' is an error of the spreadsheet" in output
    build_sheets(pnp)


def test_missing_icons_get_labelled_placeholders_and_are_listed(new_pack_from, pnp):
    output = new_pack_from(
        "Name,Icons,Text\n"
        'Fox,"wyrm, Crossed Swords",Pay :fern: or {comet}.\n'
        "Elk,wyrm,Gain [Kraken] and 🔥.\nOwl,,Lose [Kraken].\n"
    )
    icons = {path.stem: path for path in Path("mine/art/icons").iterdir()}
    assert set(icons) == {"wyrm", "crossed-swords", "fern", "comet", "kraken"}
    assert ">crossed swords</text>" in icons["crossed-swords"].read_text("utf-8")
    list_of_icons = Path("mine/icons-wanted.txt").read_text("utf-8")
    assert "art/icons/fern.svg    used in row 2 ('Text')" in list_of_icons
    assert all(f"art/icons/{name}.svg" in list_of_icons for name in icons)
    assert "draw the files that mine/icons-wanted.txt lists, whenever you like" in output
    build_sheets(pnp)
    assert all(word in printed_words() for word in ("crossed swords", "fern", "comet", "kraken"))


def test_symbols_of_pnp_need_no_placeholders(new_pack_from, pnp):
    new_pack_from('Name,Icons\nFox,"fire, sword"\nElk,fire\n')
    assert not Path("mine/art").exists()
    assert not Path("mine/icons-wanted.txt").exists()
    build_sheets(pnp)


def test_sign_that_names_no_icon_is_dropped_and_reported(new_pack_from):
    output = new_pack_from('Name,Icons\nFox,"fire, —"\nElk,fire\n')
    assert rows()[0]["Icons"] == ":fire:"
    assert "- row 2: left out, because '—' names no icon" in output


def test_icons_next_to_table_are_copied(new_pack_from):
    Path("icons").mkdir()
    Path("icons/Crossed Swords.svg").write_text(svg("<path d='M1 1h8v8z'/>"), "utf-8")
    new_pack_from('Name,Icons\nFox,"Crossed Swords, comet"\nElk,comet\n')
    assert Path("mine/art/icons/crossed-swords.svg").read_text("utf-8").count("M1 1h8v8z") == 1
    assert "crossed-swords" not in Path("mine/icons-wanted.txt").read_text("utf-8")


def test_pictures_next_to_table_are_copied_or_get_placeholders(new_pack_from, pnp):
    Path("images").mkdir()
    Image.new("RGB", (600, 400), "#ff0000").save("images/Fox Red.webp", lossless=True)
    output = new_pack_from("Name,Art\nFox,C:\\Cards\\Fox Red.webp\nElk,elk.jpg\nOwl,\n")
    assert [row["Art"] for row in rows()] == ["art/fox-red.png", "art/elk.jpg", ""]
    with Image.open("mine/art/fox-red.png") as picture:
        assert picture.getpixel((300, 200)) == (255, 0, 0)
    assert "- Fox Red.webp: found next to the table and copied" in output
    list_of_pictures = Path("mine/icons-wanted.txt").read_text("utf-8")
    assert "art/elk.jpg    used in row 3 ('Art')" in list_of_pictures
    assert "fox-red" not in list_of_pictures
    build_sheets(pnp)


def test_picture_becomes_smaller_before_the_cards_become_larger(new_pack_from, pnp):
    output = new_pack_from(f"Name,Art,Text\nFox,fox.png,{'many words ' * 22}\n")
    assert "the cards have the size" not in output
    assert "size: poker" in Path("mine/game.yaml").read_text("utf-8")
    build_sheets(pnp)


def test_translation_belongs_to_its_column_in_any_case(new_pack_from, pnp):
    new_pack_from("Name,name@nl,Text,text@nl\nFox,Vos,Draw a card.,Trek een kaart.\n")
    assert list(rows()[0]) == ["id", "title", "title@nl", "Text", "Text@nl"]


def test_column_of_svg_files_is_printed_as_drawings(new_pack_from, pnp):
    new_pack_from("Name,Art\nFox,fox.svg\nElk,elk.svg\n")
    assert "- svg: '$Art'" in Path("mine/layouts/front.yaml").read_text("utf-8")
    build_sheets(pnp)


def test_long_text_gets_larger_cards(new_pack_from, pnp):
    output = new_pack_from(f"Name,Text\nFox,{'many words ' * 120}\nElk,few\n")
    assert "the cards have the size tarot: the longest text does not fit on smaller ones" in output
    build_sheets(pnp)


def test_letters_without_a_font_are_dropped_and_reported(new_pack_from, pnp):
    output = new_pack_from("Name,Text\nFox,Gain 日本 one\nElk,Rest.\n")
    assert (
        "- row 2 ('Text'): left out, because no font on this computer has these letters (Cjk): 日本"
        in output
    )
    build_sheets(pnp)
    assert "Gain one" in printed_words()


def test_fonts_of_the_computer_are_copied_for_other_scripts(new_pack_from, pnp):
    output = new_pack_from("Name,Text\nשלום,Peace שלום to all\nFox,Rest.\n")
    assert "the font Pnp Test Hebrew was copied from this computer to fonts/, for שלום" in output
    assert [path.name for path in Path("mine/fonts").iterdir()] == ["pnp-test-hebrew.ttf"]
    build_sheets(pnp)


# --- Other programs ---


@pytest.mark.parametrize(
    ("name", "content", "advice"),
    [
        ("deck.txt", 'LINK = "cards.csv"\nFONT = Arial, 12\n', "it reads 'cards.csv': give that"),
        (
            "deck.rb",
            "require 'squib'\ndata = Squib.xlsx file: 'deck.xlsx'\n",
            "it reads 'deck.xlsx'",
        ),
        ("deck.xls", "x", "save or export it as .xlsx or .csv"),
        ("deck.numbers", "x", "File > Export To > Excel"),
        ("deck.pdf", "x", "pnp relay"),
        ("fox.png", "x", "give the folder with the pictures of all cards"),
        ("deck.mse-set", "x", "export the cards as pictures"),
    ],
)
def test_file_of_another_program_is_refused_with_advice(
    computer_with_fonts, pnp, name, content, advice
):
    Path(name).write_text(content, "utf-8")
    result = pnp("new", "mine", "--from", name)
    assert result.exit_code == 2
    assert advice in result.stderr
    assert not Path("mine").exists()


def test_table_with_kind_tiles_is_refused(computer_with_fonts, pnp):
    Path("cards.csv").write_text(CARDS, "utf-8")
    result = pnp("new", "mine", "--from", "cards.csv", "--kind", "tiles")
    assert result.exit_code == 2
    assert "--from makes a pack of cards" in result.stderr


def test_mistyped_file_is_refused_with_nearest_name(computer_with_fonts, pnp):
    Path("cards.csv").write_text(CARDS, "utf-8")
    result = pnp("new", "mine", "--from", "crads.csv")
    assert result.exit_code == 2
    assert "there is no file 'crads.csv'" in result.stderr
    assert "did you mean 'cards.csv'?" in result.stderr


# --- The first hour ---


def newcomers_workbook():
    """Return a deck as hobby designers write it, with titles, blank rows, emoji and many scripts."""
    book = make_book(
        Cards=[
            ["Dragon's Keep: list of cards", *[None] * 7],
            ["changed", "2026-03-01"],
            [],
            ["Card\nName", "Qty", "Cost", "Type", "Icons", "Flying?", 'Rules "text"', "Type"],
            ["Fire Drake", "2x", 5, "Beast", "fire, claw", "yes", "Deals 3 :fire: to one. 🔥", "a"],
            ["Дракон", "×3", 4, "Beast", None, "no", "Наносит 3 урона.", "b"],
            [],
            ["Δράκος", "2 copies", 4, "Beast", None, "x", "Κάνει 3 ζημιά.", "b"],
            ["דרקון", 1, 3, "Spell", "fire", "", "גורם נזק", "b"],
            ["تنين", 1, 3, "Spell", None, "", "ضرر واحد", "b"],
            ["अग्नि", 1, 2, "Spell", None, "", "एक कार्ड", "b"],
            ["火竜", "many", 2, "Spell", None, "", "Gain 火 one", "b"],
            ["Wall <b>of</b> Water 🌊", "4x", 0, "Wall", None, "", "Costs $5 & {shield}.", "b"],
        ],
        Log=[["a", "b"], ["c", "d"]],
    )
    book["Cards"].merge_cells("A1:H1")
    return save_book(book)


def test_three_commands_turn_a_messy_workbook_into_a_pdf(computer_with_fonts, pnp):
    Path("my deck.xlsx").write_bytes(newcomers_workbook())
    created, checked, built = (
        pnp(*command)
        for command in (
            ("new", "mine", "--from", "my deck.xlsx"),
            ("check", "mine"),
            ("build", "mine"),
        )
    )
    assert [result.exit_code for result in (created, checked, built)] == [0, 0, 0]
    for dropped in (
        "Dragon's Keep: list of cards",
        "'changed', '2026-03-01'",
        "rows 3, 7: skipped, because blank",
        "the count 'many' is not a number",
        "left out of the card's name: <b> </b> 🌊",
        "no font on this computer has these letters (Cjk): 火竜",
        "the sheet 'Log'",
    ):
        assert dropped in created.output, dropped
    text = printed_words()
    assert text.count("Fire Drake") >= 2
    for words in ("Наносит 3 урона.", "Κάνει 3 ζημιά.", "Costs $5 &", "claw"):
        assert words in text, words
    assert "mine-1-sheets-a4.pdf  15 pieces on 2 sheets" in built.output
