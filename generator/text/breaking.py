"""Where the lines of a paragraph end: as few lines as can be, and those as even as can be.

All ways of breaking are compared, as TeX does it, rather than each line filled
in turn: the words that a line may take are few, so this costs little.
"""

from itertools import pairwise

from generator.text.breaks import Break
from generator.text.paragraph import Paragraph

_LINE = 1e6
"""A further line is worse than any unevenness,"""
_OVERFULL = 1e9
"""and a line that is too wide, which only an unbreakable word makes, worse than any further line."""
_UNEVEN = 100.0
_HYPHEN = 6.0


def line_breaks(paragraph: Paragraph, width: float, last: float) -> list[tuple[int, Break]]:
    """Each line's beginning and the break that ends it; `last` is how much the last line's emptiness counts, 0 to 1."""
    starts, ends = paragraph.reach.starts, paragraph.reach.ends
    costs, previous = [0.0], []
    for j, place in enumerate(paragraph.breaks):
        weight = last if j == len(ends) - 1 else 1.0
        extra = _LINE + (_HYPHEN if place.hyphen else 0.0)
        best, chosen = float("inf"), j
        for i in range(j, -1, -1):
            slack = (width - ends[j] + starts[i]) / width
            if slack < 0 and i < j:
                break
            cost = costs[i] + extra + (weight * _UNEVEN * slack * slack if slack >= 0 else _OVERFULL)
            if cost < best:
                best, chosen = cost, i
        costs.append(best)
        previous.append(chosen)
    return _chosen(paragraph, previous)


def _chosen(paragraph: Paragraph, previous: list[int]) -> list[tuple[int, Break]]:
    """Walk back from the paragraph's end along the best way."""
    way = [len(previous)]
    while way[-1]:
        way.append(previous[way[-1] - 1])
    places = [Break(0), *paragraph.breaks]
    return [(places[start].at, places[end]) for start, end in pairwise(reversed(way))]
