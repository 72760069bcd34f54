"""Claims about what is allowed and about numbers: the board as it lies, or a piece that is about to be laid."""

from __future__ import annotations

from collections.abc import Iterator

from generator.board.beside import MatchingVerdict
from generator.board.counts import check_countable, find
from generator.board.groups import ANY, FORMS, Filter, TileGroup, narrowed, of_board, of_places, parse_span, weight
from generator.board.kit import Placement
from generator.board.lattice import Place
from generator.board.matching import CODES, Fills
from generator.board.moving import dropped, refused
from generator.board.outcome import Case, ClaimSaid, Outcome, clauses, lawful
from generator.board.tiles import places_of
from generator.board.writing import parse_cell
from generator.core.problems import Wrong, unknown
from generator.core.units import number


def legal(case: Case, said: ClaimSaid) -> Outcome:
    """`legal: false because sides`."""
    if said.words:
        raise Wrong(f"{said.subject!r} is no claim", "legal: true, or legal: false because …")
    _check_stated(case)
    return lawful(said, case.rules.verdicts(case.scene), CODES)


def placing(case: Case, said: ClaimSaid) -> Outcome:
    """`placing bend> at B2: false because kinds` — what laying the piece would add to what is wrong."""
    if len(said.words) != 3 or said.words[1] != "at":
        raise Wrong(f"{said.subject!r} is no claim", "a tile and its place, such as placing bend> at B2")
    _check_stated(case)
    place = case.place(said.words[2])
    cell = parse_cell(said.words[0], place, case.rules.kit, case.scene.lattice)
    return lawful(said, added(case, place, cell.pieces), CODES)


def _check_stated(case: Case) -> None:
    """Without a rule, everything would be legal, and no such claim could be false."""
    if not case.rules.stated:
        raise Wrong("the pack does not say what is legal", "matching: in game.yaml")


def added(case: Case, place: Place, pieces: tuple[Placement, ...]) -> Iterator[MatchingVerdict]:
    """What is wrong once pieces are laid and was not before. A piece laid where another lies covers it."""
    level = max(
        (_height(case, at) for one in pieces for at in places_of(one, case.rules.kit, case.scene.lattice)), default=0
    )
    raised = [
        Placement(one.design, place.column, place.row, one.turn, one.side, level + nth)
        for nth, one in enumerate(pieces)
    ]
    before = set(case.rules.verdicts(case.scene))
    after = case.rules.verdicts(case.rules.look(case.scene.board.with_pieces(raised)))
    return (verdict for verdict in after if verdict not in before)


def _height(case: Case, place: Place) -> int:
    """The level on which a piece comes to lie there."""
    tile = case.scene.tiles.get(place)
    return max(len(tile.stack) + len(tile.held) if tile else 0, len(case.scene.board.stacks().get(place, ())))


def removing(case: Case, said: ClaimSaid) -> Outcome:
    """`removing sword at B2: false because neighbours`, or `true, drops C2, C3` or `true, drops nothing`."""
    if len(said.words) != 3 or said.words[1] != "at":
        raise Wrong(f"{said.subject!r} is no claim", "a way to remove and a place, such as removing sword at B2")
    name, _, where = said.words
    if name not in case.rules.removals:
        raise unknown("way to remove", name, case.rules.removals)
    removal, place = case.rules.removals[name], case.place(where)
    verdicts = tuple(refused(case.scene, removal, place))
    if not said.text.startswith("true, drops"):
        return lawful(said, verdicts, ("empty", "never", "neighbours"))
    first, *rest = said.items()[1:]
    named = [word for item in (first.removeprefix("drops"), *rest) for word in item.split()]
    wanted = {case.place(word) for word in named if word != "nothing"}
    if verdicts:
        return lawful(ClaimSaid(said.subject, said.words, "true"), verdicts, ())
    lost = dropped(case.scene, removal, place)
    shows = f"true, drops {', '.join(map(str, lost)) or 'nothing'}"
    return said.outcome(shows, ok=set(lost) == wanted)


def filling(case: Case, said: ClaimSaid) -> Outcome:
    """`filling: A1 road, C1 road`, or `filling: nothing` — what is laid at once beside labelled sides."""
    found = [one for rule in case.rules.matching if isinstance(rule, Fills) for one in rule.filling(case.scene)]
    shown = {one.place: one.design for one in found}
    wanted = dict(_filled(case, item) for item in said.items() if item != "nothing")
    shows = ", ".join(f"{place} {design}" for place, design in sorted(shown.items())) or "nothing"
    return said.outcome(shows, ok=shown == wanted)


def _filled(case: Case, item: str) -> tuple[Place, str]:
    where, _, design = item.partition(" ")
    return case.place(where), case.rules.kit.design(design.strip()).id


ANY_NUMBER = 0
"""The key of a `needs:` that does not depend on the number of players."""


def count(case: Case, said: ClaimSaid) -> Outcome:
    """`links of pe at B2: 2`, `rows having greenway: at least 8`, `tiles without torch: 9`."""
    parts = clauses(said.words, ("of", "having", "without", "forms", "at"))
    name = " ".join(parts[""])
    check_countable(name, case.rules.kit.words)
    group = narrowed(case.scene, _where(case, parts.get("at", ())), _filter(case, parts))
    value = weight(find(case.scene, group, name))
    return said.outcome(number(value), ok=parse_span(said.text).holds(value))


def _where(case: Case, places: tuple[str, ...]) -> TileGroup:
    there = [part for word in places for part in case.scene.whole(case.tile_place(word))]
    return of_places(case.scene, there) if places else of_board(case.scene)


def _filter(case: Case, parts: dict[str, tuple[str, ...]]) -> Filter:
    kit = case.rules.kit
    tables = {"of": kit.kinds, "having": kit.words, "without": kit.words, "forms": frozenset(FORMS)}
    for key, known in tables.items():
        for word in parts.get(key, ()):
            if word not in known:
                raise unknown("kind of link" if key == "of" else "word", word, known)
    return Filter(*(parts.get(key, ()) for key in tables))


def score(case: Case, said: ClaimSaid) -> Outcome:
    """`score A: 14`, `score cities for red: 9`."""
    parts = clauses(said.words, ("for",))
    name = _only(ClaimSaid(said.subject, parts[""], said.text), "a score's name, such as score A")
    value = case.rules.score(name, case.scene, " ".join(parts.get("for", ())))
    return said.outcome(number(value), ok=parse_span(said.text).holds(value))


def met(case: Case, said: ClaimSaid) -> Outcome:
    """`met loops with 3 players: true` — whether a score is what it needs to be."""
    parts = clauses(said.words, ("with", "players"))
    name = _only(ClaimSaid(said.subject, parts[""], said.text), "a score's name, such as met loops with 3 players")
    value = case.rules.score(name, case.scene)
    needs, players = case.rules.scores[name].needs, _players(parts.get("with", ("0",)))
    if players not in needs and ANY_NUMBER not in needs:
        raise Wrong(f"{name!r} needs nothing with {players} players", f"needs: in scoring.{name}, or another number")
    if said.text not in {"true", "false"}:
        raise Wrong(f"{said.text!r} is neither true nor false", "true or false")
    span = needs.get(players, needs.get(ANY_NUMBER, ANY))
    shows = "true" if span.holds(value) else "false"
    return said.outcome(f"{shows}: {number(value)} of {span}", ok=shows == said.text)


def _players(words: tuple[str, ...]) -> int:
    text = " ".join(words)
    if not text.isdigit():
        raise Wrong(f"{text!r} is no number of players", "a number, such as with 3 players")
    return int(text)


def _only(said: ClaimSaid, expected: str) -> str:
    if len(said.words) != 1:
        raise Wrong(f"{said.subject!r} is no claim", expected)
    return said.words[0]
