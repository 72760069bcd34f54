"""Decks in the spirit of those that people make: a trading card game, events with tables, long texts of items."""

from pathlib import Path

import pytest

from tests.tools.make_pack import loaded, problems

PACKS = Path(__file__).parents[1] / "data" / "packs"


@pytest.mark.parametrize(("name", "designs"), [("duel", 4), ("omens", 3), ("hoard", 3)])
def test_it_loads_and_every_face_is_drawn(name, designs):
    assert problems(PACKS / name) == ""
    assert len(loaded(PACKS / name).components[0].designs) == designs


def words(name, design, language=""):
    cards = {
        item.id: item for item in loaded(PACKS / name, language=language).components[0].designs
    }
    return [at.layer.text for at in cards[design].front.layers if hasattr(at.layer, "text")]


def test_a_card_says_what_it_looks_up():
    assert "Ember – creature (dragon)" in words("duel", "drake")
    assert "4 / 3" in words("duel", "drake")
    assert "Getij – spell" in words("duel", "wave", "nl")
    assert not [text for text in words("duel", "wave") if " / " in text]


def test_rows_of_another_table_stand_on_their_omen():
    said = words("omens", "comet")
    assert said[said.index("Roll") + 1 :] == [
        *("1-2", "Nothing. You think."),
        *("3-5", "A house burns: remove it."),
        *("6", "The river turns; move every boat."),
    ]
    assert "Roll" not in words("omens", "crows")
    assert "This omen has passed." not in words("omens", "well")


def test_prices_are_worked_out():
    assert [words("hoard", item)[-1] for item in ("lantern", "blade")] == [
        "[bold]120[/] silver, sold for 72",
        "[bold]64.5[/] silver, sold for 39",
    ]


@pytest.mark.parametrize("name", ["duel", "omens", "hoard"])
def test_nothing_of_it_would_print_badly(name, pnp):
    assert "\n0 warnings\n" in pnp("check", PACKS / name).output


GUIDE = Path(__file__).parents[2] / "docs" / "layouts.md"


def test_every_chapter_of_the_language_has_its_picture():
    pack = loaded(PACKS / "language")
    assert problems(PACKS / "language") == ""
    text = GUIDE.read_text("utf-8")
    for component in pack.components:
        picture = GUIDE.parent / "pictures" / f"layouts-{component.id}.png"
        assert picture.is_file()
        assert f"(pictures/{picture.name})" in text
