"""Random boards of squares and of hexagons: networks, ends, mismatches, ways and loops as found by brute force."""

from collections import Counter
from dataclasses import FrozenInstanceError
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
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
def test_networks_are_those_of_the_wires(board):
    scene = scene_of(board, KITS, SPECS)
    wires = Wires(board, scene.kit, SPECS.matching)
    found = {
        frozenset((Place(*run.place), run.link_index) for run in network.runs): network
        for network in scene.networks
    }
    assert set(found) == set(wires.networks())
    for group, item in found.items():
        assert len(item.seams) == wires.joins(group)
        assert len(item.open_ends) == wires.open_ends(group)
        assert item.is_closed is (wires.open_ends(group) == 0)
        assert len(
            {(run, port) for s in item.seams for run, port in ((s.a, s.port), (s.b, s.facing))}
        ) == wires.links(group)
        assert item.kinds == {wires.kind(wire) for wire in group}


@try_times(3)
@given(boards(KITS, most=3))
def test_sides_fit_where_the_wires_say_so(board):
    rules = build_rules(KITS[board.lattice.name], board.lattice, SPECS)
    found = Counter(verdict.code for verdict in rules.verdicts(rules.analyse(board)))
    assert dict(found) == Wires(board, rules.kit, SPECS.matching).mismatches(board)


@try_times(3)
@given(boards(KITS, most=3))
def test_the_longest_way_is_the_longest_of_all(board):
    scene = scene_of(board, KITS, SPECS)
    wires = Wires(board, scene.kit, SPECS.matching)
    for network in scene.networks:
        way = find_longest_path(network.runs, scene.adjacency)
        assert (
            len(way)
            == len(set(way))
            == wires.longest({(run.place, run.link_index) for run in network.runs})
        )
        assert all(there in scene.joined_places(here) for here, there in pairwise(way))


@try_times(3)
@given(boards(PLAIN_KITS, most=4))
def test_loops_contain_no_loop(board):
    scene = scene_of(board, PLAIN_KITS, ONE_KIND)
    wires = Wires(board, scene.kit, ONE_KIND.matching)
    assert len(find_loops(scene.runs, scene.seams, scene.lattice)) == wires.loops(wires.networks())


LOOPING = {"square": kit_from("tee: n-e-s:red\ncross: n-e-s-w:red\nbend: n-e:red")}


@try_times(2)
@given(boards(LOOPING, most=4, shape="square"))
def test_loops_on_boards_full_of_them(board):
    scene = scene_of(board, LOOPING, ONE_KIND)
    wires = Wires(board, scene.kit, ONE_KIND.matching)
    assert len(find_loops(scene.runs, scene.seams, scene.lattice)) == wires.loops(wires.networks())


@try_times(2)
@given(boards(KITS))
def test_links_that_pass_over_their_own_network_count_every_independent_way_round(board):
    scene = scene_of(board, KITS, SPECS)
    for network in scene.networks:
        if len(network.places) < len(network.runs):
            loops = find_loops(network.runs, network.seams, scene.lattice)
            assert len(loops) == len(network.seams) - len(network.runs) + 1


def turned(board):
    """The whole board turned by one step, place by place through the plane."""
    kind = board.lattice
    middles = middles_of(kind)
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
def middles_of(kind):
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
    return networks, Counter(verdict.code for verdict in rules.verdicts(scene))


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
def test_turning_the_board_changes_nothing(board):
    first = summary(board, KITS, MANY_RULES)
    for _ in board.lattice.ports:
        board = turned(board)
        assert summary(board, KITS, MANY_RULES) == first


@pytest.mark.parametrize("kind", [SQUARE, HEX])
def test_sides_face_each_other(kind):
    for place in every_place()[kind.name]:
        for port, beside in kind.neighbours(place):
            assert kind.neighbour(beside, kind.facing(port)) == place
            assert (kind.centre(beside) - kind.centre(place)).length() == pytest.approx(1)


def test_a_network_is_plain_and_frozen():
    network = Network.__new__(Network)
    with pytest.raises(FrozenInstanceError):
        network.ends = ()
