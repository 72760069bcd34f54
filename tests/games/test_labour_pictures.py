"""Test pictures of labours: their boards are legal, and the files show them."""

import csv

import pytest

from generator.board.board import parse_grid
from generator.board.claims import check_claim
from generator.pack.load import PackForm, load
from generator.pipeline.packs import find_pack
from generator.pipeline.rulebook import board_rules
from generator.pipeline.vocabulary import vocabulary
from tests.dev.labour_pictures import PACK, boards, cards, files, name, ports


@pytest.fixture(scope="module")
def rules():
    return board_rules(load(find_pack("hydras"), vocabulary(), PackForm()))


def list_boards():
    """Yield every board of a picture: a hydra, and perhaps a smaller one."""
    for labour, description in boards().items():
        yield labour, description
        if "smaller" in description:
            yield f"{labour}, smaller", description["smaller"]


def test_all_twelve_labours_have_pictures_of_boards():
    with (PACK / "labours.csv").open(encoding="utf-8") as file:
        assert {row["art"] for row in csv.DictReader(file)} == set(boards())
    pictures = {path for path, _ in files()}
    assert pictures == set((PACK / "art" / "labours").glob("*.svg"))


@pytest.mark.parametrize(
    ("labour", "description"),
    list(list_boards()),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_claims_about_board_of_a_labour_picture_hold(rules, labour, description):
    board = parse_grid(description["board"], rules.kit, rules.lattice)
    for claim in description["claims"]:
        outcome = check_claim(claim, board, rules)
        assert outcome.ok, f"{labour}: {outcome}"


@pytest.mark.parametrize(
    ("path", "text"), list(files()), ids=lambda value: getattr(value, "stem", "")
)
def test_picture_file_is_generated_from_its_board(path, text):
    assert path.read_text("utf-8") == text, "python -m tests.dev.labour_pictures writes it"


@pytest.mark.parametrize("labour", list(boards()))
def test_marked_cards_exist_and_open_ends_have_necks(labour):
    description = boards()[labour]
    necks = cards()
    grid = [row.split() for row in description["board"].splitlines()]
    cells_by_place = {
        name((x, y)): cell
        for y, row in enumerate(grid)
        for x, cell in enumerate(row)
        if cell != "."
    }
    assert {
        *description.get("marked", ()),
        *description.get("parted", ()),
        *description.get("ringed", ()),
    } <= {*cells_by_place}
    assert all(
        spot[3] in ports(cells_by_place[spot[:2]], necks) for spot in description.get("open", ())
    )
