"""On shared sheets, marks of rows cut along other lines stay apart, and round pieces have a circle to cut along."""

import math
from pathlib import Path

import pytest

from tests.tools.cut_sheet import ROWS_APART, Stroke, confused, fronts, sheets
from tests.tools.read_pdf import Page, Seen, read

FIRE_ENGINES = "urban-insanity-fire-engines"
PUNCH = str(Path(__file__).parents[2] / "data" / "packs" / "punch")
TOKEN = 18.0
BLEED = 2.0
TILE = 44.0


@pytest.fixture(scope="module")
def fire_engines(pnp, tmp_path_factory):
    """Return the front pages of the sheets by paper."""
    folder = tmp_path_factory.mktemp("rows")
    made = pnp("build", FIRE_ENGINES, "--what", "sheets", "-o", folder)
    assert made.exit_code == 0, made.output
    pages = {"a4": [], "letter": []}
    for path, number in sheets(folder):
        pages["a4" if "a4" in path.name else "letter"].append(read(path)[number])
    return pages


def widths(page: Page) -> set[float]:
    return {round(seen.w, 1) for seen in page.forms}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_tiles_have_a_grid_of_their_own_and_what_is_cut_with_scissors_a_sheet(fire_engines, paper):
    *_, tiles, cut_out = fire_engines[paper]
    assert len(fire_engines[paper]) == 4
    assert widths(tiles) == {TILE}
    assert len(tiles.forms) == 12
    assert TILE not in widths(cut_out)
    assert sum(is_token(seen) for seen in cut_out.forms) == 13


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_marks_of_other_rows_are_not_near(fire_engines, paper):
    for page in fire_engines[paper]:
        assert list(confused(page)) == []


def test_marks_of_other_rows_that_are_near_are_found():
    """The reader is not blind: two rows with marks 4 mm apart sideways."""
    rows = [Seen((0, 0), 20, 20, 20, 20, 0, ()), Seen((0, 0), 20, 60, 30, 30, 0, ())]
    marks = [Stroke(10, 32, 10, 36, 0.15), Stroke(14, 38, 14, 42, 0.15)]
    page = Page(210, 297, rows, marks, "", "")
    assert len(list(confused(page))) == 1
    assert ROWS_APART == 10


def is_token(seen: Seen) -> bool:
    return math.isclose(seen.w, TOKEN + 2 * BLEED, abs_tol=0.02) and math.isclose(
        seen.h, seen.w, abs_tol=0.02
    )


def circled(seen: Seen, page: Page) -> float:
    """Return the length of the thin black line that runs on a piece's trim, in mm."""
    return sum(
        math.dist((stroke.x1, stroke.y1), (stroke.x2, stroke.y2))
        for stroke in page.strokes
        if math.isclose(stroke.width, 0.15, abs_tol=0.01)
        and all(
            abs(math.dist(end, (seen.x, seen.y)) - TOKEN / 2) < 0.03
            for end in ((stroke.x1, stroke.y1), (stroke.x2, stroke.y2))
        )
    )


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_round_pieces_with_bleed_have_a_circle_on_their_trim(fire_engines, paper):
    page = fire_engines[paper][-1]
    tokens = [seen for seen in fronts(page) if is_token(seen)]
    assert all(math.isclose(circled(seen, page), math.pi * TOKEN, rel_tol=0.01) for seen in tokens)


def test_without_marks_there_is_no_circle(pnp, tmp_path):
    made = pnp(
        "build",
        FIRE_ENGINES,
        "--what",
        "sheets",
        "--marks",
        "none",
        "--paper",
        "a4",
        "-o",
        tmp_path,
    )
    assert made.exit_code == 0, made.output
    pages = [read(path)[number] for path, number in sheets(tmp_path)]
    tokens = [(seen, page) for page in pages for seen in page.forms if is_token(seen)]
    assert tokens
    assert not any(circled(seen, page) for seen, page in tokens)


def test_pieces_of_many_outlines_still_share_one_sheet(pnp, tmp_path):
    made = pnp("build", PUNCH, "--what", "sheets", "-o", tmp_path)
    assert made.exit_code == 0, made.output
    assert len(list(sheets(tmp_path))) == 1
