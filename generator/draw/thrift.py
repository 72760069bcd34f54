"""A face that takes little ink: large areas become tints of their colours, or lines round them; words stay legible."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from xml.etree import ElementTree as ET

from PIL import ImageColor

from generator.core.geometry import IDENTITY, Affine, Point, Rect, read_transform
from generator.core.held import Drawing
from generator.core.paths import read_path
from generator.core.problems import Wrong
from generator.core.svg import SVG, XLINK
from generator.core.units import number
from generator.draw.face import Face
from generator.picture.model import PlacedPicture

LARGE, WIDE = 1.5, 1.5
"""An area from so many square mm on is a fill that can be a tint, and a line so many mm wide; less says something."""

APART = 45.0
"""Steps of lightness, of a hundred, that words and signs keep from what they stand on, where they had so many."""

LINE = 0.25
"""mm; the line round what was filled."""

Colour = tuple[int, int, int]
Paint = Callable[[Colour], Colour]


@dataclass(frozen=True)
class Tints:
    """So much of every colour is left in large areas, as a part of it."""

    share: float

    def area(self, element: ET.Element, colour: Colour) -> Colour:
        """Paint an area; gives the colour that it has then."""
        made = tinted(colour, self.share)
        element.set("fill", _hex(made))
        return made


@dataclass(frozen=True)
class DrawnLines(Tints):
    """Large areas become white, with a line of their colour round them."""

    def area(self, element: ET.Element, colour: Colour) -> Colour:
        """Paint an area; gives the colour that it has then."""
        element.set("fill", "#ffffff")
        if element.get("stroke", "none") == "none":
            element.set("stroke", _hex(colour))
            element.set("stroke-width", number(LINE))
        return (255, 255, 255)


def thrifty(face: Face, way: Tints) -> Face:
    """The face with less ink; what is placed in it likewise."""
    parts = tuple(
        Drawing(_Thrift(way).drawn(part.svg))
        if isinstance(part, Drawing)
        else replace(part, picture=thrifty(part.picture, way))
        if isinstance(part, PlacedPicture) and isinstance(part.picture, Face)
        else part
        for part in face.parts
    )
    return replace(face, parts=parts)


def tinted(colour: Colour, share: float) -> Colour:
    """So much of a colour, the rest paper."""
    red, green, blue = (round(255 - (255 - channel) * share) for channel in colour)
    return red, green, blue


@dataclass
class _Thrift:
    """One drawing in the making; `grounds` are its large areas so far: where, how light they were, and are."""

    way: Tints
    grounds: list[tuple[Rect, float, float]] = field(default_factory=list)

    def drawn(self, svg: str) -> str:
        ET.register_namespace("", SVG)
        ET.register_namespace("xlink", XLINK)
        root = ET.fromstring(svg)
        for stop in root.iter(f"{{{SVG}}}stop"):
            colour = _colour(stop.get("stop-color", "none"))
            if colour:
                stop.set("stop-color", _hex(tinted(colour, self.way.share)))
        for child in root:
            self._walk(child, IDENTITY, "#000000")
        return ET.tostring(root, encoding="unicode")

    def _walk(self, element: ET.Element, outer: Affine, fill: str) -> None:
        kind = element.tag.rpartition("}")[2]
        if kind in {"defs", "clipPath", "symbol"}:
            return
        move = outer @ read_transform(element.get("transform", ""))
        fill = element.get("fill", fill)
        if kind == "g":
            for child in element:
                self._walk(child, move, fill)
            return
        box = box_of(kind, element)
        if box is None:
            return
        self._paint(kind, element, _moved(box, move), fill, move.scale)

    def _paint(self, kind: str, element: ET.Element, box: Rect, fill: str, scale: float) -> None:
        large = box.w * box.h >= LARGE
        if kind in {"image", "use"}:
            if large:
                element.set("opacity", number(float(element.get("opacity", "1")) * self.way.share))
            return
        colour = _colour(fill)
        if colour and kind not in {"text", "line", "polyline"} and large and _area(kind, element, scale) >= LARGE:
            made = self.way.area(element, colour)
            self.grounds.append((box, _light(colour), _light(made)))
        elif colour:
            element.set("fill", _hex(self._apart(colour, box.centre)))
        stroke = _colour(element.get("stroke", "none"))
        if stroke:
            wide = float(element.get("stroke-width", "1")) * scale >= WIDE
            made = tinted(stroke, self.way.share) if wide else self._apart(stroke, box.centre)
            element.set("stroke", _hex(made))

    def _apart(self, colour: Colour, at: Point) -> Colour:
        """The colour of words and signs, dark where what they stand on has become light."""
        spot = Rect(*at, 0, 0)
        before, now = next(((was, now) for box, was, now in self.grounds[::-1] if box.holds(spot)), (100.0, 100.0))
        light = _light(colour)
        if abs(light - now) >= min(APART, abs(light - before)):
            return colour
        red, green, blue = (round(channel * 0.25) for channel in colour)
        dark = (red, green, blue)
        return dark if abs(_light(dark) - now) > abs(light - now) else colour


def box_of(kind: str, element: ET.Element) -> Rect | None:
    """The box round a shape in its own coordinates; none where it cannot be told."""
    try:
        return _BOXES[kind](element) if kind in _BOXES else None
    except (ValueError, Wrong):
        return None


def _get(element: ET.Element, *names: str) -> list[float]:
    return [float(element.get(name, "0") or 0) for name in names]


def _circle(element: ET.Element) -> Rect:
    x, y, radius = _get(element, "cx", "cy", "r")
    return Rect(x, y, 0, 0).grown(radius)


def _ellipse(element: ET.Element) -> Rect:
    x, y, wide, high = _get(element, "cx", "cy", "rx", "ry")
    return Rect(x - wide, y - high, 2 * wide, 2 * high)


def _text(element: ET.Element) -> Rect:
    x, y, size = _get(element, "x", "y", "font-size")
    return Rect(x, y - 0.7 * size, 0.4 * size * len(element.text or ""), 0.7 * size)


def _line(element: ET.Element) -> Rect | None:
    a, b, c, d = _get(element, "x1", "y1", "x2", "y2")
    return _round([Point(a, b), Point(c, d)])


def _polygon(element: ET.Element) -> Rect | None:
    values = [float(value) for value in element.get("points", "").replace(",", " ").split()]
    return _round([Point(*pair) for pair in zip(values[::2], values[1::2], strict=True)])


def _path(element: ET.Element) -> Rect | None:
    return _round([place for part in read_path(element.get("d", "")) for edge in part for place in edge.flat()])


def _rect(element: ET.Element) -> Rect:
    return Rect(*_get(element, "x", "y", "width", "height"))


_BOXES: Mapping[str, Callable[[ET.Element], Rect | None]] = MappingProxyType(
    {
        **dict.fromkeys(("rect", "image", "use"), _rect),
        **dict.fromkeys(("polygon", "polyline"), _polygon),
        "circle": _circle,
        "ellipse": _ellipse,
        "text": _text,
        "line": _line,
        "path": _path,
    }
)
"""How each kind of shape says where it is."""


def _area(kind: str, element: ET.Element, scale: float) -> float:
    """How much is covered, in square mm: of a path less than its box."""
    box = box_of(kind, element)
    whole = box.w * box.h if box else 0.0
    if kind == "path":
        whole = abs(sum(edge.area + (edge.a.x * edge.b.y - edge.b.x * edge.a.y) / 2
                        for part in read_path(element.get("d", "")) for edge in part))  # fmt: skip
    return whole * scale * scale


def _round(places: list[Point]) -> Rect | None:
    if not places:
        return None
    xs, ys = [place.x for place in places], [place.y for place in places]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def _moved(box: Rect, move: Affine) -> Rect:
    corners = [Point(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    return _round([move.apply(corner) for corner in corners]) or box


def _colour(text: str) -> Colour | None:
    try:
        return ImageColor.getrgb(text)[:3]
    except ValueError:
        return None


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _light(colour: Colour) -> float:
    red, green, blue = colour
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 2.55
