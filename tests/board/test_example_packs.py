"""Test example packs of other kinds of games: the claims of their figures and their boards."""

from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from generator.base.errors import PnpError
from generator.board.board import parse_grid
from generator.draw.draw import draw_game
from generator.picture.items import words_of
from generator.pipeline.rulebook import board_rules, check_figures
from tests.tools.make_pack import loaded

PACKS = Path("tests/data/packs")
NAMES = ["cities", "railway", "paths", "triangles", "dominoes"]


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_of_example_pack_holds(name):
    game = loaded(PACKS / name)
    assert check_figures(game, draw_game(game))


def test_pieces_without_links_are_placed_as_tiles(tmp_path):
    """Place two blank hexagons next to each other, and none as a token."""
    (tmp_path / "face.yaml").write_text("- fill: red\n")
    (tmp_path / "game.yaml").write_text(
        "name: Bare\nversion: '1'\nrules: {file: rules.md}\n"
        "components:\n  h: {title: H, size: hex 30mm, data: [{id: a, count: 3}], front: face.yaml}\n"
    )
    (tmp_path / "rules.md").write_text("# Bare\n\n::: figure one\n:::\n")
    (tmp_path / "figures.yaml").write_text('one:\n  board: "a a"\n  claims: ["tiles: 2"]\n')
    game = loaded(tmp_path)
    (figure,) = check_figures(game, draw_game(game)).values()
    assert figure.face.size.w / 0.6 == pytest.approx(30 * 2 / 3**0.5 * 1.75 + 1.3, abs=1)
    assert figure.face.size.h / 0.6 == pytest.approx(45 + 1.3, abs=1)


def test_tiles_of_two_sizes_are_refused_except_on_free_board(tmp_path):
    (tmp_path / "face.yaml").write_text("- fill: red\n")
    game_text = (
        "name: Bare\nversion: '1'\nrules: {{file: rules.md}}\n{more}"
        "components:\n  s: {{title: S, size: 20mm, data: [{{id: a}}], front: face.yaml}}\n"
        "  l: {{title: L, size: 40mm, data: [{{id: b}}], front: face.yaml{lies}}}\n"
    )
    (tmp_path / "rules.md").write_text("# Bare\n\n::: figure one\n:::\n")
    (tmp_path / "figures.yaml").write_text('one:\n  board: "a b"\n')
    (tmp_path / "game.yaml").write_text(game_text.format(more="", lies=""))
    game = loaded(tmp_path)
    with pytest.raises(PnpError, match="'a' is 20 × 20 mm and 'b' 40 × 40 mm"):
        check_figures(game, draw_game(game))
    (tmp_path / "game.yaml").write_text(game_text.format(more="board: free\n", lies=""))
    game = loaded(tmp_path)
    (figure,) = check_figures(game, draw_game(game)).values()
    assert figure.face.size.w / 0.6 == pytest.approx(10 + 43 + 20 + 1.3, abs=1.5)


@pytest.mark.parametrize(
    ("size", "board", "fits"),
    [
        ("40mm", "hex", False),
        ("hex 40mm", "square", False),
        ("hex 40mm", "hex pointed", False),
        ("triangle 40mm", "square", False),
        ("40mm", "triangular", False),
        ("hex pointed 40mm", "hex pointed", True),
        ("30 x 50 mm", "square", True),
        ("octagon 40mm", "square", True),
        ("triangle 40mm", "triangular", True),
        ("hex 40mm", "free", True),
    ],
)
def test_tiles_without_sides_of_their_board_are_refused(tmp_path, size, board, fits):
    (tmp_path / "face.yaml").write_text("- fill: red\n")
    (tmp_path / "game.yaml").write_text(
        f"name: Bare\nversion: '1'\nboard: {board}\nrules: {{file: rules.md}}\n"
        f"components:\n  s: {{title: S, size: {size}, data: [{{id: a}}], front: face.yaml}}\n"
    )
    (tmp_path / "rules.md").write_text("# Bare\n\n::: figure one\n:::\n")
    (tmp_path / "figures.yaml").write_text('one:\n  board: "a a"\n')
    game = loaded(tmp_path)
    if fits:
        assert check_figures(game, draw_game(game))
        return
    with pytest.raises(PnpError, match=r"'a' has the sides .*, and the board is of"):
        check_figures(game, draw_game(game))


def test_placed_tiles_cover_those_printed_on_board():
    rules = board_rules(loaded(PACKS / "railway"))
    beside_printed = rules.add_printed_tiles(parse_grid(". straight", rules.kit, rules.lattice))
    assert {str(item.place): item.design for item in beside_printed.placements} == {
        "A1": "plain",
        "B1": "straight",
    }
    over_printed = rules.add_printed_tiles(parse_grid("straight .", rules.kit, rules.lattice))
    assert [placement.design for placement in over_printed.placements] == ["straight"]
    on_blocked = rules.analyse(
        parse_grid(". . straight .\n. . . .\n. . straight .", rules.kit, rules.lattice)
    )
    assert [breach.code for breach in rules.breaches(on_blocked)] == ["blocked"]
    assert [
        v.code
        for v in rules.breaches(
            rules.analyse(parse_grid(". . . . straight", rules.kit, rules.lattice))
        )
    ] == ["off-board"]


def test_maps_and_score_track_print_their_coordinates(pnp, tmp_path):
    result = pnp("build", str(PACKS / "maps"), "--what", "sheets", "-o", str(tmp_path))
    assert "4 pieces on 5 sheets" in result.output
    (file,) = (tmp_path / "maps").glob("*.pdf")
    texts = [page.get_textpage().get_text_range().split() for page in PdfDocument(file)]
    assert {f"{letter}{row:02}" for letter in "ABCDEFGH" for row in range(1, 8)} <= {
        *texts[0],
        *texts[1],
    }
    assert {f"{letter}{row}" for letter in "ABCDEFGH" for row in range(1, 9)} <= {*texts[2]}
    assert {str(number) for number in range(1, 101)} <= {*texts[3]}


def test_figure_shows_number_of_tokens_on_a_place(tmp_path):
    (tmp_path / "face.yaml").write_text("- fill: red\n")
    (tmp_path / "game.yaml").write_text(
        "name: Bare\nversion: '1'\nrules: {file: rules.md}\ncomponents:\n"
        "  s: {title: S, size: 40mm, data: [{id: a}], front: face.yaml}\n"
        "  c: {title: C, size: circle 12mm, lies: token, data: [{id: coin}], front: face.yaml}\n"
    )
    (tmp_path / "rules.md").write_text("# Bare\n\n::: figure one\n:::\n")
    has_number = []
    for board in ("a+coin", "a+coin(red,12)"):
        (tmp_path / "figures.yaml").write_text(f'one:\n  board: "{board}"\n')
        game = loaded(tmp_path)
        (figure,) = check_figures(game, draw_game(game)).values()
        has_number.append("12" in words_of(figure.face))
    assert has_number == [False, True]
