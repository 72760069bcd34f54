"""The fonts of a booklet, as ReportLab knows them: kerned, without ligatures, whose letters could not be searched."""

from dataclasses import dataclass
from typing import Any

import uharfbuzz as hb
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from generator.core.fonts import FontFile, FontSet

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
