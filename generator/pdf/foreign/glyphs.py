"""Where words of a page end: by the widths that a file gives of its fonts, as far as those can be told."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from reportlab.pdfbase import pdfmetrics

from generator.core.geometry import IDENTITY, Affine, Point, Rect

BELOW = -0.5
ABOVE = 1.3
"""Of a font's size: so far its letters reach at most, from the baseline."""

SIDES = 0.4
"""Of a font's size: so far a letter may stand out of its width."""


class GlyphWidths:
    """How wide the letters of a font are, in thousandths of its size; nothing where the file does not say plainly."""

    def __init__(self, font: Any) -> None:
        self.wide = font.get("/Subtype") == "/Type0"
        self.known = True
        try:
            self._widths, self._other = _composite(font) if self.wide else _simple(font)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError):
            self.known = False

    def codes(self, text: bytes) -> Iterator[int]:
        """The numbers of a text's letters."""
        if self.wide:
            yield from (text[at] << 8 | text[at + 1] for at in range(0, len(text) - 1, 2))
        else:
            yield from text

    def of(self, code: int) -> float:
        """The width of a letter."""
        return self._widths.get(code, self._other)


def _simple(font: Any) -> tuple[dict[int, float], float]:
    scale = 1.0
    if font.Subtype == "/Type3":
        scale = float(font.FontMatrix[0]) * 1000
    if "/Widths" in font:
        first = int(font.FirstChar)
        other = float(font.get("/FontDescriptor", {}).get("/MissingWidth", 0))
        return {first + nth: float(width) * scale for nth, width in enumerate(font.Widths)}, other
    standard = pdfmetrics.getFont(str(font.BaseFont).lstrip("/"))
    return dict(enumerate(map(float, standard.widths))), 0.0


def _composite(font: Any) -> tuple[dict[int, float], float]:
    if font.Encoding != "/Identity-H":
        raise ValueError(font.Encoding)
    (below,) = font.DescendantFonts
    found: dict[int, float] = {}
    rows = list(below.get("/W", []))
    while rows:
        first = int(rows.pop(0))
        then = rows.pop(0)
        if isinstance(then, pikepdf.Array):
            found |= {first + nth: float(width) for nth, width in enumerate(then)}
        else:
            width = float(rows.pop(0))
            found |= dict.fromkeys(range(first, min(int(then), 0xFFFF) + 1), width)
    return found, float(below.get("/DW", 1000))


@dataclass(frozen=True)
class TextState:
    """What a page says of how its words are set; lengths in the page's own unit, `stretch` as a share."""

    widths: GlyphWidths | None = None
    size: float = 0.0
    letter: float = 0.0
    word: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def told(self, name: str, values: list[Any]) -> "TextState":
        """After an operator that changes it."""
        value = float(values[0])
        match name:
            case "Tc":
                return replace(self, letter=value)
            case "Tw":
                return replace(self, word=value)
            case "TL":
                return replace(self, leading=value)
            case "Ts":
                return replace(self, rise=value)
            case "Tz":
                return replace(self, stretch=value / 100)
        return replace(self, mode=int(value))

    def advance(self, parts: list[Any]) -> float | None:
        """How far a text goes, in the page's own unit; none where its font does not say."""
        if self.widths is None or not self.widths.known:
            return None
        total = 0.0
        for part in parts:
            if not isinstance(part, pikepdf.String):
                total -= float(part) / 1000 * self.size
                continue
            for code in self.widths.codes(bytes(part)):
                total += self.widths.of(code) / 1000 * self.size + self.letter
                total += self.word if code == ord(" ") and not self.widths.wide else 0.0
        return total * self.stretch


PLAIN = TextState()
"""Before anything is said."""


@dataclass
class WordCursor:
    """Where the next word stands: the matrices of a text and of its line; `lost` where that cannot be told."""

    line: Affine = IDENTITY
    at: Affine = IDENTITY
    lost: bool = False

    def begin(self, matrix: Affine) -> None:
        """A new line at that place."""
        self.line = self.at = matrix
        self.lost = False

    def move(self, x: float, y: float) -> None:
        """A line so far from the last one."""
        self.begin(self.line @ Affine(e=x, f=y))

    def show(self, state: TextState, parts: list[Any], ctm: Affine) -> tuple[Rect | None, float | None]:
        """The box of a text, and the number that stands for it where it is left out; none where they are not known."""
        advance = state.advance(parts)
        if advance is None or self.lost or state.mode >= 4:
            self.lost = self.lost or advance is None
            return None, None
        size = abs(state.size)
        left = min(0.0, advance) - SIDES * size
        right = max(0.0, advance) + SIDES * size
        low = state.rise + BELOW * size
        high = state.rise + ABOVE * size
        place = ctm @ self.at
        corners = [place.apply(Point(x, y)) for x in (left, right) for y in (low, high)]
        self.at @= Affine(e=advance)
        scale = state.size * state.stretch
        xs = [corner.x for corner in corners]
        ys = [corner.y for corner in corners]
        box = Rect.between(min(xs), min(ys), max(xs), max(ys))
        return box, -advance / scale * 1000 if scale else None
