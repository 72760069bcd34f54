"""Find boxes of one size next to each other: the frames or images of pieces."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median

from generator.core.geometry import Rect, Size
from generator.relay.lattice import MIN_PIECE_MM, TOLERANCE_MM
from generator.relay.page import Ruling

# Sizes that differ by less are equal.
SIZE_TOLERANCE_MM = 0.3

# Frames of neighbours may overlap by this much.
MAX_OVERLAP_MM = 0.6

# Of the page: a larger box is its background.
MAX_PAGE_SHARE = 0.7

# Cut marks are at most this far inside a box.
MAX_BLEED_MM = 8.0

# Ratio of length to width: a slimmer box that holds several boxes is a strip of pieces.
MAX_ASPECT_RATIO = 2.6

# The share of a strip that its boxes must cover.
MIN_STRIP_SHARE = 0.7

BORDER_MM = 0.6
"""A box that lies inside another on all sides by at most this is part of its border."""

OFF_CENTRE_MM = 0.15
"""Half a pixel of CSS, to which browsers round the sides of boxes: box and border may differ by so much."""


def clusters(boxes: Iterable[Rect], page: Rect, known: Sequence[Size] = ()) -> list[tuple[Rect, ...]]:
    """Return pieces by size, those that cover most of the page first.

    A single box is a piece only if its size is `known`.
    """
    whole = page.w * page.h
    rest = [
        box
        for box in _without_duplicates(boxes)
        if min(box.size) >= MIN_PIECE_MM and box.w * box.h < MAX_PAGE_SHARE * whole
    ]
    rest = [box for box in rest if page.grown(TOLERANCE_MM).holds(box)]
    found: list[tuple[Rect, ...]] = []
    groups = [group for group in map(tuple, _by_size(rest)) if _are_pieces(group, known)]
    while groups:
        best = max(groups, key=_area)
        best = next((group for group in groups if _are_cells_of(group, best)), best)
        found.append(tuple(sorted(best, key=lambda box: (round(box.y, 1), box.x))))
        groups = [group for group in groups if not any(one.overlaps(other) for one in group for other in best)]
    return found


def outermost(boxes: Sequence[Rect]) -> list[Rect]:
    """Return the boxes without those that are borders or grounds just inside another box.

    Browsers paint the ground of a card over all of it, and the border as a line half its width further in. Both are
    one card, and the larger box is its edge.
    """
    found: dict[tuple[int, int], list[Rect]] = {}
    kept: list[Rect] = []
    for box in sorted(boxes, key=lambda one: -one.w * one.h):
        column = round(box.centre.x / BORDER_MM)
        row = round(box.centre.y / BORDER_MM)
        cells = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        if any(_is_border(box, outer) for cell in cells for outer in found.get(cell, ())):
            continue
        found.setdefault((column, row), []).append(box)
        kept.append(box)
    return kept


def _is_border(box: Rect, outer: Rect) -> bool:
    off = box.centre - outer.centre
    inset_x = (outer.w - box.w) / 2
    inset_y = (outer.h - box.h) / 2
    is_inside = all(0 <= inset <= BORDER_MM for inset in (inset_x, inset_y)) and inset_x + inset_y > 0
    return is_inside and max(abs(off.x), abs(off.y)) <= OFF_CENTRE_MM


def with_borders(boxes: Sequence[Rect], widths: Mapping[Rect, float]) -> tuple[Rect, ...]:
    """Return boxes grown by half of the line along them, if neighbours' lines then touch.

    A line along a cut has its middle there. But a border that lies inside a card (CSS) leaves a gap between the
    middles of neighbours' lines, as wide as one line. Nobody leaves such a gap between pieces on purpose.
    """
    width = median(widths.get(box, 0.0) for box in boxes)
    if not 0 < width <= 2 * BORDER_MM or len(boxes) < 2:
        return tuple(boxes)
    gaps = [*_gaps([(box.x, box.right) for box in boxes]), *_gaps([(box.y, box.bottom) for box in boxes])]
    if not gaps or any(abs(gap - width) > OFF_CENTRE_MM for gap in gaps) or min(gaps) < width / 2:
        return tuple(boxes)
    return tuple(box.grown(median(gaps) / 2) for box in boxes)


def _gaps(spans: Iterable[tuple[float, float]]) -> list[float]:
    """Return the gaps between the rows of boxes along an axis."""
    ends = sorted({(round(start, 2), round(end, 2)) for start, end in spans})
    return [after[0] - before[1] for before, after in pairwise(ends) if after[0] > before[0] + MIN_PIECE_MM / 2]


def _without_duplicates(boxes: Iterable[Rect]) -> list[Rect]:
    """Return each box once."""
    seen: dict[tuple[int, ...], Rect] = {}
    for box in boxes:
        seen.setdefault(tuple(round(number / TOLERANCE_MM) for number in box), box)
    kept: list[Rect] = []
    for box in seen.values():
        if not any(max(abs(a - b) for a, b in zip(box, other, strict=True)) < TOLERANCE_MM for other in kept[-50:]):
            kept.append(box)
    return kept


def _by_size(boxes: Sequence[Rect]) -> Iterable[list[Rect]]:
    groups: list[list[Rect]] = []
    for box in sorted(boxes, key=lambda one: (round(one.w, 1), one.h)):
        near = (group for group in reversed(groups[-60:]) if alike(group[0].size, box.size))
        group = next(near, None)
        if group is None:
            groups.append([box])
        else:
            group.append(box)
    return groups


def alike(one: Size, other: Size, off: float = SIZE_TOLERANCE_MM) -> bool:
    """Return True if two sizes are equal within the precision of drawing programs."""
    return abs(one.w - other.w) < off and abs(one.h - other.h) < off


def _are_pieces(group: Sequence[Rect], known: Sequence[Size]) -> bool:
    if len(group) == 1:
        return any(alike(group[0].size, size) for size in known)
    shrunk = [box.grown(-MAX_OVERLAP_MM / 2) for box in group]
    return len(group) <= 400 and not any(one.overlaps(other) for one, other in combinations(shrunk, 2))


def _area(group: Sequence[Rect]) -> float:
    return sum(box.w * box.h for box in group)


def _are_cells_of(group: Sequence[Rect], strips: Sequence[Rect]) -> bool:
    """Return True if boxes are the cells of strips, like those of a table."""
    w, h = strips[0].size
    if (
        max(w, h) < MAX_ASPECT_RATIO * min(w, h)
        or len(group) < 2 * len(strips)
        or _area(group) < MIN_STRIP_SHARE * _area(strips)
    ):
        return False
    return all(any(strip.grown(TOLERANCE_MM).holds(box) for strip in strips) for box in group)


def trimmed(boxes: Sequence[Rect], rulings: Iterable[Ruling]) -> tuple[tuple[Rect, ...], float]:
    """Return boxes corrected by cut marks: without their bleed, or with their rim; and the correction in mm.

    Without cut marks, boxes stay unchanged.
    """
    lines = list(rulings)
    across = _inset([(box.x, box.right) for box in boxes], [line.at for line in lines if line.upright])
    down = _inset([(box.y, box.bottom) for box in boxes], [line.at for line in lines if not line.upright])
    places = tuple(Rect.between(box.x + across, box.y + down, box.right - across, box.bottom - down) for box in boxes)
    apart = [place.grown(-MAX_OVERLAP_MM / 2) for place in places]
    if not across * down > 0 or any(one.overlaps(other) for one, other in combinations(apart, 2)):
        return tuple(boxes), 0.0
    return places, min(across, down, key=abs)


def _inset(spans: Sequence[tuple[float, float]], places: Sequence[float]) -> float:
    """Return how far inside all spans there are lines at both ends; negative outside, 0 without lines."""
    first = min(spans)[0]
    last = max(end for _, end in spans)
    tries = {round(place - first, 2) for place in places} | {round(last - place, 2) for place in places}
    near = sorted((one for one in tries if abs(one) <= MAX_BLEED_MM), key=lambda one: (one < 0, abs(one)))
    for inset in [0.0, *(one for one in near if abs(one) > 2 * TOLERANCE_MM)]:
        wanted = {round(end, 2) for start, stop in spans for end in (start + inset, stop - inset)}
        if all(any(abs(place - end) <= TOLERANCE_MM for place in places) for end in wanted):
            return inset and inset + _off(spans, inset, places)
    return 0.0


def _off(spans: Sequence[tuple[float, float]], inset: float, places: Sequence[float]) -> float:
    """Return the mean remaining distance of the nearest lines inside the spans."""
    inward = [min((place - start - inset for place in places), key=abs) for start, _ in spans]
    inward += [min((stop - inset - place for place in places), key=abs) for _, stop in spans]
    return sum(inward) / len(inward)
