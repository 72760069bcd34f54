"""The print faults of faces that only pixels show: mistakes that cutting or a cheap printer would reveal.

They are: coloured art that stops at the trim; neighbours that differ where they share a cut; and
pictures whose painted part comes near to the cut, however far their box reaches.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import ceil
from statistics import median
from typing import Any, ClassVar, Literal, NamedTuple

from PIL import Image

from generator.base.budget import drawing
from generator.base.cache import get_json, key_of, put_json
from generator.base.colours import Channels, contrast
from generator.base.geometry import Point, Rect
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.units import MM_PER_INCH, number
from generator.base.worker import WorkError, WorkLimitError
from generator.check.preflight import MAX_LEVEL, ink_share
from generator.draw.draw import DrawnComponent
from generator.draw.findings import (
    STOPS_AT_CUT,
    STOPS_HINT,
    CutFace,
    Finding,
    are_similar,
    box_gap,
    component_findings,
    cut_faces,
    cut_finding,
    edge_pairs,
    needs_pixels,
    neighbours_differ,
    no_bleed,
    shares_cuts,
)
from generator.draw.stacking import WHITE_FROM, PictureFacts
from generator.picture.face import Face, KeepInside
from generator.picture.items import Art, PlacedArt, PlacedImage, art_of, text_runs
from generator.picture.raster import Rasteriser

Rims = Callable[[Art], tuple[tuple[float, float], ...]]
"""A function that returns the outermost painted points of a picture, as shares of its box."""

MIN_RIM_ALPHA = 127
"""From this alpha on, a pixel of a picture counts as painted: half covered, as antialiasing leaves an edge."""
RIM_PIXELS = 192
"""Size of the square rendering in which the rim of a picture is found: 0.33 mm a pixel on a 63 mm card."""


def picture_gap(ink: KeepInside, outline: Outline, rims: Rims) -> float:
    """Return how far inside an outline the painted part of a picture lies, in mm; negative if the outline cuts it."""
    gap = box_gap(ink.box, outline)
    start, right, _, below = ink.corners
    if ink.art is None:
        return gap
    places = (
        start + (right - start).scaled(x) + (below - start).scaled(y) for x, y in rims(ink.art)
    )
    return max(gap, min((outline.depth(place) for place in places), default=gap))


def picture_rim(raster: Rasteriser, art: Art) -> tuple[tuple[float, float], ...]:
    """Return the rim of art, as shares of its box: both ends of each row of painted pixels."""
    alpha = raster.svg(art.svg, RIM_PIXELS, RIM_PIXELS).getchannel("A")
    painted = alpha.point(lambda level: 255 * (level > MIN_RIM_ALPHA))
    rows = ((y, painted.crop((0, y, RIM_PIXELS, y + 1)).getbbox()) for y in range(RIM_PIXELS))
    ends = ((y, at) for y, box in rows if box for at in (box[0], box[2]))
    return tuple((x / RIM_PIXELS, (y + down) / RIM_PIXELS) for y, x in ends for down in (0, 1))


DPI = 127
"""The resolution of the check: five pixels a millimetre show every edge wider than a blade."""

MIN_PAINTED_ALPHA = 10
"""Alpha below which a pixel counts as unpainted: the faintest antialiasing."""


MAX_UNPAINTED_SHARE = 0.02
MAX_WHITE_SHARE = 0.25
"""Tolerated shares of an edge: unpainted bleed, and bleed that is unpainted or white.

The second is larger, because the white of a pattern may begin at the cut on purpose.
"""

MAX_LINE_MM = 0.9
"""How far inside the usual sample another one lies: colour that does not reach there is a line along the cut."""

PIXEL_MM = MM_PER_INCH / DPI


InkKind = Literal["none", "white", "colour"]
"""The kinds of ink that a pixel can hold."""

Pixels = list[int]
"""Pixels, each as an integer of its four bytes (RGBA)."""


class EdgePixels(NamedTuple):
    """The pixels of a picture along an edge, place by place: inside the cut, outside, and deeper inside."""

    name: str
    inner: Pixels
    outer: Pixels
    deep: Pixels


class CutEdges:
    """The edges of an outline with the places to sample, computed once for all faces with this outline."""

    def __init__(self, outline: Outline, bleed: float) -> None:
        self.outline = outline
        self.cache_key_parts = curve_data(outline.edges), bleed
        shift = Point(bleed, bleed)
        self.edges = [
            (name, [(a + shift, b + shift) for a, b in pairs])
            for name, pairs in edge_pairs(outline, bleed, PIXEL_MM)
        ]
        self._positions = cache(self._positions_for)

    def read_pixels(self, picture: Image.Image) -> list[EdgePixels]:
        """Return a picture's pixels along each edge."""
        pixels = memoryview(picture.tobytes()).cast("I")
        return [
            EdgePixels(name, *([pixels[at] for at in places] for places in positions))
            for (name, _), positions in zip(self.edges, self._positions(picture.size), strict=True)
        ]

    def _positions_for(self, size: tuple[int, int]) -> list[list[list[int]]]:
        """Return for each edge the positions inside, outside and deeper inside in a picture of a size in pixels."""
        return [
            [
                _positions([a for a, _ in pairs], size),
                _positions([b for _, b in pairs], size),
                _positions([a + (a - b).unit().scaled(MAX_LINE_MM) for a, b in pairs], size),
            ]
            for _, pairs in self.edges
        ]


def _positions(places: Sequence[Point], size: tuple[int, int]) -> list[int]:
    """Return the positions of some places (mm from the top left) among the pixels of a picture of a size."""
    width, height = size
    return [
        min(height - 1, int(y / PIXEL_MM)) * width + min(width - 1, int(x / PIXEL_MM))
        for x, y in places
    ]


@dataclass(frozen=True)
class EdgeReport:
    """Findings along the cut of a face.

    `fault` names the edges that are coloured inside the cut and unpainted or white outside; it is
    empty if there are none. `colours` has the median colour (RGB) of each edge inside the cut.
    `is_coloured` is True if all edges are coloured inside the cut.
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
        self._values: dict[str, Any] = {}
        self._backgrounds: dict[str, bytes] = {}
        self._alphas: dict[str, Image.Image] = {}

    def _cached_value(self, key: str, make: Callable[[], object]) -> Any:
        """Return a value from memory or from the cache; make and store it if it is in neither."""
        if key not in self._values:
            cached = get_json(self.raster.cache, CACHE_KIND, key)
            self._values[key] = self._store(key, make()) if cached is None else cached
        return self._values[key]

    def _store(self, key: str, value: object) -> object:
        put_json(self.raster.cache, CACHE_KIND, key, value)
        self._values[key] = value
        return value

    def edges(self, face: Face, cut: CutEdges) -> EdgeReport:
        """Return the findings along the cut of a face."""
        face_to_render = face if self.measures_ink else _without_deep_words(face, cut.outline)
        key = key_of(
            "cut edges",
            self.raster.fonts.digest,
            face_to_render.name,
            face_to_render.full,
            cut.cache_key_parts,
        )
        fault, colours, is_coloured = self._cached_value(
            key, lambda: self._render_edges(face_to_render, cut)
        )
        return EdgeReport(fault, tuple(map(tuple, colours)), is_coloured)

    def ink(self, face: Face) -> float:
        """Return the share of a face, with its bleed, that takes ink: from 0 to 1."""
        share = self._cached_value(
            self._ink_key(face), lambda: ink_share(self.raster.pixels_of(face, DPI))
        )
        return float(share)

    def _ink_key(self, face: Face) -> str:
        return key_of("ink", self.raster.fonts.digest, face.name, face.full)

    def _render_edges(self, face: Face, cut: CutEdges) -> tuple[object, ...]:
        """Return the parts of a face's edge report; store its ink or its background too, from the same rendering."""
        picture = self.raster.pixels_of(face, DPI)
        if self.measures_ink:
            self._store(self._ink_key(face), ink_share(picture))
        elif not any(text_runs(face)):
            self._store_background(self._background_key(face), picture)
        edges = cut.read_pixels(picture)
        return (
            _edge_fault(edges) if face.bleed else "",
            tuple(_edge_colours(edges)),
            _is_coloured_along(edges),
        )

    def background(self, face: Face) -> Image.Image:
        """Return a face with its bleed but without its texts, on white, one pixel for each mm."""
        textless = face.without_text()
        key = self._background_key(textless)
        stored = self._backgrounds.get(key) or self.raster.cache.get(BACKGROUND_KIND, key)
        if not stored:
            stored = self._store_background(key, self.raster.pixels_of(textless, DPI))
        return Image.open(io.BytesIO(stored))

    def _store_background(self, key: str, picture: Image.Image) -> bytes:
        paper = Image.new("RGBA", picture.size, "white")
        paper.alpha_composite(picture)
        data = io.BytesIO()
        paper.convert("RGB").reduce(PIXELS_PER_MM).save(data, "PNG")
        self._backgrounds[key] = data.getvalue()
        self.raster.cache.put(BACKGROUND_KIND, key, data.getvalue())
        return data.getvalue()

    def _background_key(self, face: Face) -> str:
        return key_of("background", self.raster.fonts.digest, face.name, face.full)

    def is_opaque(self, item: PlacedArt | PlacedImage, part: Rect) -> bool:
        """Return True if nothing shows through a picture in a part of its box, in the item's coordinates.

        A pixel image counts as a whole, because its box may cut off a part of it.
        """
        key = item.art.fingerprint if isinstance(item, PlacedArt) else item.image.key
        if key not in self._alphas:
            self._alphas[key] = self._read_alpha(item)
        alpha = self._alphas[key]
        if isinstance(item, PlacedArt):
            view = item.view_box
            across = alpha.width / view.w
            down = alpha.height / view.h
            left = int((part.x - view.x) * across)
            top = int((part.y - view.y) * down)
            right = max(left + 1, round((part.right - view.x) * across))
            bottom = max(top + 1, round((part.bottom - view.y) * down))
            alpha = alpha.crop(
                (max(0, left), max(0, top), min(alpha.width, right), min(alpha.height, bottom))
            )
        return alpha.tobytes().count(MAX_LEVEL) == alpha.width * alpha.height

    def _read_alpha(self, item: PlacedArt | PlacedImage) -> Image.Image:
        """Return a small mask of a picture: 255 where it hides everything below, elsewhere 0."""
        try:
            picture = (
                self._render_art(item.art)
                if isinstance(item, PlacedArt)
                else item.image.open().convert("RGBA")
            )
        except (WorkError, WorkLimitError):
            return Image.new("L", (1, 1))
        picture.thumbnail((RIM_PIXELS, RIM_PIXELS))
        return picture.getchannel("A").point(lambda level: MAX_LEVEL * (level >= MIN_OPAQUE_ALPHA))

    def _render_art(self, art: Art) -> Image.Image:
        with drawing(art.name or "art"):
            return self.raster.svg(art.svg, *_pixels_for(art))

    def is_empty(self, art: Art) -> bool:
        """Return True if art shows nothing on its page."""

        def draws_nothing() -> bool:
            picture = self._render_art(art)
            return bool(picture.getchannel("A").getextrema() == (0, 0))

        key = key_of("empty", self.raster.fonts.digest, art.fingerprint)
        try:
            return bool(self._cached_value(key, draws_nothing))
        except (WorkError, WorkLimitError):
            # Printing it raises an error, which the report of the sheets contains.
            self._values[key] = False
            return False


CACHE_KIND = "check"
"""The kind of edge reports, ink shares and empty art in the cache."""

BACKGROUND_KIND = "background"
"""The kind of small pictures of backgrounds in the cache."""

PIXELS_PER_MM = round(DPI / MM_PER_INCH)
"""Pixels of a rendering, in each direction, that are averaged to one of a background."""

MIN_OPAQUE_ALPHA = 250
"""From this alpha on, a pixel hides everything below; renderers round 255 down by a few levels."""

DEEP_MM = 2.0
"""Distance from the cut in mm beyond which texts are ignored: far beyond the samples, which lie 0.3 mm inside."""


def _pixels_for(art: Art) -> tuple[int, int]:
    """Return the width and the height in pixels of a small rendering of art."""
    size = art.view.size
    width, height = (max(1, round(RIM_PIXELS * side / max(size))) for side in size)
    return width, height


def _without_deep_words(face: Face, outline: Outline) -> Face:
    """Return the face without its texts if all of them lie deep inside, where no edge is sampled."""
    if any(
        box_gap(ink.box, outline) < DEEP_MM for ink in face.keep_inside if not ink.is_from_author
    ):
        return face
    return face.without_text()


def _edge_fault(edges: Sequence[EdgePixels]) -> str:
    lengths = ((edge.name, _faulty_length(edge)) for edge in edges)
    faulty = ", ".join(
        f"{name} ({number(round(length, 1))} mm)" for name, length in lengths if length
    )
    return f"coloured art stops at the cut: {faulty}" if faulty else ""


def _edge_colours(edges: Sequence[EdgePixels]) -> Iterator[tuple[float, ...]]:
    """Yield the median colour (RGB) of each edge inside the cut; unpainted pixels count as white."""
    for edge in edges:
        if edge.inner:
            # Every fifth pixel, which is one each millimetre, is enough for a median.
            colours = map(_colour, edge.inner[::PIXELS_PER_MM])
            yield tuple(median(channel) for channel in zip(*colours, strict=True))


MIN_COLOURED_SHARE = 0.95
"""The share of a cut that must be coloured for the colour to count as meant to reach the cut all round."""


def _is_coloured_along(edges: Sequence[EdgePixels]) -> bool:
    """Return True if all edges are coloured inside the cut."""
    counts = Counter(pixel for edge in edges for pixel in edge.inner)
    coloured = sum(count for pixel, count in counts.items() if _ink_kind(pixel) == "colour")
    return coloured >= MIN_COLOURED_SHARE * counts.total()


def _faulty_length(edge: EdgePixels) -> float:
    """Return the length in mm along which an edge is coloured inside and not outside; 0 if tolerable."""
    inner = edge.inner
    inks = {pixel: _ink_kind(pixel) for pixel in {*inner, *edge.outer, *edge.deep}}
    coloured = [
        (inks[outer], inks[deep])
        for pixel, outer, deep in zip(inner, edge.outer, edge.deep, strict=True)
        if inks[pixel] == "colour"
    ]
    # In line art, the joints of bricks lie along the cut between white bricks: no art stops there. A
    # line all along the edge is a border, and a cut shows its width, so it counts.
    is_border = len(coloured) >= MIN_COLOURED_SHARE * len(inner)
    outer_inks = [
        outer for outer, deep in coloured if is_border or (outer, deep) != ("white", "white")
    ]
    unpainted_count = outer_inks.count("none")
    uncoloured_count = len(outer_inks) - outer_inks.count("colour")
    return (
        uncoloured_count * PIXEL_MM
        if unpainted_count > MAX_UNPAINTED_SHARE * len(inner)
        or uncoloured_count > MAX_WHITE_SHARE * len(inner)
        else 0.0
    )


def edges_differ(reports: Iterable[EdgeReport]) -> bool:
    """Return True if faces differ along their edges: a slightly misplaced cut shows a neighbour's colour."""
    return not are_similar(colour for report in reports for colour in report.colours)


def _colour(pixel: int) -> tuple[int, ...]:
    *colour, alpha = pixel.to_bytes(4, sys.byteorder)
    return (MAX_LEVEL, MAX_LEVEL, MAX_LEVEL) if alpha <= MIN_PAINTED_ALPHA else tuple(colour)


def _ink_kind(pixel: int) -> InkKind:
    *colour, alpha = pixel.to_bytes(4, sys.byteorder)
    if alpha < MIN_PAINTED_ALPHA:
        return "none"
    return (
        "white"
        if MAX_LEVEL - alpha * (MAX_LEVEL - min(colour)) / MAX_LEVEL >= WHITE_FROM
        else "colour"
    )


def find_faults(component: DrawnComponent, inspector: FaceInspector) -> Iterator[Finding]:
    """Yield all faults of a component's faces: those known without rendering and those in the pixels."""
    spec = component.spec
    cuts = cache(CutEdges)
    rims = cache(partial(picture_rim, inspector.raster))
    found: list[Finding] = []
    reports: dict[str, EdgeReport] = {}
    for cut_face in cut_faces(component):
        face = cut_face.face
        found += _pictures_near_cut(cut_face, rims)
        for art in art_of(face):
            if inspector.is_empty(art):
                text = f"{art.name} draws nothing on its page"
                hint = "its elements lie outside its viewBox: move them, or make the page larger"
                found.append(Finding(face.label, text, hint, group=text, where=cut_face.where))
        report = reports[face.name] = inspector.edges(face, cuts(cut_face.outline, face.bleed))
        if report.fault:
            found.append(
                Finding(
                    face.label, report.fault, STOPS_HINT, group=STOPS_AT_CUT, where=cut_face.where
                )
            )
        if report.is_coloured and not spec.bleed:
            found.append(no_bleed(cut_face))
    found = [*component_findings(component, RenderedPictureFacts(inspector)), *found]
    if shares_cuts(spec) and _neighbours_differ(component, reports):
        yield neighbours_differ(spec)
    yield from _drop_less_exact(found)


def _drop_less_exact(found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings; of two with the same text on the same face, only the one that names the layer."""
    located = {(finding.face, finding.text) for finding in found if finding.layer}
    for finding in found:
        if finding.layer or (finding.face, finding.text) not in located:
            yield finding


@dataclass(frozen=True)
class RenderedPictureFacts(PictureFacts):
    """The facts about pictures that need pixels: where they are opaque, and the background under texts."""

    inspector: FaceInspector
    renders: ClassVar[bool] = True

    def is_opaque(self, item: PlacedArt | PlacedImage, part: Rect) -> bool:
        """Return True if a picture is opaque in a part of its box, in the item's coordinates."""
        if isinstance(item, PlacedImage) and item.fit == "contain":
            return False  # the image does not fill its box
        return super().is_opaque(item, part) or self.inspector.is_opaque(item, part)

    def contrast(self, face: Face, box: Rect, colour: Channels) -> float | None:
        """Return the contrast of a text to its background: the median over the box; None outside the face."""
        background = self.inspector.background(face)
        full = face.full
        left, top = (max(0, int(at)) for at in (box.x - full.x, box.y - full.y))
        right = min(background.width, max(left + 1, ceil(box.right - full.x)))
        bottom = min(background.height, max(top + 1, ceil(box.bottom - full.y)))
        if right <= left or bottom <= top:
            return None  # a text outside the face is reported as a fault of its own
        pixels = background.crop((left, top, right, bottom)).tobytes()
        return median(
            contrast(colour, pixel)
            for pixel in zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)
        )


def _pictures_near_cut(cut_face: CutFace, rims: Rims) -> Iterator[Finding]:
    outline = cut_face.outline
    safe = cut_face.spec.safe
    for ink in (box for box in cut_face.face.keep_inside if not box.is_from_author):
        if box_gap(ink.box, outline) < safe and needs_pixels(ink, outline):
            yield from cut_finding(cut_face, ink, picture_gap(ink, outline, rims), safe)


def _neighbours_differ(component: DrawnComponent, reports: dict[str, EdgeReport]) -> bool:
    fronts = {design.front.name for design in component.designs}
    backs = {design.back.name for design in component.designs if design.back}
    return any(
        edges_differ(reports[name] for name in names if name in reports)
        for names in (fronts, backs)
    )
