"""Layouts of equal pieces in both orientations, parted by straight cuts from edge to edge."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import floor

from generator.core.geometry import Rect, Size

# Units in a mm: the search uses whole numbers, so that equal places compare equal.
UNITS_PER_MM = 1_000_000

# Tolerance, so that accumulated rounding never costs a piece.
ROUNDING_MM = 1e-4

# Cuts that are tried. Smaller pieces, which would need more, get a good layout that is not proved
# best.
MAX_CUTS_TRIED = 50_000

TURNS = (0, 90)

# A width and a height in units, with the gap after a piece.
UnitSize = tuple[int, int]


@dataclass
class Guillotine:
    """The search for one size of piece; a gap follows each piece.

    Only places that are sums of whole pieces are tried: any layout can be pushed together to such
    places.
    """

    piece: UnitSize
    places: list[int]
    best_by_area: dict[UnitSize, tuple[int, UnitSize | None]] = field(default_factory=dict)
    cuts_tried: int = 0

    @classmethod
    def for_area(cls, piece: Size, area: Size, gap: float) -> "Guillotine":
        """Return the search for a piece in areas up to this size, all in mm."""
        w = round((piece.w + gap) * UNITS_PER_MM)
        h = round((piece.h + gap) * UNITS_PER_MM)
        most = _to_units(max(area), gap)
        places = {i * w + j * h for i in range(most // w + 1) for j in range((most - i * w) // h + 1)}
        return cls((w, h), sorted(places))

    def _filled(self, length: int) -> int:
        """Return the largest part of a length that whole pieces can take."""
        return self.places[bisect_right(self.places, length) - 1]

    def grid(self, room: UnitSize, turn: int) -> UnitSize:
        """Return the columns and rows of pieces that all have this turn."""
        w, h = self.piece if not turn else self.piece[::-1]
        return room[0] // w, room[1] // h

    def count_pieces(self, room: UnitSize) -> int:
        """Return the number of pieces that fit."""
        return self._best((self._filled(room[0]), self._filled(room[1])))[0]

    def bound(self, room: UnitSize) -> int:
        """Return an upper bound on the pieces in an area, from the area that whole pieces can take."""
        return self._filled(room[0]) * self._filled(room[1]) // (self.piece[0] * self.piece[1])

    def _best(self, room: UnitSize) -> tuple[int, UnitSize | None]:
        """Return the number of pieces that fit and the first cut, from the left or from the top; None for a grid."""
        if room not in self.best_by_area:
            self.best_by_area[room] = self._search(room)
        return self.best_by_area[room]

    def _search(self, room: UnitSize) -> tuple[int, UnitSize | None]:
        grids = [columns * rows for columns, rows in (self.grid(room, turn) for turn in TURNS)]
        best: tuple[int, UnitSize | None] = (max(grids), None)
        bound = self.bound(room)
        for cut in self._cuts(room):
            if best[0] >= bound or self.cuts_tried > MAX_CUTS_TRIED:
                break
            self.cuts_tried += 1
            many = sum(map(self.count_pieces, _cut_in_two(room, cut)))
            best = (many, cut) if many > best[0] else best
        return best

    def _cuts(self, room: UnitSize) -> Iterator[UnitSize]:
        for place in self.places[1 : bisect_right(self.places, room[0] // 2)]:
            yield place, 0
        for place in self.places[1 : bisect_right(self.places, room[1] // 2)]:
            yield 0, place

    def place_pieces(self, room: UnitSize, left: int = 0, top: int = 0) -> Iterator[tuple[int, int, int]]:
        """Yield the left and top of each piece in units, and its turn in degrees."""
        room = self._filled(room[0]), self._filled(room[1])
        _, cut = self._best(room)
        if cut is None:
            turn = max(TURNS, key=lambda turn: self.grid(room, turn)[0] * self.grid(room, turn)[1])
            (columns, rows) = self.grid(room, turn)
            (w, h) = self.piece if not turn else self.piece[::-1]
            yield from ((left + n * w, top + m * h, turn) for m in range(rows) for n in range(columns))
            return
        first, second = _cut_in_two(room, cut)
        yield from self.place_pieces(first, left, top)
        yield from self.place_pieces(second, left + cut[0], top + cut[1])


def _cut_in_two(room: UnitSize, cut: UnitSize) -> tuple[UnitSize, UnitSize]:
    """Return the two parts of a cut, which runs from edge to edge."""
    x, y = cut
    return ((x, room[1]), (room[0] - x, room[1])) if x else ((room[0], y), (room[0], room[1] - y))


def _to_units(length: float, gap: float) -> int:
    return floor((length + gap + ROUNDING_MM) * UNITS_PER_MM)


def bound_capacity(piece: Size, area: Size, gap: float) -> int:
    """Return an upper bound on the pieces in an area, in any orientation."""
    return Guillotine.for_area(piece, area, gap).bound((_to_units(area.w, gap), _to_units(area.h, gap)))


def place_both_ways(piece: Size, area: Size, gap: float) -> list[tuple[Rect, int]]:
    """Return the trims of as many pieces as fit, centred in an area and row by row, with their turns in degrees."""
    room = _to_units(area.w, gap), _to_units(area.h, gap)
    places = list(Guillotine.for_area(piece, area, gap).place_pieces(room))
    trims = [(Rect(x / UNITS_PER_MM, y / UNITS_PER_MM, *piece.turned(turn)), turn) for x, y, turn in places]
    if not trims:
        return []
    whole = Rect.round_all([trim for trim, _ in trims])
    by = ((area.w - whole.w) / 2, (area.h - whole.h) / 2)
    return sorted(((trim.shifted(by), turn) for trim, turn in trims), key=lambda pair: (pair[0].y, pair[0].x))
