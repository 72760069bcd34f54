"""The sheets of one run: pieces of one component that share a size and a bleed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from generator.geometry import Rect
from generator.impose import marks
from generator.impose.duplex.mode import Mode
from generator.impose.fit import grid_for
from generator.impose.furniture import footer, plan
from generator.impose.grid import Grid
from generator.impose.marks.draw import both_ways
from generator.impose.notices import cut_bleed, no_room, smaller_margin
from generator.impose.setup import Setup
from generator.impose.sheet import Piece, Placed, Sheet
from generator.impose.side import Template, drawn, template
from generator.impose.slots import Slot, slots

Planner = Callable[[str, Rect, Rect, float], plan.Plan]

FRONT, BACK, BLANK = "front", "back", "back (blank)"


@dataclass(frozen=True)
class Run:
    """Pieces that share their sheets, and the grid that they lie in."""

    pieces: tuple[Piece, ...]
    grid: Grid
    setup: Setup
    mode: Mode

    @property
    def sheets(self) -> int:
        """How many sheets it takes."""
        return -(-len(self.pieces) // self.grid.capacity)

    def line(self, number: int, total: int, side: str) -> str:
        """The footer of a side."""
        sheet = f"sheet {number} of {total}"
        return footer.text(self.setup.caption, self.pieces[0].component, sheet, side, self.mode.how)

    def counts(self) -> set[int]:
        """How many slots its sheets use: all, and what is left for the last one."""
        full = self.grid.capacity
        return {min(full, len(self.pieces)), len(self.pieces) % full or full}


@dataclass(frozen=True)
class Laid:
    """What the sheets of a run have in common; `back` is none where the mode prints none."""

    run: Run
    front: Template
    back: Template | None
    notices: tuple[str, ...]


def run_of(pieces: tuple[Piece, ...], setup: Setup, mode: Mode) -> Run:
    """The run, with the grid that fits its pieces."""
    return Run(pieces, grid_for(pieces[0], setup, mode.field(setup.area).size), setup, mode)


def laid(run: Run, total: int) -> Laid:
    """Slots, marks and furniture of both sides, for a job of so many sheets."""
    setup, behind, bleed = run.setup, run.mode.behind, run.pieces[0].bleed
    fronts = slots(run.grid, run.mode.field(setup.area), bleed, setup.printable)
    front, missing = _template(run, fronts, run.line(total, total, FRONT), plan.for_front)
    back = None
    if behind is not None:
        backs = tuple(behind(slot, setup.paper.size) for slot in fronts)
        back, more = _template(run, backs, run.line(total, total, BLANK), plan.for_back)
        missing += more
    return Laid(run, front, back, _notices(run, fronts, missing))


def _template(run: Run, places: tuple[Slot, ...], longest: str, planner: Planner) -> tuple[Template, tuple[str, ...]]:
    style, printable = marks.style(run.setup.marks), run.setup.printable
    planned = planner(longest, printable, Rect.round_all([slot.ink for slot in places]), style.reach)
    lines = drawn(style, places, run.counts(), printable, planned)
    bare = ("cut marks",) if style.reach and not both_ways(lines[max(lines)]) else ()
    return template(places, lines, planned, longest), planned.missing + bare


def _notices(run: Run, fronts: tuple[Slot, ...], missing: tuple[str, ...]) -> tuple[str, ...]:
    piece = run.pieces[0]
    said = [cut_bleed(piece.bleed, fronts), *(no_room(item, run.setup) for item in missing)]
    if run.sheets > 1 and run.setup.grid is None:
        said.append(smaller_margin(piece, run.grid, run.setup))
    return tuple(f"{piece.component}: {text}" for text in said if text)


def sheets(made: Laid, first: int, total: int) -> Iterator[Sheet]:
    """The sheets, the first of them with that number in the whole job."""
    run, capacity = made.run, made.run.grid.capacity
    for index in range(run.sheets):
        pieces = run.pieces[index * capacity : (index + 1) * capacity]
        yield _sheet(made, pieces, first + index, total)


def _sheet(made: Laid, pieces: Sequence[Piece], number: int, total: int) -> Sheet:
    run, paper = made.run, made.run.setup.paper.size
    faces = [_placed(piece.front, piece, slot) for piece, slot in zip(pieces, made.front.slots, strict=False)]
    front = made.front.side(f"{number} {FRONT}", faces, len(pieces), run.line(number, total, FRONT))
    if made.back is None:
        return run.mode.assemble(paper, front, None)
    pairs = zip(pieces, made.back.slots, strict=False)
    backs = [_placed(piece.back, piece, slot) for piece, slot in pairs if piece.back is not None]
    line = run.line(number, total, BACK if backs else BLANK)
    return run.mode.assemble(paper, front, made.back.side(f"{number} {BACK}", backs, len(pieces), line))


def _placed(face: str, piece: Piece, slot: Slot) -> Placed:
    return Placed(face, piece.id, slot.trim, slot.ink, slot.turn)
