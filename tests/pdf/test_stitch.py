"""Test the booklet file: the page on each half of a sheet, and its size."""

import io

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from generator.base.fonts import font_set
from generator.base.geometry import Size
from generator.impose.signature import make_signature
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file
from generator.pdf.sheets import draw_sheets
from generator.rules.booklet.make import fold_pages
from tests.tools.read_pdf import read_all

A4 = Size(297, 210)
LETTER = Size(279.4, 215.9)
MM = 72 / 25.4
PAGE = (139.7 * MM, 210 * MM)


def book_of(count):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=PAGE, invariant=1)
    for number in range(count):
        canvas.drawCentredString(PAGE[0] / 2, PAGE[1] / 2, f"page {number}")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def fold(count, paper):
    """Return the booklet of a book with a number of pages."""
    sheets, pages = fold_pages(
        book_of(count), make_signature(count), paper, font_set().find("Alegreya")
    )
    info = DocumentInfo("T", "en", "", "DuplexFlipShortEdge", ())
    return write_file([DocumentPart(draw_sheets(sheets), (pages,))], info, tagged=pages).read()


def halves_of(page):
    """Return the text left and right of the fold, each with its distance from the fold in mm."""
    text = page.get_textpage()
    middle = page.get_width() / 2
    boxes = [text.get_rect(index) for index in range(text.count_rects())]
    texts_by_side = {}
    for box in boxes:
        side = "left" if (box[0] + box[2]) / 2 < middle else "right"
        texts_by_side[side] = (
            text.get_text_bounded(*box).strip(),
            abs((box[0] + box[2]) / 2 - middle) / MM,
        )
    return texts_by_side.get("left"), texts_by_side.get("right")


def words_of(half):
    return half[0] if half else None


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("count", [1, 4, 5, 8, 13, 28, 60])
def test_folded_sheets_show_the_pages_in_order(count, paper):
    document = pypdfium2.PdfDocument(fold(count, paper))
    sides = [halves_of(document[index]) for index in range(len(document))]
    sheets = list(zip(sides[0::2], sides[1::2], strict=True))
    outward = [words_of(half) for front, back in sheets for half in (front[1], back[0])]
    inward = [words_of(half) for front, back in reversed(sheets) for half in (back[1], front[0])]
    assert [*outward, *inward][:count] == [f"page {number}" for number in range(count)]
    assert all(page is None for page in (*outward, *inward)[count:])
    document.close()


def test_booklet_pages_keep_their_size_and_creep_towards_the_fold(tmp_path):
    data = fold(16, A4)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert [round(float(side), 1) for side in pdf.pages[0].MediaBox] == [0, 0, 841.9, 595.3]
    path = tmp_path / "folded.pdf"
    path.write_bytes(data)
    from_fold = [page.forms[1].x - 297 / 2 for page in read_all(path)[0::2]]
    assert from_fold == pytest.approx([74.25, 74.15, 74.05, 73.95], abs=0.001)


def test_booklet_stores_each_page_and_the_fold_lines_once():
    with pikepdf.open(io.BytesIO(fold(8, A4))) as pdf:
        forms = [pair for page in pdf.pages for pair in page.Resources.XObject.items()]
        assert len({form.objgen for name, form in forms if "page-" in name}) == 8
        assert len({form.objgen for name, form in forms if "lines-" in name}) == 1
