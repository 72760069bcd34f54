"""Test `each:`, a group for each item of a list, range or table, and `include` with values."""

import pytest

from generator.base.geometry import Point
from tests.tools.make_pack import loaded, make, problems, render_design

DOT = "  group:\n    - shape: {circle: [0, 0], r: 1mm, fill: $ink}\n"


def group_of(layer):
    return f"  group:\n    - {layer}\n      box: [0, 0, 9, 5]\n      style: body\n"


def middles(pack, design=0):
    """Return the places of the dots and texts of a design, in mm."""
    layers = loaded(pack).components[0].designs[design].front.layers
    places = [at.transform.apply(Point(0, 0)) for at in layers]
    return [(round(place.x, 2), round(place.y, 2)) for place in places]


def texts_of(pack, design=0):
    return [at.layer.text for at in loaded(pack).components[0].designs[design].front.layers]


def make_repeated(folder, each, more="", table='id,types,stars\na,"fire, ice",3\n', **rest):
    layout = f"- each: {each}\n  at: [5, 5]\n  step: [6, 0]\n{more}" + group_of(
        "text: $item$n/$last"
    )
    return make(folder, layout, table, **rest)


@pytest.mark.parametrize(
    ("each", "expected"),
    [
        ("types", ["fire1/2", "ice2/2"]),
        ("split(types)", ["fire1/2", "ice2/2"]),
        ("item in types", ["fire1/2", "ice2/2"]),
        ("1 to stars", ["11/3", "22/3", "33/3"]),
        ("0 to stars - 2", ["01/2", "12/2"]),
        ("'list(types, id)'", ["fire, ice1/2", "a2/2"]),
        ("1 to stars - 3", []),
    ],
)
def test_group_is_repeated_for_each_item(tmp_path, each, expected):
    assert texts_of(make_repeated(tmp_path, each)) == expected


def test_items_left_out_by_a_condition_leave_no_gap(tmp_path):
    pack = make_repeated(tmp_path, "types", "  when: item != fire\n")
    assert texts_of(pack) == ["ice1/1"]
    assert middles(pack) == [(5, 5)]


@pytest.mark.parametrize(
    ("spread", "places"),
    [
        ("step: [6, 1]", [(5, 5), (11, 6), (17, 7), (23, 8)]),
        ("step: [6, 0]\n  align: center", [(-4, 5), (2, 5), (8, 5), (14, 5)]),
        ("step: [6, 0]\n  align: end", [(-13, 5), (-7, 5), (-1, 5), (5, 5)]),
        ("grid: {columns: 3, step: [6, 7]}", [(5, 5), (11, 5), (17, 5), (5, 12)]),
        ("grid: {columns: 3, step: [6, 7], order: snake}", [(5, 5), (11, 5), (17, 5), (17, 12)]),
        ("grid: {columns: 2, step: [6, 7], order: up}", [(5, 12), (11, 12), (5, 5), (11, 5)]),
        ("grid: {columns: 2, step: [6, 7], order: columns}", [(5, 5), (5, 12), (11, 5), (11, 12)]),
        ("hex: {columns: 2, size: 10mm}", [(5, 5), (13.66, 10), (5, 15), (13.66, 20)]),
        ("hex: {columns: 2, size: 10mm, on: corner}", [(5, 5), (15, 5), (10, 13.66), (20, 13.66)]),
        ("arc: {radius: 10mm}", [(5, -5), (15, 5), (5, 15), (-5, 5)]),
        ("arc: {radius: 10mm, from: -90, to: 0}", [(-5, 5), (-3.66, 0), (0, -3.66), (5, -5)]),
        ("path: {d: M0 0 H20 V10}", [(5, 5), (15, 5), (25, 5), (25, 15)]),
        ("path: {d: M0 0 H10 V10 H0 Z}", [(5, 5), (15, 5), (15, 15), (5, 15)]),
    ],
)
def test_repeated_items_are_placed_by_step_grid_hex_arc_or_path(tmp_path, spread, places):
    pack = make(tmp_path, f"- each: 1 to 4\n  at: [5, 5]\n  {spread}\n{DOT}")
    assert middles(pack) == places


@pytest.mark.parametrize(
    ("way", "turns"),
    [
        ("arc: {radius: 9, follow: true, to: 180}", [0, 90, 180]),
        ("path: {d: M0 0 V20, follow: true}", [90, 90, 90]),
    ],
)
def test_repeated_items_turn_with_an_arc_or_path(tmp_path, way, turns):
    pack = make(tmp_path, f"- each: 1 to 3\n  {way}\n{DOT}")
    assert [
        round(at.transform.turn, 6) for at in loaded(pack).components[0].designs[0].front.layers
    ] == turns


def test_repeated_shapes_are_rendered_at_their_places(tmp_path):
    picture = render_design(
        make(tmp_path, f"- each: 1 to 3\n  at: [10, 20]\n  step: [10, 0]\n{DOT}")
    )
    assert [picture.at(x, 20) for x in (10, 15, 20, 30)] == ["#20302a", "", "#20302a", "#20302a"]


def test_repeated_texts_may_show_coordinates_of_columns_and_rows(tmp_path):
    layout = """- each: 1 to 6
  at: [5, 5]
  hex: {columns: 3, size: 10mm}
  group:
    - text: ${letter(column)}${pad(row, 2)}
      box: [0, 0, 9, 5]
      style: body
"""
    assert texts_of(make(tmp_path, layout)) == ["A01", "B01", "C01", "A02", "B02", "C02"]


LOOKUPS = """lookups:
  kind: {fire: {colour: $red}, ice: {colour: $blue}}
  abilities: {data: abilities.csv, by: monster, many: true}"""
ABILITIES = {"abilities.csv": "id,monster,name,name@nl\n1,a,Bite,Bijt\n2,b,Fly,Vlieg\n3,a,Roar,\n"}


def test_repeated_item_looks_up_its_own_values(tmp_path):
    layout = "- each: kind in types\n  at: [5, 20]\n  step: [10, 0]\n" + DOT.replace(
        "$ink", "'${kind.colour}'"
    )
    picture = render_design(
        make(tmp_path, layout, "id,types\na,ice fire\n", LOOKUPS, files=ABILITIES)
    )
    assert (picture.at(5, 20), picture.at(15, 20)) == ("#0000ff", "#ff0000")


def test_group_is_repeated_for_joined_rows_of_another_table(tmp_path):
    layout = "- each: ability in abilities\n  step: [0, 5]\n" + group_of(
        "text: ${n}. ${ability.name}"
    )
    pack = make(tmp_path, layout, "id\na\nb\nc\n", LOOKUPS, files=ABILITIES)
    assert [texts_of(pack, design) for design in (0, 1, 2)] == [
        ["1. Bite", "2. Roar"],
        ["1. Fly"],
        [],
    ]
    assert [
        at.layer.text for at in loaded(pack, language="nl").components[0].designs[0].front.layers
    ] == [
        "1. Bijt",
        "2. Roar",
    ]


def test_included_layout_takes_values(tmp_path):
    part = "- shape: {circle: [0, 0], r: 2mm, fill: $shade}\n"
    once = "- include: layouts/part.yaml\n  with: {{shade: '{}'}}\n  at: [{}, 10]\n"
    layout = once.format("$red", 10) + once.format("${kind.colour}", 30)
    picture = render_design(
        make(
            tmp_path,
            layout,
            "id,kind\na,ice\n",
            LOOKUPS,
            files={**ABILITIES, "layouts/part.yaml": part},
        )
    )
    assert (picture.at(10, 10), picture.at(30, 10)) == ("#ff0000", "#0000ff")


@pytest.mark.parametrize(
    ("each", "more", "message"),
    [
        ("stars", "", "layouts/front.yaml:1: each: 'stars' is the single value '3'"),
        ("1 to many", "", "layouts/front.yaml:1: each: unknown name '$many'"),
        ("1 to 9000", "", "1 to 9000 cannot be counted"),
        ("1 to id", "", "'a' is not a number"),
        ("types", "  grid: {columns: 2, step: [1, 1]}\n", "step and grid at once"),
        ("types", "  when: itme = fire\n", "unknown name '$itme'"),
        ("''", "", "step: nothing is repeated here"),
    ],
)
def test_mistake_in_a_repetition_is_reported(tmp_path, each, more, message):
    assert message in problems(make_repeated(tmp_path, each, more))


def test_message_about_a_repetition_names_the_remedy(tmp_path):
    assert "to count up to it: `1 to stars`" in problems(make_repeated(tmp_path, "stars"))
    assert "one of step, grid, hex, arc and path" in problems(
        make(tmp_path, f"- each: 1 to 2\n{DOT}")
    )


def test_words_in_brackets_are_repeated_as_a_list(tmp_path):
    layout = "- each: kind in (fire, ice)\n  step: [9mm, 0]\n  group: [{text: $kind, box: [0, 0, 9, 9], style: body}]\n"
    game = loaded(make(tmp_path, layout))
    assert [at.layer.text for at in game.components[0].designs[0].front.layers] == ["fire", "ice"]
    assert "the single value" in problems(make(tmp_path, layout.replace("(fire, ice)", "(3)")))
    assert "too early" in problems(make(tmp_path, layout.replace("(fire, ice)", "(fire, ice")))
