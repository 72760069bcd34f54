"""Pages of the booklets as readers see them, by their ink: none is blank, and no half of one has a hole."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

GAMES = sorted(path.parent.name for path in (Path(__file__).parents[2] / "templates").glob("*/game.yaml"))
DPI = 36
MM = 25.4 / DPI
HOLE = 45.0
"""mm of nothing, one above the other, that no half page may have."""

TOP, FOOT = 12.0, 19.0
"""mm at the upper and the lower edge in which nothing need be."""


def pictures(path):
    """The pages in grey; where a figure lies all counts as ink, since a board need be no rectangle."""
    with pypdfium2.PdfDocument(path) as document:
        return [_with_figures(page, np.array(page.render(scale=DPI / 72).to_pil().convert("L"))) for page in document]


def _with_figures(page, seen):
    height, scale = page.get_height(), DPI / 72
    for form in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_FORM], max_depth=1):
        left, bottom, right, top = form.get_bounds()
        if top - bottom < 0.7 * height:  # a page on a folded sheet is a form too
            seen[
                round((height - top) * scale) : round((height - bottom) * scale),
                round(left * scale) : round(right * scale),
            ] = 0
    return seen


def gap(half):
    """The highest band of a half page in which there is no ink, in mm."""
    body = half[round(TOP / MM) : -round(FOOT / MM)]
    inked = [0, *(np.flatnonzero((body < 200).any(axis=1)) + 1), len(body) + 1]
    return max(np.diff(inked)) * MM


@pytest.fixture(scope="module", params=GAMES)
def folder(request, printed):
    return printed(request.param)


def test_no_half_page_to_read_has_a_hole(folder):
    """The last page may end where the rules do."""
    pages = pictures(next(folder.glob("*-rules.pdf")))
    assert all((page < 200).any() for page in pages)
    for number, page in enumerate(pages[:-1], 1):
        middle = page.shape[1] // 2
        for half in (page[:, :middle], page[:, middle:]):
            assert gap(half) < HOLE, number


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_folded_page_is_blank_or_has_a_hole(folder, paper):
    """Each side of a sheet is two pages; the back of the booklet may end where the rules do."""
    sides = pictures(next(folder.glob(f"*booklet-{paper}.pdf")))
    for number, side in enumerate(sides):
        middle = side.shape[1] // 2
        for half, page in enumerate((side[:, :middle], side[:, middle:])):
            assert (page[round(TOP / MM) : -round(FOOT / MM)] < 200).any(), (number, half)
            if (number, half) != (0, 0):
                assert gap(page) < HOLE, (number, half)
