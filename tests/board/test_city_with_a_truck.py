"""Test a city game: blocks of houses on fire, and a truck that drives on roads and highways."""

import pytest

from tests.tools.make_board import check, rules_from_text, shows

KIT = """
    house: n:block@building
    corner: n-e:block@building
    hydrant: n:block@hydrant
    road: n-s:road
    stop: n-s:road@stop
    stadium: n-s:road@stadium
    cul: n:road@cul-de-sac
    exit: n-s:highway e:road@exit
    yield: n-s:highway e:road@yield
    bend: n-e:road
    turn: n-e:road
    highway: n-s:highway
    sign: n-s:highway@stop
    knot: n-s:highway e:highway w:road@yield
    blaze 10: token
    mob 1: token
    urbanite 5: token
"""
RULES = """
    matching:
      sides: equal
      never-join: [[blaze, hydrant, block]]
    scoring:
      finished: {each: network, of: block, closed: true, count: building, worth: 2, less: blaze}
      unfinished: {each: network, of: block, closed: false, count: building, less: blaze}
      stores: {each: network, of: block, closed: true, where: {blaze: 0}, count: building}
    moving:
      truck:
        along: [road, highway]
        stops: [stop, stadium, cul-de-sac, exit, yield]
        express: highway
        changes: [[exit, road, highway], [exit, highway, road], [yield, road, highway]]
        starts: [stop, exit]
        never-from: [blaze, mob, urbanite]
        never-through: [[stadium, urbanite]]
        never-onto: [mob, urbanite]
        dice: highest
"""


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, RULES)


def test_each_blaze_lowers_worth_of_every_building_in_block(rules):
    check(rules, "house> house<", "score finished: 4", "score unfinished: 0", "score stores: 2")
    check(rules, "house>+blaze house<", "score finished: 2", "score stores: 0")
    check(rules, "house>+blaze house<+blaze", "score finished: 0", "blaze: 2")
    check(
        rules,
        "house>+blaze+blaze house<+blaze",
        "score finished: 0",
        "tiles having blaze: 2",
        "blaze: 3",
    )
    check(rules, "house> .", "score unfinished: 1")
    check(rules, "house>+blaze .", "score unfinished: 0")


def test_blaze_in_block_with_hydrant_is_illegal(rules):
    check(rules, "house>+blaze hydrant<", "legal: false because never-join")
    check(rules, "house> hydrant<", "legal: true")


DRIVE = """
    exit      stop>+blaze  stadium>  bend/180   .
    .         .            .         stop       .
    .         .            .         turn       exit/180+blaze
    .         .            .         .          exit#last
"""


def test_path_counts_steps_stops_and_blazes_and_obeys_dice_roll(rules):
    check(
        rules,
        DRIVE,
        "path truck A1 B1: steps 1, blaze 1",
        "path truck A1 B1: steps 1, stop 1, exit 0",
        "path truck A1 B1 C1 D1 D2 D3 E3: steps 4, stop 2, stadium 1, road 6, exit 1",
        "path truck A1 B1 C1: steps 2",
        "path truck A1 B1 C1 D1: false because no-stop",
        "path truck A1 B1 C1 D1 D2: steps 3",
        "path truck A1 B1 C1 D1 D2 D3 E3: steps 4, blaze 2",
        "path truck A1 B1 C1 D1 D2 D3 E3 #last rolling 6 1: steps 5, blaze 2",
        "path truck A1 B1 C1 D1 D2 D3 E3 #last rolling 4 1: false because roll",
    )


def test_highway_between_exits_is_one_step(rules):
    road = """
        exit     stop>  cul<
        highway  .      .
        yield    cul<   .
        exit     stop>  stop>
    """
    check(
        rules,
        road,
        "path truck A1 B1: steps 1",
        "path truck A1 B1 C1: steps 2",
        "path truck A1 A2 A3 A4: steps 1",
        "path truck A1 A2 A3 A4 B4: steps 2",
        "path truck A1 A2 A3 A4 B4 rolling 1 2: steps 2",
        "path truck A1 A2 A3 A4 B4 rolling 1 1: false because roll",
        "path truck A1 A2: false because no-stop",
        "path truck A1 A2 A3: false because no-stop",
        "path truck A1 A2 A3 B3: false because not-joined",
        "path truck A1 B1 A1: false because twice",
        "path truck A1 B2: false because empty",
        "path truck B3 A3: false because start",
        "path truck A1: true",
        "path truck A2: false because start",
    )
    assert shows(rules, road, "path truck A1 A2 A3 B3: steps 2") == (
        "false because not-joined (no road or highway leads on from A3 to B3)"
    )
    assert shows(rules, road, "path truck A1 B1 C1: steps 3") == "steps 2"


def test_truck_passes_sign_on_express_link_and_cannot_stop_there(rules):
    check(
        rules,
        "exit\nsign\nexit",
        "path truck A1 A2 A3: steps 1",
        "path truck A1 A2: false because no-stop",
    )


def test_truck_changes_link_kind_only_in_allowed_direction(rules):
    crossing = """
        .      exit  .
        stop>  knot  exit>
    """
    check(
        rules,
        crossing,
        "path truck B1 B2: false because no-stop",
        "path truck B1 B2 C2: false because not-joined",
        "path truck A2 B2: steps 1",
        "path truck A2 B2 B1: steps 2",
        "path truck A2 B2 C2: steps 2",
    )


def test_tokens_bar_start_passage_or_end_of_path(rules):
    check(
        rules,
        "exit stop>+mob stadium>+urbanite cul<",
        "path truck A1 B1: false because occupied",
        "path truck A1 B1 C1 D1: false because through",
        "path truck A1 B1 C1: false because through, occupied",
    )
    check(rules, "exit stop>+mob stop>+blaze", "path truck A1 B1 C1: steps 2, blaze 1, mob 1")
    check(rules, "exit+blaze stop>", "path truck A1 B1: false because start")
