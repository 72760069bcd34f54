"""Pages to read become sheets to fold: two beside each other, at their own size, on landscape paper.

ReportLab lays the sheets, as it lays all sheets; each page is a form. What a reader with a screen needs of a page, the
marks of its structure, would lead nowhere on a sheet, and is left out.
"""

import io
from collections.abc import Sequence
from typing import Any

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from generator.core.fonts import FontFile
from generator.core.geometry import Size
from generator.core.units import points
from generator.impose.signature import FoldedSheet, Pair
from generator.pdf.faces import FacePages
from generator.pdf.sheets import register

MARK = 4.0
"""mm; the length of the marks that show the fold, at the sheet's edges."""

LINE = 0.15
MARKED = {"BDC", "BMC", "EMC", "DP", "MP"}
"""The operators of marked content."""


def stitch(book: bytes, sheets: Sequence[FoldedSheet], paper: Size, font: FontFile) -> tuple[bytes, FacePages]:
    """The sheets' sides, in which every page is an empty form, and the pages by name; `paper` as it lies, in mm.

    Nothing is set in the font; but ReportLab names one on each page, and it must be one of ours.
    """
    pages, sizes = _unmarked(book)
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
    return buffer.getvalue(), pages


def _unmarked(book: bytes) -> tuple[FacePages, list[tuple[float, float]]]:
    """The pages as pictures by their numbers, and their sizes in points."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(book)) as pdf:
        for page in pdf.pages:
            kept = [one for one in pikepdf.parse_content_stream(page) if str(one.operator) not in MARKED]
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(kept))
        sizes = [(float(page.MediaBox[2]), float(page.MediaBox[3])) for page in pdf.pages]
        pdf.save(out, deterministic_id=True, compress_streams=True)
    return FacePages(out.getvalue(), {f"page-{number}": number for number in range(len(sizes))}), sizes


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
    """A short dashed line at either end of the fold; the dashes are none of the pages'."""
    canvas.saveState()
    x, high = points(paper.w / 2), points(paper.h)
    canvas.setLineWidth(points(LINE))
    canvas.setDash([3, 2])
    for low, top in ((0.0, points(MARK)), (high - points(MARK), high)):
        canvas.line(x, low, x, top)
    canvas.restoreState()
