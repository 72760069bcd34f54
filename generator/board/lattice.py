"""Places of a board, and which of them touch.

Places are named as in chess, but with rows counted from the top: `B3` is the second column, third
row. Hexagons are counted in columns and rows too. On a flat side, odd columns (B, D, …) lie half a
tile lower than even ones; on a corner, even rows (2, 4, …) lie half a tile to the right. Triangles
alternate between base down and tip down, starting with base down at A1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from typing import NamedTuple

from generator.base import ports as port_names
from generator.base.errors import InvalidValueError, unknown
from generator.base.geometry import Point
from generator.base.ports import (
    CORNERS,
    DOWN_PORTS,
    HEX_PORTS,
    POINTED_PORTS,
    SQUARE_PORTS,
    TRIANGLE_PORTS,
)

_NAME = re.compile(r"([A-Za-z]{1,2})([1-9]\d{0,2})")
_ALPHABET_LENGTH = 26


class Place(NamedTuple):
    """A column and a row, both counted from 0 at the top left."""

    column: int
    row: int

    def __str__(self) -> str:
        if self.column < 0 or self.row < 0:
            return f"({self.column + 1}, {self.row + 1})"
        first, last = divmod(self.column, _ALPHABET_LENGTH)
        return (chr(64 + first) if first else "") + chr(65 + last) + str(self.row + 1)


def parse_place(text: str) -> Place:
    """Return the place with a name such as `B3`; raise `InvalidValueError` for any other text."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise InvalidValueError(
            f"{text!r} is not a place",
            "a column's letter and a row's number, such as B3, or a #name of the board",
        )
    column = 0
    for letter in match[1].upper():
        column = column * _ALPHABET_LENGTH + ord(letter) - 64
    return Place(column - 1, int(match[2]) - 1)


def join_places(places: Iterable[Place]) -> str:
    """Return the names of places in reading order, such as `A1, A2 and B1`."""
    names = [str(place) for place in sorted(places, key=lambda place: (place.row, place.column))]
    if not names:
        return "no place"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


Steps = tuple[tuple[int, int], ...]
Spot = tuple[float, float]
"""A point on the table in tile heights from the centre of A1, rounded so that adjacent tiles agree on it."""


_UNIT_PITCH = Point(1, 1)
_NO_SHIFT = Point(0, 0)


@dataclass(frozen=True)
class Lattice:
    """A tiling of the table.

    `ports` are the directions, clockwise, that a side can point to after a turn. `even` and `odd`
    are the sides of the two sorts of places, and `steps` the column and row offsets across each of
    them. `parity` names the coordinate that separates the sorts: column, row or both (their sum).
    `pitch` is the distance between columns and rows in tile heights; `shift` moves odd places.
    `corners` belong to an even place, clockwise from the start of its first side; odd triangles are
    turned by 180°.
    """

    name: str
    description: str
    ports: tuple[str, ...] = ()
    even: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    steps: tuple[Steps, Steps] = ((), ())
    corners: tuple[Point, ...] = ()
    pitch: Point = _UNIT_PITCH
    shift: Point = _NO_SHIFT
    parity: str = ""

    @property
    def turn_step(self) -> int:
        """Return the smallest turn in degrees that maps a tile onto its own place."""
        return 360 // len(self.even) if self.even else 1

    def is_odd(self, place: Place) -> bool:
        """Return True for places of the odd sort."""
        return bool(
            {"column": place.column, "row": place.row, "both": sum(place), "": 0}[self.parity] % 2
        )

    def sides(self, place: Place) -> tuple[str, ...]:
        """Return the sides of a place, clockwise from the top."""
        return self.odd if self.is_odd(place) else self.even

    def neighbour(self, place: Place, port: str) -> Place:
        """Return the place across a side."""
        odd = self.is_odd(place)
        column, row = self.steps[odd][(self.odd if odd else self.even).index(port)]
        return Place(place.column + column, place.row + row)

    def neighbours(self, place: Place) -> Iterator[tuple[str, Place]]:
        """Return each side with the place across it, clockwise from the top."""
        return ((port, self.neighbour(place, port)) for port in self.sides(place))

    def facing(self, port: str) -> str:
        """Return the side that touches this side, or the part that touches this part of a side."""
        return self.turn_port(port_names.facing_port(port), 180)

    def turn_port(self, port: str, degrees: int) -> str:
        """Return the direction of a side or port after its tile is turned clockwise."""
        if not self.ports:
            return port
        step = 360 // len(self.ports)
        side = port_names.side_of(port)
        if side in self.ports:
            return port_names.turn_port(port, self.ports, degrees // step)
        return port_names.turn_port(port, self.even, degrees // self.turn_step)

    def table_turn(self, place: Place, degrees: int) -> int:
        """Return the turn in degrees as seen on the table, where an unturned odd triangle stands on its tip."""
        return (degrees + 180) % 360 if self.even != self.odd and self.is_odd(place) else degrees

    def centre(self, place: Place) -> Point:
        """Return the centre of a place in tile heights from the centre of A1."""
        centre = Point(place.column * self.pitch.x, place.row * self.pitch.y)
        return centre + self.shift if self.is_odd(place) else centre

    def box_centre(self, place: Place, degrees: int) -> Point:
        """Return the centre of the bounding box of a turned tile, in tile heights.

        The box of a triangle is not centred on the point about which the triangle turns.
        """
        off = sum(corner.y for corner in self.corners) / max(len(self.corners), 1)
        centre = self.centre(place)
        if abs(off) < 0.01:
            return centre
        down = -off if self.is_odd(place) else off
        return centre + Point(0, down) - Point(0, off).turned(self.table_turn(place, degrees))

    def place_corners(self, place: Place) -> tuple[Point, ...]:
        """Return the corners of a place, clockwise from the start of its first side."""
        return _place_corners(self, place)

    def port_position(self, place: Place, port: str) -> Point | None:
        """Return the table position of a port of the board; None if this place has no such port."""
        rim = self.place_corners(place)
        sides = self.sides(place)
        side = port_names.side_of(port)
        if side in sides:
            return self._side_point(place, side, float(port_names.share_of(port)))
        corners = CORNERS.get(sides, ())
        return rim[(corners.index(side) + 1) % len(rim)] if side in corners else None

    def _side_point(self, place: Place, side: str, share: float) -> Point:
        """Return the point at a share of a side, counted clockwise from 0 to 1."""
        rim = self.place_corners(place)
        index = self.sides(place).index(side)
        start = rim[index]
        end = rim[(index + 1) % len(rim)]
        return start + (end - start).scaled(share)

    def side_spot(self, place: Place, side: str, share: Fraction) -> Spot:
        """Return the rounded point at a share of a side, counted clockwise from 0 to 1."""
        return _round_point(self._side_point(place, side, float(share)))

    def port_spot(self, place: Place, port: str) -> Spot | None:
        """Return the rounded position of a port, equal for all tiles that meet there.

        None without such a port.
        """
        at = self.port_position(place, port)
        return None if at is None else _round_point(at)

    def corner_neighbours(self, place: Place) -> tuple[Place, ...]:
        """Return the places that touch this place at a corner only."""
        corners = set(map(_round_point, self.place_corners(place)))
        excluded = {other for _, other in self.neighbours(place)} | {place}
        candidates = (
            Place(place.column + x, place.row + y) for x, y in product(range(-2, 3), repeat=2)
        )
        return tuple(
            other
            for other in candidates
            if other not in excluded and corners & set(map(_round_point, self.place_corners(other)))
        )

    def check_sides(self, tiles: Mapping[str, tuple[str, ...]]) -> None:
        """Raise `InvalidValueError` for a tile whose sides do not fit this tiling.

        Tiles without sides fit everywhere.
        """
        for design, sides in tiles.items():
            if (
                sides
                and self.ports
                and not any({*needed} <= {*sides} for needed in (self.even, self.odd))
            ):
                problem = f"{design!r} has the sides {', '.join(sides)}, and the board is of {self.description}"
                raise InvalidValueError(problem, "another `board:` in game.yaml, or other tiles")

    def check_turn(self, degrees: int) -> int:
        """Return the turn within 0 to 359 degrees.

        Raise `InvalidValueError` unless it maps sides onto sides.
        """
        if degrees % self.turn_step:
            steps = ", ".join(str(turn) for turn in range(0, 360, self.turn_step))
            raise InvalidValueError(f"a turn of {degrees} degrees", f"one of: {steps}")
        return degrees % 360


@cache
def _place_corners(lattice: Lattice, place: Place) -> tuple[Point, ...]:
    """Return the corners of a place, cached: a figure asks for the same places many times."""
    turn = 180 if lattice.even != lattice.odd and lattice.is_odd(place) else 0
    corners = [corner.turned(turn) + lattice.centre(place) for corner in lattice.corners]
    first = _FIRST_CORNER_WHEN_TURNED if turn else 0
    return tuple(corners[first:] + corners[:first])


# A triangle turned by 180° starts with its top side, which follows its second corner.
_FIRST_CORNER_WHEN_TURNED = 1


# A share such as 1/16 (0.0625) lies halfway between two numbers of three digits, where the last bit
# of a float would decide the rounding. This offset keeps positions away from such ties.
_ROUNDING_OFFSET = 1.7e-5


def _round_point(point: Point) -> Spot:
    """Return the point rounded to a thousandth of a tile height."""
    return round(point.x + _ROUNDING_OFFSET, 3), round(point.y + _ROUNDING_OFFSET, 3)


_SQUARE_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_HEX_EVEN_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_HEX_ODD_STEPS = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
_POINTED_EVEN_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_POINTED_ODD_STEPS = ((1, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (0, -1))
_TRIANGLE_UP_STEPS = ((1, 0), (0, 1), (-1, 0))
_TRIANGLE_DOWN_STEPS = ((0, -1), (1, 0), (-1, 0))

# Distance from the centre of a hexagon to a corner, if its height across flat sides is 1.
_HEX_CORNER_RADIUS = 1 / sqrt(3)
_FLAT_CORNERS = tuple(
    Point(x * _HEX_CORNER_RADIUS, y / 2)
    for x, y in ((-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0))
)
_POINTED_CORNERS = tuple(Point(0, -0.5).turned(60 * n) for n in range(6))
_SQUARE_CORNERS = (Point(-0.5, -0.5), Point(0.5, -0.5), Point(0.5, 0.5), Point(-0.5, 0.5))
_TRIANGLE_CORNERS = (
    Point(0, -0.5),
    Point(_HEX_CORNER_RADIUS, 0.5),
    Point(-_HEX_CORNER_RADIUS, 0.5),
)

SQUARE = Lattice(
    name="square",
    ports=SQUARE_PORTS,
    even=SQUARE_PORTS,
    odd=SQUARE_PORTS,
    steps=(_SQUARE_STEPS, _SQUARE_STEPS),
    corners=_SQUARE_CORNERS,
    description="squares, or rectangles side by side",
)
HEX = Lattice(
    name="hex",
    ports=HEX_PORTS,
    even=HEX_PORTS,
    odd=HEX_PORTS,
    steps=(_HEX_EVEN_STEPS, _HEX_ODD_STEPS),
    parity="column",
    pitch=Point(sqrt(3) / 2, 1),
    shift=Point(0, 0.5),
    corners=_FLAT_CORNERS,
    description="hexagons on a flat side",
)
POINTED = Lattice(
    name="hex pointed",
    ports=POINTED_PORTS,
    even=POINTED_PORTS,
    odd=POINTED_PORTS,
    steps=(_POINTED_EVEN_STEPS, _POINTED_ODD_STEPS),
    parity="row",
    pitch=Point(sqrt(3) / 2, 0.75),
    shift=Point(sqrt(3) / 4, 0),
    corners=_POINTED_CORNERS,
    description="hexagons on a corner",
)
TRIANGULAR = Lattice(
    name="triangular",
    ports=HEX_PORTS,
    even=TRIANGLE_PORTS,
    odd=DOWN_PORTS,
    steps=(_TRIANGLE_UP_STEPS, _TRIANGLE_DOWN_STEPS),
    parity="both",
    pitch=Point(_HEX_CORNER_RADIUS, 1),
    corners=_TRIANGLE_CORNERS,
    description="triangles of three equal sides, on foot and on tip in turn",
)
FREE = Lattice("free", "pieces that touch nothing: anything beside anything")

LATTICES: Mapping[str, Lattice] = {
    "square": SQUARE,
    "hex flat": HEX,
    "hex pointed": POINTED,
    "triangular": TRIANGULAR,
    "free": FREE,
}
"""The tilings by the name that `tiling:` uses."""


def find_lattice(name: str) -> Lattice:
    """Return the tiling with a name; "hex" is short for "hex flat".

    Raise `InvalidValueError` for unknown names.
    """
    if name == HEX.name:
        return HEX
    if name not in LATTICES:
        raise unknown("shape of board", name, [*LATTICES, HEX.name])
    return LATTICES[name]
