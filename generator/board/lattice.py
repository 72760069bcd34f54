"""Places of a board, and how they touch.

Places are named as in chess but from the top: `B3` is the second column and the third row. Hexagons are counted in
columns and rows too: where they lie flat, the odd columns (B, D, …) hang half a tile lower than the even ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import NamedTuple

from generator.core.geometry import Point
from generator.core.problems import Wrong, unknown
from generator.pack.links import HEX_PORTS, SQUARE_PORTS

_NAME = re.compile(r"([A-Za-z]{1,2})([1-9]\d{0,2})")
_LETTERS = 26


class Place(NamedTuple):
    """A column and a row, both from 0 on at the top left. Hexagons lie flat, and odd columns hang half a tile lower."""

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
    names = [str(place) for place in sorted(places, key=lambda place: (place.row, place.column))]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "no place"


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
