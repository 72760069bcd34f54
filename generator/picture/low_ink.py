"""A face that takes little ink: large areas become tints, or outlines, and what stands on them stays legible."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import pi

from PIL import ImageColor

from generator.base.errors import InvalidValueError
from generator.base.geometry import IDENTITY, Affine, Point, Rect
from generator.base.paths import read_path
from generator.base.polygon import area as polygon_area
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
    Stroke,
    TextRun,
)

MIN_TINTED_MM2 = 1.5
"""The smallest area that becomes a tint; smaller ones carry meaning."""

MIN_TINTED_LINE_MM = 1.5
"""The thinnest line that becomes a tint."""

MIN_CONTRAST = 45.0
"""The difference in lightness, of 100, that text and signs keep from their background if they had it before."""

OUTLINE_MM = 0.25
"""The width of the line around an area that was filled before."""

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Tints:
    """Large areas keep `share` of their colour; with `outlines` they become white with a line around them."""

    share: float
    outlines: bool = False


@dataclass(frozen=True)
class _Background:
    """A large area of the face: its box and its lightness before and after."""

    box: Rect
    before: float
    after: float


def save_ink(face: Face, tints: Tints) -> Face:
    """Return a face with less ink; so are the faces placed in it."""
    return replace(face, items=_InkSaver(tints).items(face.items, IDENTITY))


def tint(colour: Colour, share: float) -> Colour:
    """Return a colour mixed with paper, of which only `share` is left."""
    red, green, blue = (round(255 - (255 - channel) * share) for channel in colour)
    return red, green, blue


@dataclass
class _InkSaver:
    """Goes through the items of one face, lowest first, and remembers the large areas."""

    tints: Tints
    backgrounds: list[_Background] = field(default_factory=list)

    def items(self, items: Iterable[Item], at: Affine) -> tuple[Item, ...]:
        return tuple(self._item(item, at) for item in items)

    def _item(self, item: Item, at: Affine) -> Item:
        match item:
            case Group():
                return replace(item, items=self.items(item.items, at @ item.at))
            case PlacedPicture(picture) if isinstance(picture, Face):
                return replace(item, picture=save_ink(picture, self.tints))
            case PlacedArt() | PlacedImage():
                is_large = item.box.w * item.box.h >= MIN_TINTED_MM2
                return Group((item,), opacity=self.tints.share) if is_large else item
            case TextRun():
                centre = at.apply(_text_box(item).centre)
                return replace(item, colour=self._legible_paint(item.colour, centre))
            case Shape():
                return self._shape(item, at)
        return item

    def _shape(self, shape: Shape, at: Affine) -> Shape:
        box = bounding_box(shape.geometry)
        if box is None:
            return shape
        corners = [at.apply(Point(x, y)) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        placed = _around(corners) or box
        stroke = self._stroke(shape.stroke, placed.centre, at.scale)
        if isinstance(shape.fill, Gradient):
            stops = tuple((share, _tint_paint(colour, self.tints.share)) for share, colour in shape.fill.stops)
            return Shape(shape.geometry, replace(shape.fill, stops=stops), stroke)
        colour = _parse(shape.fill)
        if colour is None:
            return Shape(shape.geometry, shape.fill, stroke)
        if area(shape.geometry) * at.scale**2 < MIN_TINTED_MM2:
            return Shape(shape.geometry, self._legible_paint(shape.fill, placed.centre), stroke)
        if self.tints.outlines:
            line = stroke or Stroke(OUTLINE_MM, shape.fill[:7])
            self.backgrounds.append(_Background(placed, _lightness(colour), 100.0))
            return Shape(shape.geometry, "#ffffff" + shape.fill[7:], line)
        self.backgrounds.append(_Background(placed, _lightness(colour), _lightness(tint(colour, self.tints.share))))
        return Shape(shape.geometry, _tint_paint(shape.fill, self.tints.share), stroke)

    def _stroke(self, stroke: Stroke | None, centre: Point, scale: float) -> Stroke | None:
        if stroke is None:
            return None
        if stroke.width * scale >= MIN_TINTED_LINE_MM:
            return replace(stroke, colour=_tint_paint(stroke.colour, self.tints.share))
        return replace(stroke, colour=self._legible_paint(stroke.colour, centre))

    def _legible_paint(self, paint: str, at: Point) -> str:
        """Return the colour of text or a sign, darkened if its background has become too light for it."""
        colour = _parse(paint)
        if colour is None:
            return paint
        spot = Rect(*at, 0, 0)
        under = next((ground for ground in reversed(self.backgrounds) if ground.box.holds(spot)), None)
        before = under.before if under else 100.0
        after = under.after if under else 100.0
        light = _lightness(colour)
        if abs(light - after) >= min(MIN_CONTRAST, abs(light - before)):
            return paint
        red, green, blue = (round(channel * 0.25) for channel in colour)
        dark = (red, green, blue)
        return _hex(dark) + paint[7:] if abs(_lightness(dark) - after) > abs(light - after) else paint


def bounding_box(geometry: Geometry) -> Rect | None:
    """Return the box around a geometry in its own coordinates, or None if its path data cannot be read."""
    match geometry:
        case Box(rect):
            return rect
        case Circle(centre, radius):
            return Rect(*centre, 0, 0).grown(radius)
        case Polygon(corners):
            return _around(list(corners))
        case Path(d):
            try:
                return _around([place for part in read_path(d) for edge in part for place in edge.flat()])
            except (ValueError, InvalidValueError):
                return None


def area(geometry: Geometry) -> float:
    """Return the area that a geometry covers, in square mm."""
    match geometry:
        case Box(rect):
            return rect.w * rect.h
        case Circle(_, radius):
            return pi * radius**2
        case Polygon(corners):
            return abs(polygon_area(corners))
        case Path(d):
            edges = (edge for part in read_path(d) for edge in part)
            return abs(sum(edge.area + (edge.a.x * edge.b.y - edge.b.x * edge.a.y) / 2 for edge in edges))


def _text_box(run: TextRun) -> Rect:
    """Return a rough box of a text run: letters are about 0.4 em wide and 0.7 em high."""
    return Rect(run.x, run.y - 0.7 * run.size, 0.4 * run.size * len(run.text), 0.7 * run.size)


def _around(places: list[Point]) -> Rect | None:
    if not places:
        return None
    xs = [place.x for place in places]
    ys = [place.y for place in places]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def _parse(paint: Paint) -> Colour | None:
    """Return the channels of a colour, or None for a gradient and for `none`."""
    if isinstance(paint, Gradient) or paint == "none":
        return None
    red, green, blue = ImageColor.getrgb(paint)[:3]
    return red, green, blue


def _tint_paint(paint: str, share: float) -> str:
    """Return a colour with a share of its ink; transparency stays."""
    colour = _parse(paint)
    return paint if colour is None else _hex(tint(colour, share)) + paint[7:]


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _lightness(colour: Colour) -> float:
    """Return the luma of a colour (ITU-R BT.601), of 100."""
    red, green, blue = colour
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 2.55
