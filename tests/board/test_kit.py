"""Test kits built from a pack's components."""

from pathlib import Path

import pytest

from generator.base.errors import InvalidValueError, Where
from generator.board.board import Placement, build_board, build_kit, parse_grid
from generator.board.claims import check_claim
from generator.board.lattice import SQUARE
from generator.board.rules import build_rules
from generator.pack.game import Component, Design, FaceSpec
from generator.pack.load import load
from generator.pack.sizes import MadeInto, parse_size
from generator.pack.tile import EMPTY_TILE, Border, Link, Tile
from generator.pipeline.vocabulary import vocabulary
from tests.tools.make_board import specs_from

RED = Tile((Link(("n", "e"), "red"),), (Border("e", "sea"),))


def face(tile=EMPTY_TILE, *marks):
    return FaceSpec((), tile, marks=frozenset(marks))


def design(name, front, back=None, count=1, **numbers):
    return Design(name, name, count, Where("tiles.csv", 2), front, back, numbers)


def component(name, size, *designs):
    return Component(name, name, parse_size(size), 3, 3, designs, MadeInto("piece"))


TILES = component(
    "tiles",
    "33mm",
    design("a", face(RED), face(RED.mirrored()), 3),
    design("b", face(EMPTY_TILE, "house"), worth=2.0),
)
CARDS = component("cards", "poker", design("a", face()))
TOKENS = component("tokens", "circle 22mm", design("blaze", face(), None, 10))


def test_kit_holds_names_sides_counts_and_tokens():
    kit = build_kit([TILES, CARDS, TOKENS])
    assert sorted(kit.designs) == ["b", "blaze", "cards:a", "tiles:a"]
    assert kit.ambiguous == {"a": ("tiles:a", "cards:a")}
    assert kit.designs["tiles:a"].back.tile == Tile(
        (Link(("n", "w"), "red"),), (Border("w", "sea"),)
    )
    assert (
        kit.designs["tiles:a"].count,
        kit.designs["b"].is_token,
        kit.designs["blaze"].is_token,
    ) == (3, False, True)
    assert kit.words == {"b", "blaze", "cards:a", "tiles:a", "red", "house", "worth"}
    assert (kit.kinds, kit.labels, kit.numbers, kit.features) == (
        {"red"},
        {"sea"},
        {"worth"},
        frozenset(),
    )


def test_link_of_turned_over_tile_joins_its_mirrored_side():
    """Turn over a tile whose link leaves the front on the right and the back on the left."""
    plain = component(
        "tiles", "33mm", design("a", *(face(Tile((Link(("s", e), "red"),))) for e in ("e", "w")))
    )
    rules = build_rules(build_kit([plain]), SQUARE, specs_from("matching: {sides: equal}"))
    board = parse_grid("a ~a\na/270 ~a>", rules.kit, rules.lattice)
    assert check_claim("legal: true", board, rules).ok
    assert check_claim("network red: closed, loops 1", board, rules).ok


def test_turn_between_two_sides_is_refused():
    with pytest.raises(InvalidValueError, match="a turn of 45 degrees"):
        build_board(SQUARE, [Placement("a", 0, 0, 45)])


def test_shipped_game_builds_a_kit_that_can_be_placed():
    folder = Path(__file__).parents[2] / "templates" / "hoses-and-hydrants"
    kit = build_kit(load(folder, vocabulary()).components)
    rules = build_rules(kit, SQUARE, specs_from("matching: {sides: equal}"))
    board = parse_grid("red-firefighter/180 red-straight red-hydrant/180", kit, SQUARE)
    assert check_claim("network red: closed, tiles 3, firefighter 1, hydrant 1", board, rules).ok
