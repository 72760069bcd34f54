"""Test Buizen Wir-War as a player gets it, read back from its files.

Its numbers are those of the printed rules.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml

from generator.base.errors import PnpError
from generator.board.board import parse_grid
from generator.board.claims import check_claim
from generator.pipeline.project import BuildRequest, Project
from generator.pipeline.rulebook import board_rules
from tests.tools.read_pdf import read, render
from tests.tools.read_rules import shown_figures

GAME = "buizen-wir-war"
PACK = Path(__file__).parents[2] / "templates" / GAME
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
TRIM = 40.0
BLEED = 2.0
DPI = 100
COUNTS = {
    "Colour tiles": 4,
    "Pump and meter rooms": 10,
    "Roads": 10,
    "Roads with a manhole cover": 4,
    "Roads with an open pit": 4,
    "Pipes": 64,
}
DUTCH = {
    "Kleurtegels": 4,
    "Pomp- en meterkamers": 10,
    "Wegen": 10,
    "Wegen met een putdeksel": 4,
    "Wegen met een open put": 4,
    "Leidingen": 64,
}
MATERIALS = ("pe", "gas", "pp", "fire")
SIDES = "nesw"
CLAIMS = {
    "starting-tile": ["legal: true", "pump: 1"],
    "first-tile": ["legal: true", "neighbours at #first: 1"],
    "fits": ["legal: true"],
    "does-not-fit": ["legal: false because kinds"],
    "two-connections": ["legal: true", "neighbours at #new: 2"],
    "two-roads": ["filling: B1 road, A2 road"],
    "one-pump-room": ["filling: A1 pump"],
    "wrong-roads": ["legal: false because borders"],
    "wrong-pump-rooms": ["legal: false because borders"],
    "impossible": ["legal: false because fills"],
    "road": [
        "network pe at B1: closed, links 2",
        "network gas at F1: closed, links 2",
        "placing pit at #road: true",
    ],
    "open-pit": [
        "network pe at B1: open, open-ends 1",
        "network gas at F1: open, open-ends 1",
        "score pe: 0",
    ],
    "manhole-cover": ["score pe: 2", "score gas: 2", "placing pit at #road: false because over"],
    "pe-2-fire-1": ["links of pe at #it: 2", "links of fire at #it: 1"],
    "pp-1": ["links of pp at #it: 1"],
    "pp-2-fire-2": ["links of pp at #it: 2", "links of fire at #it: 2"],
    "pe-1-pp-1": ["links of pe at #it: 1", "links of pp at #it: 1"],
    "twelve": ["legal: true", "score fire: 12"],
    "not-closed": ["legal: true", "score fire: 0"],
    "final-score": [
        "legal: true",
        "score fire: 8",
        "score pp: 4",
        "network pp at B3: open, links 2",
    ],
}
"""Claims that each figure must have, perhaps among others."""


def pipe_rows():
    return list(csv.DictReader((PACK / "pipes.csv").read_text("utf-8").splitlines()))


def sides_of(text):
    """Return the material that ends at each side and the border there, two mappings by side."""
    pipes = {}
    borders = {}
    for word in text.split():
        ports, _, kind = word.partition(":")
        if kind:
            assert not {*ports.split("-")} & {*pipes}, f"two pipes at one side: {text}"
            pipes |= dict.fromkeys(ports.split("-"), kind.partition("@")[0])
        else:
            side, _, label = word.partition("=")
            borders[side] = label.removeprefix("to-")
    return pipes, borders


def figures_yaml():
    return yaml.safe_load((PACK / "figures.yaml").read_text("utf-8"))


@pytest.fixture(scope="session")
def english_files(printed):
    return printed(GAME)


@pytest.fixture(scope="session")
def dutch_files(printed):
    return printed(GAME, "--lang", "nl")


@pytest.fixture(params=PAPERS)
def paper(request):
    return request.param


@pytest.fixture
def sheets(english_files, paper):
    return english_files / f"{GAME}-1-sheets-{paper}.pdf"


def fronts_with_backs(sheets, paper):
    """Yield the front of every tile of the file and the back behind the front."""
    pages = read(sheets)
    for front, back in zip(pages[0::2], pages[1::2], strict=True):
        for form in front.forms:
            behind = min(
                back.forms,
                key=lambda other: np.hypot(PAPERS[paper][0] - other.x - form.x, other.y - form.y),
            )
            yield form, behind


COMPONENTS = ("colours", "pumps", "roads", "covers", "pits", "pipes")


@pytest.fixture
def tiles(sheets, paper, pieces_by_picture):
    """Return the front of each tile and the back behind the front, by component."""
    tiles_by_component = {}
    for front, back in fronts_with_backs(sheets, paper):
        tiles_by_component.setdefault(pieces_by_picture(GAME)[front.name][0], []).append(
            (front, back)
        )
    return tiles_by_component


def test_sheets_hold_every_tile_that_the_rules_count(sheets, paper, tiles):
    pages = read(sheets)
    assert [page.label for page in pages] == [
        f"{n} {side}" for n in range(1, 5) for side in ("front", "back")
    ]
    assert {len(page.forms) for page in pages} == {24}, "four full sheets"
    for page in pages:
        assert (round(page.width, 2), round(page.height, 2)) == PAPERS[paper]
    assert {name: len(tiles[name]) for name in COMPONENTS} == dict(
        zip(COMPONENTS, COUNTS.values(), strict=True)
    )


def test_every_back_lies_behind_its_front(sheets, paper):
    for front, back in fronts_with_backs(sheets, paper):
        assert np.hypot(PAPERS[paper][0] - back.x - front.x, back.y - front.y) <= 0.01
        for form in (front, back):
            assert (form.w, form.h) == pytest.approx((TRIM + 2 * BLEED,) * 2, abs=0.01)


def test_two_sides_of_a_tile_differ(sheets, paper):
    pages = read(sheets)
    for number in range(0, len(pages), 2):
        front, back = (render(sheets, number + side, DPI) for side in (0, 1))
        for form in pages[number].forms:
            here = cut(front, form.x, form.y)
            there = cut(back, PAPERS[paper][0] - form.x, form.y)
            for turned in (np.rot90(there, turn) for turn in range(4)):
                assert np.mean(np.abs(here - turned).max(axis=-1) > 60) > 0.05


def cut(picture, x, y):
    size = round((TRIM - 1) / 25.4 * DPI)
    left, top = (round((middle - (TRIM - 1) / 2) / 25.4 * DPI) for middle in (x, y))
    return picture[top : top + size, left : left + size]


def test_question_mark_is_same_on_all_colour_tiles(tiles):
    assert len({front.form for front, _ in tiles["colours"]}) == 1
    assert len({back.form for _, back in tiles["colours"]}) == 4


def test_pouch_holds_each_pipe_tile_as_often_as_its_table_says(tiles):
    copies = Counter(back.form for _, back in tiles["pipes"])
    assert sorted(copies.values()) == sorted(int(row["count"]) for row in pipe_rows())


def test_tiles_keep_their_distance_and_stay_inside_margins(sheets, paper):
    for page in read(sheets):
        corners = [(form.x - TRIM / 2, form.y - TRIM / 2) for form in page.forms]
        for index, (x, y) in enumerate(corners):
            assert 9 - 0.01 <= x <= PAPERS[paper][0] - 9 - TRIM + 0.01
            assert 9 - 0.01 <= y <= PAPERS[paper][1] - 9 - TRIM + 0.01
            for u, v in corners[index + 1 :]:
                assert max(abs(x - u), abs(y - v)) >= TRIM + 2 * BLEED - 0.01


@pytest.mark.parametrize("column", ["pipes", "pipes_back"])
def test_every_material_has_as_many_pipe_ends(column):
    ends = Counter()
    for row in pipe_rows():
        pipes, _ = sides_of(row[column])
        assert {*pipes} == {*SIDES}, row["id"]
        ends.update(
            {
                kind: list(pipes.values()).count(kind) * int(row["count"])
                for kind in {*pipes.values()}
            }
        )
    assert ends == dict.fromkeys(MATERIALS, 64)


def test_fronts_continue_pipes_and_backs_end_at_borders():
    roads = Counter()
    pumps = Counter()
    for row in pipe_rows():
        assert not sides_of(row["pipes"])[1]
        _, borders = sides_of(row["pipes_back"])
        assert borders
        assert {side: row[f"side_{side}"] for side in SIDES} == {
            side: borders.get(side, "pipe") for side in SIDES
        }
        roads[list(borders.values()).count("road")] += int(row["count"])
        pumps[list(borders.values()).count("pump")] += int(row["count"])
    assert {1, 2} <= {*roads}
    assert {1, 2, 3} <= {*pumps}, "a tile can border the starting tile on one, two or three sides"
    assert sum(n * count for n, count in roads.items()) == sum(
        n * count for n, count in pumps.items()
    )


def test_every_figure_has_its_claims_and_all_claims_hold(project_of):
    project = project_of(GAME)
    figures = figures_yaml()
    rules = board_rules(project.game)
    for name, claims in CLAIMS.items():
        assert set(claims) <= set(figures[name]["claims"]), name
    assert all(figure["claims"] for figure in figures.values())
    for figure in figures.values():
        board = parse_grid(figure["board"], rules.kit, rules.lattice)
        for claim in figure["claims"]:
            assert check_claim(claim, board, rules).ok, claim
    assert set(project.figures) == set(figures)


def test_twelve_points_of_example_are_confirmed_by_hand_count():
    """Count the points of the example from the table alone, without the program."""
    rows = {row["id"]: row for row in pipe_rows()}
    cells = [line.split() for line in figures_yaml()["twelve"]["board"].splitlines()]
    ends = {
        (x, y): fire_ends(cell, rows) for y, line in enumerate(cells) for x, cell in enumerate(line)
    }
    steps = dict(zip(SIDES, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True))
    points = {}
    for (x, y), sides in ends.items():
        neighbours = [
            ((x + steps[side][0], y + steps[side][1]), SIDES[(SIDES.index(side) + 2) % 4])
            for side in sides
        ]
        points[x, y] = sum(facing in ends.get(place, ()) for place, facing in neighbours)
    in_order = [
        points[place] for place in sorted(points, key=lambda place: place[::-1]) if points[place]
    ]
    assert in_order == [1, 2, 3, 1, 3, 2]
    assert sum(in_order) == 12
    numbers = [overlay["number"] for overlay in figures_yaml()["twelve"]["overlays"]]
    assert numbers == [str(number) for number in in_order]


def fire_ends(cell, rows):
    match = re.fullmatch(r"(~?)(p\d+)(/\d+|[\^>v<])?", cell)
    if match is None:
        return frozenset()
    turn = {None: 0, "^": 0, ">": 1, "v": 2, "<": 3}.get(match[3])
    turn = int(match[3][1:]) // 90 if turn is None else turn
    pipes, borders = sides_of(rows[match[2]]["pipes_back" if match[1] else "pipes"])
    ends = {side for side, kind in pipes.items() if kind == "fire" and side not in borders}
    return frozenset(SIDES[(SIDES.index(side) + turn) % 4] for side in ends)


@pytest.mark.parametrize(
    ("name", "claim", "wrong"), [("twelve", "score fire: 12", "score fire: 13")]
)
def test_false_claim_of_a_figure_stops_the_build(starter_of, name, claim, wrong):
    pack = starter_of(PACK)
    text = (pack / "figures.yaml").read_text("utf-8")
    (pack / "figures.yaml").write_text(text.replace(claim, wrong), "utf-8")
    game = Project(BuildRequest(str(pack)))
    with pytest.raises(PnpError, match=name):
        assert game.figures


@pytest.fixture
def starter_of(tmp_path):
    import shutil

    return lambda folder: Path(shutil.copytree(folder, tmp_path / folder.name))


def headings(name):
    return [
        line.split()[0]
        for line in (PACK / name).read_text("utf-8").splitlines()
        if line.startswith("#")
    ]


def test_both_languages_have_the_same_headings_and_figures():
    assert headings("rules.md") == headings("rules.nl.md")
    english, dutch = (
        shown_figures((PACK / name).read_text("utf-8")) for name in ("rules.md", "rules.nl.md")
    )
    assert english == dutch
    assert sorted(english) == sorted(figures_yaml()), "every figure is shown, once"


def test_every_text_of_figures_has_its_dutch():
    for name, figure in figures_yaml().items():
        assert figure["caption@nl"] != figure["caption"], name
        assert all(
            "label@nl" in overlay for overlay in figure.get("overlays", ()) if "label" in overlay
        ), name
    assert all(row["title@nl"] for row in pipe_rows())


def joined_text(path):
    return re.sub(r"\s+", " ", " ".join(page.text for page in read(path)))


def test_rules_give_scores_of_figures_and_counts_of_components(english_files, dutch_files):
    english = joined_text(english_files / f"{GAME}-1-rules.pdf")
    nl = joined_text(dutch_files / f"{GAME}-1-rules-nl.pdf")
    assert "1 + 2 + 3 + 1 + 3 + 2 = 12 points" in english
    assert "1 + 2 + 3 + 1 + 3 + 2 = 12 punten" in nl
    for name, count in COUNTS.items():
        assert f"{count} × {name}" in english
    assert "Puntentelling" in nl
    assert "open put" in nl


def test_dutch_rules_count_components_in_dutch(dutch_files):
    nl = joined_text(dutch_files / f"{GAME}-1-rules-nl.pdf")
    for name, count in DUTCH.items():
        assert f"{count} × {name}" in nl
    assert not [name for name in COUNTS if name in nl]
    assert "Door liefhebbers gemaakt om zelf af te drukken" in nl
    assert "belong to their owners" not in nl


def test_dutch_sheets_have_dutch_footers(dutch_files):
    pages = read(dutch_files / f"{GAME}-1-sheets-nl-a4.pdf")
    named = set()
    for page in pages:
        names = re.search(
            r"· ([^·]+?) · vel \d+ van \d+ · (voor|achter)kant · afdrukken op 100 %", page.text
        )[1]
        named.update(names.split(", "))
        assert "omslaan over de lange zijde" in " ".join(page.text.split())
    assert named == {*DUTCH}
    assert sum(len(page.forms) for page in pages[::2]) == sum(DUTCH.values())
    assert "Brand" in joined_text(dutch_files / f"{GAME}-1-sheets-nl-a4.pdf").title()


@pytest.fixture(scope="module")
def checked(pnp):
    return pnp("check", GAME)


def test_check_finds_nothing_untranslated(checked):
    assert checked.exit_code == 0, checked.output
    assert "untranslated" not in checked.stdout


def test_dutch_booklet_has_as_many_pages_as_the_english_one(english_files, dutch_files):
    """Allow a page to read and a sheet to fold, whose two sides hold four pages, of difference."""
    for tail, difference in (("rules{}", 1), ("rules{}-booklet-a4", 2)):
        pages = [
            len(read(folder / f"{GAME}-1-{tail.format(lang)}.pdf"))
            for folder, lang in ((english_files, ""), (dutch_files, "-nl"))
        ]
        assert abs(pages[0] - pages[1]) <= difference
    assert (dutch_files / f"{GAME}-1-rules-nl.html").read_text("utf-8").count("<figure") == (
        english_files / f"{GAME}-1-rules.html"
    ).read_text("utf-8").count("<figure")


def test_check_has_no_warnings(checked):
    assert checked.exit_code == 0, checked.output
    assert "0 warnings" in checked.output


def test_banner_shows_pipe_of_gas_with_diamonds():
    """Find black diamonds tip to tip along the middle of the pipe, and little black at its rims.

    Squares would have as much black in both places.
    """
    svg = (PACK / "art" / "theme" / "first.svg").read_text("utf-8")
    pixels = np.asarray(
        Project(BuildRequest(GAME)).raster.svg(svg, 1760, 300).convert("RGB")
    ).astype(int)
    middle, rim = (share_of_black(pixels[row]) for row in (256, 256 - 10))
    assert middle > 0.8
    # 10 px from the middle, diamonds are 0.4 of the row wide; squares would be as wide as in the middle.
    assert 0.05 < rim < 0.5


def share_of_black(row):
    """Return the share of black among the black and yellow pixels of a row."""
    black = (row.max(axis=1) < 80).sum()
    yellow = ((row[:, 0] > 200) & (row[:, 2] < 90)).sum()
    return black / (black + yellow)
