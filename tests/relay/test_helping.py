"""Test files that need help: options for the pages, the grid and the backs."""

import re

import pytest
from PIL import Image, ImageDraw

from tests.tools.foreign_pdfs import A4, MM, NAMES, POKER, Canvas, card, gutterfold, places
from tests.tools.read_pdf import read


@pytest.fixture(scope="module")
def mixed_file(tmp_path_factory):
    """Return a file with a page of rules, a page of frameless cards, framed fronts and their backs."""
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


def test_pages_without_pieces_are_reported_and_left_out(mixed_file, tmp_path, pnp):
    output, (sheets,) = relay(pnp, mixed_file, tmp_path)
    assert (
        "pages 1, 2 are left out: pnp finds no pieces there; set their number with --grid 3x3"
        in output
    )
    assert (
        "no backs were found, so all pages are fronts; --backs tells pnp where backs are" in output
    )
    assert "The rules" not in "".join(page.text for page in read(sheets))
    assert "pieces: 18 of poker, 63.5 x 88.9 mm; 0 with backs" in output


def test_options_select_pages_and_pair_fronts_with_backs(mixed_file, tmp_path, pnp):
    output, (sheets,) = relay(pnp, mixed_file, tmp_path, "--page", "3-4", "--backs", "alternate")
    assert "pieces: 9 of poker, 63.5 x 88.9 mm; 9 with backs" in output
    front, back = read(sheets)[:2]
    assert (len(front.forms), len(back.forms)) == (9, 9)
    assert "of Foxred" in back.text
    assert "of Foxred" not in front.text


@pytest.mark.parametrize(
    ("grid", "first"),
    [("3x3 of poker", (9.75, 15.15)), ("3x3 of 60 x 85 mm at 11mm 17mm gap 3.5mm 3.9mm", (11, 17))],
)
def test_grid_with_a_size_cuts_pages_without_visible_edges(mixed_file, tmp_path, pnp, grid, first):
    output, (sheets,) = relay(pnp, mixed_file, tmp_path, "--page", "2", "--grid", grid)
    assert "page 2: 9 of " in output
    assert "by --grid" in output
    words = read(sheets)[0].text
    assert all(words.count(name) == 1 for name in NAMES[:8])
    found_page = read(next(tmp_path.rglob("*-found.pdf")))[0]
    left = min(item.x1 for item in found_page.strokes if item.dashed)
    top = min(stroke.y1 for stroke in found_page.strokes if stroke.dashed)
    assert (left, top) == pytest.approx(first, abs=0.01)


@pytest.mark.parametrize(
    ("grid", "places_of_last"),
    [
        ((), (0, 1)),
        ((), (1, 2)),
        (("--grid", "3x3"), (0, 1)),
        (("--grid", "3x3 of poker"), (1, 2)),
    ],
)
def test_two_cards_on_the_last_page_of_pictures_are_cut_like_the_pages_before(
    grid, places_of_last, tmp_path, pnp
):
    """Draw the cards as pixels, as scans do; two of them cover only a small part of their page."""
    left = 9.75
    top = 15.15
    w, h = POKER
    per_mm = 10
    pages = []
    for columns, rows in [(range(3), range(3)), (places_of_last, range(1))]:
        page = Image.new("RGB", (2100, 2970), "white")
        for column in columns:
            for row in rows:
                x = left + column * w
                y = top + row * h
                fill = (255, 200 - 50 * column, 150 + 40 * row)
                corners = [round(edge * per_mm) for edge in (x, y, x + w, y + h)]
                ImageDraw.Draw(page).rectangle(corners, outline="black", width=3, fill=fill)
        pages.append(page)
    path = tmp_path / "cards.pdf"
    pages[0].save(path, save_all=True, append_images=pages[1:], resolution=25.4 * per_mm)
    output, _ = relay(pnp, path, tmp_path, "--backs", "none", *grid)
    assert "page 2: 9 of poker, 63.5 x 88.9 mm, by the grid of page 1" in output
    assert "pieces: 11 of poker, 63.5 x 88.9 mm" in output


def test_page_of_rules_in_a_frame_as_large_as_the_cards_is_not_cut(tmp_path, pnp):
    spots = places(A4, POKER, 3, 3)
    w, h = (side * MM for side in POKER)
    canvas = Canvas(str(tmp_path / "game.pdf"), pagesize=A4)
    for (x, y), name in zip(spots, NAMES, strict=False):
        card(canvas, x, y, w, h, name)
    canvas.showPage()
    left, bottom = (min(place[axis] for place in spots) for axis in (0, 1))
    canvas.rect(left, bottom, 3 * w, 3 * h)
    canvas.drawString(100, 500, "The rules.")
    canvas.save()
    output, _ = relay(pnp, tmp_path / "game.pdf", tmp_path)
    assert "page 2 is left out" in output


def test_show_option_writes_the_found_pieces_and_no_sheets(mixed_file, tmp_path, pnp):
    _, sheets = relay(pnp, mixed_file, tmp_path, "--show", "--page", "3")
    assert not sheets
    (page,) = read(next(tmp_path.rglob("*-found.pdf")))
    assert sorted(re.findall(r"\d", page.text)) == list("123456789")
    assert sum(stroke.dashed for stroke in page.strokes) == 4 * 9


def test_gutterfold_file_is_imposed_as_a_gutterfold_again(tmp_path, pnp):
    foreign_file = gutterfold(tmp_path)
    output, (sheets,) = relay(pnp, foreign_file.path, tmp_path / "out", "--duplex", "gutterfold")
    assert "fronts and backs on one page, folded between them" in output
    pages = read(sheets)
    assert sum(len(page.forms) for page in pages) == 8
    assert sum(page.text.count("of Foxred") for page in pages) == 1


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--grid", "three", "'three' is not a grid; expected 3x3, 3x3 of poker"),
        ("--grid", "3x3 at 1mm 2mm", "gives the position of the pieces but not their size"),
        ("--page", "0-3", "'0-3' is not a list of pages; expected numbers from 1 on"),
        (
            "--backs",
            "alternat",
            "unknown position of backs 'alternat'; expected one of: alternate, auto, backs-half, before, first,",
        ),
        ("--page", "9", "has 4 pages, and --page names none of them"),
        ("--grid", "5x5 of poker", "--grid: 5 x 5 pieces lie partly outside page 1"),
    ],
)
def test_wrong_option_value_is_refused_with_the_expected_form(
    mixed_file, tmp_path, pnp, option, value, message
):
    result = pnp("relay", mixed_file, "-o", tmp_path / "out", option, value)
    assert result.exit_code in {2, 3}
    assert message in re.sub(r"\s+", " ", result.output)
