"""Set pages become a PDF: placed flowables, footers, a cover, an outline; pictures as empty forms to be filled."""

import io
from collections.abc import Iterable
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from generator.core.units import points
from generator.draw.face import Face
from generator.pdf.booklet.book import Book
from generator.pdf.booklet.cover import draw_cover
from generator.pdf.booklet.formats import SMALLEST
from generator.pdf.booklet.item import Page, Placed
from generator.pdf.booklet.typesetter import QUIET
from generator.rules.model import faces_of

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
        self.saveState()
        self.translate(x, y)
        self.scale(width / points(image.full.w), height / points(image.full.h))
        self.doForm(image.name)
        self.restoreState()


def write_book(book: Book) -> bytes:
    """The file, in which every picture is an empty form by its name."""
    buffer = io.BytesIO()
    canvas = BookCanvas(buffer, invariant=1, initialFontName=book.type.regular, pageCompression=1)
    _page_size(canvas, book)
    _stubs(canvas, faces_of(book.rules))
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


def _stubs(canvas: Any, faces: Iterable[Face]) -> None:
    """An empty form for each distinct picture."""
    for name, face in sorted({face.name: face for face in faces}.items()):
        canvas.beginForm(name, 0, 0, points(face.full.w), points(face.full.h))
        canvas.endForm()


def _page(canvas: Any, book: Book, page: Page, number: int) -> None:
    height = points(book.format.size.h)
    for placed in page.placed:
        _mark(canvas, book, placed, height)
        if not getattr(placed.item.flow, "_splitpara", 0):
            placed.item.flow.wrapOn(canvas, placed.width, placed.height + 1)
        placed.item.flow.drawOn(canvas, placed.x, height - placed.y - placed.height)
    _footer(canvas, book, number)


def _mark(canvas: Any, book: Book, placed: Placed, height: float) -> None:
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
