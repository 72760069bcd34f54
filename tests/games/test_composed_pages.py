"""Test the pages of the booklets: no page is blank, and no half page has a hole.

Headings, lists and figures stay next to their text.
"""

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from tests.tools.booklet_layout import decorations, grey_pages, halves, hole_mm, printed_pieces
from tests.tools.booklet_pages import KEY, blocks, find_blocks, hyphenated_captions, pages, plain

GAMES = sorted(
    path.parent.name for path in (Path(__file__).parents[2] / "templates").glob("*/game.yaml")
)
DPI = 36
MM = 25.4 / DPI
HOLE = 45.0
"""Height in mm from which an empty band on a half page counts as a hole."""

TOP = 12.0
FOOT = 19.0
"""Heights in mm at the top and the bottom of a page that may be empty."""


def highest_empty_band_mm(half):
    """Return the height in mm of the highest band without ink in a half page."""
    body = half[round(TOP / MM) : -round(FOOT / MM)]
    inked = [0, *(np.flatnonzero((body < 200).any(axis=1)) + 1), len(body) + 1]
    return max(np.diff(inked)) * MM


BOOKS = [(game, ()) for game in GAMES] + [("buizen-wir-war", ("--lang", "nl"))]


@pytest.fixture(scope="module", params=BOOKS, ids=lambda book: "-".join((book[0], *book[1][1:])))
def folder(request, printed):
    game, more = request.param
    return printed(game, *more)


def file_of(folder, way):
    """Return the file of the rules to read, or to fold; folded pages are the same for both papers."""
    return reading_file(folder) if way == "read" else next(folder.glob("*booklet-a4.pdf"))


def reading_file(folder):
    """Return the file of the rules to read, in any language."""
    return next(path for path in folder.glob("*-rules*.pdf") if "booklet" not in path.name)


def test_half_pages_to_read_have_no_holes(folder):
    """Look at all pages except the last of text and the back cover, which may end early."""
    page_pixels = grey_pages(reading_file(folder))
    assert all((page < 200).any() for page in page_pixels)
    for number, page in enumerate(page_pixels[:-2], 1):
        middle = page.shape[1] // 2
        for half in (page[:, :middle], page[:, middle:]):
            assert highest_empty_band_mm(half) < HOLE, number


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_folded_pages_are_not_blank_and_have_no_holes(folder, paper):
    """Look at both pages of each side; the last page of text and the back may end early."""
    sides = grey_pages(next(folder.glob(f"*booklet-{paper}.pdf")))
    for number, side in enumerate(sides):
        middle = side.shape[1] // 2
        for half, page in enumerate((side[:, :middle], side[:, middle:])):
            assert (page[round(TOP / MM) : -round(FOOT / MM)] < 200).any(), (number, half)
            if (number, half) not in {(0, 0), (1, 1)}:
                assert highest_empty_band_mm(page) < HOLE, (number, half)


WAYS = ("read", "fold")


@pytest.fixture(scope="module")
def letters(folder):
    """Return the letters of the pages of a game's rules with their places, to read and to fold."""
    return {way: pages(file_of(folder, way), folded=way == "fold") for way in WAYS}


@pytest.fixture(scope="module")
def book(folder, letters):
    """Return the blocks of a game's rules with their places, to read and to fold."""
    html = next(folder.glob("*.html")).read_text("utf-8")
    return {way: find_blocks(html, letters[way]) for way in WAYS}


@pytest.fixture(scope="module")
def art(folder):
    """Return the pictures of a game's rules that screen readers skip, to read and to fold."""
    return {way: decorations(file_of(folder, way), folded=way == "fold") for way in WAYS}


@pytest.mark.parametrize("way", WAYS)
def test_two_thirds_of_the_blocks_of_rules_are_found_on_pages(folder, book, way):
    """Make sure that the next tests look at enough blocks."""
    html = next(folder.glob("*.html")).read_text("utf-8")
    kinds = {block.kind for block, _ in book[way]}
    assert {"h2", "p", "li", "figcaption"} <= kinds
    assert len(book[way]) > 0.66 * len(blocks(html))


@pytest.mark.parametrize("way", WAYS)
def test_heading_stands_on_page_and_in_column_of_its_text(book, way):
    """Compare the place of each heading with that of the following text.

    A caption stands below its figure.
    """
    for (block, spot), (below, after) in pairwise(book[way]):
        # A shorter text may stand elsewhere, too.
        if block.kind in {"h2", "h3", "h4"} and len(below.text) >= KEY:
            assert (spot.page, True) == (after.page, after.y > spot.y), (block.text, below.text)
            if way == "read" and below.kind != "figcaption":
                assert (after.x > after.wide / 2) == (spot.x > spot.wide / 2), (
                    block.text,
                    below.text,
                )


def test_no_caption_is_hyphenated(folder):
    html = next(folder.glob("*.html")).read_text("utf-8")
    assert "<figcaption" in html
    assert not hyphenated_captions(html, reading_file(folder))
    assert not hyphenated_captions(html, next(folder.glob("*booklet-a4.pdf")))


@pytest.mark.parametrize("way", WAYS)
def test_no_list_is_split(book, way):
    """Compare the pages of all items of a list and, on pages with two columns, their columns."""
    lists = defaultdict(list)
    for block, spot in book[way]:
        if block.kind == "li":
            column = way == "read" and spot.x > spot.wide / 2
            lists[block.list_id].append((spot.page, column))
    assert max(map(len, lists.values())) > 2
    for places in lists.values():
        assert len(set(places)) == 1, places


@pytest.mark.parametrize("way", WAYS)
def test_components_of_a_section_stand_on_one_page(folder, letters, way):
    """Find the number and name of each component, section by section of the web page."""
    html = next(folder.glob("*.html")).read_text("utf-8")
    texts = {
        number: "".join(letter for letter, *_ in spots) for number, spots in letters[way].items()
    }
    most = 0
    for section in re.split("<h[23]", html):
        names = re.findall(r"<strong>(\d+ × [^<]+)</strong>", section)
        most = max(most, len(names))
        found = [next(n for n, text in texts.items() if plain(name) in text) for name in names]
        assert len(set(found)) <= 1, dict(zip(names, found, strict=True))
    assert most


@pytest.mark.parametrize("way", WAYS)
def test_figure_stands_on_same_or_facing_page_as_its_text(book, way):
    """Compare the page of each caption with that of the preceding text."""
    text_spot = None
    for block, spot in book[way]:
        if block.kind == "figcaption" and text_spot:
            sight = {text_spot.page, text_spot.page ^ 1} if way == "fold" else {text_spot.page}
            assert spot.page in sight, block.text
        elif block.kind in {"p", "li", "h3"}:
            text_spot = spot


@pytest.mark.parametrize("way", WAYS)
def test_steps_stand_on_same_or_facing_page_as_their_figure(book, way):
    """Compare the pages of a list right after a figure with the page of its caption."""
    list_of_figure = None
    for (block, spot), (before, above) in zip(book[way][1:], book[way], strict=False):
        if block.kind != "li":
            continue
        if before.kind == "figcaption" and before.section == block.section:
            list_of_figure = block.list_id, above.page
        if list_of_figure and list_of_figure[0] == block.list_id:
            assert spot.page in (
                {list_of_figure[1], list_of_figure[1] ^ 1} if way == "fold" else {list_of_figure[1]}
            ), block.text


TEXT_MM = {"read": 176.0, "fold": 114.7}
"""The widths of the text of a page to read, over both columns, and of a folded page."""

ICON_MM = 16.5
"""The height of pictures in lists of material is at most 16; art that fills pages is higher."""

STRIP_MM = 14.5
"""The greatest distance of a theme's strip at the head of the first page from the edge of the page."""


def filling_art(pictures, way):
    """Return the art that fills the feet of pages between the covers, and the number of the back cover."""
    height = {"read": 279.4, "fold": 210.0}[way]
    back_cover = max(picture.page for picture in pictures)
    return [
        picture
        for picture in pictures
        if 1 < picture.page < back_cover
        and ICON_MM < picture.h < height - 1  # not the background of the full page
        and picture.y > STRIP_MM
    ], back_cover


HOLE_AT_FOOT = 15.0
"""The greatest empty height in mm at the foot of a column, or above the art there."""


@pytest.mark.parametrize("way", WAYS)
def test_columns_end_at_the_foot_of_their_page_or_above_its_art(folder, art, way):
    """Look at all pages but the covers; only the last column of the text may end early."""
    columns = halves(file_of(folder, way), folded=way == "fold")
    last = max(half.page for half in columns)
    inner = [half for half in columns if 1 < half.page < last][:-1]
    assert len(inner) > 4
    filling = {picture.page: picture for picture in filling_art(art[way], way)[0]}
    holes = {(half.page, half.column): hole_mm(half, way, filling.get(half.page)) for half in inner}
    assert {place: hole for place, hole in holes.items() if hole > HOLE_AT_FOOT} == {}


def test_file_to_read_has_an_even_number_of_pages(folder):
    with pypdfium2.PdfDocument(reading_file(folder)) as document:
        assert len(document) % 2 == 0


@pytest.mark.parametrize("way", WAYS)
def test_filling_art_is_across_the_page_and_takes_a_third_of_it_at_most(art, way):
    strips = [picture.w for picture in art[way] if picture.page == 2 and picture.y <= STRIP_MM]
    assert pytest.approx(TEXT_MM[way], abs=0.11) in strips, "the strip of the first page is found"
    height = {"read": 279.4, "fold": 210.0}[way]
    filled, back_cover = filling_art(art[way], way)
    assert filled
    assert len(filled) <= 0.75 * (back_cover - 2), "some inner pages are full of rules"
    for picture in filled:
        assert picture.w == pytest.approx(TEXT_MM[way], abs=0.1)
        assert picture.h <= height / 3 + 0.01


# The least width or height in mm, whichever is smaller, of a card or tile in a figure and in a list;
# figures show tokens, dice and trucks on a tile at its scale.
MIN_PIECE = 14.0
MIN_THUMBNAIL = 11.0
MAX_TOKEN = 30.0


@pytest.fixture(scope="module")
def pieces_of(folder, project_of):
    """Return a function that gives the cards and tiles that a booklet shows, to read or to fold."""
    game = next(game for game in GAMES if any(folder.glob(f"{game}-*.pdf")))
    faces = [
        face
        for component in project_of(game).components
        for design in component.designs
        for face in design.faces
    ]
    shapes = {
        (face.size.w + 2 * face.bleed, face.size.h + 2 * face.bleed): tuple(face.size)
        for face in faces
        if min(face.size) > MAX_TOKEN
    }
    return cache(lambda way: list(printed_pieces(file_of(folder, way), shapes)))


@pytest.mark.parametrize("way", WAYS)
def test_pieces_are_large_enough_to_recognise(pieces_of, way):
    """Read the sizes of cards and tiles from the file."""
    pieces = pieces_of(way)
    in_figures = [min(piece.width, piece.height) for piece in pieces if piece.in_figure]
    in_lists = [min(piece.width, piece.height) for piece in pieces if not piece.in_figure]
    assert len(in_figures) > 20
    assert len(in_lists) > 1
    assert min(in_figures) > MIN_PIECE - 0.02
    assert min(in_lists) > MIN_THUMBNAIL - 0.02


@pytest.mark.parametrize("way", WAYS)
def test_all_figures_of_a_booklet_have_one_scale(pieces_of, way):
    """Only hands, the cards of another size and the piece whose parts are named are larger."""
    sizes = Counter(
        round(min(piece.width, piece.height), 1) for piece in pieces_of(way) if piece.in_figure
    )
    size, count = sizes.most_common(1)[0]
    assert size == min(sizes)
    assert count > 0.9 * sizes.total()
