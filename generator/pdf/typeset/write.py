"""Write composed pages to a file: footers, a cover, footnotes, and everything in its place."""

from collections.abc import Iterator
from dataclasses import replace

from generator.core.geometry import Rect
from generator.core.units import points
from generator.pdf.typeset.book import Book, LaidPage, Setter
from generator.pdf.typeset.boxes import STRIP_MM, SetGround, SetPicture, SetText, Thing, edges, grounds
from generator.pdf.typeset.code import QUIET, TYPST_HEADING_SCALES, Voice
from generator.pdf.typeset.engine import SetPage
from generator.pdf.typeset.pages import MIN_TYPE_PT
from generator.pdf.words import quoted
from generator.picture.face import Face
from generator.rules.look import WHITE

# From the page's lower edge to the top of the footer.
FOOTER_MM = 12.0

LARGEST_TITLE = 46.0

LEAST_TAIL = 31.0
TAIL = 38.0
TAIL_GAP = 6.0
"""mm: a lower rest of a back cover shows no part of a picture, one of another page stays empty; and the room over."""

# Padding around the text of a back cover on its picture.
MAT_MM = 3.0

# From the page's side to a cover picture below the title.
COVER_SIDE_MM = 9.0


def write_book(book: Book, setter: Setter) -> bytes:
    """Return the file, with numbered placeholders for pictures."""
    pages = [_page(book, page, setter) for page in book.pages]
    cover = [_cover(book, setter)] if book.covers else []
    return setter.engine.write([*cover, *pages], book.coder)


def _page(book: Book, page: LaidPage, setter: Setter) -> SetPage:
    things = [thing for x, y, box, _ in page.boxes for thing in box.at(x, y)]
    theme = book.rules.look.theme
    if page.back and theme.dress.back and (under := tuple(_back(book, page, theme.dress.back))):
        lower = MAT_MM + _inset(book)
        return SetPage(tuple(replace(thing, y=thing.y + lower) for thing in things), under, theme.page)
    under = (*grounds(theme, book.form), *_footer(book, page.number), *_tail(book, page))
    return SetPage((*things, *_notes(book, page, setter)), under, theme.page)


def _back(book: Book, page: LaidPage, art: Face) -> Iterator[Thing]:
    """Return a theme's art around the text of a back cover, which is on a mat; nothing if it does not fit.

    The art is in the place of the cover's picture on the front, and keeps its foot.
    """
    form = book.form
    theme = book.rules.look.theme
    inset = _inset(book)
    room = _framed(book)
    words = max(y + box.height for _, y, box, _ in page.boxes) - form.top + 2 * MAT_MM
    if room.h - words - inset < LEAST_TAIL or any(item.notes for *_, item in page.boxes):
        return
    yield SetPicture(*room, art, "", filling="bottom")
    yield from edges(theme, room)
    side = MAT_MM if inset else form.side - room.x
    mat = SetGround(form.side - side, form.top + inset, form.width + 2 * side, words, fill=theme.page or WHITE)
    yield replace(mat, radius=1.2 if inset else 0.0)
    foot = Voice(MIN_TYPE_PT + 1, 1.2, QUIET, align="center")
    words_of = "{ " + book.coder.plain(book.rules.footer, foot) + " }"
    yield SetText(form.side, form.size.h - FOOTER_MM - 2, form.width, words_of)


def _inset(book: Book) -> float:
    """Return how far a mat is inside its picture; on a narrow page it is full width."""
    return MAT_MM if book.form.side - COVER_SIDE_MM > 2 * MAT_MM else 0.0


def _framed(book: Book) -> Rect:
    """Return the box of a cover's picture that fills the page."""
    form = book.form
    low = form.size.h - FOOTER_MM - 4 - STRIP_MM * bool(book.rules.look.theme.dress.head)
    return Rect(COVER_SIDE_MM, form.top, form.size.w - 2 * COVER_SIDE_MM, low - form.top)


def _tail(book: Book, page: LaidPage) -> Iterator[Thing]:
    """Return a theme's art at the end of a short page: part of the cover on a back cover, else the banner."""
    form = book.form
    look = book.rules.look
    notes = bool([note for *_, item in page.boxes for note in item.notes])
    end = max((y + box.height for _, y, box, _ in page.boxes), default=form.top)
    room = form.size.h - form.bottom - end - TAIL_GAP
    first = look.theme.dress.first
    if page.back and look.cover and look.theme.title and not look.theme.dress.back and room > LEAST_TAIL:
        yield SetPicture(form.side, end + TAIL_GAP, form.width, room, look.cover, "", filling="horizon")
        return
    high = form.width * first.size.h / first.size.w if first else 0.0
    if first and not notes and room > (high if page.back else TAIL) and page is not book.pages[0]:
        yield SetPicture(form.side, end + TAIL_GAP + (room - high) / 2, form.width, high, first, "")


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
    """Return the game's name, and the page number at the outer edge."""
    form = book.form
    coder = book.coder
    left = form.mirrored and page % 2 == 0
    name = replace(coder.small, size=MIN_TYPE_PT, align="right" if left else "left")
    digits = Voice(MIN_TYPE_PT + 1, 1.2, QUIET, bold=True, align="left" if left else "right")
    y = form.size.h - FOOTER_MM
    return [
        SetText(form.side, y, form.width, "{ " + coder.plain(book.rules.footer, name) + " }"),
        SetText(form.side, y, form.width, "{ " + coder.plain(str(page), digits) + " }"),
    ]


def _cover(book: Book, setter: Setter) -> SetPage:
    """Return the cover: title, picture, game and version."""
    form = book.form
    coder = book.coder
    look = book.rules.look
    title = _title(book, setter)
    y = form.top + 0.05 * form.height
    head = SetText(form.side, y, form.width, title)
    y += setter.heights.of(title, form.width)
    quiet = Voice(MIN_TYPE_PT + 1, 1.2, QUIET, align="center")
    foot = SetText(
        form.side, form.size.h - FOOTER_MM - 2, form.width, "{ " + coder.plain(book.rules.footer, quiet) + " }"
    )
    if look.cover is None:
        return SetPage((head, foot))
    if look.theme.title:
        room = _framed(book)
        under = (SetPicture(*room, look.cover, "", filling="horizon"), *edges(look.theme, room))
        return SetPage((head, foot), under, look.theme.page)
    left = foot.y - y - 12
    scale = min(form.width / look.cover.size.w, left / look.cover.size.h)
    w = scale * look.cover.size.w
    h = scale * look.cover.size.h
    shown = SetPicture((form.size.w - w) / 2, y + 6 + (left - h) / 2, w, h, look.cover, book.rules.title)
    return SetPage((head, shown, foot))


def _title(book: Book, setter: Setter) -> str:
    """Return the title as large as it fits on a line."""
    coder = book.coder
    sizes = [LARGEST_TITLE * share / 20 for share in range(20, 4, -1)]
    colour = book.rules.look.theme.title or coder.heading(1).colour
    voice = replace(coder.heading(1), align="center", colour=colour)
    styles = {size: coder.style(replace(voice, size=size / TYPST_HEADING_SCALES[1])) for size in sizes}
    codes = {size: f"{{ {style} heading(level: 1, {quoted(book.rules.title)}) }}" for size, style in styles.items()}
    for code in codes.values():
        setter.heights.of(code, book.form.width)
    setter.engine.measure(setter.heights, coder)
    lines = {size: points(setter.heights.of(code, book.form.width)) / size for size, code in codes.items()}
    return next((codes[size] for size, high in lines.items() if high < 1.5), codes[sizes[-1]])
