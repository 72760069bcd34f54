"""Claims about what is allowed: the board as it lies, or a piece that is about to be laid."""

from __future__ import annotations

from collections.abc import Iterator

from generator.board.cell import parse_cell
from generator.board.claims.outcome import Case, Outcome, Said, lawful
from generator.board.matching.fills import Fills
from generator.board.matching.table import CODES
from generator.board.matching.verdict import Verdict
from generator.board.place import Place
from generator.board.placement import Placement
from generator.board.removal import dropped, refused
from generator.core.problems import Wrong, unknown


def legal(case: Case, said: Said) -> Outcome:
    """`legal: false because sides`."""
    if said.words:
        raise Wrong(f"{said.subject!r} is no claim", "legal: true, or legal: false because …")
    _check_stated(case)
    return lawful(said, case.rules.verdicts(case.scene), CODES)


def placing(case: Case, said: Said) -> Outcome:
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


def added(case: Case, place: Place, pieces: tuple[Placement, ...]) -> Iterator[Verdict]:
    """What is wrong once pieces are laid and was not before. A piece laid where another lies covers it."""
    level = len(case.scene.board.stacks().get(place, ()))
    raised = (
        Placement(one.design, place.column, place.row, one.turn, one.side, level + nth)
        for nth, one in enumerate(pieces)
    )
    before = set(case.rules.verdicts(case.scene))
    after = case.rules.verdicts(case.rules.look(case.scene.board.with_pieces(raised)))
    return (verdict for verdict in after if verdict not in before)


def removing(case: Case, said: Said) -> Outcome:
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
        return lawful(Said(said.subject, said.words, "true"), verdicts, ())
    lost = dropped(case.scene, removal, place)
    shows = f"true, drops {', '.join(map(str, lost)) or 'nothing'}"
    return said.outcome(shows, ok=set(lost) == wanted)


def filling(case: Case, said: Said) -> Outcome:
    """`filling: A1 road, C1 road`, or `filling: nothing` — what is laid at once beside labelled sides."""
    found = [one for rule in case.rules.matching if isinstance(rule, Fills) for one in rule.filling(case.scene)]
    shown = {one.place: one.design for one in found}
    wanted = dict(_filled(case, item) for item in said.items() if item != "nothing")
    shows = ", ".join(f"{place} {design}" for place, design in sorted(shown.items())) or "nothing"
    return said.outcome(shows, ok=shown == wanted)


def _filled(case: Case, item: str) -> tuple[Place, str]:
    where, _, design = item.partition(" ")
    return case.place(where), case.rules.kit.design(design.strip()).id
