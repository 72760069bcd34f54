"""Test a game of streets, greenways, parks and buildings: seven rules and five scores."""

import pytest

from tests.tools.make_board import check, codes, rules_from_text

KIT = """
    S: n-e-s-w:street@intersection !start
    street 10: n-s:street
    turn 10: n-e:street
    tee 10: n-e-s:street@intersection
    stop 6: n:street
    green 10: n-s:greenway
    gturn 10: n-e:greenway
    gtee 10: n-e-s:greenway
    park 10: n:greenway@park
    pass 4: n-s:greenway@park
    gend 4: n:greenway
    both 4: n-s:greenway e-w:street
    house 10: !building
"""
RULES = """
    matching:
      sides: equal
      never-touch: [[park, park], [building, building]]
      must-join: [street, greenway]
      complete-needs: {street: intersection, greenway: park}
      start: start
      dead-ends: [street, greenway]
    scoring:
      A: {each: network, of: street, where: {intersection: at least 1}, take: distinct}
      B: {each: network, of: greenway, where: {park: at least 1}, take: distinct}
      C: {count: park, worth: 2}
      D: {of: greenway, count: longest}
      E: {count: unused}
      all: {total: [A, B, C, D, E]}
      rows: {count: rows, needs: at least 8}
      columns: {count: columns, needs: at least 8}
      bare-rows: {each: row, where: {greenway: 0}, take: groups, needs: 0}
      bare-columns: {each: column, where: {greenway: 0}, take: groups, needs: 0}
"""


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, RULES)


YES = {
    "must-join": "street> street>",
    "kinds": "park> green>",
    "sides": "street> stop<",
    "street": "stop> tee> stop<\n. street .",
    "greenway": "gend> pass> gend<",
    "park": "park> green> park<",
    "building": "house . house",
}
NO = {
    "must-join": ("street street", "must-join"),
    "kinds": ("tee> green> green>\nstreet . .", "kinds"),
    "sides": ("turn> turnv\nstreet house", "sides"),
    "street": ("stop> street> stop<", "complete-needs"),
    "greenway": ("gend> green> gend<", "complete-needs"),
    "park": ("pass> pass>", "never-touch"),
    "building": ("house house", "never-touch"),
}


@pytest.mark.parametrize("name", YES)
def test_board_that_keeps_rule_is_legal(rules, name):
    assert codes(rules, YES[name]) == []


@pytest.mark.parametrize("name", NO)
def test_board_that_breaks_rule_names_that_rule(rules, name):
    text, expected = NO[name]
    assert codes(rules, text) == expected.split()


def test_scores_a_and_b_count_tiles_of_complete_networks(rules):
    check(rules, "stop> tee> street>\n. street .\n. street .", "score A: 5", "score B: 0")
    check(rules, "stop> street> stop<", "score A: 0")
    check(rules, "gend> pass> gend<", "score B: 3", "score C: 2", "score A: 0")
    check(rules, "gend> green> gend<", "score B: 0", "score D: 3")


def test_tile_in_two_streets_counts_once():
    rules = rules_from_text(
        "twice: n-e:street@intersection s-w:street@intersection",
        """
    scoring:
      A: {each: network, of: street, where: {intersection: at least 1}, take: distinct}
      sum: {each: network, of: street, where: {intersection: at least 1}}
    """,
    )
    check(rules, "twice", "score A: 1", "score sum: 2")


def test_score_d_follows_longest_path_through_greenway(rules):
    check(rules, "gend> gtee> green>", "score D: 3")
    check(
        rules,
        "gend> gtee> green>\n. green .\n. park .",
        "score D: 4",
        "tiles of greenway: 5",
        "score B: 5",
    )


def test_score_e_counts_unused_tiles(rules):
    check(rules, "S", "score E: 98")
    check(rules, "S street>", "score E: 97", "score A: 2", "score all: 99")


def test_end_conditions_count_rows_and_columns(rules):
    check(
        rules,
        "green street>\ngreen .",
        "met bare-rows: true",
        "met bare-columns: false",
        "score bare-columns: 1",
        "met rows: false",
        "rows of greenway: 2",
        "columns having greenway: 1",
    )
