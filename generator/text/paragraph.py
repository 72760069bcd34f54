"""Shaped paragraphs with the places where a line may end.

A line may end after a space, a dash or a soft hyphen, between syllables, and between Chinese,
Japanese and Korean letters: the parts of Unicode's line breaking algorithm (UAX #14) that matter on
cards. Thai, Khmer and Lao write no spaces, and to find their words takes a dictionary; authors mark
breaks with a zero width space, U+200B.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, groupby, pairwise
from typing import Any, NamedTuple

from generator.base.errors import InvalidValueError, unknown
from generator.text import bidi
from generator.text.markup import StyledText
from generator.text.shape import LetterStyle, Overhangs, Shaped, overhangs, shape_text
from generator.text.style import ICON_SIDE_EM, INLINE_WORDS, Align, Setting

# Stands for an icon in a paragraph's text (U+FFFC, the object replacement character).
ICON = "\ufffc"
SOFT_HYPHEN = "\u00ad"
ZERO_SPACE = "\u200b"
JOINER = "\u2060"

# Blanks at which a line may end and which are dropped there.
SPACES = "\t \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"
# Characters dropped at the end of a line: rule L1 of UAX #9 would move them to the side, where they
# take space.
UNSEEN_AT_END = SPACES + bidi.CONTROLS
_AFTER_SPACE = re.compile(f"[{SPACES}]+(?=[^{SPACES}])")
# A dash between blanks stays with the text before it, as an icon stays with its number.
_DASH_KEPT = re.compile(f"[–—][{SPACES}]")
_AFTER_DASH = re.compile(r"(?<=[^\W\d_])[-‐–/](?=[^\W\d_])|(?<=\w)—(?=\w)")
_BETWEEN_ICONS = re.compile(f"{ICON}(?={ICON})")
_CJK = "\u2e80-\u2fff\u3040-\u30ff\u3100-\u312f\u31a0-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Characters that no line may begin with, and those that none may end with.
_NO_START = "、。〉》」』】〕〗！），．：；？］｝ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々"
_NO_END = "〈《「『【〔〖（［｛"
_FIRST_CJK = "\u2e80"
# Words of fewer letters are not hyphenated: two stay before the hyphen and three behind it.
_WORD = re.compile(r"[^\W\d_]{5,}")


def _may_be_cjk(text: str) -> bool:
    return not text.isascii() and max(text.replace(ICON, ""), default="") >= _FIRST_CJK


@cache
def _between_cjk() -> re.Pattern[str]:
    """Return the pattern of breaks between CJK letters; it takes long to compile and is cached."""
    return re.compile(
        f"(?:[{_CJK}](?=[{_CJK}{_NO_END}])|[{_NO_START}](?=[{_CJK}{_NO_END}]))(?![{_NO_START}])"
    )


class Break(NamedTuple):
    """A place before the character `at` where a line may end, and the hyphen to add there."""

    at: int
    hyphen: str = ""


def find_breaks(text: str, marks: Mapping[int, str | None], lang: str | None) -> tuple[Break, ...]:
    """Return all possible breaks of a paragraph; the last is its end.

    `marks` are the author's own breaks: the hyphen to add, or None where no line may end. `lang`
    selects the hyphenation.
    """
    breaks: dict[int, str | None] = dict.fromkeys(_unhyphenated_breaks(text), "")
    if lang is not None:
        breaks = {**dict.fromkeys(_syllables(text, marks, lang), "-"), **breaks}
    every = sorted((breaks | dict(marks)).items())
    inner = (Break(at, hyphen) for at, hyphen in every if hyphen is not None and 0 < at < len(text))
    return (*inner, Break(len(text)))


def _unhyphenated_breaks(text: str) -> Iterator[int]:
    spaces = _AFTER_SPACE.finditer(text)
    is_simple = text.isascii()
    yield from (match.end() for match in spaces if is_simple or not _is_kept(text, match))
    if not is_simple or "-" in text or "/" in text:
        for pattern in (
            _AFTER_DASH,
            _BETWEEN_ICONS,
            *((_between_cjk(),) if _may_be_cjk(text) else ()),
        ):
            for match in pattern.finditer(text):
                yield match.end()


def _is_kept(text: str, space: re.Match[str]) -> bool:
    """Return True if the texts on both sides of a blank stay together."""
    before = text[max(space.start() - 1, 0) : space.start()]
    after = text[space.end()]
    is_numbered = (before.isdigit() and after == ICON) or (before == ICON and after.isdigit())
    return is_numbered or _DASH_KEPT.match(text, space.end()) is not None


def _syllables(text: str, marks: Mapping[int, str | None], lang: str) -> Iterator[int]:
    """Yield the places between syllables, except in words that the author marked."""
    for match in _WORD.finditer(text):
        if not any(match.start() < at < match.end() for at in marks):
            for position in _positions(match[0], lang):
                yield match.start() + position


@cache
def _dictionary(lang: str) -> Any:
    import pyphen  # type: ignore[import-untyped]

    name = pyphen.language_fallback(lang)
    if name is None:
        raise unknown("language to hyphenate", lang, pyphen.LANGUAGES)
    return pyphen.Pyphen(lang=name, left=2, right=3)


@cache
def _positions(word: str, lang: str) -> tuple[int, ...]:
    """Return the places where a word may be hyphenated without a change of spelling."""
    return tuple(int(p) for p in _dictionary(lang).positions(word) if not p.data)


@dataclass(frozen=True)
class TextItem:
    """A stretch in one style and direction; an icon is one placeholder character."""

    start: int
    text: str
    letter_style: LetterStyle
    level: int = 0
    icon: str = ""

    @property
    def end(self) -> int:
        """The index of the first character after this item."""
        return self.start + len(self.text)

    def part(self, start: int, end: int) -> "TextItem":
        """Return the part of the item between two places of the paragraph."""
        if start <= self.start and end >= self.end:
            return self
        text = self.text[max(start - self.start, 0) : end - self.start]
        return TextItem(max(start, self.start), text, self.letter_style, self.level, self.icon)

    def shaped(self) -> Shaped:
        """Return the shaped text of the item."""
        return shape_text(self.text, self.letter_style, bidi.direction(self.level))


def items_between(items: Sequence[TextItem], start: int, end: int) -> list[TextItem]:
    """Return the parts of the items between two places, in reading order."""
    if start >= end:
        return []
    return [
        item.part(start, end) for item in items[_index(items, start) : _index(items, end - 1) + 1]
    ]


def _index(items: Sequence[TextItem], at: int) -> int:
    """Return the index of the item that holds a character; items are contiguous."""
    return 0 if len(items) == 1 else bisect_right(items, at, key=lambda item: item.start) - 1


def measure_lines(
    text: str, items: Sequence[TextItem], breaks: Sequence[Break], along: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return where lines start and end, in em along the paragraph: a start after each break, an end at each."""
    overhangs_of_items = tuple(map(_overhangs, items))

    def start_of_line(at: int) -> float:
        """Return the place from which the ink of a line's first letter counts."""
        index = _index(items, at)
        return along[at] - overhangs_of_items[index](text[at])[items[index].level % 2]

    def end_of_line(place: Break) -> float:
        """Return the end of a line without trailing spaces and letter spacing, with its hyphen."""
        end = place.at
        while end > 1 and text[end - 1] in UNSEEN_AT_END:
            end -= 1
        index = _index(items, end - 1)
        item = items[index]
        if place.hyphen:
            return along[end] + shape_text(place.hyphen, item.letter_style, "ltr").width
        over = overhangs_of_items[index](text[end - 1])[1 - item.level % 2]
        return along[end] - item.letter_style.spacing + over

    begins = (0, *(place.at for place in breaks[:-1]))
    return tuple(map(start_of_line, begins)), tuple(map(end_of_line, breaks))


def _overhangs(item: TextItem) -> Overhangs:
    return _no_overhang if item.icon else overhangs(item.letter_style, bidi.direction(item.level))


def _no_overhang(_: str) -> tuple[float, float]:
    return 0.0, 0.0


_MARKS = {SOFT_HYPHEN: "-", ZERO_SPACE: "", JOINER: None}
_AROUND_MARKS = re.compile(f"([{''.join(_MARKS)}])")


@dataclass(frozen=True)
class ShapedParagraph:
    """A paragraph's text and items in reading order, with its possible breaks.

    A line from break `i - 1` to break `j` reaches from `starts[i]` to `ends[j]`, in em along the
    paragraph; `starts[0]` is the start of the paragraph.
    """

    text: str
    base: int
    items: tuple[TextItem, ...]
    breaks: tuple[Break, ...]
    starts: tuple[float, ...] = ()
    ends: tuple[float, ...] = ()
    align: Align | None = None


def prepare_paragraph(spans: Sequence[StyledText], setting: Setting) -> ShapedParagraph:
    """Shape a paragraph; an inline style around all of it may set its alignment."""
    align = _alignment(spans, setting)
    spans = list(setting.split_by_font(spans))
    marks: dict[int, str | None] = {}
    pieces = list(_apply_case(spans, setting, marks))
    for piece in (piece for piece in pieces if not piece.icon):
        setting.check(piece.text, piece.letter_style)
    text = "".join(piece.text for piece in pieces)
    if not text:
        return ShapedParagraph("", 0, (), ())
    base = _base_level(text, setting)
    items = tuple(
        item
        for piece in _split_by_level(pieces, bidi.levels(text, base))
        for item in _split_runs(piece)
    )
    advances = [advance for item in items for advance in _advances(item, setting)]
    places = find_breaks(text, marks, setting.lang if setting.style.hyphenate else None)
    along = tuple(accumulate(advances, initial=0.0))
    starts, ends = measure_lines(text, items, places, along)
    return ShapedParagraph(text, base, items, places, starts, ends, align)


def _base_level(text: str, setting: Setting) -> int:
    """Return the level of a paragraph: that of its language, or else of its first letter.

    Figures and signs alone, such as `-5` and `+2`, are written from left to right in every
    language.
    """
    if setting.is_rtl and (ICON in text or bidi.has_strong(text)):
        return 1
    return bidi.base_level(text)


def _alignment(spans: Sequence[StyledText], setting: Setting) -> Align | None:
    """Return the alignment set by a style around the full line, or None.

    Styles within a line set none.
    """
    alignments = {setting.inline(span).align for span in spans if span.marks} if spans else set()
    if len(alignments) == 1 and all(span.marks for span in spans):
        return alignments.pop()
    for mark in (mark for span in spans for mark in span.marks):
        if any(INLINE_WORDS[word].align for word in mark.split() if word in INLINE_WORDS):
            raise InvalidValueError(
                f"[{mark}] aligns a part of a line",
                "all of a line: \\n before it, and after its [/]",
            )
    return None


def _apply_case(
    spans: Iterable[StyledText], setting: Setting, marks: dict[int, str | None]
) -> Iterator[TextItem]:
    """Yield the items in the letters of the style, joining equal styles.

    Move the author's breaks to `marks`.
    """
    at = 0
    for (letter_style, icon, _), group in groupby(
        enumerate(spans), lambda pair: _shaping_key(pair, setting)
    ):
        spelled = ICON if icon else ""
        written = setting.change_case("".join(span.text for _, span in group), letter_style)
        for part in _AROUND_MARKS.split(written):
            if part in _MARKS:
                marks[at + len(spelled)] = _MARKS[part]
            else:
                spelled += part
        yield TextItem(at, spelled, letter_style, icon=icon)
        at += len(spelled)


def _shaping_key(pair: tuple[int, StyledText], setting: Setting) -> tuple[LetterStyle, str, int]:
    """Return the key that neighbours share if they are shaped together; an icon stands alone."""
    place, span = pair
    return setting.letter_style(span), span.icon, place if span.icon else -1


def _split_by_level(items: Iterable[TextItem], levels: tuple[int, ...]) -> Iterator[TextItem]:
    """Yield the items split where the direction changes."""
    for item in items:
        if len(set(levels[item.start : item.end])) == 1:
            level = levels[item.start]
            yield item if item.level == level else replace(item, level=level)
            continue
        for level, group in groupby(range(item.start, item.end), levels.__getitem__):
            places = list(group)
            yield replace(item.part(places[0], places[-1] + 1), level=level)


def _split_runs(item: TextItem) -> Iterator[TextItem]:
    """Yield the parts of an item that can each be drawn as one run."""
    seams = () if item.icon else item.shaped().seams
    if not seams:
        yield item
        return
    for start, end in pairwise((item.start, *(item.start + seam for seam in seams), item.end)):
        yield item.part(start, end)


def _advances(item: TextItem, setting: Setting) -> tuple[float, ...]:
    if item.icon:
        return (
            setting.icon_size(item.icon, item.letter_style)[0] + 2 * ICON_SIDE_EM + setting.spacing,
        )
    return item.shaped().advances
