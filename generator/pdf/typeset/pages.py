"""Page formats for rules, and the input and output of the page search. In mm; type in points."""

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
    """A tie between two items: the cost of separating them, and the fault to report."""

    cost: float = 0.0
    told: str = ""


NO_TIE = Tie()


@dataclass(frozen=True)
class SizedItem:
    """An item for the search: its height at each of `SHARES`; `before` and `after` are gaps.

    `across` spans all columns; `opens` begins a page; `give` is how far the gap after it may grow. `foot` is the
    height of its footnotes. `least` is the share below which its pictures are too small.
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
    """The place of an item: its column (None across all), and its top in mm below that of the type area."""

    item: int
    column: int | None
    top: float


@dataclass(frozen=True)
class Composed:
    """A page: the index of its picture size in `SHARES`, its items, and its faults as text."""

    share: int
    spots: tuple[Spot, ...]
    cost: float
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class TypeArea:
    """The type area of a page: its height and its number of columns."""

    height: float
    columns: int


MIN_TYPE_PT = 9.0
"""Points; nothing in a booklet is set smaller."""

LEADING = 1.28
"""Lines, as a share of the type's size."""


@dataclass(frozen=True)
class BookPage:
    """A page format with its type area; `pictures` scales its figures."""

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
        """The width of the type area."""
        return self.size.w - 2 * self.side

    @property
    def height(self) -> float:
        """The height of the type area."""
        return self.size.h - self.top - self.bottom

    @property
    def column(self) -> float:
        """The width of a column."""
        return (self.width - (self.columns - 1) * self.gap) / self.columns

    @property
    def area(self) -> TypeArea:
        """The type area, for the search."""
        return TypeArea(self.height, self.columns)

    def left(self, column: int | None) -> float:
        """Return the left edge of a column from the page's left edge; None is across all."""
        return self.side + (column or 0) * (self.column + self.gap)

    def at(self, text: float, pictures: float = 1.0) -> "BookPage":
        """Return the format with other sizes of type and pictures."""
        return replace(self, text=max(MIN_TYPE_PT, text), pictures=pictures)

    def in_columns(self, columns: int) -> "BookPage":
        """Return the format with another number of columns."""
        return replace(self, columns=columns)


READING = BookPage("page", Size(210, 279.4), side=17, top=15, bottom=19, columns=2, gap=8, text=10, mirrored=False)
"""What A4 and Letter have in common: prints on either at 100 %, and reads on a screen."""

FOLDED = BookPage("folded", Size(139.7, 210), side=12.5, top=12, bottom=15.5, columns=1, gap=6, text=9.6, mirrored=True)
"""What half an A4 and half a Letter have in common: one setting for both, with the same page numbers."""
