"""The pages that rules are set on. Lengths in mm, type in points."""

from dataclasses import dataclass, replace

from generator.core.geometry import Size
from generator.rules.pages import TypeArea

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
