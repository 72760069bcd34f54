"""Split texts into runs of eight words for comparison: in lower case, without punctuation, icons and numbers."""

import re
import unicodedata
from collections.abc import Iterator
from hashlib import sha256

RUN = 8
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ICON_OR_MARK = re.compile(r":[a-z0-9-]+:|<[^<>]*>|\]\([^)]*\)")


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of eight words."""
    words = _WORD.findall(
        unicodedata.normalize("NFKC", _ICON_OR_MARK.sub(" ", text)).casefold().replace("’", "'")
    )
    yield from (tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def digest(run: tuple[str, ...]) -> str:
    """Return a short digest of a run, which does not reveal the words."""
    return sha256(" ".join(run).encode()).hexdigest()[:12]
