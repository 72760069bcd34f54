"""Test pieces over several places: their positions, their neighbours, and that each counts once."""

from collections import defaultdict
from dataclasses import replace
from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError, PnpError
from generator.board.board import FaceUp, Kit, Placement, build_board, parse_grid
from generator.board.claims import check_claim
from generator.board.counting import find_counted, group_board, group_network, sum_values
from generator.board.lattice import Place, find_lattice
from generator.board.rules import build_rules
from generator.board.tiles import find_piece_places
from tests.tools.examples import try_times
from tests.tools.make_board import kit_from, rules_from_text, specs_from
from tests.tools.make_pack import loaded, make
from tests.tools.write_board import write_grid

LONG_TILES = """
    way: n1-e:red w:red@stop
    hub: n1,n2,s1:red@stop
    split: n1-s2:red n2-s1:blue
    ring: w-e:red
    plain: !plain
    land: area n1 w s2: city area e: farm
    all: area n e s w: city
    ends: w=d1 e=d2
"""
SINGLE = "dot: n-e-s-w:red\nbend: n-e:blue\ncap: n:red@stop\nfield: area n e s w: city"
SIDES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}


def with_covered_places(kit, shapes):
    """Return a kit in which the named designs cover several places."""
    named = {name: tuple(Place(*cell) for cell in cells) for name, cells in shapes.items()}
    return Kit(
        {name: replace(design, covers=named.get(name, ())) for name, design in kit.designs.items()}
    )


def box(columns, rows):
    return [(x, y) for y in range(rows) for x in range(columns)]


LONGS = [line.split(":")[0].strip() for line in LONG_TILES.strip().splitlines()]
KIT = with_covered_places(kit_from(LONG_TILES + SINGLE), dict.fromkeys(LONGS, box(2, 1)))


def centre_and_size(one, size):
    """Return the centre and size of a turned piece from its top left place."""
    w, h = size if one.turn % 180 == 0 else size[::-1]
    return one.column + (w - 1) / 2, one.row + (h - 1) / 2, w, h


def point(one, size, side, share):
    """Return the table position, in quarters of a tile, of a point along a side of a turned piece."""
    w, h = size
    x, y = {
        "n": (-w / 2 + share * w, -h / 2),
        "e": (w / 2, -h / 2 + share * h),
        "s": (w / 2 - share * w, h / 2),
        "w": (-w / 2, h / 2 - share * h),
    }[side]
    a = radians(one.turn)
    cx, cy, _, _ = centre_and_size(one, size)
    return round(8 * (cx + x * cos(a) - y * sin(a))), round(8 * (cy + x * sin(a) + y * cos(a)))


def share(port):
    side = port[0]
    half = port[1:]
    return side, {"": 0.5, "1": 0.25, "2": 0.75}[half]


@st.composite
def boards(draw):
    """Return a board of pieces over one place or two, none over another."""
    pieces = []
    taken = set()
    for row in range(3):
        for column in range(4):
            name = draw(st.sampled_from([*sorted(KIT.designs), None, None]))
            turn = draw(st.sampled_from([0, 90, 180, 270]))
            if name is None:
                continue
            one = Placement(name, column, row, turn)
            w, h = centre_and_size(one, (2, 1) if name in LONGS else (1, 1))[2:]
            mine = {(column + x, row + y) for x in range(int(w)) for y in range(int(h))}
            if not mine & taken:
                taken |= mine
                pieces.append(one)
    return build_board(find_lattice("square"), pieces)


class Threads:
    """The links of a board as the sets of points that they reach."""

    def __init__(self, board):
        self.links = {}
        self.feet = defaultdict(set)
        self.cover = {}
        for placement in board.placements:
            size = (2, 1) if placement.design in LONGS else (1, 1)
            _, _, w, h = centre_and_size(placement, size)
            for x in range(int(w)):
                for y in range(int(h)):
                    self.cover[placement.column + x, placement.row + y] = placement
            for index, link in enumerate(KIT.designs[placement.design].front.tile.links):
                ends = {point(placement, size, *share(port)) for port in link.ports}
                self.links[placement, index] = (link, ends)
                for end in ends:
                    self.feet[end].add((placement, index))

    def groups(self):
        left = set(self.links)
        groups = []
        while left:
            group = set()
            edge = {left.pop()}
            while edge:
                here = edge.pop()
                group.add(here)
                kind = self.links[here][0].kind
                met = {o for end in self.links[here][1] for o in self.feet[end] if o[0] != here[0]}
                edge |= {o for o in met if self.links[o][0].kind == kind} - group
            left -= group
            groups.append(frozenset(group))
        return groups

    def ends(self, group):
        """Count link ends that join nothing, and stubs without a feature."""
        count = 0
        for item, index in group:
            link, ends = self.links[item, index]
            count += len(link.ports) == 1 and not link.feature
            count += sum(
                not any(o in group for o in self.feet[end] if o[0] != item) for end in ends
            )
        return count


@try_times(1.5)
@given(boards())
def test_links_of_pieces_over_two_places_join_as_in_reference(board):
    scene = build_rules(KIT, find_lattice("square"), specs_from("")).analyse(board)
    strings = Threads(board)
    networks = [network for network in scene.networks if not network.kinds & {"city", "farm"}]
    groups = strings.groups()
    assert sorted(
        sum_values(find_counted(scene, group_network(one), "runs")) for one in networks
    ) == sorted(map(len, groups))
    assert sorted(len(one.open_ends) for one in networks) == sorted(map(strings.ends, groups))
    assert sorted(
        sum_values(find_counted(scene, group_network(entry), "tiles")) for entry in networks
    ) == sorted(len({item for item, _ in group}) for group in groups)
    assert sum_values(find_counted(scene, group_board(scene), "tiles")) == len(board.placements)
    assert set(scene.tiles) == set(strings.cover)
    for place in scene.tiles:
        neighbours = {strings.cover.get((place[0] + x, place[1] + y)) for x, y in SIDES.values()}
        outside = neighbours - {None, strings.cover[place]}
        own = {o for p, o in strings.cover.items() if p in scene.piece_places(place)}
        assert own == {strings.cover[place]}
        assert len(
            {scene.counted_place(tile.place) for tile in scene.neighbours(place)}
            - {scene.counted_place(place)}
        ) == len(outside)


@try_times(0.6)
@given(
    st.sampled_from(["square", "hex", "hex pointed"]),
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.booleans(),
)
def test_turning_a_piece_keeps_distances_between_its_places(
    shape, cells, column, row, turn, flipped
):
    kind = find_lattice(shape)
    cells = [(x, y) for x, y in sorted(cells, key=lambda at: at[::-1])]
    kit = with_covered_places(kit_from("big: !big\nnone: n:red", kind), {"big": cells})
    kit = replace(kit, designs={"big": replace(kit.designs["big"], back=kit.designs["big"].front)})
    one = Placement(
        "big", column, row, turn * kind.turn_step % 360, FaceUp.BACK if flipped else FaceUp.FRONT
    )
    places = find_piece_places(one, kit, kind)
    assert len(set(places)) == len(cells)
    before = [kind.centre(Place(*cell)) for cell in cells]
    after = [kind.centre(place) for place in places]
    far = sorted(round((a - b).length(), 3) for a in before for b in before)
    assert far == sorted(round((a - b).length(), 3) for a in after for b in after)
    top = min(places, key=lambda place: (round(kind.centre(place).y, 3), kind.centre(place).x))
    assert top == one.place


def rules(text, shapes, spec=""):
    table = rules_from_text(text, spec)
    return replace(table, kit=with_covered_places(table.kit, shapes))


DOMINOES = (
    "d12: w=d1 e=d2 %pips=3\nd22: n=d2 e=d2 s=d2 w=d2 %pips=4\nd23: w=d2 e=d3 %pips=5\nman 9: token"
)


def test_double_domino_lies_across_the_line():
    table = rules(
        DOMINOES, dict.fromkeys(["d12", "d22", "d23"], box(4, 2)), "matching: {sides: equal}"
    )
    board = parse_grid(
        ". . . . . . . . .\nd12 . . . d22> . d23 . .".replace("d22>", "."), table.kit, table.lattice
    )
    board = board.with_pieces([Placement("d22", 4, 0, 90)])
    for claim in (
        "legal: true",
        "pips: 12",
        "tiles: 3",
        "places: 24",
        "neighbours at F3: 2",
        "pips at A2: 3",
    ):
        assert check_claim(claim, board, table).ok, claim
    assert check_claim("placing d12 at K2: false because borders", board, table).ok


def test_overlapping_pieces_are_refused_unless_over_allows_it():
    table = rules(
        DOMINOES, dict.fromkeys(["d12", "d22", "d23"], box(2, 1)), "matching: {over: [[d22, d12]]}"
    )
    board = parse_grid("d12 d22 .", table.kit, table.lattice)
    with pytest.raises(InvalidValueError, match="'d12' of A1 and 'd22' of B1 both lie at B1"):
        table.analyse(board)
    over = parse_grid("d12 .+d22 .", table.kit, table.lattice)
    assert write_grid(over).split() == ["d12", ".+d22"]
    assert check_claim("legal: true", over, table).ok
    assert check_claim("tiles: 2", over, table).ok
    assert check_claim("places: 3", over, table).ok
    assert check_claim("pips: 7", over, table).ok


def test_token_lies_on_any_place_of_a_piece():
    table = rules("land: area n1 w s2: city area n2 e s1: farm\nman 9: token", {"land": box(2, 1)})
    board = parse_grid("land man(red)@farm", table.kit, table.lattice)
    assert check_claim("tokens at A1: 1", board, table).ok
    assert check_claim("bordering of city: 1", board, table).ok


def test_removing_a_piece_removes_all_its_places():
    text = "body: e:red\narm: w-e:red\nend: w:red"
    table = rules(text, {"arm": box(2, 1)}, "removing: {cut: {root: body, neighbours: at most 2}}")
    board = parse_grid("body arm . end", table.kit, table.lattice)
    assert check_claim("removing cut at C1: true, drops D1", board, table).ok
    assert check_claim("removing cut at B1: true, drops D1", board, table).ok
    assert check_claim("removing cut at D1: true, drops nothing", board, table).ok
    assert check_claim("connected A1 to D1: true", board, table).ok
    assert check_claim("longest: 4", board, table).actual == "3"


def test_link_runs_through_all_places_of_an_upright_piece():
    text = "end: s:red\npole: n-s:red\nmast: n-s:red"
    tall = {"pole": box(1, 2), "mast": box(1, 3)}
    table = rules(text, tall, "matching: {dead-ends: red}")
    board = parse_grid("end\nmast\n.\n.\npole\n.\nend/180", table.kit, table.lattice)
    for claim in ("connected A1 to A7: true", "network red: closed, tiles 4, places 7", "tiles: 4"):
        assert check_claim(claim, board, table).ok, claim


@pytest.mark.parametrize(("point", "places"), [("25,50", 1), ("75,50", 2), ("75,80", 3)])
def test_link_to_inner_point_runs_through_places_up_to_the_point(point, places):
    table = rules(f"big: m({point}) n1/2-m:red", {"big": box(2, 2 if places == 3 else 1)})
    board = parse_grid("big .\n. .", table.kit, table.lattice)
    assert check_claim(f"network red: open, tiles 1, places {places}", board, table).ok


def test_turned_over_piece_shows_its_back_mirrored():
    table = rules("two: w=front e=other / w=back e=far", {"two": box(2, 1)})
    scene = table.analyse(parse_grid("~two .", table.kit, table.lattice))
    assert (scene.tiles[Place(0, 0)].label("w"), scene.tiles[Place(1, 0)].label("e")) == (
        "back",
        "far",
    )
    turned = table.analyse(parse_grid("~two> .\n. .", table.kit, table.lattice))
    assert (turned.tiles[Place(0, 0)].label("n"), turned.tiles[Place(0, 1)].label("s")) == (
        "back",
        "far",
    )


@pytest.mark.parametrize(
    ("text", "cells", "message"),
    [
        ("big: n:red", [(0, 0), (0, 1), (1, 1)], "not a rectangle of squares"),
        ("big: n1/3-e:red", box(2, 1), "not in the middle of a part of a place's side"),
    ],
)
def test_piece_that_cannot_be_divided_into_places_is_refused(text, cells, message):
    table = rules(text, {"big": cells})
    with pytest.raises(InvalidValueError, match=message):
        table.analyse(parse_grid("big . .\n. . .", table.kit, table.lattice))


@pytest.mark.parametrize(("tiling", "links"), [("triangular", "n"), ("free", "e")])
def test_multi_place_pieces_are_refused_on_triangular_and_free_boards(tiling, links):
    table = rules_from_text(
        f"big: {links}-s:red" if tiling == "triangular" else "big: !big", "", tiling
    )
    table = replace(table, kit=with_covered_places(table.kit, {"big": box(2, 1)}))
    with pytest.raises(InvalidValueError, match=f"a piece over 2 places on a {tiling} board"):
        table.analyse(parse_grid("big .", table.kit, table.lattice))


def test_parts_of_a_piece_count_as_places():
    """Join a wood over one half of a tile to a wood over both halves of the next."""
    text = "ws: area n1 w s2: wood area n2 e s1: sea\nww: area n e s w: wood"
    spec = """
        matching: {sides: equal}
        scoring: {woods: {each: network, of: wood, count: places, take: most}}
        """
    table = rules(text, dict.fromkeys(["ws", "ww"], box(2, 1)), spec)
    board = parse_grid("ws/180 . ww .", table.kit, table.lattice)
    for claim in (
        "legal: true",
        "score woods: 3",
        "tiles: 2",
        "places: 4",
        "network sea: open, tiles 1, places 1",
    ):
        assert check_claim(claim, board, table).ok, claim
    assert check_claim(
        "legal: false because areas", parse_grid("ws . ww .", table.kit, table.lattice), table
    ).ok


def test_token_with_covers_is_refused(tmp_path):
    folder = make(tmp_path, component="covers: 2 x 1\nlies: token")
    with pytest.raises(PnpError, match="a token that covers places of its own"):
        loaded(folder)
