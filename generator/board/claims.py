"""Claims about a board: the check of each kind, the table of kinds, `check_claim`, and a summary of claims.

A claim is written `subject: statement`. The first word of the subject names the kind of claim. If
it is a countable kind or a word of the pack, the claim states a count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.units import number
from generator.board.analysis import Scene
from generator.board.board import Board, FaceUp, Placement, parse_cell
from generator.board.counting import (
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
    sum_values,
)
from generator.board.lattice import Place
from generator.board.matching_rules import CODES, Breach, find_fillers
from generator.board.moving import (
    WAYS_TO_READ_DICE,
    MovementSpec,
    RouteSpec,
    find_best_route,
    find_dropped,
    find_refusals,
    follow_path,
)
from generator.board.networks import Network, follow_track
from generator.board.rules import BoardRules
from generator.board.spec import NumberRange, parse_number_range
from generator.board.tiles import find_piece_places


@dataclass(frozen=True)
class Outcome:
    """The outcome of a claim: its truth, its subject, the stated value and the actual value."""

    ok: bool
    subject: str
    stated: str
    actual: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.stated}" + (
            "" if self.ok else f" (the board shows: {self.actual})"
        )


@dataclass(frozen=True)
class ParsedClaim:
    """A parsed claim: its subject, the subject's words after the first, and the text after the colon."""

    subject: str
    words: tuple[str, ...]
    text: str

    def error(self, expected: str) -> InvalidValueError:
        """Return the error for a claim whose words have no meaning."""
        return InvalidValueError(f"{self.subject!r} is not a claim", expected)

    def outcome(self, actual: str, *, ok: bool) -> Outcome:
        """Return an outcome for this claim."""
        return Outcome(ok, self.subject, self.text, actual)

    def compare_number(self, value: float) -> Outcome:
        """Return the outcome of a claim that states a range of numbers."""
        return self.outcome(number(value), ok=parse_number_range(self.text).contains(value))

    def compare_truth(self, value: object) -> Outcome:
        """Return the outcome of a claim that states `true` or `false`."""
        actual = "true" if value else "false"
        return self.outcome(actual, ok=actual == self.text)

    def compare_items(self, checked: Iterable[tuple[str, bool]]) -> Outcome:
        """Return the outcome of a claim of several items, each given by its actual value and its truth.

        Raise `InvalidValueError` for a claim without items, which would be true of any board.
        """
        items = list(checked)
        if not items:
            raise InvalidValueError(
                f"{self.subject}: {self.text} states nothing", "a statement, such as steps 2"
            )
        return self.outcome(", ".join(actual for actual, _ in items), ok=all(ok for _, ok in items))

    @property
    def states_truth(self) -> bool:
        """Return True if the claim states `true` or `false`, without reasons."""
        return self.text in {"true", "false"}

    def items(self) -> tuple[str, ...]:
        """Return the comma-separated items of the text."""
        return tuple(item.strip() for item in self.text.split(",") if item.strip())

    def clauses(self, *keywords: str) -> dict[str, tuple[str, ...]]:
        """Group the words under the keywords they follow; words before any keyword are under "".

        A keyword that is not written has no words. Raise `InvalidValueError` if one occurs twice.
        """
        clauses: dict[str, tuple[str, ...]] = dict.fromkeys(("", *keywords), ())
        key = ""
        for word in self.words:
            if word not in keywords:
                clauses[key] = (*clauses[key], word.rstrip(","))
                continue
            if self.words.count(word) > 1:
                raise InvalidValueError(
                    f"{word!r} occurs twice in {' '.join(self.words)!r}",
                    "each keyword once, followed by all its words",
                )
            key = word
        return clauses


@dataclass(frozen=True)
class Case:
    """The rules and the analysed board that claims are checked against."""

    rules: BoardRules
    scene: Scene

    def place(self, word: str) -> Place:
        """Return the place of `B3` or `#name`."""
        return self.scene.board.place(word)

    def tile_place(self, word: str) -> Place:
        """Return the place of `B3` or `#name`; raise `InvalidValueError` if it holds no tile."""
        place = self.place(word)
        if place not in self.scene.tiles:
            raise InvalidValueError(
                f"nothing lies at {word}",
                f"one of: {', '.join(map(str, sorted(self.scene.tiles)))}",
            )
        return place


def check_breaches(claim: ParsedClaim, breaches: Iterable[Breach], codes: Iterable[str]) -> Outcome:
    """Check `true`, `false`, or `false because` with exactly the codes of the breaches."""
    head, _, reasons = claim.text.partition(" because ")
    expected = {reason.strip() for reason in reasons.split(",") if reason.strip()}
    for reason in sorted(expected):
        if reason not in codes:
            raise unknown("reason", reason, codes)
    if head not in {"true", "false"} or (head == "true" and expected):
        raise InvalidValueError(
            f"{claim.text!r} is neither true nor false", "true, false, or false because …"
        )
    found = tuple(breaches)
    actual = describe_breaches(found)
    codes_found = {breach.code for breach in found}
    ok = (
        not codes_found
        if head == "true"
        else bool(codes_found) and (not expected or expected == codes_found)
    )
    return claim.outcome(actual, ok=ok)


def describe_breaches(breaches: tuple[Breach, ...]) -> str:
    """Return breaches in words: `true`, or `false because sides (red at A1 meets …)`."""
    if not breaches:
        return "true"
    codes = ", ".join(dict.fromkeys(breach.code for breach in breaches))
    return f"false because {codes} ({'; '.join(breach.text for breach in breaches)})"


def check_legal(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `legal: false because sides`."""
    if claim.words:
        raise claim.error("legal: true, or legal: false because …")
    _check_legality_stated(case)
    return check_breaches(claim, case.rules.breaches(case.scene), CODES)


def check_placing(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `placing bend> at B2: false because kinds`: the breaches that the added piece causes."""
    if len(claim.words) != 3 or claim.words[1] != "at":
        raise claim.error("a tile and its place, such as placing bend> at B2")
    _check_legality_stated(case)
    place = case.place(claim.words[2])
    pieces, _ = parse_cell(claim.words[0], place, case.rules.kit, case.scene.lattice)
    return check_breaches(claim, find_new_breaches(case, pieces), CODES)


def _check_legality_stated(case: Case) -> None:
    """Raise `InvalidValueError` if the pack has no matching rules: no claim about legality could then be false."""
    if not case.rules.has_matching_rules:
        raise InvalidValueError(
            "the pack has no rules about legal boards", "matching: in game.yaml"
        )


def find_new_breaches(case: Case, pieces: tuple[Placement, ...]) -> Iterator[Breach]:
    """Yield the breaches caused by pieces that are placed on top of those already there."""
    level = max(
        (
            _height(case, at)
            for piece in pieces
            for at in find_piece_places(piece, case.rules.kit, case.scene.lattice)
        ),
        default=0,
    )
    raised = [replace(piece, level=level + offset) for offset, piece in enumerate(pieces)]
    before = set(case.rules.breaches(case.scene))
    after = case.rules.breaches(case.rules.analyse(case.scene.board.with_pieces(raised)))
    return (breach for breach in after if breach not in before)


def _height(case: Case, place: Place) -> int:
    """Return the level of the next piece at a place."""
    tile = case.scene.tiles.get(place)
    return max(
        len(tile.stack) + len(tile.tokens) if tile else 0,
        len(case.scene.board.stacks.get(place, ())),
    )


def check_removing(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `removing sword at B2: false because neighbours`, `true, drops C2, C3` or `true, drops nothing`."""
    if len(claim.words) != 3 or claim.words[1] != "at":
        raise claim.error("a way to remove and a place, such as removing sword at B2")
    name, _, where = claim.words
    removal = find_row("way to remove", name, case.rules.specs.removing)
    place = case.place(where)
    breaches = tuple(find_refusals(case.scene, removal, place))
    if not claim.text.startswith("true, drops"):
        return check_breaches(claim, breaches, ("empty", "never", "neighbours"))
    first, *others = claim.items()[1:]
    named = [word for item in (first.removeprefix("drops"), *others) for word in item.split()]
    expected = {case.place(word) for word in named if word != "nothing"}
    if breaches:
        return claim.outcome(describe_breaches(breaches), ok=False)
    dropped = find_dropped(case.scene, removal, place)
    actual = f"true, drops {', '.join(map(str, dropped)) or 'nothing'}"
    return claim.outcome(actual, ok=set(dropped) == expected)


def check_filling(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `filling: A1 road, C1 road` or `filling: nothing`: the tiles placed next to labelled sides."""
    designs = case.rules.specs.matching.fills or {}
    fillers = find_fillers(case.scene, designs)
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
    parts = claim.clauses("of", "having", "without", "forms", "at")
    name = " ".join(parts[""])
    check_countable(name, case.rules.kit.words)
    group = filter_group(case.scene, _find_group(case, parts["at"]), _make_filter(case, parts))
    return claim.compare_number(sum_values(find_counted(case.scene, group, name)))


def _find_group(case: Case, places: tuple[str, ...]) -> TileGroup:
    group_parts = [
        part for word in places for part in case.scene.piece_places(case.tile_place(word))
    ]
    return group_places(case.scene, group_parts) if places else group_board(case.scene)


def _make_filter(case: Case, parts: dict[str, tuple[str, ...]]) -> Filter:
    kit = case.rules.kit
    tables = {"of": kit.kinds, "having": kit.words, "without": kit.words, "forms": frozenset(FORMS)}
    for key, words in tables.items():
        for word in parts[key]:
            if word not in words:
                raise unknown("kind of link" if key == "of" else "word", word, words)
    return Filter(*(parts[key] for key in tables))


def check_score(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `score A: 14` or `score cities for red: 9`."""
    parts = claim.clauses("for")
    name = _parse_score_name(claim, parts[""], "a score's name, such as score A")
    return claim.compare_number(case.rules.score(name, case.scene, " ".join(parts["for"])))


def check_met(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `met loops with 3 players: true`: the score is in the range that `needs:` states."""
    parts = claim.clauses("with", "players")
    expected = "a score's name, such as met loops with 3 players"
    name = _parse_score_name(claim, parts[""], expected)
    value = case.rules.score(name, case.scene)
    needs = case.rules.specs.scoring[name].needs or {}
    players = _parse_players(parts["with"] if "with" in claim.words else ("0",))
    if players not in needs and ANY_PLAYERS not in needs:
        raise InvalidValueError(
            f"{name!r} has no `needs:` for {players} players",
            f"needs: in scoring.{name}, or another number",
        )
    if not claim.states_truth:
        raise InvalidValueError(f"{claim.text!r} is neither true nor false", "true or false")
    span = needs.get(players, needs.get(ANY_PLAYERS, NumberRange()))
    actual = "true" if span.contains(value) else "false"
    return claim.outcome(f"{actual}: {number(value)} of {span}", ok=actual == claim.text)


def _parse_players(words: tuple[str, ...]) -> int:
    text = " ".join(words)
    if not text.isdecimal():
        raise InvalidValueError(
            f"{text!r} is not a number of players", "a number, such as with 3 players"
        )
    return int(text)


def _parse_score_name(claim: ParsedClaim, words: tuple[str, ...], expected: str) -> str:
    if len(words) != 1:
        raise claim.error(expected)
    return words[0]


STATES = ("closed", "open")


def check_network(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `network fire: closed, links 12` or `network fire at B2: open, open-ends 1, hydrant 1`."""
    parts = claim.clauses("at")
    if len(parts[""]) != 1:
        raise claim.error("one kind of link, such as network fire at B2")
    kind = _check_kind(case, parts[""][0])
    places = {case.tile_place(word) for word in parts["at"]}
    items = [_parse_item(case, item) for item in claim.items()]
    networks = [network for network in case.scene.networks_with([kind]) if places <= network.places]
    if len(networks) != 1:
        return claim.outcome(
            f"{len(networks) or 'no'} networks of {kind}{' there' if places else ''}", ok=False
        )
    return claim.compare_items(_check_network_item(case, networks[0], *item) for item in items)


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
    return _compare_count(name, value, amount)


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
    parts = claim.clauses("for")
    best = find_best_route(case.scene, _find_train(case, claim, parts[""]), "".join(parts["for"]))
    if best is None or claim.text == "none":
        actual = number(best.value) if best else "none"
        return claim.outcome(actual, ok=claim.text == actual)
    return claim.compare_number(best.value)


def check_route(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `route express A1 A2 B2 for red: worth 60, stops 3`, or `true` or `false` for a possible route."""
    parts = claim.clauses("for")
    train = _find_train(case, claim, parts[""][:1])
    places = [case.place(word) for word in parts[""][1:]]
    if not places:
        raise claim.error("a train and its places, such as route express A1 A2")
    best = find_best_route(case.scene, train, "".join(parts["for"]), places)
    if claim.states_truth or best is None:
        return claim.compare_truth(best)
    values = {"worth": best.value, "stops": float(len(best.stops))}
    items = [item.partition(" ") for item in claim.items()]
    return claim.compare_items(
        _compare_count(name, find_row("count", name, values), span) for name, _, span in items
    )


def _compare_count(name: str, value: float, span: str) -> tuple[str, bool]:
    """Return a count with its name, and True if it is in the range that a claim states."""
    return f"{name} {number(value)}", parse_number_range(span).contains(value)


def _find_train(case: Case, claim: ParsedClaim, words: Sequence[str]) -> RouteSpec:
    if len(words) != 1:
        raise claim.error("a train, such as best express")
    return find_row("train", words[0], case.rules.specs.routing)


def check_connected(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `connected A1 to C3: true` or `connected A1 to C3 by neck: false`: one network reaches both."""
    parts = claim.clauses("to", "by")
    if (len(parts[""]), len(parts["to"])) != (1, 1) or not claim.states_truth:
        raise InvalidValueError(
            f"{claim.subject}: {claim.text} is not a claim",
            "two places, such as connected A1 to C3: true",
        )
    ends = {case.tile_place(parts[""][0]), case.tile_place(parts["to"][0])}
    kinds = [_check_kind(case, kind) for kind in parts["by"]]
    start = min(ends)
    end = max(ends)
    return claim.compare_truth(start == end or _is_connected(case.scene, start, end, kinds))


PATH_CODES = ("empty", "no-stop", "not-joined", "occupied", "roll", "start", "through", "twice")


def check_path(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `path truck A1 A2 B2 rolling 6 1: steps 2, blaze 1`, or `true`, or `false because twice`.

    A word with a number states how many things of this word are on the path's tiles after the first.
    """
    parts = claim.clauses("rolling")
    if len(parts[""]) < 2:
        raise claim.error("a way to move and its places, such as path truck A1 A2")
    name, *places = parts[""]
    move = find_row("way to move", name, case.rules.specs.moving)
    route = tuple(case.place(word) for word in places)
    stops, breaches = follow_path(case.scene, move, route)
    breaches += _check_roll(move, len(stops), route, _parse_dice(parts["rolling"]))
    if claim.text.split()[0] in {"true", "false"}:
        return check_breaches(claim, breaches, PATH_CODES)
    if breaches:
        return claim.outcome(describe_breaches(breaches), ok=False)
    return claim.compare_items(
        _check_path_item(case, move, len(stops), route, item) for item in claim.items()
    )


def _parse_dice(words: tuple[str, ...]) -> tuple[int, ...]:
    if not all(word.isdecimal() for word in words):
        raise InvalidValueError(
            f"{' '.join(words)!r} is not a roll of dice",
            "the numbers of the dice, such as rolling 6 1",
        )
    return tuple(int(word) for word in words)


def _check_roll(
    move: MovementSpec, steps: int, route: tuple[Place, ...], dice: tuple[int, ...]
) -> tuple[Breach, ...]:
    if not dice or steps <= WAYS_TO_READ_DICE[move.dice](dice):
        return ()
    text = f"{steps} steps of {WAYS_TO_READ_DICE[move.dice](dice)}"
    return (Breach("roll", text, route),)


def _check_path_item(
    case: Case, move: MovementSpec, steps: int, route: tuple[Place, ...], item: str
) -> tuple[str, bool]:
    name, _, amount = item.partition(" ")
    if name == "steps":
        value = float(steps)
    elif name in case.rules.kit.words:
        value = sum_values(
            find_things(
                case.scene, group_places(case.scene, route[0 if move.counts_start else 1 :]), name
            )
        )
    else:
        raise unknown("count", name, {"steps", *case.rules.kit.words})
    return _compare_count(name, value, amount)


@dataclass(frozen=True)
class ClaimKind:
    """A kind of claim: its check, and an example for the documentation."""

    example: str
    check: Callable[[Case, ParsedClaim], Outcome]


CLAIMS: Mapping[str, ClaimKind] = {
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


VERDICT_CLAIMS = frozenset({"legal", "placing", "removing", "path", "met"})
"""The kinds of claims that something is allowed or forbidden."""

MARKABLE_CLAIMS = VERDICT_CLAIMS | {"connected"}
"""The kinds of claims that a tick or a cross can mark.

A single joined side can be marked even if the board has mistakes elsewhere.
"""

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_NUMBER = re.compile(r"(?<![\w#.-])\d+(?:\.\d+)?(?!\w)")

_LIST = re.compile(r"(?:^filling: |, drops )(?!nothing)(.+)")


@dataclass(frozen=True)
class ClaimSummary:
    """The statements of all claims about a board, for captions, marks and labels that repeat them.

    `verdicts` contains True if a claim allows something, False if a claim forbids something.
    `marked` is the same for claims that ticks and crosses can mark. `scores` contains True if
    something scores, False if something scores nothing.
    """

    numbers: frozenset[str] = frozenset()
    verdicts: frozenset[bool] = frozenset()
    marked: frozenset[bool] = frozenset()
    scores: frozenset[bool] = frozenset()

    @property
    def yes(self) -> bool:
        """Return True if a figure may illustrate Yes: something is allowed or scores, and nothing is forbidden."""
        return True in self.verdicts | self.scores and False not in self.verdicts

    @property
    def no(self) -> bool:
        """Return True if a figure may illustrate No: something is forbidden or does not score."""
        return False in self.verdicts | self.scores

    def unclaimed(self, text: str) -> list[str]:
        """Return the numbers in a text that no claim states."""
        return [number for number in _DIGITS.findall(text) if number not in self.numbers]


def summarise_claims(claims: Collection[str]) -> ClaimSummary:
    """Return the statements of some claims."""
    parts = [claim.strip().partition(": ") for claim in claims]
    # The kind of each claim, and the text after its colon.
    stated = [(subject.partition(" ")[0], value.strip()) for subject, _, value in parts]
    return ClaimSummary(
        collect_numbers(claims),
        _collect_verdicts(stated, VERDICT_CLAIMS),
        _collect_verdicts(stated, MARKABLE_CLAIMS),
        frozenset(value != "0" for kind, value in stated if kind == "score"),
    )


def collect_numbers(claims: Collection[str]) -> frozenset[str]:
    """Return every number in some claims, and the lengths of their lists.

    Numbers in names are left out.
    """
    listed = (match[1].count(",") + 1 for claim in claims if (match := _LIST.search(claim)))
    return frozenset(number for claim in claims for number in _NUMBER.findall(claim)) | {
        str(count) for count in listed
    }


def _collect_verdicts(stated: Iterable[tuple[str, str]], kinds: Collection[str]) -> frozenset[bool]:
    """Return the truth values that claims of some kinds state."""
    return frozenset(not value.startswith("false") for kind, value in stated if kind in kinds)


def describe_board(board: Board, titles: Mapping[str, str]) -> str:
    """Return the pieces of a board in reading order, such as `A1 Red bend 90°, B1 …`."""
    return ", ".join(
        _describe_piece(placement, titles) for stack in board.stacks.values() for placement in stack
    )


def _describe_piece(placement: Placement, titles: Mapping[str, str]) -> str:
    turn = f" {placement.turn}°" if placement.turn else ""
    back = " ⟲" if placement.side is FaceUp.BACK else ""
    return f"{placement.place} {titles.get(placement.design, placement.design)}{turn}{back}"
