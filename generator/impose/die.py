"""A die to cut out, fold and glue: six faces in a cross, and a tab on one of every two edges that meet.

::

        T           Four faces in a row, one above and one below the third. Tabs stand on the row, at A, B and D:
    A B C D|        so the ring is closed first, D to A, and then either lid is shut on three tabs.
        U

Places are in edges of the die from the top left of that picture, until `die` turns them into mm.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise

from generator.core import polygon
from generator.core.geometry import EPSILON, Point, Rect, Size
from generator.core.outline import Outline
from generator.core.problems import Wrong
from generator.core.units import number
from generator.impose.marks import fold
from generator.impose.marks.styles import CLEAR, SHORTEST, WIDTH, LineSpan, merged, without
from generator.impose.sheet import Line, Net, Piece, PieceLeaf

PLACES = (Point(2, 1), Point(3, 1), Point(2, 0), Point(2, 2), Point(1, 1), Point(0, 1))
"""Where the faces lie, from the first on: opposite ones add up to seven, and 1, 2, 3 run as on dice that are bought."""

ROUND = "0,1 1,1 2,1 2,0 3,0 3,1 4,1 4,2 3,2 3,3 2,3 2,2 1,2 0,2 0,1"
"""The corners of the cross, clockwise."""

TABBED = {0, 1, 5, 6, 7, 11, 12}
"""Which of its edges have a tab, by the corner where they begin."""

SIDES = (Point(0, -1), Point(1, 0), Point(0, 1), Point(-1, 0))
"""The directions out of a face: top, right, bottom, left."""

DEEP = (0.35, 8.0)
"""How far a tab stands out: a part of the edge, and the most in mm."""

REACH = 4.0
"""How far cuts and folds go on outside the faces, in mm."""

ASIDE = 0.5
"""Round all of it, in mm, so that two dice do not run into each other."""


@dataclass(frozen=True)
class DieNet:
    """The cross in mm from the top left of its box: `edge` is that of the die, `bleed` what its faces have."""

    edge: float
    bleed: float

    @property
    def tab(self) -> float:
        """How far a tab stands out."""
        return min(DEEP[0] * self.edge, DEEP[1])

    @property
    def ink(self) -> float:
        """How far a face goes on over its tabs and its free edges: where it is folded, a white seam would show."""
        return min(self.bleed, self.tab / 2)

    @property
    def pad(self) -> float:
        """Round the cross, for its marks."""
        return self.ink + CLEAR + REACH + ASIDE

    @property
    def size(self) -> Size:
        """The box round it with all that belongs to it."""
        return Size(4 * self.edge + self.pad + max(self.pad, self.tab + ASIDE), 3 * self.edge + 2 * self.pad)

    def at(self, place: Point) -> Point:
        """A place in edges, in mm."""
        return place.scaled(self.edge) + Point(self.pad, self.pad)

    def face(self, place: Point) -> Rect:
        """The trim of the face there."""
        return Rect(*self.at(place), self.edge, self.edge)

    @cached_property
    def edges(self) -> tuple[tuple[Point, Point], ...]:
        """The edges round the cross, clockwise."""
        corners = [Point(*map(float, pair.split(","))) for pair in ROUND.split()]
        return tuple(pairwise(self.at(corner) for corner in corners))

    @cached_property
    def inks(self) -> tuple[tuple[Point, ...], ...]:
        """What each face may ink, in the order of the faces: no other face, and half of the corner between two."""
        return tuple(tuple(self._ink(place)) for place in PLACES)

    def _ink(self, place: Point) -> Iterator[Point]:
        middle, half = self.face(place).centre, self.edge / 2
        for n, after in enumerate(SIDES):
            before = SIDES[n - 1]
            corner = middle + before.scaled(half) + after.scaled(half)
            yield from dict.fromkeys(self._corner(place, corner, before, after))

    def _corner(self, place: Point, corner: Point, before: Point, after: Point) -> Iterator[Point]:
        """The corner between two sides, clockwise: `before` and `after` are the directions out of them."""
        grown = before.scaled(self.ink), after.scaled(self.ink)
        free = place + before not in PLACES, place + after not in PLACES
        if all(free):
            yield corner + grown[0] + grown[1]
        elif free[0]:
            mitred = place + after + before in PLACES
            yield from (corner + grown[0] - grown[1], corner) if mitred else (corner + grown[0],)
        elif free[1]:
            mitred = place + before + after in PLACES
            yield from (corner, corner + grown[1] - grown[0]) if mitred else (corner + grown[1],)
        else:
            yield corner

    @cached_property
    def outline(self) -> tuple[Point, ...]:
        """Where to cut, clockwise."""
        edges = enumerate(self.edges)
        return tuple(place for n, (a, b) in edges for place in ((a, *self._tab(a, b)) if n in TABBED else (a,)))

    def _tab(self, a: Point, b: Point) -> tuple[Point, Point]:
        """The far corners of a tab; it narrows by 45 degrees, so that three meet inside a lid."""
        along = (b - a).unit().scaled(self.tab)
        out = along.turned(-90)
        return a + along + out, b - along + out

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The tabs' outlines, and outside of the faces where free edges are cut and where others are folded."""
        return tuple(dict.fromkeys(self._lines()))

    def _lines(self) -> Iterator[Line]:
        for n, (a, b) in enumerate(self.edges):
            if n in TABBED:
                near, far = self._tab(a, b)
                for start, end in ((a, near), (near, far), (far, b)):
                    yield from self._free(Line(start, end))
            yield from self._ends(a, b, Line(a, b, fold.WIDTH, fold.DOTS) if n in TABBED else Line(a, b))
        for x in (1, 2, 3):
            a, b = self.at(Point(x, 1)), self.at(Point(x, 2))
            yield from self._ends(a, b, Line(a, b, fold.WIDTH, fold.DOTS))

    def _ends(self, a: Point, b: Point, like: Line) -> Iterator[Line]:
        """An edge beyond its ends, as far as no face is there."""
        out = (b - a).unit().scaled(self.pad - ASIDE)
        yield from self._free(replace(like, a=a, b=a - out))
        yield from self._free(replace(like, a=b, b=b + out))

    def _free(self, line: Line) -> Iterator[Line]:
        """The parts of a line that lie clear of all that is inked."""
        along, length = (line.b - line.a).unit(), (line.b - line.a).length()
        grown = [polygon.grown(ink, CLEAR + (line.width - WIDTH) / 2) for ink in self.inks]
        taken = [LineSpan(*found) for block in grown for found in polygon.crossed(block, line.a, along)]
        for span in without([LineSpan(0, length)], merged(taken)):
            if span.end - span.start >= SHORTEST:
                yield replace(line, a=line.a + along.scaled(span.start), b=line.a + along.scaled(span.end))


@cache
def _cross(edge: float, bleed: float) -> DieNet:
    """The cross of a size, worked out once for all dice that have it."""
    return DieNet(edge, bleed)


def die(piece: Piece) -> Piece:
    """The die of a piece with six faces; its size is that of a face."""
    if abs(piece.size.w - piece.size.h) > EPSILON:
        size = f"{number(piece.size.w)} x {number(piece.size.h)} mm"
        raise Wrong(f"{piece.component}: a die with faces of {size} cannot be", "a square, such as 16mm")
    cross = _cross(piece.size.w, piece.bleed)
    leaves = tuple(
        PieceLeaf(name, cross.face(place), polygon.round_all(ink), 0, Outline(ink))
        for name, place, ink in zip((piece.front, *piece.more), PLACES, cross.inks, strict=True)
    )
    net = Net(leaves, outline=Outline(cross.outline), lines=cross.lines)
    box = Outline.of_box(Rect(0, 0, *cross.size))
    return replace(piece, outline=box, bleed=0.0, back=None, more=(), grid=None, net=net)
