"""Pieces on figures, and sketches: parts of a table figure as items in a box, to be placed beside each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from generator.base.colours import channels_of, mix_with_paper, to_hex
from generator.base.errors import find_row
from generator.base.fonts import FontSet
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.units import MM_PER_PT
from generator.board.board import FaceUp, Kit, Placement, parse_single_piece
from generator.board.lattice import Lattice
from generator.picture.face import Face
from generator.picture.items import Box, Group, Item, Path, Picture, PlacedPicture, Shape, Stroke
from generator.rules.figures.pen import INK, LABEL_STYLE, PAPER, Pen
from generator.text import Block, set_text
from generator.text.style import Style, VAlign

EDGE_WIDTH_MM = 0.25
"""The line around a piece, which separates pieces that touch."""

EDGE_COLOUR = "#00000066"
"""Black at 40 %."""

SHADOW_OFFSET_MM = Point(1.1, 1.5)
"""The offset of the shadow of a held piece."""

SHADOW_COLOUR = "#00000047"
"""Black at 28 %."""


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
class Deck:
    """All pieces of a component: their outline, the back that they have in common, and the copies of each design.

    `back` is None if the pieces have no backs, or several.
    """

    id: str
    outline: Outline
    back: Face | None
    designs: Mapping[str, int]

    @property
    def count(self) -> int:
        """Return the number of pieces."""
        return sum(self.designs.values())


@dataclass(frozen=True)
class Album:
    """All designs by the names that boards use, and all components by their ids."""

    kit: Kit
    designs: Mapping[str, DesignFaces]
    decks: Mapping[str, Deck]


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
        return self.at.bounding_box(Rect(0, 0, *self.outline.size))

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
        outline = self.outline.mapped(self.at).moved(SHADOW_OFFSET_MM)
        return Shape(Path(curve_data(outline.edges)), SHADOW_COLOUR)


SHADOW = "#0000001f"
"""Black at 12 %, around everything that lies on the table."""
SHADOW_MM = 0.6
"""The width of a shadow on each side: one without a direction may be turned with its thing."""

BLANK = "#fdfbf6"
"""The colour of the unprinted side of a piece."""

ROW_GAP_SHARE = 0.1
"""The gap between pieces side by side, in widths of a piece."""

FAN_STEP = 9.0
"""The angle in degrees between neighbouring cards of a fan: about four tenths of a card are visible."""
FAN_RADIUS = 2.6
"""The distance from the middle of a card to the pivot of its fan, in heights of a card."""

TEXT_HEIGHT_MM = 200.0
"""More than the height of any label: text of a table is never shrunk."""

COUNT_STYLE = replace(LABEL_STYLE, colour=PAPER, size=10 * MM_PER_PT)
COUNT_HEIGHT_MM = 4.6
COUNT_OVERLAP = 0.72
"""The share of the disc with the number of pieces that lies on the pile."""


class TableColours(NamedTuple):
    """The colours of a table: its background, the players' places, their lines, and the tags on them."""

    background: str
    mat: str
    line: str
    tag: str


def choose_colours(box: str, accent: str) -> TableColours:
    """Return the colours that go with the boxes and the accent of a booklet's theme."""
    return TableColours(tint(box, 1.0), tint(box, 0.25), tint(accent, 0.45), accent)


def tint(colour: str, share: float) -> str:
    """Return a colour of which `share` is left, mixed with white."""
    return to_hex(mix_with_paper(channels_of(colour), share))


BOARD_SPOT = ""
"""The name of the spot at which the origin of the figure's board lies."""


@dataclass(frozen=True)
class Sketch:
    """Items in a box whose top left corner is the origin, with named spots in it."""

    size: Size
    items: tuple[Item, ...] = ()
    spots: Mapping[str, Point] = field(default_factory=dict)

    @property
    def origin(self) -> Point:
        """Return the origin of the figure's board; the top left corner if there is no board."""
        return self.spots.get(BOARD_SPOT, Point(0, 0))

    def moved(self, by: Affine) -> "Sketch":
        """Return the sketch with its items and spots moved; the size stays."""
        spots = {name: by.apply(spot) for name, spot in self.spots.items()}
        return Sketch(self.size, tuple(move_items(self.items, by)), spots)

    def turned(self, turn: int) -> "Sketch":
        """Return the sketch turned by a number of quarter turns, given in degrees."""
        if not turn:
            return self
        size = self.size.turned(turn)
        middle = Point(self.size.w / 2, self.size.h / 2)
        at = Affine.moving(middle, Point(size.w / 2, size.h / 2), turn)
        return replace(self.moved(at), size=size)


def move_items(items: Iterable[Item], by: Affine) -> Iterator[Item]:
    """Yield items moved; placed pictures stay outside of groups, so that copies share their drawing."""
    for item in items:
        if isinstance(item, PlacedPicture | Group):
            yield replace(item, at=by @ item.at)
        else:
            yield Group((item,), by)


def join(placed: Sequence[Sketch], size: Size) -> Sketch:
    """Return sketches that are in their places as one, the first lowest."""
    spots = {name: spot for sketch in placed for name, spot in sketch.spots.items()}
    return Sketch(size, tuple(item for sketch in placed for item in sketch.items), spots)


def beside(sketches: Sequence[Sketch], gap: float) -> Sketch:
    """Return sketches side by side, their middles level."""
    height = max(sketch.size.h for sketch in sketches)
    placed = []
    x = 0.0
    for sketch in sketches:
        placed.append(sketch.moved(Affine(e=x, f=(height - sketch.size.h) / 2)))
        x += sketch.size.w + gap
    return join(placed, Size(x - gap, height))


def stack(sketches: Sequence[Sketch], gap: float) -> Sketch:
    """Return sketches below each other, their middles in line."""
    width = max(sketch.size.w for sketch in sketches)
    placed = []
    y = 0.0
    for sketch in sketches:
        placed.append(sketch.moved(Affine(e=(width - sketch.size.w) / 2, f=y)))
        y += sketch.size.h + gap
    return join(placed, Size(width, y - gap))


@dataclass(frozen=True)
class TableSetting:
    """Everything that sketches are made with: the pieces, their scale, fonts and colours, and the figure's board.

    `board` is the box of the figure's board (mm), `scores` the title and the points of each score on it, and `counts`
    the number of pieces in each pile and bag.
    """

    album: Album
    lattice: Lattice
    scale: float
    fonts: FontSet
    language: str
    colours: TableColours
    board: Rect | None = None
    scores: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    counts: Mapping[Any, int] = field(default_factory=dict)

    def text(self, text: str, style: Style, width: float) -> Sketch:
        """Return a text broken into lines of a width in mm."""
        block = self._set(text, style, width)
        moved = move_items(block.runs, Affine(e=-block.box.x, f=-block.box.y))
        return Sketch(block.box.size, tuple(moved))

    def line(self, text: str, style: Style) -> Sketch:
        """Return a line of text whose origin is the left end of its baseline."""
        block = self._set(text, style, TEXT_HEIGHT_MM)
        moved = move_items(block.runs, Affine(e=-block.box.x, f=-block.runs[0].y))
        return Sketch(block.box.size, tuple(moved))

    def _set(self, text: str, style: Style, width: float) -> Block:
        return set_text(
            text,
            replace(style, valign=VAlign.TOP),
            Rect(0, 0, width, TEXT_HEIGHT_MM),
            self.fonts,
            icons={},
            lang=self.language,
            minimum=None,
        )

    def tag(self, text: str, style: Style, fill: str, height: float) -> Sketch:
        """Return a few words on a rounded tag."""
        words = self.text(text, style, TEXT_HEIGHT_MM)
        width = max(words.size.w + 0.75 * height, height)
        background = Shape(Box(Rect(0, 0, width, height), height / 2), fill, Stroke(0.35, PAPER))
        at = Affine(e=(width - words.size.w) / 2, f=(height - words.size.h) / 2)
        return Sketch(Size(width, height), (background, *words.moved(at).items))

    def with_count(self, sketch: Sketch, count: int, overlap: float = COUNT_OVERLAP) -> Sketch:
        """Return a sketch with the number of its pieces on its lower right corner.

        `overlap` is the distance from the corner back to the disc, in sizes of the disc.
        """
        disc = self.tag(f"×{count}", COUNT_STYLE, INK, COUNT_HEIGHT_MM)
        at = Point(sketch.size.w - disc.size.w * overlap, sketch.size.h - disc.size.h * overlap)
        size = Size(max(sketch.size.w, at.x + disc.size.w), max(sketch.size.h, at.y + disc.size.h))
        return join([sketch, disc.moved(Affine(e=at.x, f=at.y))], size)

    def placement(self, cell: str) -> Placement:
        """Return the piece of a notation as on boards."""
        kit = self.album.kit
        placement = parse_single_piece(cell, kit, self.lattice, "one piece, such as bend>")
        return replace(placement, design=kit.design(placement.design).id)

    def piece(self, cell: str) -> PlacedPiece:
        """Return a piece by its notation on boards, with its middle at the origin."""
        placement = self.placement(cell)
        design = self.album.designs[placement.design]
        return PlacedPiece(
            design.face(placement.side), design.outline, Point(0, 0), placement.turn, self.scale
        )

    def hidden_piece(self, deck: Deck) -> PlacedPiece:
        """Return a piece of a component face down; blank unless all its pieces have one back."""
        face = deck.back or blank_face(deck.outline)
        return PlacedPiece(face, deck.outline, Point(0, 0), 0.0, self.scale)

    def deck(self, name: str) -> Deck:
        """Return a component by its id."""
        return find_row("component", name, self.album.decks)


def blank_face(outline: Outline) -> Face:
    """Return the unprinted side of a piece."""
    return Face((Shape(Path(curve_data(outline.edges)), BLANK),), outline.size, 0.0, "blank side")


def sketch_pieces(pieces: Sequence[PlacedPiece]) -> Sketch:
    """Return pieces with their shadows, lowest first, in the box around them."""
    box = Rect.around([piece.box for piece in pieces])
    items: list[Item] = []
    for piece in pieces:
        items += move_items([shadow(piece.outline.mapped(piece.at))], Affine(e=-box.x, f=-box.y))
        items += piece.placed_items(box)
    return Sketch(box.size, tuple(items))


def shadow(outline: Outline) -> Shape:
    """Return the shadow of something on the table."""
    width = Stroke(2 * SHADOW_MM, SHADOW, join="round")
    return Shape(Path(curve_data(outline.edges)), stroke=width)


def lay_in_rows(pieces: Sequence[PlacedPiece], across: int) -> Sketch:
    """Return pieces side by side, `across` in each row."""
    gap = ROW_GAP_SHARE * max(piece.box.w for piece in pieces)
    single = [sketch_pieces([piece]) for piece in pieces]
    rows = [single[start : start + across] for start in range(0, len(single), across)]
    return stack([beside(row, gap) for row in rows], gap)


def fan(pieces: Sequence[PlacedPiece]) -> Sketch:
    """Return pieces fanned like a hand of cards, the first at the left."""
    middle = (len(pieces) - 1) / 2
    fanned = []
    for index, piece in enumerate(pieces):
        angle = (index - middle) * FAN_STEP
        arm = Point(0, -FAN_RADIUS * piece.box.h).turned(angle)
        fanned.append(replace(piece, centre=arm, turn=piece.turn + angle))
    return sketch_pieces(fanned)
