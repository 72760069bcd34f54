"""The page that says how a game is made, as whoever has the printer and the knife reads it."""

import re
from pathlib import Path

import pytest
from making import make
from reading import clean_save, fonts, read

from generator.core.words import languages


@pytest.fixture
def page(pnp, tmp_path):
    """The text of the page of a game on a paper, after it is known to be one page and whole."""

    def made(game, *args, paper="a4"):
        done = pnp("build", game, "--what", "making", "--paper", paper, "-o", tmp_path, *args)
        assert done.exit_code == 0, done.output
        (path,) = tmp_path.rglob(f"*-making*-{paper}.pdf")
        (only,) = read(path)
        found = fonts(path)
        assert found
        assert all(found.values()), found
        clean_save(path)
        return " ".join(only.text.split())

    return made


def test_figures_dice_and_tokens(page, pnp, tmp_path):
    said = page("urban-insanity-fire-engines")
    assert said.startswith("Urban Insanity: Fire Engines 1: how to make it What you need")
    assert "The basic game, Urban Insanity" in said
    assert "Glue, for what is folded" in said
    assert "Print at 100 % (“actual size”), never “fit to page”: flip on the long edge." in said
    assert "fold back along the dots and glue: Fire Truck, to fold; Dice, to cut, fold and glue." in said
    assert "Round, with scissors or a punch: Blaze Tokens Ø 18 mm; Stand-ins Ø 18 mm." in said
    assert "Action cards 57 × 82 mm" in said
    assert "first cut them apart between the kinds" in said
    assert (
        pnp("build", "urban-insanity-fire-engines", "--what", "sheets", "--paper", "a4", "-o", tmp_path).exit_code == 0
    )
    sheets = read(next(tmp_path.rglob("*-sheets-a4.pdf")))
    first, last = map(int, re.search(r"Pages (\d+)–(\d+), Action cards", said).groups())
    on_them = [number for number, sheet in enumerate(sheets, 1) if "Action cards" in sheet.text]
    assert on_them == list(range(first, last + 1))
    assert f"or heavier): {len(sheets) // 2}" in said


def test_dutch(page):
    said = page("buizen-wir-war", "--lang", "nl", paper="letter")
    assert said.startswith("Buizen Wir-War 1: zo maak je het Wat je nodig hebt")
    assert "Een buidel waar niemand doorheen kijkt, voor de tegels" in said
    assert "nooit ‘passend op pagina’: omslaan over de lange zijde." in said
    assert "Bladzijden 1–" in said
    assert "Lijm" not in said, "nothing of it is folded"
    assert "Rond," not in said
    assert not re.search(r"\b(sheet|cut|print|page)\b", said)


def test_pieces_of_one_size_are_not_cut_apart_by_kind(page):
    assert "first cut them apart" not in page("hydras")


def test_corners_and_one_side(page, tmp_path):
    said = page(make(tmp_path / "pack", component="radius: 3mm"))
    assert "Cards 40 × 40 mm, then round the corners off (radius 3 mm)" in said
    assert "never “fit to page”: on one side" in said
    assert "Page 1, Cards (sheets: 1)" in said
    assert "backs" not in said


def test_two_passes_are_two_files(page):
    said = page(Path(__file__).parents[1] / "packs/flip", "--duplex", "two-pass")
    assert "1-fronts: first pass" in said
    assert "2-backs: second pass" in said


@pytest.mark.parametrize("code", languages())
def test_every_language_fits_the_page(code, starter, page):
    pack = starter("cards")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(f"language: {code}\n{game}", "utf-8")
    assert ("What you need" in page(pack)) is (code == "en")
