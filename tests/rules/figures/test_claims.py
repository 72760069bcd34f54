"""Test that no figure can lie: the opposite of a claim, or another board, is found."""

import re
from dataclasses import replace
from functools import cache

import pytest

from generator.base.errors import InvalidValueError, PackError
from generator.board.board import Board
from generator.board.claims import check_claim
from generator.board.parse_board import parse_grid, parse_list
from generator.pack.game import FIGURES
from generator.pack.load import PackForm, load
from generator.pack.yaml_nodes import parse_yaml
from generator.pipeline.packs import find_pack, packs, vocabulary
from generator.pipeline.rulebook import board_rules
from generator.rules.figures.build import with_board

GAMES = [name for name, folder in packs().items() if (folder / FIGURES).is_file()]


@cache
def game(name):
    loaded = load(find_pack(name), vocabulary(), PackForm())
    return loaded, board_rules(loaded)


@cache
def figures(name):
    """Each figure's board and claims."""
    loaded, rules = game(name)
    root = parse_yaml((loaded.folder / FIGURES).read_text("utf-8"), FIGURES)
    found = {}
    for figure, node in root.value.items():
        spec = with_board(node, root.value).plain()
        claims = spec.get("claims", [])
        kit = rules.kit.with_aliases(spec.get("names", {}))
        read = parse_grid if isinstance(spec["board"], str) else parse_list
        board = read(spec["board"], kit, rules.lattice)
        found[figure] = board, [claims] if isinstance(claims, str) else claims
    return found


def holds(name, claim, board):
    """Return True if a claim holds; a claim that means nothing on this board does not."""
    try:
        return check_claim(claim, board, game(name)[1]).ok
    except InvalidValueError:
        return False


def opposites(claim):
    """The claim with its truth or one of its numbers changed, behind the colon."""
    subject, said = claim.split(": ", 1)
    swaps = {"true": "false", "false": "true", "closed": "open", "open": "closed"}
    for found in re.finditer(r"\b(true|false|closed|open)\b(?!-)", said):
        yield f"{subject}: {said[: found.start()]}{swaps[found[0]]}{said[found.end() :]}"
    for number in re.finditer(r"(?<![\w-])\d+(?![\w-])", said):
        yield f"{subject}: {said[: number.start()]}{int(number[0]) + 1}{said[number.end() :]}"


CLAIMS = [
    (name, figure, claim)
    for name in GAMES
    for figure, (_, claims) in figures(name).items()
    for claim in claims
]


def test_there_are_claims_to_break():
    assert len(CLAIMS) > 60


@pytest.mark.parametrize(("name", "figure", "claim"), CLAIMS)
def test_the_opposite_of_a_claim_is_found(name, figure, claim):
    board = figures(name)[figure][0]
    assert holds(name, claim, board)
    others = [
        other for other in opposites(claim) if " because " not in other or ": true" not in other
    ]
    for other in others:
        assert not holds(name, other, board), other


def changed(board, rules):
    """The board with one tile turned, and with one taken away."""
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
def test_a_changed_board_is_found(name):
    """In every figure that claims something there is a tile that cannot be turned or taken away unnoticed."""
    rules = game(name)[1]
    for figure, (board, claims) in figures(name).items():
        if claims:
            boards = changed(board, rules)
            assert any(
                not all(holds(name, claim, other) for claim in claims) for other in boards
            ), figure


def test_the_build_stops_and_names_the_figure(tmp_path, monkeypatch, pnp):
    import shutil

    pack = tmp_path / "hydras"
    shutil.copytree(find_pack("hydras"), pack)
    text = (pack / FIGURES).read_text("utf-8")
    (pack / FIGURES).write_text(text.replace("drops D1, D2", "drops D1"), "utf-8")
    monkeypatch.chdir(tmp_path)
    result = pnp("rules", "hydras")
    assert result.exit_code == PackError.kind.value
    assert re.match(
        r"hydras/figures.yaml:\d+: falls-off: the claim 'removing sword at C2: true, drops D1' is not",
        result.stderr,
    )
    assert "drops D1, D2" in result.stderr
    assert not (tmp_path / "output").exists()
