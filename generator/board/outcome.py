"""Claims and their outcomes: parsing, the value each is checked against, and a summary of the claims about a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.base.errors import InvalidValueError, unknown
from generator.board.analysis import Scene
from generator.board.board import Board, FaceUp, Placement
from generator.board.lattice import Place, parse_place
from generator.board.matching_rules import MatchingVerdict
from generator.board.rules import BoardRules


@dataclass(frozen=True)
class Outcome:
    """The outcome of a claim: its truth, its subject, the stated value and the actual value."""

    ok: bool
    claim: str
    stated: str
    actual: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.stated}" + (
            "" if self.ok else f" (the board shows: {self.actual})"
        )


@dataclass(frozen=True)
class ParsedClaim:
    """A parsed claim: its subject, the subject's words after the first, and the text after the colon."""

    subject: str
    words: tuple[str, ...]
    text: str

    def outcome(self, actual: str, *, ok: bool) -> Outcome:
        """Return an outcome for this claim."""
        return Outcome(ok, self.subject, self.text, actual)

    def items(self) -> tuple[str, ...]:
        """Return the comma-separated items of the text."""
        return tuple(item.strip() for item in self.text.split(",") if item.strip())


@dataclass(frozen=True)
class Case:
    """The rules and the analysed board that claims are checked against."""

    rules: BoardRules
    scene: Scene

    def place(self, word: str) -> Place:
        """Return the place of `B3` or `#name`."""
        return self.scene.board.named_place(word[1:]) if word.startswith("#") else parse_place(word)

    def tile_place(self, word: str) -> Place:
        """Return the place of `B3` or `#name`; raise `InvalidValueError` if it holds no tile."""
        place = self.place(word)
        if place not in self.scene.tiles:
            raise InvalidValueError(
                f"nothing lies at {word}",
                f"one of: {', '.join(map(str, sorted(self.scene.tiles)))}",
            )
        return place


def split_clauses(words: tuple[str, ...], keywords: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Group words under the keywords they follow; words before any keyword are under "".

    Raise `InvalidValueError` if a keyword occurs twice.
    """
    clauses: dict[str, tuple[str, ...]] = {"": ()}
    names = set(keywords)
    key = ""
    for word in words:
        if word in names:
            if word in clauses:
                raise InvalidValueError(
                    f"{word!r} occurs twice in {' '.join(words)!r}",
                    "each keyword once, followed by all its words",
                )
            key = word
            clauses[key] = ()
        else:
            clauses[key] = (*clauses[key], word.rstrip(","))
    return clauses


def check_verdicts(
    claim: ParsedClaim, verdicts: Iterable[MatchingVerdict], codes: Iterable[str]
) -> Outcome:
    """Check `true`, `false`, or `false because` with exactly the codes of the verdicts."""
    head, _, reasons = claim.text.partition(" because ")
    expected = {reason.strip() for reason in reasons.split(",") if reason.strip()}
    for reason in sorted(expected):
        if reason not in codes:
            raise unknown("reason", reason, codes)
    if head not in {"true", "false"} or (head == "true" and expected):
        raise InvalidValueError(
            f"{claim.text!r} is neither true nor false", "true, false, or false because …"
        )
    broken = tuple(verdicts)
    actual = describe_verdicts(broken)
    codes_found = {verdict.code for verdict in broken}
    ok = (
        not codes_found
        if head == "true"
        else bool(codes_found) and (not expected or expected == codes_found)
    )
    return claim.outcome(actual, ok=ok)


def describe_verdicts(verdicts: tuple[MatchingVerdict, ...]) -> str:
    """Return verdicts in words: `true`, or `false because sides (red at A1 meets …)`."""
    if not verdicts:
        return "true"
    codes = ", ".join(dict.fromkeys(verdict.code for verdict in verdicts))
    return f"false because {codes} ({'; '.join(verdict.text for verdict in verdicts)})"


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


def summarise_claims(claims: tuple[str, ...]) -> ClaimSummary:
    """Return the statements of some claims."""
    return ClaimSummary(
        collect_numbers(claims),
        collect_verdicts(claims),
        collect_verdicts(claims, MARKABLE_CLAIMS),
        collect_scores(claims),
    )


def collect_numbers(claims: Iterable[str]) -> frozenset[str]:
    """Return every number in some claims, and the lengths of their lists.

    Numbers in names are left out.
    """
    texts = frozenset(claims)
    listed = (match[1].count(",") + 1 for claim in texts if (match := _LIST.search(claim)))
    return frozenset(number for claim in texts for number in _NUMBER.findall(claim)) | {
        str(count) for count in listed
    }


def collect_verdicts(
    claims: Iterable[str], kinds: frozenset[str] = VERDICT_CLAIMS
) -> frozenset[bool]:
    """Return the truth values that claims of some kinds state."""
    parts = (claim.strip().partition(": ") for claim in claims)
    return frozenset(
        not value.strip().startswith("false")
        for subject, _, value in parts
        if _claim_kind(subject) in kinds
    )


def collect_scores(claims: Iterable[str]) -> frozenset[bool]:
    """Return True for claims of points and False for claims of zero points, as a set."""
    parts = (claim.strip().partition(": ") for claim in claims)
    return frozenset(
        value.strip() != "0" for subject, _, value in parts if _claim_kind(subject) == "score"
    )


def _claim_kind(subject: str) -> str:
    return subject.partition(" ")[0]


def describe_board(board: Board, titles: Mapping[str, str]) -> str:
    """Return the pieces of a board in reading order, such as `A1 Red bend 90°, B1 …`."""
    return ", ".join(
        _describe_piece(placement, titles)
        for stack in board.stacks().values()
        for placement in stack
    )


def _describe_piece(placement: Placement, titles: Mapping[str, str]) -> str:
    turn = f" {placement.turn}°" if placement.turn else ""
    back = " ⟲" if placement.side is FaceUp.BACK else ""
    return f"{placement.place} {titles.get(placement.design, placement.design)}{turn}{back}"
