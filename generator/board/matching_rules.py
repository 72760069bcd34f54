"""Rules of `matching:` about neighbouring and stacked tiles, and the breaches of rules on a board.

Each rule is a function of a board and of the value that the pack states for it, listed in `RULES`. It
yields the breaches of the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from generator.base.ports import port_name, share_of, side_of
from generator.board.analysis import Scene, find_holes
from generator.board.board import BoardFace, Placement
from generator.board.counting import find_things, group_network
from generator.board.lattice import Place, join_places
from generator.board.networks import Network
from generator.board.spec import MatchingSpec, WithinSpec
from generator.board.tiles import BRIDGE_PREFIX, PlacedTile, find_visible_face
from generator.pack.tile import Link


@dataclass(frozen=True)
class Breach:
    """A breach of a rule: the rule's code, an explanation, and the places concerned."""

    code: str
    text: str
    places: tuple[Place, ...]


Breaches = Iterator[Breach]


def check_sides(scene: Scene, sides: str) -> Breaches:
    """Require that touching sides match.

    There are four codes, so that a figure can show each mistake by itself. `kinds`: two links of
    different kinds meet. `sides`: a link meets a side without a link (allowed by `sides:
    same-kind`). `areas`: an area meets another kind of area, or none. `borders`: a label meets
    another label, or none. Links at labelled sides are not compared.
    """
    for tile, port, other, facing in scene.touching_pairs():
        code = find_mismatch(tile, port, other, facing, scene.matching)
        if code and not (code == "sides" and sides == "same-kind"):
            text = (
                f"{describe_side(tile, port)} at {tile.place} meets "
                f"{describe_side(other, facing)} at {other.place}"
            )
            yield Breach(code, text, (tile.place, other.place))


def find_mismatch(
    tile: PlacedTile, port: str, other: PlacedTile, facing: str, matching: MatchingSpec
) -> str | None:
    """Return the code of the first mismatch between two touching sides; None if they match."""
    for share in _sample_shares(tile, port, other, facing):
        far = other.label_and_area(facing, 1 - share)
        near = tile.label_and_area(port, share)
        if not matching.labels_fit(near[0], far[0]):
            return "borders"
        if near[1] != far[1] and not (near[1] and far[1] and matching.kinds_join(near[1], far[1])):
            return "areas"
    ports = tile.ports(port) | {find_facing_port(end, port) for end in other.ports(facing)}
    return next(
        (
            code
            for end in sorted(ports)
            if (code := _find_link_mismatch(tile, end, other, facing, matching))
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
    tile: PlacedTile, end: str, other: PlacedTile, facing: str, matching: MatchingSpec
) -> str | None:
    """Return the code for links that do not match at a port; None if they match."""
    mine = tile.kinds(end)
    theirs = other.kinds(find_facing_port(end, facing))
    if tile.label(end) is not None or matching.kinds_match(mine, theirs):
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


def check_never_touch(scene: Scene, pairs: tuple[tuple[str, str], ...]) -> Breaches:
    """Forbid tiles that carry the two words of a pair to share a side."""
    for tile, _, other, _ in scene.touching_pairs():
        for pair in pairs:
            for word, other_word in (pair, pair[::-1]):
                if tile.carries(word) and other.carries(other_word):
                    text = f"{word} at {tile.place} touches {other_word} at {other.place}"
                    yield Breach("never-touch", text, (tile.place, other.place))
                    break


def check_over(scene: Scene, pairs: tuple[tuple[str, str], ...]) -> Breaches:
    """Allow stacking for pairs of words, upper first; any other stacking is forbidden."""
    for place, tile in scene.tiles.items():
        for lower, upper in pairwise(tile.stack):
            if not any(_is_named(upper, top) and _is_named(lower, base) for top, base in pairs):
                text = f"{upper[0]} lies over {lower[0]} at {place}"
                yield Breach("over", text, (place,))


def _is_named(piece: tuple[str, BoardFace], word: str) -> bool:
    """Return True if a word names the design of a piece, or a mark of its face."""
    design, face = piece
    return word == design or word in face.marks


def check_keeps(scene: Scene, kinds: tuple[str, ...]) -> Breaches:
    """Require that a tile placed over another repeats its links of certain kinds."""
    for place, tile in scene.tiles.items():
        for lower, upper in pairwise(tile.stack):
            for link in lower[1].tile.links:
                if link.kind in kinds and not any(
                    _is_continued_by(other, link) for other in upper[1].tile.links
                ):
                    ends = (" to " if len(link.ports) == 2 else " and ").join(link.ports)
                    text = f"{upper[0]} at {place} drops the {link.kind} of {lower[0]} from {ends}"
                    yield Breach("keeps", text, (place,))


def _is_continued_by(upper: Link, lower: Link) -> bool:
    """Return True if the upper link reaches every port of the lower link."""
    left = {port for port in lower.ports if not port.startswith(BRIDGE_PREFIX)}
    return upper.kind == lower.kind and left <= {*upper.ports}


def check_on_board(scene: Scene, places: frozenset[Place], blocked: frozenset[Place]) -> Breaches:
    """Restrict tiles to the board's places, or to all if there are none, without those that are blocked."""
    for place, tile in scene.tiles.items():
        if places and place not in places:
            text = f"{tile.design} lies at {place}, which the board does not have"
            yield Breach("off-board", text, (place,))
        elif place in blocked:
            text = f"{tile.design} lies at {place}, which is blocked"
            yield Breach("blocked", text, (place,))


def check_within(scene: Scene, limits: WithinSpec) -> Breaches:
    """Limit the number of columns and rows between the outermost tiles."""
    columns = [place.column for place in scene.tiles]
    rows = [place.row for place in scene.tiles]
    for limit, indices, name in ((limits.columns, columns, "columns"), (limits.rows, rows, "rows")):
        if indices and max(indices) - min(indices) + 1 > limit:
            text = f"the board has {max(indices) - min(indices) + 1} {name}, and at most {limit} are allowed"
            yield Breach("within", text, tuple(sorted(scene.tiles)))


def check_gaps(scene: Scene, _: str) -> Breaches:
    """Forbid empty places that are surrounded by tiles."""
    for place in find_holes(scene):
        yield Breach("gaps", f"{place} is empty and surrounded", (place,))


SEPARATION_PHRASES: Mapping[str, tuple[str, str]] = {
    "touching": ("does not touch", "do not touch"),
    "joined": ("is not joined to", "are not joined to"),
}
"""The phrases for a single separate tile and for several, by the value of `together:`."""


def check_together(scene: Scene, how: str) -> Breaches:
    """Require that every tile is connected to the starting tile, or else to the first tile."""
    starts = [
        place for place, tile in scene.tiles.items() if tile.carries_any(scene.matching.start)
    ]
    connected = scene.find_connected(starts or sorted(scene.tiles)[:1], by_links=how == "joined")
    separate = [place for place in scene.tiles if place not in connected]
    if separate:
        singular, plural = SEPARATION_PHRASES[how]
        text = f"{join_places(separate)} {singular if len(separate) == 1 else plural} the rest"
        yield Breach("together", text, tuple(sorted(separate)))


def check_must_join(scene: Scene, kinds: tuple[str, ...]) -> Breaches:
    """Require that a tile with a link of certain kinds is joined to another tile by such a link.

    Starting tiles (`start:`) and the only tile of a board are exempt.
    """
    pieces = {scene.counted_place(place): scene.piece_places(place) for place in scene.tiles}
    for place, piece in pieces.items():
        tile = scene.tiles[place]
        if len(pieces) == 1 or tile.carries_any(scene.matching.start):
            continue
        runs = [
            run for run, link in scene.runs.items() if run.place in piece and link.kind in kinds
        ]
        joined = (other for run in runs for other in scene.adjacency.get(run, ()))
        if runs and all(other.place in piece for other in joined):
            names = " and ".join(sorted({scene.runs[run].kind for run in runs}))
            text = f"no {names} of {tile.design} at {place} joins a tile next to it"
            yield Breach("must-join", text, (place,))


def check_never_join(scene: Scene, pairs: tuple[tuple[str, ...], ...]) -> Breaches:
    """Forbid two words in one network; a third word limits a pair to networks of that kind."""
    for network in scene.networks:
        for first, second, *kinds in pairs:
            places = _find_conflicts(scene, network, first, second)
            if places and (not kinds or network.kinds & set(kinds)):
                description = f"two of {first}" if first == second else f"{first} and {second}"
                text = f"{description} are joined by {' and '.join(sorted(network.kinds))}: {join_places(places)}"
                yield Breach("never-join", text, places)


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


def check_complete_needs(scene: Scene, needs: Mapping[str, tuple[str, ...]]) -> Breaches:
    """Require certain words in closed networks, by kind of link."""
    for network in scene.networks:
        for kind in sorted(network.kinds & set(needs)) if network.is_closed else ():
            for word in needs[kind]:
                if not find_things(scene, group_network(network), word):
                    text = f"the {kind} through {join_places(network.places)} is complete and has no {word}"
                    yield Breach("complete-needs", text, tuple(sorted(network.places)))


def check_fills(scene: Scene, designs: Mapping[str, str]) -> Breaches:
    """Place a design next to labelled sides, by label; the board is illegal if the design does not fit."""
    yield from _check_fillers(scene, designs)
    for place, required in required_designs(scene, designs).items():
        if len(required) > 1:
            text = f"{place} must be filled with {' and with '.join(sorted(required))}"
            yield Breach("fills", text, (place,))
        elif _find_fitting_turn(scene, place, *required) is None:
            text = f"{place} must be filled with {next(iter(required))}, which does not fit"
            yield Breach("fills", text, (place,))


def _check_fillers(scene: Scene, designs: Mapping[str, str]) -> Breaches:
    """Yield a breach for each pair of neighbouring fillers that do not fit together."""
    fillers = {
        placement.place: _find_visible_tile(scene, placement)
        for placement in find_fillers(scene, designs)
    }
    for place, tile in fillers.items():
        for port, neighbour in scene.lattice.neighbours(place):
            other = fillers.get(neighbour)
            facing = scene.lattice.facing(port)
            if (
                other
                and place < neighbour
                and find_mismatch(tile, port, other, facing, scene.matching)
            ):
                names = f"{tile.design} and {other.design}"
                text = f"{place} and {neighbour} must be filled with {names}, which do not fit"
                yield Breach("fills", text, (place, neighbour))


def required_designs(scene: Scene, designs: Mapping[str, str]) -> dict[Place, set[str]]:
    """Return the free places next to labelled sides, with the designs these labels require."""
    required: dict[Place, set[str]] = {}
    for place, tile in sorted(scene.tiles.items()):
        for port, neighbour in scene.lattice.neighbours(place):
            label = tile.label(port)
            if neighbour not in scene.tiles and label is not None and label in designs:
                required.setdefault(neighbour, set()).add(designs[label])
    return required


def find_fillers(scene: Scene, designs: Mapping[str, str]) -> list[Placement]:
    """Return the tiles to place, turned to fit; places that cannot be filled are left out."""
    fillers = (
        _find_fitting_turn(scene, place, *required)
        for place, required in required_designs(scene, designs).items()
        if len(required) == 1
    )
    return [filler for filler in fillers if filler]


def _find_fitting_turn(scene: Scene, place: Place, design: str) -> Placement | None:
    """Return the design placed with the first turn that fits; None without one."""
    turns = range(0, 360, scene.lattice.turn_step)
    placements = (Placement(design, place.column, place.row, turn) for turn in turns)
    return next((placement for placement in placements if _is_fitting(scene, placement)), None)


def _is_fitting(scene: Scene, placement: Placement) -> bool:
    """Return True if a tile fits all its neighbours."""
    tile = _find_visible_tile(scene, placement)
    return not any(
        find_mismatch(
            tile, port, scene.tiles[neighbour], scene.lattice.facing(port), scene.matching
        )
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
    """A kind of rule: its meaning for the documentation, and the function that finds breaches of it."""

    meaning: str
    check: Callable[[Scene, Any], Breaches]
    codes: tuple[str, ...] = ()  # of its breaches; without any, the rule's name is the code


RULES: Mapping[str, RuleKind] = {
    "sides": RuleKind(
        "touching sides must match", check_sides, ("sides", "kinds", "borders", "areas")
    ),
    "never-touch": RuleKind("these tiles never share a side", check_never_touch),
    "never-join": RuleKind("these are never in the same network", check_never_join),
    "must-join": RuleKind("a tile with such a link must be joined to another", check_must_join),
    "complete-needs": RuleKind("a closed network must contain each of these", check_complete_needs),
    "together": RuleKind("all tiles are connected", check_together),
    "within": RuleKind("the largest size of the board", check_within),
    "gaps": RuleKind("no empty place may be surrounded", check_gaps),
    "over": RuleKind("which tiles may be stacked on which; no others may", check_over),
    "keeps": RuleKind("links that a tile stacked on another must repeat", check_keeps),
    "fills": RuleKind("the design placed next to a labelled side", check_fills),
}
"""The kinds of rules by their keys in `matching:`, in the order in which they are checked."""

BOARD_SHAPE_CODES = ("blocked", "off-board")
"""The codes of the rule that is made from `board:`."""

CODES: tuple[str, ...] = tuple(
    sorted(
        (
            *BOARD_SHAPE_CODES,
            *(code for name, kind in RULES.items() for code in kind.codes or [name]),
        )
    )
)
"""Every code that a breach can have."""


def stated_rules(matching: MatchingSpec) -> dict[str, Any]:
    """Return the values of the rules that a pack states, in the order of `RULES`."""
    values = {name: getattr(matching, name.replace("-", "_")) for name in RULES}
    return {name: value for name, value in values.items() if value}


def find_breaches(scene: Scene) -> Breaches:
    """Yield the breaches of the rules of `matching:`.

    `over` always counts: without it, no tile may lie over another.
    """
    values = {"over": (), **stated_rules(scene.matching)}
    for name, kind in RULES.items():
        if name in values:
            yield from kind.check(scene, values[name])
