"""What a duplex mode is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from generator.core.geometry import Rect, Segment, Size
from generator.impose.sheet import Page, Part, Sheet, Side
from generator.impose.slots import Slot

Turn = Callable[[Slot], Slot]


@dataclass(frozen=True)
class Spot:
    """A part of the paper for the fronts.

    `behind` gives the slot of the back from the slot of its front, as seen from the
    side that the back is printed on; it is none where no backs are printed. `fold` is
    the line along which backs come behind fronts that are printed on the same side.
    """

    field: Rect
    behind: Turn | None = None
    fold: Segment | None = None


@dataclass(frozen=True)
class Mode:
    """How fronts and backs come together.

    What footers say of it is in the words of each language, by its name. `viewer` is PDF's
    name for the Duplex preference. `spots` gives the ways to use the area between the margins,
    on paper of a size, for pieces of a bleed; `assemble` makes a sheet of its sides; `parts`
    puts the pages in the order in which they are printed, for a tray of that name. `outlined`
    sheets carry a line round the grid to align by; `both` says that a front page has backs too.
    `bare` names the mode for pieces that have no backs.
    """

    name: str
    what: str
    viewer: str
    spots: Callable[[Rect, Size, float], tuple[Spot, ...]]
    assemble: Callable[[Size, Side, Side | None], Sheet]
    parts: Callable[[tuple[Sheet, ...], str], tuple[Part, ...]]
    bare: str
    outlined: bool = False
    both: bool = False


def together(sheets: tuple[Sheet, ...], _tray: str) -> tuple[Part, ...]:
    """One file: each front, then its back."""
    return (Part("", tuple(_pages(sheets))),)


def _pages(sheets: tuple[Sheet, ...]) -> Iterator[Page]:
    for sheet in sheets:
        yield from (Page(sheet.paper, side) for side in (sheet.front, sheet.back) if side is not None)
