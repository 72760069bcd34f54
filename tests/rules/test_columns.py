"""Test that rules are split into the best columns."""

from dataclasses import replace
from itertools import combinations_with_replacement, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Size
from generator.rules.booklet.pages import (
    EMPTY_COLUMN_MM_COST,
    FREE_HOLE_MM,
    HELD,
    HOLE_COST,
    READING,
    SHARES,
    SOME_LINES_MM,
    UNEVEN_MM,
    SizedItem,
    Tie,
)
from generator.rules.booklet.search import Composer

PAGE_MM = 240.0
GAP_MM = 3.0


def heights_of(columns):
    return [sum(column) + GAP_MM * max(len(column) - 1, 0) for column in columns]


def cost_of(heights):
    """Return the cost of columns by their heights alone: high ones, uneven ones, empty ones."""
    tallest = max(heights)
    lacks = [tallest - height for height in heights]
    uneven = sum((lack / UNEVEN_MM) ** 2 + HOLE_COST * (lack > FREE_HOLE_MM) for lack in lacks)
    empty = EMPTY_COLUMN_MM_COST * tallest * heights.count(0.0) * (tallest > SOME_LINES_MM)
    return tallest + uneven + empty


def all_columns(heights, count):
    """Yield all ways to split heights into this many columns of which only the first is never empty."""
    for cuts in combinations_with_replacement(range(1, len(heights) + 1), count - 1):
        yield [heights[a:b] for a, b in pairwise((0, *cuts, len(heights)))]


@pytest.mark.parametrize("count", [3, 4])
@given(st.lists(st.sampled_from([4.0, 9.0, 14.0, 23.0, 45.0]), min_size=4, max_size=10))
def test_no_other_split_into_columns_costs_less(count, heights):
    items = [
        SizedItem((height,) * len(SHARES), before=GAP_MM, after=GAP_MM, give=0.0)
        for height in heights
    ]
    size = Size(READING.size.w, PAGE_MM + READING.top + READING.bottom)
    form = replace(READING, size=size, columns=count)
    (page, *_) = Composer(items, form, facing=False).compose(1, lambda _: 0.0)
    on_page = heights[: len(page.spots)]
    chosen = [[] for _ in range(count)]
    for spot in page.spots:
        chosen[spot.column].append(heights[spot.item])
    fitting = [
        columns
        for columns in map(heights_of, all_columns(on_page, count))
        if max(columns) <= PAGE_MM
    ]
    assert cost_of(heights_of(chosen)) == pytest.approx(min(map(cost_of, fitting)))


def test_figure_moves_past_few_lines_and_stays_below_its_heading():
    """Leave no column empty: the text before the figure is one block, too high for two even columns."""
    heading = SizedItem((10.0,) * len(SHARES), section=True, tie=Tie(HELD))
    text = SizedItem((45.0,) * len(SHARES))
    figure = SizedItem((60.0,) * len(SHARES), across=True, floats=True)
    items = [text, text, heading, text, figure, text, text, text]
    (page,) = Composer(items, READING, facing=False).compose(1, lambda _: 0.0)
    tops = {spot.item: (spot.top, spot.column) for spot in page.spots}
    (top, column) = tops[items.index(figure)]
    assert column is None
    assert tops[items.index(heading)][0] < top
    assert [item for item in (3, 5, 6, 7) if tops[item][0] > top] == [6, 7]
