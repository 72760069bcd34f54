"""Marks on faces with faults: a red corner with words in drafts, red boxes on the live page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import EPSILON, Affine, Point, Rect
from generator.draw.canvas import Canvas
from generator.pack.game import LayerAt
from generator.picture.items import Stroke
from generator.text import Block, OverflowingTextError, set_text
from generator.text.style import Style

FAULT_WORDS: Mapping[Kind, str] = MappingProxyType(
    {Kind.FIT: "does not fit", Kind.MISSING: "missing", Kind.INVALID: "cannot be drawn"}
)
"""The words for each kind of problem, which follow the kind of layer."""

RED = "#e00000"
WHITE = "#ffffff"
CORNER_SHARE = 0.25
"""The size of the red corner as a share of the piece's shorter side."""
ROUND_CORNER_SHARE = 0.5
"""The size of the red corner on a piece without a corner at the top left."""
TEXT_SHARE = 0.08
"""The font size as a share of the piece's shorter side."""
LINE_HEIGHT_EM = 1.4
MAX_TEXT_MM = 4.0
"""The largest font size."""
LINE_MM = 0.3
"""The line around a box that is too small."""
TINT_OPACITY = 0.35
"""The opacity of the red over content outside its box."""

Fault = tuple[LayerAt, InvalidValueError]
"""A layer that could not be drawn, and why."""
FaultMarker = Callable[[Canvas, Sequence[Fault]], object]
"""Marks the faults on a face."""


def mark_faults(canvas: Canvas, faults: Sequence[Fault]) -> None:
    """Draw a red corner at the top left, with the faults' words beside it or in the middle."""
    subject = canvas.subject
    at = Point(subject.full.x, subject.full.y)
    size = subject.outline.size
    short = min(size)
    is_box = subject.outline.is_box and subject.outline.radius < short / 4
    corner_size = short * (CORNER_SHARE if is_box else ROUND_CORNER_SHARE)
    reach = corner_size + subject.bleed
    canvas.polygon((at, at + Point(reach, 0), at + Point(0, reach)), RED)
    letters = min(short * TEXT_SHARE, MAX_TEXT_MM)
    words = list(
        dict.fromkeys(f"{at.place.kind} {FAULT_WORDS[error.kind]}" for at, error in faults)
    )
    height = letters * LINE_HEIGHT_EM * len(words)
    if is_box:
        box = Rect(corner_size, letters / 2, size.w - corner_size - letters, height)
    else:
        # A piece without corners is widest in the middle.
        box = Rect(0.2 * size.w, (size.h - height) / 2, 0.6 * size.w, height)
    block = _set_words(canvas, words, box, letters)
    canvas.rect(block.box.grown(letters / 4), WHITE)
    canvas.block(block)


def _set_words(canvas: Canvas, words: Sequence[str], box: Rect, letters: float) -> Block:
    """Set the words as large as they fit; on the smallest pieces they overflow."""
    style = Style(size=letters, colour=RED)
    fonts = canvas.subject.fonts
    try:
        return set_text(
            "\n".join(words), style, box, fonts, icons={}, lang="en", minimum=letters / 2
        )
    except OverflowingTextError as over:
        return over.block


def mark_overflows(canvas: Canvas, faults: Sequence[Fault]) -> None:
    """Mark each box that its content overflows."""
    for at, error in faults:
        box = getattr(at.layer, "box", None)
        if error.kind is Kind.FIT and isinstance(box, Rect):
            _mark_overflow(canvas, box, at.transform)


def _mark_overflow(canvas: Canvas, box: Rect, transform: Affine) -> None:
    """Draw a box that is too small, and the parts of its content outside the box, in red."""
    with canvas.transformed(transform):
        canvas.rect(box, "none", Stroke(LINE_MM, RED))
    around = transform.bounding_box(box)
    boxes = [ink.box for ink in canvas.keep_inside]
    for ink in [ink for ink in boxes if ink.overlaps(around) and not around.holds(ink)]:
        with canvas.faded(TINT_OPACITY):
            for part in _outside(ink, around):
                canvas.rect(part, RED)


def _outside(ink: Rect, box: Rect) -> Iterator[Rect]:
    """Yield the parts of a box outside another: above, below, left, right."""
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
