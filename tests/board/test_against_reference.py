"""Test random square and hexagonal boards against brute force: networks, fits, paths and loops."""

from collections import Counter
from dataclasses import FrozenInstanceError
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.board.board import Placement, build_board
from generator.board.lattice import HEX, SQUARE, Place, find_lattice
from generator.board.networks import Network, find_longest_path, find_loops
from generator.board.rules import build_rules
from tests.tools.board_reference import Wires
from tests.tools.examples import try_times
from tests.tools.make_board import kit_from, specs_from

SPECS = specs_from("""
    matching:
      sides: equal
      joins: [[red, pink]]
      fits: [[plug, socket], [plug, hole]]
      closed-at: [plug, wall]
      reopened-by: hole
      dead-ends: [blue]
    """)
ONE_KIND = specs_from("matching: {sides: equal}")

TILES = """
    straight: {0}-{2}:red
    bend: {0}-{1}:red
    tee: {0}-{1}-{2}:red
    cross: {0}-{1}-{2}-{3}:red
    over: {0}-{2}:red {1}-{3}:red
    mixed: {0}-{1}:red {2}-{3}:blue
    pink: {0}-{1}:pink {2}:blue
    stub: {0}:red@tap
    dead: {0}:red {1}:blue
    wall: {0}-{1}:red {0}=wall
    plug: {0}-{2}-{3}:blue {0}=plug
    socket: {0}=socket {1}=socket {2}=hole {3}-{1}:red
    both: {0}:red {0}:blue {1}-{2}:pink
    bare: !bare
"""
PLAIN_BOARD = """
    straight: {0}-{2}:red
    bend: {0}-{1}:red
    tee: {0}-{1}-{2}:red
    cross: {0}-{1}-{2}-{3}:red
    stub: {0}:red@tap
"""
SIDES = {"square": ("n", "e", "s", "w"), "hex": ("n", "se", "s", "nw")}


def kit(text, shape):
    return kit_from(text.format(*SIDES[shape]), find_lattice(shape))


KITS = {shape: kit(TILES, shape) for shape in SIDES}
PLAIN_KITS = {shape: kit(PLAIN_BOARD, shape) for shape in SIDES}


@st.composite
def boards(draw, kits, most=4, shape=None):
    shape = shape or draw(st.sampled_from(["square", "hex"]))
    kind = find_lattice(shape)
    names = [*sorted(kits[shape].designs), None]
    columns = draw(st.integers(1, most))
    rows = draw(st.integers(1, most))
    choices = [(name, turn) for name in names for turn in range(0, 360, kind.turn_step)]
    cells = draw(
        st.lists(st.sampled_from(choices), min_size=columns * rows, max_size=columns * rows)
    )
    pieces = [
        Placement(name, index % columns, index // columns, turn)
        for index, (name, turn) in enumerate(cells)
        if name is not None
    ]
    return build_board(kind, pieces)


def scene_of(board, kits, specs):
    return build_rules(kits[board.lattice.name], board.lattice, specs).analyse(board)


@try_times(3)
@given(boards(KITS))
def test_networks_match_those_found_by_brute_force(board):
    scene = scene_of(board, KITS, SPECS)
    wires = Wires(board, scene.kit, SPECS.matching)
    networks = {
        frozenset((Place(*run.place), run.link_index) for run in network.runs): network
        for network in scene.networks
    }
    assert set(networks) == set(wires.networks())
    for group, item in networks.items():
        assert len(item.seams) == wires.joins(group)
        assert len(item.open_ends) == wires.open_ends(group)
        assert item.is_closed is (wires.open_ends(group) == 0)
        assert len(
            {(run, port) for s in item.seams for run, port in ((s.a, s.port), (s.b, s.facing))}
        ) == wires.links(group)
        assert item.kinds == {wires.kind(wire) for wire in group}


@try_times(3)
@given(boards(KITS, most=3))
def test_side_mismatches_match_those_found_by_brute_force(board):
    rules = build_rules(KITS[board.lattice.name], board.lattice, SPECS)
    codes = Counter(breach.code for breach in rules.breaches(rules.analyse(board)))
    assert dict(codes) == Wires(board, rules.kit, SPECS.matching).mismatches(board)


@try_times(3)
@given(boards(KITS, most=3))
def test_longest_path_is_as_long_as_brute_force_finds(board):
    scene = scene_of(board, KITS, SPECS)
    wires = Wires(board, scene.kit, SPECS.matching)
    for network in scene.networks:
        path = find_longest_path(network.runs, scene.adjacency)
        assert (
            len(path)
            == len(set(path))
            == wires.longest({(run.place, run.link_index) for run in network.runs})
        )
        assert all(there in scene.joined_places(here) for here, there in pairwise(path))


@try_times(3)
@given(boards(PLAIN_KITS, most=4))
def test_loop_count_matches_brute_force(board):
    scene = scene_of(board, PLAIN_KITS, ONE_KIND)
    wires = Wires(board, scene.kit, ONE_KIND.matching)
    assert len(find_loops(scene.runs, scene.seams, scene.lattice)) == wires.loops(wires.networks())


LOOPING = {"square": kit_from("tee: n-e-s:red\ncross: n-e-s-w:red\nbend: n-e:red")}


@try_times(2)
@given(boards(LOOPING, most=4, shape="square"))
def test_loop_count_matches_brute_force_on_boards_full_of_loops(board):
    scene = scene_of(board, LOOPING, ONE_KIND)
    wires = Wires(board, scene.kit, ONE_KIND.matching)
    assert len(find_loops(scene.runs, scene.seams, scene.lattice)) == wires.loops(wires.networks())


CROSSING = {"square": kit_from("tee: n-e-s:red\ncross: n-e-s-w:red\nover: n-s:red e-w:red")}


@st.composite
def tangles(draw):
    """Return nine tiles, with links that cross in the middle one and junctions around it."""
    turns = draw(st.lists(st.sampled_from([None, 0, 90, 180, 270]), min_size=9, max_size=9))
    pieces = [
        Placement("cross" if turn is None else "tee", index % 3, index // 3, turn or 0)
        for index, turn in enumerate(turns)
    ]
    pieces[4] = Placement("over", 1, 1)
    return build_board(SQUARE, pieces)


@try_times(1)
@given(tangles())
def test_links_that_cross_their_own_network_count_every_independent_loop(board):
    scene = scene_of(board, CROSSING, ONE_KIND)
    crossed = [item for item in scene.networks if len(item.places) < len(item.runs)]
    assume(crossed)
    for network in crossed:
        loops = find_loops(network.runs, network.seams, scene.lattice)
        assert len(loops) == len(network.seams) - len(network.runs) + 1


def turned(board):
    """Return the board turned by one step about its origin."""
    kind = board.lattice
    middles = places_by_centre(kind)
    pieces = []
    for placement in board.placements:
        x, y = kind.centre(placement.place).turned(kind.turn_step)
        place = middles[round(x, 3) + 0.0, round(y, 3) + 0.0]
        turn = (placement.turn + kind.turn_step) % 360
        pieces.append(
            Placement(
                placement.design, place.column, place.row, turn, placement.side, placement.level
            )
        )
    return build_board(kind, pieces)


@cache
def places_by_centre(kind):
    return {
        (round(kind.centre(p).x, 3), round(kind.centre(p).y, 3)): p
        for p in every_place()[kind.name]
    }


def every_place():
    return {
        shape: [Place(c, r) for c in range(-8, 9) for r in range(-8, 9)]
        for shape in ("square", "hex")
    }


def summary(board, kits, specs):
    rules = build_rules(kits[board.lattice.name], board.lattice, specs)
    scene = rules.analyse(board)
    networks = Counter(
        (
            network.is_closed,
            len(network.places),
            len(network.seams),
            len(network.open_ends),
            tuple(sorted(network.kinds)),
            len(find_loops(network.runs, network.seams, scene.lattice)),
            len(find_longest_path(network.runs, scene.adjacency)),
        )
        for network in scene.networks
    )
    return networks, Counter(breach.code for breach in rules.breaches(scene))


MANY_RULES = specs_from("""
    matching:
      sides: equal
      joins: [[red, pink]]
      fits: [[plug, socket], [plug, hole]]
      closed-at: [plug, wall]
      reopened-by: hole
      never-touch: [[bend, tee], [bare, bare]]
      never-join: [[tap, tap]]
      must-join: [red, blue]
      complete-needs: {red: tap}
      gaps: none
    """)


@try_times(2)
@given(boards(KITS, most=3))
def test_turning_board_keeps_networks_and_verdicts(board):
    first = summary(board, KITS, MANY_RULES)
    for _ in board.lattice.ports:
        board = turned(board)
        assert summary(board, KITS, MANY_RULES) == first


@pytest.mark.parametrize("kind", [SQUARE, HEX])
def test_neighbouring_sides_face_each_other_one_tile_apart(kind):
    for place in every_place()[kind.name]:
        for port, neighbour in kind.neighbours(place):
            assert kind.neighbour(neighbour, kind.facing(port)) == place
            assert (kind.centre(neighbour) - kind.centre(place)).length() == pytest.approx(1)


def test_network_is_frozen():
    network = Network.__new__(Network)
    with pytest.raises(FrozenInstanceError):
        network.ends = ()
