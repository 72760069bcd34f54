"""Composed pages become a file: footers, a cover, notes at the foot of their page, and everything in its place."""

from dataclasses import replace

from generator.core.units import points
from generator.pdf.typeset.book import Book, LaidPage, Setter
from generator.pdf.typeset.boxes import SetPicture, SetText, Thing
from generator.pdf.typeset.code import QUIET, Voice
from generator.pdf.typeset.engine import SetPage
from generator.pdf.typeset.form import SMALLEST

FOOTER = 12.0
"""mm from the page's lower edge to the top of the footer."""

LARGEST_TITLE = 46.0


def write_book(book: Book, setter: Setter) -> bytes:
    """The file, in which every picture is a pixel by its number."""
    pages = [_page(book, page, setter) for page in book.pages]
    cover = [_cover(book, setter)] if book.covers else []
    return setter.engine.write([*cover, *pages], book.coder)


def _page(book: Book, page: LaidPage, setter: Setter) -> SetPage:
    things = [thing for x, y, box, _ in page.boxes for thing in box.at(x, y)]
    return SetPage((*things, *_notes(book, page, setter)), tuple(_footer(book, page.number)))


def _notes(book: Book, page: LaidPage, setter: Setter) -> list[Thing]:
    form = book.form
    notes = [note for *_, item in page.boxes for note in item.notes]
    y = form.size.h - form.bottom - sum(setter.heights.of(note, form.width) for note in notes)
    made: list[Thing] = []
    for note in notes:
        made.append(SetText(form.side, y, form.width, note))
        y += setter.heights.of(note, form.width)
    return made


def _footer(book: Book, page: int) -> list[Thing]:
    """The game's name, and the page's number at the outer edge."""
    form, coder = book.form, book.coder
    left = form.mirrored and page % 2 == 0
    name = replace(coder.small, size=SMALLEST, align="right" if left else "left")
    digits = Voice(SMALLEST + 1, 1.2, QUIET, bold=True, align="left" if left else "right")
    y = form.size.h - FOOTER
    return [
        SetText(form.side, y, form.width, "{ " + coder.plain(book.rules.footer, name) + " }"),
        SetText(form.side, y, form.width, "{ " + coder.plain(str(page), digits) + " }"),
    ]


def _cover(book: Book, setter: Setter) -> SetPage:
    """Title, picture, and what game and version it is."""
    form, coder, look = book.form, book.coder, book.rules.look
    title = _title(book, setter)
    y = form.top + 0.05 * form.height
    things: list[Thing] = [SetText(form.side, y, form.width, title)]
    y += setter.heights.of(title, form.width)
    quiet = Voice(SMALLEST + 1, 1.2, QUIET, align="center")
    foot = SetText(form.side, form.size.h - FOOTER - 2, form.width, "{ " + coder.plain(book.rules.footer, quiet) + " }")
    if look.cover:
        room = foot.y - y - 12
        scale = min(form.width / look.cover.size.w, room / look.cover.size.h)
        w, h = scale * look.cover.size.w, scale * look.cover.size.h
        things.append(SetPicture((form.size.w - w) / 2, y + 6 + (room - h) / 2, w, h, look.cover, book.rules.title))
    return SetPage((*things, foot))


def _title(book: Book, setter: Setter) -> str:
    """As large as the title fits on a line."""
    coder = book.coder
    sizes = [LARGEST_TITLE * share / 20 for share in range(20, 4, -1)]
    voice = replace(coder.heading(1), align="center")
    codes = {size: "{ " + coder.plain(book.rules.title, replace(voice, size=size)) + " }" for size in sizes}
    for code in codes.values():
        setter.heights.of(code, book.form.width)
    setter.engine.measure(setter.heights, coder)
    lines = {size: points(setter.heights.of(code, book.form.width)) / size for size, code in codes.items()}
    return next((codes[size] for size, high in lines.items() if high < 1.5), codes[sizes[-1]])
