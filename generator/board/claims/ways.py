"""Claims about ways: where something moves, step by step."""

from __future__ import annotations

from generator.board.claims.outcome import Case, Outcome, Said, clauses, lawful
from generator.board.counting.group import of_places
from generator.board.counting.span import parse_span
from generator.board.counting.things import things, weight
from generator.board.matching.verdict import Verdict
from generator.board.moves import DICE, Move, Way
from generator.board.place import Place
from generator.board.walking import way_of
from generator.core.problems import Wrong, unknown
from generator.core.units import number

CODES = ("empty", "no-stop", "not-joined", "occupied", "roll", "start", "through", "twice")


def path(case: Case, said: Said) -> Outcome:
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
        head = said if said.text.split()[0] in {"true", "false"} else Said(said.subject, said.words, "true")
        outcome = lawful(head, verdicts, CODES)
        return said.outcome(outcome.shows, ok=outcome.ok and head is said)
    checked = [_check(case, way, route, item) for item in said.items()]
    return said.outcome(", ".join(shows for shows, _ in checked), ok=all(ok for _, ok in checked))


def _dice(words: tuple[str, ...]) -> tuple[int, ...]:
    if not all(word.isdigit() for word in words):
        raise Wrong(f"{' '.join(words)!r} is no roll", "the numbers of the dice, such as rolling 6 1")
    return tuple(int(word) for word in words)


def _rolled(move: Move, way: Way, route: tuple[Place, ...], dice: tuple[int, ...]) -> tuple[Verdict, ...]:
    if not dice or len(way.stops) <= DICE[move.dice](dice):
        return ()
    text = f"{len(way.stops)} steps of {DICE[move.dice](dice)}"
    return (Verdict("roll", text, route),)


def _check(case: Case, way: Way, route: tuple[Place, ...], item: str) -> tuple[str, bool]:
    name, _, amount = item.partition(" ")
    if name == "steps":
        value = float(len(way.stops))
    elif name in case.rules.kit.words:
        value = weight(things(case.scene, of_places(case.scene, route[1:]), name))
    else:
        raise unknown("count", name, {"steps", *case.rules.kit.words})
    return f"{name} {number(value)}", parse_span(amount).holds(value)
