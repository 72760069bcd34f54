"""Measure the layout of a booklet's PDF: the holes at the feet of columns, and the scale of figures.

Nothing here imports from `generator`.
"""

from dataclasses import dataclass

import numpy as np
import pypdfium2

MM = 25.4 / 72
DPI = 36
PIXEL_MM = 25.4 / DPI

# From the lower edge of a page to the foot of its columns, to read and to fold.
FEET_MM = {"read": 19.0, "fold": 15.5}
# Above the text of a page, where a theme's strip may lie.
HEAD_MM = 12.0
# Ink is darker: the art behind the text of a page is light.
DARK = 190


@dataclass(frozen=True)
class Half:
    """A column of a page to read, or a page of a folded sheet, as grey pixels; figures are black."""

    page: int
    column: int
    pixels: np.ndarray


def halves(path, *, folded):
    """Return the columns of a booklet, or its folded pages, in reading order."""
    with pypdfium2.PdfDocument(path) as document:
        sides = [_grey(page) for page in document]
    found = []
    for index, side in enumerate(sides):
        middle = side.shape[1] // 2
        for column, pixels in enumerate((side[:, :middle], side[:, middle:])):
            page = _folded_number(index, column, 2 * len(sides)) if folded else index + 1
            found.append(Half(page, 0 if folded else column, pixels))
    return sorted(found, key=lambda half: (half.page, half.column))


def _folded_number(side, half, count):
    """Return the number of the page on a half of a side of folded sheets."""
    sheet, inner = divmod(side, 2)
    if inner:
        return count - 2 * sheet - 1 if half else 2 * sheet + 2
    return 2 * sheet + 1 if half else count - 2 * sheet


def _grey(page):
    """Return a page in grey, with the box of each figure black, since a board need be no rectangle."""
    pixels = np.array(page.render(scale=DPI / 72).to_pil().convert("L"))
    height = page.get_height()
    for left, bottom, right, top in _figure_boxes(page):
        rows = slice(round((height - top) * DPI / 72), round((height - bottom) * DPI / 72))
        pixels[rows, round(left * DPI / 72) : round(right * DPI / 72)] = 0
    return pixels


def _figure_boxes(page):
    """Yield the boxes of the pictures on a page in pt: not those of whole pages and of their art."""
    for form in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_FORM], max_depth=1):
        left, bottom, right, top = form.get_bounds()
        if top - bottom < 0.7 * page.get_height():  # a page on a folded sheet is a form too
            yield left, bottom, right, top


def hole_mm(half, way):
    """Return the empty height at the foot of a column."""
    foot = half.pixels.shape[0] - round(FEET_MM[way] / PIXEL_MM)
    body = half.pixels[round(HEAD_MM / PIXEL_MM) : foot]
    inked = np.flatnonzero((body < DARK).any(axis=1))
    return (len(body) - 1 - max(inked, default=0)) * PIXEL_MM
