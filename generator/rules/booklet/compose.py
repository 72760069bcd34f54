"""Typeset a booklet: try sizes and compose pages until all page numbers printed in it are correct."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from generator.base.errors import InvalidValueError, Kind
from generator.base.fonts import FontSet
from generator.impose.signature import PAGES_PER_SHEET
from generator.rules.booklet.boxes import FlowBox, FlowItem, Heights, filler_holes
from generator.rules.booklet.flow import RuleFlow
from generator.rules.booklet.measure import Engine
from generator.rules.booklet.pages import HELD, HOLE_COST, SHARES, BookPage, Composed, SizedItem
from generator.rules.booklet.search import Composer
from generator.rules.booklet.typst_code import HeadingPages, RuleCoder
from generator.rules.model import Rules

# Page numbers change line breaks and so pages; numbers settle within a few passes.
MAX_PASSES = 5
# Pages; a longer booklet gets a table of contents.
MAX_PAGES_WITHOUT_CONTENTS = 8

# Points of type and scales of pictures to try, the preferred first.
FOLDED_SIZES = tuple(
    (text, pictures) for text in (9.6, 10.2, 9.0, 10.8) for pictures in (1.0, 1.2, 0.88)
)
SHEET_SIZES = ((10.0, 1.0), (9.6, 0.9), (9.3, 0.8), (9.0, 0.7), (9.0, 0.55))
# Pieces are 16 mm wide at scale 1 and 14 mm, the least, at 0.88; the smallest type is for long rules.
READING_SIZES = (
    *(
        (text, pictures)
        for text in (10.0, 9.7, 10.4, 9.4, 10.8)
        for pictures in (1.0, 0.94, 0.88, 1.15)
    ),
    (9.0, 0.88),
)

# The costs of a point of type less or more than preferred, in the unit of `pages.py`. Another column
# costs as much as a point less.
SMALLER_TYPE_COST = 260.0
LARGER_TYPE_COST = 110.0

# Another size must save at least so much: one of equal cost may, by rounding, seem cheaper.
MIN_GAIN = 1.0

# The cost of a blank page that folding or printing on both sides would add.
BLANK_PAGE_COST = 20_000.0


# A figure that does not fit may move behind later text. At most three figures move, each past at most three items:
# each trial composes the whole booklet. A figure stays within three items of the head of its page, and never
# parts a list or a heading from its text.
MAX_FLOATS = 3
MAX_FLOAT_STEPS = 3
MAX_ITEMS_BEFORE_FLOAT = 3
MAX_PARTED_COST = 0.15 * HELD

# The level of the headings of sections.
SECTION = 2


@dataclass(frozen=True)
class BookPageLayout:
    """A page: its boxes in mm from its top left, its footnotes, and the faults of its composition."""

    boxes: tuple[tuple[float, float, FlowBox, FlowItem], ...]
    number: int
    back: bool = False
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Draft:
    """The items of a booklet before they are composed into pages.

    `heights` are those of the items' boxes at each of `SHARES`; `listed` is true with a table of
    contents.
    """

    coder: RuleCoder
    items: tuple[FlowItem, ...]
    heights: Mapping[Callable[[float, float], FlowBox] | None, tuple[float, ...]]
    listed: bool


@dataclass(frozen=True)
class Book:
    """The pages of a booklet without its cover; `covers` is 1 if it has one."""

    draft: Draft
    pages: tuple[BookPageLayout, ...]
    covers: int
    cost: float

    @property
    def coder(self) -> RuleCoder:
        """The writer of the booklet's lines."""
        return self.draft.coder

    @property
    def rules(self) -> Rules:
        """The rules that are typeset."""
        return self.coder.rules

    @property
    def form(self) -> BookPage:
        """The page format and sizes."""
        return self.coder.form

    @property
    def count(self) -> int:
        """The number of pages including the cover."""
        return len(self.pages) + self.covers

    @property
    def back_cover(self) -> bool:
        """True if the last page is a back cover."""
        return self.pages[-1].back

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of all pages, as text."""
        return tuple(f"page {page.number}: {fault}" for page in self.pages for fault in page.faults)


class Move(NamedTuple):
    """The numbers of a figure that moves and of the item that it then follows."""

    start: int
    end: int


@dataclass(frozen=True)
class PageTarget:
    """A preference for page counts: a multiple of `step` above all, then as few as look well."""

    step: int
    page_cost: float

    def cost(self, count: int) -> float:
        """Return the cost of a page count."""
        # A single page is read on a screen, or printed on one side: it needs no second one.
        blank = -count % self.step if count > 1 or self.step > 2 else 0
        return self.page_cost * (count + blank) + BLANK_PAGE_COST * blank


# Any number of pages, an even number, as few sheets as possible, a multiple of four to fold, as few
# pages as possible, and a back cover.
ANY = PageTarget(1, 220.0)
TO_TURN = PageTarget(2, 9000.0)
EVEN = PageTarget(2, 20_000.0)
FOLDS = PageTarget(PAGES_PER_SHEET, 5000.0)
FEWEST = PageTarget(1, 2000.0)
OUTSIDE = PageTarget(1, 500.0)


@dataclass(frozen=True)
class _Run:
    """Items composed on pages of their own from page `first` on; `other_pages` more pages of the book count, too."""

    items: tuple[SizedItem, ...]
    form: BookPage
    first: int
    target: PageTarget
    other_pages: int = 0
    is_back: bool = False


@dataclass
class BookSetter:
    """Typesets the booklets of one game; measurements are shared by all of them.

    `faces` numbers the pictures. `before` pages precede the booklet in its file, and are counted.
    """

    rules: Rules
    fonts: FontSet
    engine: Engine
    faces: dict[str, int] = field(default_factory=dict)
    heights: Heights = field(default_factory=Heights)
    runs: "dict[_Run, tuple[Composed, ...]]" = field(default_factory=dict)
    before: int = 0

    def __post_init__(self) -> None:
        for face in self.rules.faces:
            self.faces.setdefault(face.name, len(self.faces) + 1)

    def find_best(self, forms: Sequence[BookPage], target: PageTarget) -> Book:
        """Return the cheapest book over page formats, type and picture sizes.

        The first format is preferred. Formats are compared before all page numbers are correct,
        since these seldom change the breaks.
        """
        best: Book | None = None
        limit = inf
        for form in forms:
            format_cost = _format_cost(form, forms[0])
            draft = self._make_draft(form, best.coder.places if best else HeadingPages())
            # A block may be too high at one size of type and pictures, and fit at another.
            with suppress(InvalidValueError):
                book = self._compose(draft, target, limit=limit - format_cost - MIN_GAIN)
                # The limit of the search is that of the body, and the back cover costs more.
                if _total_cost(book, target) > limit - format_cost - MIN_GAIN:
                    continue
                # The first book gives those that follow nearly correct page numbers.
                best = book if best else self._settle(book, target)
                limit = _total_cost(best, target) + format_cost
            # Other sizes save no page, but would let short texts differ in size.
            if best and best.count == 1:
                break
        if best is None:
            best = self._compose(self._make_draft(forms[0], HeadingPages()), target)
        book, moves = self._float_figures(self._settle(best, target), target)
        return self._settle(book, target, moves)

    def _float_figures(self, book: Book, target: PageTarget) -> tuple[Book, tuple[Move, ...]]:
        """Return the book with figures moved behind text that fills holes before them, if it has any.

        Each figure near the head of a page may have left a hole on the page before it, and is tried
        at some later places.
        """
        moves: tuple[Move, ...] = ()
        for _ in range(MAX_FLOATS):
            if book.cost < HOLE_COST:
                break
            found = book
            best = moves
            for start in _figures_after_breaks(book):
                for step in range(1, MAX_FLOAT_STEPS + 1):
                    trial = (*moves, Move(start, start + step))
                    with suppress(InvalidValueError):
                        limit = _total_cost(found, target)
                        other = self._compose(book.draft, target, trial, limit)
                        if _total_cost(other, target) < limit and _are_in_sight(other, trial):
                            found, best = other, trial
            if found is book:
                break
            book, moves = found, best
        return book, moves

    def _settle(self, book: Book, target: PageTarget, moves: Sequence[Move] = ()) -> Book:
        """Return the book with correct page numbers, and a table of contents if it is long."""
        form = book.form
        listed = book.draft.listed
        for _ in range(MAX_PASSES):
            places = _find_heading_pages(book.pages, self.rules)
            if book.count > MAX_PAGES_WITHOUT_CONTENTS and not listed and form.columns > 1:
                listed = True
                moves = ()  # the contents come first: all later items have other numbers
            # pnp's own pages refer to no page, so only a table of contents shows page numbers.
            elif places == book.coder.places or (self.rules.is_generated and not listed):
                return book
            book = self._compose(self._make_draft(form, places, listed=listed), target, moves)
        raise InvalidValueError(
            "the page numbers do not settle", "fewer references in one line", kind=Kind.FIT
        )

    def _make_draft(self, form: BookPage, places: HeadingPages, *, listed: bool = False) -> Draft:
        coder = RuleCoder(self.rules, form, self.fonts, places, self.faces)
        flow = RuleFlow(coder, self.heights)
        items = self._list_items(flow, listed=listed)
        while self.heights.unbroken:
            self.engine.measure(self.heights, coder)
            items = self._list_items(flow, listed=listed)
        self._measure(items, coder)
        return Draft(
            coder, tuple(items), {item.box: _measure_heights(item, form) for item in items}, listed
        )

    def _compose(
        self, draft: Draft, target: PageTarget, moves: Sequence[Move] = (), limit: float = inf
    ) -> Book:
        """Return the cheapest book of a draft, with some figures moved.

        Raise `InvalidValueError` if no pages fit. Those of the body are searched below `limit`, which is
        the cost of the body with its number of pages; pages that were found before are returned at any cost.
        """
        form = draft.coder.form
        covers = 1 if self.rules.style.cover else 0
        items = list(draft.items)
        for move in moves:
            items = _move_figure(items, move)
        sized = [self._size_item(item, draft) for item in items]
        back = next((number for number, item in enumerate(items) if item.back), len(items))
        outside = 1 if back < len(items) else 0
        first = self.before + 1 + covers
        body = self._compose_run(
            _Run(tuple(sized[:back]), form, first, target, covers + outside), limit
        )
        back_pages: tuple[Composed, ...] = ()
        if body and outside:
            back_pages = self._compose_run(
                _Run(tuple(sized[back:]), form, first + len(body), OUTSIDE, is_back=True)
            )
        if not body or (outside and not back_pages):
            raise InvalidValueError(
                "a block is higher than the page",
                "a smaller figure, or less in one box",
                kind=Kind.FIT,
            )
        pages = [*body, *back_pages]
        set_pages = tuple(
            _lay_out(
                page, items[0 if at < len(body) else back :], form, first + at, back=at >= len(body)
            )
            for at, page in enumerate(pages)
        )
        return Book(draft, set_pages, covers, sum(page.cost for page in pages))

    def _compose_run(self, run: "_Run", limit: float = inf) -> tuple[Composed, ...]:
        """Compose the pages of a run; cached, because new page numbers seldom change the breaks."""
        if run not in self.runs:
            filler = filler_holes(
                self.rules.style.theme,
                run.form,
                is_back=run.is_back,
                is_guide=self.rules.is_generated,
            )
            search = Composer(
                run.items, run.form, facing=run.form.mirrored and not run.is_back, filler=filler
            )
            pages = search.compose(
                run.first, lambda count: run.target.cost(count + run.other_pages), limit
            )
            if not pages:
                return ()
            self.runs[run] = pages
        return self.runs[run]

    def _size_item(self, item: FlowItem, draft: Draft) -> SizedItem:
        """Return an item of a draft for the search."""
        form = draft.coder.form
        return SizedItem(
            heights=draft.heights[item.box],
            before=item.before,
            after=item.after,
            tie=item.tie,
            across=item.across and form.columns > 1,
            opens=item.opens,
            section=item.rank == SECTION,
            floats=item.floats and form.columns > 1,
            foot=sum(self.heights.of(note, form.width) for note in item.notes),
            fault=item.fault,
            give=item.give,
        )

    def _list_items(self, flow: RuleFlow, *, listed: bool) -> list[FlowItem]:
        title = [] if self.rules.style.cover else [flow.title()]
        return _apply_page_breaks(
            [
                *flow.banner(),
                *title,
                *(flow.contents() if listed else ()),
                *flow.items(self.rules.blocks),
            ]
        )

    def _measure(self, items: Sequence[FlowItem], coder: RuleCoder) -> None:
        for item in items:
            for note in item.notes:
                self.heights.of(note, coder.form.width)
            if item.box:
                width = coder.form.width if item.across else coder.form.column
                # A caption is as wide as its cell, which may depend on the scale of the pictures.
                for share in SHARES:
                    item.box(width, share)
        self.engine.measure(self.heights, coder)


def _total_cost(book: Book, target: PageTarget) -> float:
    """Return the cost of a book with that of its number of pages."""
    return book.cost + target.cost(book.count)


def _figures_after_breaks(book: Book) -> Iterator[int]:
    """Yield the numbers of the figures among the first items of pages."""
    number = 0
    for page in book.pages:
        if number:
            first = page.boxes[:MAX_ITEMS_BEFORE_FLOAT]
            yield from (number + at for at, (*_, item) in enumerate(first) if item.name)
        number += len(page.boxes)


def _are_in_sight(book: Book, moves: Sequence[Move]) -> bool:
    """Return True if each figure that moved is on the page of the item before it, or faces it."""
    pages = {item.box: page.number for page in book.pages for *_, item in page.boxes}
    items = list(book.draft.items)
    for move in moves:
        text = pages[items[move.start - 1].box]
        figure = pages[items[move.start].box]
        # Pages 2 and 3 face each other, as 4 and 5 do.
        facing = text ^ 1 if book.form.mirrored else text
        if figure not in {text, facing}:
            return False
        items = _move_figure(items, move)
    return True


def _move_figure(items: list[FlowItem], move: Move) -> list[FlowItem]:
    """Return the items with a figure moved behind a later one.

    Raise `InvalidValueError` if it would leave its section, or part what belongs together.
    """
    figure = items[move.start]
    passed = items[move.start + 1 : move.end + 1]
    before = items[move.start - 1]
    if (
        len(passed) < move.end - move.start
        or any(item.rank or item.opens or item.back for item in passed)
        or before.rank
        or passed[-1].tie.cost >= MAX_PARTED_COST
        or figure.tie.cost >= MAX_PARTED_COST
    ):
        raise InvalidValueError("the figure cannot move there", "another place", kind=Kind.FIT)
    return [
        *items[: move.start - 1],
        replace(before, tie=figure.tie),
        *passed[:-1],
        replace(passed[-1], tie=before.tie),
        replace(figure, tie=passed[-1].tie),
        *items[move.end + 1 :],
    ]


def _format_cost(form: BookPage, first: BookPage) -> float:
    """Return the cost of leaving the preferred format."""
    off = form.text - first.text
    return max(LARGER_TYPE_COST * off, -SMALLER_TYPE_COST * off) + SMALLER_TYPE_COST * abs(
        form.columns - first.columns
    )


def _apply_page_breaks(items: Iterable[FlowItem]) -> list[FlowItem]:
    """Turn page breaks into properties of the items after them."""
    kept_items: list[FlowItem] = []
    opens = False
    back = False
    for item in items:
        if item.box is None:
            opens = True
            back = item.back
            continue
        kept_items.append(replace(item, opens=bool(kept_items), back=back) if opens else item)
        opens = back = False
    return _span_headings(kept_items)


def _span_headings(items: list[FlowItem]) -> list[FlowItem]:
    """Make headings span the columns if the item after them does, which then cannot float."""
    for index in reversed(range(len(items) - 1)):
        if items[index].rank and items[index + 1].across:
            items[index] = replace(items[index], across=True)
            items[index + 1] = replace(items[index + 1], floats=False)
    return items


def _measure_heights(item: FlowItem, form: BookPage) -> tuple[float, ...]:
    """Return the height of an item at each of `SHARES`."""
    if not item.box:
        return (0.0,) * len(SHARES)
    width = form.width if item.across else form.column
    ends = [item.box(width, share).height for share in (min(SHARES), max(SHARES))]
    if ends[0] == ends[1]:  # most items are text, or figures of one scale
        return (ends[0],) * len(SHARES)
    return tuple(item.box(width, share).height for share in SHARES)


def _lay_out(
    page: Composed, items: Sequence[FlowItem], form: BookPage, number: int, *, back: bool
) -> BookPageLayout:
    boxes = []
    for spot in page.spots:
        item = items[spot.item]
        width = form.width if item.across or spot.column is None else form.column
        if item.box:
            boxes.append(
                (
                    form.left(spot.column),
                    form.top + spot.top,
                    item.box(width, SHARES[page.share]),
                    item,
                )
            )
    return BookPageLayout(tuple(boxes), number, back, page.faults)


def _find_heading_pages(pages: Iterable[BookPageLayout], rules: Rules) -> HeadingPages:
    """Return the pages on which each heading's section begins and ends."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    ranks = {heading.slug: heading.level for heading in rules.headings}
    open_headings: list[str] = []
    for page in pages:
        for _, _, _, item in page.boxes:
            if item.slug and item.slug not in first:
                first[item.slug] = page.number
                open_headings = [slug for slug in open_headings if ranks[slug] < item.rank] + [
                    item.slug
                ]
            last.update(dict.fromkeys(open_headings, page.number))
    return HeadingPages(first, last)
