"""Test cut marks: their places, their styles, and edges without marks."""

from dataclasses import replace

import pytest

from generator.base.geometry import Point, Rect, Segment, Size
from generator.base.shapes import fill_box
from generator.impose.grid import Slot
from generator.impose.impose import impose
from generator.impose.marks import (
    MARK_STYLES,
    count_edges,
    count_unmarked_edges,
    draw_crease_ends,
    draw_grid_marks,
    find_style,
    find_unmarked,
    merge_spans,
    subtract_spans,
)
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Line

PAPER = Rect(0, 0, 100, 100)


def cut(x, y, size=20, bleed=0.0):
    trim = Rect(x, y, size, size)
    return Slot(trim, trim.grown(bleed))


def upright_marks(name, cuts, boxes=()):
    marks = draw_grid_marks(find_style(name), cuts, PAPER, boxes)
    return sorted(
        (round(m.a.x, 3), round(m.a.y, 3), round(m.b.y, 3)) for m in marks if m.a.x == m.b.x
    )


def test_crosshair_round_one_piece_stands_out_4_mm_and_0_28_mm_from_the_bleed():
    assert upright_marks("crosshair", [cut(40, 40, bleed=3)]) == [
        (40, 32.72, 36.72),
        (40, 63.28, 67.28),
        (60, 32.72, 36.72),
        (60, 63.28, 67.28),
    ]


def test_level_marks_are_the_upright_marks_with_x_and_y_swapped():
    marks = draw_grid_marks(find_style("crosshair"), [cut(40, 40, bleed=3)], PAPER)
    levels = sorted(
        (round(m.a.y, 3), round(m.a.x, 3), round(m.b.x, 3)) for m in marks if m.a.y == m.b.y
    )
    assert levels == upright_marks("crosshair", [cut(40, 40, bleed=3)])


def test_crosshair_in_a_gutter_is_one_stroke_between_the_bleeds():
    middle = [
        mark
        for mark in upright_marks("crosshair", [cut(40, 20, bleed=2), cut(40, 45.5, bleed=2)])
        if 40 < mark[1] < 45
    ]
    assert middle == [(40, 42.28, 43.22), (60, 42.28, 43.22)]


@pytest.mark.parametrize("gutter", [0, 4, 4.5])
def test_narrow_gutter_has_no_crosshair(gutter):
    bleed = min(2, gutter / 2)
    cuts = [cut(40, 20, bleed=bleed), cut(40, 40 + gutter, bleed=bleed)]
    marks = upright_marks("crosshair", cuts)
    assert not [mark for mark in marks if 25 < mark[1] < 55]
    assert len([mark for mark in marks if mark[1] <= 25]) == 2
    assert len([mark for mark in marks if mark[1] >= 55]) == 2


def test_partly_filled_row_has_marks_for_its_pieces_only():
    cuts = [cut(20, 20), cut(40, 20), cut(20, 40)]
    at_60 = [mark for mark in upright_marks("crosshair", cuts) if mark[0] == 60]
    assert at_60 == [(60, 15.72, 19.72), (60, 40.28, 44.28)]
    assert not [mark for mark in upright_marks("ticks", cuts) if 20 < mark[1] < 59]


def test_ticks_run_to_the_edge_of_the_sheet_and_corners_are_short():
    assert upright_marks("ticks", [cut(40, 14)])[0] == (40, 0.075, 13.72)
    assert upright_marks("corners", [cut(40, 40)])[0] == (40, 37.72, 39.72)
    assert upright_marks("none", [cut(40, 40)]) == []


def test_ticks_do_not_run_down_a_sheet_that_is_not_full():
    assert upright_marks("ticks", [cut(40, 14)])[1] == (40, 34.28, 49)


def test_marks_keep_clear_of_margin_content():
    box = Rect(30, 30, 15, 8)
    assert upright_marks("crosshair", [cut(40, 40)], [box])[0] == (40, 38.28, 39.72)


def test_spans_of_lines_are_merged_and_subtracted():
    assert merge_spans([(3, 5), (0, 1), (1, 2), (4, 4.5)]) == [
        (0, 2),
        (3, 5),
    ]
    left = subtract_spans([(0, 10), (12, 14)], [(-1, 1), (3, 4), (9, 13)])
    assert list(left) == [(1, 3), (4, 9), (13, 14)]


def test_mark_styles_have_a_name_and_a_summary():
    assert set(MARK_STYLES) == {"crosshair", "crosses", "ticks", "corners", "none"}
    assert all(row.summary and row.name == name for name, row in MARK_STYLES.items())


def test_margins_too_narrow_for_marks_are_noted(pieces):
    job = impose(pieces(1, 201, 288), Setup(margins=Margins.make_even(4.5), gutter=0))
    assert (
        "cards: no room for the cut marks in the margins of A4; larger margins would give it some"
        in job.notices
    )


def test_crosses_lie_only_on_corners_where_four_pieces_touch():
    """Six pieces in two columns have two such corners, with a + of 3 mm on each.

    Corners of only two pieces have none.
    """
    six = [cut(40 + 20 * column, 40 + 20 * row) for column in (0, 1) for row in (0, 1, 2)]
    over = set(draw_grid_marks(find_style("crosses"), six, PAPER)) - set(
        draw_grid_marks(find_style("crosshair"), six, PAPER)
    )
    assert {(mark.a.x, mark.a.y, mark.b.x, mark.b.y) for mark in over} == {
        line for y in (60, 80) for line in ((60, y - 1.5, 60, y + 1.5), (58.5, y, 61.5, y))
    }
    apart = [cut(40 + 24 * column, 40 + 24 * row) for column in (0, 1) for row in (0, 1)]
    assert draw_grid_marks(find_style("crosses"), apart, PAPER) == draw_grid_marks(
        find_style("crosshair"), apart, PAPER
    )


def across(at, way, steps=(11, 15)):
    """Return a mark on the line through a place in a direction."""
    return Line(*(Point(at.x + way[0] * step, at.y + way[1] * step) for step in steps), 0.15)


@pytest.mark.parametrize("level", [True, False])
def test_crease_continues_dotted_beyond_both_ends_of_its_piece(level):
    def way(at, along):
        return Point(along, at) if level else Point(at, along)

    crease = Segment(way(50, 20), way(50, 60))
    ink = Rect(20, 20, 40, 40)
    lines = draw_crease_ends(crease, ink, PAPER, [])
    spans = [(line.a.x, line.b.x) if level else (line.a.y, line.b.y) for line in lines]
    assert spans == [pytest.approx((14.72, 19.72)), pytest.approx((60.28, 65.28))]
    assert {(line.width, line.dash) for line in lines} == {(0.3, (0.4, 1.2))}
    beside = Rect(*way(45, 15.2), *way(10, 4))
    assert len(draw_crease_ends(crease, ink, PAPER, [beside])) == 1


def test_circle_counts_as_marked_by_two_marks_that_cross_in_its_middle():
    middle = Point(50, 50)
    circle = fill_box("circle", Size(20, 20)).moved((40, 40))
    level = across(middle, (1, 0))
    down = across(middle, (0, 1))
    opposite = across(middle, (-1, 0))
    beside = across(Point(50.1, 50), (0, 1))
    for marks in (
        [],
        [level],
        [level, opposite],
        [level, beside],
        [level, replace(down, dash=(1, 1))],
    ):
        assert count_unmarked_edges([circle], marks) == 1
        assert find_unmarked([circle], marks) == [circle]
    for marks in ([level, down], [level, opposite, down], [across(middle, (0.6, 0.8)), level]):
        assert count_unmarked_edges([circle], marks) == 0
        assert not find_unmarked([circle], marks)
    # The third mark is too far away to belong to this circle.
    assert count_unmarked_edges([circle], [level, across(middle, (0, 1), (21, 25))]) == 1


def test_edge_counts_as_marked_by_marks_before_and_behind_its_ends():
    box = fill_box("rect", Size(20, 30)).moved((40, 40))
    level = [
        across(Point(x, y), (way, 0), (2, 5)) for y in (40, 70) for x, way in ((40, -1), (60, 1))
    ]
    down = [
        across(Point(x, y), (0, way), (2, 5)) for x in (40, 60) for y, way in ((40, -1), (70, 1))
    ]
    assert (
        count_edges(
            [box, fill_box("circle", Size(20, 20)), fill_box("triangle", Size(20, 20 * 0.75**0.5))]
        )
        == 4 + 1 + 3
    )
    assert count_unmarked_edges([box], [*level, *down]) == 0
    assert count_unmarked_edges([box], level) == count_unmarked_edges([box], down) == 2
    assert count_unmarked_edges([box], [*level, *down[1:]]) == 1
    assert (
        count_unmarked_edges([box], [*level, *(replace(mark, a=mark.b, b=mark.a) for mark in down)])
        == 0
    )
    assert (
        count_unmarked_edges(
            [box],
            [*level, *(replace(m, a=m.a + Point(0.1, 0), b=m.b + Point(0.1, 0)) for m in down)],
        )
        == 2
    )
