"""Draw a figure: the board's pieces, overlays, held pieces and the names of columns and rows."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.base.errors import InvalidValueError
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.units import number
from generator.board.board import Kit, Placement, parse_single_piece
from generator.board.lattice import Place
from generator.picture.face import Face
from generator.picture.items import Item
from generator.rules.figures.pen import Pen
from generator.rules.figures.sketch import Album, PlacedPiece, Sketch
from generator.rules.figures.spec import FigureSpec, HeldSpec, PieceSpec
from generator.rules.figures.spots import FigureBoard

MARGIN_MM = 0.4
"""White space around the figure, so that no line is cut."""

HELD_SCALE = 1.08
"""The enlargement of a held piece."""

NUMBER_OFFSET_SHARE = 0.36
"""The offset of a token's number from its centre, right and down, as a share of its box."""

COORDINATE_GAP_MM = 3.4
"""The distance from the board's edge to the centre of a letter."""


def compose(
    table: Sequence[Item],
    placed: Sequence[PlacedPiece],
    over: Pen,
    box: Rect,
    above: Sequence[PlacedPiece],
    label: str,
) -> Face:
    """Return a box of the figure (mm): the table, pieces, overlays, and held pieces with shadows and outlines."""
    pieces = [item for piece in placed for item in piece.placed_items(box)]
    held_items = [item for piece in above for item in piece.played_items(box, over.blank_copy())]
    overlays = over.items(box, [piece.shadow() for piece in above])
    return Face((*table, *pieces, *overlays, *held_items), Size(box.w, box.h), 0.0, label)


def draw_figure(
    spec: FigureSpec,
    figure_board: FigureBoard,
    album: Album,
    pen: Pen,
    label: str,
    table: Sketch | None = None,
) -> Face:
    """Return a figure as a face without bleed.

    The board's origin on a `table` is the spot `BOARD_SPOT` of `sketch.py`.
    """
    placements = visible_pieces(spec, figure_board)
    pieces = place_pieces(placements, spec, figure_board, album)
    for entry, piece in zip(placements, pieces, strict=True):
        if entry.number != 1:
            pen.numeral(
                number(entry.number),
                piece.centre + Point(piece.box.w, piece.box.h).scaled(NUMBER_OFFSET_SHARE),
            )
    for overlay in spec.overlays:
        overlay.draw(figure_board, pen)
    held_pieces = [place_held_piece(item, spec, figure_board, album) for item in spec.held]
    if table is None:
        window = _window(spec, figure_board, [*pieces, *held_pieces], pen).grown(MARGIN_MM)
        return compose((), pieces, pen, window, held_pieces, label)
    if pieces:
        # Only for the names of columns and rows that it draws: the table has a window of its own.
        _window(spec, figure_board, pieces, pen)
    origin = table.origin
    window = Rect(-origin.x, -origin.y, *table.size).grown(MARGIN_MM)
    under = table.moved(Affine(e=MARGIN_MM, f=MARGIN_MM)).items
    return compose(under, pieces, pen, window, held_pieces, label)


def board_window(spec: FigureSpec, figure_board: FigureBoard, album: Album, pen: Pen) -> Rect:
    """Return the box of a board with its overlays and held pieces, for its place on a table."""
    pieces = place_pieces(visible_pieces(spec, figure_board), spec, figure_board, album)
    for overlay in spec.overlays:
        if not overlay.is_on_table:
            overlay.draw(figure_board, pen)
    held_pieces = [place_held_piece(item, spec, figure_board, album) for item in spec.held]
    return _window(spec, figure_board, [*pieces, *held_pieces], pen)


def visible_pieces(spec: FigureSpec, figure_board: FigureBoard) -> list[Placement]:
    """Return the visible pieces, bottom first; with coordinates, none outside the crop."""
    placements = sorted(
        figure_board.board.placements,
        key=lambda placement: (placement.level, placement.row, placement.column),
    )
    if not (spec.coordinates and spec.crop):
        return placements
    first, last = _visible_range(spec, figure_board)
    return [
        item
        for item in placements
        if first.column <= item.column <= last.column and first.row <= item.row <= last.row
    ]


def place_pieces(
    placements: Sequence[Placement], spec: FigureSpec, figure_board: FigureBoard, album: Album
) -> list[PlacedPiece]:
    """Return the visible pieces at their places, bottom first.

    Raise `InvalidValueError` if a moved piece is not there.
    """
    changes = _find_changes(spec, figure_board, album.kit.with_aliases(spec.names))
    return [
        _place_piece(item, changes.get(item), figure_board, album, spec.scale)
        for item in placements
    ]


def _find_changes(
    spec: FigureSpec, figure_board: FigureBoard, kit: Kit
) -> dict[Placement, PieceSpec]:
    """Return the pieces that the figure moves or scales; of several entries for a piece the last one counts."""
    changes: dict[Placement, PieceSpec] = {}
    for piece in spec.pieces:
        design = kit.design(piece.piece).id
        place = figure_board.place(piece.place) if piece.place is not None else None
        named = [
            placement
            for placement in figure_board.board.placements
            if placement.design == design and place in {None, placement.place}
        ]
        if not named:
            where = f"at {place}" if place else "on this board"
            raise InvalidValueError(f"no {piece.piece!r} lies {where}", "a piece of the board")
        changes |= dict.fromkeys(named, piece)
    return changes


def _place_piece(
    placement: Placement,
    change: PieceSpec | None,
    figure_board: FigureBoard,
    album: Album,
    scale: float,
) -> PlacedPiece:
    """Return a piece at its place."""
    design = album.designs[placement.design]
    size = scale * (change.size if change else 1.0)
    turn = figure_board.lattice.table_turn(placement.place, placement.turn)
    centred = PlacedPiece(design.face(placement.side), design.outline, Point(0, 0), turn, size)
    shift = (
        figure_board.leaning_offset(change.at, centred.box.size)
        if change
        else figure_board.token_offset(placement.on, placement.place)
    )
    return replace(centred, centre=figure_board.middle_of(placement) + shift)


def place_held_piece(
    item: HeldSpec, spec: FigureSpec, figure_board: FigureBoard, album: Album
) -> PlacedPiece:
    """Return a held piece at its spot, tilted and a little enlarged."""
    kit = album.kit.with_aliases(spec.names)
    expected = "one piece to hold, such as bend>"
    placement = parse_single_piece(item.piece, kit, figure_board.lattice, expected)
    design = album.designs[placement.design]
    return PlacedPiece(
        design.face(placement.side),
        design.outline,
        figure_board.spot(item.at),
        placement.turn + item.tilt,
        spec.scale * HELD_SCALE,
    )


def _window(
    spec: FigureSpec, figure_board: FigureBoard, placed: Iterable[PlacedPiece], pen: Pen
) -> Rect:
    """Draw the names of columns and rows; return the box of everything on the board."""
    window = _cropped_window(spec, figure_board, placed, pen)
    if not spec.coordinates:
        return window
    return Rect.around(
        [window, *_draw_coordinates(figure_board, pen, *_visible_range(spec, figure_board))]
    )


def _cropped_window(
    spec: FigureSpec, figure_board: FigureBoard, placed: Iterable[PlacedPiece], pen: Pen
) -> Rect:
    boxes = [*(item.box for item in placed), *pen.reach]
    if not (boxes or spec.crop):
        raise InvalidValueError("this figure shows nothing", "a board with a tile")
    if spec.crop is None:
        return Rect.around(boxes)
    half = figure_board.tile_height / 2
    corners = [figure_board.spot(text) for text in spec.crop]
    return Rect.around([Rect(c.x - half, c.y - half, 2 * half, 2 * half) for c in corners])


def _visible_range(spec: FigureSpec, figure_board: FigureBoard) -> tuple[Place, Place]:
    """Return the first and the last visible place, by column and row."""
    cut = [figure_board.place_of(text) for text in spec.crop or ()]
    places = cut or list(figure_board.places)
    if not places:
        raise InvalidValueError("coordinates of an empty board", "a board with a tile, or a crop")
    columns = [place.column for place in places]
    rows = [place.row for place in places]
    return Place(min(columns), min(rows)), Place(max(columns), max(rows))


def _draw_coordinates(figure_board: FigureBoard, pen: Pen, first: Place, last: Place) -> list[Rect]:
    """Draw letters above and numbers beside the board; return the boxes around them."""
    half = (
        max((figure_board.centre(first) - corner).x for corner in figure_board.rim(first))
        if figure_board.lattice.corners
        else figure_board.tile_width / 2
    )
    columns = [Place(column, first.row) for column in range(first.column, last.column + 1)]
    rows = [Place(first.column, row) for row in range(first.row, last.row + 1)]
    above = Point(0, figure_board.tile_height / 2 + COORDINATE_GAP_MM)
    left = Point(half + COORDINATE_GAP_MM, 0)
    return [
        *(
            pen.letters(str(Place(at.column, 0)).removesuffix("1"), figure_board.centre(at) - above)
            for at in columns
        ),
        *(pen.letters(str(at.row + 1), figure_board.centre(at) - left) for at in rows),
    ]
