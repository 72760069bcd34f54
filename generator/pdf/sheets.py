"""Sheets become pages: ReportLab draws the margin, and places each face as a form that is filled later."""

import io
from collections.abc import Iterable, Mapping

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from generator.draw.face import Face
from generator.fonts import FontFile
from generator.impose.sheet import Anchor, Line, Note, Placed, Sheet, Side
from generator.units import points

INK = 0.0
"""The grey of marks and notes: black."""


def lay_sheets(sheets: Iterable[Sheet], faces: Mapping[str, Face], font: FontFile) -> bytes:
    """A PDF with a page a side, in which every face is an empty form by its name."""
    buffer = io.BytesIO()
    register(font)
    canvas = Canvas(buffer, invariant=1, initialFontName=font.key, pageCompression=1)
    defined: set[str] = set()
    for sheet in sheets:
        for side in (sheet.front, sheet.back):
            if side is not None:
                _page(canvas, sheet, side, faces, defined, font.key)
    canvas.save()
    return buffer.getvalue()


def register(font: FontFile) -> None:
    """Make a font known to ReportLab, which keeps such a list for the whole process."""
    if font.key not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(font.key, str(font.path)))


def _page(
    canvas: Canvas, sheet: Sheet, side: Side, faces: Mapping[str, Face], defined: set[str], font: str
) -> None:
    canvas.setPageSize((points(sheet.paper.w), points(sheet.paper.h)))
    for name in sorted({placed.face for placed in side.placed} - defined):
        width, height = faces[name].full.size
        canvas.beginForm(name, 0, 0, points(width), points(height))
        canvas.endForm()
        defined.add(name)
    for placed in side.placed:
        _place(canvas, sheet, placed, faces[placed.face])
    for line in (*side.marks, *side.ruler):
        _line(canvas, sheet, line)
    for note in side.notes:
        _note(canvas, sheet, note, font)
    canvas.showPage()


def _place(canvas: Canvas, sheet: Sheet, placed: Placed, face: Face) -> None:
    """The face's middle on the trim's middle, turned, cut to the ink that it is allowed."""
    canvas.saveState()
    ink = placed.ink
    window = canvas.beginPath()
    window.rect(points(ink.x), points(sheet.paper.h - ink.bottom), points(ink.w), points(ink.h))
    canvas.clipPath(window, stroke=0, fill=0)
    centre = placed.trim.centre
    canvas.translate(points(centre.x), points(sheet.paper.h - centre.y))
    canvas.rotate(-placed.turn)
    width, height = face.full.size
    canvas.translate(points(-width / 2), points(-height / 2))
    canvas.doForm(placed.face)
    canvas.restoreState()


def _line(canvas: Canvas, sheet: Sheet, line: Line) -> None:
    canvas.setLineWidth(points(line.width))
    canvas.setStrokeGray(INK)
    height = sheet.paper.h
    canvas.line(points(line.a.x), points(height - line.a.y), points(line.b.x), points(height - line.b.y))


def _note(canvas: Canvas, sheet: Sheet, note: Note, font: str) -> None:
    canvas.saveState()
    canvas.setFillGray(INK)
    canvas.setFont(font, points(note.size))
    canvas.translate(points(note.at.x), points(sheet.paper.h - note.at.y))
    canvas.rotate(-note.turn)
    draw = {Anchor.START: canvas.drawString, Anchor.MIDDLE: canvas.drawCentredString, Anchor.END: canvas.drawRightString}
    draw[note.anchor](0, 0, note.text)
    canvas.restoreState()
