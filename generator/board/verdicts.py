"""Checks for claims about legality and numbers, on the board as placed or with a piece added."""

from __future__ import annotations

from collections.abc import Iterator

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.units import number
from generator.board.board import Placement
from generator.board.counting import (
    ANY,
    FORMS,
    Filter,
    TileGroup,
    check_countable,
    filter_group,
    find_counted,
    group_board,
    group_places,
    parse_number_range,
    sum_values,
)
from generator.board.lattice import Place
from generator.board.matching_rules import CODES, Fills, MatchingVerdict
from generator.board.moving import find_dropped, find_refusals
from generator.board.outcome import (
    Case,
    Outcome,
    ParsedClaim,
    check_verdicts,
    describe_verdicts,
    split_clauses,
)
from generator.board.parse_board import parse_cell
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
    first, *rest = claim.items()[1:]
    named = [word for item in (first.removeprefix("drops"), *rest) for word in item.split()]
    wanted = {case.place(word) for word in named if word != "nothing"}
    if verdicts:
        return claim.outcome(describe_verdicts(verdicts), ok=False)
    dropped = find_dropped(case.scene, removal, place)
    actual = f"true, drops {', '.join(map(str, dropped)) or 'nothing'}"
    return claim.outcome(actual, ok=set(dropped) == wanted)


def check_filling(case: Case, claim: ParsedClaim) -> Outcome:
    """Check `filling: A1 road, C1 road` or `filling: nothing`: the tiles placed next to labelled sides."""
    fillers = [
        filler
        for rule in case.rules.matching
        if isinstance(rule, Fills)
        for filler in rule.find_fillers(case.scene)
    ]
    filler_designs = {filler.place: filler.design for filler in fillers}
    wanted = dict(_parse_filler(case, item) for item in claim.items() if item != "nothing")
    actual = (
        ", ".join(f"{place} {design}" for place, design in sorted(filler_designs.items()))
        or "nothing"
    )
    return claim.outcome(actual, ok=filler_designs == wanted)


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
    there = [part for word in places for part in case.scene.piece_places(case.tile_place(word))]
    return group_places(case.scene, there) if places else group_board(case.scene)


def _make_filter(case: Case, parts: dict[str, tuple[str, ...]]) -> Filter:
    kit = case.rules.kit
    tables = {"of": kit.kinds, "having": kit.words, "without": kit.words, "forms": frozenset(FORMS)}
    for key, known in tables.items():
        for word in parts.get(key, ()):
            if word not in known:
                raise unknown("kind of link" if key == "of" else "word", word, known)
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
