"""The choice of a run's layout, and the notices about layouts that do not fit or could be better."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import EPSILON, Rect, Size
from generator.base.paper import papers
from generator.base.units import format_count, number
from generator.impose.duplex import DuplexMode, DuplexSpot
from generator.impose.grid import (
    Grid,
    Slot,
    bound_capacity,
    count_cells,
    find_best_grid,
    find_inks,
    force_grid,
    measure_cells,
    place_both_ways,
    place_nested,
    place_slots,
    shape_slot,
)
from generator.impose.marks import THIN_LINE_DISTANCE_MM
from generator.impose.setup import MARK_SPACE_MM, MIN_BLEED_MM, Setup, find_inner_area
from generator.impose.sheet import Piece


@dataclass(frozen=True)
class Layout:
    """Slots for fronts and the part of the paper that holds them.

    `grid` is None for other arrangements.
    """

    slots: tuple[Slot, ...]
    spot: DuplexSpot
    grid: Grid | None


def find_layout(piece: Piece, setup: Setup, mode: DuplexMode) -> Layout:
    """Return the requested grid or the fullest one.

    Raise InvalidValueError with the space that is needed if no piece or grid fits.
    """
    spots = setup.find_spots(mode, piece.bleed)
    choice = _find_fullest_grid(piece, setup, spots) or (
        _replacement_grid(piece, setup, spots) if piece.grid else None
    )
    if choice is None:
        area = max((spot.area.size for spot in spots), key=min)
        raise (
            _piece_too_large(piece, setup, area, mode)
            if setup.grid is None
            else _grid_too_large(piece, setup, area, mode)
        )
    grid, spot = choice
    nest = _find_nested_layout(piece, setup, spots) if setup.grid is None else None
    if nest is not None and len(nest.slots) > grid.capacity:
        return nest
    found_slots = place_slots(grid, spot.area, piece.bleed, setup.printable)
    return Layout(
        tuple(shape_slot(piece, slot, setup.printable) for slot in found_slots), spot, grid
    )


def _find_nested_layout(piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]) -> Layout | None:
    gutter = setup.get_gutter(piece.bleed)
    layouts = [
        Layout(place_nested(piece, gutter, spot.area, setup.printable), spot, None)
        for spot in spots
    ]
    return max(layouts, key=lambda layout: len(layout.slots))


def find_mixed_layout(piece: Piece, setup: Setup, mode: DuplexMode, gap: float) -> Layout | None:
    """Return a layout with pieces in both orientations, `gap` mm apart; None if none fits.

    Marks have space between the bleeds; the bleeds are shortened where they would leave none.
    """
    spots = setup.find_spots(mode, piece.bleed)
    candidates = [(spot, place_both_ways(piece.size, spot.area.size, gap)) for spot in spots]
    spot, trims = max(candidates, key=lambda each: len(each[1]))
    if not trims:
        return None
    gap_for_marks = (
        MARK_SPACE_MM
        if setup.marks.reach and gap >= MARK_SPACE_MM + 2 * min(MIN_BLEED_MM, piece.bleed) - EPSILON
        else 0.0
    )
    places = [trim.shifted((spot.area.x, spot.area.y)) for trim, _ in trims]
    covered = find_inks(places, [piece.bleed] * len(places), setup.printable, gap_for_marks)
    turned = zip(places, covered, trims, strict=True)
    placed = (
        shape_slot(piece, Slot(place, ink, turn), setup.printable)
        for place, ink, (_, turn) in turned
    )
    return Layout(tuple(placed), spot, None)


def bound_per_sheet(piece: Piece, setup: Setup, mode: DuplexMode) -> int:
    """Return an upper bound on the pieces per sheet, in any orientation."""
    spots = setup.find_spots(mode, piece.bleed)
    return max(
        bound_capacity(piece.size, spot.area.size, setup.get_gutter(piece.bleed)) for spot in spots
    )


def _find_fullest_grid(
    piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]
) -> tuple[Grid, DuplexSpot] | None:
    grids = [(_make_grid(piece, setup, spot.area.size), spot) for spot in spots]
    fitting = [(grid, spot) for grid, spot in grids if grid is not None]
    return max(fitting, key=lambda pair: pair[0].capacity, default=None)


def _replacement_grid(
    piece: Piece, setup: Setup, spots: tuple[DuplexSpot, ...]
) -> tuple[Grid, DuplexSpot] | None:
    """Return a component's own grid turned by 90 degrees, or the fullest grid if that does not fit either."""
    across, down = piece.grid or (1, 1)
    turned = _find_fullest_grid(piece, replace(setup, grid=(down, across)), spots)
    return turned or _find_fullest_grid(piece, replace(setup, grid=None), spots)


def _make_grid(piece: Piece, setup: Setup, area: Size) -> Grid | None:
    gutter = setup.get_gutter(piece.bleed)
    return (
        find_best_grid(piece.size, area, gutter)
        if setup.grid is None
        else force_grid(setup.grid, piece.size, area, gutter)
    )


BOARD_HINT = "`make: board` prints it on several sheets to be joined"


def _piece_too_large(piece: Piece, setup: Setup, area: Size, mode: DuplexMode) -> InvalidValueError:
    return InvalidValueError(
        f"{piece.component}: a piece of {_mm(piece.size)} does not fit on {setup.paper.title}",
        f"at most {_mm(area)}, which is what the margins leave{_halved(mode)}",
        f"{_papers_for(piece, setup, mode)}; {BOARD_HINT}",
        Kind.FIT,
    )


def _grid_too_large(piece: Piece, setup: Setup, area: Size, mode: DuplexMode) -> InvalidValueError:
    grid = Grid(*(setup.grid or (1, 1)), piece.size, setup.get_gutter(piece.bleed))
    return InvalidValueError(
        f"{piece.component}: a grid of {grid} pieces of {_mm(piece.size)}, {number(grid.gutter)} mm apart, "
        f"needs {_mm(grid.size)}",
        f"at most {_mm(area)}, which is what the margins leave of {setup.paper.title}{_halved(mode)}",
        _largest(grid, area) + _papers_for(piece, setup, mode),
        Kind.FIT,
    )


def _halved(mode: DuplexMode) -> str:
    return f" to fronts and backs, {mode.name}" if mode.has_backs_on_front else ""


def _largest(grid: Grid, area: Size) -> str:
    w = (area.w - (grid.columns - 1) * grid.gutter) / grid.columns
    h = (area.h - (grid.rows - 1) * grid.gutter) / grid.rows
    return f"the largest piece that fits it: {_mm(Size(w, h))}; " if min(w, h) > 0 else ""


def _papers_for(piece: Piece, setup: Setup, mode: DuplexMode) -> str:
    enough = list(_large_enough(piece, setup, mode))
    return (
        f"paper that would do: {', '.join(enough)}"
        if enough
        else "no paper of the table is large enough"
    )


def _large_enough(piece: Piece, setup: Setup, mode: DuplexMode) -> Iterator[str]:
    for row in papers():
        spots = mode.find_spots(find_inner_area(row.size, setup.margins), row.size, piece.bleed)
        if _find_fullest_grid(piece, setup, spots) is not None:
            yield row.title


def _mm(size: Size) -> str:
    return f"{number(size.w)} x {number(size.h)} mm"


def find_reductions(
    piece: Piece, gutter: float, setup: Setup, mode: DuplexMode, most: float
) -> list[float]:
    """Return the reductions of the margins in mm, smallest first and up to `most`, that make space for more."""
    return [
        off
        for off in sorted(set(_missing_space(piece, gutter, setup, mode)))
        if EPSILON < off <= most + EPSILON
    ]


def describe_saving(margins: str, sheets_after: int, sheets_before: int, setup: Setup) -> str:
    """Return a notice of the chosen margin and the sheets that it saves.

    `sheets_before` is 0 if no piece fits with the default margin.
    """
    why = (
        f"{format_count(sheets_after, 'sheet')} instead of {sheets_before}"
        if sheets_before
        else "with more, a piece does not fit"
    )
    return f"on {setup.paper.title}, {margins}: {why}"


def describe_smaller_gutter(
    margin: str, gutters: tuple[float, float], sheets: tuple[int, int], bleed: float
) -> str:
    """Return a notice of the gutter that was chosen to save sheets, the margin with it, and the bleed that is left.

    `gutters` (mm) and `sheets` are the chosen ones and the usual ones.
    """
    chosen, usual = gutters
    what = f"a gutter of {number(chosen)} mm instead of {number(usual)} mm"
    both = f"{margin} and {what}" if margin else what
    left = f"{number(min(bleed, chosen / 2))} mm of the {number(bleed)} mm bleed is left between pieces"
    return f"{both}: {format_count(sheets[0], 'sheet')} instead of {sheets[1]}; {left}"


def describe_possible_saving(
    setup: Setup,
    off: float,
    gutter: float | None,
    sheets: tuple[int, int],
    bleeds: tuple[float, float],
) -> str:
    """Return a notice of the sheets that margins smaller by `off` mm and a smaller gutter would save, and of the price.

    `off` is 0 and `gutter` None where nothing has to change. `sheets` are the counts after and before; `bleeds` are the
    smallest bleed that would be left on any side of a piece and the whole bleed, in mm.
    """
    changes = [name_margin(setup, off)] if off else []
    changes += [] if gutter is None else [f"a gutter of {number(gutter)} mm"]
    saving = f"would take {format_count(sheets[0], 'sheet')} instead of {sheets[1]}"
    left, full_bleed = bleeds
    remaining = f"{number(left)} mm of the {number(full_bleed)} mm" if left > EPSILON else "no"
    price = f", and leave {remaining} bleed on some sides" if left < full_bleed - EPSILON else ""
    return f"on {setup.paper.title}, {' and '.join(changes)} {saving}{price}"


def describe_orientations(
    margins: str, capacities: tuple[int, int], sheets: tuple[int, int]
) -> str:
    """Return a notice that pieces lie in both orientations, with the margins and the sheets saved."""
    how = f"some pieces are turned{f', with {margins}' if margins else ''}"
    saved = f"{format_count(sheets[0], 'sheet')} instead of {sheets[1]}"
    return f"{how}: {capacities[0]} on a sheet instead of {capacities[1]}, {saved}"


def describe_inner_bleed(bleed: float, slots: tuple[Slot, ...]) -> str:
    """Return a notice of the bleed left between pieces, if marks or a narrow gutter take some of it."""
    extent = Rect.around([slot.ink for slot in slots])
    sides = [side for slot in slots for side in _inner_bleeds(slot, extent)]
    left = min(sides, default=bleed)
    why = f"only {number(left)} mm of the {number(bleed)} mm bleed is left between pieces"
    return f"{why}, where marks need room" if 0 < left < bleed - EPSILON else ""


def _inner_bleeds(slot: Slot, extent: Rect) -> Iterator[float]:
    """Yield the bleeds of a piece in mm at the sides that have neighbours."""
    trim = slot.trim
    ink = slot.ink
    level = ((trim.x, ink.x, extent.x), (trim.right, ink.right, extent.right))
    upright = ((trim.y, ink.y, extent.y), (trim.bottom, ink.bottom, extent.bottom))
    yield from (abs(at - to) for at, to, edge in (*level, *upright) if abs(to - edge) > EPSILON)


def _missing_space(piece: Piece, gutter: float, setup: Setup, mode: DuplexMode) -> Iterator[float]:
    """Yield the reductions of each margin in mm that make space for one more column or row.

    A part of the paper between two margins gains both reductions, a part beside a fold gains one.
    """
    for spot in setup.find_spots(mode, piece.bleed):
        for turn in (0, 90):
            for cell, available in zip(piece.size.turned(turn), spot.area.size, strict=True):
                more = count_cells(cell, available, gutter) + 1
                short = measure_cells(more, cell, gutter) - available
                yield from (_round_up(short / 2), _round_up(short))


def _round_up(mm: float) -> float:
    """Round up to 0.01 mm, so that the margin in the notice is enough."""
    return ceil((mm - EPSILON) * 100) / 100


def describe_margin(setup: Setup, off: float) -> str:
    """Return the words for margins that are smaller by `off` mm, with the margin that they replace."""
    usual = setup.safe_margins
    return name_margin(setup, off) + (
        f" instead of {number(usual.top)} mm" if usual.is_even else ""
    )


def name_margin(setup: Setup, off: float) -> str:
    """Return the words for margins that are smaller by `off` mm."""
    smaller = setup.shrink_margins(off)
    if smaller.is_even:
        return f"a margin of {number(smaller.top)} mm"
    if all(
        abs(usual - mm - off) < EPSILON
        for usual, mm in zip(setup.safe_margins, smaller, strict=True)
    ):
        return f"margins smaller by {number(off)} mm"
    return f"margins of {' '.join(map(number, smaller))} mm (clockwise from the top)"


def describe_lost_bleed(bleed: float, slots: tuple[Slot, ...], setup: Setup) -> str:
    """Return a notice of the bleed left where the unprintable edge or marks take some.

    Empty if none is lost.
    """
    trims = Rect.around([slot.trim for slot in slots])
    inks = Rect.around([slot.ink for slot in slots])
    left = min(
        trims.x - inks.x, trims.y - inks.y, inks.right - trims.right, inks.bottom - trims.bottom
    )
    if left > bleed - EPSILON:
        return ""
    marks = setup.printable.grown(-MARK_SPACE_MM / 2).holds(inks)
    why = (
        "is left at the sheet's edge, where marks need room"
        if marks
        else "can be printed at the sheet's edge"
    )
    return f"only {number(left)} mm of the {number(bleed)} mm bleed {why}; a larger margin keeps it whole"


def describe_correction(setup: Setup) -> str:
    """Return a notice of margins that grew so that correcting the printer keeps all pieces printable."""
    if setup.safe_margins == setup.margins:
        return ""
    pairs = zip(setup.safe_margins.sides(), setup.margins.sides(), strict=True)
    sides = ", ".join(
        f"{number(margin)} mm at the {side}"
        for (side, margin), (_, mm) in pairs
        if margin > mm + EPSILON
    )
    why = "with less, the correction for the printer would move pieces out of its printable area"
    return f"on {setup.paper.title}, margins of {sides}: {why}"


def describe_missing_marks(missed: int, edges: int) -> str:
    """Return a notice of the edges that have neither marks nor lines to cut by."""
    return f"{missed} of {edges} edges of a sheet have no marks at both ends: cut them along the picture"


def describe_thin_lines(lined: int, pieces: int) -> str:
    """Return a notice of the pieces that have a thin line to cut by, because marks cannot show their edges."""
    count = "each piece" if lined == pieces else f"{lined} of {pieces} pieces of a sheet"
    distance = number(THIN_LINE_DISTANCE_MM)
    return f"marks cannot show every edge of {count}: cut {distance} mm inside the thin line round it, or with --cutter"


def describe_gutter(gutter: float, with_gutter: int, without: int) -> str:
    """Return a notice of the price of a gutter with space for marks."""
    return (
        f"with a gutter of {number(gutter)} mm every edge would have marks, "
        f"on {with_gutter} sheets instead of {without}"
    )


def describe_no_space(item: str, setup: Setup) -> str:
    """Return a notice that an item does not fit in the margins."""
    return f"no room for the {item} in the margins of {setup.paper.title}; larger margins would give it some"


def describe_grid(requested: tuple[int, int] | None, grid: Grid) -> str:
    """Return a notice that the pack's grid does not fit; empty if it does."""
    if requested is None or sorted(requested) == sorted((grid.columns, grid.rows)):
        return ""
    return f"the pack's grid of {requested[0]} x {requested[1]} does not fit here; {grid} instead"
