"""Test a game of necks that grow from a body: legal boards, removed pieces and scores."""

import pytest

from tests.tools.make_board import check, codes, rules_from_text, shows

KIT = """
    body: e:neck w:neck !body
    straight 9: n-s:neck
    bend 9: n-e:neck
    tee 9: n-e-s:neck %heads=1
    cross 9: n-e-s-w:neck %heads=0
    head 9: s:neck@head %heads=1
    three 9: s:neck@head %heads=3 !sword
    guard 9: n-s:neck !shield
    torch 3: s:neck@torch !torch
"""
RULES = """
    matching:
      sides: equal
      must-join: neck
      start: body
      dead-ends: neck
      together: joined
      open-space: torch
    removing:
      sword: {root: body, never: body, neighbours: at most 2}
      own-sword: {root: body, never: body}
    scoring:
      heads: {count: heads}
      unburned: {count: torch, needs: 0}
      burninator: {count: torch, needs: at least 1}
      bare: {count: [open-ends, torch], needs: at least 4}
      complete: {count: [open-ends, torch], needs: 0}
      veteran: {count: sword, needs: {2: at least 5, 3: at least 4, 4: at least 3}}
      long-path: {count: longest, without: body, needs: {2: at least 7, 3: at least 6, 4: at least 5}}
      skinny: {count: longest, without: body, forms: through, needs: {2: at least 5, 3: at least 4, 4: at least 3}}
      two-trees: {each: limb, root: body, take: groups, needs: 2}
      smaller-tree: {each: limb, root: body, take: least, needs: {2: at least 4, 3: at least 3, 4: at least 2}}
      hole: {count: holes, needs: at least 1}
      size: {count: tiles, without: torch}
      loops: {count: loops, needs: {2: at least 4, 3: at least 3, 4: at least 2}}
"""


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, RULES)


GROWN = """
    .        .       head     torch
    three<   body    cross    tee/180#cut
    .        .       guard#g  head/180
"""


def test_neck_must_meet_neck(rules):
    check(
        rules,
        "head< body .",
        "legal: true",
        "placing straight> at C1: true",
        "placing straight at C1: false because must-join, sides, together",
    )
    assert codes(rules, "head< body straight") == ["must-join", "sides", "together"]


def test_sword_needs_few_neighbours_and_torch_counts_as_open_space(rules):
    check(
        rules,
        GROWN,
        "legal: true",
        "neighbours at C2: 4",
        "neighbours at #cut: 2",
        "removing sword at C2: false because neighbours",
        "removing own-sword at C2: true, drops C1, D1, D2, C3, D3",
        "removing own-sword at #cut: true, drops D1, D3",
        "removing sword at #cut: true, drops D1 D3",
        "removing sword at #g: true, drops nothing",
        "removing sword at B2: false because never",
        "removing sword at A1: false because empty",
    )
    text = "removing sword at C2: true, drops C1"
    assert (
        shows(rules, GROWN, text)
        == "false because neighbours (cross at C2 has 4 neighbours, not at most 2)"
    )
    assert (
        shows(rules, GROWN, "removing own-sword at C2: true, drops C1")
        == "true, drops C1, C3, D1, D2, D3"
    )


def test_scores_count_heads_and_check_labours(rules):
    check(
        rules,
        GROWN,
        "score heads: 6",
        "met unburned: false",
        "met burninator: true",
        "score bare: 2",
        "met complete: false",
        "score veteran: 1",
        "score size: 7",
        "score long-path: 4",
        "met long-path with 4 players: false",
        "score two-trees: 2",
        "score smaller-tree: 1",
        "connected A2 to B2 by neck: true",
        "connected A2 to D3 by neck: false",
        "connected B2 to D3 by neck: true",
    )


def test_two_necks_of_one_body_are_separate_networks(rules):
    check(
        rules,
        "three< body head>",
        "networks: 2",
        "score two-trees: 2",
        "score heads: 4",
        "met complete: true",
    )


def test_limbs_that_meet_again_score_as_one(rules):
    around = """
        bend>  straight>  bendv
        bend   body       bend<
    """
    check(rules, around, "score two-trees: 1", "legal: true")


def test_loops_and_holes_are_counted(rules):
    check(
        rules,
        """
        bend>  tee>  bendv
        tee    cross tee/180
        bend   tee<  bend<
        """,
        "loops: 4",
        "longest: 9",
    )
    check(
        rules,
        """
        bend>   straight>  bendv
        guard   .          straight
        bend    straight>  bend<
        """,
        "loops: 1",
        "score hole: 1",
        "longest of neck forms through: 8",
    )
    check(rules, "bend> head> .\nhead/180 . .", "loops: 0", "holes: 0")


def test_torch_encloses_no_hole(rules):
    ring = ". head .\nhead . head\n. {} ."
    check(rules, ring.format("head"), "holes: 1")
    check(rules, ring.format("torch"), "holes: 0")


def test_skinny_score_counts_longest_run_of_through_tiles(rules):
    check(
        rules,
        "three< straight> straight> bendv\n. . . tee\n. . . head/180",
        "score skinny: 3",
        "longest: 6",
    )
