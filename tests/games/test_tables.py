"""Test the two pictures of the whole table in each game: its set-up and its scored end.

The numbers are counted from the original rules, not by the program.
"""

from collections import Counter
from operator import attrgetter

import pytest

from generator.base.geometry import Point
from generator.pack.load import PackForm
from generator.picture.items import Group, TextRun, walk
from generator.pipeline.project import BuildRequest, Project

SET_UPS = {
    # The pieces in each pile and bag: all of the game, less those dealt, placed or set aside.
    "hoses-and-hydrants": ("table-set-up", {56 - 1 - 2 * 5}),
    "greenways": ("table-set-up", {72 - 1 - 3}),
    "hydras": ("table-set-up", {60 - 3 * 4}),
    "urban-insanity-fire-engines": ("table-set-up", {6 + 6, 9}),
    "buizen-wir-war": ("starting-tile", {10 - 1, 10, 64 + 4 + 4 - 2 * 4}),
}
SCORED = {
    # The badges on the tiles, and the lines of the score sheet.
    "hoses-and-hydrants": ("scored", {"3": 3, "2": 6}, (3 * 3, 6 * 2, 21)),
    "greenways": (
        "city-scored",
        {"A": 14, "B": 20, "C": 5, "D": 18},
        (14, 20, 5 * 2, 18, 72 - 50, 84),
    ),
    "hydras": ("scored", {"1": 4, "2": 1, "3": 1}, (4 * 1 + 2 + 3,)),
    "urban-insanity-fire-engines": (
        "scored",
        {"2": 3, "1": 3, "0": 3},
        (3 * 2 + 3 * 1, 0, 9),
    ),
    # Two pipes of fire and one of PP, each of three tiles in a row.
    "buizen-wir-war": (
        "final-score",
        {"1": 3 * 2, "2": 3 * 1},
        (2 * (1 + 2 + 1), 1 + 2 + 1),
    ),
}


def words(figure, order=attrgetter("x")):
    """Return the words on a figure in the order of their places, without those on its pieces."""
    items = tuple(item for item in figure.face.items if isinstance(item, Group))
    placed = [
        (order(at.apply(Point(item.x, item.y))), item.text)
        for item, at in walk(items)
        if isinstance(item, TextRun)
    ]
    return [text for _, text in sorted(placed)]


@pytest.mark.parametrize("game", SET_UPS)
def test_set_up_shows_the_pieces_that_are_left(project_of, game):
    name, counts = SET_UPS[game]
    counts_in_figure = {
        int(text[1:]) for text in words(project_of(game).figures[name]) if text[0] == "×"
    }
    assert counts_in_figure == counts


@pytest.mark.parametrize("game", SCORED)
def test_badges_of_the_scored_end_add_up_to_its_score_sheet(project_of, game):
    name, badges, lines = SCORED[game]
    # The score sheet's points come last: it stands at the right of the board, or below it.
    texts = words(project_of(game).figures[name], attrgetter("y" if game == "hydras" else "x"))
    text_counts = Counter(texts)
    points = [text for text in texts if text.isdigit()][-len(lines) :]
    assert sorted(map(int, points)) == sorted(lines)
    text_counts.subtract(points)
    assert {text: text_counts[text] for text in badges} == badges


@pytest.mark.parametrize("game", SCORED)
def test_both_pictures_are_in_the_rules_with_legible_pieces(project_of, game):
    """Expect pieces of at least 14 mm on a page 177 mm wide."""
    for name in (SET_UPS[game][0], SCORED[game][0]):
        figure = project_of(game).figures[name]
        assert figure.piece * min(1.0, 177.0 / figure.face.size.w) >= 14.0, name


def test_tables_of_buizen_are_labelled_in_dutch():
    figures = Project(BuildRequest("buizen-wir-war", PackForm(language="nl"))).figures
    texts = {*words(figures["starting-tile"]), *words(figures["final-score"])}
    assert {
        "pompkamers",
        "wegen",
        "buidel",
        "starttegel",
        "Jij",
        "jouw kleurtegel",
        "Brand",
    } <= texts
    assert not {"roads", "pouch", "You", "Fire", "your colour tile"} & texts
