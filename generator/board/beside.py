"""Rules of `matching:` about tiles that lie beside or over each other, and what a rule says: verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol

from generator.board.footprint import BRIDGE
from generator.board.kit import StockFace
from generator.board.lattice import Place, listed
from generator.board.scene import Scene
from generator.board.tiles import Joining, LaidTile
from generator.core.ports import port_named, share_of, side_of
from generator.pack.tile import Link


@dataclass(frozen=True)
class MatchingVerdict:
    """A rule that a board breaks: its code, why in words, and the places that it is about."""

    code: str
    text: str
    places: tuple[Place, ...]


class MatchingRule(Protocol):
    """One rule of a pack's `matching:`."""

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Everything on the board that breaks the rule."""
        ...


EQUAL = frozenset({"areas", "borders", "kinds", "sides"})
SAME_KIND = frozenset({"areas", "borders", "kinds"})


@dataclass(frozen=True)
class SidesRule:
    """Four ways to go wrong, each with its code, so that a figure can show one and not another.

    `kinds`: two links that meet are of different kinds; `sides`: a link meets a side without one (allowed by
    `sides: same-kind`); `areas`: an area meets another kind of area or none; `borders`: a side's label meets another
    label or none. Labels come first: under one, links are not compared.
    """

    codes: frozenset[str] = EQUAL

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every two sides that touch."""
        for tile, port, other, facing in scene.touching():
            code = mismatch(tile, port, other, facing, scene.settings.joining)
            if code in self.codes:
                text = f"{shown(tile, port)} at {tile.place} meets {shown(other, facing)} at {other.place}"
                yield MatchingVerdict(code, text, (tile.place, other.place))


def mismatch(tile: LaidTile, port: str, other: LaidTile, facing: str, joining: Joining) -> str | None:
    """The code of what is wrong between two touching sides."""
    for share in _shares(tile, port, other, facing):
        far = other.at_share(facing, 1 - share)
        near = tile.at_share(port, share)
        if not joining.labels_fit(near[0], far[0]):
            return "borders"
        if near[1] != far[1] and not (near[1] and far[1] and joining.kinds_join(near[1], far[1])):
            return "areas"
    ports = tile.ports(port) | {facing_port(end, port) for end in other.ports(facing)}
    return next((code for end in sorted(ports) if (code := _unlike(tile, end, other, facing, joining))), None)


def facing_port(end: str, side: str) -> str:
    """The port of a side that a port of the side facing it meets."""
    return port_named(side, 1 - share_of(end))


def _shares(tile: LaidTile, port: str, other: LaidTile, facing: str) -> Iterator[Fraction]:
    """A place within every stretch of two touching sides on which nothing changes."""
    cuts = sorted({Fraction(0), Fraction(1)} | tile.cuts(port) | {1 - cut for cut in other.cuts(facing)})
    yield from ((a + b) / 2 for a, b in pairwise(cuts))


def _unlike(tile: LaidTile, end: str, other: LaidTile, facing: str, joining: Joining) -> str | None:
    mine, theirs = tile.kinds(end), other.kinds(facing_port(end, facing))
    if tile.label(end) is not None or joining.kinds_match(mine, theirs):
        return None
    return "kinds" if mine and theirs else "sides"


def shown(tile: LaidTile, port: str) -> str:
    """A side in words: its label, its links, or `a blank side`."""
    label = tile.label(port)
    if label is not None:
        return f"the border {label}"
    kinds = [kind for end in sorted(tile.ports(port)) for kind in tile.kinds(end)]
    areas = [area.kind for area in tile.areas if any(side_of(part) == port for part in area.parts)]
    return " and ".join([*kinds, *areas]) or "a blank side"


@dataclass(frozen=True)
class NeverTouch:
    """Pairs of words; a tile that carries the one may not share a side with a tile that carries the other."""

    pairs: tuple[tuple[str, str], ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every two tiles that share a side."""
        for tile, _, other, _ in scene.touching():
            for one, two in self.pairs:
                first = tile.carries(one) and other.carries(two)
                if first or (tile.carries(two) and other.carries(one)):
                    words = (one, two) if first else (two, one)
                    text = f"{words[0]} at {tile.place} touches {words[1]} at {other.place}"
                    yield MatchingVerdict("never-touch", text, (tile.place, other.place))


@dataclass(frozen=True)
class Over:
    """Pairs of words, upper first; without this rule, no tile may lie over another."""

    pairs: tuple[tuple[str, str], ...] = ()

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every stack, from below."""
        for place, tile in scene.tiles.items():
            for lower, upper in pairwise(tile.stack):
                if not any(_is(upper, top) and _is(lower, base) for top, base in self.pairs):
                    yield MatchingVerdict("over", f"{upper[0]} lies over {lower[0]} at {place}", (place,))


def _is(piece: tuple[str, StockFace], word: str) -> bool:
    design, face = piece
    return word == design or word in face.marks


@dataclass(frozen=True)
class Keeps:
    """Kinds of links that a tile laid over another must have wherever that one had them."""

    kinds: tuple[str, ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every stack, from below."""
        for place, tile in scene.tiles.items():
            for lower, upper in pairwise(tile.stack):
                for link in lower[1].tile.links:
                    if link.kind in self.kinds and not any(_has(other, link) for other in upper[1].tile.links):
                        ends = " to ".join(link.ports) if len(link.ports) == 2 else " and ".join(link.ports)
                        text = f"{upper[0]} at {place} drops the {link.kind} of {lower[0]} from {ends}"
                        yield MatchingVerdict("keeps", text, (place,))


def _has(upper: Link, lower: Link) -> bool:
    """Whether a link leads wherever another did."""
    left = {port for port in lower.ports if not port.startswith(BRIDGE)}
    return upper.kind == lower.kind and left <= {*upper.ports}


@dataclass(frozen=True)
class OnBoard:
    """Where tiles may lie: on places that the board has (all, if it does not say), and on none that is blocked."""

    places: frozenset[Place] | None
    blocked: frozenset[Place]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every tile."""
        for place, tile in scene.tiles.items():
            if self.places is not None and place not in self.places:
                yield MatchingVerdict(
                    "off-board", f"{tile.design} lies at {place}, which the board does not have", (place,)
                )
            elif place in self.blocked:
                yield MatchingVerdict("blocked", f"{tile.design} lies at {place}, which is blocked", (place,))


@dataclass(frozen=True)
class Within:
    """The most columns and rows from the first tile to the last."""

    columns: int
    rows: int

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Measure both ways."""
        columns = [place.column for place in scene.tiles]
        rows = [place.row for place in scene.tiles]
        for most, found, name in ((self.columns, columns, "columns"), (self.rows, rows, "rows")):
            if found and max(found) - min(found) + 1 > most:
                text = f"the board spreads over {max(found) - min(found) + 1} {name} of at most {most}"
                yield MatchingVerdict("within", text, tuple(sorted(scene.tiles)))


@dataclass(frozen=True)
class NoGaps:
    """A place that no tile could be added to without being surrounded is not allowed to stay empty."""

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at the empty places beside tiles."""
        for place in holes(scene):
            yield MatchingVerdict("gaps", f"{place} is empty and surrounded", (place,))


def holes(scene: Scene) -> tuple[Place, ...]:
    """Empty places with a tile on every side; tiles that count as open space surround nothing."""
    edge = {beside for place in scene.tiles for _, beside in scene.lattice.round(place)} - set(scene.tiles)
    return tuple(sorted(p for p in edge if len(scene.neighbours(p)) == len(scene.lattice.ports)))


class How(StrEnum):
    """What holds tiles together: a shared side, or a link across it."""

    TOUCHING = "touching"
    JOINED = "joined"


APART: Mapping[How, tuple[str, str]] = MappingProxyType(
    {
        How.TOUCHING: ("does not touch", "do not touch"),
        How.JOINED: ("is not joined to", "are not joined to"),
    }
)
"""How it is said of one tile and of several."""


@dataclass(frozen=True)
class Together:
    """Every tile hangs together with the tile that the game starts from, or else with the first."""

    how: How

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Walk from the starting tile and see what is left out."""
        starts = [place for place, tile in scene.tiles.items() if tile.carries_any(scene.settings.start)]
        held = hanging(scene, starts or sorted(scene.tiles)[:1], self.how)
        left = [place for place in scene.tiles if place not in held]
        if left:
            one, many = APART[self.how]
            text = f"{listed(left)} {one if len(left) == 1 else many} the rest"
            yield MatchingVerdict("together", text, tuple(sorted(left)))


def hanging(scene: Scene, starts: list[Place], how: How) -> frozenset[Place]:
    """The places that hang together with some."""
    seen, waiting = set(starts), list(starts)
    while waiting:
        place = waiting.pop()
        joined = scene.joined(place) if how is How.JOINED else {tile.place for tile in scene.beside(place)}
        beside = joined | (scene.whole(place) - {place})
        waiting.extend(beside - seen)
        seen |= beside
    return frozenset(seen)
