"""Pieces of one size that lie both ways on a sheet, as many as straight cuts from edge to edge can part."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import floor

from generator.core.geometry import Rect, Size

FINE = 1_000_000
"""Parts of a mm in which it counts: what agrees to that is one place."""

OVER = 1e-4
"""So much, in mm, many roundings may take together without a piece less."""

PATIENCE = 50_000
"""Cuts that are tried: pieces so small that they need more come out well, and are not proved to be the most."""

TURNS = (0, 90)

Parts = tuple[int, int]
"""A width and a height in parts of a mm, with the gap after a piece."""


@dataclass
class Guillotine:
    """The search for one size of piece on sheets up to a width and height; a gap lies after each piece.

    Only places are tried that whole pieces side by side lead to: any layout can be pushed together to such.
    """

    piece: Parts
    places: list[int]
    found: dict[Parts, tuple[int, Parts | None]] = field(default_factory=dict)
    tried: int = 0

    @classmethod
    def of(cls, piece: Size, area: Size, gap: float) -> "Guillotine":
        """The search for what fits into such an area, all in mm."""
        w, h = round((piece.w + gap) * FINE), round((piece.h + gap) * FINE)
        most = _parts(max(area), gap)
        places = {i * w + j * h for i in range(most // w + 1) for j in range((most - i * w) // h + 1)}
        return cls((w, h), sorted(places))

    def _filled(self, length: int) -> int:
        """So much of a length whole pieces can take."""
        return self.places[bisect_right(self.places, length) - 1]

    def grid(self, room: Parts, turn: int) -> Parts:
        """Columns and rows of pieces that all lie alike."""
        w, h = self.piece if not turn else self.piece[::-1]
        return room[0] // w, room[1] // h

    def most(self, room: Parts) -> int:
        """How many pieces fit."""
        return self._best((self._filled(room[0]), self._filled(room[1])))[0]

    def bound(self, room: Parts) -> int:
        """More do not fit, however they lie: what whole pieces can take of the room, in pieces."""
        return self._filled(room[0]) * self._filled(room[1]) // (self.piece[0] * self.piece[1])

    def _best(self, room: Parts) -> tuple[int, Parts | None]:
        """How many fit, and where it is cut first: so far from the left, or from the top; none for a plain grid."""
        if room not in self.found:
            self.found[room] = self._search(room)
        return self.found[room]

    def _search(self, room: Parts) -> tuple[int, Parts | None]:
        grids = [columns * rows for columns, rows in (self.grid(room, turn) for turn in TURNS)]
        best: tuple[int, Parts | None] = (max(grids), None)
        bound = self.bound(room)
        for cut in self._cuts(room):
            if best[0] >= bound or self.tried > PATIENCE:
                break
            self.tried += 1
            many = sum(map(self.most, _halves(room, cut)))
            best = (many, cut) if many > best[0] else best
        return best

    def _cuts(self, room: Parts) -> Iterator[Parts]:
        for place in self.places[1 : bisect_right(self.places, room[0] // 2)]:
            yield place, 0
        for place in self.places[1 : bisect_right(self.places, room[1] // 2)]:
            yield 0, place

    def laid(self, room: Parts, left: int = 0, top: int = 0) -> Iterator[tuple[int, int, int]]:
        """The left and top of each piece, and its turn."""
        room = self._filled(room[0]), self._filled(room[1])
        _, cut = self._best(room)
        if cut is None:
            turn = max(TURNS, key=lambda turn: self.grid(room, turn)[0] * self.grid(room, turn)[1])
            (columns, rows), (w, h) = self.grid(room, turn), self.piece if not turn else self.piece[::-1]
            yield from ((left + n * w, top + m * h, turn) for m in range(rows) for n in range(columns))
            return
        first, second = _halves(room, cut)
        yield from self.laid(first, left, top)
        yield from self.laid(second, left + cut[0], top + cut[1])


def _halves(room: Parts, cut: Parts) -> tuple[Parts, Parts]:
    """The two parts of a cut: in one direction it goes from edge to edge."""
    x, y = cut
    return ((x, room[1]), (room[0] - x, room[1])) if x else ((room[0], y), (room[0], room[1] - y))


def _parts(length: float, gap: float) -> int:
    return floor((length + gap + OVER) * FINE)


def bound(piece: Size, area: Size, gap: float) -> int:
    """More pieces than this fit into an area in no way."""
    return Guillotine.of(piece, area, gap).bound((_parts(area.w, gap), _parts(area.h, gap)))


def both_ways(piece: Size, area: Size, gap: float) -> list[tuple[Rect, int]]:
    """The trims of as many pieces as fit in the middle of an area, row by row, and how each is turned (degrees)."""
    room = _parts(area.w, gap), _parts(area.h, gap)
    places = list(Guillotine.of(piece, area, gap).laid(room))
    trims = [(Rect(x / FINE, y / FINE, *piece.turned(turn)), turn) for x, y, turn in places]
    if not trims:
        return []
    whole = Rect.round_all([trim for trim, _ in trims])
    by = ((area.w - whole.w) / 2, (area.h - whole.h) / 2)
    return sorted(((trim.shifted(by), turn) for trim, turn in trims), key=lambda pair: (pair[0].y, pair[0].x))
