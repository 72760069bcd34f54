"""Measure the layout of a booklet's PDF: the holes at the feet of columns, and the pictures that fill them.

Nothing here imports from `generator`.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

import numpy as np
import pikepdf
import pypdfium2

MM = 25.4 / 72
DPI = 36
PIXEL_MM = 25.4 / DPI

# From the lower edge of a page to the foot of its columns, in the file to read and the one to fold.
FEET_MM = {"read": 17.0, "fold": 15.5}
# Above the text of a page, where a theme's strip may lie.
HEAD_MM = 12.0
# A form of a smaller scale is typst's window of 1 by 1 unit around a picture, which is larger than 4 pt.
WINDOW_SCALE = 0.25
# Pictures whose sizes differ by less show pieces of the same shape.
SAME_SIZE_MM = 0.05
# The grey level below which a pixel is ink: art behind text is lighter.
DARK = 190


@dataclass(frozen=True)
class Half:
    """A column of a page to read, or a page of a folded sheet, as grey pixels; figures are black."""

    page: int
    column: int
    pixels: np.ndarray


def halves(path, *, folded):
    """Return the columns of a booklet, or its folded pages, in reading order."""
    sides = grey_pages(path)
    halves_of_pages = []
    for index, side in enumerate(sides):
        middle = side.shape[1] // 2
        for column, pixels in enumerate((side[:, :middle], side[:, middle:])):
            page = _folded_number(index, column, 2 * len(sides)) if folded else index + 1
            halves_of_pages.append(Half(page, 0 if folded else column, pixels))
    return sorted(halves_of_pages, key=lambda half: (half.page, half.column))


def _folded_number(side, half, count):
    """Return the number of the page on a half of a side of folded sheets."""
    sheet, inner = divmod(side, 2)
    if inner:
        return count - 2 * sheet - 1 if half else 2 * sheet + 2
    return 2 * sheet + 1 if half else count - 2 * sheet


@lru_cache(3)
def grey_pages(path):
    """Return the pages of a booklet as grey pixels. The box of each figure is black, also around its board.

    The three booklets of a game are cached, and must not be changed.
    """
    with pypdfium2.PdfDocument(path) as document:
        return [_grey(page) for page in document]


def _grey(page):
    pixels = np.array(page.render(scale=DPI / 72).to_pil().convert("L"))
    height = page.get_height()
    for left, bottom, right, top in _figure_boxes(page):
        rows = slice(round((height - top) * DPI / 72), round((height - bottom) * DPI / 72))
        pixels[rows, round(left * DPI / 72) : round(right * DPI / 72)] = 0
    return pixels


@dataclass(frozen=True)
class Decoration:
    """The visible box in mm of a decorative picture, on a page or on a folded page."""

    page: int
    x: float
    y: float
    w: float
    h: float


def decorations(path, *, folded):
    """Return the pictures that screen readers skip, in reading order."""
    decorations = []
    with pikepdf.open(path) as pdf:
        for index, page in enumerate(pdf.pages):
            width, height = (float(side) for side in page.MediaBox[2:])
            for left, bottom, right, top in _artifacts(page, page.Resources, pikepdf.Matrix()):
                half = int(left > width / 2) if folded else 0
                number = _folded_number(index, half, 2 * len(pdf.pages)) if folded else index + 1
                sides = (left, height - top, right - left, top - bottom)
                decorations.append(Decoration(number, *(side * MM for side in sides)))
    return sorted(decorations, key=lambda each: (each.page, each.y))


_OPERATORS = "q Q cm BMC BDC EMC m l re W W* n f f* S Do"
"""The operators that `_artifacts` reads; without the others, a page is read in a third of the time."""


def _artifacts(holder, resources, matrix, clip=(-math.inf, -math.inf, math.inf, math.inf)):
    """Yield the visible boxes in pt of the forms and images within /Artifact, also on folded pages."""
    outer_states = []
    is_artifact = [False]
    corners = []
    for operands, operator in pikepdf.parse_content_stream(holder, _OPERATORS):
        match str(operator):
            case "q":
                outer_states.append((matrix, clip))
            case "Q":
                matrix, clip = outer_states.pop()
            case "cm":
                matrix = pikepdf.Matrix(*map(float, operands)) @ matrix
            case "BMC" | "BDC":
                is_artifact.append(is_artifact[-1] or operands[0] == "/Artifact")
            case "EMC":
                is_artifact.pop()
            case "m" | "l" | "re":
                x, y, *sides = map(float, operands)
                w, h = sides or (0.0, 0.0)
                corners += [matrix.transform(place) for place in ((x, y), (x + w, y + h))]
            case "W" | "W*":
                clip = _common(clip, _around(corners))
            case "n" | "f" | "f*" | "S":
                corners = []
            case "Do":
                picture = resources.XObject[str(operands[0])]
                is_form = picture.Subtype == "/Form"
                own = pikepdf.Matrix(*map(float, picture.get("/Matrix", ()))) @ matrix
                if is_artifact[-1]:
                    left, bottom, right, top = map(float, picture.BBox) if is_form else (0, 0, 1, 1)
                    ends = [(left, bottom), (right, bottom), (left, top), (right, top)]
                    yield _common(clip, _around([own.transform(end) for end in ends]))
                elif is_form and len(is_artifact) == 1:  # a folded page, not a figure
                    yield from _artifacts(picture, picture.get("/Resources", {}), own, clip)


def _around(corners):
    across, up = zip(*corners, strict=True)
    return min(across), min(up), max(across), max(up)


def _common(box, other):
    return (*map(max, box[:2], other[:2]), *map(min, box[2:], other[2:]))


def _figure_boxes(page):
    """Yield the boxes in pt of the pictures on a page, without full pages and background art."""
    for form in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_FORM], max_depth=1):
        left, bottom, right, top = form.get_bounds()
        if top - bottom < 0.7 * page.get_height():  # a page on a folded sheet is a form too
            yield left, bottom, right, top


def hole_mm(half, way, art=None):
    """Return the empty height at the foot of a column, or above the art at the foot of its page.

    The last pixel above art may show a part of it.
    """
    height = half.pixels.shape[0]
    foot = round(art.y / PIXEL_MM) - 1 if art else height - round(FEET_MM[way] / PIXEL_MM)
    body = half.pixels[round(HEAD_MM / PIXEL_MM) : foot]
    inked = np.flatnonzero((body < DARK).any(axis=1))
    return (len(body) - 1 - max(inked, default=0)) * PIXEL_MM


@dataclass(frozen=True)
class PrintedPiece:
    """A piece of the game in a booklet: the width and height in mm of its shape as printed."""

    page: int
    width: float
    height: float
    in_figure: bool


def printed_pieces(path, shapes):
    """Yield the pieces of the game that the pages of a file show.

    `shapes` has the size in mm of each piece, by that of its picture with bleed.
    """
    with pikepdf.open(path) as pdf:
        for number, page in enumerate(pdf.pages, 1):
            yield from _pieces(
                page, page.Resources, pikepdf.Matrix(), number, shapes, in_figure=False
            )


def _pieces(holder, resources, at, page, shapes, *, in_figure):
    """Yield the pieces in the content of a page or form, which the matrix `at` places on the page."""
    outer = []
    for instruction in pikepdf.parse_content_stream(holder, "q Q cm Do"):
        operator = str(instruction.operator)
        if operator == "q":
            outer.append(at)
        elif operator == "Q":
            at = outer.pop()
        elif operator == "cm":
            at = pikepdf.Matrix(*map(float, instruction.operands)) @ at
        elif (form := resources.XObject[str(instruction.operands[0])]).Subtype == "/Form":
            matrix = pikepdf.Matrix(*map(float, form.get("/Matrix", [1, 0, 0, 1, 0, 0])))
            left, bottom, right, top = map(float, form.BBox)
            shape = _shape_of((right - left) * MM, (top - bottom) * MM, shapes)
            # A window of 1 by 1 unit shows either a figure, which holds pieces, or a single piece.
            is_window = hypot(matrix.a, matrix.b) < WINDOW_SCALE
            inner = matrix @ at
            if shape and not is_window:
                width = shape[0] * hypot(inner.a, inner.b)
                height = shape[1] * hypot(inner.c, inner.d)
                yield PrintedPiece(page, width, height, in_figure)
            else:
                own = form.get("/Resources", resources)
                yield from _pieces(form, own, inner, page, shapes, in_figure=not is_window)


def _shape_of(width, height, shapes):
    """Return the shape of the piece whose picture has a size in mm; None for other pictures."""
    for (w, h), shape in shapes.items():
        if max(abs(width - w), abs(height - h)) < SAME_SIZE_MM:
            return shape
    return None
