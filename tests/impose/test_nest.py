"""Test hexagons and circles nested in the gaps of their neighbours."""

from itertools import combinations
from math import hypot, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.base import polygon
from generator.base.geometry import Point, Rect, Size
from generator.base.shapes import fill_box
from generator.impose.duplex import find_mode
from generator.impose.grid import find_best_grid
from generator.impose.impose import impose
from generator.impose.marks import find_style
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times


def hexes(count, across, bleed=0.0, gutter=None):
    outline = fill_box("hex", Size(across * 2 / sqrt(3), across))
    return [Piece(f"h{n}", "hexes", outline, bleed, "front", "back", gutter) for n in range(count)]


def circles(count, across, bleed=0.0, gutter=None):
    outline = fill_box("circle", Size(across, across))
    return [Piece(f"c{n}", "tokens", outline, bleed, "front", "back", gutter) for n in range(count)]


kinds = st.sampled_from([hexes, circles])
sizes = st.floats(15, 80)
bleeds = st.sampled_from([0.0, 2.0, 3.0])


@try_times(0.25)
@given(
    kinds,
    sizes,
    bleeds,
    st.sampled_from([None, 0.0, 5.0]),
    st.sampled_from(["long-edge", "gutterfold"]),
)
def test_nested_pieces_and_their_backs_keep_the_gutter(make, across, bleed, gutter, duplex):
    setup = Setup(margins=Margins.make_even(10), duplex=find_mode(duplex))
    pieces = make(3, across, bleed, gutter)
    job = impose(pieces, setup)
    count = len(job.beds[0].outlines)
    assert count == len({p.piece for p in job.sheets[0].front.placed})
    space = 2 * bleed if gutter is None else gutter
    for side in filter(None, (job.sheets[0].front, job.sheets[0].back)):
        for placed in side.placed:
            assert setup.printable.holds(placed.ink)
        for a, b in combinations(side.placed, 2):
            assert a.clip
            nested = distance_between(make, a.trim, b.trim, a.turn) - across
            assert max(nested, *gaps_between(a.trim, b.trim)) >= space - 1e-6
        for mark in side.marks:
            if not mark.dash:
                check_clear(mark, side.placed)


def distance_between(make, a, b, turn):
    """Return the distance of two middles; for hexagons, the largest distance across flats."""
    dx = a.centre.x - b.centre.x
    dy = a.centre.y - b.centre.y
    if make is circles:
        return hypot(dx, dy)
    if turn % 180:
        dx, dy = dy, dx
    return max(abs(dy), abs(dx) * sqrt(3) / 2 + abs(dy) / 2)


def gaps_between(a, b):
    """Return the gap between two boxes, level and upright; negative where they overlap."""
    dx = a.centre.x - b.centre.x
    dy = a.centre.y - b.centre.y
    return abs(dx) - a.w, abs(dy) - a.h


def check_clear(mark, placed):
    steps = [mark.a + (mark.b - mark.a).scaled(n / 20) for n in range(21)]
    for p in placed:
        around = p.clip.flat if p.clip else corners_of(p.ink)
        for step in steps:
            out = max(
                polygon.dot(step - around[i], polygon.outward(around[i - 1], around[i]))
                for i in range(len(around))
            )
            assert out >= 0.2


def corners_of(rect):
    return (
        Point(rect.x, rect.y),
        Point(rect.right, rect.y),
        Point(rect.right, rect.bottom),
        Point(rect.x, rect.bottom),
    )


@try_times(0.25)
@given(kinds, sizes, bleeds)
def test_nest_holds_at_least_as_many_pieces_as_a_grid(make, across, bleed):
    setup = Setup(marks=find_style("none"))
    pieces = make(400, across, bleed)
    grid = find_best_grid(pieces[0].size, setup.area.size, 2 * bleed)
    assume(grid is not None and grid.capacity < 400)
    assert len(impose(pieces, setup).sheets[0].front.placed) >= grid.capacity


def test_hexagons_of_40_mm_lie_in_rows_of_four_and_three():
    front = impose(hexes(60, 40, 2), Setup(gutter=4.0)).sheets[0].front
    rows = sorted({round(p.trim.y, 2) for p in front.placed})
    assert len(front.placed) == 25
    assert [sum(round(p.trim.y, 2) == y for p in front.placed) for y in rows] == [
        4,
        3,
        4,
        3,
        4,
        3,
        4,
    ]
    assert all(len(p.clip.flat) == 6 for p in front.placed)


def test_circle_is_clipped_to_a_circle_round_its_bleed():
    token = impose(circles(80, 22, 2), Setup()).sheets[0].front.placed[0]
    assert token.clip.is_circle
    reach = [hypot(p.x - token.trim.centre.x, p.y - token.trim.centre.y) for p in token.clip.flat]
    assert min(reach) >= 13
    assert max(reach) == pytest.approx(13, abs=0.06)


def test_clip_ends_at_the_printable_area():
    square = corners_of(Rect(0, 0, 10, 10))
    assert set(polygon.clip_to_rect(square, Rect(2, -5, 20, 9))) == {
        (2, 0),
        (10, 0),
        (10, 4),
        (2, 4),
    }


def test_grown_outline_moves_each_edge_outwards():
    grown_corners = {
        (round(x, 6), round(y, 6)) for x, y in polygon.grow(corners_of(Rect(0, 0, 10, 10)), 2)
    }
    assert grown_corners == {(-2, -2), (12, -2), (12, 12), (-2, 12)}


def test_line_through_an_outline_gives_the_spans_inside():
    square = corners_of(Rect(0, 0, 10, 10))
    assert polygon.inside_spans(square, Point(-5, 5), Point(1, 0)) == [(5, 15)]
    assert polygon.inside_spans(square, Point(-5, 15), Point(1, 0)) == []


def test_circles_of_22_mm_lie_in_the_gaps_of_their_neighbours():
    """A grid has eight by twelve circles, a nest fourteen rows of eight."""
    coins = [
        Piece(f"c{n}", "coins", fill_box("circle", Size(22, 22)), 0, "front", None)
        for n in range(200)
    ]
    assert [len(sheet.front.placed) for sheet in impose(coins, Setup()).sheets] == [112, 88]
