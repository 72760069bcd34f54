"""A booklet set in type: items become pages, in passes, until every page number that it prints is true."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus.flowables import Flowable

from generator.core.fonts import FontSet
from generator.core.problems import Kind, Wrong
from generator.core.units import points
from generator.impose.signature import PER_SHEET
from generator.pdf.booklet.columns import BookletPage, FilledColumns, FlowItem, PlacedFlowable, Strip
from generator.pdf.booklet.flow import Flow
from generator.pdf.booklet.formats import Format, Typeface, typeface
from generator.pdf.booklet.pieces import RuleLine, Stack
from generator.pdf.booklet.typesetter import QUIET, Places, Typesetter
from generator.rules.model import Heading, Rules

BETWEEN = 12.0
"""Points above and below what lies across the columns."""


@dataclass
class _Pager:
    """Pages in the making; `top` is how far the current one is filled, in points from the type area's top."""

    format: Format
    pages: list[list[PlacedFlowable]]
    backs: set[int]
    top: float = 0.0

    def turn(self) -> None:
        """Begin a page."""
        self.pages.append([])
        self.top = 0.0

    def run(self, items: Sequence[FlowItem], *, wide: bool) -> None:
        """Place items in columns, level at the end; or across them all."""
        form = self.format
        strip = Strip(form.width, 1, form.height) if wide else Strip(form.column, form.columns, form.height)
        rest = tuple(items)
        while rest:
            start = self.top + (BETWEEN if self.top else 0.0)
            filled = strip.balanced(rest, form.height - start)
            if self.top and (not any(filled.columns) or (wide and filled.rest)):
                self.turn()
                continue
            if not any(filled.columns):
                raise Wrong("a block is higher than the page", "a smaller figure, or less in one box", kind=Kind.FIT)
            self._take(filled, start, strip)
            rest = filled.rest
            if rest:
                self.turn()

    def _take(self, filled: FilledColumns, start: float, strip: Strip) -> None:
        form = self.format
        for number, column in enumerate(filled.columns):
            left = points(form.side) + number * (strip.width + points(form.gap))
            for laid in (*column, *filled.notes[number]):
                y = points(form.top) + start + laid.y
                self.pages[-1].append(PlacedFlowable(laid.item, left, y, strip.width, laid.height))
        self.top = start + filled.height


def paginate(items: Iterable[FlowItem], form: Format) -> tuple[BookletPage, ...]:
    """Lay all items on as many pages as they need."""
    pager = _Pager(form, [[]], set())
    numbered = [replace(item, serial=serial) for serial, item in enumerate(items)]
    for wide, run in _runs(numbered, form):
        if run[0].breaks:
            if pager.pages[-1]:
                pager.turn()
            pager.backs |= {len(pager.pages) - 1} if run[0].back else set()
        pager.run([item for item in run if item.flow is not None], wide=wide)
    return tuple(BookletPage(tuple(placed), back=number in pager.backs) for number, placed in enumerate(pager.pages))


def _runs(items: Sequence[FlowItem], form: Format) -> Iterable[tuple[bool, list[FlowItem]]]:
    """Stretches that lie in columns or across, and stretches between page breaks."""
    wide = [item.wide and form.columns > 1 for item in items]
    for index in reversed(range(len(items) - 1)):
        wide[index] = wide[index] or (wide[index + 1] and items[index].keep and not items[index].soft)
    section = 0
    keyed = []
    for item, across in zip(items, wide, strict=True):
        section += item.breaks
        keyed.append((section, across, item))
    for (_, across), group in groupby(keyed, key=lambda row: row[:2]):
        yield across, [row[2] for row in group]


LONG = 8
"""Pages; a booklet with more of them gets a contents list."""

DEEPEST = 3


class ContentsLine(Flowable):  # type: ignore[misc]
    """A heading, dots, the page it is on; all of it leads there."""

    def __init__(self, text: Any, page: str, font: str, size: float, slug: str) -> None:
        super().__init__()
        self._text, self._page, self._font, self._size, self._slug = text, page, font, size, slug

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as the heading's words, which keep clear of the page number."""
        self.width = width
        self.height = self._text.wrap(width - 30, height)[1]
        return width, self.height

    def draw(self) -> None:
        """The words, the dots between, the number at the right."""
        canvas = self.canv
        self._text.drawOn(canvas, 0, 0)
        base = self.height - self._size * 1.02 if len(self._text.blPara.lines) == 1 else self._size * 0.26
        number = canvas.stringWidth(self._page, self._font, self._size)
        canvas.setFont(self._font, self._size)
        canvas.setFillColor(HexColor(QUIET))
        canvas.drawRightString(self.width, base, self._page)
        dot = canvas.stringWidth(" .", self._font, self._size)
        x = self.width - number - dot
        left = self._text.getActualLineWidths0() if hasattr(self._text, "getActualLineWidths0") else [0]
        while x > max(left) + dot:
            canvas.drawString(x, base, ".")
            x -= dot
        canvas.linkRect("", self._slug, (0, 0, self.width, self.height), relative=1)


def contents(setter: Typesetter) -> Iterator[FlowItem]:
    """The items of the list."""
    look = setter.rules.look
    title = setter.words(setter.rules.words.contents, setter.heading(2))
    yield FlowItem(Stack([title, RuleLine(look.accent, 0.9)], gap=3.5), after=6, keep=True)
    for heading in setter.rules.headings:
        if heading.level <= DEEPEST:
            yield _line(setter, heading)


def _line(setter: Typesetter, heading: Heading) -> FlowItem:
    main = heading.level == 2
    voice = replace(setter.text, bold=main, left=0 if main else setter.text.size * 1.4)
    page = str(setter.places.first.get(heading.slug, 0))
    flow = ContentsLine(setter.words(heading.text, voice), page, setter.type.regular, voice.size, heading.slug)
    return FlowItem(flow, before=4 if main else 0, after=1.5)


PASSES = 6
SPILT = (1, 2)
"""Pages on the last sheet that are few enough to be won back."""


@dataclass(frozen=True)
class Book:
    """All pages of a booklet; with a cover, that is the first and no page here: `covers` is 1 then."""

    rules: Rules
    format: Format
    type: Typeface
    pages: tuple[BookletPage, ...]
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


def _items(setter: Typesetter, *, listed: bool, titled: bool) -> Iterator[FlowItem]:
    if titled:
        title = setter.words(setter.rules.title, setter.heading(1))
        yield FlowItem(Stack([title, RuleLine(setter.rules.look.accent, 2.2, 0.3)], gap=9), after=10, wide=True)
    if listed:
        yield from contents(setter)
        yield FlowItem(None, breaks=True)
    yield from Flow(setter).items(setter.rules.blocks)


def _places(pages: Iterable[BookletPage], covers: int) -> Places:
    """Where each heading stands, and where what belongs to it ends."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    open_headings: list[FlowItem] = []
    placed = ((number, placed.item) for number, page in enumerate(pages, 1 + covers) for placed in page.placed)
    for number, item in sorted(placed, key=lambda pair: pair[1].serial):
        if item.slug and item.slug not in first:
            first[item.slug] = number
            open_headings = [heading for heading in open_headings if heading.rank < item.rank]
            open_headings.append(item)
        last.update({heading.slug: max(number, last.get(heading.slug, 0)) for heading in open_headings})
    return Places(first, last)
