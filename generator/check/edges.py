"""Art that stops at the trim although it is coloured there: measured on the picture, not guessed from the layers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from statistics import median
from types import MappingProxyType

from PIL import Image

from generator.core.geometry import Point
from generator.core.outline import Outline
from generator.core.units import MM_PER_INCH, number
from generator.draw.face import Face
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

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "n": "top",
        "ne": "top right",
        "e": "right",
        "se": "bottom right",
        "s": "bottom",
        "sw": "bottom left",
        "w": "left",
        "nw": "top left",
    }
)
"""What sides are called in a message, by the names that links have for them."""


class InkFound(Enum):
    """What a place of a picture holds."""

    NONE = "none"
    WHITE = "white"
    COLOUR = "colour"


Pair = tuple[Point, Point]
"""A place inside the trim and the place in the bleed that lies opposite, mm from the top left of the bleed."""


class CutEdges:
    """The edges of an outline with the places to look at, worked out once for all faces that are cut to it."""

    def __init__(self, outline: Outline, bleed: float) -> None:
        shift = Point(bleed, bleed)
        self.edges = [(name, [(a + shift, b + shift) for a, b in pairs]) for name, pairs in _edges(outline, bleed)]


def edge_fault(face: Face, cut: CutEdges, raster: Rasteriser) -> str:
    """Which edges are coloured inside the trim and bare in the bleed, as a sentence; empty when none is."""
    picture = raster.face(face, DPI)
    bare = [(name, length) for name, pairs in cut.edges if (length := _faulty(picture, pairs))]
    edges = ", ".join(f"{name} ({number(round(length, 1))} mm)" for name, length in bare)
    return f"coloured art stops at the cut: {edges}" if edges else ""


def _faulty(picture: Image.Image, pairs: Sequence[Pair]) -> float:
    """The length in mm along which an edge is coloured inside and white outside, if that is more than may be."""
    found = [_ink(picture, b) for a, b in pairs if _ink(picture, a) is InkFound.COLOUR]
    bare, white = found.count(InkFound.NONE), len(found) - found.count(InkFound.COLOUR)
    return white * STEP if bare > BARE * len(pairs) or white > PALE * len(pairs) else 0.0


NEAR = 48
"""Of 255; how far the channels of two colours may be apart that pass for one beside a cut."""


def unlike_at_cuts(faces: Iterable[Face], cut: CutEdges, raster: Rasteriser) -> bool:
    """Whether pieces differ along their edges: a cut that is a little off shows another's colour."""
    seen = [colour for face in faces for colour in _at_edges(cut, raster.face(face, DPI))]
    return any(max(channel) - min(channel) > NEAR for channel in zip(*seen, strict=True))


def _at_edges(cut: CutEdges, picture: Image.Image) -> Iterator[tuple[float, ...]]:
    """The colour of each edge of a face, that of most of its length; what is bare is white."""
    for _, pairs in cut.edges:
        colours = [_seen(picture, inside) for inside, _ in pairs[::5]]
        if colours:
            yield tuple(median(channel) for channel in zip(*colours, strict=True))


def _seen(picture: Image.Image, place: Point) -> tuple[int, ...]:
    *colour, alpha = _pixel(picture, place)
    return (OPAQUE, OPAQUE, OPAQUE) if alpha <= FAINT else tuple(colour)


def _edges(outline: Outline, bleed: float) -> Iterator[tuple[str, list[Pair]]]:
    """Each edge with the places to look at, a pixel apart, mm from the trim's top left."""
    for side in outline.sides:
        yield NAMES.get(side.port, side.port), list(_straight(side.start, side.end, bleed))
    if not outline.sides:
        yield "all round", list(_round(outline, bleed))


def _straight(a: Point, b: Point, bleed: float) -> Iterator[Pair]:
    along = (b - a).unit()
    inwards = along.turned(90)
    for step in range(int(((b - a).length() - 2 * INSIDE) / STEP)):
        place = a + along.scaled(INSIDE + step * STEP)
        yield place + inwards.scaled(INSIDE), place - inwards.scaled(OUTSIDE * bleed)


def _round(outline: Outline, bleed: float) -> Iterator[Pair]:
    """Along a curve, whose every stretch is as good as straight."""
    for a, b in pairwise((*outline.flat, outline.flat[0])):
        along = (b - a).unit()
        inwards = along.turned(90)
        for step in range(max(1, round((b - a).length() / STEP))):
            place = a + along.scaled(step * STEP)
            yield place + inwards.scaled(INSIDE), place - inwards.scaled(OUTSIDE * bleed)


def _pixel(picture: Image.Image, place: Point) -> tuple[int, ...]:
    x = min(picture.width - 1, int(place.x / STEP))
    y = min(picture.height - 1, int(place.y / STEP))
    value = picture.getpixel((x, y))
    return tuple(map(int, value)) if isinstance(value, tuple) else (0, 0, 0, 0)


def _ink(picture: Image.Image, place: Point) -> InkFound:
    *colour, alpha = _pixel(picture, place)
    if alpha < FAINT:
        return InkFound.NONE
    return InkFound.WHITE if OPAQUE - alpha * (OPAQUE - min(colour)) / OPAQUE >= WHITE else InkFound.COLOUR
