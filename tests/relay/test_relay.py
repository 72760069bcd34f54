"""Test `pnp relay` to another paper: pieces keep their size, and backs lie behind their fronts."""

import re

import numpy as np
import pikepdf
import pypdfium2
import pytest

from tests.tools.foreign_pdfs import FOREIGN_FILES, both_ways, colour, left_aligned
from tests.tools.read_pdf import MM, fonts, read, render

ON = {
    "touching": "a4",
    "gaps": "letter",
    "gutterfold": "letter",
    "pictures": "letter",
    "two_files": "a4",
}
"""The paper of each file, A4 unless named here."""


@pytest.fixture(scope="module")
def relayed(tmp_path_factory, pnp):
    """Return a function that relays a file to another paper and gives the file, the output and the sheets."""
    known = {}

    def once(name, *more):
        if (name, more) not in known:
            folder = tmp_path_factory.mktemp(name)
            foreign_file = FOREIGN_FILES[name](folder)
            files = [path for path in (foreign_file.path, foreign_file.backs) if path]
            result = pnp("relay", *files, "-o", folder, "--paper", ON.get(name, "a4"), *more)
            assert result.exit_code == 0, result.output
            (sheets,) = folder.rglob("*-sheets-*.pdf")
            known[name, more] = foreign_file, result.output, sheets
        return known[name, more]

    return once


def words_in(page, box):
    """Return the words in a box (mm from the top left) of a pypdfium2 page."""
    height = page.get_height() * MM
    x, y, w, h = box
    left, bottom, right, top = (side / MM for side in (x, height - y - h, x + w, height - y))
    return " ".join(page.get_textpage().get_text_bounded(left, bottom, right, top).split())


def shown_box(form):
    """Return the box of a form on its page, in mm from the top left."""
    w, h = (form.h, form.w) if round(form.turn) % 180 else (form.w, form.h)
    return form.x - w / 2, form.y - h / 2, w, h


def test_backs_are_found_where_their_margins_are_not_mirrored(tmp_path, pnp):
    foreign_file = left_aligned(tmp_path)
    options = ("--backs", "alternate", "--paper", "a4", "-o", tmp_path)
    result = pnp("relay", foreign_file.path, *options)
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.rglob("*-sheets-a4.pdf")
    front, back = read(path)
    with pypdfium2.PdfDocument(path) as document:
        boxes = [shown_box(form) for form in front.forms]
        pairs = {
            (
                words_in(document[0], box),
                words_in(document[1], (front.width - box[0] - box[2], *box[1:])),
            )
            for box in boxes
        }
    assert len(back.forms) == 8
    assert pairs == set(foreign_file.words)


def with_larger_units(path, copy, points):
    """Save a copy of a file that looks alike, with coordinates in units of several points."""
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            page.contents_add(f"{1 / points} 0 0 {1 / points} 0 0 cm\n".encode(), prepend=True)
            for key in ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox"):
                if key in page.obj:
                    page.obj[key] = pikepdf.Array([float(side) / points for side in page.obj[key]])
            page.obj.UserUnit = points
        pdf.save(copy)


@pytest.mark.parametrize("name", ["gaps", "pictures"])
def test_pages_in_larger_units_print_at_their_size(name, relayed, tmp_path, pnp):
    foreign_file, output, sheets = relayed(name)
    with_larger_units(foreign_file.path, tmp_path / foreign_file.path.name, 2.5)
    result = pnp(
        "relay", tmp_path / foreign_file.path.name, "-o", tmp_path, "--paper", ON.get(name, "a4")
    )
    assert result.exit_code == 0, result.output
    assert [line for line in result.output.splitlines() if line.startswith("  pieces:")] == [
        line for line in output.splitlines() if line.startswith("  pieces:")
    ]
    (scaled,) = tmp_path.rglob("*-sheets-*.pdf")
    assert len(read(sheets)) == len(read(scaled))
    for number in range(len(read(sheets))):
        difference = render(sheets, number, 60) - render(scaled, number, 60)
        assert np.abs(difference).mean() < 0.5  # of 255 levels: edges may differ a little


@pytest.mark.parametrize("name", FOREIGN_FILES)
def test_relayed_pieces_keep_their_size(relayed, name):
    foreign_file, output, sheets = relayed(name)
    pages = read(sheets)
    fronts = [form for page in pages for form in page.forms if not page.label.endswith("back")]
    assert len(fronts) == len(foreign_file.words)
    bleed = float(re.search(r"(?:([\d.]+) mm of|no) bleed", output)[1] or 0)
    for form in fronts:
        size = sorted((form.w - 2 * bleed, form.h - 2 * bleed))
        assert size == pytest.approx(sorted(foreign_file.size), abs=0.1)


@pytest.mark.parametrize("name", [name for name in FOREIGN_FILES if name != "pictures"])
def test_relayed_backs_lie_behind_their_fronts_and_text_stays_text(relayed, name):
    foreign_file, _, sheets = relayed(name)
    document = pypdfium2.PdfDocument(sheets)
    pages = read(sheets)
    words_of_cards = []
    for index, page in enumerate(pages):
        for form in page.forms if not page.label.endswith("back") else []:
            box = shown_box(form)
            behind = page.width - box[0] - box[2], *box[1:]
            back = words_in(document[index + 1], behind) if foreign_file.words[0][1] else ""
            words_of_cards.append((words_in(document[index], box), back))
    document.close()
    for (front, back), (own, other) in zip(words_of_cards, foreign_file.words, strict=True):
        assert own in front
        assert other in back
        assert front.count(own) == 1, "the word appears once, and no word of a neighbour"
    if (
        name == "two_files"
    ):  # the other files use the standard fonts of PDF, which need no embedding
        embedded = fonts(sheets)
        assert embedded
        assert all(embedded.values())


SIDES = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
MIRRORED = {"top": "top", "bottom": "bottom", "left": "right", "right": "left"}


def red_side(image, x, y, w, h):
    """Return the red side of a box (mm) on a picture of 100 dpi."""
    at = {side: (x + dx * (w / 2 - 4), y + dy * (h / 2 - 4)) for side, (dx, dy) in SIDES.items()}
    colours = {side: image[int(b / 25.4 * 100), int(a / 25.4 * 100)] for side, (a, b) in at.items()}
    (side_of_red,) = [side for side, (red, green, _) in colours.items() if red > 200 and green < 60]
    return side_of_red


def test_turned_card_has_its_back_turned_alike(tmp_path, pnp):
    """Both heads are at the same end when the sheet is turned like the page of a book."""
    foreign_file = both_ways(tmp_path)
    result = pnp("relay", foreign_file.path, "-o", tmp_path, "--paper", "a3")
    assert "pieces: 6 of tarot, 70 x 120 mm; 6 with backs" in result.output
    (sheets,) = tmp_path.rglob("*-sheets-*.pdf")
    page = read(sheets)[0]
    images = [render(sheets, index, 100) for index in (0, 1)]
    assert len(page.forms) == 6
    for form in page.forms:
        w, h = (form.h, form.w) if round(form.turn) % 180 else (form.w, form.h)
        front = red_side(images[0], form.x, form.y, w, h)
        back = red_side(images[1], page.width - form.x, form.y, w, h)
        assert back == MIRRORED[front]


def test_tiles_in_a_page_of_pixels_are_found_with_their_backs(relayed):
    foreign_file, output, sheets = relayed("pictures")
    assert "by pixels" in output
    pages = read(sheets)
    for index, own in ((0, [word for word, _ in foreign_file.words]), (1, ["Back"] * 6)):
        image = render(sheets, index, 100)
        for form, word in zip(
            sorted(pages[index].forms, key=lambda one: (round(one.y), one.x)), own, strict=True
        ):
            for side in (-0.47, 0.47):
                x = (form.x + side * form.w) / 25.4 * 100
                y = (form.y + side * form.h) / 25.4 * 100
                expected = np.array([255 * part for part in colour(word)])
                assert np.abs(image[int(y), int(x)] - expected).max() < 12
