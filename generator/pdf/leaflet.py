"""The leaflet of a patch as pages: ReportLab breaks its blocks over them, faces are forms that are filled later."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Table,
    TableStyle,
)

from generator.core.fonts import FontSet
from generator.core.geometry import Size
from generator.core.units import points
from generator.pdf.forms import upwards
from generator.pdf.sheets import define_pictures, draw_picture, register, trace
from generator.picture.face import Face
from generator.release.leaflet import Block, LeafletHeading, LeafletWords, Rows, Thumb, Thumbs

MARGIN = 18.0
"""mm; what every printer leaves and a staple or a thumb covers."""

INK, PALE = HexColor(0x202428), HexColor(0xB8BEC4)
LARGE, SMALL = 24.0, 15.0
"""mm: the longer side of a picture, where there are few and where there are many."""
FEW = 12
CELL = 32.0
"""mm: a picture with its caption."""


@dataclass(frozen=True)
class Faces:
    """The names of the fonts for words, for strong words, and for the title."""

    plain: str
    bold: str
    title: str


def lay_leaflet(blocks: Sequence[Block], paper: Size, fonts: FontSet) -> bytes:
    """A PDF of the blocks, in which every face is an empty form by its name."""
    buffer = io.BytesIO()
    faces = [thumb.face for block in blocks if isinstance(block, Thumbs) for thumb in block.thumbs]
    names = _fonts(fonts)
    margin = points(MARGIN)
    page = (points(paper.w), points(paper.h))
    frame = Frame(margin, margin, page[0] - 2 * margin, page[1] - 2 * margin, 0, 0, 0, 0)
    template = PageTemplate(frames=[frame], onPage=partial(_define, faces), pagesize=page)
    document = BaseDocTemplate(
        buffer, pagesize=page, pageTemplates=[template], invariant=1, pageCompression=1, initialFontName=names.plain
    )
    document.build(list(_story(blocks, names)))
    return buffer.getvalue()


def _fonts(fonts: FontSet) -> Faces:
    files = (fonts.find("Alegreya Sans"), fonts.find("Alegreya Sans", 700), fonts.find("Alegreya SC", 700))
    for file in files:
        register(file)
    return Faces(*(file.key for file in files))


def _define(faces: Sequence[Face], canvas: Any, _document: object) -> None:
    """The forms, empty, on the first page that needs any: all of them."""
    if canvas.getPageNumber() == 1:
        define_pictures(canvas, faces)


def _story(blocks: Sequence[Block], fonts: Faces) -> Iterator[Any]:
    """The blocks as flowables; a heading, and what leads to a table, stays with what follows it."""
    held: list[Any] = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        made = list(_flowables(block, fonts))
        if isinstance(block, LeafletHeading) or isinstance(following, Rows):
            held += made
            continue
        yield KeepTogether([*held, made[0]]) if held else made[0]
        yield from made[1:]
        held = []
    yield from held


def _flowables(block: Block, fonts: Faces) -> Iterator[Any]:
    if isinstance(block, LeafletHeading):
        yield Paragraph(escape(block.text), _title(fonts) if block.level == 1 else _heading(fonts))
    elif isinstance(block, LeafletWords):
        yield Paragraph(escape(block.text), _words(fonts.bold if block.bold else fonts.plain))
    elif isinstance(block, Thumbs):
        yield from _thumbs(block.thumbs, fonts)
    else:
        yield _table(block, fonts)


def _title(fonts: Faces) -> ParagraphStyle:
    return ParagraphStyle("title", fontName=fonts.title, fontSize=20, leading=24, textColor=INK, spaceAfter=6)


def _heading(fonts: Faces) -> ParagraphStyle:
    return ParagraphStyle(
        "heading", fontName=fonts.bold, fontSize=13, leading=16, textColor=INK, spaceBefore=9, spaceAfter=3
    )


def _words(font: str) -> ParagraphStyle:
    return ParagraphStyle("words", fontName=font, fontSize=10.5, leading=13.5, textColor=INK, spaceAfter=3)


def _caption(font: str) -> ParagraphStyle:
    return ParagraphStyle("caption", fontName=font, fontSize=8, leading=9, textColor=INK, alignment=TA_CENTER)


class Thumbnail(Flowable):  # type: ignore[misc]  # ReportLab has no types
    """A face, small, cut to its trim, with a thin frame so that a pale one is seen."""

    def __init__(self, face: Face, longest: float) -> None:
        super().__init__()
        self.face = face
        self.scale = longest / max(face.size)
        self.width, self.height = (points(side * self.scale) for side in face.size)
        self.hAlign = "CENTER"

    def wrap(self, *_room: float) -> tuple[float, float]:
        """Its size in points."""
        return self.width, self.height

    def draw(self) -> None:
        """The form of its face, with the bleed clipped off, and a line where it is cut."""
        canvas = self.canv
        draw_picture(canvas, self.face, Size(self.width, self.height))
        canvas.setStrokeColor(PALE)
        canvas.setLineWidth(points(0.15))
        edge = canvas.beginPath()
        trace(edge, self.face.edge, upwards(self.face.size.h, points(self.scale)))
        canvas.drawPath(edge, stroke=1, fill=0)


def _thumbs(thumbs: Sequence[Thumb], fonts: Faces) -> Iterator[Any]:
    """Rows of pictures, each row kept whole."""
    longest = LARGE if len(thumbs) <= FEW else SMALL
    across = 5 if len(thumbs) <= FEW else 7
    width = points(CELL if len(thumbs) <= FEW else CELL * 5 / 7)
    style = TableStyle(
        [
            ("FONT", (0, 0), (-1, -1), fonts.plain),
            ("ALIGN", (0, 0), (-1, -1), "CENTER"),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            ("VALIGN", (0, 1), (-1, 1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 2),
            ("RIGHTPADDING", (0, 0), (-1, -1), 2),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
        ]
    )
    for row in range(ceil(len(thumbs) / across)):
        part = thumbs[row * across : (row + 1) * across]
        pictures = [Thumbnail(thumb.face, longest) for thumb in part]
        captions = [Paragraph(escape(thumb.caption), _caption(fonts.bold)) for thumb in part]
        yield Table([pictures, captions], colWidths=[width] * len(part), style=style, hAlign="LEFT", spaceAfter=4)


def _table(block: Rows, fonts: Faces) -> Any:
    """Names at the left, numbers in columns; the head and the sum in bold."""
    last = len(block.rows) - 1
    sums = last if last > 1 else 0
    cells = [
        [Paragraph(escape(cell), _words(fonts.bold if number in {0, sums} else fonts.plain)) for cell in row]
        for number, row in enumerate(block.rows)
    ]
    style = TableStyle(
        [
            ("FONT", (0, 0), (-1, -1), fonts.plain),
            ("LINEBELOW", (0, 0), (-1, -1), points(0.15), PALE),
            ("LEFTPADDING", (0, 0), (0, -1), 0),
        ]
    )
    widths = [points(60), *[points(24)] * (len(block.rows[0]) - 1)]
    return Table(cells, colWidths=widths, style=style, hAlign="LEFT", spaceBefore=3, spaceAfter=8)
