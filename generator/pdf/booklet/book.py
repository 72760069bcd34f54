"""A booklet set in type: its pages are found in passes, until every page number that it prints is true."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.core.fonts import FontSet
from generator.core.problems import Kind, Wrong
from generator.impose.signature import PER_SHEET
from generator.pdf.booklet.contents import LONG, contents
from generator.pdf.booklet.flow import Flow
from generator.pdf.booklet.formats import Format
from generator.pdf.booklet.item import Item, Page
from generator.pdf.booklet.paginate import paginate
from generator.pdf.booklet.pieces import Rule, Stack
from generator.pdf.booklet.typeface import Typeface, typeface
from generator.pdf.booklet.typesetter import Places, Typesetter
from generator.rules.model import Rules

PASSES = 6
SPILT = (1, 2)
"""Pages on the last sheet that are few enough to be won back."""


@dataclass(frozen=True)
class Book:
    """All pages of a booklet; with a cover, that is the first and no page here: `covers` is 1 then."""

    rules: Rules
    format: Format
    type: Typeface
    pages: tuple[Page, ...]
    places: Places
    covers: int

    @property
    def count(self) -> int:
        """How many pages there are with the cover."""
        return len(self.pages) + self.covers

    @property
    def back_cover(self) -> bool:
        """Whether the last page is meant to be the outside."""
        return self.pages[-1].back


def set_book(rules: Rules, fonts: FontSet, form: Format) -> Book:
    """Set rules on pages of a format."""
    face = typeface(fonts, rules.look.heading)
    covers = 1 if rules.look.cover else 0
    book = _settled(rules, form, face, covers, listed=False)
    return _settled(rules, form, face, covers, listed=True) if book.count > LONG else book


def set_to_fold(rules: Rules, fonts: FontSet, form: Format) -> Book:
    """The same, set a little tighter where that saves a sheet: four pages rather than five are one sheet, not two."""
    book = set_book(rules, fonts, form)
    if book.count % PER_SHEET not in SPILT:
        return book
    tighter = (set_book(rules, fonts, smaller) for smaller in form.tighter())
    return next((other for other in tighter if other.count <= book.count - book.count % PER_SHEET), book)


def set_on_sheets(rules: Rules, fonts: FontSet, form: Format) -> Book:
    """The same for both sides of sheets: no page is alone on one if tighter type or another column helps."""
    book = set_book(rules, fonts, form)
    if book.count % 2 == 0 or book.count == 1:
        return book
    narrower = form.in_columns(form.columns + 1).tighter() if form.columns > 1 else ()
    tighter = (set_book(rules, fonts, smaller) for smaller in (*form.tighter(), *narrower))
    return next((other for other in tighter if other.count < book.count), book)


def _settled(rules: Rules, form: Format, face: Typeface, covers: int, *, listed: bool) -> Book:
    places = Places()
    for _ in range(PASSES):
        setter = Typesetter(rules, form, face, places)
        pages = paginate(_items(setter, listed=listed, titled=not covers), form)
        found = _places(pages, covers)
        if found == places:
            return Book(rules, form, face, pages, places, covers)
        places = found
    raise Wrong("the page numbers do not settle", "fewer references in one line", kind=Kind.FIT)


def _items(setter: Typesetter, *, listed: bool, titled: bool) -> Iterator[Item]:
    if titled:
        title = setter.words(setter.rules.title, setter.heading(1))
        yield Item(Stack([title, Rule(setter.rules.look.accent, 2.2, 0.3)], gap=9), after=10, wide=True)
    if listed:
        yield from contents(setter)
        yield Item(None, breaks=True)
    yield from Flow(setter).items(setter.rules.blocks)


def _places(pages: Iterable[Page], covers: int) -> Places:
    """Where each heading stands, and where what belongs to it ends."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    open_headings: list[Item] = []
    placed = ((number, placed.item) for number, page in enumerate(pages, 1 + covers) for placed in page.placed)
    for number, item in sorted(placed, key=lambda pair: pair[1].serial):
        if item.slug and item.slug not in first:
            first[item.slug] = number
            open_headings = [heading for heading in open_headings if heading.rank < item.rank]
            open_headings.append(item)
        last.update({heading.slug: max(number, last.get(heading.slug, 0)) for heading in open_headings})
    return Places(first, last)
