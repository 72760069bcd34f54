"""What is seen of a page: in mm from the top left of what a viewer shows of it, as it is turned there."""

from dataclasses import dataclass
from typing import NamedTuple

from generator.core.geometry import Rect, Size


class Ruling(NamedTuple):
    """A straight line along the page: `at` is its place across, and it goes from `start` to `end` along."""

    upright: bool
    at: float
    start: float
    end: float
    dashed: bool = False

    @property
    def length(self) -> float:
        """From end to end."""
        return self.end - self.start


@dataclass(frozen=True)
class PageSeen:
    """A page of a file, by their numbers (the page's from 1 on), with the boxes and lines that are drawn on it.

    `trim` is the box to which the file says that the page is cut, where that is not all of it. `widths` has for each
    of `boxes` the width in mm of the line along it, 0 for none.
    """

    file: int
    number: int
    size: Size
    trim: Rect | None = None
    boxes: tuple[Rect, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    widths: tuple[float, ...] = ()

    @property
    def box(self) -> Rect:
        """All of it."""
        return Rect(0, 0, *self.size)


@dataclass(frozen=True)
class PixelsSeen:
    """What the pixels of a page show: blocks of ink with paper between them, and how far long edges go.

    `across` are places at which much changes from left to right, each with the share of the ink's height that does;
    `down` the same from top to bottom. `ink` is the box round all ink.
    """

    ink: Rect
    blocks: tuple[Rect, ...] = ()
    across: tuple[tuple[float, float], ...] = ()
    down: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class PlaceSeen:
    """What a place on a page looks like: a few pixels of it (RGB), and how far (mm) its ink goes on on all sides.

    One that is `blank` shows nothing but paper.
    """

    blank: bool
    tiny: bytes
    reach: float


@dataclass(frozen=True)
class Doubts:
    """What speaks against the places of pieces on a page.

    `loose` are blocks of ink where no piece is, `cut` the mm of edges that go through ink, `tilt` the degrees by which
    the page is turned clockwise.
    """

    loose: tuple[Rect, ...] = ()
    cut: float = 0.0
    tilt: float = 0.0


class PieceWindow(NamedTuple):
    """A part of a page that becomes a face: its trim there, how much of what is round it is bleed, and its turn.

    The turn is in quarter turns clockwise, in degrees, from how it lies on the page to how it is shown.
    """

    file: int
    number: int
    trim: Rect
    bleed: float = 0.0
    turn: int = 0

    @property
    def size(self) -> Size:
        """Of the trim as it is shown."""
        return self.trim.size.turned(self.turn)

    def sized(self, size: Size, bleed: float) -> "PieceWindow":
        """The same with a trim of exactly such a size as it is shown, about its middle, and such a bleed."""
        w, h = size.turned(self.turn)
        middle = self.trim.centre
        return self._replace(trim=Rect(middle.x - w / 2, middle.y - h / 2, w, h), bleed=bleed)

    @property
    def full(self) -> Rect:
        """With its bleed, from the top left of the trim as it is shown."""
        return Rect(0, 0, *self.size).grown(self.bleed)
