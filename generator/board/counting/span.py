"""A span of numbers as a pack writes it: `3`, `at least 1`, `at most 2`, `2 to 4`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf

from generator.core.problems import Wrong
from generator.core.units import number

_SPAN = re.compile(
    r"(?:(?P<exact>-?\d+(?:\.\d+)?)|at least (?P<low>-?\d+)|at most (?P<high>-?\d+)|(?P<a>-?\d+) to (?P<b>-?\d+))"
)


@dataclass(frozen=True)
class Span:
    """The numbers from `low` to `high`, both included."""

    low: float = -inf
    high: float = inf

    def holds(self, value: float) -> bool:
        """Whether a number lies in it."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.low == self.high:
            return number(self.low)
        if self.high == inf:
            return f"at least {number(self.low)}"
        return f"at most {number(self.high)}" if self.low == -inf else f"{number(self.low)} to {number(self.high)}"


ANY = Span()


def parse_span(text: str) -> Span:
    """Read a span."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise Wrong(f"{text!r} is no number", "a number, at least 1, at most 2, or 2 to 4")
    if match["exact"]:
        return Span(float(match["exact"]), float(match["exact"]))
    return Span(float(match["low"] or match["a"] or -inf), float(match["high"] or match["b"] or inf))
