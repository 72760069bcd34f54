"""Test the pixels of each kind of layer."""

import pytest

from generator.draw.draw import draw_game
from tests.tools.make_pack import loaded, make, problems, render_design, svg

RED = "#ff0000"
BLUE = "#0000ff"
INK = "#20302a"
DOT = svg('<circle cx="5" cy="5" r="5" fill="currentColor"/>')
ICONS = {"art/icons/dot.svg": DOT}
SHAPES = ["40mm", "poker", "hex 40mm", "circle 40mm"]


@pytest.mark.parametrize("size", SHAPES)
def test_fill_reaches_end_of_bleed(size, tmp_path):
    picture = render_design(make(tmp_path, "- fill: red\n", size=size))
    width, height = picture.image.size
    corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    assert {picture.image.getpixel(corner) for corner in corners} == {(255, 0, 0, 255)}


@pytest.mark.parametrize("bleed", [0, 2, 5])
def test_face_is_larger_than_trim_by_its_bleed(bleed, tmp_path):
    picture = render_design(make(tmp_path, component=f"bleed: {bleed}mm"))
    assert picture.image.size == (400 + 20 * bleed, 400 + 20 * bleed)


def test_frame_follows_the_trim(tmp_path):
    picture = render_design(
        make(tmp_path, "- frame: {inset: 4mm, stroke: 1mm red}\n", size="40 x 60 mm")
    )
    assert picture.box() == (3.5, 3.5, 36.5, 56.5)
    assert [picture.at(x, 30) for x in (3.2, 4, 4.8, 20, 36)] == ["", RED, "", "", RED]


def test_frame_has_rounded_corners_and_a_fill(tmp_path):
    picture = render_design(make(tmp_path, "- frame: {inset: 4mm, fill: red, radius: 6mm}\n"))
    assert (picture.at(4.5, 4.5), picture.at(20, 4.5), picture.at(9, 9)) == ("", RED, RED)


def test_frame_of_a_circle_is_round(tmp_path):
    picture = render_design(
        make(tmp_path, "- frame: {inset: 4mm, fill: red}\n", size="circle 40mm")
    )
    assert picture.box() == pytest.approx((4, 4, 36, 36), abs=0.11)
    assert picture.at(8, 8) == ""


def test_frame_of_a_hexagon_keeps_its_distance_from_every_side(tmp_path):
    picture = render_design(make(tmp_path, "- frame: {inset: 4mm, fill: red}\n", size="hex 40mm"))
    left, top, right, bottom = picture.box()
    assert (top, bottom) == pytest.approx((4, 36), abs=0.11)
    assert right - left == pytest.approx(32 * 2 / 3**0.5, abs=0.2)


def test_rect_circle_polygon_and_path_are_rendered_in_place(tmp_path):
    layout = (
        "- shape: {rect: [0, 0, 10, 5], fill: red}\n"
        "- shape: {circle: [30, 10], r: 4mm, fill: blue, stroke: 1mm $ink}\n"
        "- shape: {polygon: [[0, 20], [10, 20], [0, 30]], fill: red}\n"
        "- shape: {path: 'M20 20h10v10h-10z', fill: blue}\n"
    )
    picture = render_design(make(tmp_path, layout))
    assert [picture.at(9, 4), picture.at(11, 4), picture.at(9, 6)] == [RED, "", ""]
    assert [picture.at(30, 10), picture.at(34.2, 10), picture.at(34.7, 10)] == [BLUE, INK, ""]
    assert [picture.at(2, 22), picture.at(9, 29)] == [RED, ""]
    assert [picture.at(25, 25), picture.at(31, 25)] == [BLUE, ""]


def test_later_layer_covers_earlier_one(tmp_path):
    layout = "- shape: {rect: trim, fill: red}\n- shape: {rect: trim, fill: blue}\n"
    assert render_design(make(tmp_path, layout)).at(20, 20) == BLUE


@pytest.mark.parametrize(
    ("colour", "expected"), [("", "#000000"), ("  colour: blue\n", BLUE), ("  colour: $red\n", RED)]
)
def test_icon_takes_its_colour(colour, expected, tmp_path):
    picture = render_design(
        make(tmp_path, f"- icon: dot\n  at: [10, 30]\n  size: 8mm\n{colour}", files=ICONS)
    )
    assert picture.at(10, 30) == expected
    assert picture.box() == pytest.approx((6, 26, 14, 34), abs=0.11)


def test_icon_keeps_its_aspect_ratio(tmp_path):
    files = {"art/icons/bar.svg": svg('<rect width="20" height="10" fill="red"/>', "0 0 20 10")}
    assert render_design(
        make(tmp_path, "- icon: bar\n  at: center\n  size: 10mm\n", files=files)
    ).box() == (15, 17.5, 25, 22.5)


@pytest.mark.parametrize(
    ("turn", "corner"),
    [(0, (12, 12)), (90, (28, 12)), (180, (28, 28)), (270, (12, 28)), (-90, (12, 28))],
)
def test_turn_is_clockwise(turn, corner, tmp_path):
    art = svg('<rect width="3" height="3" fill="red"/>')
    layout = f"- svg: art/a.svg\n  box: [10, 10, 20, 20]\n  turn: {turn}\n"
    picture = render_design(make(tmp_path, layout, files={"art/a.svg": art}))
    assert picture.at(*corner) == RED
    assert sum(picture.at(x, y) == RED for x in (12, 28) for y in (12, 28)) == 1


FITS = {
    "contain": ("", BLUE, BLUE, ""),
    "cover": (RED, BLUE, BLUE, RED),
    "stretch": (RED, BLUE, BLUE, RED),
}


@pytest.mark.parametrize("fit", FITS)
def test_svg_art_fits_its_box_by_fit(fit, tmp_path):
    """Fit art of 20 × 10, blue in the middle and red at both ends, into a square box."""
    art = svg(
        '<rect width="20" height="10" fill="#ff0000"/><rect x="5" width="10" height="10" fill="#0000ff"/>',
        "0 0 20 10",
    )
    layout = f"- svg: art/a.svg\n  box: [10, 10, 20, 20]\n  fit: {fit}\n"
    picture = render_design(make(tmp_path, layout, files={"art/a.svg": art}))
    box = {"contain": (10, 15, 30, 25), "cover": (10, 10, 30, 30), "stretch": (10, 10, 30, 30)}[fit]
    assert picture.box() == box
    edge = {"contain": RED, "cover": BLUE, "stretch": RED}[fit]
    assert (picture.at(11, 20), picture.at(20, 20)) == (edge, BLUE)


def test_art_without_box_covers_the_bleed(tmp_path):
    art = svg('<rect width="10" height="10" fill="red"/>')
    assert render_design(make(tmp_path, "- svg: art/a.svg\n", files={"art/a.svg": art})).box() == (
        -3,
        -3,
        43,
        43,
    )


@pytest.mark.parametrize("times", [0, 1, 2, 5])
def test_repeat_places_as_many_icons_as_times(times, tmp_path):
    layout = (
        f"- repeat: dot\n  times: {times}\n  at: [5, 20]\n  size: 4mm\n  gap: 2mm\n  colour: red\n"
    )
    picture = render_design(make(tmp_path, layout, files=ICONS))
    assert [picture.at(5 + 6 * n, 20) for n in range(6)] == [RED] * times + [""] * (6 - times)
    assert [picture.at(8 + 6 * n, 20) for n in range(5)] == [""] * 5, "gaps"


@pytest.mark.parametrize(
    ("towards", "places"),
    [
        ("right", [(20, 20), (26, 20)]),
        ("left", [(20, 20), (14, 20)]),
        ("down", [(20, 20), (20, 26)]),
        ("up", [(20, 20), (20, 14)]),
    ],
)
def test_repeat_runs_towards_its_direction(towards, places, tmp_path):
    layout = f"- repeat: dot\n  times: 2\n  at: center\n  size: 4mm\n  gap: 2mm\n  colour: red\n  towards: {towards}\n"
    picture = render_design(make(tmp_path, layout, files=ICONS))
    assert [picture.at(*place) for place in places] == [RED, RED]


def test_centred_repeat_is_symmetric_about_its_point(tmp_path):
    layout = "- repeat: dot\n  times: $n\n  at: center\n  size: 4mm\n  gap: 2mm\n  colour: red\n  align: center\n"
    pack = make(tmp_path, layout, "id,n\nodd,3\neven,2\n", files=ICONS)
    assert render_design(pack).box() == pytest.approx((12, 18, 28, 22), abs=0.11)
    assert render_design(pack, design=1).box() == pytest.approx((15, 18, 25, 22), abs=0.11)


def test_repeat_by_a_column_that_is_no_number_is_refused(tmp_path):
    layout = "- repeat: dot\n  times: $n\n  at: center\n  size: 4mm\n"
    assert "cards.csv:2: n: 'many' is not a whole number" in problems(
        make(tmp_path, layout, "id,n\none,many\n", files=ICONS)
    )


TABLE = (
    "- table: {cells}\n  box: [4, 4, 32, 20]\n  style: body\n  head: head\n  head_fill: red\n"
    "  line: 0.3mm blue\n{more}"
)
HEAD = "  head: {size: 3mm, weight: bold, colour: '#ffffff'}"


def ink(picture, x, y, w, h):
    """Return True if a part of the picture has dark pixels."""
    return any(
        picture.at(x + i / 5, y + j / 5) == INK
        for i in range(int(w * 5))
        for j in range(int(h * 5))
    )


def test_table_cells_stand_in_their_columns_and_rows(tmp_path):
    layout = TABLE.format(cells="A|B / |x / y|", more="  columns: [3, 1]\n")
    picture = render_design(make(tmp_path, layout, more=HEAD))
    assert (picture.at(4.5, 4.5), picture.at(35.5, 10), picture.at(35.5, 11)) == (RED, RED, "")
    assert (picture.at(28.5, 17.33), picture.at(2, 17.33)) == (BLUE, "")
    third = 20 / 3
    assert not ink(picture, 4, 4 + third, 24, third)
    assert ink(picture, 28, 4 + third, 8, third)
    assert ink(picture, 4, 4 + 2 * third, 24, third)
    assert not ink(picture, 28, 4 + 2 * third, 8, third)


@pytest.mark.parametrize(
    ("cells", "more", "message"),
    [
        ("a|b/c", "", "a row of 1 cells (c) in a table of 2 columns"),
        ("a|b", "  columns: [1, 2, 3]\n", "3 shares for 2 columns"),
        ("a|b", "  columns: [1, 0]\n", "are not shares"),
        ("a|b", "  padding: 30mm\n", "a padding of 30 mm leaves no space in a cell"),
        ("a|b", "  padding: -1\n", "padding: -1 mm is negative"),
    ],
)
def test_invalid_table_is_refused(cells, more, message, tmp_path):
    assert message in problems(make(tmp_path, TABLE.format(cells=cells, more=more), more=HEAD))


def test_empty_table_is_not_rendered(tmp_path):
    layout = "- table: $cells\n  box: [4, 4, 32, 20]\n  style: body\n"
    pack = make(tmp_path, layout, "id,cells\none,\ntwo,a|b\n")
    assert render_design(pack).image.getbbox() is None
    assert render_design(pack, design=1).image.getbbox()


def test_mirrored_back_is_the_mirror_image_of_the_front(tmp_path):
    layout = "- fill: red\n- shape: {rect: [-3, -3, 13, 13], fill: blue}\n"
    layout += "- text: Hamburg\n  box: [12, 20, 25, 10]\n  style: body\n"
    pack = make(tmp_path, layout, component="back: mirror")
    front = render_design(pack).image
    back = render_design(pack, "back").image
    flipped = back.transpose(0)
    different = sum(
        abs(a - b) > 60 for a, b in zip(front.tobytes(), flipped.tobytes(), strict=True)
    )
    assert different < 0.001 * len(front.tobytes())
    front = render_design(pack)
    back = render_design(pack, "back")
    assert (front.at(1, 1), back.at(39, 1), back.at(1, 1)) == (
        BLUE,
        BLUE,
        RED,
    )


def test_back_with_own_layout_is_not_mirrored(tmp_path):
    layout = "- shape: {rect: [0, 0, 10, 10], fill: blue}\n"
    pack = make(tmp_path, component="back: layouts/back.yaml", files={"layouts/back.yaml": layout})
    assert render_design(pack, "back").box() == (0, 0, 10, 10)


def test_component_without_back_has_no_back_faces(tmp_path):
    assert draw_game(loaded(make(tmp_path)))[0].designs[0].back is None


def test_stripe_fills_merged_cells_that_begin_in_its_row(tmp_path):
    rows = "[a, b], [a, b], [a, b], ['^', b], [a, b], ['^', b]"
    layout = f'- table: [{rows}]\n  box: [0, 0, 40, 30]\n  style: body\n  stripe: "#ff0000"\n'
    rendered = render_design(make(tmp_path, layout))
    assert [rendered.at(15, 2.5 + 5 * row) for row in range(6)] == [
        "",
        "",
        "#ff0000",
        "#ff0000",
        "#ff0000",
        "#ff0000",
    ]
    assert [rendered.at(35, 2.5 + 5 * row) for row in range(6)] == [
        "",
        "",
        "#ff0000",
        "",
        "#ff0000",
        "",
    ]
    assert (
        render_design(
            make(tmp_path / "b", layout.replace("['^', b], [a, b]", "[a, b], ['^', b]"))
        ).at(15, 17.5)
        == ""
    )
