"""The rules that `matching:` may state, by their keys there. A new rule is a file beside this one and a row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.beside import (
    EQUAL,
    SAME_KIND,
    How,
    Keeps,
    MatchingRule,
    NeverTouch,
    NoGaps,
    Over,
    SidesRule,
    Together,
    Within,
)
from generator.board.joined import CompleteNeeds, Fills, MustJoin, NeverJoin
from generator.board.spec import MatchingSpec


@dataclass(frozen=True)
class RuleKind:
    """One rule: what it says in the documentation, the codes of its verdicts, and how it is made, if it is stated."""

    meaning: str
    codes: tuple[str, ...]
    make: Callable[[MatchingSpec], MatchingRule | None]


def _sides(spec: MatchingSpec) -> MatchingRule | None:
    return SidesRule(EQUAL if spec.sides == "equal" else SAME_KIND) if spec.sides else None


def _never_touch(spec: MatchingSpec) -> MatchingRule | None:
    return NeverTouch(spec.never_touch) if spec.never_touch else None


def _never_join(spec: MatchingSpec) -> MatchingRule | None:
    return NeverJoin(spec.never_join) if spec.never_join else None


def _must_join(spec: MatchingSpec) -> MatchingRule | None:
    return MustJoin(spec.must_join) if spec.must_join else None


def _complete_needs(spec: MatchingSpec) -> MatchingRule | None:
    return CompleteNeeds(spec.complete_needs) if spec.complete_needs else None


def _together(spec: MatchingSpec) -> MatchingRule | None:
    return Together(How(spec.together)) if spec.together else None


def _within(spec: MatchingSpec) -> MatchingRule | None:
    return Within(spec.within.columns, spec.within.rows) if spec.within else None


def _gaps(spec: MatchingSpec) -> MatchingRule | None:
    return NoGaps() if spec.gaps else None


def _over(spec: MatchingSpec) -> MatchingRule:
    return Over(spec.over)


def _keeps(spec: MatchingSpec) -> MatchingRule | None:
    return Keeps(spec.keeps) if spec.keeps else None


def _fills(spec: MatchingSpec) -> MatchingRule | None:
    return Fills(spec.fills) if spec.fills else None


RULES: Mapping[str, RuleKind] = MappingProxyType(
    {
        "sides": RuleKind("touching sides show the same", ("sides", "kinds", "borders", "areas"), _sides),
        "never-touch": RuleKind("these never lie side by side", ("never-touch",), _never_touch),
        "never-join": RuleKind("these never stand in one network", ("never-join",), _never_join),
        "must-join": RuleKind("a tile with such a link is joined to another", ("must-join",), _must_join),
        "complete-needs": RuleKind("a closed network holds one of these", ("complete-needs",), _complete_needs),
        "together": RuleKind("the board is in one piece", ("together",), _together),
        "within": RuleKind("the board spreads no further", ("within",), _within),
        "gaps": RuleKind("no empty place is surrounded", ("gaps",), _gaps),
        "over": RuleKind("which tile may be laid over which; none unless it is listed", ("over",), _over),
        "keeps": RuleKind("links that a tile laid over another must have too", ("keeps",), _keeps),
        "fills": RuleKind("what fills the free place beside a labelled side", ("fills",), _fills),
    }
)

ON_BOARD = ("blocked", "off-board")
"""The reasons of the rule that is made of `board:`."""

CODES: tuple[str, ...] = tuple(sorted((*ON_BOARD, *(code for kind in RULES.values() for code in kind.codes))))
"""Every reason that a verdict can give."""


def rules_from(spec: MatchingSpec) -> tuple[MatchingRule, ...]:
    """The rules that a pack states, in the order of the table."""
    made = (kind.make(spec) for kind in RULES.values())
    return tuple(rule for rule in made if rule is not None)
