"""Paper turned over about one of its middle lines.

Seen from the back, what lay at the left lies at the right (about the upright line) or
what lay at the top lies at the bottom (about the level one). A face's upward direction
must point the same way through the paper, and the face's turn follows from that.
"""

from generator.geometry import Rect, Size
from generator.impose.slots import Slot


def about_upright(slot: Slot, paper: Size) -> Slot:
    """The slot behind, when the paper is turned like a page of a book."""

    def over(rect: Rect) -> Rect:
        return Rect(paper.w - rect.right, rect.y, rect.w, rect.h)

    return Slot(over(slot.trim), over(slot.ink), -slot.turn % 360)


def about_level(slot: Slot, paper: Size) -> Slot:
    """The slot behind, when the paper is turned like a page of a wall calendar."""

    def over(rect: Rect) -> Rect:
        return Rect(rect.x, paper.h - rect.bottom, rect.w, rect.h)

    return Slot(over(slot.trim), over(slot.ink), (180 - slot.turn) % 360)
