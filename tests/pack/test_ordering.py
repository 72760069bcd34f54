"""Test `order:`, the order of the pieces of a component on its sheets."""

from dataclasses import replace

import pytest

from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paper import paper
from generator.base.shapes import fill_box
from generator.draw.draw import draw_game
from generator.impose.duplex import DUPLEX_MODES
from generator.impose.impose import impose
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from generator.pipeline.printing import PrintOptions, keep_order, list_pieces
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


SIX = "id,count\n" + "".join(f"{name},1\n" for name in "abcdef")


def impose_part(folder, only, grid):
    """Return the sheets of a part of six tiles that touch, on a grid of their own."""
    order = "order: [a, b>, c, d/180, e<, f]\nback: mirror\ngutter: 0mm"
    pack = make(folder, table=SIX, component=f"{order}\ngrid: {grid}")
    pieces = list_pieces(draw_game(loaded(pack)), PrintOptions(only=only))
    return impose(pieces, Setup(paper("a4"), duplex=DUPLEX_MODES["long-edge"])).sheets


def place_of(placed, side):
    """Return the column, the row and the turn of a tile, from the top left of the grid of three."""
    # 3 x 2 tiles of 40 mm in the middle of A4.
    column = round((placed.trim.x - (210 - 120) / 2) / 40, 3)
    row = round((placed.trim.y - (297 - 80) / 2) / 40, 3)
    return placed.piece[-1], column if side == "front" else 2 - column, row, placed.turn


def test_part_of_a_game_keeps_its_places_and_turns(tmp_path):
    (sheet,) = impose_part(tmp_path, ("b,c,e",), "3 x 2")
    fronts = [("b", 1, 0, 90), ("c", 2, 0, 0), ("e", 1, 1, 270)]
    assert [place_of(placed, "front") for placed in sheet.front.placed] == fronts
    backs = [("b", 1, 0, 270), ("c", 2, 0, 0), ("e", 1, 1, 90)]
    assert [place_of(placed, "back") for placed in sheet.back.placed] == backs


def test_part_of_a_game_closes_up_if_that_saves_a_sheet(tmp_path):
    (sheet,) = impose_part(tmp_path, ("b,f",), "3 x 1")
    placed = sheet.front.placed
    assert [(each.piece[-1], each.turn) for each in placed] == [("b", 90), ("f", 0)]
    assert placed[1].trim.x - placed[0].trim.x == pytest.approx(40)


def test_tiles_that_touch_have_their_bleed_beside_empty_slots(tmp_path):
    """Look at b and c side by side above e: each side without a neighbour has 3 mm of bleed."""
    (sheet,) = impose_part(tmp_path, ("b,c,e",), "3 x 2")
    bleeds = {
        placed.piece[-1]: tuple(
            round(mm, 3)
            for mm in (
                placed.trim.x - placed.ink.x,
                placed.trim.y - placed.ink.y,
                placed.ink.right - placed.trim.right,
                placed.ink.bottom - placed.trim.bottom,
            )
        )
        for placed in sheet.front.placed
    }
    assert bleeds == {"b": (3, 3, 0, 0), "c": (0, 3, 3, 3), "e": (3, 0, 3, 3)}
    inks = [placed.ink for placed in sheet.front.placed]
    for mark in sheet.front.marks:
        middle = Point((mark.a.x + mark.b.x) / 2, (mark.a.y + mark.b.y) / 2)
        assert not any(ink.grown(-0.01).holds(Rect(*middle, 0, 0)) for ink in inks)


@pytest.mark.parametrize("gutter", [0.0, 1.0, 4.0])
def test_tiles_that_meet_at_a_corner_keep_their_own_bleed_and_corner(tmp_path, gutter):
    """Look along the edges of b and of d below it at the left, which lie beside empty slots."""
    order = f"order: [a, b, c, d, e, f]\nback: mirror\ngutter: {gutter}mm"
    pack = make(tmp_path, table=SIX, component=f"{order}\ngrid: 3 x 2")
    pieces = list_pieces(draw_game(loaded(pack)), PrintOptions(only=("b,d",)))
    (sheet,) = impose(pieces, Setup(paper("a4"), duplex=DUPLEX_MODES["long-edge"])).sheets
    upper, lower = sheet.front.placed
    inks = [placed.clip or Outline.of_box(placed.ink) for placed in (upper, lower)]
    assert all(
        ink.grown(0.001).holds(Outline.of_box(placed.trim))
        for ink, placed in zip(inks, (upper, lower), strict=True)
    )
    assert not inks[0].overlaps(inks[1])
    for off_corner in (0.2, 1.0, 2.9):
        beyond = off_corner - 0.05
        left_of_upper = Point(upper.trim.x - beyond, upper.trim.bottom - off_corner)
        above_lower = Point(lower.trim.right - off_corner, lower.trim.y - beyond)
        assert inks[0].contains(left_of_upper)
        assert inks[1].contains(above_lower)


def test_pieces_of_a_patch_keep_the_places_and_turns_of_the_pack(tmp_path):
    order = "order: [a, b>, c, d/180, e<, f]"
    (component,) = loaded(make(tmp_path, table=SIX, component=order)).components
    piece = Piece("cards:e", "Cards", component.outline, 3.0, "front")
    pieces = [piece, replace(piece, id="cards:b"), replace(piece, id="cards:new")]
    kept = [(each.id, each.turn, each.place) for each in keep_order(pieces, component)]
    assert kept == [("cards:b", 90, 1), ("cards:e", 270, 4), ("cards:new", 0, None)]
    other = replace(piece, outline=fill_box("rect", Size(40, 50)))
    assert keep_order([other], component) == [other], "pieces of another size keep no place"


def test_pieces_of_two_components_on_a_sheet_close_up():
    """The components of a patch share a title and a sheet; the places of each are its own."""
    outline = fill_box("rect", Size(40, 40))
    piece = Piece("cards:b", "Cards, Tiles", outline, 3.0, "b", gutter=0, grid=(3, 2), place=1)
    other = replace(piece, id="tiles:e", front="e", place=4)
    (sheet,) = impose([piece, other], Setup(paper("a4"))).sheets
    first, second = (placed.trim for placed in sheet.front.placed)
    assert (second.x - first.x, second.y) == pytest.approx((40, first.y))
