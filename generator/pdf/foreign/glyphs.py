"""Measure text on third-party pages by the glyph widths in their fonts, as far as these are given."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from reportlab.pdfbase import pdfmetrics

from generator.core.geometry import IDENTITY, Affine, Point, Rect

# Extent of letters from the baseline, as shares of the font size.
DESCENT_SHARE = -0.5
ASCENT_SHARE = 1.3

# A letter may extend beyond its width by this share of the font size.
OVERHANG_SHARE = 0.4


class GlyphWidths:
    """Widths of a font's glyphs in thousandths of its size; None if the file does not state them."""

    def __init__(self, font: Any) -> None:
        self.wide = font.get("/Subtype") == "/Type0"
        self.known = True
        try:
            self._widths, self._other = _composite(font) if self.wide else _simple(font)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError):
            self.known = False

    def codes(self, text: bytes) -> Iterator[int]:
        """Return the character codes of a string."""
        if self.wide:
            yield from (text[at] << 8 | text[at + 1] for at in range(0, len(text) - 1, 2))
        else:
            yield from text

    def of(self, code: int) -> float:
        """Return the width of a glyph."""
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
    """Text state parameters (ISO 32000-1, 9.3), lengths in user space; `stretch` is a factor."""

    widths: GlyphWidths | None = None
    size: float = 0.0
    letter: float = 0.0
    word: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def after(self, name: str, values: list[Any]) -> "TextState":
        """Return the state after an operator."""
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
        """Return the advance of a text in user space, or None for unknown widths."""
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


# The state at the start of a page.
INITIAL_STATE = TextState()


@dataclass
class WordCursor:
    """The position of the next text: text and line matrices; `lost` if a width was unknown."""

    line: Affine = IDENTITY
    at: Affine = IDENTITY
    lost: bool = False

    def begin(self, matrix: Affine) -> None:
        """Start a line at a matrix."""
        self.line = self.at = matrix
        self.lost = False

    def move(self, x: float, y: float) -> None:
        """Start a line at an offset from the last one."""
        self.begin(self.line @ Affine(e=x, f=y))

    def show(self, state: TextState, parts: list[Any], ctm: Affine) -> tuple[Rect | None, float | None]:
        """Return the box of a text, and the TJ number that replaces it if it is dropped; None if unknown."""
        advance = state.advance(parts)
        if advance is None or self.lost or state.mode >= 4:
            self.lost = self.lost or advance is None
            return None, None
        size = abs(state.size)
        left = min(0.0, advance) - OVERHANG_SHARE * size
        right = max(0.0, advance) + OVERHANG_SHARE * size
        low = state.rise + DESCENT_SHARE * size
        high = state.rise + ASCENT_SHARE * size
        place = ctm @ self.at
        corners = [place.apply(Point(x, y)) for x in (left, right) for y in (low, high)]
        self.at @= Affine(e=advance)
        scale = state.size * state.stretch
        xs = [corner.x for corner in corners]
        ys = [corner.y for corner in corners]
        box = Rect.between(min(xs), min(ys), max(xs), max(ys))
        return box, -advance / scale * 1000 if scale else None
