"""In which direction letters run, after Unicode's UAX #9.

Covered: the base direction of a paragraph, weak and neutral types, numbers,
the order of runs in a line. Not covered: explicit embeddings, overrides and
isolates (their characters are ignored), and paired brackets (rule N0).
"""

import re
import unicodedata
from collections.abc import Sequence

LTR, RTL = "ltr", "rtl"
MARK = "\u200f"
"""Right-to-left mark: invisible, and as strong as a Hebrew letter."""

_TYPES = {"L": "L", "R": "R", "AL": "A", "EN": "1", "AN": "2", "ES": "+", "ET": "%", "CS": ",", "NSM": "M", "BN": "M"}
_TYPES |= dict.fromkeys(["LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"], "M")
_RTL = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")


def direction(level: int) -> str:
    """The direction of a level."""
    return RTL if level % 2 else LTR


def base_level(text: str) -> int:
    """0 for a paragraph whose first letter runs to the right, 1 for one whose first letter runs to the left."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in {"L", "R", "AL"}:
            return int(kind != "L")
    return 0


def levels(text: str, base: int) -> tuple[int, ...]:
    """The embedding level of every character; even ones run to the right."""
    if not _RTL.search(text):
        return (0,) * len(text)
    side = "R" if base else "L"
    types = side + "".join(_TYPES.get(unicodedata.bidirectional(c), "N") for c in text)
    resolved = _neutral(_weak(types), side)[1:]
    above = {"L": base + base % 2, "R": base + 1 - base % 2, "1": 2, "2": 2}
    return tuple(above[kind] for kind in resolved)


def _weak(types: str) -> str:
    """Rules W1 to W7: marks, numbers and what stands between them. The first type is the paragraph's own side."""
    types = re.sub("(.)(M+)", lambda m: m[1] * len(m[0]), types)
    types = re.sub("A[^LR]*", lambda m: m[0].replace("1", "2"), types).replace("A", "R")
    types = re.sub(r"(?<=1)[+,](?=1)", "1", types)
    types = re.sub(r"(?<=2),(?=2)", "2", types)
    types = re.sub("%+(?=1)|(?<=1)%+", lambda m: "1" * len(m[0]), types)
    types = re.sub("[+%,]", "N", types)
    return re.sub("L[^R]*", lambda m: m[0].replace("1", "L"), types)


def _neutral(types: str, side: str) -> str:
    """Rules N1 and N2: what stands between two of a side goes with them, the rest with the paragraph."""
    ended = types + side

    def settle(match: re.Match[str]) -> str:
        before, after = (_strong(ended[i]) for i in (match.start() - 1, match.end()))
        return (before if before == after else side) * len(match[0])

    return re.sub("N+", settle, types)


def _strong(kind: str) -> str:
    return "L" if kind == "L" else "R"


def visual(line_levels: Sequence[int]) -> list[int]:
    """Which item of a line stands first from the left, second, and so on (rule L2)."""
    order = list(range(len(line_levels)))
    for level in range(max(line_levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and line_levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = end + 1
    return order


def framed(text: str) -> str:
    """A right-to-left run that keeps its order on its own: marks where its ends are no letters."""
    strong = {"R", "AL"}
    first = unicodedata.bidirectional(text[0])
    last = next((k for c in reversed(text) if (k := unicodedata.bidirectional(c)) not in {"NSM", "BN"}), "")
    return (MARK if first not in strong else "") + text + (MARK if last not in strong else "")
