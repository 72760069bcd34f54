"""Test the places of features."""

from math import dist, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.geometry import Point, Size
from generator.base.shapes import fill_box
from generator.draw.links import FeatureSettings, FeatureShape, draw_links, plot_of
from generator.draw.links.caps import CAPS
from generator.draw.links.room import DISC
from generator.pack.game import LinkStyle
from generator.pack.tile import Link, Tile
from generator.picture.items import Stroke
from tests.tools.examples import try_times
from tests.tools.make_pack import no_art

STYLES = {
    "a": LinkStyle(6, "#fff", Stroke(0.5, "#000")),
    "b": LinkStyle(4, "#fff", cap=CAPS["flare"]),
}
TURNING = FeatureSettings({name: FeatureShape(DISC, 5, turns=True) for name in ("x", "y")})
OUTLINES = {
    "square": plot_of(fill_box("rect", Size(33, 33))),
    "hex": plot_of(fill_box("hex", Size(40, 20 * sqrt(3)))),
}


@st.composite
def tiles(draw):
    """Return an outline and a tile whose links share no port, some with features."""
    outline = OUTLINES[draw(st.sampled_from(sorted(OUTLINES)))]
    ports = draw(st.permutations([side.port for side in outline.sides]))
    links = []
    while ports:
        count = draw(st.integers(1, min(3, len(ports))))
        feature = draw(st.sampled_from([None, "x", "y"]))
        links.append(Link(tuple(ports[:count]), draw(st.sampled_from("ab")), feature))
        ports = ports[count:]
    return outline, Tile(tuple(links[: draw(st.integers(1, len(links)))]))


@try_times(1.5)
@given(tiles())
def test_features_never_overlap_within_their_room(case):
    outline, tile = case
    features = draw_links(tile, outline, 3, STYLES, no_art).features
    assert [feature.name for feature in features] == [
        link.feature for link in tile.links if link.feature
    ]
    for i, item in enumerate(features):
        assert 0.8 < item.room <= item.size
        assert outline.depth(item.place) >= item.room / 2 + 3 - 1e-6
        for other in features[:i]:
            assert dist(item.place, other.place) >= (item.room + other.room) / 2 - 1e-6


@settings(deadline=None)
@given(tiles())
def test_feature_that_turns_faces_first_port_of_its_link(case):
    outline, tile = case
    drawing = draw_links(tile, outline, 3, STYLES, no_art, TURNING)
    for feature, link in zip(
        drawing.features, [link for link in tile.links if link.feature], strict=True
    ):
        side = outline.side(link.ports[0])
        way = side.middle - feature.place
        towards = Point(0, 1).turned(feature.turn)
        assert way.x * towards.x + way.y * towards.y > 0
        if len(link.ports) == 1:
            assert (towards + side.inward).length() < 1e-6


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("n@x", Point(16.5, 16.5)),
        ("n-s@x", Point(16.5, 16.5)),
        ("n-e-s@x", Point(16.5, 16.5)),
        ("n-e@x", Point(33 - 16.5 / sqrt(2), 16.5 / sqrt(2))),
    ],
)
def test_feature_stands_at_centre_or_middle_of_its_bend(text, place, draw_tile):
    (feature,) = draw_tile(text, OUTLINES["square"], STYLES).features
    assert dist(feature.place, place) < 0.02


def test_features_of_two_stubs_stand_on_the_way_to_the_centre(draw_tile):
    one, other = draw_tile("n@x e@y", OUTLINES["square"], STYLES).features
    assert one.place.x == pytest.approx(16.5)
    assert 3 < one.place.y < 13
    assert other.place == pytest.approx((33 - one.place.y, one.place.x))
    assert one.room == one.size


def test_feature_next_to_a_link_keeps_clear_of_the_link(draw_tile):
    (feature,) = draw_tile("n-s s-w e@x", OUTLINES["square"], {"a": STYLES["a"]}).features
    assert feature.place.x - feature.size / 2 >= 16.5 + 3.5 - 1e-6
    assert feature.room > 5.99


@pytest.mark.parametrize("text", ["n", "n s", "n e s w", "e-w n", "n@x s"])
def test_bare_ends_do_not_touch_other_links(text, draw_tile, render_items, count_areas):
    """Count the separate areas of ink, one for each link."""
    outline = OUTLINES["square"]
    pixels = (
        render_items(draw_tile(text, outline, STYLES, 0).items, tuple(outline.box), 100)[..., 3]
        > 128
    )
    assert count_areas(pixels) == len(text.split())
