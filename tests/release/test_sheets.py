"""Test that the pieces of a patch lie on the fewest sheets, for all components and sizes."""

from collections import Counter
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Size
from generator.base.shapes import fill_box
from generator.export.patch import list_pieces
from generator.impose.duplex import DUPLEX_MODES, find_mode
from generator.impose.impose import impose
from generator.impose.packing import gather_pieces
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from generator.release.plan import Lot, Why
from tests.tools.examples import try_times
from tests.tools.make_release import design, release

SIZES = {"cards": (63.5, 88.9), "labours": (63.5, 88.9), "tiles": (45.0, 45.0)}


@st.composite
def piles(draw):
    all_pieces = []
    for name, size in SIZES.items():
        for back in (None, "back"):
            count = draw(st.integers(0, 20))
            outline = fill_box("rect", Size(*size))
            all_pieces += [
                Piece(f"{name}:{n}", name, outline, 3.0, f"{name} {n}", back) for n in range(count)
            ]
    return all_pieces


def count_fewest_sheets(all_pieces, setup):
    """Return the least number of sheets, from the capacity of a sheet."""
    total = 0
    for size in {piece.size for piece in all_pieces}:
        backed = [piece for piece in all_pieces if piece.size == size and piece.back]
        bare = [piece for piece in all_pieces if piece.size == size and not piece.back]
        with_backs = capacity(size, setup, "back") if any(piece.back for piece in all_pieces) else 0
        without = capacity(size, replace(setup, duplex=find_mode("single")), None)
        sheets = ceil(len(backed) / with_backs) if backed else 0
        free = sheets * with_backs - len(backed)
        total += sheets + ceil(max(0, len(bare) - free) / without)
    return total


def capacity(size, setup, back):
    one = Piece("one", "one", fill_box("rect", size), 3.0, "front", back)
    many = impose([replace(one, id=str(n)) for n in range(100)], setup)
    return max(len({placed.piece for placed in sheet.front.placed}) for sheet in many.sheets)


@given(piles(), st.sampled_from(sorted(DUPLEX_MODES)))
@try_times(0.6)
def test_pieces_of_a_patch_lie_on_the_fewest_sheets(all_pieces, duplex):
    setup = Setup(duplex=find_mode(duplex))
    job = impose(gather_pieces(all_pieces, setup), setup)
    placed = Counter(
        placed.piece
        for sheet in job.sheets
        for placed in sheet.front.placed
        if not placed.face.startswith("back")
    )
    assert placed == Counter(piece.id for piece in all_pieces)
    fronts = [sheet for sheet in job.sheets if sheet.front.placed]
    assert len(fronts) == count_fewest_sheets(all_pieces, setup)


def test_components_on_shared_sheets_share_a_title():
    outline = fill_box("rect", Size(50, 50))
    all_pieces = [Piece("a", "Cards", outline, 2.0, "a"), Piece("b", "Labours", outline, 2.0, "b")]
    assert {piece.component for piece in gather_pieces(all_pieces, Setup())} == {"Cards, Labours"}
    many = [replace(all_pieces[0], component=str(number)) for number in range(5)]
    assert {piece.component for piece in gather_pieces(many, Setup())} == {"pieces"}


@pytest.mark.parametrize(
    ("shape", "radius", "corners"), [("rect", 3.0, 4), ("hex", 3.0, 6), ("circle", 10.0, 4)]
)
def test_pieces_of_a_patch_keep_outline_gutter_and_grid(shape, radius, corners):
    (component,) = release("1", ("cards", [design("fox", 2)])).components
    component = replace(component, shape=shape, radius=3.0, gutter=1.0, grid=(2, 2))
    two_pieces = list_pieces([Lot(component, component.designs[0], 2, Why.NEW)])
    assert [
        (piece.outline.radius, len(piece.outline.corners), piece.gutter, piece.grid)
        for piece in two_pieces
    ] == [(radius, corners, 1.0, (2, 2))] * 2


def lot_with_make(what):
    (component,) = release("1", ("cards", [design("fox", 2, size=60)])).components
    return Lot(replace(component, make=what), component.designs[0], 2, Why.NEW)


def test_folded_pieces_lie_on_their_own_sheets():
    all_pieces = list_pieces([lot_with_make("standee"), lot_with_make("piece")])
    job = impose(gather_pieces(all_pieces, Setup()), Setup())
    assert [piece.net is not None for piece in all_pieces] == [True, True, False, False]
    assert [piece.component for piece in gather_pieces(all_pieces, Setup())] == ["Cards"] * 4
    assert len(job.sheets) == 2


def test_unknown_make_is_refused():
    with pytest.raises(InvalidValueError, match="unknown make 'kite'"):
        list_pieces([lot_with_make("kite")])


def test_thumbnail_of_a_removed_piece_has_its_cut_outline():
    (component,) = release("1", ("cards", [design("fox", 2)])).components
    lot = Lot(replace(component, shape="circle"), component.designs[0], 2, Why.GONE)
    assert lot.thumbnail.edge.is_circle
    assert Lot(component, component.designs[0], 2, Why.GONE).thumbnail == component.designs[0].front
