"""Test the page order of folded sheets: fold and nest them, and read the pages in order."""

import pytest

from generator.impose.signature import make_signature, pad_pages


def leaf_through(sheets):
    """Return the pages in reading order: half of a front, and behind it half of the back."""
    outward = [page for sheet in sheets for page in (sheet.front[1], sheet.back[0])]
    inward = [page for sheet in reversed(sheets) for page in (sheet.back[1], sheet.front[0])]
    return [*outward, *inward]


@pytest.mark.parametrize("count", range(1, 61))
def test_pages_of_a_signature_come_in_order(count):
    sheets = make_signature(count)
    assert len(sheets) == -(-count // 4)
    order = leaf_through(sheets)
    assert order[:count] == list(range(count))
    assert order[count:] == [None] * (-count % 4)


@pytest.mark.parametrize("count", range(2, 61))
def test_back_cover_of_a_signature_stays_outside(count):
    sheets = make_signature(count, back_cover=True)
    order = leaf_through(sheets)
    assert order[-1] == count - 1
    assert sheets[0].front[0] == count - 1
    assert [page for page in order if page is not None] == list(range(count))


def test_inner_sheets_of_a_signature_move_towards_the_fold():
    assert [sheet.shift for sheet in make_signature(12)] == pytest.approx([0, 0.1, 0.2])


def test_blank_pages_come_before_the_back_cover():
    assert pad_pages(5, back_cover=False) == (0, 1, 2, 3, 4, None, None, None)
    assert pad_pages(5, back_cover=True) == (0, 1, 2, 3, None, None, None, 4)
