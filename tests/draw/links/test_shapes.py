"""Test the drawing of links: within the bleed, without holes, over and under."""

import re

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
@pytest.mark.parametrize("pattern", PATTERNS)
def test_links_end_at_the_bleed(pattern, shape, texts, shapes, render_tile):
    """Give the tiles one cap after the other, so that each cap occurs with each pattern and each tile."""
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
    for number, text in enumerate(texts, list(PATTERNS).index(pattern)):
        cap = list(CAPS)[number % len(CAPS)]
        pixels = render_tile(shape, text, box, dpi, BLEED, pattern=pattern, cap=cap)
        assert pixels[..., 3].any(), (text, cap)
        assert not pixels[..., 3][far].any(), (text, cap)


@pytest.mark.parametrize(
    ("shape", "text"),
    [("square", "n-e"), ("square", "s"), ("hexagon", "n-ne-se"), ("hexagon", "s-n")],
)
def test_link_reaches_edge_of_bleed_with_open_casing(shape, text, shapes, render_tile):
    side = shapes[shape].side(text[0])
    edge = side.middle - side.inward.scaled(BLEED - 0.1)
    row = render_tile(shape, text, (edge.x - 6, edge.y - 0.05, 12, 0.1), 600, BLEED)[1]
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
def test_junction_has_no_holes(shape, text, width, shapes, render_tile, count_areas):
    """Find one area of ink, and one area of background around its shortened legs."""
    outline = shapes[shape]
    ink = render_tile(shape, text, outline.box, 100, 6, width=width)[..., 3] > 128
    assert count_areas(ink) == 1
    within = render_tile(shape, text, outline.box.grown(3), 100, 1.0, width=width)[..., 3] <= 128
    assert count_areas(within) == 1, "the legs enclose background"


@pytest.mark.parametrize(("shape", "text"), JUNCTIONS)
def test_junction_has_no_casing_inside(shape, text, shapes, link_style, render_tile):
    link = Link(tuple(text.split("-")), "a")
    picture = render_tile(shape, text, dpi=300)
    for way in route(link, link_style(), shapes[shape], 1, 1).spine:
        for step in range(1, 40):
            place = way.at(way.length * step / 40, 0)
            row = int(place.y / 25.4 * 300)
            column = int(place.x / 25.4 * 300)
            assert np.abs(picture[row, column, :3] - FILL).max() < 12, place


def test_legs_of_a_patterned_junction_meet_without_hairlines(render_tile, square):
    """Count light pixels on the diagonal where the bars of two legs meet."""
    picture = render_tile("square", "n-e-s-w", dpi=300, pattern="stripes", fill="#ffffff")[..., 0]
    middle = round(square.centre.x / 25.4 * 300)
    met = 0
    light = 0
    for away in range(-40, 40):
        row = middle + away
        column = middle + away
        if max(picture[row - 4, column + 4], picture[row + 4, column - 4]) < 70:
            met += 1
            light += picture[row - 4 : row + 5, column - 4 : column + 5][::-1].diagonal().max() > 80
    assert met > 10
    assert light <= 8, "light pixels between the bars, beyond their corners"


CROSSINGS = [
    ("square", "n-s", "e-w"),
    ("square", "e-w", "n-s"),
    ("hexagon", "n-s", "ne-sw"),
    ("hexagon", "ne-sw", "n-se"),
]


@pytest.mark.parametrize(("shape", "lower", "upper"), CROSSINGS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_later_link_passes_over_the_earlier_one(shape, lower, upper, pattern, render_tile):
    both = render_tile(shape, f"{lower} {upper}", pattern=pattern)
    alone = render_tile(shape, upper, pattern=pattern)
    visible = alone[..., 3] == 255
    assert (both[visible] == alone[visible]).all(), "the upper link is broken"


@pytest.mark.parametrize(("shape", "lower", "upper"), CROSSINGS)
def test_crossing_links_have_a_clear_gap_between(
    shape, lower, upper, shapes, link_style, render_tile
):
    both = render_tile(shape, f"{lower} {upper}", dpi=300)
    lone = render_tile(shape, lower, dpi=300)
    way = route(Link(tuple(upper.split("-")), "a"), link_style(), shapes[shape], 3, 1).spine[0]
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


def test_links_of_one_kind_that_share_a_port_form_one_shape(square, link_style, draw_tile):
    items = draw_tile("n-e n-w", square, {"a": link_style()}).items
    assert [(type(item), item.stroke) for item in items] == 4 * [(Shape, None)]
    assert [item.fill for item in items] == ["#203040", "#203040", "#e0a040", "#e0a040"]


@settings(deadline=None)
@given(st.sampled_from(list(CAPS)), st.floats(0.5, 8), st.floats(-0.3, 1.5))
def test_cap_is_symmetric_and_grows_outwards(name, half, grow):
    grow = max(grow, -0.3 * half)
    cap = CAPS[name](half, grow)
    places = [piece.at(i / 8) for piece in cap for i in range(9)]
    mirrored = [Point(p.x, -p.y) for p in reversed(places)]
    assert all((a - b).length() < 1e-6 for a, b in zip(places, mirrored, strict=True))
    assert cap[0].a.y == pytest.approx(-cap[-1].d.y)
    assert max(max(p.x, abs(p.y)) for p in places) <= 1.5 * half + 1.7 * max(grow, 0) + 1e-6


def test_pattern_and_cap_of_links_are_resolved_when_pack_is_read(tmp_path):
    game = loaded(make(tmp_path, more="links: {a: {width: 5mm, fill: red, pattern: stripes}}"))
    assert (game.links["a"].pattern, game.links["a"].cap) == (PATTERNS["stripes"], CAPS["round"])
    with pytest.raises(PnpError) as error:
        loaded(
            make(tmp_path, more="links: {a: {width: 5mm, fill: red, pattern: strips, cap: rond}}")
        )
    reports = [
        (problem.found.rpartition(": ")[2], problem.hint) for problem in error.value.problems
    ]
    assert reports == [
        ("unknown pattern 'strips'", "did you mean 'stripes'?"),
        ("unknown cap 'rond'", "did you mean 'round'?"),
    ]


def test_pattern_of_areas_is_resolved_when_pack_is_read(tmp_path):
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


def test_unknown_kind_or_too_wide_link_is_refused(square, link_style, draw_tile):
    with pytest.raises(InvalidValueError, match="unknown kind of link 'b'"):
        draw_tile("n-s:b", square, {"a": link_style()})
    with pytest.raises(InvalidValueError, match=r"kind 'a' is 32\.4 mm wide") as wide:
        draw_tile("n-s", square, {"a": link_style(width=31)})
    assert wide.value.kind is Kind.FIT


def test_link_items_are_shapes_with_short_numbers(square, link_style, draw_tile):
    for pattern in PATTERNS:
        for item in draw_tile("n-e-s w", square, {"a": link_style(pattern)}).items:
            assert isinstance(item, Group) or (
                isinstance(item, Shape) and isinstance(item.geometry, Path)
            )
            data = item.clip if isinstance(item, Group) else item.geometry.d
            decimals = re.findall(r"\.(\d+)", data)
            assert 0 < max(map(len, decimals)) <= 3
