"""What a count finds: things, so that they can be put together without one being counted twice."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from generator.board.counting.group import Group
from generator.board.place import Place
from generator.board.scene import Scene


class Thing(NamedTuple):
    """One thing that counts: where it is (if at one place), what tells it from others there, and what it weighs."""

    place: Place | None
    key: Hashable = None
    value: float = 1.0


def things(scene: Scene, group: Group, word: str) -> frozenset[Thing]:
    """What a word means in a group.

    The first of these that the pack knows it as: a kind of link (each link of it), a feature (each that stands on one
    of the group's links), a number (each tile weighs what its number says), a mark, token or design (each tile that
    has it).
    """
    if word in scene.kit.kinds:
        return frozenset(Thing(*run) for run in group.runs if scene.runs[run].kind == word)
    if word in scene.kit.features:
        return frozenset(Thing(*run) for run in group.runs if scene.runs[run].feature == word)
    if word in scene.kit.numbers:
        values = ((place, scene.tiles[place].face.numbers.get(word, 0.0)) for place in group.places)
        return frozenset(Thing(place, word, value) for place, value in values if value)
    return frozenset(thing for place in group.places for thing in _on(scene, place, word))


def _on(scene: Scene, place: Place, word: str) -> Iterator[Thing]:
    tile = scene.tiles[place]
    if word == tile.design or word in tile.face.marks:
        yield Thing(place, word)
    for index, token in enumerate(tile.tokens):
        if token == word:
            yield Thing(place, index)


def weight(found: frozenset[Thing]) -> float:
    """What things weigh together: their number, unless they carry numbers of their own."""
    return sum(thing.value for thing in found)
