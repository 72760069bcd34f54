"""Sheets become pages: their content is written as it lies, and each face is a form that is filled later.

ReportLab has the font of the notes, and packs of it the glyphs that they show.
"""

import io
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol

import pikepdf
from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas

from generator.core.files import bundled
from generator.core.fonts import FontFile
from generator.core.geometry import EPSILON, IDENTITY, Affine, Point, Rect, Size
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.problems import Wrong
from generator.core.units import fine, points
from generator.impose.sheet import Anchor, Line, Note, SheetPage, SheetSide
from generator.pdf.forms import PREFIX, operators, upwards
from generator.pdf.growing import Copied, Growing, reference

INK = 0.0
"""The grey of marks and notes: black."""

START = f"{fine(INK)} g {fine(INK)} G"

NOTES = 100
"""As many are remembered as they are written: those that other pages have too."""

rl_config.useA85 = 0  # bytes stay bytes: as text they take a quarter more time and memory


class Boxed(Protocol):
    """Something that a sheet shows: with its bleed it fills a box, in mm from the top left of its trim."""

    @property
    def full(self) -> Rect:
        """That box."""
        ...


@dataclass(frozen=True)
class LaidPages:
    """Pages of sheets, the faces that they show by name, and the font of their notes."""

    pages: Sequence[SheetPage]
    faces: Mapping[str, Boxed]
    font: FontFile

    @property
    def names(self) -> tuple[str, ...]:
        """The faces that are shown, in the order in which they first are."""
        return tuple(dict.fromkeys(placed.face for page in self.pages for placed in page.side.placed))


@dataclass(frozen=True)
class FaceForm:
    """What stands for a face in the file, and whether it shows what lies below it."""

    reference: bytes
    blends: bool


def write_pages(laid: LaidPages, forms: Mapping[str, FaceForm], into: Growing, parent: int) -> Iterator[bytes]:
    """Write the pages; gives what stands for each."""
    register(laid.font)
    layout, fonts = _Layout(laid.faces, laid.font), into.reserved()
    for page in laid.pages:
        *parts, notes = layout.content(page)
        written = [into.packed(part.encode()) for part in filter(None, parts)]
        written += [into.packed(notes.encode(), once=False)] if notes else []
        shown = {placed.face: forms[placed.face] for placed in page.side.placed}
        named = b"".join(b"%b %b" % (f"{PREFIX}{name}".encode(), shown[name].reference) for name in sorted(shown))
        box = b"[0 0 %b]" % b" ".join(fine(points(side)).encode() for side in page.paper)
        told = [
            b"/Type/Page/Parent %b/MediaBox%b/TrimBox%b" % (reference(parent), box, box),
            b"/Contents[%b]" % b" ".join(written),
            b"/Resources %b" % into.once(b"<</Font %b/XObject<<%b>>>>" % (reference(fonts), named)),
            BLENDING if any(form.blends for form in shown.values()) else b"",
        ]
        yield into.add(b"<<%b>>" % b"".join(told))
    _write_fonts(layout.fonts(), into, fonts)


BLENDING = b"/Group<</S/Transparency/CS/DeviceRGB>>"
"""The colours in which a page blends."""


def _write_fonts(data: bytes, into: Growing, number: int) -> None:
    """Write the fonts of a file of one page, which are known when all is written."""
    with pikepdf.open(io.BytesIO(data)) as source:
        copied, fonts = Copied(source, into, {}), sorted(source.pages[0].Resources.Font.items())
        into.add(b"<<%b>>" % b"".join(b"%b %b" % (n.encode(), copied.reference(f)) for n, f in fonts), number=number)


class _Layout:
    """Content of pages; stretches that many of them have alike are written once."""

    def __init__(self, faces: Mapping[str, Boxed], font: FontFile) -> None:
        self._faces = faces
        self._font: Any = pdfmetrics.getFont(font.key)
        self._buffer = io.BytesIO()
        self._canvas: Any = Canvas(self._buffer, invariant=1, initialFontName=font.key)
        self._opening, self._shown, self._lapped = cache(_opening), lru_cache(NOTES)(self._text), cache(lapped)
        self._full = cache(lambda name: faces[name].full.size)
        self._width, self._codes = cache(self._width_of), cache(self._codes_of)
        self._lines: dict[tuple[int, float], tuple[tuple[Line, ...], str]] = {}

    def content(self, page: SheetPage) -> list[str]:
        """The operators of a page, in stretches that others may have too: faces, marks, the ruler; then its notes."""
        side, height = page.side, page.paper.h
        undo = [f"{_matrix(_upwards(side.undo, points(height)))} cm"] if side.undo != IDENTITY else []
        lines = [self._drawn(lines, height) for lines in (side.cuts, side.marks, side.ruler)]
        notes = "\n".join(self._shown(note, height) for note in side.notes)
        return ["\n".join([START, *undo, *self._faces_of(side, height)]), *lines, notes]

    def _faces_of(self, side: SheetSide, height: float) -> Iterator[str]:
        inks = self._lapped(tuple(at.ink for at in side.placed))
        for at, ink in zip(side.placed, inks, strict=True):
            full = self._full(at.face)
            opening = self._opening(ink, at.clip, at.trim.centre, at.turn, full, height)
            yield f"{opening} {PREFIX}{at.face} Do Q"

    def fonts(self) -> bytes:
        """A file of one page, which has the fonts that are named in what was written."""
        self._canvas.showPage()
        self._canvas.save()
        return self._buffer.getvalue()

    def _drawn(self, lines: tuple[Line, ...], height: float) -> str:
        key = id(lines), height
        if key not in self._lines:
            self._lines[key] = lines, "\n".join(_strokes(lines, height))
        return self._lines[key][1]

    def _text(self, note: Note, height: float) -> str:
        size, document = points(note.size), self._canvas._doc  # noqa: SLF001 - a font numbers its glyphs for each file
        width = size * sum(map(self._width, note.text)) / 1000
        before = {Anchor.START: 0.0, Anchor.MIDDLE: width / 2, Anchor.END: width}[note.anchor]
        laid = Affine.laying(Point(before, 0), upwards(height).apply(note.at), -note.turn)
        runs = (
            f"{self._font.getSubsetInternalName(subset, document)} {fine(size)} Tf <{''.join(codes)}> Tj"
            for subset, group in groupby(map(self._codes, note.text), key=itemgetter(0))
            for codes in [[code for _, code in group]]
        )
        return f"BT {_matrix(laid)} Tm {' '.join(runs)} ET"

    def _width_of(self, letter: str) -> float:
        width: float = self._font.stringWidth(letter, 1000)
        return width

    def _codes_of(self, letter: str) -> tuple[int, str]:
        """Which part of the font a letter is in, and what it is called there."""
        ((subset, code),) = self._font.splitString(letter, self._canvas._doc)  # noqa: SLF001
        return subset, code.hex()


LAP = 0.2
"""mm; so far ink goes on under what touches it and is drawn later: else a white hair may show between the two."""


def lapped(inks: tuple[Rect, ...]) -> tuple[Rect, ...]:
    """The inks of a side in the order in which they are drawn, those that touch lapping."""
    return tuple(_under(ink, inks[nth + 1 :]) for nth, ink in enumerate(inks))


def _under(ink: Rect, later: tuple[Rect, ...]) -> Rect:
    left, top, right, bottom = ink.x, ink.y, ink.right, ink.bottom
    for other in later:
        beside = min(ink.bottom, other.bottom) - max(ink.y, other.y) > EPSILON
        stacked = min(ink.right, other.right) - max(ink.x, other.x) > EPSILON
        right += LAP if beside and abs(other.x - right) < EPSILON else 0.0
        left -= LAP if beside and abs(other.right - left) < EPSILON else 0.0
        bottom += LAP if stacked and abs(other.y - bottom) < EPSILON else 0.0
        top -= LAP if stacked and abs(other.bottom - top) < EPSILON else 0.0
    return Rect.between(left, top, right, bottom)


def register(font: FontFile) -> None:
    """Make a font known to ReportLab, which has one list for the whole process; raise `Wrong` for a damaged font."""
    if font.key in pdfmetrics.getRegisteredFontNames():
        return
    try:
        made = TTFont(font.key, str(font.path))
        if not font.path.is_relative_to(bundled("fonts")):
            made.face.makeSubset(list(made.face.charToGlyph))  # a damaged glyph is noticed here, and not at the end
        pdfmetrics.registerFont(made)
    except (TTFError, LookupError, ValueError, TypeError, struct.error) as error:
        raise Wrong(f"the font {font.key} is damaged: {error}", "a whole TrueType font (.ttf)") from error


def _upwards(move: Affine, height: float) -> Affine:
    """The same move in points, with y upwards on a page so high (in points)."""
    a, b, c, d = move.a, -move.b, -move.c, move.d
    return Affine(a, b, c, d, points(move.e) + move.c * height, height - move.d * height - points(move.f))


def _opening(ink: Rect, clip: Outline | None, centre: Point, turn: int, full: Size, height: float) -> str:
    """What stands before a face: its middle on the trim's middle, turned, cut to the ink that it is allowed."""
    page = upwards(height)
    window = operators(curve_data(clip.edges), page) if clip else _box(ink, page)
    laid = Affine.laying(Point(points(full.w / 2), points(full.h / 2)), page.apply(centre), -turn)
    return f"q {window} W n {_matrix(laid)} cm"


def _matrix(move: Affine) -> str:
    return " ".join(map(fine, move))


def _box(box: Rect, page: Affine) -> str:
    corner = page.apply(Point(box.x, box.bottom))
    return f"{fine(corner.x)} {fine(corner.y)} {fine(points(box.w))} {fine(points(box.h))} re"


def _strokes(lines: Iterable[Line], height: float) -> Iterator[str]:
    """Lines that follow each other and look alike are one path."""
    page = upwards(height)
    for (width, dash, grey), alike in groupby(lines, lambda line: (line.width, line.dash, line.grey)):
        yield f"{fine(grey)} G {fine(points(width))} w [{' '.join(fine(points(mm)) for mm in dash)}] 0 d"
        end = None
        for line in alike:
            a, b = page.apply(line.a), page.apply(line.b)
            start = "" if line.a == end else f"{fine(a.x)} {fine(a.y)} m "
            yield f"{start}{fine(b.x)} {fine(b.y)} l"
            end = line.b
        yield "S"
