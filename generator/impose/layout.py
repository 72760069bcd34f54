"""The choice of a run's layout, and the notices about layouts that do not fit or could be better."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor

from generator.core.geometry import EPSILON, Rect, Size
from generator.core.paper import papers
from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.impose.duplex import DuplexSpot, Mode
from generator.impose.guillotine import both_ways, bound
from generator.impose.marks.fold import AWAY
from generator.impose.setup import KEPT, MARK, ROOM, Setup, inside
from generator.impose.sheet import Piece
from generator.impose.slots import Grid, Slot, best, forced, inks, nested, shaped, slots


@dataclass(frozen=True)
class Layout:
    """Slots for fronts and the part of the paper that holds them; `grid` is None for other arrangements."""

    slots: tuple[Slot, ...]
    spot: DuplexSpot
    grid: Grid | None


def layout_for(piece: Piece, setup: Setup, mode: Mode) -> Layout:
    """Return the requested grid or the fullest one.

    Raise Wrong with the space that is needed if no piece or grid fits.
    """
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
    """Return a layout with pieces in both orientations, `gap` mm apart; None if none fits.

    Marks have space between the bleeds; the bleeds are shortened where they would leave none.
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
    """Return an upper bound on the pieces per sheet, in any orientation."""
    spots = mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed)
    return max(bound(piece.size, spot.field.size, setup.gutter_for(piece.bleed)) for spot in spots)


def _fullest(piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]) -> tuple[Grid, DuplexSpot] | None:
    grids = [(_grid(piece, setup, spot.field.size), spot) for spot in spots]
    found = [(grid, spot) for grid, spot in grids if grid is not None]
    return max(found, key=lambda pair: pair[0].capacity, default=None)


def _instead(piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]) -> tuple[Grid, DuplexSpot] | None:
    """Return a component's own grid turned by 90 degrees, or the fullest grid if that does not fit either."""
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


# Advice names no margin that is smaller by more than this.
MOST_OFF_A_MARGIN = 3.0


def smaller_margin(piece: Piece, grid: Grid, setup: Setup, mode: Mode) -> str:
    """Return a notice naming the slightly smaller margin that fits most pieces; empty if none fits more.

    Marks and some bleed keep their space.
    """
    most = min(MOST_OFF_A_MARGIN, least_margin(setup) - setup.unprintable - ROOM)
    found = [
        (_fullest_grid(piece, grid.gutter, setup, mode, off), off)
        for off in offs(piece, grid.gutter, setup, mode, most)
    ]
    fuller, off = max(found, key=lambda pair: (pair[0].capacity if pair[0] else 0, -pair[1]), default=(None, 0.0))
    if fuller is None or fuller.capacity <= grid.capacity:
        return ""
    return f"on {setup.paper.title}, {margin(setup, off)} would fit {fuller} instead of {grid}"


def least_margin(setup: Setup) -> float:
    """Return the smallest of the four margins in mm."""
    return min(mm for _, mm in setup.kept.sides())


def offs(piece: Piece, gutter: float, setup: Setup, mode: Mode, most: float) -> list[float]:
    """Return the reductions of the margins in mm, smallest first and up to `most`, that make space for more."""
    return [off for off in sorted(set(_missing(piece, gutter, setup, mode))) if EPSILON < off <= most + EPSILON]


def saved(margins: str, few: int, many: int, setup: Setup) -> str:
    """Return a notice of the chosen margin and the sheets that it saves.

    `many` is 0 if no piece fits with the default margin.
    """
    why = f"{few} sheet{'' if few == 1 else 's'} instead of {many}" if many else "with more, a piece does not fit"
    return f"on {setup.paper.title}, {margins}: {why}"


def both(margins: str, held: tuple[int, int], sheets: tuple[int, int]) -> str:
    """Return a notice that pieces lie in both orientations, with the margins and the sheets saved."""
    how = f"pieces lie both ways{f', with {margins}' if margins else ''}"
    return f"{how}: {held[0]} on a sheet instead of {held[1]}, {sheets[0]} sheets instead of {sheets[1]}"


def between(bleed: float, slots: tuple[Slot, ...]) -> str:
    """Return a notice of the bleed left between pieces, if marks or a narrow gutter take some of it."""
    whole = Rect.round_all([slot.ink for slot in slots])
    sides = [side for slot in slots for side in _inner(slot, whole)]
    left = min(sides, default=bleed)
    why = f"only {number(left)} mm of the {number(bleed)} mm bleed is left between pieces"
    return f"{why}, where marks need room" if 0 < left < bleed - EPSILON else ""


def _inner(slot: Slot, whole: Rect) -> Iterator[float]:
    """Yield the bleeds of a piece in mm at the sides that have neighbours."""
    trim = slot.trim
    ink = slot.ink
    level = ((trim.x, ink.x, whole.x), (trim.right, ink.right, whole.right))
    upright = ((trim.y, ink.y, whole.y), (trim.bottom, ink.bottom, whole.bottom))
    yield from (abs(at - to) for at, to, edge in (*level, *upright) if abs(to - edge) > EPSILON)


def _fullest_grid(piece: Piece, gutter: float, setup: Setup, mode: Mode, off: float) -> Grid | None:
    spots = mode.spots(inside(setup.paper.size, setup.kept.smaller(off)), setup.paper.size, piece.bleed)
    grids = [grid for spot in spots if (grid := best(piece.size, spot.field.size, gutter))]
    return max(grids, key=lambda grid: grid.capacity, default=None)


def _missing(piece: Piece, gutter: float, setup: Setup, mode: Mode) -> Iterator[float]:
    """Yield the reductions of each margin in mm that make space for one more column or row.

    A part of the paper between two margins gains both reductions, a part beside a fold gains one.
    """
    for spot in mode.spots(setup.area_for(piece.bleed), setup.paper.size, piece.bleed):
        for turn in (0, 90):
            for cell, room in zip(piece.size.turned(turn), spot.field.size, strict=True):
                more = floor((room + gutter + EPSILON) / (cell + gutter)) + 1
                short = more * cell + (more - 1) * gutter - room
                yield from (_upwards(short / 2), _upwards(short))


def _upwards(mm: float) -> float:
    """Round up to 0.01 mm, so that the margin in the notice is enough."""
    return -floor(-(mm - EPSILON) * 100) / 100


def margin(setup: Setup, off: float) -> str:
    """Return the words for margins that are smaller by `off` mm."""
    sizes = {mm for _, mm in setup.kept.sides()}
    if len(sizes) > 1:
        return f"margins smaller by {number(off)} mm"
    mm = sizes.pop()
    return f"a margin of {number(mm - off)} mm instead of {number(mm)} mm"


def cut_bleed(bleed: float, slots: tuple[Slot, ...], setup: Setup) -> str:
    """Return a notice of the bleed left where the unprintable edge or marks take some; empty if none is lost."""
    trims = Rect.round_all([slot.trim for slot in slots])
    inks = Rect.round_all([slot.ink for slot in slots])
    left = min(trims.x - inks.x, trims.y - inks.y, inks.right - trims.right, inks.bottom - trims.bottom)
    if left > bleed - EPSILON:
        return ""
    marks = setup.printable.grown(-MARK / 2).holds(inks)
    why = "is left at the sheet's edge, where marks need room" if marks else "can be printed at the sheet's edge"
    return f"only {number(left)} mm of the {number(bleed)} mm bleed {why}; a larger margin keeps it whole"


def moved(setup: Setup) -> str:
    """Return a notice of margins that grew so that correcting the printer keeps all pieces printable."""
    if setup.kept == setup.margins:
        return ""
    pairs = zip(setup.kept.sides(), setup.margins.sides(), strict=True)
    sides = ", ".join(f"{number(kept)} mm at the {side}" for (side, kept), (_, mm) in pairs if kept > mm + EPSILON)
    why = "nearer, undoing what the printer does would move pieces out of what it prints"
    return f"on {setup.paper.title}, margins of {sides}: {why}"


def edges_without_marks(missed: int, edges: int) -> str:
    """Return a notice of the edges that have neither marks nor lines to cut by."""
    return f"{missed} of {edges} edges of a sheet have no marks at both ends: cut them along the picture"


def thin_lines(lined: int, pieces: int) -> str:
    """Return a notice of the pieces that have a thin line to cut by, because marks cannot show their edges."""
    many = "each piece" if lined == pieces else f"{lined} of {pieces} pieces of a sheet"
    return (
        f"marks cannot show every edge of {many}: cut {number(AWAY)} mm inside the thin line round it, or with --cutter"
    )


def wider(gutter: float, many: int, few: int) -> str:
    """Return a notice of the price of a gutter with space for marks."""
    return f"with a gutter of {number(gutter)} mm every edge would have marks, on {many} sheets instead of {few}"


def no_room(item: str, setup: Setup) -> str:
    """Return a notice that an item does not fit in the margins."""
    return f"no room for the {item} in the margins of {setup.paper.title}; larger margins would give it some"


def other_grid(wanted: tuple[int, int] | None, grid: Grid) -> str:
    """Return a notice that the pack's grid does not fit; empty if it does."""
    if wanted is None or sorted(wanted) == sorted((grid.columns, grid.rows)):
        return ""
    return f"the pack's grid of {wanted[0]} x {wanted[1]} does not fit here; {grid} instead"
