"""Which overlays of a figure hide what counts on its board: features, and the borders of sides. In mm."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from generator.board.lattice import Place
from generator.core.geometry import Point, Rect
from generator.figure.drawing import Album, bottom_up, laid_out
from generator.figure.pen import Pen
from generator.figure.spec import FigureSpec
from generator.figure.spots import FigureGround

FEATURE = "feature "
"""How the faces call what stands on links."""

HIDDEN = 0.35
"""The share of a feature, or of a border, that may be hidden: what is left tells it still."""

GRAIN = 9
"""Spots along either side of the box of what is looked at."""

WIDE, DEEP = 0.44, 0.1
"""The part of a side that shows its border, and how deep it is, in tiles."""


class Sign(NamedTuple):
    """Something that counts: what it is called, where it stands, and spots all over it."""

    name: str
    place: Place
    spots: tuple[Point, ...]


def hidden(spec: FigureSpec, ground: FigureGround, album: Album, sizes: Mapping[str, float], pen: Pen) -> Iterator[str]:
    """What the overlays of a figure hide too far, in words; `sizes` are those of features, `pen` is one to try with."""
    signs = [*_signs(spec, ground, album, sizes), *_borders(ground)] if spec.overlays else []
    for overlay in spec.overlays:
        own = pen.another()
        overlay.draw(ground, own)
        for sign in signs:
            share = sum(own.covers(spot) for spot in sign.spots) / len(sign.spots)
            if share > HIDDEN:
                yield f"a {overlay.main} hides {share * 100:.0f} % of the {sign.name} on {sign.place}"


def _signs(spec: FigureSpec, ground: FigureGround, album: Album, sizes: Mapping[str, float]) -> Iterator[Sign]:
    """Where faces have their features; of one that is a picture as a whole, in the middle of what runs through."""
    shown = bottom_up(spec, ground)
    for one, piece in zip(shown, laid_out(shown, spec, ground, album), strict=True):
        drawn = [ink for ink in piece.face.facts.inks if ink.what.startswith(FEATURE)]
        for ink in drawn:
            spots = tuple(piece.at.apply(spot) for spot in _round(ink.box))
            yield Sign(ink.what.removeprefix(FEATURE).strip("'"), one.place, spots)
        tile = ground.scene.tiles.get(one.place)
        for link in tile.links if tile and tile.design == one.design and not drawn else ():
            if link.feature in sizes and len(link.ports) > 1:
                size = sizes[str(link.feature)] * spec.scale
                box = Rect(piece.centre.x, piece.centre.y, 0, 0).grown(size / 2)
                yield Sign(str(link.feature), one.place, tuple(_round(box)))


def _borders(ground: FigureGround) -> Iterator[Sign]:
    """The borders of sides that have four of them: a strip inside each."""
    for place, tile in ground.scene.tiles.items():
        for border in tile.face.tile.borders:
            middle = ground.spot(f"{place}.{border.port}")
            inward = (ground.centre(place) - middle).unit()
            along = inward.turned(90).scaled(WIDE / 2 * ground.tile)
            inner = middle + inward.scaled(DEEP * ground.tile)
            spots = [
                a + (b - a).scaled(step / (GRAIN - 1))
                for a, b in ((middle - along, middle + along), (inner - along, inner + along))
                for step in range(GRAIN)
            ]
            yield Sign(f"border to {border.label}", place, tuple(spots))


def _round(box: Rect) -> Iterator[Point]:
    """Spots all over the ellipse in a box."""
    steps = [2 * step / (GRAIN - 1) - 1 for step in range(GRAIN)]
    for x, y in product(steps, steps):
        if x * x + y * y <= 1:
            yield box.centre + Point(x * box.w / 2, y * box.h / 2)
