"""Text in a box, or in what room there is: the largest size that fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from generator.core.fonts import FontSet
from generator.core.geometry import EPSILON, Rect
from generator.core.problems import Kind, Wrong
from generator.core.units import MM_PER_PT, number, points
from generator.pack.style import Style
from generator.text.lines import TextLine, lines_of
from generator.text.markup import parse
from generator.text.paragraph import ShapedParagraph, prepare
from generator.text.placing import Block, block_of, place
from generator.text.room import TextRoom, flowed
from generator.text.setting import Setting


class Overflow(Wrong):
    """A text that is too large for its box; `block` is how it stands all the same."""

    def __init__(self, block: Block, found: str, expected: str, hint: str) -> None:
        super().__init__(found, expected, hint, Kind.FIT)
        self.block = block


def overflow(block: Block, box: Rect, widest: str, minimum: float | None) -> Overflow:
    """The error for a block that sticks out of its box."""
    wide, tall = block.box.w - box.w, max(block.box.h - box.h, block.box.bottom - box.bottom, box.y - block.box.y)
    excess = [f"{_up(wide)} mm too wide"] * (wide > EPSILON) + [f"{_up(tall)} mm too tall"] * (tall > EPSILON)
    found = f"the text is {' and '.join(excess)} for its box at {number(points(block.size))} pt"
    if wide > EPSILON:
        found += f"; its widest line is {widest!r}"
    smaller = "allow a smaller size with `fit:`" if minimum is None else "let `fit:` go lower"
    room = f"at most {number(box.w)} × {number(box.h)} mm"
    return Overflow(block, found, room, f"shorten the text, enlarge the box, or {smaller}")


def _up(mm: float) -> str:
    """Rounded up, so that a box enlarged by it is large enough."""
    return number(ceil((mm - EPSILON) * 100) / 100)


STEP = 0.25 * MM_PER_PT
"""Text shrinks by quarter points."""


@dataclass(frozen=True)
class _Text:
    """A text that was shaped once and can be tried at any size."""

    paragraphs: tuple[ShapedParagraph, ...]
    setting: Setting
    box: Rect
    room: TextRoom | None = None

    def lines(self, size: float) -> list[TextLine]:
        """Its lines at a size (mm)."""
        if self.room:
            return [stand.line for stand in flowed(self.paragraphs, self.setting, self.room, size)]
        return [line for p in self.paragraphs for line in lines_of(p, self.setting, self.box.w / size)]

    def at(self, size: float) -> Block:
        """The text set at a size (mm), whether it fits or not."""
        if self.room:
            stands = flowed(self.paragraphs, self.setting, self.room, size)
            return block_of(stands, self.setting, self.box, size)
        return place(self.lines(size), self.setting, self.box, size)

    def fits(self, block: Block) -> bool:
        """Whether what was set lies in the box."""
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
    """Set a text in a box or a room (mm), shrinking size, leading and spacing together down to `minimum` (mm).

    `icons` has the ratio of width to height of every icon that the text may name. Raises `Wrong` for what cannot be:
    an unknown icon, a character that the font lacks, or, of the kind `FIT`, a text that is too large for its box.
    """
    setting = Setting(style, fonts, icons, lang)
    room, box = (box, box.box) if isinstance(box, TextRoom) else (None, box)
    whole = _Text(tuple(prepare(spans, setting) for spans in parse(text, icons)), setting, box, room)
    sizes = _sizes(style.size, minimum)
    block = whole.at(sizes[0])
    if not whole.fits(block):
        block = _shrunk(whole, sizes, _guess(block, sizes, box))
    if not whole.fits(block):
        widest = max(whole.lines(block.size), key=lambda line: line.ink.w)
        raise overflow(block, box, widest.text, minimum)
    return block


def _sizes(size: float, minimum: float | None) -> list[float]:
    """The sizes to try, largest first."""
    if minimum is None:
        return [size]
    if minimum > size + EPSILON:
        found = f"it may shrink to {number(points(minimum))} pt, which is larger than its {number(points(size))} pt"
        raise Wrong(found, f"fit: {number(points(size))}pt at most")
    steps = ceil((size - minimum) / STEP - EPSILON)
    return [max(size - i * STEP, minimum) for i in range(steps + 1)]


def _guess(block: Block, sizes: Sequence[float], box: Rect) -> int:
    """Which of the sizes will fit about: a text half as large takes half the lines, and each is half as high."""
    size = block.size * min(sqrt(box.h / block.box.h), box.w / block.box.w, 1.0)
    return next((i for i, other in enumerate(sizes) if other <= size), len(sizes) - 1)


def _shrunk(whole: _Text, sizes: Sequence[float], guess: int) -> Block:
    """The text at the largest size that fits, looked for from a guess; at the smallest, should none fit."""
    block = whole.at(sizes[guess])
    while guess > 1 and whole.fits(block):
        larger = whole.at(sizes[guess - 1])
        if not whole.fits(larger):
            return block
        guess, block = guess - 1, larger
    while guess < len(sizes) - 1 and not whole.fits(block):
        guess += 1
        block = whole.at(sizes[guess])
    return block
