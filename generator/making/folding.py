"""Pictures of what is folded: its net, half folded, and done, with the faces that are printed on it.

A net lies in the plane with its first panel towards the reader and is folded away from him. It is looked at from above
and from the right, each panel is an affine picture of itself, and what lies behind is drawn first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin

from generator.core import polygon
from generator.core.geometry import Affine, Point, Size
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.units import number
from generator.impose.nets import Corners, FlatNet, NetPanel, NetPlan, Vector, get_side
from generator.picture.face import Face
from generator.picture.items import Item, Path, PlacedPicture, Shape, Stroke

STAGES = (0.0, 0.55, 1.0)
"""How far it is folded in each picture, as a part of all of it."""

ASIDE = 32.0
ABOVE = 24.0
"""Degrees by which what is folded is turned, so that three of its sides are seen."""

LARGEST = Size(52.0, 36.0)
"""mm; the box that a picture is made to fit into."""

MARGIN = 0.6
"""mm round it, so that no line is cut."""

LINE = 0.3
DOTS = (0.2, 0.9)
DASHES = (1.4, 1.1)
"""How folds look on the net that go back, away from the print, and those that come forwards."""

INK = "#1f1b18"
PAPER = "#f4f1ea"
FLAP = "#dcd6c8"
DARKEST = 0.27
BRIGHT = 0.75
"""How dark a side becomes that looks away from the light, as a part of black; and from where on it is bright."""

HIDDEN = 0.6
"""mm; a flap no farther than this behind a side is glued to it, and not seen."""


def stages(plan: NetPlan, faces: Mapping[int, Face]) -> tuple[Face, ...]:
    """A picture for each of `STAGES`; `faces` are those on the panels that bear one."""
    whole = _with_tabs(plan)
    return tuple(FoldedView(whole, faces, share).picture for share in STAGES)


def _with_tabs(plan: NetPlan) -> NetPlan:
    """The same with each tab a panel of its own."""
    flat = FlatNet(plan, 0)
    made = list(plan.panels)
    for nth, corners in flat.tabs.items():
        panel, edge = flat.rim[nth]
        made.append(NetPanel(corners, panel, edge, len(corners) - 1, has_face=False))
    return replace(plan, panels=tuple(made), has_tabs=False, tabs=None)


def _turned(at: Vector, aside: float, above: float) -> Vector:
    """Seen from the right and from above; what is farther away has the larger third part."""
    x, y, z = at
    a = radians(aside)
    b = radians(above)
    x, z = x * cos(a) + z * sin(a), z * cos(a) - x * sin(a)
    return x, y * cos(b) - z * sin(b), z * cos(b) + y * sin(b)


@dataclass(frozen=True)
class _Side:
    """A panel as it is seen: its corners on the picture, how deep its middle lies, and how it faces the light."""

    panel: int
    corners: Corners
    depth: float
    outside: bool
    dark: float


@dataclass(frozen=True)
class FoldedView:
    """A net folded by a share of what it can be."""

    plan: NetPlan
    faces: Mapping[int, Face]
    share: float

    @cached_property
    def _flat(self) -> FlatNet:
        bent = (
            panel if panel.bend is None else replace(panel, bend=panel.bend * self.share) for panel in self.plan.panels
        )
        return FlatNet(replace(self.plan, panels=tuple(bent), bend=self.plan.bend * self.share), 0)

    @cached_property
    def bends(self) -> tuple[float, ...]:
        """By how many degrees each panel is folded in the end: less than 0 towards the reader."""
        whole = FlatNet(self.plan, 0)
        return tuple(map(whole.get_bend, range(len(self.plan.panels))))

    @cached_property
    def space(self) -> tuple[tuple[Vector, ...], ...]:
        """The corners of every panel in space, in mm."""
        flat = self._flat
        return tuple(tuple(flat.fold_point(nth, at) for at in panel) for nth, panel in enumerate(flat.panels))

    @cached_property
    def _sides(self) -> tuple[_Side, ...]:
        """What is seen, the farthest first."""
        lies = self.share == 0
        aside, above = (0.0, 0.0) if lies else (ASIDE, ABOVE)
        found = []
        for nth, places in enumerate(self.space):
            if self._glued(nth):
                continue
            seen = [_turned(at, aside, above) for at in places]
            corners = tuple(Point(x, y) for x, y, _ in seen)
            outside = polygon.cross(corners[1] - corners[0], corners[2] - corners[1]) > 0
            under = (not self.plan.panels[nth].has_face) + (not outside)
            depth = sum(z for *_, z in seen) / len(seen) + HIDDEN * under
            found.append(_Side(nth, corners, depth, outside, 0.0 if lies else self._dark(seen, outside=outside)))
        return tuple(sorted(found, key=lambda side: -side.depth))

    def _dark(self, seen: Sequence[Vector], *, outside: bool) -> float:
        """How dark a side is: the light comes from above and from the left, over the reader's shoulder."""
        x, y, z = _normal(seen)
        light = (x * -0.35 + y * -0.6 + z * -0.72) * (1 if outside else -1)
        return DARKEST * min(1.0, max(0.0, BRIGHT - light))

    def _glued(self, nth: int) -> bool:
        """Whether a flap lies behind a side once all is folded."""
        if self.share < 1 or self.plan.panels[nth].has_face:
            return False
        middle = _middle(self.space[nth])
        return any(self._behind(middle, at) for at, panel in enumerate(self.plan.panels) if panel.has_face)

    def _behind(self, place: Vector, panel: int) -> bool:
        """Whether a place lies as good as in a panel."""
        corners = self.space[panel]
        normal = _normal(corners)
        if abs(_dot(_minus(place, corners[0]), normal)) > HIDDEN:
            return False
        edges = zip(corners, corners[1:] + corners[:1], strict=True)
        signs = [_dot(_cross(_minus(b, a), _minus(place, a)), normal) for a, b in edges]
        return all(sign >= -1e-6 for sign in signs) or all(sign <= 1e-6 for sign in signs)

    @property
    def picture(self) -> Face:
        """The folded net as a picture, as large as `LARGEST` allows."""
        box = polygon.round_all([at for side in self._sides for at in side.corners])
        scale = min((LARGEST.w - 2 * MARGIN) / box.w, (LARGEST.h - 2 * MARGIN) / box.h)
        size = Size(scale * box.w + 2 * MARGIN, scale * box.h + 2 * MARGIN)
        to_picture = Affine(scale, 0, 0, scale, MARGIN - scale * box.x, MARGIN - scale * box.y)
        items = [item for side in self._sides for item in self._items(side, to_picture)]
        return Face(tuple(items), size)

    def _items(self, side: _Side, to_picture: Affine) -> Iterator[Item]:
        """Yield the items of a panel: its face, or its unprinted back if that is visible, its shade and its edges."""
        corners = tuple(to_picture.apply(at) for at in side.corners)
        face = self.faces.get(side.panel) if side.outside else None
        edges = Path(curve_data(Outline(corners).edges))
        yield Shape(edges, PAPER if self.plan.panels[side.panel].has_face else FLAP)
        if face:
            own = self.plan.panels[side.panel].corners
            box = polygon.round_all(own)
            local = tuple(at - (box.x, box.y) for at in own)
            yield PlacedPicture(face, _onto(local[:3], corners[:3]), Outline(local))
        if side.dark:
            yield Shape(edges, f"#000000{round(255 * side.dark):02x}")
        yield Shape(edges, stroke=Stroke(LINE, INK, join="round"))
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
        yield Shape(fold, stroke=Stroke(2 * LINE, "#ffffff", cap="round"))
        yield Shape(fold, stroke=Stroke(1.6 * LINE, INK, cap="round", dash=DOTS if bend > 0 else DASHES))


def _onto(own: Corners, seen: Corners) -> Affine:
    """The move that takes three places to three others."""
    (a, b, c), (p, q, r) = own, seen
    u = b - a
    v = c - a
    s = q - p
    t = r - p
    area = polygon.cross(u, v)
    first = Point((s.x * v.y - t.x * u.y) / area, (s.y * v.y - t.y * u.y) / area)
    second = Point((t.x * u.x - s.x * v.x) / area, (t.y * u.x - s.y * v.x) / area)
    at = p - first.scaled(a.x) - second.scaled(a.y)
    return Affine(first.x, first.y, second.x, second.y, at.x, at.y)


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _middle(places: Sequence[Vector]) -> Vector:
    x, y, z = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return x, y, z


def _normal(places: Sequence[Vector]) -> Vector:
    """Where a panel looks with the side that is printed, as long as 1: towards the reader while it lies flat."""
    x, y, z = _cross(_minus(places[2], places[0]), _minus(places[1], places[0]))
    long = (x * x + y * y + z * z) ** 0.5
    return x / long, y / long, z / long
