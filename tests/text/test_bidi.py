"""Directions, against what UAX #9 and its reference implementations give."""

import pytest

from generator.text import bidi


def seen(text):
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
def test_order_of_letters(text, expected):
    assert seen(text) == expected


def test_base_direction_is_that_of_the_first_letter():
    assert [bidi.base_level(t) for t in ("abc א", "12 א abc", "12", "")] == [0, 1, 0, 0]


def test_a_run_keeps_its_order_on_its_own():
    assert bidi.framed("אב") == "אב"
    assert bidi.framed("!אב.") == "\u200f!אב.\u200f"
    assert bidi.framed("א\u05b8") == "א\u05b8"
