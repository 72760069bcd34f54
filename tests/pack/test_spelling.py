"""Test American spellings, capitals in papers, backslashes in paths, and CSS colours."""

import re
from pathlib import Path

import pytest

from generator.base.errors import InvalidValueError
from generator.pack.colours import parse_colour
from generator.pack.validation import respelled

BRITISH = """\
- fill: rgb(20, 30, 40)
- icon: star
  at: center
  size: 30mm
  colour: grey
- text: "[center]middle[/]"
  box: [8, 55, 47.5, 26]
  style: title
  align: center
  valign: middle
"""
AMERICAN = (
    BRITISH.replace("colour:", "color:")
    .replace("grey", "gray")
    .replace("rgb(20, 30, 40)", '"#141e28"')
)
CENTRE = BRITISH.replace("center", "centre")


@pytest.fixture
def build(starter, pnp):
    """Return a function that builds the starter of cards with another back.

    The function returns the bytes of the sheets and the notes.
    """
    pack = starter("cards")
    game = (pack / "game.yaml").read_text("utf-8")

    def built(back, **replaced):
        text = game
        for old, new in replaced.values():
            assert old in text
            text = text.replace(old, new)
        (pack / "game.yaml").write_text(text, "utf-8")
        (pack / "layouts/back.yaml").write_text(back, "utf-8")
        result = pnp("build", pack, "--what", "sheets")
        assert result.exit_code == 0, result.output
        return Path("output/pack/pack-1-sheets-a4.pdf").read_bytes(), result.stderr

    return built


def test_american_spellings_print_the_same_bytes(build):
    british, notes = build(BRITISH)
    styles = ("size: 10pt, colour: $ink", "size: 10pt, color: $ink")
    papers = ("paper: [a4, letter]", "paper: [A4, Letter]")
    paths = ("layouts/back.yaml", "layouts\\back.yaml")
    assert build(AMERICAN, styles=styles, papers=papers) == (british, notes)
    assert build(CENTRE)[0] == british
    printed, notes = build(BRITISH, paths=paths)
    assert printed == british
    assert (
        "note: 'layouts\\\\back.yaml' is read as 'layouts/back.yaml': write paths with /" in notes
    )


def test_messages_name_the_british_key(starter, pnp):
    pack = starter("cards")
    (pack / "layouts/back.yaml").write_text(
        "- icon: star\n  at: center\n  size: 9mm\n  color: golden\n", "utf-8"
    )
    result = pnp("build", pack)
    assert result.exit_code == 3
    assert re.search(r"back\.yaml:4: colour: unknown colour 'golden'", result.stderr)


def test_both_spellings_of_a_key_are_an_error(starter, pnp):
    pack = starter("cards")
    back = "- icon: star\n  at: center\n  size: 9mm\n  color: red\n  colour: blue\n"
    (pack / "layouts/back.yaml").write_text(back, "utf-8")
    result = pnp("build", pack)
    assert result.exit_code == 3
    assert "back.yaml:4: unknown key 'color'" in result.stderr


@pytest.mark.parametrize("written", ["[value]", "<<value>>", "{value}"])
def test_column_in_brackets_is_warned_about_with_the_right_notation(starter, pnp, written):
    pack = starter("cards")
    layout = pack / "layouts/back.yaml"
    text = "- text: 'Worth {} points'\n  box: [8, 55, 47, 26]\n  style: body\n"
    layout.write_text(text.format(written), "utf-8")
    found = (
        f"back.yaml:1: {written} is printed as written; for the cell of that column, write $value"
    )
    assert found in pnp("check", pack).stdout
    layout.write_text(text.format(f"\\{written}"), "utf-8")
    assert "printed as written" not in pnp("check", pack).stdout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rgb(20, 30, 40)", "#141e28"),
        ("RGB(20 30 40)", "#141e28"),
        ("rgb(100%, 0%, 0%)", "#ff0000"),
        ("rgba(20, 30, 40, 0.5)", "#141e2880"),
        ("rgb(20 30 40 / 50%)", "#141e2880"),
        ("hsl(120, 100%, 50%)", "#00ff00"),
        ("hsl(210deg 50% 40%)", "#336699"),
        ("hsla(120, 100%, 50%, 1)", "#00ff00"),
        ("RebeccaPurple", "#663399"),
        ("lightgray", "#d3d3d3"),
        ("transparent", "none"),
    ],
)
def test_css_colour_is_read(text, expected):
    assert parse_colour(text) == expected


@pytest.mark.parametrize(
    "text", ["rgb(1, 2)", "rgb(a, b, c)", "hsl(1, 2, 3)", "rgb(1, 2, 3, 4)", "rgb(1, 2, 3, 0.4, 5)"]
)
def test_malformed_css_colour_is_refused(text):
    with pytest.raises(InvalidValueError) as error:
        parse_colour(text)
    assert error.value.found == f"{text!r} is not a colour"


def test_key_keeps_its_spelling_unless_only_the_other_is_known():
    assert respelled("color", ["colour"]) == "colour"
    assert respelled("color", ["color", "colour"]) == "color"
    assert respelled("centre-line", ["center-line"]) == "center-line"
    assert respelled("color", ["size"]) == "color"
