"""Moving along links: a way from tile to tile, each tile once, counted by the stops on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from generator.board.matching.verdict import Verdict
from generator.board.place import Place, listed
from generator.board.scene import Scene


class Change(NamedTuple):
    """A feature at which a way may go over from one kind of link to another on the same tile."""

    feature: str
    before: str
    after: str


@dataclass(frozen=True)
class Move:
    """How something moves.

    It follows links of the kinds `along`. Each feature of `stops` on its way is a step, but on links of the kinds
    `express` only where it leaves them; it ends at a stop. It goes over between kinds at `changes`. Tiles that carry
    all words of one of `never_from`, `never_through`, `never_onto` cannot be where it starts, passes or ends.
    """

    along: tuple[str, ...]
    stops: tuple[str, ...]
    express: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    starts: tuple[str, ...] = ()
    never_from: tuple[tuple[str, ...], ...] = ()
    never_through: tuple[tuple[str, ...], ...] = ()
    never_onto: tuple[tuple[str, ...], ...] = ()
    dice: str = "highest"


DICE: Mapping[str, Callable[[Iterable[int]], int]] = MappingProxyType({"highest": max, "lowest": min, "sum": sum})
"""How many steps a roll allows."""


@dataclass(frozen=True)
class Way:
    """What became of a way: the tiles at which its steps end, in order, and what forbids it."""

    stops: tuple[Place, ...]
    verdicts: tuple[Verdict, ...]


def forbidden(scene: Scene, move: Move, route: Sequence[Place]) -> Iterator[Verdict]:
    """What is wrong with a route wherever its links lead: its places, and the pieces that bar them."""
    for place in route:
        if place not in scene.tiles:
            yield Verdict("empty", f"nothing lies at {place}", (place,))
    twice = {place for place in route if route.count(place) > 1}
    if twice:
        yield Verdict("twice", f"{listed(twice)} is used twice", tuple(sorted(twice)))
    last = [route[-1]] if len(route) > 1 else []
    bars = (("start", route[:1], move.never_from), ("through", route[1:], move.never_through))
    for code, places, never in (*bars, ("occupied", last, move.never_onto)):
        for place in places:
            tile = scene.tiles.get(place)
            if tile and any(all(tile.carries(word) for word in words) for words in never):
                yield Verdict(code, f"{tile.design} at {place} bars the way", (place,))
    first = scene.tiles.get(route[0])
    if first and move.starts and not first.carries_any(move.starts):
        yield Verdict("start", f"{first.design} at {route[0]} is no place to start", (route[0],))
