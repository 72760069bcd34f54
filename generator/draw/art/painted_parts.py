"""The painted parts of a drawing: fills, strokes and texts in painting order, and the paints on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from xml.etree import ElementTree as ET

from generator.base.colours import Channels, channels_of
from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.base.polygon import area as polygon_area
from generator.base.polygon import box_around
from generator.draw.art.drawn import DrawnElement, drawn_elements
from generator.draw.art.tree import (
    MEDIUM_FONT_SIZE,
    ArtTree,
    InheritedPaint,
    first_length,
    property_of,
    set_style,
)
from generator.pack.colours import parse_colour
from generator.picture.low_ink_items import (
    MIN_AREA_STROKE_MM,
    FillExtent,
    largest_of,
    parts_of_path,
    perimeter_of,
)

_OPEN_SHAPES = {"line", "polyline"}


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


def painted_parts(art: ArtTree, mm_per_unit: float) -> Iterator[PaintedPart]:
    """Yield the painted parts of a drawing, lowest first; parts that a `<use>` repeats where it stands."""
    for at in drawn_elements(art):
        if at.tag == "text":
            yield from _parts_of_text(at, mm_per_unit)
        elif at.tag != "image":
            yield from _parts_of_shape(at, mm_per_unit)


def _parts_of_text(at: DrawnElement, mm_per_unit: float) -> Iterator[PaintedPart]:
    """Yield a part for a text and for each of its parts with a place of its own."""
    is_placed = at.tag == "text" or (at.tag == "tspan" and at.element.get("x"))
    if is_placed and (at.element.text or "").strip():
        x, y = (first_length(at.element, name, MEDIUM_FONT_SIZE) or 0.0 for name in ("x", "y"))
        place = (Point(x, y),)
        yield from _paints(at, mm_per_unit, "text", place, place, 0.0)
    for child in at.element:
        if property_of(child, "display") != "none":
            inner = replace(at, element=child, paint=at.paint.of(child))
            yield from _parts_of_text(inner, mm_per_unit)


def _parts_of_shape(at: DrawnElement, mm_per_unit: float) -> Iterator[PaintedPart]:
    parts = parts_of_path(at.path_data)
    # Path data closes each line, and the way back is no part of an open one.
    corners = [
        corner for part in parts for corner in (part[:-1] if at.tag in _OPEN_SHAPES else part)
    ]
    largest = largest_of(parts)
    yield from _paints(at, mm_per_unit, "fill", corners, largest, abs(polygon_area(largest)))


def _paints(
    at: DrawnElement,
    mm_per_unit: float,
    name: str,
    corners: Sequence[Point],
    outline: Sequence[Point],
    area: float,
) -> Iterator[PaintedPart]:
    """Yield the fill and the stroke of an element, given its corners, its outline and the outline's area."""
    if not corners:
        return
    paint = at.paint
    box = box_around([at.matrix.apply(corner) for corner in corners])
    outline_box = box_around([at.matrix.apply(corner) for corner in outline])
    scale = at.matrix.scale * mm_per_unit
    fill, fill_channels, fill_alpha = _resolve(paint.fill, paint)
    if fill_alpha > 0:
        yield PaintedPart(
            at.element,
            paint.fill_host or at.element,
            name,
            fill,
            fill_channels,
            box,
            FillExtent(outline_box, scale**2 * area, scale * perimeter_of(outline)),
            0.0,
            scale,
            1 / mm_per_unit,
            at.opacity * paint.fill_opacity * fill_alpha,
        )
    stroke, stroke_channels, stroke_alpha = _resolve(paint.stroke, paint)
    if stroke_alpha > 0:
        width = paint.line_width * scale
        mm2 = width * sum((b - a).length() for a, b in pairwise(corners)) * scale
        yield PaintedPart(
            at.element,
            paint.stroke_host or at.element,
            "stroke" if width >= MIN_AREA_STROKE_MM else "line",
            stroke,
            stroke_channels,
            box,
            FillExtent(outline_box, mm2),
            paint.line_width,
            scale,
            1 / mm_per_unit,
            at.opacity * paint.stroke_opacity * stroke_alpha,
        )


def _resolve(colour: str, paint: InheritedPaint) -> tuple[str, Channels | None, float]:
    """Return a paint without `currentColor`, its channels if it is a colour, and how opaque it is."""
    resolved = paint.colour if colour.lower() == "currentcolor" else colour
    return resolved, *read_paint(resolved)


def find_below(part: PaintedPart, parts: Sequence[PaintedPart], below: Sequence[int]) -> int | None:
    """Return the index of the highest larger fill that the middle of a part lies on, of those at `below`."""
    middle = Rect(*part.box.centre, 0, 0)
    for index in reversed(below):
        fill = parts[index]
        is_larger = fill.name == "fill" and fill.mm2 > part.mm2
        if is_larger and fill.element is not part.element and fill.box.holds(middle):
            return index
    return None


@lru_cache(1000)
def read_paint(paint: str) -> tuple[Channels | None, float]:
    """Return the channels of a colour, and how opaque it is.

    The channels of gradients and patterns are None; they count as opaque.
    """
    # Not by Pillow: it takes the alpha of `rgba()` for a number up to 255, and CSS for one up to 1.
    try:
        colour = parse_colour(paint)
    except InvalidValueError:
        return None, 1.0
    if colour == "none":
        return None, 0.0
    return channels_of(colour), int(colour[7:] or "ff", 16) / 255


def set_paint(part: PaintedPart, colour: str) -> None:
    """Set the colour of a part where it comes from."""
    set_property(part.holder, "stroke" if part.name in {"stroke", "line"} else "fill", colour)


def set_property(element: ET.Element, name: str, value: str) -> None:
    """Set a property where the element has it: in its style, which has priority, or as an attribute."""
    if "style" in element.attrib and name in element.attrib["style"]:
        set_style(element, **{name: value})
    else:
        element.set(name, value)
