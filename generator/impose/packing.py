"""Cut-and-stack order, and sheets shared by several components.

Cut and stack places pieces so that the stack of each slot continues where the previous stack ends.
On a shared sheet, pieces stand on shelves across the area, the highest first, and within a shelf in
stacks of equal pieces. A guillotine therefore parts shelves, then stacks, then pieces.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise, product
from math import ceil

from generator.base.geometry import EPSILON, Rect, Size
from generator.base.ui_strings import SheetWords
from generator.impose.duplex import SINGLE, DuplexMode, DuplexSpot
from generator.impose.grid import Slot, find_inks, shape_slot
from generator.impose.layout import Layout, find_layout
from generator.impose.marks import FOLD_CLEARANCE_MM, INK_CLEARANCE_MM
from generator.impose.setup import Setup
from generator.impose.sheet import Piece


def order_stacks(pieces: int, slots: int) -> list[int]:
    """Return the piece for each slot, sheet by sheet, so that the stacked slots are in order.

    If the last sheet is not full, the first stacks are one piece higher than the others.
    """
    sheets = ceil(pieces / slots)
    full = pieces - slots * (sheets - 1)
    heights = [sheets if slot < full else sheets - 1 for slot in range(slots)]
    begins = [sum(heights[:slot]) for slot in range(slots)]
    return [
        begins[slot] + sheet
        for sheet in range(sheets)
        for slot in range(slots)
        if sheet < heights[slot]
    ]


def choose_mode(pieces: Iterable[Piece], setup: Setup) -> DuplexMode:
    """Return the setup's mode, or single-sided if no piece of the job has a back."""
    return setup.duplex if any(piece.back is not None for piece in pieces) else SINGLE


def choose_setup(setup: Setup, piece: Piece) -> Setup:
    """Return the setup with the gutter and grid that the piece's component requires."""
    grid = piece.grid or setup.grid
    if piece.gutter is None:
        return replace(setup, grid=grid)
    return replace(setup, gutter=piece.gutter, least_gutter=None, grid=grid)


def find_capacity(piece: Piece, setup: Setup, mode: DuplexMode) -> int:
    """Return the number of pieces of this kind on a sheet."""
    return len(find_layout(piece, choose_setup(setup, piece), mode).slots)


# Least distance between marks of rows that are cut along other lines: a ruler laid to the wrong
# mark is seen to be.
ROW_CLEARANCE_MM = 10.0

# Up to this many kinds of pieces, each is tried in both orientations; beyond, each keeps its best
# orientation alone.
MAX_TURNED_KINDS = 6


@dataclass(frozen=True)
class TurnedPiece:
    """A turned piece on a shared sheet.

    `gutter` is its distance from its like in mm; `clearance` is the distance of its ink from the
    ink of a piece that is cut along other lines.
    """

    piece: Piece
    turn: int
    gutter: float
    clearance: float = 0.0

    @cached_property
    def size(self) -> Size:
        """The width and height of the turned piece in mm."""
        return self.piece.size.turned(self.turn)

    def distance_to(self, other: "TurnedPiece") -> float:
        """Return the distance in mm between two neighbours.

        Unequal pieces share no cut, and folds need space for a mark.
        """
        if (self.piece.component, self.size) == (other.piece.component, other.size):
            return self.gutter
        folded = FOLD_CLEARANCE_MM if self.has_outside_lines or other.has_outside_lines else 0.0
        between = folded if self.size == other.size else max(folded, self.clearance)
        return max((self.gutter + other.gutter) / 2, self.piece.bleed + other.piece.bleed + between)

    @property
    def has_outside_lines(self) -> bool:
        """True if cut and fold lines stand beside the piece and leave no space for neighbours' marks."""
        return self.piece.net is not None and bool(self.piece.net.creases or self.piece.net.lines)


@dataclass
class PackingShelf:
    """Stacks from left to right; the first piece is the highest."""

    width_limit: float
    stacks: list[list[TurnedPiece]]

    @property
    def height(self) -> float:
        """The height in mm of its first piece."""
        return self.stacks[0][0].size.h

    def add_piece(self, cell: TurnedPiece) -> bool:
        """Put a piece on the last stack or to its right, and return True if there is space."""
        last = self.stacks[-1]
        if cell.size.h > self.height + EPSILON:
            return False
        alike = last[0].piece.component == cell.piece.component and last[0].size == cell.size
        if (
            alike
            and (len(last) + 1) * cell.size.h + len(last) * cell.gutter <= self.height + EPSILON
        ):
            last.append(cell)
            return True
        if self.width + last[0].distance_to(cell) + cell.size.w > self.width_limit + EPSILON:
            return False
        self.stacks.append([cell])
        return True

    @property
    def width(self) -> float:
        """The width in mm from the first trim to the last."""
        firsts = [stack[0] for stack in self.stacks]
        return sum(cell.size.w for cell in firsts) + sum(
            a.distance_to(b) for a, b in pairwise(firsts)
        )

    def distance_to(self, other: "PackingShelf") -> float:
        """Return the distance in mm between two shelves."""
        return max(a[0].distance_to(b[0]) for a, b in product(self.stacks, other.stacks))

    def place_cells(self, left: float, top: float) -> Iterator[tuple[TurnedPiece, Rect]]:
        """Yield the pieces with their places, given the shelf's top left corner."""
        before: TurnedPiece | None = None
        for stack in self.stacks:
            left += before.distance_to(stack[0]) + before.size.w if before else 0.0
            before = stack[0]
            for n, cell in enumerate(stack):
                yield cell, Rect(left, top + n * (cell.size.h + cell.gutter), *cell.size)


@dataclass
class PackedSheet:
    """The shelves of one sheet, from the top down."""

    height_limit: float
    shelves: list[PackingShelf] = field(default_factory=list)

    def add_shelf(self, shelf: PackingShelf) -> bool:
        """Put a shelf below the others and return True if there is space."""
        if self.shelves:
            height = self.height + self.shelves[-1].distance_to(shelf) + shelf.height
            if height > self.height_limit + EPSILON:
                return False
        self.shelves.append(shelf)
        return True

    @property
    def height(self) -> float:
        """The height in mm from the first trim to the last."""
        gaps = sum(a.distance_to(b) for a, b in pairwise(self.shelves))
        return sum(shelf.height for shelf in self.shelves) + gaps

    def place_cells(self, area: Rect) -> list[tuple[TurnedPiece, Rect]]:
        """Return all pieces with their places, centred in an area."""
        left = area.x + (area.w - max(shelf.width for shelf in self.shelves)) / 2
        top = area.y + (area.h - self.height) / 2
        placed: list[tuple[TurnedPiece, Rect]] = []
        for n, shelf in enumerate(self.shelves):
            top += self.shelves[n - 1].height + self.shelves[n - 1].distance_to(shelf) if n else 0.0
            placed += shelf.place_cells(left, top)
        return placed


def pack_sheets(
    pieces: Sequence[Piece], setup: Setup, mode: DuplexMode, *, tight: bool = True
) -> Iterator[tuple[tuple[Piece, ...], Layout]]:
    """Yield groups of pieces with the layout of the sheets that they share.

    Equal sheets come together.

    Marks of rows that are cut along other lines are `ROW_CLEARANCE_MM` apart; `tight` lets them lie
    closer where that saves a sheet. Yield nothing if no part of the paper takes every one of the
    pieces.
    """
    if not pieces:
        return
    bleed = max(piece.bleed for piece in pieces)
    spots = setup.find_spots(mode, bleed)
    # Marks of two rows stand out towards each other.
    wide = (
        ROW_CLEARANCE_MM + 2 * (setup.marks.reach + INK_CLEARANCE_MM) if setup.marks.reach else 0.0
    )
    clearances = (wide, 0.0) if tight and wide else (wide,)
    candidates = [
        (spot, sheets_found)
        for clearance in clearances
        for spot in spots
        if (sheets_found := _pack_fewest_sheets(pieces, setup, mode, spot.area, clearance))
    ]
    if not candidates:
        return
    spot, sheets = min(candidates, key=lambda pair: len(pair[1]))
    for _, alike in groupby(
        sheets, key=lambda cells: [(cell.piece.component, place) for cell, place in cells]
    ):
        group = list(alike)
        yield (
            tuple(cell.piece for cells in group for cell, _ in cells),
            _layout(group[0], spot, setup),
        )


def _layout(cells: list[tuple[TurnedPiece, Rect]], spot: DuplexSpot, setup: Setup) -> Layout:
    trims = [place for _, place in cells]
    covered = find_inks(trims, [cell.piece.bleed for cell, _ in cells], setup.printable)
    slots = tuple(
        shape_slot(cell.piece, Slot(trim, ink, cell.turn), setup.printable)
        for (cell, trim), ink in zip(cells, covered, strict=True)
    )
    return Layout(slots, spot, None)


# The pieces of a sheet with their places.
PlacedPieces = list[tuple[TurnedPiece, Rect]]

# Sort keys for the order in which pieces are put on shelves.
ORDERS: tuple[Callable[[TurnedPiece], tuple[float, ...]], ...] = (
    lambda cell: (-cell.size.h,),
    lambda cell: (-cell.size.h, -cell.size.w),
    lambda cell: (-cell.size.w * cell.size.h,),
)


def _pack_fewest_sheets(
    pieces: Sequence[Piece], setup: Setup, mode: DuplexMode, area: Rect, clearance: float
) -> list[PlacedPieces]:
    """Return the fewest sheets over all orientations and on level or upright shelves.

    Empty if a piece is too large.
    """
    kinds = list(dict.fromkeys((piece.component, piece.size) for piece in pieces))
    if len(kinds) <= MAX_TURNED_KINDS:
        turn_choices = [
            dict(zip(kinds, turns, strict=True)) for turns in product((0, 90), repeat=len(kinds))
        ]
    else:
        turn_choices = [
            {(p.component, p.size): find_layout(p, setup, mode).slots[0].turn for p in pieces}
        ]
    best: list[PlacedPieces] = []
    min_sheets = max(
        1,
        ceil(sum(piece.size.w * piece.size.h for piece in pieces) / (area.w * area.h) - EPSILON),
    )
    gutters = [choose_setup(setup, piece).get_gutter(piece.bleed) for piece in pieces]
    for upright, turns, order in product((False, True), turn_choices, ORDERS):
        shelf_turns, shelf_area = (
            ({kind: 90 - turn for kind, turn in turns.items()}, area.transposed)
            if upright
            else (turns, area)
        )
        sheets = _fill_sheets(pieces, gutters, shelf_turns, shelf_area.size, order, clearance)
        if sheets and (not best or len(sheets) < len(best)):
            placed = [sheet.place_cells(shelf_area) for sheet in sheets]
            best = [_swap_places(cells) for cells in placed] if upright else placed
        if len(best) == min_sheets:
            break
    return best


def _swap_places(cells: PlacedPieces) -> PlacedPieces:
    """Return pieces from level shelves on upright ones, with left and top swapped."""
    return [(replace(cell, turn=90 - cell.turn), place.transposed) for cell, place in cells]


def _fill_sheets(
    pieces: Sequence[Piece],
    gutters: Sequence[float],
    turns: dict[tuple[str, Size], int],
    area: Size,
    order: Callable[[TurnedPiece], tuple[float, ...]],
    clearance: float,
) -> list[PackedSheet] | None:
    """Put pieces with these gutters and turns on shelves in a sort order; return None if a piece is too large."""
    cells = [
        TurnedPiece(piece, turns[piece.component, piece.size], gutter, clearance)
        for piece, gutter in zip(pieces, gutters, strict=True)
    ]
    if any(cell.size.w > area.w + EPSILON or cell.size.h > area.h + EPSILON for cell in cells):
        return None
    shelves: list[PackingShelf] = []
    for cell in sorted(cells, key=order):
        if not any(shelf.add_piece(cell) for shelf in shelves):
            shelves.append(PackingShelf(area.w, [[cell]]))
    sheets: list[PackedSheet] = []
    for shelf in shelves:
        if not any(sheet.add_shelf(shelf) for sheet in sheets):
            sheets.append(PackedSheet(area.h, [shelf]))
    return sheets


# More titles make a footer that nobody reads.
MAX_TITLES = 3


def gather_pieces(pieces: Sequence[Piece], setup: Setup) -> list[Piece]:
    """Return the pieces with those that may share sheets in a row and under one title."""
    mode = choose_mode(pieces, setup)
    groups = group_pieces(pieces, layout_key)
    return [piece for group in groups for piece in _share_titles(group, setup, mode)]


def group_pieces(
    pieces: Iterable[Piece], key: Callable[[Piece], tuple[object, ...]]
) -> list[tuple[Piece, ...]]:
    """Return the pieces in groups with equal keys, in the order in which the groups first appear."""
    groups: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(key(piece), []).append(piece)
    return [tuple(group) for group in groups.values()]


def layout_key(piece: Piece) -> tuple[object, ...]:
    """Return everything that the layout of a piece's sheet depends on."""
    component = piece.component if _is_assembled(piece) else ""
    return piece.outline, piece.bleed, piece.gutter, piece.grid, component


def _is_assembled(piece: Piece) -> bool:
    """Return True if the piece is folded or joined.

    It then shares sheets only with its own component.
    """
    return piece.splits or piece.net is not None


def _share_titles(group: Sequence[Piece], setup: Setup, mode: DuplexMode) -> Iterator[Piece]:
    """Yield the pieces of a group, those without backs last.

    If sheets without backs hold more, only as many as fill the last two-sided sheet join it.
    """
    if _is_assembled(group[0]):
        yield from group
        return
    two_sided = [piece for piece in group if piece.back is not None]
    one_sided = [piece for piece in group if piece.back is None]
    full = find_capacity(group[0], setup, mode)
    joining = len(one_sided)
    if two_sided and find_capacity(group[0], setup, mode.without_backs) > full:
        joining = min(joining, -len(two_sided) % full)
    first = two_sided + one_sided[:joining]
    remaining = one_sided[joining:]
    title = _title(first, setup.words)
    yield from (replace(piece, component=title) for piece in first)
    title = setup.words.one_side.format(title=_title(remaining, setup.words))
    yield from (replace(piece, component=title) for piece in remaining)


def _title(group: Sequence[Piece], words: SheetWords) -> str:
    titles = list(dict.fromkeys(piece.component for piece in group))
    return ", ".join(titles) if len(titles) <= MAX_TITLES else words.pieces
