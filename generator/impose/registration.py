"""Registration marks for cutting machines, a row each.

Silhouette Studio: its first type, a square at the top left and two angles; in its page setup registration marks
type 1, length 8.4 mm, thickness 1 mm, inset 10 mm on all sides.

Cricut's Design Space finds only a frame that it has placed itself: in it, make a frame of this size and
position (the cut file has it on a layer of its own) and cut without printing again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.core.geometry import Point, Rect, Size
from generator.core.problems import unknown
from generator.impose.sheet import Line

INSET = 10.0
"""From the edges of the paper to a machine's marks, in mm."""
CLEAR = 2.0
"""White paper that a machine's sensor wants beside its marks, in mm."""
SQUARE, ARM, THIN = 5.0, 8.4, 1.0
"""Silhouette's square, the arms of its angles and how thick they are."""
FRAME = 1.27
"""How thick Cricut's frame is."""


@dataclass(frozen=True)
class Registration:
    """Marks by which a machine finds the sheet.

    `lines` gives the marks on a front of a size; everything else stays inside `inner`, in mm.
    """

    name: str
    what: str
    lines: Callable[[Size], tuple[Line, ...]]
    inner: Callable[[Size], Rect]

    def __reduce__(self) -> tuple[Callable[[str], "Registration"], tuple[str]]:
        """It travels by its name."""
        return registration, (self.name,)


def level(x: float, y: float, length: float, width: float) -> Line:
    """A bar from its left end, by the middle line."""
    return Line(Point(x, y), Point(x + length, y), width)


def upright(x: float, y: float, length: float, width: float) -> Line:
    """A bar from its upper end, by the middle line."""
    return Line(Point(x, y), Point(x, y + length), width)


def _no_lines(_paper: Size) -> tuple[Line, ...]:
    return ()


def _everything(paper: Size) -> Rect:
    return Rect(0, 0, *paper)


def _square_and_angles(paper: Size) -> tuple[Line, ...]:
    right, bottom, half = paper.w - INSET, paper.h - INSET, THIN / 2
    return (
        level(INSET, INSET + SQUARE / 2, SQUARE, SQUARE),
        level(right - ARM, INSET + half, ARM, THIN),
        upright(right - half, INSET, ARM, THIN),
        level(INSET, bottom - half, ARM, THIN),
        upright(INSET + half, bottom - ARM, ARM, THIN),
    )


def _beside_the_marks(paper: Size) -> Rect:
    keep = INSET + THIN + CLEAR
    return Rect.between(keep, INSET + SQUARE + CLEAR, paper.w - keep, paper.h - keep)


def _frame(paper: Size) -> tuple[Line, ...]:
    half = FRAME / 2
    w, h = paper.w - 2 * INSET, paper.h - 2 * INSET
    return (
        level(INSET, INSET + half, w, FRAME),
        level(INSET, paper.h - INSET - half, w, FRAME),
        upright(INSET + half, INSET, h, FRAME),
        upright(paper.w - INSET - half, INSET, h, FRAME),
    )


def _inside_the_frame(paper: Size) -> Rect:
    return Rect(0, 0, *paper).grown(-INSET - FRAME - CLEAR)


PLAIN = Registration("plain", "cut files only, no marks on the paper", _no_lines, _everything)
"""No marks: a machine or a laser that is told where the sheet lies."""

_ROWS = (
    PLAIN,
    Registration("silhouette", "a square and two angles, 10 mm from the edges", _square_and_angles, _beside_the_marks),
    Registration("cricut", "a frame 10 mm from the edges", _frame, _inside_the_frame),
)

KINDS: Mapping[str, Registration] = MappingProxyType({row.name: row for row in _ROWS})


def registration(name: str) -> Registration:
    """The kind of that name."""
    if name not in KINDS:
        raise unknown("cutter", name, KINDS)
    return KINDS[name]
