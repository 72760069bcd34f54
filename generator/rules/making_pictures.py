"""The pictures of the how-to-make page: how a net is folded, and the cuts of a sheet in their order.

A net is in the plane, with its first panel towards the viewer, and folds away from the viewer. It
is seen from above and from the right by parallel projection, so each panel is an affine picture of
itself. Panels are painted from back to front.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import cos, radians, sin

from generator.base import polygon
from generator.base.fonts import FontFile
from generator.base.geometry import EPSILON, Affine, Point, Rect, Segment, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.impose.guillotine import number_cuts, plan_bed
from generator.impose.nets.net import (
    Corners,
    FlatNet,
    NetPanel,
    NetPlan,
    Vector,
    cross,
    find_normal,
    get_side,
    subtract,
)
from generator.impose.sheet import Bed, PlacedFace
from generator.picture.face import Face
from generator.picture.items import Box, Circle, Item, Path, PlacedPicture, Shape, Stroke, TextRun
from generator.rules.figures.pen import line_data
from generator.text.shape import measure, measure_metrics

# The share of the full bend in each picture.
STAGES = (0.0, 0.55, 1.0)

# Rotation of the folded net, so that three of its sides are visible.
YAW_DEGREES = 32.0
PITCH_DEGREES = 24.0

# Each picture is scaled to fit into this box: three of them side by side fit a page.
MAX_SIZE_MM = Size(52.0, 36.0)

# Around the drawing, so that half the line's width is not clipped.
MARGIN_MM = 0.6

LINE_MM = 0.3
# Dash patterns in mm: dots for folds away from the print, dashes for folds towards it, as on the
# sheets.
DOTS_MM = (0.2, 0.9)
DASHES_MM = (1.4, 1.1)

INK = "#1f1b18"
PAPER = "#f4f1ea"
FLAP = "#dcd6c8"
# Opacity of the black shade on a side that faces away from the light, and the light from which a
# side has no shade.
MAX_SHADE = 0.27
UNSHADED_LIGHT = 0.75

# A flap that lies at most this far behind a side is glued to it and invisible.
GLUED_MM = 0.6


def draw_stages(plan: NetPlan, faces: Mapping[int, Face]) -> tuple[Face, ...]:
    """Draw a picture for each of `STAGES`; `faces` are those of the printed panels, by index."""
    full_net = _with_tabs(plan)
    return tuple(FoldedView(full_net, faces, share).picture for share in STAGES)


def _with_tabs(plan: NetPlan) -> NetPlan:
    """Return the net with each glue tab as a panel of its own."""
    flat = FlatNet(plan)
    panels = list(plan.panels)
    for index, corners in flat.tabs.items():
        panel, edge = flat.rim[index]
        panels.append(NetPanel(corners, panel, edge, len(corners) - 1, has_face=False))
    return replace(plan, panels=tuple(panels), has_tabs=False, tabs=None)


def _rotate(at: Vector, yaw: float, pitch: float) -> Vector:
    """Rotate a point by yaw and pitch in degrees; a larger z is farther away."""
    x, y, z = at
    a = radians(yaw)
    b = radians(pitch)
    across = x * cos(a) + z * sin(a)
    away = z * cos(a) - x * sin(a)
    return across, y * cos(b) - away * sin(b), away * cos(b) + y * sin(b)


@dataclass(frozen=True)
class _Side:
    """A visible panel: its corners in the picture, the depth of its centre, and its shade."""

    panel: int
    corners: Corners
    depth: float
    outside: bool
    shade: float


@dataclass(frozen=True)
class FoldedView:
    """A net folded by a `share` (0 to 1) of its full bend."""

    plan: NetPlan
    faces: Mapping[int, Face]
    share: float

    @cached_property
    def _flat(self) -> FlatNet:
        bent = (
            panel if panel.bend is None else replace(panel, bend=panel.bend * self.share)
            for panel in self.plan.panels
        )
        return FlatNet(replace(self.plan, panels=tuple(bent), bend=self.plan.bend * self.share))

    @cached_property
    def bends(self) -> tuple[float, ...]:
        """The full bend of each panel in degrees; negative is towards the viewer."""
        flat = FlatNet(self.plan)
        return tuple(map(flat.get_bend, range(len(self.plan.panels))))

    @cached_property
    def space(self) -> tuple[tuple[Vector, ...], ...]:
        """The corners of every panel in space, in mm."""
        flat = self._flat
        return tuple(
            tuple(flat.fold_point(index, at) for at in panel)
            for index, panel in enumerate(flat.panels)
        )

    @cached_property
    def _sides(self) -> tuple[_Side, ...]:
        """The visible panels, the farthest first."""
        is_flat = self.share == 0
        yaw, pitch = (0.0, 0.0) if is_flat else (YAW_DEGREES, PITCH_DEGREES)
        sides = []
        for index, places in enumerate(self.space):
            if self._is_glued(index):
                continue
            rotated = [_rotate(at, yaw, pitch) for at in places]
            corners = tuple(Point(x, y) for x, y, _ in rotated)
            outside = polygon.cross(corners[1] - corners[0], corners[2] - corners[1]) > 0
            under = (not self.plan.panels[index].has_face) + (not outside)
            depth = sum(z for *_, z in rotated) / len(rotated) + GLUED_MM * under
            sides.append(
                _Side(
                    index,
                    corners,
                    depth,
                    outside,
                    0.0 if is_flat else self._shade(rotated, outside=outside),
                )
            )
        return tuple(sorted(sides, key=lambda side: -side.depth))

    def _shade(self, rotated: Sequence[Vector], *, outside: bool) -> float:
        """Return the shade of a side; the light comes from the upper left, behind the viewer."""
        x, y, z = find_normal(rotated)
        light = (x * -0.35 + y * -0.6 + z * -0.72) * (1 if outside else -1)
        return MAX_SHADE * min(1.0, max(0.0, UNSHADED_LIGHT - light))

    def _is_glued(self, index: int) -> bool:
        """Return True for a flap that lies behind a side of the finished model."""
        if self.share < 1 or self.plan.panels[index].has_face:
            return False
        middle = _middle(self.space[index])
        return any(
            self._is_behind(middle, at)
            for at, panel in enumerate(self.plan.panels)
            if panel.has_face
        )

    def _is_behind(self, place: Vector, panel: int) -> bool:
        """Return True if a point lies within `GLUED_MM` of a panel, inside its edges."""
        corners = self.space[panel]
        normal = find_normal(corners)
        if abs(_dot(subtract(place, corners[0]), normal)) > GLUED_MM:
            return False
        edges = zip(corners, corners[1:] + corners[:1], strict=True)
        signs = [_dot(cross(subtract(b, a), subtract(place, a)), normal) for a, b in edges]
        return all(sign >= -1e-6 for sign in signs) or all(sign <= 1e-6 for sign in signs)

    @property
    def picture(self) -> Face:
        """The folded net as a picture, as large as `MAX_SIZE_MM` allows."""
        box = polygon.box_around([at for side in self._sides for at in side.corners])
        scale = min(
            (MAX_SIZE_MM.w - 2 * MARGIN_MM) / box.w, (MAX_SIZE_MM.h - 2 * MARGIN_MM) / box.h
        )
        size = Size(scale * box.w + 2 * MARGIN_MM, scale * box.h + 2 * MARGIN_MM)
        to_picture = Affine(
            scale, 0, 0, scale, MARGIN_MM - scale * box.x, MARGIN_MM - scale * box.y
        )
        items = [item for side in self._sides for item in self._items(side, to_picture)]
        return Face(tuple(items), size)

    def _items(self, side: _Side, to_picture: Affine) -> Iterator[Item]:
        """Yield the items of a panel: its face, or its unprinted back if that is visible, its shade and its edges."""
        corners = tuple(to_picture.apply(at) for at in side.corners)
        face = self.faces.get(side.panel) if side.outside else None
        edges = Path(curve_data(Outline(corners).edges))
        yield Shape(edges, PAPER if self.plan.panels[side.panel].has_face else FLAP)
        if face:
            panel_corners = self.plan.panels[side.panel].corners
            box = polygon.box_around(panel_corners)
            local = tuple(at - (box.x, box.y) for at in panel_corners)
            yield PlacedPicture(face, _affine_between(local[:3], corners[:3]), Outline(local))
        if side.shade:
            yield Shape(edges, f"#000000{round(255 * side.shade):02x}")
        yield Shape(edges, stroke=Stroke(LINE_MM, INK, join="round"))
        if self.share == 0:
            yield from self._folds(side, to_picture)

    def _folds(self, side: _Side, to_picture: Affine) -> Iterator[Shape]:
        """Yield the fold that joins a panel to its parent on the flat net: a dashed or dotted line with a white rim."""
        row = self.plan.panels[side.panel]
        bend = self.bends[side.panel]
        if row.parent < 0 or not bend:
            return
        a, b = (to_picture.apply(at) for at in get_side(side.corners, row.own_side))
        fold = Path(line_data((a, b)))
        yield Shape(fold, stroke=Stroke(2 * LINE_MM, "#ffffff", cap="round"))
        yield Shape(
            fold,
            stroke=Stroke(1.6 * LINE_MM, INK, cap="round", dash=DOTS_MM if bend > 0 else DASHES_MM),
        )


def _affine_between(source: Corners, target: Corners) -> Affine:
    """Return the affine map that takes three points to three others."""

    def from_unit(a: Point, b: Point, c: Point) -> Affine:
        return Affine(*(b - a), *(c - a), *a)

    return from_unit(*target) @ from_unit(*source).inverse()


def _dot(a: Vector, b: Vector) -> float:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _middle(places: Sequence[Vector]) -> Vector:
    """Return the mean of some points."""
    x, y, z = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return x, y, z


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
# White over the faces, so that the cuts stand out.
VEIL = "#ffffff8c"


Cut = tuple[Segment, ...]
"""A place of the ruler on a sheet: the lines that are cut there."""


def number_lines(bed: Bed) -> tuple[Cut, ...]:
    """Return the cuts of sheets that are cut alike, in the order of work; none if straight cuts cannot part the pieces.

    Cuts right across the sheet come first. Each is as long as the pieces beside it, because a hand
    with a knife leaves the margin whole.
    """
    plan = plan_bed(bed) if any(_straight_boxes(bed)) else None
    if plan is None:
        return ()
    reach = Rect.around(bed.parts)
    places: dict[tuple[int, bool, float], list[Segment]] = {}
    for name, cut in number_cuts(plan):
        for line in cut.lines:
            is_level = line.a.y == line.b.y
            at = line.a.y if is_level else line.a.x
            places.setdefault((name.count("."), is_level, round(at, 3)), []).append(
                _shorten(line, reach)
            )
    return tuple(tuple(sorted(places[key])) for key in sorted(places))


def _straight_boxes(bed: Bed) -> Iterator[Rect]:
    """Yield the boxes of the pieces that a ruler cuts out."""
    return (out.box for out in bed.outlines if out.is_rectangle)


def _shorten(line: Segment, reach: Rect) -> Segment:
    """Return the part of a level or upright line that lies near the pieces."""
    box = reach.grown(OVERSHOOT_MM)
    return Segment(
        *(Point(_clamp(at.x, box.x, box.right), _clamp(at.y, box.y, box.bottom)) for at in line)
    )


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def find_gaps(beds: Sequence[Bed]) -> set[str]:
    """Return the kinds of gaps on sheets that straight cuts part: `shared` cuts, and `gutter`."""
    return {
        "shared" if gap < EPSILON else "gutter"
        for bed in beds
        if number_lines(bed)
        for a, b in combinations(_straight_boxes(bed), 2)
        if (gap := _gap(a, b)) is not None
    }


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

    The sheet on it is at most as large as `max_size`, in mm.
    """

    max_size: Size
    bed: Bed
    placed: Sequence[PlacedFace]
    faces: Mapping[str, Face]
    font: FontFile
    accent: str

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
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
        return min(self.max_size.w / paper.w, self.max_size.h / paper.h)

    @property
    def _sheet(self) -> Rect:
        """The sheet, with its corner at the origin, in mm of the picture."""
        return Rect(0, 0, self._scale * self.bed.paper.w, self._scale * self.bed.paper.h)

    @cached_property
    def _box(self) -> Rect:
        """The box around the sheet and all numbers."""
        discs = [Rect(*at, 0, 0).grown(DISC_RADIUS_MM) for _, at in self._discs]
        return Rect.around([self._sheet, *discs]).grown(PAPER_LINE_MM)

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
            for line in cut:
                way = Path(line_data(tuple(map(self._to_picture, line))))
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
        width = measure(text, self.font, NUMBER_MM)
        drop = measure_metrics(self.font).cap * NUMBER_MM / 2
        return TextRun(
            text, self.font, NUMBER_MM, middle.x - width / 2, middle.y + drop, "#ffffff", 0.0, width
        )

    @cached_property
    def _discs(self) -> tuple[tuple[int, Point], ...]:
        """The middle of each number: before the upper or left end of its cut, clear of other numbers."""
        discs: list[tuple[int, Point]] = []
        for serial, (line, *_) in enumerate(self.cuts, 1):
            away = Point(0, -1) if line.a.x == line.b.x else Point(-1, 0)
            at = self._to_sheet(line.a) + away.scaled(DISC_RADIUS_MM)
            while any((at - other).length() < 2 * DISC_RADIUS_MM for _, other in discs):
                at += away.scaled(NUMBER_STEP_MM)
            discs.append((serial, at))
        return tuple(discs)
