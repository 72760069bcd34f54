"""Test how lengths, boxes, colours, strokes and counts are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator.base.errors import InvalidValueError
from generator.base.units import length, lengths, number
from generator.pack import colours, fields
from generator.pack.sizes import parse_size
from tests.tools.make_pack import make, problems, render_design

SMALL = st.floats(-390, 390).map(lambda value: round(value, 3))


@given(SMALL)
def test_length_is_read_in_mm_inches_or_points(value):
    assert length(number(value)) == value
    assert length(f"{number(value)}mm") == length(f" {number(value)} mm ") == value
    assert length(f"{number(value)}in") == pytest.approx(value * 25.4)
    assert length(f"{number(value)}pt") == pytest.approx(value * 25.4 / 72)


@pytest.mark.parametrize(
    "text", ["", "mm", "5px", "5 5", "1e3", "nan", "inf", "5mm5", "--5", "5,5", "99999"]
)
def test_malformed_length_is_refused(text):
    with pytest.raises(InvalidValueError, match=r"is not a length|too large"):
        length(text)


def test_colour_names_are_the_same_after_pillow_has_used_them():
    colours.colour_names.cache_clear()
    Image.new("RGB", (1, 1), "teal")
    assert colours.parse_colour("teal") == "#008080"


@pytest.mark.parametrize(
    ("text", "hint"), [("2,5mm", "did you mean '2.5mm'?"), ("2,5,1mm", ""), ("5px", "")]
)
def test_decimal_comma_in_a_length_gets_a_hint(text, hint):
    with pytest.raises(InvalidValueError) as caught:
        length(text)
    assert caught.value.hint == hint


@given(st.floats(1, 400).map(lambda v: round(v, 2)), st.floats(1, 400).map(lambda v: round(v, 2)))
def test_two_lengths_are_read_with_any_spelling_of_x(w, h):
    for text in (f"{w} x {h} mm", f"{w}mm x {h}mm", f"{w} × {h}", f"{w}mmx{h}mm"):
        assert lengths(text) == pytest.approx((w, h))


@given(st.lists(SMALL, min_size=4, max_size=4))
def test_box_is_read_from_four_numbers_with_a_positive_size(numbers):
    x, y, w, h = numbers
    if w <= 0 or h <= 0:
        with pytest.raises(InvalidValueError):
            fields.parse_rect([str(n) for n in numbers])
    else:
        assert tuple(fields.parse_rect([number(n) for n in numbers])) == (x, y, w, h)
        assert fields.parse_rect(" ".join(map(number, numbers))) == fields.parse_rect(
            [number(n) for n in numbers]
        )


@given(st.integers(0, 0xFFFFFF))
def test_hex_colour_is_read_in_short_and_long_form(value):
    text = f"#{value:06x}"
    assert colours.parse_colour(text) == fields.parse_colour(text.upper()) == text
    short = f"#{value & 0xFFF:03x}"
    assert colours.parse_colour(short) == "#" + "".join(2 * digit for digit in short[1:])


@pytest.mark.parametrize(
    ("name", "value"), [("Red", "#ff0000"), ("rebeccapurple", "#663399"), ("none", "none")]
)
def test_colour_name_is_read_in_any_case(name, value):
    assert colours.parse_colour(name) == value


@pytest.mark.parametrize("text", ["#12", "#12345", "123456", "lab(1 2 3)", "gren"])
def test_malformed_colour_is_refused(text):
    with pytest.raises(InvalidValueError):
        colours.parse_colour(text)


@given(st.floats(0.001, 50).map(lambda v: round(v, 3)), st.integers(0, 0xFFFFFF))
def test_stroke_is_read_from_width_and_colour(width, value):
    stroke = colours.parse_stroke(f"{number(width)}mm #{value:06x}")
    assert (stroke.width, stroke.colour) == (width, f"#{value:06x}")


@pytest.mark.parametrize("text", ["0 red", "-1mm red", "red", "1mm rde"])
def test_malformed_stroke_is_refused(text):
    with pytest.raises(InvalidValueError):
        colours.parse_stroke(text)


@given(st.integers(0, 999_999))
def test_count_is_read_with_or_without_decimals(value):
    assert fields.parse_count(str(value)) == fields.parse_count(f"{value}.0") == value


@pytest.mark.parametrize("text", ["-1", "1.5", "two", "1e3", "1,5", "1234567", ""])
def test_malformed_count_is_refused(text):
    with pytest.raises(InvalidValueError):
        fields.parse_count(text)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "x", ""])
def test_malformed_number_is_refused(text):
    with pytest.raises(InvalidValueError):
        fields.parse_real(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("poker", (63.5, 88.9)),
        ("2.5in", (63.5, 63.5)),
        ("63.5 x 88.9 mm", (63.5, 88.9)),
        ("circle 22mm", (22, 22)),
    ],
)
def test_size_is_read_by_name_or_lengths(text, size):
    assert tuple(parse_size(text).size) == pytest.approx(size)


def test_size_of_a_hexagon_is_its_width_across_flats():
    shape = parse_size("hex 40mm")
    assert shape.size.h == 40
    assert shape.size.w == pytest.approx(46.188, abs=0.001)


@pytest.mark.parametrize(
    "text", ["pokker", "0mm", "5m", "hex", "hex 1 x 2", "9999mm", "1 x 2 x 3", "-5mm"]
)
def test_malformed_size_is_refused(text):
    with pytest.raises(InvalidValueError):
        parse_size(text)


ANCHORS = {
    "top-left": (0, 0), "top": (20, 0), "top-right": (40, 0), "left": (0, 20), "center": (20, 20),
    "right": (40, 20), "bottom-left": (0, 40), "bottom": (20, 40), "bottom-right": (40, 40),
}  # fmt: skip


@pytest.mark.parametrize("name", ANCHORS)
def test_anchor_is_a_place_of_the_trim(name, tmp_path):
    x, y = ANCHORS[name]
    box = render_design(make(tmp_path, f"- shape: {{circle: {name}, r: 2mm, fill: red}}\n")).box()
    assert box == pytest.approx((x - 2, y - 2, x + 2, y + 2), abs=0.11)


@pytest.mark.parametrize("box", ["trim", "safe", "bleed"])
def test_named_box_is_the_trim_the_safe_area_or_the_bleed(box, tmp_path):
    edge = {"trim": 0, "safe": 5, "bleed": -3}[box]
    pack = make(tmp_path, f"- shape: {{rect: {box}, fill: red}}\n", component="safe: 5mm")
    assert render_design(pack).box() == pytest.approx((edge, edge, 40 - edge, 40 - edge), abs=0.01)


REFUSED = {
    "- icon: dot\n  at: center\n  size: 0\n": "size: 0 is too small",
    "- icon: dot\n  at: center\n  size: -5\n": "size: -5 is too small",
    "- shape: {circle: center, r: 0, fill: red}\n": "r: 0 is too small",
    "- shape: {rect: [1, 1, 0, 5], fill: red}\n": "rect: a box of 0 × 5 mm",
    "- shape: {rect: trim, radius: -1, fill: red}\n": "radius: -1 mm is negative",
    "- shape: {rect: trim, circle: center, r: 1, fill: red}\n": "2 shapes: rect, circle",
    "- shape: {circle: center, fill: red}\n": "an incomplete circle",
    "- shape: {path: 'url(#x)', fill: red}\n": "is not a path",
    "- shape: {path: M0 0e, fill: red}\n": "path: 'e' is not path data",
    "- shape: {path: M0 0, fill: red}\n": "path: 'M0 0' draws nothing",
    "- shape: {path: M0 0H1e5, fill: red}\n": "leaves every piece",
    "- shape: {path: M1e308 0L1e308 5, fill: red}\n": "1e308 is too large for a path",
    "- text: hello\n  inside: {path: M0 0}\n  style: body\n": "inside.path: 'M0 0' draws nothing",
    "- frame: {inset: 20mm, stroke: 1mm red}\n": "nothing is left 20 mm inside",
    "- text: hello\n  box: trim\n  style: body\n  fit: 0\n": "fit: 0 is too small",
    "- icon: dot\n  at: center\n  size: 5mm\n  turn: nan\n": "turn: 'nan' is not a number",
    "- icon: dot\n  at: middle\n  size: 5mm\n": "unknown anchor 'middle'",
    "- icon: dott\n  at: center\n  size: 5mm\n": "did you mean 'dot'?",
    "- text: hello\n  box: saef\n  style: body\n": "did you mean 'safe'?",
    "- fill: $rde\n": "did you mean '$red'?",
}


@pytest.mark.parametrize("layout", REFUSED)
def test_value_that_cannot_be_drawn_is_refused(layout, tmp_path):
    pack = make(
        tmp_path,
        layout,
        files={"art/icons/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'},
    )
    assert REFUSED[layout] in problems(pack)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("  other: {size: 0}", "styles.other.size: 0 is too small"),
        ("  other: {leading: 0}", "styles.other.leading: 0 is too small"),
        ("links: {road: {width: 0, fill: red}}", "links.road.width: 0 is too small"),
        ("print: {margin: -5mm}", "print.margin: -5 mm is negative"),
    ],
)
def test_impossible_value_in_game_yaml_is_refused(key, message, tmp_path):
    assert message in problems(make(tmp_path, more=key))
