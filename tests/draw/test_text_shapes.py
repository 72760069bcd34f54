"""Test text around pictures, inside outlines and along lines, and tables with merged cells."""

from math import hypot

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.base.geometry import Point, Rect
from generator.draw.draw import draw_game
from generator.text.fit import MAX_CORNERS, TextSpace, _edges
from tests.tools.examples import try_times
from tests.tools.make_face import svg_of
from tests.tools.make_pack import loaded, make, problems, render_design

WORDS = "one two three four five six seven eight nine ten eleven twelve"
RING = (Point(10, 5), Point(20, 5), Point(20, 15), Point(10, 15))


def ink_places(picture):
    """Return the dark places of a picture, in mm from the trim."""
    image = picture.image
    bleed = picture.bleed
    return [
        (x / 10 - bleed, y / 10 - bleed)
        for x in range(0, image.width, 2)
        for y in range(0, image.height, 2)
        if image.getpixel((x, y))[3] > 127 and sum(image.getpixel((x, y))[:3]) < 300
    ]


@given(st.floats(-5, 45), st.floats(0.5, 12), st.floats(0, 3))
def test_free_span_of_a_line_keeps_clear_of_pictures(top, height, gap):
    text_room = TextSpace(Rect(0, 0, 40, 40), (), (RING,), gap)
    left, right = text_room.free(top, top + height)
    assert 0 <= left <= right <= 40
    is_clear = (
        top + height <= 5 - gap
        or top >= 15 + gap
        or right <= 10 - gap + 1e-6
        or left >= 20 + gap - 1e-6
    )
    assert is_clear


@given(st.floats(-2, 42), st.floats(0.5, 6))
def test_free_span_inside_an_outline_stays_inside(top, height):
    ring = tuple(Point(20, 20) + Point(0, -18).turned(n * 10) for n in range(36))
    left, right = TextSpace(Rect(2, 2, 36, 36), ring).free(top, top + height)
    if left < right:
        for x in (left, right):
            for y in (top, top + height):
                assert hypot(x - 20, y - 20) <= 18 + 0.2


def test_outline_of_many_corners_is_simplified():
    ring = tuple(Point(20, 20) + Point(0, -18).turned(n * 0.01) for n in range(36_000))
    assert len(_edges(ring, -100, 100)) <= MAX_CORNERS + 1
    left, right = TextSpace(Rect(2, 2, 36, 36), ring).free(18, 22)
    assert right - left == pytest.approx(35.8, abs=0.4)


def test_text_flows_around_a_picture(tmp_path):
    layout = f"- text: {WORDS} {WORDS}\n  box: [0, 0, 40, 40]\n  style: body\n"
    layout += "  around: {rect: [0, 0, 15, 10]}\n  gap: 1mm\n"
    places = ink_places(render_design(make(tmp_path, layout)))
    assert min(x for x, y in places if y < 10) >= 16 - 0.1
    assert min(x for x, y in places if y > 12) < 1


@example(1, "bottom")
@try_times(0.16)
@given(st.integers(1, 9), st.sampled_from(["top", "middle", "bottom"]))
def test_text_inside_a_circle_stays_in_the_circle(tmp_path_factory, count, valign):
    text = " ".join(WORDS.split()[:count])
    layout = (
        f"- text: {text}\n  inside: {{circle: [20, 20], r: 14}}\n  style: body\n  align: "
        f"center\n  valign: {valign}\n"
    )
    places = ink_places(render_design(make(tmp_path_factory.mktemp("pack"), layout)))
    assert places
    assert max(hypot(x - 20, y - 20) for x, y in places) <= 14.1


def test_centred_text_in_a_circle_is_centred(tmp_path):
    layout = "- text: HHH HHH HHH\n  inside: {inset: 4mm}\n  style: body\n  align: center\n  valign: middle\n"
    left, top, right, bottom = render_design(make(tmp_path, layout, size="circle 20mm")).box()
    assert (left + right) / 2 == pytest.approx(10, abs=0.3)
    assert (top + bottom) / 2 == pytest.approx(10, abs=0.3)


def test_text_that_no_outline_holds_is_reported(tmp_path):
    layout = f"- text: {WORDS}\n  inside: {{circle: center, r: 5}}\n  style: body\n"
    assert "the text is" in problems(make(tmp_path, layout))
    assert "too tall" in problems(make(tmp_path, layout))


@pytest.mark.parametrize("path", ["M5 20H35M5 30H35", "M5 20H35 m0 10v5z", "M5 20H35L5 20ZM1 1H9"])
def test_text_follows_the_first_line_of_a_path(tmp_path, path):
    layout = f"- text: hello\n  style: body\n  path: {path}\n"
    left, top, right, bottom = render_design(make(tmp_path, layout)).box()
    assert 4.5 < left < right < 35
    assert 16 < top < bottom < 21


def test_letters_stand_on_an_arc(tmp_path):
    layout = "- text: nnnnnnnn\n  arc: {at: [20, 20], radius: 12}\n  style: body\n  align: center\n"
    places = ink_places(render_design(make(tmp_path, layout)))
    far = [hypot(x - 20, y - 20) for x, y in places]
    assert min(far) >= 11.7
    assert max(far) <= 14.5
    xs = [x for x, _ in places]
    assert (min(xs) + max(xs)) / 2 == pytest.approx(20, abs=0.4)
    assert max(y for _, y in places) < 20


def test_letters_on_a_lower_arc_stand_inside_the_arc(tmp_path):
    layout = "- text: nnnnnn\n  arc: {at: [20, 20], radius: 12, from: 270, to: 90}\n  style: body\n  align: center\n"
    places = ink_places(render_design(make(tmp_path, layout)))
    assert min(y for _, y in places) > 20
    assert max(hypot(x - 20, y - 20) for x, y in places) <= 12.2


def test_text_along_a_path_has_its_icons_and_alignment(tmp_path):
    icon = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" '
        'height="10" fill="#00f"/></svg>'
    )
    layout = "- text: 'nnn :box:'\n  path: M5 35 L5 5\n  style: body\n  align: right\n"
    picture = render_design(
        make(tmp_path, layout, files={"art/icons/box.svg": icon}, more="icons: art/icons")
    )
    assert picture.box()[1] == pytest.approx(5, abs=0.5)
    assert picture.at(4, 7) == "#0000ff"
    assert picture.box()[2] <= 6.2


def test_text_too_long_for_its_path_is_refused_unless_fit_lets_text_shrink(tmp_path):
    layout = "- text: nnnnnnnnnnnnnnnnnnnnn\n  path: M5 20 L15 20\n  style: body\n"
    assert "too long for its line" in problems(make(tmp_path, layout))
    assert problems(make(tmp_path, f"{layout}  fit: 1pt\n")) == ""


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        ("text: a, style: body", "the text has no place"),
        ("text: a, style: body, box: trim, path: M0 0 L9 9", "box and path at once"),
        (
            "text: a, style: body, arc: {radius: 5}, around: {rect: trim}",
            "only text in a box can flow around pictures",
        ),
        ("text: 'a\\nb', style: body, arc: {radius: 5}", "only a single line"),
        ("text: a, style: body, inside: {circle: [1, 1]}", "an incomplete circle"),
        ("text: a, style: body, inside: {inset: 30mm}", "nothing is left 30 mm inside"),
        ("text: a, style: body, path: nowhere", "is not path data"),
    ],
)
def test_mistake_in_placement_of_text_is_reported_at_its_line(tmp_path, layer, message):
    messages = problems(
        make(
            tmp_path,
            f"- {{{layer}}}\n" if "\\n" not in layer else f"- {{{layer}}}\n".replace("'", '"'),
        )
    )
    assert message in messages
    assert "front.yaml:1" in messages


TABLE = """\
- table:
    - [a, b, "<"]
    - [c, d, e]
    - [f, "^", g]
  box: [2, 2, 36, 36]
  style: body
  line: 0.5mm red
  down: 0.5mm blue
  border: 1mm black
"""


def test_merged_cells_have_no_line_between(tmp_path):
    picture = render_design(make(tmp_path, TABLE))
    assert picture.at(8, 14) == picture.at(20, 14) == picture.at(30, 14) == "#ff0000"
    assert picture.at(8, 26) == picture.at(34, 26) == "#ff0000"
    assert picture.at(24, 26) == ""
    assert picture.at(14, 5) == picture.at(14, 35) == picture.at(26, 20) == "#0000ff"
    assert picture.at(26, 5) == ""
    assert picture.at(2, 20) == picture.at(38, 20) == "#000000"


def test_table_columns_have_their_own_alignment(tmp_path):
    layout = "- table: i|i / i|i\n  box: [0, 0, 40, 40]\n  style: body\n  align: [left, right]\n  padding: 1mm\n"
    left, _, right, _ = render_design(make(tmp_path, layout)).box()
    assert left == pytest.approx(1, abs=0.4)
    assert right == pytest.approx(39, abs=0.4)


def test_rows_by_content_are_as_high_as_their_text(tmp_path):
    layout = f"- table: [[H, a], [H, {WORDS}], [H, c]]\n  box: [0, 0, 40, 40]\n  style: body\n  rows: content\n"
    layout += "  line: 0.4mm red\n"
    picture = render_design(make(tmp_path, layout))
    lines = [y / 10 for y in range(400) if picture.at(20, y / 10) == "#ff0000"]
    first = min(lines)
    second = max(lines)
    assert second - first > 2 * first
    assert first == pytest.approx(40 - second, abs=0.5)


def test_rows_have_their_declared_shares_of_height(tmp_path):
    layout = "- table: a / b / c\n  box: [0, 0, 40, 40]\n  style: body\n  rows: [1, 2, 1]\n  line: 1mm red\n"
    picture = render_design(make(tmp_path, layout))
    assert picture.at(20, 10) == picture.at(20, 30) == "#ff0000"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[[a, b], [c]]", "a row of 1 cells (c) in a table of 2 columns"),
        ("[['<', b]]", "belongs to the cell left of it, but there is none"),
        ("[['^', b]]", "belongs to the cell above it"),
        ("[[a, '<'], ['^', c]]", "do not form a rectangle"),
        ("[[a, b]], columns: [1]", "1 shares for 2 columns"),
        ("[[a, b, c]], align: [left, right]", "2 words for 3 columns"),
        ("[[a, b]], align: [left, middle]", "align"),
        ("[[a, b]], rows: some", "rows"),
    ],
)
def test_mistake_in_a_table_is_reported_at_its_line(tmp_path, table, message):
    messages = problems(make(tmp_path, f"- {{table: {table}, box: [0, 0, 40, 40], style: body}}\n"))
    assert message in messages
    assert "front.yaml:1" in messages


def test_escaped_separator_is_printed_in_a_cell(tmp_path):
    layout = "- {table: [['a\\|b', '\\<'], [c, d]], box: [0, 0, 40, 40], style: body}\n"
    face = draw_game(loaded(make(tmp_path, layout)))[0].designs[0].front
    assert ">a|b<" in svg_of(face)
    assert ">&lt;<" in svg_of(face)
