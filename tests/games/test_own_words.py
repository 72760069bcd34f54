"""Test that no pack shares eight words in a row with the original, except names and credits.

`tests/data/originals/` has a file for each game with digests of the runs of its original rules, which
are not in this repository.
"""

import re
from pathlib import Path

import pytest

from tests.tools.word_runs import RUN, digest, runs

TEMPLATES = Path(__file__).parents[2] / "templates"
ORIGINALS = Path(__file__).parents[1] / "data" / "originals"
GAMES = sorted(path.parent.name for path in TEMPLATES.glob("*/game.yaml"))
TEXTS = ("*.md", "*.yaml", "*.csv", "layouts/*.yaml")
CREDITS = re.compile(
    r"^credits[^\n]*:\n(?:  -[^\n]*\n)+|^::: credits\n.*?^:::", re.MULTILINE | re.DOTALL
)


def original(game: str) -> set[str]:
    return {*(ORIGINALS / f"{game}.txt").read_text("utf-8").split()}


def copied_runs(text: str, hashes: set[str]) -> list[str]:
    return [" ".join(run) for run in runs(CREDITS.sub("", text)) if digest(run) in hashes]


def runs_in_credits(game: str) -> set[str]:
    """Return the hashes of runs in credits, which the README may repeat."""
    parts = (part for path in texts(game) for part in CREDITS.findall(path.read_text("utf-8")))
    return {digest(run) for part in parts for run in runs(part)}


def texts(game: str) -> list[Path]:
    return sorted(path for pattern in TEXTS for path in (TEMPLATES / game).glob(pattern))


@pytest.mark.parametrize("game", GAMES)
def test_no_text_of_a_game_is_copied_from_the_original(game):
    hashes = original(game)
    assert len(hashes) > 200
    hashes_in_credits = runs_in_credits(game)
    copies = [
        f"{path.name}: {run}"
        for path in texts(game)
        for run in copied_runs(path.read_text("utf-8"), hashes - hashes_in_credits)
    ]
    assert not copies, "\n".join(copies)


@pytest.mark.parametrize("game", GAMES)
def test_search_for_copies_covers_rules_figures_and_readme(game):
    names = {path.name for path in texts(game)}
    assert {"rules.md", "figures.yaml", "game.yaml", "README.md"} <= names


def test_copy_is_found_regardless_of_signs_and_numbers():
    sentence = "If they don’t have a card, 12 of these *may* stay :sword: where they are now."
    hashes = {digest(run) for run in runs(sentence)}
    assert copied_runs("IF THEY don't have a card; 7 of these may", hashes) == [
        "if they don't have a card of these",
        "they don't have a card of these may",
    ]
    assert not copied_runs("If they have a card, some of these may stay.", hashes)


def test_names_in_credits_are_not_copies():
    names = " ".join(f"name{'x' * number}" for number in range(RUN))
    hashes = {digest(run) for run in runs(names)}
    assert copied_runs(names, hashes)
    assert not copied_runs(f"::: credits\n{names}\n:::", hashes)
