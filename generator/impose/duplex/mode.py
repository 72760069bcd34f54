"""What a duplex mode is."""

from collections.abc import Callable
from dataclasses import dataclass

from generator.geometry import Rect, Size
from generator.impose.sheet import Sheet, Side
from generator.impose.slots import Slot


@dataclass(frozen=True)
class Mode:
    """How fronts and backs come together.

    `how` ends the footer's `print at 100 %, …`; `viewer` is PDF's name for the Duplex
    preference. `field` is the part of the area between the margins that fronts may
    fill; `behind` gives the slot behind a front's slot on paper of a size, as seen from
    the back, or is none where no backs are printed; `assemble` makes a sheet of its sides.
    """

    name: str
    what: str
    how: str
    viewer: str
    field: Callable[[Rect], Rect]
    behind: Callable[[Slot, Size], Slot] | None
    assemble: Callable[[Size, Side, Side | None], Sheet]


def whole(area: Rect) -> Rect:
    """Fronts fill all of the area."""
    return area
