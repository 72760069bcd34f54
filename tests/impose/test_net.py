"""Test standees and boards on several sheets by putting the printed parts together."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paper import paper
from generator.base.shapes import fill_box, parse_shape
from generator.impose.duplex import find_mode
from generator.impose.impose import impose
from generator.impose.marks import DASH_LENGTHS_MM, DOT_LENGTHS_MM
from generator.impose.nets.standee import JOIN_OVERLAP_MM, build_standee
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times

FIGURE = Piece("a", "figures", fill_box("rect", Size(30, 50)), 2, "front", "back")


def impose_figure(piece=FIGURE):
    """Return the placed back, the placed front and the marks of a figure on its sheet."""
    side = impose([build_standee(piece)], Setup()).sheets[0].front
    front, back = side.placed
    return back, front, side.marks


def test_standee_has_two_feet_and_two_faces_head_to_head():
    piece = build_standee(FIGURE)
    assert piece.net.outline.box.size == pytest.approx((30, 130))
    back, front, _ = impose_figure()
    assert (back.face, back.turn, front.face, front.turn) == ("back", 180, "front", 0)
    assert back.trim.bottom == pytest.approx(front.trim.y)
    assert back.ink.bottom == pytest.approx(front.ink.y)
    assert front.ink == pytest.approx((front.trim.x - 2, front.trim.y, 34, 50))


def test_folded_standee_has_its_back_upright_behind_its_front():
    """Folding about the head line moves y to 2 * head - y, mirrored as seen from behind."""
    back, front, _ = impose_figure()
    head = front.trim.y
    assert 2 * head - back.trim.y == pytest.approx(front.trim.bottom)
    assert back.trim.x == pytest.approx(front.trim.x)


def test_folds_of_a_standee_are_marked_beside_the_figure():
    """Folds backwards at the head are dotted; folds forwards at the feet are dashed."""
    back, front, marks = impose_figure()
    trim = Rect.around([back.trim, front.trim])
    folds = [mark for mark in marks if mark.dash]
    ways = {round(mark.a.y - trim.y, 3): mark.dash for mark in folds}
    assert ways == {0: DASH_LENGTHS_MM, 50: DOT_LENGTHS_MM, 100: DASH_LENGTHS_MM}
    for mark in folds:
        low, high = sorted((mark.a.x, mark.b.x))
        assert high <= trim.x - 2.2 or low >= trim.right + 2.2


def test_feet_of_a_standee_have_an_outline():
    """A line marks every cut around parts without a picture."""
    back, front, marks = impose_figure()
    trim = Rect.around([back.trim, front.trim])
    lines = [sorted((tuple(mark.a), tuple(mark.b))) for mark in marks if not mark.dash]
    top = trim.y - 15
    bottom = trim.bottom + 15
    for y in (top, bottom):
        assert any(np.allclose(line, [(trim.x, y), (trim.right, y)]) for line in lines)
    for x in (trim.x, trim.right):
        for start, end in ((top, trim.y), (trim.bottom, bottom)):
            assert any(np.allclose(line, [(x, start), (x, end)], atol=0.3) for line in lines), (
                x,
                start,
            )


@pytest.mark.parametrize(("wide", "foot"), [(10, 8), (16, 8), (30, 15), (40, 20), (60, 20)])
def test_feet_of_a_standee_are_half_its_width_between_8_and_20_mm(wide, foot):
    standee = build_standee(
        Piece("f", "figures", fill_box("rect", Size(wide, 50)), 2, "front", "back")
    )
    cut = standee.net.outline.box
    assert cut.size == pytest.approx((wide, 2 * (50 + foot)))
    assert sorted({round(mark.a.y - cut.y, 3) for mark in standee.net.lines if mark.dash}) == [
        foot,
        foot + 50,
        foot + 100,
    ]


def test_standee_needs_no_second_side():
    job = impose([build_standee(FIGURE)], Setup(duplex=find_mode("long-edge")))
    assert (job.duplex, job.sheets[0].back) == ("Simplex", None)


@try_times(0.5)
@given(
    st.floats(150, 900),
    st.floats(150, 900),
    st.sampled_from([0.0, 3.0]),
    st.sampled_from(["a4", "letter", "a3"]),
    st.sampled_from(["single", "long-edge", "gutterfold"]),
)
def test_parts_of_a_board_cover_all_of_the_board_and_overlap(w, h, bleed, name, duplex):
    back = None if duplex == "single" else "back"
    board = Piece("b", "board", fill_box("rect", Size(w, h)), bleed, "front", back, splits=True)
    setup = Setup(paper(name), duplex=find_mode(duplex))
    parts_by_face = {"front": [], "back": []}
    for sheet in impose([board], setup).sheets:
        for side in filter(None, (sheet.front, sheet.back)):
            for placed in side.placed:
                assert setup.printable.holds(placed.ink)
                if placed.turn == 0:
                    assert placed.trim.size == pytest.approx((w, h))
                    parts_by_face[placed.face].append(
                        placed.ink.shifted((-placed.trim.x, -placed.trim.y))
                    )
    if parts_by_face["front"]:
        check_cover(parts_by_face["front"], w, h)


def check_cover(parts, w, h):
    columns = sorted({(round(part.x, 3), round(part.right, 3)) for part in parts})
    rows = sorted({(round(part.y, 3), round(part.bottom, 3)) for part in parts})
    assert len(parts) == len(columns) * len(rows)
    for spans, length in ((columns, w), (rows, h)):
        assert spans[0][0] <= 0.002
        assert spans[-1][1] >= length - 0.002
        for a, b in pairwise(spans):
            assert a[1] - b[0] >= JOIN_OVERLAP_MM - 0.01


def test_board_that_fits_is_one_piece():
    board = Piece("b", "board", fill_box("rect", Size(150, 150)), 3, "front", splits=True)
    assert len(impose([board], Setup()).sheets) == 1


def test_part_of_a_board_names_its_column_and_marks_the_next_part():
    board = Piece("b", "board", fill_box("rect", Size(300, 250)), 3, "front", splits=True)
    sheets = impose([board], Setup()).sheets
    notes = [sheet.front.notes[-1].text for sheet in sheets]
    assert "board, column 1 of 2, row 1 of 1, overlap 8 mm · sheet 1 of 2" in notes[0]
    assert "board, column 2 of 2, row 1 of 1, overlap 8 mm · sheet 2 of 2" in notes[1]
    joins = [mark for mark in sheets[0].front.marks if mark.dash]
    ink = sheets[0].front.placed[0].ink
    assert {round(mark.a.x, 3) for mark in joins} == {round(ink.right - 3 - JOIN_OVERLAP_MM, 3)}
    assert not [mark for mark in sheets[1].front.marks if mark.dash]


def test_backs_of_the_parts_of_a_board_lie_behind_their_fronts():
    board = Piece("b", "board", fill_box("rect", Size(300, 250)), 3, "front", "back", splits=True)
    for sheet in impose([board], Setup()).sheets:
        (front,) = sheet.front.placed
        (back,) = sheet.back.placed
        assert 210 - back.trim.right == pytest.approx(front.trim.x)
        assert 210 - back.ink.right == pytest.approx(front.ink.x)
        assert back.trim.y == pytest.approx(front.trim.y)
        assert {front.turn % 90, back.turn % 90} == {0}


def test_pack_makes_faces_into_standees_dice_and_boards(pnp, tmp_path):
    result = pnp("build", "tests/data/packs/folding", "-o", tmp_path, "--paper", "a4")
    assert result.exit_code == 0, result.output
    assert "6 pieces on 4 sheets, one side" in result.output


@try_times(0.25)
@given(st.floats(120, 600), st.floats(120, 600), st.sampled_from([(2, 1), (1, 2), (2, 2), (3, 2)]))
def test_folding_board_is_split_at_its_folds(w, h, folds):
    board = Piece("b", "board", fill_box("rect", Size(w, h)), 3, "front", splits=True, folds=folds)
    sheets = impose([board], Setup()).sheets
    placed = [placed for sheet in sheets for placed in sheet.front.placed]
    trims = [one.ink.shifted((-one.trim.x, -one.trim.y)) for one in placed if one.turn == 0]
    if len(sheets) == 1 and len(trims) == 1:
        trim = placed[0].trim
        dotted = [mark for mark in sheets[0].front.marks if mark.dash]
        upright = {
            round((mark.a.x - trim.x) / w * folds[0], 3) for mark in dotted if mark.a.x == mark.b.x
        }
        level = {
            round((mark.a.y - trim.y) / h * folds[1], 3) for mark in dotted if mark.a.y == mark.b.y
        }
        assert (upright, level) == (set(range(1, folds[0])), set(range(1, folds[1])))
    elif trims:
        starts = {round(entry.x + 3, 2) for entry in trims}
        ends = {round(item.right - 3, 2) for item in trims}
        for fold in range(1, folds[0]):
            assert min(abs(at - fold * w / folds[0]) for at in starts) < 0.02
            assert min(abs(at - fold * w / folds[0]) for at in ends) < 0.02


def test_panels_of_a_folding_board_have_no_overlap_and_a_note_on_taping():
    board = Piece(
        "b", "board", fill_box("rect", Size(320, 320)), 3, "front", splits=True, folds=(2, 2)
    )
    sheets = impose([board], Setup()).sheets
    assert len(sheets) == 4
    assert "panel 2 of 2, row 1 of 2: tape the panels together" in sheets[1].front.notes[-1].text
    assert not [mark for sheet in sheets for mark in sheet.front.marks if mark.dash]
    assert {round(sheet.front.placed[0].ink.w, 3) for sheet in sheets} == {166.0}


COMB = ((0, 0), (400, 0), (400, 300), (300, 300), (300, 40), (100, 40), (100, 300), (0, 300))
BOARDS = {
    "circle": fill_box("circle", Size(420, 420)),
    "hex": parse_shape("hex 380mm"),
    "star": Outline(
        tuple(Point(210, 210) + Point(0, -(210 if n % 2 else 90)).turned(36 * n) for n in range(10))
    ),
    "ell": Outline(
        tuple(Point(*at) for at in ((0, 0), (400, 0), (400, 120), (120, 120), (120, 400), (0, 400)))
    ),
    "comb": Outline(
        tuple(
            Point(*at)
            for at in (
                (0, 0),
                (400, 0),
                (400, 300),
                (300, 300),
                (300, 40),
                (100, 40),
                (100, 300),
                (0, 300),
            )
        )
    ),
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("folds", [None, (2, 2)])
def test_every_point_of_a_board_of_any_outline_is_printed(name, folds):
    """Each point of a grid on the board lies on some part, inside its cut outline."""
    outline = BOARDS[name].moved((-BOARDS[name].box.x, -BOARDS[name].box.y))
    board = Piece("b", "board", outline, 3, "front", splits=True, folds=folds)
    setup = Setup(paper("a4"))
    parts = []
    for sheet in impose([board], setup).sheets:
        for placed in sheet.front.placed:
            assert setup.printable.holds(placed.ink)
            middle = Point(outline.size.w / 2, outline.size.h / 2)
            parts.append((placed, middle))
    w, h = outline.size
    missing = []
    for place in (Point(x * w / 61, y * h / 61) for x in range(62) for y in range(62)):
        if outline.depth(place) < 0.01:
            continue
        there = (
            (place - middle).turned(placed.turn) + placed.trim.centre for placed, middle in parts
        )
        spots = zip(parts, there, strict=True)
        if not any(
            placed.ink.grown(0.01).holds(Rect(*at, 0, 0))
            and (placed.clip is None or placed.clip.depth(at) > -0.02)
            for (placed, _), at in spots
        ):
            missing.append(place)
    assert missing == []
