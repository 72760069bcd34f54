"""Test frequent mistakes: each is reported with its place and advice."""

import io

import pytest
from PIL import Image

from tests.tools.make_pack import loaded, make, problems, render_design

TEXT = "- text: $text\n  box: trim\n  style: body\n"


SLIPS = [
    (
        "- fill: red\n",
        "id,Count\na,3\n",
        "cards.csv:1: the column 'Count' is not read as the number of pieces\n  expected the name `count`",
    ),
    (
        "- fill: red\n",
        "id,qty\na,3\n",
        "the column 'qty' is not read",
    ),
    (
        "- text: $text\n  box: trim\n  style: body\n",
        "id,text\na,#REF!\n",
        "cards.csv:2: text: '#REF!' is an error of the spreadsheet",
    ),
    (
        "- text: $text\n  box: trim\n  style: body\n",
        "id,text\na,#DIV/0!\n",
        "'#DIV/0!' is an error",
    ),
    (
        "- shape: {circle: [5, 5], r: 2}\n",
        "id\na\n",
        "front.yaml:1: a shape with neither fill nor stroke shows nothing",
    ),
    (
        "- shape: {rect: trim, stroke: 3mm #ff0000}\n",
        "id\na\n",
        "front.yaml:1: #ff0000 has no quotes, so YAML reads it as a comment",
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
        "cards.csv:2: icon: no icon is given",
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
        "front.yaml:1: there is no space after the colon of 'fill'",
    ),
    (
        "- frame:\n    inset: 3mm\n   radius: 2mm\n",
        "id\na\n",
        "front.yaml:3: this is not YAML: this line is not indented",
    ),
]


@pytest.mark.parametrize(("layout", "table", "message"), SLIPS)
def test_frequent_mistake_is_reported_with_its_remedy(tmp_path, layout, table, message):
    assert message in problems(make(tmp_path, layout, table))


def test_size_of_text_without_a_unit_is_refused(tmp_path):
    pack = make(tmp_path)
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("size: 3mm,", "size: 10,"))
    assert (
        "styles.body.size: 10 of what?\n  expected a size with its unit: 10pt, or 10mm"
        in problems(pack)
    )


def test_empty_count_makes_one_piece_and_is_noted(tmp_path):
    game = loaded(make(tmp_path, table="id,count\na,2\nb,\nc,\n"))
    assert [design.count for design in game.components[0].designs] == [2, 1, 1]
    assert len(game.notes) == 1
    assert game.notes[0].endswith("cards.csv:3: 2 rows have no count, and are made once")
    assert loaded(make(tmp_path, table="id,count\na,2\n")).notes == ()


def test_wrong_colour_of_the_palette_is_reported_once(tmp_path):
    pack = make(tmp_path, "- fill: $ink\n- shape: {rect: trim, fill: $ink, stroke: 1mm $ink}\n")
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("#20302a", "#20302"))
    assert problems(pack).count("unknown colour") == 1
    assert "palette.ink" in problems(pack)


def test_missing_file_is_reported_with_a_file_of_that_name_elsewhere(tmp_path):
    pack = make(tmp_path)
    (pack / "layouts/front.yaml").rename(pack / "front.yaml")
    assert "did you mean 'front.yaml'?" in problems(pack)


def test_game_yml_is_refused_with_the_right_name(tmp_path):
    pack = make(tmp_path)
    (pack / "game.yaml").rename(pack / "game.yml")
    assert "game.yml is not read\n  expected the name game.yaml" in problems(pack)


def with_table(folder, data, name):
    pack = make(folder, TEXT, files={name.partition("#")[0]: data})
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace("cards.csv", f'"{name}"' if "#" in name else name))
    return pack


def texts_of(pack):
    return [design.front.layers[0].layer.text for design in loaded(pack).components[0].designs]


def test_rows_are_read_from_json_and_mistakes_reported(tmp_path):
    rows = '[{"id": "a", "text": ["fire", 2]}, {"id": "b", "text": true}, {"id": "c", "text": 1.0}, {"id": "d"}]'
    assert texts_of(with_table(tmp_path, rows, "cards.json")) == ["fire, 2", "TRUE", "1", ""]
    for slip, message in (
        ("[{]", "cards.json:1: this is not JSON"),
        ('[{"id": "fox"}, {"id": "elk", "stats": {"hp": 3}}]', "stats in row 2 is an object"),
        ("{}", "has no rows"),
        ('[{"id": {}}]', "an object"),
    ):
        assert message in problems(with_table(tmp_path, slip, "cards.json"))


def test_json_may_have_an_object_for_each_row_or_a_list_for_each_column(tmp_path):
    by_row = '{"a": {"text": "fire"}, "b": {"text": 2}}'
    by_column = '{"id": ["a", "b"], "text": ["fire", 2]}'
    for table in by_row, by_column:
        pack = with_table(tmp_path, table, "cards.json")
        assert [design.id for design in loaded(pack).components[0].designs] == ["a", "b"]
        assert texts_of(pack) == ["fire", "2"]
    uneven = with_table(tmp_path, '{"id": ["a", "b"], "text": ["fire"]}', "cards.json")
    assert "'text' has 1 values, and 'id' has 2\n  expected a value for each row" in problems(
        uneven
    )


def test_icon_may_be_a_pixel_image(tmp_path):
    out = io.BytesIO()
    Image.new("RGBA", (4, 4), (255, 0, 0, 255)).save(out, "PNG")
    layout = "- icon: coin\n  at: [20, 20]\n  size: 10\n- text: 'a :coin:'\n  box: [0, 0, 40, 10]\n  style: body\n"
    picture = render_design(make(tmp_path, layout, files={"art/icons/coin.png": out.getvalue()}))
    assert (picture.at(16, 16), picture.at(24, 24), picture.at(26, 26)) == (
        "#ff0000",
        "#ff0000",
        "",
    )
    assert any(picture.at(x / 10, 2) == "#ff0000" for x in range(10, 80))


def test_expression_without_quotes_between_braces_is_refused(tmp_path):
    message = problems(make(tmp_path, "- shape: {rect: trim, fill: ${kind.colour}}\n"))
    assert "front.yaml:1: this is not YAML: a `${…}` between braces has no quotes" in message
