"""Line art: areas become white with a black outline, and lines, patterns and text black.

For players who like to colour their game in, or save colour. Only paints change, and outlines are
added, so pieces keep their size and links their patterns. `draw/art/line_art_svg.py` does the same to
designers' SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO

from generator.base import polygon
from generator.base.colours import Channels, channels_of, lightness
from generator.base.geometry import Affine, Point, Rect
from generator.base.spill import SpillFile
from generator.picture.face import Face
from generator.picture.images import Pixels, read_pixels
from generator.picture.items import (
    Art,
    Geometry,
    Gradient,
    Group,
    Item,
    Picture,
    PlacedArt,
    PlacedImage,
    Shape,
    Stroke,
    TextRun,
    map_items,
    walk,
)
from generator.picture.low_ink_items import (
    BACKGROUND_SHARE,
    ArtPlace,
    FillExtent,
    brighten_image,
    is_rim,
    largest_of,
    largest_part,
    perimeter_of,
    place_of,
    polygons_of,
    symbols_of,
)

BLACK = "#000000"
WHITE = "#ffffff"
GREY = "#b0b0b0"
"""The colour of lines that hardly stood out: decoration stays behind the signs that players look for."""

PALE = "#dedede"
"""The colour of silhouettes that hardly stood out from their background, such as reeds behind a neck."""

OUTLINE_MM = 0.25
"""The width of outlines: 0.7 pt, the thinnest line that children's colouring books use."""

DARK = 35.0
"""The lightness (L*) below which small things stay black; at 35, grey on white has a contrast of 8 : 1."""

NEARLY_BLACK = 18.0
"""The lightness below which a link stays black, so that it differs from all other links."""

NEARLY_WHITE = 85.0
"""The lightness above which a link's pattern counts as white."""

MAX_DARK_MM2 = 60.0
"""The largest dark thing that stays black: a coin of 9 mm. Larger ones would need much ink."""

MAX_PATTERN_MM2 = 12.0
"""The largest part of a link's pattern, such as a dash of a road, that is black on the white link."""

AREA_STROKE_MM = 1.2
"""The width from which a line is drawn as its two edges."""

LEAST_ALPHA = 0.5
"""Paint that is less opaque is a shadow or a gloss, which line art does without."""

MAX_SPOTS = 5
"""The parts of a pattern at which pnp looks for the link below; some may lie in the bleed beyond it."""


@dataclass(frozen=True)
class ArtBackground:
    """The background of art: its former colour, if known; `is_black` is True if it is black in line art."""

    colour: Channels | None = None
    is_black: bool = False


OutlineArt = Callable[[Art, ArtPlace, ArtBackground], Art]
"""Draws art as lines."""

ImageToGrey = Callable[[Pixels], Pixels]
"""Takes the colour from an image of pixels."""


@dataclass(frozen=True)
class _LineFill:
    """A filled shape of a face, with its paint in line art."""

    parts: tuple[tuple[Point, ...], ...]
    """Of a path, its subpaths."""
    box: Rect
    spots: tuple[Point, ...]
    """The middles of some parts: those of a row of dots round a bend lie on the bend."""
    outline: FillExtent
    colour: Channels | None
    """The colour before; None for gradients, since they have many."""
    is_rim: bool = False
    is_black: bool = False

    @property
    def mm2(self) -> float:
        return self.outline.mm2


@dataclass
class LineDrawer:
    """Draws the faces of one game as line art."""

    outline_art: OutlineArt
    to_grey: ImageToGrey
    _art: dict[tuple[str, ArtPlace, ArtBackground], Art] = field(default_factory=dict)
    _images: dict[str, Pixels] = field(default_factory=dict)

    def face(self, face: Face) -> Face:
        """Return a face as line art."""
        symbols = symbols_of(face)
        fills = _fills_of(face)
        below: list[_LineFill] = []
        index = -1

        def draw(item: Item, at: Affine) -> Item:
            nonlocal index
            index += 1
            if isinstance(item, Shape):
                fill = fills[index]
                drawn = _shape(item, at, fill, below, face)
                below.extend([fill] if fill else [])
                return drawn
            if isinstance(item, TextRun):
                return _text(item, is_on_black=_is_black_at(_middle_of(item, at), below))
            if isinstance(item, PlacedArt):
                under = _highest_at(at.apply(item.box.centre), below)
                background = (
                    ArtBackground(under.colour, under.is_black) if under else ArtBackground()
                )
                return self._placed_art(item, place_of(item, at, face, symbols), background)
            if isinstance(item, PlacedImage):
                return replace(item, image=self._image(item.image))
            return item

        return replace(face, items=map_items(face.items, draw))

    def _placed_art(self, item: PlacedArt, place: ArtPlace, background: ArtBackground) -> PlacedArt:
        key = (item.art.fingerprint, place, background)
        if key not in self._art:
            self._art[key] = self.outline_art(item.art, place, background)
        return replace(item, art=self._art[key])

    def _image(self, image: Pixels) -> Pixels:
        if image.key not in self._images:
            self._images[image.key] = self.to_grey(image)
        return self._images[image.key]


def _fills_of(face: Picture) -> list[_LineFill | None]:
    """Return the fill of each item of a face, in the order of `walk`; None for items without one."""
    found = [
        _fill_of(item, at) if isinstance(item, Shape) else None for item, at in walk(face.items)
    ]
    background = BACKGROUND_SHARE * face.size.w * face.size.h
    return [
        fill and _decide(fill, [other for other in found[index + 1 :] if other], background)
        for index, fill in enumerate(found)
    ]


def _fill_of(shape: Shape, at: Affine) -> _LineFill | None:
    fill = shape.fill
    if fill == "none" or (isinstance(fill, str) and _alpha_of(fill) < LEAST_ALPHA):
        return None
    parts = tuple(tuple(map(at.apply, part)) for part in polygons_of(shape.geometry))
    if not parts:
        return None
    colour = None if isinstance(fill, Gradient) else channels_of(fill)
    mm2 = largest_part(shape.geometry) * at.scale**2
    outline = tuple(map(at.apply, largest_of(polygons_of(shape.geometry))))
    return _LineFill(
        parts,
        polygon.box_around([corner for part in parts for corner in part]),
        _middles_of(shape.geometry, at),
        FillExtent(polygon.box_around(outline), mm2, perimeter_of(outline)),
        colour,
    )


def _middles_of(geometry: Geometry, at: Affine, *, on_line: bool = False) -> tuple[Point, ...]:
    """Return the middles of some parts of a path, or of other geometry, on the face; of lines, points on them."""
    parts = polygons_of(geometry)
    some = parts[len(parts) // (MAX_SPOTS + 1) :: max(1, len(parts) // MAX_SPOTS)]
    if on_line:
        halves = ((part, len(part) // 2) for part in some)
        return tuple(at.apply((part[half - 1] + part[half]).scaled(0.5)) for part, half in halves)
    return tuple(at.apply(polygon.box_around(part).centre) for part in some)


def _decide(fill: _LineFill, above: list[_LineFill], background: float) -> _LineFill:
    """Return the fill with its paint in line art: a rim and small dark fills are black."""
    rim = fill.mm2 >= MAX_PATTERN_MM2 and is_rim(fill.outline, (other.outline for other in above))
    level = lightness(fill.colour) if fill.colour else 100.0
    is_dark = level < (DARK if fill.mm2 < MAX_DARK_MM2 else NEARLY_BLACK)
    return replace(fill, is_rim=rim, is_black=rim or (is_dark and fill.mm2 < background))


def _shape(
    shape: Shape, at: Affine, fill: _LineFill | None, below: list[_LineFill], face: Picture
) -> Item:
    """Return a shape as line art; an edge of a wide line is a second line above the first."""
    under = _first_at(_middles_of(shape.geometry, at, on_line=True), below)
    # The ring of a black disc stays light: it parts the disc from its background.
    below_line = fill or under
    stroke = _line(shape.stroke, is_on_black=below_line is not None and below_line.is_black)
    paint: str = "none"
    if fill is not None:
        paint, edge = _paint(fill, below, face)
        if edge and stroke is None:
            stroke = Stroke(OUTLINE_MM / at.scale, BLACK, join="round")
    if shape.stroke is None or stroke is None or not _has_two_edges(shape.stroke, at.scale):
        return Shape(shape.geometry, paint, stroke)
    inner = stroke.width - 2 * OUTLINE_MM / at.scale
    return Group(
        (
            Shape(shape.geometry, paint, stroke),
            Shape(shape.geometry, "none", replace(stroke, width=inner, colour=WHITE)),
        )
    )


def _paint(fill: _LineFill, below: list[_LineFill], face: Picture) -> tuple[str, bool]:
    """Return the colour of a fill, and whether it needs an outline."""
    if fill.is_black:
        return BLACK, False
    if fill.mm2 >= BACKGROUND_SHARE * face.size.w * face.size.h:
        return WHITE, False
    under = _first_at(fill.spots, below)
    if under is not None and under.is_black and not under.is_rim:
        return WHITE, False
    has_rim = any(
        other.is_rim and other.box.grown(0.01).holds(fill.box) for other in reversed(below)
    )
    if fill.mm2 < MAX_PATTERN_MM2 and under is not None and _is_plain(fill.colour):
        return BLACK, False
    return WHITE, not has_rim and not _repaints_background(fill, below)


def _repaints_background(fill: _LineFill, below: list[_LineFill]) -> bool:
    """Return True if a fill has the colour of the items below its edge: a patch whose edge nobody saw."""
    larger = [other for other in below if other.mm2 > fill.mm2]  # patterns have clipped parts
    backgrounds = (_highest_at(corner, larger) for part in fill.parts for corner in part)
    return fill.colour is not None and all(
        background is not None and background.colour == fill.colour for background in backgrounds
    )


def _is_plain(colour: Channels | None) -> bool:
    """Return True for a pattern that is nearly black or white; one in a colour keeps an inside to colour."""
    level = lightness(colour) if colour else 50.0
    return level < DARK or level > NEARLY_WHITE


def _line(stroke: Stroke | None, *, is_on_black: bool) -> Stroke | None:
    if stroke is None or _alpha_of(stroke.colour) < LEAST_ALPHA:
        return None
    is_light = lightness(channels_of(stroke.colour)) >= DARK
    return replace(stroke, colour=WHITE if is_on_black and is_light else BLACK)


def _has_two_edges(stroke: Stroke, scale: float) -> bool:
    """Return True for a wide line that is not dark: it has an inside to colour."""
    is_wide = stroke.width * scale >= AREA_STROKE_MM and not stroke.dash
    return is_wide and lightness(channels_of(stroke.colour)) >= NEARLY_BLACK


def _text(run: TextRun, *, is_on_black: bool) -> TextRun:
    """Return black text, or white text on black; an outline around letters takes the other colour."""
    colours = (WHITE, BLACK) if is_on_black else (BLACK, WHITE)
    stroke = run.stroke and replace(run.stroke, colour=colours[1])
    return replace(run, colour=colours[0], stroke=stroke)


def _middle_of(run: TextRun, at: Affine) -> Point:
    return at.apply(Point(run.x + run.width / 2, run.y - run.size / 3))


def _is_black_at(point: Point, below: list[_LineFill]) -> bool:
    fill = _highest_at(point, below)
    return fill is not None and fill.is_black


def _first_at(points: Sequence[Point], below: list[_LineFill]) -> _LineFill | None:
    """Return the highest fill at the first of some points that lies on one."""
    return next((fill for point in points if (fill := _highest_at(point, below))), None)


def _highest_at(point: Point, below: list[_LineFill]) -> _LineFill | None:
    """Return the highest fill at a point."""
    spot = Rect(*point, 0, 0)
    for fill in reversed(below):
        if not fill.box.holds(spot):
            continue
        # A point inside an even number of subpaths lies in a hole.
        if sum(polygon.contains(part, point) for part in fill.parts) % 2:
            return fill
    return None


def _alpha_of(colour: str) -> float:
    return int(colour[7:9], 16) / 255 if len(colour) > 7 else 1.0


def make_grey(image: Pixels) -> Pixels:
    """Return an image of pixels without colour, and as light as `--low-ink` makes it."""
    bright = brighten_image(image, SpillFile())
    with bright.open() as opened:
        has_alpha = opened.has_transparency_data
        grey = opened.convert("LA" if has_alpha else "L")
    buffer = BytesIO()
    grey.save(buffer, "PNG")
    return read_pixels(image.name, buffer.getvalue(), SpillFile())
