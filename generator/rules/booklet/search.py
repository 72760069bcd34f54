"""Compose the pages of a booklet: search all page breaks and picture sizes for the lowest cost.

Dynamic programming from the first page finds the cheapest pages for every page count. The cost is
that of each page, plus that of each page turn, above all between a figure and its text.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

from generator.rules.booklet.pages import (
    HELD,
    HOPELESS,
    LOOSE,
    BookPage,
    Composed,
    Filler,
    Pages,
    SizedItem,
)

# The share of a tie's cost that remains between two facing pages.
FACING_SHARE = 0.45

# Factors of a tie's cost where a leaf is turned, and where the next page follows on a screen.
TURN_FACTOR = 2.5
SCROLL_FACTOR = 1.5

# Page counts above the smallest that are tried.
EXTRA_PAGES = 5


class Composer:
    """Composes one run of items on pages of one format; `filler` has the holes that art fills."""

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

    def compose(self, first: int, count_cost: Callable[[int], float]) -> tuple[Composed, ...]:
        """Return the cheapest pages.

        The first has the number `first`, and `count_cost` returns the cost of page counts.
        """
        total = len(self._items)
        best: dict[tuple[int, int], tuple[float, int]] = {(0, 0): (0.0, 0)}
        frontier = {0: {0}}
        ends: dict[int, float] = {}
        count = 0
        while frontier.get(count):
            for start in sorted(frontier[count]):
                spent = best[count, start][0]
                for end in self._ends(start):
                    cost = (
                        spent + self._pages.page(start, end).cost + self._turn(end, first + count)
                    )
                    if cost < best.get((count + 1, end), (inf, 0))[0]:
                        best[count + 1, end] = cost, start
                        if end < total:
                            frontier.setdefault(count + 1, set()).add(end)
            count += 1
            if (count, total) in best:
                ends[count] = best[count, total][0]
                if count >= min(ends) + EXTRA_PAGES:
                    break
        if not ends:
            return ()
        pages = min(ends, key=lambda number: (ends[number] + count_cost(number), number))
        return self._trace_back(best, pages, first)

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
        factor = (
            (FACING_SHARE if self._is_facing(number) else TURN_FACTOR)
            if self._facing
            else SCROLL_FACTOR
        )
        cost = self._items[end - 1].tie.cost
        return cost if cost >= HELD else cost * factor

    def _is_facing(self, number: int) -> bool:
        """Return True if the next page faces this one."""
        return self._facing and number % 2 == 0

    def _ends(self, start: int) -> Iterator[int]:
        """Yield the possible ends of a page that begins with an item."""
        failures = 0
        for end in range(start + 1, len(self._items) + 1):
            cost = self._pages.page(start, end).cost
            if cost == inf:
                failures += 1
                if failures > 2:
                    return
            elif cost < HOPELESS:
                failures = 0
                yield end
            if end < len(self._items) and self._items[end].opens:
                return
