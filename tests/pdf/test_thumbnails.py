"""Test rows of thumbnails, set on a page and read back."""

from collections import Counter
from itertools import pairwise

import pypdfium2
import pytest

from generator.base.errors import PnpError, raising_at
from generator.base.fonts import font_set
from generator.base.geometry import Size
from generator.base.ui_strings import words_for
from generator.pdf.faces import compile_faces
from generator.rules.booklet.make import kind_for_sheets, typeset
from generator.rules.model import Paragraph, Rules, Span, Table, Thumbnail, Thumbnails
from generator.rules.theme import INK, BookletStyle
from tests.tools.make_release import face
from tests.tools.read_pdf import MM, read

A4 = Size(210, 297)
FOOTER_MM = 19.0
LONG_WORD = "Rindfleischetikettierungsüberwachungsaufgabe"


@pytest.fixture
def set_page(tmp_path):
    """Return a function that sets blocks under a title and returns the path of the file."""

    def set_blocks(*blocks, title="Title", is_generated=True):
        fonts = font_set()
        look = BookletStyle(fonts.find("Alegreya SC", 700), INK, INK, columns=1)
        rules = Rules(title, "de", words_for("de").rules, blocks, look, is_generated=is_generated)
        faces = tuple({face_shown.name: face_shown for face_shown in rules.faces}.values())
        with raising_at():
            document = typeset(rules, fonts, compile_faces(faces, fonts), kind_for_sheets(A4))
        path = tmp_path / "page.pdf"
        path.write_bytes(document.pdf)
        return path

    return set_blocks


def thumbnails_of(*titles):
    return Thumbnails(tuple(Thumbnail(face(title), (Span(title),)) for title in titles))


def rows_of(page):
    """Return the number of pictures in each row of a page, from the top."""
    counts = Counter(round(form.y) for form in page.forms)
    return [counts[y] for y in sorted(counts)]


def test_row_of_thumbnails_is_not_split_by_a_page(set_page):
    pages = read(set_page(thumbnails_of(*(f"Karte {number}" for number in range(100)))))
    assert len(pages) >= 2
    all_rows = [count for page in pages for count in rows_of(page)]
    assert all_rows == [7] * 14 + [2]
    for page in pages:
        assert all(form.y + form.h / 2 < A4.h - FOOTER_MM for form in page.forms)


@pytest.mark.parametrize(("count", "side"), [(1, 24), (12, 24), (13, 15)])
def test_up_to_twelve_thumbnails_are_larger(set_page, count, side):
    (page,) = read(set_page(thumbnails_of(*(f"Karte {number}" for number in range(count)))))
    assert {(round(form.w, 1), round(form.h, 1)) for form in page.forms} == {(side, side)}


def test_long_words_below_thumbnails_are_neither_broken_nor_overlapping(set_page):
    titles = [f"{LONG_WORD} {number}" for number in range(13)]
    (page,) = read(set_page(thumbnails_of(*titles)))
    assert page.text.count(LONG_WORD) == 13
    lefts = sorted({round(form.x - form.w / 2, 1) for form in page.forms})
    assert 1 < len(lefts) < 7
    assert min(b - a for a, b in pairwise(lefts)) > 60


def test_columns_of_numbers_are_narrow_and_names_take_the_width(set_page):
    """The name takes the space, although a heading over numbers is wider."""
    head = tuple((Span(text),) for text in ("", "first", "second number", "third"))
    row = tuple((Span(text),) for text in ("Fox", "11", "22", "33"))
    path = set_page(Table(head, (row,), ("left", "right", "right", "right")))
    document = pypdfium2.PdfDocument(path)
    textpage = document[0].get_textpage()
    match = textpage.search("11").get_next()[0]
    left = textpage.get_charbox(match)[0] * MM
    document.close()
    assert left > A4.w / 2


def test_missing_character_is_left_out_of_generated_pages_but_refused_in_rules(set_page):
    paragraph = Paragraph((Span("Der 狐 Fuchs"),))
    (page,) = read(set_page(paragraph, title="狐 Titel"))
    assert "Der Fuchs" in " ".join(page.text.split())
    assert "狐" not in page.text
    with pytest.raises(PnpError, match="Alegreya has no '狐'"):
        set_page(paragraph, is_generated=False)
