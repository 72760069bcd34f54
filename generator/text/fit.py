"""Text fitted to a box or to free-form space: the largest size that fits.

`set_text` is the way into this package for a text with markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from generator.base.errors import InvalidValueError, Kind
from generator.base.fonts import FontSet
from generator.base.geometry import EPSILON, Rect
from generator.base.units import MM_PER_PT, number, points
from generator.text.lines import Block, TextLine, break_lines, make_block, place_lines
from generator.text.markup import parse_markup
from generator.text.paragraph import ShapedParagraph, prepare_paragraph
from generator.text.room import TextRoom, flow_lines
from generator.text.style import Setting, Style


class OverflowingTextError(InvalidValueError):
    """The error for a text that is too large for its box; `block` is the text as placed anyway."""

    def __init__(self, block: Block, found: str, expected: str, hint: str) -> None:
        super().__init__(found, expected, hint, Kind.FIT)
        self.block = block


def _overflow_error(
    block: Block, box: Rect, widest: str, minimum: float | None
) -> OverflowingTextError:
    """Return the error for a block that overflows its box."""
    wide = block.box.w - box.w
    tall = max(block.box.h - box.h, block.box.bottom - box.bottom, box.y - block.box.y)
    excess = [f"{_format_rounded_up(wide)} mm too wide"] * (wide > EPSILON) + [
        f"{_format_rounded_up(tall)} mm too tall"
    ] * (tall > EPSILON)
    found = f"the text is {' and '.join(excess)} for its box at {number(points(block.size))} pt"
    if wide > EPSILON:
        found += f"; its widest line is {widest!r}"
    smaller = "allow a smaller size with `fit:`" if minimum is None else "let `fit:` go lower"
    room = f"at most {number(box.w)} × {number(box.h)} mm"
    return OverflowingTextError(
        block, found, room, f"shorten the text, enlarge the box, or {smaller}"
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
    room: TextRoom | None = None

    def lines(self, size: float) -> list[TextLine]:
        """Return the lines at a size in mm."""
        if self.room:
            return [
                placed.line for placed in flow_lines(self.paragraphs, self.setting, self.room, size)
            ]
        return [
            line
            for p in self.paragraphs
            for line in break_lines(p, self.setting, self.box.w / size)
        ]

    def at(self, size: float) -> Block:
        """Return the text set at a size in mm, even if it does not fit."""
        if self.room:
            placed_lines = flow_lines(self.paragraphs, self.setting, self.room, size)
            return make_block(placed_lines, self.setting, self.box, size)
        return place_lines(self.lines(size), self.setting, self.box, size)

    def fits(self, block: Block) -> bool:
        """Return True if a set text lies inside the box."""
        return not block.lines or self.box.holds(block.box)


def set_text(  # noqa: PLR0913 - a text needs all of these, and most are named
    text: str,
    style: Style,
    box: Rect | TextRoom,
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
    room, box = (box, box.box) if isinstance(box, TextRoom) else (None, box)
    shaped = _ShapedText(
        tuple(
            prepare_paragraph(spans, setting)
            for spans in parse_markup(text, icons, keep_spaces=style.keep_spaces)
        ),
        setting,
        box,
        room,
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
