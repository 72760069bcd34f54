"""Test the drawing of links: within the bleed, without holes, over and under."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError, Kind, PnpError
from generator.base.geometry import Point, Size
from generator.base.shapes import fill_box
from generator.draw.links import plot_of
from generator.draw.links.areas import AREA_PATTERNS
from generator.draw.links.caps import CAPS
from generator.draw.links.patterns import PATTERNS
from generator.draw.links.route import route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link
from generator.picture.items import Group, Path, Shape, Stroke
from tests.tools.make_pack import loaded, make

SQUARES = ["n-s", "n-e", "n-e-s", "n-e-s-w", "n-s e-w", "n", "n-e s-w", "n s e", "n@x s@y"]
HEXES = ["n-s", "n-ne", "n-se", "n-ne-se", "n-ne-se-s-sw-nw", "n-s ne-sw", "s nw", "n-se-sw@x"]
BLEED = 2.0
FILL = (0xE0, 0xA0, 0x40)
CASING = (0x20, 0x30, 0x40)


@pytest.mark.parametrize(("shape", "texts"), [("square", SQUARES), ("hexagon", HEXES)])
@pytest.mark.parametrize("cap", CAPS)
def test_nothing_is_drawn_outside_the_bleed(cap, shape, texts, shapes, studio):
    outline = shapes[shape]
    dpi = 60
    box = outline.box.grown(2 * BLEED)
    size = [round(side / 25.4 * dpi) for side in (box.h, box.w)]
    centres = [
        [
            Point(box.x + (c + 0.5) * box.w / size[1], box.y + (r + 0.5) * box.h / size[0])
            for c in range(size[1])
        ]
        for r in range(size[0])
    ]
    far = np.array([[outline.depth(place) < -BLEED - 0.4 for place in row] for row in centres])
    for text in texts:
        for pattern in PATTERNS:
            pixels = studio(shape, text, box, dpi, BLEED, pattern=pattern, cap=cap)
            assert pixels[..., 3].any(), (text, pattern)
            assert not pixels[..., 3][far].any(), (text, pattern)


@pytest.mark.parametrize(
    ("shape", "text"),
    [("square", "n-e"), ("square", "s"), ("hexagon", "n-ne-se"), ("hexagon", "s-n")],
)
def test_links_reach_the_bleeds_edge_with_their_casing_open(shape, text, shapes, studio):
    side = shapes[shape].side(text[0])
    edge = side.middle - side.inward.scaled(BLEED - 0.1)
    row = studio(shape, text, (edge.x - 6, edge.y - 0.05, 12, 0.1), 600, BLEED)[1]
    fill, casing = (np.abs(row[:, :3] - colour).max(axis=1) < 8 for colour in (FILL, CASING))
    assert fill.sum() / 600 * 25.4 == pytest.approx(7, abs=0.1)
    assert casing.sum() / 600 * 25.4 == pytest.approx(2 * 0.7, abs=0.2)


JUNCTIONS = [
    ("square", "n-e-s"),
    ("square", "n-e-s-w"),
    ("hexagon", "n-se-sw"),
    ("hexagon", "n-ne-se"),
    ("hexagon", "n-ne-se-s-sw-nw"),
    ("hexagon", "n-ne-s"),
]


@pytest.mark.parametrize(("shape", "text"), JUNCTIONS)
@pytest.mark.parametrize("width", [2.0, 7.0, 11.0])
def test_a_junction_has_no_holes(shape, text, width, shapes, studio, pieces):
    """One piece of ink, and all ground round it hangs together beyond its ends."""
    outline = shapes[shape]
    ink = studio(shape, text, outline.box, 100, 6, width=width)[..., 3] > 128
    assert pieces(ink) == 1
    within = studio(shape, text, outline.box.grown(3), 100, 1.0, width=width)[..., 3] <= 128
    assert pieces(within) == 1, "ground that the legs shut in"


@pytest.mark.parametrize(("shape", "text"), JUNCTIONS)
def test_no_casing_lies_inside_a_junction(shape, text, shapes, styled, studio):
    link = Link(tuple(text.split("-")), "a")
    picture = studio(shape, text, dpi=300)
    for way in route(link, styled(), shapes[shape], 1, 1).spine:
        for step in range(1, 40):
            place = way.at(way.length * step / 40, 0)
            row, column = int(place.y / 25.4 * 300), int(place.x / 25.4 * 300)
            assert np.abs(picture[row, column, :3] - FILL).max() < 12, place


def test_no_hairline_shows_where_the_bars_of_a_junctions_legs_meet(studio, square):
    """Arms meet on the diagonals: a diagonal with ink on both sides is inked."""
    picture = studio("square", "n-e-s-w", dpi=300, pattern="stripes", fill="#ffffff")[..., 0]
    middle = round(square.centre.x / 25.4 * 300)
    met = 0
    light = 0
    for away in range(-40, 40):
        row, column = middle + away, middle + away
        if max(picture[row - 4, column + 4], picture[row + 4, column - 4]) < 70:
            met += 1
            light += picture[row - 4 : row + 5, column - 4 : column + 5][::-1].diagonal().max() > 80
    assert met > 10
    assert light <= 8, "more than the corners of the bars"


CROSSINGS = [
    ("square", "n-s", "e-w"),
    ("square", "e-w", "n-s"),
    ("hexagon", "n-s", "ne-sw"),
    ("hexagon", "ne-sw", "n-se"),
]


@pytest.mark.parametrize(("shape", "lower", "upper"), CROSSINGS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_later_link_passes_over_the_earlier(shape, lower, upper, pattern, studio):
    both = studio(shape, f"{lower} {upper}", pattern=pattern)
    alone = studio(shape, upper, pattern=pattern)
    shown = alone[..., 3] == 255
    assert (both[shown] == alone[shown]).all(), "the upper link is broken"


@pytest.mark.parametrize(("shape", "lower", "upper"), CROSSINGS)
def test_with_a_clear_gap_between(shape, lower, upper, shapes, styled, studio):
    both = studio(shape, f"{lower} {upper}", dpi=300)
    lone = studio(shape, lower, dpi=300)
    way = route(Link(tuple(upper.split("-")), "a"), styled(), shapes[shape], 3, 1).spine[0]
    crossed = 0
    for step in range(100):
        for right in (-4.45, 4.45):
            place = way.at(way.length * step / 100, right)
            pixel = int(place.y / 25.4 * 300), int(place.x / 25.4 * 300)
            if 0 <= pixel[0] < both.shape[0] and 0 <= pixel[1] < both.shape[1]:
                crossed += lone[pixel][3] > 0
                assert both[pixel][3] == 0
    assert crossed > 10


@settings(deadline=None)
@given(st.floats(20, 90), st.floats(0.05, 0.35), st.floats(0, 1))
def test_two_bends_side_by_side_do_not_touch(side, share, of):
    outline = plot_of(fill_box("rect", Size(side, side)))
    width = share * side
    casing = of * 0.03 * side
    style = LinkStyle(width, "#fff", Stroke(casing, "#000"))
    one, other = (
        route(Link(ports, "a"), style, outline, 2, 1).spine[0] for ports in (("n", "e"), ("s", "w"))
    )
    places = [[way.at(way.length * i / 60, 0) for i in range(61)] for way in (one, other)]
    assert min((a - b).length() for a in places[0] for b in places[1]) > width + 2 * casing


def test_one_kind_that_shares_a_port_is_one_shape(square, styled, draw_tile):
    items = draw_tile("n-e n-w", square, {"a": styled()}).items
    assert [(type(item), item.stroke) for item in items] == 4 * [(Shape, None)]
    assert [item.fill for item in items] == ["#203040", "#203040", "#e0a040", "#e0a040"]


@settings(deadline=None)
@given(st.sampled_from(list(CAPS)), st.floats(0.5, 8), st.floats(-0.3, 1.5))
def test_caps_are_their_own_mirror_image_and_grow_outwards(name, half, grow):
    grow = max(grow, -0.3 * half)
    cap = CAPS[name].rim(half, grow)
    places = [piece.at(i / 8) for piece in cap for i in range(9)]
    mirrored = [Point(p.x, -p.y) for p in reversed(places)]
    assert all((a - b).length() < 1e-6 for a, b in zip(places, mirrored, strict=True))
    assert cap[0].a.y == pytest.approx(-cap[-1].d.y)
    assert max(max(p.x, abs(p.y)) for p in places) <= 1.5 * half + 1.7 * max(grow, 0) + 1e-6


def test_patterns_and_caps_are_values_once_a_pack_is_read(tmp_path):
    game = loaded(make(tmp_path, more="links: {a: {width: 5mm, fill: red, pattern: stripes}}"))
    assert (game.links["a"].pattern, game.links["a"].cap) == (PATTERNS["stripes"], CAPS["round"])
    with pytest.raises(PnpError) as wrong:
        loaded(
            make(tmp_path, more="links: {a: {width: 5mm, fill: red, pattern: strips, cap: rond}}")
        )
    said = [(problem.found.rpartition(": ")[2], problem.hint) for problem in wrong.value.problems]
    assert said == [
        ("unknown pattern 'strips'", "did you mean 'stripes'?"),
        ("unknown cap 'rond'", "did you mean 'round'?"),
    ]


def test_patterns_of_areas_are_values_too(tmp_path):
    game = loaded(make(tmp_path, more="areas: {a: {fill: red, pattern: dots}, b: {fill: red}}"))
    assert (game.links["a"].pattern, game.links["b"].pattern) == (
        AREA_PATTERNS["dots"],
        AREA_PATTERNS["solid"],
    )
    with pytest.raises(
        PnpError,
        match=r"areas\.a\.pattern: unknown area pattern 'dotz'\n.*\n  did you mean 'dots'\?",
    ):
        loaded(make(tmp_path, more="areas: {a: {fill: red, pattern: dotz}}"))


def test_what_a_style_may_not_say(square, styled, draw_tile):
    with pytest.raises(InvalidValueError, match="unknown kind of link 'b'"):
        draw_tile("n-s:b", square, {"a": styled()})
    with pytest.raises(InvalidValueError, match=r"kind 'a' is 32\.4 mm wide") as wide:
        draw_tile("n-s", square, {"a": styled(width=31)})
    assert wide.value.kind is Kind.FIT


def test_items_are_plain_and_numbers_short(square, styled, draw_tile):
    for pattern in PATTERNS:
        for item in draw_tile("n-e-s w", square, {"a": styled(pattern)}).items:
            assert isinstance(item, Group) or (
                isinstance(item, Shape) and isinstance(item.geometry, Path)
            )
            data = item.clip if isinstance(item, Group) else item.geometry.d
            assert data
            assert all(
                len(piece.split(".")[1]) <= 3
                for piece in data.replace("-", " ").split()
                if "." in piece[1:] and piece.replace(".", "").isdigit()
            )
