"""Compose the pages of a booklet: search all page breaks and picture sizes for the lowest cost.

Dynamic programming from the first page finds the cheapest pages for every page count. The cost is
that of each page, plus that of each page turn, above all between a figure and its text.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

from generator.impose.signature import PAGES_PER_SHEET
from generator.rules.booklet.pages import HELD, LOOSE, BookPage, Composed, Filler, Pages, SizedItem

# The share of a tie's cost that remains between two facing pages.
FACING_SHARE = 0.45

# Factors of a tie's cost where a leaf is turned, and where the next page follows on a screen.
TURN_FACTOR = 2.5
SCROLL_FACTOR = 1.5

# Costs above those of the page count that are tried one after another: the first succeeds for most
# rules, and lets the search leave most pages untried.
SLACKS = (6000.0, 30_000.0, inf)


class Composer:
    """Composes one run of items on pages of one format; `filler` is the theme's art for holes."""

    def __init__(
        self,
        items: Sequence[SizedItem],
        form: BookPage,
        *,
        facing: bool,
        filler: Filler | None = None,
    ) -> None:
        self._items = items
        self._pages = Pages(items, form, filler)
        self._facing = facing

    def compose(
        self, first: int, count_cost: Callable[[int], float], limit: float = inf
    ) -> tuple[Composed, ...]:
        """Return the cheapest pages; none if all cost `limit` or more, or an item fits on no page.

        The first has the number `first`, and `count_cost` returns the cost of page counts.
        """
        for slack in SLACKS:
            target = _least_count_cost(count_cost, self._pages.least_count(0)) + slack
            if found := self._compose(first, count_cost, min(target, limit)):
                return found
            if target >= limit:
                break
        return ()

    def _compose(
        self, first: int, count_cost: Callable[[int], float], limit: float
    ) -> tuple[Composed, ...]:
        """Return the cheapest pages that cost less than `limit`.

        Costs only grow with every page, so a beginning is left as soon as it costs too much with
        the least number of pages that must follow.
        """
        total = len(self._items)
        best: dict[tuple[int, int], tuple[float, int]] = {(0, 0): (0.0, 0)}
        frontier = {0: {0}}
        found = 0
        count = 0
        while starts := frontier.get(count):
            count += 1
            floors: dict[int, float] = {}
            for start in sorted(starts):
                spent = best[count - 1, start][0]
                for end in self._ends(start):
                    turned = spent + self._turn(end, first + count - 1)
                    rest = self._pages.least_count(end)
                    if rest not in floors:
                        floors[rest] = _least_count_cost(count_cost, count + rest)
                    known = best.get((count, end), (inf, 0))[0]
                    if turned >= known or turned + floors[rest] >= limit:
                        continue
                    cost = turned + self._pages.page(start, end).cost
                    if cost >= known or cost + floors[rest] >= limit:
                        continue
                    if end == total:
                        if cost + count_cost(count) >= limit:
                            continue
                        limit = cost + count_cost(count)
                        found = count
                    else:
                        frontier.setdefault(count, set()).add(end)
                    best[count, end] = cost, start
        return self._trace_back(best, found, first)

    def _trace_back(
        self, best: dict[tuple[int, int], tuple[float, int]], pages: int, first: int
    ) -> tuple[Composed, ...]:
        pages_found = []
        end = len(self._items)
        for number in range(pages, 0, -1):
            start = best[number, end][1]
            page = self._pages.finish(self._pages.page(start, end), start, end)
            pages_found.append(self._with_turn_cost(page, end, first + number - 1))
            end = start
        return tuple(reversed(pages_found))

    def _with_turn_cost(self, page: Composed, end: int, number: int) -> Composed:
        """Return the page with the cost of its page turn, and the fault of items that it separates."""
        tie = self._items[end - 1].tie
        page = replace(page, cost=page.cost + self._turn(end, number))
        if end == len(self._items) or not tie.fault or self._turn(end, number) < LOOSE:
            return page
        if tie.cost < HELD / 2 and self._is_facing(number):
            return page
        return replace(page, faults=(*page.faults, tie.fault))

    def _turn(self, end: int, number: int) -> float:
        """Return the cost of turning the page before an item; facing pages count as one view."""
        if end == len(self._items):
            return 0.0
        cost = self._items[end - 1].tie.cost
        # Facing or not, a heading without its text looks worst: it costs more than all other ties.
        if cost >= HELD or not self._is_facing(number):
            return cost * (TURN_FACTOR if self._facing else SCROLL_FACTOR)
        return cost * FACING_SHARE

    def _is_facing(self, number: int) -> bool:
        """Return True if the next page faces this one."""
        return self._facing and number % 2 == 0

    def _ends(self, start: int) -> Iterator[int]:
        """Yield the possible ends of a page that begins with an item."""
        for end in range(start + 1, len(self._items) + 1):
            if self._pages.is_too_high(start, end):
                return
            yield end
            if end < len(self._items) and self._items[end].opens:
                return


def _least_count_cost(count_cost: Callable[[int], float], least: int) -> float:
    """Return the lowest cost of `least` pages or more.

    A larger count may cost less, since it needs fewer blank pages; one larger by a whole folded sheet
    never does.
    """
    return min(count_cost(count) for count in range(least, least + PAGES_PER_SHEET))
