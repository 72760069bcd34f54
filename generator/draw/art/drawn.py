"""The elements that a picture draws, in painting order: through groups, uses, symbols and inner pictures.

One walk serves all who ask what a picture paints and where: the outline of its ink, its thinnest line,
the sizes of the images inside it, its opaque parts, the parts that low ink and line art repaint, and the
advice on art that shows nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from xml.etree import ElementTree as ET

from generator.base import polygon
from generator.base.geometry import (
    EPSILON,
    IDENTITY,
    Affine,
    Point,
    Rect,
    Size,
    fit_view,
    map_view,
    read_transform,
)
from generator.base.paths import read_path
from generator.draw.art.tree import (
    DEFAULT_PAINT,
    DEFINITIONS,
    MEDIUM_FONT_SIZE,
    NO_PAINT,
    STROKED_ELEMENTS,
    ArtTree,
    InheritedPaint,
    href_target,
    length,
    length_of,
    property_of,
    read_fit,
    url_targets,
    view_box,
)

MAX_GAP_SHARE = 0.001
"""Largest distance between a curve and the lines that replace it, as a share of the shape's size in any units."""

EFFECTS = frozenset({"filter", "marker-start", "marker-mid", "marker-end"})
"""Properties that may draw something where the element itself draws nothing."""

_LEAVES = {*STROKED_ELEMENTS, "text", "image"}
# Properties with which an element may paint less than its outline tells, or somewhere else.
_CHANGES = EFFECTS | {"opacity", "fill-opacity", "clip-path", "mask", "mix-blend-mode"}
_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_FIRST_POINT = re.compile(rf"\s*[Mm]\s*{_NUMBER}\s*,?\s*{_NUMBER}")

Corners = Sequence[Point]


@dataclass(frozen=True)
class DrawnElement:
    """A shape, a text or an image that a picture draws; `matrix` maps its coordinates to the picture's.

    `viewport` is the size to which percentages refer. `paint` has the properties that count for the
    element, `opacity` is that of all groups around it, and `clips` are the hulls of the clip paths
    around it, in the picture. `changes` are the properties on it and around it with which it may
    paint something else than its outline tells.
    """

    element: ET.Element
    viewport: Size
    matrix: Affine = IDENTITY
    paint: InheritedPaint = DEFAULT_PAINT
    opacity: float = 1.0
    clips: tuple[Corners, ...] = ()
    changes: frozenset[str] = frozenset()

    @property
    def tag(self) -> str:
        """The element's tag."""
        return self.element.tag

    def length(self, name: str, default: str = "0") -> float:
        """Return a length of the element; 0 if it has none."""
        return length_of(self.element, name, self.viewport, default) or 0.0

    def box(self, default: str = "0") -> Rect:
        """Return the box of an element with a place and a size; `default` is its width or height without one."""
        return Rect(
            self.length("x"),
            self.length("y"),
            self.length("width", default),
            self.length("height", default),
        )

    @property
    def radii(self) -> tuple[float, float]:
        """Both radii of a circle, an ellipse or a rectangle's corners; one alone stands for both."""
        radius = self.length("r")
        rx = self.length("rx")
        ry = self.length("ry")
        return radius or rx or ry, radius or ry or rx

    @property
    def path_data(self) -> str:
        """The outline of a basic shape as path data; empty for other elements."""
        data = ""
        match self.tag:
            case "path":
                data = self.element.get("d", "")
            case "polygon" | "polyline":
                data = "M" + self.element.get("points", "0 0")
            case "line":
                ends = [self.length(name) for name in ("x1", "y1", "x2", "y2")]
                data = "M{:.9g} {:.9g}L{:.9g} {:.9g}".format(*ends)
            case "circle" | "ellipse":
                data = _ellipse_data(Point(self.length("cx"), self.length("cy")), *self.radii)
            case "rect":
                data = _rectangle_data(self.box(), *self.radii)
        return data

    @property
    def is_painted(self) -> bool:
        """True if a fill or a stroke of a shape shows."""
        has_paint = self.paint.fill not in NO_PAINT or self.paint.stroke_width > 0
        return self.paint.visibility == "visible" and has_paint

    @property
    def geometry(self) -> Corners:
        """The convex hull of a shape or an image without its stroke, in its own coordinates; empty for text."""
        if self.tag == "image":
            return polygon.box(self.box())
        return _hull_of_path(self.path_data) if self.path_data else ()

    @cached_property
    def ink(self) -> Corners:
        """The corners around the ink of a shape or an image, in the picture; empty without ink, and for text."""
        hull = self.geometry
        if self.tag != "image":
            hull = _grow(hull, self.paint.stroke_width / 2) if self.is_painted else ()
        corners: Corners = tuple(map(self.matrix.apply, polygon.hull(hull)))
        for clip in self.clips:
            corners = polygon.intersect(corners, clip) if len(corners) > 2 else corners
        return corners


def drawn_elements(art: ArtTree) -> Iterator[DrawnElement]:
    """Yield all shapes, texts and images that a picture draws, lowest first."""
    yield from drawn_inside(art, art.root)


def drawn_inside(
    art: ArtTree, element: ET.Element, matrix: Affine = IDENTITY
) -> Iterator[DrawnElement]:
    """Yield what an element of a picture draws, as if it stood alone; `matrix` maps its coordinates."""
    start = DrawnElement(
        element,
        art.view.size,
        matrix,
        DEFAULT_PAINT.of(element),
        changes=_changes_of(element),
    )
    yield from _content(start, art)


def _content(at: DrawnElement, art: ArtTree) -> Iterator[DrawnElement]:
    if at.tag in _LEAVES:
        yield at
    elif at.tag == "use":
        yield from _used(at, art)
    else:
        if at.tag == "svg" and at.element is not art.root:
            at = _in_viewport(at, at.element, at.box("100%"))
        for child in at.element:
            yield from _enter(child, at, art)


def _used(at: DrawnElement, art: ArtTree) -> Iterator[DrawnElement]:
    """Yield the elements that a `<use>` repeats."""
    target = art.ids.get(href_target(at.element))
    if target is None:
        return
    at = replace(at, paint=at.paint.hosted_by(at.element))
    if target.tag == "symbol":
        own_size = DrawnElement(target, at.viewport).box("100%").size
        place = at.box()
        box = Rect(place.x, place.y, place.w or own_size.w, place.h or own_size.h)
        inside = _in_viewport(replace(at, paint=at.paint.of(target)), target, box)
        for child in target:
            yield from _enter(child, inside, art)
    else:
        shift = Affine(e=at.length("x"), f=at.length("y"))
        yield from _enter(target, replace(at, matrix=at.matrix @ shift), art)


def _enter(element: ET.Element, outer: DrawnElement, art: ArtTree) -> Iterator[DrawnElement]:
    if element.tag in DEFINITIONS or property_of(element, "display") == "none":
        return
    opacity = length(property_of(element, "opacity") or "1", MEDIUM_FONT_SIZE, 1.0)
    if opacity == 0:
        return
    at = replace(
        outer,
        element=element,
        matrix=outer.matrix @ transform_of(element),
        paint=outer.paint.of(element),
        opacity=outer.opacity * (1.0 if opacity is None else opacity),
        changes=outer.changes | _changes_of(element),
    )
    if clip := _clip_of(at, art):
        at = replace(at, clips=(*outer.clips, clip))
    yield from _content(at, art)


def _in_viewport(at: DrawnElement, element: ET.Element, box: Rect) -> DrawnElement:
    """Return the state inside an `<svg>` or a `<symbol>` that fills a box."""
    view = view_box(element)
    inside = (
        map_view(view, fit_view(view, box, read_fit(element)))
        if view and min(box.size) > 0
        else Affine(e=box.x, f=box.y)
    )
    return replace(at, matrix=at.matrix @ inside, viewport=view.size if view else box.size)


def _clip_of(at: DrawnElement, art: ArtTree) -> Corners:
    """Return the hull of an element's clip path in the picture; empty without one."""
    clip = next(map(art.ids.get, url_targets(property_of(at.element, "clip-path"))), None)
    if clip is None or property_of(clip, "clipPathUnits") == "objectBoundingBox":
        return ()
    # Only the geometry of a clip path counts, whatever its paint.
    inside = drawn_inside(art, clip, at.matrix @ transform_of(clip))
    return polygon.hull([part.matrix.apply(place) for part in inside for place in part.geometry])


def _changes_of(element: ET.Element) -> frozenset[str]:
    return frozenset(name for name in _CHANGES if property_of(element, name))


def transform_of(element: ET.Element) -> Affine:
    """Return the matrix of an element's own `transform`."""
    transform = property_of(element, "transform")
    return read_transform(transform) if transform else IDENTITY


def begins_in(at: DrawnElement, view: Rect) -> bool:
    """Return True if the first point of a painted path lies in a view: most paths need not be read whole."""
    start = _FIRST_POINT.match(at.element.get("d", "")) if at.tag == "path" else None
    return (
        start is not None
        and at.is_painted
        and view.holds(Rect(*at.matrix.apply(Point(float(start[1]), float(start[2]))), 0, 0))
    )


def thinnest_line(drawn: Iterable[DrawnElement]) -> float | None:
    """Return the smallest stroke width of some elements, in the picture's units; None without strokes."""
    return min(
        (
            at.paint.stroke_width * at.matrix.min_scale
            for at in drawn
            if at.tag in STROKED_ELEMENTS and at.paint.stroke_width > 0
        ),
        default=None,
    )


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


@lru_cache(500)  # a `<use>` may repeat a shape thousands of times
def _hull_of_path(data: str) -> Corners:
    """Return the convex hull of all subpaths of path data."""
    edges = [edge for part in read_path(data) for edge in part]
    if not edges:
        return ()
    box = polygon.box_around([place for edge in edges for place in (edge.a, edge.b, *edge.handles)])
    max_gap = MAX_GAP_SHARE * max(*box.size, EPSILON)
    return polygon.hull([place for edge in edges for place in (edge.a, *edge.flat(max_gap))])


def _grow(hull: Corners, by: float) -> Corners:
    """Return points around a shape with half its stroke outside, with mitred corners and square ends."""
    if not by or len(hull) < 2:
        return hull
    if len(hull) == 2:
        a, b = hull
        ahead = (b - a).unit().scaled(by)
        aside = ahead.turned(90)
        return (a - ahead - aside, a - ahead + aside, b + ahead - aside, b + ahead + aside)
    return polygon.grow(hull, by)
