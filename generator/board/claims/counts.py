"""Claims about numbers: counts and scores."""

from __future__ import annotations

from generator.board.claims.outcome import Case, Outcome, Said, clauses
from generator.board.counting.group import FORMS, Filter, Group, narrowed, of_board, of_places
from generator.board.counting.kinds import check_countable, find
from generator.board.counting.span import ANY, parse_span
from generator.board.counting.things import weight
from generator.core.problems import Wrong, unknown
from generator.core.units import number

ANY_NUMBER = 0
"""The key of a `needs:` that does not depend on the number of players."""


def count(case: Case, said: Said) -> Outcome:
    """`links of pe at B2: 2`, `rows having greenway: at least 8`, `tiles without torch: 9`."""
    parts = clauses(said.words, ("of", "having", "without", "forms", "at"))
    name = " ".join(parts[""])
    check_countable(name, case.rules.kit.words)
    group = narrowed(case.scene, _where(case, parts.get("at", ())), _filter(case, parts))
    value = weight(find(case.scene, group, name))
    return said.outcome(number(value), ok=parse_span(said.text).holds(value))


def _where(case: Case, places: tuple[str, ...]) -> Group:
    return of_places(case.scene, [case.tile_place(word) for word in places]) if places else of_board(case.scene)


def _filter(case: Case, parts: dict[str, tuple[str, ...]]) -> Filter:
    kit = case.rules.kit
    tables = {"of": kit.kinds, "having": kit.words, "without": kit.words, "forms": frozenset(FORMS)}
    for key, known in tables.items():
        for word in parts.get(key, ()):
            if word not in known:
                raise unknown("kind of link" if key == "of" else "word", word, known)
    return Filter(*(parts.get(key, ()) for key in tables))


def score(case: Case, said: Said) -> Outcome:
    """`score A: 14`."""
    value = case.rules.score(_only(said, "a score's name, such as score A"), case.scene)
    return said.outcome(number(value), ok=parse_span(said.text).holds(value))


def met(case: Case, said: Said) -> Outcome:
    """`met loops with 3 players: true` — whether a score is what it needs to be."""
    parts = clauses(said.words, ("with", "players"))
    name = _only(Said(said.subject, parts[""], said.text), "a score's name, such as met loops with 3 players")
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


def _only(said: Said, expected: str) -> str:
    if len(said.words) != 1:
        raise Wrong(f"{said.subject!r} is no claim", expected)
    return said.words[0]
