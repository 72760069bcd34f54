"""What stands near the cut, measured on the picture and not guessed from the layers.

Art that stops at the trim although it is coloured there; and how near to the cut something lies that must not be cut: a
text by its box, a feature by what its picture shows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from operator import itemgetter
from statistics import median
from types import MappingProxyType

from PIL import Image

from generator.core.cache import key_of
from generator.core.geometry import EPSILON, Point, Rect
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.raster import Rasteriser
from generator.core.units import MM_PER_INCH, number
from generator.draw.draw import DrawnComponent
from generator.draw.face import Face, Ink
from generator.pack.game import Asset

Rims = Callable[[Asset], tuple[tuple[float, float], ...]]
"""Where pictures end, in parts of their boxes."""


def gap(ink: Ink, outline: Outline, safe: float, rims: Rims) -> float:
    """How far inside the outline it lies (mm), less than 0 where it is cut; exactly so only where that is not safe."""
    found = box_gap(ink.box, outline)
    if found >= safe or not ink.corners:
        return found
    return max(found, min((outline.depth(place) for place in _rim_of(ink, rims)), default=found))


HALF = 127
SEEN = 192
"""Pixels across a picture, by which it is told where it has ink."""


def _rim_of(ink: Ink, rims: Rims) -> Iterator[Point]:
    """Where something ends: the corners of its box, or in each row of pixels the first and the last of its picture."""
    if ink.art is None:
        yield from ink.corners
        return
    start, right, _, below = ink.corners
    for x, y in rims(ink.art):
        yield start + (right - start).scaled(x) + (below - start).scaled(y)


def rim(raster: Rasteriser, art: Asset) -> tuple[tuple[float, float], ...]:
    """The rim of a picture in parts of its box; the whole box where that cannot be told."""
    svg = art.svg or (art.path.read_text("utf-8", errors="replace") if art.path.suffix.lower() == ".svg" else "")
    if "viewBox" not in svg:
        return (0, 0), (1, 0), (1, 1), (0, 1)
    inked = raster.svg(svg, SEEN, SEEN).getchannel("A").point(lambda level: 255 * (level > HALF))
    rows = ((y, inked.crop((0, y, SEEN, y + 1)).getbbox()) for y in range(SEEN))
    ends = ((y, at) for y, box in rows if box for at in (box[0], box[2]))
    return tuple((x / SEEN, (y + down) / SEEN) for y, x in ends for down in (0, 1))


def box_gap(box: Rect, outline: Outline) -> float:
    """How far inside the outline a box lies, at its nearest corner; a corner of a bay may lie in it."""
    inside = any(box.grown(-EPSILON).holds(Rect(*corner, 0, 0)) for corner in outline.core)
    places = [Point(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    gap = min(outline.depth(place) for place in places)
    return min(gap, -EPSILON) if inside and not outline.is_convex else gap


KEPT = "check"
"""What is found is called so in the cache."""

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
        self.outline = outline
        self.told = curve_data(outline.edges), bleed
        shift = Point(bleed, bleed)
        self.edges = [(name, [(a + shift, b + shift) for a, b in pairs]) for name, pairs in _edges(outline, bleed)]
        self.known: dict[str, str] = {}
        self._gathering: dict[tuple[int, int], list[tuple[Gather, Gather]]] = {}

    def seen(self, picture: Image.Image) -> Iterator[tuple[str, Seen, Seen]]:
        """Each edge with what a picture has inside of it and outside, place by place."""
        if picture.size not in self._gathering:
            self._gathering[picture.size] = [
                (_gather([a for a, _ in pairs], picture), _gather([b for _, b in pairs], picture))
                for _, pairs in self.edges
            ]
        pixels = memoryview(picture.tobytes()).cast("I")
        for (name, _), (inner, outer) in zip(self.edges, self._gathering[picture.size], strict=True):
            yield name, inner(pixels), outer(pixels)


Seen = tuple[int, ...]
"""Pixels, each as the four bytes that it is in memory."""
Gather = Callable[[memoryview], Seen]


def _gather(places: Sequence[Point], picture: Image.Image) -> Gather:
    """What takes the pixels at some places, mm from the top left, out of a picture of this size."""
    right, below = picture.width - 1, picture.height - 1
    at = [min(below, int(y / STEP)) * picture.width + min(right, int(x / STEP)) for x, y in places]
    taken = itemgetter(*at, 0, 0)  # it gives no tuple for one
    return lambda pixels: taken(pixels)[:-2]


def edge_fault(face: Face, cut: CutEdges, raster: Rasteriser) -> str:
    """Which edges are coloured inside the trim and bare in the bleed, as a sentence; empty when none is."""
    key = key_of("edge", raster.fonts.digest, face.name, face.full, cut.told)
    known = raster.kept.get(KEPT, key)
    if known is None:
        shown = _at_cut(face, cut.outline)
        if shown.name not in cut.known:
            cut.known[shown.name] = _edge_fault(raster.seen(shown, DPI), cut)
        known = cut.known[shown.name].encode()
        raster.kept.put(KEPT, key, known)
    return known.decode()


DEEP = 2.0
"""mm; texts that lie so far inside change nothing at the cut."""


def _at_cut(face: Face, outline: Outline) -> Face:
    """The face without its texts, where all lie deep inside: cards that differ in words alone are then one picture."""
    if any(box_gap(ink.box, outline) < DEEP for ink in face.facts.inks):
        return face
    return face.without_words()


def _edge_fault(picture: Image.Image, cut: CutEdges) -> str:
    bare = [(name, length) for name, inner, outer in cut.seen(picture) if (length := _faulty(inner, outer))]
    edges = ", ".join(f"{name} ({number(round(length, 1))} mm)" for name, length in bare)
    return f"coloured art stops at the cut: {edges}" if edges else ""


def _faulty(inner: Seen, outer: Seen) -> float:
    """The length in mm along which an edge is coloured inside and white outside, if that is more than may be."""
    inks = {pixel: _ink(pixel) for pixel in {*inner, *outer}}
    found = [inks[b] for a, b in zip(inner, outer, strict=True) if inks[a] is InkFound.COLOUR]
    bare, white = found.count(InkFound.NONE), len(found) - found.count(InkFound.COLOUR)
    return white * STEP if bare > BARE * len(inner) or white > PALE * len(inner) else 0.0


NEAR = 48
"""Of 255; how far the channels of two colours may be apart that pass for one beside a cut."""


def unlike_at_cuts(faces: Iterable[Face], cut: CutEdges, raster: Rasteriser) -> bool:
    """Whether pieces differ along their edges: a cut that is a little off shows another's colour."""
    seen = [colour for face in faces for colour in _at_edges(cut, raster.seen(_at_cut(face, cut.outline), DPI))]
    return any(max(channel) - min(channel) > NEAR for channel in zip(*seen, strict=True))


CUT = 1.0
"""mm; a blade that is guided well stays this near to its line."""


def shared_cuts(components: Iterable[DrawnComponent], raster: Rasteriser) -> tuple[str, ...]:
    """The same of several."""
    return tuple(filter(None, (shared_cut(one, raster) for one in components)))


def shared_cut(component: DrawnComponent, raster: Rasteriser) -> str:
    """What to say of pieces that lie edge to edge and differ there; empty where nothing is."""
    spec = component.spec
    if spec.gutter is None or spec.gutter >= min(CUT, 2 * spec.bleed):
        return ""
    sides = ([design.front for design in component.designs], [design.back for design in component.designs])
    once = ({face.name: face for face in side if face}.values() for side in sides)
    cut = CutEdges(spec.outline, spec.bleed)
    if not any(unlike_at_cuts(faces, cut, raster) for faces in once if faces):
        return ""
    return f"{spec.id}: pieces {number(spec.gutter)} mm apart differ at the cut: one that is off shows a neighbour"


def _at_edges(cut: CutEdges, picture: Image.Image) -> Iterator[tuple[float, ...]]:
    """The colour of each edge of a face, that of most of its length; what is bare is white."""
    for _, inner, _ in cut.seen(picture):
        colours = [_colour(pixel) for pixel in inner[::5]]
        if colours:
            yield tuple(median(channel) for channel in zip(*colours, strict=True))


def _colour(pixel: int) -> tuple[int, ...]:
    *colour, alpha = pixel.to_bytes(4, sys.byteorder)
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


def _ink(pixel: int) -> InkFound:
    *colour, alpha = pixel.to_bytes(4, sys.byteorder)
    if alpha < FAINT:
        return InkFound.NONE
    return InkFound.WHITE if OPAQUE - alpha * (OPAQUE - min(colour)) / OPAQUE >= WHITE else InkFound.COLOUR
