"""The stacking of the items of a face: coverings, overlaps and contrasts that are known without rendering.

Shapes are known exactly. A picture hides what lies below it only where it is opaque, which `Sight`
knows of images without transparency, and `pnp check` of every picture by rendering it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, groupby, islice

from generator.base import polygon
from generator.base.geometry import EPSILON, IDENTITY, Affine, Point, Rect
from generator.base.paths import read_path
from generator.picture.colours import Channels, channels_of, contrast
from generator.picture.face import Face
from generator.picture.items import (
    Box,
    Circle,
    Geometry,
    Gradient,
    Group,
    Item,
    Paint,
    Path,
    PlacedArt,
    PlacedImage,
    PlacedPicture,
    Polygon,
    Shape,
    TextRun,
)

WHITE: Channels = (255, 255, 255)
"""The colour of the paper."""

ASCENT, DESCENT = 0.8, 0.25
"""How far letters reach over their baseline and under it, as shares of the type size, at most."""
CAPITALS = 0.7
"""The height of capitals as a share of the type size."""

ROUNDED_CORNER_SHARE = 0.3
"""A box moved inwards by this share of its radius lies inside its rounded corners: 1 - 1/√2 is 0.293."""

OPAQUE_MODES = frozenset({"1", "L", "I;16", "RGB", "CMYK"})
"""Pillow's modes of images without transparency."""


@dataclass(frozen=True)
class Placed:
    """An item of a face: the number of its layer, and the map to the face's coordinates.

    A solid one is neither faded nor clipped.
    """

    layer: int
    item: Shape | TextRun | PlacedArt | PlacedImage
    at: Affine
    is_solid: bool

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """The corners on the face of a box that holds all of the item's ink."""
        return self.map_box(_box_of(self.item))

    @cached_property
    def box(self) -> Rect:
        """The upright box around the item's ink."""
        return polygon.round_all(self.corners)

    def map_box(self, box: Rect) -> tuple[Point, ...]:
        """Return the corners on the face of a box in the item's coordinates."""
        return tuple(map(self.at.apply, polygon.box(box)))


class Sight:
    """The facts about pictures that are known without rendering them."""

    def is_opaque(self, item: PlacedArt | PlacedImage, part: Rect) -> bool:  # noqa: ARG002 - what renders looks there
        """Return True if a picture surely is opaque in a part of its box, in the item's coordinates."""
        if not isinstance(item, PlacedImage) or item.fit == "contain":
            return False
        from generator.picture.raster import read_size

        return read_size(item.image.spilled)[1] in OPAQUE_MODES

    def contrast(self, face: Face, box: Rect, colour: Channels) -> float | None:  # noqa: ARG002 - as above
        """Return the contrast of a text of a colour in a box on pictures; None if it is unknown."""
        return None


LayersPlaced = dict[tuple[int, int, Affine], tuple[Placed, ...]]
"""The items of layers that faces share, by the layer's group and number and the map to the face."""

MAX_LAYERS_PLACED = 500
"""Layers kept at a time; most are never used again, so a full table is emptied."""


def place_items(face: Face, known: LayersPlaced) -> tuple[Placed, ...]:
    """Return the items that layers drew on a face, lowest first.

    `known` keeps them for the other faces of a component, which must outlive it.
    """
    items, at = face.items, IDENTITY
    mirror = Affine(a=-1.0, e=face.size.w)
    if len(items) == 1 and isinstance(items[0], Group) and items[0].at == mirror:
        items, at = items[0].items, mirror
    found: list[Placed] = []
    for layer, item in zip(face.item_layers, items, strict=False):  # a draft's marks come last
        key = id(item), layer, at
        if key not in known:
            if len(known) >= MAX_LAYERS_PLACED:
                known.clear()
            known[key] = tuple(_enter(item, layer, at, is_solid=True))
        found += known[key]
    return tuple(found)


def _enter(item: Item, layer: int, at: Affine, *, is_solid: bool) -> Iterator[Placed]:
    if isinstance(item, Group):
        solid = is_solid and not item.clip and item.opacity == 1.0
        inside = at if item.at == IDENTITY else at @ item.at
        for inner in item.items:
            yield from _enter(inner, layer, inside, is_solid=solid)
    elif isinstance(item, PlacedPicture):
        for inner in item.picture.items:
            yield from _enter(inner, layer, at @ item.at, is_solid=is_solid and not item.clip)
    else:
        yield Placed(layer, item, at, is_solid)


def _box_of(item: Shape | TextRun | PlacedArt | PlacedImage) -> Rect:
    """Return the box that holds an item's ink, in the item's coordinates."""
    match item:
        case Shape(geometry, _, stroke):
            return _geometry_box(geometry).grown(stroke.width / 2 if stroke else 0.0)
        case TextRun():
            return Rect(
                item.x, item.y - ASCENT * item.size, item.width, (ASCENT + DESCENT) * item.size
            )
        case PlacedArt(fit="contain"):
            return item.view_box
    return item.box


def _geometry_box(geometry: Geometry) -> Rect:
    match geometry:
        case Box(rect):
            return rect
        case Circle(centre, radius):
            return Rect(centre.x, centre.y, 0, 0).grown(radius)
        case Polygon(corners):
            return polygon.round_all(corners)
        case Path(d):
            return _path_box(d)


@lru_cache(1000)
def _path_box(d: str) -> Rect:
    """Return the box around a path; many faces share their paths."""
    places = [place for edges in read_path(d) for edge in edges for place in edge.flat()]
    return polygon.round_all(places) if places else Rect(0, 0, 0, 0)


def covers(placed: Placed, corners: Sequence[Point], sight: Sight) -> bool:
    """Return True if an item surely hides everything between some corners on the face."""
    if not placed.is_solid or not _may_cover(placed.item):
        return False
    back = placed.at.inverse()
    inside = tuple(map(back.apply, corners))
    match placed.item:
        case Shape(Box(rect, radius)):
            inner = rect.grown(-ROUNDED_CORNER_SHARE * radius)
            return all(inner.grown(EPSILON).holds(Rect(*corner, 0, 0)) for corner in inside)
        case Shape(Circle(centre, radius)):
            return all((corner - centre).length() <= radius + EPSILON for corner in inside)
        case Shape(Polygon(written)):
            around = _clockwise(written)
            is_convex = polygon.is_convex(around)
            return is_convex and all(polygon.depth(around, corner) >= -EPSILON for corner in inside)
        case PlacedArt() | PlacedImage() as picture:
            part = polygon.round_all(inside)
            return _box_of(picture).grown(EPSILON).holds(part) and sight.is_opaque(picture, part)
    return False


def _may_cover(item: Item) -> bool:
    return not isinstance(item, TextRun) and (
        not isinstance(item, Shape) or is_opaque_paint(item.fill)
    )


def is_opaque_paint(paint: Paint) -> bool:
    """Return True if nothing shows through a paint."""
    colours = [colour for _, colour in paint.stops] if isinstance(paint, Gradient) else [paint]
    return all(colour != "none" and not _is_translucent(colour) for colour in colours)


def _is_translucent(colour: str) -> bool:
    return colour.startswith("#") and len(colour) == 9 and colour[7:].lower() != "ff"


def group_by_layer(items: Iterable[Placed]) -> dict[int, list[Placed]]:
    """Return the items of each layer, in drawing order."""
    return {layer: list(own) for layer, own in groupby(items, lambda placed: placed.layer)}


def find_hidden_layers(
    items: Sequence[Placed], full: Rect, sight: Sight
) -> Iterator[tuple[int, int]]:
    """Yield each layer that a single item of a later one covers wholly, with the later layer.

    Only the part inside `full`, the box of the face with its bleed, counts.
    """
    covering = [placed for placed in items if placed.is_solid and _may_cover(placed.item)]
    for layer, own in group_by_layer(items).items():
        seen = [placed for placed in own if placed.box.overlaps(full)]
        if not seen:
            continue
        whole = Rect.round_all([placed.box for placed in seen]).common(full)
        for cover in covering:
            if (
                cover.layer > layer
                and cover.box.holds(whole)
                and all(covers(cover, _cut_to(placed, full), sight) for placed in seen)
            ):
                yield layer, cover.layer
                break


def _cut_to(placed: Placed, full: Rect) -> tuple[Point, ...]:
    return placed.corners if full.holds(placed.box) else polygon.box(placed.box.common(full))


def find_layers_off(items: Sequence[Placed], full: Rect) -> Iterator[int]:
    """Yield each layer of which nothing lies on a face; `full` is its box with its bleed."""
    for layer, own in group_by_layer(items).items():
        if not any(placed.box.grown(EPSILON).overlaps(full) for placed in own):
            yield layer


def find_ground_colours(
    below: Sequence[Placed], letters: Sequence[Point], sight: Sight
) -> tuple[Channels, ...] | None:
    """Return the colours that items show between the corners of a text; None if only a rendering tells.

    A gradient has several.
    """
    box = polygon.round_all(letters)
    for placed in reversed(below):
        if isinstance(placed.item, TextRun) or not placed.box.overlaps(box):
            continue
        if not isinstance(placed.item, Shape):
            return None
        if placed.item.fill == "none":
            if _is_around(placed, box):
                continue
            return None
        if not covers(placed, letters, sight):
            return None
        fill = placed.item.fill
        stops = [colour for _, colour in fill.stops] if isinstance(fill, Gradient) else [fill]
        return tuple(map(channels_of, stops))
    return (WHITE,)


def _is_around(line: Placed, box: Rect) -> bool:
    """Return True if a box lies inside an unfilled frame, and so away from its line."""
    shape = line.item
    if not isinstance(shape, Shape) or not isinstance(shape.geometry, Box) or not shape.stroke:
        return False
    geometry = shape.geometry
    margin = shape.stroke.width / 2 + ROUNDED_CORNER_SHARE * geometry.radius
    inner = polygon.round_all(line.map_box(geometry.rect.grown(-margin)))
    is_upright = abs(line.at.turn % 90) < EPSILON
    return is_upright and inner.holds(box)


MAX_SHADOW_SHARE = 0.5
"""How far a text's outline or shadow may lie from it, as a share of the type size."""


@dataclass(frozen=True)
class FaceText:
    """A text run on a face; `copies` are its outline, its shadow and itself, by their indices."""

    run: TextRun
    placed: Placed
    copies: list[int]

    @property
    def is_faint(self) -> bool:
        """True if the text is faded or clipped, which nobody does by mistake."""
        return not self.placed.is_solid or _is_translucent(self.run.colour)

    @property
    def letters(self) -> tuple[Point, ...]:
        """The corners on the face of a box around the text's capitals."""
        run = self.run
        height = CAPITALS * run.size
        return self.placed.map_box(Rect(run.x, run.y - height, run.width, height))


def find_texts(items: Sequence[Placed]) -> list[FaceText]:
    """Return the text runs of a face, without blank ones, each once with its outline and shadow."""
    found: dict[tuple[int, str, float], list[FaceText]] = {}
    for index, placed in enumerate(items):
        run = placed.item
        if not isinstance(run, TextRun) or not run.text.strip():
            continue
        alike = found.setdefault((placed.layer, run.text, run.size), [])
        reach = MAX_SHADOW_SHARE * run.size
        near = (
            words
            for words in alike
            if words.placed.at == placed.at
            and max(abs(words.run.x - run.x), abs(words.run.y - run.y)) <= reach
        )
        copied = next(near, None)
        if copied:
            copied.copies.append(index)
        else:
            alike.append(FaceText(run, placed, [index]))
    return [words for alike in found.values() for words in alike]


def measure_contrast(
    words: FaceText, face: Face, items: Sequence[Placed], sight: Sight
) -> float | None:
    """Return the contrast of a text to its ground; None if only a rendering shows the ground.

    A text with an outline or a shadow is as legible as the strongest contrast among the three.
    """
    colours = {
        index: channels_of(run.colour)
        for index in words.copies
        if isinstance(run := items[index].item, TextRun) and run.colour != "none"
    }
    found = [contrast(one, other) for one, other in combinations(colours.values(), 2)]
    for index, colour in colours.items():
        grounds = find_ground_colours(items[:index], words.letters, sight)
        value = (
            max(contrast(colour, ground) for ground in grounds)
            if grounds
            else sight.contrast(face, polygon.round_all(words.letters), colour)
        )
        if value is None:
            return None
        found.append(value)
    return max(found, default=1.0)


MIN_OVERLAP_SHARE = 0.15
"""The share of the smaller of two texts that must lie on the other: touching letters can be read."""
MAX_TYPE_RATIO = 4.0
"""Above this ratio of their sizes, the larger of two texts is a ground for the smaller."""


def find_overlapping_texts(words: Sequence[FaceText]) -> Iterator[tuple[FaceText, FaceText]]:
    """Yield a pair of texts for each two layers whose texts lie on each other.

    Equal texts are an effect, such as a shadow drawn as a layer, and faded ones a ground.
    """
    layers: dict[int, list[FaceText]] = {}
    for each in words:
        if not each.is_faint:
            layers.setdefault(each.placed.layer, []).append(each)
    boxes = {
        layer: Rect.round_all([each.placed.box for each in own]) for layer, own in layers.items()
    }
    for one, other in combinations(layers, 2):
        if boxes[one].overlaps(boxes[other]):
            pairs = ((a, b) for a in layers[one] for b in layers[other] if _lie_on_each_other(a, b))
            yield from islice(pairs, 1)


def _lie_on_each_other(one: FaceText, other: FaceText) -> bool:
    if one.run.text == other.run.text or not one.placed.box.overlaps(other.placed.box):
        return False
    sizes = sorted(each.run.size * each.placed.at.scale for each in (one, other))
    if sizes[1] > MAX_TYPE_RATIO * sizes[0]:
        return False
    first, second = (_clockwise(each.letters) for each in (one, other))
    shared = polygon.area(polygon.intersect(first, second))
    return shared > MIN_OVERLAP_SHARE * min(polygon.area(first), polygon.area(second))


def _clockwise(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    return corners if polygon.area(corners) > 0 else corners[::-1]


def find_colour_at_cut(items: Sequence[Placed], trim: Rect) -> int | None:
    """Return the layer of the shape that colours a whole piece to its edges; None if there is none."""
    corners = polygon.box(trim)
    for placed in reversed(items):
        if isinstance(placed.item, Shape) and covers(placed, corners, Sight()):
            return None if placed.item.fill in _PAPER else placed.layer
    return None


_PAPER = ("#ffffff", "#ffffffff", "white")
