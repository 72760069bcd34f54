"""How places touch: squares, and hexagons that lie on a flat side.

Hexagons are counted in columns and rows too ("odd-q" offset coordinates): a column is a straight line of hexagons
that touch top to bottom, and the odd columns (B, D, …) hang half a tile lower than the even ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

from generator.board.place import Place
from generator.core.geometry import Point
from generator.core.problems import Wrong, unknown
from generator.pack.links import HEX_PORTS, SQUARE_PORTS

Steps = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Lattice:
    """A way to fill a table with tiles: the sides clockwise from the top, and the step across each."""

    name: str
    ports: tuple[str, ...]
    even: Steps
    odd: Steps
    pitch: Point
    hang: float

    @property
    def quantum(self) -> int:
        """The smallest turn that maps the board onto itself, in degrees."""
        return 360 // len(self.ports)

    def beside(self, place: Place, port: str) -> Place:
        """The place across a side."""
        column, row = (self.odd if place.column % 2 else self.even)[self.ports.index(port)]
        return Place(place.column + column, place.row + row)

    def round(self, place: Place) -> Iterator[tuple[str, Place]]:
        """Every side with the place across it, clockwise from the top."""
        return ((port, self.beside(place, port)) for port in self.ports)

    def facing(self, port: str) -> str:
        """The side that touches this one."""
        return self.turned(port, 180)

    def turned(self, port: str, degrees: int) -> str:
        """Where a side points when its tile is turned clockwise."""
        return self.ports[(self.ports.index(port) + degrees // self.quantum) % len(self.ports)]

    def centre(self, place: Place) -> Point:
        """The middle of a place, in tile heights, from the middle of A1."""
        return Point(place.column * self.pitch.x, place.row * self.pitch.y + (self.hang if place.column % 2 else 0.0))

    def check_turn(self, degrees: int) -> int:
        """The turn within one round; only whole steps bring sides onto sides."""
        if degrees % self.quantum:
            steps = ", ".join(str(turn) for turn in range(0, 360, self.quantum))
            raise Wrong(f"a turn of {degrees} degrees", f"one of: {steps}")
        return degrees % 360


_SQUARE = ((0, -1), (1, 0), (0, 1), (-1, 0))
_EVEN = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_ODD = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))

SQUARE = Lattice("square", SQUARE_PORTS, _SQUARE, _SQUARE, Point(1, 1), 0)
HEX = Lattice("hex", HEX_PORTS, _EVEN, _ODD, Point(sqrt(3) / 2, 1), 0.5)

LATTICES: Mapping[str, Lattice] = MappingProxyType({"square": SQUARE, "hex": HEX})
"""Boards by the shape of their tiles."""


def lattice(name: str) -> Lattice:
    """The lattice of that name."""
    if name not in LATTICES:
        raise unknown("shape of board", name, LATTICES)
    return LATTICES[name]
