"""Test patterns of links: their phase, their table, and their distinct appearance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from generator.base.errors import InvalidValueError
from generator.base.geometry import Size
from generator.base.shapes import fill_box
from generator.draw.links import plot_of
from generator.draw.links.patterns import PATTERNS
from generator.draw.links.route import route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link
from generator.picture.items import Group


def strokes(items):
    for item in items:
        if isinstance(item, Group):
            yield from strokes(item.items)
        elif item.stroke:
            yield item.stroke


@settings(deadline=None)
@given(
    st.sampled_from(["stripes", "dashes"]),
    st.sampled_from(["n-s", "n-e", "n-e-s", "n"]),
    st.floats(1, 9),
    st.floats(22, 70),
    st.floats(0, 4),
)
def test_dashes_fit_whole_periods_with_half_a_gap_at_each_edge(pattern, ports, width, side, bleed):
    style = LinkStyle(width, "#fff", pattern=PATTERNS[pattern])
    body = route(
        Link(tuple(ports.split("-")), "a"),
        style,
        plot_of(fill_box("rect", Size(side, side))),
        bleed,
        0.7,
    )
    dashed = list(strokes(PATTERNS[pattern].draw(body, style)))
    assert len(dashed) == len(body.lanes)
    for stroke, lane in zip(dashed, body.lanes, strict=True):
        assert stroke.dash
        dash, gap = stroke.dash
        times = lane.way.length / (dash + gap)
        assert times == pytest.approx(round(times), abs=1e-6)
        for port in lane.way.ports:
            phase = (bleed + port + stroke.dash_offset) % (dash + gap)
            assert phase == pytest.approx(dash + gap / 2, abs=1e-6)


def test_every_pattern_has_a_description():
    for name, pattern in PATTERNS.items():
        assert pattern.description, name


@pytest.mark.parametrize("pattern", ["dots", "scales", "zigzag", "stripes"])
@pytest.mark.parametrize("size", [{"period": 1e-4}, {"motif": 1e-4}])
def test_pattern_of_too_many_marks_is_refused(pattern, size, square, draw_tile):
    style = LinkStyle(6, "#fff", pattern=PATTERNS[pattern], **size)
    with pytest.raises(InvalidValueError, match="more than 100,000 marks"):
        draw_tile("n-s", square, {"a": style})


@pytest.mark.parametrize("width", [3.0, 7.0])
def test_no_two_patterns_look_alike_in_grey_from_a_distance(width, square, draw_tile, render_items):
    """Render black on white at 60 dpi, as from a reading distance, in every alignment."""
    pictures = {}
    for name, pattern in PATTERNS.items():
        style = LinkStyle(width, "#ffffff", pattern=pattern, ink="#000000")
        box = (15.24 - width / 2, 0, width, square.box.h)
        grey = render_items(draw_tile("n-s", square, {"a": style}).items, box, 300)[..., 0].astype(
            "uint8"
        )
        small = Image.fromarray(grey).resize(
            (max(4, round(width / 25.4 * 60)), 72), Image.Resampling.BOX
        )
        pictures[name] = np.asarray(small).astype(int)
    for a, b in combinations(pictures, 2):
        least = min(
            np.abs(pictures[a] - np.roll(pictures[b], shift, axis=0)).mean() for shift in range(12)
        )
        assert least > 20, (a, b, least)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("text", ["n-s", "n-e", "n-e-s", "n"])
def test_pattern_stays_inside_its_link(pattern, text, square, link_style, draw_tile, render_items):
    """Compare casing and background with and without a pattern."""
    box = tuple(square.box.grown(3))
    plain = render_items(draw_tile(text, square, {"a": link_style("solid")}).items, box, 200)
    with_ink = render_items(draw_tile(text, square, {"a": link_style(pattern)}).items, box, 200)
    fill = np.abs(plain - np.array([0xE0, 0xA0, 0x40, 255])).max(axis=-1) < 150
    assert np.abs(plain - with_ink)[~fill].max() < 40
