"""The rules that `matching:` may state, by their keys there. A new rule is a file beside this one and a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.beside import (
    EQUAL,
    SAME_KIND,
    How,
    Keeps,
    MatchingRule,
    MatchingVerdict,
    NeverTouch,
    NoGaps,
    Over,
    SidesRule,
    Together,
    Within,
    mismatch,
)
from generator.board.groups import of_network, things
from generator.board.kit import Placement
from generator.board.lattice import Place, listed
from generator.board.network import Network
from generator.board.scene import Scene
from generator.board.spec import MatchingSpec
from generator.board.tiles import LaidTile, face_up


@dataclass(frozen=True)
class RuleKind:
    """One rule: what it says in the documentation, the codes of its verdicts, and how it is made, if it is stated."""

    meaning: str
    codes: tuple[str, ...]
    make: Callable[[MatchingSpec], MatchingRule | None]


def _sides(spec: MatchingSpec) -> MatchingRule | None:
    return SidesRule(EQUAL if spec.sides == "equal" else SAME_KIND) if spec.sides else None


def _never_touch(spec: MatchingSpec) -> MatchingRule | None:
    return NeverTouch(spec.never_touch) if spec.never_touch else None


def _never_join(spec: MatchingSpec) -> MatchingRule | None:
    return NeverJoin(spec.never_join) if spec.never_join else None


def _must_join(spec: MatchingSpec) -> MatchingRule | None:
    return MustJoin(spec.must_join) if spec.must_join else None


def _complete_needs(spec: MatchingSpec) -> MatchingRule | None:
    return CompleteNeeds(spec.complete_needs) if spec.complete_needs else None


def _together(spec: MatchingSpec) -> MatchingRule | None:
    return Together(How(spec.together)) if spec.together else None


def _within(spec: MatchingSpec) -> MatchingRule | None:
    return Within(spec.within.columns, spec.within.rows) if spec.within else None


def _gaps(spec: MatchingSpec) -> MatchingRule | None:
    return NoGaps() if spec.gaps else None


def _over(spec: MatchingSpec) -> MatchingRule:
    return Over(spec.over)


def _keeps(spec: MatchingSpec) -> MatchingRule | None:
    return Keeps(spec.keeps) if spec.keeps else None


def _fills(spec: MatchingSpec) -> MatchingRule | None:
    return Fills(spec.fills) if spec.fills else None


RULES: Mapping[str, RuleKind] = MappingProxyType(
    {
        "sides": RuleKind("touching sides show the same", ("sides", "kinds", "borders", "areas"), _sides),
        "never-touch": RuleKind("these never lie side by side", ("never-touch",), _never_touch),
        "never-join": RuleKind("these never stand in one network", ("never-join",), _never_join),
        "must-join": RuleKind("a tile with such a link is joined to another", ("must-join",), _must_join),
        "complete-needs": RuleKind("a closed network holds one of these", ("complete-needs",), _complete_needs),
        "together": RuleKind("the board is in one piece", ("together",), _together),
        "within": RuleKind("the board spreads no further", ("within",), _within),
        "gaps": RuleKind("no empty place is surrounded", ("gaps",), _gaps),
        "over": RuleKind("which tile may be laid over which; none unless it is listed", ("over",), _over),
        "keeps": RuleKind("links that a tile laid over another must have too", ("keeps",), _keeps),
        "fills": RuleKind("what fills the free place beside a labelled side", ("fills",), _fills),
    }
)

ON_BOARD = ("blocked", "off-board")
"""The reasons of the rule that is made of `board:`."""

CODES: tuple[str, ...] = tuple(sorted((*ON_BOARD, *(code for kind in RULES.values() for code in kind.codes))))
"""Every reason that a verdict can give."""


def rules_from(spec: MatchingSpec) -> tuple[MatchingRule, ...]:
    """The rules that a pack states, in the order of the table."""
    made = (kind.make(spec) for kind in RULES.values())
    return tuple(rule for rule in made if rule is not None)


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
