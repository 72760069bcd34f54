"""Low ink: large fills become tints.

Black, lines, patterns, text and symbols are printed as before.

A colour has one tint in the whole game, so areas that touch, on a face or across the edges of two
tiles, stay alike. `draw/low_ink_game.py` chooses the tints, and `draw/art/low_ink_svg.py` applies them to
designers' SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import pairwise
from math import pi
from typing import NamedTuple

from PIL import Image

from generator.base import polygon
from generator.base.colours import Channels, channels_of, is_black, mix_with_paper, to_hex
from generator.base.errors import InvalidValueError
from generator.base.geometry import Affine, Point, Rect
from generator.base.paths import read_path
from generator.base.spill import SpillFile
from generator.picture.face import Face
from generator.picture.images import CMYK, Pixels, read_pixels
from generator.picture.items import (
    Art,
    Box,
    Circle,
    Geometry,
    Gradient,
    Item,
    Path,
    Picture,
    PlacedArt,
    PlacedImage,
    Polygon,
    Shape,
    Stroke,
    map_items,
    walk,
)

LARGE_MM2 = 150.0
"""The smallest area of a large fill.

The medallions and signs of the bundled games are smaller, their links larger.
"""

MAX_RIM_MM = 1.5
"""A fill of which only a rim of this width is visible is a line around the shapes on it, such as a link's casing."""

MAX_COVERED_SHARE = 0.999
"""A fill of which more is covered has no rim: it has a twin above it, as the arm of two branches has."""

MIN_AREA_STROKE_MM = 3.0
"""The width from which a stroke is an area, such as a road drawn as one line."""

SYMBOL_MM2 = 300.0
"""The box of art below which the art is a symbol: about 17 mm square, the size of a medallion on a tile."""

BACKGROUND_SHARE = 0.6
"""The share of a face from which a fill is its background.

A black background is tinted, any other black is not.
"""

DEFAULT_SHARE = 0.4
"""The share of its colour that a tint keeps, unless the patterns of links need another."""

IMAGE_GAMMA = 0.4
"""The exponent that brightens images of pixels: middle grey becomes as light as a default tint, black stays black."""

JPEG_QUALITY = 90
"""The quality of brightened JPEGs.

Measured on noise with the spectrum of photographs, saved at 92 before: at 90 the file shrinks by a quarter,
and 99 % of the pixels change by at most 11 of 255 levels. At 95 it would be larger than the original.
"""


@dataclass(frozen=True)
class ArtPlace:
    """A piece of art on a face: millimetres per unit of its coordinates, its role, and the area of the face."""

    mm_per_unit: float
    is_symbol: bool
    face_mm2: float


@dataclass(frozen=True)
class Tints:
    """The tints of one game.

    `large` are the colours that become tints outside art. `shares` are the shares of colour that
    some tints keep instead of the default; those of links and their patterns.
    """

    large: frozenset[Channels] = frozenset()
    shares: Mapping[Channels, float] = field(default_factory=dict)

    def of(self, colour: Channels, *, is_background: bool = False) -> Channels:
        """Return the tint of a colour; black only has one as the background of a face."""
        if is_black(colour):
            return mix_with_paper(colour, DEFAULT_SHARE) if is_background else colour
        return mix_with_paper(colour, self.shares.get(colour, DEFAULT_SHARE))


TintArt = Callable[[Art, ArtPlace, Tints], Art]
"""Applies tints to art."""


def symbols_of(face: Face) -> frozenset[str]:
    """Return the fingerprints of the art that is a symbol on a face, since no cut may reach it."""
    return frozenset(box.art.fingerprint for box in face.keep_inside if box.art)


def place_of(item: PlacedArt, at: Affine, face: Face, symbols: Collection[str]) -> ArtPlace:
    """Return the place of art on a face; small art is a symbol, too."""
    box = item.view_box
    area = item.box.w * item.box.h * at.scale**2
    mm_per_unit = at.scale * (box.w * box.h / (item.art.view.w * item.art.view.h)) ** 0.5
    is_symbol = item.art.fingerprint in symbols or area < SYMBOL_MM2
    return ArtPlace(mm_per_unit, is_symbol, face.size.w * face.size.h)


@dataclass
class InkSaver:
    """Applies the tints of one game to its faces."""

    tints: Tints
    tint_art: TintArt
    _art: dict[tuple[str, ArtPlace], Art] = field(default_factory=dict)
    _images: dict[str, Pixels] = field(default_factory=dict)
    _spill_file: SpillFile = field(default_factory=SpillFile)

    def face(self, face: Face) -> Face:
        """Return a face with less ink."""
        symbols = symbols_of(face)
        backgrounds = background_colours(face)

        def save(item: Item, at: Affine) -> Item:
            match item:
                case PlacedArt():
                    return self._placed_art(item, place_of(item, at, face, symbols))
                case PlacedImage(image, box) if box.w * box.h * at.scale**2 >= SYMBOL_MM2:
                    return replace(item, image=self._image(image))
                case Shape():
                    return self._shape(item, at.scale, backgrounds)
            return item

        return replace(face, items=map_items(face.items, save))

    def _shape(self, shape: Shape, scale: float, backgrounds: frozenset[Channels]) -> Shape:
        stroke = shape.stroke
        if stroke and stroke.width * scale >= MIN_AREA_STROKE_MM:
            stroke = replace(stroke, colour=self._paint(stroke.colour, frozenset()))
        fill = shape.fill
        if isinstance(fill, Gradient):
            stops = tuple((share, self._paint(colour, backgrounds)) for share, colour in fill.stops)
            return Shape(shape.geometry, replace(fill, stops=stops), stroke)
        return Shape(shape.geometry, self._paint(fill, backgrounds), stroke)

    def _paint(self, paint: str, backgrounds: frozenset[Channels]) -> str:
        """Return the tint of a paint if its colour is that of a large fill."""
        if paint == "none" or (colour := channels_of(paint)) not in self.tints.large:
            return paint
        return to_hex(self.tints.of(colour, is_background=colour in backgrounds)) + paint[7:]

    def _placed_art(self, item: PlacedArt, place: ArtPlace) -> PlacedArt:
        key = (item.art.fingerprint, place)
        if key not in self._art:
            self._art[key] = self.tint_art(item.art, place, self.tints)
        return replace(item, art=self._art[key])

    def _image(self, image: Pixels) -> Pixels:
        if image.key not in self._images:
            self._images[image.key] = brighten_image(image, self._spill_file)
        return self._images[image.key]


def brighten_image(image: Pixels, spill_file: SpillFile) -> Pixels:
    """Return a brighter image of pixels; black and transparency stay."""
    with image.open() as opened:
        kind = "JPEG" if opened.format == "JPEG" else "PNG"
        bright = _brighten(opened)
    buffer = BytesIO()
    bright.save(buffer, kind, quality=JPEG_QUALITY)
    return read_pixels(image.name, buffer.getvalue(), spill_file)


def _brighten(image: Image.Image) -> Image.Image:
    if image.mode == CMYK:
        # Pillow gives the inks of a CMYK file from 0 (none) to 255. Black ink stays.
        inks = [round(level * DEFAULT_SHARE) for level in range(256)]
        return image.point(inks * 3 + list(range(256)))
    curve = [round(255 * (level / 255) ** IMAGE_GAMMA) for level in range(256)]
    if image.has_transparency_data:
        return image.convert("RGBA").point(curve * 3 + list(range(256)))
    return image.convert("RGB").point(curve * 3)


@dataclass(frozen=True)
class _Fill:
    """A filled shape in the coordinates of its face."""

    shape: Shape
    scale: float
    outline: tuple[Point, ...]
    """Of a path, the outline of its largest part."""

    @cached_property
    def box(self) -> Rect:
        return polygon.box_around(self.outline)

    @cached_property
    def mm2(self) -> float:
        return largest_part(self.shape.geometry) * self.scale**2

    @cached_property
    def colours(self) -> frozenset[Channels]:
        fill = self.shape.fill
        paints = [colour for _, colour in fill.stops] if isinstance(fill, Gradient) else [fill]
        return frozenset(channels_of(paint) for paint in paints if paint != "none")


def background_colours(face: Picture) -> frozenset[Channels]:
    """Return the colours of fills that cover most of a face, art excepted."""
    least = BACKGROUND_SHARE * face.size.w * face.size.h
    backgrounds = (fill.colours for fill in _fills_of(face) if fill.mm2 >= least)
    return frozenset().union(*backgrounds)


def large_colours(faces: Iterable[Picture]) -> frozenset[Channels]:
    """Return the colours of all large fills on some faces, art excepted."""
    colours: set[Channels] = set()
    for face in faces:
        colours |= _large_colours_of(face)
    return frozenset(colours)


def _large_colours_of(face: Picture) -> set[Channels]:
    shapes = [(item, at) for item, at in walk(face.items) if isinstance(item, Shape)]
    fills = _fills_of(face)
    colours = {
        channels_of(stroke.colour)
        for shape, at in shapes
        if (stroke := _area_stroke(shape, at)) is not None
    }
    for index, fill in enumerate(fills):
        if (
            fill.mm2 >= LARGE_MM2
            and not fill.colours <= colours
            and _is_visible_area(fill, fills[index + 1 :])
        ):
            colours |= fill.colours
    return colours


def _fills_of(face: Picture) -> list[_Fill]:
    """Return the filled shapes of a face, lowest first."""
    shapes = [(item, at) for item, at in walk(face.items) if isinstance(item, Shape)]
    fills = (
        _Fill(shape, at.scale, tuple(map(at.apply, largest_of(polygons_of(shape.geometry)))))
        for shape, at in shapes
    )
    return [fill for fill in fills if fill.colours and fill.outline]


def _area_stroke(shape: Shape, at: Affine) -> Stroke | None:
    """Return the stroke of a shape if it is wide and long enough to be a large area."""
    stroke = shape.stroke
    if stroke is None or stroke.width * at.scale < MIN_AREA_STROKE_MM:
        return None
    corners = [corner for part in polygons_of(shape.geometry) for corner in part]
    length = sum((b - a).length() for a, b in pairwise(corners))
    return stroke if length * stroke.width * at.scale**2 >= LARGE_MM2 else None


def _is_visible_area(fill: _Fill, above: Iterable[_Fill]) -> bool:
    """Return False if a single later fill leaves only a rim, or less than a large area, of a fill visible."""
    inside = [other for other in above if fill.box.grown(0.01).holds(other.box)]
    covered = max((other.mm2 for other in inside), default=0.0)
    return fill.mm2 - covered >= LARGE_MM2 and not is_rim(
        FillExtent(fill.box, fill.mm2, perimeter_of(fill.outline)),
        [FillExtent(other.box, other.mm2) for other in inside],
    )


class FillExtent(NamedTuple):
    """The extent of a fill: its box, its area, and the length of its outline.

    Those of a path are those of its largest part. In the box of the whole path, a horn drawn on a row of
    scales would seem to cover a scale.
    """

    box: Rect
    mm2: float
    perimeter_mm: float = 0.0


def is_rim(fill: FillExtent, above: Iterable[FillExtent], units_per_mm: float = 1.0) -> bool:
    """Return True if a fill above leaves only a rim of a fill visible, as links do of their casings.

    The boxes have `units_per_mm` units in a millimetre; areas and perimeters are in mm² and mm.
    """
    # At a sharp corner, the box of a rim reaches further than the rim is wide.
    reach = 2 * MAX_RIM_MM * units_per_mm
    box = fill.box.grown(0.01)
    return any(
        fill.mm2 / 2 < cover.mm2 < MAX_COVERED_SHARE * fill.mm2
        and fill.mm2 - cover.mm2 < MAX_RIM_MM * fill.perimeter_mm
        and box.holds(cover.box)
        and cover.box.grown(reach).holds(fill.box)
        for cover in above
    )


def perimeter_of(corners: Sequence[Point]) -> float:
    """Return the length of a closed line."""
    return sum((b - a).length() for a, b in pairwise((*corners, corners[0])))


def polygons_of(geometry: Geometry) -> tuple[tuple[Point, ...], ...]:
    """Return the outline of a geometry as straight lines; of a path, one of each part.

    Empty if the path cannot be read.
    """
    match geometry:
        case Box(rect):
            return (polygon.box(rect),)
        case Circle(centre, radius):
            return (tuple(centre + Point(radius, 0).turned(turn) for turn in range(0, 360, 15)),)
        case Polygon(corners):
            return (tuple(corners),) if corners else ()
        case Path(d):
            return parts_of_path(d)


@lru_cache(2000)  # the same links and drawings stand on many faces
def parts_of_path(d: str) -> tuple[tuple[Point, ...], ...]:
    """Return the subpaths of path data as straight lines.

    Empty if the data cannot be read or is too long.
    """
    try:
        parts = read_path(d)
    except (ValueError, InvalidValueError):
        return ()
    return tuple(
        (part[0].a, *(place for edge in part for place in edge.flat())) for part in parts if part
    )


def largest_of(parts: Sequence[tuple[Point, ...]]) -> tuple[Point, ...]:
    """Return the part of a path with the largest area; empty if there is none."""
    return max(parts, key=lambda part: abs(polygon.area(part)), default=())


def largest_part(geometry: Geometry) -> float:
    """Return the area of a geometry.

    Of a path, that of its largest part, since a row of dots is no large fill.
    """
    match geometry:
        case Circle(_, radius):
            return pi * radius**2
        case _:
            return abs(polygon.area(largest_of(polygons_of(geometry))))
