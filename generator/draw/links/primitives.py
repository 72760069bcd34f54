"""What a link's drawing is made of: plain shapes in millimetres, bottom first, that any writer of SVG can take over.

`d` is SVG path data in the tile's coordinates (origin at the trim's top left, y downwards).
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.core.geometry import Point, Rect
from generator.pack.game import Asset
from generator.pack.tile import PLAIN, Stand


@dataclass(frozen=True)
class FilledArea:
    """An area in one colour (fill rule nonzero), without a line round it."""

    d: str
    colour: str


@dataclass(frozen=True)
class Stroked:
    """A line `width` mm thick and no fill; `dash` and `dash_offset` in mm as SVG means them."""

    d: str
    width: float
    colour: str
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[float, ...] | None = None
    dash_offset: float = 0.0


@dataclass(frozen=True)
class Clipped:
    """Shapes shown only inside `d`, which is read with the even-odd rule so that it can have holes."""

    d: str
    parts: tuple[Primitive, ...]


@dataclass(frozen=True)
class PaintedArt:
    """A picture of the pack that covers a box."""

    art: Asset
    box: Rect


Primitive = FilledArea | Stroked | Clipped | PaintedArt


@dataclass(frozen=True)
class FeatureAt:
    """Where a feature stands on its link.

    `towards` is a unit vector along the link to its first port. A feature within
    `room` mm of `place` touches no other feature, no other link and no edge.
    """

    name: str
    place: Point
    towards: Point
    kind: str
    room: float
    stand: Stand = PLAIN


@dataclass(frozen=True)
class LinkDrawing:
    """All links of a tile's side as shapes, bottom first, and the features to be set upon them, in the links' order."""

    parts: tuple[Primitive, ...]
    features: tuple[FeatureAt, ...]
