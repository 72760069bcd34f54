"""Test boards read from text and written as text, and the messages about mistakes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point
from generator.board.board import FaceUp, Kit, Placement, build_board, parse_grid, parse_list
from generator.board.lattice import HEX, SQUARE, Place, find_lattice, join_places, parse_place
from tests.tools.make_board import kit_from
from tests.tools.write_board import write_grid

KIT = kit_from(
    """
    straight: n-s:red / n-s:blue
    bend: n-e:red
    bendv: n-e:blue
    curve: n-e:green / n-e:green
    tile.2-x: s:red
    v: n:red
    token: token
    """
)


def test_grid_reads_turns_backs_stacks_and_place_names():
    board = parse_grid(
        """
        straight>  ~curve<#here  .
        .          curvev        bend^+token
        """,
        KIT,
        SQUARE,
    )
    assert board.placements == (
        Placement("straight", 0, 0, 90),
        Placement("curve", 1, 0, 270, FaceUp.BACK),
        Placement("curve", 1, 1, 180),
        Placement("bend", 2, 1, 0),
        Placement("token", 2, 1, 0, FaceUp.FRONT, 1),
    )
    assert board.place("#here") == Place(1, 0)
    assert [str(place) for place in board.stacks] == ["A1", "B1", "B2", "C2"]


def test_turn_in_degrees_and_design_named_v_are_read():
    board = parse_grid("straight/90 v v^ v/180 straight/-90 bendv/0", KIT, SQUARE)
    assert [(placement.design, placement.turn) for placement in board.placements] == [
        ("straight", 90),
        ("v", 0),
        ("v", 0),
        ("v", 180),
        ("straight", 270),
        ("bendv", 0),
    ]


def test_list_leaves_unnamed_places_empty():
    board = parse_list(["C2 bend>+token", "A1 ~straight#first", "B1 .#free"], KIT, SQUARE)
    assert write_grid(board) == "~straight#first  .#free  .\n.                .       bend>+token"


def test_aliases_stand_for_designs():
    kit = KIT.with_aliases({"s": "straight", "x": "tile.2-x"})
    assert [placement.design for placement in parse_grid("s> x s", kit, SQUARE).placements] == [
        "straight",
        "tile.2-x",
        "straight",
    ]


BAD = {
    "straight bnd>": (
        "row 1, column 2: unknown design 'bnd'",
        "one of: bend, bendv, curve, straight, tile.2-x, token, v",
        "did you mean 'bend'?",
    ),
    "bend straight\nbend": (
        "row 2 has 1 cell, row 1 has 2 cells",
        "the same number in each row",
        "an empty place is written .",
    ),
    "": ("this board is empty", "a row of cells for each row of the board", ""),
    ". .\n. bendv": (
        "row 2, column 2: 'bendv' is a design, and also 'bend' turned",
        "bendv^ or bend/180",
        "",
    ),
    "~bend": (
        "row 1, column 1: 'bend' has no back",
        "a design with two sides, or no ~ before its name",
        "",
    ),
    "bend>>": (
        "row 1, column 1: 'bend>>' is not a tile",
        "a design and perhaps its turn, such as bend>, ~bend/60 or road+cover, or .",
        "",
    ),
    "bend+": (
        "row 1, column 1: '' is not a tile",
        "a design and perhaps its turn, such as bend>, ~bend/60 or road+cover, or .",
        "",
    ),
    "bend/60": ("row 1, column 1: a turn of 60 degrees", "one of: 0, 90, 180, 270", ""),
    "bend #a": (
        "row 1, column 2: '#a' is not a tile",
        "a design and perhaps its turn, such as bend>, ~bend/60 or road+cover, or .",
        "",
    ),
    "bend(red)": (
        "row 1, column 1: 'bend(red)' is a tile",
        "an owner, a number or a part of a place for a token only",
        "",
    ),
    "v " * 101: ("a board of 101 columns and 1 rows", "at most 100 of each", ""),
    "bend#a v#a": ("#a is the name of A1 and of B1", "each name once", ""),
}


@pytest.mark.parametrize("text", BAD)
def test_mistake_in_grid_is_reported_with_row_and_column(text):
    with pytest.raises(InvalidValueError) as wrong:
        parse_grid(text, KIT, SQUARE)
    assert (wrong.value.found, wrong.value.expected, wrong.value.hint) == BAD[text]


BAD_LISTS = {
    ("A1 bend", "A1 v"): (
        "two tiles at A1: 'bend' and 'v'",
        "one tile at a place",
        "a tile laid over another is written bend+v",
    ),
    ("1A bend",): (
        "item 1: '1A' is not a place",
        "a column's letter and a row's number, such as B3, or a #name of the board",
        "",
    ),
    ("A1 v", "A2"): (
        "item 2: nothing lies at A2",
        "a place and what lies there, such as B1 bend^",
        "",
    ),
    ("A1 strait",): (
        "item 1: unknown design 'strait'",
        "one of: bend, bendv, curve, straight, tile.2-x, token, v",
        "did you mean 'straight'?",
    ),
}


@pytest.mark.parametrize("items", BAD_LISTS)
def test_mistake_in_list_is_reported_with_its_item(items):
    with pytest.raises(InvalidValueError) as wrong:
        parse_list(items, KIT, SQUARE)
    assert (wrong.value.found, wrong.value.expected, wrong.value.hint) == BAD_LISTS[items]


def test_right_angle_turn_on_hexagons_and_unknown_lattice_are_refused():
    with pytest.raises(InvalidValueError, match="a turn of 90 degrees") as wrong:
        parse_grid("bend>", KIT, HEX)
    assert wrong.value.expected == "one of: 0, 60, 120, 180, 240, 300"
    with pytest.raises(InvalidValueError, match="unknown shape of board 'hexx'") as wrong:
        find_lattice("hexx")
    assert wrong.value.hint == "did you mean 'hex'?"


def test_ambiguous_design_name_is_refused_with_full_names():
    kit = Kit(
        {"cards:a": KIT.designs["v"], "tiles:a": KIT.designs["v"]}, {"a": ("cards:a", "tiles:a")}
    )
    with pytest.raises(InvalidValueError, match="'a' is the name of 2 designs") as wrong:
        kit.design("a")
    assert wrong.value.expected == "cards:a or tiles:a"


def test_unknown_place_name_is_refused_with_hint():
    with pytest.raises(InvalidValueError, match="unknown place '#hole'") as wrong:
        parse_grid("bend#holes", KIT, SQUARE).place("#hole")
    assert wrong.value.hint == "did you mean '#holes'?"


@pytest.mark.parametrize(
    ("name", "place"), [("A1", (0, 0)), ("c12", (2, 11)), ("Z9", (25, 8)), ("AB1", (27, 0))]
)
def test_place_is_read_from_its_letter_and_number(name, place):
    assert parse_place(name) == place
    assert str(Place(*place)) == name.upper()


def test_places_are_joined_in_reading_order():
    assert join_places([]) == "no place"
    assert join_places([Place(1, 0)]) == "B1"
    assert join_places([Place(0, 1), Place(2, 0), Place(1, 0)]) == "B1, C1 and A2"
    assert str(Place(-1, 2)) == "(0, 3)"


@st.composite
def any_board(draw):
    kind = draw(st.sampled_from([SQUARE, HEX]))
    places = draw(
        st.lists(
            st.tuples(st.integers(0, 30), st.integers(0, 8)), unique=True, min_size=1, max_size=12
        )
    )
    pieces = []
    for column, row in places:
        for level in range(draw(st.integers(1, 3))):
            name = draw(st.sampled_from(sorted(KIT.designs)))
            turn = draw(st.sampled_from(range(0, 360, kind.turn_step)))
            side = draw(st.sampled_from(list(FaceUp))) if KIT.designs[name].back else FaceUp.FRONT
            pieces.append(Placement(name, column, row, turn, side, level))
    chosen = draw(st.lists(st.sampled_from(places), unique=True, max_size=3))
    return build_board(kind, pieces, {f"n{i}": Place(*place) for i, place in enumerate(chosen)})


@given(any_board())
def test_board_is_read_back_from_its_grid(board):
    again = parse_grid(write_grid(board), KIT, board.lattice)
    assert set(again.placements) == set(board.placements)
    assert again.names == board.names
    assert write_grid(again) == write_grid(board)


@pytest.mark.parametrize("kind", [SQUARE, HEX])
@pytest.mark.parametrize("place", [Place(2, 2), Place(3, 2), Place(3, 3)])
def test_neighbour_lies_one_tile_away_across_its_side(kind, place):
    """Step one tile in the direction of each side, clockwise from the top."""
    for number, (port, neighbour) in enumerate(kind.neighbours(place)):
        step = kind.centre(neighbour) - kind.centre(place)
        expected = Point(0, -1).turned(number * kind.turn_step)
        assert step == pytest.approx(expected, abs=1e-9), port
        assert kind.neighbour(neighbour, kind.facing(port)) == place
