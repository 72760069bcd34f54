"""Set initials (drop caps): letters as high as some lines, which flow next to them.

Lengths in points.

typst has no initials. The lines next to one are found by measuring and broken there. The letter is
drawn as a shape that is not text; an invisible letter precedes the rest of its word, so that words
can be copied.
"""

import re
from dataclasses import dataclass, replace

from generator.base.fonts import FontFile
from generator.base.units import MM_PER_PT, number
from generator.pdf.typst import typst_string
from generator.rules.booklet.boxes import Heights
from generator.rules.booklet.typst_code import BODY, RuleCoder, TextStyle, mark_words
from generator.rules.model import Line, Rules, Span, plain
from generator.text.bidi import is_rtl_language
from generator.text.shape import extract_contours, measure, measure_ink, measure_metrics

# The height of an initial in lines; a paragraph with fewer lines next to it has none.
INITIAL_LINES = 2

# The gap between an initial and the lines next to it, as a share of the type size.
GAP_SHARE = 0.32

# The largest share of a column's width that an initial takes: a wider one is not drawn, because few
# words would fit beside it.
MAX_COLUMN_SHARE = 0.25

# How far an initial hangs below its last line at most, as a share of the type size: into the gap
# between two lines, as the tail of a Q does.
MAX_DESCENT_SHARE = 0.42

# A letter with its combining marks, after quotation marks or a Spanish opening mark.
FIRST_LETTER = re.compile(r"""[("'«»‹›“”„‟‘’‚‛¡¿]*[^\W\d_][\u0300-\u036f]* ?""")

STRAIGHT = 'mode: "straight"'
JUSTIFIED_LINE_BREAK = "#linebreak(justify: true)"


@dataclass(frozen=True)
class InitialSplit:
    """A paragraph with its initial: as a whole, or split into the lines next to it and the words below."""

    unsplit: str
    head: str
    words_below: tuple[str, ...]


def set_initial(
    coder: RuleCoder, heights: Heights, line: Line, style: TextStyle
) -> InitialSplit | None:
    """Return a paragraph with its initial; None if the theme has none or it does not fit."""
    unseen, others = _split_initial(coder.rules, line)
    shape, width = _draw_initial(coder, unseen.strip(), style) if unseen else ("", 0.0)
    column = coder.form.column
    if not shape or width * MM_PER_PT > MAX_COLUMN_SHARE * column:
        return None
    first, *words = coder.pieces(others, style)
    words = [f"#text(fill: rgb(0, 0, 0, 0), {typst_string(unseen)});{first}", *words]
    hidden = measure(unseen, _body_font(coder), style.size)
    aside = width + GAP_SHARE * style.size
    set_rules = coder.set_rules(style)
    # The invisible letter takes no place in the lines: the first begins where it ends.
    back = f"#h({number(-hidden)}pt)"
    unbroken = f"{{ {set_rules} set text(hyphenate: false); par[{back}{mark_words(words)}] }}"
    starts = heights.breaks(unbroken, column - aside * MM_PER_PT)
    if len(starts) < INITIAL_LINES:
        return None
    second, third = (*starts[1:], len(words))[:2]
    beside = (
        f"#box(width: {number(aside - hidden)}pt)[#place(top + left, {shape})]{' '.join(words[:second])}"
        f"{JUSTIFIED_LINE_BREAK}#box(width: {number(aside)}pt){' '.join(words[second:third])}"
    )
    remainder = tuple(words[third:])
    head = f"#text(hyphenate: false)[{beside}{JUSTIFIED_LINE_BREAK if remainder else ''}]"
    return InitialSplit(
        f"{{ {set_rules} par[{head}{' '.join(remainder)}] }}",
        f"{{ {set_rules} par[{head}] }}",
        remainder,
    )


def _split_initial(rules: Rules, line: Line) -> tuple[str, Line]:
    """Split off the first letter, with quotation marks before and a space after it.

    Empty without a letter. The space belongs to the invisible text: otherwise PDF readers would
    join the letter to the next word.
    """
    first = line[0] if line else None
    if not rules.style.theme.initial or is_rtl_language(rules.language):
        return "", line
    match = FIRST_LETTER.match(first.text) if isinstance(first, Span) else None
    if not isinstance(first, Span) or not match or first.icon or first.note or first.address:
        return "", line
    remainder = first.text[match.end() :]
    others = (*((replace(first, text=remainder),) if remainder else ()), *line[1:])
    return (match[0], others) if plain(others).strip() else ("", line)


def _draw_initial(coder: RuleCoder, letter: str, style: TextStyle) -> tuple[str, float]:
    """Return the initial as typst code from the top of its first line, and the width of its ink.

    It is as high as its lines from the cap height; a descender hangs below them. Without ink, the code is empty.
    """
    book_style = coder.rules.style
    body = _body_font(coder)
    for font in (book_style.heading, body):
        coder.check_text(letter, font)
    ink = measure_ink(letter, book_style.heading, 1.0)
    if not ink:
        return "", 0.0
    cap = measure_metrics(body).cap * style.size
    height = (INITIAL_LINES - 1) * style.leading * style.size + cap
    over = max(measure_metrics(book_style.heading).cap, -ink.y)
    hanging = (height + MAX_DESCENT_SHARE * style.size) / (over + max(0.0, ink.bottom))
    size = min(height / over, hanging)
    curves = ", ".join(
        f"curve.{command}({', '.join(_point(x - ink.x, y + over, size) for x, y in points) or STRAIGHT})"
        for command, points in extract_contours(letter, book_style.heading)
    )
    fill = f'fill: rgb("{book_style.theme.initial}")'
    return f"dy: {number(-cap)}pt, pdf.artifact(curve({fill}, {curves}))", ink.w * size


def _body_font(coder: RuleCoder) -> FontFile:
    return coder.fonts.find(BODY, 400)


def _point(x: float, y: float, size: float) -> str:
    return f"({number(x * size)}pt, {number(y * size)}pt)"
