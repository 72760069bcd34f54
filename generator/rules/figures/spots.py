"""Spots on a figure: `B2` (a tile), `B2.e` (a side or corner), `B2 0.3 -0.2` (shifted in tiles)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.geometry import Point, Size
from generator.board.analysis import Scene
from generator.board.board import Board, FaceUp, Placement
from generator.board.counting import is_named_part
from generator.board.lattice import FREE, SQUARE, Lattice, Place
from generator.board.scoring import ScoreSpec
from generator.board.tiles import find_box_centre
from generator.pack.fields import parse_real

EDGE_GAP_TILES = 0.03
"""The gap between a side and a piece that leans towards it."""

FIRST = Place(0, 0)

THING_SIGN = "@"
"""In front of the name of a thing on the table, where a spot otherwise names a place."""

LINK_TOKEN_SHARE = 0.62
"""The distance of a token on a link from the tile's centre, as a share of the way to the link's sides."""

MAX_DISTANCE_TILES = 2
"""The largest distance of a spot from the board.

One further off is a mistake, and would shrink the board.
"""

MAX_SHIFT_TILES = 20
"""The largest shift of a spot from its place."""


def _is_near(value: int, among: list[int]) -> bool:
    return min(among) - MAX_DISTANCE_TILES <= value <= max(among) + MAX_DISTANCE_TILES


@dataclass(frozen=True)
class FigureBoard:
    """A board on a figure, with the size of its tiles in mm. The origin is the centre of A1.

    `things` are the middles of named things on the table around the board, `scores` the scores of the pack.
    """

    scene: Scene
    tile_height: float
    tile_width: float
    things: Mapping[str, Point] = field(default_factory=dict)
    scores: Mapping[str, ScoreSpec] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.scene.board

    @property
    def lattice(self) -> Lattice:
        """Return the lattice of the board."""
        return self.board.lattice

    def centre(self, place: Place) -> Point:
        """Return the centre of a place on the figure."""
        return self._on_paper(self.lattice.centre(place))

    def middle_of(self, placement: Placement) -> Point:
        """Return the centre of a turned piece's box, which differs from its place's for triangles."""
        covers = self.scene.kit.design(placement.design).covers
        if len(covers) < 2:
            return self._on_paper(self.lattice.box_centre(placement.place, placement.turn))
        flipped = placement.side is FaceUp.BACK
        return self._on_paper(
            find_box_centre(covers, self.lattice, placement.place, placement.turn, flipped=flipped)
        )

    @property
    def places(self) -> frozenset[Place]:
        """Return every occupied place."""
        return frozenset(placement.place for placement in self.board.placements) | frozenset(
            self.scene.tiles
        )

    def token_offset(self, on: str, place: Place) -> Point:
        """Return the offset from a place's centre to a token that stands on a link, edge or corner."""
        if not on:
            return Point(0, 0)
        word, _, port = on.partition(".")
        if word in {"corner", "edge"}:
            return self._towards(port, place)
        runs_there = [
            run
            for run, link in self.scene.runs.items()
            if run.place == place and is_named_part(link, word, port)
        ]
        ports = (
            [port]
            if port
            else list(self.scene.runs[runs_there[0]].ports)
            if len(runs_there) == 1
            else []
        )
        ports_there = [at for at in ports if self.lattice.port_position(place, at)]
        middle = sum((self._towards(at, place) for at in ports_there), Point(0, 0))
        return middle.scaled(LINK_TOKEN_SHARE / max(len(ports_there), 1))

    def rim(self, place: Place) -> list[Point]:
        """Return the corners of a place on the figure."""
        return [self._on_paper(corner) for corner in self.lattice.place_corners(place)]

    def _on_paper(self, point: Point) -> Point:
        """Convert tile heights to mm; rectangles are as far apart as they are wide."""
        across = self.tile_width if self.lattice in {SQUARE, FREE} else self.tile_height
        return Point(point.x * across, point.y * self.tile_height)

    def place(self, text: str) -> Place:
        """Return a place by its coordinate or by a name of the board.

        Raise `InvalidValueError` if it is far away.
        """
        place = self.board.place(text)
        if text.startswith("#"):
            return place
        columns = [entry.column for entry in self.places] or [place.column]
        rows = [item.row for item in self.places] or [place.row]
        if not _is_near(place.column, columns) or not _is_near(place.row, rows):
            first = Place(min(columns), min(rows))
            last = Place(max(columns), max(rows))
            raise InvalidValueError(
                f"{place} is far from the board", f"a place from {first} to {last}, or next to it"
            )
        return place

    def spot(self, text: str) -> Point:
        """Return a spot on the figure in mm."""
        name, *offset = text.split()
        if name.startswith(THING_SIGN):
            return find_row("thing", name[1:], self.things) + self._parse_shift(offset, text)
        tile, _, side = name.partition(".")
        centre = self.centre(self.place(tile))
        if side:
            centre += self._towards(side, self.place(tile))
        return centre + self._parse_shift(offset, text)

    def place_of(self, text: str) -> Place:
        """Return the place that a spot belongs to."""
        return self.place(text.split(maxsplit=1)[0].partition(".")[0])

    def leaning_offset(self, text: str, size: Size) -> Point:
        """Return the offset of a box from a tile's centre, towards a side or corner or by tiles."""
        parts = text.split()
        if len(parts) != 1:
            return self._parse_shift(parts, text)
        side = self._towards(parts[0])
        if len(parts[0]) == 2 and "ne" not in self.lattice.ports:
            return Point(
                _offset_inside(side.x, size.w, self.tile_height),
                _offset_inside(side.y, size.h, self.tile_height),
            )
        direction = side.unit()
        return direction.scaled(
            _offset_inside(
                self.tile_height / 2,
                abs(direction.x) * size.w + abs(direction.y) * size.h,
                self.tile_height,
            )
        )

    def between(self, place: Place, other_place: Place, kinds: Sequence[str]) -> Point:
        """Return the middle of the side at which links of these kinds join two places.

        Raises `InvalidValueError` if no such link joins them.
        """
        for seam in (*self.scene.seams, *self.scene.bridges):
            joined = {seam.a.place, seam.b.place} == {place, other_place}
            if joined and {self.scene.runs[seam.a].kind, self.scene.runs[seam.b].kind} <= set(
                kinds
            ):
                if seam in self.scene.bonds:
                    return (self.centre(place) + self.centre(other_place)).scaled(0.5)
                return self.centre(seam.a.place) + self._towards(seam.port, seam.a.place)
        raise InvalidValueError(
            f"no {' or '.join(kinds)} leads from {place} to {other_place}",
            "places that are joined, one by one",
        )

    def _towards(self, side: str, place: Place = FIRST) -> Point:
        """Return the offset from a tile's centre to a side, port or corner."""
        port = self.lattice.port_position(place, side)
        if port is None:
            raise unknown("side", side, self.lattice.sides(place))
        return self._on_paper(port - self.lattice.centre(place))

    def _parse_shift(self, parts: list[str], text: str) -> Point:
        """Parse a shift in tiles; return it in mm."""
        if not parts:
            return Point(0, 0)
        try:
            x, y = map(parse_real, parts)
        except (ValueError, InvalidValueError):
            raise InvalidValueError(
                f"{text!r} is not a spot",
                "a place such as B2, a side B2.e, or B2 0.3 -0.2 (in tiles)",
            ) from None
        if max(abs(x), abs(y)) > MAX_SHIFT_TILES:
            raise InvalidValueError(
                f"{text!r} is far from its place", f"at most {MAX_SHIFT_TILES} tiles"
            )
        return Point(x, y).scaled(self.tile_height)


def _offset_inside(edge: float, extent: float, tile: float) -> float:
    """Return the largest offset of a box towards an edge that keeps the box inside."""
    distance = max(0.0, abs(edge) - extent / 2 - EDGE_GAP_TILES * tile)
    return distance if edge > 0 else -distance
