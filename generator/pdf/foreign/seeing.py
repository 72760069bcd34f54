"""Find the boxes and lines on a page: frames, images, cut lines."""

import json
from collections.abc import Iterator
from itertools import pairwise
from math import isfinite
from typing import Any

from generator.core.geometry import Point, Rect
from generator.pdf.foreign.opening import MAX_FORM_DEPTH, MAX_SIDE_MM, hidden_layers, lying, opened
from generator.pdf.foreign.walk import Graphics, Painted, TooManySteps, Trail, Walk, inside
from generator.relay.page import PageSeen, Ruling

# The shortest side of a piece.
MIN_PIECE_MM = 8.0

# The shortest cut mark.
MIN_MARK_MM = 0.4

# A filled box that is narrower is a line.
MAX_LINE_WIDTH_MM = 0.9

# The ends of an upright or level line may differ by this much.
STRAIGHTNESS_MM = 0.02

# Boxes and lines of a page.
MAX_SHAPES = 20_000


# A box, and the width (mm) of the line stroked along it, or 0.
StrokedBox = tuple[Rect, float]


def see(path: str, number: int) -> bytes:
    """Return as JSON the boxes and lines of a page, or its fault."""
    pdf = opened(path)
    page = pdf.pages[number - 1]
    size, move, trim = lying(page)
    if not all(isfinite(side) and 0 < side <= MAX_SIDE_MM for side in size):
        return json.dumps({"wrong": f"is larger than {MAX_SIDE_MM / 1000:.0f} m"}).encode()
    walk = Walk(page.resources, Graphics(move, Rect(0, 0, *size)), hidden_layers(pdf))
    boxes = dict[Rect, float]()
    rulings = dict[Ruling, None]()
    try:
        for shape in _shapes(walk, page, 0):
            if isinstance(shape, Ruling):
                rulings[shape] = None
            else:
                box, width = shape
                boxes[box] = max(width, boxes.get(box, 0.0))
            if len(boxes) + len(rulings) >= MAX_SHAPES:
                break
    except TooManySteps:
        return json.dumps({"wrong": "has more in it than can be read"}).encode()
    seen = {"size": size, "trim": trim, "boxes": list(boxes), "rulings": list(rulings), "widths": list(boxes.values())}
    return json.dumps(seen).encode()


def page_of(file: int, number: int, told: dict[str, Any]) -> PageSeen:
    """Parse the result of `see`."""
    from generator.core.geometry import Size

    trim = Rect(*told["trim"]) if told["trim"] else None
    boxes = tuple(Rect(*box) for box in told["boxes"])
    rulings = tuple(Ruling(*each) for each in told["rulings"])
    return PageSeen(file, number, Size(*told["size"]), trim, boxes, rulings, tuple(told["widths"]))


def _shapes(walk: Walk, holder: Any, depth: int) -> Iterator[StrokedBox | Ruling]:
    for step in walk.through(holder):
        if (paints := step.paints) is None:
            continue
        if paints.form is not None and depth < MAX_FORM_DEPTH:
            if paints.box and min(paints.box.size) > 0:
                yield from _box(paints.box)
                yield from _shapes(inside(walk, paints), paints.form, depth + 1)
        elif paints.is_image and paints.box:
            yield from _box(paints.box)
        else:
            for trail in paints.trails:
                yield from _of_trail(trail, paints)


def _of_trail(trail: Trail, paints: Painted) -> Iterator[StrokedBox | Ruling]:
    if paints.box is None or not all(isfinite(at) for corner in trail.corners for at in corner):
        return
    box = trail.box
    if min(box.size) < 0 or paints.box.common(box.grown(0.01)).size < (0, 0):
        return
    comes_back = trail.closed or (len(trail.corners) > 3 and trail.corners[0] == trail.corners[-1])
    if len(trail.corners) > 2 and (comes_back or not paints.stroked):
        if min(box.size) <= MAX_LINE_WIDTH_MM and not paints.stroked:
            yield from _line(*_axis(box), dashed=False)
        else:
            yield from _box(box, paints.width) if paints.stroked else _box(box.common(paints.box))
    elif paints.stroked and not trail.curved:
        for a, b in pairwise(trail.corners):
            yield from _line(a, b, dashed=paints.dashed)


def _box(box: Rect, width: float = 0.0) -> Iterator[StrokedBox]:
    if min(box.size) >= MIN_PIECE_MM:
        yield Rect(*(round(number, 4) for number in box)), round(width, 4)


def _axis(box: Rect) -> tuple[Point, Point]:
    middle = box.centre
    if box.w < box.h:
        return Point(middle.x, box.y), Point(middle.x, box.bottom)
    return Point(box.x, middle.y), Point(box.right, middle.y)


def _line(a: Point, b: Point, *, dashed: bool) -> Iterator[Ruling]:
    if (b - a).length() < MIN_MARK_MM:
        return
    if abs(a.x - b.x) < STRAIGHTNESS_MM:
        yield _ruling((a.x + b.x) / 2, a.y, b.y, upright=True, dashed=dashed)
    elif abs(a.y - b.y) < STRAIGHTNESS_MM:
        yield _ruling((a.y + b.y) / 2, a.x, b.x, upright=False, dashed=dashed)


def _ruling(at: float, one: float, other: float, *, upright: bool, dashed: bool) -> Ruling:
    return Ruling(upright, round(at, 4), round(min(one, other), 4), round(max(one, other), 4), dashed)
