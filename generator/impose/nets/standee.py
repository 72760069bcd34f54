"""Pieces with several faces on one side: standees and boards that are folded or joined from several sheets.

Places are in mm from the top left of the piece's trim, with the piece upright.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from generator.base import polygon
from generator.base.geometry import EPSILON, Point, Rect, Segment, Size
from generator.base.outline import Outline
from generator.base.ui_strings import SheetWords
from generator.base.units import number
from generator.impose.grid import Slot, get_placement
from generator.impose.nets.net import FlatNet, NetPanel, NetPlan, fold_piece
from generator.impose.sheet import Line, Net, Piece, PieceLeaf, PlacedFace

# Overlap of two parts of a board, where one is glued on the other.
JOIN_OVERLAP_MM = 8.0

# Area in square mm below which a part of a board is not worth a sheet.
MIN_PART_AREA_MM2 = 1.0

# Limits of the depth of a standee's foot, which is half its width in between.
MIN_STANDEE_FOOT_MM = 8.0
MAX_STANDEE_FOOT_MM = 20.0


def place_leaf(leaf: PieceLeaf, piece: Piece, slot: Slot) -> PlacedFace:
    """Return a face of a piece as it lies in a slot."""
    trim, visible = (_place_rect(rect, piece, slot) for rect in (leaf.trim, leaf.visible))
    clip = leaf.clip.mapped(get_placement(piece, slot)) if leaf.clip else slot.clip
    return PlacedFace(
        leaf.face, piece.id, trim, visible.common(slot.ink), (leaf.turn + slot.turn) % 360, clip
    )


def place_line(line: Line, piece: Piece, slot: Slot) -> Line:
    """Return a line of a piece as it lies in a slot."""
    placement = get_placement(piece, slot)
    return replace(line, a=placement.apply(line.a), b=placement.apply(line.b))


def _place_rect(rect: Rect, piece: Piece, slot: Slot) -> Rect:
    middle = get_placement(piece, slot).apply(rect.centre)
    w, h = rect.size.turned(slot.turn)
    return Rect(middle.x - w / 2, middle.y - h / 2, w, h)


def place_crease(segment: Segment, piece: Piece, slot: Slot) -> Segment:
    """Return a fold or join of a piece in a slot, starting at its upper or left end."""
    return Segment(*sorted(get_placement(piece, slot).apply(end) for end in segment))


def build_standee(piece: Piece) -> Piece:
    """Return a figure to fold: its back upside down above its front, and a foot at either end."""
    flat = FlatNet(plan_standee(piece.size), piece.bleed)
    return fold_piece(replace(piece, more=(piece.back or piece.front,)), flat, (0, 1))


def plan_standee(size: Size) -> NetPlan:
    """Return the net of a standee: the front, the back that folds over it, and their feet, bent outwards."""
    depth = min(max(size.w / 2, MIN_STANDEE_FOOT_MM), MAX_STANDEE_FOOT_MM)
    face = polygon.box(Rect(0, 0, *size))
    foot = polygon.box(Rect(0, 0, size.w, depth))
    return NetPlan(
        (
            NetPanel(face),
            NetPanel(face, 0, 0, 0, bend=180),
            NetPanel(foot, 0, 2, 0, has_face=False, bend=-90),
            NetPanel(foot, 1, 2, 0, has_face=False, bend=-90),
        ),
        has_tabs=False,
    )


def split_board(piece: Piece, space: Size, words: SheetWords) -> Iterator[Piece]:
    """Yield the parts of a board on sheets with this much space, row by row, each as a piece."""
    folds = piece.folds or (1, 1)
    space = max((space, Size(space.h, space.w)), key=lambda size: -_count(piece.size, size, folds))
    across = _panels(piece.size.w, space.w, folds[0])
    down = _panels(piece.size.h, space.h, folds[1])
    title_format = words.panel if (len(across), len(down)) == folds else words.part
    for row, (top, h) in enumerate(down, 1):
        for column, (left, w) in enumerate(across, 1):
            window = Rect(left, top, w, h)
            cut = _cut(piece.outline, window)
            if cut is None:
                continue
            part = _part(
                piece, cut, window, (_overlaps_next(across, column), _overlaps_next(down, row))
            )
            place = {"column": column, "columns": len(across), "row": row, "rows": len(down)}
            title = title_format.format(title=piece.component, lap=number(JOIN_OVERLAP_MM), **place)
            yield replace(part, id=f"{piece.id} {column}/{row}", component=title)


def crease_board(piece: Piece) -> Piece:
    """Return a board that is printed in one part, with the folds between its panels."""
    (columns, rows) = piece.folds or (1, 1)
    (w, h) = piece.size
    upright = (
        Segment(Point(w * n / columns, 0), Point(w * n / columns, h)) for n in range(1, columns)
    )
    level = (Segment(Point(0, h * n / rows), Point(w, h * n / rows)) for n in range(1, rows))
    board = Rect(0, 0, w, h)
    leaves = [
        (PieceLeaf(face, board, board.grown(piece.bleed)),)
        for face in (piece.front, piece.back)
        if face
    ]
    return replace(
        piece, grid=None, net=Net(leaves[0], leaves[1] if piece.back else (), (*upright, *level))
    )


def _overlaps_next(spans: Sequence[tuple[float, float]], index: int) -> bool:
    """Return True if a part (counted from 1) lies under the edge of the next one."""
    return index < len(spans) and spans[index][0] < sum(spans[index - 1]) - EPSILON


def _cut(outline: Outline, window: Rect) -> Outline | None:
    """Return the outline of a board within a window, or None if next to nothing is left."""
    if outline.is_rectangle:
        return Outline.of_box(window)
    corners = polygon.clip_to_rect(outline.flat, window)
    return (
        Outline(corners) if len(corners) > 2 and polygon.area(corners) > MIN_PART_AREA_MM2 else None
    )


def _count(board: Size, space: Size, folds: tuple[int, int]) -> int:
    return len(_panels(board.w, space.w, folds[0])) * len(_panels(board.h, space.h, folds[1]))


def _panels(length: float, space: float, folds: int) -> list[tuple[float, float]]:
    """Return the start and length in mm of the parts of each panel; parts never cross a fold."""
    panel = length / folds
    return [
        (n * panel + start, long)
        for n in range(folds)
        for start, long in _overlapping_spans(panel, space)
    ]


def _overlapping_spans(length: float, space: float) -> list[tuple[float, float]]:
    """Return the start and length in mm of equal parts, each overlapping the next."""
    if length <= space + EPSILON:
        return [(0.0, length)]
    count = ceil((length - JOIN_OVERLAP_MM) / max(space - JOIN_OVERLAP_MM, 1) - EPSILON)
    step = (length - JOIN_OVERLAP_MM) / count
    return [(n * step, step + JOIN_OVERLAP_MM) for n in range(count)]


def _part(piece: Piece, cut: Outline, window: Rect, joined: tuple[bool, bool]) -> Piece:
    board = piece.size
    box = cut.box
    visible = Rect(0, 0, *box.size).grown(piece.bleed)
    front = PieceLeaf(piece.front, Rect(-box.x, -box.y, *board), visible)
    back = (
        (PieceLeaf(piece.back, Rect(box.right - board.w, -box.y, *board), visible),)
        if piece.back
        else ()
    )
    joins = []
    x = window.right - JOIN_OVERLAP_MM - box.x
    y = window.bottom - JOIN_OVERLAP_MM - box.y
    if joined[0] and 0 < x < box.w:
        joins.append(Segment(Point(x, 0), Point(x, box.h)))
    if joined[1] and 0 < y < box.h:
        joins.append(Segment(Point(0, y), Point(box.w, y)))
    net = Net((front,), back, tuple(joins))
    return replace(piece, outline=cut.moved((-box.x, -box.y)), grid=None, net=net)
