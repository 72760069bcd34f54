"""Test files that need help: options for the pages, the grid and the backs."""

import re

import pytest

from tests.tools.foreign_pdfs import A4, MM, NAMES, POKER, Canvas, card, gutterfold, places
from tests.tools.read_pdf import read


@pytest.fixture(scope="module")
def loose(tmp_path_factory):
    """A page of rules, one of cards without frames or marks, one of framed cards, and two whose backs differ."""
    path = tmp_path_factory.mktemp("loose") / "loose.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawString(100, 500, "The rules.")
    canvas.showPage()
    spots = places(A4, POKER, 3, 3)
    w, h = (side * MM for side in POKER)
    for (x, y), name in zip(spots, NAMES, strict=False):
        canvas.drawCentredString(x + w / 2, y + h / 2, name)
    canvas.showPage()
    for words in (NAMES[:9], [f"of {name}" for name in NAMES[:9]]):
        for (x, y), word in zip(spots, words, strict=True):
            card(canvas, x, y, w, h, word)
        canvas.showPage()
    canvas.save()
    return path


def relay(pnp, path, folder, *more):
    result = pnp("relay", path, "-o", folder, "--paper", "a4", *more)
    assert result.exit_code == 0, result.output
    return result.output, sorted(folder.rglob("*-sheets-*.pdf"))


def test_pages_without_pieces_are_named_and_left_out(loose, tmp_path, pnp):
    said, (sheets,) = relay(pnp, loose, tmp_path)
    assert "nothing of pages 1, 2 is taken: no pieces are found there; --grid 3x3 says" in said
    assert "no backs were found, so all pages are fronts; --backs tells pnp where backs are" in said
    assert "The rules" not in "".join(page.text for page in read(sheets))
    assert "pieces: 18 of poker, 63.5 x 88.9 mm; 0 with backs" in said


def test_pages_and_backs_are_chosen(loose, tmp_path, pnp):
    said, (sheets,) = relay(pnp, loose, tmp_path, "--page", "3-4", "--backs", "alternate")
    assert "pieces: 9 of poker, 63.5 x 88.9 mm; 9 with backs" in said
    front, back = read(sheets)[:2]
    assert (len(front.forms), len(back.forms)) == (9, 9)
    assert "of Foxred" in back.text
    assert "of Foxred" not in front.text


@pytest.mark.parametrize(
    ("grid", "first"),
    [("3x3 of poker", (9.75, 15.15)), ("3x3 of 60 x 85 mm at 11mm 17mm gap 3.5mm 3.9mm", (11, 17))],
)
def test_a_grid_that_is_counted_needs_nothing_to_be_found(loose, tmp_path, pnp, grid, first):
    said, (sheets,) = relay(pnp, loose, tmp_path, "--page", "2", "--grid", grid)
    assert "page 2: 9 of " in said
    assert "by --grid" in said
    words = read(sheets)[0].text
    assert all(words.count(name) == 1 for name in NAMES[:8])
    shown = read(next(tmp_path.rglob("*-found.pdf")))[0]
    left = min(item.x1 for item in shown.strokes if item.dashed)
    top = min(stroke.y1 for stroke in shown.strokes if stroke.dashed)
    assert (left, top) == pytest.approx(first, abs=0.01)


def test_what_is_found_is_shown_alone(loose, tmp_path, pnp):
    _, sheets = relay(pnp, loose, tmp_path, "--show", "--page", "3")
    assert not sheets
    (page,) = read(next(tmp_path.rglob("*-found.pdf")))
    assert sorted(re.findall(r"\d", page.text)) == list("123456789")
    assert sum(stroke.dashed for stroke in page.strokes) == 4 * 9


def test_a_fold_is_laid_out_as_a_fold_again(tmp_path, pnp):
    stranger = gutterfold(tmp_path)
    said, (sheets,) = relay(pnp, stranger.path, tmp_path / "out", "--duplex", "gutterfold")
    assert "fronts and backs on one page, folded between them" in said
    pages = read(sheets)
    assert sum(len(page.forms) for page in pages) == 8
    assert all(page.text.count("of Foxred") <= 1 for page in pages)


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--grid", "three", "'three' is not a grid; expected 3x3, 3x3 of poker"),
        ("--grid", "3x3 at 1mm 2mm", "gives the position of the pieces but not their size"),
        ("--page", "0-3", "'0-3' is not a list of pages; expected numbers from 1 on"),
        (
            "--backs",
            "alternat",
            "unknown position of backs 'alternat'; expected auto, none, alternate, halves, last, before, backs-half,",
        ),
        ("--page", "9", "has 4 pages, and --page names none of them"),
        ("--grid", "5x5 of poker", "--grid: 5 x 5 pieces lie partly outside page 1"),
    ],
)
def test_slips_are_told(loose, tmp_path, pnp, option, value, said):
    result = pnp("relay", loose, "-o", tmp_path / "out", option, value)
    assert result.exit_code in {2, 3}
    assert said in re.sub(r"\s+", " ", result.output)
