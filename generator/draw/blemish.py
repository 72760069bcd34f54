"""What shows on a piece of a draft that something is wrong with it: a red corner, and a word on what it is."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from generator.core.geometry import EPSILON, Point, Rect
from generator.core.problems import Kind
from generator.draw.canvas import Canvas
from generator.pack.game import GroupMove
from generator.pack.style import Style
from generator.picture.items import Stroke
from generator.text import Block, Overflow, set_text

BLEMISHES: Mapping[Kind, str] = MappingProxyType(
    {Kind.FIT: "does not fit", Kind.MISSING: "missing", Kind.WRONG: "cannot be drawn"}
)
"""The word for each kind of problem, after the name of the layer that has it."""

RED, WHITE = "#e00000", "#ffffff"
LEG, ROUND_LEG = 0.25, 0.5
"""How far the corner reaches, as a share of the shorter side; further where the shape has no corner there."""
TEXT = 0.08
LINE, TINT = 0.3, 0.35
"""mm of the line round a box that is too small, and how dark what reaches out of it is coloured."""
LARGEST = 4.0
"""mm; the word's letters are a share of the shorter side, and no larger."""


def mark(canvas: Canvas, faults: Sequence[str]) -> None:
    """Put the corner over all that is drawn, at the top left, and the words beside it or in the middle."""
    subject = canvas.subject
    at, size = Point(subject.full.x, subject.full.y), subject.outline.size
    short = min(size)
    is_box = subject.outline.is_box and subject.outline.radius < short / 4
    leg = short * (LEG if is_box else ROUND_LEG)
    reach = leg + subject.bleed
    canvas.polygon((at, at + Point(reach, 0), at + Point(0, reach)), RED)
    letters, words = min(short * TEXT, LARGEST), list(dict.fromkeys(faults))
    tall = letters * 1.4 * len(words)
    left, top = (leg, letters / 2) if is_box else (size.w * 0.2, (size.h - tall) / 2)
    block = _set(canvas, words, Rect(left, top, size.w - left - (letters if is_box else left), tall), letters)
    canvas.rect(block.box.grown(letters / 4), WHITE)
    canvas.block(block)


def overflow(canvas: Canvas, box: Rect, moves: Sequence[GroupMove]) -> None:
    """Show in red what reaches out of a box, and the box."""
    with canvas.moved(moves):
        canvas.rect(box, "none", Stroke(LINE, RED))
    around, noted = moved_box(box, moves), canvas.keep_boxes()
    for ink in [ink.box for ink in noted if ink.box.overlaps(around) and not around.holds(ink.box)]:
        with canvas.faded(TINT):
            for part in _outside(ink, around):
                canvas.rect(part, RED)


def moved_box(box: Rect, moves: Sequence[GroupMove]) -> Rect:
    """The upright box round one that is moved with its groups."""
    corners = [Point(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    for move in reversed(moves):
        corners = [corner.turned(move.turn) + move.at for corner in corners]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def _outside(ink: Rect, box: Rect) -> Iterator[Rect]:
    """The parts of a box that lie outside another: above, below, left, right."""
    inner = ink.common(box)
    yield from (
        part
        for part in (
            Rect.between(ink.x, ink.y, ink.right, inner.y),
            Rect.between(ink.x, inner.bottom, ink.right, ink.bottom),
            Rect.between(ink.x, inner.y, inner.x, inner.bottom),
            Rect.between(inner.right, inner.y, ink.right, inner.bottom),
        )
        if part.w > EPSILON and part.h > EPSILON
    )


def _set(canvas: Canvas, words: Sequence[str], box: Rect, letters: float) -> Block:
    """The words as large as they fit; on the smallest pieces they stick out."""
    style, fonts = Style(size=letters, colour=RED), canvas.subject.fonts
    try:
        return set_text("\n".join(words), style, box, fonts, icons={}, lang="en", minimum=letters / 2)
    except Overflow as over:
        return over.block
