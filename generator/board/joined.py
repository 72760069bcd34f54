"""Rules of `matching:` about what links join, and about what is laid by itself beside a side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.board.beside import MatchingVerdict, mismatch
from generator.board.groups import of_network, things
from generator.board.lattice import Place, listed
from generator.board.network import Network
from generator.board.placement import Placement
from generator.board.scene import Scene
from generator.board.tiles import LaidTile, face_up


@dataclass(frozen=True)
class MustJoin:
    """Kinds of links; a tile that carries one must have one of its sides joined by such a link.

    A tile that the game starts from (`start:`) need not be, nor the only tile of a board.
    """

    kinds: tuple[str, ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every tile with such links."""
        firsts = {scene.first(place): scene.whole(place) for place in scene.tiles}
        for place, own in firsts.items():
            tile = scene.tiles[place]
            mine = [run for run, link in scene.runs.items() if run.place in own and link.kind in self.kinds]
            free = len(firsts) == 1 or tile.carries_any(scene.settings.start)
            if (
                mine
                and not free
                and not any(other.place not in own for run in mine for other in scene.near.get(run, ()))
            ):
                kinds = " and ".join(sorted({scene.runs[run].kind for run in mine}))
                yield MatchingVerdict(
                    "must-join", f"no {kinds} of {tile.design} at {place} joins a tile beside it", (place,)
                )


@dataclass(frozen=True)
class NeverJoin:
    """Pairs of words, each perhaps with the kind of network that it is about."""

    pairs: tuple[tuple[str, ...], ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every network for both of a pair, or two of the same."""
        for network in scene.networks:
            for one, two, *kinds in self.pairs:
                places = _places(scene, network, one, two)
                if places and (not kinds or network.kinds & set(kinds)):
                    what = f"two of {one}" if one == two else f"{one} and {two}"
                    text = f"{what} are joined by {' and '.join(sorted(network.kinds))}: {listed(places)}"
                    yield MatchingVerdict("never-join", text, places)


def _places(scene: Scene, network: Network, one: str, two: str) -> tuple[Place, ...]:
    group = of_network(network)
    ones, twos = things(scene, group, one), things(scene, group, two)
    both = ones | twos
    enough = len(ones) > 1 if one == two else bool(ones and twos)
    return tuple(sorted({thing.place for thing in both if thing.place is not None})) if enough else ()


@dataclass(frozen=True)
class CompleteNeeds:
    """By kind of link, the words of which a closed network must hold one each."""

    needs: Mapping[str, tuple[str, ...]]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every closed network."""
        for network in scene.networks:
            for kind in sorted(network.kinds & set(self.needs)) if network.closed else ():
                for word in self.needs[kind]:
                    if not things(scene, of_network(network), word):
                        text = f"the {kind} through {listed(network.places)} is complete and has no {word}"
                        yield MatchingVerdict("complete-needs", text, tuple(sorted(network.places)))


@dataclass(frozen=True)
class Fills:
    """By label, the design that fills the free place; where it fits no way round, the board cannot be."""

    designs: Mapping[str, str]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Look at every free place that must be filled."""
        yield from self._among_themselves(scene)
        for place, wanted in self.wanted(scene).items():
            if len(wanted) > 1:
                text = f"{place} must be filled with {' and with '.join(sorted(wanted))}"
                yield MatchingVerdict("fills", text, (place,))
            elif self._fitting(scene, place, next(iter(wanted))) is None:
                yield MatchingVerdict(
                    "fills", f"{place} must be filled with {next(iter(wanted))}, which does not fit", (place,)
                )

    def _among_themselves(self, scene: Scene) -> Iterator[MatchingVerdict]:
        filling = {one.place: _tile(scene, one) for one in self.filling(scene)}
        for place, tile in filling.items():
            for port, beside in scene.lattice.round(place):
                other, facing = filling.get(beside), scene.lattice.facing(port)
                if other and place < beside and mismatch(tile, port, other, facing, scene.settings.joining):
                    text = (
                        f"{place} and {beside} must be filled with {tile.design} and {other.design}, which do not fit"
                    )
                    yield MatchingVerdict("fills", text, (place, beside))

    def wanted(self, scene: Scene) -> dict[Place, frozenset[str]]:
        """The free places beside labelled sides, with the designs that these call for."""
        found: dict[Place, frozenset[str]] = {}
        for place, tile in sorted(scene.tiles.items()):
            for port, beside in scene.lattice.round(place):
                label = tile.label(port)
                if beside not in scene.tiles and label is not None and label in self.designs:
                    found[beside] = found.get(beside, frozenset()) | {self.designs[label]}
        return found

    def filling(self, scene: Scene) -> tuple[Placement, ...]:
        """The tiles to lay, each turned so that it fits; places that cannot be filled are left out."""
        found = []
        for place, wanted in self.wanted(scene).items():
            one = self._fitting(scene, place, next(iter(wanted))) if len(wanted) == 1 else None
            if one is not None:
                found.append(one)
        return tuple(found)

    def _fitting(self, scene: Scene, place: Place, design: str) -> Placement | None:
        for turn in range(0, 360, scene.lattice.quantum):
            one = Placement(design, place.column, place.row, turn)
            if _fits(scene, one):
                return one
        return None


def _fits(scene: Scene, one: Placement) -> bool:
    tile = _tile(scene, one)
    joining = scene.settings.joining
    return not any(
        mismatch(tile, port, scene.tiles[beside], scene.lattice.facing(port), joining)
        for port, beside in scene.lattice.round(one.place)
        if beside in scene.tiles
    )


def _tile(scene: Scene, one: Placement) -> LaidTile:
    return LaidTile(one.place, one.design, face_up(one, scene.kit, scene.lattice))
