"""The fonts of a booklet, as ReportLab knows them: kerned, without ligatures, whose letters could not be searched."""

from dataclasses import dataclass
from typing import Any

import uharfbuzz as hb
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from generator.fonts import FontFile, FontSet

BODY = "Alegreya"
BOLD, REGULAR = 700, 400


class KernedFont(TTFont):  # type: ignore[misc]
    """A font that HarfBuzz shapes with its kerning alone: it does not see the table of substitutions."""

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


def _register(font: FontFile) -> str:
    name = f"{font.key} kerned"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(KernedFont(name, str(font.path)))
    return name
