"""What a cutting machine needs on the paper."""

from collections.abc import Callable
from dataclasses import dataclass

from generator.core.geometry import Point, Rect, Size
from generator.impose.sheet import Line


@dataclass(frozen=True)
class Registration:
    """Marks by which a machine finds the sheet.

    `lines` gives the marks on a front of a size; everything else stays inside `inner`, in mm.
    """

    name: str
    what: str
    lines: Callable[[Size], tuple[Line, ...]]
    inner: Callable[[Size], Rect]


def level(x: float, y: float, length: float, width: float) -> Line:
    """A bar from its left end, by the middle line."""
    return Line(Point(x, y), Point(x + length, y), width)


def upright(x: float, y: float, length: float, width: float) -> Line:
    """A bar from its upper end, by the middle line."""
    return Line(Point(x, y), Point(x, y + length), width)
