"""Convex outlines, clockwise, in mm: grown, clipped, and met by a line."""

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin

from generator.core.geometry import EPSILON, Point, Rect

ROUND = 90
"""Sides of the outline that stands for a circle; it lies outside by at most 0.4 % of the radius."""


def circle(centre: Point, radius: float) -> tuple[Point, ...]:
    """An outline round a circle."""
    outer = radius / cos(pi / ROUND)
    angles = [2 * pi * n / ROUND for n in range(ROUND)]
    return tuple(centre + Point(outer * cos(a), outer * sin(a)) for a in angles)


def box(rect: Rect) -> tuple[Point, ...]:
    """The outline of a rectangle."""
    return (
        Point(rect.x, rect.y),
        Point(rect.right, rect.y),
        Point(rect.right, rect.bottom),
        Point(rect.x, rect.bottom),
    )


def round_all(corners: Sequence[Point]) -> Rect:
    """The box round an outline."""
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def grown(corners: Sequence[Point], by: float) -> tuple[Point, ...]:
    """The outline with every side moved outwards."""
    count = len(corners)
    return tuple(_moved(corners[i - 1], corners[i], corners[(i + 1) % count], by) for i in range(count))


def _moved(before: Point, corner: Point, after: Point, by: float) -> Point:
    both = outward(before, corner) + outward(corner, after)
    return corner + both.scaled(2 * by / both.length() ** 2)


def outward(a: Point, b: Point) -> Point:
    """The direction away from the inside, of a side from a to b."""
    along = (b - a).unit()
    return Point(along.y, -along.x)


def within(corners: Sequence[Point], rect: Rect) -> tuple[Point, ...]:
    """The part of an outline that lies in a rectangle."""
    kept = tuple(corners)
    for place, inwards in (
        (Point(rect.x, 0), Point(1, 0)),
        (Point(rect.right, 0), Point(-1, 0)),
        (Point(0, rect.y), Point(0, 1)),
        (Point(0, rect.bottom), Point(0, -1)),
    ):
        kept = tuple(_cut(kept, place, inwards))
    return kept


def _cut(corners: Sequence[Point], place: Point, inwards: Point) -> Iterator[Point]:
    """What lies on one side of a line through a place."""
    for i, corner in enumerate(corners):
        before = corners[i - 1]
        here, there = dot(corner - place, inwards), dot(before - place, inwards)
        if (here >= 0) != (there >= 0):
            yield before + (corner - before).scaled(there / (there - here))
        if here >= 0:
            yield corner


def crossed(corners: Sequence[Point], start: Point, along: Point) -> tuple[float, float] | None:
    """From where to where a line, from a place in a direction, is inside; none where it is not."""
    first, last = float("-inf"), float("inf")
    for i, (x, y) in enumerate(corners):  # in plain numbers: a sheet of tokens asks this a million times
        before = corners[i - 1]
        across, down = x - before[0], y - before[1]
        length = hypot(across, down)
        if length <= EPSILON:
            continue
        speed = (along[0] * down - along[1] * across) / length
        room = ((x - start[0]) * down - (y - start[1]) * across) / length
        if abs(speed) < EPSILON:
            if room < 0:
                return None
        elif speed > 0:
            last = min(last, room / speed)
        else:
            first = max(first, room / speed)
    return (first, last) if first < last else None


def dot(a: Point, b: Point) -> float:
    """How far a goes along b."""
    return a.x * b.x + a.y * b.y
