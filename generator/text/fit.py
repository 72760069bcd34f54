"""Text fitted to a box or to free-form space: the largest size that fits.

Free-form space is around pictures or inside an outline: each line fills the width that is free at it.

`set_text` is the way into this package for a text with markup.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt

from generator.base.errors import InvalidValueError, Kind
from generator.base.fonts import FontSet
from generator.base.geometry import EPSILON, Point, Rect
from generator.base.units import MM_PER_PT, number, points
from generator.text.lines import (
    BLANK_LINE_SHARE,
    Block,
    PlacedLine,
    TextLine,
    break_lines,
    justify_line,
    make_block,
    make_line,
    place_line,
    place_lines,
)
from generator.text.markup import parse_markup
from generator.text.paragraph import ShapedParagraph, prepare_paragraph
from generator.text.style import Align, Setting, Style, VAlign

# The corners of an outline around or inside which text runs.
Ring = tuple[Point, ...]
Stretch = tuple[float, float]
# Heights of a line at which the free width is measured, besides the corners within the line. Edges are
# straight between corners, so the narrowest place is at a corner or at the top or foot of the line; those
# between help where only some corners are measured.
LINE_SCANS = 5
# Corners within a line beyond which only some are measured.
MAX_LINE_SCANS = 8
# Corners of an outline beyond which only some are used, evenly spaced.
MAX_CORNERS = 120
# How often a text is set again to be centred or at the bottom. Two counts of lines may
# lead to each other, which would never end.
MAX_FLOW_TRIES = 6


@dataclass(frozen=True)
class TextSpace:
    """The part of a box inside an outline, if there is one, and at least `gap` mm from other outlines."""

    box: Rect
    inside: Ring = ()
    around: tuple[Ring, ...] = ()
    gap: float = 0.0

    def free(self, top: float, bottom: float) -> Stretch:
        """Return the widest stretch that is free at all heights from `top` to `bottom`.

        Its width may be 0.
        """
        inside = _edges(self.inside, top, bottom)
        around = [_edges(ring, top - self.gap, bottom + self.gap) for ring in self.around]
        corners = [a.y for edges in (inside, *around) for a, _ in edges if top < a.y < bottom]
        heights = [top + (bottom - top) * n / (LINE_SCANS - 1) for n in range(LINE_SCANS)]
        free: list[Stretch] = [(self.box.x, self.box.right)]
        for y in (*heights, *corners[:: len(corners) // MAX_LINE_SCANS + 1]):
            if self.inside:
                free = _common(free, _inside_stretches(inside, y))
            for ring in around:
                for near in (y - self.gap, y, y + self.gap):
                    free = _without(
                        free,
                        [(a - self.gap, b + self.gap) for a, b in _inside_stretches(ring, near)],
                    )
        return max(
            free, key=lambda stretch: stretch[1] - stretch[0], default=(self.box.x, self.box.x)
        )


def _edges(ring: Ring, top: float, bottom: float) -> list[tuple[Point, Point]]:
    """Return the edges of an outline near a line; outlines with very many corners are thinned."""
    some = ring[:: len(ring) // MAX_CORNERS + 1]
    every = pairwise((*some, *some[:1]))
    return [(a, b) for a, b in every if min(a.y, b.y) <= bottom and max(a.y, b.y) >= top]


def _inside_stretches(edges: Sequence[tuple[Point, Point]], y: float) -> list[Stretch]:
    """Return the stretches inside an outline at a height."""
    xs = sorted(
        a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
        for a, b in edges
        if min(a.y, b.y) <= y < max(a.y, b.y)
    )
    return list(zip(xs[::2], xs[1::2], strict=False))


def _common(some: Sequence[Stretch], others: Sequence[Stretch]) -> list[Stretch]:
    both = ((max(a, c), min(b, d)) for a, b in some for c, d in others)
    return [(left, right) for left, right in both if left < right]


def _without(stretches: Sequence[Stretch], blocked: Sequence[Stretch]) -> list[Stretch]:
    for left, right in blocked:
        parts = (
            ((a, min(b, left)) for a, b in stretches),
            ((max(a, right), b) for a, b in stretches),
        )
        stretches = [(a, b) for part in parts for a, b in part if a < b]
    return list(stretches)


def flow_lines(
    paragraphs: Sequence[ShapedParagraph], setting: Setting, space: TextSpace, size: float
) -> list[PlacedLine]:
    """Place the lines of paragraphs in a space; lines that do not fit are placed below its box.

    Text that does not start at the top is tried with the previous number of lines until the number
    stays the same. It moves up by a line as long as its last line lies below the box, as in a
    circle, whose foot is too narrow for a word.
    """
    step = setting.style.leading * size
    count = 1
    least = 1
    placed_lines = _flow_from(paragraphs, setting, space, size, count)
    if setting.style.valign is VAlign.TOP or not placed_lines:
        return placed_lines
    for _ in range(MAX_FLOW_TRIES):
        line_count = round((placed_lines[-1].y - placed_lines[0].y) / step) + 1
        if placed_lines[-1].y > space.box.bottom:
            least = count + 1
        if (
            max(line_count, least) == count
            or placed_lines[-1].y > space.box.bottom + step * line_count
        ):
            break
        count = max(line_count, least)
        placed_lines = _flow_from(paragraphs, setting, space, size, count)
    return placed_lines


def _flow_from(
    paragraphs: Sequence[ShapedParagraph],
    setting: Setting,
    space: TextSpace,
    size: float,
    count: int,
) -> list[PlacedLine]:
    """Place the lines as if there were `count` of them; lower if ink would leave the box at the top."""
    style = setting.style
    box = space.box
    height = (count - 1) * style.leading * size
    first = {
        VAlign.TOP: box.y + setting.metrics.ascent * size,
        VAlign.MIDDLE: max(box.y, box.centre.y - height / 2) + setting.metrics.cap * size / 2,
        VAlign.BOTTOM: max(box.y, box.bottom - setting.metrics.descent * size - height),
    }[style.valign]
    placed_lines = list(_Flow(setting, space, size, first).place(paragraphs))
    above = box.y - min((placed.ink.y for placed in placed_lines), default=box.y)
    return (
        list(_Flow(setting, space, size, first + above).place(paragraphs))
        if above > EPSILON
        else placed_lines
    )


@dataclass
class _Flow:
    """Lines one below the other; `y` is the baseline of the next."""

    setting: Setting
    space: TextSpace
    size: float
    y: float

    def place(self, paragraphs: Sequence[ShapedParagraph]) -> Iterator[PlacedLine]:
        for paragraph in paragraphs:
            if paragraph.text:
                yield from self._lines(paragraph)
            else:
                self.y += self._step * BLANK_LINE_SHARE

    @property
    def _step(self) -> float:
        return self.setting.style.leading * self.size

    def _lines(self, paragraph: ShapedParagraph) -> Iterator[PlacedLine]:
        breaks = paragraph.breaks
        index = 0
        while index < len(breaks):
            left, right = self._free()
            last = self._last(paragraph, index, (right - left) / self.size)
            if last is None:
                self.y += self._step
                continue
            line = self._line(paragraph, index, last, (right - left) / self.size)
            yield place_line(
                line, self.setting, Rect(left, self.y, right - left, 0.0), self.size, self.y
            )
            self.y += self._step * line.height
            index = last + 1

    def _line(self, paragraph: ShapedParagraph, first: int, last: int, width: float) -> TextLine:
        start = paragraph.breaks[first - 1].at if first else 0
        end = paragraph.breaks[last]
        if self.setting.style.align is Align.JUSTIFY and last < len(paragraph.breaks) - 1:
            return justify_line(paragraph, start, end, self.setting, width)
        return make_line(paragraph, start, end, self.setting)

    def _free(self) -> Stretch:
        """Return the free stretch of the next line; below the box, its full width."""
        metrics = self.setting.metrics
        box = self.space.box
        if self.y - metrics.ascent * self.size > box.bottom:
            return box.x, box.right
        return self.space.free(
            self.y - metrics.ascent * self.size, self.y + metrics.descent * self.size
        )

    def _last(self, paragraph: ShapedParagraph, index: int, width: float) -> int | None:
        """Return the last break where a line may end, or None.

        Below the box any width is allowed.
        """
        below = self.y > self.space.box.bottom
        start = paragraph.starts[index]
        fitting = None
        for at in range(index, len(paragraph.ends)):
            if paragraph.ends[at] - start > width + EPSILON:
                break
            fitting = at
        return index if fitting is None and below else fitting


class OverflowingTextError(InvalidValueError):
    """The error for a text that is too large for its box; `block` is the text as placed anyway."""

    def __init__(self, block: Block, found: str, expected: str, hint: str) -> None:
        super().__init__(found, expected, hint, Kind.FIT)
        self.block = block


def _overflow_error(
    block: Block, box: Rect, widest: str, minimum: float | None
) -> OverflowingTextError:
    """Return the error for a block that overflows its box."""
    extra_width = block.box.w - box.w
    extra_height = max(block.box.h - box.h, block.box.bottom - box.bottom, box.y - block.box.y)
    excess = [f"{_format_rounded_up(extra_width)} mm too wide"] * (extra_width > EPSILON) + [
        f"{_format_rounded_up(extra_height)} mm too tall"
    ] * (extra_height > EPSILON)
    found = f"the text is {' and '.join(excess)} for its box at {number(points(block.size))} pt"
    if extra_width > EPSILON:
        found += f"; its widest line is {widest!r}"
    smaller = "allow a smaller size with `fit:`" if minimum is None else "let `fit:` go lower"
    expected = f"at most {number(box.w)} × {number(box.h)} mm"
    return OverflowingTextError(
        block, found, expected, f"shorten the text, enlarge the box, or {smaller}"
    )


def _format_rounded_up(mm: float) -> str:
    """Return a length in words, rounded up, so that a box enlarged by it is large enough."""
    return number(ceil((mm - EPSILON) * 100) / 100)


# Text shrinks by quarter points.
SIZE_STEP_MM = 0.25 * MM_PER_PT


@dataclass(frozen=True)
class _ShapedText:
    """A shaped text that can be set at any size."""

    paragraphs: tuple[ShapedParagraph, ...]
    setting: Setting
    box: Rect
    space: TextSpace | None = None

    def lines(self, size: float) -> list[TextLine]:
        """Return the lines at a size in mm."""
        if self.space:
            return [
                placed.line
                for placed in flow_lines(self.paragraphs, self.setting, self.space, size)
            ]
        return [
            line
            for p in self.paragraphs
            for line in break_lines(p, self.setting, self.box.w / size)
        ]

    def at(self, size: float) -> Block:
        """Return the text set at a size in mm, even if it does not fit."""
        if self.space:
            placed_lines = flow_lines(self.paragraphs, self.setting, self.space, size)
            return make_block(placed_lines, self.setting, self.box, size)
        return place_lines(self.lines(size), self.setting, self.box, size)

    def fits(self, block: Block) -> bool:
        """Return True if a set text lies inside the box."""
        return not block.lines or self.box.holds(block.box)


def set_text(  # noqa: PLR0913 - a text needs all of these, and most are named
    text: str,
    style: Style,
    box: Rect | TextSpace,
    fonts: FontSet,
    *,
    icons: Mapping[str, float],
    lang: str,
    minimum: float | None,
) -> Block:
    """Set a text in a box or other space, reducing size, leading and spacing together down to `minimum`.

    All lengths are in mm. `icons` maps each icon that the text may name to its ratio of width to
    height. Raise `InvalidValueError` for an unknown icon or a character missing from the font; of kind `FIT` if the
    text is too large.
    """
    setting = Setting(style, fonts, icons, lang)
    space, box = (box, box.box) if isinstance(box, TextSpace) else (None, box)
    shaped = _ShapedText(
        tuple(
            prepare_paragraph(spans, setting)
            for spans in parse_markup(text, icons, keep_spaces=style.keep_spaces)
        ),
        setting,
        box,
        space,
    )
    sizes = _sizes(style.size, minimum)
    block = shaped.at(sizes[0])
    if not shaped.fits(block):
        block = _shrink_to_fit(shaped, sizes, _guess_size(block, sizes, box))
    if not shaped.fits(block):
        widest = max(shaped.lines(block.size), key=lambda line: line.ink.w)
        raise _overflow_error(block, box, widest.text, minimum)
    return block


def _sizes(size: float, minimum: float | None) -> list[float]:
    """Return the sizes to try in mm, largest first."""
    if minimum is None:
        return [size]
    if minimum > size + EPSILON:
        found = f"it may shrink to {number(points(minimum))} pt, which is larger than its {number(points(size))} pt"
        raise InvalidValueError(found, f"fit: {number(points(size))}pt at most")
    steps = ceil((size - minimum) / SIZE_STEP_MM - EPSILON)
    return [max(size - i * SIZE_STEP_MM, minimum) for i in range(steps + 1)]


def _guess_size(block: Block, sizes: Sequence[float], box: Rect) -> int:
    """Return the index of the size that probably fits.

    Text of half the size takes half the lines, each half as high.
    """
    size = block.size * min(sqrt(box.h / block.box.h), box.w / block.box.w, 1.0)
    return next((i for i, other in enumerate(sizes) if other <= size), len(sizes) - 1)


def _shrink_to_fit(shaped: _ShapedText, sizes: Sequence[float], guess: int) -> Block:
    """Return the text at the largest size that fits, searched from a guess.

    Or at the smallest size.
    """
    block = shaped.at(sizes[guess])
    while guess > 1 and shaped.fits(block):
        larger = shaped.at(sizes[guess - 1])
        if not shaped.fits(larger):
            return block
        guess = guess - 1
        block = larger
    while guess < len(sizes) - 1 and not shaped.fits(block):
        guess += 1
        block = shaped.at(sizes[guess])
    return block
