"""Outlines moved inwards or outwards."""

from collections.abc import Sequence

from generator.core.geometry import Point


def inset_corners(corners: Sequence[Point], by: float) -> tuple[Point, ...]:
    """The corners of a convex outline (clockwise) whose sides are all moved inwards by so many mm."""
    count = len(corners)
    return tuple(_moved(corners[i - 1], corners[i], corners[(i + 1) % count], by) for i in range(count))


def _moved(before: Point, corner: Point, after: Point, by: float) -> Point:
    """The corner between two sides, both moved inwards: along the bisector of their normals."""
    first, second = _inward(before, corner), _inward(corner, after)
    both = first + second
    return corner + both.scaled(2 * by / (both.length() ** 2))


def _inward(a: Point, b: Point) -> Point:
    return (b - a).unit().turned(90)
