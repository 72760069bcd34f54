"""The four strips between the printable edge and the ink: what fits in them, at which size, and where.

How much room a line of text needs is estimated on the safe side: imposition knows no fonts. How much
each thing is made smaller when room is short goes step by step.
"""

from dataclasses import dataclass
from enum import Enum

from generator.core.geometry import Point, Rect, Size
from generator.core.units import MM_PER_PT
from generator.impose.sheet import Anchor

PER_CHARACTER = 0.5
"""A character's width in parts of the font size; text faces average 0.35 to 0.45."""

DESCENT = 0.25
"""What hangs below the baseline, in parts of the font size."""


def text_width(text: str, size: float) -> float:
    """The length of a line in mm at a font size in mm."""
    return PER_CHARACTER * size * len(text)


def text_ascent(text: str) -> float:
    """What stands above the baseline, in parts of the font size; accents on capitals stand higher."""
    return 0.92 if any(letter.isupper() and letter > "\x7f" for letter in text) else 0.725


def text_height(text: str) -> float:
    """From the foot of the line to its top, in parts of the font size."""
    return text_ascent(text) + DESCENT


SMALLEST = 5 * MM_PER_PT
"""No text is set smaller than 5 pt (in mm)."""


@dataclass(frozen=True)
class Level:
    """Lengths in mm: how far marks may still stand out, the depth of the ruler, the footer's font size."""

    mark: float
    ruler: float
    text: float


LEVELS = (
    Level(4.0, 3.0, 7 * MM_PER_PT),
    Level(1.5, 3.0, 7 * MM_PER_PT),
    Level(1.5, 2.4, 6 * MM_PER_PT),
    Level(1.0, 2.0, SMALLEST),
    Level(0.5, 1.725, SMALLEST),
)
"""From the best to the tightest."""


APART = 4.0
"""Between two things that stand one after the other in a strip, in mm."""

SPARE = 2.0
"""How far things keep from the paper's edge where there is room, in mm: some printers leave more blank than most."""

STACKED = 0.6
"""Between two things that stand one above the other in a strip, in mm."""


class PaperEdge(Enum):
    """A side of the paper."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class MarginFrame:
    """A rectangle of the paper with a reading direction: x along the line, y down from its top, in mm."""

    origin: Point
    turn: int
    length: float
    depth: float

    def at(self, x: float, y: float) -> Point:
        """The place on the paper."""
        return self.origin + Point(x, y).turned(self.turn)

    def part(self, x: float, y: float, length: float, depth: float) -> "MarginFrame":
        """A smaller rectangle of the same direction."""
        return MarginFrame(self.at(x, y), self.turn, length, depth)

    @property
    def box(self) -> Rect:
        """The rectangle as it lies on the paper."""
        a, b = self.at(0, 0), self.at(self.length, self.depth)
        return Rect.between(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))


@dataclass(frozen=True)
class Band:
    """A strip; `outer` says where the paper's edge is, 0 at the top of the text or 1 at its foot.

    Things in it line up with the ink, which goes from `start` to `end` along it.
    """

    frame: MarginFrame
    outer: int
    start: float
    end: float

    def berth(self, size: Size, room: float, align: Anchor) -> tuple[MarginFrame, tuple["Band", ...]] | None:
        """A place near the outer edge that leaves `room` mm towards the ink, and the strips that are left then."""
        free = self.frame.depth - size.h - room
        if size.w > self.frame.length or free < 0:
            return None
        x, edge = self._along(size.w, align), min(SPARE, free)
        y = self.frame.depth - size.h - edge if self.outer else edge
        return self.frame.part(x, y, *size), (
            self._stretch(0, x - APART),
            self._stretch(x + size.w + APART, self.frame.length),
            self._under(edge + size.h + STACKED),
        )

    def _along(self, length: float, align: Anchor) -> float:
        x = self.end - length if align is Anchor.END else self.start
        return max(0.0, min(x, self.frame.length - length))

    def _stretch(self, start: float, end: float) -> "Band":
        """A part of the strip along it."""
        return Band(self.frame.part(start, 0, end - start, self.frame.depth), self.outer, 0, end - start)

    def _under(self, depth: float) -> "Band":
        """The strip between so much of it and the ink."""
        frame = self.frame.part(0, 0 if self.outer else depth, self.frame.length, self.frame.depth - depth)
        return Band(frame, self.outer, self.start, self.end)


Bands = dict[PaperEdge, tuple[Band, ...]]


def bands(printable: Rect, ink: Rect) -> Bands:
    """The strips round the ink; text at the left reads upwards, at the right downwards."""
    across, down = (ink.x - printable.x, ink.right - printable.x), (0, ink.h)
    top, bottom = ink.y - printable.y, printable.bottom - ink.bottom
    left, right = ink.x - printable.x, printable.right - ink.right
    return {
        PaperEdge.TOP: (Band(MarginFrame(Point(printable.x, printable.y), 0, printable.w, top), 0, *across),),
        PaperEdge.BOTTOM: (Band(MarginFrame(Point(printable.x, ink.bottom), 0, printable.w, bottom), 1, *across),),
        PaperEdge.LEFT: (Band(MarginFrame(Point(printable.x, ink.bottom), 270, ink.h, left), 0, *down),),
        PaperEdge.RIGHT: (Band(MarginFrame(Point(printable.right, ink.y), 90, ink.h, right), 0, *down),),
    }
