"""Slots: the places of pieces on a sheet, and how far the ink of each may reach.

Equal pieces lie in a grid, in both orientations parted by straight cuts, or nested. The layout of
unequal pieces is in `packing.py`.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from math import copysign, cos, floor, radians, sin

from generator.base.geometry import EPSILON, Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.polygon import clip_to_line
from generator.impose.sheet import Piece

# Units in a mm: the search uses whole numbers, so that equal places compare equal.
UNITS_PER_MM = 1_000_000

# Tolerance, so that accumulated rounding never costs a piece.
ROUNDING_MM = 1e-4

# Cuts that are tried. Smaller pieces, which would need more, get a good layout that is not proved
# best.
MAX_CUTS_TRIED = 50_000

TURNS = (0, 90)

# A width and a height in units, with the gap after a piece.
UnitSize = tuple[int, int]


@dataclass
class MixedLayoutSearch:
    """The search for layouts of pieces of one size in both orientations; a gap follows each piece.

    Only places that are sums of whole pieces are tried: any layout can be pushed together to such
    places.
    """

    piece: UnitSize
    places: list[int]
    best_by_area: dict[UnitSize, tuple[int, UnitSize | None]] = field(default_factory=dict)
    cuts_tried: int = 0

    @classmethod
    def for_area(cls, piece: Size, area: Size, gap: float) -> "MixedLayoutSearch":
        """Return the search for a piece in areas up to this size, all in mm."""
        w = round((piece.w + gap) * UNITS_PER_MM)
        h = round((piece.h + gap) * UNITS_PER_MM)
        most = _to_units(max(area), gap)
        places = {
            i * w + j * h for i in range(most // w + 1) for j in range((most - i * w) // h + 1)
        }
        return cls((w, h), sorted(places))

    def _filled(self, length: int) -> int:
        """Return the largest part of a length that whole pieces can take."""
        return self.places[bisect_right(self.places, length) - 1]

    def columns_and_rows(self, space: UnitSize, turn: int) -> UnitSize:
        """Return the columns and rows of pieces that all have this turn."""
        w, h = self.piece if not turn else self.piece[::-1]
        return space[0] // w, space[1] // h

    def count_pieces(self, space: UnitSize) -> int:
        """Return the number of pieces that fit."""
        return self._best((self._filled(space[0]), self._filled(space[1])))[0]

    def bound(self, space: UnitSize) -> int:
        """Return an upper bound on the pieces in an area, from the area that whole pieces can take."""
        return self._filled(space[0]) * self._filled(space[1]) // (self.piece[0] * self.piece[1])

    def _best(self, space: UnitSize) -> tuple[int, UnitSize | None]:
        """Return the number of pieces that fit and the first cut; None instead of a cut for a grid.

        A cut is a distance from the left and 0, or 0 and a distance from the top.
        """
        if space not in self.best_by_area:
            self.best_by_area[space] = self._search(space)
        return self.best_by_area[space]

    def _search(self, space: UnitSize) -> tuple[int, UnitSize | None]:
        grids = [
            columns * rows
            for columns, rows in (self.columns_and_rows(space, turn) for turn in TURNS)
        ]
        best: tuple[int, UnitSize | None] = (max(grids), None)
        bound = self.bound(space)
        for cut in self._cuts(space):
            if best[0] >= bound or self.cuts_tried > MAX_CUTS_TRIED:
                break
            self.cuts_tried += 1
            count = sum(map(self.count_pieces, _cut_in_two(space, cut)))
            best = (count, cut) if count > best[0] else best
        return best

    def _cuts(self, space: UnitSize) -> Iterator[UnitSize]:
        for place in self.places[1 : bisect_right(self.places, space[0] // 2)]:
            yield place, 0
        for place in self.places[1 : bisect_right(self.places, space[1] // 2)]:
            yield 0, place

    def place_pieces(
        self, space: UnitSize, left: int = 0, top: int = 0
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the left and top of each piece in units, and its turn in degrees."""
        space = self._filled(space[0]), self._filled(space[1])
        _, cut = self._best(space)
        if cut is None:
            turn = max(
                TURNS,
                key=lambda turn: (
                    self.columns_and_rows(space, turn)[0] * self.columns_and_rows(space, turn)[1]
                ),
            )
            (columns, rows) = self.columns_and_rows(space, turn)
            (w, h) = self.piece if not turn else self.piece[::-1]
            yield from (
                (left + n * w, top + m * h, turn) for m in range(rows) for n in range(columns)
            )
            return
        first, second = _cut_in_two(space, cut)
        yield from self.place_pieces(first, left, top)
        yield from self.place_pieces(second, left + cut[0], top + cut[1])


def _cut_in_two(space: UnitSize, cut: UnitSize) -> tuple[UnitSize, UnitSize]:
    """Return the two parts of a cut, which runs from edge to edge."""
    x, y = cut
    return (
        ((x, space[1]), (space[0] - x, space[1]))
        if x
        else ((space[0], y), (space[0], space[1] - y))
    )


def _to_units(length: float, gap: float) -> int:
    return floor((length + gap + ROUNDING_MM) * UNITS_PER_MM)


def bound_capacity(piece: Size, area: Size, gap: float) -> int:
    """Return an upper bound on the pieces in an area, in any orientation."""
    return MixedLayoutSearch.for_area(piece, area, gap).bound(
        (_to_units(area.w, gap), _to_units(area.h, gap))
    )


def place_both_ways(piece: Size, area: Size, gap: float) -> list[tuple[Rect, int]]:
    """Return the trims of as many pieces as fit, centred in an area and row by row, with their turns in degrees."""
    space = _to_units(area.w, gap), _to_units(area.h, gap)
    places = list(MixedLayoutSearch.for_area(piece, area, gap).place_pieces(space))
    trims = [
        (Rect(x / UNITS_PER_MM, y / UNITS_PER_MM, *piece.turned(turn)), turn)
        for x, y, turn in places
    ]
    return _centre_trims(trims, Rect(0, 0, *area)) if trims else []


def _centre_trims(trims: Sequence[tuple[Rect, int]], area: Rect) -> list[tuple[Rect, int]]:
    """Return trims with their turns in the middle of an area, row by row."""
    by = area.centre - Rect.around([trim for trim, _ in trims]).centre
    # Rounded, so that trims of one row sort by x.
    return sorted(
        ((trim.shifted(by), turn) for trim, turn in trims),
        key=lambda pair: (round(pair[0].y, 3), pair[0].x),
    )


@dataclass(frozen=True)
class Grid:
    """Columns by rows of cells with gutters between them.

    `turn` is 90 if the pieces lie on their side.
    """

    columns: int
    rows: int
    cell: Size
    gutter: float
    turn: int = 0

    @property
    def capacity(self) -> int:
        """The number of pieces in the grid."""
        return self.columns * self.rows

    @property
    def size(self) -> Size:
        """The width and height in mm from the first trim to the last."""
        return Size(
            measure_cells(self.columns, self.cell.w, self.gutter),
            measure_cells(self.rows, self.cell.h, self.gutter),
        )

    def fits(self, area: Size) -> bool:
        """Return True if all trims lie inside an area of this size."""
        return self.size.w <= area.w + EPSILON and self.size.h <= area.h + EPSILON

    def __str__(self) -> str:
        return f"{self.columns} x {self.rows}"


def find_best_grid(piece: Size, area: Size, gutter: float) -> Grid | None:
    """Return the grid with most pieces, turned only if that holds more; None if none fits."""
    upright, turned = (_fill_area(piece, area, gutter, turn) for turn in (0, 90))
    fullest = turned if turned.capacity > upright.capacity else upright
    return fullest if fullest.capacity else None


def force_grid(shape: tuple[int, int], piece: Size, area: Size, gutter: float) -> Grid | None:
    """Return the grid of this shape, turned only if it does not fit upright; None if it never fits."""
    grids = [Grid(*shape, piece.turned(turn), gutter, turn) for turn in (0, 90)]
    return next((grid for grid in grids if grid.fits(area)), None)


def _fill_area(piece: Size, area: Size, gutter: float, turn: int) -> Grid:
    """Return the largest grid of pieces with one turn; it may have no cells."""
    cell = piece.turned(turn)
    columns = count_cells(cell.w, area.w, gutter)
    rows = count_cells(cell.h, area.h, gutter)
    return Grid(columns, rows, cell, gutter, turn)


def count_cells(cell: float, length: float, gutter: float) -> int:
    """Return how many cells with gutters between them fit into a length; all lengths in mm."""
    return max(0, floor((length + gutter + EPSILON) / (cell + gutter)))


def measure_cells(count: int, cell: float, gutter: float) -> float:
    """Return the length in mm of some cells with gutters between them."""
    return count * cell + (count - 1) * gutter


@dataclass(frozen=True)
class Slot:
    """A place for a piece: its cut, the area that it may ink, and the turn of its face in degrees clockwise.

    `clip` is the outline of the ink if that is no rectangle; `cut` is then the outline of the trim.
    """

    trim: Rect
    ink: Rect
    turn: int = 0
    clip: Outline | None = None
    cut: Outline | None = None

    def moved(self, by: Point) -> "Slot":
        """Return the slot moved by a vector."""
        move = Affine(e=by.x, f=by.y)
        clip, cut = (line and line.mapped(move) for line in (self.clip, self.cut))
        return Slot(self.trim.shifted(by), self.ink.shifted(by), self.turn, clip, cut)


def limit_to_printable(slot: Slot, printable: Rect) -> Slot:
    """Return the slot with no ink beyond the printable edge, which may be nearer to a back than to its front."""
    ink = slot.ink.common(printable)
    clip = (
        slot.clip if slot.clip is None or printable.holds(slot.clip.box) else slot.clip.within(ink)
    )
    return replace(slot, ink=ink, clip=clip)


def open_bleeds(slots: Sequence[Slot], used: Collection[int], bleed: float) -> tuple[Slot, ...]:
    """Return the slots of a sheet, with the whole bleed on the sides of used slots that face only unused ones.

    Between neighbours, bleed reaches the middle of the gutter at most; a cut that strays beside an
    unused slot would show white paper. Only rectangles are changed.
    """
    if not slots or len(used) == len(slots) or not bleed:
        return tuple(slots)
    limit = Rect.around([slot.ink for slot in slots])
    opened = list(slots)
    for index in used:
        slot = slots[index]
        if slot.clip is None:
            sides = _find_open_sides(slot, slots, used, 2 * bleed)
            whole = slot.trim.grown(bleed)
            ink = Rect.between(
                (whole if "left" in sides else slot.ink).x,
                (whole if "top" in sides else slot.ink).y,
                (whole if "right" in sides else slot.ink).right,
                (whole if "bottom" in sides else slot.ink).bottom,
            )
            opened[index] = replace(slot, ink=ink.common(limit))
    return tuple(opened)


def _find_open_sides(
    slot: Slot, slots: Sequence[Slot], used: Collection[int], reach: float
) -> set[str]:
    """Return the sides of a slot that face unused slots, less than `reach` mm away, and no used one."""
    facing = [_find_facing_side(slot.trim, other.trim, reach) for other in slots]
    return {*facing} - {facing[index] for index in used}


def _find_facing_side(trim: Rect, other: Rect, reach: float) -> str:
    """Return the side of a trim that faces another trim; empty if none does, or only from `reach` mm on."""
    gaps = {
        "left": trim.x - other.right,
        "top": trim.y - other.bottom,
        "right": other.x - trim.right,
        "bottom": other.y - trim.bottom,
    }
    side = max(gaps, key=gaps.__getitem__)
    is_near = -EPSILON <= gaps[side] < reach
    return side if is_near and _are_side_by_side(trim, other) else ""


def part_bleeds(slots: Sequence[Slot], used: Collection[int]) -> tuple[Slot, ...]:
    """Return the slots of a sheet, with a diagonal between bleeds that meet past a corner.

    Two used slots that meet only at a corner both bleed into the unused slots beside them. Without
    the diagonal, the later piece would cover the corner of the earlier one.
    """
    parted = list(slots)
    for index, other in permutations(used, 2):
        slot = slots[index]
        if slot.clip is not None or not slot.ink.overlaps(slots[other].ink):
            continue
        away = slots[other].trim.centre - slot.trim.centre
        inwards = Point(-copysign(1, away.x), -copysign(1, away.y))
        middle = (
            _corner(slot.trim, inwards) + _corner(slots[other].trim, inwards.scaled(-1))
        ).scaled(0.5)
        outline = parted[index].clip or Outline.of_box(slot.ink)
        clip = Outline(clip_to_line(outline.corners, middle, inwards))
        parted[index] = replace(slot, clip=clip, cut=Outline.of_box(slot.trim))
    return tuple(parted)


def _corner(trim: Rect, inwards: Point) -> Point:
    """Return the corner of a trim from which a diagonal points inwards."""
    return Point(trim.x if inwards.x > 0 else trim.right, trim.y if inwards.y > 0 else trim.bottom)


def place_slots(grid: Grid, area: Rect, bleed: float, printable: Rect) -> tuple[Slot, ...]:
    """Return the slots of a grid in the middle of an area, row by row from the top left.

    Ink reaches a bleed past the trim, but only to the middle of a gutter and never past the
    printable area.
    """
    left = area.x + (area.w - grid.size.w) / 2
    top = area.y + (area.h - grid.size.h) / 2
    inner = min(bleed, grid.gutter / 2)

    def slot(column: int, row: int) -> Slot:
        x = left + column * (grid.cell.w + grid.gutter)
        y = top + row * (grid.cell.h + grid.gutter)
        trim = Rect(x, y, *grid.cell)
        ink = Rect.between(
            trim.x - (inner if column else bleed),
            trim.y - (inner if row else bleed),
            trim.right + (inner if column < grid.columns - 1 else bleed),
            trim.bottom + (inner if row < grid.rows - 1 else bleed),
        )
        return Slot(trim, ink.common(printable), grid.turn)

    return tuple(slot(column, row) for row in range(grid.rows) for column in range(grid.columns))


def find_cut_outline(piece: Piece, slot: Slot) -> Outline:
    """Return the outline to cut out for a piece in a slot."""
    outline = piece.net.outline if piece.net and piece.net.outline else piece.outline
    return outline.mapped(get_placement(piece, slot))


def get_placement(piece: Piece, slot: Slot) -> Affine:
    """Return the transform from an upright piece with its box at the origin to its place on the paper."""
    middle = Rect(0, 0, *piece.size).centre
    centre = slot.trim.centre
    c = cos(radians(slot.turn))
    s = sin(radians(slot.turn))
    return Affine(e=centre.x, f=centre.y) @ Affine(c, s, -s, c) @ Affine(e=-middle.x, f=-middle.y)


def find_inks(
    trims: Sequence[Rect], bleeds: Sequence[float], printable: Rect, space: float = 0.0
) -> list[Rect]:
    """Return each trim with its bleed, limited by the middle between neighbours and the printable area.

    `space` mm stay free around that middle between side-by-side neighbours.
    """
    inks = [trim.grown(bleed).common(printable) for trim, bleed in zip(trims, bleeds, strict=True)]
    for i, j in combinations(range(len(trims)), 2):
        near = inks[i].grown(space / 2).overlaps(inks[j].grown(space / 2)) and _are_side_by_side(
            trims[i], trims[j]
        )
        if near or inks[i].overlaps(inks[j]):
            inks[i], inks[j] = _part_inks(inks[i], inks[j], trims[i], trims[j], space)
    return inks


def _are_side_by_side(first: Rect, other: Rect) -> bool:
    """Return True if two rectangles lie side by side or one above the other, not only corner to corner."""
    across = min(first.right, other.right) - max(first.x, other.x)
    return max(across, min(first.bottom, other.bottom) - max(first.y, other.y)) > EPSILON


def _part_inks(a: Rect, b: Rect, mine: Rect, other: Rect, space: float) -> tuple[Rect, Rect]:
    """Cut two inks that are too near at the middle between their trims."""
    if mine.right <= other.x + EPSILON or other.right <= mine.x + EPSILON:
        left, right = (mine, other) if mine.x < other.x else (other, mine)
        middle = (left.right + right.x) / 2
        cut = {left: (None, middle - space / 2), right: (middle + space / 2, None)}
        return _limit_width(a, *cut[mine]), _limit_width(b, *cut[other])
    swapped = _part_inks(a.transposed, b.transposed, mine.transposed, other.transposed, space)
    return swapped[0].transposed, swapped[1].transposed


def _limit_width(rect: Rect, start: float | None, end: float | None) -> Rect:
    left = rect.x if start is None else max(rect.x, start)
    right = rect.right if end is None else min(rect.right, end)
    return Rect.between(left, rect.y, right, rect.bottom)


# How far the polygon of a circle may lie outside the ink without being cut off.
CIRCLE_TOLERANCE_MM = 0.02

# Swaps x and y: columns become rows.
SWAP_AXES = Affine(0, 1, 1, 0)


@dataclass(frozen=True)
class Nest:
    """Pairs of columns side by side, in which pieces are `step` mm apart.

    A pair is `pair_width` mm wide; its second column lies `shift` mm right of the first and `lower`
    mm lower. With `is_flipped`, pieces in the second column are turned by 180 degrees. `turn` is the
    turn of all pieces in degrees. With `is_transposed`, the columns are rows.
    """

    cell: Size
    step: float
    pair_width: float
    shift: float
    lower: float = 0.0
    is_flipped: bool = False
    turn: int = 0
    is_transposed: bool = False

    def find_places(self, area: Size) -> Iterator[tuple[Point, bool]]:
        """Yield the top left corners of as many cells as fit in an area, and for each if it is flipped."""
        column = 0
        left = 0.0
        while left + self.cell.w <= area.w + EPSILON:
            odd = column % 2 == 1
            top = self.lower if odd else 0.0
            rows = floor((area.h - top - self.cell.h + self.step + EPSILON) / self.step)
            for row in range(max(0, rows)):
                yield Point(left, top + row * self.step), odd and self.is_flipped
            column += 1
            left = column // 2 * self.pair_width + (self.shift if column % 2 else 0.0)


def find_nests(outline: Outline, gutter: float) -> Iterator[Nest]:
    """Yield the ways to nest pieces of a shape, the most common first; none for a shape that does not nest."""
    if not outline.is_convex or outline.is_rectangle:
        return
    for turn, rows in ((0, False), (90, True), (0, True), (90, False)):
        lying = _at_origin(outline.turned(turn))
        lying = _at_origin(lying.mapped(SWAP_AXES)) if rows else lying
        for nest in (_make_staggered(lying, gutter), _make_flipped(lying, gutter)):
            yield replace(nest, turn=turn, is_transposed=rows)


def _at_origin(outline: Outline) -> Outline:
    return outline.moved((-outline.box.x, -outline.box.y))


def _make_staggered(outline: Outline, gutter: float) -> Nest:
    """Return a nest whose every other column is lower by half a step, so that pieces lie in the gaps."""
    step = outline.size.h + gutter
    shift = max(
        outline.nesting_distance(outline, down, gutter) or 0.0 for down in (step / 2, -step / 2)
    )
    shift = max(shift, (outline.nesting_distance(outline, 0, gutter) or 0.0) / 2)
    return Nest(outline.size, step, 2 * shift, shift, step / 2)


def _make_flipped(outline: Outline, gutter: float) -> Nest:
    """Return a nest whose every other column is turned by 180 degrees, as triangles lie in a row."""
    other = _at_origin(outline.turned(180))
    shift = outline.nesting_distance(other, 0, gutter) or 0.0
    back = other.nesting_distance(outline, 0, gutter) or 0.0
    wide = max(
        shift + back,
        outline.nesting_distance(outline, 0, gutter) or 0.0,
        other.nesting_distance(other, 0, gutter) or 0.0,
    )
    return Nest(outline.size, outline.size.h + gutter, wide, shift, is_flipped=True)


def place_nested(piece: Piece, gutter: float, area: Rect, printable: Rect) -> tuple[Slot, ...]:
    """Return the slots of the fullest nest in the middle of an area, row by row from the top left."""
    candidates = [
        (nest, list(nest.find_places(area.size.turned(90 if nest.is_transposed else 0))))
        for nest in find_nests(piece.outline, gutter)
    ]
    nest, places = max(candidates, key=lambda pair: len(pair[1]), default=(None, []))
    if nest is None or not places:
        return ()
    bleed = min(piece.bleed, gutter / 2)
    bled = piece.outline.grown(bleed)
    return tuple(
        _nest_slot(piece, bled, Slot(trim, trim.grown(bleed), turn), printable)
        for trim, turn in _trims(nest, places, area)
    )


def _trims(nest: Nest, places: list[tuple[Point, bool]], area: Rect) -> list[tuple[Rect, int]]:
    """Return the boxes in the middle of the area, with the turn of each piece in degrees."""
    trims = [(Rect(*place, *nest.cell), nest.turn + 180 * flipped) for place, flipped in places]
    if nest.is_transposed:
        trims = [(trim.transposed, turn) for trim, turn in trims]
    return _centre_trims(trims, area)


def _nest_slot(piece: Piece, bled: Outline, slot: Slot, printable: Rect) -> Slot:
    on = get_placement(piece, slot)
    ink = slot.ink.common(printable)
    return replace(
        slot, ink=ink, clip=bled.mapped(on).within(printable), cut=piece.outline.mapped(on)
    )


def shape_slot(piece: Piece, slot: Slot, printable: Rect) -> Slot:
    """Return a slot outside nests with the outlines of a piece that is no box."""
    if piece.outline.is_rectangle:
        return slot
    cut, clip = (
        line.mapped(get_placement(piece, slot))
        for line in (piece.outline, piece.outline.grown(piece.bleed))
    )
    if not slot.ink.grown(CIRCLE_TOLERANCE_MM).holds(clip.box):
        clip = clip.within(slot.ink.common(printable))
    return replace(slot, clip=clip, cut=cut)
