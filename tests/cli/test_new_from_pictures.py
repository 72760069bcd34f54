"""Test `pnp new --from folder`: a pack from finished pictures of cards."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator.pack.new.pictures import guess_card, read_name
from tests.tools.make_pack import render_design
from tests.tools.read_pdf import read

POKER_300 = (750, 1050)
BLEEDING_300 = (825, 1125)


@pytest.fixture
def new_pack_from(tmp_path, monkeypatch, pnp):
    """Return a function that makes a pack `mine` from pictures, given as colours or bytes."""
    monkeypatch.chdir(tmp_path)

    def run(size=POKER_300, **pictures):
        for name, content in pictures.items():
            path = Path("art", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                Image.new("RGB", size, content).save(path)
        result = pnp("new", "mine", "--from", "art")
        assert result.exit_code == 0, result.stderr
        return result.output

    return run


def rows(name="cards"):
    with Path(f"mine/{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def colour_at(side, x, y):
    """Return the colour of the first card at a place in mm from the bleed's top left corner."""
    pixels = np.asarray(render_design(Path("mine"), side).image.convert("RGB"))
    return tuple(int(value) for value in pixels[round(y * 10), round(x * 10)])


def test_each_picture_is_a_card_with_its_name_and_copies(new_pack_from, pnp):
    new_pack_from(**{"fire_drake-x3.png": "red", "owl (2x).jpg": "blue", "elk.webp": "green"})
    assert [(row["id"], row["title"], row["count"]) for row in rows()] == [
        ("elk", "Elk", "1"),
        ("fire-drake", "Fire Drake", "3"),
        ("owl", "Owl", "2"),
    ]
    built = pnp("build", "mine", "--what", "sheets", "--paper", "a4")
    assert built.output.startswith("output/mine/mine-1-sheets-a4.pdf  6 pieces on 1 sheet")


@pytest.mark.parametrize(
    ("file", "card", "copies", "is_back"),
    [
        ("fox.png", "fox", 1, False),
        ("fox-x3.png", "fox", 3, False),
        ("3x fox.png", "fox", 3, False),
        ("fox_×12.png", "fox", 12, False),
        ("fox-back.png", "fox", 1, True),
        ("back-fox.png", "fox", 1, True),
        ("fox (back).png", "fox", 1, True),
        ("Fuchs Rückseite.png", "Fuchs", 1, True),
        ("fox-x2-front.png", "fox", 2, False),
        ("backs/fox.png", "fox", 1, True),
        ("fronts/fox.png", "fox", 1, False),
        ("back.png", "", 1, True),
        ("backpack.png", "backpack", 1, False),
        ("x-ray.png", "x ray", 1, False),
        ("level-2.png", "level 2", 1, False),
    ],
)
def test_file_name_gives_card_copies_and_side(file, card, copies, is_back):
    assert read_name(Path(file)) == (card, copies, is_back)


def test_card_gets_its_own_back_or_the_common_back(new_pack_from):
    new_pack_from(
        **{"fox.png": "red", "owl.png": "red", "back.png": "green", "owl-back.png": "blue"}
    )
    assert [(row["id"], row["back"]) for row in rows()] == [
        ("fox", "art/cards/back.png"),
        ("owl", "art/cards/owl-back.png"),
    ]
    assert colour_at("front", 30, 30) == (255, 0, 0)
    assert colour_at("back", 30, 30) == (0, 128, 0)


def test_pictures_without_bleed_get_bleed_from_their_edges(new_pack_from, pnp):
    output = new_pack_from(**{"fox.png": "red"})
    assert "fox.png, of 750 × 1050 pixels: guessed to be poker without bleed, at 300 dpi" in output
    assert "printed with 3 mm of bleed, stretched from their edges" in output
    assert colour_at("front", 0.3, 0.3) == (255, 0, 0)
    assert "\n0 warnings\n" in pnp("check", "mine").output


def test_bleed_of_pictures_is_recognised_and_trimmed(new_pack_from, pnp):
    output = new_pack_from(BLEEDING_300, **{"fox.png": "red", "elk.png": "red"})
    assert "2 pictures of 825 × 1125 pixels: guessed to be poker with 3.2 mm of bleed" in output
    pnp("build", "mine", "--what", "sheets", "--paper", "a4")
    (page,) = read(Path("output/mine/mine-1-sheets-a4.pdf"))
    assert {tuple(sorted((round(form.w), round(form.h)))) for form in page.forms} == {(70, 95)}


def test_landscape_pictures_become_landscape_cards(new_pack_from):
    new_pack_from(**{"fox.png": "red"})
    Path("mine").rename("first")
    output = new_pack_from((1050, 750), **{"wide.png": "blue"})
    assert "88.9 x 63.5 mm without bleed" in output
    assert [row["id"] for row in rows("cards")] == ["fox"]
    assert [row["id"] for row in rows("cards-2")] == ["wide"]


def test_files_that_are_not_imported_are_reported(new_pack_from):
    names = ("fox.png", "fox-back.png", "elk-back.png")
    others = {"to do.txt": b"x", "bad.png": b"x", "phone.heic": b"x"}
    output = new_pack_from(**dict.fromkeys(names, "red"), **others)
    assert "- to do.txt: not imported, because it is no picture" in output
    assert "- phone.heic: not imported, because pnp does not read this format" in output
    assert "- bad.png: not imported: it is damaged or not a picture" in output
    assert "elk-back.png: not imported: there is no front called 'elk'" in output


def test_folder_without_pictures_makes_no_pack(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    Path("art").mkdir()
    result = pnp("new", "mine", "--from", "art")
    assert result.exit_code == 3
    assert "art has no pictures of fronts" in result.stderr
    assert not Path("mine").exists()


@pytest.mark.parametrize(
    ("pixels", "dpi", "name", "bleed"),
    [
        ((744, 1039), None, "magic", 0),
        ((822, 1122), None, "poker", 3.0),
        ((825, 1125), None, "poker", 3.175),
        ((675, 1050), None, "bridge", 0),
        ((827, 1417), None, "tarot", 0),
        ((697, 1087), None, "euro", 0),
        ((1500, 2100), None, "poker", 0),
        ((1050, 750), None, "88.9 x 63.5 mm", 0),
        ((750, 750), 300, "square", 0),
        ((1050, 1470), 72, "poker", 0),
        ((1240, 1748), 300, "105 x 148 mm", 0),
    ],
)
def test_card_size_is_guessed_from_pixels(pixels, dpi, name, bleed):
    guess = guess_card(*pixels, dpi)
    assert (guess.name, guess.bleed) == (name, pytest.approx(bleed))
