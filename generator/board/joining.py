"""What a pack says of sides: which links join, which sides fit, and what closes a link's end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

Pair = frozenset[str]


def pair(one: str, other: str) -> Pair:
    """Two names in no order; one name twice is a pair of that name with itself."""
    return frozenset((one, other))


@dataclass(frozen=True)
class Joining:
    """How sides meet.

    Links of one kind always join; `joins` adds pairs of kinds. Labels meet their own, unless `fits` names pairs for
    them. A link's end at a labelled side is closed when that label or the one it faces is in `closed_at`, unless the
    one it faces is in `reopened_by`. A link with one side and no feature ends by itself when its kind is in
    `dead_ends`.
    """

    joins: frozenset[Pair] = frozenset()
    fits: frozenset[Pair] = frozenset()
    closed_at: frozenset[str] = frozenset()
    reopened_by: frozenset[str] = frozenset()
    dead_ends: frozenset[str] = frozenset()

    def kinds_join(self, one: str, other: str) -> bool:
        """Whether links of these kinds join where they meet."""
        return one == other or pair(one, other) in self.joins

    def kinds_match(self, ones: Iterable[str], others: Iterable[str]) -> bool:
        """Whether every link that reaches one side can join one of its own that reaches the other."""
        mine, theirs = sorted(ones), sorted(others)
        if mine == theirs:
            return True
        return len(mine) == len(theirs) and any(
            all(map(self.kinds_join, mine, order)) for order in permutations(theirs)
        )

    def labels_fit(self, one: str | None, other: str | None) -> bool:
        """Whether sides with these labels may touch."""
        if one is None or other is None:
            return one is other
        if any(one in fit or other in fit for fit in self.fits):
            return pair(one, other) in self.fits
        return one == other

    def closes(self, own: str | None, faced: str | None) -> bool:
        """Whether a link's end is closed by the labels of its side and of the side that it faces."""
        return faced not in self.reopened_by and bool({own, faced} & self.closed_at)


PLAIN = Joining()
"""Links join their own kind, and nothing but a feature closes an end."""
