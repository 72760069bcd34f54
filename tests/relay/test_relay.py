"""Somebody else's files on other paper: pieces found, as large as they were, each back behind its front."""

import re

import numpy as np
import pypdfium2
import pytest

from tests.tools.foreign_pdfs import STRANGERS, both_ways, colour
from tests.tools.read_pdf import MM, fonts, read, render

ON = {
    "touching": "a4",
    "gaps": "letter",
    "gutterfold": "letter",
    "pictures": "letter",
    "two_files": "a4",
}
"""What each is laid out on; others on both papers' first."""


@pytest.fixture(scope="module")
def relayed(tmp_path_factory, pnp):
    """Relay a file to other paper and return the output and the sheets."""
    known = {}

    def once(name, *more):
        if (name, more) not in known:
            folder = tmp_path_factory.mktemp(name)
            stranger = STRANGERS[name](folder)
            files = [path for path in (stranger.path, stranger.backs) if path]
            result = pnp("relay", *files, "-o", folder, "--paper", ON.get(name, "a4"), *more)
            assert result.exit_code == 0, result.output
            (sheets,) = folder.rglob("*-sheets-*.pdf")
            known[name, more] = stranger, result.output, sheets
        return known[name, more]

    return once


def words(page, box):
    """The words in a box (mm from the top left) of a page of pypdfium2's."""
    height = page.get_height() * MM
    x, y, w, h = box
    left, bottom, right, top = (side / MM for side in (x, height - y - h, x + w, height - y))
    return " ".join(page.get_textpage().get_text_bounded(left, bottom, right, top).split())


@pytest.mark.parametrize("name", STRANGERS)
def test_pieces_are_as_large_as_they_were(relayed, name):
    stranger, said, sheets = relayed(name)
    pages = read(sheets)
    fronts = [seen for page in pages for seen in page.forms if not page.label.endswith("back")]
    assert len(fronts) == len(stranger.said)
    bleed = float(re.search(r"(?:([\d.]+) mm of|no) bleed", said)[1] or 0)
    for seen in fronts:
        size = sorted((seen.w - 2 * bleed, seen.h - 2 * bleed))
        assert size == pytest.approx(sorted(stranger.size), abs=0.1)


@pytest.mark.parametrize("name", [name for name in STRANGERS if name != "pictures"])
def test_backs_are_behind_their_fronts_and_words_stay_words(relayed, name):
    stranger, _, sheets = relayed(name)
    document = pypdfium2.PdfDocument(sheets)
    pages = read(sheets)
    found = []
    for index, page in enumerate(pages):
        for seen in page.forms if not page.label.endswith("back") else []:
            w, h = (seen.h, seen.w) if round(seen.turn) % 180 else (seen.w, seen.h)
            box = seen.x - w / 2, seen.y - h / 2, w, h
            behind = page.width - box[0] - w, *box[1:]
            back = words(document[index + 1], behind) if stranger.said[0][1] else ""
            found.append((words(document[index], box), back))
    document.close()
    for (front, back), (own, other) in zip(found, stranger.said, strict=True):
        assert own in front
        assert other in back
        assert front.count(own) == 1, "once, and nothing of its neighbours"
    assert all(fonts(sheets).values()) or name != "two_files"


SIDES = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
MIRRORED = {"top": "top", "bottom": "bottom", "left": "right", "right": "left"}


def head(image, x, y, w, h):
    """The side of a box (mm) on a picture of 100 dpi at which it is red."""
    at = {side: (x + dx * (w / 2 - 4), y + dy * (h / 2 - 4)) for side, (dx, dy) in SIDES.items()}
    colours = {side: image[int(b / 25.4 * 100), int(a / 25.4 * 100)] for side, (a, b) in at.items()}
    (found,) = [side for side, (red, green, _) in colours.items() if red > 200 and green < 60]
    return found


def test_a_card_that_lay_is_turned_with_its_back(tmp_path, pnp):
    """The head is at the same end on both sides when the sheet is turned like the page of a book."""
    stranger = both_ways(tmp_path)
    result = pnp("relay", stranger.path, "-o", tmp_path, "--paper", "a3")
    assert "pieces: 6 of tarot, 70 x 120 mm; 6 with backs" in result.output
    (sheets,) = tmp_path.rglob("*-sheets-*.pdf")
    page = read(sheets)[0]
    images = [render(sheets, index, 100) for index in (0, 1)]
    assert len(page.forms) == 6
    for seen in page.forms:
        w, h = (seen.h, seen.w) if round(seen.turn) % 180 else (seen.w, seen.h)
        front = head(images[0], seen.x, seen.y, w, h)
        back = head(images[1], page.width - seen.x, seen.y, w, h)
        assert back == MIRRORED[front]


def test_a_page_of_pixels_shows_each_tile_and_its_back(relayed):
    stranger, said, sheets = relayed("pictures")
    assert "by pixels" in said
    pages = read(sheets)
    for index, own in ((0, [word for word, _ in stranger.said]), (1, ["Back"] * 6)):
        image = render(sheets, index, 100)
        for seen, word in zip(
            sorted(pages[index].forms, key=lambda one: (round(one.y), one.x)), own, strict=True
        ):
            for way in (-0.47, 0.47):
                x, y = (seen.x + way * seen.w) / 25.4 * 100, (seen.y + way * seen.h) / 25.4 * 100
                wanted = np.array([255 * part for part in colour(word)])
                assert np.abs(image[int(y), int(x)] - wanted).max() < 12
