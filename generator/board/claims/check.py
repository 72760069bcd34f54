"""The kinds of claims, and the one way to check one.

A claim is written `subject: what is said`. The subject's first word names the kind; where it is the name of a counting
kind or of a word of the pack, the claim is a count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.claims.counts import count, met, score
from generator.board.claims.legality import filling, legal, placing, removing
from generator.board.claims.networks import connected, network
from generator.board.claims.outcome import Case, Outcome, Said
from generator.board.claims.ways import path
from generator.board.counting.kinds import COUNTS
from generator.board.placement import Board
from generator.board.rules import Rules
from generator.core.problems import Wrong, unknown


@dataclass(frozen=True)
class ClaimKind:
    """One kind of claim, with an example for the documentation."""

    example: str
    check: Callable[[Case, Said], Outcome]


CLAIMS: Mapping[str, ClaimKind] = MappingProxyType(
    {
        "legal": ClaimKind("legal: false because sides", legal),
        "placing": ClaimKind("placing bend> at B2: false because kinds", placing),
        "network": ClaimKind("network fire at B2: closed, links 12", network),
        "connected": ClaimKind("connected A1 to C3 by neck: false", connected),
        "score": ClaimKind("score A: 14", score),
        "met": ClaimKind("met loops with 3 players: true", met),
        "path": ClaimKind("path truck A1 A2 B2 rolling 6 1: steps 2", path),
        "removing": ClaimKind("removing sword at B2: true, drops C2, C3", removing),
        "filling": ClaimKind("filling: A1 road, C1 road", filling),
    }
)
"""The kinds of claims by their first word. All others are counts: `links of pe at B2: 2`."""


def check_claim(text: str, board: Board, rules: Rules) -> Outcome:
    """Check one claim. A claim that is false is an outcome; one that means nothing is `Wrong`."""
    subject, colon, said = text.strip().partition(": ")
    if not colon or not said.strip():
        raise Wrong(f"{text!r} is no claim", "what it is about, a colon and what is said, such as legal: true")
    first, *rest = subject.split()
    case = Case(rules, rules.look(board))
    if first in CLAIMS:
        return CLAIMS[first].check(case, Said(subject, tuple(rest), said.strip()))
    if first not in COUNTS and first not in rules.kit.words:
        raise unknown("claim", first, {*CLAIMS, *COUNTS, *rules.kit.words})
    return count(case, Said(subject, (first, *rest), said.strip()))
