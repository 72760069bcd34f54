"""Test margins that save sheets, marks beside bleed, and corrections that stay in the printable area."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Affine, Point, Rect
from generator.base.paper import paper
from generator.base.shapes import parse_shape
from generator.impose.duplex import find_mode
from generator.impose.impose import impose
from generator.impose.layout import describe_margin
from generator.impose.printer import Profile
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times

BLEED = (
    "cards: only 1.15 mm of the 3 mm bleed is left at the sheet's edge, where marks need room; "
    "a larger margin keeps it whole"
)
LETTER = Setup(paper("letter"), gutter=0.0, least_margin=6.0)


def test_margin_shrinks_with_a_notice_to_save_a_sheet_of_poker_cards(pieces):
    job = impose(pieces(54, 63.5, 88.9, 3), LETTER)
    assert len(job.sheets) == 6
    assert job.notices == (
        "cards: on Letter, a margin of 6.35 mm instead of 10 mm: 6 sheets instead of 7",
        BLEED,
    )


def test_margin_stays_if_given_or_if_no_sheet_is_saved(pieces):
    deck = pieces(8, 63.5, 88.9, 3)
    assert not impose(deck, LETTER).notices
    job = impose(
        pieces(54, 63.5, 88.9, 3), replace(LETTER, margins=Margins.make_even(9), least_margin=None)
    )
    assert len(job.sheets) == 7
    assert job.notices[0] == (
        "cards: on Letter, a margin of 6.3 mm would take 6 sheets instead of 7, and leave no bleed on some sides"
    )


@pytest.mark.parametrize("mode", ["long-edge", "short-edge", "glue"])
def test_marks_and_reduced_bleed_share_a_narrow_margin(pieces, mode):
    job = impose(
        pieces(9, 63.5, 88.9, 3),
        replace(LETTER, margins=Margins.make_even(6.3), duplex=find_mode(mode)),
    )
    for side in (job.sheets[0].front, job.sheets[0].back):
        cuts = {round(x, 3) for placed in side.placed for x in (placed.trim.x, placed.trim.right)}
        ends = {round(mark.a.x, 3) for mark in side.marks if mark.a.x == mark.b.x}
        assert len(cuts) == 4
        assert cuts <= ends
        assert {round(p.trim.y - p.ink.y, 3) for p in side.placed if p.trim.y < 10} == {1.15}


def test_notice_names_the_largest_margin_that_saves_the_most_sheets(pieces):
    deck = pieces(60, 45, 70)
    setup = Setup(paper("a4"), Margins.make_even(11), duplex=find_mode("gutterfold"))
    (notice,) = impose(deck, setup).notices
    margin = float(notice.split("margin of ")[1].split(" mm")[0])
    sheets = int(notice.split("would take ")[1].split(" sheets")[0])

    def count_sheets(mm: float) -> int:
        return len(impose(deck, replace(setup, margins=Margins.make_even(mm))).sheets)

    assert sheets == count_sheets(margin) < count_sheets(margin + 0.1)
    assert sheets == min(count_sheets(tenth / 10) for tenth in range(80, 110, 5))


def test_notice_names_an_even_margin_or_a_reduction():
    assert (
        describe_margin(Setup(margins=Margins.make_even(10)), 0.5)
        == "a margin of 9.5 mm instead of 10 mm"
    )
    assert (
        describe_margin(Setup(margins=Margins(10, 12, 10, 12)), 0.5) == "margins smaller by 0.5 mm"
    )


@try_times(0.4)
@given(
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(-0.5, 0.5),
    st.sampled_from(["long-edge", "short-edge"]),
    st.booleans(),
)
def test_corrected_pieces_and_marks_stay_in_the_printable_area(x, y, turn, mode, both):
    undo = Profile("askew", x, y, turn).get_correction(paper("a4").size)
    setup = Setup(
        margins=Margins.make_even(5),
        duplex=find_mode(mode),
        undo_front=undo if both else Affine(),
        undo_back=undo,
    )
    job = impose(_cards(12), setup)
    edge = Rect(0, 0, *paper("a4").size).grown(-4.2 + 1e-6)
    for side in (job.sheets[0].front, job.sheets[0].back):
        for placed in side.placed:
            assert all(
                edge.holds(Rect(*side.undo.apply(corner), 0, 0)) for corner in _corners(placed.ink)
            )
        for mark in side.marks:
            assert all(edge.holds(Rect(*side.undo.apply(end), 0, 0)) for end in (mark.a, mark.b))
    if max(abs(x), abs(y)) > 1:
        assert any("the correction for the printer" in notice for notice in job.notices)


def _cards(count):
    return [
        Piece(f"c{n}", "cards", parse_shape("rect 60 x 80 mm"), 2.0, "front", "back")
        for n in range(count)
    ]


def _corners(rect):
    return [Point(x, y) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
