"""Test `order:`, the order of the pieces of a component on its sheets."""

from dataclasses import replace

import pytest

from generator.base.paper import paper
from generator.draw.draw import draw_game
from generator.impose.duplex import DUPLEX_MODES
from generator.impose.impose import impose
from generator.impose.setup import Setup
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


def test_turned_pieces_have_their_backs_behind_them(tmp_path):
    pack = make(tmp_path, table=TABLE, component="order: [fox>, elk/180, fox<]\nback: mirror")
    pieces = list_pieces(draw_game(loaded(pack)), PrintOptions())
    upright = [replace(piece, turn=0) for piece in pieces]

    def find_turns(mode, side):
        setup = Setup(paper("a4"), duplex=DUPLEX_MODES[mode])
        turned, plain = (impose(order, setup).sheets[0] for order in (pieces, upright))
        pairs = zip(getattr(turned, side).placed, getattr(plain, side).placed, strict=True)
        return [(placed.turn - other.turn) % 360 for placed, other in pairs]

    for mode in ("long-edge", "short-edge"):
        assert find_turns(mode, "front") == [90, 180, 270]
        assert find_turns(mode, "back") == [270, 180, 90]


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


def test_turned_piece_must_fill_its_own_cut_line(tmp_path):
    order = "order: [fox>, fox/180, elk]"
    pack = make(tmp_path, table=TABLE, component=order, size="poker")
    assert "'fox' is turned by 90 degrees\n  expected /180, since" in problems(pack)
    assert problems(make(tmp_path, table=TABLE, component=order, size="circle 20mm")) == ""
    hexes = problems(make(tmp_path, table=TABLE, component=order, size="hex 20mm"))
    assert "'fox' is turned\n  expected turns only of rectangles" in hexes
