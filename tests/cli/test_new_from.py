"""`pnp new --from table`: a pack of a spreadsheet that exists."""

import csv
import re
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from generator.base import system_fonts
from tests.tools.make_pack import svg
from tests.tools.make_workbook import make_book, make_ods, make_xlsx, save_book

CARDS = """Card Name;Qty;Cost;Type;Rules text
Fire Drake;2;5;Monster;"Flying. When it enters, it deals 3 damage to any one target of your choice."
River: Wall;1;0;;Defender. It holds whatever comes by water, and asks no price for it at all.
"""
FONTS = Path(__file__).parents[1] / "data" / "fonts"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, on a computer with fonts for Hebrew, Arabic and Devanagari."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(system_fonts, "FONT_FOLDERS", (FONTS,))
    return tmp_path


@pytest.fixture
def begin(here, pnp):
    """Make a pack `mine` of a file, and return the output of the command."""

    def run(content, name="cards.csv"):
        data = content.encode() if isinstance(content, str) else content
        Path(name.partition("#")[0]).write_bytes(data)
        result = pnp("new", "mine", "--from", name)
        assert result.exit_code == 0, result.stderr
        return result.output

    return run


def rows():
    """The rows of the new table."""
    with Path("mine/cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def printed_words():
    """All words on the sheets, in order."""
    document = pypdfium2.PdfDocument("output/mine/mine-1-sheets-a4.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def builds(pnp):
    result = pnp("build", "mine", "--what", "sheets", "--paper", "a4")
    assert result.exit_code == 0, result.stderr
    return result.output


# --- Columns ---


def test_its_columns_are_found(begin):
    said = begin(CARDS, "my deck.csv")
    roles = "name: title; number in the corner: Cost; labels: Type; text: Rules text"
    assert f"2 cards from my deck.csv; {roles}" in said
    assert "- the column 'Card Name' is now called 'title'\n" in said
    assert "- the column 'Qty' is now called 'count'\n" in said


def test_it_builds_and_nothing_is_wrong_with_it(begin, pnp):
    begin(CARDS)
    assert builds(pnp).startswith("output/mine/mine-1-sheets-a4.pdf  3 pieces on 1 sheet")
    assert "\n0 warnings\n" in pnp("check", "mine").output


def test_the_last_line_says_what_to_do_next(begin):
    assert begin(CARDS).splitlines()[-1] == "  pnp build mine"


def test_cards_are_called_by_their_names(begin, pnp):
    begin(CARDS)
    assert [(row["id"], row["title"]) for row in rows()] == [
        ("fire-drake", "Fire Drake"),
        ("river-wall", "River: Wall"),
    ]
    pnp("preview", "mine")
    names = [path.name for path in Path("output/mine").rglob("*.png")]
    assert any("fire-drake" in name for name in names), names


def test_every_choice_is_data(begin):
    begin(CARDS)
    layout = Path("mine/layouts/front.yaml").read_text("utf-8")
    assert "text: '$title'" in layout
    assert "when: '${Type} is not empty'" in layout
    table = Path("mine/cards.csv").read_text("utf-8").splitlines()
    assert table[0] == "id,title,count,Cost,Type,Rules text"
    assert table[1].startswith("fire-drake,Fire Drake,2,5,Monster,")


def test_ids_of_ones_own_are_kept(begin):
    begin("ID,Name\nfox,The Fox\nelk,The Elk\n")
    assert [row["id"] for row in rows()] == ["fox", "elk"]


def test_names_in_other_letters_and_twice_make_different_ids(begin):
    begin("Name,Cost\nÉpée,1\nEpee,2\nДракон,3\n???,4\n")
    assert [row["id"] for row in rows()] == ["epee", "epee-2", "card-дракон", "card-4"]


def test_names_of_columns_may_hold_any_sign(begin, pnp):
    head = 'Card/Name,$cost,{x},x,"a ""b""",e-f,1st,über,$,"Line\nbreak",a.b,3'
    said = begin(f"{head}\nFox,3,q,w,e,r,t,u,v,n,d,z\nElk,3,q,w,e,r,t,u,v,n,d,z\n")
    assert "labels: x, x 2, a b, e-f, 1st, über, Column I, Line break, a b 2, Column 3" in said
    assert "- the column 'Line\\nbreak' is now called 'Line break'" in said
    builds(pnp)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (["2x", "×3", "x 4"], ["2", "3", "4"]),
        (["2 copies", "1 copy", "3"], ["2", "1", "3"]),
        (["2.0", "3 Stück", "4 cards"], ["2", "3", "4"]),
    ],
)
def test_counts_are_read_as_people_write_them(begin, written, read_as):
    begin("Name,Copies\n" + "".join(f"Card {n},{cell}\n" for n, cell in enumerate(written)))
    assert [row["count"] for row in rows()] == read_as


def test_counts_are_found_by_their_cells(begin):
    begin("Name,In the box\nFox,2x\nElk,×3\n")
    assert [row["count"] for row in rows()] == ["2", "3"]


def test_a_count_that_is_no_number_is_named(begin):
    said = begin("Name,Qty\nFox,2\nElk,many\nOwl,\nBee,4\n")
    assert [row["count"] for row in rows()] == ["2", "1", "1", "4"]
    assert "- row 3: the count 'many' is not a number; one copy is printed" in said
    assert "- row 4: there is no count; one copy is printed" in said


def test_a_running_number_is_no_count(begin):
    begin("Number,Name\n1,Fox\n2,Elk\n3,Owl\n")
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
def test_numbers_with_commas_are_numbers(begin, cells, numbers):
    said = begin("Name;Price\n" + "".join(f"Card {n};{cell}\n" for n, cell in enumerate(cells)))
    assert [row["Price"] for row in rows()] == numbers
    assert "number in the corner: Price" in said
    assert "the numbers of the column 'Price' are written as pnp reads them" in said


def test_yes_and_no_print_the_name_of_the_column(begin, pnp):
    said = begin("Name,Flying?\nFox,no\nOwl,✓\nElk,\n")
    assert [row["Flying?"] for row in rows()] == ["FALSE", "TRUE", "FALSE"]
    assert "yes or no: Flying?" in said
    builds(pnp)
    assert printed_words().count("Flying") == 1


def test_remarks_of_the_designer_are_not_printed(begin, pnp):
    said = begin("Name,Text,Notes\nFox,Draw a card.,too strong?\nElk,Rest.,\n")
    assert "not printed: Notes" in said
    assert rows()[0]["Notes"] == "too strong?"
    builds(pnp)
    assert "too strong" not in printed_words()


def test_a_column_without_cells_is_named(begin):
    assert "- the column 'Art' has no cells and was not imported" in begin(
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
def test_the_names_of_the_columns_are_found_below_a_title(begin, above):
    said = begin(above + CARDS)
    assert [row["title"] for row in rows()] == ["Fire Drake", "River: Wall"]
    assert re.search(r"- row \d: skipped, because it stands above the names .*'My Game'", said)


def test_blank_rows_and_repeated_names_are_skipped_and_named(begin):
    head, first, second = CARDS.splitlines()
    said = begin("\n".join([head, first, "", ";;;;", head, second]))
    assert len(rows()) == 2
    assert "- rows 3–4: skipped, because blank" in said
    assert "- row 5: skipped, because it repeats the names of the columns" in said


def test_a_table_without_names_of_columns_loses_no_card(begin, pnp):
    said = begin("Fox,3,red\nElk,2,blue\n")
    assert "no row names the columns, so they are called after their letters" in said
    assert [row["title"] for row in rows()] == ["Fox", "Elk"]
    builds(pnp)


def test_a_heading_between_cards_is_named(begin):
    said = begin("Name,Cost,Type\nHeroes,,\nFox,1,Animal\n")
    assert "- row 2: this row has one cell, 'Heroes'; delete the card if it is a heading" in said


def test_a_table_without_rows_begins_nothing(here, pnp):
    Path("empty.csv").write_text("id,title\n", "utf-8")
    done = pnp("new", "mine", "--from", "empty.csv")
    assert done.exit_code == 3
    assert "empty.csv has no cards" in done.stderr
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
def test_every_export_of_a_spreadsheet_is_read(begin, pnp, data):
    begin(data)
    assert len(rows()) == 2
    assert rows()[0]["Type"] == "Monster"
    builds(pnp)


def test_a_code_page_is_named(begin):
    said = begin("Name,Cost\nGröße,1\nÜbung,2\n".encode("cp1252"))
    assert [row["title"] for row in rows()] == ["Größe", "Übung"]
    assert "it is read as Windows-1252 (Western Europe), for example 'Größe'" in said


BOOK = {"About": [["My Game"]], "Cards": [["Name", "Cost"], ["Fox", 1], ["Elk", 2]]}


@pytest.mark.parametrize("name", ["cards.xlsx", "cards.ods"])
def test_the_first_sheet_with_a_table_is_read_and_others_are_named(begin, name):
    said = begin((make_xlsx if name.endswith("xlsx") else make_ods)(**BOOK), name)
    assert [row["title"] for row in rows()] == ["Fox", "Elk"]
    assert f"the sheet 'About' (1 rows) was not imported; import it with --from '{name}#About'" in (
        said
    )


def test_a_sheet_can_be_named(begin):
    begin(make_xlsx(**BOOK, Heroes=[["Name", "Cost"], ["Ann", 3]]), "cards.xlsx#Heroes")
    assert [row["title"] for row in rows()] == ["Ann"]


def test_each_row_of_a_merged_cell_gets_its_text(begin):
    book = make_book(A=[["Name", "Realm"], ["Fox", "Forest"], ["Elk", None], ["Crab", "Sea"]])
    book["A"].merge_cells("B2:B3")
    said = begin(save_book(book), "cards.xlsx")
    assert [row["Realm"] for row in rows()] == ["Forest", "Forest", "Sea"]
    assert "- row 3 ('Realm'): has the text of the merged cell that it is a part of" in said


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
def test_whatever_a_cell_says_is_printed(begin, pnp, cell, printed):
    begin(make_xlsx(A=[["Name", "Text"], ["Fox", cell], ["Elk", "Rest."]]), "cards.xlsx")
    builds(pnp)
    assert printed in printed_words()


def test_an_error_of_the_spreadsheet_is_left_out_and_named(begin, pnp):
    said = begin("Name,Text\nFox,#REF!\nElk,Rest.\n")
    assert "- row 2 ('Text'): left out, because '#REF!' is an error of the spreadsheet" in said
    builds(pnp)


def test_icons_that_nobody_has_drawn_have_labelled_placeholders(begin, pnp):
    said = begin(
        "Name,Icons,Text\n"
        'Fox,"wyrm, Crossed Swords",Pay :fern: or {comet}.\n'
        "Elk,wyrm,Gain [Kraken] and 🔥.\nOwl,,Lose [Kraken].\n"
    )
    icons = {path.stem: path for path in Path("mine/art/icons").iterdir()}
    assert set(icons) == {"wyrm", "crossed-swords", "fern", "comet", "kraken"}
    assert ">crossed swords</text>" in icons["crossed-swords"].read_text("utf-8")
    wanted = Path("mine/icons-wanted.txt").read_text("utf-8")
    assert "art/icons/fern.svg    used in row 2 ('Text')" in wanted
    assert all(f"art/icons/{name}.svg" in wanted for name in icons)
    assert "draw the files that mine/icons-wanted.txt lists, whenever you like" in said
    builds(pnp)
    assert all(word in printed_words() for word in ("crossed swords", "fern", "comet", "kraken"))


def test_symbols_of_pnp_need_no_placeholders(begin, pnp):
    begin('Name,Icons\nFox,"fire, sword"\nElk,fire\n')
    assert not Path("mine/art").exists()
    assert not Path("mine/icons-wanted.txt").exists()
    builds(pnp)


def test_a_sign_that_names_no_icon_is_left_out_and_named(begin):
    said = begin('Name,Icons\nFox,"fire, —"\nElk,fire\n')
    assert rows()[0]["Icons"] == ":fire:"
    assert "- row 2: left out, because '—' names no icon" in said


def test_icons_beside_the_table_are_taken(begin):
    Path("icons").mkdir()
    Path("icons/Crossed Swords.svg").write_text(svg("<path d='M1 1h8v8z'/>"), "utf-8")
    begin('Name,Icons\nFox,"Crossed Swords, comet"\nElk,comet\n')
    assert Path("mine/art/icons/crossed-swords.svg").read_text("utf-8").count("M1 1h8v8z") == 1
    assert "crossed-swords" not in Path("mine/icons-wanted.txt").read_text("utf-8")


def test_pictures_are_found_beside_the_table_or_get_placeholders(begin, pnp):
    Path("images").mkdir()
    Image.new("RGB", (600, 400), "#ff0000").save("images/Fox Red.webp", lossless=True)
    said = begin("Name,Art\nFox,C:\\Cards\\Fox Red.webp\nElk,elk.jpg\nOwl,\n")
    assert [row["Art"] for row in rows()] == ["art/fox-red.png", "art/elk.jpg", ""]
    with Image.open("mine/art/fox-red.png") as picture:
        assert picture.getpixel((300, 200)) == (255, 0, 0)
    assert "- Fox Red.webp: was found beside the table and copied" in said
    wanted = Path("mine/icons-wanted.txt").read_text("utf-8")
    assert "art/elk.jpg    used in row 3 ('Art')" in wanted
    assert "fox-red" not in wanted
    builds(pnp)


def test_a_column_of_drawings_is_printed_as_drawings(begin, pnp):
    begin("Name,Art\nFox,fox.svg\nElk,elk.svg\n")
    assert "- svg: '$Art'" in Path("mine/layouts/front.yaml").read_text("utf-8")
    builds(pnp)


def test_a_long_text_gets_larger_cards(begin, pnp):
    said = begin(f"Name,Text\nFox,{'many words ' * 120}\nElk,few\n")
    assert (
        "the cards are of the size tarot, because the longest text fits on no smaller ones" in said
    )
    builds(pnp)


def test_letters_that_no_font_has_are_left_out_and_named(begin, pnp):
    said = begin("Name,Text\nFox,Gain 日本 one\nElk,Rest.\n")
    assert (
        "- row 2 ('Text'): left out, because no font on this computer has these letters (Cjk): 日本"
        in said
    )
    builds(pnp)
    assert "Gain one" in printed_words()


def test_fonts_of_this_computer_print_other_scripts(begin, pnp):
    said = begin("Name,Text\nשלום,Peace שלום to all\nFox,Rest.\n")
    assert "the font Pnp Test Hebrew was copied from this computer to fonts/, for שלום" in said
    assert [path.name for path in Path("mine/fonts").iterdir()] == ["pnp-test-hebrew.ttf"]
    builds(pnp)


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
def test_files_of_other_programs_get_advice(here, pnp, name, content, advice):
    Path(name).write_text(content, "utf-8")
    done = pnp("new", "mine", "--from", name)
    assert done.exit_code == 2
    assert advice in done.stderr
    assert not Path("mine").exists()


def test_a_table_makes_cards_only(here, pnp):
    Path("cards.csv").write_text(CARDS, "utf-8")
    done = pnp("new", "mine", "--from", "cards.csv", "--kind", "tiles")
    assert done.exit_code == 2
    assert "--from makes a pack of cards" in done.stderr


def test_a_mistyped_file_is_named(here, pnp):
    Path("cards.csv").write_text(CARDS, "utf-8")
    done = pnp("new", "mine", "--from", "crads.csv")
    assert done.exit_code == 2
    assert "there is no file 'crads.csv'" in done.stderr
    assert "did you mean 'cards.csv'?" in done.stderr


# --- The first hour ---


def newcomers_workbook():
    """A deck as hobby designers keep it, with all that a table for a program must not have."""
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


def test_three_commands_turn_a_messy_workbook_into_a_pdf(here, pnp):
    Path("my deck.xlsx").write_bytes(newcomers_workbook())
    begun, checked, built = (
        pnp(*command)
        for command in (
            ("new", "mine", "--from", "my deck.xlsx"),
            ("check", "mine"),
            ("build", "mine"),
        )
    )
    assert [done.exit_code for done in (begun, checked, built)] == [0, 0, 0]
    for dropped in (
        "Dragon's Keep: list of cards",
        "'changed', '2026-03-01'",
        "rows 3, 7: skipped, because blank",
        "the count 'many' is not a number",
        "left out of the card's name: <b> </b> 🌊",
        "no font on this computer has these letters (Cjk): 火竜",
        "the sheet 'Log'",
    ):
        assert dropped in begun.output, dropped
    text = printed_words()
    assert text.count("Fire Drake") >= 2
    for words in ("Наносит 3 урона.", "Κάνει 3 ζημιά.", "Costs $5 &", "claw"):
        assert words in text, words
    assert "mine-1-sheets-a4.pdf  15 pieces on 2 sheets" in built.output
