"""Test lists of fonts: each character is set in the first font that has it."""

from pathlib import Path

from generator.base.fonts import font_set, read_font
from generator.base.geometry import Rect
from generator.text.fit import set_text
from generator.text.style import Caps, Style
from tests.tools.make_pack import make, problems

FONTS = Path(__file__).parents[1] / "data" / "fonts"
HEBREW = read_font(FONTS / "pnp-test-hebrew.ttf")
ARABIC = read_font(FONTS / "pnp-test-arabic.ttf")
SET = font_set([HEBREW, ARABIC])
LIST = Style(font="Alegreya", others=(HEBREW.family, ARABIC.family, "Baloo 2"))


def families_of(text, style=LIST):
    block = set_text(text, style, Rect(0, 0, 200, 50), SET, icons={}, lang="en", minimum=None)
    return [(run.text.strip("\u200f "), run.font.family) for run in block.runs]


def test_each_word_is_set_in_the_first_font_that_has_it():
    assert dict(families_of("Peace שלום नमस्ते 3")) == {
        "Peace": "Alegreya",
        "שלום": HEBREW.family,
        "नमस्ते": "Baloo 2",
        "3": "Alegreya",
    }


def test_bold_words_take_the_nearest_weight_of_the_other_font():
    assert ("नमस्ते", "Baloo 2") in families_of("**नमस्ते**")


def test_text_without_capitals_is_set_in_a_style_with_small_capitals():
    style = Style(font="Alegreya", caps=Caps.SMALL, others=(HEBREW.family,))
    assert ("שלום", HEBREW.family) in families_of("Peace שלום", style)


def problems_with(folder, font, text):
    style = f"  mixed: {{font: {font}, size: 3mm}}"
    layout = f"- text: {text}\n  box: trim\n  style: mixed\n"
    return problems(make(folder, layout, more=style))


def test_style_of_a_pack_may_list_fonts(tmp_path):
    assert problems_with(tmp_path, "[Alegreya, Baloo 2]", "Namaste नमस्ते") == ""


def test_unknown_font_in_a_list_is_reported(tmp_path):
    assert "unknown font 'Balloo'" in problems_with(tmp_path, "[Alegreya, Balloo]", "Hi")


def test_character_missing_from_all_listed_fonts_is_reported(tmp_path):

    assert "has no '日'" in problems_with(tmp_path, "[Alegreya, Baloo 2]", "日本")
