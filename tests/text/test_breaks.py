"""Test the places where lines may break."""

import pytest

from generator.base.errors import InvalidValueError
from generator.text.paragraph import find_breaks


def parts(text, lang=None, marks=None):
    start = 0
    out = []
    for place in find_breaks(text, marks or {}, lang):
        out.append(text[start : place.at] + place.hyphen)
        start = place.at
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one two", ["one ", "two"]),
        ("10\u00a0mm wide", ["10\u00a0mm ", "wide"]),
        ("well-known and/or so—so", ["well-", "known ", "and/", "or ", "so—", "so"]),
        ("1-2 and -3, x -y", ["1-2 ", "and ", "-3, ", "x ", "-y"]),
        ("\ufffc\ufffc\ufffc.", ["\ufffc", "\ufffc", "\ufffc."]),
        ("take 2 \ufffc or – so – 3 \ufffc", ["take ", "2 \ufffc ", "or – ", "so – ", "3 \ufffc"]),
        ("漢字、かな」。", ["漢", "字、", "か", "な」。"]),
    ],
)
def test_lines_break_after_spaces_hyphens_and_dashes(text, expected):
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("word", "lang", "expected"),
    [
        ("hyphenation", "en", ["hy-", "phen-", "a-", "tion"]),
        ("hyphenation", "en-GB", ["hy-", "phen-", "a-", "tion"]),
        ("lettergreep", "nl", ["let-", "ter-", "greep"]),
        ("Kaartspellen", "nl", ["Kaart-", "spel-", "len"]),
        ("omaatje", "nl", ["omaatje"]),
        ("word", "en", ["word"]),
    ],
)
def test_words_are_hyphenated_by_the_patterns_of_the_language(word, lang, expected):
    assert parts(word, lang) == expected


def test_soft_hyphens_of_the_author_replace_hyphenation():
    assert parts("hyphenation", "en", {6: "-"}) == ["hyphen-", "ation"]
    assert parts("a b", None, {2: None}) == ["a b"]
    assert parts("abcd", None, {2: ""}) == ["ab", "cd"]


def test_hyphenation_in_an_unknown_language_is_refused():
    with pytest.raises(InvalidValueError, match="unknown language to hyphenate 'xx'"):
        find_breaks("hyphenation", {}, "xx")
