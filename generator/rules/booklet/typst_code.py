"""Write lines of rules as typst code.

Every word is a typst string, so that nothing in a pack is read as markup.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from generator.base.errors import InvalidValueError
from generator.base.fonts import SYMBOL_FAMILIES, FontFile, FontSet
from generator.base.units import MM_PER_PT, number, points
from generator.pdf.typst import typst_string
from generator.picture.face import Face
from generator.rules.booklet.headings import fit_headings
from generator.rules.booklet.pages import LEADING, MIN_TYPE_PT, BookPage
from generator.rules.model import Line, PageRef, Rules, Span, spans_of
from generator.text.shape import can_draw

BODY = "Alegreya"
INK = "#1f1b18"
QUIET = "#4a443e"
# Height of an icon as a share of the type size: that of a line (`LINE_EM`), so that icons do not move lines apart.
ICON_SHARE = 1.05

# A line's edges above and below the baseline, as `measure.py` sets them for typst. So lines without
# leading are 1.05 em apart, and the middle of a line is 0.275 em above its baseline.
TOP_EDGE_EM = 0.8
BOTTOM_EDGE_EM = 0.25
LINE_EM = TOP_EDGE_EM + BOTTOM_EDGE_EM

# The factor by which typst enlarges headings of a level.
TYPST_HEADING_SCALES = {1: 1.4, 2: 1.2}

# The sizes of headings by level, as multiples of the text size; level 1 is the title.
HEADING_SCALES = {1: 2.9, 2: 1.5, 3: 1.25, 4: 1.05}

# Lines with fewer letters are not justified, because their few gaps would be stretched too far.
# Bringhurst (The Elements of Typographic Style, 2.1.2) calls 40 a working minimum for justified
# English. Letters are counted by their average width in the body's font.
MIN_JUSTIFIED_LETTERS = 40
AVERAGE_LETTER_EM = 0.43

# typst's costs in justified text, and in ragged text: last lines of one short word, and
# hyphenation.
COSTS = {True: "(runt: 600%)", False: "(runt: 900%, hyphenation: 900%)"}

# A sum such as `3 + 2 = 5`, and the number of letters up to which it stays on one line: half a line of a column. A
# longer one would leave a gap.
SUM = re.compile(r"\d+(?: [+−×=] \d+)+")
MAX_UNBROKEN_SUM_LETTERS = 24

# The letters of a title that fit on a line at full size, and the smallest scale of longer titles. On a
# folded page, 26 letters of about 0.45 em at 28 pt fill the 115 mm of the type area.
FULL_SIZE_TITLE_LETTERS = 26
MIN_TITLE_SCALE = 0.5

# The width of an average letter, for the invisible name of an icon, which readers copy.
LETTER_EM = 0.62


@dataclass(frozen=True)
class TextStyle:
    """A text style; `size` is in points."""

    size: float
    leading: float = LEADING
    colour: str = INK
    bold: bool = False
    italic: bool = False
    heading: bool = False
    align: str = "justify"


@dataclass(frozen=True)
class HeadingPages:
    """The pages on which each heading's section begins and ends, as far as known, from 1."""

    first: Mapping[str, int] = field(default_factory=dict)
    last: Mapping[str, int] = field(default_factory=dict)


def _sums_whole(text: str) -> str:
    """Keep short sums on one line."""
    return SUM.sub(
        lambda match: (
            match[0].replace(" ", "\xa0") if len(match[0]) <= MAX_UNBROKEN_SUM_LETTERS else match[0]
        ),
        text,
    )


def mark_words(words: Iterable[str]) -> str:
    """Mark each word, to find the line that it is on.

    The mark follows, or it could stay on the line before.
    """
    return " ".join(f"{word}#metadata({index})<w>" for index, word in enumerate(words))


@dataclass(frozen=True)
class RuleCoder:
    """Writes the lines of one booklet; `faces` are its pictures by number, as in the file."""

    rules: Rules
    form: BookPage
    fonts: FontSet
    places: HeadingPages
    faces: Mapping[str, int]

    @property
    def text(self) -> TextStyle:
        """The style of running text, ragged right in narrow columns."""
        letters = self.form.column / (AVERAGE_LETTER_EM * self.form.text * MM_PER_PT)
        align = "justify" if letters >= MIN_JUSTIFIED_LETTERS else "left"
        return TextStyle(self.form.text, align=align)

    @property
    def small(self) -> TextStyle:
        """The style of captions and footnotes."""
        return TextStyle(max(MIN_TYPE_PT, self.form.text - 0.8), 1.22, QUIET, align="left")

    def heading(self, level: int) -> TextStyle:
        """Return the style of a heading; level 1 is the title."""
        style = self.rules.style
        size = self.form.text * HEADING_SCALES[level]
        if level == 1:
            size *= max(MIN_TITLE_SCALE, min(1.0, FULL_SIZE_TITLE_LETTERS / len(self.rules.title)))
        if level == 2:
            texts = (heading.text for heading in self.rules.headings if heading.level == 2)
            size = (
                fit_headings(style, texts, TYPST_HEADING_SCALES[2] * size, self.form.column)
                / TYPST_HEADING_SCALES[2]
            )
        colour = style.accent if level == 3 else style.colour
        colour = style.heading_colour if level == 2 else colour
        return TextStyle(size, 1.12, colour, heading=level < 4, bold=level == 4, align="left")

    def paragraph(self, line: Line, style: TextStyle) -> str:
        """Return a paragraph."""
        return f"{self.set_rules(style)} par[{self.inline(line, style)}]"

    def inline(self, line: Line, style: TextStyle) -> str:
        """Return the content of a paragraph as markup."""
        return "".join(self._span(span, style) for part in line for span in self._spans(part))

    def pieces(self, line: Line, style: TextStyle) -> tuple[str, ...]:
        """Return the words of a line, each as markup, for paragraphs that are split."""
        lines: list[list[Span]] = [[]]
        for span in (span for part in line for span in self._spans(part)):
            if span.icon or span.note or span.text == "\n":
                lines[-1].append(span)
                continue
            first, *others = span.text.split(" ")
            lines[-1] += [replace(span, text=first)] if first else []
            lines += [[replace(span, text=word)] if word else [] for word in others]
        return tuple("".join(self._span(span, style) for span in word) for word in lines if word)

    def set_rules(self, style: TextStyle) -> str:
        """Return the set rules of a style, for a code block."""
        font = self._font(Span(""), style)
        justify = "true" if style.align == "justify" else "false"
        align = {"justify": "start", "left": "start"}.get(style.align, style.align)
        leading = number(style.leading - LINE_EM)
        costs = COSTS[style.align == "justify"]
        families = ", ".join(map(typst_string, (*font.names, *SYMBOL_FAMILIES)))
        return (
            f"set text(font: ({families},), "
            f"size: {number(style.size)}pt, weight: {font.weight}, "
            f'style: "{"italic" if font.italic else "normal"}", fill: rgb("{style.colour}"), '
            f"costs: {costs}{', hyphenate: false' if style.heading else ''}); "
            f'set par(justify: {justify}, linebreaks: "optimized", leading: {leading}em); set align({align});'
        )

    def plain(self, text: str, style: TextStyle) -> str:
        """Return a paragraph of unstyled text."""
        return self.paragraph((Span(text),), style)

    def page_reference(self, ref: PageRef) -> tuple[Span, ...]:
        """Return a page reference as printed: its words, then the page numbers."""
        first = self.places.first.get(ref.first, 0)
        last = self.places.last.get(ref.last, 0) if ref.last else first
        pages = self.rules.words.range(first, last)
        address = f"#{ref.first}"
        if not ref.spans:
            return (Span(pages, address=address),)
        linked = tuple(replace(span, address=address) for span in ref.spans)
        return (*linked, Span(f" ({pages})", address=address))

    def notes(self, *lines: Line) -> tuple[str, ...]:
        """Return the texts of the footnotes that lines refer to."""
        spans = (span for line in lines for span in spans_of(line))
        return tuple(self._note(span.note) for span in spans if span.note)

    def _note(self, serial: int) -> str:
        """Return the text of a footnote."""
        style = self.small
        body = self.inline(self.rules.notes[serial], style)
        return f"{{ {self.set_rules(style)} par(hanging-indent: 1em)[#super[{serial}] {body}] }}"

    def picture(self, face: Face, width: float, height: float, alt: str, more: int = 0) -> str:
        """Return a one-pixel placeholder for a picture.

        Its colour encodes the number of the picture plus `more`.
        """
        index = self.faces[face.name] + more
        colour = f"{index >> 16 & 255}, {index >> 8 & 255}, {index & 255}"
        alternative = f", alt: {typst_string(alt)}" if alt else ""
        code = (
            f'image(bytes(({colour})), format: (encoding: "rgb8", width: 1, height: 1), fit: "stretch", '
            f"width: {number(width)}mm, height: {number(height)}mm{alternative})"
        )
        return code if alt else f"pdf.artifact({code})"

    def disc(self, face: Face, sign: str, size: float) -> str:
        """Return a sign on a picture, inline, at a multiple of the type size."""
        height = size * self.form.text * MM_PER_PT
        width = height * face.size.w / face.size.h
        colour = self.rules.style.theme.on_numeral
        words = f'text(weight: 700, fill: rgb("{colour}"))[{sign}]'
        return (
            f"box(width: {number(width)}mm, height: {number(height)}mm, baseline: {number(0.5 * size - 0.27)}em)"
            f"[#place({self.picture(face, width, height, '')})#place(center + horizon, {words})]"
        )

    def _spans(self, part: Span | PageRef) -> tuple[Span, ...]:
        return self.page_reference(part) if isinstance(part, PageRef) else (part,)

    def _span(self, span: Span, style: TextStyle) -> str:
        if span.text == "\n":
            return "#linebreak();"
        if span.icon:
            return self._icon(span, style)
        if span.note:
            return f"#super(size: {number(max(MIN_TYPE_PT, style.size * 0.72))}pt)[{span.note}];"
        body = f"#{typst_string(self.check_text(_sums_whole(span.text), self._font(span, style)))};"
        font = self._font(span, style)
        if span.bold and not style.heading:
            body = f"#text(weight: {font.weight})[{body}];"
        if span.italic and not style.heading:
            body = f'#text(style: "{"italic" if font.italic else "normal"}")[{body}];'
        if span.address:
            target = typst_string(span.address)
            body = f'#go({target})[#text(fill: rgb("{self.rules.style.accent}"))[{body}]];'
        return body

    def _icon(self, span: Span, style: TextStyle) -> str:
        """Return an inline icon with its name as alternative text."""
        face = self.rules.icons[span.icon]
        height = ICON_SHARE * style.size * MM_PER_PT
        width = height * face.size.w / face.size.h
        word = span.text.strip() or span.icon.replace("-", " ")
        size = min(1.0, points(width) / (LETTER_EM * style.size * max(1, len(word)))) * 100
        hidden = f"text(fill: rgb(0, 0, 0, 0), hyphenate: false, {typst_string(word)})"
        return (
            f"#box(width: {number(width)}mm, height: {number(height)}mm, baseline: 0.2em)"
            f"[#place({self.picture(face, width, height, '')})"
            f"#place(bottom, dy: -0.2em, scale({number(size)}%, origin: bottom + left, {hidden}))];"
        )

    def _font(self, span: Span, style: TextStyle) -> FontFile:
        if style.heading:
            return self.rules.style.heading
        bold = span.bold or style.bold
        italic = span.italic != style.italic
        return self.fonts.find(BODY, 700 if bold else 400, italic=italic)

    @property
    def title(self) -> str:
        """The title as it is printed."""
        title = self.rules.title
        return self._without_unprintable(title) if self.rules.is_generated else title

    def _without_unprintable(self, text: str) -> str:
        """Return the text without the letters that no font has.

        typst takes a letter from any other font if the one that is asked for lacks it, and draws a
        box if all do.
        """
        unprintable = {
            letter
            for letter in set(text) - {"\n"}
            if not any(can_draw(font, letter) for font in self.fonts.files)
        }
        return "".join(letter for letter in text if letter not in unprintable)

    def check_text(self, text: str, font: FontFile) -> str:
        """Return the text as it is printed in a font.

        Raise `InvalidValueError` for a letter of the pack's own text that the font and our families
        for symbols lack: it would be a box, or nothing at all.
        """
        if self.rules.is_generated:
            return self._without_unprintable(text)
        symbols = (self.fonts.nearest_face(family) for family in SYMBOL_FAMILIES)
        if letter := _find_missing_letter(text, (font, *symbols)):
            raise InvalidValueError(
                f"{font.family} has no {letter!r} (U+{ord(letter):04X}), in {text.strip()[:40]!r}",
                "another sign, or an icon",
            )
        return text


# Texts of a booklet recur: each is set in several sizes, and on both papers.
@lru_cache(10_000)
def _find_missing_letter(text: str, files: tuple[FontFile, ...]) -> str:
    """Return the first letter that no font of some can draw; empty if there is none."""
    for letter in text:
        if letter != "\n" and not any(can_draw(file, letter) for file in files):
            return letter
    return ""
