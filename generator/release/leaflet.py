"""The leaflet of a patch, as blocks of rules: pieces to print, take out and add, and the resulting deck."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.base.ui_strings import PatchWords
from generator.release.compare_releases import ChangeKind
from generator.release.plan import Lot, Patch, Total, Why
from generator.rules.how_to_make import CARD_WEIGHT
from generator.rules.model import (
    Block,
    Credits,
    Heading,
    Line,
    Listing,
    Span,
    Table,
    Thumbnail,
    Thumbnails,
    begin_upper,
    paragraph,
)


@dataclass(frozen=True)
class PageSpan:
    """A run of pages, by their numbers in the file."""

    first: int
    last: int

    def to_text(self, words: PatchWords) -> str:
        """Return `page 2` or `pages 2–3`."""
        return (words.page if self.first == self.last else words.pages).format(
            first=self.first, last=self.last
        )


@dataclass(frozen=True)
class Contents:
    """The pages of a patch by their content.

    Each run of pages with pieces has the way to print them, such as `flip on the long edge`.
    `blank` is a page left empty so that fronts fall on odd pages.
    """

    leaflet_span: PageSpan
    rules: PageSpan | None
    pieces: tuple[tuple[PageSpan, str], ...]
    blank: int | None = None


@dataclass(frozen=True)
class Leaflet:
    """The leaflet of a patch in one language; `name` is the game's name in it."""

    patch: Patch
    contents: Contents
    name: str
    words: PatchWords

    @property
    def title(self) -> str:
        """The title above the blocks."""
        return self.words.title.format(name=self.name, **self._versions)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in the order in which the player needs them."""
        return (
            *self._introduction(),
            *self._printing(),
            *self._removing(),
            *self._adding(),
            *self._deck(),
            *self._credits(),
        )

    @property
    def _versions(self) -> dict[str, str]:
        return {"old": self.patch.difference.old.version, "new": self.patch.difference.new.version}

    def _introduction(self) -> Iterator[Block]:
        words = self.words
        yield paragraph(words.what.format(name=self.name, **self._versions))
        if self.patch.difference.only:
            yield paragraph(
                words.part.format(names=", ".join(self.patch.difference.only)), bold=True
            )
        if self.patch.is_other_form:
            yield paragraph(words.other_form.format(**self._versions), bold=True)

    def _printing(self) -> Iterator[Block]:
        words = self.words
        contents = self.contents
        difference = self.patch.difference
        yield _heading("print", words.printing)
        if contents.pieces:
            yield paragraph(words.size, bold=True)
        yield Listing(0, tuple((paragraph(text),) for text in self._pages()))
        if difference.new.rules and not difference.rules and not contents.rules:
            yield paragraph(words.same_rules)
        if contents.pieces:
            yield paragraph(words.cut)

    def _pages(self) -> Iterator[str]:
        """Yield a sentence for each part of the file, in page order."""
        words = self.words
        contents = self.contents
        grams, pounds = CARD_WEIGHT
        yield words.leaflet.format(pages=self._span(contents.leaflet_span))
        if contents.rules:
            yield words.rules.format(pages=self._span(contents.rules))
        if contents.blank:
            yield words.blank.format(page=contents.blank)
        for span, how in contents.pieces:
            yield words.new_pieces.format(
                pages=self._span(span), grams=grams, pounds=pounds, how=how
            )

    def _span(self, span: PageSpan) -> str:
        """Return a run of pages as the beginning of a sentence."""
        return begin_upper(span.to_text(self.words))

    def _removing(self) -> Iterator[Block]:
        words = self.words
        removes = self.patch.removes
        if not removes:
            yield _heading("take-out", words.keep)
            yield paragraph(words.keep_why)
            return
        count = sum(lot.count for lot in removes)
        yield _heading("take-out", _count_pieces(count, words.take_one, words.take))
        for why, text in ((Why.GONE, ""), (Why.FEWER, words.fewer), (Why.REPLACED, words.replaced)):
            lots = [lot for lot in removes if lot.why is why]
            if lots and text:
                yield paragraph(text)
            if lots:
                yield Thumbnails(tuple(map(_thumbnail, lots)))

    def _adding(self) -> Iterator[Block]:
        patch = self.patch
        words = self.words
        if not patch.prints:
            return
        spans = self._list_names([span.to_text(words) for span, _ in self.contents.pieces])
        yield _heading("add", _count_pieces(patch.printed, words.add_one, words.add, pages=spans))
        yield paragraph(f"{self._added()}.")
        if _sum(patch.prints, Why.BACK):
            yield paragraph(words.backs)
        for component in patch.mixed:
            yield paragraph(words.mixed.format(title=component.title), bold=True)
        unprinted = _changed_designs(patch)
        kept_count = sum(
            stay.count for stay in patch.stays if (stay.component.id, stay.new.id) in unprinted
        )
        if kept_count:
            yield paragraph(_count_pieces(kept_count, words.left_one, words.left))

    def _added(self) -> str:
        """Return `24 Cards and 12 Tiles (new: 30, changed: 6)`, without the reasons if all pieces are new."""
        patch = self.patch
        words = self.words
        kinds = (
            (Why.NEW, words.why_new),
            (Why.CHANGED, words.why_changed),
            (Why.BACK, words.why_back),
            (Why.MORE, words.why_more),
        )
        reasons = [
            text.format(count=count) for why, text in kinds if (count := _sum(patch.prints, why))
        ]
        is_all_new = {lot.why for lot in patch.prints} == {Why.NEW}
        reasons_text = "" if is_all_new else f" ({', '.join(reasons)})"
        counts = [
            f"{total.printed} {total.component.title}" for total in patch.totals if total.printed
        ]
        return self._list_names(counts) + reasons_text

    def _deck(self) -> Iterator[Block]:
        """Yield the counts of the new deck, added up from the pieces rather than read from the pack."""
        patch = self.patch
        words = self.words
        yield _heading("deck", words.then_part if patch.difference.only else words.then)
        present = [total for total in patch.totals if total.new]
        counts = self._list_names([f"{total.new} {total.component.title}" for total in present])
        if len(present) > 1:
            counts = words.in_all.format(what=counts, count=sum(total.new for total in present))
        yield paragraph(f"{counts}.", bold=True)
        yield self._table(patch.totals)

    def _table(self, totals: Sequence[Total]) -> Table:
        """Return the arithmetic of each component, and of all if there are several."""
        words = self.words
        before, after = (
            words.in_version.format(version=version) for version in self._versions.values()
        )
        head = ("", before, words.take_out, words.add_in, after)
        rows = [_row(total.component.title, _numbers(total)) for total in totals]
        if len(totals) > 1:
            columns = zip(*map(_numbers, totals), strict=True)
            rows.append(_row(words.all, [sum(column) for column in columns], bold=True))
        aligns = ("left", *["right"] * (len(head) - 1))
        return Table(tuple((Span(text),) for text in head), tuple(rows), aligns)

    def _credits(self) -> Iterator[Block]:
        lines = self.patch.difference.new.credits
        if lines:
            yield Credits(tuple((Span(text),) for text in lines))

    def _list_names(self, parts: Sequence[str]) -> str:
        """Return `a, b and c`."""
        if len(parts) < 2:
            return "".join(parts)
        return self.words.both.format(first=", ".join(parts[:-1]), second=parts[-1])


def _heading(slug: str, text: str) -> Heading:
    return Heading(2, (Span(text),), f"patch-{slug}")


def _thumbnail(lot: Lot) -> Thumbnail:
    """Return the picture of a piece to look for, with the number of copies and its title."""
    return Thumbnail(
        lot.thumbnail, (Span(f"{lot.count} ×", bold=True), Span(f" {lot.design.title}"))
    )


def _numbers(total: Total) -> tuple[int, int, int, int]:
    return total.old, total.removed, total.printed, total.new


def _row(title: str, numbers: Sequence[int], *, bold: bool = False) -> tuple[Line, ...]:
    return tuple((Span(text, bold=bold),) for text in (title, *map(str, numbers)))


def _changed_designs(patch: Patch) -> set[tuple[str, str]]:
    """Return the component and design ids of all designs that look different."""
    return {
        (pair.component.id, pair.design.id)
        for pair in patch.difference.pairs
        if ChangeKind.CHANGED in pair.kinds
    }


def _sum(lots: Sequence[Lot], why: Why) -> int:
    return sum(lot.count for lot in lots if lot.why is why)


def _count_pieces(count: int, singular: str, plural: str, **more: str) -> str:
    return (singular if count == 1 else plural).format(count=count, **more)
