"""The parts of a finished picture that surely are opaque, with their colours, found without rendering.

Only shapes that are filled with a plain colour and whose outline is convex count: backgrounds and
panels. Everything else may or may not paint a place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from xml.etree import ElementTree as ET

from generator.base import polygon
from generator.base.colours import Channels, channels_of
from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, IDENTITY, Affine, Point, Rect, read_transform
from generator.base.paths import read_path
from generator.draw.art.ink_outline import InkFinder
from generator.draw.art.tree import (
    DEFINITIONS,
    NO_PAINT,
    STROKED_ELEMENTS,
    InheritedPaint,
    by_id,
    property_of,
)

MAX_PARTS = 200
"""Parts that are examined; all later parts count as painting everywhere."""
# The outline of a panel as a path: lines alone. Paths with curves are mostly drawings, and reading them takes long.
_PANEL = re.compile(r"[MLHVZmlhvz\d\s.,+-]{1,200}")
_GROUPS = frozenset({"g", "a"})
_INVISIBLE = frozenset({*DEFINITIONS, "title", "desc", "style", "metadata"})
_PLAIN_COLOUR = re.compile(r"#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+", re.IGNORECASE)
# Properties with which an element may hide less than its outline tells, or paint somewhere else.
EFFECTS_OF_PARTS = (
    "opacity",
    "fill-opacity",
    "clip-path",
    "mask",
    "filter",
    "mix-blend-mode",
    "marker-start",
    "marker-mid",
    "marker-end",
)


@dataclass(frozen=True)
class Part:
    """An element of a picture, mapped by `at` to the picture's units; `ink` measures it when that is asked for.

    `colour` is that of its fill if nothing shows through, else None.
    """

    element: ET.Element
    outer: InheritedPaint
    at: Affine
    colour: Channels | None
    is_measurable: bool
    ink: InkFinder

    @cached_property
    def box(self) -> Rect | None:
        """A box around its ink; None if it may paint any place."""
        try:
            corners = self._box_corners() if self.is_measurable else ()
        except InvalidValueError:
            return None
        return polygon.box_around(corners).grown(EPSILON) if corners else None

    def _box_corners(self) -> Sequence[Point]:
        if self.colour and (quick := self.ink.plain_box(self.element)):
            to_picture = self.at @ transform_of_element(self.element)
            return tuple(map(to_picture.apply, polygon.box(quick)))
        return tuple(map(self.at.apply, self.ink.hull(self.element, self.outer)))

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """The corners, clockwise, of the convex outline that it fills; empty if it is not known or not convex."""
        try:
            paths = read_path(self.ink.path_data(self.element))
        except InvalidValueError:
            return ()
        to_picture = self.at @ transform_of_element(self.element)
        found = [
            to_picture.apply(place) for path in paths for edge in path for place in edge.flat()
        ]
        area = polygon.area(found)
        clockwise = tuple(found if area > 0 else reversed(found))
        is_convex = len(paths) == 1 and abs(area) > EPSILON and polygon.is_convex(clockwise)
        return clockwise if is_convex else ()

    def may_hold(self, place: Point) -> bool:
        """Return True if it may paint a place."""
        return self.box is None or self.box.holds(Rect(*place, 0, 0))

    def hides(self, places: Sequence[Point]) -> bool:
        """Return True if it surely hides everything between some places."""
        return (
            self.colour is not None
            and self.box is not None
            and all(map(self.may_hold, places))
            and bool(self.corners)
            and all(polygon.depth(self.corners, place) >= -EPSILON for place in places)
        )


@dataclass(frozen=True)
class PaintedParts:
    """The parts of a picture, lowest first; `is_complete` unless there are too many to look at."""

    parts: tuple[Part, ...]
    is_complete: bool

    def hides(self, places: Sequence[Point]) -> bool:
        """Return True if one part surely hides everything between some places."""
        return any(part.hides(places) for part in self.parts)

    def colour_at(self, place: Point) -> Channels | None:
        """Return the colour at a place; None if only a rendering tells."""
        if not self.is_complete:
            return None
        topmost = next((part for part in reversed(self.parts) if part.may_hold(place)), None)
        return topmost.colour if topmost and topmost.hides([place]) else None


@lru_cache(500)
def painted_parts(svg: str, view: Rect) -> PaintedParts:
    """Return the parts of a finished picture that shows `view`, in its own units."""
    root = ET.fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    ink = InkFinder(view, by_id(root))
    if any(property_of(root, name) for name in EFFECTS_OF_PARTS):
        return PaintedParts((), is_complete=False)
    parts = (
        part for child in root for part in _parts(child, InheritedPaint().of(root), IDENTITY, ink)
    )
    found = tuple(islice(parts, MAX_PARTS + 1))
    return PaintedParts(found[:MAX_PARTS], is_complete=len(found) <= MAX_PARTS)


def _parts(
    element: ET.Element, outer: InheritedPaint, at: Affine, ink: InkFinder
) -> Iterator[Part]:
    if element.tag in _INVISIBLE or property_of(element, "display") == "none":
        return
    has_effects = any(property_of(element, name) for name in EFFECTS_OF_PARTS)
    if element.tag in _GROUPS and not has_effects:
        inside = at @ transform_of_element(element)
        paint = outer.of(element)
        for child in element:
            yield from _parts(child, paint, inside, ink)
    else:
        is_measurable = element.tag in STROKED_ELEMENTS and not has_effects
        paint = outer.of(element)
        colour = _opaque_colour(element, paint) if is_measurable else None
        yield Part(element, outer, at, colour, is_measurable, ink)
        if colour and paint.stroke_width:  # a line on the edge of the part
            yield Part(element, outer, at, None, is_measurable, ink)


def _opaque_colour(element: ET.Element, paint: InheritedPaint) -> Channels | None:
    """Return the colour that a shape is filled with; None if it is not plain, or the shape rather a drawing."""
    is_plain = _PLAIN_COLOUR.fullmatch(paint.fill) and paint.fill not in NO_PAINT
    is_panel = element.tag != "path" or _PANEL.fullmatch(element.get("d", ""))
    if not is_plain or not is_panel or paint.visibility != "visible":
        return None
    try:
        return channels_of(paint.fill)
    except ValueError:  # a word that is no colour, such as currentColor
        return None


def transform_of_element(element: ET.Element) -> Affine:
    """Return the matrix of an element's own `transform`."""
    return read_transform(property_of(element, "transform") or "")
