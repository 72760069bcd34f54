"""The input and output of imposition: pieces and sheets, in mm from the paper's top left.

A side of a sheet is seen from that side, as the printer prints it. Imposition knows nothing of PDF,
pictures or games: a face is a name, a size and a bleed.
"""

from dataclasses import dataclass
from enum import Enum

from generator.base.geometry import IDENTITY, Affine, Point, Rect, Segment, Size
from generator.base.outline import Outline
from generator.base.units import format_count


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line, such as a cut mark or a tick of the ruler.

    `dash` lists the lengths drawn and left out in turn, in mm. `grey` is 0 for black and 1 for
    white.
    """

    a: Point
    b: Point
    width: float = 0.15
    dash: tuple[float, ...] = ()
    grey: float = 0.0


@dataclass(frozen=True)
class PieceLeaf:
    """A face on a piece with several faces: its trim and its visible part, in mm from the piece's top left.

    `clip` is the outline of the visible part if that is no rectangle.
    """

    face: str
    trim: Rect
    visible: Rect
    turn: int = 0
    clip: Outline | None = None


@dataclass(frozen=True)
class Net:
    """The faces on both sides of a piece that is folded or joined, and the lines along which it is.

    `outline` is the cut line if it differs from the piece's own. `lines` replace cut marks: they
    lie clear of the faces and inside the piece's size.
    """

    front: tuple[PieceLeaf, ...]
    back: tuple[PieceLeaf, ...] = ()
    creases: tuple[Segment, ...] = ()
    outline: Outline | None = None
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical thing to cut out: its trim and the names of its faces.

    `gutter` (mm) and `grid` (columns, rows) override the job's if the component requires its own.
    The outline's box begins at the origin. `turn` is the piece's turn in its slot, in degrees
    clockwise as seen from the front; only boxes that keep their cut line may have one. `place` is
    the piece's place in the pack's own order of the component, from 0. A piece that
    `splits` is printed in parts if it is larger than the paper. `more` names further faces after
    the front. `net` gives the faces of a piece with several on one side. A box holds contents
    `depth` mm thick; a board `folds` into columns and rows of panels. A machine leaves a `bridge`
    (mm) uncut here and there.
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
    turn: int = 0
    place: int | None = None

    @property
    def size(self) -> Size:
        """The size in mm of the box around the trim."""
        return self.outline.size


@dataclass(frozen=True, slots=True)
class PlacedFace:
    """A face on a side of a sheet.

    `trim` is the cut on the paper; `ink` is the part of the paper that the face may cover: the trim
    with as much bleed as there is space for. `turn` is the turn in degrees clockwise, a multiple of
    90 for boxes. `clip` is the outline of the ink if that is no rectangle.
    """

    face: str
    piece: str
    trim: Rect
    ink: Rect
    turn: int = 0
    clip: Outline | None = None


# The faces on the front of a sheet and on its back.
PlacedSides = tuple[tuple[PlacedFace, ...], ...]


class PaperEdge(Enum):
    """An edge of the paper."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"


class Anchor(Enum):
    """The end of a note that stands at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Note:
    """A line of text in the margin.

    `at` is on its baseline, `size` its font size in mm, `turn` clockwise.
    """

    text: str
    at: Point
    size: float
    anchor: Anchor = Anchor.START
    turn: int = 0


@dataclass(frozen=True, slots=True)
class SheetSide:
    """One side of a sheet; `label` names its page with the sheet's number and the side (`2 back`).

    `cuts` are lines around pieces whose cuts no mark shows; they lie on the bleed. `below` are lines
    under the faces. `undo` moves everything on the side to correct the printer's error.
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
    """One sheet of paper; `back` is None if only one side is printed."""

    paper: Size
    front: SheetSide
    back: SheetSide | None = None


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A side of a sheet as a page of a file."""

    paper: Size
    side: SheetSide


@dataclass(frozen=True)
class FilePart:
    """The pages of one file in printing order; `name` is empty if the job has one file."""

    name: str
    pages: tuple[SheetPage, ...]


@dataclass(frozen=True)
class Bed:
    """Sheets `first` to `last`, which are cut alike: the cuts of `paper`, fronts up.

    `bridges` gives for each outline the length of its uncut bridges in mm. `parts` are the
    rectangles that a guillotine parts: the boxes of the outlines; for folded pieces with the marks
    by which they are cut and folded.
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
    """All sheets of a job, its files and the notices for the user.

    `duplex` is the PDF name of the print mode: `Simplex`, `DuplexFlipLongEdge` or
    `DuplexFlipShortEdge`; `mode` is our own. `count` is the number of pieces: a board on several
    sheets is one.
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
        """A sentence such as `56 pieces on 2 sheets, both sides`."""
        sides = "both sides" if any(sheet.back for sheet in self.sheets) else "one side"
        pieces = format_count(self.count, "piece")
        return f"{pieces} on {format_count(len(self.sheets), 'sheet')}, {sides}"
