"""Read text that is not UTF-8: the code pages in which Excel saves CSV on Windows and on the Mac.

A file does not name its code page. The wrong one turns letters into others, which shows in its
words: `cafŽ` has a capital after a small letter, `Ïðèâåò` hardly a letter of English, and `³` stands
within no word.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.base.values import Frozen

CODE_PAGES: Frozen[str, str] = Frozen(
    {
        "cp1252": "Windows-1252 (Western Europe)",
        "cp1250": "Windows-1250 (Central Europe)",
        "cp1251": "Windows-1251 (Cyrillic)",
        "cp1253": "Windows-1253 (Greek)",
        "mac_roman": "Mac OS Roman",
    }
)
"""The code pages that are tried, the most usual first, with their names for messages."""
MAX_WRONG_SHARE = 0.1
"""Share of words that may look wrong in the right code page, such as names and abbreviations."""
MIN_JUDGED_LETTERS = 4
"""Length from which a Latin word of accented letters alone is wrong; `ÄÖÜ` may be a word."""
MAX_UTF8_SHARE = 2 / 3
"""Share of the bytes above 127 that form letters of UTF-8; a file with more is damaged UTF-8."""

_UTF8_LETTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_WORD = re.compile(r"[^\s,;|\"]*[^\x00-\x7f\s][^\s,;|\"]*")
_WITHIN = re.compile(r"[^\W\d_][^\w\s'’.,;:!?/()&+–—-]+[^\W\d_]")
"""Two letters with a sign between them that is no part of a word and separates no words: `caf€s`."""


@dataclass(frozen=True)
class Decoded:
    """A text, the code page that it was in, and its first word with other than ASCII letters."""

    text: str
    code_page: str
    example: str

    @property
    def note(self) -> str:
        """Return the note that tells the user which code page was assumed."""
        return (
            f"this is not UTF-8; it is read as {self.code_page}, for example {self.example!r}. "
            "If that is wrong, choose 'CSV UTF-8' when saving in the spreadsheet"
        )


def decode_code_page(data: bytes) -> Decoded | None:
    """Return the text of a file in a code page; None if it seems to be in none, such as damaged UTF-8."""
    inside_utf8 = sum(len(match[0]) for match in _UTF8_LETTER.finditer(data))
    if b"\0" in data or inside_utf8 >= MAX_UTF8_SHARE * len(_HIGH_BYTE.findall(data)):
        return None
    best: tuple[float, Decoded] | None = None
    for name, title in CODE_PAGES.items():
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        words = _WORD.findall(text)
        share = _share_of_wrong(words)
        if words and (best is None or share < best[0]):
            best = share, Decoded(text, title, words[0])
    return best[1] if best and best[0] <= MAX_WRONG_SHARE else None


def _share_of_wrong(words: Sequence[str]) -> float:
    return sum(map(_looks_wrong, words)) / max(len(words), 1)


def _looks_wrong(word: str) -> bool:
    """Return True if a word, with signs around it, looks as if it was read in a wrong code page."""
    if any(unicodedata.category(char) == "Cc" for char in word) or _WITHIN.search(word):
        return True
    signs = sum(not char.isascii() and not char.isalnum() for char in word)
    if signs > max(1, sum(map(str.isalnum, word))):
        return True
    for letters in re.findall(r"[^\W\d_]+", word):
        scripts = {unicodedata.name(char, "").partition(" ")[0] for char in letters}
        has_late_capital = any(
            before.islower() and after.isupper() and not (before + after).isascii()
            for before, after in pairwise(letters)
        )
        has_only_accents = len(letters) >= MIN_JUDGED_LETTERS and not any(map(str.isascii, letters))
        if has_late_capital or len(scripts) > 1 or (has_only_accents and "LATIN" in scripts):
            return True
    return False
