"""The pages that rules are set on, and what the search for them takes and gives. In mm, type in points."""

from dataclasses import dataclass, replace

from generator.core.geometry import Size

SHARES = (1.0, 1.12, 1.25, 1.4, 0.92, 0.85, 0.78, 0.7, 0.62)
"""The sizes that pictures may take on a page, as shares of what they would be."""

HOPELESS = 1e9

HELD = 4000.0
FIRM = 420.0
LOOSE = 90.0
"""What it costs to part two items: never, hardly ever, sooner not."""

LINED = 1 << 20
"""Added to the number of a pixel that stands for a face with a thin line around it."""


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


SMALLEST = 9.0
"""Points; nothing in a booklet is set smaller."""

LEADING = 1.28
"""Lines, as a share of the type's size."""


@dataclass(frozen=True)
class BookPage:
    """A page and its type area; `pictures` is the share of their own size that figures have on it."""

    name: str
    size: Size
    side: float
    top: float
    bottom: float
    columns: int
    gap: float
    text: float
    mirrored: bool
    pictures: float = 1.0

    @property
    def width(self) -> float:
        """The type area's width."""
        return self.size.w - 2 * self.side

    @property
    def height(self) -> float:
        """The type area's height."""
        return self.size.h - self.top - self.bottom

    @property
    def column(self) -> float:
        """A column's width."""
        return (self.width - (self.columns - 1) * self.gap) / self.columns

    @property
    def area(self) -> TypeArea:
        """The type area, for the search."""
        return TypeArea(self.height, self.columns)

    def left(self, column: int | None) -> float:
        """Where a column begins, from the page's left edge; none lies across them all."""
        return self.side + (column or 0) * (self.column + self.gap)

    def at(self, text: float, pictures: float = 1.0) -> "BookPage":
        """The same with other sizes of type and pictures."""
        return replace(self, text=max(SMALLEST, text), pictures=pictures)

    def in_columns(self, columns: int) -> "BookPage":
        """The same with another number of columns."""
        return replace(self, columns=columns)


READING = BookPage("page", Size(210, 279.4), side=17, top=15, bottom=19, columns=2, gap=8, text=10, mirrored=False)
"""What A4 and Letter have in common: prints on either at 100 %, and reads on a screen."""

FOLDED = BookPage("folded", Size(139.7, 210), side=12.5, top=12, bottom=15.5, columns=1, gap=6, text=9.6, mirrored=True)
"""What half an A4 and half a Letter have in common: one setting for both, with the same page numbers."""
