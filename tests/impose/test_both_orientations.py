"""Test pieces in both orientations: most on a sheet, separated by straight cuts, with marks."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Rect, Size
from generator.base.paper import paper
from generator.base.shapes import parse_shape
from generator.impose.grid import bound_capacity, place_both_ways
from generator.impose.guillotine import plan_cuts
from generator.impose.impose import impose
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times

BEST = {
    ("rect 63.5 x 88.9 mm", 54, "a4"): (7, 6),
    ("rect 63.5 x 88.9 mm", 54, "letter"): (7, 6),
    ("rect 57.15 x 88.9 mm", 100, "a4"): (12, 12),
    ("rect 57.15 x 88.9 mm", 100, "letter"): (13, 10),
    ("rect 70 x 120 mm", 30, "a4"): (6, 5),
    ("rect 70 x 120 mm", 30, "letter"): (6, 6),
    ("rect 45 x 45 mm", 40, "a4"): (2, 2),
    ("rect 45 x 45 mm", 40, "letter"): (2, 2),
    ("hex 40mm", 60, "a4"): (3, 2),
    ("hex 40mm", 60, "letter"): (3, 2),
    ("circle 22mm", 80, "a4"): (2, 1),
    ("circle 22mm", 80, "letter"): (2, 1),
}
"""The fewest sheets known, with a gutter of two bleeds of 3 mm, and with none."""


def deck(size, count, gutter=None):
    return [
        Piece(f"c{n}", "cards", parse_shape(size), 3.0, "front", "back", gutter)
        for n in range(count)
    ]


@pytest.mark.parametrize(("size", "count", "sheet"), BEST)
def test_deck_takes_the_fewest_known_sheets(size, count, sheet):
    jobs = [
        impose(deck(size, count, gutter), Setup(paper(sheet), least_margin=6.0))
        for gutter in (None, 0.0)
    ]
    assert tuple(len(job.sheets) for job in jobs) == BEST[size, count, sheet]


@pytest.mark.parametrize(
    ("size", "count", "sheet"), [row for row in BEST if row[0].startswith("rect")]
)
def test_no_layout_with_straight_cuts_saves_a_sheet(size, count, sheet):
    """Compare with the most pieces of any straight cutting, in twentieths of a mm."""
    box = parse_shape(size).size
    w, h = paper(sheet).size
    for gutter, sheets in zip((6, 0), BEST[size, count, sheet], strict=True):
        room = tuple(int((side - 12 + gutter) * 20 + 0.001) for side in (w, h))
        most_pieces = count_most_pieces(tuple(round((side + gutter) * 20) for side in box), room)
        assert -(-count // most_pieces) == sheets


def count_most_pieces(piece, room):
    """Return the most pieces that straight cuts at whole numbers separate, by dynamic programming."""
    w, h = piece
    places = sorted({i * piece[0] + j * piece[1] for i in range(12) for j in range(12)})

    @cache
    def most(across, down):
        if min(across, down) < min(piece) or (across < w and down < w) or (across < h and down < h):
            return 0
        undivided = int((across >= w and down >= h) or (across >= h and down >= w))
        rows = (most(across, at) + most(across, down - at) for at in places if 0 < at <= down // 2)
        columns = (
            most(at, down) + most(across - at, down) for at in places if 0 < at <= across // 2
        )
        return max((undivided, *rows, *columns))

    return most(*room)


@try_times(0.4)
@given(
    st.integers(20, 70),
    st.integers(20, 70),
    st.integers(60, 160),
    st.integers(60, 200),
    st.integers(0, 6),
)
def test_pieces_in_both_orientations_are_as_many_as_any_straight_cuts_give(w, h, across, down, gap):
    placements = place_both_ways(Size(w, h), Size(across, down), gap)
    trims = [trim for trim, _ in placements]
    assert (
        len(placements)
        == count_most_pieces((w + gap, h + gap), (across + gap, down + gap))
        <= bound_capacity(Size(w, h), Size(across, down), gap)
    )
    assert all(Rect(0, 0, across, down).holds(trim) for trim in trims)
    assert all(trim.size == Size(w, h).turned(turn) for trim, turn in placements)
    for item, other in combinations(trims, 2):
        assert (
            max(
                other.x - item.right,
                item.x - other.right,
                other.y - item.bottom,
                item.y - other.bottom,
            )
            > gap - 1e-5
        )
    assert not trims or plan_cuts(Rect(0, 0, across, down), trims)
    assert not trims or Rect.around(trims).centre == pytest.approx((across / 2, down / 2))


def test_30_tarot_cards_lie_two_upright_beside_three_level_with_a_notice():
    job = impose(deck("rect 70 x 120 mm", 30), Setup(least_margin=6.0))
    turns = sorted(placed.turn for placed in job.sheets[0].front.placed)
    assert turns == [0, 0, 90, 90, 90]
    notice = "cards: on A4, some pieces are turned, with a margin of 6 mm instead of 10 mm: 5 on a sheet instead of 4"
    assert job.notices == (f"{notice}, 6 sheets instead of 8",)
    few = impose(deck("rect 70 x 120 mm", 5), Setup(least_margin=6.0))
    assert few.notices == (f"{notice}, 1 sheet instead of 2",)
    trims = [placed.trim for placed in job.sheets[0].front.placed]
    for mark in job.sheets[0].front.marks:
        assert any(abs(mark.a.x - x) < 1e-6 for trim in trims for x in (trim.x, trim.right)) or any(
            abs(mark.a.y - y) < 1e-6 for trim in trims for y in (trim.y, trim.bottom)
        )


def test_backs_of_turned_and_upright_cards_lie_behind_their_fronts():
    sheet = impose(deck("rect 70 x 120 mm", 30), Setup(least_margin=6.0)).sheets[0]
    for front, back in zip(sheet.front.placed, sheet.back.placed, strict=True):
        assert back.trim.x == pytest.approx(210 - front.trim.right)
        assert back.trim.size == front.trim.size
        assert (front.turn + back.turn) % 360 == 0


def test_bleed_is_reduced_for_marks_with_a_notice():
    job = impose(deck("rect 63.5 x 88.9 mm", 54), Setup(paper("letter"), least_margin=6.0))
    assert (
        "cards: only 2.5 mm of the 3 mm bleed is left between pieces, where marks need room"
        in job.notices
    )
    placed = job.sheets[0].front.placed
    for item, other in combinations(placed, 2):
        apart = max(other.ink.x - item.ink.right, item.ink.x - other.ink.right)
        assert max(apart, other.ink.y - item.ink.bottom, item.ink.y - other.ink.bottom) > 1 - 1e-6
    assert all(
        p.trim.grown(2.49).common(Rect(0, 0, 215.9, 279.4).grown(-5.2)).w <= p.ink.w + 1e-6
        for p in placed
    )


def test_bleed_fills_a_gutter_too_narrow_for_marks_to_its_middle():
    front = (
        impose(deck("rect 70 x 120 mm", 30, gutter=1.0), Setup(least_margin=6.0)).sheets[0].front
    )
    assert {placed.turn for placed in front.placed} == {0, 90}
    assert all(placed.ink.holds(placed.trim.grown(0.499)) for placed in front.placed)


def test_given_grid_or_deck_of_one_sheet_keeps_one_orientation():
    few = impose(deck("rect 70 x 120 mm", 4), Setup(least_margin=6.0))
    assert {placed.turn for placed in few.sheets[0].front.placed} == {0}
    asked = impose(deck("rect 70 x 120 mm", 30), Setup(grid=(2, 2)))
    assert len(asked.sheets) == 8
