"""Gradients, colours that are seen through, and layers that are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.pack.colours import GRADIENT_DIRECTIONS, parse_paint
from generator.picture.items import Gradient
from tests.tools.make_pack import drawn, make, problems


def near(colour, wanted):
    parts = [(int(colour[i : i + 2], 16), int(wanted[i : i + 2], 16)) for i in (1, 3, 5)]
    return all(abs(a - b) <= 8 for a, b in parts)


def test_colours_run_into_each_other(tmp_path):
    picture = drawn(make(tmp_path, "- fill: $red to $blue\n"))
    assert near(picture.at(5, -2.9), "#ff0000")
    assert near(picture.at(35, 20), "#800080")
    assert near(picture.at(5, 42.9), "#0000ff")


@pytest.mark.parametrize(
    ("way", "first", "last"),
    [
        ("up", (20, 30), (20, 10)),
        ("right", (10, 20), (30, 20)),
        ("left", (30, 20), (10, 20)),
        ("down-right", (10, 10), (30, 30)),
        ("outwards", (20, 20), (20, 10)),
    ],
)
def test_they_run_the_way_that_is_said(tmp_path, way, first, last):
    layout = f"- shape: {{rect: [9, 9, 22, 22], fill: red 10% to lime 50% to blue 90% {way}}}\n"
    picture = drawn(make(tmp_path, layout))
    assert near(picture.at(*first), "#ff0000")
    assert near(picture.at(*last), "#0000ff")


def test_a_cell_may_hold_a_gradient_of_the_palette(tmp_path):
    pack = make(
        tmp_path,
        "- shape: {circle: center, r: 10, fill: $sky}\n",
        "id,sky\none,$red to $blue right\n",
    )
    picture = drawn(pack)
    assert near(picture.at(10.3, 20), "#ff0000")
    assert near(picture.at(29.7, 20), "#0000ff")


@pytest.mark.parametrize(
    ("fill", "said"),
    [
        ("$red to $blu", "unknown colour of the palette 'blu'"),
        ("$red to $blue sideways", "unknown way of a gradient 'sideways'"),
        ("$red 50% to $blue 20%", "runs back"),
        ("$red left to $blue", "is not a gradient"),
        ("$red to", "unknown colour"),
    ],
)
def test_a_slip_in_a_gradient_is_told(tmp_path, fill, said):
    pack = make(tmp_path, "- fill: $sky\n", f"id,sky\none,{fill}\n")
    assert said in problems(pack)
    assert "cards.csv:2: sky" in problems(pack)


@given(st.text(st.sampled_from("#$to %019afred-"), max_size=30))
def test_whatever_is_written_is_a_paint_or_told(text):
    try:
        found = parse_paint(text, str)
    except InvalidValueError:
        return
    assert isinstance(found, str | Gradient)
    if isinstance(found, Gradient):
        assert [place for place, _ in found.stops] == sorted(place for place, _ in found.stops)
        assert (found.across, found.down) in GRADIENT_DIRECTIONS.values()


def test_the_last_two_digits_say_how_much_is_seen(tmp_path):
    layout = "- fill: white\n- shape: {rect: [0, 0, 20, 20], fill: '#ff000080'}\n"
    layout += "- shape: {rect: [20, 0, 10, 20], fill: '#f008'}\n- frame: {inset: 19mm, stroke: '2mm #0000ff80'}\n"
    picture = drawn(make(tmp_path, layout))
    assert near(picture.at(5, 5), "#ff7f7f")
    assert near(picture.at(25, 5), "#ff7777")
    assert near(picture.at(20, 21), "#7f7fff")


def test_a_layer_is_seen_through_as_one(tmp_path):
    """The line of a shape lies over its fill: where both are seen through together, the fill does not show through."""
    shape = "{rect: [10, 10, 20, 20], fill: red, stroke: 4mm blue}"
    picture = drawn(make(tmp_path, f"- fill: white\n- shape: {shape}\n  opacity: 50%\n"))
    assert near(picture.at(20, 20), "#ff8080")
    assert near(picture.at(11, 20), "#8080ff")
    assert near(picture.at(9, 20), "#8080ff")


@pytest.mark.parametrize("opacity", ["120%", "-1", "half", "2"])
def test_a_layer_is_not_seen_more_than_wholly(tmp_path, opacity):
    assert "front.yaml:1: opacity" in problems(
        make(tmp_path, f"- {{fill: red, opacity: {opacity}}}\n")
    )
