"""The sheets of one run: pieces of one component that share a size and a bleed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from generator.core.geometry import Rect, Segment
from generator.core.outline import Outline
from generator.core.units import number
from generator.impose import net
from generator.impose.duplex import Mode
from generator.impose.furniture import NOTHING, MarginTexts, Planner, footer_text, for_back, for_front
from generator.impose.layout import (
    Layout,
    cut_bleed,
    edges_without_marks,
    moved,
    no_room,
    other_grid,
    smaller_margin,
    thin_lines,
)
from generator.impose.marks import fold
from generator.impose.marks.styles import bare_edges, both_ways, edges, unfound
from generator.impose.setup import PLAIN, Setup
from generator.impose.sheet import Bed, Line, Piece, PlacedFace, PlacedSides, Sheet
from generator.impose.side import Guides, SideGround, Template, template
from generator.impose.slots import Slot, outline, within


@dataclass(frozen=True)
class SheetRun:
    """Pieces that share their sheets, their layout, and the count of slots already used on the first sheet.

    `chosen` are notices of what was chosen for the run and why; `told` are footer texts on cuts that
    marks do not show.
    """

    pieces: tuple[Piece, ...]
    layout: Layout
    setup: Setup
    mode: Mode
    skip: int = 0
    chosen: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def capacity(self) -> int:
        """The number of pieces on a sheet."""
        return len(self.layout.slots)

    @property
    def sheets(self) -> int:
        """The number of sheets of the run."""
        return -(-(len(self.pieces) + self.skip) // self.capacity)

    def used(self, index: int) -> range:
        """Return the slots that a sheet of the run uses."""
        start = self.skip if index == 0 else 0
        return range(start, min(self.capacity, len(self.pieces) + self.skip - index * self.capacity))

    def on(self, index: int) -> Sequence[Piece]:
        """Return the pieces of a sheet of the run."""
        start = index * self.capacity - self.skip
        return self.pieces[max(0, start) : start + self.capacity]

    @property
    def front(self) -> str:
        """The name of a front page in the footer."""
        return self.setup.words.both if self.mode.both else self.setup.words.front

    def front_line(self, number: int, total: int) -> str:
        """Return the footer of a front."""
        return self._line(number, total, self.front, self.setup.words.way(self.mode.name))

    def back_line(self, number: int, total: int, *, blank: bool) -> str:
        """Return the footer of a back."""
        side = self.setup.words.blank if blank else self.setup.words.back
        return self._line(number, total, side, self.setup.words.way_behind(self.mode.name))

    def _line(self, number: int, total: int, side: str, how: str) -> str:
        words = self.setup.words
        sheet = words.sheet.format(number=number, total=total)
        printing = words.printing.format(how=how)
        return footer_text(self.setup.caption, ", ".join((self.title, *self.round, *self.told)), sheet, side, printing)

    def said(self, longest: str) -> MarginTexts:
        """Return the texts in the margins, given the longest footer."""
        return MarginTexts(longest, (self.setup.words.millimetres, self.setup.words.inches))

    def creases(self, places: Sequence[Slot]) -> dict[int, tuple[Segment, ...]]:
        """Return the folds and joins in each slot of a sheet of fronts."""
        found = {}
        for at, slot in enumerate(places):
            piece = self.piece(at)
            if piece.net is not None:
                found[at] = tuple(net.crease(segment, piece, slot) for segment in piece.net.creases)
        return found

    def lines(self, places: Sequence[Slot]) -> dict[int, tuple[Line, ...]]:
        """Return the lines that pieces bring themselves, by slot."""
        found = {}
        for at, slot in enumerate(places):
            piece = self.piece(at)
            if piece.net is not None and piece.net.lines:
                found[at] = tuple(net.line(own, piece, slot) for own in piece.net.lines)
        return found

    def piece(self, at: int) -> Piece:
        """Return a piece for a slot: shared sheets have the same piece there on each sheet, others have equal ones."""
        return self.pieces[min(at, len(self.pieces) - 1)]

    @cached_property
    def round(self) -> tuple[str, ...]:
        """The diameters and corner radii of the pieces as footer texts: straight marks cannot show them."""
        words = self.setup.words
        outlines = dict.fromkeys(piece.outline for piece in self.pieces if not piece.net)
        circles = [words.circles.format(mm=number(one.size.w)) for one in outlines if one.is_circle]
        corners = [words.corners.format(mm=number(one.radius)) for one in outlines if one.radius and not one.is_circle]
        return tuple(dict.fromkeys((*circles, *corners)))

    @cached_property
    def title(self) -> str:
        """The names of the components on the sheets, joined by commas."""
        return ", ".join(dict.fromkeys(piece.component for piece in self.pieces))


@dataclass(frozen=True)
class LaidRun:
    """The parts that all sheets of a run share; `back` is None if the mode prints none."""

    run: SheetRun
    front: Template
    back: Template | None
    notices: tuple[str, ...]


def laid(run: SheetRun, total: int) -> LaidRun:
    """Place slots, marks and margin items of both sides, for a job of `total` sheets.

    Footers name the cuts that marks do not show.
    """
    made = _laid(run, total)
    told = _Cuts.of(run, made.front, run.used(0)).told
    made = _laid(replace(run, told=told), total) if told else made
    lines = {used: tuple(_Cuts.of(run, made.front, used).lines) for used in made.front.marks}
    return replace(made, front=replace(made.front, cuts=lines))


def _laid(run: SheetRun, total: int) -> LaidRun:
    spot = run.layout.spot
    fronts = run.layout.slots
    backs = _inked([spot.behind(slot) for slot in fronts], run.setup) if spot.behind else ()
    fronts = _inked(fronts, run.setup)
    line = run.said(run.front_line(total, total))
    if spot.fold:
        ground = SideGround(fronts, backs, spot.fold)
        front, missing = _template(run, ground, line, for_front)
        return LaidRun(run, front, template(SideGround(backs), {}, NOTHING, line), _notices(run, front, missing))
    front, missing = _template(run, SideGround(fronts), line, for_front)
    if not backs:
        return LaidRun(run, front, None, _notices(run, front, missing))
    back, more = _template(run, SideGround(backs), run.said(run.back_line(total, total, blank=True)), for_back)
    return LaidRun(run, front, back, _notices(run, front, missing + more))


@dataclass(frozen=True)
class _Cuts:
    """The cuts of a sheet: all outlines, those that marks do not show, and those of them with a thin line."""

    run: SheetRun
    all: tuple[Outline, ...]
    bare: tuple[Outline, ...]
    lined: tuple[Outline, ...]
    missed: int
    circles: tuple[Outline, ...] = ()

    @classmethod
    def of(cls, run: SheetRun, front: Template, used: range) -> "_Cuts":
        """Return the cuts of the slots that a sheet uses."""
        if not run.setup.marks.reach:
            return cls(run, (), (), (), 0)
        marks = front.marks.get(used, ())
        shown = [front.slots[at] for at in used if (net := run.piece(at).net) is None or not net.lines]
        cuts = tuple(slot.cut or Outline.of_box(slot.trim) for slot in shown)
        bare = tuple(bare_edges(cuts, marks))
        lined = tuple(cut for cut in bare if fold.has_room(cut, cuts, run.setup.printable))
        left = [cut for cut in bare if cut not in lined]
        inked = [at for at in used if run.piece(at).net is None and run.piece(at).bleed]
        circles = tuple(cut for at in inked if (cut := front.slots[at].cut) and cut.is_circle)
        return cls(run, cuts, bare, lined, unfound(left, marks), circles)

    @property
    def lines(self) -> Iterator[Line]:
        """Yield the thin lines around pieces without marks, and on the trims of round pieces with bleed."""
        for cut in self.circles:
            yield from fold.circle_lines(cut)
        for cut in self.lined:
            yield from fold.cut_lines(cut)

    @property
    def told(self) -> tuple[str, ...]:
        """The footer texts about cuts that marks do not show."""
        words = self.run.setup.words
        line = (words.thin_line.format(mm=number(fold.AWAY)),) if self.lined else ()
        return (*line, *((words.picture,) if self.missed else ()))

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices about cuts that marks do not show."""
        lines = thin_lines(len(self.lined), len(self.all)) if self.lined else ""
        return lines, edges_without_marks(self.missed, edges(self.all)) if self.missed else ""


def _inked(places: Sequence[Slot], setup: Setup) -> tuple[Slot, ...]:
    """Return the slots of a side with as much ink as marks and the printer leave them."""
    room = setup.inked(Rect.round_all([slot.trim for slot in places]))
    return tuple(within(slot, room) for slot in places)


def _template(
    run: SheetRun, ground: SideGround, said: MarginTexts, planner: Planner
) -> tuple[Template, tuple[str, ...]]:
    style = run.setup.marks
    printable = run.setup.printable
    outline = ground.outline(printable) if run.mode.outlined else None
    planned = planner(said, printable, outline or ground.ink, style.reach)
    uses = {run.used(index) for index in {0, max(0, run.sheets - 2), run.sheets - 1}}
    found = run.setup.cutter.lines(run.setup.paper.size) if planner is for_front else ()
    own = run.lines(ground.slots)
    guides = Guides(run.creases(ground.slots), own) if planner is for_front else Guides({}, dict.fromkeys(own, ()))
    lines = {used: ground.marks(style, used, printable, planned.boxes, guides) for used in uses}
    bare = ("cut marks",) if style.reach and not both_ways(max(lines.values(), key=len)) else ()
    made = template(ground, {used: (*found, *drawn) for used, drawn in lines.items()}, planned, said, outline)
    no_outline = ("outline",) if run.mode.outlined and outline is None else ()
    return made, planned.missing + bare + no_outline


def _notices(run: SheetRun, front: Template, missing: tuple[str, ...]) -> tuple[str, ...]:
    piece = run.pieces[0]
    grid = run.layout.grid
    said = [*(no_room(item, run.setup) for item in dict.fromkeys(missing)), moved(run.setup)]
    if "cut marks" not in missing:
        said += _Cuts.of(run, front, run.used(0)).notices
    if grid is not None:
        said = [other_grid(piece.grid, grid), cut_bleed(piece.bleed, front.slots, run.setup), *said]
        if run.sheets > 1 and run.setup.least is None and run.setup.grid is None and run.setup.cutter is PLAIN:
            said.append(smaller_margin(piece, grid, run.setup, run.mode))
    return tuple(f"{run.title}: {text}" for text in (*run.chosen, *said) if text)


def sheets(made: LaidRun, first: int, total: int) -> Iterator[Sheet]:
    """Yield the sheets of a run; `first` is the number of its first sheet in the job."""
    before: object = None
    placed: PlacedSides = ((), ())
    for index in range(made.run.sheets):
        pieces = made.run.on(index)
        used = made.run.used(index)
        if before != (pieces, used):  # sheets that show the same share what they show
            before = (pieces, used)
            placed = _placed(made, pieces, used)
        yield _sheet(made, placed, used, first + index, total)


def _placed(made: LaidRun, pieces: Sequence[Piece], used: range) -> PlacedSides:
    sides = ((_front, made.front), (_back, made.back))
    pairs = list(zip(pieces, used, strict=True))
    return tuple(
        tuple(placed for piece, at in pairs for placed in shown(piece, side.slots[at])) if side else ()
        for shown, side in sides
    )


def _sheet(made: LaidRun, placed: PlacedSides, used: range, number: int, total: int) -> Sheet:
    run = made.run
    paper = made.run.setup.paper.size
    (fronts, backs) = placed
    line = run.front_line(number, total)
    front = made.front.side(f"{number} {run.front}", fronts, used, line, run.setup.undo_front)
    if made.back is None:
        return run.mode.assemble(paper, front, None)
    line = run.back_line(number, total, blank=not backs)
    label = f"{number} {run.setup.words.back}"
    return run.mode.assemble(paper, front, made.back.side(label, backs, used, line, run.setup.undo_back))


def _front(piece: Piece, slot: Slot) -> Iterator[PlacedFace]:
    if piece.net is None:
        yield PlacedFace(piece.front, piece.id, slot.trim, slot.ink, slot.turn, slot.clip)
    else:
        yield from (net.laid(leaf, piece, slot) for leaf in piece.net.front)


def _back(piece: Piece, slot: Slot) -> Iterator[PlacedFace]:
    if piece.net is not None:
        yield from (net.laid(leaf, piece, slot) for leaf in piece.net.back)
    elif piece.back is not None:
        yield PlacedFace(piece.back, piece.id, slot.trim, slot.ink, slot.turn, slot.clip)


def beds(run: SheetRun, first: int) -> Iterator[Bed]:
    """Yield the cuts of the sheets, grouped by sheets that are cut alike; `first` is the number of the first sheet."""
    paper = Rect(0, 0, *run.setup.paper.size)
    fold = run.layout.spot.fold
    if fold:
        paper = Rect.between(0, 0, *((fold.b.x, paper.bottom) if fold.a.x == fold.b.x else (paper.right, fold.b.y)))
    for used, group in groupby(range(run.sheets), run.used):
        numbers = [first + index for index in group]
        pieces = run.on(numbers[0] - first)
        outlines = tuple(outline(piece, run.layout.slots[at]) for piece, at in zip(pieces, used, strict=True))
        bridges = tuple(piece.bridge or 0.0 for piece in pieces)
        parts = tuple(
            run.layout.slots[at].trim if piece.net else cut.box
            for piece, at, cut in zip(pieces, used, outlines, strict=True)
        )
        yield Bed(numbers[0], numbers[-1], run.title, paper, outlines, fold is not None, bridges, parts)
