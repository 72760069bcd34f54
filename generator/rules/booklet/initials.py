"""Set initials (drop caps): letters as high as some lines, which flow next to them.

Lengths in points.

typst has no initials. The lines next to one are found by measuring and broken there. The letter is
drawn as a shape that is not text; an invisible letter precedes the rest of its word, so that words
can be copied.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.base.fonts import FontFile
from generator.base.units import MM_PER_PT, number
from generator.pdf.faces import quoted
from generator.rules.booklet.boxes import Heights
from generator.rules.booklet.typst_code import BODY, RuleCoder, TextLook, mark_words
from generator.rules.model import Line, Span, plain
from generator.text.bidi import is_rtl_language
from generator.text.shape import extract_contours, measure, measure_ink, measure_metrics

LINES = 2
"""How many lines an initial is high; a paragraph with fewer beside it has none."""

PAST = 0.32
"""Between an initial and the lines beside it, as a share of the type's size."""

WIDEST = 0.25
"""The largest share of a column that an initial takes."""

HANGS = 0.42
"""How far an initial hangs under its last line at most, as a share of the type's size: into what parts two lines."""

BEGINS = re.compile(r"""[("'«»‹›“”„‟‘’‚‛¡¿]*[^\W\d_][\u0300-\u036f]* ?""")
"""A letter, with what is quoted or asked before it, and what is put on it."""

STRAIGHT = 'mode: "straight"'
JUSTIFIED_LINE_BREAK = "#linebreak(justify: true)"


@dataclass(frozen=True)
class InitialSplit:
    """A paragraph with its initial: as a whole, or split into the lines next to it and the words below."""

    whole: str
    head: str
    rest: tuple[str, ...]


@dataclass(frozen=True)
class DrawnInitial:
    """An initial: typst code from the top of its first line, and the width of its ink."""

    code: str
    width: float


@dataclass(frozen=True)
class Initials:
    """Sets the initials of one booklet."""

    coder: RuleCoder
    heights: Heights

    def begun(self, line: Line, voice: TextLook) -> InitialSplit | None:
        """Return a paragraph with its initial; None if the theme has none or it does not fit."""
        unseen, others = self._split_initial(line)
        shape = self._shape(unseen.strip(), voice) if unseen else None
        column = self.coder.form.column
        if not shape or shape.width * MM_PER_PT > WIDEST * column:
            return None
        first, *words = self.coder.pieces(others, voice)
        words = [f"#text(fill: rgb(0, 0, 0, 0), {quoted(unseen)});{first}", *words]
        hidden = measure(unseen, self._body, voice.size)
        aside = shape.width + PAST * voice.size
        starts = self._starts(words, hidden, voice, column - aside * MM_PER_PT)
        if len(starts) < LINES:
            return None
        second, third, *_ = *starts[1:], len(words)
        beside = (
            f"#box(width: {number(aside - hidden)}pt)[#place(top + left, {shape.code})]{' '.join(words[:second])}"
            f"{JUSTIFIED_LINE_BREAK}#box(width: {number(aside)}pt){' '.join(words[second:third])}"
        )
        rest = tuple(words[third:])
        style = self.coder.style(voice)
        head = f"#text(hyphenate: false)[{beside}{JUSTIFIED_LINE_BREAK if rest else ''}]"
        return InitialSplit(
            f"{{ {style} par[{head}{' '.join(rest)}] }}", f"{{ {style} par[{head}] }}", rest
        )

    def _split_initial(self, line: Line) -> tuple[str, Line]:
        """Split off the first letter, with quotation marks before and a space after it.

        Empty without a letter.

        The space belongs to the invisible text: otherwise PDF readers would join the letter to the
        next word.
        """
        first = line[0] if line else None
        rules = self.coder.rules
        if not rules.look.theme.initial or is_rtl_language(rules.language):
            return "", line
        found = BEGINS.match(first.text) if isinstance(first, Span) else None
        if not isinstance(first, Span) or not found or first.icon or first.note or first.address:
            return "", line
        rest = first.text[found.end() :]
        others = (*((replace(first, text=rest),) if rest else ()), *line[1:])
        return (found[0], others) if plain(others).strip() else ("", line)

    def _shape(self, letter: str, voice: TextLook) -> DrawnInitial | None:
        """Return the initial, as high as its lines from the cap height.

        A descender hangs below them.
        """
        look = self.coder.rules.look
        for font in (look.heading, self._body):
            self.coder.check_text(letter, font)
        ink = measure_ink(letter, look.heading, 1.0)
        if not ink:
            return None
        cap = measure_metrics(self._body).cap * voice.size
        high = (LINES - 1) * voice.leading * voice.size + cap
        over = max(measure_metrics(look.heading).cap, -ink.y)
        size = min(high / over, (high + HANGS * voice.size) / (over + max(0.0, ink.bottom)))
        drawn = ", ".join(
            f"curve.{told}({', '.join(_point(x - ink.x, y + over, size) for x, y in points) or STRAIGHT})"
            for told, points in extract_contours(letter, look.heading)
        )
        fill = f'fill: rgb("{look.theme.initial}")'
        return DrawnInitial(
            f"dy: {number(-cap)}pt, pdf.artifact(curve({fill}, {drawn}))", ink.w * size
        )

    def _starts(
        self, words: Sequence[str], hidden: float, voice: TextLook, width: float
    ) -> tuple[int, ...]:
        """Return the numbers of words that begin lines at a width, without the place of the invisible text."""
        back = f"#h({number(-hidden)}pt)"
        code = f"{{ {self.coder.style(voice)} set text(hyphenate: false); par[{back}{mark_words(words)}] }}"
        return self.heights.breaks(code, width)

    @property
    def _body(self) -> FontFile:
        return self.coder.fonts.find(BODY, 400)


def _point(x: float, y: float, size: float) -> str:
    return f"({number(x * size)}pt, {number(y * size)}pt)"
