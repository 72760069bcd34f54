"""What the search for a booklet's pages takes and gives: items with their sizes, and pages with all at its place.

Lengths in mm.
"""

from dataclasses import dataclass

SHARES = (1.0, 1.12, 1.25, 1.4, 0.92, 0.85, 0.78, 0.7, 0.62)
"""The sizes that pictures may take on a page, as shares of what they would be."""

HOPELESS = 1e9

HELD, FIRM, LOOSE = 4000.0, 420.0, 90.0
"""What it costs to part two items: never, hardly ever, sooner not."""


@dataclass(frozen=True)
class Tie:
    """What holds an item to the next: what parting them costs, and how it is told."""

    cost: float = 0.0
    told: str = ""


NO_TIE = Tie()


@dataclass(frozen=True)
class SizedItem:
    """An item as the search sees it: its height at each of `SHARES`; `before` and `after` the room it wants.

    `across` lays it over all columns; `opens` begins a page; `give` is by how much the room after it may grow. `foot`
    is the height of its notes at the foot of the page.
    `least` is the share under which its pictures grow too small to read.
    """

    heights: tuple[float, ...]
    before: float = 0.0
    after: float = 0.0
    tie: Tie = NO_TIE
    across: bool = False
    opens: bool = False
    foot: float = 0.0
    least: float = 0.0
    name: str = ""
    give: float = 1.0


@dataclass(frozen=True)
class Spot:
    """Where an item stands: its column (none across all), and its top in mm under the type area's."""

    item: int
    column: int | None
    top: float


@dataclass(frozen=True)
class Composed:
    """A page: at which of `SHARES` its pictures are, and its items; what it could not keep is told in `faults`."""

    share: int
    spots: tuple[Spot, ...]
    cost: float
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class TypeArea:
    """The type area of a page: its height, and into how many columns it is parted."""

    height: float
    columns: int
