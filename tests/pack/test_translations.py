"""Test translations written as `title@nl` beside `title`, in tables, layouts and figures."""

from pathlib import Path

import pytest

from generator.pack.translations import forms, missing_translations
from tests.tools.make_pack import loaded, make, problems, render_design

GAME = """\
name: The Well
name@nl: De put
version: "1"
credits: [Made by hand, All rights left]
credits@nl: Met de hand gemaakt
variants: {plain: {title: Plain, title@nl: Kaal}}
components:
  cards:
    title: Cards
    title@nl: Kaarten
    size: 40mm
    data: [{id: fox, title: The Fox, title@nl: De vos}, {id: elk, title: The Elk}]
    front: layouts/front.yaml
"""


@pytest.fixture
def well(tmp_path):
    pack = make(tmp_path, "- fill: red\n")
    (pack / "game.yaml").write_text(GAME, "utf-8")
    return pack


def list_missing(pack):
    return [
        str(problem).replace(f"{pack.as_posix()}/", "").splitlines()[0]
        for problem in missing_translations(pack)
    ]


def test_dutch_pack_has_dutch_name_credits_titles_and_variant(well):
    english = loaded(well)
    dutch = loaded(well, "plain", "nl")
    assert (english.name, english.credits, english.language) == (
        "The Well",
        ("Made by hand", "All rights left"),
        "en",
    )
    assert (dutch.name, dutch.credits, dutch.language) == ("De put", ("Met de hand gemaakt",), "nl")
    assert [part.title for part in dutch.components] == ["Kaarten"]
    assert dutch.edition() == "1 (Kaal)"


def test_design_without_a_translation_keeps_its_title(well):
    assert [design.title for design in loaded(well, language="nl").components[0].designs] == [
        "De vos",
        "The Elk",
    ]
    assert [design.title for design in loaded(well).components[0].designs] == ["The Fox", "The Elk"]


def test_file_names_omit_the_language_of_the_pack(well):
    assert loaded(well, language="en").stem("sheets") == f"{well.name}-1-sheets"
    assert loaded(well, "plain", "nl").stem("sheets") == f"{well.name}-1-plain-sheets-nl"


def test_text_of_a_layout_is_translated(tmp_path):
    """The English text is short; the Dutch one is longer."""
    layout = "- text: I\n  text@nl: WWWW\n  box: [5, 5, 30, 10]\n  style: body\n"
    pack = make(tmp_path, layout)
    assert render_design(pack).box()[2] < 7
    assert loaded(pack, language="nl").components[0].designs[0].front.layers[0].layer.text == "WWWW"


def test_any_key_of_a_layer_may_be_translated(tmp_path):
    pack = make(tmp_path, "- fill: red\n  fill@nl: blue\n- group@nl: []\n  group: [{fill: red}]\n")
    assert len(loaded(pack).components[0].designs[0].front.layers) == 2
    (layer,) = loaded(pack, language="nl").components[0].designs[0].front.layers
    assert layer.layer.fill == "#0000ff"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("version@nl: '2'", "version@nl: 'version' is not translated"),
        (
            "nam@nl: De put",
            "nam@nl: 'nam' is not translated\n  expected one of: cover, credits, name, needs, title",
        ),
        (
            "name@: De put",
            "name@: '' is not a language\n  expected a code after the @, such as nl or pt-BR",
        ),
        ("name@dutch language: x", "name@dutch language: 'dutch language' is not a language"),
        (
            "credits@nl: x",
            "credits@nl: there is no 'credits' that it translates\n  expected credits next to it",
        ),
    ],
)
def test_mistake_in_a_translation_is_reported_in_any_language(key, message, tmp_path):
    assert message in problems(make(tmp_path, more=key))


@pytest.mark.parametrize("layout", ["- text: a\n  txet@nl: b\n  box: trim\n  style: body\n"])
def test_mistake_in_a_translated_layout_key_is_reported(layout, tmp_path):
    text = problems(make(tmp_path, layout))
    assert "layouts/front.yaml:2: txet@nl: there is no 'txet' that it translates" in text
    assert "did you mean 'text'?" in text


def test_missing_translations_are_listed_with_file_and_line(well):
    layout = (
        "- text: Draw a card\n  box: trim\n  style: body\n- text: $title / 2\n  box: trim\n  style: body\n"
        "- text: {text: Discard, text@nl: Leg af}\n  box: trim\n  style: body\n"
        "- table: a | b\n"
    )
    (well / "layouts/front.yaml").write_text(layout, "utf-8")
    (well / "game.yaml").write_text(
        GAME.replace("    title@nl: Kaarten\n", "").replace("credits@nl", "credits@de")
    )
    (well / "figures.yaml").write_text(
        "one:\n  board: x\n  caption: A board\n  overlays: [{label: here, label@nl: hier}]\n"
    )
    assert [text for text in list_missing(well) if "@nl" in text] == [
        "game.yaml:11: title@nl: 'elk' is not translated",
        "game.yaml:9: title@nl: 'Cards' is not translated",
        "game.yaml:4: credits@nl: 'Made by hand All rights left' is not translated",
        "layouts/front.yaml:1: text@nl: 'Draw a card' is not translated",
        "layouts/front.yaml:10: table@nl: 'a | b' is not translated",
        "figures.yaml:3: caption@nl: 'A board' is not translated",
    ]
    assert "figures.yaml:4: label@de: 'here' is not translated" in list_missing(well)


def test_game_name_needs_no_translation(well):
    (well / "game.yaml").write_text(
        GAME.replace("name@nl: De put\n", "").replace("title: The Elk", "title@nl: De eland")
    )
    assert list_missing(well) == []
    (well / "game.yaml").write_text(GAME.replace("    title@nl: Kaarten\n", ""))
    assert "game.yaml:9: title@nl: 'Cards' is not translated" in list_missing(well)


def test_forms_of_a_pack_are_its_variants_and_complete_languages(well):
    assert forms(well) == (("plain", ""), ("", "nl"), ("plain", "nl"))
    (well / "game.yaml").write_text(GAME + "rules: {file: rules.md}\n", "utf-8")
    Path(well / "rules.md").write_text("# The Well\n")
    assert forms(well) == (("plain", ""),), "a pack without Dutch rules has no Dutch form"


def test_art_with_a_language_switch_shows_the_default(tmp_path):
    art = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><switch>'
        '<rect systemLanguage="nl" width="10" height="10" fill="blue"/><rect width="10" height="10" fill="red"/>'
        "</switch></svg>"
    )
    pack = make(tmp_path, "- svg: art/a.svg\n  fit: cover\n", files={"art/a.svg": art})
    assert render_design(pack).at(5, 5) == "#ff0000"
    assert loaded(pack, language="nl").language == "nl"
