"""How far pieces may ink the paper round them when they lie in no grid."""

from collections.abc import Sequence
from itertools import combinations

from generator.core.geometry import EPSILON, Rect


def inks(trims: Sequence[Rect], bleeds: Sequence[float], printable: Rect) -> list[Rect]:
    """Each trim with its bleed, but only to the middle between neighbours, and where the printer reaches."""
    found = [trim.grown(bleed).common(printable) for trim, bleed in zip(trims, bleeds, strict=True)]
    for i, j in combinations(range(len(trims)), 2):
        if found[i].overlaps(found[j]):
            found[i], found[j] = _parted(found[i], found[j], trims[i], trims[j])
    return found


def _parted(a: Rect, b: Rect, mine: Rect, other: Rect) -> tuple[Rect, Rect]:
    """Two inks that overlap, cut at the middle of what lies between their trims."""
    if mine.right <= other.x + EPSILON or other.right <= mine.x + EPSILON:
        left, right = (mine, other) if mine.x < other.x else (other, mine)
        middle = (left.right + right.x) / 2
        cut = {left: (None, middle), right: (middle, None)}
        return _across(a, *cut[mine]), _across(b, *cut[other])
    swapped = _parted(_swap(a), _swap(b), _swap(mine), _swap(other))
    return _swap(swapped[0]), _swap(swapped[1])


def _across(rect: Rect, start: float | None, end: float | None) -> Rect:
    left = rect.x if start is None else max(rect.x, start)
    right = rect.right if end is None else min(rect.right, end)
    return Rect.between(left, rect.y, right, rect.bottom)


def _swap(rect: Rect) -> Rect:
    return Rect(rect.y, rect.x, rect.h, rect.w)
