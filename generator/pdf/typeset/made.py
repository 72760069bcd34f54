"""Rules become a file: to read, for both sides of sheets, and to fold. The only way in from outside this folder.

To fold, two pages lie beside each other, at their own size, on landscape paper. ReportLab lays the sheets, as it lays
all sheets; each page is a form, and keeps the marks of its structure.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from generator.core.fonts import FontFile, FontSet
from generator.core.geometry import Size
from generator.core.units import points
from generator.impose.signature import FoldedSheet, Pair
from generator.pdf.faces import FacePages
from generator.pdf.graft import About, finish
from generator.pdf.sheets import register
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
from generator.pdf.typeset.pages import FOLDED, READING, BookPage
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

    def on(self, size: Size, before: int) -> "BookKind":
        """The same on pages of a size in mm, after so many others."""
        return replace(self, form=replace(self.form, size=size), before=before)

    def forms(self, columns: int) -> tuple[BookPage, ...]:
        """All pages to try, for rules that want so many columns on a page to read."""
        wide = range(columns, columns + self.more + 1) if not self.form.mirrored else (self.form.columns,)
        return tuple(self.form.in_columns(number).at(*size) for number in wide for size in self.sizes)


TO_READ = BookKind(READING, READING_SIZES, ANY)
TO_FOLD = BookKind(FOLDED, FOLDED_SIZES, FOLDS)
ON_SHEETS = BookKind(READING, SHEET_SIZES, EVEN, more=1)
"""For both sides of sheets."""


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

    def finished(self, about: About) -> bytes:
        """The file to read, its pages called by their numbers."""
        labels = tuple(str(number) for number in range(1, self.book.count + 1))
        return finish(self.pdf, (), replace(about, labels=labels))


def typeset(rules: Rules, fonts: FontSet, pages: Sequence[FacePages], way: BookKind) -> TypesetRules:
    """Set rules; `pages` are their pictures as PDF."""
    with typesetting(fonts) as engine:
        setter = Setter(rules, fonts, engine, before=way.before)
        book = setter.best(way.forms(rules.look.columns), way.wanted)
        faces = {face.name: face for face in rules.faces}
        numbered = {number: faces[name] for name, number in setter.faces.items()}
        return TypesetRules(book, filled(write_book(book, setter), numbered, pages))


MARK = 4.0
"""mm; the length of the marks that show the fold, at the sheet's edges."""

LINE = 0.15


def stitch(book: bytes, sheets: Sequence[FoldedSheet], paper: Size, font: FontFile) -> tuple[bytes, FacePages]:
    """The sheets' sides, in which every page is an empty form, and the pages by name; `paper` as it lies, in mm.

    Nothing is set in the font; but ReportLab names one on each page, and it must be one of ours.
    """
    sizes = _sizes(book)
    buffer = io.BytesIO()
    register(font)
    size = points(paper.w), points(paper.h)
    canvas: Any = Canvas(buffer, pagesize=size, invariant=1, pageCompression=1, initialFontName=font.key)
    for number, (width, height) in enumerate(sizes):
        canvas.beginForm(f"page-{number}", 0, 0, width, height)
        canvas.endForm()
    for sheet in sheets:
        for pair in (sheet.front, sheet.back):
            _side(canvas, pair, sheet.shift, paper, sizes)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue(), FacePages(book, {f"page-{number}": number for number in range(len(sizes))})


def _sizes(book: bytes) -> list[tuple[float, float]]:
    """The pages' widths and heights in points."""
    with pikepdf.open(io.BytesIO(book)) as pdf:
        return [(float(page.MediaBox[2]), float(page.MediaBox[3])) for page in pdf.pages]


def _side(canvas: Any, pair: Pair, shift: float, paper: Size, sizes: Sequence[tuple[float, float]]) -> None:
    _fold_marks(canvas, paper)
    for half, index in enumerate(pair):
        if index is None:
            continue
        width, height = sizes[index]
        middle = points(paper.w) * (0.25 + 0.5 * half) + points(shift if half == 0 else -shift)
        canvas.saveState()
        canvas.translate(middle - width / 2, (points(paper.h) - height) / 2)
        canvas.doForm(f"page-{index}")
        canvas.restoreState()


def _fold_marks(canvas: Any, paper: Size) -> None:
    """A short dashed line at either end of the fold; the dashes are none of the pages', nor words to be read."""
    canvas.saveState()
    canvas.addLiteral("/Artifact BMC")
    x, high = points(paper.w / 2), points(paper.h)
    canvas.setLineWidth(points(LINE))
    canvas.setDash([3, 2])
    for low, top in ((0.0, points(MARK)), (high - points(MARK), high)):
        canvas.line(x, low, x, top)
    canvas.addLiteral("EMC")
    canvas.restoreState()
