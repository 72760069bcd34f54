"""Pieces over several places: the places they cover, and the part of the tile at each of them.

A piece is written at its uppermost place, or at the leftmost of several. Each place receives its part of the tile
with sides of its own. A link across several places is cut into parts, joined by bridge ports.
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
"""The places an unturned piece at A1 covers, in reading order; empty or a single entry for a single place."""

BRIDGE_PREFIX = "~"
"""The prefix of ports at which a link continues in the next place of its own piece."""


def find_place_centres(covers: Covers, lattice: Lattice, degrees: int, *, flipped: bool) -> tuple[Point, ...]:
    """Return the centres of the covered places, in tile heights from the centre of the first place.

    Raise `Wrong` on triangular and free boards, where pieces cover a single place.
    """
    if lattice in {FREE, TRIANGULAR}:
        raise Wrong(f"a piece over {len(covers)} places on a {lattice.name} board", "a board of squares or of hexagons")
    centres = [lattice.centre(place) for place in covers]
    ordered = sorted(((Point(-centre.x, centre.y) if flipped else centre) for centre in centres), key=_reading_order)
    turned = [centre.turned(degrees) for centre in ordered]
    origin = min(turned, key=_reading_order)
    return tuple(centre - origin for centre in turned)


def _reading_order(at: Point) -> tuple[float, float]:
    """Return the sort key of reading order, rounded to absorb float errors."""
    return round(at.y, 3), round(at.x, 3)


def find_covered_places(
    covers: Covers, lattice: Lattice, at: Place, degrees: int, *, flipped: bool
) -> tuple[Place, ...]:
    """Return the places that a piece covers, in the order of `covers`."""
    if len(covers) < 2:
        return (at,)
    start = lattice.centre(at)
    return tuple(
        _nearest_place(lattice, start + offset)
        for offset in find_place_centres(covers, lattice, degrees, flipped=flipped)
    )


def _nearest_place(lattice: Lattice, point: Point) -> Place:
    """Return the place with its centre nearest to a point."""
    candidates = (
        Place(round(point.x / lattice.pitch.x) + x, round(point.y / lattice.pitch.y) + y)
        for x, y in product((-1, 0, 1), repeat=2)
    )
    return min(candidates, key=lambda place: (lattice.centre(place) - point).length())


def find_box(covers: Covers, lattice: Lattice) -> Rect:
    """Return the bounding box of an unturned piece, in tile heights from the centre of A1."""
    return polygon.round_all([corner for place in covers or (Place(0, 0),) for corner in lattice.place_corners(place)])


def find_box_centre(covers: Covers, lattice: Lattice, at: Place, degrees: int, *, flipped: bool) -> Point:
    """Return the centre of a piece's bounding box, about which the piece turns, in tile heights."""
    first = find_covered_places(covers, lattice, at, degrees, flipped=flipped)[0]
    corner = min((lattice.centre(place) for place in covers), key=_reading_order)
    box = find_box(covers, lattice)
    if flipped:
        corner = min((Point(-lattice.centre(place).x, lattice.centre(place).y) for place in covers), key=_reading_order)
        box = Rect(-box.right, box.y, box.w, box.h)
    return lattice.centre(first) + (box.centre - corner).turned(degrees)


def split_tile(tile: Tile, covers: Covers, lattice: Lattice) -> Mapping[Place, Tile]:
    """Return the part of an unturned tile at each of its places.

    Raise `Wrong` if a tile with links, areas or labels is not a rectangle of squares.
    """
    if tile == Tile():
        return dict.fromkeys(covers, tile)
    columns, rows = (max(place[axis] for place in covers) + 1 for axis in (0, 1))
    if lattice is not SQUARE or len(covers) != columns * rows:
        raise Wrong("links, areas or labels on a piece that is no rectangle of squares", "covers: 2 x 1, or none")
    return _TileSplitter(tile, columns, rows).split(covers)


class _TileSplitter:
    """Cuts a tile over a rectangle of squares into parts."""

    def __init__(self, tile: Tile, columns: int, rows: int) -> None:
        self.tile = tile
        self.size = {"n": columns, "s": columns, "e": rows, "w": rows}
        self.columns = columns
        self.rows = rows
        self.inner = {point.name: point for point in tile.points}

    def split(self, covers: Covers) -> Mapping[Place, Tile]:
        """Return the part of the tile at each place."""
        parts = {place: Tile() for place in covers}
        for point in self.tile.points:
            place, inner = self._locate_point(point)
            parts[place] = replace(parts[place], points=(*parts[place].points, inner))
        for border in self.tile.borders:
            for place, part in self._split_side_part(border.port):
                parts[place] = replace(parts[place], borders=(*parts[place].borders, Border(part, border.label)))
        for nth, link in enumerate(self.tile.links):
            for place, own in self._split_link(nth, link, [self._locate_port(port) for port in link.ports]):
                bridges = tuple(Inner(port, 50, 50) for port in own.ports if port.startswith(BRIDGE_PREFIX))
                here = parts[place]
                parts[place] = replace(here, links=(*here.links, own), points=(*here.points, *bridges))
        for area in self.tile.areas:
            for place, piece in self._split_area(f"{BRIDGE_PREFIX}{area.kind}{area.parts[0]}", area):
                parts[place] = replace(parts[place], areas=(*parts[place].areas, piece))
        return parts

    def _locate_point(self, point: Inner) -> tuple[Place, Inner]:
        """Return the place that contains an inner point, and the point in that place's percentages."""
        x = point.x * self.columns / 100
        y = point.y * self.rows / 100
        column = min(floor(x), self.columns - 1)
        row = min(floor(y), self.rows - 1)
        return Place(column, row), Inner(point.name, 100 * (x - column), 100 * (y - row))

    def _place_along(self, side: str, nth: int) -> Place:
        """Return the place at an index along a side, clockwise."""
        last = self.size[side] - 1
        return {
            "n": Place(nth, 0),
            "e": Place(self.columns - 1, nth),
            "s": Place(last - nth, self.rows - 1),
            "w": Place(0, last - nth),
        }[side]

    def _locate_port(self, port: str) -> tuple[Place, str]:
        """Return the place that a port belongs to, and the port's name there."""
        if port in self.inner:
            return self._locate_point(self.inner[port])[0], port
        side = names.side_of(port)
        if side not in self.size:
            return Place(self.columns - 1 if "e" in side else 0, self.rows - 1 if "s" in side else 0), port
        far = names.share_of(port) * self.size[side]
        if far.denominator == 1:
            return self._place_along(side, int(far) - 1), _CORNER_AFTER[side]
        nth = floor(far)
        if far.denominator % 2:
            expected = f"a part of each place's side, such as {side}1/{2 * self.size[side]}"
            raise Wrong(f"{port} lies in the middle of no part of a place's side", expected)
        return self._place_along(side, nth), names.port_named(side, far - nth)

    def _split_side_part(self, part: str) -> Iterator[tuple[Place, str]]:
        """Yield the places along a part of a side, and the name of the part there."""
        side = names.side_of(part)
        (nth, of) = names.part_of(part)
        low, high = (Fraction(end, of) * self.size[side] for end in (nth - 1, nth))
        for place in range(floor(low), ceil(high)):
            start = max(low - place, Fraction(0))
            end = min(high - place, Fraction(1))
            parts = lcm(start.denominator, end.denominator)
            for own in range(int(start * parts), int(end * parts)):
                yield self._place_along(side, place), names.part_named(side, own + 1, parts)

    def _split_area(self, name: str, area: Area) -> Iterator[tuple[Place, Area]]:
        """Yield an area's parts by place, each bridged to the previous part; the first keeps the feature."""
        there: dict[Place, tuple[str, ...]] = {}
        for part in area.parts:
            for place, own in self._split_side_part(part):
                there[place] = (*there.get(place, ()), own)
        last = len(there) - 1
        for nth, (place, parts) in enumerate(there.items()):
            joints = (*(f"{name}.{nth}" for _ in range(nth > 0)), *(f"{name}.{nth + 1}" for _ in range(nth < last)))
            yield place, replace(area, parts=(*parts, *joints), feature=None if nth else area.feature)

    def _split_link(self, nth: int, link: Link, ends: list[tuple[Place, str]]) -> Iterator[tuple[Place, Link]]:
        """Yield a link's parts by place, bridged to each other; the first keeps the feature."""
        steps = dict.fromkeys(step for place, _ in ends for step in _walk(ends[0][0], place))
        there: dict[Place, tuple[str, ...]] = {}
        for place, port in ends:
            there[place] = (*there.get(place, ()), port)
        for index, (here, beyond) in enumerate(steps):
            for place in (here, beyond):
                there[place] = (*there.get(place, ()), f"{BRIDGE_PREFIX}{nth}.{index}")
        for index, (place, ports) in enumerate(there.items()):
            yield place, replace(link, ports=ports, feature=None if index else link.feature)


_CORNER_AFTER = dict(zip(names.SQUARE_PORTS, names.CORNERS[names.SQUARE_PORTS], strict=True))


def _walk(here: Place, there: Place) -> Iterator[tuple[Place, Place]]:
    """Yield the steps from a place to another, first along the row."""
    while here != there:
        axis = 0 if here.column != there.column else 1
        step = 1 if there[axis] > here[axis] else -1
        after = Place(here.column + step * (axis == 0), here.row + step * (axis == 1))
        yield here, after
        here = after


def find_bridges(parts: Iterable[tuple[Place, Tile]]) -> Iterator[tuple[tuple[Place, int], str, tuple[Place, int]]]:
    """Yield the pairs of links or areas joined by a bridge, each as (place, number), with the port."""
    met: dict[str, list[tuple[Place, int]]] = {}
    for place, tile in parts:
        for nth, ports in enumerate((*(link.ports for link in tile.links), *(area.parts for area in tile.areas))):
            for port in ports:
                if port.startswith(BRIDGE_PREFIX):
                    met.setdefault(port, []).append((place, nth))
    yield from ((ends[0], port, ends[1]) for port, ends in met.items() if len(ends) == 2)
