"""Draw the steps of folding a net: flat, half folded and done, with the printed faces on it.

A net is in the plane, with its first panel towards the viewer, and folds away from the viewer. It
is seen from above and from the right by parallel projection, so each panel is an affine picture of
itself. Panels are painted from back to front.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin

from generator.base import polygon
from generator.base.geometry import Affine, Point, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.units import number
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
from generator.picture.face import Face
from generator.picture.items import Item, Path, PlacedPicture, Shape, Stroke

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
    flat = FlatNet(plan, 0)
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
        return FlatNet(replace(self.plan, panels=tuple(bent), bend=self.plan.bend * self.share), 0)

    @cached_property
    def bends(self) -> tuple[float, ...]:
        """The full bend of each panel in degrees; negative is towards the viewer."""
        flat = FlatNet(self.plan, 0)
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
        box = polygon.round_all([at for side in self._sides for at in side.corners])
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
            box = polygon.round_all(panel_corners)
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
        fold = Path(f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}")
        yield Shape(fold, stroke=Stroke(2 * LINE_MM, "#ffffff", cap="round"))
        yield Shape(
            fold,
            stroke=Stroke(1.6 * LINE_MM, INK, cap="round", dash=DOTS_MM if bend > 0 else DASHES_MM),
        )


def _affine_between(source: Corners, target: Corners) -> Affine:
    """Return the affine map that takes three points to three others."""
    a, b, c = source
    p, q, r = target
    u = b - a
    v = c - a
    s = q - p
    t = r - p
    area = polygon.cross(u, v)
    first = Point((s.x * v.y - t.x * u.y) / area, (s.y * v.y - t.y * u.y) / area)
    second = Point((t.x * u.x - s.x * v.x) / area, (t.y * u.x - s.y * v.x) / area)
    at = p - first.scaled(a.x) - second.scaled(a.y)
    return Affine(first.x, first.y, second.x, second.y, at.x, at.y)


def _dot(a: Vector, b: Vector) -> float:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _middle(places: Sequence[Vector]) -> Vector:
    """Return the mean of some points."""
    x, y, z = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return x, y, z
