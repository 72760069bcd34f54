"""Lines of spans become ReportLab's paragraphs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reportlab.lib.abag import ABag
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.paraparser import ParaFrag

from generator.core.problems import Wrong
from generator.pdf.booklet.formats import SMALLEST, Format, Typeface, unshaped
from generator.rules.model import Line, PageRef, Rules, Span

BLANKS = (" ", "\n", "\t")


def unmixed(frags: Sequence[Any]) -> list[Any]:
    """The same frags, but that the beginning of such a word is in a font that is not shaped.

    `**bold**,` is one word in two fonts. The first of them decides whether the word is shaped at all.
    """
    made: list[Any] = []
    for frag in frags:
        before = _last_text(made)
        if before is not None and frag.text and _joined(made[before], frag):
            made[before : before + 1] = _split(made[before])
        made.append(frag)
    return made


def _last_text(made: Sequence[Any]) -> int | None:
    """The frag before, past icons; none at the beginning of a line."""
    for index in reversed(range(len(made))):
        if getattr(made[index], "lineBreak", False):
            return None
        if made[index].text:
            return index
    return None


def _joined(one: Any, two: Any) -> bool:
    return not one.text.endswith(BLANKS) and not two.text.startswith(BLANKS) and one.fontName != two.fontName


def _split(frag: Any) -> list[Any]:
    """What stands before its last word, and that word."""
    head, blank, word = frag.text.rpartition(" ")
    last = frag.clone(text=word, fontName=unshaped(frag.fontName))
    return [frag.clone(text=head + blank), last] if head + blank else [last]


INK, QUIET = "#1f1b18", "#4a443e"
ALIGN = {"left": 0, "center": 1, "right": 2}


@dataclass(frozen=True)
class Voice:
    """How a paragraph looks; `left` and `bullet` in points."""

    size: float
    leading: float
    colour: str = INK
    bold: bool = False
    italic: bool = False
    heading: bool = False
    align: str = "left"
    left: float = 0.0
    bullet: str = ""


@dataclass(frozen=True)
class Places:
    """On which page each heading's section begins and ends, as far as it is known yet; from 1 on."""

    first: Mapping[str, int] = field(default_factory=dict)
    last: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Typesetter:
    """Sets the lines of one booklet."""

    rules: Rules
    format: Format
    type: Typeface
    places: Places

    @property
    def text(self) -> Voice:
        """The running text."""
        return Voice(self.format.text, self.format.text * 1.28)

    @property
    def small(self) -> Voice:
        """Captions and notes."""
        size = max(SMALLEST, self.format.text - 0.8)
        return Voice(size, size * 1.22, QUIET)

    def heading(self, level: int) -> Voice:
        """A heading's look; level 1 is the title."""
        look = self.rules.look
        size = self.format.text * {1: 2.9, 2: 1.65, 3: 1.25, 4: 1.05}[level]
        colour = look.accent if level == 3 else look.colour
        return Voice(size, size * 1.12, colour, heading=level < 4, bold=level == 4)

    def paragraph(self, line: Line, voice: Voice) -> Paragraph:
        """A paragraph that breaks, without lonely lines."""
        frags = [frag for part in line for frag in self._frags(part, voice)] or [self._frag(Span(""), voice)]
        return Paragraph("", self._style(voice), frags=unmixed(frags), bulletText=voice.bullet or None)

    def words(self, text: str, voice: Voice) -> Paragraph:
        """The same for plain text."""
        return self.paragraph((Span(text),), voice)

    def width(self, text: str, voice: Voice) -> float:
        """How wide a text is on one line, in points."""
        return float(pdfmetrics.stringWidth(text, self._font(Span(""), voice), voice.size))

    def resolved(self, ref: PageRef) -> tuple[Span, ...]:
        """What print says: the words, then the page or pages."""
        first = self.places.first.get(ref.first, 0)
        last = self.places.last.get(ref.last, 0) if ref.last else first
        pages = self.rules.words.range(first, last)
        address = f"#{ref.first}"
        if not ref.spans:
            return (Span(pages, address=address),)
        linked = tuple(replace(span, address=address) for span in ref.spans)
        return (*linked, Span(f" ({pages})", address=address))

    def _frags(self, part: Span | PageRef, voice: Voice) -> list[ParaFrag]:
        spans = self.resolved(part) if isinstance(part, PageRef) else (part,)
        return [self._frag(span, voice) for span in spans]

    def _style(self, voice: Voice) -> ParagraphStyle:
        return ParagraphStyle(
            "rules",
            fontName=self._font(Span(""), voice),
            fontSize=voice.size,
            leading=voice.leading,
            textColor=HexColor(voice.colour),
            alignment=ALIGN[voice.align],
            leftIndent=voice.left,
            bulletIndent=max(0.0, voice.left - voice.size * 1.5),
            bulletFontName=self.type.bold,
            bulletFontSize=voice.size,
            bulletColor=HexColor(self.rules.look.accent),
            allowWidows=0,
            allowOrphans=0,
            shaping=1,
            splitLongWords=1,
        )

    def _font(self, span: Span, voice: Voice) -> str:
        if voice.heading:
            return self.type.heading
        return self.type.name(bold=span.bold or voice.bold, italic=span.italic != voice.italic)

    def _checked(self, text: str, font: str) -> str:
        """The text, when the font has all its letters; a missing one would be a box, or nothing at all."""
        known = pdfmetrics.getFont(font).face.charToGlyph
        missing = [letter for letter in text if ord(letter) not in known and letter != "\n"]
        if missing:
            family = re.sub(r" \d+ .*", "", font)
            raise Wrong(
                f"{family} has no {missing[0]!r} (U+{ord(missing[0]):04X}), in {text.strip()[:40]!r}",
                "another sign, or an icon",
            )
        return text

    def _frag(self, span: Span, voice: Voice) -> ParaFrag:
        font = self._font(span, voice)
        raised = voice.size * 0.33 if span.note else 0.0
        linked = HexColor(self.rules.look.accent) if span.address else HexColor(voice.colour)
        frag: Any = ParaFrag(
            text=str(span.note) if span.note else self._checked(span.text, font),
            fontName=font,
            fontSize=max(SMALLEST, voice.size * 0.75) if span.note else voice.size,
            textColor=linked,
            rise=raised,
            us_lines=[],
            link=[(0, span.address)] if span.address else [],
            greek=0,
        )
        if span.text == "\n":
            frag.text, frag.lineBreak = "", True
        if span.icon:
            face = self.rules.icons[span.icon]
            high = voice.size * 1.05
            wide = high * face.size.w / face.size.h
            frag.text = ""
            frag.cbDefn = ABag(kind="img", image=face, width=wide, height=high, valign=-0.2 * voice.size)
        return frag
