"""What the first pages of a patch say: plain blocks, in the order in which they are read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.draw.face import Face
from generator.release.compare import Kind
from generator.release.plan import Lot, Patch, Why


@dataclass(frozen=True)
class Heading:
    """Opens a section; the first is the title."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Words:
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


Block = Heading | Words | Thumbs | Rows


@dataclass(frozen=True)
class Span:
    """Pages from one to another, by the numbers that they have in the file."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"page {self.first}" if self.first == self.last else f"pages {self.first}–{self.last}"

    @property
    def sentence(self) -> str:
        """The same at the beginning of a sentence."""
        return str(self).capitalize()


@dataclass(frozen=True)
class Pieces:
    """Pages with pieces, and how they are printed: `flip on the long edge`."""

    span: Span
    how: str


@dataclass(frozen=True)
class Contents:
    """What stands on which pages; `blank` is a page that is left empty so that fronts fall on odd pages."""

    own: Span
    rules: Span | None
    pieces: tuple[Pieces, ...]
    blank: int | None = None


def leaflet(patch: Patch, contents: Contents) -> tuple[Block, ...]:
    """The blocks of the leaflet."""
    return (
        *_what(patch),
        *_printing(patch, contents),
        *_taking_out(patch),
        *_adding(patch, contents),
        *_deck(patch),
        *(Words(text) for text in patch.difference.new.credits),
    )


def _what(patch: Patch) -> Iterator[Block]:
    old, new = patch.difference.old, patch.difference.new
    yield Heading(f"{new.name}: patch from {old.version} to {new.version}", 1)
    yield Words(
        f"This file is a patch and no whole game. It is for you if you have printed {new.name} {old.version} and want "
        f"to print only what is new in {new.version}. If you have not, print the whole game instead."
    )
    if patch.difference.only:
        yield Words(
            f"It is about a part of the game only: {', '.join(patch.difference.only)}. All else that the game has is "
            "neither printed nor counted here.",
            bold=True,
        )


def _printing(patch: Patch, contents: Contents) -> Iterator[Block]:
    yield Heading("Print")
    if contents.pieces:
        yield Words(
            "Print at 100 % (“actual size”) and never shrink to fit: the new pieces would not match those that you "
            "have.",
            bold=True,
        )
    yield Words(f"{contents.own.sentence}: this leaflet, to read.")
    if contents.rules:
        yield Words(f"{contents.rules.sentence}: the rules, on plain paper.")
    elif patch.difference.new.rules and not patch.difference.rules:
        yield Words("The rules have not changed; keep those that you have.")
    if contents.blank:
        yield Words(f"Page {contents.blank} is left blank, so that fronts and backs of one sheet stay together.")
    for pieces in contents.pieces:
        yield Words(f"{pieces.span.sentence}: new pieces, on card stock (80 lb, 220 g/m² or heavier); {pieces.how}.")
    if contents.pieces:
        yield Words(
            "Cut along the marks, best with a guillotine or a rotary cutter and a steel ruler. "
            "Scissors will do, but the pieces meet less neatly then."
        )


def _taking_out(patch: Patch) -> Iterator[Block]:
    if not patch.removes:
        yield Heading("Take nothing out")
        yield Words("Every piece that you have stays in the game.")
        return
    count = sum(lot.count for lot in patch.removes)
    yield Heading(f"Take out {_pieces(count, 'these')}")
    for why, text in _REASONS:
        lots = [lot for lot in patch.removes if lot.why is why]
        if lots:
            if text:
                yield Words(text)
            yield Thumbs(tuple(Thumb(lot.design.front, f"{lot.count} × {lot.design.title}") for lot in lots))


_REASONS = (
    (Why.GONE, ""),
    (Why.FEWER, "Of these there are fewer now; take out as many copies as it says and keep the others:"),
    (Why.REPLACED, "New ones take the place of these:"),
)


def _adding(patch: Patch, contents: Contents) -> Iterator[Block]:
    if not patch.prints:
        return
    spans = " and ".join(str(pieces.span) for pieces in contents.pieces)
    yield Heading(f"Add the {_pieces(patch.printed, 'new')} of {spans}")
    parts = [f"{text}: {_sum(patch.prints, why)}" for why, text in _ADDED if _sum(patch.prints, why)]
    added = [f"{total.printed} {total.component.title}" for total in patch.totals if total.printed]
    reasons = "" if {lot.why for lot in patch.prints} == {Why.NEW} else f" ({', '.join(parts)})"
    yield Words(f"{_listed(added)}{reasons}.")
    if _sum(patch.prints, Why.BACK):
        yield Words(
            "Pieces whose backs changed are printed again although their fronts are the same: with the old backs "
            "they could be told from the others."
        )
    for component in patch.mixed:
        yield Words(
            f"{component.title}: the backs look a little different now, and pieces that you keep have the old ones.",
            bold=True,
        )
    left = sum(stay.count for stay in patch.stays if (stay.component.id, stay.new.id) in _passed_over(patch))
    if left:
        yield Words(f"{_pieces(left, '')} of yours look different in the new release but play the same; keep them.")


_ADDED = (
    (Why.NEW, "new"),
    (Why.CHANGED, "changed"),
    (Why.BACK, "with another back"),
    (Why.MORE, "further copies"),
)


def _passed_over(patch: Patch) -> set[tuple[str, str]]:
    """The designs that changed and are not printed again."""
    return {(pair.component.id, pair.design.id) for pair in patch.difference.pairs if Kind.CHANGED in pair.kinds}


def _deck(patch: Patch) -> Iterator[Block]:
    """The sum, counted from the pieces and not from what the pack says of itself."""
    yield Heading("What you should have of these then" if patch.difference.only else "What you should have then")
    kept = [total for total in patch.totals if total.new]
    counted = [f"{total.new} {total.component.title}" for total in kept]
    in_all = f": {_pieces(sum(total.new for total in kept), '')} in all" if len(kept) > 1 else ""
    yield Words(f"{_listed(counted)}{in_all}.", bold=True)
    head = ("", f"in {patch.difference.old.version}", "take out", "add", f"in {patch.difference.new.version}")
    rows = [(total.component.title, total.old, total.removed, total.printed, total.new) for total in patch.totals]
    sums = ("all", *(sum(row[place] for row in _numbers(rows)) for place in range(4)))
    yield Rows(tuple(tuple(map(str, row)) for row in (head, *rows, *([sums] if len(rows) > 1 else []))))


def _numbers(rows: Sequence[tuple[str, int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    return [row[1:] for row in rows]


def _sum(lots: Sequence[Lot], why: Why) -> int:
    return sum(lot.count for lot in lots if lot.why is why)


def _pieces(count: int, which: str) -> str:
    """`36 new pieces`, `these 3 pieces`, `this piece`."""
    noun = "piece" if count == 1 else "pieces"
    if which == "these":
        return f"this {noun}" if count == 1 else f"these {count} {noun}"
    return " ".join(word for word in (str(count), which, noun) if word)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
