"""Faults near the cut that only pixels show.

Art that stops at the trim although it is coloured there; neighbours that differ where they share a
cut; and how near to the cut a picture comes, which its box does not tell.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from operator import itemgetter
from statistics import median
from types import MappingProxyType

from PIL import Image

from generator.base.cache import get_json, key_of, put_json
from generator.base.geometry import Point, Rect
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.units import MM_PER_INCH, number
from generator.base.worker import WorkError, WorkLimitError
from generator.check.ink import ink_share
from generator.draw.findings import box_gap
from generator.pack.game import Component
from generator.picture.face import Face, KeepInside
from generator.picture.items import Art, PlacedArt, PlacedImage, text_runs
from generator.picture.raster import Rasteriser

Rims = Callable[[Art], tuple[tuple[float, float], ...]]
"""Where pictures end, in parts of their boxes."""

OPAQUE_FROM = 127
"""From this alpha on, a pixel of a picture counts as painted."""
RIM_PIXELS = 192
"""Width and height in pixels of the rendering in which the rim of a picture is found."""


def picture_gap(ink: KeepInside, outline: Outline, rims: Rims) -> float:
    """Return how far inside an outline the painted part of a picture lies, in mm.

    Negative if the outline cuts it.
    """
    gap = box_gap(ink.box, outline)
    start, right, _, below = ink.corners
    if ink.art is None:
        return gap
    places = (
        start + (right - start).scaled(x) + (below - start).scaled(y) for x, y in rims(ink.art)
    )
    return max(gap, min((outline.depth(place) for place in places), default=gap))


def picture_rim(raster: Rasteriser, art: Art) -> tuple[tuple[float, float], ...]:
    """Return the rim of art, in parts of its box: the ends of each row of pixels."""
    alpha = raster.svg(art.svg, RIM_PIXELS, RIM_PIXELS).getchannel("A")
    painted = alpha.point(lambda level: 255 * (level > OPAQUE_FROM))
    rows = ((y, painted.crop((0, y, RIM_PIXELS, y + 1)).getbbox()) for y in range(RIM_PIXELS))
    ends = ((y, at) for y, box in rows if box for at in (box[0], box[2]))
    return tuple((x / RIM_PIXELS, (y + down) / RIM_PIXELS) for y, x in ends for down in (0, 1))


DPI = 127
"""The resolution of the check: five pixels a millimetre show every edge wider than a blade."""

INSIDE = 0.3
"""Distance inside the trim in mm at which colour is sampled.

It must continue to the end of the bleed.
"""

OUTSIDE = 0.6
"""Distance outside the trim at which colour is sampled, as a share of the bleed."""

WHITE = 245
"""From this value on, a channel counts as white paper."""

FAINT, OPAQUE = 10, 255
"""Below the first value, a pixel counts as unpainted."""

BARE, PALE = 0.02, 0.25
"""Tolerated shares of an edge: where the bleed is unpainted, and where it is painted white.

The second is larger, because the white of a pattern may begin at the cut on purpose.
"""

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
"""The names of sides in messages, by their names in link notation."""


class InkFound(Enum):
    """The kinds of pixels that a place of a picture can hold."""

    NONE = "none"
    WHITE = "white"
    COLOUR = "colour"


Pair = tuple[Point, Point]
"""A place inside the trim and the place opposite in the bleed, in mm from the top left of the bleed."""


Seen = tuple[int, ...]
"""Pixels, each as an integer of its four bytes (RGBA)."""
Gather = Callable[[memoryview], Seen]


class CutEdges:
    """The edges of an outline with the places to sample, computed once for all faces with this outline."""

    def __init__(self, outline: Outline, bleed: float) -> None:
        self.outline = outline
        self.told = curve_data(outline.edges), bleed
        shift = Point(bleed, bleed)
        self.edges = [
            (name, [(a + shift, b + shift) for a, b in pairs])
            for name, pairs in _edges(outline, bleed)
        ]
        self._gatherers = cache(self._gatherers_for)

    def read_pixels(self, picture: Image.Image) -> Iterator[tuple[str, Seen, Seen]]:
        """Yield the name of each edge with a picture's pixels inside the cut and outside, place by place."""
        pixels = memoryview(picture.tobytes()).cast("I")
        for (name, _), (inner, outer) in zip(
            self.edges, self._gatherers(picture.size), strict=True
        ):
            yield name, inner(pixels), outer(pixels)

    def _gatherers_for(self, size: tuple[int, int]) -> list[tuple[Gather, Gather]]:
        """Return the functions that take each edge's pixels out of a picture so many pixels wide and high."""
        return [
            (_gather([a for a, _ in pairs], size), _gather([b for _, b in pairs], size))
            for _, pairs in self.edges
        ]


def _gather(places: Sequence[Point], size: tuple[int, int]) -> Gather:
    """Return a function that takes the pixels at some places (mm from the top left) out of a picture of this size."""
    width, height = size
    at = [min(height - 1, int(y / STEP)) * width + min(width - 1, int(x / STEP)) for x, y in places]
    taken = itemgetter(
        *at, 0, 0
    )  # two more places, since itemgetter gives no tuple for a single one
    return lambda pixels: taken(pixels)[:-2]


@dataclass(frozen=True)
class EdgeReport:
    """Findings along the cut of a face.

    `fault` names the edges that are coloured inside the cut and bare outside; it is empty if there
    are none. `colours` has the colour (RGB) of each edge inside the cut, that of most of its
    length. `is_coloured` tells that all edges are coloured inside the cut.
    """

    fault: str
    colours: tuple[tuple[float, ...], ...]
    is_coloured: bool


class FaceInspector:
    """Renders each face once, coarsely, for all checks that need pixels.

    Faces that differ only in texts deep inside have equal edges and are rendered once together,
    unless the ink of each is measured too (`measures_ink`).
    """

    def __init__(self, raster: Rasteriser, *, measures_ink: bool = False) -> None:
        self.raster = raster
        self.measures_ink = measures_ink
        self._edges: dict[str, EdgeReport] = {}
        self._inks: dict[str, float] = {}
        self._grounds: dict[str, bytes] = {}
        self._alphas: dict[str, Image.Image] = {}

    def edges(self, face: Face, cut: CutEdges) -> EdgeReport:
        """Return the findings along the cut of a face."""
        seen = face if self.measures_ink else _without_deep_words(face, cut.outline)
        key = key_of("cut edges", self.raster.fonts.digest, seen.name, seen.full, cut.told)
        if key not in self._edges:
            self._edges[key] = self._cached_edges(key) or self._rendered_edges(key, seen, cut)
        return self._edges[key]

    def ink(self, face: Face) -> float:
        """Return the share of a face, with its bleed, that takes ink: from 0 to 1."""
        if face.name not in self._inks:
            key = self._ink_key(face)
            cached = get_json(self.raster.cache, CACHE_KIND, key)
            if cached is None:
                self._measure(face, self.raster.pixels_of(face, DPI))
            else:
                self._inks[face.name] = float(cached)
        return self._inks[face.name]

    def _cached_edges(self, key: str) -> EdgeReport | None:
        cached = get_json(self.raster.cache, CACHE_KIND, key)
        if cached is None:
            return None
        fault, colours, is_coloured = cached
        return EdgeReport(fault, tuple(map(tuple, colours)), is_coloured)

    def _rendered_edges(self, key: str, face: Face, cut: CutEdges) -> EdgeReport:
        picture = self.raster.pixels_of(face, DPI)
        if self.measures_ink:
            self._measure(face, picture)
        elif not any(text_runs(face)):
            self._store_ground(self._ground_key(face), picture)
        report = EdgeReport(
            _edge_fault(picture, cut) if face.bleed else "",
            tuple(_edge_colours(picture, cut)),
            _is_coloured_along(picture, cut),
        )
        stored = [report.fault, report.colours, report.is_coloured]
        put_json(self.raster.cache, CACHE_KIND, key, stored)
        return report

    def ground(self, face: Face) -> Image.Image:
        """Return an image of the ground under the texts of a face with its bleed, one pixel for each mm."""
        bare = face.without_text()
        key = self._ground_key(bare)
        stored = self._grounds.get(key) or self.raster.cache.get(GROUND_KIND, key)
        if not stored:
            stored = self._store_ground(key, self.raster.pixels_of(bare, DPI))
        return Image.open(io.BytesIO(stored))

    def _store_ground(self, key: str, picture: Image.Image) -> bytes:
        paper = Image.new("RGBA", picture.size, "white")
        paper.alpha_composite(picture)
        data = io.BytesIO()
        paper.convert("RGB").reduce(PIXELS_PER_MM).save(data, "PNG")
        self._grounds[key] = data.getvalue()
        self.raster.cache.put(GROUND_KIND, key, data.getvalue())
        return data.getvalue()

    def _ground_key(self, face: Face) -> str:
        return key_of("ground", self.raster.fonts.digest, face.name, face.full)

    def is_opaque(self, item: PlacedArt | PlacedImage, part: Rect) -> bool:
        """Return True if nothing shows through a picture in a part of its box, in the item's coordinates.

        Of images of pixels the whole counts, because the box may cut some off.
        """
        key = item.art.fingerprint if isinstance(item, PlacedArt) else item.image.key
        if key not in self._alphas:
            self._alphas[key] = self._read_alpha(item)
        alpha = self._alphas[key]
        if isinstance(item, PlacedArt):
            whole = item.view_box
            across, down = alpha.width / whole.w, alpha.height / whole.h
            left, top = int((part.x - whole.x) * across), int((part.y - whole.y) * down)
            right, bottom = (part.right - whole.x) * across, (part.bottom - whole.y) * down
            box = (
                *(max(0, left), max(0, top)),
                *(min(alpha.width, max(left + 1, round(right))),),
                *(min(alpha.height, max(top + 1, round(bottom))),),
            )
            alpha = alpha.crop(box)
        return alpha.tobytes().count(OPAQUE) == alpha.width * alpha.height

    def _read_alpha(self, item: PlacedArt | PlacedImage) -> Image.Image:
        """Return a small picture of where a picture hides everything: 255 there, elsewhere 0."""
        try:
            picture = (
                self.raster.svg(item.art.svg, *_pixels_for(item.art))
                if isinstance(item, PlacedArt)
                else item.image.open().convert("RGBA")
            )
        except (WorkError, WorkLimitError):
            return Image.new("L", (1, 1))
        picture.thumbnail((RIM_PIXELS, RIM_PIXELS))
        return picture.getchannel("A").point(lambda level: OPAQUE * (level >= OPAQUE_ENOUGH))

    def is_empty(self, art: Art) -> bool:
        """Return True if art shows nothing on its page."""
        key = key_of("empty", self.raster.fonts.digest, art.fingerprint)
        cached = get_json(self.raster.cache, CACHE_KIND, key)
        if not isinstance(cached, bool):
            try:
                picture = self.raster.svg(art.svg, *_pixels_for(art))
            except (WorkError, WorkLimitError):
                return False  # printing it raises an error, which the report of the sheets contains
            cached = picture.getchannel("A").getextrema() == (0, 0)
            put_json(self.raster.cache, CACHE_KIND, key, cached)
        return cached

    def _measure(self, face: Face, picture: Image.Image) -> None:
        share = self._inks[face.name] = ink_share(picture)
        put_json(self.raster.cache, CACHE_KIND, self._ink_key(face), share)

    def _ink_key(self, face: Face) -> str:
        return key_of("ink", self.raster.fonts.digest, face.name, face.full)


CACHE_KIND = "check"
"""The kind of these reports in the cache."""

GROUND_KIND = "ground"
"""The kind of small pictures of grounds in the cache."""

PIXELS_PER_MM = round(DPI / MM_PER_INCH)
"""The pixels of a rendering that become one of a ground."""

OPAQUE_ENOUGH = 250
"""From this alpha on, a pixel hides what lies below it; engines round."""

DEEP_MM = 2.0
"""Distance from the cut, in mm, beyond which texts cannot matter to it."""


def _pixels_for(art: Art) -> tuple[int, int]:
    """Return the width and the height in pixels of a small rendering of art."""
    size = art.view.size
    width, height = (max(1, round(RIM_PIXELS * side / max(size))) for side in size)
    return width, height


def _without_deep_words(face: Face, outline: Outline) -> Face:
    """Return the face without its texts if all of them lie deep inside: its edges are the same."""
    if any(
        box_gap(ink.box, outline) < DEEP_MM for ink in face.keep_inside if not ink.is_from_author
    ):
        return face
    return face.without_text()


def _edge_fault(picture: Image.Image, cut: CutEdges) -> str:
    bare = [
        (name, length)
        for name, inner, outer in cut.read_pixels(picture)
        if (length := _faulty(inner, outer))
    ]
    edges = ", ".join(f"{name} ({number(round(length, 1))} mm)" for name, length in bare)
    return f"coloured art stops at the cut: {edges}" if edges else ""


def _edge_colours(picture: Image.Image, cut: CutEdges) -> Iterator[tuple[float, ...]]:
    """Yield the colour of each edge inside the cut.

    Where nothing is painted there is white paper.
    """
    for _, inner, _ in cut.read_pixels(picture):
        colours = [_colour(pixel) for pixel in inner[::5]]
        if colours:
            yield tuple(median(channel) for channel in zip(*colours, strict=True))


COLOURED = 0.95
"""The share of a cut that must be coloured, so that the colour is meant to reach it all round."""


def _is_coloured_along(picture: Image.Image, cut: CutEdges) -> bool:
    """Return True if all edges are coloured inside the cut."""
    inner = [pixel for _, pixels, _ in cut.read_pixels(picture) for pixel in pixels]
    kinds = {pixel: _ink(pixel) for pixel in set(inner)}
    coloured = sum(kinds[pixel] is InkFound.COLOUR for pixel in inner)
    return coloured >= COLOURED * len(inner)


def _faulty(inner: Seen, outer: Seen) -> float:
    """Return the length in mm along which an edge is coloured inside and white outside.

    0 if it is tolerable.
    """
    inks = {pixel: _ink(pixel) for pixel in {*inner, *outer}}
    found = [inks[b] for a, b in zip(inner, outer, strict=True) if inks[a] is InkFound.COLOUR]
    bare = found.count(InkFound.NONE)
    white = len(found) - found.count(InkFound.COLOUR)
    return white * STEP if bare > BARE * len(inner) or white > PALE * len(inner) else 0.0


SIMILAR = 48
"""Steps of 255 by which the channels of two colours may differ and still look equal next to a cut."""
GUIDED_CUT_MM = 1.0
"""Distance in mm by which a well-guided blade strays from its line."""


def shares_cuts(spec: Component) -> bool:
    """Return True if pieces lie so close together that a slightly misplaced cut reaches a neighbour."""
    return spec.gutter is not None and spec.gutter < min(GUIDED_CUT_MM, 2 * spec.bleed)


def differ(reports: Iterable[EdgeReport]) -> bool:
    """Return True if faces differ along their edges: a slightly misplaced cut shows a neighbour's colour."""
    colours = [colour for report in reports for colour in report.colours]
    return any(max(channel) - min(channel) > SIMILAR for channel in zip(*colours, strict=True))


def _colour(pixel: int) -> tuple[int, ...]:
    *colour, alpha = pixel.to_bytes(4, sys.byteorder)
    return (OPAQUE, OPAQUE, OPAQUE) if alpha <= FAINT else tuple(colour)


def _edges(outline: Outline, bleed: float) -> Iterator[tuple[str, list[Pair]]]:
    """Yield each edge with the places to sample, one pixel apart, in mm from the trim's top left."""
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
    """Yield the places along a curve, which is close to straight between two places."""
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
    return (
        InkFound.WHITE
        if OPAQUE - alpha * (OPAQUE - min(colour)) / OPAQUE >= WHITE
        else InkFound.COLOUR
    )
