"""Pictures of labours that show boards: the boards may be laid, and the files show them."""

import csv

import pytest

from generator.board.claims import check_claim
from generator.board.parse_board import parse_grid
from generator.pack.load import PackForm, load
from generator.pipeline.packs import find_pack, vocabulary
from generator.pipeline.rulebook import board_rules
from tests.dev.labour_pictures import PACK, boards, cards, files, name, ports


@pytest.fixture(scope="module")
def rules():
    return board_rules(load(find_pack("hydras"), vocabulary(), PackForm()))


def list_boards():
    """Every board of a picture: a hydra, and the one beside it."""
    for labour, said in boards().items():
        yield labour, said
        if "smaller" in said:
            yield f"{labour}, smaller", said["smaller"]


def test_all_twelve_are_drawn_so():
    with (PACK / "labours.csv").open(encoding="utf-8") as file:
        assert {row["art"] for row in csv.DictReader(file)} == set(boards())
    drawn = {path for path, _ in files()}
    assert drawn == {
        *(PACK / "art" / "labours").glob("*.svg"),
        *(PACK / "art" / "lines" / "labours").glob("*.svg"),
    }


@pytest.mark.parametrize(
    ("labour", "said"),
    list(list_boards()),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_it_shows_may_be_laid(rules, labour, said):
    board = parse_grid(said["board"], rules.kit, rules.lattice)
    for claim in said["claims"]:
        outcome = check_claim(claim, board, rules)
        assert outcome.ok, f"{labour}: {outcome}"


@pytest.mark.parametrize(
    ("path", "text"), list(files()), ids=lambda value: getattr(value, "stem", "")
)
def test_the_file_is_drawn_from_its_board(path, text):
    assert path.read_text("utf-8") == text, "python -m tests.dev.labour_pictures writes it"


@pytest.mark.parametrize("labour", list(boards()))
def test_marks_lie_on_cards_and_open_ends_have_necks(labour):
    said = boards()[labour]
    necks = cards()
    grid = [row.split() for row in said["board"].splitlines()]
    laid = {
        name((x, y)): cell
        for y, row in enumerate(grid)
        for x, cell in enumerate(row)
        if cell != "."
    }
    assert {*said.get("marked", ()), *said.get("parted", ()), *said.get("ringed", ())} <= {*laid}
    assert all(spot[3] in ports(laid[spot[:2]], necks) for spot in said.get("open", ()))
