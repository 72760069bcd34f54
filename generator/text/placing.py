"""Lines placed in a box: the resulting glyph runs and icons, in mm."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from generator.base.geometry import Rect
from generator.picture.items import TextRun
from generator.text.lines import TextLine
from generator.text.shape import SMALL_CAPS, LetterLook, shape_text
from generator.text.style import Align, Setting, VAlign


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
    """The left end of a line's baseline in mm."""

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
    ink = Rect.round_all([placed.ink for placed in placed_lines])
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
        look = part.item.look
        if not part.item.icon and part.item.text.strip():
            yield TextRun(
                text=part.item.text,
                font=look.font,
                size=placed.size * look.scale,
                x=placed.x + part.x * placed.size,
                y=placed.y - look.rise * placed.size,
                colour=look.colour or style.colour,
                spacing=setting.spacing * placed.size,
                width=part.width * placed.size,
                small_caps=SMALL_CAPS in look.features,
                underline=look.underline,
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
            yield InlineIcon(part.item.icon, box, part.item.look.colour or setting.style.colour)


def split_letters(run: TextRun) -> Iterator[TextRun]:
    """Yield a run split into letters at their places; clusters stay together."""
    features = (SMALL_CAPS,) if run.small_caps else ()
    look = LetterLook(run.font, features, run.spacing / run.size)
    advances = shape_text(run.text, look, "ltr").advances
    starts = [at for at, advance in enumerate(advances) if advance or not at]
    x = run.x
    for start, end in pairwise((*starts, len(run.text))):
        width = advances[start] * run.size
        if not run.text[start:end].isspace():
            yield replace(
                run, text=run.text[start:end], x=x, width=width - run.spacing, spacing=0.0
            )
        x += width
