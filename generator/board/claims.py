"""The kinds of claims, and the one way to check one.

A claim is written `subject: what is said`. The subject's first word names the kind; where it is the name of a counting
kind or of a word of the pack, the claim is a count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.beside import MatchingVerdict
from generator.board.counts import COUNTS, check_countable, find
from generator.board.groups import check_stands, of_network, of_places, parse_span, things, weight
from generator.board.kit import Board
from generator.board.lattice import Place
from generator.board.moving import DICE, Movement, WayMoved, way_of
from generator.board.network import Network, led_to
from generator.board.outcome import Case, ClaimSaid, Outcome, clauses, lawful
from generator.board.routes import Train, best_route
from generator.board.rules import BoardRules
from generator.board.scene import Scene
from generator.board.verdicts import count, filling, legal, met, placing, removing, score
from generator.core.problems import Wrong, unknown
from generator.core.units import number

STATES = ("closed", "open")


def network(case: Case, said: ClaimSaid) -> Outcome:
    """`network fire: closed, links 12`, `network fire at B2: open, open-ends 1, hydrant 1`."""
    parts = clauses(said.words, ("at",))
    if len(parts[""]) != 1:
        raise Wrong(f"{said.subject!r} is no claim", "one kind of link, such as network fire at B2")
    kind = _kind(case, parts[""][0])
    places = {case.tile_place(word) for word in parts.get("at", ())}
    items = [_item(case, item) for item in said.items()]
    found = [one for one in case.scene.networks_of([kind]) if places <= one.places]
    if len(found) != 1:
        return said.outcome(f"{len(found) or 'no'} networks of {kind}{' there' if places else ''}", ok=False)
    checked = [_held(case, found[0], *item) for item in items]
    return said.outcome(", ".join(shows for shows, _ in checked), ok=all(ok for _, ok in checked))


def _kind(case: Case, kind: str) -> str:
    if kind not in case.rules.kit.kinds:
        raise unknown("kind of link", kind, case.rules.kit.kinds)
    return kind


def _item(case: Case, text: str) -> tuple[str, str]:
    name, _, amount = text.partition(" ")
    if name in STATES:
        return name, ""
    check_countable(name, case.rules.kit.words)
    parse_span(amount)
    return name, amount


def _held(case: Case, one: Network, name: str, amount: str) -> tuple[str, bool]:
    if name in STATES:
        state = "closed" if one.closed else "open"
        return state, state == name
    value = weight(find(case.scene, of_network(one), name))
    return f"{name} {number(value)}", parse_span(amount).holds(value)


def _leads(scene: Scene, here: Place, there: Place, kinds: Sequence[str]) -> bool:
    """Whether one can go on from a tile to another, never straight back."""
    starts = (run for run, link in scene.runs.items() if run.place == here and (not kinds or link.kind in kinds))
    return any(run.place == there for run in led_to(starts, scene.runs, scene.track))


def best(case: Case, said: ClaimSaid) -> Outcome:
    """`best express for red: 70` — what the best route of a train is worth; `none` where it can run none."""
    parts = clauses(said.words, ("for",))
    found = best_route(case.scene, _train(case, said, parts[""]), "".join(parts.get("for", ())))
    shows = number(found.value) if found else "none"
    ok = said.text == shows if said.text == "none" or found is None else parse_span(said.text).holds(found.value)
    return said.outcome(shows, ok=ok)


def route(case: Case, said: ClaimSaid) -> Outcome:
    """`route express A1 A2 B2 for red: worth 60, stops 3`, or `true`, or `false` where no train can go so."""
    parts = clauses(said.words, ("for",))
    train = _train(case, said, parts[""][:1])
    places = [case.place(word) for word in parts[""][1:]]
    if not places:
        raise Wrong(f"{said.subject!r} is no claim", "a train and its places, such as route express A1 A2")
    found = best_route(case.scene, train, "".join(parts.get("for", ())), places)
    if said.text in {"true", "false"} or found is None:
        shows = "true" if found else "false"
        return said.outcome(shows, ok=shows == said.text)
    values = {"worth": found.value, "stops": float(len(found.stops))}
    items = [item.partition(" ") for item in said.items()]
    for name, _, _ in items:
        if name not in values:
            raise unknown("count", name, values)
    shows = ", ".join(f"{name} {number(values[name])}" for name, _, _ in items)
    return said.outcome(shows, ok=all(parse_span(span).holds(values[name]) for name, _, span in items))


def _train(case: Case, said: ClaimSaid, words: Sequence[str]) -> Train:
    if len(words) != 1:
        raise Wrong(f"{said.subject!r} is no claim", "a train, such as best express")
    if words[0] not in case.rules.trains:
        raise unknown("train", words[0], case.rules.trains)
    return case.rules.trains[words[0]]


def connected(case: Case, said: ClaimSaid) -> Outcome:
    """`connected A1 to C3: true`, `connected A1 to C3 by neck: false` — whether one network reaches both."""
    parts = clauses(said.words, ("to", "by"))
    if (len(parts[""]), len(parts.get("to", ()))) != (1, 1) or said.text not in {"true", "false"}:
        raise Wrong(f"{said.subject}: {said.text} is no claim", "two places, such as connected A1 to C3: true")
    ends = {case.tile_place(parts[""][0]), case.tile_place(parts["to"][0])}
    kinds = [_kind(case, kind) for kind in parts.get("by", ())]
    here, there = min(ends), max(ends)
    joined = here == there or _leads(case.scene, here, there, kinds)
    shows = "true" if joined else "false"
    return said.outcome(shows, ok=shows == said.text)


CODES = ("empty", "no-stop", "not-joined", "occupied", "roll", "start", "through", "twice")


def path(case: Case, said: ClaimSaid) -> Outcome:
    """`path truck A1 A2 B2 rolling 6 1: steps 2, blaze 1`, or `true`, or `false because twice`.

    A word with a number is how many of it there are on the tiles of the way after the first.
    """
    parts = clauses(said.words, ("rolling",))
    if len(parts[""]) < 2:
        raise Wrong(f"{said.subject!r} is no claim", "a way to move and its places, such as path truck A1 A2")
    name, *places = parts[""]
    if name not in case.rules.moves:
        raise unknown("way to move", name, case.rules.moves)
    move, route = case.rules.moves[name], tuple(case.place(word) for word in places)
    way = way_of(case.scene, move, route)
    verdicts = (*way.verdicts, *_rolled(move, way, route, _dice(parts.get("rolling", ()))))
    if verdicts or said.text.split()[0] in {"true", "false"}:
        head = said if said.text.split()[0] in {"true", "false"} else ClaimSaid(said.subject, said.words, "true")
        outcome = lawful(head, verdicts, CODES)
        return said.outcome(outcome.shows, ok=outcome.ok and head is said)
    checked = [_check(case, move, way, route, item) for item in said.items()]
    return said.outcome(", ".join(shows for shows, _ in checked), ok=all(ok for _, ok in checked))


def _dice(words: tuple[str, ...]) -> tuple[int, ...]:
    if not all(word.isdigit() for word in words):
        raise Wrong(f"{' '.join(words)!r} is no roll", "the numbers of the dice, such as rolling 6 1")
    return tuple(int(word) for word in words)


def _rolled(
    move: Movement, way: WayMoved, route: tuple[Place, ...], dice: tuple[int, ...]
) -> tuple[MatchingVerdict, ...]:
    if not dice or len(way.stops) <= DICE[move.dice](dice):
        return ()
    text = f"{len(way.stops)} steps of {DICE[move.dice](dice)}"
    return (MatchingVerdict("roll", text, route),)


def _check(case: Case, move: Movement, way: WayMoved, route: tuple[Place, ...], item: str) -> tuple[str, bool]:
    name, _, amount = item.partition(" ")
    if name == "steps":
        value = float(len(way.stops))
    elif name in case.rules.kit.words:
        value = weight(things(case.scene, of_places(case.scene, route[0 if move.counts_start else 1 :]), name))
    else:
        raise unknown("count", name, {"steps", *case.rules.kit.words})
    return f"{name} {number(value)}", parse_span(amount).holds(value)


@dataclass(frozen=True)
class ClaimKind:
    """One kind of claim, with an example for the documentation."""

    example: str
    check: Callable[[Case, ClaimSaid], Outcome]


CLAIMS: Mapping[str, ClaimKind] = MappingProxyType(
    {
        "legal": ClaimKind("legal: false because sides", legal),
        "placing": ClaimKind("placing bend> at B2: false because kinds", placing),
        "network": ClaimKind("network fire at B2: closed, links 12", network),
        "connected": ClaimKind("connected A1 to C3 by neck: false", connected),
        "score": ClaimKind("score A: 14", score),
        "met": ClaimKind("met loops with 3 players: true", met),
        "route": ClaimKind("route express A1 A2 B2: worth 60, stops 3", route),
        "best": ClaimKind("best express for red: 70", best),
        "path": ClaimKind("path truck A1 A2 B2 rolling 6 1: steps 2", path),
        "removing": ClaimKind("removing sword at B2: true, drops C2, C3", removing),
        "filling": ClaimKind("filling: A1 road, C1 road", filling),
    }
)
"""The kinds of claims by their first word. All others are counts: `links of pe at B2: 2`."""


def check_claim(text: str, board: Board, rules: BoardRules) -> Outcome:
    """Check one claim. A claim that is false is an outcome; one that means nothing is `Wrong`."""
    subject, colon, said = text.strip().partition(": ")
    if not colon or not said.strip():
        raise Wrong(f"{text!r} is no claim", "what it is about, a colon and what is said, such as legal: true")
    first, *rest = subject.split()
    case = Case(rules, rules.look(board))
    check_stands(case.scene)
    if first in CLAIMS:
        return CLAIMS[first].check(case, ClaimSaid(subject, tuple(rest), said.strip()))
    if first not in COUNTS and first not in rules.kit.words:
        raise unknown("claim", first, {*CLAIMS, *COUNTS, *rules.kit.words})
    return count(case, ClaimSaid(subject, (first, *rest), said.strip()))
