"""Pieces over several places: which places one covers as it lies, and what of its tile belongs to each of them.

A piece is written where its uppermost place lies, the leftmost of those. Each place gets the part of the tile that lies
there, with its own sides; a link that reaches several is cut into a part for each, which join where it goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm

from generator.board.lattice import FREE, SQUARE, TRIANGULAR, Lattice, Place
from generator.core import polygon
from generator.core import ports as names
from generator.core.geometry import Point, Rect
from generator.core.problems import Wrong
from generator.pack.tile import Area, Border, Inner, Link, Tile

Covers = tuple[Place, ...]
"""The places that a piece covers when it lies at A1 and is not turned, row by row; nothing or one is a single place."""

BRIDGE = "~"
"""How the ports begin at which a link goes on into the next place of its own piece."""


def middles(covers: Covers, lattice: Lattice, degrees: int, *, flipped: bool) -> tuple[Point, ...]:
    """The middles of the places, in tile heights from that of the first that the piece covers as it lies."""
    if lattice in {FREE, TRIANGULAR}:
        raise Wrong(f"a piece over {len(covers)} places on a {lattice.name} board", "a board of squares or of hexagons")
    found = [lattice.centre(place) for place in covers]
    seen = sorted(((Point(-at.x, at.y) if flipped else at) for at in found), key=_reading)
    turned = [at.turned(degrees) for at in seen]
    first = min(turned, key=_reading)
    return tuple(at - first for at in turned)


def _reading(at: Point) -> tuple[float, float]:
    return round(at.y, 3), round(at.x, 3)


def covered(covers: Covers, lattice: Lattice, at: Place, degrees: int, *, flipped: bool) -> tuple[Place, ...]:
    """The places that a piece covers which is written at a place, in the order in which it is read unturned."""
    if len(covers) < 2:
        return (at,)
    start = lattice.centre(at)
    return tuple(_place_at(lattice, start + off) for off in middles(covers, lattice, degrees, flipped=flipped))


def _place_at(lattice: Lattice, point: Point) -> Place:
    near = (
        Place(round(point.x / lattice.pitch.x) + x, round(point.y / lattice.pitch.y) + y)
        for x, y in product((-1, 0, 1), repeat=2)
    )
    return min(near, key=lambda place: (lattice.centre(place) - point).length())


def box_of(covers: Covers, lattice: Lattice) -> Rect:
    """The box round the places of a piece that is not turned, in tile heights from the middle of A1."""
    return polygon.round_all([corner for place in covers or (Place(0, 0),) for corner in lattice.rim(place)])


def middle_of(covers: Covers, lattice: Lattice, at: Place, degrees: int, *, flipped: bool) -> Point:
    """Where the middle of a piece's box lies, in tile heights: it turns about that."""
    first = covered(covers, lattice, at, degrees, flipped=flipped)[0]
    corner = min((lattice.centre(place) for place in covers), key=_reading)
    box = box_of(covers, lattice)
    if flipped:
        corner = min((Point(-lattice.centre(place).x, lattice.centre(place).y) for place in covers), key=_reading)
        box = Rect(-box.right, box.y, box.w, box.h)
    return lattice.centre(first) + (box.centre - corner).turned(degrees)


def parted(tile: Tile, covers: Covers, lattice: Lattice) -> Mapping[Place, Tile]:
    """What of an unturned tile lies at each of its places."""
    if tile == Tile():
        return dict.fromkeys(covers, tile)
    columns, rows = (max(place[axis] for place in covers) + 1 for axis in (0, 1))
    if lattice is not SQUARE or len(covers) != columns * rows:
        raise Wrong("links, areas or labels on a piece that is no rectangle of squares", "covers: 2 x 1, or none")
    return _Parting(tile, columns, rows).made(covers)


class _Parting:
    """Takes one tile over a rectangle of squares apart."""

    def __init__(self, tile: Tile, columns: int, rows: int) -> None:
        self.tile = tile
        self.size = {"n": columns, "s": columns, "e": rows, "w": rows}
        self.columns, self.rows = columns, rows
        self.inner = {point.name: point for point in tile.points}

    def made(self, covers: Covers) -> Mapping[Place, Tile]:
        found = {place: Tile() for place in covers}
        for point in self.tile.points:
            place, inner = self._inside(point)
            found[place] = replace(found[place], points=(*found[place].points, inner))
        for border in self.tile.borders:
            for place, part in self._parts(border.port):
                found[place] = replace(found[place], borders=(*found[place].borders, Border(part, border.label)))
        for nth, link in enumerate(self.tile.links):
            for place, own in self._cut(nth, link, [self._end(port) for port in link.ports]):
                bridges = tuple(Inner(port, 50, 50) for port in own.ports if port.startswith(BRIDGE))
                here = found[place]
                found[place] = replace(here, links=(*here.links, own), points=(*here.points, *bridges))
        for area in self.tile.areas:
            for place, piece in self._areas(f"{BRIDGE}{area.kind}{area.parts[0]}", area):
                found[place] = replace(found[place], areas=(*found[place].areas, piece))
        return found

    def _inside(self, point: Inner) -> tuple[Place, Inner]:
        x, y = point.x * self.columns / 100, point.y * self.rows / 100
        column, row = min(floor(x), self.columns - 1), min(floor(y), self.rows - 1)
        return Place(column, row), Inner(point.name, 100 * (x - column), 100 * (y - row))

    def _along(self, side: str, nth: int) -> Place:
        """The place so far along a side, clockwise."""
        last = self.size[side] - 1
        return {
            "n": Place(nth, 0),
            "e": Place(self.columns - 1, nth),
            "s": Place(last - nth, self.rows - 1),
            "w": Place(0, last - nth),
        }[side]

    def _end(self, port: str) -> tuple[Place, str]:
        """The place that a port belongs to, and what it is called there."""
        if port in self.inner:
            return self._inside(self.inner[port])[0], port
        side = names.side_of(port)
        if side not in self.size:
            return Place(self.columns - 1 if "e" in side else 0, self.rows - 1 if "s" in side else 0), port
        far = names.share_of(port) * self.size[side]
        if far.denominator == 1:
            return self._along(side, int(far) - 1), _CORNER_AFTER[side]
        nth = floor(far)
        if far.denominator % 2:
            expected = f"a part of each place's side, such as {side}1/{2 * self.size[side]}"
            raise Wrong(f"{port} lies in the middle of no part of a place's side", expected)
        return self._along(side, nth), names.port_named(side, far - nth)

    def _parts(self, part: str) -> Iterator[tuple[Place, str]]:
        """The places that a part of a side belongs to, and what of it is called there."""
        side, (nth, of) = names.side_of(part), names.part_of(part)
        low, high = (Fraction(end, of) * self.size[side] for end in (nth - 1, nth))
        for place in range(floor(low), ceil(high)):
            start, end = max(low - place, Fraction(0)), min(high - place, Fraction(1))
            parts = lcm(start.denominator, end.denominator)
            for own in range(int(start * parts), int(end * parts)):
                yield self._along(side, place), names.part_named(side, own + 1, parts)

    def _areas(self, name: str, area: Area) -> Iterator[tuple[Place, Area]]:
        """An area's parts, each joined to the one before."""
        there: dict[Place, tuple[str, ...]] = {}
        for part in area.parts:
            for place, own in self._parts(part):
                there[place] = (*there.get(place, ()), own)
        last = len(there) - 1
        for nth, (place, parts) in enumerate(there.items()):
            joints = (*(f"{name}.{nth}" for _ in range(nth > 0)), *(f"{name}.{nth + 1}" for _ in range(nth < last)))
            yield place, replace(area, parts=(*parts, *joints), feature=None if nth else area.feature)

    def _cut(self, nth: int, link: Link, ends: list[tuple[Place, str]]) -> Iterator[tuple[Place, Link]]:
        """A link's parts; what stands on it stands on the first."""
        steps = dict.fromkeys(step for place, _ in ends for step in _way(ends[0][0], place))
        there: dict[Place, tuple[str, ...]] = {}
        for place, port in ends:
            there[place] = (*there.get(place, ()), port)
        for index, (here, beyond) in enumerate(steps):
            for place in (here, beyond):
                there[place] = (*there.get(place, ()), f"{BRIDGE}{nth}.{index}")
        for index, (place, ports) in enumerate(there.items()):
            yield place, replace(link, ports=ports, feature=None if index else link.feature)


_CORNER_AFTER = dict(zip(names.SQUARE_PORTS, names.CORNERS[names.SQUARE_PORTS], strict=True))


def _way(here: Place, there: Place) -> Iterator[tuple[Place, Place]]:
    """Steps from a place to another, first along its row."""
    while here != there:
        axis = 0 if here.column != there.column else 1
        step = 1 if there[axis] > here[axis] else -1
        after = Place(here.column + step * (axis == 0), here.row + step * (axis == 1))
        yield here, after
        here = after


def bridged(parts: Iterable[tuple[Place, Tile]]) -> Iterator[tuple[tuple[Place, int], str, tuple[Place, int]]]:
    """Which links or areas of one piece go on in another of its places, each by its place and its number there."""
    met: dict[str, list[tuple[Place, int]]] = {}
    for place, tile in parts:
        for nth, ports in enumerate((*(link.ports for link in tile.links), *(area.parts for area in tile.areas))):
            for port in ports:
                if port.startswith(BRIDGE):
                    met.setdefault(port, []).append((place, nth))
    yield from ((ends[0], port, ends[1]) for port, ends in met.items() if len(ends) == 2)
