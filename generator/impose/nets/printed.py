"""A net as it is printed: the ink of its faces, its cut and fold lines, and the resulting piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import atan2, cos, degrees, pi, sin, tan

from generator.base import polygon
from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.impose.marks import (
    DASH_LENGTHS_MM,
    DOT_LENGTHS_MM,
    FOLD_WIDTH_MM,
    INK_CLEARANCE_MM,
    MARK_WIDTH_MM,
    MIN_MARK_MM,
    LineSpan,
    merge_spans,
    subtract_spans,
)
from generator.impose.nets.net import (
    MAX_TAB_DEPTH_MM,
    SAME_PLACE_SHARE,
    TAB_DEPTH_SHARE,
    Corners,
    FlatNet,
    RimEdge,
    get_side,
)
from generator.impose.sheet import Line, Net, Piece, PieceLeaf

# Length of cut and fold marks outside the faces.
MARK_LENGTH_MM = 3.7

# How far a face continues over a tab: enough that no white shows at the fold, and clear of the
# glue.
TAB_INK_MM = 0.5

# Space around the whole net, so that two nets do not touch.
NET_GAP_MM = 0.5


@dataclass(frozen=True)
class PrintedNet(FlatNet):
    """A flat net with everything that is printed of it."""

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
        return Rect.round_all(self._boxes()).size

    def _boxes(self) -> tuple[Rect, Rect]:
        parents = {panel.parent for panel in self.plan.panels}
        marked = [
            index
            for index, panel in enumerate(self.plan.panels)
            if panel.has_face or index in parents
        ]
        faces = polygon.round_all([place for index in marked for place in self.panels[index]])
        outer = polygon.round_all(self._cut())
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
                    Line(
                        a,
                        b,
                        FOLD_WIDTH_MM,
                        DOT_LENGTHS_MM if bend > 0 else DASH_LENGTHS_MM,
                    ),
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
        """Yield the parts of a line that are clear of all inked faces."""
        along = (line.b - line.a).unit()
        length = (line.b - line.a).length()
        inked = [
            ink for ink, panel in zip(self.inks, self.plan.panels, strict=True) if panel.has_face
        ]
        grown = [
            polygon.grow(ink, INK_CLEARANCE_MM + (line.width - MARK_WIDTH_MM) / 2) for ink in inked
        ]
        blocked = [
            LineSpan(*ends)
            for block in grown
            for ends in polygon.inside_spans(block, line.a, along)
        ]
        for span in subtract_spans([LineSpan(0, length)], merge_spans(blocked)):
            if span.end - span.start >= MIN_MARK_MM:
                yield replace(
                    line, a=line.a + along.scaled(span.start), b=line.a + along.scaled(span.end)
                )

    def place_face(self, panel: int, face: str) -> PieceLeaf:
        """Return a face on its panel, turned with the panel."""
        move = self.moves[panel]
        panel_box = polygon.round_all(self.plan.panels[panel].corners)
        middle = move.apply(panel_box.centre) + self.corner
        ink = Outline(tuple(place + self.corner for place in self.inks[panel]))
        trim = Rect(
            middle.x - panel_box.w / 2, middle.y - panel_box.h / 2, panel_box.w, panel_box.h
        )
        return PieceLeaf(face, trim, ink.box, round(degrees(atan2(move.b, move.a))) % 360, ink)


def fold_piece(piece: Piece, flat: PrintedNet, panels: Sequence[int]) -> Piece:
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
