"""Test loops inside loops and longest paths that are hard to find."""

import pytest

from generator.base.errors import InvalidValueError
from generator.board import networks
from generator.board.board import parse_grid
from generator.board.claims import check_claim
from generator.board.networks import find_longest_path
from tests.tools.make_board import check, rules_from_text

KIT = """
    i: n-s:red
    l: n-e:red
    t: n-e-s:red
    x: n-e-s-w:red
    e: n:red
    over: n-s:red e-w:red
"""


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, "matching: {sides: equal, dead-ends: red}")


def test_loop_around_another_loop_is_not_counted_twice(rules):
    separate = """
        l>  i>  i>  lv
        i   l>  lv  i
        i   l   l<  i
        l   i>  i>  l<
    """
    check(rules, separate, "loops: 1", "legal: true", "networks: 2")
    bridged = """
        l>  i>  i>  i>  lv
        i   l>  lv  .   i
        i   l   t/180 . i
        i   .   i   .   i
        l   i>  t<  i>  l<
    """
    check(rules, bridged, "loops: 1", "legal: true", "networks: 1")
    touching = """
        l>  t>   i>  i>  lv
        t   x    lv  .   i
        l   x<   l<  .   i
        .   i    .   .   i
        .   l    i>  i>  l<
    """
    check(rules, touching, "legal: true", "networks: 1", "loops: 4")
    inside = """
        .   l>   i>  i>  lv
        l>  x    lv  .   i
        i   l    l<  .   i
        i   .    .   .   i
        l   i>   i>  i>  l<
    """
    check(rules, inside, "legal: true", "networks: 1", "loops: 1", "network red: closed, links 40")


def test_inner_loop_that_touches_outer_one_counts_alone():
    kit = """
        v: n-ne-se-s:red
        sw-s: sw-s:red
        n-nw: n-nw:red
        i: n-s:red
        s-se: s-se:red
        nw-se: nw-se:red
        nw-s: nw-s:red
        n-sw: n-sw:red
        ne-nw: ne-nw:red
        n-se: n-se:red
    """
    rules = rules_from_text(kit, "matching: {sides: equal, dead-ends: red}", "hex flat")
    check(rules, "s-se nw-se .\ni sw-s nw-s\nv n-nw i\nn-se ne-nw n-sw", "legal: true", "loops: 1")
    round_it = "s-se nw-se .\ni . nw-s\ni . i\nn-se ne-nw n-sw"
    check(rules, round_it, "legal: true", "loops: 1", "tiles: 9")


def test_border_of_two_adjacent_loops_is_no_third_loop(rules):
    check(rules, "l> t> lv\nl t< l<", "loops: 2", "legal: true", "longest: 6")
    check(rules, "l> lv\nl l<", "loops: 1", "tiles: 4", "longest: 4")


def test_link_that_crosses_its_own_network_closes_one_loop(rules):
    eight = """
        l>  lv    .
        l   over  lv
        .   l     l<
    """
    check(rules, eight, "loops: 1", "runs: 8", "tiles: 7", "longest: 7")


def test_dead_ends_are_no_loops(rules):
    check(rules, "e> x> e<\n. e .", "loops: 0", "longest: 3")
    check(
        rules,
        ". e/180 .\ne> x e<\n. e .",
        "loops: 0",
        "longest: 3",
        "network red: closed, tiles 5, ends 4",
    )


def test_longest_path_lists_neighbours_in_order(rules):
    board = parse_grid("e> t> i> e<\n. e . .", rules.kit, rules.lattice)
    scene = rules.analyse(board)
    assert [str(place) for place in find_longest_path(scene.runs, scene.adjacency)] == [
        "A1",
        "B1",
        "C1",
        "D1",
    ]


def test_longest_path_and_loops_of_full_board_are_found(rules):
    square = "\n".join(["x " * 6] * 6)
    check(rules, square, "longest: 36", "loops: 25")


def test_longest_path_beyond_search_limits_is_reported(rules, monkeypatch):
    monkeypatch.setattr(networks, "MAX_SEARCH_STEPS", 20)
    with pytest.raises(InvalidValueError, match="takes too long to find"):
        check_claim(
            "longest: 25", parse_grid("\n".join(["x " * 5] * 5), rules.kit, rules.lattice), rules
        )
    monkeypatch.setattr(networks, "MAX_LINKS", 20)
    with pytest.raises(InvalidValueError, match="the longest path through 25 links"):
        check_claim(
            "longest: 25", parse_grid("\n".join(["x " * 5] * 5), rules.kit, rules.lattice), rules
        )
