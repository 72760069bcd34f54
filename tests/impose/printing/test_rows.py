"""Test shared sheets: marks of different rows stay apart, and round pieces have a cutting circle."""

import math
from pathlib import Path

import pytest

from tests.tools.cut_sheet import MIN_ROW_GAP_MM, Stroke, find_confusing_marks, fronts, sheets
from tests.tools.read_pdf import Page, PlacedForm, read

FIRE_ENGINES = "urban-insanity-fire-engines"
PUNCH = str(Path(__file__).parents[2] / "data" / "packs" / "punch")
TOKEN = 18.0
BLEED = 2.0
TILE = 44.0


@pytest.fixture(scope="module")
def fire_engines(printed):
    """Return the front pages of the sheets by paper, and those of the tokens on A4 without marks."""
    usual = printed(FIRE_ENGINES)
    options = ("--what", "sheets", "--paper", "a4", "--only", "tokens", "--marks", "none")
    without_marks = printed(FIRE_ENGINES, *options)
    files = {
        "a4": next(usual.glob("*-sheets-a4.pdf")),
        "letter": next(usual.glob("*-sheets-letter.pdf")),
        "no marks": next(without_marks.glob("*-sheets-a4.pdf")),
    }
    return {
        name: [page for page in read(path) if "front" in page.label.split()]
        for name, path in files.items()
    }


def widths(page: Page) -> set[float]:
    return {round(form.w, 1) for form in page.forms}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_tiles_lie_in_a_separate_grid_from_pieces_cut_by_scissors(fire_engines, paper):
    *_, tiles, cut_out = fire_engines[paper]
    assert len(fire_engines[paper]) == 4
    assert widths(tiles) == {TILE}
    assert len(tiles.forms) == 12
    assert TILE not in widths(cut_out)
    assert sum(is_token(form) for form in cut_out.forms) == 13


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_marks_of_different_rows_keep_their_distance(fire_engines, paper):
    for page in fire_engines[paper]:
        assert list(find_confusing_marks(page)) == []


def test_reader_finds_near_marks_of_different_rows():
    """The reader finds two rows with marks 4 mm apart sideways."""
    rows = [PlacedForm((0, 0), 20, 20, 20, 20, 0, ()), PlacedForm((0, 0), 20, 60, 30, 30, 0, ())]
    marks = [Stroke(10, 32, 10, 36, 0.15), Stroke(14, 38, 14, 42, 0.15)]
    page = Page(210, 297, rows, marks, "", "")
    assert len(list(find_confusing_marks(page))) == 1
    assert MIN_ROW_GAP_MM == 10


def is_token(form: PlacedForm) -> bool:
    return math.isclose(form.w, TOKEN + 2 * BLEED, abs_tol=0.02) and math.isclose(
        form.h, form.w, abs_tol=0.02
    )


def circle_length(form: PlacedForm, page: Page) -> float:
    """Return the length of the thin black line that runs on a piece's trim, in mm."""
    return sum(
        math.dist((stroke.x1, stroke.y1), (stroke.x2, stroke.y2))
        for stroke in page.strokes
        if math.isclose(stroke.width, 0.15, abs_tol=0.01)
        and all(
            abs(math.dist(end, (form.x, form.y)) - TOKEN / 2) < 0.03
            for end in ((stroke.x1, stroke.y1), (stroke.x2, stroke.y2))
        )
    )


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_round_pieces_with_bleed_have_a_circle_on_their_trim(fire_engines, paper):
    page = fire_engines[paper][-1]
    tokens = [form for form in fronts(page) if is_token(form)]
    assert all(
        math.isclose(circle_length(form, page), math.pi * TOKEN, rel_tol=0.01) for form in tokens
    )


def test_round_pieces_have_no_circle_without_marks(fire_engines):
    pages = fire_engines["no marks"]
    tokens = [(form, page) for page in pages for form in page.forms if is_token(form)]
    assert tokens
    assert not any(circle_length(form, page) for form, page in tokens)


def test_pieces_of_many_outlines_share_one_sheet(pnp, tmp_path):
    result = pnp("build", PUNCH, "--what", "sheets", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    assert len(list(sheets(tmp_path))) == 1
