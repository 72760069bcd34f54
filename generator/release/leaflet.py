"""What the first pages of a patch say: plain blocks, in the order in which they are read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.core.words import PatchWords
from generator.picture.face import Face
from generator.release.compare import ChangeKind
from generator.release.plan import Lot, Patch, Why


@dataclass(frozen=True)
class LeafletHeading:
    """Opens a section; the first is the title."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class LeafletWords:
    """A paragraph."""

    text: str
    bold: bool = False


@dataclass(frozen=True)
class Thumb:
    """A face shown small, at its trim, with what stands under it."""

    face: Face
    caption: str


@dataclass(frozen=True)
class Thumbs:
    """Pictures side by side."""

    thumbs: tuple[Thumb, ...]


@dataclass(frozen=True)
class Rows:
    """A table; its first row names the columns, its last sums up."""

    rows: tuple[tuple[str, ...], ...]


Block = LeafletHeading | LeafletWords | Thumbs | Rows


@dataclass(frozen=True)
class PageSpan:
    """Pages from one to another, by the numbers that they have in the file."""

    first: int
    last: int

    def said(self, words: PatchWords) -> str:
        """`page 2`, `pages 2–3`."""
        return (words.page if self.first == self.last else words.pages).format(first=self.first, last=self.last)


@dataclass(frozen=True)
class Pieces:
    """Pages with pieces, and how they are printed: `flip on the long edge`."""

    span: PageSpan
    how: str


@dataclass(frozen=True)
class Contents:
    """What stands on which pages; `blank` is a page that is left empty so that fronts fall on odd pages."""

    own: PageSpan
    rules: PageSpan | None
    pieces: tuple[Pieces, ...]
    blank: int | None = None


def leaflet(patch: Patch, contents: Contents, name: str, words: PatchWords) -> tuple[Block, ...]:
    """The blocks of the leaflet; `name` is what the game is called in it."""
    return _Leaflet(patch, contents, name, words).blocks()


@dataclass(frozen=True)
class _Leaflet:
    """Says what a patch is in one language."""

    patch: Patch
    contents: Contents
    name: str
    words: PatchWords

    def blocks(self) -> tuple[Block, ...]:
        """All of it."""
        return (
            *self._what(),
            *self._printing(),
            *self._taking_out(),
            *self._adding(),
            *self._deck(),
            *(LeafletWords(text) for text in self.patch.difference.new.credits),
        )

    @property
    def _versions(self) -> dict[str, str]:
        return {"old": self.patch.difference.old.version, "new": self.patch.difference.new.version}

    def _what(self) -> Iterator[Block]:
        words = self.words
        yield LeafletHeading(words.title.format(name=self.name, **self._versions), 1)
        yield LeafletWords(words.what.format(name=self.name, **self._versions))
        if self.patch.difference.only:
            yield LeafletWords(words.part.format(names=", ".join(self.patch.difference.only)), bold=True)
        if self.patch.told:
            yield LeafletWords(words.told.format(**self._versions), bold=True)

    def _printing(self) -> Iterator[Block]:
        words, contents, difference = self.words, self.contents, self.patch.difference
        yield LeafletHeading(words.printing)
        if contents.pieces:
            yield LeafletWords(words.size, bold=True)
        yield LeafletWords(words.leaflet.format(pages=self._sentence(contents.own)))
        if contents.rules:
            yield LeafletWords(words.rules.format(pages=self._sentence(contents.rules)))
        elif difference.new.rules and not difference.rules:
            yield LeafletWords(words.same_rules)
        if contents.blank:
            yield LeafletWords(words.blank.format(page=contents.blank))
        for pieces in contents.pieces:
            yield LeafletWords(words.new_pieces.format(pages=self._sentence(pieces.span), how=pieces.how))
        if contents.pieces:
            yield LeafletWords(words.cut)

    def _sentence(self, span: PageSpan) -> str:
        """Pages at the beginning of a sentence."""
        said = span.said(self.words)
        return said[:1].upper() + said[1:]

    def _taking_out(self) -> Iterator[Block]:
        words, removes = self.words, self.patch.removes
        if not removes:
            yield LeafletHeading(words.keep)
            yield LeafletWords(words.keep_why)
            return
        yield LeafletHeading(_counted(sum(lot.count for lot in removes), words.take_one, words.take))
        for why, text in ((Why.GONE, ""), (Why.FEWER, words.fewer), (Why.REPLACED, words.replaced)):
            lots = [lot for lot in removes if lot.why is why]
            if lots:
                if text:
                    yield LeafletWords(text)
                yield Thumbs(tuple(Thumb(lot.shown, f"{lot.count} × {lot.design.title}") for lot in lots))

    def _adding(self) -> Iterator[Block]:
        patch, words = self.patch, self.words
        if not patch.prints:
            return
        spans = self._listed([pieces.span.said(words) for pieces in self.contents.pieces])
        yield LeafletHeading(_counted(patch.printed, words.add_one, words.add, pages=spans))
        yield LeafletWords(f"{self._added()}.")
        if _sum(patch.prints, Why.BACK):
            yield LeafletWords(words.backs)
        for component in patch.mixed:
            yield LeafletWords(words.mixed.format(title=component.title), bold=True)
        left = sum(stay.count for stay in patch.stays if (stay.component.id, stay.new.id) in _passed_over(patch))
        if left:
            yield LeafletWords(_counted(left, words.left_one, words.left))

    def _added(self) -> str:
        """`24 Cards and 12 Tiles (new: 30, changed: 6)`; why they are added is left out where all are new."""
        patch, words = self.patch, self.words
        kinds = (
            (Why.NEW, words.why_new),
            (Why.CHANGED, words.why_changed),
            (Why.BACK, words.why_back),
            (Why.MORE, words.why_more),
        )
        reasons = [text.format(count=count) for why, text in kinds if (count := _sum(patch.prints, why))]
        why = "" if {lot.why for lot in patch.prints} == {Why.NEW} else f" ({', '.join(reasons)})"
        return (
            self._listed([f"{total.printed} {total.component.title}" for total in patch.totals if total.printed]) + why
        )

    def _deck(self) -> Iterator[Block]:
        """The sum, counted from the pieces and not from what the pack says of itself."""
        patch, words = self.patch, self.words
        yield LeafletHeading(words.then_part if patch.difference.only else words.then)
        kept = [total for total in patch.totals if total.new]
        counted = self._listed([f"{total.new} {total.component.title}" for total in kept])
        whole = words.in_all.format(what=counted, count=sum(total.new for total in kept)) if len(kept) > 1 else counted
        yield LeafletWords(f"{whole}.", bold=True)
        versions = [words.in_version.format(version=version) for version in self._versions.values()]
        head = ("", versions[0], words.take_out, words.add_in, versions[1])
        rows = [(total.component.title, total.old, total.removed, total.printed, total.new) for total in patch.totals]
        sums = (words.all, *(sum(row[place] for row in _numbers(rows)) for place in range(4)))
        yield Rows(tuple(tuple(map(str, row)) for row in (head, *rows, *([sums] if len(rows) > 1 else []))))

    def _listed(self, parts: Sequence[str]) -> str:
        """`a, b and c`."""
        if len(parts) < 2:
            return "".join(parts)
        return self.words.both.format(first=", ".join(parts[:-1]), second=parts[-1])


def _passed_over(patch: Patch) -> set[tuple[str, str]]:
    """The designs that changed and are not printed again."""
    return {(pair.component.id, pair.design.id) for pair in patch.difference.pairs if ChangeKind.CHANGED in pair.kinds}


def _numbers(rows: Sequence[tuple[str, int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    return [row[1:] for row in rows]


def _sum(lots: Sequence[Lot], why: Why) -> int:
    return sum(lot.count for lot in lots if lot.why is why)


def _counted(count: int, one: str, many: str, **more: str) -> str:
    return (one if count == 1 else many).format(count=count, **more)
