"""Test sleeves that fit cards, and the thickness of a deck by the weight of its paper."""

import shutil

import pytest

from generator.base.errors import InvalidValueError
from generator.base.geometry import Size
from generator.pack.decks import parse_thickness, sleeve_for, sleeves, stocks


@pytest.mark.parametrize(
    ("card", "sleeve"),
    [
        ((63.5, 88.9), "standard"),
        ((88, 63), "standard"),
        ((57.15, 88.9), "bridge"),
        ((59, 92), "european"),
        ((44, 68), "mini-european"),
        ((41, 63), "mini-american"),
        ((70, 120), "tarot"),
        ((70, 70), "square"),
    ],
)
def test_card_gets_its_closest_sleeve(card, sleeve):
    assert sleeve_for(Size(*card)).name == sleeve


@pytest.mark.parametrize("card", [(20, 30), (150, 200), (66, 88.9), (63.5, 80)])
def test_card_that_fits_no_sleeve_has_none(card):
    assert sleeve_for(Size(*card)) is None


def test_every_sleeve_holds_its_own_card_size_and_stocks_are_sorted():
    assert all(row.holds(row.size) for row in sleeves().values())
    assert sorted(row.thickness for row in stocks().values()) == [
        row.thickness for row in stocks().values()
    ]


@pytest.mark.parametrize(
    ("text", "mm"), [("250g", 0.3), ("250 g/m²", 0.3), ("0.4mm", 0.4), ("300gsm", 0.37)]
)
def test_stock_is_a_thickness_or_a_weight(text, mm):
    assert parse_thickness(text) == mm


def test_unknown_paper_weight_is_refused():
    with pytest.raises(InvalidValueError, match="paper of '255g' is in no table"):
        parse_thickness("255g")


def test_check_reports_sleeve_height_and_weight_of_deck(pnp):
    (summary,) = [line.strip() for line in pnp("check", "tests/data/packs/flip", "--paper", "a4").output.splitlines()
               if line.startswith("  Cards, 16")]  # fmt: skip
    weight = 16 * 0.063 * 0.088 * 250
    assert "sleeves standard (Standard card game, poker cards)" in summary
    assert f"4.8 mm and {weight:.1f} g on 250g" in summary
    assert "sleeves add 1.6 mm" in summary
    glued = pnp("check", "tests/data/packs/flip", "--paper", "a4", "--duplex", "glue").output
    assert f"9.6 mm and {2 * weight:.1f} g on 250g" in glued


def test_deck_box_accepts_stock_by_known_weight_only(pnp, tmp_path):
    pack = shutil.copytree("tests/data/packs/boxes", tmp_path / "boxes")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(game.replace("stock: 0.3mm", "stock: 251g"), "utf-8")
    wrong = pnp("check", pack, "--paper", "a4")
    assert wrong.exit_code == 3
    assert "paper of '251g' is in no table" in wrong.output
    (pack / "game.yaml").write_text(game.replace("stock: 0.3mm", "stock: 250g"), "utf-8")
    assert pnp("check", pack, "--paper", "a4").exit_code == 0
