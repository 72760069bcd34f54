"""Nets: pieces that are cut out flat, folded and glued, described as a table of panels, and as they are printed.

Each panel but the first hangs by one of its sides on a side of another panel. The places of the
panels, the rim edges that meet when folded, the tabs, the ink of each face and the lines follow
from that. Panels without a face are flaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from math import atan2, cos, degrees, dist, hypot, pi, radians, sin, tan

from generator.base import polygon
from generator.base.geometry import IDENTITY, Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.impose.marks import (
    DASH_LENGTHS_MM,
    DOT_LENGTHS_MM,
    FOLD_WIDTH_MM,
    INK_CLEARANCE_MM,
    MARK_WIDTH_MM,
    clear_parts,
)
from generator.impose.sheet import Line, Net, Piece, PieceLeaf

Corners = tuple[Point, ...]
Vector = tuple[float, float, float]
# An edge of the net's rim: the panel and the index of its side.
RimEdge = tuple[int, int]

# Depth of a tab: a share of the length of its edge, up to a limit.
TAB_DEPTH_SHARE = 0.35
MAX_TAB_DEPTH_MM = 8.0

# Distance, as a part of the net's size, below which two places of the folded net are the same.
SAME_PLACE_SHARE = 1e-4


# Length of cut and fold marks outside the faces.
MARK_LENGTH_MM = 3.7

# How far a face continues over a tab: enough that no white shows at the fold, and clear of the
# glue.
TAB_INK_MM = 0.5

# Space around the whole net, so that two nets do not touch.
NET_GAP_MM = 0.5


@dataclass(frozen=True)
class NetPanel:
    """A panel of a net: its corners, clockwise, and the side of the parent panel on which its own side hangs.

    `bend` is the fold in degrees, away from the reader; negative is towards the reader; None takes the
    bend of the plan.
    """

    corners: Corners
    parent: int = -1
    parent_side: int = 0
    own_side: int = 0
    has_face: bool = True
    bend: float | None = None


@dataclass(frozen=True)
class NetPlan:
    """The panels of a net, and the fold in degrees between two of them.

    With `has_tabs`, every two edges that meet get a tab between them. `tabs` are the indices of the
    rim edges that bear the tabs, if that matters.
    """

    panels: tuple[NetPanel, ...]
    bend: float = 90.0
    has_tabs: bool = True
    tabs: frozenset[int] | None = None


@dataclass(frozen=True)
class FlatNet:
    """A plan in mm from the top left of its box, and all that is printed of it.

    `bleed` is the bleed of its faces in mm.
    """

    plan: NetPlan
    bleed: float = 0.0

    @cached_property
    def moves(self) -> tuple[Affine, ...]:
        """For each panel, the transform from its own corners to its place in the net."""
        moves: list[Affine] = []
        for panel in self.plan.panels:
            if panel.parent < 0:
                moves.append(IDENTITY)
                continue
            base = self.plan.panels[panel.parent]
            a, b = (
                moves[panel.parent].apply(place)
                for place in get_side(base.corners, panel.parent_side)
            )
            start, end = get_side(panel.corners, panel.own_side)
            turn = _bearing(a - b) - _bearing(end - start)
            spin = Affine(cos(turn), sin(turn), -sin(turn), cos(turn))
            moved = spin.apply(start)
            moves.append(Affine(spin.a, spin.b, spin.c, spin.d, b.x - moved.x, b.y - moved.y))
        rough = [
            move.apply(p)
            for move, panel in zip(moves, self.plan.panels, strict=True)
            for p in panel.corners
        ]
        at = polygon.box_around(rough)
        return tuple(Affine(e=-at.x, f=-at.y) @ move for move in moves)

    @cached_property
    def panels(self) -> tuple[Corners, ...]:
        """The panels in their places, from the top left of the box around them all."""
        pairs = zip(self.moves, self.plan.panels, strict=True)
        return tuple(tuple(move.apply(place) for place in panel.corners) for move, panel in pairs)

    @cached_property
    def rim(self) -> tuple[RimEdge, ...]:
        """The edges around the net, clockwise."""
        return tuple(self._round(0, 0, len(self.plan.panels[0].corners)))

    def _round(self, panel: int, first: int, count: int) -> Iterator[RimEdge]:
        sides = len(self.plan.panels[panel].corners)
        hung = {
            (child.parent, child.parent_side): (index, child.own_side)
            for index, child in enumerate(self.plan.panels)
        }
        for number in range(first, first + count):
            edge = number % sides
            if (panel, edge) in hung:
                child, own_side = hung[panel, edge]
                yield from self._round(
                    child, own_side + 1, len(self.plan.panels[child].corners) - 1
                )
            else:
                yield panel, edge

    def get_edge(self, at: RimEdge) -> tuple[Point, Point]:
        """Return the ends of an edge, clockwise."""
        return get_side(self.panels[at[0]], at[1])

    @cached_property
    def gaps(self) -> tuple[float, ...]:
        """The angle of the waste after each edge of the rim, in radians."""
        ends = [self.get_edge(at) for at in self.rim]
        pairs = zip(ends, ends[1:] + ends[:1], strict=True)
        return tuple(
            (_bearing(d - c) - _bearing(a - b)) % (2 * pi) or 2 * pi for (a, b), (c, d) in pairs
        )

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of rim edges that meet when the net is folded."""
        space = [
            tuple(self.fold_point(at[0], place) for place in self.get_edge(at)) for at in self.rim
        ]
        size = max(polygon.box_around([p for panel in self.panels for p in panel]).size)
        pairs = combinations(range(len(space)), 2)
        apart = (
            (i, j, dist(space[i][0], space[j][1]) + dist(space[i][1], space[j][0]))
            for i, j in pairs
        )
        return tuple((i, j) for i, j, off in apart if off < 2 * SAME_PLACE_SHARE * size)

    def get_bend(self, panel: int) -> float:
        """Return the fold of a panel at its hinge, in degrees away from the reader; 0 is flat."""
        bend = self.plan.panels[panel].bend
        return self.plan.bend if bend is None else bend

    def fold_point(self, panel: int, place: Point) -> Vector:
        """Return the place in the folded net of a point on a panel, turned about each hinge up to the first panel."""
        at: Vector = (place.x, place.y, 0.0)
        while (row := self.plan.panels[panel]).parent >= 0:
            a, b = get_side(self.panels[row.parent], row.parent_side)
            at = _turn_about_hinge(at, a, (b - a).unit(), radians(self.get_bend(panel)))
            panel = row.parent
        return at

    @cached_property
    def tabs(self) -> dict[int, Corners]:
        """The tabs by the rim edge that bears them.

        Of two edges that meet, the one with more space bears the tab.
        """
        if not self.plan.has_tabs:
            return {}
        if self.plan.tabs is not None:
            return {index: self._tab(index) for index in self.plan.tabs}
        tabs_by_edge: dict[int, Corners] = {}
        for pair in self.pairs:
            by_space = sorted(pair, key=lambda edge: -min(self.gaps[edge], self.gaps[edge - 1]))
            tabs_by_edge[by_space[0]] = self._tab(by_space[0])
        return dict(sorted(tabs_by_edge.items()))

    def _tab(self, edge: int) -> Corners:
        """Return a tab's corners, clockwise from the start of its edge.

        It narrows by 45 degrees, or by half of a narrow gap.
        """
        a, b = self.get_edge(self.rim[edge])
        length = (b - a).length()
        first, last = (min(pi / 4, self.gaps[gap] / 2) for gap in (edge - 1, edge))
        # At a depth of length / (1 / tan(first) + 1 / tan(last)), both slanted sides would meet.
        depth = min(
            TAB_DEPTH_SHARE * length,
            MAX_TAB_DEPTH_MM,
            0.9 * length / (1 / tan(first) + 1 / tan(last)),
        )
        along = (b - a).unit()
        out = along.turned(-90).scaled(depth)
        return (
            a,
            a + along.scaled(depth / tan(first)) + out,
            b - along.scaled(depth / tan(last)) + out,
            b,
        )

    @property
    def ink(self) -> float:
        """Distance in mm by which a face continues over its tabs and free edges, so that folds show no white seam."""
        depths = [
            min((b - a).length() for a, b in pairwise((*panel, panel[0]))) for panel in self.panels
        ]
        return min(self.bleed, min(TAB_DEPTH_SHARE * min(depths), MAX_TAB_DEPTH_MM) / 2)

    @property
    def pad(self) -> float:
        """The space for marks around the faces, in mm."""
        return self.ink + INK_CLEARANCE_MM + MARK_LENGTH_MM + NET_GAP_MM

    @cached_property
    def inks(self) -> tuple[Corners, ...]:
        """The area that each panel may ink: no other panel, and half of the gap between two."""
        free = {at: index for index, at in enumerate(self.rim)}
        return tuple(_simplify(list(self._inked(index, free))) for index in range(len(self.panels)))

    def _inked(self, panel: int, free: dict[RimEdge, int]) -> Iterator[Point]:
        corners = self.panels[panel]
        for edge in range(len(corners)):
            a, b = get_side(corners, edge)
            edge_index = free.get((panel, edge))
            if edge_index is None:
                yield from (a, b)
                continue
            depth = self._overlap(edge_index)
            out = (b - a).unit().turned(-90).scaled(depth)
            before, after = (free.get((panel, (edge + step) % len(corners))) for step in (-1, 1))
            yield a + out + self._mitre((a - b).unit(), self.gaps[edge_index - 1], depth, before)
            yield b + out + self._mitre((b - a).unit(), self.gaps[edge_index], depth, after)

    def _overlap(self, index: int) -> float:
        """Return how far a face continues over an edge of the rim: almost nothing over a tab, which takes glue."""
        return min(self.ink, TAB_INK_MM) if index in self.tabs else self.ink

    def _mitre(self, ahead: Point, gap: float, depth: float, other: int | None) -> Point:
        """Return how far the ink continues past the end of an edge.

        It runs to the next edge's ink, or back to the middle of a gap.
        """
        if other is not None:
            turn = gap - pi
            return ahead.scaled((self._overlap(other) - depth * cos(turn)) / sin(turn))
        return ahead.scaled(-depth / tan(gap / 2)) if gap < pi - SAME_PLACE_SHARE else Point(0, 0)

    @cached_property
    def corner(self) -> Point:
        """The place in the piece of the top left corner of the panels' box."""
        box, outer = self._boxes()
        return Point(-min(box.x, outer.x), -min(box.y, outer.y))

    @cached_property
    def size(self) -> Size:
        """The size in mm of the box around the net and its marks."""
        return Rect.around(self._boxes()).size

    def _boxes(self) -> tuple[Rect, Rect]:
        parents = {panel.parent for panel in self.plan.panels}
        marked = [
            index
            for index, panel in enumerate(self.plan.panels)
            if panel.has_face or index in parents
        ]
        faces = polygon.box_around([place for index in marked for place in self.panels[index]])
        outer = polygon.box_around(self._cut())
        return faces.grown(self.pad), outer.grown(NET_GAP_MM)

    def _cut(self) -> Corners:
        corners = []
        for index, at in enumerate(self.rim):
            corners += list(self.tabs[index][:3]) if index in self.tabs else [self.get_edge(at)[0]]
        return tuple(corners)

    @property
    def outline(self) -> Outline:
        """The line to cut along, clockwise."""
        return Outline(tuple(place + self.corner for place in self._cut()))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines of tabs and flaps, and the cut and fold marks outside the faces."""
        moved = (
            replace(line, a=line.a + self.corner, b=line.b + self.corner) for line in self._lines()
        )
        return tuple(dict.fromkeys(moved))

    def _lines(self) -> Iterator[Line]:
        for index, at in enumerate(self.rim):
            a, b = self.get_edge(at)
            for start, end in pairwise(self.tabs.get(index, ())):
                yield from self._free(Line(start, end))
            if not self.plan.panels[at[0]].has_face:
                yield from self._free(Line(a, b))
            else:
                yield from self._ends(
                    a,
                    b,
                    Line(a, b, FOLD_WIDTH_MM, DOT_LENGTHS_MM) if index in self.tabs else Line(a, b),
                )
        for index, panel in enumerate(self.plan.panels):
            if panel.parent >= 0 and (bend := self.get_bend(index)):
                a, b = get_side(self.panels[panel.parent], panel.parent_side)
                yield from self._ends(
                    a,
                    b,
                    Line(a, b, FOLD_WIDTH_MM, DOT_LENGTHS_MM if bend > 0 else DASH_LENGTHS_MM),
                )

    def _ends(self, a: Point, b: Point, like: Line) -> Iterator[Line]:
        """Yield the ends of an edge beyond its corners, as far as no face is there.

        The outer half of a cut mark becomes a fold mark if a fold lies along the same line.
        """
        out = (b - a).unit().scaled(self.pad - NET_GAP_MM)
        for end, way in ((a, a - out), (b, b + out)):
            for mark in self._free(replace(like, a=end, b=way)):
                if like.dash or not self._folds_along(mark):
                    yield mark
                    continue
                middle = (mark.a + mark.b).scaled(0.5)
                yield replace(mark, b=middle)
                yield replace(mark, a=middle, width=FOLD_WIDTH_MM, dash=DOT_LENGTHS_MM)

    def _folds_along(self, mark: Line) -> bool:
        """Return True if two faces are folded along the line on which a mark lies."""
        way = (mark.b - mark.a).unit()
        hinges = (
            get_side(self.panels[panel.parent], panel.parent_side) for panel in self.plan.panels[1:]
        )
        return any(
            all(abs(polygon.cross(way, end - mark.a)) < SAME_PLACE_SHARE for end in hinge)
            for hinge in hinges
        )

    def _free(self, line: Line) -> Iterator[Line]:
        """Return the parts of a line that are clear of all inked faces."""
        distance = INK_CLEARANCE_MM + (line.width - MARK_WIDTH_MM) / 2
        faces = zip(self.inks, self.plan.panels, strict=True)
        grown = [polygon.grow(ink, distance) for ink, panel in faces if panel.has_face]
        return clear_parts(line, grown)

    def place_face(self, panel: int, face: str) -> PieceLeaf:
        """Return a face on its panel, turned with the panel."""
        move = self.moves[panel]
        panel_box = polygon.box_around(self.plan.panels[panel].corners)
        middle = move.apply(panel_box.centre) + self.corner
        ink = Outline(tuple(place + self.corner for place in self.inks[panel]))
        trim = Rect(
            middle.x - panel_box.w / 2, middle.y - panel_box.h / 2, panel_box.w, panel_box.h
        )
        return PieceLeaf(face, trim, ink.box, round(degrees(atan2(move.b, move.a))) % 360, ink)


def get_side(corners: Corners, index: int) -> tuple[Point, Point]:
    """Return the ends of a side, clockwise."""
    return corners[index % len(corners)], corners[(index + 1) % len(corners)]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the cross product of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def subtract(a: Vector, b: Vector) -> Vector:
    """Return a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def find_normal(corners: Sequence[Vector]) -> Vector:
    """Return the unit normal of a panel on its printed side.

    It points to the viewer on a flat net, and outwards on a folded one: corners run clockwise.
    """
    x, y, z = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]))
    length = hypot(x, y, z)
    return -x / length, -y / length, -z / length


def _bearing(way: Point) -> float:
    return atan2(way.y, way.x)


def _turn_about_hinge(at: Vector, hinge: Point, along: Point, angle: float) -> Vector:
    """Turn a point about a hinge in the plane, so that points outside it move away from the reader."""
    x = at[0] - hinge.x
    y = at[1] - hinge.y
    z = at[2]
    ahead = x * along.x + y * along.y
    out = x * along.y - y * along.x
    turned = out * cos(angle) - z * sin(angle)
    deep = out * sin(angle) + z * cos(angle)
    return (
        hinge.x + along.x * ahead + along.y * turned,
        hinge.y + along.y * ahead - along.x * turned,
        deep,
    )


def fold_piece(piece: Piece, flat: FlatNet, panels: Sequence[int]) -> Piece:
    """Return the piece as its net, with its faces on `panels` in order."""
    names = (piece.front, *piece.more)
    leaves = tuple(flat.place_face(panel, name) for panel, name in zip(panels, names, strict=True))
    net = Net(leaves, outline=flat.outline, lines=flat.lines)
    box = Outline.of_box(Rect(0, 0, *flat.size))
    return replace(piece, outline=box, bleed=0.0, back=None, more=(), grid=None, net=net)


def _simplify(corners: list[Point]) -> Corners:
    """Return a polygon without duplicate corners and without corners on a straight line."""
    distinct = [
        place
        for number, place in enumerate(corners)
        if (place - corners[number - 1]).length() > SAME_PLACE_SHARE
    ]
    pairs = zip(distinct, distinct[1:] + distinct[:1], strict=True)
    return tuple(
        at
        for index, (at, after) in enumerate(pairs)
        if abs(polygon.cross(at - distinct[index - 1], after - at)) > SAME_PLACE_SHARE
    )
