"""Line breaking: a paragraph becomes lines of a given width, each with its runs from left to right (em).

A paragraph takes as few lines as possible, and these are as even as possible. All ways to break it
are compared, as in TeX (Knuth and Plass, "Breaking Paragraphs into Lines"), instead of filling one
line after the other. This costs little, since few breaks fit into each line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from generator.base.geometry import EPSILON, Rect
from generator.text import bidi
from generator.text.paragraph import UNSEEN_AT_END, Break, ShapedParagraph, TextItem, items_between
from generator.text.style import ICON_SIDE_EM, Align, Setting

# Penalty of another line: greater than any raggedness.
_LINE_PENALTY = 1e6
# Penalty of a line that is too wide, which only an unbreakable word causes: greater than any number
# of lines.
_OVERFULL_PENALTY = 1e9
# Penalty of a line without words. That of other lines grows with the square of the empty share.
_EMPTY_LINE_PENALTY = 100.0
# Penalty of a hyphen: about that of a line of which a quarter is empty.
_HYPHEN_PENALTY = 6.0


def find_line_breaks(
    paragraph: ShapedParagraph, width: float, last: float
) -> list[tuple[int, Break]]:
    """Return the start of each line and the break that ends it.

    `last` from 0 to 1 weighs the empty space of the last line.
    """
    starts = paragraph.reach.starts
    ends = paragraph.reach.ends
    costs = [0.0]
    previous = []
    for j, place in enumerate(paragraph.breaks):
        weight = last if j == len(ends) - 1 else 1.0
        extra = _LINE_PENALTY + (_HYPHEN_PENALTY if place.hyphen else 0.0)
        best = float("inf")
        chosen = j
        for i in range(j, -1, -1):
            slack = (width - ends[j] + starts[i]) / width
            if slack < 0 and i < j:
                break
            cost = (
                costs[i]
                + extra
                + (
                    weight * _EMPTY_LINE_PENALTY * slack * slack
                    if slack >= 0
                    else _OVERFULL_PENALTY
                )
            )
            if cost < best:
                best = cost
                chosen = i
        costs.append(best)
        previous.append(chosen)
    return _follow_breaks(paragraph, previous)


def _follow_breaks(paragraph: ShapedParagraph, previous: list[int]) -> list[tuple[int, Break]]:
    """Follow the best breaks back from the end of the paragraph."""
    indexes = [len(previous)]
    while indexes[-1]:
        indexes.append(previous[indexes[-1] - 1])
    places = [Break(0), *paragraph.breaks]
    return [(places[start].at, places[end]) for start, end in pairwise(reversed(indexes))]


_SPACE = " "
_WORDS_AND_SPACES = re.compile(" |[^ ]+")


@dataclass(frozen=True)
class LinePart:
    """A glyph run at its place.

    `gap` is the letter spacing before the next run; `ink` is relative to the run's own origin.
    """

    item: TextItem
    x: float
    width: float
    gap: float
    ink: Rect | None


@dataclass(frozen=True)
class TextLine:
    """A line of placed runs; `base` is the embedding level of its paragraph, odd from right to left."""

    parts: tuple[LinePart, ...]
    base: int = 0
    align: Align | None = None

    @property
    def height(self) -> float:
        """The height as a multiple of the style's leading."""
        return max((part.item.look.scale for part in self.parts), default=1.0)

    @property
    def width(self) -> float:
        """The advance width without the spacing after the last letter."""
        return self.parts[-1].x + self.parts[-1].width if self.parts else 0.0

    @cached_property
    def ink(self) -> Rect:
        """The ink bounds relative to the left end of the baseline."""
        inks = [part.ink.shifted((part.x, 0.0)) for part in self.parts if part.ink]
        return Rect.round_all(inks) if inks else Rect(0.0, 0.0, 0.0, 0.0)

    @property
    def text(self) -> str:
        """The text of the line, for messages."""
        ordered = sorted(self.parts, key=lambda part: part.item.start)
        return bidi.strip_direction_codes(
            "".join(f":{p.item.icon}:" if p.item.icon else p.item.text for p in ordered)
        )


def make_line(paragraph: ShapedParagraph, start: int, end: Break, setting: Setting) -> TextLine:
    """Return the line between two breaks at its natural width."""
    return _place_items(_items(paragraph, start, end), paragraph.base, setting, paragraph.align)


def justify_line(
    paragraph: ShapedParagraph, start: int, end: Break, setting: Setting, width: float
) -> TextLine:
    """Return the line between two breaks, justified to `width` by wider spaces.

    A line without spaces keeps its natural width.
    """
    words = [word for item in _items(paragraph, start, end) for word in _words(item)]
    line = _place_items(words, paragraph.base, setting)
    spaces = sum(part.item.text == _SPACE for part in line.parts)
    overhang = max(0.0, -line.ink.x) + max(0.0, line.ink.right - line.width)
    extra = max(0.0, width - line.width - overhang) / spaces if spaces else 0.0
    return TextLine(tuple(_spread(line.parts, extra)), paragraph.base)


def _items(paragraph: ShapedParagraph, start: int, end: Break) -> list[TextItem]:
    """Return the items of a line in reading order, without invisible characters at its end, with its hyphen."""
    text = paragraph.text[start : end.at].rstrip(UNSEEN_AT_END)
    items = items_between(paragraph.items, start, start + len(text))
    if end.hyphen and items:
        items[-1] = replace(items[-1], text=items[-1].text + end.hyphen)
    return items


def _words(item: TextItem) -> Iterator[TextItem]:
    for match in _WORDS_AND_SPACES.finditer(item.text):
        yield replace(item, start=item.start + match.start(), text=match[0])


def _place_items(
    items: Sequence[TextItem], base: int, setting: Setting, align: Align | None = None
) -> TextLine:
    """Place the items side by side in visual order."""
    x = 0.0
    parts = []
    for index in bidi.visual([item.level for item in items]):
        part = _place_item(items[index], setting, x)
        parts.append(part)
        x += part.width + part.gap
    return TextLine(tuple(parts), base, align)


def _place_item(item: TextItem, setting: Setting, x: float) -> LinePart:
    if item.icon:
        width, height = setting.icon_size(item.icon, item.look)
        top = -(setting.metrics.cap * item.look.scale + height) / 2 - item.look.rise
        return LinePart(
            item,
            x,
            width + 2 * ICON_SIDE_EM,
            setting.spacing,
            Rect(ICON_SIDE_EM, top, width, height),
        )
    if item.text != _SPACE:
        item = replace(item, text=bidi.add_direction_codes(item.text, item.level))
    shaped = item.shaped()
    return LinePart(item, x, shaped.width, sum(shaped.advances) - shaped.width, shaped.ink)


def _spread(parts: Iterable[LinePart], extra: float) -> Iterator[LinePart]:
    by = 0.0
    for part in parts:
        yield replace(part, x=part.x + by)
        by += extra if part.item.text == _SPACE else 0.0


# Weight of the last line's empty space: centred lines should be equally long, justified ones have
# even spaces.
_LAST_LINE_WEIGHTS = {Align.CENTER: 1.0, Align.JUSTIFY: 0.05}
# For other alignments: enough to avoid a short word alone on the last line.
_DEFAULT_LAST_LINE_WEIGHT = 0.15
# How often a paragraph is broken again, each time narrower by the ink that overhangs.
_MAX_BREAK_TRIES = 5


def break_lines(paragraph: ShapedParagraph, setting: Setting, width: float) -> list[TextLine]:
    """Return the lines of a paragraph, broken more narrowly if the ink of a line overhangs the edge."""
    if not paragraph.text:
        return [TextLine(())]
    allowed = max(width, EPSILON)
    tries = []
    for _ in range(_MAX_BREAK_TRIES):
        tries.append(_break_within(paragraph, setting, width, allowed))
        excess = max(line.ink.w for line in tries[-1]) - width
        if excess <= EPSILON:
            return tries[-1]
        allowed = max(allowed - excess - EPSILON, EPSILON)
    return tries[0]


def _break_within(
    paragraph: ShapedParagraph, setting: Setting, width: float, allowed: float
) -> list[TextLine]:
    align = setting.style.align
    *places, last = find_line_breaks(
        paragraph, allowed, _LAST_LINE_WEIGHTS.get(align, _DEFAULT_LAST_LINE_WEIGHT)
    )
    if align is Align.JUSTIFY:
        lines = [justify_line(paragraph, start, end, setting, width) for start, end in places]
    else:
        lines = [make_line(paragraph, start, end, setting) for start, end in places]
    return [*lines, make_line(paragraph, *last, setting)]
