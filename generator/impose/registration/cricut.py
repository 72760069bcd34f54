"""A frame round the sheet, as Cricut's Design Space prints one.

Design Space finds only a frame that it has placed itself: in it, make a frame of this size and
position (the cut file has it on a layer of its own) and cut without printing again.
"""

from generator.core.geometry import Rect, Size
from generator.impose.registration.kind import Registration, level, upright
from generator.impose.sheet import Line

INSET = 10.0
THICK = 1.27
CLEAR = 2.0
"""White paper inside the frame, in mm."""


def _lines(paper: Size) -> tuple[Line, ...]:
    half = THICK / 2
    w, h = paper.w - 2 * INSET, paper.h - 2 * INSET
    return (
        level(INSET, INSET + half, w, THICK),
        level(INSET, paper.h - INSET - half, w, THICK),
        upright(INSET + half, INSET, h, THICK),
        upright(paper.w - INSET - half, INSET, h, THICK),
    )


def _inner(paper: Size) -> Rect:
    return Rect(0, 0, *paper).grown(-INSET - THICK - CLEAR)


KIND = Registration("cricut", "a frame 10 mm from the edges", _lines, _inner)
