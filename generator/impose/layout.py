"""Choosing the layout of a run's sheets, and saying what would do when there is none."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.core.geometry import EPSILON, Size
from generator.core.paper import papers
from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.impose.duplex import DuplexSpot, Mode
from generator.impose.guillotine import both_ways, bound
from generator.impose.setup import KEPT, MARK, Setup, inside
from generator.impose.sheet import Piece
from generator.impose.slots import Grid, Slot, best, forced, inks, nested, shaped, slots


@dataclass(frozen=True)
class Layout:
    """Slots for fronts, and the part of the paper that they lie in; `grid` is none where they lie in none."""

    slots: tuple[Slot, ...]
    spot: DuplexSpot
    grid: Grid | None


def layout_for(piece: Piece, setup: Setup, mode: Mode) -> Layout:
    """The forced grid or the fullest one; raises with what is needed when there is none."""
    spots = mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed)
    found = _fullest(piece, setup, spots) or (_instead(piece, setup, spots) if piece.grid else None)
    if found is None:
        area = max((spot.field.size for spot in spots), key=min)
        raise _too_large(piece, setup, area, mode) if setup.grid is None else _too_many(piece, setup, area, mode)
    grid, spot = found
    nest = _nested(piece, setup, spots) if setup.grid is None else None
    if nest is not None and len(nest.slots) > grid.capacity:
        return nest
    found_slots = slots(grid, spot.field, piece.bleed, setup.printable)
    return Layout(tuple(shaped(piece, slot, setup.printable) for slot in found_slots), spot, grid)


def _nested(piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]) -> Layout | None:
    gutter = setup.gutter_for(piece.bleed)
    layouts = [Layout(nested(piece, gutter, spot.field, setup.printable), spot, None) for spot in spots]
    return max(layouts, key=lambda layout: len(layout.slots))


def mixed_layout(piece: Piece, setup: Setup, mode: Mode, gap: float) -> Layout | None:
    """Pieces that lie both ways with so many mm between them, or none where not one fits.

    Between bleeds marks have room, for which these are shortened where they would leave none.
    """
    spots = mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed)
    found = [(spot, both_ways(piece.size, spot.field.size, gap)) for spot in spots]
    spot, trims = max(found, key=lambda each: len(each[1]))
    if not trims:
        return None
    room = MARK if setup.marks.reach and gap >= MARK + 2 * min(KEPT, piece.bleed) - EPSILON else 0.0
    places = [trim.shifted((spot.field.x, spot.field.y)) for trim, _ in trims]
    covered = inks(places, [piece.bleed] * len(places), setup.printable, room)
    turned = zip(places, covered, trims, strict=True)
    made = (shaped(piece, Slot(place, ink, turn), setup.printable) for place, ink, (_, turn) in turned)
    return Layout(tuple(made), spot, None)


def most(piece: Piece, setup: Setup, mode: Mode) -> int:
    """More pieces than that fit on no sheet, however they lie."""
    spots = mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed)
    return max(bound(piece.size, spot.field.size, setup.gutter_for(piece.bleed)) for spot in spots)


def _fullest(piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]) -> tuple[Grid, DuplexSpot] | None:
    grids = [(_grid(piece, setup, spot.field.size), spot) for spot in spots]
    found = [(grid, spot) for grid, spot in grids if grid is not None]
    return max(found, key=lambda pair: pair[0].capacity, default=None)


def _instead(piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]) -> tuple[Grid, DuplexSpot] | None:
    """A component's own grid lying on its side, or the fullest where that does not fit either."""
    across, down = piece.grid or (1, 1)
    turned = _fullest(piece, replace(setup, grid=(down, across)), spots)
    return turned or _fullest(piece, replace(setup, grid=None), spots)


def _grid(piece: Piece, setup: Setup, area: Size) -> Grid | None:
    gutter = setup.gutter_for(piece.bleed)
    return best(piece.size, area, gutter) if setup.grid is None else forced(setup.grid, piece.size, area, gutter)


IN_PARTS = "`make: board` prints it on several sheets to be joined"


def _too_large(piece: Piece, setup: Setup, area: Size, mode: Mode) -> Wrong:
    return Wrong(
        f"{piece.component}: a piece of {_mm(piece.size)} does not fit on {setup.paper.title}",
        f"at most {_mm(area)}, which is what the margins leave{_halved(mode)}",
        f"{_papers_for(piece, setup, mode)}; {IN_PARTS}",
        Kind.FIT,
    )


def _too_many(piece: Piece, setup: Setup, area: Size, mode: Mode) -> Wrong:
    grid = Grid(*(setup.grid or (1, 1)), piece.size, setup.gutter_for(piece.bleed))
    return Wrong(
        f"{piece.component}: a grid of {grid} pieces of {_mm(piece.size)}, {number(grid.gutter)} mm apart, "
        f"needs {_mm(grid.size)}",
        f"at most {_mm(area)}, which is what the margins leave of {setup.paper.title}{_halved(mode)}",
        _largest(grid, area) + _papers_for(piece, setup, mode),
        Kind.FIT,
    )


def _halved(mode: Mode) -> str:
    return f" to fronts and backs, {mode.name}" if mode.name == "gutterfold" else ""


def _largest(grid: Grid, area: Size) -> str:
    w = (area.w - (grid.columns - 1) * grid.gutter) / grid.columns
    h = (area.h - (grid.rows - 1) * grid.gutter) / grid.rows
    return f"the largest piece that fits it: {_mm(Size(w, h))}; " if min(w, h) > 0 else ""


def _papers_for(piece: Piece, setup: Setup, mode: Mode) -> str:
    enough = list(_enough(piece, setup, mode))
    return f"paper that would do: {', '.join(enough)}" if enough else "no paper of the table is large enough"


def _enough(piece: Piece, setup: Setup, mode: Mode) -> Iterator[str]:
    for row in papers():
        spots = mode.spots(inside(row.size, setup.margins), row.size, piece.bleed)
        if _fullest(piece, setup, spots) is not None:
            yield row.title


def _mm(size: Size) -> str:
    return f"{number(size.w)} x {number(size.h)} mm"
