"""Text in a box: the largest size that fits, and where its letters and icons stand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, sqrt

from generator.core.fonts import FontFile, FontSet
from generator.core.geometry import EPSILON, Rect
from generator.core.problems import Kind, Wrong
from generator.core.units import MM_PER_PT, number, points
from generator.pack.style import Align, Style, VAlign
from generator.text.lines import TextLine, lines_of
from generator.text.markup import parse
from generator.text.paragraph import ShapedParagraph, prepare
from generator.text.setting import Setting
from generator.text.shape import SMALL_CAPS


@dataclass(frozen=True)
class TextRun:
    """A piece of text in one font and one direction, to be drawn as one SVG `<text>` without an anchor.

    `x` is the left edge in either direction, `y` the baseline. A run that reads from right to left carries, where
    its ends are not letters, a right-to-left mark, so that any engine orders it right from the left edge on.
    `width` is the advance, without the letter spacing after the last letter. Spaces count: `xml:space="preserve"`.
    `small_caps` asks for `font-variant="small-caps"`; the font has them.
    """

    text: str
    font: FontFile
    size: float
    x: float
    y: float
    colour: str
    spacing: float
    width: float
    small_caps: bool = False
    underline: bool = False


@dataclass(frozen=True)
class InlineIcon:
    """A picture that stands in a line of text, as large as its box."""

    name: str
    box: Rect
    colour: str


@dataclass(frozen=True)
class Block:
    """A text as it is set: `size` is what it came down to, `box` the bounds of its ink, `lines` how many it takes."""

    runs: tuple[TextRun, ...]
    icons: tuple[InlineIcon, ...]
    size: float
    box: Rect
    lines: int


GAP = 0.5
"""A blank line takes half of a line's height."""


@dataclass(frozen=True)
class _Stand:
    """Where a line's left end stands."""

    line: TextLine
    x: float
    y: float
    size: float

    @property
    def ink(self) -> Rect:
        ink, size = self.line.ink, self.size
        return Rect(self.x + ink.x * size, self.y + ink.y * size, ink.w * size, ink.h * size)


def place(lines: Sequence[TextLine], setting: Setting, box: Rect, size: float) -> Block:
    """Set the lines at a size (mm). What is too large for the box sticks out of it; `fit` looks at that."""
    shown = [line for line in lines if line.parts]
    if not shown:
        return Block((), (), size, Rect(box.x, box.y, 0.0, 0.0), 0)
    stands = [
        _Stand(line, _left(line, setting, box, size), y, size) for line, y in _baselines(lines, setting, box, size)
    ]
    ink = Rect.round_all([stand.ink for stand in stands])
    runs = tuple(run for stand in stands for run in _runs(stand, setting))
    icons = tuple(icon for stand in stands for icon in _icons(stand, setting))
    return Block(runs, icons, size, ink, len(stands))


def _left(line: TextLine, setting: Setting, box: Rect, size: float) -> float:
    """Where a line begins: by its advance, and moved as far as its ink would leave the box."""
    share = {Align.LEFT: 0.0, Align.CENTER: 0.5, Align.RIGHT: 1.0, Align.JUSTIFY: float(line.base)}[
        line.align or setting.style.align
    ]
    ink = line.ink
    x = box.x + (box.w - line.width * size) * share
    return _kept(x, x + ink.x * size, x + ink.right * size, (box.x, box.right))


def _baselines(lines: Sequence[TextLine], setting: Setting, box: Rect, size: float) -> Iterator[tuple[TextLine, float]]:
    """The lines that show something, with their baselines."""
    steps = [line.height if line.parts else GAP for line in lines[1:]]
    below = [step * setting.style.leading * size for step in accumulate(steps, initial=0.0)]
    shown = [(line, y) for line, y in zip(lines, below, strict=True) if line.parts]
    first = _first(setting, box, size, shown)
    top = first + min(y + line.ink.y * size for line, y in shown)
    bottom = first + max(y + line.ink.bottom * size for line, y in shown)
    first = _kept(first, top, bottom, (box.y, box.bottom))
    return ((line, first + y) for line, y in shown)


def _first(setting: Setting, box: Rect, size: float, lines: Sequence[tuple[TextLine, float]]) -> float:
    """The first baseline, where `lines` stand at their distances from it.

    It depends on the font alone, so that the same lines stand at the same height on every card: at the top there is
    room for a `d`, at the bottom for a `p`, and in the middle capitals are centred, as the eye does it; or figures,
    where there is no letter.
    """
    metrics, height = setting.metrics, lines[-1][1]
    capital = metrics.cap if any(map(str.isalpha, "".join(line.text for line, _ in lines))) else metrics.figure
    top = box.y + metrics.ascent * size
    bottom = box.bottom - metrics.descent * size - height
    middle = box.centre.y + (capital * size - height) / 2
    return {VAlign.TOP: top, VAlign.MIDDLE: middle, VAlign.BOTTOM: bottom}[setting.style.valign]


def _kept(place: float, low: float, high: float, limits: tuple[float, float]) -> float:
    """A place moved so that what reaches from `low` to `high` lies within limits, the lower one first."""
    return place + max(limits[0] - low, min(0.0, limits[1] - high))


def _runs(stand: _Stand, setting: Setting) -> Iterator[TextRun]:
    style = setting.style
    for part in stand.line.parts:
        look = part.item.look
        if not part.item.icon and not part.item.text.isspace():
            yield TextRun(
                text=part.item.text,
                font=look.font,
                size=stand.size * look.scale,
                x=stand.x + part.x * stand.size,
                y=stand.y - look.rise * stand.size,
                colour=look.colour or style.colour,
                spacing=setting.spacing * stand.size,
                width=part.width * stand.size,
                small_caps=SMALL_CAPS in look.features,
                underline=look.underline,
            )


def _icons(stand: _Stand, setting: Setting) -> Iterator[InlineIcon]:
    for part in stand.line.parts:
        if part.item.icon and part.ink:
            ink, size = part.ink, stand.size
            box = Rect(stand.x + (part.x + ink.x) * size, stand.y + ink.y * size, ink.w * size, ink.h * size)
            yield InlineIcon(part.item.icon, box, part.item.look.colour or setting.style.colour)


class Overflow(Wrong):
    """A text that is too large for its box; `block` is how it stands all the same."""

    def __init__(self, block: Block, found: str, expected: str, hint: str) -> None:
        super().__init__(found, expected, hint, Kind.FIT)
        self.block = block


def overflow(block: Block, box: Rect, widest: str, minimum: float | None) -> Overflow:
    """The error for a block that sticks out of its box."""
    wide, tall = block.box.w - box.w, block.box.h - box.h
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

    def lines(self, size: float) -> list[TextLine]:
        """Its lines at a size (mm)."""
        return [line for p in self.paragraphs for line in lines_of(p, self.setting, self.box.w / size)]

    def at(self, size: float) -> Block:
        """The text set at a size (mm), whether it fits or not."""
        return place(self.lines(size), self.setting, self.box, size)

    def fits(self, block: Block) -> bool:
        """Whether what was set lies in the box."""
        return not block.lines or self.box.holds(block.box)


def set_text(  # noqa: PLR0913 - a text needs all of these, and most are named
    text: str,
    style: Style,
    box: Rect,
    fonts: FontSet,
    *,
    icons: Mapping[str, float],
    lang: str,
    minimum: float | None,
) -> Block:
    """Set a text in a box (mm), shrinking size, leading and spacing together down to `minimum` (mm) if one is given.

    `icons` has the ratio of width to height of every icon that the text may name. Raises `Wrong` for what cannot be:
    an unknown icon, a character that the font lacks, or, of the kind `FIT`, a text that is too large for its box.
    """
    setting = Setting(style, fonts, icons, lang)
    whole = _Text(tuple(prepare(spans, setting) for spans in parse(text, icons)), setting, box)
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
