"""Where everything stands on the pages of a booklet: a search over all breaks and all sizes of its pictures.

The cheapest pages of all are found, page by page from the front, for every number of pages: what a page costs in
itself, and what it costs to turn it there, a figure away from its text above all.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

from generator.pdf.typeset.pages import HELD, HOPELESS, LOOSE, Composed, SizedItem, TypeArea
from generator.pdf.typeset.paging import Pages

SPREAD = 0.45
"""How much of a tie is kept by two pages that face each other."""

TURNED = 2.5
SCROLLED = 1.5
"""By how much dearer a tie is to cut where a leaf is turned, and where a page follows on a screen."""

MORE = 5
"""Pages past the fewest that are tried."""


class Composer:
    """Composes one run of items on pages of one kind."""

    def __init__(self, items: Sequence[SizedItem], area: TypeArea, *, facing: bool) -> None:
        self._items = items
        self._pages = Pages(items, area)
        self._facing = facing

    def compose(self, first: int, wanted: Callable[[int], float]) -> tuple[Composed, ...]:
        """The cheapest pages; the first has the number `first`, and `wanted` is what a number of pages costs."""
        total = len(self._items)
        best: dict[tuple[int, int], tuple[float, int]] = {(0, 0): (0.0, 0)}
        frontier = {0: {0}}
        ends: dict[int, float] = {}
        count = 0
        while frontier.get(count):
            for start in sorted(frontier[count]):
                spent = best[count, start][0]
                for end in self._ends(start):
                    cost = spent + self._pages.page(start, end).cost + self._turn(end, first + count)
                    if cost < best.get((count + 1, end), (inf, 0))[0]:
                        best[count + 1, end] = cost, start
                        if end < total:
                            frontier.setdefault(count + 1, set()).add(end)
            count += 1
            if (count, total) in best:
                ends[count] = best[count, total][0]
                if count >= min(ends) + MORE:
                    break
        if not ends:
            return ()
        pages = min(ends, key=lambda number: (ends[number] + wanted(number), number))
        return self._traced(best, pages, first)

    def _traced(self, best: dict[tuple[int, int], tuple[float, int]], pages: int, first: int) -> tuple[Composed, ...]:
        made = []
        end = len(self._items)
        for number in range(pages, 0, -1):
            start = best[number, end][1]
            page = self._pages.finished(self._pages.page(start, end), start, end)
            made.append(self._told(page, end, first + number - 1))
            end = start
        return tuple(reversed(made))

    def _told(self, page: Composed, end: int, number: int) -> Composed:
        """The page with what it costs to turn it, and what is parted there."""
        tie = self._items[end - 1].tie
        page = replace(page, cost=page.cost + self._turn(end, number))
        if end == len(self._items) or not tie.told or self._turn(end, number) < LOOSE:
            return page
        if tie.cost < HELD / 2 and self._faced(number):
            return page
        return replace(page, faults=(*page.faults, tie.told))

    def _turn(self, end: int, number: int) -> float:
        """What it costs to turn the page before an item; two pages that face each other are one sight."""
        if end == len(self._items):
            return 0.0
        kept = (SPREAD if self._faced(number) else TURNED) if self._facing else SCROLLED
        cost = self._items[end - 1].tie.cost
        return cost if cost >= HELD else cost * kept

    def _faced(self, number: int) -> bool:
        """Whether the page after one faces it."""
        return self._facing and number % 2 == 0

    def _ends(self, start: int) -> Iterator[int]:
        """How far a page that begins with an item may reach, as far as it holds."""
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
