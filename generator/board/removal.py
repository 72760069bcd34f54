"""Taking a tile away: whether a pack allows it, and what falls off with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.board.counting.span import ANY, Span
from generator.board.matching.together import How, hanging
from generator.board.matching.verdict import Verdict
from generator.board.place import Place
from generator.board.scene import Scene, look


@dataclass(frozen=True)
class Removal:
    """A way to take a tile away.

    Tiles that carry a word of `never` stay; the tile must have so many `neighbours` (open space is none); what is then
    no longer joined to a tile that carries `root` falls off.
    """

    root: str
    never: tuple[str, ...] = ()
    neighbours: Span = ANY


def refused(scene: Scene, removal: Removal, place: Place) -> Iterator[Verdict]:
    """Why the tile at a place may not be taken."""
    if place not in scene.tiles:
        yield Verdict("empty", f"nothing lies at {place}", (place,))
        return
    tile, around = scene.tiles[place], scene.neighbours(place)
    if tile.carries_any(removal.never):
        yield Verdict("never", f"{tile.design} at {place} stays where it is", (place,))
    if not removal.neighbours.holds(len(around)):
        text = f"{tile.design} at {place} has {len(around)} neighbours, not {removal.neighbours}"
        yield Verdict("neighbours", text, (place, *(other.place for other in around)))


def kept(scene: Scene, root: str) -> frozenset[Place]:
    """The tiles that are joined, tile by tile, to one that carries a word."""
    starts = [place for place, tile in scene.tiles.items() if tile.carries(root)]
    return hanging(scene, starts, How.JOINED)


def dropped(scene: Scene, removal: Removal, place: Place) -> tuple[Place, ...]:
    """What falls off when the tile at a place is taken, without that tile."""
    left = look(scene.board.without(place), scene.kit, scene.settings)
    return tuple(sorted(kept(scene, removal.root) - kept(left, removal.root) - {place}))
