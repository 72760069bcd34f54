"""Distribution of pieces over papers in limited stock: the fewest sheets, then the least paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil

from generator.core.problems import Kind, Wrong
from generator.impose.lay import held, kind
from generator.impose.setup import Setup
from generator.impose.sheet import Piece

# The number of sheets of each paper.
Sheets = tuple[int, ...]


@dataclass(frozen=True)
class InStock:
    """A paper with its setup, and the number of sheets in stock."""

    setup: Setup
    count: int


@dataclass(frozen=True)
class AlikePieces:
    """Pieces that share sheets, and how many fit on a sheet of each paper (a fraction or 0 is possible)."""

    pieces: tuple[Piece, ...]
    holds: tuple[float, ...]

    def on(self, nth: int, sheets: int) -> int:
        """Return how many pieces fit on this many sheets of a paper."""
        return int(sheets * self.holds[nth] + 1e-9)

    def ways(self, most: Sheets) -> Iterator[Sheets]:
        """Yield the sheets that take all pieces; the last paper takes the rest."""
        ranges = [range(min(count, self._needed(nth, len(self.pieces))) + 1) for nth, count in enumerate(most[:-1])]
        for few in product(*ranges):
            left = len(self.pieces) - sum(self.on(nth, sheets) for nth, sheets in enumerate(few))
            last = self._needed(len(few), max(0, left))
            if last <= most[-1] and (left <= 0 or self.holds[-1]):
                yield (*few, last)

    def _needed(self, nth: int, pieces: int) -> int:
        return ceil(pieces / self.holds[nth] - 1e-9) if self.holds[nth] else 0


def shared_out(pieces: Sequence[Piece], papers: Sequence[InStock]) -> list[list[Piece]]:
    """Return the pieces for each paper; raise Wrong if the stock does not suffice."""
    groups: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(kind(piece), []).append(piece)
    alike = [AlikePieces(tuple(group), tuple(held(group, row.setup) for row in papers)) for group in groups.values()]
    ways = _fewest(alike, papers)
    found: list[list[Piece]] = [[] for _ in papers]
    for group, sheets in zip(alike, ways, strict=True):
        start = 0
        for nth, count in enumerate(sheets):
            end = start + group.on(nth, count)
            found[nth] += group.pieces[start:end]
            start = end
    return found


def _fewest(groups: Sequence[AlikePieces], papers: Sequence[InStock]) -> tuple[Sheets, ...]:
    """Return the sheets of each group that use the fewest sheets, then the least paper.

    Of all ways that use equal parts of the first papers, only the one that uses least of the last is
    followed.
    """
    most = tuple(row.count for row in papers)
    found: dict[Sheets, tuple[Sheets, ...]] = {(0,) * len(papers): ()}
    for group in groups:
        best: dict[Sheets, tuple[Sheets, tuple[Sheets, ...]]] = {}
        for (used, before), more in product(found.items(), group.ways(most)):
            now = tuple(a + b for a, b in zip(used, more, strict=True))
            if all(a <= b for a, b in zip(now, most, strict=True)) and now < best.get(now[:-1], ((1 << 30,), ()))[0]:
                best[now[:-1]] = now, (*before, more)
        found = dict(best.values())
    if not found:
        raise _too_few(groups, papers)
    areas = [row.setup.paper.size.w * row.setup.paper.size.h for row in papers]
    best_of_all = min(found, key=lambda used: (sum(used), sum(a * b for a, b in zip(used, areas, strict=True))))
    return found[best_of_all]


def _too_few(groups: Sequence[AlikePieces], papers: Sequence[InStock]) -> Wrong:
    there = " and ".join(f"{row.count} of {row.setup.paper.title}" for row in papers)
    for group in groups:
        if not any(group.holds):
            return Wrong(
                f"{group.pieces[0].component}: a piece fits on none of the papers", "a larger paper", "", Kind.FIT
            )
    many = sum(len(group.pieces) for group in groups)
    return Wrong(f"{many} pieces do not fit on the sheets that there are, {there}", "more sheets", "", Kind.FIT)
