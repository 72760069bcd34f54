"""Places of a board, and how they touch.

Places are named as in chess but from the top: `B3` is the second column and the third row. Hexagons are counted in
columns and rows too: where they lie flat, the odd columns (B, D, …) hang half a tile lower than the even ones; where
they stand on a corner, the even rows (2, 4, …) are shifted to the right by half a tile. Triangles stand on their foot
and on their tip in turn, the one at A1 on its foot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from types import MappingProxyType
from typing import NamedTuple

from generator.core import ports as names
from generator.core.geometry import Point
from generator.core.ports import CORNERS, DOWN_PORTS, HEX_PORTS, POINTED_PORTS, SQUARE_PORTS, TRIANGLE_PORTS
from generator.core.problems import Wrong, unknown

_NAME = re.compile(r"([A-Za-z]{1,2})([1-9]\d{0,2})")
_LETTERS = 26


class Place(NamedTuple):
    """A column and a row, both from 0 on at the top left."""

    column: int
    row: int

    def __str__(self) -> str:
        if self.column < 0 or self.row < 0:
            return f"({self.column + 1}, {self.row + 1})"
        first, last = divmod(self.column, _LETTERS)
        return (chr(64 + first) if first else "") + chr(65 + last) + str(self.row + 1)


def parse_place(text: str) -> Place:
    """Read `B3`."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise Wrong(
            f"{text!r} is no place", "a column's letter and a row's number, such as B3, or a #name of the board"
        )
    column = 0
    for letter in match[1].upper():
        column = column * _LETTERS + ord(letter) - 64
    return Place(column - 1, int(match[2]) - 1)


def listed(places: Iterable[Place]) -> str:
    """`A1, A2 and B1`, row by row."""
    found = [str(place) for place in sorted(places, key=lambda place: (place.row, place.column))]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "no place"


Steps = tuple[tuple[int, int], ...]
Spot = tuple[float, float]
"""A place on the table, in tile heights from the middle of A1, rounded so that two tiles name it alike."""


@dataclass(frozen=True)
class Lattice:
    """A way to fill a table with tiles.

    `ports` are the directions onto which a turn brings a side, clockwise; `even` and `odd` the sides of the two sorts
    of places with the step across each, told apart by the column, the row or both added up (`by`). `pitch` is from one
    column and row to the next, in tile heights, and `shift` how an odd place lies to that. `corners` are those of an
    even place, clockwise from the start of its first side; an odd triangle's are turned.
    """

    name: str
    ports: tuple[str, ...]
    even: tuple[str, ...]
    odd: tuple[str, ...]
    steps: tuple[Steps, Steps]
    by: str
    pitch: Point
    shift: Point
    corners: tuple[Point, ...]
    looks: str

    @property
    def quantum(self) -> int:
        """The smallest turn that brings a tile into its own place again, in degrees."""
        return 360 // len(self.even) if self.even else 1

    def is_odd(self, place: Place) -> bool:
        """Which of the two sorts of places one is."""
        return bool({"column": place.column, "row": place.row, "both": sum(place), "": 0}[self.by] % 2)

    def sides(self, place: Place) -> tuple[str, ...]:
        """The sides of a place, clockwise from the top."""
        return self.odd if self.is_odd(place) else self.even

    def beside(self, place: Place, port: str) -> Place:
        """The place across a side."""
        odd = self.is_odd(place)
        column, row = self.steps[odd][(self.odd if odd else self.even).index(port)]
        return Place(place.column + column, place.row + row)

    def round(self, place: Place) -> Iterator[tuple[str, Place]]:
        """Every side with the place across it, clockwise from the top."""
        return ((port, self.beside(place, port)) for port in self.sides(place))

    def facing(self, port: str) -> str:
        """The side that touches this one, or the part of it that touches this part."""
        return self.turned(names.across(port), 180)

    def turned(self, port: str, degrees: int) -> str:
        """Where a side points when its tile is turned clockwise."""
        if not self.ports:
            return port
        step = 360 // len(self.ports)
        side = names.side_of(port)
        if side in self.ports:
            return names.turned(port, self.ports, degrees // step)
        return names.turned(port, self.even, degrees // self.quantum)

    def lying(self, place: Place, degrees: int) -> int:
        """The turn of a tile there as the table sees it: where triangles stand on their tip, each does unturned."""
        return (degrees + 180) % 360 if self.even != self.odd and self.is_odd(place) else degrees

    def centre(self, place: Place) -> Point:
        """The middle of a place, in tile heights, from the middle of A1."""
        by = Point(place.column * self.pitch.x, place.row * self.pitch.y)
        return by + self.shift if self.is_odd(place) else by

    def middle_of(self, place: Place, degrees: int) -> Point:
        """Where the middle of the box of a tile lies that is turned so: a triangle turns about another place."""
        off = sum(corner.y for corner in self.corners) / max(len(self.corners), 1)
        centre = self.centre(place)
        if abs(off) < 0.01:
            return centre
        down = -off if self.is_odd(place) else off
        return centre + Point(0, down) - Point(0, off).turned(self.lying(place, degrees))

    def rim(self, place: Place) -> tuple[Point, ...]:
        """The corners of a place, clockwise from the start of its first side."""
        return _rim(self, place)

    def port_at(self, place: Place, port: str) -> Point | None:
        """Where a port lies on the table, by the name that it has as its tile lies; nowhere if it is none here."""
        rim, sides = self.rim(place), self.sides(place)
        side = names.side_of(port)
        if side in sides:
            return self._along(place, side, float(names.share_of(port)))
        corners = CORNERS.get(sides, ())
        return rim[(corners.index(side) + 1) % len(rim)] if side in corners else None

    def _along(self, place: Place, side: str, share: float) -> Point:
        rim, nth = self.rim(place), self.sides(place).index(side)
        start, end = rim[nth], rim[(nth + 1) % len(rim)]
        return start + (end - start).scaled(share)

    def along(self, place: Place, side: str, share: Fraction) -> Spot:
        """Where a place lies on the table that is so far along a side, clockwise."""
        return _rounded(self._along(place, side, float(share)))

    def spot(self, place: Place, port: str) -> Spot | None:
        """The same, so that every tile that meets there calls it alike."""
        at = self.port_at(place, port)
        return None if at is None else _rounded(at)

    def by_corner(self, place: Place) -> tuple[Place, ...]:
        """The places that meet one at a corner and at no side."""
        mine = set(map(_rounded, self.rim(place)))
        beside = {other for _, other in self.round(place)} | {place}
        near = (Place(place.column + x, place.row + y) for x, y in product(range(-2, 3), repeat=2))
        return tuple(other for other in near if other not in beside and mine & set(map(_rounded, self.rim(other))))

    def check_sides(self, tiles: Mapping[str, tuple[str, ...]]) -> None:
        """Raise for a tile whose sides do not meet those of its neighbours here; what has none may lie anywhere."""
        for design, sides in tiles.items():
            if sides and self.ports and not any({*own} <= {*sides} for own in (self.even, self.odd)):
                found = f"{design!r} has the sides {', '.join(sides)}, and the board is of {self.looks}"
                raise Wrong(found, "another `board:` in game.yaml, or other tiles")

    def check_turn(self, degrees: int) -> int:
        """The turn within one round; only whole steps bring sides onto sides."""
        if degrees % self.quantum:
            steps = ", ".join(str(turn) for turn in range(0, 360, self.quantum))
            raise Wrong(f"a turn of {degrees} degrees", f"one of: {steps}")
        return degrees % 360


@cache
def _rim(lattice: Lattice, place: Place) -> tuple[Point, ...]:
    turn = 180 if lattice.even != lattice.odd and lattice.is_odd(place) else 0
    found = [corner.turned(turn) + lattice.centre(place) for corner in lattice.corners]
    first = _TURNED_FIRST if turn else 0
    return tuple(found[first:] + found[:first])


_TURNED_FIRST = 1
"""A triangle that is turned over has its first side, the top one, after its second corner."""


NUDGE = 1.7e-5
"""Keeps places off the middle between two rounded numbers, where a last bit would decide."""


def _rounded(point: Point) -> Spot:
    return round(point.x + NUDGE, 3), round(point.y + NUDGE, 3)


_SQUARE = ((0, -1), (1, 0), (0, 1), (-1, 0))
_EVEN = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_ODD = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
_LEFT = ((0, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_RIGHT = ((1, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (0, -1))
_UP = ((1, 0), (0, 1), (-1, 0))
_DOWN = ((0, -1), (1, 0), (-1, 0))

_R = 1 / sqrt(3)
_FLAT_RIM = tuple(Point(x * _R, y / 2) for x, y in ((-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0)))
_POINTED_RIM = tuple(Point(0, -0.5).turned(60 * n) for n in range(6))
_SQUARE_RIM = (Point(-0.5, -0.5), Point(0.5, -0.5), Point(0.5, 0.5), Point(-0.5, 0.5))
_TRIANGLE_RIM = (Point(0, -0.5), Point(_R, 0.5), Point(-_R, 0.5))

SQUARE = Lattice(
    *("square", SQUARE_PORTS, SQUARE_PORTS, SQUARE_PORTS, (_SQUARE, _SQUARE), ""),
    *(Point(1, 1), Point(0, 0), _SQUARE_RIM, "squares, or rectangles side by side"),
)
HEX = Lattice(
    *("hex", HEX_PORTS, HEX_PORTS, HEX_PORTS, (_EVEN, _ODD), "column"),
    *(Point(sqrt(3) / 2, 1), Point(0, 0.5), _FLAT_RIM, "hexagons on a flat side"),
)
POINTED = Lattice(
    *("hex pointed", POINTED_PORTS, POINTED_PORTS, POINTED_PORTS, (_LEFT, _RIGHT), "row"),
    *(Point(sqrt(3) / 2, 0.75), Point(sqrt(3) / 4, 0), _POINTED_RIM, "hexagons on a corner"),
)
TRIANGULAR = Lattice(
    *("triangular", HEX_PORTS, TRIANGLE_PORTS, DOWN_PORTS, (_UP, _DOWN), "both"),
    *(Point(_R, 1), Point(0, 0), _TRIANGLE_RIM, "triangles of three equal sides, on foot and on tip in turn"),
)
FREE = Lattice(
    *("free", (), (), (), ((), ()), "", Point(1, 1), Point(0, 0), ()),
    "pieces that touch nothing: anything beside anything",
)

LATTICES: Mapping[str, Lattice] = MappingProxyType(
    {
        "square": SQUARE,
        "hex flat": HEX,
        "hex pointed": POINTED,
        "triangular": TRIANGULAR,
        "free": FREE,
    }
)
"""Boards by how their tiles lie."""


def lattice(name: str) -> Lattice:
    """The lattice of that name; hexagons lie flat unless it is said."""
    if name == HEX.name:
        return HEX
    if name not in LATTICES:
        raise unknown("shape of board", name, [*LATTICES, HEX.name])
    return LATTICES[name]
