"""Typeset rules to a file: to read, for both sides of sheets, or to fold.

The entry point of this package.

For folding, two pages are placed side by side at their own size on landscape paper. These are
sheets whose faces are pages of the book; each page keeps its tags.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generator.base.fonts import FontFile, FontSet
from generator.base.geometry import Point, Rect, Size
from generator.base.units import MM_PER_PT
from generator.impose.sheet import Line, PlacedFace, SheetPage, SheetSide
from generator.impose.signature import FoldedSheet, PagePair
from generator.pdf.faces import FacePages
from generator.pdf.finish import DocumentInfo, DocumentPart, paper_sizes, write_file
from generator.pdf.sheets import SheetPages
from generator.rules.booklet.compose import (
    EVEN,
    FEWEST,
    FOLDED_SIZES,
    FOLDS,
    READING_SIZES,
    SHEET_SIZES,
    TO_TURN,
    Book,
    BookSetter,
    PageTarget,
)
from generator.rules.booklet.measure import typesetting
from generator.rules.booklet.pages import FOLDED, READING, BookPage
from generator.rules.booklet.write import fill_forms, write_book
from generator.rules.model import Rules


@dataclass(frozen=True)
class BookKind:
    """A kind of book: page format, sizes of type and pictures, and preferred page counts.

    `more` columns may be added to those that the pack asks for. `before` pages precede the book in
    its file, and are counted.
    """

    form: BookPage
    sizes: Sequence[tuple[float, float]]
    target: PageTarget
    more: int = 0
    before: int = 0

    def on(self, size: Size, before: int) -> "BookKind":
        """Return the kind with pages of a size in mm, after `before` other pages."""
        return replace(self, form=replace(self.form, size=size), before=before)

    def forms(self, columns: int) -> tuple[BookPage, ...]:
        """Return all page formats to try for rules with this number of columns."""
        column_counts = (
            range(columns, columns + self.more + 1)
            if not self.form.mirrored
            else (self.form.columns,)
        )
        return tuple(
            self.form.in_columns(number).at(*size)
            for number in column_counts
            for size in self.sizes
        )


# Its type area is 3 mm higher than that of pages before sheets: one bundled game then
# needs two pages fewer.
TO_READ = BookKind(replace(READING, top=14, bottom=17), READING_SIZES, TO_TURN)
TO_FOLD = BookKind(FOLDED, FOLDED_SIZES, FOLDS)
# For both sides of sheets.
ON_SHEETS = BookKind(READING, SHEET_SIZES, EVEN, more=1)


# A narrower page before sheets has one column.
MIN_TWO_COLUMN_PAGE_MM = 175.0

MAKING_SIZES = ((10.0, 1.0), (9.6, 0.85), (9.3, 0.7), (9.0, 0.6))


def kind_for_sheets(size: Size | None) -> BookKind:
    """Return the kind for pages before sheets of a size in mm; without a size, that for reading."""
    form = READING if size is None else replace(READING, size=size)
    return BookKind(
        form if form.size.w >= MIN_TWO_COLUMN_PAGE_MM else replace(form, side=12),
        MAKING_SIZES,
        FEWEST,
    )


def columns_beside(size: Size | None) -> int:
    """Return the number of columns of a page before sheets of a size in mm."""
    return 1 if size and size.w < MIN_TWO_COLUMN_PAGE_MM else READING.columns


@dataclass(frozen=True)
class TypesetRules:
    """A booklet and its file."""

    book: Book
    pdf: bytes

    def reading_file(self, info: DocumentInfo) -> bytes:
        """Return the file to read, with page labels."""
        labels = tuple(str(number) for number in range(1, self.book.count + 1))
        return write_file([DocumentPart(self.pdf)], replace(info, labels=labels)).read()


def typeset(
    rules: Rules, fonts: FontSet, pages: Sequence[FacePages], kind: BookKind
) -> TypesetRules:
    """Typeset rules; `pages` are their pictures as PDF."""
    with typesetting(fonts) as engine:
        setter = BookSetter(rules, fonts, engine, before=kind.before)
        book = setter.find_best(kind.forms(rules.style.columns), kind.target)
        faces = {face.name: face for face in rules.faces}
        numbered = {number: faces[name] for name, number in setter.faces.items()}
        return TypesetRules(book, fill_forms(write_book(book, setter), numbered, pages))


# The length of the marks that show the fold, at the sheet's edges.
FOLD_MARK_MM = 4.0
FOLD_LINE_MM = 0.15
FOLD_DASH_MM = (3 * MM_PER_PT, 2 * MM_PER_PT)


def fold_pages(
    book: bytes, sheets: Sequence[FoldedSheet], paper: Size, font: FontFile
) -> tuple[SheetPages, FacePages]:
    """Return the sides of folded sheets, and the book's pages by face.

    Two pages are side by side, at their own size, on landscape `paper` in mm.
    """
    sizes = {f"page-{number}": size for number, size in enumerate(paper_sizes(book))}
    sides = [(pair, sheet.shift) for sheet in sheets for pair in (sheet.front, sheet.back)]
    marks = _fold_marks(paper)
    pages = [
        SheetPage(
            paper, SheetSide("", tuple(_place_halves(pair, shift, paper, sizes)), below=marks)
        )
        for pair, shift in sides
    ]
    return SheetPages(pages, sizes, font), FacePages(
        book, {name: number for number, name in enumerate(sizes)}
    )


def _place_halves(
    pair: PagePair, shift: float, paper: Size, sizes: Mapping[str, Size]
) -> Iterator[PlacedFace]:
    """Centre the pages of a side in their halves, moved towards the fold or away from it."""
    for half, index in enumerate(pair):
        if index is not None:
            name = f"page-{index}"
            width, height = sizes[name]
            middle = paper.w * (0.25 + 0.5 * half) + (shift if half == 0 else -shift)
            trim = Rect(middle - width / 2, (paper.h - height) / 2, width, height)
            yield PlacedFace(name, name, trim, trim)


def _fold_marks(paper: Size) -> tuple[Line, ...]:
    """Return a short dashed line at either end of the fold."""
    x = paper.w / 2
    ends = ((paper.h, paper.h - FOLD_MARK_MM), (FOLD_MARK_MM, 0.0))
    return tuple(Line(Point(x, a), Point(x, b), FOLD_LINE_MM, FOLD_DASH_MM) for a, b in ends)
