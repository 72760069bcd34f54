"""What imposition takes and gives: pieces in, sheets out, in millimetres from the paper's top left.

A side of a sheet is seen from that side, as the printer prints it. Nothing here
knows of PDF, of pictures or of games: a face is a name, a size and a bleed.
"""

from dataclasses import dataclass
from enum import Enum

from generator.core.geometry import IDENTITY, Affine, Point, Rect, Segment, Size
from generator.core.outline import Outline


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line: a cut mark, a tick of the ruler; `dash` is what is drawn and left out in turn, in mm.

    Its `grey` is 0 for black and 1 for white.
    """

    a: Point
    b: Point
    width: float = 0.15
    dash: tuple[float, ...] = ()
    grey: float = 0.0


@dataclass(frozen=True)
class PieceLeaf:
    """A face on a piece that has several: its trim and what is shown of it, in mm from the top left of the piece's.

    `clip` is the outline of what is shown, where that is no rectangle.
    """

    face: str
    trim: Rect
    shown: Rect
    turn: int = 0
    clip: Outline | None = None


@dataclass(frozen=True)
class Net:
    """What is on the two sides of a piece that is folded or joined, and the lines along which it is.

    What is cut is its `outline` where that is not the piece's own. It may bring `lines` of its own in the place of cut
    marks: they lie clear of its faces, and inside its size.
    """

    front: tuple[PieceLeaf, ...]
    back: tuple[PieceLeaf, ...] = ()
    creases: tuple[Segment, ...] = ()
    outline: Outline | None = None
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical thing to cut out: its trim, and the name of its front's face and of its back's.

    `gutter` (mm) and `grid` (columns, rows) go before the job's, where the piece's component insists on its own.
    The outline's box begins at the origin. What `splits` is printed in parts where it is larger than the
    paper. `more` names the faces after the front, of what has more than two. A `net` says what is on it where that
    is not one face a side. A box holds what is `depth` mm thick; a board `folds` into columns and rows of panels, and a
    `bridge` (mm) is left of each cut that a machine makes.
    """

    id: str
    component: str
    outline: Outline
    bleed: float
    front: str
    back: str | None = None
    gutter: float | None = None
    grid: tuple[int, int] | None = None
    splits: bool = False
    net: Net | None = None
    more: tuple[str, ...] = ()
    depth: float = 0.0
    folds: tuple[int, int] | None = None
    bridge: float | None = None

    @property
    def size(self) -> Size:
        """The box round its trim, in mm."""
        return self.outline.size


@dataclass(frozen=True, slots=True)
class PlacedFace:
    """A face on a side of a sheet.

    `trim` is where the cut goes, on the paper; `ink` the part of the paper that the
    face may cover (the trim and as much bleed as there is room for); `turn` the
    quarter turns, in degrees clockwise, from the face upright to the face as it lies.
    `clip`, where it is given, is the outline of the ink, which is then no rectangle.
    """

    face: str
    piece: str
    trim: Rect
    ink: Rect
    turn: int = 0
    clip: Outline | None = None


PlacedSides = tuple[tuple[PlacedFace, ...], ...]
"""What lies on the front of a sheet and on its back."""


class Anchor(Enum):
    """Which end of a note stands at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Note:
    """A line of text in the margin; `at` is on its baseline, `size` its font size in mm, `turn` clockwise."""

    text: str
    at: Point
    size: float
    anchor: Anchor = Anchor.START
    turn: int = 0


@dataclass(frozen=True, slots=True)
class SheetSide:
    """One side of a piece of paper; `label` names its page: the sheet's number and which side (`2 back`).

    `cuts` are lines round pieces whose cuts no mark shows, and lie on their bleed. `below` are lines under the faces.
    `undo` moves everything on it so that what a printer does to it is undone.
    """

    label: str
    placed: tuple[PlacedFace, ...] = ()
    marks: tuple[Line, ...] = ()
    ruler: tuple[Line, ...] = ()
    notes: tuple[Note, ...] = ()
    undo: Affine = IDENTITY
    cuts: tuple[Line, ...] = ()
    below: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One piece of paper; `back` is none where only one side is printed."""

    paper: Size
    front: SheetSide
    back: SheetSide | None = None


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A side as a page of a file."""

    paper: Size
    side: SheetSide


@dataclass(frozen=True)
class FilePart:
    """The pages of one file in the order in which they are printed; `name` tells it from the job's others."""

    name: str
    pages: tuple[SheetPage, ...]


@dataclass(frozen=True)
class Bed:
    """Sheets, from the first number to the last, that are cut alike: what is cut of `paper`, fronts up.

    `bridges` says of each outline how much of its line is left uncut here and there (mm), `parts` what a guillotine
    parts: the boxes of the outlines, of what is folded with the marks beside it, by which it is cut and folded after.
    """

    first: int
    last: int
    component: str
    paper: Rect
    outlines: tuple[Outline, ...]
    folded: bool = False
    bridges: tuple[float, ...] = ()
    parts: tuple[Rect, ...] = ()


@dataclass(frozen=True)
class Job:
    """All sheets of a job, the files they go into, and what the person should know of them.

    `duplex` is PDF's name for how they are printed: `Simplex`, `DuplexFlipLongEdge` or `DuplexFlipShortEdge`;
    `mode` our own. `count` says how many pieces there are: a board of several sheets is one.
    """

    sheets: tuple[Sheet, ...]
    notices: tuple[str, ...] = ()
    duplex: str = "Simplex"
    count: int = 0
    mode: str = "single"
    parts: tuple[FilePart, ...] = ()
    beds: tuple[Bed, ...] = ()

    @property
    def summary(self) -> str:
        """`56 pieces on 2 sheets, both sides`."""
        sides = "both sides" if any(sheet.back for sheet in self.sheets) else "one side"
        return f"{self._counted(self.count, 'piece')} on {self._counted(len(self.sheets), 'sheet')}, {sides}"

    def _counted(self, count: int, word: str) -> str:
        return f"{count} {word}{'' if count == 1 else 's'}"
