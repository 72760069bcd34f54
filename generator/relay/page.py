"""The visible contents of a third-party page, in mm from its top left, rotated as viewers show it."""

from dataclasses import dataclass
from typing import NamedTuple

from generator.base.geometry import Rect, Size


class Ruling(NamedTuple):
    """A straight line parallel to a page's side: `at` is its position across, `start` and `end` along."""

    upright: bool
    at: float
    start: float
    end: float
    dashed: bool = False

    @property
    def length(self) -> float:
        """The length in mm."""
        return self.end - self.start


@dataclass(frozen=True)
class PageContent:
    """A page with its boxes and lines; `file` and `number` identify it, numbers count from 1.

    `trim` is the file's trim box if it is smaller than the page. `widths` has the width of the line
    along each of `boxes` in mm, 0 for none. `is_scan` is True if one picture covers most of the page.
    """

    file: int
    number: int
    size: Size
    trim: Rect | None = None
    boxes: tuple[Rect, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    widths: tuple[float, ...] = ()
    is_scan: bool = False

    @property
    def box(self) -> Rect:
        """The box of the page."""
        return Rect(0, 0, *self.size)


@dataclass(frozen=True)
class PixelGaps:
    """The content of a page's pixels: blocks of ink separated by paper, and long edges.

    `across` are the x positions of edges, each with its share of the ink's height; `down` likewise
    for y. `ink` is the box around all ink.
    """

    ink: Rect
    blocks: tuple[Rect, ...] = ()
    across: tuple[tuple[float, float], ...] = ()
    down: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class PlaceAppearance:
    """The appearance of a place: an RGB thumbnail, and how far in mm its ink continues on all sides.

    A `blank` place shows only paper.
    """

    blank: bool
    tiny: bytes
    reach: float


@dataclass(frozen=True)
class Doubts:
    """Reasons to doubt the places of pieces on a page.

    `loose` are blocks of ink outside all pieces, `cut` is the length in mm of edges that cross ink,
    `tilt` the rotation of the page in degrees clockwise.
    """

    loose: tuple[Rect, ...] = ()
    cut: float = 0.0
    tilt: float = 0.0


class PieceWindow(NamedTuple):
    """A part of a page that becomes a face: its trim, its bleed, and its turn.

    The turn is in degrees clockwise, a multiple of 90, from the page to the face.
    """

    file: int
    number: int
    trim: Rect
    bleed: float = 0.0
    turn: int = 0

    @property
    def size(self) -> Size:
        """The trim size of the face."""
        return self.trim.size.turned(self.turn)

    def sized(self, size: Size, bleed: float) -> "PieceWindow":
        """Return the window with an exact trim size of the face, about its centre, and a bleed."""
        w, h = size.turned(self.turn)
        middle = self.trim.centre
        return self._replace(trim=Rect(middle.x - w / 2, middle.y - h / 2, w, h), bleed=bleed)

    @property
    def full(self) -> Rect:
        """The box with bleed, from the trim's top left on the face."""
        return Rect(0, 0, *self.size).grown(self.bleed)
