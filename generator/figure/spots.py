"""Where something stands on a figure: `B2` (a tile), `B2.e` (a side or a corner), `B2 0.3 -0.2` (beside it)."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.board import footprint
from generator.board.groups import is_named_part
from generator.board.kit import Board, FaceUp, Placement
from generator.board.lattice import FREE, SQUARE, Lattice, Place, parse_place
from generator.board.scene import Scene
from generator.core.geometry import Point, Size
from generator.core.problems import Wrong, unknown
from generator.pack.fields import real

EDGE = 0.03
"""How much of its tile stays free between a piece that leans to a side and that side."""

FIRST = Place(0, 0)

STANDS = 0.62
"""How far a token stands from the middle of its tile, on the way to the sides that what it stands on reaches."""

FAR = 2
"""How many tiles from the board something may stand: a spot further off is a slip, and would make the board small."""

FARTHEST = 20
"""Tiles from a place to what is said to stand beside it."""


def _near(value: int, among: list[int]) -> bool:
    return min(among) - FAR <= value <= max(among) + FAR


@dataclass(frozen=True)
class FigureGround:
    """A board on a figure: how large a tile is there (its height and its width, mm) and where the middle of A1 lies."""

    scene: Scene
    tile: float
    wide: float

    @property
    def board(self) -> Board:
        """What lies where."""
        return self.scene.board

    @property
    def lattice(self) -> Lattice:
        """How the board's places touch."""
        return self.board.lattice

    def centre(self, place: Place) -> Point:
        """The middle of a place on the figure."""
        return self._on_paper(self.lattice.centre(place))

    def middle_of(self, one: Placement) -> Point:
        """Where the middle of a piece's box lies as it is turned: that of a triangle is not its place's."""
        covers = self.scene.kit.design(one.design).covers
        if len(covers) < 2:
            return self._on_paper(self.lattice.box_centre(one.place, one.turn))
        flipped = one.side is FaceUp.BACK
        return self._on_paper(footprint.find_box_centre(covers, self.lattice, one.place, one.turn, flipped=flipped))

    @property
    def places(self) -> frozenset[Place]:
        """Every place on which something lies."""
        return frozenset(one.place for one in self.board.placements) | frozenset(self.scene.tiles)

    def standing(self, on: str, place: Place) -> Point:
        """From the middle of a place to where a token stands that says on what."""
        if not on:
            return Point(0, 0)
        word, _, port = on.partition(".")
        if word in {"corner", "edge"}:
            return self._towards(port, place)
        found = [run for run, link in self.scene.runs.items() if run.place == place and is_named_part(link, word, port)]
        ports = [port] if port else list(self.scene.runs[found[0]].ports) if len(found) == 1 else []
        there = [at for at in ports if self.lattice.port_position(place, at)]
        middle = sum((self._towards(at, place) for at in there), Point(0, 0))
        return middle.scaled(STANDS / max(len(there), 1))

    def rim(self, place: Place) -> list[Point]:
        """The corners of a place on the figure."""
        return [self._on_paper(corner) for corner in self.lattice.place_corners(place)]

    def _on_paper(self, point: Point) -> Point:
        """From tile heights to mm; rectangles lie beside each other by their width."""
        across = self.wide if self.lattice in {SQUARE, FREE} else self.tile
        return Point(point.x * across, point.y * self.tile)

    def place(self, text: str) -> Place:
        """A place by its name, or by the name that the board gives it; on the board or not far from it."""
        if text.startswith("#"):
            return self.board.named_place(text[1:])
        place = parse_place(text)
        columns = [one.column for one in self.places] or [place.column]
        rows = [one.row for one in self.places] or [place.row]
        if not _near(place.column, columns) or not _near(place.row, rows):
            first, last = Place(min(columns), min(rows)), Place(max(columns), max(rows))
            raise Wrong(f"{place} is far from the board", f"a place from {first} to {last}, or beside it")
        return place

    def spot(self, text: str) -> Point:
        """A spot on the figure, in mm."""
        name, *offset = text.split()
        tile, _, side = name.partition(".")
        centre = self.centre(self.place(tile))
        if side:
            centre += self._towards(side, self.place(tile))
        return centre + self._offset(offset, text)

    def place_of(self, text: str) -> Place:
        """The place that a spot belongs to."""
        return self.place(text.split(maxsplit=1)[0].partition(".")[0])

    def leaning(self, text: str, size: Size) -> Point:
        """From the middle of a tile to that of a box inside it: at a side or in a corner, or shifted in tiles."""
        parts = text.split()
        if len(parts) != 1:
            return self._offset(parts, text)
        side = self._towards(parts[0])
        if len(parts[0]) == 2 and "ne" not in self.lattice.ports:
            return Point(_inside(side.x, size.w, self.tile), _inside(side.y, size.h, self.tile))
        way = side.unit()
        return way.scaled(_inside(self.tile / 2, abs(way.x) * size.w + abs(way.y) * size.h, self.tile))

    def between(self, here: Place, there: Place, kinds: Sequence[str]) -> Point:
        """The middle of the side by which links of these kinds join two places."""
        for seam in (*self.scene.seams, *self.scene.bridges):
            joined = {seam.a.place, seam.b.place} == {here, there}
            if joined and {self.scene.runs[seam.a].kind, self.scene.runs[seam.b].kind} <= set(kinds):
                if seam in self.scene.bonds:
                    return (self.centre(here) + self.centre(there)).scaled(0.5)
                return self.centre(seam.a.place) + self._towards(seam.port, seam.a.place)
        raise Wrong(f"no {' or '.join(kinds)} leads from {here} to {there}", "places that are joined, one by one")

    def _towards(self, side: str, place: Place = FIRST) -> Point:
        """From a tile's middle to the middle of a side, to a port or to a corner."""
        port = self.lattice.port_position(place, side)
        if port is None:
            raise unknown("side", side, self.lattice.sides(place))
        return self._on_paper(port - self.lattice.centre(place))

    def _offset(self, parts: list[str], text: str) -> Point:
        """A shift in tiles."""
        if not parts:
            return Point(0, 0)
        try:
            x, y = map(real, parts)
        except (ValueError, Wrong):
            raise Wrong(f"{text!r} is no spot", "a place such as B2, a side B2.e, or B2 0.3 -0.2 (in tiles)") from None
        if max(abs(x), abs(y)) > FARTHEST:
            raise Wrong(f"{text!r} is far from its place", f"at most {FARTHEST} tiles")
        return Point(x, y).scaled(self.tile)


def _inside(edge: float, extent: float, tile: float) -> float:
    """How far the middle of something goes towards an edge, if all of it is to stay inside."""
    room = max(0.0, abs(edge) - extent / 2 - EDGE * tile)
    return room if edge > 0 else -room
