"""Claims about one network, and about what links join."""

from __future__ import annotations

from generator.board.claims.outcome import Case, Outcome, Said, clauses
from generator.board.counting.group import of_network
from generator.board.counting.kinds import check_countable, find
from generator.board.counting.span import parse_span
from generator.board.counting.things import weight
from generator.board.network import Network
from generator.core.problems import Wrong, unknown
from generator.core.units import number

STATES = ("closed", "open")


def network(case: Case, said: Said) -> Outcome:
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
    checked = [_check(case, found[0], *item) for item in items]
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


def _check(case: Case, one: Network, name: str, amount: str) -> tuple[str, bool]:
    if name in STATES:
        state = "closed" if one.closed else "open"
        return state, state == name
    value = weight(find(case.scene, of_network(one), name))
    return f"{name} {number(value)}", parse_span(amount).holds(value)


def connected(case: Case, said: Said) -> Outcome:
    """`connected A1 to C3: true`, `connected A1 to C3 by neck: false` — whether one network reaches both."""
    parts = clauses(said.words, ("to", "by"))
    if (len(parts[""]), len(parts.get("to", ()))) != (1, 1) or said.text not in {"true", "false"}:
        raise Wrong(f"{said.subject}: {said.text} is no claim", "two places, such as connected A1 to C3: true")
    ends = {case.tile_place(parts[""][0]), case.tile_place(parts["to"][0])}
    kinds = [_kind(case, kind) for kind in parts.get("by", ())]
    joined = any(ends <= one.places for one in case.scene.networks_of(kinds))
    shows = "true" if joined else "false"
    return said.outcome(shows, ok=shows == said.text)
