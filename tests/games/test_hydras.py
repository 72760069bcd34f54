"""Test Hydras as a player gets it, read back from its files."""

import csv
import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.tools.read_pdf import read, render

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SIDE = 63.5
BLEED = 3.0
DPI = 200
"""A card is 500 pixels wide, and on Letter every cut lies between two pixels."""

PIXELS = 500
PACK = Path(__file__).parents[2] / "templates" / "hydras"
BLOOD = (0xA3, 0x30, 0x1F)
BRONZE = (0xD9, 0xA4, 0x41)
GOLD = (0xF0, 0xBB, 0x45)
PARCHMENT = (0xF6, 0xE8, 0xCB)
FLAME = (0xF3, 0xB6, 0x3A)
SHEETS = {"necks": range(5), "labours": range(5, 6), "bodies": range(6, 7), "aids": range(6, 7)}
SLOTS = {"bodies": slice(0, 4), "aids": slice(4, 8)}
"""The places of components that share a sheet."""
LABOURS = {
    "Unburned": "I",
    "Decapitator": "I",
    "Burninator": "I",
    "Veteran": "I",
    "Defended": "II",
    "The Long Path": "II",
    "Split Tree": "II",
    "Long Skinny Neck": "II",
    "Hole in the Middle": "III",
    "The Biggest": "III",
    "Loops": "III",
    "Complete": "III",
}
TABLES = {
    "Veteran": ("Swords", 5, 4, 3),
    "Defended": ("Shields", 3, 2, 1),
    "The Long Path": ("Cards", 7, 6, 5),
    "Split Tree": ("Cards", 4, 3, 2),
    "Long Skinny Neck": ("Cards", 5, 4, 3),
    "Loops": ("Loops", 4, 3, 2),
}


def rows_of(name):
    return list(csv.DictReader((PACK / name).read_text("utf-8").splitlines()))


def near(pixel, colour):
    return np.abs(np.asarray(pixel) - colour).max(axis=-1) < 12


@pytest.fixture(scope="session")
def hydras(printed):
    """Return the folder with the printed game."""
    return printed("hydras")


@pytest.fixture(scope="session")
def letter(hydras):
    return hydras / "hydras-2-sheets-letter.pdf"


@pytest.fixture(scope="session")
def cards(letter):
    """Return the cards of each component as pixels, cropped from the rendered Letter sheets."""
    pages = read(letter)
    cards_by_component = {}
    for component, numbers in SHEETS.items():
        cards_by_component[component] = [
            cut(picture, form)
            for number in numbers
            for picture in [render(letter, number, DPI)]
            for form in forms_of(pages, component, number)
        ]
    return cards_by_component


def forms_of(pages, component, number):
    return pages[number].forms[SLOTS.get(component, slice(None))]


def cut(picture, form):
    left, top = (round((middle - SIDE / 2) / 25.4 * DPI) for middle in (form.x, form.y))
    return picture[top : top + PIXELS, left : left + PIXELS]


def at(card, x, y):
    """Return the pixel at a place in mm."""
    return card[round(y / SIDE * PIXELS), round(x / SIDE * PIXELS)]


@pytest.mark.parametrize("paper", PAPERS)
def test_deck_has_60_play_cards_4_bodies_12_labours_and_4_aids(hydras, paper):
    pages = read(hydras / f"hydras-2-sheets-{paper}.pdf")
    assert len(pages) == 7
    forms = {
        name: [form.form for number in numbers for form in forms_of(pages, name, number)]
        for name, numbers in SHEETS.items()
    }
    counts = {name: len(shown) for name, shown in forms.items()}
    assert counts == {"necks": 60, "bodies": 4, "labours": 12, "aids": 4}
    assert len(set(forms.pop("aids"))) == 1
    for name, shown in forms.items():
        times = [shown.count(form) for form in dict.fromkeys(shown)]
        assert times == [int(row["count"]) for row in rows_of(f"{name}.csv")], (
            "each design is its own picture"
        )


def test_player_aids_state_turn_icons_and_score(letter):
    text = re.sub(r"\s+", " ", read(letter)[SHEETS["aids"][0]].text)
    for words in ("Play a card on any hydra", "until you have four cards", "two or fewer adjacent"):
        assert text.count(words) == 4, words
    assert text.count("1 point a head.") == 4


@pytest.mark.parametrize("paper", PAPERS)
def test_twelve_cards_lie_on_a_page_inside_the_margins(hydras, paper):
    """Compare places with margins of half an inch on Letter.

    A4 is narrower, so its side margins are 9.75 mm.
    """
    width, height = PAPERS[paper]
    margin = 12.7 if paper == "letter" else 9.75
    pages = read(hydras / f"hydras-2-sheets-{paper}.pdf")
    for number, page in enumerate(pages):
        assert (round(page.width, 2), round(page.height, 2)) == PAPERS[paper]
        assert len(page.forms) == (8 if number == 6 else 12)
        for form in page.forms:
            assert margin - 0.01 <= form.x - SIDE / 2 <= width - margin - SIDE + 0.01
            assert 12.7 - 0.01 <= form.y - SIDE / 2 <= height - 12.7 - SIDE + 0.01
        places = {(round(form.x, 2), round(form.y, 2)) for form in page.forms}
        assert len(places) == len(page.forms)
    columns = sorted({round(form.x - SIDE / 2, 2) for form in pages[0].forms})
    assert columns == pytest.approx([(width - 3 * SIDE) / 2 + SIDE * n for n in range(3)], abs=0.01)


def test_numerals_on_necks_add_up_to_43_heads(letter):
    pages = read(letter)
    marks = Counter(re.findall(r"\bI{1,3}\b", " ".join(pages[n].text for n in SHEETS["necks"])))
    assert marks == {"I": 18, "II": 8, "III": 3}
    assert sum(len(mark) * times for mark, times in marks.items()) == 43
    rows = rows_of("necks.csv")
    assert sum(int(row["heads"]) * int(row["count"]) for row in rows) == 43
    assert all(row["mark"] == "I" * int(row["heads"]) for row in rows)


def test_swords_shields_and_torches_show_on_their_cards(cards):
    """Count swords, shields and torches by their colours."""
    swords = [bool(near(at(card, 4.9, 53.5), BLOOD)) for card in cards["necks"]]
    shields = [bool(near(at(card, 4.5, 53.5), BRONZE)) for card in cards["necks"]]
    torches = [bool(near(card, FLAME).sum() > 2000) for card in cards["necks"]]
    assert (sum(swords), sum(shields), sum(torches)) == (14, 11, 6)
    rows = rows_by_copy("necks.csv")
    assert swords == [row["symbol"] == "sword" for row in rows]
    assert shields == [row["symbol"] == "shield" for row in rows]
    assert torches == [row["kind"] == "torch" for row in rows]


def test_torch_has_one_neck_and_no_head():
    torches = [row for row in rows_of("necks.csv") if row["kind"] == "torch"]
    assert all(re.fullmatch(r"[nesw]:neck", row["neck"]) and row["heads"] == "0" for row in torches)


def test_only_the_first_body_has_the_star(cards):
    stars = [bool(near(at(card, 10, 10), GOLD)) for card in cards["bodies"]]
    assert sum(stars) == 1
    assert stars[0]


def test_each_body_starts_two_necks(cards):
    for card in cards["bodies"]:
        assert [has_neck(edge) for edge in edges(card)] == [False, True, False, True]


def test_labours_show_title_value_and_table_of_players(letter):
    text = read(letter)[SHEETS["labours"][0]].text
    squeezed = re.sub(r"\s+", " ", text)
    for title in LABOURS:
        assert title.casefold() in squeezed.casefold()
    assert Counter(re.findall(r"\bI{1,3}\b", squeezed)) == Counter(LABOURS.values())
    assert squeezed.count("Players") == len(TABLES)
    rows = {row["title"]: row for row in rows_of("labours.csv")}
    assert {title: row["value"] for title, row in rows.items()} == LABOURS
    for title, (goal, *numbers) in TABLES.items():
        line = f"Players {goal} " + " ".join(
            f"{players} {n}" for players, n in zip((2, 3, 4), numbers, strict=True)
        )
        assert line in squeezed, title
    assert {title for title, row in rows.items() if row["players"]} == set(TABLES)


def test_every_labour_has_its_own_picture(cards):
    pictures = [
        card[round(37 / SIDE * PIXELS) : round(54 / SIDE * PIXELS), 75:250]
        for card in cards["labours"]
    ]
    assert all(picture.std() > 30 for picture in pictures)
    assert len({picture.tobytes() for picture in pictures}) == 12


def edges(card):
    """Return the outermost pixels of the north, east, south and west side."""
    return card[0], card[:, -1], card[-1], card[:, 0]


def has_neck(edge):
    return not near(edge[PIXELS // 2], PARCHMENT)


def test_sides_with_a_neck_are_equal_and_other_sides_plain(cards):
    """Compare the pixels of each side with a neck, in both directions.

    Other sides are plain parchment.
    """
    rows = rows_by_copy("necks.csv")
    rows += rows_of("bodies.csv")
    pattern = None
    for row, card in zip(rows, [*cards["necks"], *cards["bodies"]], strict=True):
        ports = {port for item in row["neck"].split() for port in item.split(":")[0].split("-")}
        for port, edge in zip("nesw", edges(card), strict=True):
            if port not in ports:
                assert near(edge, PARCHMENT).all(), f"{row['id']} {port}"
                continue
            pattern = edge if pattern is None else pattern
            for entry in (edge, edge[::-1]):
                differing = np.abs(entry - pattern).max(axis=-1) > 90
                assert differing.sum() <= 8, f"{row['id']} {port}"


def test_neck_continues_across_a_seam_without_a_break(cards):
    """Place two cards side by side and compare pixels across the seam with those next to it."""
    by_id = {
        row["id"]: card for row, card in zip(rows_by_copy("necks.csv"), cards["necks"], strict=True)
    }
    straight = np.rot90(by_id["h01"])
    for other, turns in (
        ("h11", 0),
        ("h03", 0),
        ("h06", 0),
        ("h09", 0),
        ("h09", 1),
        ("h24", 0),
        ("t01", 0),
        ("h18", 2),
    ):
        pair = np.hstack([straight, np.rot90(by_id[other], turns)])
        step = np.abs(np.diff(pair, axis=1)).mean(axis=(0, 2))
        assert step[PIXELS - 1] <= step[PIXELS - 20 : PIXELS + 20].max() + 1, other


def total_count(rows):
    return sum(int(row["count"]) for row in rows)


def rows_by_copy(name):
    return [row for row in rows_of(name) for _ in range(int(row["count"]))]


def test_deck_of_the_first_release_can_be_rebuilt_and_checked(pnp, tmp_path):
    """Rebuild the 39 play cards of release 1 from 36 that remained and three that were removed."""
    rows = rows_of("necks.csv")
    removed = rows_of("releases/removed-in-2.csv")
    remaining = [row for row in rows if row["since"] == "1"]
    new = [row for row in rows if row["since"] == "2"]
    assert (total_count(remaining), total_count(removed), total_count(new)) == (36, 3, 24)
    assert total_count(new) + total_count(rows_of("labours.csv")) == 36
    assert {row["since"] for row in rows_of("bodies.csv")} == {"1"}
    assert not {row["id"] for row in removed} & {row["id"] for row in rows}
    old = Path(shutil.copytree(PACK, tmp_path / "hydras"))
    with (old / "necks.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(remaining + removed)
    figures = (old / "figures.yaml").read_text("utf-8")
    # Release 1 has h12 but not h26.
    (old / "figures.yaml").write_text(figures.replace("h26", "h12"), "utf-8")
    result = pnp("check", old)
    assert result.exit_code == 0, result.output
    assert "Play cards: 39 pieces" in result.output
    assert "0 warnings" in result.output


def test_check_has_no_warnings(pnp):
    result = pnp("check", PACK)
    assert result.exit_code == 0
    assert "0 warnings" in result.output
