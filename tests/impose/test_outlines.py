"""Test sheets of pieces with any outline: no overlap, no missing piece, backs behind fronts."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from generator.base.geometry import Affine, Point, Rect
from generator.base.outline import Outline
from generator.base.shapes import back_outline, parse_shape, polygon_outline
from generator.impose.duplex import DUPLEX_MODES
from generator.impose.grid import Slot, get_placement
from generator.impose.impose import impose, impose_packed
from generator.impose.nets.standee import JOIN_OVERLAP_MM
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times

PRINTABLE = Setup().printable


@st.composite
def polygons(draw):
    """Generate a polygon of 3 to 12 corners around its middle: convex, or with bays."""
    count = draw(st.integers(3, 12))
    even = draw(st.booleans())
    far = (
        [draw(st.floats(15, 40))] * count
        if even
        else [draw(st.floats(12, 40)) for _ in range(count)]
    )
    lean = draw(st.floats(0, 90))
    return polygon_outline([Point(0, -far[n]).turned(lean + 360 * n / count) for n in range(count)])


@st.composite
def boxes(draw):
    w = draw(st.floats(20, 90))
    h = draw(st.floats(20, 90))
    return Outline.of_box(Rect(0, 0, w, h), draw(st.sampled_from([0.0, 3.0, min(w, h) / 2])))


NAMED = ("hex {}mm", "hex {}mm pointed", "circle {}mm", "triangle {}mm", "octagon {}mm")
outlines = st.one_of(
    polygons(),
    boxes(),
    st.builds(
        lambda name, mm: parse_shape(name.format(mm)), st.sampled_from(NAMED), st.integers(20, 80)
    ),
)
bleeds = st.sampled_from([0.0, 2.0, 3.0])
gutters = st.sampled_from([None, 0.0, 1.0, 5.0])
modes = st.sampled_from(["long-edge", "short-edge", "gutterfold"])


def pieces(outline, bleed, gutter, count, name="a"):
    return [
        Piece(f"{name}{n}", name, outline, bleed, "front", "back", gutter) for n in range(count)
    ]


def cut_outline(outline, placed):
    """Return the cut outline of a placed piece, computed from its place and turn."""
    return outline.mapped(
        get_placement(Piece("", "", outline, 0, ""), Slot(placed.trim, placed.ink, placed.turn))
    )


def check_side(outline, side, space, bleed):
    cuts = [cut_outline(outline, placed) for placed in side]
    inks = [placed.clip or Outline.of_box(placed.ink) for placed in side]
    sharp = outline if outline.is_circle else outline.rounded(0)
    for placed, cut, ink in zip(side, cuts, inks, strict=True):
        assert PRINTABLE.grown(1e-6).holds(ink.box), "the ink lies in the printable area"
        assert all(ink.depth(place) > -0.03 for place in cut.flat), "the ink covers the whole trim"
        trim = cut_outline(sharp, placed)
        assert all(trim.depth(place) > -1.4143 * bleed - 0.03 for place in ink.flat), (
            "the ink ends at the bleed"
        )
    for i, j in combinations(range(len(side)), 2):
        if side[i].trim.grown(space).overlaps(side[j].trim):
            assert cuts[i].distance_to(cuts[j]) >= space - 0.03, "pieces keep their gutter"
            assert not inks[i].shrunk(0.05).overlaps(cuts[j]), "no ink on another piece"


def check_marks(side):
    inks = [placed.clip or Outline.of_box(placed.ink) for placed in side.placed]
    for mark in side.marks:
        if mark.dash:
            continue
        for step in (mark.a, (mark.a + mark.b).scaled(0.5), mark.b):
            assert PRINTABLE.grown(1e-6).holds(Rect(*step, 0, 0))
            near = [ink for ink in inks if ink.box.grown(1).holds(Rect(*step, 0, 0))]
            assert all(ink.depth(step) <= -0.2 for ink in near), "marks lie outside of the ink"


@try_times(0.3)
@given(outlines, bleeds, gutters, modes)
def test_pieces_of_any_outline_lie_apart_with_backs_behind_fronts(outline, bleed, gutter, mode):
    setup = Setup(duplex=DUPLEX_MODES[mode])
    job = impose(pieces(outline, bleed, gutter, 6), setup)
    placed = [one for sheet in job.sheets for one in sheet.front.placed]
    backs = [one for sheet in job.sheets if sheet.back for one in sheet.back.placed]
    assert sorted(entry.piece for entry in (*placed, *backs)) == sorted(
        2 * [f"a{n}" for n in range(6)]
    )
    space = 2 * bleed if gutter is None else gutter
    for sheet in job.sheets:
        faces = [
            [item for item in sheet.front.placed if item.face == face] for face in ("front", "back")
        ]
        check_side(outline, faces[0], space, bleed)
        check_side(
            back_outline(outline),
            faces[1] + list(sheet.back.placed if sheet.back else ()),
            space,
            bleed,
        )
        check_marks(sheet.front)
        if sheet.back:
            over = Affine(a=-1, e=210) if mode == "long-edge" else Affine(d=-1, f=297)
            for front, back in zip(sheet.front.placed, sheet.back.placed, strict=True):
                there = cut_outline(outline, front).mapped(over)
                here = cut_outline(back_outline(outline), back)
                assert there.box == pytest.approx(here.box, abs=0.01)
                # The chords of a mirrored circle of 80 mm are up to 0.025 mm from those of the
                # circle.
                assert all(abs(here.depth(place)) < 0.03 for place in there.flat), (
                    "backs lie behind fronts"
                )


@try_times(0.2)
@given(outlines, outlines, bleeds)
def test_pieces_of_two_outlines_share_sheets_without_overlap(one, other, bleed):
    setup = Setup()
    job = impose_packed([*pieces(one, bleed, None, 3), *pieces(other, bleed, None, 3, "b")], setup)
    for sheet in job.sheets:
        cuts = [
            cut_outline(one if placed.piece[0] == "a" else other, placed)
            for placed in sheet.front.placed
        ]
        inks = [placed.clip or Outline.of_box(placed.ink) for placed in sheet.front.placed]
        check_marks(sheet.front)
        for i, j in combinations(range(len(cuts)), 2):
            assert not cuts[i].overlaps(cuts[j])
            assert not inks[i].shrunk(0.05).overlaps(cuts[j])
    assert sum(len(sheet.front.placed) for sheet in job.sheets) == 6


@try_times(0.24)
@given(outlines, st.floats(3.5, 7), st.sampled_from([0.0, 3.0]))
# In this example, the seam between two parts runs through a corner of the board.
@example(parse_shape("hex 74mm"), 5.136318539154021, 3.0)
def test_parts_of_a_board_of_any_outline_show_all_of_the_board(outline, scale, bleed):
    board = outline.mapped(Affine(a=scale, d=scale))
    assume(max(board.size) < 600)
    piece = replace(pieces(board, bleed, None, 1)[0], splits=True)
    job = impose([piece], Setup())
    parts = [
        (sheet.front.placed[0], bed.outlines[0])
        for sheet, bed in zip(job.sheets, job.beds, strict=True)
    ]
    for place in (
        Point(board.size.w * a / 12, board.size.h * b / 12) for a in range(13) for b in range(13)
    ):
        if board.depth(place) < 0.5:
            continue
        deep = [
            cut.depth(on)
            for face, cut in parts
            if cut.depth(on := at(board, face).apply(place)) > 0
        ]
        assert deep, "every point of the board is printed"
        assert sorted(deep)[:-1] == [
            near for near in sorted(deep)[:-1] if near <= JOIN_OVERLAP_MM + 0.01
        ], "points are printed twice only where parts overlap"
    for face, cut in parts:
        ink = face.clip or Outline.of_box(face.ink)
        assert all(ink.depth(place) > -0.03 for place in cut.flat)


def at(board, placed):
    return get_placement(Piece("", "", board, 0, ""), Slot(placed.trim, placed.ink, placed.turn))


def test_24_octagons_lie_on_a_sheet_without_overlap():
    (sheet, *_) = impose(pieces(parse_shape("octagon 40mm"), 2.0, None, 40), Setup()).sheets
    cuts = [cut_outline(parse_shape("octagon 40mm"), placed) for placed in sheet.front.placed]
    assert len(cuts) == 24
    assert not any(item.overlaps(two) for item, two in combinations(cuts, 2))


def test_triangles_with_a_given_gutter_lie_beside_turned_neighbours():
    sheet, *more = impose(
        pieces(parse_shape("triangle 40mm"), 2.0, None, 60), Setup(gutter=4.0)
    ).sheets
    assert len(more) == 1
    assert len(sheet.front.placed) > 28, "more than a grid of their boxes holds"
    assert {placed.turn for placed in sheet.front.placed} == {90, 270}


def test_triangles_with_space_for_marks_take_no_more_sheets():
    """Without a given gutter, marks get space if that costs no sheet: here the triangles then lie upright."""
    sheet, *more = impose(pieces(parse_shape("triangle 40mm"), 2.0, None, 60), Setup()).sheets
    assert len(more) == 1
    assert len(sheet.front.placed) > 28, "more than a grid of their boxes holds"
    assert {placed.turn for placed in sheet.front.placed} == {0, 180}
