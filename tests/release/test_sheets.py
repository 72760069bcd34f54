"""Test that the pieces of a patch lie on the fewest sheets, for all components and sizes."""

from collections import Counter
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Size
from generator.base.shapes import fill_box
from generator.export.patch import pieces
from generator.impose.duplex import DUPLEX_MODES, find_mode
from generator.impose.impose import impose
from generator.impose.packing import gather_pieces
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from generator.release.plan import Lot, Why
from tests.tools.make_release import design, release

SIZES = {"cards": (63.5, 88.9), "labours": (63.5, 88.9), "tiles": (45.0, 45.0)}


@st.composite
def piles(draw):
    made = []
    for name, size in SIZES.items():
        for back in (None, "back"):
            count = draw(st.integers(0, 20))
            outline = fill_box("rect", Size(*size))
            made += [
                Piece(f"{name}:{n}", name, outline, 3.0, f"{name} {n}", back) for n in range(count)
            ]
    return made


def fewest(wanted, setup):
    """By counting alone: how many sheets cannot be done without."""
    total = 0
    for size in {piece.size for piece in wanted}:
        backed = [piece for piece in wanted if piece.size == size and piece.back]
        bare = [piece for piece in wanted if piece.size == size and not piece.back]
        with_backs = capacity(size, setup, "back") if any(piece.back for piece in wanted) else 0
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
@settings(deadline=None, max_examples=60)
def test_the_fewest_sheets_that_hold_the_pieces(wanted, duplex):
    setup = Setup(duplex=find_mode(duplex))
    job = impose(gather_pieces(wanted, setup), setup)
    placed = Counter(
        placed.piece
        for sheet in job.sheets
        for placed in sheet.front.placed
        if not placed.face.startswith("back")
    )
    assert placed == Counter(piece.id for piece in wanted)
    fronts = [sheet for sheet in job.sheets if sheet.front.placed]
    assert len(fronts) == fewest(wanted, setup)


def test_what_shares_sheets_shares_a_title():
    outline = fill_box("rect", Size(50, 50))
    wanted = [Piece("a", "Cards", outline, 2.0, "a"), Piece("b", "Labours", outline, 2.0, "b")]
    assert {piece.component for piece in gather_pieces(wanted, Setup())} == {"Cards, Labours"}
    many = [replace(wanted[0], component=str(number)) for number in range(5)]
    assert {piece.component for piece in gather_pieces(many, Setup())} == {"pieces"}


@pytest.mark.parametrize(
    ("shape", "radius", "corners"), [("rect", 3.0, 4), ("hex", 3.0, 6), ("circle", 10.0, 4)]
)
def test_pieces_keep_their_outline(shape, radius, corners):
    (component,) = release("1", ("cards", [design("fox", 2)])).components
    component = replace(component, shape=shape, radius=3.0, gutter=1.0, grid=(2, 2))
    made = pieces([Lot(component, component.designs[0], 2, Why.NEW)])
    assert [
        (piece.outline.radius, len(piece.outline.corners), piece.gutter, piece.grid)
        for piece in made
    ] == [(radius, corners, 1.0, (2, 2))] * 2


def made_into(what):
    (component,) = release("1", ("cards", [design("fox", 2, size=60)])).components
    return Lot(replace(component, make=what), component.designs[0], 2, Why.NEW)


def test_what_is_folded_stays_with_its_like():
    wanted = pieces([made_into("standee"), made_into("piece")])
    job = impose(gather_pieces(wanted, Setup()), Setup())
    assert [piece.net is not None for piece in wanted] == [True, True, False, False]
    assert [piece.component for piece in gather_pieces(wanted, Setup())] == ["Cards"] * 4
    assert len(job.sheets) == 2


def test_a_making_that_is_not_known_is_told():
    with pytest.raises(InvalidValueError, match="unknown make 'kite'"):
        pieces([made_into("kite")])


def test_what_is_taken_out_is_shown_as_it_was_cut():
    (component,) = release("1", ("cards", [design("fox", 2)])).components
    lot = Lot(replace(component, shape="circle"), component.designs[0], 2, Why.GONE)
    assert lot.thumbnail.edge.is_circle
    assert Lot(component, component.designs[0], 2, Why.GONE).thumbnail == component.designs[0].front
