"""Rules become a file: to read, for both sides of sheets, and to fold. The only way in from outside this folder."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.core.fonts import FontSet
from generator.core.geometry import Size
from generator.pdf.faces import FacePages
from generator.pdf.typeset.book import (
    ANY,
    EVEN,
    FEWEST,
    FOLDED_SIZES,
    FOLDS,
    READING_SIZES,
    SHEET_SIZES,
    Book,
    Setter,
    Wanted,
)
from generator.pdf.typeset.engine import typesetting
from generator.pdf.typeset.fill import filled
from generator.pdf.typeset.form import FOLDED, READING, BookPage
from generator.pdf.typeset.write import write_book
from generator.rules.model import Rules


@dataclass(frozen=True)
class BookKind:
    """How rules are set: on which pages, at which sizes of type and pictures, and how many pages are good."""

    form: BookPage
    sizes: Sequence[tuple[float, float]]
    wanted: Wanted
    more: int = 0
    before: int = 0
    """Columns that may be added to those that the pack wants; and pages that stand before, and are counted."""

    def forms(self, columns: int) -> tuple[BookPage, ...]:
        """All pages to try, for rules that want so many columns on a page to read."""
        wide = range(columns, columns + self.more + 1) if not self.form.mirrored else (self.form.columns,)
        return tuple(self.form.in_columns(number).at(*size) for number in wide for size in self.sizes)


TO_READ = BookKind(READING, READING_SIZES, ANY)
TO_FOLD = BookKind(FOLDED, FOLDED_SIZES, FOLDS)


def on_sheets(size: Size, before: int = 0) -> BookKind:
    """For both sides of sheets of a size in mm, after so many pages."""
    return BookKind(replace(READING, size=size), SHEET_SIZES, EVEN, more=1, before=before)


NARROW = 175.0
"""mm; a narrower page beside sheets has one column."""

MAKING_SIZES = ((10.0, 1.0), (9.6, 0.85), (9.3, 0.7), (9.0, 0.6))


def beside_sheets(size: Size | None) -> BookKind:
    """For what stands before sheets of a size in mm; without one, as rules to read."""
    form = READING if size is None else replace(READING, size=size)
    return BookKind(form if form.size.w >= NARROW else replace(form, side=12), MAKING_SIZES, FEWEST)


def columns_beside(size: Size | None) -> int:
    """Into how many columns such a page is parted."""
    return 1 if size and size.w < NARROW else READING.columns


@dataclass(frozen=True)
class TypesetRules:
    """A booklet and its file."""

    book: Book
    pdf: bytes


def typeset(rules: Rules, fonts: FontSet, pages: Sequence[FacePages], way: BookKind) -> TypesetRules:
    """Set rules; `pages` are their pictures as PDF."""
    with typesetting(fonts) as engine:
        setter = Setter(rules, fonts, engine, before=way.before)
        book = setter.best(way.forms(rules.look.columns), way.wanted)
        faces = {face.name: face for face in rules.faces}
        numbered = {number: faces[name] for name, number in setter.faces.items()}
        return TypesetRules(book, filled(write_book(book, setter), numbered, pages))
