"""Test that false claims fail: the opposite of each claim, and each claim on a changed board."""

import re
from dataclasses import replace
from functools import cache

import pytest

from generator.base.errors import ExitCode, InvalidValueError
from generator.board.board import Board, parse_grid, parse_list
from generator.board.claims import check_claim
from generator.pack.folder import FIGURES
from generator.pack.load import PackForm, load
from generator.pack.yaml_nodes import parse_yaml
from generator.pipeline.packs import find_pack, packs
from generator.pipeline.rulebook import board_rules
from generator.pipeline.vocabulary import vocabulary
from generator.rules.figures.build import with_board

GAMES = [name for name, folder in packs().items() if (folder / FIGURES).is_file()]


@cache
def game(name):
    loaded = load(find_pack(name), vocabulary(), PackForm())
    return loaded, board_rules(loaded)


@cache
def figures(name):
    """Return the board and the claims of each figure."""
    loaded, rules = game(name)
    root = parse_yaml((loaded.folder / FIGURES).read_text("utf-8"), FIGURES)
    boards_and_claims = {}
    for figure, node in root.value.items():
        spec = with_board(node, root.value).plain()
        claims = spec.get("claims", [])
        kit = rules.kit.with_aliases(spec.get("names", {}))
        read = parse_grid if isinstance(spec.get("board", []), str) else parse_list
        board = read(spec.get("board", []), kit, rules.lattice)
        boards_and_claims[figure] = board, [claims] if isinstance(claims, str) else claims
    return boards_and_claims


def holds(name, claim, board):
    """Return True if a claim holds; a claim that means nothing on this board does not."""
    try:
        return check_claim(claim, board, game(name)[1]).ok
    except InvalidValueError:
        return False


def opposites(claim):
    """Yield the claim with its truth, or with one number behind its colon, changed."""
    subject, value = claim.split(": ", 1)
    swaps = {"true": "false", "false": "true", "closed": "open", "open": "closed"}
    for word in re.finditer(r"\b(true|false|closed|open)\b(?!-)", value):
        yield f"{subject}: {value[: word.start()]}{swaps[word[0]]}{value[word.end() :]}"
    for number in re.finditer(r"(?<![\w-])\d+(?![\w-])", value):
        yield f"{subject}: {value[: number.start()]}{int(number[0]) + 1}{value[number.end() :]}"


CLAIMS = [
    (name, figure, claim)
    for name in GAMES
    for figure, (_, claims) in figures(name).items()
    for claim in claims
]


def test_bundled_games_have_more_than_60_claims():
    assert len(CLAIMS) > 60


@pytest.mark.parametrize(("name", "figure", "claim"), CLAIMS)
def test_opposite_of_each_claim_does_not_hold_on_its_board(name, figure, claim):
    board = figures(name)[figure][0]
    assert holds(name, claim, board)
    others = [
        other for other in opposites(claim) if " because " not in other or ": true" not in other
    ]
    for other in others:
        assert not holds(name, other, board), other


def changed_boards(board, rules):
    """Yield the boards with one tile turned or taken away."""
    for index, placement in enumerate(board.placements):
        rest = [other for number, other in enumerate(board.placements) if number != index]
        for turn in range(rules.lattice.turn_step, 360, rules.lattice.turn_step):
            yield Board(
                board.lattice,
                (*rest, replace(placement, turn=(placement.turn + turn) % 360)),
                board.names,
            )
        yield Board(board.lattice, tuple(rest), board.names)


@pytest.mark.parametrize("name", GAMES)
def test_some_change_of_each_claimed_board_breaks_a_claim(name):
    """Each figure with claims has a tile whose turn or removal makes a claim false."""
    rules = game(name)[1]
    for figure, (board, claims) in figures(name).items():
        if claims:
            boards = changed_boards(board, rules)
            assert any(
                not all(holds(name, claim, other) for claim in claims) for other in boards
            ), figure


def test_false_claim_stops_the_build_and_names_the_figure(tmp_path, monkeypatch, pnp):
    import shutil

    pack = tmp_path / "hydras"
    shutil.copytree(find_pack("hydras"), pack)
    text = (pack / FIGURES).read_text("utf-8")
    (pack / FIGURES).write_text(text.replace("drops D1, D2", "drops D1"), "utf-8")
    monkeypatch.chdir(tmp_path)
    result = pnp("rules", "hydras")
    assert result.exit_code == ExitCode.INVALID_PACK
    assert re.match(
        r"hydras/figures.yaml:\d+: falls-off: the claim 'removing sword at C2: true, drops D1' is not",
        result.stderr,
    )
    assert "drops D1, D2" in result.stderr
    assert not (tmp_path / "output").exists()
