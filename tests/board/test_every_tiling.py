"""Test random boards of every tiling against brute force: routes, switches, areas, neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.board.board import Placement, build_board, parse_grid
from generator.board.claims import check_claim
from generator.board.counting import group_network
from generator.board.lattice import find_lattice
from generator.board.moving import RouteSpec, find_best_route
from generator.board.networks import follow_track
from generator.board.rules import BoardRules
from generator.board.scoring import count_tokens_by_owner
from tests.tools.examples import try_times
from tests.tools.make_board import kit_from, rules_from_text
from tests.tools.tiling_reference import NAMES, PointBoard

TILES = """
    straight: {0}-{2}:red
    bend: {0}-{1}:red
    switch: {0}-{1}:red {0}-{2}:red
    halves: {0}1-{1}2:red {1}1-{2}2:red
    cross: {0}-{1}:red {2}1-{0}1:red
    stop: {0},{1}:red@city(value 20)
    end: {0}:red@city(value 30)
    junction: {0}-{1}-{2}:red
"""
LAND = """
    cap: area {0}: city area {1} {2}: farm
    pair: area {0} {1}: city
    halves: area {0}1 {1}2: farm area {1}1 {2}: city
    blank: !none
    whole: area {0} {1} {2}: farm
"""


def shape_kit(text, shape):
    return kit_from(text.format(*NAMES[shape]), find_lattice(shape))


SWITCHES = "straight: {0}-{2}:red\nswitch: {0}-{1}:red {0}-{2}:red"
SWITCH_KITS = {shape: shape_kit(SWITCHES, shape) for shape in NAMES}
TRACK_KITS = {shape: shape_kit(TILES, shape) for shape in NAMES}
LAND_KITS = {shape: shape_kit(LAND, shape) for shape in NAMES}


@st.composite
def boards(draw, kits, most=3):
    shape = draw(st.sampled_from(sorted(NAMES)))
    kind = find_lattice(shape)
    turns = st.sampled_from(range(0, 360, kind.turn_step))
    names = st.sampled_from([*sorted(kits[shape].designs), None])
    columns = draw(st.integers(1, most))
    rows = draw(st.integers(1, most))
    cells = [(draw(names), draw(turns), c, r) for r in range(rows) for c in range(columns)]
    return shape, build_board(
        kind, [Placement(name, c, r, turn) for name, turn, c, r in cells if name]
    )


def scene_of(shape, board, kits):
    return BoardRules(kits[shape], board.lattice).analyse(board)


@given(
    st.sampled_from([TRACK_KITS, SWITCH_KITS]).flatmap(
        lambda kits: st.tuples(st.just(kits), boards(kits))
    )
)
def test_track_never_leads_straight_back(case):
    kits, (shape, board) = case
    scene = scene_of(shape, board, kits)
    reference = PointBoard(board, kits[shape])
    for place in scene.tiles:
        starts = [run for run in scene.runs if run.place == place]
        assert {run.place for run in follow_track(starts, scene.runs, scene.track)} | {
            place
        } == reference.reachable_tiles(place)


@given(boards(TRACK_KITS), st.sampled_from([2, 3, None]))
def test_best_route_is_worth_as_much_as_brute_force_finds(case, most):
    shape, board = case
    scene = scene_of(shape, board, TRACK_KITS)
    reference = PointBoard(board, TRACK_KITS[shape])
    route = find_best_route(scene, RouteSpec(along=("red",), stops=("city",), most=most))
    stops = {run: link.stand.value for run, (link, _) in reference.links.items() if link.feature}
    assert (route.value if route else None) == reference.best_route_value(stops, most)


@given(boards(LAND_KITS))
def test_areas_join_where_their_parts_of_sides_touch(case):
    shape, board = case
    scene = scene_of(shape, board, LAND_KITS)
    reference = PointBoard(board, LAND_KITS[shape])
    areas = {
        frozenset((tuple(run.place), run.link_index) for run in network.runs): network
        for network in scene.networks
    }
    assert set(areas) == {
        frozenset((tuple(place), index) for place, index in group)
        for group in reference.connected_areas()
    }
    for item in areas.values():
        sides = [(run, part) for run in item.runs for part in scene.runs[run].ports]
        bare = [
            1
            for run, part in sides
            if board.lattice.neighbour(run.place, part.rstrip("12")) not in scene.tiles
        ]
        assert item.is_closed is not bool(bare)


@try_times(1)
@given(boards(LAND_KITS, 4))
def test_corner_neighbours_match_brute_force(case):
    shape, board = case
    scene = scene_of(shape, board, LAND_KITS)
    reference = PointBoard(board, LAND_KITS[shape])
    for place in scene.tiles:
        assert {tile.place for tile in scene.corner_neighbours(place)} == reference.at_corner(
            shape, place, set(scene.tiles)
        )


@try_times(0.6)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 3)), max_size=5))
def test_majority_is_shared_or_needs_a_single_leader(tokens):
    rules = rules_from_text(
        "cap: area n: city area e s w: farm\nknight 9: token",
        """
        scoring:
          shared: {each: network, of: city, count: tiles, majority: shared}
          alone: {each: network, of: city, count: tiles, majority: alone}
          any: {each: network, of: city, count: tiles, majority: any}
        """,
    )
    stack = "+".join(["cap", *(f"knight({owner},{number})@city" for owner, number in tokens)])
    board = parse(rules, stack)
    totals = {owner: sum(n for o, n in tokens if o == owner) for owner in "abc"}
    most = max(totals.values())
    for owner, total in totals.items():
        leads = total == most and total > 0
        alone = leads and list(totals.values()).count(most) == 1
        for name, wins in (("shared", leads), ("alone", alone), ("any", total > 0)):
            assert check_claim(f"score {name} for {owner}: {int(wins)}", board, rules).ok


def parse(rules, text):
    return parse_grid(text, rules.kit, rules.lattice)


def test_token_in_one_of_two_cities_needs_an_exact_position():
    rules = rules_from_text(
        "two: area n: city area s: city\ncap: area n: city\nknight 9: token",
        "scoring: {cities: {each: network, of: city, count: tiles, majority: shared}}",
    )
    board = parse(rules, "cap/180 .\ntwo+knight(red)@city.n .\ncap .")
    assert check_claim("score cities for red: 2", board, rules).ok
    without_position = parse(rules, "two+knight(red)")
    with pytest.raises(InvalidValueError, match="needs a position"):
        check_claim("score cities for red: 2", without_position, rules)
    in_both_cities = parse(rules, "two+knight(red)@city")
    with pytest.raises(InvalidValueError, match="2 parts of A1"):
        check_claim("score cities for red: 2", in_both_cities, rules)


def test_tile_over_another_must_keep_links_named_by_keeps():
    rules = rules_from_text(
        "plain: !plain\nold: n-s:red !old\nnew: n-s:red n-e:red !new\nless: n-e:red !new",
        """
        matching: {over: [[new, old]], keeps: red}
        """,
    )
    assert check_claim("legal: true", parse(rules, "old+new"), rules).ok
    outcome = check_claim("legal: true", parse(rules, "old+less"), rules)
    assert outcome.actual == "false because keeps (less at A1 drops the red of old from n to s)"
    fork = rules_from_text(
        "fork: n-e-s:red\nbend: n-e:red", "matching: {over: [[bend, fork]], keeps: red}"
    )
    outcome = check_claim("legal: true", parse(fork, "fork+bend"), fork)
    assert (
        outcome.actual
        == "false because keeps (bend at A1 drops the red of fork from n and e and s)"
    )


def test_owners_are_counted_by_numbers_of_their_tokens():
    rules = rules_from_text("cap: area n: city area e s w: farm\nknight 9: token")
    scene = rules.analyse(parse(rules, "cap+knight(red,2)@city+knight(red)@farm+knight(blue)@n"))
    city = next(network for network in scene.networks if network.kinds == {"city"})
    assert count_tokens_by_owner(scene, group_network(city), ()) == {"red": 2, "blue": 1}
    spec = """
        scoring:
          all: {each: network, of: city, count: tiles, majority: shared}
          kings: {each: network, of: city, count: tiles, majority: shared, by: king}
        """
    ruled = rules_from_text(
        "cap: area n: city area e s w: farm\nknight 9: token\nking 9: token", spec
    )
    board = parse(ruled, "cap+knight(,5)@city+knight(red,2)@city+king(blue)@city")
    for claim in (
        "score all for red: 1",
        "score all for blue: 0",
        "score kings for red: 0",
        "score kings for blue: 1",
    ):
        assert check_claim(claim, board, ruled).ok, claim
