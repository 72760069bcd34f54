"""Test outlines, the shapes that are cut."""

import pickle
from math import cos, pi, sqrt, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Affine, Point, Rect
from generator.base.outline import Outline
from generator.base.paths import path_data, read_path
from generator.base.shapes import SHAPES, parse_shape, polygon_outline
from tests.tools.examples import try_times

BAY = polygon_outline(
    [
        Point(*place)
        for place in ((0, 0), (40, 0), (40, 10), (22, 10), (22, 20), (40, 20), (40, 40), (0, 40))
    ]
)
ROUND_BOX = Outline.of_box(Rect(0, 0, 63, 88), 3)


@st.composite
def stars(draw):
    """Return a polygon of 3 to 12 corners round its centre, usually with bays."""
    count = draw(st.integers(3, 12))
    far = draw(st.lists(st.floats(12, 40), min_size=count, max_size=count))
    return polygon_outline([Point(0, -far[n]).turned(360 * n / count) for n in range(count)])


outlines = st.one_of(
    stars(),
    st.sampled_from([*(parse_shape(f"{name} 40mm") for name in SHAPES), BAY, ROUND_BOX]),
)


def test_area_of_each_shape_matches_its_formula():
    expected = {
        "rect": 1600,
        "circle": 400 * pi,
        "hex": 800 * sqrt(3),
        "hex pointed": 800 * sqrt(3),
        "triangle": 400 * sqrt(3),
        "triangle down": 400 * sqrt(3),
        "pentagon": 1.25 / tan(pi / 5) * (40 / (2 * cos(pi / 5))) ** 2,
        "octagon": 3200 * (sqrt(2) - 1),
    }
    assert {name: parse_shape(f"{name} 40mm").area for name in SHAPES} == pytest.approx(expected)
    assert ROUND_BOX.area == pytest.approx(63 * 88 - (4 - pi) * 9)


@given(outlines, st.floats(0, 360), st.booleans())
def test_moving_outline_keeps_area_and_corner_names(outline, turn, mirrored):
    moved = (outline.mirrored() if mirrored else outline).turned(turn).moved((7, -3))
    assert moved.area == pytest.approx(outline.area)
    assert moved.names == (
        outline.names[-2::-1] + outline.names[-1:] if mirrored else outline.names
    )
    assert pickle.loads(pickle.dumps(moved)) == moved  # noqa: S301 - our own
    assert hash(moved)


@try_times(0.6)
@given(outlines, st.floats(0.5, 6))
def test_grown_outline_covers_points_within_distance(outline, by):
    grown = outline.grown(by)
    inner = outline.shrunk(by)
    for place in outline.flat:
        for turn in range(0, 360, 45):
            assert grown.depth(place + Point(by - 1e-3, 0).turned(turn)) > -0.02
    if inner:
        assert all(outline.depth(place) >= by - 0.02 for place in inner.flat)
    assert grown.box.size.w <= outline.size.w + 2 * 1.4143 * by + 1e-6


def test_growing_fills_narrow_bay():
    assert BAY.grown(3).corners[3] == Point(25, 13)
    assert BAY.grown(6).area == pytest.approx(52 * 52)


@given(stars(), st.floats(0.5, 5))
def test_outline_is_read_back_from_its_path(outline, radius):
    outline = outline.rounded(radius) if outline.is_convex else outline
    (edges,) = read_path(path_data(outline.edges))
    flat = tuple(place for edge in edges for place in edge.flat())
    assert Outline(flat).area == pytest.approx(outline.area, rel=1e-3)


def test_arc_in_path_is_round():
    (edges,) = read_path("M0 0h40a10 10 0 0 1 0 20h-40z")
    outline = Outline(tuple(place for edge in edges for place in edge.flat()), curve=tuple(edges))
    assert outline.area == pytest.approx(800 + 50 * pi, rel=2e-4)
    assert outline.size.w == pytest.approx(50, abs=0.01)
    assert outline.mapped(Affine(a=-1)).area == pytest.approx(outline.area)


@pytest.mark.parametrize(
    "text", ["hex", "hex 40mm sideways", "hex 40mm x 20mm", "circle 0.1mm", "octagon 4m"]
)
def test_invalid_shape_size_is_refused(text):
    with pytest.raises(InvalidValueError):
        parse_shape(text)


@try_times(0.6)
@given(outlines, outlines, st.floats(-60, 60), st.floats(-60, 60))
def test_outlines_overlap_if_and_only_if_they_share_a_point(one, other, x, y):
    other = other.moved((x, y))
    if one.overlaps(other):
        assert one.distance_to(other) < 1e-3
    else:
        box = one.box.common(other.box)
        steps = [
            Point(box.x + box.w * a / 8, box.y + box.h * b / 8) for a in range(9) for b in range(9)
        ]
        assert not [place for place in steps if min(one.depth(place), other.depth(place)) > 1e-2]
