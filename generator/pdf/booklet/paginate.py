"""Items become pages: strips of columns, parted by what lies across the whole page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generator.core.problems import Kind, Wrong
from generator.core.units import points
from generator.pdf.booklet.columns import Filled, Strip
from generator.pdf.booklet.formats import Format
from generator.pdf.booklet.item import Item, Page, Placed

BETWEEN = 12.0
"""Points above and below what lies across the columns."""


@dataclass
class _Pager:
    """Pages in the making; `top` is how far the current one is filled, in points from the type area's top."""

    format: Format
    pages: list[list[Placed]]
    backs: set[int]
    top: float = 0.0

    def turn(self) -> None:
        """Begin a page."""
        self.pages.append([])
        self.top = 0.0

    def run(self, items: Sequence[Item], *, wide: bool) -> None:
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

    def _take(self, filled: Filled, start: float, strip: Strip) -> None:
        form = self.format
        for number, column in enumerate(filled.columns):
            left = points(form.side) + number * (strip.width + points(form.gap))
            for laid in (*column, *filled.notes[number]):
                y = points(form.top) + start + laid.y
                self.pages[-1].append(Placed(laid.item, left, y, strip.width, laid.height))
        self.top = start + filled.height


def paginate(items: Iterable[Item], form: Format) -> tuple[Page, ...]:
    """Lay all items on as many pages as they need."""
    pager = _Pager(form, [[]], set())
    numbered = [replace(item, serial=serial) for serial, item in enumerate(items)]
    for wide, run in _runs(numbered, form):
        if run[0].breaks:
            if pager.pages[-1]:
                pager.turn()
            pager.backs |= {len(pager.pages) - 1} if run[0].back else set()
        pager.run([item for item in run if item.flow is not None], wide=wide)
    return tuple(Page(tuple(placed), back=number in pager.backs) for number, placed in enumerate(pager.pages))


def _runs(items: Sequence[Item], form: Format) -> Iterable[tuple[bool, list[Item]]]:
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
