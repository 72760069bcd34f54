"""Set pages become a PDF: a cover, placed flowables, footers, an outline; pictures as empty forms to be filled."""

import io
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from generator.core.geometry import Point, Size
from generator.core.units import points
from generator.draw.face import Face
from generator.pdf.booklet.book import Book
from generator.pdf.booklet.columns import BookletPage, PlacedFlowable
from generator.pdf.booklet.formats import SMALLEST
from generator.pdf.booklet.pieces import FaceBox
from generator.pdf.booklet.typesetter import QUIET
from generator.pdf.forms import define, show
from generator.rules.model import faces_of

LARGEST_TITLE = 46.0


def draw_cover(canvas: Any, book: Book) -> None:
    """Title, picture, and what game and version it is."""
    form, look = book.format, book.rules.look
    width, height = points(form.size.w), points(form.size.h)
    size = _title_size(canvas, book)
    y = height - points(form.top) - 0.05 * height - size
    canvas.setFillColor(HexColor(look.colour))
    canvas.setFont(book.type.heading, size)
    canvas.drawCentredString(width / 2, y, book.rules.title)
    canvas.setFillColor(HexColor(look.accent))
    y -= 0.55 * size
    canvas.rect(width / 2 - form.width * 0.15, y, form.width * 0.3, 2.2, stroke=0, fill=1)
    foot = points(form.bottom) + 8
    if look.cover:
        high = y - foot - 30
        full = min(form.width / points(look.cover.size.w), high / points(look.cover.size.h))
        picture = FaceBox(look.cover, form.width, high, share=max(1.0, full))
        w, h = picture.wrapOn(canvas, form.width, high)
        picture.drawOn(canvas, (width - w) / 2, foot + 15 + (high - h) / 2)
    canvas.setFillColor(HexColor(QUIET))
    canvas.setFont(book.type.regular, SMALLEST + 1)
    canvas.drawCentredString(width / 2, points(form.bottom), book.rules.footer)


def _title_size(canvas: Any, book: Book) -> float:
    """As large as the title fits on a line."""
    wide = float(canvas.stringWidth(book.rules.title, book.type.heading, LARGEST_TITLE))
    return min(LARGEST_TITLE, LARGEST_TITLE * book.format.width / wide)


FOOTER = 9.5
"""mm from the page's lower edge to the footer's baseline."""


class BookCanvas(Canvas):  # type: ignore[misc]
    """A canvas whose inline images are faces."""

    def drawImage(  # noqa: N802 - ReportLab's name and signature
        self,
        image: Face,
        x: float,
        y: float,
        width: float,
        height: float,
        mask: object = None,  # noqa: ARG002
    ) -> None:
        """Place the form of an icon."""
        show(self, image, Size(width, height), Point(x, y))


def write_book(book: Book) -> bytes:
    """The file, in which every picture is an empty form by its name."""
    buffer = io.BytesIO()
    canvas = BookCanvas(buffer, invariant=1, initialFontName=book.type.regular, pageCompression=1)
    _page_size(canvas, book)
    define(canvas, faces_of(book.rules))
    if book.covers:
        draw_cover(canvas, book)
        canvas.showPage()
    for number, page in enumerate(book.pages, 1 + book.covers):
        _page_size(canvas, book)
        _page(canvas, book, page, number)
        canvas.showPage()
    if book.rules.headings:
        canvas.showOutline()
    canvas.save()
    return buffer.getvalue()


def _page_size(canvas: Any, book: Book) -> None:
    canvas.setPageSize((points(book.format.size.w), points(book.format.size.h)))


def _page(canvas: Any, book: Book, page: BookletPage, number: int) -> None:
    height = points(book.format.size.h)
    for placed in page.placed:
        _mark(canvas, book, placed, height)
        if not getattr(placed.item.flow, "_splitpara", 0):
            placed.item.flow.wrapOn(canvas, placed.width, placed.height + 1)
        placed.item.flow.drawOn(canvas, placed.x, height - placed.y - placed.height)
    _footer(canvas, book, number)


def _mark(canvas: Any, book: Book, placed: PlacedFlowable, height: float) -> None:
    """Make a heading a place to go to, and a line of the outline."""
    slug = placed.item.slug
    if not slug:
        return
    heading = next(heading for heading in book.rules.headings if heading.slug == slug)
    canvas.bookmarkPage(slug, fit="XYZ", left=0, top=height - placed.y + 8, zoom=0)
    canvas.addOutlineEntry(heading.text, slug, _depth(book, slug), 0)


def _depth(book: Book, slug: str) -> int:
    """How deep a heading lies in the outline, which must not skip a level."""
    depth, ranks = 0, list[int]()
    for heading in book.rules.headings:
        while ranks and ranks[-1] >= heading.level:
            ranks.pop()
        depth = len(ranks)
        ranks.append(heading.level)
        if heading.slug == slug:
            break
    return depth


def _footer(canvas: Any, book: Book, number: int) -> None:
    """The game's name, and the page's number at the outer edge; in the middle where pages have none."""
    form, y = book.format, points(FOOTER)
    left, right = points(form.side), points(form.size.w - form.side)
    canvas.setFillColor(HexColor(QUIET))
    canvas.setFont(book.type.regular, SMALLEST)
    if form.mirrored and number % 2 == 0:
        canvas.drawRightString(right, y, book.rules.footer)
    else:
        canvas.drawString(left, y, book.rules.footer)
    canvas.setFont(book.type.bold, SMALLEST + 1)
    if form.mirrored and number % 2 == 0:
        canvas.drawString(left, y, str(number))
    else:
        canvas.drawRightString(right, y, str(number))
