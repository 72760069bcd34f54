"""The setup of a job: the paper, its edges and how it is printed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from generator.base import polygon
from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import EPSILON, IDENTITY, Affine, Rect, Size
from generator.base.paper import Paper, paper
from generator.base.ui_strings import ENGLISH, SheetWords, words_for
from generator.base.units import number
from generator.impose.duplex import LONG_EDGE, DuplexMode, DuplexSpot, Tray
from generator.impose.grid import Slot
from generator.impose.marks import CROSSHAIR, MarkStyle
from generator.impose.sheet import Line

# Blank edge of cheap printers unless a profile says otherwise.
UNPRINTABLE_MM = 4.2

# The default margin.
DEFAULT_MARGIN_MM = 10.0

# The smallest margin that is chosen to save a sheet: common printers print this near to the edge.
MIN_MARGIN_MM = 6.0

# The smallest gutter that is chosen to save a sheet: it leaves each of two neighbours 1 mm of
# bleed, twice `MIN_BLEED_MM`, and its two cuts can be told apart at their marks.
MIN_GUTTER_MM = 2.0

# Distance from the printable edge to the trims in which a mark and some bleed fit.
MARK_AND_BLEED_MM = 1.5

# The part of `MARK_AND_BLEED_MM` that a mark takes.
MARK_SPACE_MM = 1.0

# The bleed that marks leave: the error of a hand with scissors.
MIN_BLEED_MM = 0.5


@dataclass(frozen=True)
class Margins:
    """The distances of the trims from each edge of the paper, in mm."""

    top: float
    right: float
    bottom: float
    left: float

    @classmethod
    def make_even(cls, mm: float) -> "Margins":
        """Return equal margins on all four sides."""
        return cls(mm, mm, mm, mm)

    def sides(self) -> Iterator[tuple[str, float]]:
        """Yield the name and margin of each side."""
        yield from zip(("top", "right", "bottom", "left"), self, strict=True)

    def __iter__(self) -> Iterator[float]:
        """Yield the four lengths, clockwise from the top."""
        yield from (self.top, self.right, self.bottom, self.left)

    @property
    def is_even(self) -> bool:
        """True if all four are equal."""
        return len(set(self)) == 1

    def enlarge_to(self, across: float, down: float) -> "Margins":
        """Return the margins, at least `across` mm at the left and right and `down` mm at the top and bottom."""
        return Margins(
            max(self.top, down),
            max(self.right, across),
            max(self.bottom, down),
            max(self.left, across),
        )


@dataclass(frozen=True)
class Registration:
    """Marks by which a cutting machine finds the sheet.

    `draw_marks` returns the marks on a front of a paper size; everything else stays inside the area
    that `get_inner_area` returns.
    """

    name: str
    summary: str
    draw_marks: Callable[[Size], tuple[Line, ...]]
    get_inner_area: Callable[[Size], Rect]


def _no_lines(_paper: Size) -> tuple[Line, ...]:
    return ()


def _whole_paper(paper: Size) -> Rect:
    return Rect(0, 0, *paper)


# No marks: for a machine or laser whose user enters the place of the sheet.
NO_REGISTRATION = Registration(
    "plain", "cut files only, no marks on the paper", _no_lines, _whole_paper
)


@dataclass(frozen=True)
class Setup:
    """The layout options of a job; lengths in mm.

    `gutter` lies between neighbours; None means two bleeds, so that every piece keeps its full
    bleed. `grid` forces columns by rows. `unprintable` is the edge of each page that the printer
    leaves blank, on fronts as on backs. Trims must stay printable, so no margin may be smaller. To
    save a sheet, margins may shrink down to `least_margin`, and a gutter that is None down to
    `least_gutter`; None forbids both. `tray` is the way sheets come out between two passes; `skip`
    slots of the first sheet are already used; `cutter` is the machine whose marks are printed;
    `undo_front` and `undo_back` move a side to correct the printer's error. `caption` names the game
    in the footers; `words` are the texts of the footers and the ruler. Bleed leaves `footer_space`
    at the bottom of the printable area free.
    """

    paper: Paper = field(default_factory=lambda: paper("a4"))
    margins: Margins = field(default_factory=lambda: Margins.make_even(DEFAULT_MARGIN_MM))
    unprintable: Margins = field(default_factory=lambda: Margins.make_even(UNPRINTABLE_MM))
    least_margin: float | None = None
    gutter: float | None = None
    least_gutter: float | None = None
    grid: tuple[int, int] | None = None
    duplex: DuplexMode = LONG_EDGE
    marks: MarkStyle = CROSSHAIR
    caption: str = ""
    tray: Tray = Tray.FACE_DOWN
    skip: int = 0
    cutter: Registration = NO_REGISTRATION
    footer_space: float = 0.0
    undo_front: Affine = IDENTITY
    undo_back: Affine = IDENTITY
    words: SheetWords = field(default_factory=lambda: words_for(ENGLISH).sheet)

    def __post_init__(self) -> None:
        for mm in self.unprintable:
            _check_not_negative("an unprintable edge", mm)
        _check_not_negative("a gutter", self.gutter or 0)
        _check_margins(self)
        if self.skip < 0:
            raise InvalidValueError(f"pnp cannot skip {self.skip} slots", "0 or more")
        if self.grid is not None and min(self.grid) < 1:
            raise InvalidValueError(
                f"a grid cannot be {self.grid[0]} x {self.grid[1]}",
                "at least 1 x 1, columns by rows",
            )

    @cached_property
    def blank(self) -> Margins:
        """The edges of a front that stay blank: those of the front, and those of the back behind them."""
        return find_blank_edges(self.unprintable, self.paper.size, self.duplex)

    @cached_property
    def printable(self) -> Rect:
        """The part of the paper that takes ink, clear of a machine's marks and after correcting the printer."""
        edge = find_inner_area(self.paper.size, self.blank)
        inner = self.cutter.get_inner_area(self.paper.size)
        for undo in {self.undo_front, self.undo_back} - {IDENTITY}:
            inner = inner.common(_unshifted_area(undo.inverse(), edge))
        return edge.common(inner)

    @cached_property
    def safe_margins(self) -> Margins:
        """The margins, enlarged so that no trim on either side leaves the printable area."""
        edge = self.printable
        paper = self.paper.size
        if self.undo_front == self.undo_back == IDENTITY:
            return self.margins
        return self.margins.enlarge_to(
            max(edge.x, paper.w - edge.right), max(edge.y, paper.h - edge.bottom)
        )

    @cached_property
    def least_margins(self) -> Margins:
        """The margins to which `least_margin` allows to shrink: marks and some bleed keep their space on each side."""
        if self.least_margin is None:
            return self.safe_margins
        least = self.least_margin
        pairs = zip(self.safe_margins, self.blank, strict=True)
        return Margins(*(min(safe, max(least, blank + MARK_AND_BLEED_MM)) for safe, blank in pairs))

    @property
    def spare_margin(self) -> float:
        """The largest reduction of a margin that may save a sheet, in mm."""
        return max(
            safe - least for safe, least in zip(self.safe_margins, self.least_margins, strict=True)
        )

    @property
    def printable_margin(self) -> float:
        """The largest reduction of a margin before trims reach an unprintable edge, in mm."""
        return max(safe - blank for safe, blank in zip(self.safe_margins, self.blank, strict=True))

    def shrink_margins(self, off: float) -> Margins:
        """Return the margins smaller by `off` mm, each as far as its own side allows.

        Only an `off` above `spare_margin` takes the space of marks.
        """
        limits = self.least_margins if off <= self.spare_margin + EPSILON else self.blank
        pairs = zip(self.safe_margins, limits, strict=True)
        return Margins(*(max(safe - off, min(safe, limit)) for safe, limit in pairs))

    @property
    def area(self) -> Rect:
        """The part of the paper between the margins, where trims may lie."""
        return find_inner_area(self.paper.size, self.safe_margins)

    def limit_ink(self, trims: Rect) -> Rect:
        """Return the area that may be inked around these trims.

        Bleed leaves marks and the footer some space, unless none of the bleed would be left.
        """
        edge = self.printable
        if (
            self.footer_space
            and edge.bottom - self.footer_space >= trims.bottom + MIN_BLEED_MM - EPSILON
        ):
            edge = Rect.between(edge.x, edge.y, edge.right, edge.bottom - self.footer_space)
        if not self.marks.reach:
            return edge
        return Rect.between(
            edge.x + _mark_space(trims.x - edge.x),
            edge.y + _mark_space(trims.y - edge.y),
            edge.right - _mark_space(edge.right - trims.right),
            edge.bottom - _mark_space(edge.bottom - trims.bottom),
        )

    def get_area(self, bleed: float) -> Rect:
        """Return the area for pieces with this bleed in mm: all ink stays clear of a machine's marks."""
        inner = self.cutter.get_inner_area(self.paper.size)
        return self.area.common(inner.grown(-bleed)) if inner.size != self.paper.size else self.area

    def find_spots(self, mode: DuplexMode, bleed: float) -> tuple[DuplexSpot, ...]:
        """Return the possible parts of the paper for fronts with this bleed in mm."""
        return mode.find_spots(self.get_area(bleed), self.paper.size, bleed)

    def get_gaps(self, bleed: float) -> tuple[float, ...]:
        """Return the possible gaps in mm between pieces: first with space for marks, last the gutter."""
        gutter = self.get_gutter(bleed)
        if not self.marks.reach:
            return (gutter,)
        wide = (
            2 * bleed + MARK_SPACE_MM
            if self.gutter is None
            else max(gutter, MARK_SPACE_MM + 2 * min(MIN_BLEED_MM, bleed))
        )
        return tuple(dict.fromkeys((wide, gutter)))

    def get_gutter(self, bleed: float) -> float:
        """Return the gutter in mm for pieces with this bleed."""
        return 2 * bleed if self.gutter is None else self.gutter


def find_blank_edges(unprintable: Margins, paper_size: Size, duplex: DuplexMode) -> Margins:
    """Return the edges of fronts that stay blank so that nothing behind them is lost on backs either.

    A printer's edges belong to the page that it prints. Turned over, the left edge of a front is the right edge of its
    back, or the top edge is the bottom edge. So these two are as wide as the wider one.
    """
    spot = duplex.find_spots(Rect(0, 0, *paper_size), paper_size, 0)[0]
    if spot.map_to_back is None or spot.fold is not None:
        return unprintable
    # Turned about an upright line, a slot at the left of the front lies at the right of the back.
    corner = Rect(0, 0, 1, 1)
    is_about_upright = spot.map_to_back(Slot(corner, corner)).trim.x > 1
    top, right, bottom, left = unprintable
    if is_about_upright:
        return Margins(top, max(left, right), bottom, max(left, right))
    return Margins(max(top, bottom), right, max(top, bottom), left)


def find_inner_area(paper_size: Size, margins: Margins) -> Rect:
    """Return the part of a paper between the margins; its width or height may be negative."""
    return Rect.between(
        margins.left, margins.top, paper_size.w - margins.right, paper_size.h - margins.bottom
    )


def _mark_space(free: float) -> float:
    """Return the part of `free` mm between the printable edge and a trim that a mark takes."""
    return MARK_SPACE_MM if free >= MARK_SPACE_MM + MIN_BLEED_MM - EPSILON else 0.0


def _unshifted_area(fault: Affine, edge: Rect) -> Rect:
    """Return the largest upright part of the paper whose shifted print stays inside an edge."""
    corners = [fault.apply(corner) for corner in polygon.box(edge)]
    xs = sorted(corner.x for corner in corners)
    ys = sorted(corner.y for corner in corners)
    return Rect.between(xs[1], ys[1], xs[2], ys[2])


def _check_not_negative(what: str, mm: float) -> None:
    if mm < 0:
        raise InvalidValueError(f"{what} cannot be {number(mm)} mm", "0 mm or more")


def _check_margins(setup: Setup) -> None:
    for (side, mm), blank in zip(setup.margins.sides(), setup.blank, strict=True):
        _check_not_negative(f"a {side} margin", mm)
        if mm < blank - EPSILON:
            raise InvalidValueError(
                f"a {side} margin of {number(mm)} mm is less than the {number(blank)} mm that the printer leaves blank",
                f"at least {number(blank)} mm, so that every trim is printed",
                f"for a printer that prints nearer to the edge: pnp printer add NAME --edge {number(mm)}, "
                "and --printer NAME",
            )
    if setup.area.w <= EPSILON or setup.area.h <= EPSILON:
        raise InvalidValueError(
            f"the margins leave nothing of {setup.paper.title}",
            "smaller margins or a larger paper",
            "",
            Kind.FIT,
        )
