"""Where a line may end: after a space, a dash, a soft hyphen, between syllables, between CJK letters.

Unicode's UAX #14 in short. Not covered: languages that write no spaces and
whose words need a dictionary (Thai, Khmer, Lao); their authors put U+200B.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pyphen  # type: ignore[import-untyped]

from generator.core.problems import unknown

ICON = "\ufffc"
"""Stands in a paragraph's text for an icon."""
SOFT_HYPHEN, ZERO_SPACE, JOINER = "\u00ad", "\u200b", "\u2060"

SPACES = "\t \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"
"""The blanks after which a line may end, and which it then goes without; every one stands here for itself."""
_AFTER_SPACE = re.compile(f"[{SPACES}]+(?=[^{SPACES}])")
_KEPT = re.compile(f"[–—][{SPACES}]")
"""A dash between blanks stays with what goes before it, as an icon stays with its number."""
_AFTER_DASH = re.compile(r"(?<=[^\W\d_])[-‐–/](?=[^\W\d_])|(?<=\w)—(?=\w)")
_BETWEEN_ICONS = re.compile(f"{ICON}(?={ICON})")
_CJK = "\u2e80-\u2fff\u3040-\u30ff\u3100-\u312f\u31a0-\u9fff\uac00-\ud7af\uf900-\ufaff"
_NO_START = "、。〉》」』】〕〗！），．：；？］｝ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々"
_NO_END = "〈《「『【〔〖（［｛"
_BETWEEN_CJK = re.compile(f"(?:[{_CJK}](?=[{_CJK}{_NO_END}])|[{_NO_START}](?=[{_CJK}{_NO_END}]))(?![{_NO_START}])")
_WORD = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True, order=True)
class Break:
    """A place before the character `at` where a line may end, and what then ends it."""

    at: int
    hyphen: str = ""


def breaks(text: str, marks: Mapping[int, str | None], lang: str | None) -> tuple[Break, ...]:
    """All places in a paragraph, its end the last.

    `marks` are the author's own: what to end a line with, or None where none may end. `lang` is for hyphenation.
    """
    found: dict[int, str | None] = dict.fromkeys(_plain(text), "")
    if lang is not None:
        found = {**dict.fromkeys(_syllables(text, marks, lang), "-"), **found}
    every = sorted((found | dict(marks)).items())
    inner = (Break(at, hyphen) for at, hyphen in every if hyphen is not None and 0 < at < len(text))
    return (*inner, Break(len(text)))


def _plain(text: str) -> Iterator[int]:
    for match in _AFTER_SPACE.finditer(text):
        is_numbered = text[match.end()] == ICON and text[: match.start()][-1:].isdigit()
        if not is_numbered and not _KEPT.match(text, match.end()):
            yield match.end()
    for pattern in (_AFTER_DASH, _BETWEEN_ICONS, _BETWEEN_CJK):
        for match in pattern.finditer(text):
            yield match.end()


def _syllables(text: str, marks: Mapping[int, str | None], lang: str) -> Iterator[int]:
    """Between syllables, but not in a word whose places the author marked."""
    for match in _WORD.finditer(text):
        if not any(match.start() < at < match.end() for at in marks):
            for position in _positions(match[0], lang):
                yield match.start() + position


@cache
def _dictionary(lang: str) -> pyphen.Pyphen:
    name = pyphen.language_fallback(lang)
    if name is None:
        raise unknown("language to hyphenate", lang, pyphen.LANGUAGES)
    return pyphen.Pyphen(lang=name, left=2, right=3)


@cache
def _positions(word: str, lang: str) -> tuple[int, ...]:
    """Where a word may be parted without a change of its spelling."""
    return tuple(int(p) for p in _dictionary(lang).positions(word) if not p.data)
