"""Find rows of equal pieces among positions on an axis: the starts and ends of pieces in a grid."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.base.geometry import Rect
from generator.relay.page import Ruling

# Positions that are nearer are equal.
TOLERANCE_MM = 0.25

# The narrowest piece.
MIN_PIECE_MM = 12.0

# The widest gap between pieces, as a share of a piece's width.
MAX_GAP_SHARE = 0.45

# Positions of an axis that are considered: those with the most weight.
MAX_POSITIONS = 40


class Step(NamedTuple):
    """A position on an axis, and the weight of the evidence for an edge there."""

    at: float
    weight: float


@dataclass(frozen=True)
class PieceRow:
    """A row of pieces: its start, their width, and the pitch, in mm.

    `explained` is the share of all weight that is on their edges.
    """

    first: float
    width: float
    pitch: float
    count: int
    explained: float = 1.0

    @property
    def spans(self) -> list[tuple[float, float]]:
        """The start and end of each piece."""
        starts = [self.first + index * self.pitch for index in range(self.count)]
        return [(start, start + self.width) for start in starts]


def grid_places(across: PieceRow, down: PieceRow) -> tuple[Rect, ...]:
    """Return the places of a grid, row by row."""
    return tuple(
        Rect.between(x, y, right, bottom) for y, bottom in down.spans for x, right in across.spans
    )


def merge_positions(steps: Iterable[Step]) -> list[Step]:
    """Merge positions within `TOLERANCE_MM` of each other and add their weights."""
    groups: list[list[Step]] = []
    for step in sorted(steps):
        if groups and step.at - groups[-1][-1].at <= TOLERANCE_MM:
            groups[-1].append(step)
        else:
            groups.append([step])
    return [
        Step(sum(entry.at * entry.weight for entry in group) / weight, weight)
        for group in groups
        if (weight := sum(item.weight for item in group)) > 0
    ]


def steps_of(rulings: Iterable[Ruling], *, upright: bool) -> list[Step]:
    """Return the positions of upright or level lines that mark edges, weighted by the number of lines."""
    lines = [line for line in rulings if line.upright is upright and not line.dashed]
    places = merge_positions(Step(line.at, 1.0) for line in lines)
    return [
        step
        for step in places
        if _span_an_edge([line for line in lines if abs(line.at - step.at) <= TOLERANCE_MM])
    ]


def _span_an_edge(lines: Sequence[Ruling]) -> bool:
    """Return True if lines at one position mark both ends of an edge, or all of it."""
    return max(line.end for line in lines) - min(line.start for line in lines) > 2 * MIN_PIECE_MM


def find_row(
    steps: Sequence[Step], count: int | None = None, tolerance: float = TOLERANCE_MM
) -> PieceRow | None:
    """Return the row of pieces that fits the positions best, or None; `count` fixes its number of pieces.

    Positions within `tolerance` mm are equal.
    """
    strong = sorted(sorted(steps, key=lambda step: -step.weight)[:MAX_POSITIONS])
    total_weight = sum(step.weight for step in strong)
    candidates = [
        item for item in _candidate_rows(strong, tolerance) if count in {None, item.count}
    ]
    if not candidates or not total_weight:
        return None
    extent = strong[-1].at - strong[0].at
    best = max(candidates, key=lambda row: _score(row, extent, strong, tolerance))
    return _fit_row(best, strong, total_weight, tolerance)


def _candidate_rows(steps: Sequence[Step], tolerance: float) -> Iterable[PieceRow]:
    """Yield the rows that begin with any two positions as the first piece and a third as the second one's start."""
    places = [step.at for step in steps]
    for index, first in enumerate(places):
        for end_index, end in enumerate(places[index + 1 :], index + 1):
            width = end - first
            if width < MIN_PIECE_MM:
                continue
            yield PieceRow(first, width, width, 1)
            for start in places[end_index:]:
                pitch = start - first
                if pitch - width > MAX_GAP_SHARE * width:
                    break
                row = _extend_row(places, PieceRow(first, width, pitch, 1), tolerance)
                if row.count > 1:
                    yield row


def _extend_row(places: Sequence[float], row: PieceRow, tolerance: float) -> PieceRow:
    """Return the longest row of positions that begins with `row`.

    Each next position is predicted from the last two: an edge that is off by 0.1 mm would be off by
    0.8 mm after eight pieces.
    """
    count = 1
    start = row.first
    pitch = row.pitch
    while True:
        next_start = _nearest_within(places, start + pitch, tolerance)
        if (
            next_start is None
            or _nearest_within(places, start + pitch + row.width, tolerance) is None
        ):
            return PieceRow(row.first, row.width, pitch, count)
        start = next_start
        pitch = (start - row.first) / count
        count += 1


def _nearest_within(places: Sequence[float], at: float, tolerance: float) -> float | None:
    nearest = min(places, key=lambda place: abs(place - at))
    return nearest if abs(nearest - at) <= tolerance else None


def _weight_on_edges(row: PieceRow, steps: Sequence[Step], tolerance: float) -> float:
    """Return the weight of the positions that are edges of a row's pieces."""
    ends = [end for span in row.spans for end in span]
    return sum(
        step.weight for step in steps if any(abs(step.at - end) <= tolerance for end in ends)
    )


def _score(row: PieceRow, extent: float, steps: Sequence[Step], tolerance: float) -> float:
    """Return the score of a row: mostly the share of the extent that its pieces cover."""
    covered = row.count * row.width / extent if extent else 0.0
    explained = _weight_on_edges(row, steps, tolerance) / sum(step.weight for step in steps)
    # Judgements: a row whose edges have all the weight scores three times a row without any, so
    # that wide pieces across many lines lose. Of equal rows, two pieces are preferred to one.
    return covered * (0.5 + explained) + 0.01 * min(row.count, 2)


def _fit_row(
    row: PieceRow, steps: Sequence[Step], total_weight: float, tolerance: float
) -> PieceRow:
    """Return the row fitted to all of its edges by least squares, since each is slightly off."""
    places = [step.at for step in steps]
    edges = [[_nearest_within(places, end, tolerance) for end in span] for span in row.spans]
    starts = [
        at if at is not None else span[0] for (at, _), span in zip(edges, row.spans, strict=True)
    ]
    ends = [
        at if at is not None else span[1] for (_, at), span in zip(edges, row.spans, strict=True)
    ]
    pitch = (_slope(starts) + _slope(ends)) / 2 if row.count > 1 else row.pitch
    middle = (row.count - 1) / 2
    first = sum(starts) / row.count - middle * pitch
    last = sum(ends) / row.count - middle * pitch
    return PieceRow(
        first,
        last - first,
        pitch,
        row.count,
        _weight_on_edges(row, steps, tolerance) / total_weight,
    )


def _slope(values: Sequence[float]) -> float:
    """Return the slope of the straight line through values at equal distances, by least squares."""
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    above = sum((number - middle) * (value - mean) for number, value in enumerate(values))
    return above / sum((index - middle) ** 2 for index in range(len(values)))
