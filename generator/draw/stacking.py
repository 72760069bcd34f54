"""The stacking of the items of a face: coverings, overlaps and contrasts that are known without rendering.

Shapes are known exactly. A picture hides the items below it only where it is opaque. `PictureFacts` knows
this for images without transparency and for plain shapes in art, and a subclass in `check/` for all
pictures, by rendering them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, groupby, islice
from typing import ClassVar

from generator.base import polygon
from generator.base.colours import Channels, channels_of, contrast
from generator.base.geometry import EPSILON, IDENTITY, Affine, Point, Rect
from generator.base.paths import read_path
from generator.draw.art.opaque_parts import OpaqueParts, find_opaque_parts
from generator.picture.face import Face
from generator.picture.images import Pixels
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

ASCENT_SHARE = 0.8
DESCENT_SHARE = 0.25
"""Extent of letters above and below their baseline, as shares of the type size, in our fonts."""
CAPITAL_SHARE = 0.7
"""The height of capitals as a share of the type size."""

ROUNDED_CORNER_SHARE = 0.3
"""A box moved inwards by this share of its radius lies inside its rounded corners: 1 - 1/√2 is 0.293."""

OPAQUE_MODES = frozenset({"1", "L", "I;16", "RGB", "CMYK"})
"""Pillow's modes of images without transparency."""


@dataclass(frozen=True)
class PlacedItem:
    """An item of a face, the number of its layer, and the transform to the face's coordinates.

    A solid item is neither faded nor clipped.
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
        ink = _box_of(self.item)
        return ink if self.at == IDENTITY else polygon.box_around(self.map_box(ink))

    @cached_property
    def inside_frame(self) -> Rect | None:
        """The upright box inside the line of an unfilled frame; None for other items and turned frames."""
        shape = self.item
        if not isinstance(shape, Shape) or not isinstance(shape.geometry, Box) or not shape.stroke:
            return None
        if shape.fill != "none" or abs(self.at.turn % 90) >= EPSILON:
            return None
        margin = shape.stroke.width / 2 + ROUNDED_CORNER_SHARE * shape.geometry.radius
        return polygon.box_around(self.map_box(shape.geometry.rect.grown(-margin)))

    def map_box(self, box: Rect) -> tuple[Point, ...]:
        """Return the corners on the face of a box in the item's coordinates."""
        corners = polygon.box(box)
        return corners if self.at == IDENTITY else tuple(map(self.at.apply, corners))


class PictureFacts:
    """What is known about pictures without rendering them: where they are opaque, but no contrasts."""

    renders: ClassVar[bool] = False
    """Whether pictures are rendered, so that other checks find the faults along the cuts."""

    def is_opaque(self, item: PlacedArt | PlacedImage, part: Rect) -> bool:
        """Return True if a picture is certainly opaque in a part of its box, in the item's coordinates."""
        if isinstance(item, PlacedArt):
            back = item.to_face.inverse()
            return _parts_of(item).hides([back.apply(corner) for corner in polygon.box(part)])
        if item.fit == "contain":
            return False
        from generator.picture.raster import read_size

        return read_size(item.image.spilled)[1] in OPAQUE_MODES

    def contrast(self, face: Face, box: Rect, colour: Channels) -> float | None:  # noqa: ARG002 - a subclass uses them
        """Return the contrast of a text of a colour in a box on pictures; None if it is unknown."""
        return None


def _parts_of(item: PlacedArt) -> OpaqueParts:
    return find_opaque_parts(item.art.svg, item.art.view)


PlacedLayers = dict[tuple[int, int, Affine], tuple[PlacedItem, ...]]
"""The items of layers that faces share, by the identity of the layer's item, its number and the transform."""

MAX_CACHED_LAYERS = 500
"""Cached layers; most are never used again, so a full table is emptied rather than sorted by age."""


def place_items(face: Face, cached_layers: PlacedLayers) -> tuple[PlacedItem, ...]:
    """Return the items that layers drew on a face, lowest first.

    `cached_layers` stores them for the other faces of the component. Its keys are identities, so the
    faces must live as long as it does.
    """
    layer_items = face.items
    transform = IDENTITY
    mirror = Affine(a=-1.0, e=face.size.w)
    if len(layer_items) == 1 and isinstance(layer_items[0], Group) and layer_items[0].at == mirror:
        layer_items = layer_items[0].items
        transform = mirror
    placed_items: list[PlacedItem] = []
    # Not strict: the marks of a draft come last and belong to no layer.
    for layer, item in zip(face.item_layers, layer_items, strict=False):
        key = id(item), layer, transform
        if key not in cached_layers:
            if len(cached_layers) >= MAX_CACHED_LAYERS:
                cached_layers.clear()
            cached_layers[key] = tuple(_enter(item, layer, transform, is_solid=True))
        placed_items += cached_layers[key]
    return tuple(placed_items)


def _enter(item: Item, layer: int, at: Affine, *, is_solid: bool) -> Iterator[PlacedItem]:
    if isinstance(item, Group):
        solid = is_solid and not item.clip and item.opacity == 1.0
        transform = at if item.at == IDENTITY else at @ item.at
        for inner in item.items:
            yield from _enter(inner, layer, transform, is_solid=solid)
    elif isinstance(item, PlacedPicture):
        for inner in item.picture.items:
            yield from _enter(inner, layer, at @ item.at, is_solid=is_solid and not item.clip)
    else:
        yield PlacedItem(layer, item, at, is_solid)


def _box_of(item: Shape | TextRun | PlacedArt | PlacedImage) -> Rect:
    """Return the box that holds an item's ink, in the item's coordinates."""
    match item:
        case Shape(geometry, _, stroke):
            return _geometry_box(geometry).grown(stroke.width / 2 if stroke else 0.0)
        case TextRun():
            return Rect(
                item.x,
                item.y - ASCENT_SHARE * item.size,
                item.width,
                (ASCENT_SHARE + DESCENT_SHARE) * item.size,
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
            return polygon.box_around(corners)
        case Path(d):
            return _path_box(d)


@lru_cache(1000)
def _path_box(d: str) -> Rect:
    """Return the box around a path; many faces share their paths."""
    places = [place for edges in read_path(d) for edge in edges for place in edge.flat()]
    return polygon.box_around(places) if places else Rect(0, 0, 0, 0)


def covers(placed: PlacedItem, corners: Sequence[Point], facts: PictureFacts) -> bool:
    """Return True if an item certainly hides everything between some corners on the face."""
    if not placed.is_solid or not _may_cover(placed.item):
        return False
    local_corners = tuple(corners)
    if placed.at != IDENTITY:
        local_corners = tuple(map(placed.at.inverse().apply, corners))
    match placed.item:
        case Shape(Box(rect, radius)):
            inner = rect.grown(-ROUNDED_CORNER_SHARE * radius)
            return inner.grown(EPSILON).holds(polygon.box_around(local_corners))
        case Shape(Circle(centre, radius)):
            return all((corner - centre).length() <= radius + EPSILON for corner in local_corners)
        case Shape(Polygon(written)):
            clockwise = _clockwise(written)
            is_convex = polygon.is_convex(clockwise)
            return is_convex and all(
                polygon.depth(clockwise, corner) >= -EPSILON for corner in local_corners
            )
        case PlacedArt() | PlacedImage() as picture:
            part = polygon.box_around(local_corners)
            return _box_of(picture).grown(EPSILON).holds(part) and facts.is_opaque(picture, part)
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


def group_by_layer(items: Iterable[PlacedItem]) -> dict[int, list[PlacedItem]]:
    """Return the items of each layer, in drawing order."""
    return {layer: list(group) for layer, group in groupby(items, lambda placed: placed.layer)}


def find_hidden_layers(
    items: Sequence[PlacedItem], face: Face, facts: PictureFacts
) -> Iterator[tuple[int, int]]:
    """Yield each layer that a single item of a later one covers wholly, with the later layer.

    Only the part on the face with its bleed counts.
    """
    full = face.full
    # Without rendering, only texts, icons and features are looked for under art: to read all art on
    # other art takes long.
    looked_for = {ink.layer for ink in face.keep_inside}
    covering = [placed for placed in items if placed.is_solid and _may_cover(placed.item)]
    for layer, group in group_by_layer(items).items():
        visible = [placed for placed in group if placed.box.overlaps(full)]
        if not visible:
            continue
        extent = Rect.around([placed.box for placed in visible]).common(full)
        has_text = any(isinstance(each.item, TextRun) for each in visible)
        looks_under_art = facts.renders or has_text or layer in looked_for
        for cover in covering:
            if (
                cover.layer > layer
                and (looks_under_art or not isinstance(cover.item, PlacedArt))
                and cover.box.holds(extent)
                and all(covers(cover, _cut_to(placed, full), facts) for placed in visible)
            ):
                yield layer, cover.layer
                break


def _cut_to(placed: PlacedItem, full: Rect) -> tuple[Point, ...]:
    return placed.corners if full.holds(placed.box) else polygon.box(placed.box.common(full))


def find_layers_off_face(items: Sequence[PlacedItem], full: Rect) -> Iterator[int]:
    """Yield each layer without any item on the face; `full` is the face's box with its bleed."""
    near = full.grown(EPSILON)
    for layer, group in group_by_layer(items).items():
        if not any(placed.box.overlaps(near) for placed in group):
            yield layer


def find_background_colours(
    below: Sequence[PlacedItem], letters: Sequence[Point], facts: PictureFacts
) -> tuple[Channels, ...] | None:
    """Return the colours that items show between the corners of a text; None if only a rendering tells.

    A gradient has several.
    """
    box = polygon.box_around(letters)
    for placed in reversed(below):
        if isinstance(placed.item, TextRun) or not placed.box.overlaps(box):
            continue
        if not isinstance(placed.item, Shape):
            return None
        if placed.item.fill == "none":
            if placed.inside_frame and placed.inside_frame.holds(box):
                continue  # the text is away from the line
            return None
        if not covers(placed, letters, facts):
            return None
        fill = placed.item.fill
        stops = [colour for _, colour in fill.stops] if isinstance(fill, Gradient) else [fill]
        return tuple(map(channels_of, stops))
    return (WHITE,)


MAX_SHADOW_SHARE = 0.5
"""Largest distance of an outline or shadow from its text, as a share of the type size.

A judgement: an equal text that is farther away is a repetition.
"""


@dataclass(frozen=True)
class FaceText:
    """A text run on a face; `copies` are its outline, its shadow and itself, by their indices."""

    run: TextRun
    placed: PlacedItem
    copies: list[int]

    @property
    def is_faint(self) -> bool:
        """True if the text is faded or clipped, which nobody does by mistake."""
        return not self.placed.is_solid or _is_translucent(self.run.colour)

    @property
    def letters(self) -> tuple[Point, ...]:
        """The corners on the face of a box around the text's capitals."""
        run = self.run
        height = CAPITAL_SHARE * run.size
        return self.placed.map_box(Rect(run.x, run.y - height, run.width, height))


def find_texts(items: Sequence[PlacedItem]) -> list[FaceText]:
    """Return the text runs of a face, without blank ones, each once with its outline and shadow."""
    texts_by_key: dict[tuple[int, str, float], list[FaceText]] = {}
    for index, placed in enumerate(items):
        run = placed.item
        if not isinstance(run, TextRun) or not run.text.strip():
            continue
        equal_texts = texts_by_key.setdefault((placed.layer, run.text, run.size), [])
        reach = MAX_SHADOW_SHARE * run.size
        close_texts = (
            text
            for text in equal_texts
            if text.placed.at == placed.at
            and max(abs(text.run.x - run.x), abs(text.run.y - run.y)) <= reach
        )
        original = next(close_texts, None)
        if original:
            original.copies.append(index)
        else:
            equal_texts.append(FaceText(run, placed, [index]))
    return [text for equal_texts in texts_by_key.values() for text in equal_texts]


def measure_contrast(
    text: FaceText, face: Face, items: Sequence[PlacedItem], facts: PictureFacts
) -> float | None:
    """Return the contrast of a text to its background; None if only a rendering shows it.

    A text with an outline or a shadow is as legible as the strongest contrast among the three.
    """
    colours = {
        index: channels_of(run.colour)
        for index in text.copies
        if isinstance(run := items[index].item, TextRun) and run.colour != "none"
    }
    contrasts = [contrast(one, other) for one, other in combinations(colours.values(), 2)]
    for index, colour in colours.items():
        backgrounds = find_background_colours(items[:index], text.letters, facts)
        value = (
            max(contrast(colour, background) for background in backgrounds)
            if backgrounds
            else facts.contrast(face, polygon.box_around(text.letters), colour)
        )
        if value is None:
            return None
        contrasts.append(value)
    return max(contrasts, default=1.0)


MIN_OVERLAP_SHARE = 0.15
"""The share of the smaller of two texts that must lie on the other: letters that touch remain legible."""
MAX_TYPE_RATIO = 4.0
"""Above this ratio of type sizes, the larger of two texts counts as a background of the smaller."""


def find_overlapping_texts(texts: Sequence[FaceText]) -> Iterator[tuple[FaceText, FaceText]]:
    """Yield a pair of texts for each two layers whose texts lie on each other.

    Left out are equal texts, which are an effect such as a shadow in a layer of its own, and faded
    texts, which are backgrounds.
    """
    layers: dict[int, list[FaceText]] = {}
    for text in texts:
        if not text.is_faint:
            layers.setdefault(text.placed.layer, []).append(text)
    boxes = {
        layer: Rect.around([text.placed.box for text in texts_of_layer])
        for layer, texts_of_layer in layers.items()
    }
    for one, other in combinations(layers, 2):
        if boxes[one].overlaps(boxes[other]):
            pairs = ((a, b) for a in layers[one] for b in layers[other] if _lie_on_each_other(a, b))
            yield from islice(pairs, 1)


def _lie_on_each_other(one: FaceText, other: FaceText) -> bool:
    if one.run.text == other.run.text or not one.placed.box.overlaps(other.placed.box):
        return False
    sizes = sorted(text.run.size * text.placed.at.scale for text in (one, other))
    if sizes[1] > MAX_TYPE_RATIO * sizes[0]:
        return False
    first, second = (_clockwise(text.letters) for text in (one, other))
    shared = polygon.area(polygon.intersect(first, second))
    return shared > MIN_OVERLAP_SHARE * min(polygon.area(first), polygon.area(second))


def _clockwise(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    return corners if polygon.area(corners) > 0 else corners[::-1]


WHITE_FROM = 245
"""From this value on, a channel counts as white paper: CIE L* 96.5, about that of office paper."""


def colour_at(
    items: Sequence[PlacedItem], place: Point, *, in_pictures: bool = True
) -> Channels | None:
    """Return the colour at a place of a face; None if only a rendering tells."""
    for placed in reversed(items):
        if placed.box.grown(EPSILON).holds(Rect(*place, 0, 0)):
            is_looked_at = in_pictures or isinstance(placed.item, Shape)
            return _colour_of(placed, place) if is_looked_at else None
    return WHITE


def _colour_of(placed: PlacedItem, place: Point) -> Channels | None:
    """Return the colour that an item, in whose box a place lies, has there; None if it is not known."""
    item = placed.item
    if isinstance(item, PlacedArt):
        inside = placed.at.inverse().apply(place)
        if placed.is_solid and item.box.grown(EPSILON).holds(Rect(*inside, 0, 0)):
            return _parts_of(item).colour_at(item.to_face.inverse().apply(inside))
    elif isinstance(item, PlacedImage):
        return _edge_colour(item.image) if covers(placed, [place], PictureFacts()) else None
    elif isinstance(item, Shape) and isinstance(item.fill, str) and item.stroke is None:
        return channels_of(item.fill) if covers(placed, [place], PictureFacts()) else None
    return None


PIXELS_OF_EDGES = 16
"""Width and height of the small picture in which the colour of an image's edges is looked up."""


@lru_cache(500)
def _edge_colour(image: Pixels) -> Channels | None:
    """Return a colour of an image's edges; None if a part of them is white."""
    side = PIXELS_OF_EDGES
    data = image.open().convert("RGB").resize((side, side)).tobytes()
    rows = [
        [
            (data[at], data[at + 1], data[at + 2])
            for at in range(3 * side * y, 3 * side * (y + 1), 3)
        ]
        for y in range(side)
    ]
    colours = [*rows[0], *rows[-1], *(row[x] for row in rows for x in (0, -1))]
    return None if any(map(is_white, colours)) else colours[0]


def is_white(colour: Channels) -> bool:
    """Return True for white, and for colours that look white on paper."""
    return min(colour) >= WHITE_FROM


def find_layer_at_cut(items: Sequence[PlacedItem], trim: Rect) -> int | None:
    """Return the layer of the shape that colours a whole piece to its edges; None if there is none."""
    corners = polygon.box(trim)
    for placed in reversed(items):
        if isinstance(placed.item, Shape) and covers(placed, corners, PictureFacts()):
            return None if placed.item.fill in PAPER_COLOURS else placed.layer
    return None


PAPER_COLOURS = ("#ffffff", "#ffffffff", "white")
