"""Test that cut marks alone show every edge of every piece to a reader with a ruler."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Point, Rect
from generator.base.paper import paper
from generator.base.paths import read_path
from generator.base.shapes import parse_shape, trace_path
from generator.impose.duplex import find_mode
from generator.impose.grid import Slot, get_placement
from generator.impose.impose import impose
from generator.impose.marks import draw_outline_marks, find_style
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times

KINDS = (
    "hex {}mm",
    "hex {}mm pointed",
    "triangle {}mm",
    "triangle {}mm down",
    "octagon {}mm",
    "rect {} x 88 mm",
)


def pieces(size, count, bleed=2.0, gutter=None):
    return [
        Piece(f"t{n}", "tiles", parse_shape(size), bleed, "front", "back", gutter)
        for n in range(count)
    ]


def distance_from_line(place, mark, way):
    """Return the distance of a place from the line through a mark, in the direction `way`."""
    return abs(way.x * (place.y - mark.a.y) - way.y * (place.x - mark.a.x))


def edges_without_marks(piece, side):
    """Yield the edges that a ruler laid between marks at both ends misses by 0.1 mm or more."""
    solid = [(mark, (mark.b - mark.a).unit()) for mark in side.marks if not mark.dash]
    for placed in side.placed:
        cut = piece.outline.mapped(get_placement(piece, Slot(placed.trim, placed.ink, placed.turn)))
        for a, b in zip(cut.corners, (*cut.corners[1:], cut.corners[0]), strict=True):
            way = (b - a).unit()
            length = (b - a).length()
            on = [
                mark
                for mark, direction in solid
                if distance_from_line(a, mark, direction) < 0.1
                and distance_from_line(b, mark, direction) < 0.1
            ]
            ends = [
                (p.x - a.x) * way.x + (p.y - a.y) * way.y for mark in on for p in (mark.a, mark.b)
            ]
            if not (min(ends, default=1) <= 0.1 and max(ends, default=0) >= length - 0.1):
                yield a, b


@try_times(0.3)
@given(
    st.sampled_from(KINDS),
    st.integers(20, 60),
    st.sampled_from([0.0, 2.0, 3.0]),
    st.sampled_from(["a4", "letter"]),
    st.sampled_from(["long-edge", "gutterfold", "glue"]),
)
def test_every_edge_has_marks_or_a_notice_gives_the_reason(kind, mm, bleed, sheet, mode):
    tiles = pieces(kind.format(mm), 40, bleed)
    job = impose(tiles, Setup(paper(sheet), duplex=find_mode(mode)))
    missing = [edge for sheet in job.sheets for edge in edges_without_marks(tiles[0], sheet.front)]
    notices = [
        notice
        for notice in job.notices
        if "every edge would have marks" in notice or "no marks" in notice
    ]
    assert not missing or notices


def test_60_hexagons_have_marks_at_every_edge_on_no_more_sheets():
    tiles = pieces("hex 40mm", 60)
    close = impose(pieces("hex 40mm", 60, gutter=4.0), Setup())
    job = impose(tiles, Setup())
    assert len(close.sheets) == len(job.sheets) == 3
    notice = "marks cannot show every edge of 21 of 25 pieces of a sheet: cut 0.8 mm inside the thin line round it"
    assert f"tiles: {notice}, or with --cutter" in close.notices
    assert "cut 0.8 mm inside the thin line" in close.sheets[0].front.notes[-1].text
    assert not [notice for notice in job.notices if "marks" in notice]
    assert not [edge for sheet in job.sheets for edge in edges_without_marks(tiles[0], sheet.front)]


def test_notice_names_the_price_of_space_for_marks():
    notices = impose(pieces("hex 40mm", 25), Setup()).notices
    assert (
        "tiles: with a gutter of 5 mm every edge would have marks, on 2 sheets instead of 1"
        in notices
    )


@pytest.mark.parametrize("bleed", [2.0, 3.0])
@pytest.mark.parametrize("mm", [12, 18, 22])
def test_marks_cross_in_the_middle_of_a_token_and_the_footer_has_its_diameter(mm, bleed):
    job = impose(pieces(f"circle {mm}mm", 30, bleed), Setup())
    front = job.sheets[0].front
    for placed in front.placed:
        centre = placed.trim.centre
        near = [
            mark
            for mark in front.marks
            if (mark.a - centre).length() < mm
            and distance_from_line(centre, mark, (mark.b - mark.a).unit()) < 0.05
        ]
        ways = [(mark.b - mark.a).unit() for mark in near]
        assert any(abs(way.x * two.y - way.y * two.x) > 0.4 for way in ways for two in ways)
    assert f"{mm} mm circles" in front.notes[-1].text
    assert not job.notices


def test_footer_names_the_radius_of_corners():
    cards = [
        Piece("a", "cards", parse_shape("rect 63 x 88 mm").rounded(3), 2.0, "front", "back"),
        Piece("b", "cards", parse_shape("rect 63 x 88 mm").rounded(3), 2.0, "front", "back"),
    ]
    assert "corner radius 3 mm" in impose(cards, Setup()).sheets[0].front.notes[-1].text
    plain = impose(pieces("rect 63 x 88 mm", 2), Setup())
    assert "radius" not in plain.sheets[0].front.notes[-1].text


def test_marks_keep_clear_of_faces():
    side = impose(pieces("hex 22mm", 70), Setup()).sheets[0].front
    for mark in side.marks:
        middle = (mark.a + mark.b).scaled(0.5)
        near = [p.clip for p in side.placed if p.ink.grown(1).holds(Rect(*middle, 0, 0))]
        assert all(
            ink.depth(Point(*place)) <= -0.2 for ink in near for place in (mark.a, middle, mark.b)
        )


PUZZLE = "M0 0H30C38 -8 46 8 40 20C52 34 36 44 40 50H0C8 34 -6 20 0 0Z"


def test_curve_has_a_thin_line_outside_its_trim_that_the_footer_explains():
    shape = trace_path(read_path(PUZZLE)[0], "puzzle")
    setup = Setup(marks=find_style("crosshair"))
    front = (
        impose([Piece(f"p{n}", "tiles", shape, 2.0, "front") for n in range(4)], setup)
        .sheets[0]
        .front
    )
    cuts = [
        shape.mapped(get_placement(Piece("", "", shape, 0, ""), Slot(p.trim, p.ink, p.turn)))
        for p in front.placed
    ]
    assert "cut 0.8 mm inside the thin line" in front.notes[-1].text
    black = [line for line in front.cuts if not line.grey]
    depths = [max(cut.depth(line.a) for cut in cuts) for line in black]
    assert sum(far > -0.81 for far in depths) > 0.9 * len(depths)
    assert max(depths) < -0.74
    assert {line.width for line in black} == {0.1}
    assert (
        not impose([Piece("p", "tiles", shape, 2.0, "front")], Setup(marks=find_style("none")))
        .sheets[0]
        .front.cuts
    )


def test_lone_curve_has_marks_at_the_middle_of_each_side_of_its_box():
    shape = trace_path(read_path("M20 0C40 0 40 30 20 30C0 30 0 0 20 0Z")[0], "oval")
    cut = shape.moved((60, 70))
    w, h = shape.size
    middle = cut.box.centre
    marks = draw_outline_marks([cut], [cut.grown(2)], 4.0, Rect(0, 0, 200, 200), [])
    ends_of_marks = {
        tuple(round(at, 2) + 0.0 for at in (*(m.a - middle), *(m.b - middle))) for m in marks
    }
    across, down = ((side / 2 + 2.28, side / 2 + 6.28) for side in (w, h))
    sides = [(way * across[0], 0, way * across[1], 0) for way in (-1, 1)]
    sides += [(0, way * down[0], 0, way * down[1]) for way in (-1, 1)]
    assert ends_of_marks == {tuple(round(at, 2) for at in side) for side in sides}


def test_touching_hexagons_have_no_lines_and_the_footer_explains_the_cut():
    job = impose(pieces("hex 40mm", 25, gutter=0.0), Setup())
    front = job.sheets[0].front
    assert front.cuts == ()
    assert "where there are no marks, cut along the picture" in front.notes[-1].text
    notice = "60 of 150 edges of a sheet have no marks at both ends: cut them along the picture"
    assert job.notices == (f"tiles: {notice}",)


@pytest.mark.parametrize("bleed", [0, 2])
def test_few_hexagons_lie_2_mm_apart_so_that_marks_are_easy_to_see(bleed):
    """The gap between bleeds is 2 mm, although 1 mm would do."""
    (sheet,) = impose(pieces("hex 40mm", 8, bleed), Setup()).sheets
    middles = [placed.trim.centre for placed in sheet.front.placed]
    nearest = min((a - b).length() for n, a in enumerate(middles) for b in middles[:n])
    assert nearest == pytest.approx(40 + 2 * bleed + 2)
