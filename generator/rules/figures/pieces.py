"""Pieces on figures: the designs of a game, its components, and faces at their places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.base.geometry import Affine, Point, Rect
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.board.board import FaceUp, Kit
from generator.picture.face import Face
from generator.picture.items import Item, Path, Picture, PlacedPicture, Shape, Stroke
from generator.rules.figures.pen import Pen

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
