"""Test boards read from text and written as text, and the messages about mistakes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point
from generator.board.board import FaceUp, Kit, Placement, build_board
from generator.board.lattice import HEX, SQUARE, Place, find_lattice, join_places, parse_place
from generator.board.parse_board import parse_grid, parse_list
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


def test_a_grid_reads_as_it_looks():
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
    assert board.named_place("here") == Place(1, 0)
    assert [str(place) for place in board.stacks()] == ["A1", "B1", "B2", "C2"]


def test_degrees_and_a_design_called_v():
    board = parse_grid("straight/90 v v^ v/180 straight/-90 bendv/0", KIT, SQUARE)
    assert [(placement.design, placement.turn) for placement in board.placements] == [
        ("straight", 90),
        ("v", 0),
        ("v", 0),
        ("v", 180),
        ("straight", 270),
        ("bendv", 0),
    ]


def test_a_list_leaves_places_out():
    board = parse_list(["C2 bend>+token", "A1 ~straight#first", "B1 .#free"], KIT, SQUARE)
    assert write_grid(board) == "~straight#first  .#free  .\n.                .       bend>+token"


def test_short_names_of_a_figure():
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
def test_slips_in_a_grid(text):
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
def test_slips_in_a_list(items):
    with pytest.raises(InvalidValueError) as wrong:
        parse_list(items, KIT, SQUARE)
    assert (wrong.value.found, wrong.value.expected, wrong.value.hint) == BAD_LISTS[items]


def test_arrows_mean_little_on_hexagons():
    with pytest.raises(InvalidValueError, match="a turn of 90 degrees") as wrong:
        parse_grid("bend>", KIT, HEX)
    assert wrong.value.expected == "one of: 0, 60, 120, 180, 240, 300"
    with pytest.raises(InvalidValueError, match="unknown shape of board 'hexx'") as wrong:
        find_lattice("hexx")
    assert wrong.value.hint == "did you mean 'hex'?"


def test_a_name_of_two_designs():
    kit = Kit(
        {"cards:a": KIT.designs["v"], "tiles:a": KIT.designs["v"]}, {"a": ("cards:a", "tiles:a")}
    )
    with pytest.raises(InvalidValueError, match="'a' is the name of 2 designs") as wrong:
        kit.design("a")
    assert wrong.value.expected == "cards:a or tiles:a"


def test_an_unknown_name_of_a_place():
    with pytest.raises(InvalidValueError, match="unknown place '#hole'") as wrong:
        parse_grid("bend#holes", KIT, SQUARE).named_place("hole")
    assert wrong.value.hint == "did you mean '#holes'?"


@pytest.mark.parametrize(
    ("name", "place"), [("A1", (0, 0)), ("c12", (2, 11)), ("Z9", (25, 8)), ("AB1", (27, 0))]
)
def test_places(name, place):
    assert parse_place(name) == place
    assert str(Place(*place)) == name.upper()


def test_places_in_words():
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
def test_what_is_written_reads_the_same(board):
    again = parse_grid(write_grid(board), KIT, board.lattice)
    assert set(again.placements) == set(board.placements)
    assert again.names == board.names
    assert write_grid(again) == write_grid(board)


@pytest.mark.parametrize("kind", [SQUARE, HEX])
@pytest.mark.parametrize("place", [Place(2, 2), Place(3, 2), Place(3, 3)])
def test_the_place_across_a_side_lies_on_that_side(kind, place):
    """A tile away, in the direction in which the side points: clockwise from the top."""
    for number, (port, beside) in enumerate(kind.neighbours(place)):
        step = kind.centre(beside) - kind.centre(place)
        wanted = Point(0, -1).turned(number * kind.turn_step)
        assert step == pytest.approx(wanted, abs=1e-9), port
        assert kind.neighbour(beside, kind.facing(port)) == place
