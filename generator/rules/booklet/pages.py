"""Page formats of rules, and the search for the best page that some items can make.

Lengths are in mm, type in points. `Pages` tries every size of pictures and every way to break the
items into columns, and returns the page of the lowest cost; `search` puts the pages of a booklet
together. A cost has no unit: 1 is a column that is 1 mm taller. No source of the values is recorded.
Change them together, and compare the pages of the bundled booklets;
`tests/games/test_composed_pages.py` tests what these must not show.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, inf
from typing import NamedTuple

from generator.base.geometry import Size

# The scales that the pictures of a page may have.
SHARES = (1.0, 1.12, 1.25, 1.4, 0.92, 0.85, 0.78, 0.7, 0.62)

# The costs of separating two items: HELD ones stay together unless they fit on no page, FIRM ones
# unless the page would be bad, and LOOSE ones may be separated.
HELD = 20_000.0
FIRM = 420.0
LOOSE = 90.0

# Added to the number of a pixel that stands for a face with a thin line around it.
LINED = 1 << 20


@dataclass(frozen=True)
class Tie:
    """A tie between two items: the cost of separating them, and the fault to report then.

    Between two columns of a page, the cost is a share of that, but for HELD items.
    """

    cost: float = 0.0
    fault: str = ""
    column_share: float = 0.5


NO_TIE = Tie()


@dataclass(frozen=True)
class SizedItem:
    """An item for the search: its height at each of `SHARES`; `before` and `after` are gaps.

    `across` spans all columns; `opens` begins a page; `section` is the heading of a section; `give`
    is how far the gap after it may grow.
    An item that `floats` may move on its page. `foot` is the height of its footnotes. `fault` is that
    of the item itself, wherever it stands.
    """

    heights: tuple[float, ...]
    before: float = 0.0
    after: float = 0.0
    tie: Tie = NO_TIE
    across: bool = False
    opens: bool = False
    section: bool = False
    floats: bool = False
    foot: float = 0.0
    fault: str = ""
    give: float = 1.0


@dataclass(frozen=True)
class Spot:
    """The place of an item: its column (None across all), and its top in mm below that of the type area."""

    item: int
    column: int | None
    top: float


@dataclass(frozen=True)
class Composed:
    """A page: the index of its picture size in `SHARES`, its items, and its faults as text."""

    share: int
    spots: tuple[Spot, ...]
    cost: float
    faults: tuple[str, ...] = ()


# Nothing in a booklet is set smaller.
MIN_TYPE_PT = 9.0

# The distance of lines as a share of the type size.
LEADING = 1.28


@dataclass(frozen=True)
class BookPage:
    """A page format with its type area; `pictures` scales its figures."""

    name: str
    size: Size
    side: float
    top: float
    bottom: float
    columns: int
    gap: float
    text: float
    mirrored: bool
    pictures: float = 1.0

    @property
    def width(self) -> float:
        """The width of the type area."""
        return self.size.w - 2 * self.side

    @property
    def height(self) -> float:
        """The height of the type area."""
        return self.size.h - self.top - self.bottom

    @property
    def column(self) -> float:
        """The width of a column."""
        return (self.width - (self.columns - 1) * self.gap) / self.columns

    def left(self, column: int | None) -> float:
        """Return the left edge of a column from the page's left edge; None is across all."""
        return self.side + (column or 0) * (self.column + self.gap)

    def at(self, text: float, pictures: float = 1.0) -> "BookPage":
        """Return the format with other sizes of type and pictures."""
        return replace(self, text=max(MIN_TYPE_PT, text), pictures=pictures)

    def in_columns(self, columns: int) -> "BookPage":
        """Return the format with another number of columns."""
        return replace(self, columns=columns)


# As wide as A4 and as high as Letter, the smaller of both: prints on either at 100 %, and reads on a
# screen.
READING = BookPage(
    "page", Size(210, 279.4), side=17, top=15, bottom=19, columns=2, gap=8, text=10, mirrored=False
)

# As wide as half a Letter and as high as half an A4, the smaller of both: one setting for both papers,
# with the same page numbers.
FOLDED = BookPage(
    "folded",
    Size(139.7, 210),
    side=12.5,
    top=12,
    bottom=15.5,
    columns=1,
    gap=6,
    text=9.6,
    mirrored=True,
)

LARGEST_SHARE_INDEX = SHARES.index(max(SHARES))
SMALLEST_SHARE_INDEX = SHARES.index(min(SHARES))

# Empty space that is acceptable at the foot of a column; the longest gap that readers take for a gap.
FREE_HOLE_MM = 14.0

# The cost of a hole beyond that, and of each further mm up to a limit: more of it looks no worse.
HOLE_COST = 2600.0
HOLE_MM_COST = 90.0
MAX_HOLE_MM = 250.0

# The cost of a hole that the theme's art fills, and of each mm of it above the least.
FILLED_HOLE_COST = 1000.0
PICTURE_MM_COST = 8.0

# The least space above art. Columns above art end level, like those that end at the foot of a page.
FILLER_GAP_MM = 8.0

# The cost of each mm of a hole in the last column of a book: less than art to fill it, until a fifth of
# the page is empty.
LAST_COLUMN_MM_COST = 25.0

# Pages with higher holes are reported.
REPORTED_HOLE_MM = 42.0

# The cost of an empty column for each mm of the one next to it, and the height of the few lines that
# may stand alone.
EMPTY_COLUMN_MM_COST = 100.0
SOME_LINES_MM = 10.0

# A column that is shorter than the tallest, and a hole at the foot of a page, cost the square of their
# multiples of these lengths.
UNEVEN_MM = 9.0
HOLE_MM = 5.0

# The share of the cost of holes where they are usual: before a page break, and in the last column of
# all.
LAST_PAGE_SHARE = 0.35

# The cost of pictures at scale 0, and at twice their size; in proportion for scales between.
SHRINKING_COST = 260.0
GROWING_COST = 25.0

# A page that fills less of its height, with pictures at their largest, is not tried, unless it ends a
# section.
MIN_FILLED_SHARE = 0.05

# The search for three columns tries first columns that differ at most so much from columns of one
# height: others seldom cost less, and leaving them out saves time.
MAX_UNEVEN_SHARE = 0.6
MAX_UNEVEN_MM = 30.0

# Between items across the columns and items in columns: about one blank line of text.
BAND_GAP_MM = 5.0

# The cost of a figure that moves past all other items of its page, and of each heading that it
# passes: readers look for a figure under its heading.
FLOAT_COST = 150.0
PASSED_HEADING_COST = 600.0
# The share of a page's height that its items must fill before figures are moved.
MIN_FLOATED_SHARE = 0.7

# The gap between two bands may grow by this much, to make pages end evenly.
MAX_BAND_GROWTH_MM = 6.0


# Sums of floats may be off by so much.
ROUNDING_MM = 1e-6


@dataclass(frozen=True)
class Filler:
    """The theme's art for holes across the feet of all columns; heights in mm.

    Holes of `least` and more are filled: low ones by the banner, others by a picture whose height is
    between `least_picture` and `picture`, 0 without one. Art beside text would be a picture without
    meaning there, and cost much ink. A run that `ends_level` is a page of its own with art around it:
    its columns have one height. One that `has_white_first_page` has art on later pages only.
    """

    least: float = inf
    banner: float = 0.0
    least_picture: float = 0.0
    picture: float = 0.0
    ends_level: bool = False
    has_white_first_page: bool = False

    def on_first_page(self) -> "Filler":
        """Return the art for a page that shows the banner at its head: no second one at its foot."""
        has_art = self.picture and not self.has_white_first_page
        return replace(self, least=self.least_picture + FILLER_GAP_MM if has_art else inf)

    def art_height(self, holes: Sequence[float]) -> float:
        """Return the height of the art across some holes, 0 for none."""
        hole = min(holes) + ROUNDING_MM
        if hole < self.least:
            return 0.0
        if self.picture and hole >= self.least_picture + FILLER_GAP_MM:
            return min(self.picture, hole - FILLER_GAP_MM)
        return self.banner


class _ColumnEnd(NamedTuple):
    """The height that a column leaves free above a gap, and how far its own gaps may grow in all."""

    spare: float
    stretch: float
    gap: float = 0.0

    @property
    def grows(self) -> bool:
        """True if gaps may grow: only if that fills the column, or nearly so."""
        return self.spare <= self.stretch + FREE_HOLE_MM - self.gap

    @property
    def hole(self) -> float:
        """The hole at the foot of the column, once its gaps have grown."""
        return self.gap + (max(0.0, self.spare - self.stretch) if self.grows else self.spare)

    def above(self, art: float) -> "_ColumnEnd":
        """Return the end of the column above art of a height, which is 0 for none."""
        spare = self.spare - art - FILLER_GAP_MM
        return _ColumnEnd(spare, self.stretch, FILLER_GAP_MM) if art else self


@dataclass(frozen=True)
class _PageEnd:
    """The end of a page: `ends_section` before a page break or the end, `ends_book` after the last item."""

    filler: Filler
    ends_section: bool
    ends_book: bool

    def art_height(self, ends: Sequence[_ColumnEnd]) -> float:
        """Return the height of the art for which columns leave room, 0 for none.

        Before a page break, art fills the hole that is there.
        """
        if self.ends_section and not self.ends_book:
            return 0.0
        return self.filler.art_height([end.hole for end in ends])

    def hole_costs(self, ends: Sequence[_ColumnEnd]) -> float:
        """Return the cost of the holes at the feet of a page's columns."""
        if (self.ends_section and not self.ends_book) or self.filler.ends_level:
            return sum(_early_cost(end.hole) for end in ends)
        if art := self.art_height(ends):
            filled = FILLED_HOLE_COST + PICTURE_MM_COST * max(0.0, art - self.filler.least_picture)
            return filled + sum(_hole_cost(end.above(art).hole) for end in ends)
        if not self.ends_book:
            return sum(_hole_cost(end.hole) for end in ends)
        holes = [end.hole for end in ends]
        # Without art, no column ends far above the one that follows it.
        if self.filler.least == inf:
            lower = sum(_hole_cost(max(0.0, a - b)) for a, b in pairwise(holes))
            return lower + sum(map(_early_cost, holes))
        *others, last = holes
        late = LAST_COLUMN_MM_COST * max(0.0, last - FREE_HOLE_MM)
        return sum(map(_hole_cost, others)) + _early_cost(last) + late

    def uneven_cost(self, uneven: float) -> float:
        """Return the cost of two last columns whose heights differ by so many mm."""
        return (uneven / UNEVEN_MM) ** 2 if self.ends_book and self.filler.ends_level else 0.0


@dataclass(frozen=True)
class _Arrangement:
    """The items of a page in their order, on `pages` of their own if some float, with its cost.

    `slack` is the height that the bands leave free, of which `art` takes a part.
    """

    cost: float
    order: Sequence[int]
    pages: "Pages"
    bands: tuple["_Band", ...]
    slack: float
    ends: Sequence[_ColumnEnd]
    art: float


@dataclass(frozen=True)
class _Band:
    """A part of a page: items from `start` up to `end`, in columns that begin at `cuts`."""

    start: int
    end: int
    cuts: tuple[int, ...]
    height: float
    cost: float
    across: bool


class _Columns:
    """A branch-and-bound search for the cheapest columns of some items."""

    def __init__(self, pages: "Pages", start: int, end: int, share: int, available: float) -> None:
        self._pages = pages
        self._start = start
        self._end = end
        self._available = available + ROUNDING_MM
        self._sums, self._between = pages.sums(share)
        self.level = self._column_height(start, end) / pages.columns
        self.best: tuple[float, tuple[int, ...], float] = (inf, (), 0.0)

    def search(self) -> tuple[float, tuple[int, ...], float]:
        """Try all columns, even ones first, since these are usually cheapest."""
        self._grow((self._start,), (), 0.0)
        return self.best

    def attempt(self, cuts: tuple[int, ...]) -> None:
        """Try columns that begin with these cuts."""
        heights = [self._column_height(a, b) for a, b in pairwise((*cuts, self._end))]
        tallest = max(heights)
        if tallest > self._available:
            return
        cost = tallest + sum(
            self._pages.column_costs[cut] for cut in cuts[1:] if self._start < cut < self._end
        )
        cost += sum(_uneven_cost(height, tallest) for height in heights)
        self.best = min(self.best, (cost, cuts, tallest))

    def _is_near_level(self, height: float) -> bool:
        """Return True if a first column of this height is worth trying."""
        return abs(height - self.level) <= MAX_UNEVEN_SHARE * self.level + MAX_UNEVEN_MM

    def _grow(self, cuts: tuple[int, ...], heights: tuple[float, ...], spent: float) -> None:
        """Try all ends of the last column, after columns of these heights that cost `spent` to begin.

        The most even end comes first. Beyond it columns become more and more uneven, so a side is
        left as soon as its columns must cost more than the best ones, or no longer fit.
        """
        at = cuts[-1]
        left = self._pages.columns - len(cuts)
        sums = self._sums
        between = self._between
        slack = (left - 1) * self._pages.gap
        bottom = sums[self._end] - between[self._end - 1]
        first = at + (len(cuts) == 1)
        even = bisect_left(sums, sums[at] + (bottom - sums[at]) / (left + 1), first, self._end)
        for ends in (range(even, first - 1, -1), range(even + 1, self._end + 1)):
            for cut in ends:
                column_height = sums[cut] - sums[at] - between[cut - 1] if cut > at else 0.0
                # At least one of the columns that follow is as high as their mean; a single one is
                # exactly as high.
                space = (bottom - sums[cut] - slack) / left if cut < self._end else 0.0
                tallest = max(*heights, column_height, space)
                least = tallest + spent
                for height in heights:
                    least += _uneven_cost(height, tallest)
                cost = _uneven_cost(column_height, tallest)
                last = _uneven_cost(space, tallest) if left == 1 else 0.0
                outer = cost if cut <= even else last
                if tallest > self._available or least + outer > self.best[0]:
                    if (column_height < space) == (cut <= even):
                        break
                    continue
                if len(cuts) == 1 and not self._is_near_level(column_height) and cut != self._end:
                    continue
                begun = self._pages.column_costs[cut] if cut < self._end else 0.0
                if least + cost + last + begun > self.best[0]:
                    continue
                if left == 1:
                    self.attempt((*cuts, cut))
                else:
                    self._grow((*cuts, cut), (*heights, column_height), spent + begun)

    def _column_height(self, start: int, end: int) -> float:
        """Return the height of some items in one column."""
        return self._sums[end] - self._sums[start] - self._between[end - 1] if end > start else 0.0


class Pages:
    """All pages that a run of items can make.

    `filler` is the theme's art for holes.
    """

    def __init__(
        self, items: Sequence[SizedItem], form: BookPage, filler: "Filler | None" = None
    ) -> None:
        self._items = items
        self._filler = filler or Filler()
        self._gives = list(accumulate((item.give for item in items), initial=0.0))
        self._form = form
        self.columns = form.columns
        self.gap = max((max(item.before, item.after) for item in items), default=0.0)
        self.column_costs = [_column_cost(items[cut - 1]) for cut in range(len(items))]
        # Made for a share when first needed: pages with floating items need one share only.
        self.sums = cache(self._cumulative_heights)
        self._flattened_heights = cache(self._flatten_columns)
        self.page = cache(self._find_best_page)

    def least_count(self, start: int) -> int:
        """Return a lower bound of the number of pages for all items from `start` on."""
        return ceil(
            self._least_height(start, len(self._items), SMALLEST_SHARE_INDEX) / self._form.height
        )

    def is_too_high(self, start: int, end: int) -> bool:
        """Return True if some items fit on no page, even with the smallest pictures."""
        return self._least_height(start, end, SMALLEST_SHARE_INDEX) > self._form.height

    def _find_best_page(self, start: int, end: int) -> Composed:
        """Return the best page of some items over all picture sizes, without positions."""
        best = Composed(0, (), inf)
        if not self._is_full_enough(start, end):
            return best
        plain = all(item.heights[0] == item.heights[-1] for item in self._items[start:end])
        costs = ((_scale_cost(share), share) for share in range(1 if plain else len(SHARES)))
        for least, share in sorted(costs):
            if least >= best.cost:
                break
            page = self._page_with_share(start, end, share, least)
            if page.cost < best.cost:
                best = page
        return best

    def _is_full_enough(self, start: int, end: int) -> bool:
        """Return True if a page ends a section, or can be filled to more than `MIN_FILLED_SHARE`."""
        least = self._least_height(start, end, LARGEST_SHARE_INDEX)
        return self._ends_section(end) or least > MIN_FILLED_SHARE * self._form.height

    def _ends_section(self, end: int) -> bool:
        """Return True if the item at `end` begins a page anyway, or is none."""
        return end == len(self._items) or self._items[end].opens

    def _least_height(self, start: int, end: int, share: int) -> float:
        """Return a lower bound of the height of some items, in any columns."""
        heights = self._flattened_heights(share)
        return heights[end] - heights[start]

    def _page_with_share(self, start: int, end: int, share: int, scale_cost: float) -> Composed:
        """Return the page of some items with pictures of one size, without positions."""
        arranged = self._best_arranged(start, end, share)
        return Composed(share, (), scale_cost + arranged.cost if arranged else inf)

    def _best_arranged(self, start: int, end: int, share: int) -> _Arrangement | None:
        """Return the cheapest order of a page's items; None if they do not fit.

        Floating items may move to the head or the foot of the page if their own places leave holes.
        """
        filler = self._filler if start else self._filler.on_first_page()
        if any(item.foot for item in self._items[start:end]):
            filler = Filler()  # footnotes stand where the art would be
        page = _PageEnd(filler, self._ends_section(end), end == len(self._items))
        best = self._cost_order(start, end, share, page, range(start, end))
        full = self._least_height(start, end, share) > MIN_FLOATED_SHARE * self._form.height
        if (best and best.cost < HOLE_COST) or not (full or page.ends_book):
            return best
        for cost, order in self._floated_orders(start, end):
            if best and cost >= best.cost:
                continue
            moved = Pages([self._items[index] for index in order], self._form, self._filler)
            found = moved._cost_order(0, len(order), share, page, order)
            if found and (best is None or found.cost + cost < best.cost):
                best = replace(found, cost=found.cost + cost)
        return best

    def _cost_order(
        self, start: int, end: int, share: int, page: _PageEnd, order: Sequence[int]
    ) -> _Arrangement | None:
        """Return some items in bands; `order` has their numbers in the booklet."""
        arranged = self._arrange(start, end, share, page)
        if arranged is None:
            return None
        bands, slack = arranged
        ends = self._column_ends(bands, slack, share)
        cost = sum(band.cost for band in bands) + page.hole_costs(ends)
        return _Arrangement(cost, order, self, bands, slack, ends, page.art_height(ends))

    def _floated_orders(self, start: int, end: int) -> Iterator[tuple[float, list[int]]]:
        """Yield the numbers of a page's items with floating ones elsewhere, and the cost of that.

        All may move to the head or the foot of the page; neighbours may also move within their
        section. None moves below the heading of another section.
        """
        floating = [index for index in range(start, end) if self._items[index].floats]
        others = [index for index in range(start, end) if not self._items[index].floats]
        if not floating or not others:
            return
        first, last = floating[0], floating[-1]
        # Art and a title across the page stay above all else.
        head = next(
            (at for at, index in enumerate(others) if not self._items[index].across), len(others)
        )
        foot = len(others)
        are_neighbours = last - first < len(floating)
        for at in range(head, foot + 1) if are_neighbours else (head, foot):
            above = [self._items[index] for index in others[:at] if index > first]
            below = [self._items[index] for index in others[at:] if index < last]
            leaves_section = any(item.section for item in below) and at != head
            if not (above or below) or any(item.section for item in above) or leaves_section:
                continue
            passed = above + below
            cost = FLOAT_COST * len(passed) / len(others)
            cost += PASSED_HEADING_COST * sum(item.tie.cost >= HELD for item in passed)
            if head < at < foot:
                cost += _column_cost(self._items[others[at - 1]])
            yield cost, [*others[:at], *floating, *others[at:]]

    def _arrange(
        self, start: int, end: int, share: int, page: _PageEnd
    ) -> tuple[tuple[_Band, ...], float] | None:
        """Return the bands of a page and the height that they leave free; None if they do not fit."""
        feet = sum(item.foot for item in self._items[start:end])
        height = self._form.height - (feet + BAND_GAP_MM if feet else 0.0)
        if self._least_height(start, end, share) > height:
            return None
        bands = self._split_bands(start, end, share, height, page)
        if bands is None:
            return None
        slack = height - sum(band.height for band in bands) - BAND_GAP_MM * (len(bands) - 1)
        return (bands, slack) if slack >= -ROUNDING_MM else None

    def finish(self, page: Composed, start: int, end: int) -> Composed:
        """Return the page with all positions and its faults."""
        share = page.share
        last = self._ends_section(end)
        arranged = self._best_arranged(start, end, share)
        if arranged is None:
            raise ValueError("only a page that fits is finished")
        holes = [column.above(arranged.art).hole for column in arranged.ends]
        faults = [item.fault for item in self._items[start:end] if item.fault]
        faults += [
            f"{hole:.0f} mm stay empty" for hole in holes if hole > REPORTED_HOLE_MM and not last
        ]
        spots = arranged.pages.place_items(arranged, share)
        first = start if arranged.pages is self else 0
        placed = tuple(replace(spot, item=arranged.order[spot.item - first]) for spot in spots)
        return Composed(share, placed, page.cost, tuple(faults))

    def _cumulative_heights(self, share: int) -> tuple[list[float], list[float]]:
        """Return cumulative heights, and the gap between each item and the next."""
        heights = [item.heights[share] for item in self._items]
        between = [
            max(a.after, b.before) for a, b in zip(self._items, self._items[1:], strict=False)
        ]
        sums = list(
            accumulate((h + g for h, g in zip(heights, [*between, 0.0], strict=True)), initial=0.0)
        )
        return sums, [*between, 0.0]

    def _flatten_columns(self, share: int) -> list[float]:
        """Return cumulative heights, with items in columns spread evenly over all columns."""
        columns = self.columns
        return list(
            accumulate(
                (i.heights[share] / (1 if i.across else columns) for i in self._items), initial=0.0
            )
        )

    def _column_height(self, start: int, end: int, share: int) -> float:
        """Return the height of some items in one column."""
        if start == end:
            return 0.0
        sums, between = self.sums(share)
        return sums[end] - sums[start] - between[end - 1]

    def _split_bands(
        self, start: int, end: int, share: int, available: float, page: _PageEnd
    ) -> tuple[_Band, ...] | None:
        """Return the bands of some items: stretches across the page, and stretches in columns."""
        bands: list[_Band] = []
        at = start
        while at < end:
            across = self._items[at].across or self.columns == 1
            stop = at
            while stop < end and (self._items[stop].across or self.columns == 1) == across:
                stop += 1
            if across:
                bands.append(
                    _Band(at, stop, (at,), self._column_height(at, stop, share), 0.0, across=True)
                )
            else:
                above = sum(band.height + BAND_GAP_MM for band in bands)
                band = self._balance_columns(
                    at, stop, share, available - above, page if stop == end else None
                )
                if band is None:
                    return None
                bands.append(band)
            at = stop
        return tuple(bands)

    def _balance_columns(
        self, start: int, end: int, share: int, available: float, page: _PageEnd | None
    ) -> _Band | None:
        """Return the best columns of some items: short, even and with few splits.

        At the end of a `page`, they fill its height instead of being short.
        """
        if self.columns == 2:
            cost, cuts, tallest = self._balance_two_columns(
                start, end, share, available + ROUNDING_MM, page
            )
        else:
            cost, cuts, tallest = _Columns(self, start, end, share, available).search()
            cost -= tallest
        return _Band(start, end, cuts, tallest, cost, across=False) if cuts else None

    def _balance_two_columns(
        self, start: int, end: int, share: int, available: float, page: _PageEnd | None
    ) -> tuple[float, tuple[int, ...], float]:
        """Return the cheapest two columns, the cost of their break, and the height of the taller.

        All breaks are tried: a fast path, since most pages have two columns.
        """
        sums, between = self.sums(share)
        best: tuple[float, float, tuple[int, ...], float] = (inf, inf, (), 0.0)
        for cut in range(start + 1, end + 1):
            left = sums[cut] - sums[start] - between[cut - 1]
            right = sums[end] - sums[cut] - between[end - 1] if end > cut else 0.0
            tallest = max(left, right)
            if left > available:
                break
            if tallest > available:
                continue
            tie = self.column_costs[cut] if cut < end else 0.0
            if page is not None:
                ends = (
                    _ColumnEnd(available - left, self._stretch(start, cut)),
                    _ColumnEnd(available - right, self._stretch(cut, end)),
                )
                rank = tie + page.hole_costs(ends) + _empty_cost(right, tallest)
                rank += page.uneven_cost(abs(left - right))
                cost = tie + _empty_cost(right, tallest)
            else:
                cost = tie + sum(
                    _uneven_cost(height, tallest, self._stretch(a, b))
                    for height, a, b in ((left, start, cut), (right, cut, end))
                )
                rank = tallest + cost
            best = min(best, (rank, cost, (start, cut), tallest))
        return best[1:]

    def _stretch(self, start: int, end: int) -> float:
        """Return how far the gaps of a column may grow in all."""
        return self._gives[end - 1] - self._gives[start] if end > start else 0.0

    def _column_ends(
        self, bands: Sequence[_Band], slack: float, share: int
    ) -> tuple[_ColumnEnd, ...]:
        """Return the ends of the columns of the last band."""
        band = bands[-1]
        available = band.height + slack - self._band_growth(bands, slack)
        return tuple(
            _ColumnEnd(available - self._column_height(a, b, share), self._stretch(a, b))
            for a, b in pairwise([*band.cuts, band.end])
        )

    def _band_growth(self, bands: Sequence[_Band], slack: float) -> float:
        """Return how far all gaps between bands grow together, to make the page end evenly."""
        return min(slack, MAX_BAND_GROWTH_MM * (len(bands) - 1))

    def place_items(self, page: _Arrangement, share: int) -> tuple[Spot, ...]:
        """Place everything, and distribute the remaining space between items as far as that looks well."""
        spots: list[Spot] = []
        top = 0.0
        bands = page.bands
        between = self._band_growth(bands, page.slack)
        for number, band in enumerate(bands):
            is_last = number == len(bands) - 1
            for column, (a, b) in enumerate(pairwise([*band.cuts, band.end])):
                end = _ColumnEnd(
                    band.height - self._column_height(a, b, share), self._stretch(a, b)
                )
                if is_last:
                    end = page.ends[column].above(page.art)
                place = None if band.across else column, top
                self._place_column(spots, range(a, b), share, place, end)
            top += (
                band.height + BAND_GAP_MM + (between / (len(bands) - 1) if len(bands) > 1 else 0.0)
            )
        return tuple(spots)

    def _place_column(
        self,
        spots: list[Spot],
        items: range,
        share: int,
        place: tuple[int | None, float],
        end: _ColumnEnd,
    ) -> None:
        """Place the items of a column."""
        column, top = place
        give = min(1.0, end.spare / end.stretch) if end.stretch and end.grows else 0.0
        y = top
        between = self.sums(share)[1]
        for i in items:
            spots.append(Spot(i, column, y))
            y += self._items[i].heights[share] + between[i] + give * self._items[i].give


def _scale_cost(share: int) -> float:
    """Return the cost of showing the pictures of a page at a share of their size."""
    size = SHARES[share]
    return SHRINKING_COST * (1 - size) if size < 1 else GROWING_COST * (size - 1)


def _early_cost(hole: float) -> float:
    """Return the cost of a hole where text may end early."""
    return LAST_PAGE_SHARE * (min(hole, FREE_HOLE_MM) / HOLE_MM) ** 2


def _hole_cost(hole: float) -> float:
    """Return the cost of a hole at the foot of a column."""
    cost = (min(hole, FREE_HOLE_MM) / HOLE_MM) ** 2
    if hole > FREE_HOLE_MM:
        return cost + HOLE_COST + HOLE_MM_COST * (min(hole, MAX_HOLE_MM) - FREE_HOLE_MM)
    return cost


def _uneven_cost(height: float, tallest: float, stretch: float = 0.0) -> float:
    """Return the cost of a column that is shorter than the tallest one, both in mm.

    Its gaps may grow by `stretch`.
    """
    missing = tallest - height
    cost = (missing / UNEVEN_MM) ** 2
    if missing - stretch > FREE_HOLE_MM:
        cost += HOLE_COST
    return cost + _empty_cost(height, tallest)


def _empty_cost(height: float, tallest: float) -> float:
    """Return the cost of an empty column next to one with some lines."""
    return EMPTY_COLUMN_MM_COST * tallest if not height and tallest > SOME_LINES_MM else 0.0


def _column_cost(item: SizedItem) -> float:
    """Return the cost of beginning a column after an item."""
    return item.tie.cost * (1 if item.tie.cost >= HELD else item.tie.column_share)
