"""The print faults of faces: what cutting and a cheap printer would show.

Art that stops at the trim although it is coloured there is measured on the picture, not guessed from the layers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from itertools import pairwise
from statistics import median
from types import MappingProxyType

from PIL import Image

from generator.check.safe import Rims, gap, rim
from generator.core.cache import key_of
from generator.core.geometry import Point, Rect
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.problems import Where
from generator.core.units import MM_PER_INCH, number
from generator.draw.draw import DrawnComponent
from generator.draw.face import Face
from generator.pack.game import Component
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
        self.told = curve_data(outline.edges), bleed
        shift = Point(bleed, bleed)
        self.edges = [(name, [(a + shift, b + shift) for a, b in pairs]) for name, pairs in _edges(outline, bleed)]


def edge_fault(face: Face, cut: CutEdges, raster: Rasteriser) -> str:
    """Which edges are coloured inside the trim and bare in the bleed, as a sentence; empty when none is."""
    key = key_of("edge", raster.fonts.digest, face.name, face.full, cut.told)
    known = raster.kept.get(KEPT, key)
    if known is None:
        known = _edge_fault(raster.face(face, DPI), cut).encode()
        raster.kept.put(KEPT, key, known)
    return known.decode()


def _edge_fault(picture: Image.Image, cut: CutEdges) -> str:
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


THINNEST = 0.1
"""mm; printers lose lines below."""

LEAST_DPI = 200

CUT = 1.0
"""mm; a blade that is guided well stays this near to its line."""


@dataclass(frozen=True)
class Finding:
    """A fault of a face, with what to do about it; `unsafe` where a cut may reach something.

    `what` is the same for faults that are mended in one place; of those the one with the greatest `weight` is the
    worst. `where` is the row of the face's design.
    """

    face: str
    text: str
    hint: str
    unsafe: bool = False
    what: str = ""
    weight: float = 0.0
    where: Where | None = None

    def __str__(self) -> str:
        return f"{self.face}: {self.text}\n  {self.hint}"


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


def findings(component: DrawnComponent, raster: Rasteriser) -> Iterator[Finding]:
    """The faults of a component's faces, each picture looked at once."""
    if said := shared_cut(component, raster):
        yield Finding(component.spec.id, said.partition(": ")[2], "no `gutter:`, or one of twice the bleed")
    rows = {design.id: design.where for design in component.spec.designs}
    seen: set[str] = set()
    cut, rims = cache(CutEdges), cache(partial(rim, raster))
    backs = {design.back.name for design in component.designs if design.back}
    for face in component.faces:
        if face.name not in seen:
            seen.add(face.name)
            spec = component.spec
            for fault in _faults(face, spec, _trim_of(face, spec, backs), cut, raster, rims):
                design = face.label.partition(":")[2].rpartition(" ")[0].partition(" face")[0]
                yield replace(fault, where=rows.get(design))


def _trim_of(face: Face, spec: Component, backs: set[str]) -> Outline:
    """What a face is cut to."""
    if spec.panels:
        return Outline.of_box(Rect(0, 0, *face.size))
    return spec.behind if face.name in backs else spec.outline


def _faults(
    face: Face,
    spec: Component,
    outline: Outline,
    cut: Callable[[Outline, float], CutEdges],
    raster: Rasteriser,
    rims: Rims,
) -> Iterator[Finding]:
    yield from _unsafe(face, spec.safe, outline, rims)
    for picture in face.facts.pictures:
        if picture.dpi < LEAST_DPI:
            text = f"{picture.name} has {picture.dpi:.0f} dpi at its printed size"
            hint = f"use a picture of at least {LEAST_DPI} dpi, or a smaller box"
            yield Finding(face.label, text, hint, what=f"{picture.name} has too few dots", weight=-picture.dpi)
    thinnest = face.facts.thinnest
    if thinnest is not None and thinnest < THINNEST - 1e-9:
        text = f"its thinnest line is {number(thinnest)} mm"
        hint = f"lines under {number(THINNEST)} mm may not print"
        yield Finding(face.label, text, hint, what="lines are too thin", weight=-thinnest)
    if spec.bleed and (fault := edge_fault(face, cut(outline, face.bleed), raster)):
        yield Finding(face.label, fault, "let the art reach to the end of the bleed", what="art stops at the cut")


def _unsafe(face: Face, safe: float, outline: Outline, rims: Rims) -> Iterator[Finding]:
    for ink in face.facts.inks:
        near = gap(ink, outline, safe, rims)
        if near < safe - 0.005:
            text = f"{ink.what} is {number(max(near, 0))} mm from the cut" if near >= 0 else f"{ink.what} is cut off"
            what, hint = f"{ink.what} is too near to the cut", f"keep it {number(safe)} mm inside"
            yield Finding(face.label, text, hint, unsafe=True, what=what, weight=-near)
