"""A line through some points as SVG path data, its corners rounded if that is wanted."""

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, pi, tan

from generator.core.geometry import EPSILON, Point
from generator.core.units import number

STRAIGHT, BACK = 0.01, pi - 0.01
"""Radians; a turn that is smaller is none, and one that is larger has no inside to be rounded."""


def line_data(points: Sequence[Point], rounding: float = 0.0) -> str:
    """The line; each corner is cut by an arc from `rounding` mm before it to as much behind it, where there is room."""
    kept = _corners(points)
    lengths = [(there - here).length() for here, there in pairwise(kept)]
    room = [length if end in {0, len(lengths) - 1} else length / 2 for end, length in enumerate(lengths)]
    reaches = [min(rounding, *sides) for sides in pairwise(room)]
    corners = zip(kept, kept[1:], kept[2:], reaches, strict=False)
    return "".join([f"M{_at(kept[0])}", *(_corner(*corner) for corner in corners), f"L{_at(kept[-1])}"])


def _corners(points: Sequence[Point]) -> list[Point]:
    """The points without those on the way straight on, so that an arc may reach past them."""
    kept = [points[0]]
    for here, after in pairwise(points[1:]):
        if abs(_turn(here - kept[-1], after - here)) > STRAIGHT:
            kept.append(here)
    return [*kept, points[-1]]


def _corner(before: Point, corner: Point, after: Point, reach: float) -> str:
    way_in, way_out = corner - before, after - corner
    turn = abs(_turn(way_in, way_out))
    if reach < EPSILON or not STRAIGHT < turn < BACK:
        return f"L{_at(corner)}"
    handle = 4 / 3 * tan(turn / 4) * reach / tan(turn / 2)
    u, v = way_in.unit(), way_out.unit()
    start, end = corner - u.scaled(reach), corner + v.scaled(reach)
    return f"L{_at(start)}C{_at(start + u.scaled(handle))} {_at(end - v.scaled(handle))} {_at(end)}"


def _turn(one: Point, other: Point) -> float:
    return atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y)


def _at(point: Point) -> str:
    return f"{number(point.x)} {number(point.y)}"
