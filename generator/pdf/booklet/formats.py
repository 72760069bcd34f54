"""The pages that rules are set on. Lengths in mm, type in points."""

from dataclasses import dataclass, replace

from generator.core.geometry import Size
from generator.core.units import points

SMALLEST = 9.0
"""Points; nothing in a booklet is set smaller."""

TIGHTER = ((9.6, 0.9), (9.3, 0.85), (9.0, 0.8), (9.0, 0.7))
"""Points of type and the share of pictures that save a sheet."""


@dataclass(frozen=True)
class Format:
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
        """The type area's width in points."""
        return points(self.size.w - 2 * self.side)

    @property
    def height(self) -> float:
        """The type area's height in points."""
        return points(self.size.h - self.top - self.bottom)

    @property
    def column(self) -> float:
        """A column's width in points."""
        return (self.width - (self.columns - 1) * points(self.gap)) / self.columns

    def tighter(self) -> "tuple[Format, ...]":
        """The same with smaller type and pictures, step by step to the smallest that is pleasant."""
        return tuple(replace(self, text=max(SMALLEST, text), pictures=share) for text, share in TIGHTER)

    def in_columns(self, columns: int) -> "Format":
        """The same with another number of columns."""
        return replace(self, columns=columns)


PAGE = Format("page", Size(210, 279.4), side=17, top=15, bottom=19, columns=2, gap=8, text=10, mirrored=False)
"""What A4 and Letter have in common: prints on either at 100 %, and reads on a screen."""

FOLDED = Format("folded", Size(139.7, 210), side=12.5, top=12, bottom=15.5, columns=1, gap=6, text=9.6, mirrored=True)
"""What half an A4 and half a Letter have in common: one setting for both, with the same page numbers."""
