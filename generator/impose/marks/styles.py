"""The styles of cut marks, a row each: where their strokes would lie, before anything is kept clear of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from generator.core.geometry import Rect
from generator.core.problems import unknown

WIDTH = 0.15
"""A mark's width in mm."""

CLEAR = 0.2 + WIDTH / 2 + 0.005
"""From a mark's middle to the nearest ink, in mm: 0.2 mm of paper, half the line, and what rounding may take."""

LONGEST = 15.0
"""mm: beside slots that stay empty, a longer tick would say that there is something to cut."""


class PieceCut(NamedTuple):
    """A piece as marks see it: where it is cut, and where it is inked."""

    trim: Rect
    ink: Rect


class MarkStroke(NamedTuple):
    """A stretch of the upright line at `x`, from `top` down to `bottom`, in mm."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class MarkStyle:
    """A style of marks.

    `reach` is how far, in mm, its strokes would like to stand out from the pieces.
    `upright` gives the strokes along the upright cuts; those along the level cuts are
    had from it by swapping x and y.
    """

    name: str
    what: str
    reach: float
    upright: Callable[[Sequence[PieceCut]], Iterable[MarkStroke]]

    def __reduce__(self) -> tuple[Callable[[str], "MarkStyle"], tuple[str]]:
        """It travels by its name."""
        return style, (self.name,)


def _near_corners(reach: float, cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    """From each corner past the piece's own ink and `reach` mm further."""
    for trim, ink in cuts:
        for x in (trim.x, trim.right):
            yield MarkStroke(x, ink.y - CLEAR - reach, trim.y)
            yield MarkStroke(x, trim.bottom, ink.bottom + CLEAR + reach)


def _round_the_grid(cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    """Outwards from the ink's outer edge: nothing between the pieces, not even beside empty slots."""
    whole = Rect.round_all([ink for _, ink in cuts])
    for trim, _ in cuts:
        for x in (trim.x, trim.right):
            yield MarkStroke(x, whole.y - LONGEST, whole.y)
            yield MarkStroke(x, whole.bottom, whole.bottom + LONGEST)


def _nothing(_cuts: Sequence[PieceCut]) -> Iterator[MarkStroke]:
    return iter(())


NO_MARKS = MarkStyle("none", "no cut marks", 0.0, _nothing)
"""For those who cut with a template, and for machines."""

_ROWS = (
    MarkStyle(
        "crosshair",
        "a + at every crossing of cuts that has room for one, and outside the grid",
        4.0,
        partial(_near_corners, 4.0),
    ),
    MarkStyle("ticks", "lines from the grid outwards, nothing between the pieces", 4.0, _round_the_grid),
    MarkStyle("corners", "short strokes at the corners of each piece", 2.0, partial(_near_corners, 2.0)),
    NO_MARKS,
)

STYLES: Mapping[str, MarkStyle] = MappingProxyType({row.name: row for row in _ROWS})
CROSSHAIR = STYLES["crosshair"]


def style(name: str) -> MarkStyle:
    """The style of that name."""
    if name not in STYLES:
        raise unknown("marks", name, STYLES)
    return STYLES[name]
