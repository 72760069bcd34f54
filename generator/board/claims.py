"""Claims about a board: the check of each kind, the table of kinds, and `check_claim`.

A claim is written `subject: statement`. The first word of the subject names the kind of claim. If
it is a countable kind or a word of the pack, the claim states a count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.units import number
from generator.board.analysis import Scene
from generator.board.board import Board, Placement, parse_cell
from generator.board.counting import (
    ANY,
    COUNTS,
    FORMS,
    Filter,
    TileGroup,
    check_countable,
    check_token_positions,
    filter_group,
    find_counted,
    find_things,
    group_board,
    group_network,
    group_places,
    parse_number_range,
    sum_values,
)
from generator.board.lattice import Place
from generator.board.matching_rules import CODES, Fills, MatchingVerdict
from generator.board.moving import (
    FollowedPath,
    Movement,
    Train,
    find_best_route,
    find_dropped,
    find_refusals,
    follow_path,
)
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
from generator.board.tiles import find_piece_places


def check_legal(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `legal: false because sides`."""
    if claim.words:
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim", "legal: true, or legal: false because …"
        )
    _check_legality_stated(case)
    return check_verdicts(claim, case.rules.verdicts(case.scene), CODES)


def check_placing(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `placing bend> at B2: false because kinds`: the breaches that the added piece causes."""
    if len(claim.words) != 3 or claim.words[1] != "at":
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim", "a tile and its place, such as placing bend> at B2"
        )
    _check_legality_stated(case)
    place = case.place(claim.words[2])
    cell = parse_cell(claim.words[0], place, case.rules.kit, case.scene.lattice)
    return check_verdicts(claim, find_new_verdicts(case, place, cell.pieces), CODES)


def _check_legality_stated(case: Case) -> None:
    """Raise `InvalidValueError` if the pack has no matching rules: no claim about legality could then be false."""
    if not case.rules.has_matching_rules:
        raise InvalidValueError(
            "the pack has no rules about legal boards", "matching: in game.yaml"
        )


def find_new_verdicts(
    case: Case, place: Place, pieces: tuple[Placement, ...]
) -> Iterator[MatchingVerdict]:
    """Yield the verdicts that added pieces cause.

    Pieces are placed on top of those already there.
    """
    level = max(
        (
            _height(case, at)
            for piece in pieces
            for at in find_piece_places(piece, case.rules.kit, case.scene.lattice)
        ),
        default=0,
    )
    raised = [
        Placement(piece.design, place.column, place.row, piece.turn, piece.side, level + offset)
        for offset, piece in enumerate(pieces)
    ]
    before = set(case.rules.verdicts(case.scene))
    after = case.rules.verdicts(case.rules.analyse(case.scene.board.with_pieces(raised)))
    return (verdict for verdict in after if verdict not in before)


def _height(case: Case, place: Place) -> int:
    """Return the level of a piece added at a place."""
    tile = case.scene.tiles.get(place)
    return max(
        len(tile.stack) + len(tile.tokens) if tile else 0,
        len(case.scene.board.stacks().get(place, ())),
    )


def check_removing(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `removing sword at B2: false because neighbours`, `true, drops C2, C3` or `true, drops nothing`."""
    if len(claim.words) != 3 or claim.words[1] != "at":
        raise InvalidValueError(
            f"{claim.subject!r} is not a claim",
            "a way to remove and a place, such as removing sword at B2",
        )
    name, _, where = claim.words
    removal = find_row("way to remove", name, case.rules.removals)
    place = case.place(where)
    verdicts = tuple(find_refusals(case.scene, removal, place))
    if not claim.text.startswith("true, drops"):
        return check_verdicts(claim, verdicts, ("empty", "never", "neighbours"))
    first, *others = claim.items()[1:]
    named = [word for item in (first.removeprefix("drops"), *others) for word in item.split()]
    expected = {case.place(word) for word in named if word != "nothing"}
    if verdicts:
        return claim.outcome(describe_verdicts(verdicts), ok=False)
    dropped = find_dropped(case.scene, removal, place)
    actual = f"true, drops {', '.join(map(str, dropped)) or 'nothing'}"
    return claim.outcome(actual, ok=set(dropped) == expected)


def check_filling(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `filling: A1 road, C1 road` or `filling: nothing`: the tiles placed next to labelled sides."""
    fillers = [
        filler
        for rule in case.rules.matching
        if isinstance(rule, Fills)
        for filler in rule.find_fillers(case.scene)
    ]
    filler_designs = {filler.place: filler.design for filler in fillers}
    expected = dict(_parse_filler(case, item) for item in claim.items() if item != "nothing")
    actual = (
        ", ".join(f"{place} {design}" for place, design in sorted(filler_designs.items()))
        or "nothing"
    )
    return claim.outcome(actual, ok=filler_designs == expected)


def _parse_filler(case: Case, item: str) -> tuple[Place, str]:
    where, _, design = item.partition(" ")
    return case.place(where), case.rules.kit.design(design.strip()).id


ANY_PLAYERS = 0
"""The key in `needs:` for any number of players."""


def check_count(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `links of pe at B2: 2`, `rows having greenway: at least 8` or `tiles without torch: 9`."""
    parts = split_clauses(claim.words, ("of", "having", "without", "forms", "at"))
    name = " ".join(parts[""])
    check_countable(name, case.rules.kit.words)
    group = filter_group(
        case.scene, _find_group(case, parts.get("at", ())), _make_filter(case, parts)
    )
    value = sum_values(find_counted(case.scene, group, name))
    return claim.outcome(number(value), ok=parse_number_range(claim.text).contains(value))


def _find_group(case: Case, places: tuple[str, ...]) -> TileGroup:
    group_parts = [
        part for word in places for part in case.scene.piece_places(case.tile_place(word))
    ]
    return group_places(case.scene, group_parts) if places else group_board(case.scene)


def _make_filter(case: Case, parts: dict[str, tuple[str, ...]]) -> Filter:
    kit = case.rules.kit
    tables = {"of": kit.kinds, "having": kit.words, "without": kit.words, "forms": frozenset(FORMS)}
    for key, words in tables.items():
        for word in parts.get(key, ()):
            if word not in words:
                raise unknown("kind of link" if key == "of" else "word", word, words)
    return Filter(*(parts.get(key, ()) for key in tables))


def check_score(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `score A: 14` or `score cities for red: 9`."""
    parts = split_clauses(claim.words, ("for",))
    name = _parse_score_name(claim, parts[""], "a score's name, such as score A")
    value = case.rules.score(name, case.scene, " ".join(parts.get("for", ())))
    return claim.outcome(number(value), ok=parse_number_range(claim.text).contains(value))


def check_met(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `met loops with 3 players: true`: the score is in the range that `needs:` states."""
    parts = split_clauses(claim.words, ("with", "players"))
    expected = "a score's name, such as met loops with 3 players"
    name = _parse_score_name(claim, parts[""], expected)
    value = case.rules.score(name, case.scene)
    needs = case.rules.scores[name].needs
    players = _parse_players(parts.get("with", ("0",)))
    if players not in needs and ANY_PLAYERS not in needs:
        raise InvalidValueError(
            f"{name!r} has no `needs:` for {players} players",
            f"needs: in scoring.{name}, or another number",
        )
    if claim.text not in {"true", "false"}:
        raise InvalidValueError(f"{claim.text!r} is neither true nor false", "true or false")
    span = needs.get(players, needs.get(ANY_PLAYERS, ANY))
    actual = "true" if span.contains(value) else "false"
    return claim.outcome(f"{actual}: {number(value)} of {span}", ok=actual == claim.text)


def _parse_players(words: tuple[str, ...]) -> int:
    text = " ".join(words)
    if not text.isdigit():
        raise InvalidValueError(
            f"{text!r} is not a number of players", "a number, such as with 3 players"
        )
    return int(text)


def _parse_score_name(claim: ParsedClaim, words: tuple[str, ...], expected: str) -> str:
    if len(words) != 1:
        raise InvalidValueError(f"{claim.subject!r} is not a claim", expected)
    return words[0]


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


def _is_connected(scene: Scene, start: Place, end: Place, kinds: Sequence[str]) -> bool:
    """Return True if a walk without reversing leads from a tile to another."""
    starts = (
        run
        for run, link in scene.runs.items()
        if run.place == start and (not kinds or link.kind in kinds)
    )
    return any(run.place == end for run in follow_track(starts, scene.runs, scene.track))


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
    start = min(ends)
    end = max(ends)
    joined = start == end or _is_connected(case.scene, start, end, kinds)
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
    first, *words = subject.split()
    case = Case(rules, rules.analyse(board))
    check_token_positions(case.scene)
    if first in CLAIMS:
        return CLAIMS[first].check(case, ParsedClaim(subject, tuple(words), statement.strip()))
    if first not in COUNTS and first not in rules.kit.words:
        raise unknown("claim", first, {*CLAIMS, *COUNTS, *rules.kit.words})
    return check_count(case, ParsedClaim(subject, (first, *words), statement.strip()))
