"""Tiles as placed on a board: turned to the board's directions, stacked, with the tokens on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm

from generator.base import polygon
from generator.base import ports as port_names
from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.board.board import Board, BoardFace, FaceUp, Kit, Placement
from generator.board.lattice import FREE, SQUARE, TRIANGULAR, Lattice, Place
from generator.pack.tile import Area, Border, Inner, Link, Tile

Covers = tuple[Place, ...]
"""The places an unturned piece at A1 covers, in reading order.

Empty or a single entry for a single place.
"""

BRIDGE_PREFIX = "~"
"""The prefix of ports at which a link continues in the next place of its own piece."""


def find_place_centres(
    covers: Covers, lattice: Lattice, degrees: int, *, flipped: bool
) -> tuple[Point, ...]:
    """Return the centres of the covered places, in tile heights from the centre of the first place.

    Raise `InvalidValueError` on triangular and free boards, where pieces cover a single place.
    """
    if lattice in {FREE, TRIANGULAR}:
        raise InvalidValueError(
            f"a piece over {len(covers)} places on a {lattice.name} board",
            "a board of squares or of hexagons",
        )
    centres = [lattice.centre(place) for place in covers]
    ordered = sorted(
        ((Point(-centre.x, centre.y) if flipped else centre) for centre in centres),
        key=_reading_order,
    )
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
    return polygon.box_around(
        [corner for place in covers or (Place(0, 0),) for corner in lattice.place_corners(place)]
    )


def find_box_centre(
    covers: Covers, lattice: Lattice, at: Place, degrees: int, *, flipped: bool
) -> Point:
    """Return the centre of a piece's bounding box, about which the piece turns, in tile heights."""
    first = find_covered_places(covers, lattice, at, degrees, flipped=flipped)[0]
    corner = min((lattice.centre(place) for place in covers), key=_reading_order)
    box = find_box(covers, lattice)
    if flipped:
        corner = min(
            (Point(-lattice.centre(place).x, lattice.centre(place).y) for place in covers),
            key=_reading_order,
        )
        box = Rect(-box.right, box.y, box.w, box.h)
    return lattice.centre(first) + (box.centre - corner).turned(degrees)


def split_tile(tile: Tile, covers: Covers, lattice: Lattice) -> Mapping[Place, Tile]:
    """Return the part of an unturned tile at each of its places.

    Raise `InvalidValueError` if a tile with links, areas or labels is not a rectangle of squares.
    """
    if tile == Tile():
        return dict.fromkeys(covers, tile)
    columns, rows = (max(place[axis] for place in covers) + 1 for axis in (0, 1))
    if lattice is not SQUARE or len(covers) != columns * rows:
        raise InvalidValueError(
            "links, areas or labels on a piece that is not a rectangle of squares",
            "covers: 2 x 1, or none",
        )
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
        points: defaultdict[Place, list[Inner]] = defaultdict(list)
        borders: defaultdict[Place, list[Border]] = defaultdict(list)
        links: defaultdict[Place, list[Link]] = defaultdict(list)
        areas: defaultdict[Place, list[Area]] = defaultdict(list)
        for point in self.tile.points:
            place, inner = self._locate_point(point)
            points[place].append(inner)
        for border in self.tile.borders:
            for place, part in self._split_side_part(border.port):
                borders[place].append(Border(part, border.label))
        for index, link in enumerate(self.tile.links):
            for place, link_part in self._split_link(index, link):
                links[place].append(link_part)
                bridges = (port for port in link_part.ports if port.startswith(BRIDGE_PREFIX))
                points[place] += (Inner(port, 50, 50) for port in bridges)
        for area in self.tile.areas:
            for place, area_part in self._split_area(area):
                areas[place].append(area_part)
        return {
            place: Tile(
                tuple(links[place]),
                tuple(borders[place]),
                tuple(areas[place]),
                tuple(points[place]),
            )
            for place in covers
        }

    def _locate_point(self, point: Inner) -> tuple[Place, Inner]:
        """Return the place that contains an inner point, and the point in that place's percentages."""
        x = point.x * self.columns / 100
        y = point.y * self.rows / 100
        column = min(floor(x), self.columns - 1)
        row = min(floor(y), self.rows - 1)
        return Place(column, row), Inner(point.name, 100 * (x - column), 100 * (y - row))

    def _place_along(self, side: str, index: int) -> Place:
        """Return the place at an index along a side, clockwise."""
        last = self.size[side] - 1
        return {
            "n": Place(index, 0),
            "e": Place(self.columns - 1, index),
            "s": Place(last - index, self.rows - 1),
            "w": Place(0, last - index),
        }[side]

    def _locate_port(self, port: str) -> tuple[Place, str]:
        """Return the place that a port belongs to, and the port's name there."""
        if port in self.inner:
            return self._locate_point(self.inner[port])[0], port
        side = port_names.side_of(port)
        if side not in self.size:
            return Place(
                self.columns - 1 if "e" in side else 0, self.rows - 1 if "s" in side else 0
            ), port
        distance = port_names.share_of(port) * self.size[side]
        if distance.denominator == 1:
            return self._place_along(side, int(distance) - 1), _CORNER_AFTER[side]
        index = floor(distance)
        if distance.denominator % 2:
            expected = f"a part of each place's side, such as {side}1/{2 * self.size[side]}"
            raise InvalidValueError(
                f"{port} is not in the middle of a part of a place's side", expected
            )
        return self._place_along(side, index), port_names.port_name(side, distance - index)

    def _split_side_part(self, part: str) -> Iterator[tuple[Place, str]]:
        """Yield the places along a part of a side, and the name of the part there."""
        side = port_names.side_of(part)
        (number, count) = port_names.part_of(part)
        low, high = (Fraction(end, count) * self.size[side] for end in (number - 1, number))
        for place in range(floor(low), ceil(high)):
            start = max(low - place, Fraction(0))
            end = min(high - place, Fraction(1))
            parts = lcm(start.denominator, end.denominator)
            for index in range(int(start * parts), int(end * parts)):
                yield self._place_along(side, place), port_names.part_name(side, index + 1, parts)

    def _split_area(self, area: Area) -> Iterator[tuple[Place, Area]]:
        """Yield an area's parts by place, each bridged to the previous part.

        The first keeps the feature.
        """
        name = f"{BRIDGE_PREFIX}{area.kind}{area.parts[0]}"
        parts_by_place: defaultdict[Place, list[str]] = defaultdict(list)
        for part in area.parts:
            for place, name_there in self._split_side_part(part):
                parts_by_place[place].append(name_there)
        last = len(parts_by_place) - 1
        for index, (place, parts) in enumerate(parts_by_place.items()):
            before = [f"{name}.{index}"] if index > 0 else []
            after = [f"{name}.{index + 1}"] if index < last else []
            feature = None if index else area.feature
            yield place, replace(area, parts=(*parts, *before, *after), feature=feature)

    def _split_link(self, link_index: int, link: Link) -> Iterator[tuple[Place, Link]]:
        """Yield a link's parts by place, bridged to each other; the first keeps the feature."""
        ends = [self._locate_port(port) for port in link.ports]
        ports_by_place: defaultdict[Place, list[str]] = defaultdict(list)
        for place, port in ends:
            ports_by_place[place].append(port)
        steps = dict.fromkeys(step for place, _ in ends for step in _walk(ends[0][0], place))
        for index, step in enumerate(steps):
            for place in step:
                ports_by_place[place].append(f"{BRIDGE_PREFIX}{link_index}.{index}")
        for index, (place, ports) in enumerate(ports_by_place.items()):
            yield place, replace(link, ports=tuple(ports), feature=None if index else link.feature)


_CORNER_AFTER = dict(
    zip(port_names.SQUARE_PORTS, port_names.CORNERS[port_names.SQUARE_PORTS], strict=True)
)


def _walk(place: Place, target: Place) -> Iterator[tuple[Place, Place]]:
    """Yield the steps from a place to another, first along the row."""
    while place != target:
        axis = 0 if place.column != target.column else 1
        step = 1 if target[axis] > place[axis] else -1
        after = Place(place.column + step * (axis == 0), place.row + step * (axis == 1))
        yield place, after
        place = after


def find_bridges(
    parts: Iterable[tuple[Place, Tile]],
) -> Iterator[tuple[tuple[Place, int], str, tuple[Place, int]]]:
    """Yield the pairs of links or areas joined by a bridge, each as (place, number), with the port."""
    met: dict[str, list[tuple[Place, int]]] = {}
    for place, tile in parts:
        for index, ports in enumerate(
            (*(link.ports for link in tile.links), *(area.parts for area in tile.areas))
        ):
            for port in ports:
                if port.startswith(BRIDGE_PREFIX):
                    met.setdefault(port, []).append((place, index))
    yield from ((ends[0], port, ends[1]) for port, ends in met.items() if len(ends) == 2)


@dataclass(frozen=True)
class Token:
    """A token on a tile: its owner, the number it counts for, the part of the place it stands on."""

    design: str
    owner: str
    number: float
    on: str
    face: BoardFace


PieceAt = tuple[Place, int]
"""The identity of a piece on a board: the place where it is written, and its level."""


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the board, or the part of a larger tile that lies at one place.

    `stack` lists the designs at the place, bottom first, with their turned faces. `piece` is the
    same for all parts of one tile, and None for tiles of a single place.
    """

    place: Place
    design: str
    face: BoardFace
    tokens: tuple[Token, ...] = ()
    stack: tuple[tuple[str, BoardFace], ...] = ()
    piece: PieceAt | None = None

    def is_same_piece(self, other: PlacedTile) -> bool:
        """Return True if both are parts of one piece."""
        return self.piece is not None and self.piece == other.piece

    @property
    def token_designs(self) -> tuple[str, ...]:
        """Return the designs of the tokens on the tile."""
        return tuple(token.design for token in self.tokens)

    @property
    def links(self) -> tuple[Link, ...]:
        """Return the links, with ports in the board's directions."""
        return self.face.tile.links

    @property
    def areas(self) -> tuple[Area, ...]:
        """Return the areas, with parts in the board's directions."""
        return self.face.tile.areas

    def label(self, port: str) -> str | None:
        """Return the label of a side, or of the part of a side that contains a port."""
        return self._word_at(port_names.side_of(port), port_names.share_of(port), self._labels)

    def label_and_area(self, side: str, share: Fraction) -> tuple[str | None, str | None]:
        """Return the label and the kind of area at a share of a side."""
        areas = [(part, area.kind) for area in self.areas for part in area.parts]
        return self._word_at(side, share, self._labels), self._word_at(side, share, areas)

    @property
    def _labels(self) -> list[tuple[str, str]]:
        """Return the parts of sides with their labels."""
        return [(border.port, border.label) for border in self.face.tile.borders]

    @staticmethod
    def _word_at(side: str, share: Fraction, parts: Iterable[tuple[str, str]]) -> str | None:
        """Return the word of the first part that contains a share of a side; None without one."""
        for part, word in parts:
            index, count = port_names.part_of(part)
            if port_names.side_of(part) == side and Fraction(index - 1, count) <= share <= Fraction(
                index, count
            ):
                return word
        return None

    def ports(self, side: str) -> frozenset[str]:
        """Return the ports of a side that links reach."""
        return frozenset(
            port for link in self.links for port in link.ports if port_names.side_of(port) == side
        )

    def kinds(self, port: str) -> tuple[str, ...]:
        """Return the kinds of links that reach a port, sorted."""
        return tuple(sorted(link.kind for link in self.links if port in link.ports))

    def carries(self, word: str) -> bool:
        """Return True if a rule's word names this tile: its design, a token, a mark, a feature or a kind."""
        return word == self.design or word in self.token_designs or word in self.face.words()

    def carries_any(self, words: Iterable[str]) -> bool:
        """Return True if any of the words names this tile."""
        return any(self.carries(word) for word in words)

    def side_breaks(self, side: str) -> frozenset[Fraction]:
        """Return the shares of a side at which its label or area changes."""
        parts = [border.port for border in self.face.tile.borders] + [
            part for area in self.areas for part in area.parts
        ]
        own_parts = [port_names.part_of(part) for part in parts if port_names.side_of(part) == side]
        return frozenset(
            Fraction(end, count) for index, count in own_parts for end in (index - 1, index)
        )


def place_tiles(board: Board, kit: Kit) -> Mapping[Place, PlacedTile]:
    """Return the visible tiles by place; places with tokens only are left out."""
    tiles: dict[Place, PlacedTile] = {}
    counted_pieces: set[PieceAt] = set()
    stacks = _stack_tiles(board, kit)
    for place in sorted(stacks, key=lambda place: (place.row, place.column)):
        stack = stacks[place]
        top, face = stack[-1]
        piece = (top.place, top.level) if len(kit.design(top.design).covers) > 1 else None
        if piece in counted_pieces:
            # The numbers of a piece over several places count once, at its first visible place.
            face = replace(face, numbers={})
        if piece:
            counted_pieces.add(piece)
        tokens = tuple(find_tokens(board, kit, place))
        tiles[place] = PlacedTile(
            place,
            top.design,
            face,
            tokens,
            tuple((placement.design, up) for placement, up in stack),
            piece,
        )
    return tiles


_Stack = list[tuple[Placement, BoardFace]]


def _stack_tiles(board: Board, kit: Kit) -> dict[Place, _Stack]:
    """Return the tiles at each place, bottom first, with the face that each shows there.

    Raise `InvalidValueError` if two pieces overlap on the same level.
    """
    stacks: dict[Place, _Stack] = {}
    for placement in sorted(
        board.placements, key=lambda placement: (placement.level, placement.row, placement.column)
    ):
        for place, face in (
            find_visible_faces(placement, kit, board.lattice)
            if not kit.design(placement.design).is_token
            else ()
        ):
            stack = stacks.setdefault(place, [])
            if stack and stack[-1][0].level == placement.level:
                lower = stack[-1][0]
                pieces = f"{lower.design!r} of {lower.place} and {placement.design!r} of {placement.place}"
                raise InvalidValueError(
                    f"{pieces} both lie at {place}",
                    "one piece at a place",
                    f"write a piece that covers part of another as .+{placement.design}",
                )
            stack.append((placement, face))
    return stacks


def find_tokens(board: Board, kit: Kit, place: Place) -> Iterator[Token]:
    """Yield the tokens at a place, the lowest first."""
    for placement in board.stacks.get(place, ()):
        design = kit.design(placement.design)
        if design.is_token:
            yield Token(
                placement.design,
                placement.owner,
                placement.number,
                placement.on,
                design.face(placement.side),
            )


def find_piece_places(placement: Placement, kit: Kit, lattice: Lattice) -> tuple[Place, ...]:
    """Return the places that a piece covers."""
    design = kit.design(placement.design)
    flipped = placement.side is FaceUp.BACK
    return find_covered_places(
        design.covers, lattice, placement.place, placement.turn, flipped=flipped
    )


def find_visible_faces(
    placement: Placement, kit: Kit, lattice: Lattice
) -> Iterator[tuple[Place, BoardFace]]:
    """Yield each place of a piece with the face it shows there, turned.

    Mirrored backs arrive mirrored.
    """
    design = kit.design(placement.design)
    face = design.face(placement.side)
    turn = lattice.table_turn(placement.place, placement.turn)
    places = find_piece_places(placement, kit, lattice)
    if len(places) == 1:
        yield placement.place, replace(face, tile=_turn_tile(face.tile, turn, lattice))
        return
    for place, tile in zip(
        places, split_tile(face.tile, design.covers, lattice).values(), strict=True
    ):
        yield place, replace(face, tile=_turn_tile(tile, turn, lattice))


def find_visible_face(placement: Placement, kit: Kit, lattice: Lattice) -> BoardFace:
    """Return the face that a piece shows at the place where it is written."""
    return next(
        face
        for place, face in find_visible_faces(placement, kit, lattice)
        if place == placement.place
    )


def _turn_tile(tile: Tile, degrees: int, lattice: Lattice) -> Tile:
    """Return the tile with its ports turned clockwise by degrees."""
    if not degrees:
        return tile
    inner = {point.name for point in tile.points}

    def turn(port: str) -> str:
        return (
            port
            if port in inner or port.startswith(BRIDGE_PREFIX)
            else lattice.turn_port(port, degrees)
        )

    return Tile(
        tuple(replace(link, ports=tuple(map(turn, link.ports))) for link in tile.links),
        tuple(Border(turn(border.port), border.label) for border in tile.borders),
        tuple(replace(area, parts=tuple(map(turn, area.parts))) for area in tile.areas),
        tile.points,
    )
