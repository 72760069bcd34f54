"""Duplex modes: how fronts and backs come together, a row each.

Paper is turned over, or folded, about an upright or a level line. Seen from the back, what lay at the left lies at
the right (about the upright line) or what lay at the top lies at the bottom (about the level one). A face's upward
direction must point the same way through the paper, and the face's turn follows from that.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from types import MappingProxyType

from generator.core.geometry import Affine, Point, Rect, Segment, Size
from generator.core.problems import unknown
from generator.impose.sheet import FilePart, Sheet, SheetPage, SheetSide
from generator.impose.slots import Slot


class Tray(StrEnum):
    """How sheets come out between two passes."""

    FACE_DOWN = "face-down"
    FACE_UP = "face-up"


TRAYS: Mapping[str, str] = MappingProxyType(
    {
        Tray.FACE_DOWN: "printed side down: turned over, the first sheet is on top",
        Tray.FACE_UP: "printed side up: the last sheet is on top",
    }
)
"""Each kind of tray, and what it means for the second pass."""


def tray(name: str) -> Tray:
    """The tray of that name."""
    if name not in TRAYS:
        raise unknown("tray", name, [str(way) for way in TRAYS])
    return Tray(name)


APART = 5.0
"""From a fold to the nearest bleed, in mm: less than that is hard to fold along."""

Turn = Callable[[Slot], Slot]


@dataclass(frozen=True)
class DuplexSpot:
    """A part of the paper for the fronts.

    `behind` gives the slot of the back from the slot of its front, as seen from the
    side that the back is printed on; it is none where no backs are printed. `fold` is
    the line along which backs come behind fronts that are printed on the same side.
    """

    field: Rect
    behind: Turn | None = None
    fold: Segment | None = None


def together(sheets: tuple[Sheet, ...], _tray: Tray) -> tuple[FilePart, ...]:
    """One file: each front, then its back."""
    return (FilePart("", tuple(_pages(sheets))),)


def _pages(sheets: tuple[Sheet, ...]) -> Iterator[SheetPage]:
    for sheet in sheets:
        yield from (SheetPage(sheet.paper, side) for side in (sheet.front, sheet.back) if side is not None)


@dataclass(frozen=True)
class Mode:
    """How fronts and backs come together.

    What footers say of it is in the words of each language, by its name. `viewer` is PDF's
    name for the Duplex preference. `spots` gives the ways to use the area between the margins,
    on paper of a size, for pieces of a bleed; `assemble` makes a sheet of its sides; `parts`
    puts the pages in the order in which they are printed, for a tray. `outlined`
    sheets carry a line round the grid to align by; `both` says that a front page has backs too,
    `glued` that paper is two sheets thick in the end.
    `bare` names the mode for pieces that have no backs; empty is the mode itself.
    """

    name: str
    what: str
    spots: Callable[[Rect, Size, float], tuple[DuplexSpot, ...]]
    viewer: str = "Simplex"
    assemble: Callable[[Size, SheetSide, SheetSide | None], Sheet] = Sheet
    parts: Callable[[tuple[Sheet, ...], Tray], tuple[FilePart, ...]] = together
    bare: str = ""
    outlined: bool = False
    both: bool = False
    glued: bool = False

    @property
    def without_backs(self) -> "Mode":
        """The mode for pieces that have no backs."""
        return MODES[self.bare or self.name]

    def __reduce__(self) -> tuple[Callable[[str], "Mode"], tuple[str]]:
        """It travels by its name."""
        return mode, (self.name,)


def _long_edge(area: Rect, paper: Size, _bleed: float) -> tuple[DuplexSpot, ...]:
    return (DuplexSpot(area, on_long_edge(paper)),)


def _short_edge(area: Rect, paper: Size, _bleed: float) -> tuple[DuplexSpot, ...]:
    return (DuplexSpot(area, on_short_edge(paper)),)


def _no_backs(area: Rect, _paper: Size, _bleed: float) -> tuple[DuplexSpot, ...]:
    return (DuplexSpot(area),)


def _folded(area: Rect, paper: Size, bleed: float) -> tuple[DuplexSpot, ...]:
    """The upper half with the fold below it, or the left half with the fold beside it."""
    keep, middle = APART + bleed, area.centre
    return (
        DuplexSpot(
            Rect.between(area.x, area.y, area.right, middle.y - keep),
            partial(about_level, middle.y),
            Segment(Point(0, middle.y), Point(paper.w, middle.y)),
        ),
        DuplexSpot(
            Rect.between(area.x, area.y, middle.x - keep, area.bottom),
            partial(about_upright, middle.x),
            Segment(Point(middle.x, 0), Point(middle.x, paper.h)),
        ),
    )


def _front_only(paper: Size, front: SheetSide, _back: SheetSide | None) -> Sheet:
    return Sheet(paper, front)


def _glued(paper: Size, front: SheetSide, back: SheetSide | None) -> Sheet:
    """A sheet of backs that would be blank is not printed."""
    return Sheet(paper, front, back if back is not None and back.placed else None)


def _on_one_side(paper: Size, front: SheetSide, back: SheetSide | None) -> Sheet:
    return Sheet(paper, replace(front, placed=front.placed + back.placed) if back else front)


def _two_runs(sheets: tuple[Sheet, ...], tray: Tray) -> tuple[FilePart, ...]:
    """Fronts in one run and backs in a second, for a printer that prints on one side.

    The sheets go in again with their blank side to the print and the same edge first, so each is
    turned about its long edge. What comes out of a face-down tray is turned over for that,
    and its first sheet lies on top; what comes out of a face-up tray goes in as it lies,
    the last sheet on top. Of a tray that prints on the upper side the reverse is true.
    """
    fronts = tuple(SheetPage(sheet.paper, sheet.front) for sheet in sheets)
    backs = tuple(SheetPage(sheet.paper, sheet.back) for sheet in sheets if sheet.back is not None)
    return FilePart("1-fronts", fronts), FilePart("2-backs", backs[::-1] if tray == Tray.FACE_UP else backs)


_ROWS = (
    Mode("long-edge", "print on both sides, flip on the long edge", _long_edge, "DuplexFlipLongEdge"),
    Mode("short-edge", "print on both sides, flip on the short edge", _short_edge, "DuplexFlipShortEdge"),
    Mode("single", "print the fronts only", _no_backs, assemble=_front_only),
    Mode("two-pass", "print all fronts, put the sheets back in, print all backs", _long_edge, parts=_two_runs),
    Mode(
        "glue",
        "print fronts and backs on sheets of their own, and glue them back to back",
        _long_edge,
        assemble=_glued,
        bare="single",
        outlined=True,
        glued=True,
    ),
    Mode(
        "gutterfold",
        "print fronts and backs on one side, fold between them and glue",
        _folded,
        assemble=_on_one_side,
        bare="single",
        both=True,
        glued=True,
    ),
)

MODES: Mapping[str, Mode] = MappingProxyType({row.name: row for row in _ROWS})
LONG_EDGE, SINGLE = MODES["long-edge"], MODES["single"]


def mode(name: str) -> Mode:
    """The mode of that name."""
    if name not in MODES:
        raise unknown("duplex mode", name, MODES)
    return MODES[name]


def about_upright(x: float, slot: Slot) -> Slot:
    """The slot behind, when the paper is turned like a page of a book about the line at x mm."""

    def over(rect: Rect) -> Rect:
        return Rect(2 * x - rect.right, rect.y, rect.w, rect.h)

    clip, cut = (line and line.mapped(Affine(a=-1, e=2 * x)) for line in (slot.clip, slot.cut))
    return Slot(over(slot.trim), over(slot.ink), -slot.turn % 360, clip, cut)


def about_level(y: float, slot: Slot) -> Slot:
    """The slot behind, when the paper is turned like a page of a wall calendar about the line at y mm."""

    def over(rect: Rect) -> Rect:
        return Rect(rect.x, 2 * y - rect.bottom, rect.w, rect.h)

    clip, cut = (line and line.mapped(Affine(d=-1, f=2 * y)) for line in (slot.clip, slot.cut))
    return Slot(over(slot.trim), over(slot.ink), (180 - slot.turn) % 360, clip, cut)


def on_long_edge(paper: Size) -> partial[Slot]:
    """The turn about the long edge; a square counts as portrait."""
    return partial(about_level, paper.h / 2) if paper.w > paper.h else partial(about_upright, paper.w / 2)


def on_short_edge(paper: Size) -> partial[Slot]:
    """The turn about the short edge; a square counts as portrait."""
    return partial(about_upright, paper.w / 2) if paper.w > paper.h else partial(about_level, paper.h / 2)
