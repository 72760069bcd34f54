"""Cut-and-stack order, and sheets shared by several components.

Cut and stack places pieces so that the stack of each slot continues where the previous stack ends.
On a shared sheet, pieces stand on shelves across the area, the highest first, and within a shelf in
stacks of equal pieces. A guillotine therefore parts shelves, then stacks, then pieces.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, product
from math import ceil

from generator.core.geometry import EPSILON, Rect, Size
from generator.core.words import SheetWords
from generator.impose.duplex import SINGLE, DuplexSpot, Mode
from generator.impose.layout import Layout, layout_for
from generator.impose.marks import fold
from generator.impose.marks.styles import CLEAR
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from generator.impose.slots import Slot, inks, shaped


def order_of_stacks(pieces: int, slots: int) -> list[int]:
    """Return the piece for each slot, sheet by sheet, so that the stacked slots are in order.

    If the last sheet is not full, the first stacks are one piece higher than the others.
    """
    sheets = -(-pieces // slots)
    full = pieces - slots * (sheets - 1)
    heights = [sheets if slot < full else sheets - 1 for slot in range(slots)]
    begins = [sum(heights[:slot]) for slot in range(slots)]
    return [begins[slot] + sheet for sheet in range(sheets) for slot in range(slots) if sheet < heights[slot]]


def stacked(pieces: Sequence[Piece], setup: Setup) -> list[Piece]:
    """Return the pieces of one component in cut-and-stack order."""
    found = []
    for _, group in groupby(pieces, key=lambda piece: (piece.outline, piece.bleed, piece.back is None)):
        alike = list(group)
        slots = capacity(alike[0], setup, setup.duplex if alike[0].back else SINGLE)
        found += [alike[nth] for nth in order_of_stacks(len(alike), slots)]
    return found


def capacity(piece: Piece, setup: Setup, mode: Mode) -> int:
    """Return the number of pieces of this kind on a sheet."""
    gutter = setup.gutter if piece.gutter is None else piece.gutter
    return len(layout_for(piece, replace(setup, gutter=gutter, grid=piece.grid or setup.grid), mode).slots)


# Least distance between marks of rows that are cut along other lines: a ruler laid to the wrong
# mark is seen to be.
ROW_CLEARANCE_MM = 10.0

# Up to this many kinds of pieces, each is tried in both orientations; beyond, each keeps its best
# orientation alone.
TRIED = 6


@dataclass(frozen=True)
class TurnedPiece:
    """A turned piece on a shared sheet.

    `gutter` is its distance from its like in mm; `clearance` is the distance of its ink from the ink of a piece that
    is cut along other lines.
    """

    piece: Piece
    turn: int
    gutter: float
    clearance: float = 0.0

    @property
    def size(self) -> Size:
        """The width and height of the turned piece in mm."""
        return self.piece.size.turned(self.turn)

    def apart(self, other: "TurnedPiece") -> float:
        """Return the distance in mm between two neighbours.

        Unequal pieces share no cut, and folds need space for a mark.
        """
        if (self.piece.component, self.size) == (other.piece.component, other.size):
            return self.gutter
        folded = fold.ROOM if self.folded or other.folded else 0.0
        room = folded if self.size == other.size else max(folded, self.clearance)
        return max((self.gutter + other.gutter) / 2, self.piece.bleed + other.piece.bleed + room)

    @property
    def folded(self) -> bool:
        """True if cut and fold lines stand beside the piece and leave no space for neighbours' marks."""
        return self.piece.net is not None and bool(self.piece.net.creases or self.piece.net.lines)


@dataclass
class PackingShelf:
    """Stacks from left to right; the first piece is the highest."""

    room: float
    stacks: list[list[TurnedPiece]]

    @property
    def height(self) -> float:
        """The height in mm of its first piece."""
        return self.stacks[0][0].size.h

    def takes(self, cell: TurnedPiece) -> bool:
        """Put a piece on the last stack or to its right, and return True if there is space."""
        last = self.stacks[-1]
        beside = self.width + last[0].apart(cell) + cell.size.w
        alike = last[0].piece.component == cell.piece.component and last[0].size == cell.size
        if alike and (len(last) + 1) * cell.size.h + len(last) * cell.gutter <= self.height + EPSILON:
            last.append(cell)
            return True
        if beside > self.room + EPSILON or cell.size.h > self.height + EPSILON:
            return False
        self.stacks.append([cell])
        return True

    @property
    def width(self) -> float:
        """The width in mm from the first trim to the last."""
        firsts = [stack[0] for stack in self.stacks]
        return sum(cell.size.w for cell in firsts) + sum(a.apart(b) for a, b in pairwise(firsts))

    def apart(self, other: "PackingShelf") -> float:
        """Return the distance in mm between two shelves."""
        return max(a[0].apart(b[0]) for a, b in product(self.stacks, other.stacks))

    def cells(self, left: float, top: float) -> Iterator[tuple[TurnedPiece, Rect]]:
        """Yield the pieces with their places, given the shelf's top left corner."""
        before: TurnedPiece | None = None
        for stack in self.stacks:
            left += before.apart(stack[0]) + before.size.w if before else 0.0
            before = stack[0]
            for n, cell in enumerate(stack):
                yield cell, Rect(left, top + n * (cell.size.h + cell.gutter), *cell.size)


@dataclass
class PackedSheet:
    """The shelves of one sheet, from the top down."""

    room: float
    shelves: list[PackingShelf] = field(default_factory=list)

    def takes(self, shelf: PackingShelf) -> bool:
        """Put a shelf below the others and return True if there is space."""
        if self.shelves and self.height + self.shelves[-1].apart(shelf) + shelf.height > self.room + EPSILON:
            return False
        self.shelves.append(shelf)
        return True

    @property
    def height(self) -> float:
        """The height in mm from the first trim to the last."""
        gaps = sum(a.apart(b) for a, b in pairwise(self.shelves))
        return sum(shelf.height for shelf in self.shelves) + gaps

    def cells(self, area: Rect) -> list[tuple[TurnedPiece, Rect]]:
        """Return all pieces with their places, centred in an area."""
        left = area.x + (area.w - max(shelf.width for shelf in self.shelves)) / 2
        top = area.y + (area.h - self.height) / 2
        found: list[tuple[TurnedPiece, Rect]] = []
        for n, shelf in enumerate(self.shelves):
            top += self.shelves[n - 1].height + self.shelves[n - 1].apart(shelf) if n else 0.0
            found += shelf.cells(left, top)
        return found


def packed(
    pieces: Sequence[Piece], setup: Setup, mode: Mode, *, tight: bool = True
) -> Iterator[tuple[tuple[Piece, ...], Layout]]:
    """Yield groups of pieces with the layout of the sheets that they share; equal sheets come together.

    Marks of rows that are cut along other lines are `ROW_CLEARANCE_MM` apart; `tight` lets them lie closer where that
    saves a sheet. Yield nothing if no part of the paper takes every one of the pieces.
    """
    if not pieces:
        return
    bleed = max(piece.bleed for piece in pieces)
    spots = mode.spots(setup.area_for(bleed), setup.paper.size, bleed)
    # Marks of two rows stand out towards each other. Rows lie closer together where that saves a sheet.
    wide = ROW_CLEARANCE_MM + 2 * (setup.marks.reach + CLEAR) if setup.marks.reach else 0.0
    clearances = (wide, 0.0) if tight and wide else (wide,)
    tried = [
        (spot, found)
        for clearance in clearances
        for spot in spots
        if (found := _fewest(pieces, setup, mode, spot.field, clearance))
    ]
    if not tried:
        return
    spot, sheets = min(tried, key=lambda pair: len(pair[1]))
    for _, alike in groupby(sheets, key=lambda cells: [(cell.piece.component, place) for cell, place in cells]):
        group = list(alike)
        yield tuple(cell.piece for cells in group for cell, _ in cells), _layout(group[0], spot, setup)


def _layout(cells: list[tuple[TurnedPiece, Rect]], spot: DuplexSpot, setup: Setup) -> Layout:
    trims = [place for _, place in cells]
    covered = inks(trims, [cell.piece.bleed for cell, _ in cells], setup.printable)
    slots = tuple(
        shaped(cell.piece, Slot(trim, ink, cell.turn), setup.printable)
        for (cell, trim), ink in zip(cells, covered, strict=True)
    )
    return Layout(slots, spot, None)


# The pieces of a sheet with their places.
Placed = list[tuple[TurnedPiece, Rect]]

# Sort keys for the order in which pieces are put on shelves.
ORDERS: tuple[Callable[[TurnedPiece], tuple[float, ...]], ...] = (
    lambda cell: (-cell.size.h,),
    lambda cell: (-cell.size.h, -cell.size.w),
    lambda cell: (-cell.size.w * cell.size.h,),
)


def _fewest(pieces: Sequence[Piece], setup: Setup, mode: Mode, field: Rect, clearance: float) -> list[Placed]:
    """Return the fewest sheets over all orientations and on level or upright shelves; empty if a piece is too large."""
    sorts = list(dict.fromkeys((piece.component, piece.size) for piece in pieces))
    if len(sorts) <= TRIED:
        ways = [dict(zip(sorts, turns, strict=True)) for turns in product((0, 90), repeat=len(sorts))]
    else:
        ways = [{(p.component, p.size): layout_for(p, setup, mode).slots[0].turn for p in pieces}]
    best: list[Placed] = []
    least = max(1, ceil(sum(piece.size.w * piece.size.h for piece in pieces) / (field.w * field.h) - EPSILON))
    for upright, way, order in product((False, True), ways, ORDERS):
        turned, seen = (_swapped(way), _swap(field)) if upright else (way, field)
        boards = _boards(pieces, setup, turned, (seen.size, order), clearance)
        if boards and (not best or len(boards) < len(best)):
            placed = [board.cells(seen) for board in boards]
            best = [_upright(cells) for cells in placed] if upright else placed
        if len(best) == least:
            break
    return best


def _swapped(way: dict[tuple[str, Size], int]) -> dict[tuple[str, Size], int]:
    return {sort: 90 - turn for sort, turn in way.items()}


def _swap(rect: Rect) -> Rect:
    return Rect(rect.y, rect.x, rect.h, rect.w)


def _upright(cells: Placed) -> Placed:
    """Return pieces from level shelves on upright ones, with left and top swapped."""
    return [(replace(cell, turn=90 - cell.turn), _swap(place)) for cell, place in cells]


def _boards(
    pieces: Sequence[Piece],
    setup: Setup,
    way: dict[tuple[str, Size], int],
    how: tuple[Size, Callable[[TurnedPiece], tuple[float, ...]]],
    clearance: float,
) -> list[PackedSheet] | None:
    area, order = how
    cells = [TurnedPiece(piece, way[piece.component, piece.size], _gutter(piece, setup), clearance) for piece in pieces]
    if any(cell.size.w > area.w + EPSILON or cell.size.h > area.h + EPSILON for cell in cells):
        return None
    shelves: list[PackingShelf] = []
    for cell in sorted(cells, key=order):
        if not any(shelf.takes(cell) for shelf in shelves):
            shelves.append(PackingShelf(area.w, [[cell]]))
    boards: list[PackedSheet] = []
    for shelf in shelves:
        if not any(board.takes(shelf) for board in boards):
            boards.append(PackedSheet(area.h, [shelf]))
    return boards


def _gutter(piece: Piece, setup: Setup) -> float:
    return piece.gutter if piece.gutter is not None else setup.gutter_for(piece.bleed)


# More titles make a footer that nobody reads.
MOST_TITLES = 3


def gathered(pieces: Sequence[Piece], setup: Setup) -> list[Piece]:
    """Return the pieces with those that may share sheets in a row and under one title."""
    kinds: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        kinds.setdefault(_alike(piece), []).append(piece)
    mode = setup.duplex if any(piece.back for piece in pieces) else SINGLE
    return [piece for group in kinds.values() for piece in _shared(group, setup, mode)]


def _alike(piece: Piece) -> tuple[object, ...]:
    """Return everything that the layout of a piece's sheet depends on."""
    own = piece.component if _made(piece) else ""
    return piece.outline, piece.bleed, piece.gutter, piece.grid, own


def _made(piece: Piece) -> bool:
    """Return True if the piece is folded or joined; it then shares sheets only with its own component."""
    return piece.splits or piece.net is not None


def _shared(group: Sequence[Piece], setup: Setup, mode: Mode) -> Iterator[Piece]:
    """Yield the pieces of a group, those without backs last.

    If sheets without backs hold more, only as many as fill the last two-sided sheet join it.
    """
    if _made(group[0]):
        yield from group
        return
    backed = [piece for piece in group if piece.back is not None]
    bare = [piece for piece in group if piece.back is None]
    full = capacity(group[0], setup, mode)
    joining = len(bare)
    if backed and capacity(group[0], setup, mode.without_backs) > full:
        joining = min(joining, -len(backed) % full)
    first = backed + bare[:joining]
    rest = bare[joining:]
    title = _title(first, setup.words)
    yield from (replace(piece, component=title) for piece in first)
    title = setup.words.one_side.format(title=_title(rest, setup.words))
    yield from (replace(piece, component=title) for piece in rest)


def _title(group: Sequence[Piece], words: SheetWords) -> str:
    titles = list(dict.fromkeys(piece.component for piece in group))
    return ", ".join(titles) if len(titles) <= MOST_TITLES else words.pieces
