"""Test the best grid of pieces on a sheet, and given grids."""

import pytest

from generator.base.geometry import Size
from generator.impose.grid import Grid, find_best_grid, force_grid


@pytest.mark.parametrize(("cell", "across"), [(63.5, 4), (127, 2), (38.1 / 3 * 5, 4)])
def test_exact_fit_is_not_lost_by_rounding(cell, across):
    room = 279.4 - 2 * 12.7
    assert room < 4 * 63.5
    assert find_best_grid(Size(cell, cell), Size(room, room), 0).columns == across


def test_pieces_stay_upright_if_equally_many_fit():
    assert find_best_grid(Size(30, 20), Size(60, 60), 0) == Grid(2, 3, Size(30, 20), 0, 0)
    assert find_best_grid(Size(20, 30), Size(60, 60), 0).turn == 0


def test_gutter_lies_only_between_pieces():
    assert find_best_grid(Size(30, 30), Size(65, 30), 5) == Grid(2, 1, Size(30, 30), 5)
    assert find_best_grid(Size(30, 30), Size(64.9, 30), 5).columns == 1


def test_grid_for_a_piece_larger_than_the_paper_is_none():
    assert find_best_grid(Size(70, 10), Size(60, 60), 0) is None


def test_given_grid_is_turned_only_if_needed():
    assert force_grid((2, 1), Size(20, 30), Size(60, 60), 0).turn == 0
    assert force_grid((3, 1), Size(30, 20), Size(60, 60), 0).turn == 90
    assert force_grid((3, 1), Size(30, 30), Size(60, 60), 0) is None
