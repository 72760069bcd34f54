"""Test Fire Engines as a player gets it, read back from its files, and the boards of its figures."""

import csv
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from generator.base.geometry import Rect
from generator.board.board import parse_grid
from generator.board.claims import check_claim
from generator.pack.load import PackForm, load
from generator.picture.raster import Rasteriser
from generator.pipeline.packs import find_pack
from generator.pipeline.rulebook import board_rules
from generator.pipeline.vocabulary import vocabulary
from tests.tools.booklet_pages import pages as pages_of_booklet
from tests.tools.booklet_pages import plain
from tests.tools.read_pdf import read, render

GAME = "urban-insanity-fire-engines"
PACK = Path(__file__).parents[2] / "templates" / GAME
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
FIGURES = yaml.safe_load((PACK / "figures.yaml").read_text("utf-8"))
SETTINGS = yaml.safe_load((PACK / "game.yaml").read_text("utf-8"))
PRINTED = {  # component: number of copies of each design
    "stations": [2, 2, 2],
    "hydrants": [2, 2, 2],
    "actions": [3, 3, 3],
    "tokens": [10],
}
DRIVE = ("A1", "B1", "C1", "D1 D2", "D3 E3", "E4")


@pytest.fixture(scope="module")
def game(printed):
    """Return the folder with the printed game."""
    return printed(GAME)


@pytest.fixture(params=PAPERS)
def paper(request):
    return request.param


@pytest.fixture
def pages(game, paper):
    return read(game / f"{GAME}-2-sheets-{paper}.pdf")


@pytest.fixture(scope="module")
def rules():
    return board_rules(load(find_pack(GAME), vocabulary(), PackForm()))


def board(rules, name):
    return parse_grid(FIGURES[name]["board"], rules.kit, rules.lattice)


@pytest.fixture
def placed(pages, pieces_by_picture):
    """Return a function that gives a component's front pictures with their page numbers."""

    def of(component):
        return [
            (number, form)
            for number, page in enumerate(pages)
            if page.label.endswith("front")
            for form in page.forms
            if pieces_by_picture(GAME)[form.name][0] == component
        ]

    return of


@pytest.mark.parametrize("component", PRINTED)
def test_each_design_is_printed_as_often_as_in_the_original(placed, component):
    """Count 6 Fire Stations, 6 Fire Hydrants, 9 action cards and 10 Blaze Tokens."""
    times = Counter(form.name for _, form in placed(component))
    assert [*times.values()] == PRINTED[component]


def test_game_is_printed_on_four_double_sided_sheets(pages):
    assert [page.label for page in pages] == [
        f"{n} {side}" for n in (1, 2, 3, 4) for side in ("front", "back")
    ]


def test_expected_counts_add_up_to_those_of_the_original():
    assert [sum(times) for times in PRINTED.values()] == [6, 6, 9, 10]


def test_every_fire_station_has_a_stop_sign(pages, placed):
    (page,) = {number for number, _ in placed("stations")}
    assert pages[page].text.count("STOP") == 6
    for row in SETTINGS["components"]["stations"]["data"]:
        assert "@stop" in row["runs"]
        assert "block@building" in row["runs"]
    for row in SETTINGS["components"]["hydrants"]["data"]:
        assert "block@hydrant" in row["runs"]


def test_each_action_card_is_printed_three_times_by_name(pages, placed):
    (page,) = {number for number, _ in placed("actions")}
    text = "".join(pages[page].text.split())
    for name in ("FIREBUG", "ARSONIST", "FIREALARM"):
        assert text.count(name) == 3


def test_city_tiles_offer_features_that_figures_need(placed):
    assert len(placed("city")) == 24
    features = Counter()
    for row in csv.DictReader((PACK / "city.csv").read_text("utf-8").splitlines()):
        features.update({run.partition("@")[2] for run in row["runs"].split()} - {""})
        features.update(
            {run.partition(":")[2].partition("@")[0] for run in row["runs"].split()} or {"suburb"}
        )
    assert {
        "road",
        "highway",
        "exit",
        "yield",
        "stadium",
        "cul-de-sac",
        "suburb",
        "building",
    } <= set(features)


def behind(pages, paper, number, form):
    """Return the back that lies behind a front."""
    width = PAPERS[paper][0]
    (back,) = [
        other
        for other in pages[number + 1].forms
        if abs(width - other.x - form.x) < 0.01 and abs(other.y - form.y) < 0.01
    ]
    return back


@pytest.mark.parametrize(
    "components", [("stations", "hydrants", "city"), ("actions",), ("tokens",)], ids="-".join
)
def test_tiles_actions_and_tokens_have_one_back_each(pages, placed, paper, components):
    pieces = [piece for component in components for piece in placed(component)]
    assert len({behind(pages, paper, number, form).name for number, form in pieces}) == 1


def test_opposite_sides_of_a_die_add_up_to_seven(game, placed, paper):
    """Count the pips on two crosses of six squares.

    Squares with one square between them are opposite sides.
    """
    sides = placed("dice")
    assert len(sides) == 12
    (page,) = {number for number, _ in sides}
    picture = render(game / f"{GAME}-2-sheets-{paper}.pdf", page, 200)

    def pips(form):
        spots = [(form.x + 5 * a, form.y + 5 * b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        return sum(
            picture[round(y / 25.4 * 200), round(x / 25.4 * 200)].min() > 230 for x, y in spots
        )

    forms_with_pips = [(form, pips(form)) for _, form in sides]
    assert sorted(many for _, many in forms_with_pips) == sorted([1, 2, 3, 4, 5, 6] * 2)
    opposite = [
        many + other
        for (a, many), (b, other) in combinations(forms_with_pips, 2)
        if sorted((abs(a.x - b.x), abs(a.y - b.y))) == pytest.approx([0, 40], abs=0.05)
    ]
    assert opposite == [7] * 6


@pytest.mark.parametrize(
    ("name", "claim"),
    [(name, claim) for name, figure in FIGURES.items() for claim in figure.get("claims", ())],
)
def test_every_claim_of_a_figure_holds(rules, name, claim):
    outcome = check_claim(claim, board(rules, name), rules)
    assert outcome.ok, str(outcome)


@pytest.mark.parametrize("name", [name for name, figure in FIGURES.items() if "board" in figure])
def test_figure_uses_no_more_pieces_than_the_game_has(rules, name):
    used = Counter(placement.design for placement in board(rules, name).placements)
    assert all(times <= rules.kit.design(design).count for design, times in used.items())


def test_example_drive_counts_steps_and_blazes(rules):
    """Drive five steps on a roll of 6 and 1, past two Blaze Tokens, with a sixth step possible."""
    drive_board = board(rules, "drive")
    path = DRIVE[0]
    for step, places in enumerate(DRIVE[1:], 1):
        path = f"{path} {places}"
        blazes = 1 if step < 4 else 2
        assert check_claim(
            f"path truck {path} rolling 6 1: steps {step}, blaze {blazes}", drive_board, rules
        ).ok
    assert check_claim(f"path truck {path} F4 rolling 6 1: steps 6", drive_board, rules).ok
    assert not check_claim(f"path truck {path} F4 rolling 5 1: steps 6", drive_board, rules).ok


@pytest.mark.parametrize(
    ("name", "score", "points"),
    [
        ("no-blaze", "finished", 6),
        ("one-blaze", "finished", 3),
        ("two-blazes", "finished", 0),
        ("open-blaze", "unfinished", 0),
        ("hydrant-after", "finished", 6),
        ("franchise", "franchises", 1),
        ("no-franchise", "franchises", 0),
        ("skyscraper", "finished", 3),
        ("skyscraper", "heights", 0),
    ],
)
def test_boards_of_figures_have_their_scores(rules, name, score, points):
    assert rules.score(score, rules.analyse(board(rules, name))) == points


def test_booklet_pages_are_a_multiple_of_four(game, paper):
    """Count the sides, which hold two pages each."""
    sides = read(game / f"{GAME}-2-rules-booklet-{paper}.pdf")
    assert 2 * len(sides) % 4 == 0
    assert 2 * len(sides) >= len(read(game / f"{GAME}-2-rules.pdf"))
    width, height = PAPERS[paper]
    assert {(round(page.width, 1), round(page.height, 1)) for page in sides} == {(height, width)}


def test_rules_show_every_figure_and_count_every_component(game):
    text = (PACK / "rules.md").read_text("utf-8")
    for name in FIGURES:
        assert re.search(rf"(?:::: figure|- yes:|- no:) {name}(?=\n| —)", text), name
    leaves = read(game / f"{GAME}-2-rules.pdf")
    printed = " ".join(" ".join(page.text.split()) for page in leaves)
    for words in (
        "6 Fire Station",
        "6 Fire Hydrant",
        "9 Fire Engines",
        "10 Blaze Tokens",
        "two movement dice",
    ):
        assert words in printed
    for title, many in (
        ("Action cards", 9),
        ("Blaze Tokens", 10),
        ("Dice", 2),
        ("Fire Station tiles", 6),
    ):
        assert f"{many} × {title}" in printed
    for heading in ("Mobsters", "Franchises", "Skyscrapers"):
        assert heading.lower() in printed.lower()
    assert "all 6 expansion sets" in " ".join(leaves[-2].text.split()).lower(), (
        "the last page before the back cover"
    )


@pytest.mark.parametrize(("tail", "folded"), [("rules", False), ("rules-booklet-a4", True)])
def test_all_expansion_sets_stand_on_one_page(game, tail, folded):
    titles = re.findall(r"(?m)^- art/sets/\S+: (.+?) —", (PACK / "rules.md").read_text("utf-8"))
    assert len(titles) == 6
    leaves = pages_of_booklet(game / f"{GAME}-2-{tail}.pdf", folded=folded)
    texts = ["".join(letter for letter, *_ in leaf) for leaf in leaves.values()]
    (advertisement,) = [text for text in texts if "getall6expansionsets" in text]
    assert [title for title in titles if plain(title) not in advertisement] == []


def test_page_references_lead_to_pages_of_their_section(game):
    """Compare "see pages …" with the pages on which the moves of the truck begin and end."""
    texts = [" ".join(page.text.split()).lower() for page in read(game / f"{GAME}-2-rules.pdf")]
    first = next(n for n, text in enumerate(texts, 1) if "where it starts" in text)
    last = next(n for n, text in enumerate(texts, 1) if "not to move a sixth time" in text)
    assert first < last
    assert sum(text.count(f"see pages {first}–{last}") for text in texts) == 2


@pytest.mark.parametrize(
    "icon",
    ["stop", "exit", "yield", "die", "die-6", "die-1", "blaze", "stadium", "cul-de-sac", "hydrant"],
)
def test_sign_stands_in_the_rules_and_has_an_icon(icon):
    assert f":{icon}:" in (PACK / "rules.md").read_text("utf-8")
    assert (PACK / "art" / "icons" / f"{icon}.svg").is_file()


def test_readme_names_every_figure_except_that_of_tile_parts():
    """Allow for the figure of tile parts, which illustrates no line of the original."""
    readme = (
        (PACK / "README.md")
        .read_text("utf-8")
        .partition("## Where the booklet")[2]
        .partition("\n## ")[0]
    )
    assert set(FIGURES) - set(re.findall(r"`([\w-]+)`", readme)) == {"tile-parts"}


def test_roads_are_drawn_to_their_sides_and_no_others(project_of):
    """Look for asphalt in the middle of each side with a road or a highway."""
    project = project_of(GAME)
    raster = Rasteriser(project.game.fonts)
    sides = {"n": (0.5, 0.02), "e": (0.98, 0.5), "s": (0.5, 0.98), "w": (0.02, 0.5)}
    side_count = 0
    for component in project.components:
        for design, spec in zip(component.designs, component.spec.designs, strict=True):
            roads = {
                port
                for link in spec.front.tile.links
                if link.kind != "block"
                for port in link.ports
            }
            if not spec.front.tile.links:
                continue
            size = design.front.size
            picture = raster.face(design.front, 127, Rect(0, 0, *size)).convert("RGB")
            for port, (x, y) in sides.items():
                spots = [(x + dx, y) if port in "ns" else (x, y + dx) for dx in (-0.06, 0.06)]
                pixels = [
                    picture.getpixel((int(u * picture.width), int(v * picture.height)))
                    for u, v in spots
                ]
                grey = all(max(p) - min(p) < 30 and 40 < max(p) < 140 for p in pixels)
                assert grey == (port in roads), f"{design.id} {port} {pixels}"
                side_count += 1
    assert side_count > 60
