"""Low ink in designers' SVG: tints for the fills of large pictures, and dark for light letters upon them.

Only paints change. Geometry, lines and black stay, and so do signs: small fills with something lighter upon them.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import pi
from xml.etree import ElementTree as ET

from PIL import ImageColor

from generator.base.geometry import IDENTITY, Affine, Point, Rect, read_transform
from generator.base.polygon import area as polygon_area
from generator.base.polygon import round_all
from generator.base.spill import SpillFile
from generator.draw.art.tree import (
    DEFINITIONS,
    MEDIUM_FONT_SIZE,
    by_id,
    length,
    property_of,
    set_style,
    url_targets,
)
from generator.picture.colours import Channels, contrast, is_black, luminance, to_hex
from generator.picture.images import read_pixels
from generator.picture.items import Art
from generator.picture.low_ink import (
    GROUND_SHARE,
    LARGE_MM2,
    MIN_AREA_STROKE_MM,
    ArtPlace,
    Tints,
    brighten_image,
    is_rim,
    parts_of_path,
    perimeter_of,
)
from generator.picture.svg_table import SVG, SVG_KIND, XLINK, key_of, tag_of

MIN_TEXT_CONTRAST = 4.5
"""The contrast that text and one-coloured icons keep if they had it before (WCAG 2.2, 1.4.3)."""

MAX_CONTRAST_LOSS = 0.8
"""The share of a contrast that must be left; a letter at the rim of its background loses less."""

MIN_SIGN_CONTRAST = 3.0
"""The contrast from which something lighter makes a small fill a sign (WCAG 2.2, 1.4.11)."""

MIN_TEXTURE_CONTRAST = 1.5
"""The contrast up to which a fill is a texture of the fill below, such as dark dots on a dark ground; it goes with it.

Found by trial on the bundled games: the decoration of one has 1.4, that of another 1.46.
"""

MIN_SIGN_MM2 = 4.0
"""The smallest area of a sign or of an outlined fill.

Of smaller dots, a texture may have a thousand.
"""

MAX_SIGN_MM2 = 100.0
"""The largest area of a sign: an icon of 10 mm, not a stretch of road on which a sign stands."""

MIN_SIGN_SHARE = 0.02
"""The smallest share of a sign that the lighter thing on it covers; a highlight is smaller."""

DARK_SHARE = 0.15
"""The brightness of a colour that is darkened to stand out from a tint."""

_CIRCLE_TURNS = range(0, 360, 15)


@dataclass(frozen=True)
class _PaintedPart:
    """A painted part of a drawing: a `fill`, a `stroke` as wide as an area, a thinner `line`, or a `text`.

    `holder` is the element to set the paint on. `paint` is a colour or `url(#…)`, `box` is in the drawing's units.
    """

    holder: ET.Element
    name: str
    paint: str
    channels: Channels | None
    mm2: float
    box: Rect
    perimeter_mm: float


@dataclass(frozen=True)
class _Inherited:
    """The transform and the paints that an element inherits.

    A paint that comes from a `<use>` around the element is changed on its host, this `<use>`.
    """

    matrix: Affine = IDENTITY
    fill: str = "#000000"
    stroke: str = "none"
    width: float = 1.0
    colour: str = "#000000"
    fill_host: ET.Element | None = None
    stroke_host: ET.Element | None = None


def tint_art(art: Art, place: ArtPlace, tints: Tints) -> Art:
    """Return art with tints for its large fills.

    All other fills of a large picture become tints, too.
    """
    root = ET.fromstring(art.svg)
    parts = list(_parts(root, place.mm_per_unit))
    if _only_colour(parts) is not None and not any(_is_ground(part, place) for part in parts):
        return art
    painter = _Painter(root, tints)
    grounds = {part.channels for part in parts if _is_ground(part, place)}
    tinted: list[bool] = []
    for index, part in enumerate(parts):
        under = _fill_below(part, parts[:index]) if _needs_fill_below(part) else None
        below = parts[under] if under is not None and tinted[under] else None
        is_texture = below is not None and _is_texture(part, below)
        is_ground = part.channels in grounds or is_texture
        tinted.append(is_texture or _is_tinted(part, parts[index + 1 :], place, tints))
        if tinted[index]:
            painter.paint(part, is_ground=is_ground)
        elif part.name == "text" and below is not None:
            _keep_text_legible(part, below, tints, is_ground=below.channels in grounds)
    _tint_images(root, place, tints)
    return replace(art, svg=_written(root))


def measure_glyph(art: Art) -> tuple[Channels, Rect] | None:
    """Return the colour of art that has only one, and the box around its parts; None for other art."""
    parts = list(_parts(ET.fromstring(art.svg), 1.0))
    colour = _only_colour(parts)
    return (colour, Rect.round_all([part.box for part in parts])) if colour else None


def paint_glyph(art: Art, colour: Channels) -> Art:
    """Return art with all parts in one colour."""
    root = ET.fromstring(art.svg)
    for part in _parts(root, 1.0):
        _set_paint(part, to_hex(colour))
    return replace(art, svg=_written(root))


def darken(colour: Channels) -> Channels:
    """Return a dark version of a colour, for text and icons on a tint."""
    red, green, blue = (round(channel * DARK_SHARE) for channel in colour)
    return red, green, blue


def loses_contrast(was: float, now: float) -> bool:
    """Return True if a contrast falls below the least for text, or clearly falls where it was less before."""
    return now < MIN_TEXT_CONTRAST and (was >= MIN_TEXT_CONTRAST or now < MAX_CONTRAST_LOSS * was)


def _only_colour(parts: list[_PaintedPart]) -> Channels | None:
    colours = {part.channels for part in parts}
    return next(iter(colours)) if len(colours) == 1 else None


def _is_tinted(
    part: _PaintedPart, above: list[_PaintedPart], place: ArtPlace, tints: Tints
) -> bool:
    if part.name in {"text", "line"} or _is_outline(part, above):
        return False
    if place.is_symbol:
        # A roundabout on a road goes on in the road's colour; all else of a symbol stays, in any
        # size.
        return part.mm2 >= LARGE_MM2 and part.channels in tints.large
    return part.mm2 >= LARGE_MM2 or part.name == "stroke" or not _is_sign(part, above)


def _is_outline(part: _PaintedPart, above: list[_PaintedPart]) -> bool:
    """Return True if a later fill leaves only a rim of a fill visible."""
    if part.name != "fill" or part.mm2 < MIN_SIGN_MM2:
        return False
    box = part.box.grown(0.01)  # a tolerance for rounding, in the drawing's units
    half = part.mm2 / 2
    covers = (
        other.mm2
        for other in above
        if other.mm2 > half and other.name == "fill" and box.holds(other.box)
    )
    return is_rim(part.mm2, max(covers, default=0.0), part.perimeter_mm)


def _is_sign(part: _PaintedPart, above: list[_PaintedPart]) -> bool:
    """Return True if something clearly lighter lies on a part, such as the letters on a stop sign."""
    channels = part.channels
    if channels is None or not MIN_SIGN_MM2 <= part.mm2 <= MAX_SIGN_MM2:
        return False
    return any(
        other.channels is not None
        and part.box.holds(other.box)
        and luminance(other.channels) > luminance(channels)
        and contrast(other.channels, channels) >= MIN_SIGN_CONTRAST
        and (
            other.name == "text"
            or (other.name == "fill" and other.mm2 >= MIN_SIGN_SHARE * part.mm2)
        )
        for other in above
    )


def _is_ground(part: _PaintedPart, place: ArtPlace) -> bool:
    return part.mm2 >= GROUND_SHARE * place.face_mm2


def _needs_fill_below(part: _PaintedPart) -> bool:
    """Return True for text, and for black, which is only tinted as the texture of a tinted fill."""
    return part.name == "text" or (
        part.name == "fill" and part.channels is not None and is_black(part.channels)
    )


def _is_texture(part: _PaintedPart, below: _PaintedPart) -> bool:
    """Return True if a fill hardly stands out from the fill below."""
    if part.name != "fill" or part.channels is None or below.channels is None:
        return False
    return contrast(part.channels, below.channels) < MIN_TEXTURE_CONTRAST


def _fill_below(part: _PaintedPart, below: list[_PaintedPart]) -> int | None:
    """Return the index of the highest larger fill that the middle of a part lies on."""
    middle = Rect(*part.box.centre, 0, 0)
    for index in reversed(range(len(below))):
        fill = below[index]
        if fill.mm2 > part.mm2 and fill.name == "fill" and fill.box.holds(middle):
            return index
    return None


def _keep_text_legible(
    text: _PaintedPart, under: _PaintedPart, tints: Tints, *, is_ground: bool
) -> None:
    """Darken a text inside art if the fill below becomes too light for it."""
    if text.channels is None or under.channels is None:
        return
    after = tints.of(under.channels, is_ground=is_ground)
    if loses_contrast(contrast(text.channels, under.channels), contrast(text.channels, after)):
        _set_paint(text, to_hex(darken(text.channels)))


@dataclass
class _Painter:
    """Sets tints in one drawing; each gradient and pattern is tinted once."""

    root: ET.Element
    tints: Tints

    def __post_init__(self) -> None:
        self._ids = by_id(self.root)
        self._done: set[str] = set()

    def paint(self, part: _PaintedPart, *, is_ground: bool) -> None:
        """Set the tint of a part."""
        if part.channels is not None:
            _set_paint(
                part, _with_alpha(self.tints.of(part.channels, is_ground=is_ground), part.paint)
            )
        for name in url_targets(part.paint):
            self._paint_server(name, is_ground=is_ground)

    def _paint_server(self, name: str, *, is_ground: bool) -> None:
        """Set tints in a gradient or pattern, and in the one that it takes its stops from."""
        element = self._ids.get(name)
        if element is None or name in self._done:
            return
        self._done.add(name)
        for inner in element.iter():
            for key in ("stop-color", "fill"):
                value = property_of(inner, key)
                channels = _channels(value) if value else None
                if value and channels is not None:
                    tint = self.tints.of(channels, is_ground=is_ground)
                    _set_property(inner, key, _with_alpha(tint, value))
        for key, value in element.attrib.items():
            if key_of(key) == "href":
                self._paint_server(value.strip().removeprefix("#"), is_ground=is_ground)


def _tint_images(root: ET.Element, place: ArtPlace, tints: Tints) -> None:
    """Brighten large images of pixels inside art, and apply tints to SVG inside it."""
    for element in root.iter():
        if tag_of(element) != "image":
            continue
        for key, value in element.attrib.items():
            if key_of(key) != "href":
                continue
            if value.startswith(SVG_KIND):
                inner = b64decode(value.removeprefix(SVG_KIND)).decode(errors="replace")
                art = tint_art(Art("", inner, Rect(0, 0, 1, 1)), place, tints)
                element.set(key, SVG_KIND + b64encode(art.svg.encode()).decode())
            elif not place.is_symbol and value.startswith("data:image/"):
                data = b64decode(value.partition(",")[2])
                pixels = read_pixels("image", data, SpillFile())
                element.set(key, brighten_image(pixels, SpillFile()).address)


def _written(root: ET.Element) -> str:
    # Without these names ElementTree would write ns0: and ns1:, which the fast searches for "<svg"
    # do not find.
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode")


def _parts(root: ET.Element, mm_per_unit: float) -> Iterator[_PaintedPart]:
    """Yield the painted parts of a drawing, lowest first; parts that a `<use>` repeats where it stands."""
    ids = by_id(root)
    yield from _parts_of(root, _Inherited(), ids, mm_per_unit)


def _parts_of(
    element: ET.Element, parent: _Inherited, ids: dict[str, ET.Element], mm_per_unit: float
) -> Iterator[_PaintedPart]:
    tag = tag_of(element)
    if not tag or tag in DEFINITIONS or property_of(element, "display") == "none":
        return
    at = _inherit(element, parent)
    if tag == "use":
        yield from _parts_of_use(element, at, ids, mm_per_unit)
        return
    yield from _own_parts(element, tag, at, mm_per_unit)
    for child in element:
        yield from _parts_of(child, at, ids, mm_per_unit)


def _own_parts(
    element: ET.Element, tag: str, at: _Inherited, mm_per_unit: float
) -> Iterator[_PaintedPart]:
    corners, area = _outline(element, tag)
    if not corners:
        return
    box = round_all([at.matrix.apply(corner) for corner in corners])
    scale = at.matrix.scale * mm_per_unit
    if at.fill != "none":
        name = "text" if tag in {"text", "tspan"} else "fill"
        yield _PaintedPart(
            at.fill_host or element,
            name,
            *_resolve(at.fill, at),
            scale**2 * area,
            box,
            scale * perimeter_of(corners),
        )
    if at.stroke != "none":
        width = at.width * scale
        name = "stroke" if width >= MIN_AREA_STROKE_MM else "line"
        mm2 = width * sum((b - a).length() for a, b in pairwise(corners)) * scale
        yield _PaintedPart(at.stroke_host or element, name, *_resolve(at.stroke, at), mm2, box, 0.0)


def _parts_of_use(
    element: ET.Element, at: _Inherited, ids: dict[str, ET.Element], mm_per_unit: float
) -> Iterator[_PaintedPart]:
    """Yield the parts that a `<use>` shows; the gate has rejected drawings that show themselves."""
    name = next((value for key, value in element.attrib.items() if key_of(key) == "href"), "")
    target = ids.get(name.strip().removeprefix("#"))
    if target is None:
        return
    shift = Affine(e=_number(element, "x"), f=_number(element, "y"))
    # A paint that the target inherits belongs to this <use>: another <use> may give the target
    # another one.
    inside = replace(
        at,
        matrix=at.matrix @ shift,
        fill_host=at.fill_host or element,
        stroke_host=at.stroke_host or element,
    )
    if tag_of(target) == "symbol":
        for child in target:
            yield from _parts_of(child, inside, ids, mm_per_unit)
    else:
        yield from _parts_of(target, inside, ids, mm_per_unit)


def _inherit(element: ET.Element, parent: _Inherited) -> _Inherited:
    transform = property_of(element, "transform")
    fill = property_of(element, "fill")
    stroke = property_of(element, "stroke")
    width = length(property_of(element, "stroke-width") or "", MEDIUM_FONT_SIZE)
    colour = property_of(element, "color")
    return _Inherited(
        matrix=parent.matrix @ read_transform(transform) if transform else parent.matrix,
        fill=parent.fill if fill in {None, "inherit"} else str(fill),
        stroke=parent.stroke if stroke in {None, "inherit"} else str(stroke),
        width=parent.width if width is None else width,
        colour=parent.colour if colour in {None, "inherit", "currentColor"} else str(colour),
        fill_host=parent.fill_host if fill in {None, "inherit"} else None,
        stroke_host=parent.stroke_host if stroke in {None, "inherit"} else None,
    )


def _resolve(paint: str, at: _Inherited) -> tuple[str, Channels | None]:
    """Return a paint without `currentColor`, and its channels if it is a colour."""
    colour = at.colour if paint.lower() == "currentcolor" else paint.strip()
    return colour, _channels(colour)


def _outline(element: ET.Element, tag: str) -> tuple[list[Point], float]:
    """Return the corners around a shape or the place of a text, and the shape's area, in its own coordinates."""
    match tag:
        case "path":
            parts = parts_of_path(element.get("d", ""))
            areas = [abs(polygon_area(part)) for part in parts]
            corners = [corner for part in parts for corner in part]
            area = max(areas, default=0.0)
        case "rect":
            x, y, w, h = (_number(element, key) for key in ("x", "y", "width", "height"))
            corners = [Point(x, y), Point(x + w, y), Point(x + w, y + h), Point(x, y + h)]
            area = w * h
        case "circle" | "ellipse":
            rx, ry = (_number(element, key if tag == "ellipse" else "r") for key in ("rx", "ry"))
            centre = Point(_number(element, "cx"), _number(element, "cy"))
            turns = (Point(1, 0).turned(turn) for turn in _CIRCLE_TURNS)
            corners = [centre + Point(rx * turn.x, ry * turn.y) for turn in turns]
            area = pi * rx * ry
        case "polygon" | "polyline":
            values = [float(value) for value in element.get("points", "").replace(",", " ").split()]
            corners = [Point(*pair) for pair in zip(values[::2], values[1::2], strict=False)]
            area = abs(polygon_area(corners))
        case "line":
            corners = [
                Point(_number(element, f"x{end}"), _number(element, f"y{end}")) for end in (1, 2)
            ]
            area = 0.0
        case "text" | "tspan" if (element.text or "").strip() and element.get("x"):
            corners = [Point(_number(element, "x"), _number(element, "y"))]
            area = 0.0
        case _:
            corners = []
            area = 0.0
    return corners, area


def _number(element: ET.Element, key: str) -> float:
    """Return a length of an element in its own units; the first, if the attribute is a list."""
    values = element.get(key, "0").replace(",", " ").split()
    return length(values[0], MEDIUM_FONT_SIZE) or 0.0 if values else 0.0


@lru_cache(1000)
def _channels(paint: str) -> Channels | None:
    """Return the channels of a colour; None for gradients, patterns and `none`."""
    try:
        red, green, blue = ImageColor.getrgb(paint)[:3]
    except ValueError:
        return None
    return red, green, blue


def _with_alpha(colour: Channels, paint: str) -> str:
    """Return a colour with the transparency that a paint had."""
    alpha = ImageColor.getrgb(paint)[3:]
    return to_hex(colour) + (f"{alpha[0]:02x}" if alpha else "")


def _set_paint(part: _PaintedPart, colour: str) -> None:
    _set_property(part.holder, "stroke" if part.name in {"stroke", "line"} else "fill", colour)


def _set_property(element: ET.Element, name: str, value: str) -> None:
    """Set a property where the element has it: in its style, which has priority, or as an attribute."""
    if "style" in element.attrib and name in element.attrib["style"]:
        set_style(element, **{name: value})
    else:
        element.set(name, value)
