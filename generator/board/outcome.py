"""What a claim was checked against, what came out, and what claims say to whoever repeats it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.board.beside import MatchingVerdict
from generator.board.kit import Board, FaceUp, Placement
from generator.board.lattice import Place, parse_place
from generator.board.rules import BoardRules
from generator.board.scene import Scene
from generator.core.problems import Wrong, unknown


@dataclass(frozen=True)
class Outcome:
    """Whether a claim holds; what it is about, what it said, and what the board shows in the same words."""

    ok: bool
    claim: str
    said: str
    shows: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.said}" + ("" if self.ok else f" (the board shows: {self.shows})")


@dataclass(frozen=True)
class ClaimSaid:
    """A claim taken apart: the words before the colon without the first, and what is said after it."""

    subject: str
    words: tuple[str, ...]
    text: str

    def outcome(self, shows: str, *, ok: bool) -> Outcome:
        """The outcome of this claim."""
        return Outcome(ok, self.subject, self.text, shows)

    def items(self) -> tuple[str, ...]:
        """What is said, at its commas."""
        return tuple(item.strip() for item in self.text.split(",") if item.strip())


@dataclass(frozen=True)
class Case:
    """What claims are checked against."""

    rules: BoardRules
    scene: Scene

    def place(self, word: str) -> Place:
        """The place of `B3` or of `#name`."""
        return self.scene.board.named(word[1:]) if word.startswith("#") else parse_place(word)

    def tile_place(self, word: str) -> Place:
        """The same, where a tile must lie."""
        place = self.place(word)
        if place not in self.scene.tiles:
            raise Wrong(f"nothing lies at {word}", f"one of: {', '.join(map(str, sorted(self.scene.tiles)))}")
        return place


def clauses(words: tuple[str, ...], known: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Words sorted under the keywords that they follow; those before any keyword stand under nothing."""
    found: dict[str, tuple[str, ...]] = {"": ()}
    names = set(known)
    key = ""
    for word in words:
        if word in names:
            if word in found:
                raise Wrong(f"{word!r} stands twice in {' '.join(words)!r}", "each once, with all its words after it")
            key = word
            found[key] = ()
        else:
            found[key] = (*found[key], word.rstrip(","))
    return found


def lawful(said: ClaimSaid, verdicts: Iterable[MatchingVerdict], codes: Iterable[str]) -> Outcome:
    """Check `true`, or `false because` exactly the reasons that there are; `false` alone leaves them open."""
    head, _, reasons = said.text.partition(" because ")
    wanted = {reason.strip() for reason in reasons.split(",") if reason.strip()}
    for reason in sorted(wanted):
        if reason not in codes:
            raise unknown("reason", reason, codes)
    if head not in {"true", "false"} or (head == "true" and wanted):
        raise Wrong(f"{said.text!r} is neither true nor false", "true, false, or false because …")
    broken = tuple(verdicts)
    shows = told(broken)
    found = {verdict.code for verdict in broken}
    ok = not found if head == "true" else bool(found) and (not wanted or wanted == found)
    return said.outcome(shows, ok=ok)


def told(verdicts: tuple[MatchingVerdict, ...]) -> str:
    """`true`, or `false because sides (red at A1 meets …)`."""
    if not verdicts:
        return "true"
    codes = ", ".join(dict.fromkeys(verdict.code for verdict in verdicts))
    return f"false because {codes} ({'; '.join(verdict.text for verdict in verdicts)})"


VERDICTS = frozenset({"legal", "placing", "removing", "path", "met"})
"""Claims that something may be done, or may not."""

MARKED = VERDICTS | {"connected"}
"""What a tick or a cross may stand for: one side that joins on, too, on a board that is wrong elsewhere."""

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_NUMBER = re.compile(r"(?<![\w#.-])\d+(?:\.\d+)?(?!\w)")

_LIST = re.compile(r"(?:^filling: |, drops )(?!nothing)(.+)")


@dataclass(frozen=True)
class AllSaid:
    """What the claims of a board say together, to whoever repeats it: in a caption, by a tick, on a label.

    `verdicts` are whether something may be done, that it may not, or both; `marked` the same as ticks and crosses may
    stand for it; `scores` whether something scores, that it does not, or both.
    """

    numbers: frozenset[str] = frozenset()
    verdicts: frozenset[bool] = frozenset()
    marked: frozenset[bool] = frozenset()
    scores: frozenset[bool] = frozenset()

    def unclaimed(self, text: str) -> list[str]:
        """The numbers of a text that are not among those that the claims say."""
        return [number for number in _DIGITS.findall(text) if number not in self.numbers]


def all_said(claims: tuple[str, ...]) -> AllSaid:
    """What some claims say."""
    return AllSaid(numbers_said(claims), verdicts_said(claims), verdicts_said(claims, MARKED), scores_said(claims))


def numbers_said(claims: Iterable[str]) -> frozenset[str]:
    """Every number in some claims, but those in the names of places and tiles; and how many places one lists."""
    said = frozenset(claims)
    listed = (match[1].count(",") + 1 for claim in said if (match := _LIST.search(claim)))
    return frozenset(number for claim in said for number in _NUMBER.findall(claim)) | {str(count) for count in listed}


def verdicts_said(claims: Iterable[str], kinds: frozenset[str] = VERDICTS) -> frozenset[bool]:
    """Whether some claims say that something may be done, that it may not, or both."""
    parts = (claim.strip().partition(": ") for claim in claims)
    return frozenset(not said.strip().startswith("false") for subject, _, said in parts if _kind(subject) in kinds)


def scores_said(claims: Iterable[str]) -> frozenset[bool]:
    """Whether some claims say that something scores, that it does not, or both."""
    parts = (claim.strip().partition(": ") for claim in claims)
    return frozenset(said.strip() != "0" for subject, _, said in parts if _kind(subject) == "score")


def _kind(subject: str) -> str:
    return subject.partition(" ")[0]


def lying(board: Board, titles: Mapping[str, str]) -> str:
    """What lies where, row by row: `A1 Red bend 90°, B1 …`."""
    return ", ".join(_piece(one, titles) for stack in board.stacks().values() for one in stack)


def _piece(one: Placement, titles: Mapping[str, str]) -> str:
    turn = f" {one.turn}°" if one.turn else ""
    back = " ⟲" if one.side is FaceUp.BACK else ""
    return f"{one.place} {titles.get(one.design, one.design)}{turn}{back}"
