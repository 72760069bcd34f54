"""Compare the numbers in each pack's README with those of a build: sheets, cuts, pages, tiles."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.tools.read_pdf import read

TEMPLATES = Path(__file__).parents[2] / "templates"
GAMES = sorted(path.parent.name for path in TEMPLATES.glob("*/game.yaml"))
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}

# The sentence of each README about double-sided sheets: their number, and perhaps the pieces on a side.
SHEETS = {
    "hoses-and-hydrants": r"on (\w+) double-sided sheets, (\d+) to a side",
    "greenways": r"on exactly (\w+) double-sided sheets, (\d+) to a side",
    "buizen-wir-war": r"exactly (\w+) double-sided sheets, (\d+) tiles to a side",
    "urban-insanity-fire-engines": r"on (\w+) double-sided sheets\.()",
}
UNPACKED = {
    "buizen-wir-war": r"--no-pack`, each kind of tile has sheets of its own, which takes (\w+)\.",
    "urban-insanity-fire-engines": r"--no-pack`, each component has sheets of its own, which takes (\w+)\.",
}
CUTS = {
    "hoses-and-hydrants": r"each sheet takes (\d+) cuts",
    "greenways": r"(\d+) cuts to a sheet",
}


def readme(game):
    """Return the text of a README in one line."""
    return " ".join((TEMPLATES / game / "README.md").read_text("utf-8").split())


def numbers_in(pattern, game):
    """Return the numbers that a pattern captures in a README, also those written as words."""
    match = re.search(pattern, readme(game))
    assert match, f"{game}: the README no longer says {pattern}"
    return [NUMBERS.get(word) or int(word) for word in match.groups() if word]


def sheet_pages(folder, paper):
    (path,) = folder.glob(f"*-sheets-{paper}.pdf")
    return read(path)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", SHEETS)
def test_readme_states_the_sheets_that_are_printed(printed, game, paper):
    sheets, *pieces = numbers_in(SHEETS[game], game)
    pages = sheet_pages(printed(game), paper)
    assert len(pages) == 2 * sheets
    for count in pieces:
        assert {len(page.forms) for page in pages} == {count}


@pytest.mark.parametrize("game", UNPACKED)
def test_readme_states_the_sheets_of_components_that_share_none(printed, game):
    (sheets,) = numbers_in(UNPACKED[game], game)
    pages = sheet_pages(printed(game, "--no-pack", "--what", "sheets", "--paper", "a4"), "a4")
    assert len(pages) == 2 * sheets


@pytest.mark.parametrize("game", CUTS)
def test_readme_states_the_cuts_of_a_sheet(printed, game):
    """Count the columns and rows of tiles that share their cuts, and one edge more of each."""
    (cuts,) = numbers_in(CUTS[game], game)
    for page in sheet_pages(printed(game), "a4"):
        columns = {round(form.x, 1) for form in page.forms}
        rows = {round(form.y, 1) for form in page.forms}
        assert len(columns) + 1 + len(rows) + 1 == cuts


def test_readme_of_hydras_states_the_pages_of_its_patch(patch):
    pages = read(patch("hydras", "a4"))
    assert numbers_in(r"a first page and the rules: (\w+) pages", "hydras") == [len(pages)]
    cards, full = numbers_in(r"The (\d+) new cards fill (\w+) pages", "hydras")
    assert [len(page.forms) for page in pages[-full:]] == [cards / full] * full


def test_readme_of_hoses_states_the_tiles_and_sheets_of_its_patch(patch):
    tiles, sheets = numbers_in(
        r"prints the (\d+) tiles that differ, on (\w+) sheet", "hoses-and-hydrants"
    )
    leaflet, _, *sides = read(patch("hoses-and-hydrants", "a4", "--rules", "never"))
    assert "Take out these" in " ".join(leaflet.text.split())
    assert [len(page.forms) for page in sides] == [tiles, tiles] * sheets


def tables_with_a_sum(game):
    """Return the tables of a README whose last row has a bold number: their rows of cells."""
    blocks = re.findall(r"(?m)(?:^\|.*\n)+", (TEMPLATES / game / "README.md").read_text("utf-8"))
    tables = [
        [[cell.strip() for cell in line[1:-1].split("|")] for line in block.splitlines()]
        for block in blocks
    ]
    return [
        table[2:]
        for table in tables
        if any(re.fullmatch(r"\*\*\d+\*\*", cell) for cell in table[-1])
    ]


def number(cell):
    """Return the last number of a cell, as in `3 of each, 12`; a dash or a word counts nothing."""
    numbers = re.findall(r"\d+", cell)
    return int(numbers[-1]) if numbers else 0


@pytest.mark.parametrize("game", ["hoses-and-hydrants", "greenways", "hydras", "buizen-wir-war"])
def test_tables_of_readme_add_up(game):
    tables = tables_with_a_sum(game)
    assert tables
    for *rows, totals in tables:
        for column, total in enumerate(totals):
            if re.fullmatch(r"\*\*\d+\*\*", total):
                assert sum(number(row[column]) for row in rows if len(row) > column) == number(
                    total
                )


def test_readme_of_greenways_counts_each_tile_of_its_table():
    with (TEMPLATES / "greenways" / "tiles.csv").open(encoding="utf-8") as file:
        copies = {row["id"]: int(row["count"]) for row in csv.DictReader(file)}
    (table,) = tables_with_a_sum("greenways")
    stated = Counter()
    for _, ids, count, *_ in table[:-1]:
        names = re.findall("`([^`]+)`", ids)
        assert sum(copies[name] for name in names) == number(count), ids
        stated.update(names)
    assert stated == Counter(copies.keys()), "the README names each tile once"
