"""The four margin strips between the printable edge and the ink, and the free space in each.

Imposition knows no fonts, so the width of a text is estimated on the safe side. Items in the margin
shrink step by step when space is short.
"""

from dataclasses import dataclass, replace

from generator.base.geometry import Point, Rect, Size
from generator.base.polygon import round_all
from generator.base.units import MM_PER_PT
from generator.impose.sheet import Anchor, PaperEdge

# Width of a character in em. Text faces average 0.35 to 0.45; more is on the safe side.
CHARACTER_WIDTH_EM = 0.5

# Heights in em, a little more than the ink of Alegreya Sans, the font of notes, takes (measured):
# ascenders 0.711, accented capitals 0.88, descenders 0.194.
ASCENT_EM = 0.725
ACCENTED_ASCENT_EM = 0.92
DESCENT_EM = 0.25


def estimate_text_width(text: str, size: float) -> float:
    """Estimate the length of a line in mm for a font size in mm."""
    return CHARACTER_WIDTH_EM * size * len(text)


def estimate_text_ascent(text: str) -> float:
    """Return the height above the baseline in em; accented capitals are higher."""
    has_accented = any(letter.isupper() and letter > "\x7f" for letter in text)
    return ACCENTED_ASCENT_EM if has_accented else ASCENT_EM


def estimate_text_height(text: str) -> float:
    """Return the height of a line in em, from its descent to its ascent."""
    return estimate_text_ascent(text) + DESCENT_EM


# The smallest text, 5 pt, in mm.
MIN_TEXT_MM = 5 * MM_PER_PT


@dataclass(frozen=True)
class Level:
    """One size of the margin items: mark length, ruler depth and footer font size, all in mm."""

    mark: float
    ruler: float
    text: float


# From the best to the tightest.
LEVELS = (
    Level(4.0, 3.0, 7 * MM_PER_PT),
    Level(1.5, 3.0, 7 * MM_PER_PT),
    Level(1.5, 2.4, 6 * MM_PER_PT),
    Level(1.0, 2.0, MIN_TEXT_MM),
    Level(0.5, 1.725, MIN_TEXT_MM),
)


# For a footer that has no other place: it may stand where marks would be, and they end before it.
NO_MARKS_LEVEL = Level(0.0, 0.0, MIN_TEXT_MM)


# Gap between two items that follow one another in a strip.
ITEM_GAP_MM = 4.0

# Distance of items from the printable edge where there is space: some printers leave a wider blank
# edge than most.
EDGE_DISTANCE_MM = 2.0

# Gap between two items one above the other in a strip.
STACK_GAP_MM = 0.6


@dataclass(frozen=True)
class MarginFrame:
    """A rectangle on the paper with a reading direction: x along the line, y down from its top, in mm."""

    origin: Point
    turn: int
    length: float
    depth: float

    def to_paper(self, x: float, y: float) -> Point:
        """Return the point on the paper for a point in this frame."""
        return self.origin + Point(x, y).turned(self.turn)

    def cut_part(self, x: float, y: float, length: float, depth: float) -> "MarginFrame":
        """Return a smaller rectangle with this reading direction."""
        return MarginFrame(self.to_paper(x, y), self.turn, length, depth)

    @property
    def box(self) -> Rect:
        """The rectangle in paper coordinates."""
        return round_all((self.to_paper(0, 0), self.to_paper(self.length, self.depth)))


@dataclass(frozen=True)
class MarginStrip:
    """A margin strip.

    With `has_edge_below`, the paper's edge is at the foot of the text, otherwise above it. Items
    line up with the ink, which runs from `start` to `end` along the strip.
    """

    frame: MarginFrame
    start: float
    end: float
    has_edge_below: bool = False

    def place_item(
        self, size: Size, clearance: float, align: Anchor
    ) -> tuple[MarginFrame, tuple["MarginStrip", ...]] | None:
        """Place an item near the paper's edge, leaving `clearance` mm towards the ink.

        Return its frame and the strips that stay free, or None if the item does not fit.
        """
        free = self.frame.depth - size.h - clearance
        if size.w > self.frame.length or free < 0:
            return None
        x = self._along(size.w, align)
        edge = min(EDGE_DISTANCE_MM, free)
        y = self.frame.depth - size.h - edge if self.has_edge_below else edge
        return self.frame.cut_part(x, y, *size), (
            self._stretch(0, x - ITEM_GAP_MM),
            self._stretch(x + size.w + ITEM_GAP_MM, self.frame.length),
            self._under(edge + size.h + STACK_GAP_MM),
        )

    def _along(self, length: float, align: Anchor) -> float:
        x = self.end - length if align is Anchor.END else self.start
        return max(0.0, min(x, self.frame.length - length))

    def _stretch(self, start: float, end: float) -> "MarginStrip":
        """Return the part of the strip from `start` to `end` along it."""
        frame = self.frame.cut_part(start, 0, end - start, self.frame.depth)
        return replace(self, frame=frame, start=0, end=end - start)

    def _under(self, depth: float) -> "MarginStrip":
        """Return the strip between `depth` mm from the paper's edge and the ink."""
        y = 0 if self.has_edge_below else depth
        frame = self.frame.cut_part(0, y, self.frame.length, self.frame.depth - depth)
        return replace(self, frame=frame)


MarginStrips = dict[PaperEdge, tuple[MarginStrip, ...]]


def find_margin_strips(printable: Rect, ink: Rect) -> MarginStrips:
    """Return the strips around the ink; text at the left reads upwards, at the right downwards."""
    across = (ink.x - printable.x, ink.right - printable.x)
    down = (0, ink.h)
    top = MarginFrame(Point(printable.x, printable.y), 0, printable.w, ink.y - printable.y)
    bottom = MarginFrame(
        Point(printable.x, ink.bottom), 0, printable.w, printable.bottom - ink.bottom
    )
    left = MarginFrame(Point(printable.x, ink.bottom), 270, ink.h, ink.x - printable.x)
    right = MarginFrame(Point(printable.right, ink.y), 90, ink.h, printable.right - ink.right)
    return {
        PaperEdge.TOP: (MarginStrip(top, *across),),
        PaperEdge.BOTTOM: (MarginStrip(bottom, *across, has_edge_below=True),),
        PaperEdge.LEFT: (MarginStrip(left, *down),),
        PaperEdge.RIGHT: (MarginStrip(right, *down),),
    }
