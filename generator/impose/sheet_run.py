"""The sheets of one run: pieces of one component that share a size and a bleed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from math import ceil

from generator.base.geometry import Affine, Point, Rect, Segment
from generator.base.outline import Outline
from generator.base.units import number
from generator.impose.duplex import DuplexMode
from generator.impose.grid import (
    Slot,
    find_cut_outline,
    limit_to_printable,
    open_bleeds,
    part_bleeds,
)
from generator.impose.layout import (
    Layout,
    describe_correction,
    describe_grid,
    describe_lost_bleed,
    describe_missing_marks,
    describe_no_space,
    describe_thin_lines,
)
from generator.impose.margin_content import (
    CROSS,
    FOOTER,
    RULER,
    MarginPlan,
    RulerLabels,
    draw_cross_ruler,
    draw_outline,
    draw_ruler,
    find_outline,
    measure_least_footer,
    place_footer,
    place_ruler_labels,
    plan_back,
    plan_front,
    split_footer,
)
from generator.impose.marks import (
    THIN_LINE_DISTANCE_MM,
    MarkStyle,
    count_edges,
    count_unmarked_edges,
    draw_circle_line,
    draw_crease,
    draw_crease_ends,
    draw_grid_marks,
    draw_outline_marks,
    draw_thin_line,
    find_unmarked,
    has_both_directions,
    has_space_around,
)
from generator.impose.nets.standee import place_crease, place_leaf, place_line
from generator.impose.setup import MARK_AND_BLEED_MM, MIN_BLEED_MM, Setup
from generator.impose.sheet import Bed, Line, Note, Piece, PlacedFace, PlacedSides, Sheet, SheetSide

UsedSlots = tuple[int, ...]
"""The slots that a sheet uses, in rising order."""


@dataclass(frozen=True)
class Guides:
    """Lines that pieces bring to a side, by slot: folds, and the pieces' own lines if marks cannot show their cuts."""

    folds: Mapping[int, tuple[Segment, ...]]
    own_lines: Mapping[int, tuple[Line, ...]]


@dataclass(frozen=True)
class SideSlots:
    """The slots of a side, and those beyond a fold: places of faces, and obstacles for marks and margin items.

    `bleed` in mm is that of the pieces on a grid, and 0 on shared sheets.
    """

    slots: tuple[Slot, ...]
    beyond: tuple[Slot, ...] = ()
    crease: Segment | None = None
    bleed: float = 0.0

    def for_sheet(self, used: UsedSlots) -> "SideSlots":
        """Return the slots of a sheet, with the whole bleed on the sides of used slots beside unused ones."""
        opened = open_bleeds(self.slots, used, self.bleed)
        return replace(self, slots=opened, beyond=open_bleeds(self.beyond, used, self.bleed))

    @property
    def ink(self) -> Rect:
        """The box around everything that may be inked."""
        return Rect.around([slot.ink for slot in (*self.slots, *self.beyond)])

    def draw_marks(
        self,
        style: MarkStyle,
        used: UsedSlots,
        bounds: Rect,
        obstacles: Sequence[Rect],
        guides: Guides,
    ) -> tuple[Line, ...]:
        """Return the marks for the used slots and the fold lines."""
        boxes = [at for at in used if at not in guides.own_lines]
        slots = [side[at] for side in (self.slots, self.beyond) if side for at in boxes]
        obstacles = [*obstacles, *(self.slots[at].trim for at in used if at in guides.own_lines)]
        creases = draw_crease(self.crease, bounds, obstacles) if self.crease else ()
        clear = [slot.ink for slot in slots]
        ends = [
            line
            for at in boxes
            for segment in guides.folds.get(at, ())
            for line in draw_crease_ends(segment, self.slots[at].ink, bounds, [*obstacles, *clear])
        ]
        own_lines_used = [line for at in used for line in guides.own_lines.get(at, ())]
        return (*_marks(style, slots, bounds, obstacles), *creases, *ends, *own_lines_used)


def _marks(
    style: MarkStyle, slots: Sequence[Slot], bounds: Rect, obstacles: Sequence[Rect]
) -> tuple[Line, ...]:
    if not any(slot.clip for slot in slots):
        return draw_grid_marks(style, slots, bounds, obstacles)
    cuts = [slot.cut or Outline.of_box(slot.trim) for slot in slots]
    inks = [slot.clip or Outline.of_box(slot.ink) for slot in slots]
    return draw_outline_marks(cuts, inks, style.reach, bounds, obstacles) if style.reach else ()


@dataclass(frozen=True)
class Template:
    """Slots, marks for each set of used slots, the ruler with its labels, and a footer to fill in."""

    side: SideSlots
    marks: Mapping[UsedSlots, tuple[Line, ...]]
    ruler: tuple[Line, ...]
    labels: tuple[Note, ...]
    footer: tuple[Note, ...]
    cuts: Mapping[UsedSlots, tuple[Line, ...]] = field(default_factory=dict)

    def fill_side(
        self, label: str, placed: tuple[PlacedFace, ...], used: UsedSlots, line: str, undo: Affine
    ) -> SheetSide:
        """Return the side of one sheet: its faces, marks if it has any faces, and margin items."""
        rows = split_footer(line) if len(self.footer) > 1 else (line,)
        footers = tuple(
            replace(note, text=row) for note, row in zip(self.footer, rows, strict=False)
        )
        marks = self.marks.get(used, ()) if placed else ()
        notes = (*self.labels, *footers)
        return SheetSide(label, placed, marks, self.ruler, notes, undo, self.cuts.get(used, ()))


def make_template(
    side: SideSlots,
    marks: Mapping[UsedSlots, tuple[Line, ...]],
    plan: MarginPlan,
    texts: tuple[str, RulerLabels],
    box: Rect | None = None,
) -> Template:
    """Return the template of a side whose margin items, with the longest footer and the ruler's labels, are placed."""
    footer, labels = texts
    scale = plan.frames.get(RULER)
    across = plan.frames.get(CROSS)
    foot = plan.frames.get(FOOTER)
    outline = draw_outline(box) if box else ()
    return Template(
        side,
        {used: (*lines, *outline) for used, lines in marks.items()},
        (*(draw_ruler(scale) if scale else ()), *(draw_cross_ruler(across) if across else ())),
        place_ruler_labels(scale, labels) if scale else (),
        place_footer(footer, foot) if foot else (),
    )


@dataclass(frozen=True)
class SheetRun:
    """Pieces that share their sheets, and their layout.

    `skip` slots of the first sheet are already used. `sheet_slots` are the slots of each sheet that take
    the pieces; without it, the pieces fill all slots in a row. `choices` are notices of what was chosen
    for the run and why; `cut_texts` are footer texts on cuts that marks do not show.
    """

    pieces: tuple[Piece, ...]
    layout: Layout
    setup: Setup
    mode: DuplexMode
    skip: int = 0
    choices: tuple[str, ...] = ()
    cut_texts: tuple[str, ...] = ()
    sheet_slots: tuple[UsedSlots, ...] = ()

    @property
    def capacity(self) -> int:
        """The number of pieces on a sheet."""
        return len(self.layout.slots)

    @property
    def sheet_count(self) -> int:
        """The number of sheets of the run."""
        return len(self.sheet_slots) or ceil((len(self.pieces) + self.skip) / self.capacity)

    def get_used_slots(self, index: int) -> UsedSlots:
        """Return the slots that a sheet of the run uses."""
        if self.sheet_slots:
            return self.sheet_slots[index]
        start = self.skip if index == 0 else 0
        stop = min(self.capacity, len(self.pieces) + self.skip - index * self.capacity)
        return tuple(range(start, stop))

    def get_pieces(self, index: int) -> Sequence[Piece]:
        """Return the pieces of a sheet of the run."""
        if self.sheet_slots:
            start = sum(map(len, self.sheet_slots[:index]))
            return self.pieces[start : start + len(self.sheet_slots[index])]
        start = index * self.capacity - self.skip
        return self.pieces[max(0, start) : start + self.capacity]

    @property
    def front_name(self) -> str:
        """The name of a front page in the footer."""
        return self.setup.words.both if self.mode.has_backs_on_front else self.setup.words.front

    def front_line(self, number: int, total: int) -> str:
        """Return the footer of a front."""
        return self._line(
            number, total, self.front_name, self.setup.words.how_to_print(self.mode.name)
        )

    def back_line(self, number: int, total: int, *, blank: bool) -> str:
        """Return the footer of a back."""
        side = self.setup.words.blank if blank else self.setup.words.back
        return self._line(number, total, side, self.setup.words.how_to_print_behind(self.mode.name))

    def _line(self, number: int, total: int, side: str, how: str) -> str:
        """Return a footer such as `Game 2 · cards · sheet 2 of 5 · front · print at 100 %, flip on the long edge`."""
        words = self.setup.words
        parts = (
            self.setup.caption,
            ", ".join((self.title, *self.round_texts, *self.cut_texts)),
            words.sheet.format(number=number, total=total),
            side,
            words.printing.format(how=how),
        )
        return " · ".join(filter(None, parts))

    @property
    def ruler_labels(self) -> RulerLabels:
        """The labels of the ruler's two scales."""
        return self.setup.words.millimetres, self.setup.words.inches

    def find_creases(self, places: Sequence[Slot]) -> dict[int, tuple[Segment, ...]]:
        """Return the folds and joins in each slot of a sheet of fronts."""
        pieces = map(self.get_piece, range(len(places)))
        return {
            at: tuple(place_crease(crease, piece, slot) for crease in piece.net.creases)
            for at, (piece, slot) in enumerate(zip(pieces, places, strict=True))
            if piece.net
        }

    def find_lines(self, places: Sequence[Slot]) -> dict[int, tuple[Line, ...]]:
        """Return the lines that pieces bring themselves, by slot."""
        pieces = map(self.get_piece, range(len(places)))
        return {
            at: tuple(place_line(line, piece, slot) for line in piece.net.lines)
            for at, (piece, slot) in enumerate(zip(pieces, places, strict=True))
            if piece.net and piece.net.lines
        }

    def get_piece(self, at: int) -> Piece:
        """Return a piece for a slot: shared sheets have the same piece there on each sheet, others have equal ones."""
        return self.pieces[min(at, len(self.pieces) - 1)]

    @cached_property
    def round_texts(self) -> tuple[str, ...]:
        """The diameters and corner radii of the pieces as footer texts: straight marks cannot show them."""
        words = self.setup.words
        # Copies of a design follow each other: they are compared before an outline is hashed.
        runs = groupby(piece.outline for piece in self.pieces if not piece.net)
        outlines = dict.fromkeys(outline for outline, _ in runs)
        circles = [
            words.circles.format(mm=number(item.size.w)) for item in outlines if item.is_circle
        ]
        corners = [
            words.corners.format(mm=number(outline.radius))
            for outline in outlines
            if outline.radius and not outline.is_circle
        ]
        return tuple(dict.fromkeys((*circles, *corners)))

    @cached_property
    def title(self) -> str:
        """The names of the components on the sheets, joined by commas."""
        return ", ".join(dict.fromkeys(piece.component for piece in self.pieces))


@dataclass(frozen=True)
class PlacedRun:
    """The parts that all sheets of a run share; `back` is None if the mode prints none."""

    run: SheetRun
    front: Template
    back: Template | None
    notices: tuple[str, ...]

    def count_footers(self) -> int:
        """Return the number of sides with a footer."""
        return sum(bool(side.footer) for side in (self.front, self.back) if side is not None)


def place_run(run: SheetRun, total: int) -> PlacedRun:
    """Place slots, marks and margin items of both sides, for a job of `total` sheets.

    Footers name the cuts that marks do not show.
    """
    placed = _place_sides(run, total)
    cut_texts = _Cuts.of(run, placed.front, run.get_used_slots(0)).footer_texts
    if cut_texts:
        longer = _place_sides(replace(run, cut_texts=cut_texts), total)
        # A footer says how to flip the paper: where it leaves no space for cuts, a notice names
        # them.
        placed = longer if longer.count_footers() >= placed.count_footers() else placed
    lines = {used: tuple(_Cuts.of(run, placed.front, used).lines) for used in placed.front.marks}
    return replace(placed, front=replace(placed.front, cuts=lines))


def has_footers(run: SheetRun) -> bool:
    """Return True if the line on how to print and flip the paper has a place on all sides that are printed."""
    front, back = _find_sides(run)
    total = run.sheet_count
    plans = [_plan_side(run, front, run.front_line(total, total), is_front=True)[0]]
    if back and run.layout.spot.fold is None:
        line = run.back_line(total, total, blank=True)
        plans.append(_plan_side(run, back, line, is_front=False)[0])
    return all(FOOTER in plan.frames for plan in plans)


def leave_footer_space(run: SheetRun) -> SheetRun:
    """Return the run with a strip for the footer that bleed leaves free at the bottom of each side."""
    line = run.front_line(run.sheet_count, run.sheet_count)
    return replace(run, setup=replace(run.setup, footer_space=measure_least_footer(line)))


def move_up_for_footer(run: SheetRun) -> SheetRun:
    """Return the run with its slots moved up so that the footer and some bleed fit below them, if the top allows.

    A sheet that turns about its upright middle keeps all backs behind their fronts.
    """
    trims = Rect.around([slot.trim for slot in run.layout.slots])
    printable = run.setup.printable
    spare = trims.y - printable.y - (MARK_AND_BLEED_MM if run.setup.marks.reach else 0.0)
    missing = run.setup.footer_space + MIN_BLEED_MM - (printable.bottom - trims.bottom)
    if not 0 < missing <= spare or run.layout.spot.fold is not None:
        return run
    slots = tuple(slot.moved(Point(0, -missing)) for slot in run.layout.slots)
    return replace(run, layout=replace(run.layout, slots=slots))


def _plan_side(
    run: SheetRun, side: SideSlots, footer: str, *, is_front: bool
) -> tuple[MarginPlan, Rect | None]:
    """Return the places of a side's margin items, and its outline for gluing."""
    printable = run.setup.printable
    reach = run.setup.marks.reach
    outline = find_outline(side.ink, printable) if run.mode.has_outline else None
    ink = outline or side.ink
    if is_front:
        return plan_front(footer, run.ruler_labels, printable, ink, reach), outline
    return plan_back(footer, printable, ink, reach), outline


def _find_sides(run: SheetRun) -> tuple[SideSlots, SideSlots | None]:
    """Return the slots for fronts, and those for backs if any are printed.

    Backs that come behind their fronts by a fold are on the side of the fronts.
    """
    spot = run.layout.spot
    fronts = _limit_ink(run.layout.slots, run.setup)
    # Shared sheets have no grid, and pieces with several bleeds.
    bleed = run.pieces[0].bleed if run.layout.grid is not None else 0.0
    if spot.map_to_back is None:
        return SideSlots(fronts, bleed=bleed), None
    backs = _limit_ink([spot.map_to_back(slot) for slot in run.layout.slots], run.setup)
    beyond = backs if spot.fold else ()
    return SideSlots(fronts, beyond, spot.fold, bleed), SideSlots(backs, bleed=bleed)


def _place_sides(run: SheetRun, total: int) -> PlacedRun:
    fronts, backs = _find_sides(run)
    front, missing = _template(run, fronts, run.front_line(total, total), is_front=True)
    back = None
    if backs and run.layout.spot.fold:
        # The side is the front, whose template has its marks and margin items.
        back = Template(backs, {}, (), (), ())
    elif backs:
        line = run.back_line(total, total, blank=True)
        back, missing_behind = _template(run, backs, line, is_front=False)
        missing += missing_behind
    return PlacedRun(run, front, back, _notices(run, front, missing))


@dataclass(frozen=True)
class _Cuts:
    """The cuts of a sheet: all outlines, and those with a thin line because marks do not show them.

    `unmarked_edges` counts the edges with neither marks nor a line.
    """

    run: SheetRun
    outlines: tuple[Outline, ...]
    lined: tuple[Outline, ...]
    unmarked_edges: int
    circles: tuple[Outline, ...] = ()

    @classmethod
    def of(cls, run: SheetRun, front: Template, used: UsedSlots) -> "_Cuts":
        """Return the cuts of the slots that a sheet uses."""
        if not run.setup.marks.reach:
            return cls(run, (), (), 0)
        marks = front.marks.get(used, ())
        marked_slots = [
            front.side.slots[at]
            for at in used
            if (net := run.get_piece(at).net) is None or not net.lines
        ]
        cuts = tuple(slot.cut or Outline.of_box(slot.trim) for slot in marked_slots)
        unmarked = find_unmarked(cuts, marks)
        lined = tuple(cut for cut in unmarked if has_space_around(cut, cuts, run.setup.printable))
        unlined = [cut for cut in unmarked if cut not in lined]
        inked = [at for at in used if run.get_piece(at).net is None and run.get_piece(at).bleed]
        circles = tuple(cut for at in inked if (cut := front.side.slots[at].cut) and cut.is_circle)
        return cls(run, cuts, lined, count_unmarked_edges(unlined, marks), circles)

    @property
    def lines(self) -> Iterator[Line]:
        """Yield the thin lines around pieces without marks, and on the trims of round pieces with bleed."""
        for cut in self.circles:
            yield from draw_circle_line(cut)
        for cut in self.lined:
            yield from draw_thin_line(cut)

    @property
    def footer_texts(self) -> tuple[str, ...]:
        """The footer texts about cuts that marks do not show."""
        words = self.run.setup.words
        line = (words.thin_line.format(mm=number(THIN_LINE_DISTANCE_MM)),) if self.lined else ()
        return (*line, *((words.picture,) if self.unmarked_edges else ()))

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices about cuts that marks do not show."""
        notices = []
        if self.lined:
            notices.append(describe_thin_lines(len(self.lined), len(self.outlines)))
        if self.unmarked_edges:
            notices.append(describe_missing_marks(self.unmarked_edges, count_edges(self.outlines)))
        return tuple(notices)


def _limit_ink(places: Sequence[Slot], setup: Setup) -> tuple[Slot, ...]:
    """Return the slots of a side with as much ink as marks and the printer leave them."""
    printable = setup.limit_ink(Rect.around([slot.trim for slot in places]))
    return tuple(limit_to_printable(slot, printable) for slot in places)


def _template(
    run: SheetRun, side: SideSlots, footer: str, *, is_front: bool
) -> tuple[Template, tuple[str, ...]]:
    """Return the template of a side, and the names of the items that have no place on it."""
    style = run.setup.marks
    printable = run.setup.printable
    planned, outline = _plan_side(run, side, footer, is_front=is_front)
    uses = set(run.sheet_slots) or {
        run.get_used_slots(index) for index in {0, max(0, run.sheet_count - 2), run.sheet_count - 1}
    }
    registration_marks = run.setup.cutter.draw_marks(run.setup.paper.size) if is_front else ()
    own_lines = run.find_lines(side.slots)
    guides = (
        Guides(run.find_creases(side.slots), own_lines)
        if is_front
        else Guides({}, dict.fromkeys(own_lines, ()))
    )
    lines = {
        used: side.for_sheet(used).draw_marks(style, used, printable, planned.boxes, guides)
        for used in uses
    }
    no_marks = (
        ("cut marks",)
        if style.reach and not has_both_directions(max(lines.values(), key=len))
        else ()
    )
    result = make_template(
        side,
        {used: (*registration_marks, *marks) for used, marks in lines.items()},
        planned,
        (footer, run.ruler_labels),
        outline,
    )
    no_outline = ("outline",) if run.mode.has_outline and outline is None else ()
    return result, planned.missing + no_marks + no_outline


def _notices(run: SheetRun, front: Template, missing: tuple[str, ...]) -> tuple[str, ...]:
    piece = run.pieces[0]
    grid = run.layout.grid
    notices = [
        *(describe_no_space(item, run.setup) for item in dict.fromkeys(missing)),
        describe_correction(run.setup),
    ]
    if "cut marks" not in missing:
        notices += _Cuts.of(run, front, run.get_used_slots(0)).notices
    if grid is not None:
        notices = [
            describe_grid(piece.grid, grid),
            describe_lost_bleed(piece.bleed, front.side.slots, run.setup),
            *notices,
        ]
    return tuple(f"{run.title}: {text}" for text in (*run.choices, *notices) if text)


def make_sheets(placed_run: PlacedRun, first: int, total: int) -> Iterator[Sheet]:
    """Yield the sheets of a run; `first` is the number of its first sheet in the job."""
    before: object = None
    placed: PlacedSides = ((), ())
    for index in range(placed_run.run.sheet_count):
        pieces = placed_run.run.get_pieces(index)
        used = placed_run.run.get_used_slots(index)
        if before != (pieces, used):  # equal sheets share their faces, which saves time and memory
            before = (pieces, used)
            placed = _place_faces(placed_run, pieces, used)
        yield _sheet(placed_run, placed, used, first + index, total)


def _place_faces(placed_run: PlacedRun, pieces: Sequence[Piece], used: UsedSlots) -> PlacedSides:
    pairs = list(zip(pieces, used, strict=True))

    def place(
        list_faces: Callable[[Piece, Slot], Iterator[PlacedFace]], template: Template | None
    ) -> tuple[PlacedFace, ...]:
        if template is None:
            return ()
        # Marks keep off the whole bleeds, so that only faces are parted.
        slots = part_bleeds(template.side.for_sheet(used).slots, used)
        return tuple(placed for piece, at in pairs for placed in list_faces(piece, slots[at]))

    return place(_front_faces, placed_run.front), place(_back_faces, placed_run.back)


def _sheet(
    placed_run: PlacedRun, placed: PlacedSides, used: UsedSlots, number: int, total: int
) -> Sheet:
    run = placed_run.run
    paper = placed_run.run.setup.paper.size
    (fronts, backs) = placed
    line = run.front_line(number, total)
    front = placed_run.front.fill_side(
        f"{number} {run.front_name}", fronts, used, line, run.setup.undo_front
    )
    if placed_run.back is None:
        return run.mode.assemble(paper, front, None)
    line = run.back_line(number, total, blank=not backs)
    label = f"{number} {run.setup.words.back}"
    return run.mode.assemble(
        paper, front, placed_run.back.fill_side(label, backs, used, line, run.setup.undo_back)
    )


def _front_faces(piece: Piece, slot: Slot) -> Iterator[PlacedFace]:
    if piece.net is None:
        turn = (slot.turn + piece.turn) % 360
        yield PlacedFace(piece.front, piece.id, slot.trim, slot.ink, turn, slot.clip)
    else:
        yield from (place_leaf(leaf, piece, slot) for leaf in piece.net.front)


def _back_faces(piece: Piece, slot: Slot) -> Iterator[PlacedFace]:
    if piece.net is not None:
        yield from (place_leaf(leaf, piece, slot) for leaf in piece.net.back)
    elif piece.back is not None:
        # A turn to the right is one to the left as seen from the back.
        turn = (slot.turn - piece.turn) % 360
        yield PlacedFace(piece.back, piece.id, slot.trim, slot.ink, turn, slot.clip)


def make_beds(run: SheetRun, first: int) -> Iterator[Bed]:
    """Yield the cuts of the sheets, grouped by sheets that are cut alike.

    `first` is the number of the first sheet.
    """
    paper = Rect(0, 0, *run.setup.paper.size)
    folded_along = run.layout.spot.fold
    if folded_along:
        is_upright = folded_along.a.x == folded_along.b.x
        corner = (
            Point(folded_along.b.x, paper.bottom)
            if is_upright
            else Point(paper.right, folded_along.b.y)
        )
        paper = Rect(0, 0, *corner)
    for used, group in groupby(range(run.sheet_count), run.get_used_slots):
        numbers = [first + index for index in group]
        pieces = run.get_pieces(numbers[0] - first)
        outlines = tuple(
            find_cut_outline(piece, run.layout.slots[at])
            for piece, at in zip(pieces, used, strict=True)
        )
        bridges = tuple(piece.bridge or 0.0 for piece in pieces)
        parts = tuple(
            run.layout.slots[at].trim if piece.net else cut.box
            for piece, at, cut in zip(pieces, used, outlines, strict=True)
        )
        yield Bed(
            numbers[0],
            numbers[-1],
            run.title,
            paper,
            outlines,
            folded_along is not None,
            bridges,
            parts,
        )
