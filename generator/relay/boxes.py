"""Boxes of one size that lie beside each other: the frames or pictures of pieces."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from generator.core.geometry import Rect, Size
from generator.relay.lattice import LEAST, NEAR
from generator.relay.page import Ruling

SAME = 0.3
"""mm; sizes that differ by less are one."""

LAPS = 0.6
"""mm; frames of neighbours may lie over each other so far."""

LARGEST = 0.7
"""Of the page; a box that covers more is its ground."""

WIDEST_BLEED = 8.0
"""mm; cut marks lie no farther inside a box."""

SLIM = 2.6
"""Times as long as wide: what is slimmer is a strip and no piece, if it holds several boxes."""

FILLED = 0.7
"""Of a strip; so much of it those boxes cover."""


def clusters(boxes: Iterable[Rect], page: Rect, known: Sequence[Size] = ()) -> list[tuple[Rect, ...]]:
    """Pieces by size, those first that cover most of the page; one alone only where its size is `known`."""
    whole = page.w * page.h
    rest = [box for box in _apart(boxes) if min(box.size) >= LEAST and box.w * box.h < LARGEST * whole]
    rest = [box for box in rest if page.grown(NEAR).holds(box)]
    found: list[tuple[Rect, ...]] = []
    groups = [group for group in map(tuple, _by_size(rest)) if _are_pieces(group, known)]
    while groups:
        best = max(groups, key=_area)
        best = next((group for group in groups if _are_cells_of(group, best)), best)
        found.append(tuple(sorted(best, key=lambda box: (round(box.y, 1), box.x))))
        groups = [group for group in groups if not any(one.overlaps(other) for one in group for other in best)]
    return found


def _apart(boxes: Iterable[Rect]) -> list[Rect]:
    """Each box once."""
    seen: dict[tuple[int, ...], Rect] = {}
    for box in boxes:
        seen.setdefault(tuple(round(number / NEAR) for number in box), box)
    kept: list[Rect] = []
    for box in seen.values():
        if not any(max(abs(a - b) for a, b in zip(box, other, strict=True)) < NEAR for other in kept[-50:]):
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


def alike(one: Size, other: Size, off: float = SAME) -> bool:
    """Whether two sizes are one, as far as a drawing program is exact."""
    return abs(one.w - other.w) < off and abs(one.h - other.h) < off


def _are_pieces(group: Sequence[Rect], known: Sequence[Size]) -> bool:
    if len(group) == 1:
        return any(alike(group[0].size, size) for size in known)
    shrunk = [box.grown(-LAPS / 2) for box in group]
    return len(group) <= 400 and not any(one.overlaps(other) for one, other in combinations(shrunk, 2))


def _area(group: Sequence[Rect]) -> float:
    return sum(box.w * box.h for box in group)


def _are_cells_of(group: Sequence[Rect], strips: Sequence[Rect]) -> bool:
    """Whether boxes are the cells of strips, as those of a table are."""
    w, h = strips[0].size
    if max(w, h) < SLIM * min(w, h) or len(group) < 2 * len(strips) or _area(group) < FILLED * _area(strips):
        return False
    return all(any(strip.grown(NEAR).holds(box) for strip in strips) for box in group)


def trimmed(boxes: Sequence[Rect], rulings: Iterable[Ruling]) -> tuple[tuple[Rect, ...], float]:
    """What cut marks make of boxes: without their bleed, or with the rim of which they are the inside; and how much.

    As they are, where marks say nothing.
    """
    lines = list(rulings)
    across = _inset([(box.x, box.right) for box in boxes], [line.at for line in lines if line.upright])
    down = _inset([(box.y, box.bottom) for box in boxes], [line.at for line in lines if not line.upright])
    places = tuple(Rect.between(box.x + across, box.y + down, box.right - across, box.bottom - down) for box in boxes)
    apart = [place.grown(-LAPS / 2) for place in places]
    if not across * down > 0 or any(one.overlaps(other) for one, other in combinations(apart, 2)):
        return tuple(boxes), 0.0
    return places, min(across, down, key=abs)


def _inset(spans: Sequence[tuple[float, float]], places: Sequence[float]) -> float:
    """How far inside all spans there are lines at both ends, below 0 for outside; 0 where there are none."""
    first, last = min(spans)[0], max(end for _, end in spans)
    tries = {round(place - first, 2) for place in places} | {round(last - place, 2) for place in places}
    near = sorted((one for one in tries if abs(one) <= WIDEST_BLEED), key=lambda one: (one < 0, abs(one)))
    for inset in [0.0, *(one for one in near if abs(one) > 2 * NEAR)]:
        wanted = {round(end, 2) for start, stop in spans for end in (start + inset, stop - inset)}
        if all(any(abs(place - end) <= NEAR for place in places) for end in wanted):
            return inset and inset + _off(spans, inset, places)
    return 0.0


def _off(spans: Sequence[tuple[float, float]], inset: float, places: Sequence[float]) -> float:
    """By how much more the lines that are nearest lie inside, on the whole."""
    inward = [min((place - start - inset for place in places), key=abs) for start, _ in spans]
    inward += [min((stop - inset - place for place in places), key=abs) for _, stop in spans]
    return sum(inward) / len(inward)
