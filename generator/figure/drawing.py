"""A figure's board as a picture: its pieces, the overlays, what is held above them, and names beside it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.board.kit import FaceUp, Kit, Placement
from generator.board.lattice import Place
from generator.board.writing import parse_cell
from generator.core.geometry import Affine, Point, Rect, Size
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.problems import Wrong
from generator.core.units import number
from generator.figure.pen import Pen
from generator.figure.spec import FigureSpec, HeldSpec, PieceSpec
from generator.figure.spots import FigureGround
from generator.picture.face import Face
from generator.picture.items import Item, Path, Picture, PlacedPicture, Shape, Stroke

MARGIN = 0.4
"""mm of paper round everything, so that no line is cut."""

EDGE_WIDTH = 0.25
"""mm; the line round a piece, so that two that touch are seen to be two."""

EDGE_COLOUR = "#00000066"
"""Black at 40 %."""

SHADOW = Point(1.1, 1.5)
"""mm; how far the shadow of a piece lies from it that is held above the board."""

SHADOW_COLOUR = "#00000047"
"""Black at 28 %."""

LIFT = 1.08
"""How much larger such a piece looks."""

RIM = 0.36
"""How far from the middle of a token its number stands, to the right and below, as a share of its box."""

GAP = 3.4
"""mm from the board's edge to the middle of a letter."""


@dataclass(frozen=True)
class DesignFaces:
    """A design as it is shown: its outline and its faces."""

    outline: Outline
    front: Face
    back: Face | None

    def face(self, side: FaceUp) -> Face:
        """The side that is up."""
        return self.back if side is FaceUp.BACK and self.back else self.front


@dataclass(frozen=True)
class Album:
    """All designs by the names that boards call them."""

    kit: Kit
    designs: Mapping[str, DesignFaces]


@dataclass(frozen=True)
class LaidPiece:
    """A face at its place in a figure: where its middle is (mm), and how it is turned (degrees clockwise)."""

    face: Face
    outline: Outline
    centre: Point
    turn: float = 0.0
    scale: float = 1.0

    @property
    def at(self) -> Affine:
        """From the face to the figure."""
        middle = Point(self.outline.size.w / 2, self.outline.size.h / 2)
        return Affine.laying(middle, self.centre, self.turn, self.scale)

    @property
    def box(self) -> Rect:
        """The box round the piece as it is turned."""
        w, h = self.outline.size
        corners = [self.at.apply(Point(x, y)) for x in (0, w) for y in (0, h)]
        xs, ys = [p.x for p in corners], [p.y for p in corners]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))

    def placed(self, box: Rect) -> Iterator[PlacedPicture]:
        """Yield the piece cut to its outline, and its edge, moved into a picture of a box of the figure."""
        at = Affine(e=-box.x, f=-box.y) @ self.at
        yield PlacedPicture(self.face, at, self.outline)
        yield PlacedPicture(self._edge(), at)

    def outlined(self, box: Rect, pen: Pen) -> Iterator[Item]:
        """Yield the items of a piece that is being played: the piece and the outline that singles it out."""
        yield from self.placed(box)
        pen.frame(self.outline.mapped(self.at).flat)
        yield from pen.items(box)

    def _edge(self) -> Picture:
        """Return the line around the piece as a picture that pieces share; the line is as wide at any scale."""
        width = EDGE_WIDTH / self.scale
        line = Shape(Path(curve_data(self.outline.edges)), stroke=Stroke(width, EDGE_COLOUR))
        return Picture((line,), self.outline.size, width)

    def shadow(self) -> Shape:
        """Return the shadow of the piece: its outline, a little lower and to the right."""
        lower = LaidPiece(self.face, self.outline, self.centre + SHADOW, self.turn, self.scale)
        return Shape(Path(curve_data(self.outline.mapped(lower.at).edges)), SHADOW_COLOUR)


def compose(laid: Sequence[LaidPiece], over: Pen, box: Rect, above: Sequence[LaidPiece], label: str) -> Face:
    """Return a box of the figure (mm): pieces, overlays, and held pieces with their shadows and outlines."""
    pieces = [item for one in laid for item in one.placed(box)]
    held = [item for one in above for item in one.outlined(box, over.another())]
    overlays = over.items(box, [one.shadow() for one in above])
    return Face((*pieces, *overlays, *held), Size(box.w, box.h), 0.0, label)


def draw_figure(spec: FigureSpec, ground: FigureGround, album: Album, pen: Pen, label: str) -> Face:
    """The figure as a face of its own, without bleed."""
    shown = bottom_up(spec, ground)
    pieces = laid_out(shown, spec, ground, album)
    for one, piece in zip(shown, pieces, strict=True):
        if one.number != 1:
            pen.numeral(number(one.number), piece.centre + Point(piece.box.w, piece.box.h).scaled(RIM))
    for overlay in spec.overlays:
        overlay.draw(ground, pen)
    held = [held_piece(item, spec, ground, album) for item in spec.held]
    window = _window(spec, ground, [*pieces, *held], pen)
    if spec.coordinates:
        window = Rect.round_all([window, *_coordinates(ground, pen, *_ends(spec, ground))])
    return compose(pieces, pen, window.grown(MARGIN), held, label)


def bottom_up(spec: FigureSpec, ground: FigureGround) -> list[Placement]:
    """The pieces to show; where names stand round a crop, none outside it may show through between them."""
    found = sorted(ground.board.placements, key=lambda one: (one.level, one.row, one.column))
    if not (spec.coordinates and spec.crop):
        return found
    first, last = _ends(spec, ground)
    return [one for one in found if first.column <= one.column <= last.column and first.row <= one.row <= last.row]


@dataclass(frozen=True)
class _Shifted:
    """A piece that the figure shows elsewhere or in another size: which one, wherever `place` is nothing."""

    design: str
    place: Place | None
    spec: PieceSpec

    def means(self, one: Placement) -> bool:
        return one.design == self.design and self.place in {None, one.place}


def laid_out(shown: Sequence[Placement], spec: FigureSpec, ground: FigureGround, album: Album) -> list[LaidPiece]:
    """The pieces to show, bottom first: in the middle of their places, or where the figure moves them."""
    kit = album.kit.with_aliases(spec.names)
    shifted = [_shifted(piece, ground, kit) for piece in spec.pieces]
    for wish in shifted:
        if not any(wish.means(one) for one in ground.board.placements):
            where = f"at {wish.place}" if wish.place else "on this board"
            raise Wrong(f"no {wish.spec.piece!r} lies {where}", "a piece of the board")
    return [_laid(one, shifted, ground, album, spec.scale) for one in shown]


def _shifted(piece: PieceSpec, ground: FigureGround, kit: Kit) -> _Shifted:
    place = ground.place(piece.place) if piece.place is not None else None
    return _Shifted(kit.design(piece.piece).id, place, piece)


def _laid(one: Placement, shifted: Sequence[_Shifted], ground: FigureGround, album: Album, scale: float) -> LaidPiece:
    """The last wish that means a piece is the one that counts."""
    drawn = album.designs[one.design]
    spec = next((wish.spec for wish in reversed(shifted) if wish.means(one)), None)
    size = scale * (spec.size if spec else 1.0)
    lies = ground.lattice.table_turn(one.place, one.turn)
    centred = LaidPiece(drawn.face(one.side), drawn.outline, Point(0, 0), lies, size)
    shift = ground.leaning(spec.at, centred.box.size) if spec else ground.standing(one.on, one.place)
    return LaidPiece(centred.face, centred.outline, ground.middle_of(one) + shift, lies, size)


def held_piece(item: HeldSpec, spec: FigureSpec, ground: FigureGround, album: Album) -> LaidPiece:
    """Return a held piece at its spot, tilted and a little enlarged."""
    pieces = parse_cell(item.piece, Place(0, 0), album.kit.with_aliases(spec.names), ground.lattice).pieces
    if len(pieces) != 1:
        raise Wrong(f"{item.piece!r} is {len(pieces)} pieces", "one piece to hold, such as bend>")
    (one,) = pieces
    drawn = album.designs[one.design]
    return LaidPiece(drawn.face(one.side), drawn.outline, ground.spot(item.at), one.turn + item.tilt, spec.scale * LIFT)


def _window(spec: FigureSpec, ground: FigureGround, laid: Iterable[LaidPiece], pen: Pen) -> Rect:
    seen = [*(one.box for one in laid), *pen.reach]
    if not (seen or spec.crop):
        raise Wrong("nothing is to be seen here", "a board with a tile")
    if spec.crop is None:
        return Rect.round_all(seen)
    half = ground.tile / 2
    corners = [ground.spot(text) for text in spec.crop]
    return Rect.round_all([Rect(c.x - half, c.y - half, 2 * half, 2 * half) for c in corners])


def _ends(spec: FigureSpec, ground: FigureGround) -> tuple[Place, Place]:
    """The first and the last column and row that are shown."""
    cut = [ground.place_of(text) for text in spec.crop or ()]
    places = cut or list(ground.places)
    if not places:
        raise Wrong("coordinates of an empty board", "a board with a tile, or a crop")
    columns, rows = [place.column for place in places], [place.row for place in places]
    return Place(min(columns), min(rows)), Place(max(columns), max(rows))


def _coordinates(ground: FigureGround, pen: Pen, first: Place, last: Place) -> list[Rect]:
    """Letters above and numbers beside the board, as claims call its columns and rows; gives the boxes round them."""
    half = (
        max((ground.centre(first) - corner).x for corner in ground.rim(first))
        if ground.lattice.corners
        else ground.wide / 2
    )
    columns = [Place(column, first.row) for column in range(first.column, last.column + 1)]
    rows = [Place(first.column, row) for row in range(first.row, last.row + 1)]
    above, left = Point(0, ground.tile / 2 + GAP), Point(half + GAP, 0)
    return [
        *(pen.name(str(Place(at.column, 0)).removesuffix("1"), ground.centre(at) - above) for at in columns),
        *(pen.name(str(at.row + 1), ground.centre(at) - left) for at in rows),
    ]
