"""The painted parts of a drawing: fills, strokes and texts in painting order, and the paints on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import pi
from xml.etree import ElementTree as ET

from PIL import ImageColor

from generator.base.colours import Channels
from generator.base.geometry import IDENTITY, Affine, Point, Rect, read_transform
from generator.base.polygon import area as polygon_area
from generator.base.polygon import box_around
from generator.base.svg_table import SVG, XLINK, key_of, tag_of
from generator.draw.art.tree import (
    DEFINITIONS,
    MEDIUM_FONT_SIZE,
    by_id,
    length,
    property_of,
    set_style,
)
from generator.picture.low_ink_items import (
    MIN_AREA_STROKE_MM,
    FillExtent,
    largest_of,
    parts_of_path,
    perimeter_of,
)

_CIRCLE_TURNS = range(0, 360, 15)


@dataclass(frozen=True)
class PaintedPart:
    """A painted part of a drawing: a `fill`, a `stroke` as wide as an area, a thinner `line`, or a `text`.

    `element` is painted, and `holder` is the element to set the paint on. `paint` is a colour or
    `url(#…)`, `alpha` is how opaque it is. The boxes are in the drawing's units, of which
    `units_per_mm` make a millimetre. The stroke's `width` is in those of the element, and `scale`
    makes mm of these.
    """

    element: ET.Element
    holder: ET.Element
    name: str
    paint: str
    channels: Channels | None
    box: Rect
    outline: FillExtent
    width: float
    scale: float
    units_per_mm: float
    alpha: float

    @property
    def mm2(self) -> float:
        """The area of the outline; of a stroke its own."""
        return self.outline.mm2


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
    opacity: float = 1.0
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0


def write_art(root: ET.Element) -> str:
    """Return the text of a drawing."""
    # Without these names ElementTree would write ns0: and ns1:, which the fast searches for "<svg"
    # do not find.
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode")


def painted_parts(root: ET.Element, mm_per_unit: float) -> Iterator[PaintedPart]:
    """Yield the painted parts of a drawing, lowest first; parts that a `<use>` repeats where it stands."""
    ids = by_id(root)
    yield from _parts_of(root, _Inherited(), ids, mm_per_unit)


def _parts_of(
    element: ET.Element, parent: _Inherited, ids: dict[str, ET.Element], mm_per_unit: float
) -> Iterator[PaintedPart]:
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
) -> Iterator[PaintedPart]:
    corners, outline, area = _outline(element, tag)
    if not corners:
        return
    box = box_around([at.matrix.apply(corner) for corner in corners])
    outline_box = box_around([at.matrix.apply(corner) for corner in outline])
    scale = at.matrix.scale * mm_per_unit
    if at.fill != "none":
        name = "text" if tag in {"text", "tspan"} else "fill"
        yield PaintedPart(
            element,
            at.fill_host or element,
            name,
            *_resolve(at.fill, at),
            box,
            FillExtent(outline_box, scale**2 * area, scale * perimeter_of(outline)),
            0.0,
            scale,
            1 / mm_per_unit,
            at.opacity * at.fill_alpha,
        )
    if at.stroke != "none":
        width = at.width * scale
        name = "stroke" if width >= MIN_AREA_STROKE_MM else "line"
        mm2 = width * sum((b - a).length() for a, b in pairwise(corners)) * scale
        yield PaintedPart(
            element,
            at.stroke_host or element,
            name,
            *_resolve(at.stroke, at),
            box,
            FillExtent(outline_box, mm2),
            at.width,
            scale,
            1 / mm_per_unit,
            at.opacity * at.stroke_alpha,
        )


def _parts_of_use(
    element: ET.Element, at: _Inherited, ids: dict[str, ET.Element], mm_per_unit: float
) -> Iterator[PaintedPart]:
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
        opacity=parent.opacity * _share(element, "opacity", 1.0),
        fill_alpha=_share(element, "fill-opacity", parent.fill_alpha),
        stroke_alpha=_share(element, "stroke-opacity", parent.stroke_alpha),
    )


def _share(element: ET.Element, name: str, inherited: float) -> float:
    """Return a property of an element from 0 to 1; the inherited one if it has none that can be read."""
    value = (property_of(element, name) or "").strip()
    try:
        return float(value[:-1]) / 100 if value.endswith("%") else float(value)
    except ValueError:
        return inherited


def _resolve(paint: str, at: _Inherited) -> tuple[str, Channels | None]:
    """Return a paint without `currentColor`, and its channels if it is a colour."""
    colour = at.colour if paint.lower() == "currentcolor" else paint.strip()
    return colour, channels_in(colour)


def _outline(element: ET.Element, tag: str) -> tuple[list[Point], list[Point], float]:
    """Return the corners of a shape or the place of a text, the shape's outline, and the outline's area.

    All are in the element's own coordinates. The outline of a path is that of its largest part.
    """
    match tag:
        case "path":
            parts = parts_of_path(element.get("d", ""))
            largest = list(largest_of(parts))
            corners = [corner for part in parts for corner in part]
            return corners, largest, abs(polygon_area(largest))
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
        case "text" | "tspan" if (element.text or "").strip() and (
            tag == "text" or element.get("x")
        ):
            corners = [Point(_number(element, "x"), _number(element, "y"))]
            area = 0.0
        case _:
            corners = []
            area = 0.0
    return corners, corners, area


def _number(element: ET.Element, key: str) -> float:
    """Return a length of an element in its own units; the first, if the attribute is a list."""
    values = element.get(key, "0").replace(",", " ").split()
    return length(values[0], MEDIUM_FONT_SIZE) or 0.0 if values else 0.0


@lru_cache(1000)
def channels_in(paint: str) -> Channels | None:
    """Return the channels of a colour; None for gradients, patterns and `none`."""
    try:
        red, green, blue = ImageColor.getrgb(paint)[:3]
    except ValueError:
        return None
    return red, green, blue


def set_paint(part: PaintedPart, colour: str) -> None:
    """Set the colour of a part where it comes from."""
    set_property(part.holder, "stroke" if part.name in {"stroke", "line"} else "fill", colour)


def set_property(element: ET.Element, name: str, value: str) -> None:
    """Set a property where the element has it: in its style, which has priority, or as an attribute."""
    if "style" in element.attrib and name in element.attrib["style"]:
        set_style(element, **{name: value})
    else:
        element.set(name, value)
