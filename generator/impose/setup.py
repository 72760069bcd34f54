"""What imposition is told besides the pieces: the paper, its edges, and how it is printed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from generator.core import polygon
from generator.core.geometry import EPSILON, IDENTITY, Affine, Rect, Size
from generator.core.paper import Paper, paper
from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.core.words import ENGLISH, SheetWords, words_for
from generator.impose.duplex import LONG_EDGE, Mode, Tray
from generator.impose.marks.styles import CROSSHAIR, MarkStyle
from generator.impose.sheet import Line

UNPRINTABLE = 4.2
"""What cheap printers leave blank at every edge, in mm, unless a profile says otherwise."""

USUAL = 10.0
"""The margin in mm where nobody asks for one."""

LEAST = 6.0
"""The least that it becomes where that saves a sheet, in mm: the printers that people have print so near the edge."""

ROOM = 1.5
"""From the end of what is printed to the trims, in mm, in which a mark and some bleed have room."""

MARK = 1.0
"""What of that a mark takes, in mm."""

KEPT = 0.5
"""The bleed, in mm, that marks leave: as far as a hand with scissors is off."""


@dataclass(frozen=True)
class Margins:
    """How far the trims stay from each edge of the paper, in mm."""

    top: float
    right: float
    bottom: float
    left: float

    @classmethod
    def even(cls, mm: float) -> "Margins":
        """The same margin on all four sides."""
        return cls(mm, mm, mm, mm)

    def sides(self) -> Iterator[tuple[str, float]]:
        """Each side's name and margin."""
        yield from (("top", self.top), ("right", self.right), ("bottom", self.bottom), ("left", self.left))

    def smaller(self, by: float) -> "Margins":
        """The margins with so many mm taken off each."""
        return Margins(self.top - by, self.right - by, self.bottom - by, self.left - by)

    def at_least(self, across: float, down: float) -> "Margins":
        """The margins, none smaller than so many mm at the left and right, and at the top and bottom."""
        return Margins(max(self.top, down), max(self.right, across), max(self.bottom, down), max(self.left, across))


@dataclass(frozen=True)
class Caption:
    """What the footers call the game."""

    game: str = ""
    version: str = ""


@dataclass(frozen=True)
class Registration:
    """Marks by which a machine finds the sheet.

    `lines` gives the marks on a front of a size; everything else stays inside `inner`, in mm.
    """

    name: str
    what: str
    lines: Callable[[Size], tuple[Line, ...]]
    inner: Callable[[Size], Rect]


def _no_lines(_paper: Size) -> tuple[Line, ...]:
    return ()


def _everything(paper: Size) -> Rect:
    return Rect(0, 0, *paper)


PLAIN = Registration("plain", "cut files only, no marks on the paper", _no_lines, _everything)
"""No marks: a machine or a laser that is told where the sheet lies."""


@dataclass(frozen=True)
class Setup:
    """How to lay out a job; lengths in mm.

    `gutter` lies between neighbours: none means two bleeds, so that every piece keeps
    its whole bleed. `grid` forces columns by rows. Trims must stay printable, so no
    margin may be smaller than `unprintable`. Where it saves a sheet, margins become smaller than they are,
    but not than `least`.
    `tray` says how sheets come out between two passes; `skip` slots of the first sheet are
    used already; `cutter` is the machine whose marks are printed; `undo_front` and
    `undo_back` move what is on a side to undo what the printer does. `words` are those of
    the footers and the ruler.
    """

    paper: Paper = field(default_factory=lambda: paper("a4"))
    margins: Margins = field(default_factory=lambda: Margins.even(10))
    unprintable: float = UNPRINTABLE
    least: float | None = None
    gutter: float | None = None
    grid: tuple[int, int] | None = None
    duplex: Mode = LONG_EDGE
    marks: MarkStyle = CROSSHAIR
    caption: Caption = Caption()
    tray: Tray = Tray.FACE_DOWN
    skip: int = 0
    cutter: Registration = PLAIN
    undo_front: Affine = IDENTITY
    undo_back: Affine = IDENTITY
    words: SheetWords = field(default_factory=lambda: words_for(ENGLISH).sheet)

    def __post_init__(self) -> None:
        _not_negative("an unprintable edge", self.unprintable)
        _not_negative("a gutter", self.gutter or 0)
        _check_margins(self)
        if self.skip < 0:
            raise Wrong(f"skipping {self.skip} slots cannot be", "0 or more")
        if self.grid is not None and min(self.grid) < 1:
            raise Wrong(f"a grid of {self.grid[0]} x {self.grid[1]} cannot be", "at least 1 x 1, columns by rows")

    @cached_property
    def printable(self) -> Rect:
        """The part of the paper that takes ink, besides a machine's marks, after what a printer does is undone."""
        edge, inner = Rect(0, 0, *self.paper.size).grown(-self.unprintable), self.cutter.inner(self.paper.size)
        for undo in {self.undo_front, self.undo_back} - {IDENTITY}:
            inner = inner.common(_within(undo.inverse(), edge))
        return edge.common(inner)

    @cached_property
    def kept(self) -> Margins:
        """The margins, so large that on neither side a trim comes where nothing is printed."""
        edge, paper = self.printable, self.paper.size
        if self.undo_front == self.undo_back == IDENTITY:
            return self.margins
        return self.margins.at_least(max(edge.x, paper.w - edge.right), max(edge.y, paper.h - edge.bottom))

    @property
    def area(self) -> Rect:
        """The part of the paper between the margins, where trims may lie."""
        return inside(self.paper.size, self.kept)

    def inked(self, trims: Rect) -> Rect:
        """What may be inked round such trims: bleed leaves marks some room, where it is not all gone then."""
        edge = self.printable
        if not self.marks.reach:
            return edge
        near, far = (trims.x, trims.y), (trims.right, trims.bottom)
        left, top = (_room(at - end) + end for at, end in zip(near, (edge.x, edge.y), strict=True))
        right, bottom = (end - _room(end - at) for at, end in zip(far, (edge.right, edge.bottom), strict=True))
        return Rect.between(left, top, right, bottom)

    def area_for(self, bleed: float) -> Rect:
        """The same for pieces of such a bleed: with a machine's marks on the sheet, all of their ink stays clear."""
        inner = self.cutter.inner(self.paper.size)
        return self.area.common(inner.grown(-bleed)) if inner.size != self.paper.size else self.area

    def gaps(self, bleed: float) -> tuple[float, ...]:
        """What may lie between pieces of such a bleed, in mm: first what leaves marks room, at last the gutter."""
        gutter = self.gutter_for(bleed)
        if not self.marks.reach:
            return (gutter,)
        wide = 2 * bleed + MARK if self.gutter is None else max(gutter, MARK + 2 * min(KEPT, bleed))
        return tuple(dict.fromkeys((wide, gutter)))

    def gutter_for(self, bleed: float) -> float:
        """The space between neighbours of such a bleed."""
        return 2 * bleed if self.gutter is None else self.gutter


def inside(paper_size: Size, margins: Margins) -> Rect:
    """The part of a paper between the margins; its width or height may come out negative."""
    return Rect.between(margins.left, margins.top, paper_size.w - margins.right, paper_size.h - margins.bottom)


def _room(free: float) -> float:
    """What a mark takes of the room between the printer's edge and a trim."""
    return MARK if free >= MARK + KEPT - EPSILON else 0.0


def _within(fault: Affine, edge: Rect) -> Rect:
    """The upright part of the paper on which a printer puts nothing but what is inside of that edge."""
    corners = [fault.apply(corner) for corner in polygon.box(edge)]
    xs, ys = sorted(corner.x for corner in corners), sorted(corner.y for corner in corners)
    return Rect.between(xs[1], ys[1], xs[2], ys[2])


def _not_negative(what: str, mm: float) -> None:
    if mm < 0:
        raise Wrong(f"{what} of {number(mm)} mm cannot be", "0 mm or more")


def _check_margins(setup: Setup) -> None:
    for side, mm in setup.margins.sides():
        _not_negative(f"a {side} margin", mm)
        if mm < setup.unprintable - EPSILON:
            raise Wrong(
                f"a {side} margin of {number(mm)} mm is less than the {number(setup.unprintable)} mm "
                "that the printer leaves blank",
                f"at least {number(setup.unprintable)} mm, so that every trim is printed",
                f"for a printer that prints nearer to the edge: pnp printer add NAME --edge {number(mm)}, "
                "and --printer NAME",
            )
    if setup.area.w <= EPSILON or setup.area.h <= EPSILON:
        raise Wrong(
            f"the margins leave nothing of {setup.paper.title}", "smaller margins or a larger paper", "", Kind.FIT
        )
