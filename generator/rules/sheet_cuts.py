"""Number the straight cuts of a sheet, and draw them on a small picture of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from generator.base.fonts import FontFile
from generator.base.geometry import EPSILON, Affine, Point, Rect, Segment, Size
from generator.base.outline import Outline
from generator.base.units import number
from generator.impose.cutting.guillotine import number_cuts, plan_bed
from generator.impose.sheet import Bed, PlacedFace
from generator.picture.face import Face
from generator.picture.items import Box, Circle, Item, Path, PlacedPicture, Shape, Stroke, TextRun
from generator.text.shape import measure, measure_metrics

# Pieces farther apart than this have no gutter between them but an empty part of the sheet.
MAX_GUTTER_MM = 15.0

# More numbers than this would hide the sheet.
MAX_NUMBERED_CUTS = 60

# A number and the disc under it. Numbers of neighbouring cuts that would overlap move away from the
# sheet by a step.
DISC_RADIUS_MM = 1.7
NUMBER_MM = 2.5
NUMBER_STEP_MM = 3.6

# How far a cut is drawn beyond the outermost pieces, in mm of paper.
OVERSHOOT_MM = 3.0

CUT_LINE_MM = 0.3
PAPER_LINE_MM = 0.25
INK = "#1f1b18"
# White over the faces, so that the cuts stand out.
VEIL = "#ffffff8c"


@dataclass(frozen=True)
class NumberedCut:
    """A place of the ruler on a sheet: its number in the order of work, and the lines that are cut there."""

    number: int
    lines: tuple[Segment, ...]

    @property
    def is_upright(self) -> bool:
        """True for a cut down the sheet."""
        return self.lines[0].a.x == self.lines[0].b.x


def number_lines(bed: Bed) -> tuple[NumberedCut, ...]:
    """Return the cuts of sheets that are cut alike; none if straight cuts cannot part the pieces.

    Cuts right across the sheet come first. Each is as long as the pieces beside it, because a hand
    with a knife leaves the margin whole.
    """
    plan = plan_bed(bed) if any(_straight_boxes(bed)) else None
    if plan is None:
        return ()
    reach = Rect.round_all(bed.parts)
    places: dict[tuple[int, bool, float], list[Segment]] = {}
    for name, cut in number_cuts(plan):
        for line in cut.lines:
            is_level = line.a.y == line.b.y
            at = line.a.y if is_level else line.a.x
            places.setdefault((name.count("."), is_level, round(at, 3)), []).append(
                _shorten(line, reach)
            )
    return tuple(
        NumberedCut(index, tuple(sorted(places[key])))
        for index, key in enumerate(sorted(places), 1)
    )


def _straight_boxes(bed: Bed) -> Iterator[Rect]:
    """Yield the boxes of the pieces that a ruler cuts out."""
    return (out.box for out in bed.outlines if out.is_box and not out.is_circle)


def _shorten(line: Segment, reach: Rect) -> Segment:
    """Return the part of a level or upright line that lies near the pieces."""
    box = reach.grown(OVERSHOOT_MM)
    return Segment(
        *(Point(_clamp(at.x, box.x, box.right), _clamp(at.y, box.y, box.bottom)) for at in line)
    )


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


@dataclass(frozen=True)
class Gaps:
    """The gaps between neighbouring pieces of a job: none where cuts are shared, and gutters."""

    has_shared_cuts: bool
    has_gutters: bool


def find_gaps(beds: Sequence[Bed]) -> Gaps:
    """Return the kinds of gaps on sheets that straight cuts part."""
    gaps = [
        gap
        for bed in beds
        if number_lines(bed)
        for a, b in combinations(_straight_boxes(bed), 2)
        if (gap := _gap(a, b)) is not None
    ]
    return Gaps(
        has_shared_cuts=any(gap < EPSILON for gap in gaps),
        has_gutters=any(gap >= EPSILON for gap in gaps),
    )


def _gap(a: Rect, b: Rect) -> float | None:
    """Return the gap between two boxes side by side; None if they are not neighbours."""
    across = max(a.x, b.x) - min(a.right, b.right)
    down = max(a.y, b.y) - min(a.bottom, b.bottom)
    if min(across, down) > -EPSILON or not -EPSILON < max(across, down) <= MAX_GUTTER_MM:
        return None
    return max(0.0, across, down)


@dataclass(frozen=True)
class SheetPicture:
    """A small picture of a sheet with its numbered cuts; `faces` are those of the pack by name.

    The sheet on it is at most as large as `room`, in mm.
    """

    room: Size
    bed: Bed
    placed: Sequence[PlacedFace]
    faces: Mapping[str, Face]
    font: FontFile
    accent: str

    @cached_property
    def cuts(self) -> tuple[NumberedCut, ...]:
        """The cuts in their order."""
        return number_lines(self.bed)

    def draw(self) -> Face | None:
        """Return the picture; None if the sheet has no straight cuts or too many."""
        if not 0 < len(self.cuts) <= MAX_NUMBERED_CUTS:
            return None
        return Face(tuple(self._items()), self._box.size)

    @property
    def _scale(self) -> float:
        """The mm of the picture for each mm of the sheet."""
        paper = self.bed.paper
        return min(self.room.w / paper.w, self.room.h / paper.h)

    @property
    def _sheet(self) -> Rect:
        """The sheet, with its corner at the origin, in mm of the picture."""
        return Rect(0, 0, self._scale * self.bed.paper.w, self._scale * self.bed.paper.h)

    @cached_property
    def _box(self) -> Rect:
        """The box around the sheet and all numbers."""
        discs = [Rect(*at, 0, 0).grown(DISC_RADIUS_MM) for _, at in self._discs]
        return Rect.round_all([self._sheet, *discs]).grown(PAPER_LINE_MM)

    def _to_sheet(self, at: Point) -> Point:
        """Return the place of a point of the paper, from the corner of the sheet."""
        return (at - (self.bed.paper.x, self.bed.paper.y)).scaled(self._scale)

    def _to_picture(self, at: Point) -> Point:
        return self._to_sheet(at) - (self._box.x, self._box.y)

    def _items(self) -> Iterator[Item]:
        corner = (-self._box.x, -self._box.y)
        paper = Box(self._sheet.shifted(corner))
        yield Shape(paper, "#ffffff", Stroke(PAPER_LINE_MM, INK))
        for placed in self.placed:
            if face := self.faces.get(placed.face):
                yield self._face(face, placed)
        yield Shape(paper, VEIL)
        for cut in self.cuts:
            for line in cut.lines:
                a, b = map(self._to_picture, line)
                way = Path(f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}")
                yield Shape(way, stroke=Stroke(CUT_LINE_MM, self.accent))
        for serial, at in self._discs:
            middle = at + corner
            yield Shape(Circle(middle, DISC_RADIUS_MM), self.accent)
            yield self._digits(str(serial), middle)

    def _face(self, face: Face, placed: PlacedFace) -> PlacedPicture:
        """Return a face in its place, cut to its trim."""
        middle = Point(face.size.w / 2, face.size.h / 2)
        at = Affine.moving(middle, self._to_picture(placed.trim.centre), placed.turn, self._scale)
        return PlacedPicture(face, at, Outline.of_box(Rect(0, 0, *face.size)))

    def _digits(self, text: str, middle: Point) -> TextRun:
        """Return a number with its digits centred on a point."""
        wide = measure(text, self.font, NUMBER_MM)
        drop = measure_metrics(self.font).cap * NUMBER_MM / 2
        return TextRun(
            text, self.font, NUMBER_MM, middle.x - wide / 2, middle.y + drop, "#ffffff", 0.0, wide
        )

    @cached_property
    def _discs(self) -> tuple[tuple[int, Point], ...]:
        """The middle of each number: before the upper or left end of its cut, clear of other numbers."""
        discs: list[tuple[int, Point]] = []
        for cut in self.cuts:
            away = Point(0, -1) if cut.is_upright else Point(-1, 0)
            at = self._to_sheet(cut.lines[0].a) + away.scaled(DISC_RADIUS_MM)
            while any((at - other).length() < 2 * DISC_RADIUS_MM for _, other in discs):
                at += away.scaled(NUMBER_STEP_MM)
            discs.append((cut.number, at))
        return tuple(discs)
