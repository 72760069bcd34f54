"""Compare margins and gutters that save sheets with every grid that fits on the paper."""

from dataclasses import replace
from functools import cache
from math import floor

import pytest

from generator.base.geometry import Rect
from generator.base.paper import paper
from generator.base.shapes import parse_shape
from generator.impose.duplex import find_mode
from generator.impose.impose import impose
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Piece

# Poker, bridge, mini American, mini Euro, tarot, square and jumbo cards, and two that publishers
# use.
SIZES = (
    (63.5, 88.9),
    (63, 88),
    (57, 87),
    (41, 63),
    (44, 67),
    (70, 120),
    (70, 70),
    (88, 126),
    (80, 120),
)
PAPERS = ("a4", "letter", "a3", "legal", "tabloid")
BLEED = 3.0


@cache
def find_most_cards(size, paper_size, gutters):
    """Return the most cards of any plain grid on a sheet with margins of 4.2 to 10 mm in 0.1 mm steps."""
    most = 0
    for tenths in range(42, 101):
        room = [side - 2 * tenths / 10 for side in paper_size]
        for gutter in gutters:
            for w, h in (size, size[::-1]):
                columns, rows = (
                    floor((side + gutter + 1e-6) / (cell + gutter))
                    for side, cell in zip(room, (w, h), strict=True)
                )
                most = max(most, columns * rows)
    return most


def find_fewest_sheets(count, size, paper_size, gutters):
    """Return the fewest sheets of any plain grid with these gutters."""
    return -(-count // find_most_cards(size, paper_size, gutters))


def make_cards(count, size, bleed=BLEED, gutter=None):
    shape = parse_shape(f"rect {size[0]} x {size[1]} mm")
    return [
        Piece(f"c{n}", "cards", shape, bleed, f"front {n}", "back", gutter) for n in range(count)
    ]


def make_setup(name, **options):
    """Return the setup of a build without options."""
    return Setup(paper(name), least_margin=6.0, least_gutter=2.0, **options)


@pytest.mark.parametrize("gutter", [None, 0.0, 4.0])
@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize("size", SIZES)
def test_job_takes_the_fewest_sheets_or_a_notice_promises_them(size, name, gutter):
    setup = make_setup(name)
    steps = 61 if gutter is None else round(gutter * 10) + 1
    gutters = tuple(tenths / 10 for tenths in range(steps))
    for count in (18, 54, 110):
        job = impose(make_cards(count, size, gutter=gutter), setup)
        fewest = find_fewest_sheets(count, size, setup.paper.size, gutters)
        if len(job.sheets) > fewest:
            promised = f"would take {fewest} sheet{'' if fewest == 1 else 's'} instead of {len(job.sheets)}"
            assert promised in " ".join(job.notices), (count, fewest, job.notices)


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize("size", SIZES)
def test_cards_without_bleed_take_the_fewest_sheets_or_have_a_notice(size, name):
    setup = make_setup(name)
    job = impose(make_cards(54, size, 0.0), setup)
    fewest = find_fewest_sheets(54, size, setup.paper.size, (0.0,))
    assert len(job.sheets) <= fewest or f"would take {fewest} sheet" in " ".join(job.notices)


def test_poker_cards_with_bleed_take_six_sheets_of_a4_with_a_notice():
    job = impose(make_cards(54, (63, 88)), make_setup("a4"))
    assert len(job.sheets) == 6
    assert job.notices[0] == (
        "cards: on A4, a margin of 7 mm instead of 10 mm and a gutter of 3.5 mm instead of 6 mm: "
        "6 sheets instead of 7; 1.75 mm of the 3 mm bleed is left between pieces"
    )
    for sheet in job.sheets:
        for side in (sheet.front, sheet.back):
            trims = [placed.trim for placed in side.placed]
            assert min(trim.x for trim in trims) == pytest.approx(7)
            assert {
                round(b.x - a.right, 3) for a in trims for b in trims if 0 < b.x - a.right < 20
            } == {3.5}
            # Bleeds of neighbours meet in the middle of the gutter, and never overlap.
            assert not any(
                a.ink.overlaps(b.ink) for a in side.placed for b in side.placed if a is not b
            )
            least = min(
                min(p.trim.x - p.ink.x, p.ink.right - p.trim.right, p.trim.y - p.ink.y)
                for p in side.placed
            )
            assert least == pytest.approx(1.75)


def test_backs_lie_behind_their_fronts_with_a_smaller_gutter():
    job = impose(make_cards(54, (63, 88)), make_setup("a4"))
    for sheet in job.sheets:
        fronts = {round(placed.trim.x, 3) for placed in sheet.front.placed}
        mirrored = {round(210 - placed.trim.right, 3) for placed in sheet.back.placed}
        assert fronts == mirrored


def test_cuts_of_a_smaller_gutter_have_marks_at_both_ends():
    side = impose(make_cards(54, (63, 88)), make_setup("a4")).sheets[0].front
    cuts = {round(x, 3) for placed in side.placed for x in (placed.trim.x, placed.trim.right)}
    box = Rect.around([placed.trim for placed in side.placed])
    for above in (True, False):
        marks = [mark for mark in side.marks if mark.a.x == mark.b.x]
        ends = {
            round(m.a.x, 3)
            for m in marks
            if (max(m.a.y, m.b.y) <= box.y if above else min(m.a.y, m.b.y) >= box.bottom)
        }
        assert len(cuts) == 6
        assert cuts <= ends


def test_margin_and_gutter_stay_if_no_sheet_is_saved():
    job = impose(make_cards(16, (63, 88)), make_setup("a4"))
    assert len(job.sheets) == 2
    assert not job.notices
    assert {placed.ink.size for placed in job.sheets[0].front.placed} == {(94, 69)}


@pytest.mark.parametrize(("gutter", "least"), [(6.0, 2.0), (None, None)])
def test_given_gutter_stays_and_a_notice_names_a_smaller_one(gutter, least):
    job = impose(
        make_cards(54, (63, 88), gutter=gutter), replace(make_setup("a4"), least_gutter=least)
    )
    assert len(job.sheets) == 7
    (notice,) = job.notices
    assert notice == (
        "cards: on A4, a gutter of 4.5 mm would take 6 sheets instead of 7, "
        "and leave 0.8 mm of the 3 mm bleed on some sides"
    )
    assert len(impose(make_cards(54, (63, 88), gutter=4.5), make_setup("a4")).sheets) == 6


def test_given_margins_stay_if_a_smaller_gutter_saves_a_sheet():
    setup = replace(make_setup("a4"), margins=Margins.make_even(7), least_margin=None)
    job = impose(make_cards(54, (63, 88)), setup)
    assert len(job.sheets) == 6
    assert job.notices[0].startswith(
        "cards: on A4, a gutter of 3.5 mm instead of 6 mm: 6 sheets instead of 7"
    )


def test_given_grid_keeps_its_gutter_without_a_notice():
    job = impose(make_cards(54, (63, 88)), make_setup("a4", grid=(2, 4)))
    assert len(job.sheets) == 7
    assert not [notice for notice in job.notices if "sheets instead of" in notice]


def test_gutterfold_reduces_its_gutter_to_save_sheets():
    setup = make_setup("a4", duplex=find_mode("gutterfold"))
    job = impose(make_cards(54, (44, 67)), setup)
    roomy = impose(make_cards(54, (44, 67)), replace(setup, least_gutter=None))
    assert len(job.sheets) < len(roomy.sheets)
    assert any(
        "a gutter of" in notice and "bleed is left between pieces" in notice
        for notice in job.notices
    )


def test_hexagons_keep_their_bleed_and_a_notice_names_the_saving():
    tiles = [
        Piece(f"t{n}", "tiles", parse_shape("hex 40mm"), BLEED, "front", "back") for n in range(54)
    ]
    job = impose(tiles, make_setup("a4"))
    assert len(job.sheets) == 3
    assert "would take 2 sheets instead of 3" in " ".join(job.notices)
    assert len(impose([replace(tile, gutter=4.0) for tile in tiles], make_setup("a4")).sheets) == 2
