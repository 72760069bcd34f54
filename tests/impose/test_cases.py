"""Test ordinary print jobs, and the messages for impossible ones."""

from dataclasses import replace

import pytest

from generator.base.errors import InvalidValueError, Kind
from generator.base.paper import Orientation, paper
from generator.impose.duplex import Tray, find_mode
from generator.impose.impose import count_per_sheet, impose
from generator.impose.setup import Margins, Setup


def columns_and_rows(side):
    """Return the number of columns and rows of a full side."""
    return len({round(p.trim.x, 3) for p in side.placed}), len(
        {round(p.trim.y, 3) for p in side.placed}
    )


def test_square_cards_fill_letter_inside_half_inch_margins_and_bleed(pieces):
    setup = Setup(paper("letter"), Margins.make_even(12.7), gutter=0)
    job = impose(pieces(24, 63.5, 63.5, 3), setup)
    assert [len(sheet.front.placed) for sheet in job.sheets] == [12, 12]
    front = job.sheets[0].front
    assert columns_and_rows(front) == (3, 4)
    assert front.placed[0].trim == pytest.approx((12.7, 12.7, 63.5, 63.5))
    assert front.placed[0].ink == pytest.approx((9.7, 9.7, 66.5, 66.5))
    assert front.placed[-1].ink.right == pytest.approx(215.9 - 9.7)
    assert job.notices == ()


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_56_tiles_fill_two_sheets_in_a_grid_of_4_by_7(pieces, name):
    setup = Setup(paper(name), Margins.make_even(7), gutter=5.5, grid=(4, 7))
    job = impose(pieces(56, 33, 33, 2, "tiles"), setup)
    assert [len(sheet.back.placed) for sheet in job.sheets] == [28, 28]
    assert columns_and_rows(job.sheets[1].front) == (4, 7)
    assert all(p.ink == pytest.approx(p.trim.grown(2)) for p in job.sheets[0].front.placed)
    assert job.notices == ()


def test_poker_cards_without_bleed_lie_three_by_three_on_a4(pieces):
    front = impose(pieces(9, 63, 88), Setup()).sheets[0].front
    assert columns_and_rows(front) == (3, 3)
    assert front.placed[1].trim.x == pytest.approx(front.placed[0].trim.right)


def test_pieces_are_turned_only_when_more_fit(pieces):
    assert {p.turn for p in impose(pieces(40, 88, 63), Setup()).sheets[0].front.placed} == {90}
    assert {p.turn for p in impose(pieces(40, 40, 40), Setup()).sheets[0].front.placed} == {0}
    back = impose(pieces(40, 88, 63), Setup()).sheets[0].back
    assert {p.turn for p in back.placed} == {270}


def test_long_edge_on_landscape_paper_turns_backs_upside_down(
    pieces,
):
    sheet = impose(pieces(9, 90, 40), Setup(paper("297 x 210 mm"))).sheets[0]
    front = sheet.front.placed[0]
    back = sheet.back.placed[0]
    assert (front.turn, back.turn) == (0, 180)
    assert back.trim.x == pytest.approx(front.trim.x)
    assert back.trim.bottom == pytest.approx(210 - front.trim.y)


def test_each_component_starts_a_sheet_and_sheets_are_numbered_throughout(pieces):
    job = impose(
        pieces(10, 63, 88, component="cards") + pieces(1, 30, 30, component="tiles"), Setup()
    )
    assert [len(sheet.front.placed) for sheet in job.sheets] == [9, 1, 1]
    assert [sheet.front.label for sheet in job.sheets] == ["1 front", "2 front", "3 front"]
    assert "tiles · sheet 3 of 3 · front" in job.sheets[2].front.notes[-1].text


def test_component_without_backs_keeps_blank_backs_in_a_duplex_job(pieces):
    job = impose(pieces(1, 63, 88) + pieces(1, 30, 30, component="rules", back=None), Setup())
    blank = job.sheets[1].back
    assert (blank.placed, blank.marks) == ((), ())
    assert "rules · sheet 2 of 2 · back (blank)" in blank.notes[0].text


def test_job_without_backs_is_printed_on_one_side(pieces):
    job = impose(pieces(1, 63, 88, back=None), Setup())
    assert (job.sheets[0].back, job.duplex) == (None, "Simplex")
    assert (
        job.sheets[0].front.notes[-1].text
        == "cards · sheet 1 of 1 · front · print at 100 %, single-sided"
    )


def test_piece_larger_than_the_paper_is_refused_with_larger_papers(pieces):
    with pytest.raises(InvalidValueError) as caught:
        impose(pieces(1, 250, 300), Setup())
    assert caught.value.kind is Kind.FIT
    assert str(caught.value.at(None)) == (
        "cards: a piece of 250 x 300 mm does not fit on A4\n"
        "  expected at most 190 x 277 mm, which is what the margins leave\n"
        "  paper that would do: A3, Tabloid, A3+, SRA3, 13 × 19 in; "
        "`make: board` prints it on several sheets to be joined"
    )


def test_piece_larger_than_any_paper_is_refused_with_the_hint_of_a_board(pieces):
    with pytest.raises(InvalidValueError) as caught:
        impose(pieces(1, 500, 500), Setup())
    assert caught.value.hint == (
        "no paper of the table is large enough; `make: board` prints it on several sheets to be joined"
    )


def test_grid_larger_than_the_paper_is_refused_with_its_size(pieces):
    with pytest.raises(InvalidValueError) as caught:
        impose(
            pieces(28, 33, 33, 2, "tiles"),
            Setup(paper("a5"), Margins.make_even(10), gutter=5.5, grid=(4, 7)),
        )
    assert caught.value.kind is Kind.FIT
    assert str(caught.value.at(None)) == (
        "tiles: a grid of 4 x 7 pieces of 33 x 33 mm, 5.5 mm apart, needs 148.5 x 264 mm\n"
        "  expected at most 128 x 190 mm, which is what the margins leave of A5\n"
        "  the largest piece that fits it: 27.875 x 22.429 mm; "
        "paper that would do: A3, A4, Legal, Tabloid, A3+, SRA3, 13 × 19 in"
    )


def test_notice_names_a_slightly_smaller_margin_that_saves_a_sheet(pieces):
    job = impose(pieces(9, 63.5, 89), Setup(paper("a4"), Margins.make_even(10)))
    assert job.notices == ("cards: on A4, a margin of 9.7 mm would take 1 sheet instead of 2",)
    assert len(impose(pieces(9, 63.5, 89), Setup(paper("a4"), Margins.make_even(9.7))).sheets) == 1
    assert len(impose(pieces(9, 63.5, 89), Setup(paper("a4"), Margins.make_even(9.8))).sheets) == 2


def test_notice_on_unequal_margins_names_the_reduction(pieces):
    job = impose(pieces(9, 63.5, 89), Setup(paper("a4"), Margins(11, 10, 9, 10)))
    assert job.notices == (
        "cards: on A4, margins smaller by 0.3 mm would take 1 sheet instead of 2",
    )


@pytest.mark.parametrize(
    ("margin", "bleed", "grid", "count"),
    [
        (13, 0, None, 9),  # the margin would have to shrink by more than 3 mm
        (10, 0, (2, 3), 9),  # the grid was given
        (10, 0, None, 6),  # all pieces fit on one sheet already
        (7.3, 3.1, None, 9),  # the bleed would reach the unprintable edge
    ],
)
def test_notice_on_margins_is_omitted_without_a_saving(pieces, margin, bleed, grid, count):
    job = impose(
        pieces(count, 63.5, 89, bleed),
        Setup(paper("a4"), Margins.make_even(margin), grid=grid, gutter=0),
    )
    assert not [notice for notice in job.notices if "would take" in notice]
    assert sum(len(sheet.front.placed) for sheet in job.sheets) == count


def test_bleed_beyond_the_printable_area_is_noted(pieces):
    job = impose(pieces(1, 200, 287, 3), Setup(paper("a4"), Margins.make_even(5)))
    assert job.notices[0] == (
        "cards: only 0.8 mm of the 3 mm bleed can be printed at the sheet's edge; a larger margin keeps it whole"
    )


def test_grid_of_the_pack_is_turned_or_replaced_with_a_notice(pieces):
    tiles = [replace(piece, grid=(4, 7), gutter=5.5) for piece in pieces(56, 33, 33, 2, "tiles")]
    upright = impose(tiles, Setup(paper("a4"), Margins.make_even(7)))
    level = impose(tiles, Setup(paper("a4").oriented(Orientation.LANDSCAPE), Margins.make_even(7)))
    assert [columns_and_rows(job.sheets[0].front) for job in (upright, level)] == [(4, 7), (7, 4)]
    assert level.notices == ()
    small = impose(tiles, Setup(paper("a5"), Margins.make_even(7)))
    assert columns_and_rows(small.sheets[0].front) == (3, 5)
    assert small.notices[0] == "tiles: the pack's grid of 4 x 7 does not fit here; 3 x 5 instead"


def test_skipping_all_slots_is_refused(pieces):
    with pytest.raises(InvalidValueError) as caught:
        impose(pieces(9, 63, 88), Setup(skip=9))
    assert str(caught.value.at(None)) == (
        "--skip 9 leaves no slot: the first sheet, of cards, has 9\n  expected 0 to 8"
    )
    with pytest.raises(InvalidValueError, match="pnp cannot skip -1 slots"):
        Setup(skip=-1)


def test_skipped_slots_are_on_the_first_sheet_only(pieces):
    job = impose(pieces(10, 63, 88) + pieces(3, 63, 88, component="more"), Setup(skip=8))
    assert [len(sheet.front.placed) for sheet in job.sheets] == [1, 9, 3]
    assert job.sheets[0].front.placed[0].trim == job.sheets[1].front.placed[8].trim


def test_gutterfold_folds_where_more_pieces_fit(pieces):
    upright = impose(pieces(9, 85, 90), Setup(duplex=find_mode("gutterfold"))).sheets[0].front
    crease = next(mark for mark in upright.marks if mark.dash)
    assert crease.a.x == crease.b.x == 105
    assert len(upright.placed) == 6
    level = impose(pieces(9, 63, 88), Setup(duplex=find_mode("gutterfold"))).sheets[0].front
    crease = next(mark for mark in level.marks if mark.dash)
    assert crease.a.y == crease.b.y == 148.5
    assert len(level.placed) == 8


def test_piece_too_large_for_half_a_sheet_is_refused(pieces):
    with pytest.raises(InvalidValueError) as caught:
        impose(pieces(1, 150, 150), Setup(duplex=find_mode("gutterfold")))
    assert str(caught.value.at(None)) == (
        "cards: a piece of 150 x 150 mm does not fit on A4\n"
        "  expected at most 190 x 133.5 mm, which is what the margins leave to fronts and backs, gutterfold\n"
        "  paper that would do: A3, Legal, Tabloid, A3+, SRA3, 13 × 19 in; "
        "`make: board` prints it on several sheets to be joined"
    )


def test_component_without_backs_is_not_folded(pieces):
    job = impose(
        pieces(1, 50, 50) + pieces(9, 63, 88, component="rules", back=None),
        Setup(duplex=find_mode("gutterfold")),
    )
    assert [len(sheet.front.placed) for sheet in job.sheets] == [2, 9]
    assert not [mark for mark in job.sheets[1].front.marks if mark.dash]


def test_glued_backs_that_would_be_blank_are_not_printed(pieces):
    job = impose(
        pieces(1, 50, 50) + pieces(1, 63, 88, component="rules", back=None),
        Setup(duplex=find_mode("glue")),
    )
    assert [page.side.label for page in job.parts[0].pages] == ["1 front", "1 back", "2 front"]


def test_outline_for_glueing_is_mirrored_on_the_sheet_of_backs(pieces):
    sheet = impose(pieces(4, 50, 60, 3), Setup(duplex=find_mode("glue"))).sheets[0]
    boxes = [{tuple(line.a) for line in side.marks[-4:]} for side in (sheet.front, sheet.back)]
    assert boxes[0] == {(210 - x, y) for x, y in boxes[1]}


@pytest.mark.parametrize(
    ("tray", "backs"), [("face-down", ["1", "2", "3"]), ("face-up", ["3", "2", "1"])]
)
def test_pages_of_the_second_pass_follow_the_tray(pieces, tray, backs):
    parts = impose(pieces(20, 63, 88), Setup(duplex=find_mode("two-pass"), tray=Tray(tray))).parts
    assert [part.name for part in parts] == ["1-fronts", "2-backs"]
    assert [page.side.label.split()[0] for page in parts[0].pages] == ["1", "2", "3"]
    assert [page.side.label.split()[0] for page in parts[1].pages] == backs


def test_capacity_of_a_sheet_is_counted(pieces):
    assert count_per_sheet(pieces(1, 63, 88), Setup()) == 9
    assert count_per_sheet(pieces(1, 300, 300), Setup()) == 0
    with pytest.raises(InvalidValueError, match="a bleed cannot be -1 mm"):
        count_per_sheet(pieces(1, 63, 88, -1), Setup())
