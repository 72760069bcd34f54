"""The three marks of Silhouette Studio's first type: a square at the top left, two angles.

In Studio's page setup: registration marks type 1, length 8.4 mm, thickness 1 mm, inset 10 mm on all sides.
"""

from generator.core.geometry import Rect, Size
from generator.impose.registration.kind import Registration, level, upright
from generator.impose.sheet import Line

INSET = 10.0
SQUARE = 5.0
ARM = 8.4
THICK = 1.0
CLEAR = 2.0
"""White paper that the sensor wants round a mark, in mm."""


def _lines(paper: Size) -> tuple[Line, ...]:
    right, bottom, half = paper.w - INSET, paper.h - INSET, THICK / 2
    return (
        level(INSET, INSET + SQUARE / 2, SQUARE, SQUARE),
        level(right - ARM, INSET + half, ARM, THICK),
        upright(right - half, INSET, ARM, THICK),
        level(INSET, bottom - half, ARM, THICK),
        upright(INSET + half, bottom - ARM, ARM, THICK),
    )


def _inner(paper: Size) -> Rect:
    keep = INSET + THICK + CLEAR
    return Rect.between(keep, INSET + SQUARE + CLEAR, paper.w - keep, paper.h - keep)


KIND = Registration("silhouette", "a square and two angles, 10 mm from the edges", _lines, _inner)
