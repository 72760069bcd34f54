"""Polygons, clockwise as the reader sees them, in mm: grown and shrunk, clipped, crossed by a line, compared."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt

from generator.base.geometry import EPSILON, Point, Rect

Corners = Sequence[Point]

MITRE_LIMIT = 1.4143
"""How far a corner may move out, in distances by which its sides move.

The square root of 2, rounded up: the corners of a square just keep their form. A sharper one is cut off.
"""


def box(rect: Rect) -> tuple[Point, ...]:
    """Return the corners of a rectangle, from the top left."""
    right = rect.right
    low = rect.bottom
    return Point(rect.x, rect.y), Point(right, rect.y), Point(right, low), Point(rect.x, low)


def box_around(corners: Corners) -> Rect:
    """Return the bounding box of a polygon."""
    xs = [corner[0] for corner in corners]
    ys = [corner[1] for corner in corners]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def dot(a: Point, b: Point) -> float:
    """Return how far `a` goes along `b`, a unit vector."""
    return a.x * b.x + a.y * b.y


def cross(a: Point, b: Point) -> float:
    """Return the cross product of two vectors, positive if `b` is clockwise of `a`."""
    return a.x * b.y - a.y * b.x


def area(corners: Corners) -> float:
    """Return the area in mm²; negative for an anticlockwise polygon."""
    return sum(cross(corners[i - 1], corner) for i, corner in enumerate(corners)) / 2


def outward(a: Point, b: Point) -> Point:
    """Return the unit vector out of the polygon from the side from `a` to `b`."""
    along = (b - a).unit()
    return Point(along.y, -along.x)


def turn_sines(corners: Corners) -> list[float]:
    """Return the sine of the turn at each corner, positive for a convex corner."""
    directions = [(corner - corners[i - 1]).unit() for i, corner in enumerate(corners)]
    return [
        cross(before, after)
        for before, after in zip(directions, [*directions[1:], directions[0]], strict=True)
    ]


def is_convex(corners: Corners) -> bool:
    """Return True if no corner points inwards."""
    return min(turn_sines(corners)) >= -EPSILON


def grow(corners: Corners, by: float) -> tuple[Point, ...]:
    """Return the polygon with every side moved outwards, or inwards for a negative number.

    Empty if nothing is left.
    """
    if is_convex(corners):
        return (
            tuple(place for joint in _joints(corners, by) for place in joint)
            if by >= 0
            else _inset(corners, -by)
        )
    loops_by_area = [
        (area(loop), loop)
        for loop in loops([place for joint in _joints(corners, by) for place in joint])
    ]
    largest, largest_loop = max(loops_by_area)
    return largest_loop if largest > 0 else ()


def _joints(corners: Corners, by: float) -> Iterator[tuple[Point, ...]]:
    """Yield the new corners for each corner."""
    for i, (corner, turn) in enumerate(zip(corners, turn_sines(corners), strict=True)):
        first = outward(corners[i - 1], corner)
        last = outward(corner, corners[(i + 1) % len(corners)])
        both = first + last
        # The moved sides cross. By way of the old corner, the loop beyond the crossing runs
        # anticlockwise, so `grow` drops it.
        if turn * by < -EPSILON:
            yield corner + first.scaled(by), corner, corner + last.scaled(by)
        elif both.length() >= 2 / MITRE_LIMIT:
            yield (corner + both.scaled(2 * by / both.length() ** 2),)
        else:
            yield _cut_off(corner, first, last, by)


def _cut_off(corner: Point, first: Point, last: Point, by: float) -> tuple[Point, Point]:
    """Return a sharp corner cut off by a short side across its bisector."""
    out = (first - last).turned(90 if cross(first, last) < 0 else -90).unit()
    out = out if dot(out, first) >= 0 else out.scaled(-1)
    along = (1 - dot(out, first)) / max(abs(cross(out, first)), EPSILON)
    side = out.turned(90).scaled(along * by * (1 if cross(first, last) > 0 else -1))
    middle = corner + out.scaled(by)
    return middle - side, middle + side


def _inset(corners: Corners, by: float) -> tuple[Point, ...]:
    """Return a convex polygon with its sides moved inwards: by mitres, or clipped by each side if one vanishes."""
    moved = []
    for i, corner in enumerate(corners):
        both = outward(corners[i - 1], corner) + outward(corner, corners[(i + 1) % len(corners)])
        moved.append(corner - both.scaled(2 * by / both.length() ** 2))
    sides = zip(pairwise((*corners, corners[0])), pairwise((*moved, moved[0])), strict=True)
    if all(dot(d - c, (b - a).unit()) >= -EPSILON for (a, b), (c, d) in sides):
        return tuple(moved)
    clipped = tuple(corners)
    for a, b in pairwise((*corners, corners[0])):
        inwards = outward(a, b).scaled(-1)
        clipped = tuple(_clip_to_line(clipped, a + inwards.scaled(by), inwards))
    return clipped


def clip_to_rect(corners: Corners, rect: Rect) -> tuple[Point, ...]:
    """Return the part of a polygon inside a rectangle."""
    clipped = tuple(corners)
    for place, inwards in (
        (Point(rect.x, 0), Point(1, 0)),
        (Point(rect.right, 0), Point(-1, 0)),
        (Point(0, rect.y), Point(0, 1)),
        (Point(0, rect.bottom), Point(0, -1)),
    ):
        clipped = clip_to_line(clipped, place, inwards)
    return clipped


def clip_to_line(corners: Corners, place: Point, inwards: Point) -> tuple[Point, ...]:
    """Return the part of a polygon on one side of a line through a point."""
    clipped = tuple(_clip_to_line(corners, place, inwards))
    # A cut through a corner leaves a side of 1e-13 mm. It has no direction in which bleed could
    # grow.
    return tuple(
        corner for i, corner in enumerate(clipped) if (corner - clipped[i - 1]).length() > EPSILON
    )


def intersect(one: Corners, other: Corners) -> tuple[Point, ...]:
    """Return the common part of two convex polygons; empty if they do not meet."""
    clipped = tuple(one)
    for i, corner in enumerate(other):
        before = other[i - 1]
        clipped = tuple(_clip_to_line(clipped, before, outward(before, corner).scaled(-1)))
    return clipped


def _clip_to_line(corners: Corners, place: Point, inwards: Point) -> Iterator[Point]:
    """Yield the corners of the part on one side of a line through a point."""
    for i, corner in enumerate(corners):
        before = corners[i - 1]
        offset = dot(corner - place, inwards)
        offset_before = dot(before - place, inwards)
        if (offset >= 0) != (offset_before >= 0):
            yield before + (corner - before).scaled(offset_before / (offset_before - offset))
        if offset >= 0:
            yield corner


def inside_spans(corners: Corners, start: Point, along: Point) -> list[tuple[float, float]]:
    """Return where a line runs inside, as (start, end) distances from a point.

    Several if it is concave.
    """
    places = []
    # In plain numbers, without points: a sheet of tokens calls this a million times.
    for i, (x, y) in enumerate(corners):
        bx, by = corners[i - 1]
        offset_before = along[0] * (by - start[1]) - along[1] * (bx - start[0])
        offset = along[0] * (y - start[1]) - along[1] * (x - start[0])
        if (offset_before > EPSILON) != (offset > EPSILON):
            share = (offset_before - EPSILON) / (offset_before - offset)
            across = bx + share * (x - bx) - start[0]
            down = by + share * (y - by) - start[1]
            places.append(along[0] * across + along[1] * down)
    places.sort()
    return [(a, b) for a, b in zip(places[::2], places[1::2], strict=False) if b > a]


def contains(corners: Corners, place: Point) -> bool:
    """Return True if a point lies inside."""
    inside = False
    for i, (x, y) in enumerate(corners):
        bx, by = corners[i - 1]
        if (y > place[1]) != (by > place[1]) and place[0] < bx + (place[1] - by) * (x - bx) / (
            y - by
        ):
            inside = not inside
    return inside


def distance_to_segment(place: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a line segment."""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    length = dx * dx + dy * dy
    share = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return hypot(a[0] + share * dx - place[0], a[1] + share * dy - place[1])


def depth(corners: Corners, place: Point) -> float:
    """Return how far inside a point lies, in mm; negative outside."""
    far = min(
        distance_to_segment(place, corners[i - 1], corner) for i, corner in enumerate(corners)
    )
    return far if contains(corners, place) else -far


def distance(one: Corners, other: Corners) -> float:
    """Return the distance between two polygons; 0 if they overlap or touch."""
    if contains(one, other[0]) or contains(other, one[0]):
        return 0.0
    mine = list(pairwise((*one, one[0])))
    theirs = list(pairwise((*other, other[0])))
    if any(_crossing_shares(*a, *b) for a in mine for b in theirs):
        return 0.0
    near = [distance_to_segment(place, *side) for place in other for side in mine] + [
        distance_to_segment(place, *side) for place in one for side in theirs
    ]
    return min(near)


def _crossing_shares(a: Point, b: Point, c: Point, d: Point) -> tuple[float, float] | None:
    """Return where two line segments cross, as shares of both; None if they do not."""
    one = b - a
    other = d - c
    between = c - a
    slant = cross(one, other)
    if abs(slant) < EPSILON**2:
        return None
    s = cross(between, other) / slant
    t = cross(between, one) / slant
    return (s, t) if 0 <= s < 1 and 0 <= t < 1 else None


def loops(corners: Corners) -> Iterator[tuple[Point, ...]]:
    """Yield the simple loops of a closed line that may cross itself."""
    count = len(corners)
    nodes = list(corners)
    cuts: dict[int, list[tuple[float, int]]] = defaultdict(list)
    boxes = [
        box_around((corner, corners[(i + 1) % count])).grown(EPSILON)
        for i, corner in enumerate(corners)
    ]
    for i in range(count):
        for j in range(i + 2, count - (i == 0)):
            if not boxes[i].overlaps(boxes[j]):
                continue
            a = corners[i]
            b = corners[i + 1]
            if met := _crossing_shares(a, b, corners[j], corners[(j + 1) % count]):
                cuts[i].append((met[0], len(nodes)))
                cuts[j].append((met[1], len(nodes)))
                nodes.append(a + (b - a).scaled(met[0]))
    line = [node for i in range(count) for node in (i, *(name for _, name in sorted(cuts[i])))]
    yield from (tuple(nodes[node] for node in loop) for loop in _split_at_visits(line))


def _split_at_visits(line: Sequence[int]) -> Iterator[list[int]]:
    """Yield the stretches between two visits of a node, each cut out where it closes."""
    open_line: list[int] = []
    for node in line:
        if node in open_line:
            at = open_line.index(node)
            yield open_line[at:]
            del open_line[at:]
        open_line.append(node)
    yield open_line


def hull(places: Sequence[Point]) -> tuple[Point, ...]:
    """Return the convex hull of some points."""
    ordered = sorted(set(places))
    if len(ordered) < 3:
        return tuple(ordered)
    return tuple(_half(ordered)[:-1] + _half(ordered[::-1])[:-1])


def _half(places: Sequence[Point]) -> list[Point]:
    """Return one half of the hull of points sorted along an axis (Andrew's monotone chain)."""
    corners: list[Point] = []
    for place in places:
        x, y = place
        # `cross` written out, without two new points each time: every build finds the hulls of all icons.
        while len(corners) > 1:
            ax, ay = corners[-2]
            bx, by = corners[-1]
            if (bx - ax) * (y - by) - (by - ay) * (x - bx) > 0:
                break
            corners.pop()
        corners.append(place)
    return corners


def reach(corners: Corners, further: float, level: float) -> float | None:
    """Return how far right everything within `further` of a convex polygon goes at a level.

    None if nothing does.
    """
    reaches = []
    for i, b in enumerate(corners):
        if abs(level - b.y) <= further:
            reaches.append(b.x + sqrt(further**2 - (level - b.y) ** 2))
        a = corners[i - 1]
        out = outward(a, b).scaled(further)
        low = a + out
        high = b + out
        if min(low.y, high.y) <= level <= max(low.y, high.y) and abs(high.y - low.y) > EPSILON:
            reaches.append(low.x + (level - low.y) / (high.y - low.y) * (high.x - low.x))
    return max(reaches, default=None)
