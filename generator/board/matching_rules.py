"""Rules of `matching:` about neighbouring and stacked tiles, and the verdicts that rules return."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Protocol

from generator.base.ports import port_name, share_of, side_of
from generator.board.analysis import Scene, find_holes
from generator.board.board import BoardFace, Placement
from generator.board.counting import find_things, group_network
from generator.board.lattice import Place, join_places
from generator.board.networks import Network
from generator.board.spec import MatchingSpec
from generator.board.tiles import BRIDGE_PREFIX, Joining, PlacedTile, find_visible_face
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

    There are four codes, so that a figure can show each mistake by itself. `kinds`: two links of
    different kinds meet. `sides`: a link meets a side without a link (allowed by `sides:
    same-kind`). `areas`: an area meets another kind of area, or none. `borders`: a label meets
    another label, or none. Links at labelled sides are not compared.
    """

    codes: frozenset[str] = EQUAL_SIDES_CODES

    def check(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each pair of touching sides that do not match."""
        for tile, port, other, facing in scene.touching_pairs():
            code = find_mismatch(tile, port, other, facing, scene.settings.joining)
            if code in self.codes:
                text = (
                    f"{describe_side(tile, port)} at {tile.place} meets "
                    f"{describe_side(other, facing)} at {other.place}"
                )
                yield MatchingVerdict(code, text, (tile.place, other.place))


def find_mismatch(
    tile: PlacedTile, port: str, other: PlacedTile, facing: str, joining: Joining
) -> str | None:
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
        (
            code
            for end in sorted(ports)
            if (code := _find_link_mismatch(tile, end, other, facing, joining))
        ),
        None,
    )


def find_facing_port(end: str, side: str) -> str:
    """Return the port of a side that touches a port of the opposite side."""
    return port_name(side, 1 - share_of(end))


def _sample_shares(
    tile: PlacedTile, port: str, other: PlacedTile, facing: str
) -> Iterator[Fraction]:
    """Yield a share inside each stretch of two touching sides on which no label or area changes."""
    cuts = sorted(
        {Fraction(0), Fraction(1)}
        | tile.side_breaks(port)
        | {1 - cut for cut in other.side_breaks(facing)}
    )
    yield from ((a + b) / 2 for a, b in pairwise(cuts))


def _find_link_mismatch(
    tile: PlacedTile, end: str, other: PlacedTile, facing: str, joining: Joining
) -> str | None:
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
                if not any(
                    _is_named(upper, top) and _is_named(lower, base) for top, base in self.pairs
                ):
                    yield MatchingVerdict(
                        "over", f"{upper[0]} lies over {lower[0]} at {place}", (place,)
                    )


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
                        ends = (
                            " to ".join(link.ports)
                            if len(link.ports) == 2
                            else " and ".join(link.ports)
                        )
                        text = (
                            f"{upper[0]} at {place} drops the {link.kind} of {lower[0]} from {ends}"
                        )
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
                    "off-board",
                    f"{tile.design} lies at {place}, which the board does not have",
                    (place,),
                )
            elif place in self.blocked:
                yield MatchingVerdict(
                    "blocked", f"{tile.design} lies at {place}, which is blocked", (place,)
                )


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
        starts = [
            place for place, tile in scene.tiles.items() if tile.carries_any(scene.settings.start)
        ]
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
            runs = [
                run
                for run, link in scene.runs.items()
                if run.place in piece and link.kind in self.kinds
            ]
            exempt = len(firsts) == 1 or tile.carries_any(scene.settings.start)
            if (
                runs
                and not exempt
                and not any(
                    other.place not in piece
                    for run in runs
                    for other in scene.adjacency.get(run, ())
                )
            ):
                kinds = " and ".join(sorted({scene.runs[run].kind for run in runs}))
                yield MatchingVerdict(
                    "must-join",
                    f"no {kinds} of {tile.design} at {place} joins a tile next to it",
                    (place,),
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
    return (
        tuple(sorted({thing.place for thing in both if thing.place is not None})) if enough else ()
    )


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
    """Place a design next to labelled sides, by label.

    The board is illegal if the design does not fit.
    """

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
                    "fills",
                    f"{place} must be filled with {next(iter(designs))}, which does not fit",
                    (place,),
                )

    def _check_fillers(self, scene: Scene) -> Iterator[MatchingVerdict]:
        """Yield a verdict for each pair of neighbouring fillers that do not fit together."""
        fillers = {
            placement.place: _find_visible_tile(scene, placement)
            for placement in self.find_fillers(scene)
        }
        for place, tile in fillers.items():
            for port, neighbour in scene.lattice.neighbours(place):
                other = fillers.get(neighbour)
                facing = scene.lattice.facing(port)
                if (
                    other
                    and place < neighbour
                    and find_mismatch(tile, port, other, facing, scene.settings.joining)
                ):
                    designs = f"{tile.design} and {other.design}"
                    text = (
                        f"{place} and {neighbour} must be filled with {designs}, which do not fit"
                    )
                    yield MatchingVerdict("fills", text, (place, neighbour))

    def required_designs(self, scene: Scene) -> dict[Place, frozenset[str]]:
        """Return the free places next to labelled sides, with the designs these labels require."""
        required: dict[Place, frozenset[str]] = {}
        for place, tile in sorted(scene.tiles.items()):
            for port, neighbour in scene.lattice.neighbours(place):
                label = tile.label(port)
                if neighbour not in scene.tiles and label is not None and label in self.designs:
                    required[neighbour] = required.get(neighbour, frozenset()) | {
                        self.designs[label]
                    }
        return required

    def find_fillers(self, scene: Scene) -> tuple[Placement, ...]:
        """Return the tiles to place, turned to fit; places that cannot be filled are left out."""
        fillers = []
        for place, designs in self.required_designs(scene).items():
            filler = (
                self._find_fitting_turn(scene, place, next(iter(designs)))
                if len(designs) == 1
                else None
            )
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
    return PlacedTile(
        placement.place, placement.design, find_visible_face(placement, scene.kit, scene.lattice)
    )


@dataclass(frozen=True)
class RuleKind:
    """A kind of rule: its meaning for the documentation, the codes of its verdicts, and its constructor.

    `make` gets the value that the pack states.
    """

    meaning: str
    codes: tuple[str, ...]
    make: Callable[[Any], MatchingRule]


def _make_sides(sides: str) -> SidesRule:
    return SidesRule(EQUAL_SIDES_CODES if sides == "equal" else SAME_KIND_CODES)


RULES: Mapping[str, RuleKind] = MappingProxyType(
    {
        "sides": RuleKind(
            "touching sides must match", ("sides", "kinds", "borders", "areas"), _make_sides
        ),
        "never-touch": RuleKind("these tiles never share a side", ("never-touch",), NeverTouch),
        "never-join": RuleKind("these are never in the same network", ("never-join",), NeverJoin),
        "must-join": RuleKind(
            "a tile with such a link must be joined to another", ("must-join",), MustJoin
        ),
        "complete-needs": RuleKind(
            "a closed network must contain each of these", ("complete-needs",), CompleteNeeds
        ),
        "together": RuleKind(
            "all tiles are connected", ("together",), lambda how: Together(Connection(how))
        ),
        "within": RuleKind(
            "the largest size of the board",
            ("within",),
            lambda limits: Within(limits.columns, limits.rows),
        ),
        "gaps": RuleKind("no empty place may be surrounded", ("gaps",), lambda _: NoGaps()),
        "over": RuleKind("which tiles may be stacked on which; no others may", ("over",), Over),
        "keeps": RuleKind("links that a tile stacked on another must repeat", ("keeps",), Keeps),
        "fills": RuleKind("the design placed next to a labelled side", ("fills",), Fills),
    }
)
"""The kinds of rules by their keys in `matching:`, in the order in which they are checked."""

BOARD_SHAPE_CODES = ("blocked", "off-board")
"""The codes of the rule that is made from `board:`."""

CODES: tuple[str, ...] = tuple(
    sorted((*BOARD_SHAPE_CODES, *(code for kind in RULES.values() for code in kind.codes)))
)
"""Every code that a verdict can have."""


def make_rules(spec: MatchingSpec) -> tuple[MatchingRule, ...]:
    """Return the rules that a pack states, in the order of `RULES`.

    `over` always counts: without it, no tile may lie over another.
    """
    stated = {name: getattr(spec, name.replace("-", "_")) for name in RULES}
    return tuple(
        RULES[name].make(value) for name, value in stated.items() if value or name == "over"
    )
