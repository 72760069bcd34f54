"""Test ports at parts of sides, corners, angles of a circle and points, and links that join or cross there."""

from math import dist, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Point, Size
from generator.base.ports import CORNERS, facing_port, mirror_port, turn_port
from generator.base.shapes import fill_box
from generator.draw.links import FeatureSettings, FeatureShape, draw_links, plot_of
from generator.draw.links.caps import CAPS
from generator.draw.links.patterns import PATTERNS
from generator.draw.links.room import DISC
from generator.draw.links.route import route
from generator.pack.game import LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.items import Stroke
from tests.tools.examples import try_times
from tests.tools.make_pack import no_art

STYLE = LinkStyle(2, "#e0a040", Stroke(0.2, "#203040"))
ROWS = {"square": "rect", "pointed": "hex pointed"}
SIZES = {
    "square": Size(36, 36),
    "hex": Size(40, 20 * sqrt(3)),
    "pointed": Size(20 * sqrt(3), 40),
    "triangle": Size(40, 20 * sqrt(3)),
    "octagon": Size(36, 36),
    "circle": Size(36, 36),
}
PLOTS = {kind: plot_of(fill_box(ROWS.get(kind, kind), size)) for kind, size in SIZES.items()}


def sides(plot):
    return tuple(side.port for side in plot.sides if side.port)


def ports(plot):
    """Return a strategy of the port names of a shape."""
    names = sides(plot)
    if not names:
        return st.integers(0, 359).map(str)
    parts = [name + part for name in names for part in ("", "1", "2", "1/3", "3/3", "2/4")]
    return st.sampled_from([*parts, *CORNERS[names]])


@st.composite
def tiles(draw):
    plot = PLOTS[draw(st.sampled_from(sorted(PLOTS)))]
    chosen = draw(st.lists(ports(plot), min_size=1, max_size=4, unique=True))
    joint = draw(st.sampled_from("-,")) if len(chosen) > 1 else "-"
    course = draw(st.sampled_from(["", "(sharp)", "(straight)", "(through 45 55)"]))
    return plot, parse_tile(f"{joint.join(chosen)}:a{course}", sides(plot))


@try_times(1.5)
@given(tiles())
def test_link_meets_each_port_in_its_middle_at_a_right_angle(case):
    plot, tile = case
    (link,) = tile.links
    body = route(link, STYLE, plot, 2, 0.8)
    ends = []
    for way in body.spine:
        ends += [(way.frame(station), 1 if not station else -1) for station in way.ports]
    assert len(ends) == len(link.ports)
    for port in link.ports:
        place = plot.side(port)
        nearest, sign = min(ends, key=lambda end: dist(end[0].place, place.middle))
        assert dist(nearest.place, place.middle) < 1e-6
        assert dist(nearest.along.scaled(sign), place.inward) < 1e-3


@given(st.sampled_from(sorted(PLOTS)), st.data(), st.integers(0, 11))
def test_turned_port_lies_where_the_turn_takes_it(kind, data, steps):
    plot = PLOTS[kind]
    port = data.draw(ports(plot))
    names = sides(plot) or ("a",) * 8
    here = plot.side(port)
    there = plot.side(turn_port(port, names, steps))
    turn = steps * 360 / len(names)
    assert dist((here.middle - plot.centre).turned(turn) + plot.centre, there.middle) < 0.01
    assert dist(here.inward.turned(turn), there.inward) < 0.01


@given(st.sampled_from(sorted(PLOTS)), st.data())
def test_mirrored_port_lies_at_the_mirror_image(kind, data):
    plot = PLOTS[kind]
    port = data.draw(ports(plot))
    here = plot.side(port).middle
    there = plot.side(mirror_port(port)).middle
    assert dist(Point(plot.box.w - here.x, here.y), there) < 0.01


@given(st.sampled_from(["square", "hex", "pointed"]), st.data())
def test_touching_tiles_meet_port_to_port(kind, data):
    """Compare each port with the facing port of a neighbour across its side."""
    plot = PLOTS[kind]
    names = sides(plot)
    port = data.draw(
        st.sampled_from([name + part for name in names for part in ("", "1", "2", "1/3", "4/5")])
    )
    side = plot.side(port.rstrip("12345/"))
    step = side.inward.scaled(-2 * side.depth(plot.centre))
    facing = turn_port(facing_port(port), names, len(names) // 2)
    assert dist(plot.side(facing).middle + step, plot.side(port).middle) < 0.01


def drawing(text, kind="square", width=5.0, sizes=None):
    styles = {
        name: LinkStyle(width, "#e0a040", Stroke(0.5, "#203040")) for name in ("road", "rail")
    }
    plot = PLOTS[kind]
    shapes = {name: FeatureShape(DISC, size) for name, size in (sizes or {}).items()}
    return draw_links(
        parse_tile(text, sides(plot)), plot, 2, styles, no_art, FeatureSettings(shapes)
    )


def colour_at(render_items, parts, *place):
    return tuple(render_items(parts, (place[0] - 0.1, place[1] - 0.1, 0.2, 0.2), 254)[1, 1])


FILL = (0xE0, 0xA0, 0x40, 255)


def test_features_on_crossing_links_keep_their_size_and_distance():
    one, other = drawing("n-se:road@f ne-s:road@f", "hex", 3.0, {"f": 8.0}).features
    assert min(one.room, other.room) > 7.99
    assert dist(one.place, other.place) >= 8


def test_third_link_does_not_sever_a_junction(render_items):
    """Draw a bend that reaches its side and a straight link that passes under another."""
    parts = drawing("n-s:road e-w:road n-e:road").items
    for place in ((18, 1), (18, 35), (1, 18), (35, 18), (18, 18), (25, 14.5)):
        assert colour_at(render_items, parts, *place) == FILL, place
    assert colour_at(render_items, parts, 18, 21.25)[3] == 0, "no gap beside the upper link"


def test_single_links_with_one_feature_meet_at_the_feature(render_items):
    drawn_links = drawing("n:road@f e:road@f s:road@f", sizes={"f": 6.0})
    (feature,) = drawn_links.features
    assert dist(feature.place, (18, 18)) < 0.01
    assert feature.room > 5.99
    for place in ((18, 12), (24, 18), (18, 24), (18, 18)):
        assert colour_at(render_items, drawn_links.items, *place) == FILL


@pytest.mark.parametrize("text", ["n-ne-se-s-sw-nw:road", "n,ne,se,s,sw,nw:road"])
def test_six_links_to_one_hub_show_six_legs(text, render_items, count_areas):
    """Count the edges of ink along a ring around the centre."""
    plot = PLOTS["hex"]
    pixels = render_items(drawing(text, "hex", 4.0).items, tuple(plot.box), 150)[..., 3] > 128
    ring = [plot.centre + Point(0, -7.5).turned(turn) for turn in range(360)]
    inked = np.array([pixels[int(p.y / 25.4 * 150), int(p.x / 25.4 * 150)] for p in ring])
    assert (inked != np.roll(inked, 1)).sum() == 12
    assert count_areas(pixels) == 1


@pytest.mark.parametrize(
    ("text", "gap", "over"),
    [
        ("n-s:road e-w:road(under)", (21.25, 18), (18, 21.25)),
        ("n-s:road e-w:road", (18, 21.25), (21.25, 18)),
    ],
)
def test_link_passes_over_or_under_as_declared(text, gap, over, render_items):
    assert colour_at(render_items, drawing(text).items, *gap)[3] == 0
    assert colour_at(render_items, drawing(text).items, *over) == FILL


def test_links_that_join_have_no_gap(render_items):
    parts = drawing("n-s:road e-w:road(joins)").items
    for place in ((18, 21.25), (21.25, 18), (18, 18)):
        assert colour_at(render_items, parts, *place)[3] == 255


def test_link_ends_at_its_declared_length():
    """End links at a quarter of the way to the centre, at 10 mm and at a point."""
    style = LinkStyle(2, "#fff", cap=CAPS["butt"])
    plot = PLOTS["square"]
    for text, end in (
        ("n:a(length 25%)", (18, 4.5)),
        ("n:a(length 10mm)", (18, 10)),
        ("n:a(through 30 40)", (10.8, 14.4)),
    ):
        (way,) = route(parse_tile(text, sides(plot)).links[0], style, plot, 2, 1).spine
        assert dist(way.at(way.length, 0), end) < 0.01


def test_inner_point_lies_at_its_declared_share_of_the_tile():
    plot = PLOTS["square"].with_points(parse_tile("m(25,75) n-m:a", sides(PLOTS["square"])).points)
    (way,) = route(parse_tile("m(25,75) n-m:a", sides(plot)).links[0], STYLE, plot, 2, 1).spine
    assert dist(way.at(way.length, 0), (9, 27)) < 0.01


def test_pattern_takes_width_and_period_of_its_kind():
    style = LinkStyle(6, "#fff", pattern=PATTERNS["dashes"], motif=3, period=4)
    plot = PLOTS["square"]
    drawing = draw_links(parse_tile("n-s:a", sides(plot)), plot, 0, {"a": style}, no_art)
    (stroke,) = [item.stroke for item in drawing.items if item.stroke]
    assert sum(stroke.dash) == pytest.approx(4)
    assert stroke.width == pytest.approx(0.54)


@pytest.mark.parametrize("port", ["s1/3", "s3/3", "s1/6", "ne1/4", "s", "s1"])
def test_link_with_one_port_stays_on_its_tile(port):
    """Start links near the corners of a triangle, where straight links soon leave the tile."""
    plot = PLOTS["triangle"]
    (way,) = route(parse_tile(f"{port}:a", sides(plot)).links[0], STYLE, plot, 2, 1).spine
    assert plot.depth(Point(*way.at(way.length, 0))) > 0.5
