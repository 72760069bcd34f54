"""A paragraph in lines of a given width (em)."""

from generator.core.geometry import EPSILON
from generator.pack.game import Align
from generator.text.breaking import line_breaks
from generator.text.line import Line, line_of, stretched
from generator.text.paragraph import Paragraph
from generator.text.setting import Setting

_LAST_LINE = {Align.CENTER: 1.0, Align.JUSTIFY: 0.05}
"""How much the last line's emptiness counts: centred lines are all to be alike, justified ones have even spaces,"""
_LAST_LINE_ELSE = 0.15
"""and others are not to end in a lonely short word."""
_TRIES = 5


def lines_of(paragraph: Paragraph, setting: Setting, width: float) -> list[Line]:
    """The lines of a paragraph; where the ink of one hangs over the edge, it is broken more narrowly."""
    if not paragraph.text:
        return [Line(())]
    allowed = max(width, EPSILON)
    tries = []
    for _ in range(_TRIES):
        tries.append(_broken(paragraph, setting, width, allowed))
        excess = max(line.ink.w for line in tries[-1]) - width
        if excess <= EPSILON:
            return tries[-1]
        allowed = max(allowed - excess - EPSILON, EPSILON)
    return tries[0]


def _broken(paragraph: Paragraph, setting: Setting, width: float, allowed: float) -> list[Line]:
    align = setting.style.align
    *places, last = line_breaks(paragraph, allowed, _LAST_LINE.get(align, _LAST_LINE_ELSE))
    if align is Align.JUSTIFY:
        lines = [stretched(paragraph, start, end, setting, width) for start, end in places]
    else:
        lines = [line_of(paragraph, start, end, setting) for start, end in places]
    return [*lines, line_of(paragraph, *last, setting)]
