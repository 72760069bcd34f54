"""No eight words of a pack stand in a row in the original, names and credits aside.

`originals/` keeps the runs of the originals as hashes, a file a game. They were made with
`own_words.py`.
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


def copied(text: str, kept: set[str]) -> list[str]:
    return [" ".join(run) for run in runs(CREDITS.sub("", text)) if digest(run) in kept]


def credited(game: str) -> set[str]:
    """The runs in which the booklet names whom credits are due to; the README may name them too."""
    parts = (part for path in texts(game) for part in CREDITS.findall(path.read_text("utf-8")))
    return {digest(run) for part in parts for run in runs(part)}


def texts(game: str) -> list[Path]:
    return sorted(path for pattern in TEXTS for path in (TEMPLATES / game).glob(pattern))


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_copied(game):
    kept = original(game)
    assert len(kept) > 200
    named = credited(game)
    found = [
        f"{path.name}: {run}"
        for path in texts(game)
        for run in copied(path.read_text("utf-8"), kept - named)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_and_all_texts_are_looked_at(game):
    names = {path.name for path in texts(game)}
    assert {"rules.md", "figures.yaml", "game.yaml", "README.md"} <= names


def test_a_copy_is_found_whatever_its_signs_and_numbers():
    sentence = "If they don’t have a card, 12 of these *may* stay :sword: where they are now."
    kept = {digest(run) for run in runs(sentence)}
    assert copied("IF THEY don't have a card; 7 of these may", kept) == [
        "if they don't have a card of these",
        "they don't have a card of these may",
    ]
    assert not copied("If they have a card, some of these may stay.", kept)


def test_names_in_credits_are_no_copies():
    names = " ".join(f"name{'x' * number}" for number in range(RUN))
    kept = {digest(run) for run in runs(names)}
    assert copied(names, kept)
    assert not copied(f"::: credits\n{names}\n:::", kept)
