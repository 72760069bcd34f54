"""Test `order:`, the order of the pieces of a component on its sheets."""

import pytest

from generator.draw.draw import draw_game
from generator.pipeline.printing import PrintOptions, list_pieces
from tests.tools.make_pack import loaded, make, problems

TABLE = "id,count\nfox,2\nelk,1\n"


def ids_of(pack, *only):
    return [piece.id for piece in list_pieces(draw_game(loaded(pack)), PrintOptions(only=only))]


def test_pieces_lie_in_the_order_of_the_pack(tmp_path):
    pack = make(tmp_path, table=TABLE, component="order: [fox, elk, fox]")
    assert ids_of(pack) == ["cards:fox", "cards:elk", "cards:fox"]
    assert ids_of(pack, "cards:fox") == ["cards:fox", "cards:fox"]
    assert ids_of(make(tmp_path, table=TABLE)) == ["cards:fox", "cards:fox", "cards:elk"]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("[fox, elk]", "'fox' is listed once"),
        ("[fox, fox]", "'elk' is not named"),
        ("[fox, fox, elf]", "did you mean 'elk'"),
    ],
)
def test_order_must_list_each_design_as_often_as_it_is_printed(tmp_path, order, message):
    output = problems(make(tmp_path, table=TABLE, component=f"order: {order}"))
    assert output.startswith("game.yaml:13: order: ")
    assert message in output
