"""The cover: the pack's picture under the title. Home printers leave a rim, so nothing reaches the edge."""

from typing import Any

from reportlab.lib.colors import HexColor

from generator.core.units import points
from generator.pdf.booklet.book import Book
from generator.pdf.booklet.formats import SMALLEST
from generator.pdf.booklet.pieces import Picture
from generator.pdf.booklet.typesetter import QUIET

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
        picture = Picture(look.cover, form.width, high, share=max(1.0, full))
        w, h = picture.wrapOn(canvas, form.width, high)
        picture.drawOn(canvas, (width - w) / 2, foot + 15 + (high - h) / 2)
    canvas.setFillColor(HexColor(QUIET))
    canvas.setFont(book.type.regular, SMALLEST + 1)
    canvas.drawCentredString(width / 2, points(form.bottom), book.rules.footer)


def _title_size(canvas: Any, book: Book) -> float:
    """As large as the title fits on a line."""
    wide = float(canvas.stringWidth(book.rules.title, book.type.heading, LARGEST_TITLE))
    return min(LARGEST_TITLE, LARGEST_TITLE * book.format.width / wide)
