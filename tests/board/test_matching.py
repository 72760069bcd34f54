"""Test every rule of `matching:`: boards that keep it, boards that break it, and its messages."""

import pytest

from generator.board import matching_rules
from generator.board.lattice import Place
from generator.board.matching_rules import CODES, RULES, Breach
from generator.board.spec import BoardShapeSpec, MatchingSpec
from tests.tools.make_board import board, codes, rules_from_text, specs_from

KIT = """
    red: n-s:red
    pink: n-s:pink
    blue: n-s:blue
    two: n-s:red n-s:pink
    tap: n-s:red@tap
    pan: n-s:red@pan
    end: n:red
    bare: !bare
    park: !park
    sea: n=sea e=sea s=sea w=sea
    land: n=land e=land s=land w=land
    deck: n-s:red !deck
    lid: n-s:blue !lid
    start: n-s:red !first
"""


def breaches(spec, text):
    rules = rules_from_text(KIT, "matching: {" + spec + "}")
    return rules.breaches(rules.analyse(board(rules, text)))


def describe_breaches(spec, text):
    return [
        (breach.code, breach.text, [str(place) for place in breach.places])
        for breach in breaches(spec, text)
    ]


def test_sides_match_if_they_have_equal_links():
    for text in ("red\nred", "red> red>", "sea sea", "bare red", "two\ntwo", "red blue"):
        assert describe_breaches("sides: equal", text) == []
    assert describe_breaches("sides: equal", "red> blue>") == [
        ("kinds", "red at A1 meets blue at B1", ["A1", "B1"])
    ]
    assert describe_breaches("sides: equal", "red\nbare") == [
        ("sides", "red at A1 meets a blank side at A2", ["A1", "A2"])
    ]
    assert describe_breaches("sides: same-kind", "red\nbare") == []
    assert describe_breaches("sides: same-kind", "red\nblue") == [
        ("kinds", "red at A1 meets blue at A2", ["A1", "A2"])
    ]
    assert describe_breaches("sides: equal", "two\nred") == [
        ("kinds", "pink and red at A1 meets red at A2", ["A1", "A2"])
    ]


def test_kinds_in_joins_match_each_other():
    assert describe_breaches("sides: equal, joins: [[red, pink]]", "red\npink") == []
    assert describe_breaches("sides: equal, joins: [[red, blue]]", "two\ntwo") == []
    assert [
        breach[0] for breach in describe_breaches("sides: equal, joins: [[red, blue]]", "red\npink")
    ] == ["kinds"]


def test_several_links_at_a_side_are_paired_in_any_order():
    kit = "one: s:alder s:birch\ntwo: n:aspen n:yew\nthree: n:aspen n-e:aspen"
    rules = rules_from_text(kit, "matching: {sides: equal, joins: [[alder, yew], [birch, aspen]]}")
    assert codes(rules, "one\ntwo") == []
    assert codes(rules, "one\nthree") == ["kinds"]


def test_border_meets_same_label_or_labels_in_fits():
    assert describe_breaches("sides: equal", "sea sea") == []
    assert describe_breaches("sides: equal", "sea land") == [
        ("borders", "the border sea at A1 meets the border land at B1", ["A1", "B1"])
    ]
    assert describe_breaches("sides: equal", "sea bare") == [
        ("borders", "the border sea at A1 meets a blank side at B1", ["A1", "B1"])
    ]
    assert describe_breaches("sides: equal, fits: [[sea, land]]", "sea land") == []
    assert [
        breach[0] for breach in describe_breaches("sides: equal, fits: [[sea, land]]", "sea sea")
    ] == ["borders"]
    assert (
        describe_breaches("sides: equal, fits: [[sea, land], [sea, sea]]", "sea sea\nland .") == []
    )


def test_tiles_in_never_touch_may_not_be_neighbours():
    spec = "never-touch: [[park, park], [park, bare]]"
    assert describe_breaches(spec, "park . park\nred> bare red") == []
    assert describe_breaches(spec, "park park") == [
        ("never-touch", "park at A1 touches park at B1", ["A1", "B1"])
    ]
    assert describe_breaches(spec, "bare\npark") == [
        ("never-touch", "bare at A1 touches park at A2", ["A1", "A2"])
    ]


def test_features_in_never_join_may_not_be_joined():
    spec = "never-join: [[tap, tap], [tap, pan]]"
    assert describe_breaches(spec, "tap> red> red>") == []
    assert describe_breaches(spec, "tap tap") == []
    assert describe_breaches(spec, "tap> red> tap>") == [
        ("never-join", "two of tap are joined by red: A1 and C1", ["A1", "C1"])
    ]
    assert describe_breaches(spec, "tap> pan>") == [
        ("never-join", "tap and pan are joined by red: A1 and B1", ["A1", "B1"])
    ]
    assert describe_breaches("never-join: [[tap, pan, blue]]", "tap> pan>") == []


def test_tile_must_join_a_neighbour_by_kind_in_must_join():
    spec = "must-join: [red], start: first"
    assert describe_breaches(spec, "red") == []
    assert describe_breaches(spec, "start> blue>") == []
    assert describe_breaches(spec, "red bare") == [
        ("must-join", "no red of red at A1 joins a tile next to it", ["A1"])
    ]
    assert describe_breaches(spec, "red> red> blue") == []


def test_complete_network_needs_its_features():
    spec = "complete-needs: {red: tap}, dead-ends: red"
    assert describe_breaches(spec, "end> tap> end<") == []
    assert describe_breaches(spec, "end> red> red>") == []
    assert describe_breaches(spec, "end> end<") == [
        ("complete-needs", "the red through A1 and B1 is complete and has no tap", ["A1", "B1"])
    ]
    two = "complete-needs: {red: [tap, pan]}, dead-ends: red"
    assert [breach[1] for breach in describe_breaches(two, "end> tap> end<")] == [
        "the red through A1, B1 and C1 is complete and has no pan"
    ]


def test_together_reports_tiles_separate_from_the_rest():
    assert describe_breaches("together: touching", "red . red") == [
        ("together", "C1 does not touch the rest", ["C1"])
    ]
    assert describe_breaches("together: touching", "red red\n. red") == []
    assert describe_breaches("together: joined, start: first", "red start> red> red") == [
        ("together", "A1 and D1 are not joined to the rest", ["A1", "D1"])
    ]


def test_within_limits_columns_and_rows_of_board():
    spec = "within: {columns: 2, rows: 1}"
    assert describe_breaches(spec, ". red red") == []
    assert describe_breaches(spec, "red . red\nred . .") == [
        ("within", "the board has 3 columns, and at most 2 are allowed", ["A1", "A2", "C1"]),
        ("within", "the board has 2 rows, and at most 1 are allowed", ["A1", "A2", "C1"]),
    ]


def test_gap_is_an_empty_place_surrounded_by_tiles():
    ring = ". red .\nred . red\n. {} ."
    assert describe_breaches("gaps: none", ring.format("red")) == [
        ("gaps", "B2 is empty and surrounded", ["B2"])
    ]
    assert describe_breaches("gaps: none", ring.format(".")) == []
    assert describe_breaches("gaps: none, open-space: park", ring.format("park")) == []


def test_tile_lies_over_another_only_if_over_allows_it():
    assert describe_breaches("over: [[lid, deck]]", "deck+lid") == []
    assert describe_breaches("over: [[lid, deck]]", "lid+deck") == [
        ("over", "deck lies over lid at A1", ["A1"])
    ]
    assert describe_breaches("", "red+red") == [("over", "red lies over red at A1", ["A1"])]


def test_place_that_two_labels_fill_is_reported():
    spec = "fills: {sea: red, land: blue}"
    assert ("fills", "B1 must be filled with blue and with red", ["B1"]) in describe_breaches(
        spec, "sea . land"
    )
    assert codes(rules_from_text(KIT, "matching: {sides: equal, fills: {sea: sea}}"), "sea") == []


def test_fillings_must_match_each_other():
    kit = "a: n-s:red e=to-a\nb: n-s:red s=to-b\nfa: w=to-a e=to-a\nfb: n=to-b\nall: n=to-a e=to-a s=to-a w=to-a"
    rules = rules_from_text(kit, "matching: {fills: {to-a: all, to-b: fb}}")
    assert codes(rules, "a .\n. .") == []
    assert codes(rules, "a .\nb< .") == ["fills"]


def test_equal_verdicts_compare_equal():
    assert Breach("sides", "…", (Place(0, 0),)) == Breach("sides", "…", (Place(0, 0),))


def test_every_matching_rule_has_a_function_a_row_and_a_key():
    functions = {part for name, part in vars(matching_rules).items() if name.startswith("check_")}
    assert {kind.check for kind in RULES.values()} == functions - {matching_rules.check_on_board}
    aliases = {field.alias for field in MatchingSpec.model_fields.values()}
    settings = {
        "joins",
        "fits",
        "closed-at",
        "reopened-by",
        "dead-ends",
        "cut-off",
        "start",
        "open-space",
    }
    assert aliases == set(RULES) | settings
    assert len(set(CODES)) == len(CODES)


def test_invalid_keys_of_rules_are_refused():
    with pytest.raises(ValueError, match="never-tuch"):
        specs_from("matching: {never-tuch: [[a, b]]}")
    with pytest.raises(ValueError, match="is not a pair"):
        specs_from("matching: {never-touch: [[a, b, c]]}")
    with pytest.raises(ValueError, match="each: limb needs a root"):
        specs_from("scoring: {arms: {each: limb, count: tiles}}")
    with pytest.raises(ValueError, match="7 is not a list of rows"):
        BoardShapeSpec.model_validate({"cells": 7})
