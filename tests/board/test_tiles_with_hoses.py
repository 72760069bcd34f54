"""Test a game of coloured hoses between a firefighter and a hydrant."""

import pytest

from tests.tools.make_board import check, codes, rules_from_text, shows

KIT = """
    straight: n-s:red
    bend: n-e:red
    blue: n-s:blue
    fighter: s:red@firefighter
    hydrant: s:red@hydrant
    end: s:red
    over: n-s:red e-w:blue
    blank: !grass
"""
RULES = """
    matching:
      sides: equal
      never-join: [[firefighter, firefighter], [hydrant, hydrant]]
      dead-ends: [red, blue]
    scoring:
      connections:
        each: network
        closed: true
        where: {firefighter: 1, hydrant: 1}
        base: 3
        worth: 2
        beyond: 2
"""


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, RULES)


def test_hose_of_three_tiles_scores_five(rules):
    check(
        rules,
        "fighter< straight> hydrant>",
        "legal: true",
        "score connections: 5",
        "network red: closed, tiles 3, links 4, joins 2, ends 2, open-ends 0, firefighter 1, hydrant 1",
    )
    check(rules, "fighter< hydrant>", "score connections: 3")
    check(rules, "fighter< straight> straight> hydrant>", "score connections: 7")


def test_open_or_incomplete_hose_scores_nothing(rules):
    check(rules, "fighter< straight> .", "score connections: 0", "network red: open, open-ends 1")
    check(
        rules,
        "fighter< straight> end>",
        "legal: true",
        "score connections: 0",
        "network red: closed",
    )


def test_two_hoses_score_separately(rules):
    check(
        rules,
        """
        fighter<  over>     hydrant>
        fighter<  hydrant>  blank
        """,
        "score connections: 8",
        "networks of red: 2",
    )


def test_two_firefighters_or_two_hydrants_may_not_join(rules):
    assert codes(rules, "fighter< straight> fighter>") == ["never-join"]
    assert codes(rules, "hydrant< straight> hydrant>") == ["never-join"]
    assert shows(rules, "hydrant< straight> hydrant>", "legal: true") == (
        "false because never-join (two of hydrant are joined by red: A1 and C1)"
    )


def test_different_colours_or_blank_side_do_not_fit(rules):
    check(rules, "straight> blue>", "legal: false because kinds")
    check(rules, "straight> blue", "legal: false because sides")
    check(
        rules,
        "straight> .\n. .",
        "placing bend> at B1: false because sides",
        "placing straight> at B1: true",
    )
    assert shows(rules, "straight> blue", "legal: false because kinds") == (
        "false because sides (red at A1 meets a blank side at B1)"
    )


def test_loop_of_hose_is_a_closed_network(rules):
    check(rules, "bend> bendv\nbend bend<", "network red: closed, loops 1, ends 0", "legal: true")


def test_blank_side_closes_hose_only_if_pack_says_cut_off():
    """End a hose at a blank side: closed and legal with `cut-off`, and open without."""
    board = "fighter< straight> blue"
    cut = "network red: closed, tiles 2, firefighter 1, hydrant 0"
    same_kind = RULES.replace("sides: equal", "sides: same-kind")
    cutting_rules = rules_from_text(
        KIT, same_kind.replace("dead-ends: [red, blue]", "cut-off: [red, blue]")
    )
    check(cutting_rules, board, "legal: true", cut, "score connections: 0")
    check(cutting_rules, "fighter< straight> hydrant>", "score connections: 5")
    check(cutting_rules, "fighter< straight> .", "network red: open, open-ends 1")
    check(rules_from_text(KIT, same_kind), board, "legal: true", "network red: open, open-ends 1")
