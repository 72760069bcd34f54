"""Test areas: they reach the declared parts of sides and no others, and meet without a gap."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Size
from generator.base.ports import part_of, side_of
from generator.base.shapes import SHAPES, fill_box
from generator.draw.links import FeatureSettings, FeatureShape, draw_links, plot_of
from generator.draw.links.areas import AREA_PATTERNS
from generator.draw.links.room import DISC
from generator.pack.game import LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.items import Stroke
from tests.tools.examples import try_times
from tests.tools.make_pack import no_art

SIZES = {
    "rect": Size(30, 30),
    "hex": Size(40, 20 * 3**0.5),
    "hex pointed": Size(20 * 3**0.5, 40),
    "octagon": Size(36, 36),
}
PLOTS = {kind: plot_of(fill_box(kind, size)) for kind, size in SIZES.items()}
STYLES = {
    "city": LinkStyle(0, "#c08040", Stroke(0.4, "#402010")),
    "farm": LinkStyle(0, "#80c040"),
    "road": LinkStyle(2, "#ffffff"),
}


def names(plot):
    return tuple(side.port for side in plot.sides)


def just_inside(plot, side, share):
    """Return a point half a millimetre inside a side, at a share of its length."""
    entry = plot.side(side)
    along = entry.inward.turned(-90)
    return (
        entry.middle + along.scaled(entry.length * (float(share) - 0.5)) + entry.inward.scaled(0.5)
    )


@try_times(0.4)
@given(st.sampled_from(sorted(PLOTS)), st.data())
def test_area_reaches_its_parts_of_sides_and_no_others(render_items, kind, data):
    plot = PLOTS[kind]
    halves = [f"{name}{index}" for name in names(plot) for index in (1, 2)]
    mine = data.draw(st.sets(st.sampled_from(halves), min_size=1, max_size=len(halves) - 1))
    parts = draw_links(
        parse_tile(f"area {' '.join(sorted(mine))}: farm", names(plot)), plot, 1, STYLES, no_art
    ).items
    pixels = render_items(parts, tuple(plot.box), 100)[..., 3] > 128
    for half in halves:
        nth, of = part_of(half)
        place = just_inside(plot, side_of(half), Fraction(2 * nth - 1, 2 * of))
        inked = pixels[int(place.y / 25.4 * 100), int(place.x / 25.4 * 100)]
        assert inked == (half in mine), half


@pytest.mark.parametrize("pattern", ["stripes", "dots"])
def test_pattern_of_too_many_marks_is_refused(pattern):
    plot = PLOTS["rect"]
    style = LinkStyle(0, "#fff", pattern=AREA_PATTERNS[pattern], period=1e-4)
    with pytest.raises(InvalidValueError, match="more than 100,000 marks"):
        draw_links(parse_tile("area n: farm", names(plot)), plot, 1, {"farm": style}, no_art)


def test_areas_that_meet_leave_no_gap(render_items):
    """Fill a tile with a city and two farms along a road."""
    plot = PLOTS["rect"]
    text = "area n: city area e1 w2: farm area e2 s w1: farm e-w:road"
    pixels = render_items(
        draw_links(parse_tile(text, names(plot)), plot, 1, STYLES, no_art).items,
        tuple(plot.box),
        100,
    )
    assert (pixels[2:-2, 2:-2, 3] > 200).all()


def test_area_has_no_line_at_the_rim_of_the_tile(render_items):
    plot = PLOTS["rect"]
    items = draw_links(parse_tile("area n: city", names(plot)), plot, 1, STYLES, no_art).items
    pixels = render_items(items, tuple(plot.box), 200)
    top = pixels[0, 20:-20, :3]
    assert (np.abs(top - np.array([0xC0, 0x80, 0x40])).max(axis=1) < 8).all()


def test_feature_in_an_area_lies_inside_the_area():
    plot = PLOTS["rect"]
    shields = FeatureSettings({"shield": FeatureShape(DISC, 7)})
    tile = parse_tile("area n w: city@shield", names(plot))
    (feature,) = draw_links(tile, plot, 1, STYLES, no_art, shields).features
    assert feature.place.x + feature.place.y < 30 - 2**0.5 * feature.size / 2
    assert feature.room > 6.95


@pytest.mark.parametrize("kind", [kind for kind, row in SHAPES.items() if not row.is_round])
def test_area_of_all_sides_fills_the_tile(kind, render_items):
    outline = fill_box(kind, SHAPES[kind].sized(40))
    plot = plot_of(outline)
    parts = draw_links(
        parse_tile(f"area {' '.join(names(plot))}: farm", names(plot)), plot, 0, STYLES, no_art
    ).items
    share = (render_items(parts, tuple(plot.box), 60)[..., 3] > 128).mean()
    assert share == pytest.approx(outline.area / (plot.box.w * plot.box.h), abs=0.02)
