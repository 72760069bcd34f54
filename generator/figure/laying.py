"""The pieces of a board as a figure shows them: in the middle of their places, or where the figure moves them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.board.kit import Kit
from generator.board.place import Place
from generator.board.placement import Placement, Side
from generator.core.geometry import Point
from generator.core.problems import Wrong
from generator.draw.face import Face
from generator.figure.compose import Laid, bounds
from generator.figure.spec import FigureSpec, PieceSpec
from generator.figure.spots import Ground
from generator.pack.shape import Shape


@dataclass(frozen=True)
class Drawn:
    """A design as it is shown: its shape and its faces."""

    shape: Shape
    front: Face
    back: Face | None

    def face(self, side: Side) -> Face:
        """The side that is up."""
        return self.back if side is Side.BACK and self.back else self.front


@dataclass(frozen=True)
class Album:
    """All designs by the names that boards call them."""

    kit: Kit
    designs: Mapping[str, Drawn]


@dataclass(frozen=True)
class _Wish:
    """A piece that the figure shows elsewhere or in another size: which one, wherever `place` is nothing."""

    design: str
    place: Place | None
    spec: PieceSpec

    def means(self, one: Placement) -> bool:
        return one.design == self.design and self.place in {None, one.place}


def laid_out(shown: Sequence[Placement], spec: FigureSpec, ground: Ground, album: Album) -> list[Laid]:
    """The pieces to show, bottom first."""
    kit = album.kit.with_aliases(spec.names)
    wishes = [_wish(piece, ground, kit) for piece in spec.pieces]
    for wish in wishes:
        if not any(wish.means(one) for one in ground.board.placements):
            where = f"at {wish.place}" if wish.place else "on this board"
            raise Wrong(f"no {wish.spec.piece!r} lies {where}", "a piece of the board")
    return [_laid(one, wishes, ground, album, spec.scale) for one in shown]


def _wish(piece: PieceSpec, ground: Ground, kit: Kit) -> _Wish:
    place = ground.place(piece.place) if piece.place is not None else None
    return _Wish(kit.design(piece.piece).id, place, piece)


def _laid(one: Placement, wishes: Sequence[_Wish], ground: Ground, album: Album, scale: float) -> Laid:
    """The last wish that means a piece is the one that counts."""
    drawn = album.designs[one.design]
    spec = next((wish.spec for wish in reversed(wishes) if wish.means(one)), None)
    size = scale * (spec.size if spec else 1.0)
    centred = Laid(drawn.face(one.side), drawn.shape, Point(0, 0), one.turn, size)
    shift = ground.leaning(spec.at, bounds([centred]).size) if spec else Point(0, 0)
    return Laid(centred.face, centred.shape, ground.centre(one.place) + shift, one.turn, size)
