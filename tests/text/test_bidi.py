"""Compare text directions with UAX #9 and its reference implementations."""

import pytest

from generator.text import bidi


def reorder(text):
    levels = bidi.levels(text, bidi.base_level(text))
    return "".join(text[i] for i in bidi.visual(levels))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text, 12", "plain text, 12"),
        ("אבג", "גבא"),
        ("אב 12 גד", "דג 12 בא"),
        ("say אב גד now", "say דג בא now"),
        ("אב abc גד", "דג abc בא"),
        ("אב 3.5 ק", "ק 3.5 בא"),
        ("אב -5%", "5%- בא"),
        ("abc אב!", "abc בא!"),
        ("אב!", "!בא"),
        ("مر 12 ح", "ح 12 رم"),
        ("12 אב", "בא 12"),
        ("", ""),
    ],
)
def test_mixed_text_is_reordered_for_display(text, expected):
    assert reorder(text) == expected


def test_base_direction_is_the_direction_of_the_first_letter():
    assert [bidi.base_level(t) for t in ("abc א", "12 א abc", "12", "")] == [0, 1, 0, 0]


def test_direction_codes_are_added_only_to_runs_that_would_change_order():
    assert bidi.add_direction_codes("אב", 1) == "אב"
    assert bidi.add_direction_codes("!אב.", 1) == "\u200f!אב.\u200f"
    assert bidi.add_direction_codes("א\u05b8", 1) == "א\u05b8"
    assert bidi.add_direction_codes("abc.", 2) == "abc."


def test_run_with_an_override_keeps_the_override():
    assert bidi.add_direction_codes("\u202eabc 12\u202c", 1) == "\u202eabc 12\u202c"
    assert bidi.add_direction_codes("\u202dאב", 2) == "\u202dאב\u202c"
    assert bidi.strip_direction_codes("\u202eabc\u202c\u200f") == "abc"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("אש (HP) (3 מים)", ")םימ 3( )HP( שא"),
        ("Draw אש (3 מים).", "Draw )םימ 3( שא."),
        ("abc (אב) def", "abc (בא) def"),
        ("אב [a (b) c] ג", "ג ]a (b) c[ בא"),
        ("see \u2067אב (1)\u2069 (2)", "see \u2067)1( בא\u2069 (2)"),
    ],
)
def test_brackets_take_the_direction_of_their_content(text, expected):
    """The font mirrors the brackets of parts from right to left later."""
    assert reorder(text) == expected


def test_isolate_does_not_move_its_neighbours():
    assert reorder("12 \u2068אב\u2069 34") == "12 \u2068בא\u2069 34"
    assert reorder("12 אב 34") != "12 בא 34"


def test_ten_thousand_brackets_are_ordered():
    text = "א(" * 5_000 + ")a" * 5_000
    assert len(bidi.levels(text, 1)) == len(text)
    assert len(bidi.levels("א" + "()" * 5_000 + "%" * 10_000 + "\u2003" * 10_000, 1)) == 30_001


@pytest.mark.parametrize("tag", ["he", "ar-EG", "fa_IR", "yi", "az-Arab", "pa-Arab-PK", "ur"])
def test_hebrew_arabic_and_others_are_written_from_right_to_left(tag):
    assert bidi.is_rtl_language(tag)


@pytest.mark.parametrize("tag", ["", "en", "de-AT", "ks-Deva", "az", "zh-Hant"])
def test_other_languages_are_written_from_left_to_right(tag):
    assert not bidi.is_rtl_language(tag)
