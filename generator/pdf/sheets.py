"""Sheets become pages: ReportLab draws the margin, and places each face as a form that is filled later."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator.core.fonts import FontFile
from generator.core.geometry import IDENTITY, Affine
from generator.core.units import points
from generator.draw.face import Face
from generator.impose.sheet import Anchor, Line, Note, PlacedFace, SheetPage
from generator.pdf.forms import define, trace, upwards

INK = 0.0
"""The grey of marks and notes: black."""


rl_config.useA85 = 0  # bytes stay bytes: as text they take a quarter more time and memory

PART = 500
"""Pages that ReportLab holds at a time: it keeps much of each until it writes them."""


def lay_sheets(pages: Sequence[SheetPage], faces: Mapping[str, Face], font: FontFile) -> Iterator[bytes]:
    """PDFs of these pages, in which every face is an empty form by its name."""
    register(font)
    for start in range(0, len(pages), PART):
        yield _part(pages[start : start + PART], faces, font)


def _part(pages: Iterable[SheetPage], faces: Mapping[str, Face], font: FontFile) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1, initialFontName=font.key, pageCompression=1)
    defined: set[str] = set()
    for page in pages:
        _page(canvas, page, faces, defined, font.key)
    canvas.save()
    return buffer.getvalue()


def register(font: FontFile) -> None:
    """Make a font known to ReportLab, which keeps such a list for the whole process."""
    if font.key not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(font.key, str(font.path)))


def _page(canvas: Canvas, page: SheetPage, faces: Mapping[str, Face], defined: set[str], font: str) -> None:
    side = page.side
    canvas.setPageSize((points(page.paper.w), points(page.paper.h)))
    wanted = {placed.face for placed in side.placed}
    define(canvas, (faces[name] for name in wanted - defined))
    defined |= wanted
    if side.undo != IDENTITY:
        canvas.transform(*_upwards(side.undo, points(page.paper.h)))
    for placed in side.placed:
        _place(canvas, page, placed, faces[placed.face])
    for line in (*side.marks, *side.ruler):
        _line(canvas, page, line)
    for note in side.notes:
        _note(canvas, page, note, font)
    canvas.showPage()


def _upwards(move: Affine, height: float) -> Affine:
    """The same move in points, with y upwards on a page so high (in points)."""
    a, b, c, d = move.a, -move.b, -move.c, move.d
    return Affine(a, b, c, d, points(move.e) + move.c * height, height - move.d * height - points(move.f))


def _place(canvas: Canvas, page: SheetPage, placed: PlacedFace, face: Face) -> None:
    """The face's middle on the trim's middle, turned, cut to the ink that it is allowed."""
    canvas.saveState()
    canvas.clipPath(_window(canvas, page, placed), stroke=0, fill=0)
    centre = placed.trim.centre
    canvas.translate(points(centre.x), points(page.paper.h - centre.y))
    canvas.rotate(-placed.turn)
    width, height = face.full.size
    canvas.translate(points(-width / 2), points(-height / 2))
    canvas.doForm(placed.face)
    canvas.restoreState()


def _window(canvas: Canvas, page: SheetPage, placed: PlacedFace) -> PDFPathObject:
    """The outline of the ink."""
    ink, window = placed.ink, canvas.beginPath()
    if placed.clip is None:
        window.rect(points(ink.x), points(page.paper.h - ink.bottom), points(ink.w), points(ink.h))
        return window
    trace(window, placed.clip, upwards(page.paper.h))
    return window


def _line(canvas: Canvas, page: SheetPage, line: Line) -> None:
    canvas.setLineWidth(points(line.width))
    canvas.setStrokeGray(INK)
    canvas.setDash([points(mm) for mm in line.dash])
    height = page.paper.h
    canvas.line(points(line.a.x), points(height - line.a.y), points(line.b.x), points(height - line.b.y))


def _note(canvas: Canvas, page: SheetPage, note: Note, font: str) -> None:
    canvas.saveState()
    canvas.setFillGray(INK)
    canvas.setFont(font, points(note.size))
    canvas.translate(points(note.at.x), points(page.paper.h - note.at.y))
    canvas.rotate(-note.turn)
    draw = {
        Anchor.START: canvas.drawString,
        Anchor.MIDDLE: canvas.drawCentredString,
        Anchor.END: canvas.drawRightString,
    }
    draw[note.anchor](0, 0, note.text)
    canvas.restoreState()
