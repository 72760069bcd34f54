"""Pictures of labours that show boards: the boards may be laid, and the files show them."""

import pytest
from labour_pictures import boards, cards, files, name, ports

from generator.app.packs import find_pack, vocabulary
from generator.app.rulebook import board_rules
from generator.board.claims import check_claim
from generator.board.writing import parse_grid
from generator.pack.load import PackForm, load


@pytest.fixture(scope="module")
def rules():
    return board_rules(load(find_pack("hydras"), vocabulary(), PackForm()))


@pytest.mark.parametrize("labour", list(boards()))
def test_what_it_shows_may_be_laid(rules, labour):
    said = boards()[labour]
    board = parse_grid(said["board"], rules.kit, rules.lattice)
    for claim in said["claims"]:
        outcome = check_claim(claim, board, rules)
        assert outcome.ok, str(outcome)


@pytest.mark.parametrize(("path", "text"), list(files()), ids=lambda value: getattr(value, "stem", ""))
def test_the_file_is_drawn_from_its_board(path, text):
    assert path.read_text("utf-8") == text, "python tests/labour_pictures.py writes it"


@pytest.mark.parametrize("labour", list(boards()))
def test_marks_lie_on_cards_and_open_ends_have_necks(labour):
    said, necks = boards()[labour], cards()
    grid = [row.split() for row in said["board"].splitlines()]
    laid = {name((x, y)): cell for y, row in enumerate(grid) for x, cell in enumerate(row) if cell != "."}
    assert {*said.get("marked", ())} <= {*laid}
    assert all(spot[3] in ports(laid[spot[:2]], necks) for spot in said.get("open", ()))
