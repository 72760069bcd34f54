"""Test lookups, computed columns, and cells that name colours of the palette."""

import pytest

from tests.tools.make_pack import loaded, make, problems, render_design

KINDS = """
lookups:
  kind:
    fire: {colour: $red, word: Fire, word@nl: Vuur}
    sea: {colour: "#00ff00", word: Sea, word@nl: Zee}
"""
FIER = """cards.csv:2: kind: unknown value 'fier'
  expected one of the table 'kind': fire, sea
  did you mean 'fire'?"""
CARDS = "id,kind,cost,accent\na,fire,2,$blue\nb,sea,,$red\n"


def with_file(folder, table, **more):
    return make(folder, more="lookups: {kind: kinds.csv}", files={"kinds.csv": table}, **more)


@pytest.mark.parametrize("design", [0, 1])
def test_lookup_in_game_yaml_gives_colours(tmp_path, design):
    pack = make(tmp_path, "- fill: ${kind.colour}\n", CARDS, KINDS)
    assert render_design(pack, design=design).at(20, 20) == ("#ff0000", "#00ff00")[design]


@pytest.mark.parametrize("data", ["kinds.csv", "{data: kinds.csv, by: name, from: sort}"])
def test_lookup_in_a_file_may_name_colours_of_the_palette(tmp_path, data):
    files = {"kinds.csv": "id,name,colour\nfire,fire,$blue\nsea,sea,$red\n"}
    pack = make(
        tmp_path,
        "- fill: ${kind.colour}\n",
        "id,kind,sort\na,sea,fire\n",
        f"lookups: {{kind: {data}}}",
        files=files,
    )
    assert render_design(pack).at(20, 20) == ("#0000ff" if "from" in data else "#ff0000")


def test_cell_may_name_a_colour_of_the_palette(tmp_path):
    pack = make(tmp_path, "- fill: $accent\n- frame: {inset: 5, stroke: 2mm $accent}\n", CARDS)
    assert render_design(pack).at(20, 20) == render_design(pack).at(5, 20) == "#0000ff"
    message = problems(make(tmp_path, "- fill: $accent\n", "id,accent\na,$bleu\n"))
    assert message.startswith("cards.csv:2: accent: unknown colour of the palette 'bleu'")
    assert "did you mean 'blue'?" in message


def test_words_of_a_lookup_are_translated(tmp_path):
    pack = make(tmp_path, "- text: ${kind.word}\n  box: trim\n  style: body\n", CARDS, KINDS)
    assert loaded(pack, language="nl").components[0].designs[0].front.layers[0].layer.text == "Vuur"
    assert loaded(pack).components[0].designs[0].front.layers[0].layer.text == "Fire"


@pytest.mark.parametrize(
    ("layout", "table", "more", "message"),
    [
        ("- fill: ${kind.colour}\n", "id,kind\na,fier\n", KINDS, FIER),
        ("- fill: ${kind.color}\n", CARDS, KINDS, "layouts/front.yaml:1: unknown column 'color'"),
        (
            "- fill: ${knid.colour}\n",
            CARDS,
            KINDS,
            "layouts/front.yaml:1: unknown name '$knid.colour'",
        ),
        (
            "- fill: red\n",
            CARDS,
            "lookups: {kind: {fire: $red}}",
            "lookups.kind: fire: no row is given",
        ),
        (
            "- fill: red\n",
            CARDS,
            "lookups: {kind: {data: kinds.csv, form: x}}",
            "unknown key 'form'",
        ),
        ("- fill: red\n", CARDS, "lookups: {kind: nowhere.csv}", "nowhere.csv"),
        ("- fill: ${kind.word}\n", CARDS, KINDS, "it is ${kind.word} of 'a' (cards.csv:2)"),
    ],
)
def test_mistake_in_a_lookup_is_reported_with_its_place(tmp_path, layout, table, more, message):
    assert message in problems(
        make(tmp_path, layout, table, more, files={"kinds.csv": "id,colour\nfire,red\n"})
    )


def test_duplicate_value_of_a_lookup_is_refused_with_the_option_many(tmp_path):
    message = problems(with_file(tmp_path, "id,colour\nfire,red\nfire,blue\n"))
    assert "kinds.csv:3: id: 'fire' occurs twice" in message
    assert "many: true" in message


COMPUTED = """columns:
  total: (cost | 0) + 1
  label: upper(kind) & " " & total
  dear: total > 2"""


def test_computed_columns_may_use_earlier_columns(tmp_path):
    layout = "- text: $label\n  box: trim\n  style: body\n- fill: red\n  when: dear\n"
    first, second = loaded(make(tmp_path, layout, CARDS, component=COMPUTED)).components[0].designs
    assert [at.layer.text for at in (first.front.layers[0], second.front.layers[0])] == [
        "FIRE 3",
        "SEA 1",
    ]
    assert [len(design.front.layers) for design in (first, second)] == [2, 1]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("cost + 1", "cards.csv:3: cost: this is empty but must be a number"),
        ("kind + 1", "cards.csv:2: kind: 'fire' is not a number"),
        ("cost + ", "game.yaml:13: columns.x: 'cost + ' ends too early"),
        (
            "upper(cost > 1)",
            "game.yaml:13: columns.x: 'upper' is given true or false\n  expected a text",
        ),
        ("later + 1", "game.yaml:13: columns.x: unknown name '$later'"),
        ("1 / 0", "cards.csv:2: columns.x: 1 is divided by 0"),
    ],
)
def test_column_that_cannot_be_computed_is_reported_with_its_place(tmp_path, column, message):
    assert message in problems(
        make(tmp_path, "- fill: red\n", CARDS, component=f"columns: {{x: '{column}'}}")
    )


def test_computed_column_with_the_name_of_a_table_column_is_refused(tmp_path):
    message = problems(make(tmp_path, "- fill: red\n", CARDS, component="columns: {cost: '1'}"))
    assert "columns.cost: the table has this column" in message


def test_computed_column_may_be_a_number_of_the_design(tmp_path):
    component = "numbers: total\ncolumns: {total: (cost | 0) * 2}"
    assert [
        d.numbers["total"]
        for d in loaded(make(tmp_path, "- fill: red\n", CARDS, component=component))
        .components[0]
        .designs
    ] == [4.0, 0.0]
