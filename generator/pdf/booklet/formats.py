"""The pages that rules are set on, in mm, and the fonts they are set in, as ReportLab knows them."""

from dataclasses import dataclass, replace
from typing import Any

import uharfbuzz as hb
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from generator.core.fonts import FontFile, FontSet
from generator.core.geometry import Size
from generator.core.units import points

SMALLEST = 9.0
"""Points; nothing in a booklet is set smaller."""

TIGHTER = ((9.6, 0.9), (9.3, 0.85), (9.0, 0.8), (9.0, 0.7))
"""Points of type and the share of pictures that save a sheet."""


@dataclass(frozen=True)
class Format:
    """A page and its type area; `pictures` is the share of their own size that figures have on it."""

    name: str
    size: Size
    side: float
    top: float
    bottom: float
    columns: int
    gap: float
    text: float
    mirrored: bool
    pictures: float = 1.0

    @property
    def width(self) -> float:
        """The type area's width in points."""
        return points(self.size.w - 2 * self.side)

    @property
    def height(self) -> float:
        """The type area's height in points."""
        return points(self.size.h - self.top - self.bottom)

    @property
    def column(self) -> float:
        """A column's width in points."""
        return (self.width - (self.columns - 1) * points(self.gap)) / self.columns

    def tighter(self) -> "tuple[Format, ...]":
        """The same with smaller type and pictures, step by step to the smallest that is pleasant."""
        return tuple(replace(self, text=max(SMALLEST, text), pictures=share) for text, share in TIGHTER)

    def in_columns(self, columns: int) -> "Format":
        """The same with another number of columns."""
        return replace(self, columns=columns)


PAGE = Format("page", Size(210, 279.4), side=17, top=15, bottom=19, columns=2, gap=8, text=10, mirrored=False)
"""What A4 and Letter have in common: prints on either at 100 %, and reads on a screen."""

FOLDED = Format("folded", Size(139.7, 210), side=12.5, top=12, bottom=15.5, columns=1, gap=6, text=9.6, mirrored=True)
"""What half an A4 and half a Letter have in common: one setting for both, with the same page numbers."""


BODY = "Alegreya"
BOLD, REGULAR = 700, 400
TWIN = " plain"


class OwnFont(TTFont):  # type: ignore[misc]
    """A font under a name of its own: of two fonts with one face's name, ReportLab takes the first for both."""

    kind = b""

    def __init__(self, name: str, path: str) -> None:
        super().__init__(name, path)
        self.face.name += self.kind


class KernedFont(OwnFont):
    """A font that HarfBuzz shapes with its kerning alone: it does not see the table of substitutions."""

    kind = b"-Kerned"
    _kerned: Any = None

    @property
    def hbFace(self) -> Any:  # noqa: N802 - ReportLab's name
        """HarfBuzz's view of the font."""
        if self._kerned is None:
            data = bytes(self.face._ttf_data)  # noqa: SLF001 - ReportLab's own hbFace reads it too
            directory = 12 + 16 * int.from_bytes(data[4:6], "big")
            hidden = data[:directory].replace(b"GSUB", b"GSUZ")
            self._kerned = hb.Face(hb.Blob(hidden + data[directory:]))
        return self._kerned


class PlainFont(OwnFont):
    """The same without shaping, for words in two fonts: ReportLab shapes all of one with the glyphs of its first."""

    kind = b"-Plain"

    def hbFont(self, size: float) -> Any:  # noqa: N802 - ReportLab's name
        """There is none, which ReportLab takes for a word that is not to be shaped."""
        raise AttributeError(size)


@dataclass(frozen=True)
class Typeface:
    """The names under which ReportLab knows the fonts."""

    regular: str
    bold: str
    italic: str
    both: str
    heading: str

    def name(self, *, bold: bool, italic: bool) -> str:
        """The font of the running text in a look."""
        if bold:
            return self.both if italic else self.bold
        return self.italic if italic else self.regular


def typeface(fonts: FontSet, heading: FontFile) -> Typeface:
    """The fonts of a booklet, made known to ReportLab."""
    faces = [fonts.find(BODY, weight, italic=italic) for weight in (REGULAR, BOLD) for italic in (False, True)]
    regular, italic, bold, both, head = (_register(font) for font in (*faces, heading))
    return Typeface(regular, bold, italic, both, head)


def unshaped(name: str) -> str:
    """The name of a font's twin that is not shaped."""
    return f"{name}{TWIN}"


def _register(font: FontFile) -> str:
    name = f"{font.key} kerned"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(KernedFont(name, str(font.path)))
        pdfmetrics.registerFont(PlainFont(unshaped(name), str(font.path)))
    return name
