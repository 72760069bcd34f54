"""Draw a figure: the board's pieces, overlays, held pieces and the names of columns and rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.base.errors import InvalidValueError
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.units import number
from generator.board.board import FaceUp, Kit, Placement
from generator.board.lattice import Place
from generator.board.parse_board import parse_cell
from generator.picture.face import Face
from generator.picture.items import Item, Path, Picture, PlacedPicture, Shape, Stroke
from generator.rules.figures.pen import Pen
from generator.rules.figures.spec import FigureSpec, HeldSpec, PieceSpec
from generator.rules.figures.spots import FigureGround

MARGIN_MM = 0.4
"""White space around the figure, so that no line is cut."""

EDGE_WIDTH_MM = 0.25
"""The line around a piece, which separates pieces that touch."""

EDGE_COLOUR = "#00000066"
"""Black at 40 %."""

SHADOW_OFFSET_MM = Point(1.1, 1.5)
"""The offset of the shadow of a held piece."""

SHADOW_COLOUR = "#00000047"
"""Black at 28 %."""

HELD_SCALE = 1.08
"""The enlargement of a held piece."""

NUMBER_OFFSET_SHARE = 0.36
"""The offset of a token's number from its centre, right and down, as a share of its box."""

COORDINATE_GAP_MM = 3.4
"""The distance from the board's edge to the centre of a letter."""


@dataclass(frozen=True)
class DesignFaces:
    """The outline and the faces of a design."""

    outline: Outline
    front: Face
    back: Face | None

    def face(self, side: FaceUp) -> Face:
        """Return the face of a side; the front if there is no back."""
        return self.back if side is FaceUp.BACK and self.back else self.front


@dataclass(frozen=True)
class Album:
    """All designs by the names that boards use."""

    kit: Kit
    designs: Mapping[str, DesignFaces]


@dataclass(frozen=True)
class PlacedPiece:
    """A face at its place in a figure: its centre in mm, and its turn in degrees clockwise."""

    face: Face
    outline: Outline
    centre: Point
    turn: float = 0.0
    scale: float = 1.0

    @property
    def at(self) -> Affine:
        """Return the transform from the face to the figure."""
        middle = Point(self.outline.size.w / 2, self.outline.size.h / 2)
        return Affine.moving(middle, self.centre, self.turn, self.scale)

    @property
    def box(self) -> Rect:
        """Return the upright box around the turned piece."""
        w, h = self.outline.size
        corners = [self.at.apply(Point(x, y)) for x in (0, w) for y in (0, h)]
        xs = [p.x for p in corners]
        ys = [p.y for p in corners]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))

    def placed_items(self, box: Rect) -> Iterator[PlacedPicture]:
        """Yield the piece cut to its outline, and its edge, moved into a picture of a box of the figure."""
        at = Affine(e=-box.x, f=-box.y) @ self.at
        yield PlacedPicture(self.face, at, self.outline)
        yield PlacedPicture(self._edge(), at)

    def played_items(self, box: Rect, pen: Pen) -> Iterator[Item]:
        """Yield the items of a piece that is being played: the piece and the outline that singles it out."""
        yield from self.placed_items(box)
        pen.frame(self.outline.mapped(self.at).flat)
        yield from pen.items(box)

    def _edge(self) -> Picture:
        """Return the line around the piece as a picture that pieces share.

        The line is as wide at any scale.
        """
        width = EDGE_WIDTH_MM / self.scale
        line = Shape(Path(curve_data(self.outline.edges)), stroke=Stroke(width, EDGE_COLOUR))
        return Picture((line,), self.outline.size, width)

    def shadow(self) -> Shape:
        """Return the shadow of the piece: its outline, a little lower and to the right."""
        lower = PlacedPiece(
            self.face, self.outline, self.centre + SHADOW_OFFSET_MM, self.turn, self.scale
        )
        return Shape(Path(curve_data(self.outline.mapped(lower.at).edges)), SHADOW_COLOUR)


def compose(
    laid: Sequence[PlacedPiece], over: Pen, box: Rect, above: Sequence[PlacedPiece], label: str
) -> Face:
    """Return a box of the figure (mm): pieces, overlays, and held pieces with their shadows and outlines."""
    pieces = [item for piece in laid for item in piece.placed_items(box)]
    held = [item for piece in above for item in piece.played_items(box, over.another())]
    overlays = over.items(box, [piece.shadow() for piece in above])
    return Face((*pieces, *overlays, *held), Size(box.w, box.h), 0.0, label)


def draw_figure(spec: FigureSpec, ground: FigureGround, album: Album, pen: Pen, label: str) -> Face:
    """Return a figure as a face without bleed."""
    shown = visible_pieces(spec, ground)
    pieces = place_pieces(shown, spec, ground, album)
    for entry, piece in zip(shown, pieces, strict=True):
        if entry.number != 1:
            pen.numeral(
                number(entry.number),
                piece.centre + Point(piece.box.w, piece.box.h).scaled(NUMBER_OFFSET_SHARE),
            )
    for overlay in spec.overlays:
        overlay.draw(ground, pen)
    held = [place_held_piece(item, spec, ground, album) for item in spec.held]
    window = _window(spec, ground, [*pieces, *held], pen)
    if spec.coordinates:
        window = Rect.round_all(
            [window, *_draw_coordinates(ground, pen, *_visible_range(spec, ground))]
        )
    return compose(pieces, pen, window.grown(MARGIN_MM), held, label)


def visible_pieces(spec: FigureSpec, ground: FigureGround) -> list[Placement]:
    """Return the visible pieces, bottom first; with coordinates, none outside the crop."""
    found = sorted(
        ground.board.placements,
        key=lambda placement: (placement.level, placement.row, placement.column),
    )
    if not (spec.coordinates and spec.crop):
        return found
    first, last = _visible_range(spec, ground)
    return [
        item
        for item in found
        if first.column <= item.column <= last.column and first.row <= item.row <= last.row
    ]


@dataclass(frozen=True)
class _MovedPiece:
    """A piece that the figure moves or scales; `place` is None for all pieces of the design."""

    design: str
    place: Place | None
    spec: PieceSpec

    def means(self, placement: Placement) -> bool:
        return placement.design == self.design and self.place in {None, placement.place}


def place_pieces(
    shown: Sequence[Placement], spec: FigureSpec, ground: FigureGround, album: Album
) -> list[PlacedPiece]:
    """Return the visible pieces at their places, bottom first.

    Raise `InvalidValueError` if a moved piece is not there.
    """
    kit = album.kit.with_aliases(spec.names)
    moved_pieces = [_read_piece_spec(piece, ground, kit) for piece in spec.pieces]
    for moved in moved_pieces:
        if not any(moved.means(placement) for placement in ground.board.placements):
            where = f"at {moved.place}" if moved.place else "on this board"
            raise InvalidValueError(f"no {moved.spec.piece!r} lies {where}", "a piece of the board")
    return [_place_piece(item, moved_pieces, ground, album, spec.scale) for item in shown]


def _read_piece_spec(piece: PieceSpec, ground: FigureGround, kit: Kit) -> _MovedPiece:
    place = ground.place(piece.place) if piece.place is not None else None
    return _MovedPiece(kit.design(piece.piece).id, place, piece)


def _place_piece(
    placement: Placement,
    moved_pieces: Sequence[_MovedPiece],
    ground: FigureGround,
    album: Album,
    scale: float,
) -> PlacedPiece:
    """Return a piece at its place; of several entries for a piece the last one counts."""
    drawn = album.designs[placement.design]
    spec = next((moved.spec for moved in reversed(moved_pieces) if moved.means(placement)), None)
    size = scale * (spec.size if spec else 1.0)
    lies = ground.lattice.table_turn(placement.place, placement.turn)
    centred = PlacedPiece(drawn.face(placement.side), drawn.outline, Point(0, 0), lies, size)
    shift = (
        ground.leaning_offset(spec.at, centred.box.size)
        if spec
        else ground.token_offset(placement.on, placement.place)
    )
    return PlacedPiece(
        centred.face, centred.outline, ground.middle_of(placement) + shift, lies, size
    )


def place_held_piece(
    item: HeldSpec, spec: FigureSpec, ground: FigureGround, album: Album
) -> PlacedPiece:
    """Return a held piece at its spot, tilted and a little enlarged."""
    pieces = parse_cell(
        item.piece, Place(0, 0), album.kit.with_aliases(spec.names), ground.lattice
    ).pieces
    if len(pieces) != 1:
        raise InvalidValueError(
            f"{item.piece!r} is {len(pieces)} pieces", "one piece to hold, such as bend>"
        )
    (placement,) = pieces
    drawn = album.designs[placement.design]
    return PlacedPiece(
        drawn.face(placement.side),
        drawn.outline,
        ground.spot(item.at),
        placement.turn + item.tilt,
        spec.scale * HELD_SCALE,
    )


def _window(spec: FigureSpec, ground: FigureGround, laid: Iterable[PlacedPiece], pen: Pen) -> Rect:
    seen = [*(item.box for item in laid), *pen.reach]
    if not (seen or spec.crop):
        raise InvalidValueError("this figure shows nothing", "a board with a tile")
    if spec.crop is None:
        return Rect.round_all(seen)
    half = ground.tile / 2
    corners = [ground.spot(text) for text in spec.crop]
    return Rect.round_all([Rect(c.x - half, c.y - half, 2 * half, 2 * half) for c in corners])


def _visible_range(spec: FigureSpec, ground: FigureGround) -> tuple[Place, Place]:
    """Return the first and the last visible place, by column and row."""
    cut = [ground.place_of(text) for text in spec.crop or ()]
    places = cut or list(ground.places)
    if not places:
        raise InvalidValueError("coordinates of an empty board", "a board with a tile, or a crop")
    columns = [place.column for place in places]
    rows = [place.row for place in places]
    return Place(min(columns), min(rows)), Place(max(columns), max(rows))


def _draw_coordinates(ground: FigureGround, pen: Pen, first: Place, last: Place) -> list[Rect]:
    """Draw letters above and numbers beside the board; return the boxes around them."""
    half = (
        max((ground.centre(first) - corner).x for corner in ground.rim(first))
        if ground.lattice.corners
        else ground.wide / 2
    )
    columns = [Place(column, first.row) for column in range(first.column, last.column + 1)]
    rows = [Place(first.column, row) for row in range(first.row, last.row + 1)]
    above = Point(0, ground.tile / 2 + COORDINATE_GAP_MM)
    left = Point(half + COORDINATE_GAP_MM, 0)
    return [
        *(
            pen.name(str(Place(at.column, 0)).removesuffix("1"), ground.centre(at) - above)
            for at in columns
        ),
        *(pen.name(str(at.row + 1), ground.centre(at) - left) for at in rows),
    ]
