"""Art that stops at the trim although it is coloured there: measured on the picture, not guessed from the layers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from operator import itemgetter
from statistics import median
from types import MappingProxyType

from PIL import Image

from generator.check.safe import box_gap
from generator.core.cache import key_of
from generator.core.geometry import Point
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.units import MM_PER_INCH, number
from generator.draw.face import Face
from generator.preview.raster import Rasteriser

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
