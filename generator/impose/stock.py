"""Distribution of pieces over papers in limited stock: the fewest sheets, then the least paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil

from generator.base.errors import InvalidValueError, Kind
from generator.impose.impose import count_per_sheet, key_of_kind
from generator.impose.setup import Setup
from generator.impose.sheet import Piece

# Tolerance for fractions of a piece per sheet, such as a third, whose sums are not exact.
ROUNDING_PIECES = 1e-9

# The number of sheets of each paper.
SheetCounts = tuple[int, ...]


@dataclass(frozen=True)
class PaperStock:
    """A paper with its setup, and the number of sheets in stock."""

    setup: Setup
    count: int


@dataclass(frozen=True)
class EqualPieces:
    """Pieces that share sheets, and how many fit on a sheet of each paper (a fraction or 0 is possible)."""

    pieces: tuple[Piece, ...]
    capacities: tuple[float, ...]

    def count_on(self, index: int, sheets: int) -> int:
        """Return how many pieces fit on this many sheets of a paper."""
        return int(sheets * self.capacities[index] + ROUNDING_PIECES)

    def find_ways(self, stock: SheetCounts) -> Iterator[SheetCounts]:
        """Yield the sheets that take all pieces; the last paper takes the rest."""
        ranges = [
            range(min(count, self._needed(number, len(self.pieces))) + 1)
            for number, count in enumerate(stock[:-1])
        ]
        for counts in product(*ranges):
            left = len(self.pieces) - sum(
                self.count_on(index, sheets) for index, sheets in enumerate(counts)
            )
            last = self._needed(len(counts), max(0, left))
            if last <= stock[-1] and (left <= 0 or self.capacities[-1]):
                yield (*counts, last)

    def _needed(self, index: int, pieces: int) -> int:
        return (
            ceil(pieces / self.capacities[index] - ROUNDING_PIECES) if self.capacities[index] else 0
        )


def distribute_pieces(pieces: Sequence[Piece], papers: Sequence[PaperStock]) -> list[list[Piece]]:
    """Return the pieces for each paper; raise InvalidValueError if the stock does not suffice."""
    groups: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(key_of_kind(piece), []).append(piece)
    equal_groups = [
        EqualPieces(tuple(group), tuple(count_per_sheet(group, row.setup) for row in papers))
        for group in groups.values()
    ]
    ways = _fewest(equal_groups, papers)
    by_paper: list[list[Piece]] = [[] for _ in papers]
    for group, sheets in zip(equal_groups, ways, strict=True):
        start = 0
        for index, count in enumerate(sheets):
            end = start + group.count_on(index, count)
            by_paper[index] += group.pieces[start:end]
            start = end
    return by_paper


def _fewest(groups: Sequence[EqualPieces], papers: Sequence[PaperStock]) -> tuple[SheetCounts, ...]:
    """Return the sheets of each group that use the fewest sheets, then the least paper.

    Of all ways that use equal parts of the first papers, only the one that uses least of the last
    is followed.
    """
    stock = tuple(row.count for row in papers)
    counts_by_use: dict[SheetCounts, tuple[SheetCounts, ...]] = {(0,) * len(papers): ()}
    for group in groups:
        best: dict[SheetCounts, tuple[SheetCounts, tuple[SheetCounts, ...]]] = {}
        for (used, before), more in product(counts_by_use.items(), group.find_ways(stock)):
            now = tuple(a + b for a, b in zip(used, more, strict=True))
            if all(a <= b for a, b in zip(now, stock, strict=True)) and (
                now[:-1] not in best or now < best[now[:-1]][0]
            ):
                best[now[:-1]] = now, (*before, more)
        counts_by_use = dict(best.values())
    if not counts_by_use:
        raise _not_enough_paper(groups, papers)
    areas = [row.setup.paper.size.w * row.setup.paper.size.h for row in papers]
    best_of_all = min(
        counts_by_use,
        key=lambda used: (sum(used), sum(a * b for a, b in zip(used, areas, strict=True))),
    )
    return counts_by_use[best_of_all]


def _not_enough_paper(
    groups: Sequence[EqualPieces], papers: Sequence[PaperStock]
) -> InvalidValueError:
    stock = " and ".join(
        f"{row.count} sheet{'' if row.count == 1 else 's'} of {row.setup.paper.title}"
        for row in papers
    )
    for group in groups:
        if not any(group.capacities):
            return InvalidValueError(
                f"{group.pieces[0].component}: a piece fits on none of the papers",
                "a larger paper",
                "",
                Kind.FIT,
            )
    piece_count = sum(len(group.pieces) for group in groups)
    return InvalidValueError(
        f"{piece_count} pieces do not fit on {stock}",
        "more sheets",
        "",
        Kind.FIT,
    )
