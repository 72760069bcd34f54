"""Art that stops at the trim although it is coloured there: measured on the picture, not guessed from the layers."""

from collections.abc import Iterator, Sequence
from enum import Enum
from math import pi

from PIL import Image

from generator.core.geometry import Point
from generator.core.units import MM_PER_INCH, number
from generator.draw.face import Face
from generator.pack.shape import Shape, ShapeKind
from generator.preview.raster import Rasteriser

DPI = 127
"""Five pixels a millimetre: enough to see an edge."""

INSIDE = 0.3
"""mm inside the trim where colour is looked for; it must go on to the end of the bleed."""

OUTSIDE = 0.6
"""Where it is looked for in the bleed, as a part of it."""

WHITE = 245
"""From this value on, a channel is as good as paper."""

FAINT, OPAQUE = 10, 255
"""Below the first, nothing is painted."""

BARE, PALE = 0.02, 0.25
"""Of an edge's length that may differ without a word: where the bleed is bare, and where it is painted white. The
second is more, since the white of a pattern may well begin at the cut."""

STEP = MM_PER_INCH / DPI

NAMES = {
    ShapeKind.RECT: ("top", "right", "bottom", "left"),
    ShapeKind.HEX: ("top", "top right", "bottom right", "bottom", "bottom left", "top left"),
}


class Ink(Enum):
    """What a place of a picture holds."""

    NONE = "none"
    WHITE = "white"
    COLOUR = "colour"


Pair = tuple[Point, Point]
"""A place inside the trim and the place in the bleed that lies opposite, mm from the trim's top left."""


def edge_fault(face: Face, shape: Shape, raster: Rasteriser) -> str:
    """Which edges are coloured inside the trim and bare in the bleed, as a sentence; empty when none is."""
    picture = raster.face(face, DPI)
    bare = [(name, length) for name, pairs in _edges(face, shape) if (length := _faulty(picture, face.bleed, pairs))]
    edges = ", ".join(f"{name} ({number(round(length, 1))} mm)" for name, length in bare)
    return f"coloured art stops at the cut: {edges}" if edges else ""


def _faulty(picture: Image.Image, bleed: float, pairs: Sequence[Pair]) -> float:
    """The length in mm along which an edge is coloured inside and white outside, if that is more than may be."""
    found = [
        _ink(picture, b + Point(bleed, bleed)) for a, b in pairs if _ink(picture, a + Point(bleed, bleed)) is Ink.COLOUR
    ]
    bare, white = found.count(Ink.NONE), len(found) - found.count(Ink.COLOUR)
    return white * STEP if bare > BARE * len(pairs) or white > PALE * len(pairs) else 0.0


def _edges(face: Face, shape: Shape) -> Iterator[tuple[str, list[Pair]]]:
    """Each edge with the places to look at, a pixel apart."""
    if shape.kind is ShapeKind.CIRCLE:
        yield "all round", list(_round(shape.size.w / 2, face.bleed))
        return
    corners = shape.corners
    for index, name in enumerate(NAMES[shape.kind]):
        yield name, list(_straight(corners[index], corners[(index + 1) % len(corners)], face.bleed))


def _straight(a: Point, b: Point, bleed: float) -> Iterator[Pair]:
    along = (b - a).unit()
    inwards = along.turned(90)
    for step in range(int(((b - a).length() - 2 * INSIDE) / STEP)):
        place = a + along.scaled(INSIDE + step * STEP)
        yield place + inwards.scaled(INSIDE), place - inwards.scaled(OUTSIDE * bleed)


def _round(radius: float, bleed: float) -> Iterator[Pair]:
    centre, count = Point(radius, radius), int(2 * pi * radius / STEP)
    for step in range(count):
        outwards = Point(0, -1).turned(360 * step / count)
        yield centre + outwards.scaled(radius - INSIDE), centre + outwards.scaled(radius + OUTSIDE * bleed)


def _ink(picture: Image.Image, place: Point) -> Ink:
    x = min(picture.width - 1, int(place.x / STEP))
    y = min(picture.height - 1, int(place.y / STEP))
    value = picture.getpixel((x, y))
    *colour, alpha = value if isinstance(value, tuple) else (0, 0)
    if alpha < FAINT:
        return Ink.NONE
    return Ink.WHITE if OPAQUE - alpha * (OPAQUE - min(colour)) / OPAQUE >= WHITE else Ink.COLOUR
