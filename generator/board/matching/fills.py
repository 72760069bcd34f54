"""`fills: {to-road: road}` — a free place beside a labelled side is taken at once by a tile of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.board.matching.sides import mismatch
from generator.board.matching.verdict import Verdict
from generator.board.place import Place
from generator.board.placement import Placement
from generator.board.scene import Scene
from generator.board.tiles import Laid, face_up


@dataclass(frozen=True)
class Fills:
    """By label, the design that fills the free place; where it fits no way round, the board cannot be."""

    designs: Mapping[str, str]

    def check(self, scene: Scene) -> Iterator[Verdict]:
        """Look at every free place that must be filled."""
        yield from self._among_themselves(scene)
        for place, wanted in self.wanted(scene).items():
            if len(wanted) > 1:
                text = f"{place} must be filled with {' and with '.join(sorted(wanted))}"
                yield Verdict("fills", text, (place,))
            elif self._fitting(scene, place, next(iter(wanted))) is None:
                yield Verdict(
                    "fills", f"{place} must be filled with {next(iter(wanted))}, which does not fit", (place,)
                )

    def _among_themselves(self, scene: Scene) -> Iterator[Verdict]:
        filling = {one.place: _tile(scene, one) for one in self.filling(scene)}
        for place, tile in filling.items():
            for port, beside in scene.lattice.round(place):
                other, facing = filling.get(beside), scene.lattice.facing(port)
                if other and place < beside and mismatch(tile, port, other, facing, scene.settings.joining):
                    text = (
                        f"{place} and {beside} must be filled with {tile.design} and {other.design}, which do not fit"
                    )
                    yield Verdict("fills", text, (place, beside))

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


def _tile(scene: Scene, one: Placement) -> Laid:
    return Laid(one.place, one.design, face_up(one, scene.kit, scene.lattice))
