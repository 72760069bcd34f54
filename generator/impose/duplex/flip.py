"""Paper turned over, or folded, about an upright or a level line.

Seen from the back, what lay at the left lies at the right (about the upright line) or
what lay at the top lies at the bottom (about the level one). A face's upward direction
must point the same way through the paper, and the face's turn follows from that.
"""

from collections.abc import Iterable
from functools import partial

from generator.core.geometry import Point, Rect, Size
from generator.impose.slots import Slot


def about_upright(x: float, slot: Slot) -> Slot:
    """The slot behind, when the paper is turned like a page of a book about the line at x mm."""

    def over(rect: Rect) -> Rect:
        return Rect(2 * x - rect.right, rect.y, rect.w, rect.h)

    clip, shape = (_mirrored(Point(2 * x - p.x, p.y) for p in points) for points in (slot.clip, slot.shape))
    return Slot(over(slot.trim), over(slot.ink), -slot.turn % 360, clip, shape)


def about_level(y: float, slot: Slot) -> Slot:
    """The slot behind, when the paper is turned like a page of a wall calendar about the line at y mm."""

    def over(rect: Rect) -> Rect:
        return Rect(rect.x, 2 * y - rect.bottom, rect.w, rect.h)

    clip, shape = (_mirrored(Point(p.x, 2 * y - p.y) for p in points) for points in (slot.clip, slot.shape))
    return Slot(over(slot.trim), over(slot.ink), (180 - slot.turn) % 360, clip, shape)


def _mirrored(points: Iterable[Point]) -> tuple[Point, ...]:
    """Corners that were mirrored, clockwise again."""
    return tuple(points)[::-1]


def on_long_edge(paper: Size) -> partial[Slot]:
    """The turn about the long edge; a square counts as portrait."""
    return partial(about_level, paper.h / 2) if paper.w > paper.h else partial(about_upright, paper.w / 2)


def on_short_edge(paper: Size) -> partial[Slot]:
    """The turn about the short edge; a square counts as portrait."""
    return partial(about_upright, paper.w / 2) if paper.w > paper.h else partial(about_level, paper.h / 2)
