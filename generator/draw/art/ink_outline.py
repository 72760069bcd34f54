"""The convex outline of a picture's ink, found from its elements without rendering.

Text counts as the boxes of its lines, an image as its box, a filter as the elements that it
changes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from xml.etree import ElementTree as ET

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, IDENTITY, Affine, Point, Rect, fit_view, read_transform
from generator.base.paths import read_path
from generator.draw.art.texts import ArtText
from generator.draw.art.tree import (
    DEFINITIONS,
    MEDIUM_FONT_SIZE,
    NO_PAINT,
    TEXT_ELEMENTS,
    ArtTree,
    InheritedPaint,
    by_id,
    href_target,
    length,
    length_of,
    property_of,
    url_targets,
)

MAX_GAP_SHARE = 0.001
"""Largest distance between a curve and the lines that replace it, as a share of the shape's size in any units."""

Corners = tuple[Point, ...]

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_FIRST_POINT = re.compile(rf"\s*[Mm]\s*{_NUMBER}\s*,?\s*{_NUMBER}")
# Properties that move ink or add some.
_EFFECTS = ("filter", "marker-start", "marker-mid", "marker-end")


def ink_outline(art: ArtTree, texts: Iterable[ArtText]) -> Corners:
    """Return the convex hull of everything that a picture draws inside its view, in the picture's units.

    Return the view's corners for a picture without ink, or with a path that cannot be read.
    """
    view = polygon.box(art.view)
    try:
        corners = InkFinder(art.view, by_id(art.root)).children(
            art.root, InheritedPaint().of(art.root)
        )
    except InvalidValueError:
        return view
    lines = [corner for text in texts for corner in text.corners]
    return polygon.clip_to_rect(polygon.hull([*corners, *lines]), art.view) or view


def object_box(art: ArtTree, element: ET.Element, texts: Mapping[ET.Element, Rect]) -> Rect | None:
    """Return the box of an element's geometry in its own coordinates, painted or not.

    Return None for an element without geometry. `texts` are the boxes of the picture's texts. Raise
    `InvalidValueError` for a path that cannot be read.
    """
    finder = InkFinder(art.view, by_id(art.root), texts)
    places = (
        polygon.box(texts[element])
        if element in texts
        else finder.places(element, InheritedPaint())
    )
    return polygon.box_around(places) if places else None


def draws_on_its_page(art: ArtTree) -> bool:
    """Return False if every element of a picture surely lies beside its view, so that nothing is printed.

    Texts are not measured: a picture with one counts as drawn.
    """
    if next(art.root.iter("text"), None) is not None:
        return True
    finder = InkFinder(art.view, by_id(art.root))
    try:
        return any(
            _reaches_view(child, InheritedPaint().of(art.root), IDENTITY, finder)
            for child in art.root
        )
    except InvalidValueError:
        return True


def _reaches_view(
    element: ET.Element, outer: InheritedPaint, at: Affine, finder: "InkFinder"
) -> bool:
    """Return True if an element, which `at` maps to the picture, may have ink in the view."""
    if element.tag in DEFINITIONS or property_of(element, "display") == "none":
        return False
    if any(property_of(element, name) for name in _EFFECTS):
        return True
    if element.tag == "g":
        inside = at @ read_transform(property_of(element, "transform") or "")
        return any(_reaches_view(child, outer.of(element), inside, finder) for child in element)
    if element.tag == "path" and _begins_in_view(element, at, finder.view):
        return True
    corners = [at.apply(corner) for corner in finder.hull(element, outer)]
    return bool(corners) and polygon.box_around(corners).grown(EPSILON).overlaps(finder.view)


def _begins_in_view(path: ET.Element, at: Affine, view: Rect) -> bool:
    """Return True if the first point of a path lies in the view: most paths need not be read whole."""
    start = _FIRST_POINT.match(path.get("d", ""))
    matrix = at @ read_transform(property_of(path, "transform") or "")
    return start is not None and view.holds(
        Rect(*matrix.apply(Point(float(start[1]), float(start[2]))), 0, 0)
    )


@dataclass
class InkFinder:
    """Collects the hulls of one picture's elements; an element that is used often is measured once.

    With `texts`, the boxes of texts, it measures geometry alone: paint and clip paths do not
    matter.
    """

    view: Rect
    ids: dict[str, ET.Element]
    texts: Mapping[ET.Element, Rect] | None = None
    _hulls: dict[tuple[ET.Element, InheritedPaint], Corners] = field(default_factory=dict)

    def children(self, element: ET.Element, paint: InheritedPaint) -> list[Point]:
        """Return the corners of the hulls of all elements inside one."""
        return [place for child in element for place in self.hull(child, paint)]

    def hull(self, element: ET.Element, paint: InheritedPaint) -> Corners:
        """Return the hull of an element in its parent's coordinates."""
        key = (element, paint)
        if key not in self._hulls:
            self._hulls[key] = self._measure(element, paint)
        return self._hulls[key]

    def _measure(self, element: ET.Element, paint: InheritedPaint) -> Corners:
        if element.tag in DEFINITIONS or property_of(element, "display") == "none":
            return ()
        if self.texts is not None:
            places = (
                polygon.box(self.texts[element])
                if element in self.texts
                else self.places(element, paint)
            )
            return tuple(map(read_transform(property_of(element, "transform") or "").apply, places))
        if element.tag in TEXT_ELEMENTS:
            return ()
        if length(property_of(element, "opacity") or "1", MEDIUM_FONT_SIZE) == 0:
            return ()
        own_paint = paint.of(element)
        corners = polygon.hull(self.places(element, own_paint))
        corners = self._clipped(element, corners)
        matrix = read_transform(property_of(element, "transform") or "")
        return tuple(map(matrix.apply, corners))

    def places(self, element: ET.Element, paint: InheritedPaint) -> Sequence[Point]:
        """Return points around an element's ink in its own coordinates."""
        if element.tag == "svg":
            return self._fitted(element, self._box(element, "100%"), paint)
        if element.tag == "use":
            return self._used(element, paint)
        if element.tag == "image":
            return polygon.box(self._box(element))
        if data := self.path_data(element):
            has_ink = paint.visibility == "visible" and (
                paint.fill not in NO_PAINT or paint.stroke_width > 0
            )
            return _grow(_hull_of_path(data), paint.stroke_width / 2) if has_ink else ()
        return self.children(element, paint)

    def _used(self, element: ET.Element, paint: InheritedPaint) -> Sequence[Point]:
        """Return points around the elements that `<use>` repeats."""
        target = self.ids.get(href_target(element))
        if target is None:
            return ()
        box = self._box(element, "100%")
        corner = Point(box.x, box.y)
        if target.tag == "symbol":
            return self._fitted(target, box, paint.of(target))
        return [place + corner for place in self.hull(target, paint)]

    def _fitted(self, element: ET.Element, box: Rect, paint: InheritedPaint) -> Sequence[Point]:
        """Return points around the content of an inner picture, fitted into a box by its `viewBox`."""
        places = polygon.hull(self.children(element, paint))
        view = [float(part) for part in (element.get("viewBox") or "").replace(",", " ").split()]
        if len(view) != 4 or min(view[2:]) <= 0:
            return [place + Point(box.x, box.y) for place in places]
        x, y, w, _ = fit_view(Rect(*view), box, "contain")
        scale = w / view[2]
        return [
            Point(x + (place.x - view[0]) * scale, y + (place.y - view[1]) * scale)
            for place in places
        ]

    def _clipped(self, element: ET.Element, corners: Corners) -> Corners:
        """Return the part of an element's hull inside the hull of its clip path."""
        clips = url_targets(property_of(element, "clip-path"))
        clip = self.ids.get(clips[0]) if clips else None
        if (
            clip is None
            or len(corners) < 3
            or property_of(clip, "clipPathUnits") == "objectBoundingBox"
        ):
            return corners
        # Only the geometry of a clip path counts, whatever its paint.
        inside = polygon.hull(self.children(clip, InheritedPaint()))
        matrix = read_transform(property_of(clip, "transform") or "")
        return polygon.intersect(corners, polygon.hull([matrix.apply(place) for place in inside]))

    def plain_box(self, element: ET.Element) -> Rect | None:
        """Return the box of a rectangle, a circle or an ellipse without its stroke; None for other elements."""
        if element.tag == "rect":
            return self._box(element)
        if element.tag in {"circle", "ellipse"}:
            across, down = self._radii(element)
            return Rect(
                self._length(element, "cx") - across,
                self._length(element, "cy") - down,
                2 * across,
                2 * down,
            )
        return None

    def path_data(self, element: ET.Element) -> str:
        """Return the outline of a basic shape as path data; empty for other elements."""
        data = ""
        match element.tag:
            case "path":
                data = element.get("d", "")
            case "polygon" | "polyline":
                data = "M" + element.get("points", "0 0")
            case "line":
                ends = [self._length(element, name) for name in ("x1", "y1", "x2", "y2")]
                data = "M{:.9g} {:.9g}L{:.9g} {:.9g}".format(*ends)
            case "circle" | "ellipse":
                centre = Point(self._length(element, "cx"), self._length(element, "cy"))
                data = _ellipse_data(centre, *self._radii(element))
            case "rect":
                data = _rectangle_data(self._box(element), *self._radii(element))
        return data

    def _radii(self, element: ET.Element) -> tuple[float, float]:
        """Return both radii of a circle, an ellipse or a rectangle's corners.

        One alone stands for both.
        """
        radius = self._length(element, "r")
        rx = self._length(element, "rx")
        ry = self._length(element, "ry")
        return radius or rx or ry, radius or ry or rx

    def _box(self, element: ET.Element, otherwise: str = "0") -> Rect:
        w = self._length(element, "width", otherwise)
        h = self._length(element, "height", otherwise)
        return Rect(self._length(element, "x"), self._length(element, "y"), w, h)

    def _length(self, element: ET.Element, name: str, otherwise: str = "0") -> float:
        return length_of(element, name, self.view.size, otherwise) or 0.0


def _ellipse_data(centre: Point, rx: float, ry: float) -> str:
    if min(rx, ry) <= 0:
        return ""
    arc = f"A{rx:.9g} {ry:.9g} 0 0 1"
    left = f"{centre.x - rx:.9g} {centre.y:.9g}"
    return f"M{left}{arc} {centre.x + rx:.9g} {centre.y:.9g}{arc} {left}Z"


def _rectangle_data(box: Rect, rx: float, ry: float) -> str:
    if min(box.size) <= 0:
        return ""
    rx = min(rx, box.w / 2)
    ry = min(ry, box.h / 2)
    left = box.x
    top = box.y
    right = box.right
    bottom = box.bottom
    if min(rx, ry) <= 0:
        return f"M{left:.9g} {top:.9g}H{right:.9g}V{bottom:.9g}H{left:.9g}Z"
    arc = f"A{rx:.9g} {ry:.9g} 0 0 1"
    return (
        f"M{left + rx:.9g} {top:.9g}H{right - rx:.9g}{arc} {right:.9g} {top + ry:.9g}V{bottom - ry:.9g}"
        f"{arc} {right - rx:.9g} {bottom:.9g}H{left + rx:.9g}{arc} {left:.9g} {bottom - ry:.9g}V{top + ry:.9g}"
        f"{arc} {left + rx:.9g} {top:.9g}Z"
    )


# A farm draws the same icons on every copy of a game; a game has some dozens of them.
@lru_cache(100)
def _hull_of_path(data: str) -> Corners:
    """Return the convex hull of all subpaths of path data."""
    edges = [edge for part in read_path(data) for edge in part]
    if not edges:
        return ()
    box = polygon.box_around([place for edge in edges for place in (edge.a, edge.b, *edge.handles)])
    max_gap = MAX_GAP_SHARE * max(*box.size, EPSILON)
    return tuple(polygon.hull([place for edge in edges for place in (edge.a, *edge.flat(max_gap))]))


def _grow(hull: Sequence[Point], by: float) -> Sequence[Point]:
    """Return points around a shape with half its stroke outside, with mitred corners and square ends."""
    if not by or len(hull) < 2:
        return hull
    if len(hull) == 2:
        a, b = hull
        ahead = (b - a).unit().scaled(by)
        aside = ahead.turned(90)
        return (a - ahead - aside, a - ahead + aside, b + ahead - aside, b + ahead + aside)
    return polygon.grow(hull, by)
