"""Test Greenways as a player gets it, read back from its files, and the boards of its figures."""

import csv
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from generator.board.board import Board, parse_grid
from generator.board.claims import check_claim
from generator.pack.load import PackForm, load
from generator.pipeline.packs import find_pack
from generator.pipeline.rulebook import board_rules
from generator.pipeline.vocabulary import vocabulary
from tests.tools.read_pdf import assert_marks_clear, read, render
from tests.tools.read_rules import shown_figures

PACK = Path(__file__).parents[2] / "templates" / "greenways"
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
TRIM = 38.0
BLEED = 2.0
MARGIN = 10.0
TILES = 72
ON_A_SIDE = 24
RULES = {
    "connect": "must-join",
    "same-type": "kinds",
    "all-sides": "sides",
    "street": "complete-needs",
    "greenway": "complete-needs",
    "parks": "never-touch",
    "buildings": "never-touch",
}
TOTALS = {"A": 14, "B": 20, "C": 10, "D": 18, "E": 22, "total": 84}
SMALL = {
    "streets-5": ("A", 5),
    "streets-0": ("A", 0),
    "greenways-3": ("B", 3),
    "greenways-0": ("B", 0),
    "parks-4": ("C", 4),
    "longest-5": ("D", 5),
}
FIGURES = yaml.safe_load((PACK / "figures.yaml").read_text("utf-8"))


def tile_rows():
    return list(csv.DictReader((PACK / "tiles.csv").read_text("utf-8").splitlines()))


@pytest.fixture(scope="module")
def greenways(printed):
    """Return the folder with the printed game."""
    return printed("greenways")


@pytest.fixture(params=PAPERS)
def paper(request):
    return request.param


@pytest.fixture
def file(greenways, paper):
    return greenways / f"greenways-2-sheets-{paper}.pdf"


@pytest.fixture
def sheets_on_a4(greenways):
    """Return one of the files: the pixels of a tile do not depend on its paper."""
    return greenways / "greenways-2-sheets-a4.pdf"


@pytest.fixture(scope="module")
def rules():
    return board_rules(load(find_pack("greenways"), vocabulary(), PackForm()))


def board(rules, name):
    text = FIGURES[name]["board"]
    return parse_grid(
        FIGURES[text.removeprefix("like ")]["board"] if text[:5] == "like " else text,
        rules.kit,
        rules.lattice,
    )


def codes(rules, there):
    return {breach.code for breach in rules.breaches(rules.analyse(there))}


def test_three_sheets_hold_24_tiles_each(file, paper):
    pages = read(file)
    assert [page.label for page in pages] == [
        "1 front",
        "1 back",
        "2 front",
        "2 back",
        "3 front",
        "3 back",
    ]
    for page in pages:
        assert (round(page.width, 2), round(page.height, 2)) == PAPERS[paper]
        assert len(page.forms) == ON_A_SIDE
    forms = [form.form for page in pages[0::2] for form in page.forms]
    assert len(forms) == TILES
    assert sorted(Counter(forms).values()) == sorted(int(row["count"]) for row in tile_rows())


def test_all_backs_are_the_same(file):
    assert len({form.form for page in read(file)[1::2] for form in page.forms}) == 1


def test_tiles_lie_in_a_centred_grid_with_backs_behind_fronts(file, paper):
    """Compare places with a grid of four by six tiles of 38 mm that touch."""
    width, height = PAPERS[paper]
    pages = read(file)
    columns = [width / 2 + TRIM * n for n in (-1.5, -0.5, 0.5, 1.5)]
    rows = [height / 2 + TRIM * n for n in (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)]
    for front, back in zip(pages[0::2], pages[1::2], strict=True):
        for form in front.forms:
            assert form.w == pytest.approx(TRIM + 2 * BLEED, abs=0.01)
            assert form.h == pytest.approx(TRIM + 2 * BLEED, abs=0.01)
            assert MARGIN - 0.01 <= form.x - TRIM / 2 <= width - MARGIN - TRIM + 0.01
            assert MARGIN - 0.01 <= form.y - TRIM / 2 <= height - MARGIN - TRIM + 0.01
        assert sorted({round(form.x, 2) for form in front.forms}) == pytest.approx(
            columns, abs=0.02
        )
        assert np.diff(sorted({round(form.y, 2) for form in front.forms})) == pytest.approx(
            np.diff(rows), abs=0.02
        )
        behind = {(round(width - form.x, 2), round(form.y, 2)) for form in back.forms}
        assert behind == {(round(form.x, 2), round(form.y, 2)) for form in front.forms}


def test_a_sheet_takes_12_cuts(file):
    """Count the lines on which the edges of tiles lie: 5 down and 7 across, 36 for the game."""
    for page in read(file):
        cuts = 0
        for middles in ([form.x for form in page.forms], [form.y for form in page.forms]):
            edges = sorted(middle + half for middle in middles for half in (-TRIM / 2, TRIM / 2))
            cuts += 1 + sum(after - before > 1 for before, after in pairwise(edges))
        assert cuts == 12


def test_pictures_run_on_across_every_cut(sheets_on_a4):
    """Compare pixels 0.4 mm on either side of each cut between two tiles.

    A knife that strays by half a millimetre then leaves no stripe of another colour.
    """
    dpi = 200
    for number in (0, 1, 2, 3, 4, 5):
        page = read(sheets_on_a4)[number]
        picture = render(sheets_on_a4, number, dpi).astype(int)
        right = max(form.x for form in page.forms)
        foot = max(form.y for form in page.forms)

        def line(at, start, end, *, upright, picture=picture):
            """Return the pixels of a line across the page, between two places in mm."""
            first, last = (round(mm / 25.4 * dpi) for mm in (start, end))
            at = round(at / 25.4 * dpi)
            return picture[first:last, at] if upright else picture[at, first:last]

        for form in page.forms:
            for has_neighbour, middle, along, upright in (
                (form.x < right - 1, form.x, form.y, True),
                (form.y < foot - 1, form.y, form.x, False),
            ):
                if not has_neighbour:
                    continue
                cut = middle + TRIM / 2
                start = along - TRIM / 2 + 1
                end = along + TRIM / 2 - 1
                before = line(cut - 0.4, start, end, upright=upright)
                behind = line(cut + 0.4, start, end, upright=upright)
                other = np.abs(before - behind).max(axis=1) > 60
                # Crowns of trees differ, in stripes of less than 2 mm each; a street is 10 mm wide.
                assert other.mean() < 0.12, (number, form.x, form.y)


def test_colour_reaches_end_of_bleed(file):
    """Look at pixels just inside the bleed on every side."""
    for number in (0, 1):
        picture = render(file, number, 150)
        for form in read(file)[number].forms:
            for dx, dy in ((-1, 0.3), (1, 0.3), (0.3, -1), (0.3, 1)):
                reach = TRIM / 2 + BLEED - 0.3
                x = form.x + dx * reach
                y = form.y + dy * reach
                assert picture[round(y / 25.4 * 150), round(x / 25.4 * 150)].min() < 250


def test_cut_marks_lie_outside_every_bleed(file):
    for page in read(file):
        assert_marks_clear(page)


def test_streets_and_greenways_differ_in_grey(sheets_on_a4):
    """Compare grey levels: dark greenways with a light path, light streets with a white line."""
    picture = render(sheets_on_a4, 4, 200).mean(axis=2)
    order = yaml.safe_load((PACK / "game.yaml").read_text("utf-8"))["components"]["tiles"]["order"]
    assert order.index("S<") // ON_A_SIDE == 2
    start = read(sheets_on_a4)[4].forms[order.index("S<") % ON_A_SIDE]

    def grey(x, y):
        dx, dy = y, -x  # a quarter to the left
        y = round((start.y + dy) / 25.4 * 200)
        x = round((start.x + dx) / 25.4 * 200)
        return picture[y, x]

    green = grey(3, -16)
    path = grey(0, -16)
    street = grey(-16, 2.5)
    line = grey(-14, 0)
    assert street - green > 40
    assert path > 200 > street
    assert line > 250


def test_table_has_every_kind_of_tile():
    runs = {row["like"]: row["runs"] for row in tile_rows()}
    both = [name for name, text in runs.items() if "street" in text and "greenway" in text]
    assert both == ["S", "bridge", "twin"]
    assert sum("@intersection" in text for text in runs.values()) == 2
    assert sum("@park" in text for text in runs.values()) == 3
    assert [row["count"] for row in tile_rows() if row["sign"] == "S"] == ["1"]


def test_common_kinds_of_tiles_have_several_pictures():
    """Compare the designs of each kind, which have equal links and different pictures."""
    views = {}
    for row in tile_rows():
        views.setdefault(row["like"], []).append(row)
        assert (PACK / "art/under" / f"{row['id']}.svg").is_file()
        assert (PACK / "art/life" / f"{row['id']}.svg").is_file() == bool(row["runs"])
    over = {path.stem for path in (PACK / "art/over").glob("*.svg")}
    assert over == {*views} - {"street", "bend", "house", "terrace", "tower", "hall", "court"}
    assert {
        kind: sum(int(row["count"]) for row in rows)
        for kind, rows in views.items()
        if len(rows) > 1
    } == {
        "street": 7,
        "bend": 7,
        "tee": 5,
        "green": 8,
        "curve": 7,
        "fork": 4,
    }
    for kind, rows in views.items():
        assert len({(row["runs"], row["words"]) for row in rows}) == 1
        assert len({(PACK / "art/under" / f"{row['id']}.svg").read_bytes() for row in rows}) == len(
            rows
        )
        assert all(int(row["count"]) <= 3 for row in rows) or kind == "house"


@pytest.mark.parametrize("name", RULES)
def test_yes_board_of_a_rule_is_legal(rules, name):
    assert codes(rules, board(rules, f"{name}-yes")) == set()


@pytest.mark.parametrize(("name", "code"), RULES.items())
def test_no_board_of_a_rule_breaks_that_rule_only(rules, name, code):
    scene = rules.analyse(board(rules, f"{name}-no"))
    breaches = rules.breaches(scene)
    assert [breach.code for breach in breaches] == [code]
    words = {
        "street": "street",
        "greenway": "greenway",
        "parks": "park at",
        "buildings": "building at",
    }
    assert words.get(name, "") in breaches[0].text


@pytest.mark.parametrize(
    ("name", "claim"),
    [(name, claim) for name, figure in FIGURES.items() for claim in figure.get("claims", ())],
)
def test_every_claim_of_a_figure_holds(rules, name, claim):
    outcome = check_claim(claim, board(rules, name), rules)
    assert outcome.ok, str(outcome)


def test_every_rule_and_score_has_a_claim():
    for name, code in RULES.items():
        assert "legal: true" in FIGURES[f"{name}-yes"]["claims"]
        assert f"legal: false because {code}" in FIGURES[f"{name}-no"]["claims"]
    for name, (score, points) in SMALL.items():
        assert f"score {score}: {points}" in FIGURES[name]["claims"]
    for score, points in TOTALS.items():
        assert f"score {score}: {points}" in FIGURES["city-scored"]["claims"]


@pytest.mark.parametrize("name", FIGURES)
def test_figure_uses_no_more_tiles_than_the_game_has(rules, name):
    used = Counter(placement.design for placement in board(rules, name).placements)
    have = {row["id"]: int(row["count"]) for row in tile_rows()}
    assert all(times <= have[design] for design, times in used.items())


def test_small_examples_have_their_scores(rules):
    for name, (score, points) in SMALL.items():
        assert rules.score(score, rules.analyse(board(rules, name))) == points


def test_scored_city_meets_the_end_conditions_and_marks_every_score():
    figure = FIGURES["city-scored"]
    assert {"met rows: true", "met columns: true", "tiles: 50"} <= set(figure["claims"])
    (tally,) = (overlay["tally"] for overlay in figure["overlays"])
    assert tally == ["A", "B", "C", "D"]
    assert "'pile': 'tiles'" in str(figure["table"])


def test_city_is_legal_and_scores_84(rules):
    city = board(rules, "city-scored")
    scene = rules.analyse(city)
    assert {name: rules.score(name, scene) for name in TOTALS} == TOTALS
    assert TILES - len(city.placements) == TOTALS["E"]
    assert codes(rules, city) == set()


def test_city_scores_are_confirmed_by_hand_count():
    """Count the scores from the table's notation alone, without the program."""
    grid = [row.split() for row in FIGURES["city-scored"]["board"].splitlines() if row.strip()]
    assert len(grid) >= 8
    assert all(len(row) >= 8 for row in grid)
    tiles = {
        (x, y): _turned_runs(cell)
        for y, row in enumerate(grid)
        for x, cell in enumerate(row)
        if cell != "."
    }
    for line in range(8):
        assert any("greenway" in _kinds(tile) for (x, _), tile in tiles.items() if x == line)
        assert any("greenway" in _kinds(tile) for (_, y), tile in tiles.items() if y == line)
    linked = {
        "street": _linked_places(tiles, "street", "intersection"),
        "greenway": _linked_places(tiles, "greenway", "park"),
    }
    assert len(linked["street"]) == TOTALS["A"]
    assert len(linked["greenway"]) == TOTALS["B"]
    assert (
        2 * sum(any(feature == "park" for _, _, feature in tile) for tile in tiles.values())
        == TOTALS["C"]
    )
    green = {place for place, tile in tiles.items() if "greenway" in _kinds(tile)}
    near = {place: _neighbours(tiles, place, "greenway") for place in green}
    assert max(_longest_walk(near, start, {start}) for start in green) == TOTALS["D"]


def test_city_can_be_built_tile_by_tile(rules):
    """Place tiles from the start along streets and greenways, then buildings, all legally."""
    city = board(rules, "city-scored")
    scene = rules.analyse(city)
    at = {item.place: item for item in city.placements}
    order = [next(placement.place for placement in city.placements if placement.design == "S")]
    for place in order:
        order += [other for other in sorted(scene.joined_places(place)) if other not in order]
    order += [place for place in sorted(at) if place not in order]
    for step in range(1, len(order) + 1):
        assert (
            codes(rules, Board(city.lattice, tuple(at[place] for place in order[:step]))) == set()
        )


def test_rules_show_every_figure_and_name_every_number(greenways):
    text = (PACK / "rules.md").read_text("utf-8")
    for name in FIGURES:
        assert name in shown_figures(text), name
    printed = " ".join(
        " ".join(page.text.split()) for page in read(greenways / "greenways-2-rules.pdf")
    )
    for words in (
        "8 rows",
        "8 columns",
        "5 points",
        "3 points",
        "0 points",
        "2 points",
        "1 point",
        "72",
        "84",
    ):
        assert words in printed
    for heading in (
        "How to play",
        "Where you may place a tile",
        "End of the game",
        "Scoring",
        "Playing together",
    ):
        assert heading.lower() in printed.lower()


def _turned_runs(cell):
    """Return the sides, the kind and the feature of each run of a cell."""
    design = cell
    sign = ""
    for mark in ("/180", ">", "<"):
        if cell.endswith(mark):
            design = cell.removesuffix(mark)
            sign = mark
    quarters = {"": 0, ">": 1, "/180": 2, "<": 3}[sign]
    text = next(row["runs"] for row in tile_rows() if row["id"] == design)
    runs = []
    for item in text.split():
        sides, _, rest = item.partition(":")
        kind, _, feature = rest.partition("@")
        runs.append(
            (
                frozenset("nesw"[("nesw".index(s) + quarters) % 4] for s in sides.split("-")),
                kind,
                feature,
            )
        )
    return runs


def _kinds(tile):
    return {kind for _, kind, _ in tile}


def _neighbours(tiles, place, kind):
    """Return the places of the tiles that continue a tile's run of a kind."""
    x, y = place
    steps = {"n": (x, y - 1), "e": (x + 1, y), "s": (x, y + 1), "w": (x - 1, y)}
    sides = {side for ports, of, _ in tiles[place] if of == kind for side in ports}
    facing = {"n": "s", "s": "n", "e": "w", "w": "e"}
    return {
        steps[side]
        for side in sides
        if any(of == kind and facing[side] in ports for ports, of, _ in tiles.get(steps[side], ()))
    }


def _linked_places(tiles, kind, feature):
    linked_places = {
        place
        for place, tile in tiles.items()
        if any((of, on) == (kind, feature) for _, of, on in tile)
    }
    waiting = list(linked_places)
    while waiting:
        fresh = _neighbours(tiles, waiting.pop(), kind) - linked_places
        linked_places |= fresh
        waiting += fresh
    return linked_places


def _longest_walk(near, place, been):
    return 1 + max(
        (_longest_walk(near, other, been | {other}) for other in near[place] - been), default=0
    )
