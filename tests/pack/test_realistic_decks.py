"""Test realistic decks: a trading card game, events with tables, items with long texts."""

from pathlib import Path

import pytest

from tests.tools.make_pack import loaded, problems

PACKS = Path(__file__).parents[1] / "data" / "packs"


@pytest.mark.parametrize(("name", "designs"), [("duel", 4), ("omens", 3), ("hoard", 3)])
def test_realistic_deck_loads_without_problems(name, designs):
    assert problems(PACKS / name) == ""
    assert len(loaded(PACKS / name).components[0].designs) == designs


def texts_of(name, design, language=""):
    cards = {
        item.id: item for item in loaded(PACKS / name, language=language).components[0].designs
    }
    return [at.layer.text for at in cards[design].front.layers if hasattr(at.layer, "text")]


def test_card_shows_looked_up_words_in_both_languages():
    assert "Ember – creature (dragon)" in texts_of("duel", "drake")
    assert "4 / 3" in texts_of("duel", "drake")
    assert "Getij – spell" in texts_of("duel", "wave", "nl")
    assert not [text for text in texts_of("duel", "wave") if " / " in text]


def test_omen_lists_the_joined_rows_of_another_table():
    texts = texts_of("omens", "comet")
    assert texts[texts.index("Roll") + 1 :] == [
        *("1-2", "Nothing. You think."),
        *("3-5", "A house burns: remove it."),
        *("6", "The river turns; move every boat."),
    ]
    assert "Roll" not in texts_of("omens", "crows")
    assert "This omen has passed." in texts_of("omens", "crows")
    assert "This omen has passed." not in texts_of("omens", "comet")
    assert "This omen has passed." not in texts_of("omens", "well")


def test_prices_of_items_are_computed():
    assert [texts_of("hoard", item)[-1] for item in ("lantern", "blade")] == [
        "[bold]120[/] silver, sold for 72",
        "[bold]64.5[/] silver, sold for 39",
    ]


@pytest.mark.parametrize("name", ["duel", "omens", "hoard"])
def test_realistic_deck_has_no_warnings(name, pnp):
    assert "\n0 warnings\n" in pnp("check", PACKS / name).output


GUIDE = Path(__file__).parents[2] / "docs" / "layouts.md"


def test_guide_to_layouts_has_a_picture_of_each_component():
    pack = loaded(PACKS / "language")
    assert problems(PACKS / "language") == ""
    text = GUIDE.read_text("utf-8")
    for component in pack.components:
        picture = GUIDE.parent / "pictures" / f"layouts-{component.id}.png"
        assert picture.is_file()
        assert f"(pictures/{picture.name})" in text
