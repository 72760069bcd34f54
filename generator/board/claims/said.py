"""What claims say, for whoever repeats it: a caption with a number in it, a panel that says Yes or No."""

from __future__ import annotations

import re
from collections.abc import Iterable

VERDICTS = frozenset({"legal", "placing", "removing", "path", "met"})
"""Claims that something may be done, or may not."""

MARKED = VERDICTS | {"connected"}
"""What a tick or a cross may stand for: one side that joins on, too, on a board that is wrong elsewhere."""

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_NUMBER = re.compile(r"(?<![\w#.-])\d+(?:\.\d+)?(?!\w)")

_LIST = re.compile(r"(?:^filling: |, drops )(?!nothing)(.+)")


def numbers_said(claims: Iterable[str]) -> frozenset[str]:
    """Every number in some claims, but those in the names of places and tiles; and how many places one lists."""
    said = frozenset(claims)
    listed = (match[1].count(",") + 1 for claim in said if (match := _LIST.search(claim)))
    return frozenset(number for claim in said for number in _NUMBER.findall(claim)) | {str(count) for count in listed}


def unclaimed(text: str, numbers: frozenset[str]) -> list[str]:
    """The numbers of a text that are not among those that claims say."""
    return [number for number in _DIGITS.findall(text) if number not in numbers]


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
