"""Boxes to cut out, fold and glue: a tuckbox for a deck, as a net whose flaps are panels of their own.

::

              [tuck]
              [ top]         Front, right, back and left in a row, closed by the flap at its end; the top hangs on the
    [front][r][back][l]|     back and the bottom on the front, each with a flap; dust flaps stand on both sides.
    [botto]
    [flap ]
"""

from __future__ import annotations

from functools import cache

from generator.core.geometry import Point, Rect, Size
from generator.core.outline import Outline
from generator.impose.folding import PrintedNet, folded
from generator.impose.nets import Corners, NetPanel, NetPlan
from generator.impose.sheet import Piece

SLACK = 1.0
"""mm; how much larger a box is inside, each way, than what it holds."""

GLUE, TUCK, DUST = 12.0, 16.0, 14.0
"""mm; how deep the flaps are at most: the one that is glued, those that are tucked in, those at the sides."""

FACES = ("front", "right", "back", "left", "top", "bottom")


def tuckbox_faces(held: Size, depth: float) -> tuple[Outline, ...]:
    """The faces of a box for what is so large and so thick, in the order of `FACES`."""
    w, h, d = held.w + SLACK, held.h + SLACK, depth + SLACK
    sizes = ((w, h), (d, h), (w, h), (d, h), (w, d), (w, d))
    return tuple(Outline.of_box(Rect(0, 0, *size)) for size in sizes)


def tuckbox_plan(held: Size, depth: float) -> NetPlan:
    """Its net; the faces come first."""
    front, right, back, left, top, bottom = (_box(*outline.size) for outline in tuckbox_faces(held, depth))
    w, h, d = held.w + SLACK, held.h + SLACK, depth + SLACK
    tuck, dust = min(TUCK, 0.7 * h), min(DUST, w / 2 - 1, 0.9 * h)
    return NetPlan(
        (
            NetPanel(front),
            NetPanel(right, 0, 1, 3),
            NetPanel(back, 1, 1, 3),
            NetPanel(left, 2, 1, 3),
            NetPanel(top, 2, 0, 2),
            NetPanel(bottom, 0, 2, 0),
            NetPanel(_flap(h, min(GLUE, 0.8 * w)), 3, 1, 0, face=False),
            NetPanel(_flap(w, tuck, 0.5), 4, 0, 0, face=False),
            NetPanel(_flap(w, tuck, 0.5), 5, 2, 0, face=False),
            *(NetPanel(_flap(d, dust, 0.3), side, edge, 0, face=False) for side in (1, 3) for edge in (0, 2)),
        ),
        glued=False,
    )


def _box(w: float, h: float) -> Corners:
    return Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)


def _flap(long: float, deep: float, lean: float = 1.0) -> Corners:
    """A flap that hangs by its first side and narrows by so much of its depth at either end."""
    off = min(lean * deep, 0.3 * long)
    return Point(0, 0), Point(long, 0), Point(long - off, deep), Point(off, deep)


@cache
def _flat(held: Size, depth: float, bleed: float) -> PrintedNet:
    return PrintedNet(tuckbox_plan(held, depth), bleed)


def tuckbox(piece: Piece) -> Piece:
    """The box for what is as large as the piece and as thick as its depth."""
    return folded(piece, _flat(piece.size, piece.depth, piece.bleed), range(len(FACES)))
