"""Rules of `matching:` about neighbouring and stacked tiles, and the verdicts that rules return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol

from generator.board.footprint import BRIDGE_PREFIX
from generator.board.kit import BoardFace
from generator.board.lattice import Place, join_places
from generator.board.scene import Scene, find_holes
from generator.board.tiles import Joining, PlacedTile
from generator.core.ports import port_named, share_of, side_of
from generator.pack.tile import Link


@dataclass(frozen=True)
class MatchingVerdict:
    """A broken rule: its code, an explanation, and the places concerned."""

    code: str
    text: str
    places: tuple[Place, ...]


class MatchingRule(Protocol):
    """A rule of a pack's `matching:`."""

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each breach of the rule."""
        ...


EQUAL_SIDES_CODES = frozenset({"areas", "borders", "kinds", "sides"})
SAME_KIND_CODES = frozenset({"areas", "borders", "kinds"})


@dataclass(frozen=True)
class SidesRule:
    """Require that touching sides match.

    There are four codes, so that a figure can show each mistake by itself. `kinds`: two links of different kinds
    meet. `sides`: a link meets a side without a link (allowed by `sides: same-kind`). `areas`: an area meets another
    kind of area, or none. `borders`: a label meets another label, or none. Links at labelled sides are not compared.
    """

    codes: frozenset[str] = EQUAL_SIDES_CODES

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each pair of touching sides that do not match."""
        for tile, port, other, facing in scene.touching_pairs():
            code = find_mismatch(tile, port, other, facing, scene.settings.joining)
            if code in self.codes:
                text = (
                    f"{describe_side(tile, port)} at {tile.place} meets {describe_side(other, facing)} at {other.place}"
                )
                yield MatchingVerdict(code, text, (tile.place, other.place))


def find_mismatch(tile: PlacedTile, port: str, other: PlacedTile, facing: str, joining: Joining) -> str | None:
    """Return the code of the first mismatch between two touching sides; None if they match."""
    for share in _sample_shares(tile, port, other, facing):
        far = other.label_and_area(facing, 1 - share)
        near = tile.label_and_area(port, share)
        if not joining.labels_fit(near[0], far[0]):
            return "borders"
        if near[1] != far[1] and not (near[1] and far[1] and joining.kinds_join(near[1], far[1])):
            return "areas"
    ports = tile.ports(port) | {find_facing_port(end, port) for end in other.ports(facing)}
    return next(
        (code for end in sorted(ports) if (code := _find_link_mismatch(tile, end, other, facing, joining))), None
    )


def find_facing_port(end: str, side: str) -> str:
    """Return the port of a side that touches a port of the opposite side."""
    return port_named(side, 1 - share_of(end))


def _sample_shares(tile: PlacedTile, port: str, other: PlacedTile, facing: str) -> Iterator[Fraction]:
    """Yield a share inside each stretch of two touching sides on which no label or area changes."""
    cuts = sorted({Fraction(0), Fraction(1)} | tile.side_breaks(port) | {1 - cut for cut in other.side_breaks(facing)})
    yield from ((a + b) / 2 for a, b in pairwise(cuts))


def _find_link_mismatch(tile: PlacedTile, end: str, other: PlacedTile, facing: str, joining: Joining) -> str | None:
    """Return the code for links that do not match at a port; None if they match."""
    mine = tile.kinds(end)
    theirs = other.kinds(find_facing_port(end, facing))
    if tile.label(end) is not None or joining.kinds_match(mine, theirs):
        return None
    return "kinds" if mine and theirs else "sides"


def describe_side(tile: PlacedTile, port: str) -> str:
    """Return a side in words: its label, its links and areas, or `a blank side`."""
    label = tile.label(port)
    if label is not None:
        return f"the border {label}"
    kinds = [kind for end in sorted(tile.ports(port)) for kind in tile.kinds(end)]
    areas = [area.kind for area in tile.areas if any(side_of(part) == port for part in area.parts)]
    return " and ".join([*kinds, *areas]) or "a blank side"


@dataclass(frozen=True)
class NeverTouch:
    """Forbid tiles that carry the two words of a pair to share a side."""

    pairs: tuple[tuple[str, str], ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each forbidden pair of neighbours."""
        for tile, _, other, _ in scene.touching_pairs():
            for upper, two in self.pairs:
                is_in_order = tile.carries(upper) and other.carries(two)
                if is_in_order or (tile.carries(two) and other.carries(upper)):
                    words = (upper, two) if is_in_order else (two, upper)
                    text = f"{words[0]} at {tile.place} touches {words[1]} at {other.place}"
                    yield MatchingVerdict("never-touch", text, (tile.place, other.place))


@dataclass(frozen=True)
class Over:
    """Allow stacking for pairs of words, upper first; any other stacking is forbidden."""

    pairs: tuple[tuple[str, str], ...] = ()

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each stacked pair that is not allowed, from the bottom up."""
        for place, tile in scene.tiles.items():
            for lower, upper in pairwise(tile.stack):
                if not any(_is_named(upper, top) and _is_named(lower, base) for top, base in self.pairs):
                    yield MatchingVerdict("over", f"{upper[0]} lies over {lower[0]} at {place}", (place,))


def _is_named(piece: tuple[str, BoardFace], word: str) -> bool:
    """Return True if a word names the design of a piece, or a mark of its face."""
    design, face = piece
    return word == design or word in face.marks


@dataclass(frozen=True)
class Keeps:
    """Require that a tile placed over another repeats its links of certain kinds."""

    kinds: tuple[str, ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each link that an upper tile drops."""
        for place, tile in scene.tiles.items():
            for lower, upper in pairwise(tile.stack):
                for link in lower[1].tile.links:
                    if link.kind in self.kinds and not any(
                        _is_continued_by(other, link) for other in upper[1].tile.links
                    ):
                        ends = " to ".join(link.ports) if len(link.ports) == 2 else " and ".join(link.ports)
                        text = f"{upper[0]} at {place} drops the {link.kind} of {lower[0]} from {ends}"
                        yield MatchingVerdict("keeps", text, (place,))


def _is_continued_by(upper: Link, lower: Link) -> bool:
    """Return True if the upper link reaches every port of the lower link."""
    left = {port for port in lower.ports if not port.startswith(BRIDGE_PREFIX)}
    return upper.kind == lower.kind and left <= {*upper.ports}


@dataclass(frozen=True)
class OnBoard:
    """Restrict tiles to the board's places (None: all places), without those that are blocked."""

    places: frozenset[Place] | None
    blocked: frozenset[Place]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each tile off the board or on a blocked place."""
        for place, tile in scene.tiles.items():
            if self.places is not None and place not in self.places:
                yield MatchingVerdict(
                    "off-board", f"{tile.design} lies at {place}, which the board does not have", (place,)
                )
            elif place in self.blocked:
                yield MatchingVerdict("blocked", f"{tile.design} lies at {place}, which is blocked", (place,))


@dataclass(frozen=True)
class Within:
    """Limit the number of columns and rows between the outermost tiles."""

    columns: int
    rows: int

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each direction in which the board is too large."""
        columns = [place.column for place in scene.tiles]
        rows = [place.row for place in scene.tiles]
        for limit, indices, name in ((self.columns, columns, "columns"), (self.rows, rows, "rows")):
            if indices and max(indices) - min(indices) + 1 > limit:
                text = f"the board has {max(indices) - min(indices) + 1} {name}, and at most {limit} are allowed"
                yield MatchingVerdict("within", text, tuple(sorted(scene.tiles)))


@dataclass(frozen=True)
class NoGaps:
    """Forbid empty places that are surrounded by tiles."""

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each surrounded empty place."""
        for place in find_holes(scene):
            yield MatchingVerdict("gaps", f"{place} is empty and surrounded", (place,))


class Connection(StrEnum):
    """The connection that holds a board together: shared sides, or links across them."""

    TOUCHING = "touching"
    JOINED = "joined"


_SEPARATION_PHRASES: Mapping[Connection, tuple[str, str]] = MappingProxyType(
    {
        Connection.TOUCHING: ("does not touch", "do not touch"),
        Connection.JOINED: ("is not joined to", "are not joined to"),
    }
)
"""The phrases for a single separate tile and for several."""


@dataclass(frozen=True)
class Together:
    """Require that every tile is connected to the starting tile, or else to the first tile."""

    how: Connection

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict that lists the tiles not connected."""
        starts = [place for place, tile in scene.tiles.items() if tile.carries_any(scene.settings.start)]
        connected = find_connected(scene, starts or sorted(scene.tiles)[:1], self.how)
        separate = [place for place in scene.tiles if place not in connected]
        if separate:
            singular, plural = _SEPARATION_PHRASES[self.how]
            text = f"{join_places(separate)} {singular if len(separate) == 1 else plural} the rest"
            yield MatchingVerdict("together", text, tuple(sorted(separate)))


def find_connected(scene: Scene, starts: list[Place], how: Connection) -> frozenset[Place]:
    """Return the places connected to the start places, including these."""
    connected = set(starts)
    queue = list(starts)
    while queue:
        place = queue.pop()
        joined = (
            scene.joined_places(place)
            if how is Connection.JOINED
            else {tile.place for tile in scene.touching_tiles(place)}
        )
        neighbours = joined | (scene.piece_places(place) - {place})
        queue.extend(neighbours - connected)
        connected |= neighbours
    return frozenset(connected)
