"""Draw sheets with ReportLab: faces, marks and footers in their imposed places.

Each face is an empty form XObject, placed wherever a sheet shows the face; `forms.py` fills the
forms afterwards with the compiled faces. Marks and whole sides that several pages share are forms
too, drawn once.

Here and in `forms.py`, millimetres from the top left become points from the lower left.
"""

import io
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby
from typing import Any

from reportlab import rl_config
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator.base.errors import InvalidValueError
from generator.base.files import bundled_folder
from generator.base.fonts import FontFile
from generator.base.geometry import EPSILON, IDENTITY, Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.spill import SpilledBytes
from generator.base.units import points, roman
from generator.impose.sheet import Anchor, Line, Note, PlacedFace, SheetPage, SheetSide
from generator.pdf.faces import FacePages
from generator.pdf.finish import DocumentInfo, DocumentPart, paper_sizes, write_file
from generator.pdf.forms import upwards

# The grey of marks and notes: black.
INK_GREY = 0.0

# Each face extends under a later one that touches it by this much; else a white hairline may show
# between them.
LAP_MM = 0.2

# ReportLab would write compressed bytes as text, which takes a quarter more time and space.
rl_config.useA85 = 0


@dataclass(frozen=True)
class SheetPages:
    """The pages of a file of sheets, and all that is needed to draw them."""

    pages: Sequence[SheetPage]
    face_sizes: Mapping[str, Size]  # the size of each face with its bleed, in mm, by name
    font: FontFile  # of the notes

    @property
    def names(self) -> tuple[str, ...]:
        """The faces on the pages, in order of first use."""
        return tuple(
            dict.fromkeys(placed.face for page in self.pages for placed in page.side.placed)
        )


def write_sheets(
    sheets: SheetPages, chunks: Iterable[FacePages], info: DocumentInfo, opening: bytes = b""
) -> SpilledBytes:
    """Return the finished file of some sheets, whose faces are pages of the chunks.

    Viewers show the label of each side in place of a page number. `opening` is a file whose pages come
    before the sheets and are numbered i, ii, iii, iv. If both sides are printed and its pages are odd in
    number, a blank page follows, so that the first sheet begins on a piece of paper of its own.
    """
    info = replace(info, labels=tuple(page.side.label for page in sheets.pages))
    if not opening:
        return write_file([DocumentPart(draw_sheets(sheets), tuple(chunks))], info)
    papers = paper_sizes(opening)
    if len(papers) % 2 and info.duplex != "Simplex":
        papers.append(papers[-1])
        sheets = replace(sheets, pages=(SheetPage(papers[-1], SheetSide("")), *sheets.pages))
    numbers = tuple(map(roman, range(1, len(papers) + 1)))
    parts = [DocumentPart(opening), DocumentPart(draw_sheets(sheets), tuple(chunks))]
    return write_file(parts, replace(info, labels=(*numbers, *info.labels)))


def draw_sheets(sheets: SheetPages) -> bytes:
    """Return a PDF of the sheets, in which each face is an empty form of its name."""
    register_font(sheets.font)
    file = io.BytesIO()
    # The initial font is ours, or ReportLab would name Helvetica on each page, which is not
    # embedded.
    canvas: Any = Canvas(file, invariant=1, pageCompression=1, initialFontName=sheets.font.key)
    for name in sheets.names:
        define_form(canvas, name, sheets.face_sizes[name])
    drawer = _PageDrawer(canvas, sheets)
    for page in sheets.pages:
        drawer.draw_page(page)
    canvas.save()
    return file.getvalue()


class _PageDrawer:
    """Draws the pages of a job on a canvas."""

    def __init__(self, canvas: Any, sheets: SheetPages) -> None:
        self._canvas = canvas
        self._sheets = sheets
        self._form_names: dict[object, str] = {}
        self._side_counts = Counter(map(_side_key, sheets.pages))

    def draw_page(self, page: SheetPage) -> None:
        """Draw a side of a sheet: its faces, the lines over them, and the notes in its margins."""
        canvas = self._canvas
        side = page.side
        height = page.paper.h
        canvas.setPageSize(_size_in_points(page.paper))
        canvas.setFillGray(INK_GREY)
        canvas.setStrokeGray(INK_GREY)
        if side.undo != IDENTITY:
            canvas.transform(*_in_points(side.undo, height))
        self._place_lines([side.below], page.paper)
        self._place_faces(page)
        self._place_lines([side.cuts, side.marks, side.ruler], page.paper)
        for note in side.notes:
            draw_note(canvas, note, self._sheets.font, height)
        canvas.showPage()

    def _place_faces(self, page: SheetPage) -> None:
        key = _side_key(page)
        if len(page.side.placed) > 1 and self._side_counts[key] > 1:
            self._place_form("side", key, page.paper, lambda: self._draw_faces(page))
        else:
            self._draw_faces(page)

    def _draw_faces(self, page: SheetPage) -> None:
        placed = page.side.placed
        inks = lap_inks(tuple(at.ink for at in placed))
        for at, ink in zip(placed, inks, strict=True):
            draw_face(self._canvas, at, ink, self._sheets.face_sizes[at.face], page.paper.h)

    def _place_lines(self, groups: Sequence[tuple[Line, ...]], paper: Size) -> None:
        if any(groups):
            # Sheets with equal marks share one tuple of lines. To compare hundreds of lines for each
            # page would cost more than to draw them. The pages hold the tuples, so no id() is used
            # twice.
            key = (*map(id, groups), paper)
            self._place_form(
                "lines", key, paper, lambda: draw_lines(self._canvas, chain(*groups), paper.h)
            )

    def _place_form(self, kind: str, key: object, paper: Size, draw: Callable[[], None]) -> None:
        """Place something that many pages share; draw it as a form the first time."""
        name = self._form_names.get(key)
        if name is None:
            name = self._form_names[key] = f"{kind}-{len(self._form_names)}"
            self._canvas.beginForm(name, 0, 0, *_size_in_points(paper))
            draw()
            self._canvas.endForm()
        self._canvas.doForm(name)


def _side_key(page: SheetPage) -> object:
    """Return all that the drawing of a side's faces depends on."""
    return page.paper, tuple(
        (at.face, at.trim, at.ink, at.turn, at.clip) for at in page.side.placed
    )


def define_form(canvas: Any, name: str, size: Size) -> None:
    """Define an empty form of a size in mm, which `forms.py` fills in the written file."""
    canvas.beginForm(name, 0, 0, *_size_in_points(size))
    canvas.endForm()


def draw_face(canvas: Any, placed: PlacedFace, ink: Rect, full: Size, height: float) -> None:
    """Place the form of a face, turned, with its centre on the centre of the trim, and clipped to `ink`.

    `full` is the size of the form; `height` is that of the page.
    """
    canvas.addLiteral(_place_in_pdf(placed.trim, placed.turn, placed.clip or ink, full, height))
    canvas.doForm(placed.face)
    canvas.addLiteral("Q")


# All sheets have the same few places, except those of different components. To write a place anew
# for each face takes a tenth of the time of a build.
@lru_cache(1000)
def _place_in_pdf(
    trim: Rect, turn: float, visible: Outline | Rect, full: Size, height: float
) -> str:
    """Return the PDF operators that save the state, clip to the visible part, and set the form's coordinates."""
    to_page = upwards(height)
    window = PDFPathObject()
    if isinstance(visible, Outline):
        _trace(window, visible, to_page)
    else:
        corner = to_page.apply(Point(visible.x, visible.bottom))
        window.rect(*corner, *_size_in_points(visible.size))
    middle = Point(points(full.w / 2), points(full.h / 2))
    matrix = Affine.moving(middle, to_page.apply(trim.centre), -turn)
    return f"q {window.getCode()} W n {fp_str(*matrix)} cm"


def draw_lines(canvas: Any, lines: Iterable[Line], height: float) -> None:
    """Draw lines; adjacent lines of one style are one path, so that dashes continue around corners.

    They are marked as an artifact, which screen readers skip (ISO 32000-1, 14.8.2.2).
    """
    to_page = upwards(height)
    canvas.addLiteral("/Artifact BMC")
    for (width, dash, grey), group in groupby(
        lines, lambda line: (line.width, line.dash, line.grey)
    ):
        canvas.setStrokeGray(grey)
        canvas.setLineWidth(points(width))
        canvas.setDash([points(mm) for mm in dash])
        path = canvas.beginPath()
        end = None
        for line in group:
            if line.a != end:
                path.moveTo(*to_page.apply(line.a))
            path.lineTo(*to_page.apply(line.b))
            end = line.b
        canvas.drawPath(path)
    canvas.addLiteral("EMC")


def draw_note(canvas: Any, note: Note, font: FontFile, height: float) -> None:
    """Draw a line of text in the margin."""
    draw = {
        Anchor.START: canvas.drawString,
        Anchor.MIDDLE: canvas.drawCentredString,
        Anchor.END: canvas.drawRightString,
    }[note.anchor]
    at = upwards(height).apply(note.at)
    canvas.setFont(font.key, points(note.size))
    if note.turn:
        canvas.saveState()
        canvas.transform(*Affine.moving(Point(0, 0), at, -note.turn))
        draw(0, 0, note.text)
        canvas.restoreState()
    else:
        draw(*at, note.text)


def _trace(path: Any, outline: Outline, to_page: Affine) -> None:
    """Add an outline to a ReportLab path; `to_page` maps its mm to the canvas's points."""
    edges = outline.edges
    path.moveTo(*to_page.apply(edges[0].a))
    for edge in edges:
        if edge.is_straight:
            path.lineTo(*to_page.apply(edge.b))
        for part in edge.bezier():
            path.curveTo(*(number for place in part for number in to_page.apply(place)))
    path.close()


def register_font(font: FontFile) -> None:
    """Make a font known to ReportLab, which has one list for the whole process.

    Raise `InvalidValueError` for a damaged font.
    """
    if font.key in pdfmetrics.getRegisteredFontNames():
        return
    try:
        font_of_reportlab = TTFont(font.key, str(font.path))
        if not font.path.is_relative_to(bundled_folder("fonts")):
            # A damaged glyph is noticed here, and not when the file is written.
            font_of_reportlab.face.makeSubset(list(font_of_reportlab.face.charToGlyph))
        pdfmetrics.registerFont(font_of_reportlab)
    except (TTFError, LookupError, ValueError, TypeError, struct.error) as error:
        raise InvalidValueError(
            f"the font {font.key} is damaged: {error}", "a complete TrueType font (.ttf)"
        ) from error


@lru_cache(maxsize=16)
def lap_inks(inks: tuple[Rect, ...]) -> tuple[Rect, ...]:
    """Return the areas of faces in drawing order, each extended by `LAP_MM` under the later ones that touch it.

    Cached, as most sheets of a deck have the same areas.
    """
    return tuple(_extend_under(ink, inks[number + 1 :]) for number, ink in enumerate(inks))


def _extend_under(ink: Rect, later: Iterable[Rect]) -> Rect:
    left = ink.x
    top = ink.y
    right = ink.right
    bottom = ink.bottom
    for other in later:
        is_beside = min(ink.bottom, other.bottom) - max(ink.y, other.y) > EPSILON
        is_stacked = min(ink.right, other.right) - max(ink.x, other.x) > EPSILON
        right += LAP_MM if is_beside and abs(other.x - right) < EPSILON else 0.0
        left -= LAP_MM if is_beside and abs(other.right - left) < EPSILON else 0.0
        bottom += LAP_MM if is_stacked and abs(other.y - bottom) < EPSILON else 0.0
        top -= LAP_MM if is_stacked and abs(other.bottom - top) < EPSILON else 0.0
    return Rect.between(left, top, right, bottom)


def _size_in_points(size: Size) -> Size:
    return Size(points(size.w), points(size.h))


def _in_points(move: Affine, height: float) -> Affine:
    """Return a move in mm on a page `height` mm high as a move in points, with y upwards."""
    to_page = upwards(height)
    return to_page @ move @ to_page.inverse()
