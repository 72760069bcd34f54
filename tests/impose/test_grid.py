import pytest

from generator.core.geometry import Size
from generator.impose.slots import Grid, best, forced


@pytest.mark.parametrize(("cell", "across"), [(63.5, 4), (127, 2), (38.1 / 3 * 5, 4)])
def test_what_fits_exactly_fits_whatever_floats_make_of_it(cell, across):
    room = 279.4 - 2 * 12.7
    assert room < 4 * 63.5
    assert best(Size(cell, cell), Size(room, room), 0).columns == across


def test_equally_many_stay_upright():
    assert best(Size(30, 20), Size(60, 60), 0) == Grid(2, 3, Size(30, 20), 0, 0)
    assert best(Size(20, 30), Size(60, 60), 0).turn == 0


def test_a_gutter_lies_between_pieces_only():
    assert best(Size(30, 30), Size(65, 30), 5) == Grid(2, 1, Size(30, 30), 5)
    assert best(Size(30, 30), Size(64.9, 30), 5).columns == 1


def test_nothing_fits():
    assert best(Size(70, 10), Size(60, 60), 0) is None


def test_a_forced_grid_is_turned_only_when_it_must_be():
    assert forced((2, 1), Size(20, 30), Size(60, 60), 0).turn == 0
    assert forced((3, 1), Size(30, 20), Size(60, 60), 0).turn == 90
    assert forced((3, 1), Size(30, 30), Size(60, 60), 0) is None
