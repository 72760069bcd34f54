"""Break a paragraph into lines and place them: each line has its runs from left to right (em), the block is in mm.

A paragraph takes as few lines as possible, and these are as even as possible. All ways to break it
are compared, as in TeX (Knuth and Plass, "Breaking Paragraphs into Lines"), instead of filling one
line after the other. This costs little, since few breaks fit into each line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise

from generator.base.geometry import EPSILON, Rect
from generator.picture.items import TextRun
from generator.text import bidi
from generator.text.paragraph import UNSEEN_AT_END, Break, ShapedParagraph, TextItem, items_between
from generator.text.shape import SMALL_CAPS, LetterStyle, shape_text
from generator.text.style import ICON_SIDE_EM, Align, Setting, VAlign

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
    starts = paragraph.starts
    ends = paragraph.ends
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
        return max((part.item.letter_style.scale for part in self.parts), default=1.0)

    @property
    def width(self) -> float:
        """The advance width without the spacing after the last letter."""
        return self.parts[-1].x + self.parts[-1].width if self.parts else 0.0

    @cached_property
    def ink(self) -> Rect:
        """The ink bounds relative to the left end of the baseline."""
        inks = [part.ink.shifted((part.x, 0.0)) for part in self.parts if part.ink]
        return Rect.around(inks) if inks else Rect(0.0, 0.0, 0.0, 0.0)

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
        width, height = setting.icon_size(item.icon, item.letter_style)
        top = -(setting.metrics.cap * item.letter_style.scale + height) / 2 - item.letter_style.rise
        return LinePart(
            item,
            x,
            width + 2 * ICON_SIDE_EM,
            setting.spacing,
            Rect(ICON_SIDE_EM, top, width, height),
        )
    text = bidi.add_direction_codes(item.text, item.level) if item.text != _SPACE else _SPACE
    if text != item.text:
        item = replace(item, text=text)
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


@dataclass(frozen=True)
class InlineIcon:
    """An icon in a line of text, with its box."""

    name: str
    box: Rect
    colour: str


@dataclass(frozen=True)
class Block:
    """A set text: `size` is the final type size, `box` the bounds of its ink and `lines` their number."""

    runs: tuple[TextRun, ...]
    icons: tuple[InlineIcon, ...]
    size: float
    box: Rect
    lines: int

    @property
    def letters(self) -> int:
        """The number of letters side by side in a block of one line of text, else 0."""
        return sum(len(run.text) for run in self.runs) if self.lines == 1 and not self.icons else 0


# A blank line takes half the height of a line.
BLANK_LINE_SHARE = 0.5


@dataclass(frozen=True)
class PlacedLine:
    """A line with the left end of its baseline and its type size, in mm."""

    line: TextLine
    x: float
    y: float
    size: float

    @property
    def ink(self) -> Rect:
        """The bounds of the line's ink in mm."""
        ink = self.line.ink
        size = self.size
        return Rect(self.x + ink.x * size, self.y + ink.y * size, ink.w * size, ink.h * size)


def place_lines(lines: Sequence[TextLine], setting: Setting, box: Rect, size: float) -> Block:
    """Set the lines at a size in mm.

    Text that is too large overflows the box, which `fit` checks.
    """
    baselines = _baselines(lines, setting, box, size)
    placed_lines = [place_line(line, setting, box, size, y) for line, y in baselines]
    return make_block(placed_lines, setting, box, size)


def make_block(
    placed_lines: Sequence[PlacedLine], setting: Setting, box: Rect, size: float
) -> Block:
    """Return placed lines as a block; without lines, an empty block at the top left of the box."""
    if not placed_lines:
        return Block((), (), size, Rect(box.x, box.y, 0.0, 0.0), 0)
    ink = Rect.around([placed.ink for placed in placed_lines])
    runs = tuple(run for placed in placed_lines for run in _runs(placed, setting))
    icons = tuple(icon for placed in placed_lines for icon in _icons(placed, setting))
    return Block(runs, icons, size, ink, len(placed_lines))


def place_line(line: TextLine, setting: Setting, box: Rect, size: float, y: float) -> PlacedLine:
    """Place a line between the left and the right of a box, on its baseline."""
    return PlacedLine(line, _left(line, setting, box, size), y, size)


def _left(line: TextLine, setting: Setting, box: Rect, size: float) -> float:
    """Return the left end of a line: by its advance, and moved as far as its ink would leave the box."""
    is_rtl = setting.is_rtl or line.base % 2 == 1
    justified = float(is_rtl)  # the last line of a paragraph begins where reading does
    shares = {Align.LEFT: 0.0, Align.CENTER: 0.5, Align.RIGHT: 1.0, Align.JUSTIFY: justified}
    share = shares[(line.align or setting.style.align).on_page(is_rtl=is_rtl)]
    ink = line.ink
    x = box.x + (box.w - line.width * size) * share
    return _keep_within(x, x + ink.x * size, x + ink.right * size, (box.x, box.right))


def _baselines(
    lines: Sequence[TextLine], setting: Setting, box: Rect, size: float
) -> Iterator[tuple[TextLine, float]]:
    """Yield the lines with visible content and their baselines."""
    if not any(line.parts for line in lines):
        return
    steps = [line.height if line.parts else BLANK_LINE_SHARE for line in lines[1:]]
    below = [step * setting.style.leading * size for step in accumulate(steps, initial=0.0)]
    visible = [(line, y) for line, y in zip(lines, below, strict=True) if line.parts]
    first = _first_baseline(setting, box, size, visible)
    top = first + min(y + line.ink.y * size for line, y in visible)
    bottom = first + max(y + line.ink.bottom * size for line, y in visible)
    first = _keep_within(first, top, bottom, (box.y, box.bottom))
    yield from ((line, first + y) for line, y in visible)


def _first_baseline(
    setting: Setting, box: Rect, size: float, lines: Sequence[tuple[TextLine, float]]
) -> float:
    """Return the first baseline; `lines` are the lines with their distances from it.

    It depends on the font alone, so that the same lines stand at the same height on every card: at
    the top there is room for a `d`, at the bottom for a `p`, and in the middle capitals are
    centred, as the eye does it; or figures, where there is no letter.
    """
    metrics = setting.metrics
    height = lines[-1][1]
    capital = (
        metrics.cap
        if any(letter.isalpha() for line, _ in lines for letter in line.text)
        else metrics.figure
    )
    top = box.y + metrics.ascent * size
    bottom = box.bottom - metrics.descent * size - height
    middle = box.centre.y + (capital * size - height) / 2
    return {VAlign.TOP: top, VAlign.MIDDLE: middle, VAlign.BOTTOM: bottom}[setting.style.valign]


def _keep_within(place: float, low: float, high: float, limits: tuple[float, float]) -> float:
    """Return a place moved so that `low` to `high` lies within limits.

    The lower limit has priority.
    """
    return place + max(limits[0] - low, min(0.0, limits[1] - high))


def _runs(placed: PlacedLine, setting: Setting) -> Iterator[TextRun]:
    style = setting.style
    for part in placed.line.parts:
        letter_style = part.item.letter_style
        if not part.item.icon and part.item.text.strip():
            yield TextRun(
                text=part.item.text,
                font=letter_style.font,
                size=placed.size * letter_style.scale,
                x=placed.x + part.x * placed.size,
                y=placed.y - letter_style.rise * placed.size,
                colour=letter_style.colour or style.colour,
                spacing=setting.spacing * placed.size,
                width=part.width * placed.size,
                small_caps=SMALL_CAPS in letter_style.features,
                underline=letter_style.underline,
            )


def _icons(placed: PlacedLine, setting: Setting) -> Iterator[InlineIcon]:
    for part in placed.line.parts:
        if part.item.icon and part.ink:
            ink = part.ink
            size = placed.size
            box = Rect(
                placed.x + (part.x + ink.x) * size,
                placed.y + ink.y * size,
                ink.w * size,
                ink.h * size,
            )
            yield InlineIcon(
                part.item.icon, box, part.item.letter_style.colour or setting.style.colour
            )


def split_letters(run: TextRun) -> Iterator[TextRun]:
    """Yield a run split into letters at their places; clusters stay together."""
    features = (SMALL_CAPS,) if run.small_caps else ()
    letter_style = LetterStyle(run.font, features, run.spacing / run.size)
    advances = shape_text(run.text, letter_style, "ltr").advances
    starts = [at for at, advance in enumerate(advances) if advance or not at]
    x = run.x
    for start, end in pairwise((*starts, len(run.text))):
        width = advances[start] * run.size
        if not run.text[start:end].isspace():
            yield replace(
                run, text=run.text[start:end], x=x, width=width - run.spacing, spacing=0.0
            )
        x += width
