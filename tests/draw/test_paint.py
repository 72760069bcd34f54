"""Test gradients, translucent colours and translucent layers."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.pack.colours import GRADIENT_DIRECTIONS, parse_paint
from generator.picture.items import Gradient
from tests.tools.examples import try_times
from tests.tools.make_pack import make, problems, render_design


def near(colour, expected):
    parts = [(int(colour[i : i + 2], 16), int(expected[i : i + 2], 16)) for i in (1, 3, 5)]
    return all(abs(a - b) <= 8 for a, b in parts)


def test_gradient_runs_through_its_colours_across_the_bleed(tmp_path):
    picture = render_design(make(tmp_path, "- fill: $red to $blue\n"))
    assert near(picture.at(5, -2.9), "#ff0000")
    assert near(picture.at(35, 20), "#800080")
    assert near(picture.at(5, 42.9), "#0000ff")


@pytest.mark.parametrize(
    ("direction", "first", "last"),
    [
        ("up", (20, 30), (20, 10)),
        ("right", (10, 20), (30, 20)),
        ("left", (30, 20), (10, 20)),
        ("down-right", (10, 10), (30, 30)),
        ("outwards", (20, 20), (20, 10)),
    ],
)
def test_gradient_runs_in_its_direction(tmp_path, direction, first, last):
    layout = (
        f"- shape: {{rect: [9, 9, 22, 22], fill: red 10% to lime 50% to blue 90% {direction}}}\n"
    )
    picture = render_design(make(tmp_path, layout))
    assert near(picture.at(*first), "#ff0000")
    assert near(picture.at(*last), "#0000ff")


def test_cell_may_hold_a_gradient_of_palette_colours(tmp_path):
    pack = make(
        tmp_path,
        "- shape: {circle: center, r: 10, fill: $sky}\n",
        "id,sky\none,$red to $blue right\n",
    )
    picture = render_design(pack)
    assert near(picture.at(10.3, 20), "#ff0000")
    assert near(picture.at(29.7, 20), "#0000ff")


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        ("$red to $blu", "unknown colour of the palette 'blu'"),
        ("$red to $blue sideways", "unknown direction of a gradient 'sideways'"),
        ("$red 50% to $blue 20%", "runs back"),
        ("$red left to $blue", "is not a gradient"),
        ("$red to", "unknown colour"),
    ],
)
def test_mistake_in_a_gradient_is_reported_at_its_cell(tmp_path, fill, message):
    pack = make(tmp_path, "- fill: $sky\n", f"id,sky\none,{fill}\n")
    assert message in problems(pack)
    assert "cards.csv:2: sky" in problems(pack)


STOPS = st.tuples(
    st.sampled_from(["red", "#f00", "#ff000080", "$red", "#a0"]),
    st.sampled_from(["", "", " 20%", " 80%", " 105%"]),
    st.sampled_from(["", "", "", " right", " sideways"]),
).map("".join)
PAINTS = st.lists(STOPS, min_size=1, max_size=4).map(" to ".join)


@try_times(10)
@given(PAINTS | st.text(st.sampled_from("#$to %019afred-"), max_size=30))
@example("red 20% to $red to #f00 80% right")
def test_any_text_is_read_as_paint_or_refused(text):
    try:
        paint = parse_paint(text, lambda colour: colour.replace("$red", "#ff0000"))
    except InvalidValueError:
        return
    assert isinstance(paint, str | Gradient)
    if isinstance(paint, Gradient):
        assert [place for place, _ in paint.stops] == sorted(place for place, _ in paint.stops)
        assert (paint.across, paint.down) in GRADIENT_DIRECTIONS.values()


def test_last_two_hex_digits_of_a_colour_are_its_opacity(tmp_path):
    layout = "- fill: white\n- shape: {rect: [0, 0, 20, 20], fill: '#ff000080'}\n"
    layout += "- shape: {rect: [20, 0, 10, 20], fill: '#f008'}\n- frame: {inset: 19mm, stroke: '2mm #0000ff80'}\n"
    picture = render_design(make(tmp_path, layout))
    assert near(picture.at(5, 5), "#ff7f7f")
    assert near(picture.at(25, 5), "#ff7777")
    assert near(picture.at(20, 21), "#7f7fff")


def test_opacity_applies_to_a_layer_as_a_whole(tmp_path):
    """Make a shape with fill and line translucent; the fill is not visible through the line."""
    shape = "{rect: [10, 10, 20, 20], fill: red, stroke: 4mm blue}"
    picture = render_design(make(tmp_path, f"- fill: white\n- shape: {shape}\n  opacity: 50%\n"))
    assert near(picture.at(20, 20), "#ff8080")
    assert near(picture.at(11, 20), "#8080ff")
    assert near(picture.at(9, 20), "#8080ff")


@pytest.mark.parametrize("opacity", ["120%", "-1", "half", "2"])
def test_opacity_outside_0_to_1_is_refused(tmp_path, opacity):
    assert "front.yaml:1: opacity" in problems(
        make(tmp_path, f"- {{fill: red, opacity: {opacity}}}\n")
    )
