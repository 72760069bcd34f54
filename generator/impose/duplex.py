"""Duplex modes: how backs come behind their fronts, a table row each.

Paper is turned over, or folded, about an upright or a level line. Seen from the back, left and
right are swapped (about the upright line), or top and bottom (about the level line). A face's
upward direction must be the same through the paper; the turn of the back follows from that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from types import MappingProxyType

from generator.base.errors import find_row, unknown
from generator.base.geometry import Affine, Point, Rect, Segment, Size
from generator.impose.grid import Slot
from generator.impose.sheet import FilePart, Sheet, SheetPage, SheetSide


class Tray(StrEnum):
    """The way in which sheets come out between two passes."""

    FACE_DOWN = "face-down"
    FACE_UP = "face-up"


# Each kind of tray, with its effect on the second pass.
TRAYS: Mapping[str, str] = MappingProxyType(
    {
        Tray.FACE_DOWN: "printed side down: turned over, the first sheet is on top",
        Tray.FACE_UP: "printed side up: the last sheet is on top",
    }
)


def find_tray(name: str) -> Tray:
    """Return the tray called `name`; raise InvalidValueError for an unknown name."""
    if name not in TRAYS:
        raise unknown("tray", name, [str(way) for way in TRAYS])
    return Tray(name)


# Distance from a fold to the nearest bleed: less is hard to fold along.
FOLD_CLEARANCE_MM = 5.0

Turn = Callable[[Slot], Slot]


@dataclass(frozen=True)
class DuplexSpot:
    """A part of the paper for fronts.

    `map_to_back` returns the slot of a back for the slot of its front, as seen from the side on
    which the back is printed; None where no backs are printed. `fold` is the line along which backs
    on the same side come behind their fronts.
    """

    area: Rect
    map_to_back: Turn | None = None
    fold: Segment | None = None


def order_in_one_file(sheets: tuple[Sheet, ...], _tray: Tray) -> tuple[FilePart, ...]:
    """Return one file with each front followed by its back."""
    pages = (
        SheetPage(sheet.paper, side)
        for sheet in sheets
        for side in (sheet.front, sheet.back)
        if side is not None
    )
    return (FilePart("", tuple(pages)),)


@dataclass(frozen=True)
class DuplexMode:
    """One way to bring backs behind fronts.

    Footers take their text for a mode from the language files. `pdf_duplex` is the /Duplex entry of
    the PDF's viewer preferences. `find_spots` returns the possible parts of the area between the
    margins for fronts, given that area, the paper size and the bleed in mm. `assemble` makes a sheet
    of its sides; `order_pages` makes the files of a job for a kind of tray. With `has_outline`,
    sheets carry a line around the grid by which they are aligned; with `has_backs_on_front`, a front
    page holds backs too; with `is_glued`, the result is two sheets thick. `mode_without_backs` is
    the mode for pieces without backs; empty for this mode.
    """

    name: str
    summary: str
    find_spots: Callable[[Rect, Size, float], tuple[DuplexSpot, ...]]
    pdf_duplex: str = "Simplex"
    assemble: Callable[[Size, SheetSide, SheetSide | None], Sheet] = Sheet
    order_pages: Callable[[tuple[Sheet, ...], Tray], tuple[FilePart, ...]] = order_in_one_file
    mode_without_backs: str = ""
    has_outline: bool = False
    has_backs_on_front: bool = False
    is_glued: bool = False

    @property
    def without_backs(self) -> "DuplexMode":
        """The mode for pieces without backs."""
        return DUPLEX_MODES[self.mode_without_backs or self.name]

    def __reduce__(self) -> tuple[Callable[[str], "DuplexMode"], tuple[str]]:
        """Pickle the mode as its name: the functions in its row cannot be pickled."""
        return find_mode, (self.name,)


def _whole_area_long_edge(area: Rect, paper: Size, _bleed: float) -> tuple[DuplexSpot, ...]:
    return (DuplexSpot(area, get_long_edge_turn(paper)),)


def _whole_area_short_edge(area: Rect, paper: Size, _bleed: float) -> tuple[DuplexSpot, ...]:
    return (DuplexSpot(area, get_short_edge_turn(paper)),)


def _whole_area_no_backs(area: Rect, _paper: Size, _bleed: float) -> tuple[DuplexSpot, ...]:
    return (DuplexSpot(area),)


def _either_half(area: Rect, paper: Size, bleed: float) -> tuple[DuplexSpot, ...]:
    """Return the upper half with the fold below it, and the left half with the fold to its right."""
    keep = FOLD_CLEARANCE_MM + bleed
    middle = area.centre
    return (
        DuplexSpot(
            Rect.between(area.x, area.y, area.right, middle.y - keep),
            partial(turn_about_level, middle.y),
            Segment(Point(0, middle.y), Point(paper.w, middle.y)),
        ),
        DuplexSpot(
            Rect.between(area.x, area.y, middle.x - keep, area.bottom),
            partial(turn_about_upright, middle.x),
            Segment(Point(middle.x, 0), Point(middle.x, paper.h)),
        ),
    )


def _front_only(paper: Size, front: SheetSide, _back: SheetSide | None) -> Sheet:
    return Sheet(paper, front)


def _on_two_sheets(paper: Size, front: SheetSide, back: SheetSide | None) -> Sheet:
    """Make a sheet; leave out a back page that would be blank."""
    return Sheet(paper, front, back if back is not None and back.placed else None)


def _on_one_side(paper: Size, front: SheetSide, back: SheetSide | None) -> Sheet:
    return Sheet(paper, replace(front, placed=front.placed + back.placed) if back else front)


def _order_in_two_passes(sheets: tuple[Sheet, ...], tray: Tray) -> tuple[FilePart, ...]:
    """Return the fronts as one file and the backs as a second, for a one-sided printer.

    The stack goes in again with its blank side to the print head and the same edge first, so each
    sheet turns about its long edge. A stack from a face-down tray is turned over for that and has
    its first sheet on top; a stack from a face-up tray goes in unturned, last sheet on top. Trays
    that print on the upper side need the reverse.
    """
    fronts = tuple(SheetPage(sheet.paper, sheet.front) for sheet in sheets)
    backs = tuple(SheetPage(sheet.paper, sheet.back) for sheet in sheets if sheet.back is not None)
    return FilePart("1-fronts", fronts), FilePart(
        "2-backs", backs[::-1] if tray == Tray.FACE_UP else backs
    )


_ROWS = (
    DuplexMode(
        "long-edge",
        "print on both sides, flip on the long edge",
        _whole_area_long_edge,
        "DuplexFlipLongEdge",
    ),
    DuplexMode(
        "short-edge",
        "print on both sides, flip on the short edge",
        _whole_area_short_edge,
        "DuplexFlipShortEdge",
    ),
    DuplexMode("single", "print the fronts only", _whole_area_no_backs, assemble=_front_only),
    DuplexMode(
        "two-pass",
        "print all fronts, put the sheets back in, print all backs",
        _whole_area_long_edge,
        order_pages=_order_in_two_passes,
    ),
    DuplexMode(
        "glue",
        "print fronts and backs on sheets of their own, and glue them back to back",
        _whole_area_long_edge,
        assemble=_on_two_sheets,
        mode_without_backs="single",
        has_outline=True,
        is_glued=True,
    ),
    DuplexMode(
        "gutterfold",
        "print fronts and backs on one side, fold between them and glue",
        _either_half,
        assemble=_on_one_side,
        mode_without_backs="single",
        has_backs_on_front=True,
        is_glued=True,
    ),
)

DUPLEX_MODES: Mapping[str, DuplexMode] = MappingProxyType({row.name: row for row in _ROWS})
LONG_EDGE = DUPLEX_MODES["long-edge"]
SINGLE = DUPLEX_MODES["single"]


def find_mode(name: str) -> DuplexMode:
    """Return the duplex mode called `name`; raise InvalidValueError for an unknown name."""
    return find_row("duplex mode", name, DUPLEX_MODES)


def turn_about_upright(x: float, slot: Slot) -> Slot:
    """Return the slot behind `slot` when the paper turns like a book's page about the line at x mm."""

    def over(rect: Rect) -> Rect:
        return Rect(2 * x - rect.right, rect.y, rect.w, rect.h)

    clip, cut = (line and line.mapped(Affine(a=-1, e=2 * x)) for line in (slot.clip, slot.cut))
    return Slot(over(slot.trim), over(slot.ink), -slot.turn % 360, clip, cut)


def turn_about_level(y: float, slot: Slot) -> Slot:
    """Return the slot behind `slot` when the paper turns like a wall calendar's page about the line at y mm."""

    def over(rect: Rect) -> Rect:
        return Rect(rect.x, 2 * y - rect.bottom, rect.w, rect.h)

    clip, cut = (line and line.mapped(Affine(d=-1, f=2 * y)) for line in (slot.clip, slot.cut))
    return Slot(over(slot.trim), over(slot.ink), (180 - slot.turn) % 360, clip, cut)


def get_long_edge_turn(paper: Size) -> partial[Slot]:
    """Return the turn about the long edge; a square paper counts as portrait."""
    return _get_turn(paper, is_about_level=paper.w > paper.h)


def get_short_edge_turn(paper: Size) -> partial[Slot]:
    """Return the turn about the short edge; a square paper counts as portrait."""
    return _get_turn(paper, is_about_level=paper.w <= paper.h)


def _get_turn(paper: Size, *, is_about_level: bool) -> partial[Slot]:
    if is_about_level:
        return partial(turn_about_level, paper.h / 2)
    return partial(turn_about_upright, paper.w / 2)
