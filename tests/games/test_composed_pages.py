"""Pages of the booklets as readers see them.

By their ink none is blank, and no half of one has a hole; by their letters headings, lists and
figures stay with what belongs to them.
"""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from tests.tools.booklet_pages import KEY, find_blocks, hyphenated_captions, pages

GAMES = sorted(
    path.parent.name for path in (Path(__file__).parents[2] / "templates").glob("*/game.yaml")
)
DPI = 36
MM = 25.4 / DPI
HOLE = 45.0
"""mm of nothing, one above the other, that no half page may have."""

TOP = 12.0
FOOT = 19.0
"""mm at the upper and the lower edge in which nothing need be."""


def pictures(path):
    """The pages in grey.

    Where a figure lies all counts as ink, since a board need be no rectangle.
    """
    with pypdfium2.PdfDocument(path) as document:
        return [
            _with_figures(page, np.array(page.render(scale=DPI / 72).to_pil().convert("L")))
            for page in document
        ]


def _with_figures(page, seen):
    height = page.get_height()
    scale = DPI / 72
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


BOOKS = [(game, ()) for game in GAMES] + [("buizen-wir-war", ("--lang", "nl"))]


@pytest.fixture(scope="module", params=BOOKS, ids=lambda book: "-".join((book[0], *book[1][1:])))
def folder(request, printed):
    game, more = request.param
    return printed(game, *more)


def to_read(folder):
    """Return the file of the rules to read, in any language."""
    return next(path for path in folder.glob("*-rules*.pdf") if "booklet" not in path.name)


def test_no_half_page_to_read_has_a_hole(folder):
    """The last page may end where the rules do."""
    seen = pictures(to_read(folder))
    assert all((page < 200).any() for page in seen)
    for number, page in enumerate(seen[:-1], 1):
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


@pytest.fixture(scope="module")
def book(folder):
    """A game's rules as blocks at their places, to read and to fold.

    Both papers have the same folded pages.
    """
    html = next(folder.glob("*.html")).read_text("utf-8")
    files = {"read": to_read(folder), "fold": next(folder.glob("*booklet-a4.pdf"))}
    return {
        way: find_blocks(html, pages(path, folded=way == "fold")) for way, path in files.items()
    }


WAYS = ("read", "fold")


@pytest.mark.parametrize("way", WAYS)
def test_nearly_all_of_the_rules_is_found(book, way):
    kinds = {block.kind for block, _ in book[way]}
    assert {"h2", "p", "li", "figcaption"} <= kinds
    assert len(book[way]) > 50


@pytest.mark.parametrize("way", WAYS)
def test_no_heading_stands_alone(book, way):
    """The text under a heading begins in the column of the heading.

    A caption has its figure above it.
    """
    for (block, spot), (below, after) in pairwise(book[way]):
        if (
            block.kind in {"h2", "h3", "h4"} and len(below.text) >= KEY
        ):  # a shorter one may stand elsewhere too
            assert (spot.page, True) == (after.page, after.y > spot.y), (block.text, below.text)
            if way == "read" and below.kind != "figcaption":
                assert (after.x > after.wide / 2) == (spot.x > spot.wide / 2), (
                    block.text,
                    below.text,
                )


def test_no_caption_is_hyphenated(folder):
    html = next(folder.glob("*.html")).read_text("utf-8")
    assert "<figcaption" in html
    assert not hyphenated_captions(html, to_read(folder))
    assert not hyphenated_captions(html, next(folder.glob("*booklet-a4.pdf")))


@pytest.mark.parametrize("way", WAYS)
def test_no_list_is_split(book, way):
    """All items are on one page and, where pages have two columns, in one column."""
    lists = defaultdict(list)
    for block, spot in book[way]:
        if block.kind == "li":
            column = way == "read" and spot.x > spot.wide / 2
            lists[block.list_id].append((spot.page, column))
    assert max(map(len, lists.values())) > 2
    for places in lists.values():
        assert len(set(places)) == 1, places


@pytest.mark.parametrize("way", WAYS)
def test_a_figure_stands_in_sight_of_its_text(book, way):
    """On the page of the words before it, or on the one that faces it."""
    said = None
    for block, spot in book[way]:
        if block.kind == "figcaption" and said:
            sight = {said.page, said.page ^ 1} if way == "fold" else {said.page}
            assert spot.page in sight, block.text
        elif block.kind in {"p", "li", "h3"}:
            said = spot


@pytest.mark.parametrize("way", WAYS)
def test_steps_stand_in_sight_of_the_figure_that_shows_them(book, way):
    """A list right after a figure: all of it on the page of the caption, or on the one that faces it."""
    shown = None
    for (block, spot), (before, above) in zip(book[way][1:], book[way], strict=False):
        if block.kind != "li":
            continue
        if before.kind == "figcaption":
            shown = block.list_id, above.page
        if shown and shown[0] == block.list_id:
            assert spot.page in ({shown[1], shown[1] ^ 1} if way == "fold" else {shown[1]}), (
                block.text
            )
