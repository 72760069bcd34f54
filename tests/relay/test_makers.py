"""Test `pnp relay` with files of other programs: number, size and appearance of the pieces."""

import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from tests.tools.foreign_pdfs import A4, MM, NAMES, POKER, Canvas, card
from tests.tools.read_pdf import read

DATA = Path(__file__).parents[1] / "data" / "foreign_pdfs"

MAKERS = {
    "chromium-border": (18, 0, (63, 88)),
    "chromium-rounded": (18, 0, (63.5, 88.9)),
    "chromium-grid": (18, 0, (63, 88)),
    "protograf-gap": (12, 0, (63, 88)),
    "pdfimpose-marks": (9, 9, (63, 88)),
    "cairo-pattern": (18, 0, (63, 88)),
    "weasyprint-gradient": (18, 0, (63, 88)),
    "fpdf2-marks": (4, 4, (63.5, 88.9)),
}


@dataclass(frozen=True)
class Relayed:
    """A file of another program, with the output and the sheets of `pnp relay`."""

    name: str
    output: str
    folder: Path


@pytest.fixture(scope="module", params=MAKERS)
def relayed(request, pnp, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    file = DATA / f"{request.param}.pdf"
    return Relayed(request.param, pnp("relay", file, "-o", folder, "--paper", "a4").output, folder)


def test_all_pieces_of_another_program_are_found_in_their_size(relayed):
    count, backs, size = MAKERS[relayed.name]
    match = re.search(
        r"pieces: (\d+) of .*?([\d.]+) x ([\d.]+) mm; (\d+) with backs", relayed.output
    )
    assert match, relayed.output
    assert (int(match[1]), int(match[4])) == (count, backs)
    assert (float(match[2]), float(match[3])) == pytest.approx(size, abs=0.1)


def test_first_piece_looks_as_on_its_original_page(relayed):
    """Compare the first piece of the sheet with its window on the original page."""
    foreign_file = DATA / f"{relayed.name}.pdf"
    (found_pieces,) = relayed.folder.rglob("*-found.pdf")
    (sheets,) = relayed.folder.rglob("*-sheets-*.pdf")
    lines = [stroke for stroke in read(found_pieces)[0].strokes if stroke.dashed]
    left = min(item.x1 for item in lines)
    top = min(line.y1 for line in lines)
    w, h = MAKERS[relayed.name][2]
    form = min(read(sheets)[0].forms, key=lambda one: (round(one.y), one.x))
    before = window(foreign_file, left, top, w, h)
    quarters = round(form.turn / 90)
    across, along = (h, w) if quarters % 2 else (w, h)
    after = window(sheets, form.x - across / 2, form.y - along / 2, across, along)
    after = np.rot90(after, quarters)
    rows, columns = (min(sides) for sides in zip(before.shape[:2], after.shape[:2], strict=True))
    # The lines along the cut are left out, since cut marks replace them.
    inner = np.s_[10 : rows - 10, 10 : columns - 10]
    assert (np.abs(before[inner] - after[inner]).max(axis=2) > 60).mean() < 0.005


def window(path, x, y, w, h):
    """Return the pixels of a part of a file's first page, whose corner falls on a pixel's corner."""
    with pikepdf.open(path) as pdf:
        page = pdf.pages[0]
        left = float(page.MediaBox[0]) + x * MM
        top = float(page.MediaBox[3]) - y * MM
        page.CropBox = page.MediaBox = pikepdf.Array([left, top - h * MM, left + w * MM, top])
        out = io.BytesIO()
        pdf.save(out)
    document = pypdfium2.PdfDocument(out.getvalue())
    image = document[0].render(scale=150 / 72).to_pil().convert("RGB")
    document.close()
    return np.asarray(image).astype(np.int16)


PAGE = (69.85, 95.25)
"""A poker card with an eighth of an inch of bleed."""


def single_pages(path, words, size=PAGE):
    bleed = (size[0] - POKER[0]) / 2 * MM
    canvas = Canvas(str(path), pagesize=(size[0] * MM, size[1] * MM))
    for word in words:
        card(canvas, bleed, bleed, POKER[0] * MM, POKER[1] * MM, word, bleed, frame=False)
        canvas.showPage()
    canvas.save()


BACKS_FIRST = {
    "in turn": (
        [word for name in NAMES for word in ("Back", name)],
        "has the fronts of the backs on the page before",
    ),
    "halves": (["Back"] * len(NAMES) + NAMES, "backs first, then as many pages of fronts"),
}


@pytest.mark.parametrize("order", BACKS_FIRST)
def test_pages_of_backs_may_come_before_their_fronts(order, tmp_path, pnp):
    words, message = BACKS_FIRST[order]
    single_pages(tmp_path / "shop.pdf", words)
    result = pnp("relay", tmp_path / "shop.pdf", "-o", tmp_path, "--paper", "a4")
    assert f"pieces: {len(NAMES)} of " in result.output
    assert f"{len(NAMES)} with backs" in result.output
    assert message in result.output


def test_last_of_several_fronts_is_not_taken_for_their_back(tmp_path, pnp):
    single_pages(tmp_path / "fronts.pdf", NAMES[:5])
    result = pnp("relay", tmp_path / "fronts.pdf", "-o", tmp_path, "--paper", "a4")
    assert "pieces: 5 of " in result.output
    assert "no backs were found, so all pages are fronts" in re.sub(r"\s+", " ", result.output)


def test_framed_cards_in_a_picture_are_found_as_a_grid(tmp_path, pnp):
    """Lines between frames are twice as wide as outer lines, so the edges are unevenly spaced."""
    from PIL import Image, ImageDraw

    dots = 300 / 25.4
    image = Image.new("RGB", (2480, 3508), "white")
    draw = ImageDraw.Draw(image)
    for row in range(3):
        for column in range(3):
            x = (10.5 + 63 * column) * dots
            y = (16.5 + 88 * row) * dots
            draw.rectangle((x, y, x + 63 * dots - 1, y + 88 * dots - 1), outline="black", width=5)
            draw.ellipse(
                (x + 150, y + 300, x + 450, y + 600 + 30 * column), fill=(90 * row, 60, 90 * column)
            )
    image.save(tmp_path / "frames.pdf", resolution=300)
    for more in ([], ["--grid", "3x3"]):
        result = pnp(
            "relay", tmp_path / "frames.pdf", "-o", tmp_path / "out", "--paper", "a4", *more
        )
        assert "pieces: 9 of magic, 63 x 88 mm" in result.output


def test_grid_option_takes_a_gap_for_columns_and_one_for_rows(tmp_path, pnp):
    canvas = Canvas(str(tmp_path / "page.pdf"), pagesize=A4)
    canvas.drawString(200, 400, "Words")
    canvas.save()
    grid = "3x3 of 60 x 85 mm at 11mm 17mm gap 3.5mm 3.9mm"
    pnp("relay", tmp_path / "page.pdf", "-o", tmp_path, "--paper", "a4", "--grid", grid, "--show")
    (found_pieces,) = tmp_path.rglob("*-found.pdf")
    lines = [stroke for stroke in read(found_pieces)[0].strokes if stroke.dashed]
    ends = {round(item.x1, 1) for item in lines}, {round(line.y1, 1) for line in lines}
    assert ends[0] <= {11, 71, 74.5, 134.5, 138, 198}
    assert ends[1] <= {17, 102, 105.9, 190.9, 194.8, 279.8}


@pytest.mark.parametrize("size", [PAGE, (69.5, 94.9)])
def test_page_of_a_known_size_with_bleed_is_cut_to_that_size(size, tmp_path, pnp):
    single_pages(tmp_path / "shop.pdf", NAMES[:3], size)
    result = pnp("relay", tmp_path / "shop.pdf", "-o", tmp_path, "--paper", "a4")
    assert "pieces: 3 of poker, 63.5 x 88.9 mm; 0 with backs; 3 mm of bleed" in result.output
    assert "the page itself, without the bleed round a size that has a name" in result.output
