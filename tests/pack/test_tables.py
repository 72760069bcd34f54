"""Test tables as spreadsheets save them."""

import pytest

from tests.tools.make_pack import loaded, make, problems, render_design

ROWS = [
    ["id", "title", "count"],
    ["fox", "The Fox", "3"],
    ["owl", 'An "Owl", wise', ""],
    ["elk", "Elk\nof the north", "0"],
]


def csv_bytes(separator=",", end="\n", start=""):
    def cell(text):
        return (
            '"' + text.replace('"', '""') + '"'
            if any(c in text for c in f'{separator}"\n')
            else text
        )

    return (start + "".join(separator.join(map(cell, row)) + end for row in ROWS)).encode()


FORMS = {
    "plain": csv_bytes(),
    "excel": csv_bytes(",", "\r\n", "\ufeff"),
    "excel in half of Europe": csv_bytes(";", "\r\n", "\ufeff"),
    "tabs": csv_bytes("\t"),
    "old mac": csv_bytes(",", "\r"),
    "no end of line": csv_bytes().rstrip(b"\n"),
    "blank rows": csv_bytes(end="\n\n,,\n"),
    "trailing separators": csv_bytes(end=",,\n"),
    "excel's unicode text": csv_bytes("\t", "\r\n").decode().encode("utf-16"),
    "utf-16 the other way round": b"\xfe\xff" + csv_bytes(";").decode().encode("utf-16-be"),
    "a line for excel": b"sep=;\r\n" + csv_bytes(";", "\r\n"),
    "the same after a mark": b"\xef\xbb\xbfsep=\t\n" + csv_bytes("\t"),
    "spaces": csv_bytes().replace(b"fox,The", b" fox , The"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_csv_gives_the_same_table(form, tmp_path):
    designs = loaded(make(tmp_path, table=FORMS[form])).components[0].designs
    assert [(design.id, design.title, design.count) for design in designs] == [
        ("fox", "The Fox", 3),
        ("owl", 'An "Owl", wise', 1),
        ("elk", "Elk\nof the north", 0),
    ]


def test_design_with_count_0_is_loaded_but_not_printed(tmp_path):
    game = loaded(make(tmp_path, table=csv_bytes()))
    assert len(game.components[0].designs) == 3
    assert game.count == 4


def test_rows_know_their_lines_after_cells_of_several_lines(tmp_path):
    table = 'id,text\none,"a\nb\n\nc"\n\n\ntwo,x\nthree,"y\r\nz"\nfour,q\n'
    designs = loaded(make(tmp_path, table=table)).components[0].designs
    lines = (table.replace("\r\n", "\n")).split("\n")
    assert [design.where.line for design in designs] == [2, 8, 9, 11]
    assert [lines[design.where.line - 1].split(",")[0] for design in designs] == [
        "one",
        "two",
        "three",
        "four",
    ]


def test_rows_know_their_lines_after_a_separator_line(tmp_path):
    slip = problems(make(tmp_path, table='sep=;\nid;count\none;"1"\ntwo;x\n'))
    assert slip.startswith("cards.csv:4: count: 'x' is not a whole number")


def test_control_character_is_reported_with_its_row(tmp_path):
    """The font has an empty glyph for this character."""
    layout = "- text: $text\n  box: trim\n  style: body\n"
    table = "id,text\none,ok\ntwo,a\0b\n"
    message = problems(make(tmp_path, layout, table, more="font: Alegreya"))
    assert "(cards.csv:3): the font 'Alegreya' (regular) has no '\\x00' (U+0000 unnamed)" in message


def test_short_rows_are_filled_with_empty_cells(tmp_path):
    pack = make(tmp_path, "- text: $text\n  box: trim\n  style: body\n", "id,text\none\ntwo,x\n")
    assert problems(pack) == ""
    assert render_design(pack).image.getbbox() is None
    assert render_design(pack, design=1).image.getbbox()


SLIPS = {
    "id,text\none,a,b\n": "cards.csv:2: 3 cells in a table of 2 columns; the first too many is 'b'",
    "id,id\none,a\n": "cards.csv:1: the column 'id' occurs 2 times",
    "ID,title\none,a\n": "cards.csv: there is no column 'id' (columns: ID, title)",
    "id\none\none\n": "cards.csv:3: id: 'one' occurs twice",
    "id,title\n,a\n": "cards.csv:2: id: this row has none",
    "id\na/b\n": "cards.csv:2: id: 'a/b' is not a name",
    "id\n../a\n": "cards.csv:2: id: '../a' is not a name",
    "id,count\none,2.5\n": "cards.csv:2: count: '2.5' is not a whole number",
    "id,count\none,-1\n": "cards.csv:2: count: '-1' is not a whole number",
    "": "cards.csv: the table is empty",
    "\n\n": "cards.csv: the table is empty",
    'id,text\none,"a\ntwo,b\n': "cards.csv:2: this row cannot be read",
}


@pytest.mark.parametrize("table", SLIPS)
def test_mistake_in_a_table_is_reported_with_its_row(table, tmp_path):
    assert SLIPS[table] in problems(make(tmp_path, table=table))


@pytest.mark.parametrize(
    ("code_page", "name", "title"),
    [
        ("cp1252", "Windows-1252 (Western Europe)", "Größe"),
        ("cp1252", "Windows-1252 (Western Europe)", "Prix “été” 5 €"),
        ("cp1250", "Windows-1250 (Central Europe)", "Łódź i żółw"),
        ("cp1250", "Windows-1250 (Central Europe)", "Příliš žluťoučký kůň"),
        ("cp1251", "Windows-1251 (Cyrillic)", "Огненный дракон, ёлка"),
        ("cp1253", "Windows-1253 (Greek)", "Καλημέρα κόσμε"),
        ("mac_roman", "Mac OS Roman", "Café, Größe, Übung"),
    ],
)
def test_csv_in_a_code_page_is_read_with_a_note(tmp_path, code_page, name, title):
    game = loaded(make(tmp_path, table=f'id,title\none,"{title}"\n'.encode(code_page)))
    assert game.components[0].designs[0].title == title
    (note,) = game.notes
    assert f"cards.csv: this is not UTF-8; it is read as {name}, for example " in note
    assert "choose 'CSV UTF-8'" in note


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("one,Größe und Übung".encode() + b"\xff", id="damaged UTF-8"),
        pytest.param("one,日本語のカード".encode("shift_jis"), id="Japanese"),
        pytest.param("one,日本的卡片".encode("gbk"), id="Chinese"),
        pytest.param(b"one,\x89\x81\x8f\x90\x9d\x00", id="no text"),
    ],
)
def test_table_in_no_known_encoding_is_rejected(tmp_path, data):
    message = problems(make(tmp_path, table=b"id,title\n" + data + b"\n"))
    assert message.startswith("game.yaml:11: data: 'cards.csv' is not UTF-8 text: line 2")
    assert "choose 'CSV UTF-8'" in message


def test_rows_may_stand_in_game_yaml(tmp_path):
    path = make(tmp_path, "- text: $title\n  box: trim\n  style: body\n") / "game.yaml"
    path.write_text(
        path.read_text().replace("cards.csv", "[{id: fox, title: Fox, count: 2}, {id: owl}]")
    )
    assert problems(tmp_path) == ""
    assert [(d.id, d.count) for d in loaded(tmp_path).components[0].designs] == [
        ("fox", 2),
        ("owl", 1),
    ]


@pytest.mark.parametrize("data", ["{a: b}", "[a, b]", "[]", "[[a]]"])
def test_data_that_is_not_a_table_is_reported_once(data, tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace("cards.csv", data))
    message = problems(tmp_path)
    assert message.startswith("game.yaml:11: components.cards.data: this is not a table")
    assert message.count("game.yaml:") == 1


def test_component_without_data_is_reported_once(tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace("    data: cards.csv\n", ""))
    assert problems(tmp_path) == (
        "game.yaml:9: components.cards.data: this key is missing\n  expected a line `data: …` in this part"
    )


def test_unknown_kind_of_table_is_refused(tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace("cards.csv", "cards.doc"))
    assert "unknown kind of table '.doc'" in problems(tmp_path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "id,\none,\ntwo,lost\n",
            "cards.csv:3: a cell under no name of a column is not read: 'lost'",
        ),
        (
            "id,,x,\none,a,b,\ntwo,,,c\n",
            "cards.csv:2: 2 cells under no name of a column are not read: 'a', …",
        ),
    ],
)
def test_cells_without_a_column_name_are_noted(table, message, tmp_path):
    (note,) = loaded(make(tmp_path, table=table)).notes
    assert note.endswith(message)


def test_empty_column_without_a_name_is_ignored(tmp_path):
    game = loaded(make(tmp_path, table="id,,\none,,\ntwo, ,\n"))
    assert game.notes == ()
    assert [design.id for design in game.components[0].designs] == ["one", "two"]
