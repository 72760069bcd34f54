"""Points, sizes and rectangles in millimetres, with the origin at the top left and y downwards.

Turns are in degrees clockwise as the reader sees them. The one y-flip of the
project is in `pdf/`, not here.
"""

from __future__ import annotations

import re
from math import atan2, cos, degrees, hypot, isfinite, radians, sin, tan
from typing import Literal, NamedTuple

EPSILON = 1e-6
"""Two places closer than a nanometre are one place."""


class Point(NamedTuple):
    """A point, or the vector between two points."""

    x: float
    y: float

    def __add__(self, other: tuple[float, ...]) -> Point:  # type: ignore[override]
        return Point(self.x + other[0], self.y + other[1])

    def __sub__(self, other: tuple[float, ...]) -> Point:
        return Point(self.x - other[0], self.y - other[1])

    def scaled(self, factor: float) -> Point:
        """Return the vector multiplied by a factor."""
        return Point(self.x * factor, self.y * factor)

    def turned(self, degrees: float) -> Point:
        """Return the vector turned clockwise."""
        c = cos(radians(degrees))
        s = sin(radians(degrees))
        return Point(self.x * c - self.y * s, self.x * s + self.y * c)

    def length(self) -> float:
        """Return the length of the vector."""
        return float((self.x**2 + self.y**2) ** 0.5)

    def unit(self) -> Point:
        """Return the unit vector of the same direction; return the null vector unchanged."""
        size = self.length()
        return self.scaled(1 / size) if size > EPSILON else self


class Size(NamedTuple):
    """A width and a height."""

    w: float
    h: float

    def turned(self, degrees: int) -> Size:
        """Return the size of the bounding box after a number of quarter turns."""
        return Size(self.h, self.w) if degrees % 180 else self


class Rect(NamedTuple):
    """A rectangle, by its top left corner and its size."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def between(cls, left: float, top: float, right: float, bottom: float) -> Rect:
        """Return the rectangle with these four edges."""
        return cls(left, top, right - left, bottom - top)

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The bottom edge."""
        return self.y + self.h

    @property
    def centre(self) -> Point:
        """The centre."""
        return Point(self.x + self.w / 2, self.y + self.h / 2)

    @property
    def size(self) -> Size:
        """Width and height."""
        return Size(self.w, self.h)

    @property
    def transposed(self) -> Rect:
        """The rectangle with both axes exchanged."""
        return Rect(self.y, self.x, self.h, self.w)

    def grown(self, by: float) -> Rect:
        """Return the rectangle with every edge moved out, or in for a negative number."""
        return Rect(self.x - by, self.y - by, self.w + 2 * by, self.h + 2 * by)

    def shifted(self, by: tuple[float, float]) -> Rect:
        """Return the rectangle moved by a vector."""
        return Rect(self.x + by[0], self.y + by[1], self.w, self.h)

    def common(self, other: Rect) -> Rect:
        """Return the intersection; its size may be negative if the rectangles do not meet."""
        return Rect.between(
            max(self.x, other.x),
            max(self.y, other.y),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def overlaps(self, other: Rect) -> bool:
        """Return True if the two share an area, not merely an edge."""
        return (
            self.x < other.right - EPSILON
            and other.x < self.right - EPSILON
            and self.y < other.bottom - EPSILON
            and other.y < self.bottom - EPSILON
        )

    def holds(self, other: Rect) -> bool:
        """Return True if the other rectangle lies wholly inside."""
        return (
            other.x >= self.x - EPSILON
            and other.y >= self.y - EPSILON
            and other.right <= self.right + EPSILON
            and other.bottom <= self.bottom + EPSILON
        )

    @classmethod
    def around(cls, rects: list[Rect] | tuple[Rect, ...]) -> Rect:
        """Return the bounding box of at least one rectangle."""
        return cls.between(
            min(r.x for r in rects),
            min(r.y for r in rects),
            max(r.right for r in rects),
            max(r.bottom for r in rects),
        )


class Segment(NamedTuple):
    """A straight line from one point to another."""

    a: Point
    b: Point


class Affine(NamedTuple):
    """An affine map: x' = a·x + c·y + e, y' = b·x + d·y + f; lengths in mm, y downwards."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @classmethod
    def moving(cls, middle: Point, at: Point, turn: float = 0.0, scale: float = 1.0) -> Affine:
        """Return the map that moves one point to another, turning clockwise and scaling about it."""
        across = Point(scale, 0).turned(turn)
        down = Point(0, scale).turned(turn)
        shift = at - across.scaled(middle.x) - down.scaled(middle.y)
        return cls(*across, *down, *shift)

    def __matmul__(self, inner: Affine) -> Affine:
        """Return the map that applies the inner map first, then this one."""
        return Affine(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            self.a * inner.e + self.c * inner.f + self.e,
            self.b * inner.e + self.d * inner.f + self.f,
        )

    def turned(self, vector: Point) -> Point:
        """Return the image of a vector, without the translation."""
        return Point(self.a * vector.x + self.c * vector.y, self.b * vector.x + self.d * vector.y)

    def apply(self, point: Point) -> Point:
        """Return the image of a point."""
        return Point(
            self.a * point.x + self.c * point.y + self.e,
            self.b * point.x + self.d * point.y + self.f,
        )

    def bounding_box(self, rect: Rect) -> Rect:
        """Return the upright box around the image of a rectangle."""
        corners = [
            self.apply(Point(x, y)) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)
        ]
        xs = [corner.x for corner in corners]
        ys = [corner.y for corner in corners]
        return Rect.between(min(xs), min(ys), max(xs), max(ys))

    @property
    def scale(self) -> float:
        """The mean factor by which lengths grow."""
        return float(abs(self.a * self.d - self.b * self.c) ** 0.5)

    @property
    def turn(self) -> float:
        """The turn in degrees clockwise."""
        return degrees(atan2(self.b, self.a))

    @property
    def min_scale(self) -> float:
        """The factor by which the axis grows that grows least."""
        return min(hypot(self.a, self.b), hypot(self.c, self.d))

    def inverse(self) -> Affine:
        """Return the inverse map."""
        det = self.a * self.d - self.b * self.c
        a = self.d / det
        b = -self.b / det
        c = -self.c / det
        d = self.a / det
        return Affine(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))


IDENTITY = Affine()
"""Everything stays where it is."""


Fit = Literal["contain", "cover", "stretch"]


def fit_view(view: Rect, box: Rect, fit: Fit) -> Rect:
    """Return the place of a full view that is fitted to a box: inside it, over all of it, or stretched."""
    if fit == "stretch":
        return box
    shares = box.w / view.w, box.h / view.h
    scale = min(shares) if fit == "contain" else max(shares)
    w = view.w * scale
    h = view.h * scale
    return Rect(box.centre.x - w / 2, box.centre.y - h / 2, w, h)


def map_view(view: Rect, place: Rect) -> Affine:
    """Return the map that moves and stretches a view to its place."""
    stretch = Affine(a=place.w / view.w, d=place.h / view.h)
    return Affine(e=place.x, f=place.y) @ stretch @ Affine(e=-view.x, f=-view.y)


_FUNCTION = re.compile(r"([a-zA-Z]+)\s*\(([^)]*)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


def read_transform(text: str) -> Affine:
    """Return the matrix of an SVG `transform` attribute.

    Unknown functions change nothing, as in the engines.
    """
    matrix = IDENTITY
    for kind, inside in _FUNCTION.findall(text):
        numbers = [float(number) for number in _NUMBER.findall(inside)]
        matrix = matrix @ _matrix_of(kind, numbers if all(map(isfinite, numbers)) else [])
    return matrix


def _matrix_of(kind: str, n: list[float]) -> Affine:
    """Return the matrix of one function of a `transform` and its numbers."""
    if kind == "matrix" and len(n) == 6:
        return Affine(*n)
    if kind == "translate" and n:
        return Affine(e=n[0], f=n[1] if len(n) > 1 else 0.0)
    if kind == "scale" and n:
        return Affine(a=n[0], d=n[-1])
    if kind == "rotate" and n:
        centre = Point(*n[1:3]) if len(n) == 3 else Point(0.0, 0.0)
        return Affine.moving(centre, centre, n[0])
    if kind in {"skewX", "skewY"} and n:
        slope = tan(radians(n[0]))
        return Affine(c=slope) if kind == "skewX" else Affine(b=slope)
    return IDENTITY
