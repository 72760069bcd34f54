"""The rules of `matching:`, by key.

To add a rule, write its class here or in `beside.py` and add a row to `RULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.beside import (
    EQUAL_SIDES_CODES,
    SAME_KIND_CODES,
    Connection,
    Keeps,
    MatchingRule,
    MatchingVerdict,
    NeverTouch,
    NoGaps,
    Over,
    SidesRule,
    Together,
    Within,
    find_mismatch,
)
from generator.board.groups import find_things, group_network
from generator.board.kit import Placement
from generator.board.lattice import Place, join_places
from generator.board.network import Network
from generator.board.scene import Scene
from generator.board.spec import MatchingSpec
from generator.board.tiles import PlacedTile, find_visible_face


@dataclass(frozen=True)
class RuleKind:
    """A kind of rule: its meaning for the documentation, the codes of its verdicts, and its constructor.

    `make` returns None if the pack does not state the rule.
    """

    meaning: str
    codes: tuple[str, ...]
    make: Callable[[MatchingSpec], MatchingRule | None]


def _make_sides(spec: MatchingSpec) -> MatchingRule | None:
    return SidesRule(EQUAL_SIDES_CODES if spec.sides == "equal" else SAME_KIND_CODES) if spec.sides else None


def _make_never_touch(spec: MatchingSpec) -> MatchingRule | None:
    return NeverTouch(spec.never_touch) if spec.never_touch else None


def _make_never_join(spec: MatchingSpec) -> MatchingRule | None:
    return NeverJoin(spec.never_join) if spec.never_join else None


def _make_must_join(spec: MatchingSpec) -> MatchingRule | None:
    return MustJoin(spec.must_join) if spec.must_join else None


def _make_complete_needs(spec: MatchingSpec) -> MatchingRule | None:
    return CompleteNeeds(spec.complete_needs) if spec.complete_needs else None


def _make_together(spec: MatchingSpec) -> MatchingRule | None:
    return Together(Connection(spec.together)) if spec.together else None


def _make_within(spec: MatchingSpec) -> MatchingRule | None:
    return Within(spec.within.columns, spec.within.rows) if spec.within else None


def _make_gaps(spec: MatchingSpec) -> MatchingRule | None:
    return NoGaps() if spec.gaps else None


def _make_over(spec: MatchingSpec) -> MatchingRule:
    return Over(spec.over)


def _make_keeps(spec: MatchingSpec) -> MatchingRule | None:
    return Keeps(spec.keeps) if spec.keeps else None


def _make_fills(spec: MatchingSpec) -> MatchingRule | None:
    return Fills(spec.fills) if spec.fills else None


RULES: Mapping[str, RuleKind] = MappingProxyType(
    {
        "sides": RuleKind("touching sides must match", ("sides", "kinds", "borders", "areas"), _make_sides),
        "never-touch": RuleKind("these tiles never share a side", ("never-touch",), _make_never_touch),
        "never-join": RuleKind("these are never in the same network", ("never-join",), _make_never_join),
        "must-join": RuleKind("a tile with such a link must be joined to another", ("must-join",), _make_must_join),
        "complete-needs": RuleKind(
            "a closed network must contain each of these", ("complete-needs",), _make_complete_needs
        ),
        "together": RuleKind("all tiles are connected", ("together",), _make_together),
        "within": RuleKind("the largest size of the board", ("within",), _make_within),
        "gaps": RuleKind("no empty place may be surrounded", ("gaps",), _make_gaps),
        "over": RuleKind("which tiles may be stacked on which; no others may", ("over",), _make_over),
        "keeps": RuleKind("links that a tile stacked on another must repeat", ("keeps",), _make_keeps),
        "fills": RuleKind("the design placed next to a labelled side", ("fills",), _make_fills),
    }
)

BOARD_SHAPE_CODES = ("blocked", "off-board")
"""The codes of the rule that is made from `board:`."""

CODES: tuple[str, ...] = tuple(sorted((*BOARD_SHAPE_CODES, *(code for kind in RULES.values() for code in kind.codes))))
"""Every code that a verdict can have."""


def make_rules(spec: MatchingSpec) -> tuple[MatchingRule, ...]:
    """Return the rules that a pack states, in the order of `RULES`."""
    rules = (kind.make(spec) for kind in RULES.values())
    return tuple(rule for rule in rules if rule is not None)


@dataclass(frozen=True)
class MustJoin:
    """Require that a tile with a link of certain kinds is joined to another tile by such a link.

    Starting tiles (`start:`) and the only tile of a board are exempt.
    """

    kinds: tuple[str, ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each tile that is not joined."""
        firsts = {scene.counted_place(place): scene.piece_places(place) for place in scene.tiles}
        for place, piece in firsts.items():
            tile = scene.tiles[place]
            runs = [run for run, link in scene.runs.items() if run.place in piece and link.kind in self.kinds]
            exempt = len(firsts) == 1 or tile.carries_any(scene.settings.start)
            if (
                runs
                and not exempt
                and not any(other.place not in piece for run in runs for other in scene.adjacency.get(run, ()))
            ):
                kinds = " and ".join(sorted({scene.runs[run].kind for run in runs}))
                yield MatchingVerdict(
                    "must-join", f"no {kinds} of {tile.design} at {place} joins a tile beside it", (place,)
                )


@dataclass(frozen=True)
class NeverJoin:
    """Forbid two words in one network; a third word limits a pair to networks of that kind."""

    pairs: tuple[tuple[str, ...], ...]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each network that contains a forbidden pair."""
        for network in scene.networks:
            for first, second, *kinds in self.pairs:
                places = _find_conflicts(scene, network, first, second)
                if places and (not kinds or network.kinds & set(kinds)):
                    description = f"two of {first}" if first == second else f"{first} and {second}"
                    text = f"{description} are joined by {' and '.join(sorted(network.kinds))}: {join_places(places)}"
                    yield MatchingVerdict("never-join", text, places)


def _find_conflicts(scene: Scene, network: Network, first: str, second: str) -> tuple[Place, ...]:
    """Return the places of a forbidden pair in a network; empty if the network has no such pair."""
    group = group_network(network)
    first_things = find_things(scene, group, first)
    second_things = find_things(scene, group, second)
    both = first_things | second_things
    enough = len(first_things) > 1 if first == second else bool(first_things and second_things)
    return tuple(sorted({thing.place for thing in both if thing.place is not None})) if enough else ()


@dataclass(frozen=True)
class CompleteNeeds:
    """Require certain words in closed networks, by kind of link."""

    needs: Mapping[str, tuple[str, ...]]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each word missing from a closed network."""
        for network in scene.networks:
            for kind in sorted(network.kinds & set(self.needs)) if network.is_closed else ():
                for word in self.needs[kind]:
                    if not find_things(scene, group_network(network), word):
                        text = f"the {kind} through {join_places(network.places)} is complete and has no {word}"
                        yield MatchingVerdict("complete-needs", text, tuple(sorted(network.places)))


@dataclass(frozen=True)
class Fills:
    """Place a design next to labelled sides, by label; the board is illegal if the design does not fit."""

    designs: Mapping[str, str]

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each free place that cannot be filled."""
        yield from self._check_fillers(scene)
        for place, designs in self.required_designs(scene).items():
            if len(designs) > 1:
                text = f"{place} must be filled with {' and with '.join(sorted(designs))}"
                yield MatchingVerdict("fills", text, (place,))
            elif self._find_fitting_turn(scene, place, next(iter(designs))) is None:
                yield MatchingVerdict(
                    "fills", f"{place} must be filled with {next(iter(designs))}, which does not fit", (place,)
                )

    def _check_fillers(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each pair of neighbouring fillers that do not fit together."""
        fillers = {placement.place: _find_visible_tile(scene, placement) for placement in self.find_fillers(scene)}
        for place, tile in fillers.items():
            for port, neighbour in scene.lattice.neighbours(place):
                other = fillers.get(neighbour)
                facing = scene.lattice.facing(port)
                if other and place < neighbour and find_mismatch(tile, port, other, facing, scene.settings.joining):
                    designs = f"{tile.design} and {other.design}"
                    text = f"{place} and {neighbour} must be filled with {designs}, which do not fit"
                    yield MatchingVerdict("fills", text, (place, neighbour))

    def required_designs(self, scene: Scene) -> dict[Place, frozenset[str]]:
        """Return the free places next to labelled sides, with the designs these labels require."""
        required: dict[Place, frozenset[str]] = {}
        for place, tile in sorted(scene.tiles.items()):
            for port, neighbour in scene.lattice.neighbours(place):
                label = tile.label(port)
                if neighbour not in scene.tiles and label is not None and label in self.designs:
                    required[neighbour] = required.get(neighbour, frozenset()) | {self.designs[label]}
        return required

    def find_fillers(self, scene: Scene) -> tuple[Placement, ...]:
        """Return the tiles to place, turned to fit; places that cannot be filled are left out."""
        fillers = []
        for place, designs in self.required_designs(scene).items():
            filler = self._find_fitting_turn(scene, place, next(iter(designs))) if len(designs) == 1 else None
            if filler is not None:
                fillers.append(filler)
        return tuple(fillers)

    def _find_fitting_turn(self, scene: Scene, place: Place, design: str) -> Placement | None:
        """Return the design placed with the first turn that fits; None without one."""
        for turn in range(0, 360, scene.lattice.turn_step):
            placement = Placement(design, place.column, place.row, turn)
            if _is_fitting(scene, placement):
                return placement
        return None


def _is_fitting(scene: Scene, placement: Placement) -> bool:
    """Return True if a tile fits all its neighbours."""
    tile = _find_visible_tile(scene, placement)
    joining = scene.settings.joining
    return not any(
        find_mismatch(tile, port, scene.tiles[neighbour], scene.lattice.facing(port), joining)
        for port, neighbour in scene.lattice.neighbours(placement.place)
        if neighbour in scene.tiles
    )


def _find_visible_tile(scene: Scene, placement: Placement) -> PlacedTile:
    """Return the visible tile of a placement."""
    return PlacedTile(placement.place, placement.design, find_visible_face(placement, scene.kit, scene.lattice))
