"""The kinds of claims, and the function that checks a claim.

A claim is written `subject: statement`. The first word of the subject names the kind of claim. If
it is a countable kind or a word of the pack, the claim states a count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.units import number
from generator.board.analysis import Scene
from generator.board.board import Board
from generator.board.counting import (
    COUNTS,
    check_countable,
    check_token_positions,
    find_counted,
    find_things,
    group_network,
    group_places,
    parse_number_range,
    sum_values,
)
from generator.board.lattice import Place
from generator.board.matching_rules import MatchingVerdict
from generator.board.moving import FollowedPath, Movement, follow_path
from generator.board.networks import Network, follow_track
from generator.board.outcome import (
    Case,
    Outcome,
    ParsedClaim,
    check_verdicts,
    describe_verdicts,
    split_clauses,
)
from generator.board.rules import BoardRules
from generator.board.spec import WAYS_TO_READ_DICE
from generator.board.trains import Train, find_best_route
from generator.board.verdicts import (
    check_count,
    check_filling,
    check_legal,
    check_met,
    check_placing,
    check_removing,
    check_score,
)

STATES = ("closed", "open")


def check_network(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `network fire: closed, links 12` or `network fire at B2: open, open-ends 1, hydrant 1`."""
    parts = split_clauses(claim.words, ("at",))
    if len(parts[""]) != 1:
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim", "one kind of link, such as network fire at B2"
        )
    kind = _check_kind(case, parts[""][0])
    places = {case.tile_place(word) for word in parts.get("at", ())}
    items = [_parse_item(case, item) for item in claim.items()]
    networks = [network for network in case.scene.networks_with([kind]) if places <= network.places]
    if len(networks) != 1:
        return claim.outcome(
            f"{len(networks) or 'no'} networks of {kind}{' there' if places else ''}", ok=False
        )
    checked = [_check_network_item(case, networks[0], *item) for item in items]
    return claim.outcome(
        ", ".join(actual for actual, _ in checked), ok=all(ok for _, ok in checked)
    )


def _check_kind(case: Case, kind: str) -> str:
    if kind not in case.rules.kit.kinds:
        raise unknown("kind of link", kind, case.rules.kit.kinds)
    return kind


def _parse_item(case: Case, text: str) -> tuple[str, str]:
    name, _, amount = text.partition(" ")
    if name in STATES:
        return name, ""
    check_countable(name, case.rules.kit.words)
    parse_number_range(amount)
    return name, amount


def _check_network_item(case: Case, network: Network, name: str, amount: str) -> tuple[str, bool]:
    if name in STATES:
        state = "closed" if network.is_closed else "open"
        return state, state == name
    value = sum_values(find_counted(case.scene, group_network(network), name))
    return f"{name} {number(value)}", parse_number_range(amount).contains(value)


def _is_connected(scene: Scene, here: Place, there: Place, kinds: Sequence[str]) -> bool:
    """Return True if a walk without reversing leads from a tile to another."""
    starts = (
        run
        for run, link in scene.runs.items()
        if run.place == here and (not kinds or link.kind in kinds)
    )
    return any(run.place == there for run in follow_track(starts, scene.runs, scene.track))


def check_best(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `best express for red: 70`: the value of a train's best route, or `none` without a route."""
    parts = split_clauses(claim.words, ("for",))
    best = find_best_route(
        case.scene, _find_train(case, claim, parts[""]), "".join(parts.get("for", ()))
    )
    actual = number(best.value) if best else "none"
    ok = (
        claim.text == actual
        if claim.text == "none" or best is None
        else parse_number_range(claim.text).contains(best.value)
    )
    return claim.outcome(actual, ok=ok)


def check_route(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `route express A1 A2 B2 for red: worth 60, stops 3`, or `true` or `false` for a possible route."""
    parts = split_clauses(claim.words, ("for",))
    train = _find_train(case, claim, parts[""][:1])
    places = [case.place(word) for word in parts[""][1:]]
    if not places:
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim",
            "a train and its places, such as route express A1 A2",
        )
    best = find_best_route(case.scene, train, "".join(parts.get("for", ())), places)
    if claim.text in {"true", "false"} or best is None:
        actual = "true" if best else "false"
        return claim.outcome(actual, ok=actual == claim.text)
    values = {"worth": best.value, "stops": float(len(best.stops))}
    items = [item.partition(" ") for item in claim.items()]
    for name, _, _ in items:
        if name not in values:
            raise unknown("count", name, values)
    actual = ", ".join(f"{name} {number(values[name])}" for name, _, _ in items)
    return claim.outcome(
        actual, ok=all(parse_number_range(span).contains(values[name]) for name, _, span in items)
    )


def _find_train(case: Case, claim: ParsedClaim, words: Sequence[str]) -> Train:
    if len(words) != 1:
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim", "a train, such as best express"
        )
    return find_row("train", words[0], case.rules.trains)


def check_connected(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `connected A1 to C3: true` or `connected A1 to C3 by neck: false`: one network reaches both."""
    parts = split_clauses(claim.words, ("to", "by"))
    if (len(parts[""]), len(parts.get("to", ()))) != (1, 1) or claim.text not in {"true", "false"}:
        raise InvalidValueError(
            f"{claim.subject}: {claim.text} is not a claim",
            "two places, such as connected A1 to C3: true",
        )
    ends = {case.tile_place(parts[""][0]), case.tile_place(parts["to"][0])}
    kinds = [_check_kind(case, kind) for kind in parts.get("by", ())]
    here = min(ends)
    there = max(ends)
    joined = here == there or _is_connected(case.scene, here, there, kinds)
    actual = "true" if joined else "false"
    return claim.outcome(actual, ok=actual == claim.text)


PATH_CODES = ("empty", "no-stop", "not-joined", "occupied", "roll", "start", "through", "twice")


def check_path(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `path truck A1 A2 B2 rolling 6 1: steps 2, blaze 1`, or `true`, or `false because twice`.

    A word with a number states how many things of this word are on the path's tiles after the first.
    """
    parts = split_clauses(claim.words, ("rolling",))
    if len(parts[""]) < 2:
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim",
            "a way to move and its places, such as path truck A1 A2",
        )
    name, *places = parts[""]
    move = find_row("way to move", name, case.rules.moves)
    route = tuple(case.place(word) for word in places)
    followed = follow_path(case.scene, move, route)
    verdicts = (
        *followed.verdicts,
        *_check_roll(move, followed, route, _parse_dice(parts.get("rolling", ()))),
    )
    if claim.text.split()[0] in {"true", "false"}:
        return check_verdicts(claim, verdicts, PATH_CODES)
    if verdicts:
        return claim.outcome(describe_verdicts(verdicts), ok=False)
    checked = [_check_path_item(case, move, followed, route, item) for item in claim.items()]
    return claim.outcome(
        ", ".join(actual for actual, _ in checked), ok=all(ok for _, ok in checked)
    )


def _parse_dice(words: tuple[str, ...]) -> tuple[int, ...]:
    if not all(word.isdigit() for word in words):
        raise InvalidValueError(
            f"{' '.join(words)!r} is not a roll of dice",
            "the numbers of the dice, such as rolling 6 1",
        )
    return tuple(int(word) for word in words)


def _check_roll(
    move: Movement, followed: FollowedPath, route: tuple[Place, ...], dice: tuple[int, ...]
) -> tuple[MatchingVerdict, ...]:
    if not dice or len(followed.stops) <= WAYS_TO_READ_DICE[move.dice](dice):
        return ()
    text = f"{len(followed.stops)} steps of {WAYS_TO_READ_DICE[move.dice](dice)}"
    return (MatchingVerdict("roll", text, route),)


def _check_path_item(
    case: Case, move: Movement, followed: FollowedPath, route: tuple[Place, ...], item: str
) -> tuple[str, bool]:
    name, _, amount = item.partition(" ")
    if name == "steps":
        value = float(len(followed.stops))
    elif name in case.rules.kit.words:
        value = sum_values(
            find_things(
                case.scene, group_places(case.scene, route[0 if move.counts_start else 1 :]), name
            )
        )
    else:
        raise unknown("count", name, {"steps", *case.rules.kit.words})
    return f"{name} {number(value)}", parse_number_range(amount).contains(value)


@dataclass(frozen=True)
class ClaimKind:
    """A kind of claim: its check, and an example for the documentation."""

    example: str
    check: Callable[[Case, ParsedClaim], Outcome]


CLAIMS: Mapping[str, ClaimKind] = MappingProxyType(
    {
        "legal": ClaimKind("legal: false because sides", check_legal),
        "placing": ClaimKind("placing bend> at B2: false because kinds", check_placing),
        "network": ClaimKind("network fire at B2: closed, links 12", check_network),
        "connected": ClaimKind("connected A1 to C3 by neck: false", check_connected),
        "score": ClaimKind("score A: 14", check_score),
        "met": ClaimKind("met loops with 3 players: true", check_met),
        "route": ClaimKind("route express A1 A2 B2: worth 60, stops 3", check_route),
        "best": ClaimKind("best express for red: 70", check_best),
        "path": ClaimKind("path truck A1 A2 B2 rolling 6 1: steps 2", check_path),
        "removing": ClaimKind("removing sword at B2: true, drops C2, C3", check_removing),
        "filling": ClaimKind("filling: A1 road, C1 road", check_filling),
    }
)
"""The kinds of claims by their first word.

Any other first word is a count: `links of pe at B2: 2`.
"""


def check_claim(text: str, board: Board, rules: BoardRules) -> Outcome:
    """Check a claim.

    A false claim is an `Outcome`; a claim without meaning raises `InvalidValueError`.
    """
    subject, colon, statement = text.strip().partition(": ")
    if not colon or not statement.strip():
        raise InvalidValueError(
            f"{text!r} is not a claim", "a subject, a colon and a statement, such as legal: true"
        )
    first, *rest = subject.split()
    case = Case(rules, rules.analyse(board))
    check_token_positions(case.scene)
    if first in CLAIMS:
        return CLAIMS[first].check(case, ParsedClaim(subject, tuple(rest), statement.strip()))
    if first not in COUNTS and first not in rules.kit.words:
        raise unknown("claim", first, {*CLAIMS, *COUNTS, *rules.kit.words})
    return check_count(case, ParsedClaim(subject, (first, *rest), statement.strip()))
