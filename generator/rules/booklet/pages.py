"""Page formats for rules, and the input and output of the page search. In mm; type in points."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf

from generator.base.geometry import Size

SHARES = (1.0, 1.12, 1.25, 1.4, 0.92, 0.85, 0.78, 0.7, 0.62)
"""The sizes that pictures may take on a page, as shares of what they would be."""

HOPELESS = 1e9

HELD = 4000.0
FIRM = 420.0
LOOSE = 90.0
"""What it costs to part two items: never, hardly ever, sooner not."""

LINED = 1 << 20
"""Added to the number of a pixel that stands for a face with a thin line around it."""


@dataclass(frozen=True)
class Tie:
    """A tie between two items: the cost of separating them, and the fault to report."""

    cost: float = 0.0
    told: str = ""


NO_TIE = Tie()


@dataclass(frozen=True)
class SizedItem:
    """An item for the search: its height at each of `SHARES`; `before` and `after` are gaps.

    `across` spans all columns; `opens` begins a page; `give` is how far the gap after it may grow.
    `foot` is the height of its footnotes. `least` is the share below which its pictures are too
    small.
    """

    heights: tuple[float, ...]
    before: float = 0.0
    after: float = 0.0
    tie: Tie = NO_TIE
    across: bool = False
    opens: bool = False
    foot: float = 0.0
    least: float = 0.0
    name: str = ""
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


MIN_TYPE_PT = 9.0
"""Points; nothing in a booklet is set smaller."""

LEADING = 1.28
"""Lines, as a share of the type's size."""


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


READING = BookPage(
    "page", Size(210, 279.4), side=17, top=15, bottom=19, columns=2, gap=8, text=10, mirrored=False
)
"""What A4 and Letter have in common: prints on either at 100 %, and reads on a screen."""

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
"""What half an A4 and half a Letter have in common: one setting for both, with the same page numbers."""


LARGEST_SHARE_INDEX = SHARES.index(max(SHARES))

# Empty space that is acceptable at the foot of a column.
FREE_HOLE_MM = 42.0

# The cost of a hole beyond that.
HOLE_COST = 2600.0

BARE = 1000.0
LINES = 10.0
"""The cost of a column in which nothing stands beside one of some lines, and how high those are in mm."""

# Between items across the columns and items in columns.
BAND_GAP_MM = 5.0

# The cost of a figure with pieces of size zero; in proportion for other sizes.
SMALL_PIECES_COST = 5000.0

# A column may end this many items before or after the even break.
MAX_BREAK_DISTANCE = 8

# The gap between two bands may grow by this much, to make pages end evenly.
MAX_BAND_GROWTH_MM = 6.0

# The share of a tie's cost that remains between two columns of a page.
COLUMN_SHARE = 0.5


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

    def __init__(self, pages: "Pages", start: int, end: int, share: int, room: float) -> None:
        self._pages = pages
        self._start = start
        self._end = end
        self._room = room + 1e-6
        self._sums, self._between = pages.sums[share]
        self.level = self._tall(start, end) / pages.columns
        self.best: tuple[float, tuple[int, ...], float] = (inf, (), 0.0)

    def search(self) -> tuple[float, tuple[int, ...], float]:
        """Try all columns, even ones first, since these are usually cheapest."""
        middles = (
            self.level * number + self._sums[self._start]
            for number in range(1, self._pages.columns)
        )
        level = [
            min(max(bisect_left(self._sums, at), self._start + 1), self._end) for at in middles
        ]
        if abs(self._tall(self._start, level[0]) - self.level) <= 0.6 * self.level + 30:
            self.attempt((self._start, *level))
        self._grow((self._start,), (), 0.0)
        return self.best

    def attempt(self, cuts: tuple[int, ...]) -> None:
        """Try columns that begin with these cuts."""
        heights = [self._tall(a, b) for a, b in pairwise((*cuts, self._end))]
        tallest = max(heights)
        if tallest > self._room:
            return
        asides = sum(self._pages.asides[cut] for cut in cuts[1:] if self._start < cut < self._end)
        cost = tallest + asides + sum(_lack(height, tallest) for height in heights)
        self.best = min(self.best, (cost, cuts, tallest))

    def _grow(self, cuts: tuple[int, ...], heights: tuple[float, ...], asides: float) -> None:
        """Try all ends of the last column, after columns of these heights.

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
                high = sums[cut] - sums[at] - between[cut - 1] if cut > at else 0.0
                # The least mean height of the columns that follow; for one column, its height.
                rest = (bottom - sums[cut] - slack) / left if cut < self._end else 0.0
                tallest = max(*heights, high, rest)
                least = tallest + asides
                for height in heights:
                    least += _lack(height, tallest)
                own = _lack(high, tallest)
                last = _lack(rest, tallest) if left == 1 else 0.0
                outer = own if cut <= even else last
                if tallest > self._room or least + outer > self.best[0]:
                    if (high < rest) == (cut <= even):
                        break
                    continue
                if (
                    len(cuts) == 1
                    and abs(high - self.level) > 0.6 * self.level + 30
                    and cut != self._end
                ):
                    continue
                aside = self._pages.asides[cut] if cut < self._end else 0.0
                if least + own + last + aside > self.best[0]:
                    continue
                if left == 1:
                    self.attempt((*cuts, cut))
                else:
                    self._grow((*cuts, cut), (*heights, high), asides + aside)

    def _tall(self, start: int, end: int) -> float:
        return self._sums[end] - self._sums[start] - self._between[end - 1] if end > start else 0.0


class Pages:
    """All pages that a run of items can make."""

    def __init__(self, items: Sequence[SizedItem], form: BookPage) -> None:
        self._items = items
        self._form = form
        self.columns = form.columns
        self.gap = max((max(item.before, item.after) for item in items), default=0.0)
        self.asides = [_aside(items[cut - 1]) for cut in range(len(items))]
        self._leasts = [item.least or min(SHARES) for item in items]
        self.sums = [self._cumulative_heights(share) for share in range(len(SHARES))]
        self._flat = [self._flatten_columns(share) for share in range(len(SHARES))]
        self.page = lru_cache(maxsize=None)(self._page)

    def _page(self, start: int, end: int) -> Composed:
        """Return the best page of some items over all picture sizes, without positions."""
        best = Composed(0, (), inf)
        if not self._full_enough(start, end):
            return Composed(0, (), HOPELESS)
        plain = all(item.heights[0] == item.heights[-1] for item in self._items[start:end])
        costs = (
            (self._scale_cost(start, end, share), share)
            for share in range(1 if plain else len(SHARES))
        )
        for least, share in sorted(costs):
            if least >= best.cost:
                break
            page = self._at(start, end, share, least)
            if page.cost < best.cost:
                best = page
        return best

    def _scale_cost(self, start: int, end: int, share: int) -> float:
        """Return the cost of showing the pictures of some items at a size."""
        small = sum(max(0.0, 1 - SHARES[share] / least) for least in self._leasts[start:end])
        return self._dear(share) + SMALL_PIECES_COST * small

    def _full_enough(self, start: int, end: int) -> bool:
        """Return True if a page is the last of a section, or can be at least half full."""
        if end == len(self._items) or self._items[end].opens:
            return True
        return self._least(start, end, LARGEST_SHARE_INDEX) > 0.05 * self._form.height

    def _least(self, start: int, end: int, share: int) -> float:
        """Return a lower bound of the height of some items, in any columns."""
        tall = self._flat[share]
        return tall[end] - tall[start]

    def _at(self, start: int, end: int, share: int, sized: float) -> Composed:
        feet = sum(item.foot for item in self._items[start:end])
        height = self._form.height - (feet + BAND_GAP_MM if feet else 0.0)
        if self._least(start, end, share) > height:
            return Composed(share, (), inf)
        bands = self._bands(start, end, share, height)
        if bands is None:
            return Composed(share, (), inf)
        slack = height - sum(band.height for band in bands) - BAND_GAP_MM * (len(bands) - 1)
        if slack < -1e-6:
            return Composed(share, (), inf)
        last = end == len(self._items) or self._items[end].opens
        holes = self._holes(bands, slack, share, last=last)
        cost = sized + sum(band.cost for band in bands)
        worst = 0.35 if last else 1.0
        cost += worst * sum(
            (hole / 5) ** 2 + (HOLE_COST if hole > FREE_HOLE_MM else 0.0) for hole in holes
        )
        return Composed(share, (), cost)

    def finish(self, page: Composed, start: int, end: int) -> Composed:
        """Return the page with all positions and its faults."""
        share = page.share
        last = end == len(self._items) or self._items[end].opens
        feet = sum(item.foot for item in self._items[start:end])
        height = self._form.height - (feet + BAND_GAP_MM if feet else 0.0)
        bands = self._bands(start, end, share, height) or ()
        slack = height - sum(band.height for band in bands) - BAND_GAP_MM * (len(bands) - 1)
        holes = self._holes(bands, slack, share, last=last)
        faults = [
            f"{self._items[i].name} are too small to read comfortably"
            for i in range(start, end)
            if SHARES[share] < 0.97 * self._items[i].least
        ]
        faults += [
            f"{hole:.0f} mm stay empty" for hole in holes if hole > FREE_HOLE_MM and not last
        ]
        spots = self._place_items(bands, slack, share, last=last)
        return Composed(share, spots, page.cost, tuple(faults))

    def _dear(self, share: int) -> float:
        size = SHARES[share]
        return 260.0 * (1 - size) if size < 1 else 25.0 * (size - 1)

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
        wide = self.columns
        return list(
            accumulate(
                (i.heights[share] / (1 if i.across else wide) for i in self._items), initial=0.0
            )
        )

    def _tall(self, start: int, end: int, share: int) -> float:
        if start == end:
            return 0.0
        sums, between = self.sums[share]
        return sums[end] - sums[start] - between[end - 1]

    def _bands(self, start: int, end: int, share: int, room: float) -> tuple[_Band, ...] | None:
        made: list[_Band] = []
        at = start
        while at < end:
            across = self._items[at].across or self.columns == 1
            stop = at
            while stop < end and (self._items[stop].across or self.columns == 1) == across:
                stop += 1
            if across:
                made.append(_Band(at, stop, (at,), self._tall(at, stop, share), 0.0, across=True))
            else:
                band = self._balance_columns(at, stop, share, room)
                if band is None:
                    return None
                made.append(band)
            at = stop
        return tuple(made)

    def _balance_columns(self, start: int, end: int, share: int, room: float) -> _Band | None:
        """Return the columns of some items that are shortest, most even, and split least."""
        if self.columns == 2:
            cost, cuts, tallest = self._two(start, end, share, room + 1e-6)
        else:
            cost, cuts, tallest = _Columns(self, start, end, share, room).search()
        return _Band(start, end, cuts, tallest, cost - tallest, across=False) if cuts else None

    def _two(
        self, start: int, end: int, share: int, room: float
    ) -> tuple[float, tuple[int, ...], float]:
        """Return the cheapest two columns near the middle: a fast path, since most pages have two."""
        sums, between = self.sums[share]
        middle = bisect_left(sums, sums[start] + self._tall(start, end, share) / 2, start, end)
        best: tuple[float, tuple[int, ...], float] = (inf, (), 0.0)
        for cut in range(
            max(start + 1, middle - MAX_BREAK_DISTANCE), min(end, middle + MAX_BREAK_DISTANCE) + 1
        ):
            left = sums[cut] - sums[start] - between[cut - 1]
            right = sums[end] - sums[cut] - between[end - 1] if end > cut else 0.0
            tallest = max(left, right)
            uneven = abs(left - right)
            least = tallest + (uneven / 9) ** 2
            if tallest > room or least > best[0]:
                continue
            cost = tallest + (self.asides[cut] if cut < end else 0)
            cost += (uneven / 9) ** 2 + (HOLE_COST if uneven > FREE_HOLE_MM else 0.0)
            cost += BARE * (left, right).count(0.0) if tallest > LINES else 0.0
            best = min(best, (cost, (start, cut), tallest))
        return best

    def _holes(
        self, bands: Sequence[_Band], slack: float, share: int, *, last: bool
    ) -> list[float]:
        """Return the cost of gaps at the foot of the last band.

        The last page of a section has none.
        """
        band = bands[-1]
        spare = slack if last else slack - self._between(bands, slack)
        bounds = [*band.cuts, band.end]
        holes = []
        for a, b in pairwise(bounds):
            room = band.height + spare - self._tall(a, b, share)
            gives = sum(self._items[i].give for i in range(a, b - 1))
            holes.append(room if last else room - min(gives, room))
        return holes

    def _between(self, bands: Sequence[_Band], slack: float) -> float:
        return min(slack, MAX_BAND_GROWTH_MM * (len(bands) - 1))

    def _place_items(
        self, bands: Sequence[_Band], slack: float, share: int, *, last: bool
    ) -> tuple[Spot, ...]:
        """Place everything, and distribute the remaining space between items as far as that looks well."""
        spots: list[Spot] = []
        top = 0.0
        between = 0.0 if last else self._between(bands, slack)
        for number, band in enumerate(bands):
            bounds = [*band.cuts, band.end]
            grown = band.height + (
                slack - between if number == len(bands) - 1 and not last else 0.0
            )
            for column, (a, b) in enumerate(pairwise(bounds)):
                self._column(
                    spots, range(a, b), share, (None if band.across else column, top, grown)
                )
            top += (
                band.height + BAND_GAP_MM + (between / (len(bands) - 1) if len(bands) > 1 else 0.0)
            )
        return tuple(spots)

    def _column(
        self, spots: list[Spot], items: range, share: int, place: tuple[int | None, float, float]
    ) -> None:
        """Place the items of a column."""
        column, top, room = place
        if not items:
            return
        gives = sum(self._items[i].give for i in items[:-1])
        spare = room - self._tall(items.start, items.stop, share)
        give = min(1.0, spare / gives) if gives else 0.0
        y = top
        between = self.sums[share][1]
        for i in items:
            spots.append(Spot(i, column, y))
            y += self._items[i].heights[share] + between[i] + give * self._items[i].give


def _lack(height: float, tallest: float) -> float:
    """Return the cost of a column that is shorter than the tallest one, both in mm."""
    lack = tallest - height
    cost = (lack / 9) ** 2
    if lack > FREE_HOLE_MM:
        cost += HOLE_COST
    if not height and tallest > LINES:
        cost += BARE
    return cost


def _aside(item: SizedItem) -> float:
    """Return the cost of beginning a column after an item."""
    return item.tie.cost * (1 if item.tie.cost >= HELD else COLUMN_SHARE)
