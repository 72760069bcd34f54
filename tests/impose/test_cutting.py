"""Test cut plans by following them, and cut files by reading them back."""

import io
import math
import re
from itertools import combinations, pairwise

import ezdxf
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paper import paper
from generator.base.shapes import fill_box, parse_shape
from generator.base.ui_strings import words_for
from generator.base.worker import Worker
from generator.impose.duplex import find_mode
from generator.impose.grid import Grid, place_slots
from generator.impose.guillotine import (
    GuillotineCut,
    StripPlan,
    collect_measures,
    count_strokes,
    draw_cut_pages,
    number_cuts,
    plan_cuts,
    write_bed,
    write_cut_plan,
)
from generator.impose.impose import impose, impose_packed
from generator.impose.plotter import (
    REGISTRATIONS,
    find_registration,
    split_at_bridges,
    write_dxf,
    write_svg,
)
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Bed, Line, PaperEdge, Piece

A4 = Rect(0, 0, 210, 297)


def press_cut(part: Rect, cut: GuillotineCut) -> tuple[Rect, Rect]:
    """Return the part at the stop and the part beyond the blade."""
    m = cut.measure
    halves = {
        PaperEdge.LEFT: (
            Rect(part.x, part.y, m, part.h),
            Rect(part.x + m, part.y, part.w - m, part.h),
        ),
        PaperEdge.RIGHT: (
            Rect(part.right - m, part.y, m, part.h),
            Rect(part.x, part.y, part.w - m, part.h),
        ),
        PaperEdge.TOP: (
            Rect(part.x, part.y, part.w, m),
            Rect(part.x, part.y + m, part.w, part.h - m),
        ),
        PaperEdge.BOTTOM: (
            Rect(part.x, part.bottom - m, part.w, m),
            Rect(part.x, part.y, part.w, part.h - m),
        ),
    }
    part_at_stop, rest = halves[cut.stop]
    assert min(rest.size) > -1e-6
    return part_at_stop, rest


def follow_plan(plan: StripPlan, part: Rect) -> list[Rect]:
    """Return the pieces after following the cut plan."""
    strips = []
    hand = part
    for cut in (cut for cut in plan.cuts if cut.stop in {PaperEdge.RIGHT, PaperEdge.BOTTOM}):
        hand, _ = press_cut(hand, cut)
    for cut in (cut for cut in plan.cuts if cut.separates_strips):
        for _ in range(cut.repeats):
            strip_at_stop, hand = press_cut(hand, cut)
            strips.append(strip_at_stop)
    strips.append(hand)
    for cut in (
        cut
        for cut in plan.cuts
        if not cut.separates_strips and cut.stop in {PaperEdge.LEFT, PaperEdge.TOP}
    ):
        across = cut.stop is PaperEdge.LEFT
        longer = [
            strip for strip in strips if (strip.w if across else strip.h) > cut.measure + 1e-6
        ]
        for strip in longer[: cut.repeats] if len(plan.cuts) < 4 else longer:
            strips[strips.index(strip)] = press_cut(strip, cut)[0]
    if not plan.strips:
        return strips
    plans = [inner for count, inner in plan.strips for _ in range(count)]
    assert len(plans) == len(strips)
    return [
        piece
        for strip, inner in zip(strips, plans, strict=True)
        for piece in follow_plan(inner, strip)
    ]


@given(
    st.tuples(st.integers(1, 5), st.integers(1, 6)),
    st.tuples(st.floats(10, 40), st.floats(10, 40)),
    st.sampled_from([0.0, 4.0, 5.5]),
)
def test_following_a_cut_plan_gives_the_pieces(shape, size, gutter):
    grid = Grid(*shape, Size(*size), gutter)
    assume(grid.fits(A4.grown(-5).size))
    trims = [slot.trim for slot in place_slots(grid, A4.grown(-5), 0, A4)]
    plan = plan_cuts(A4, trims)
    assert len(collect_measures(plan)) <= 2 * (2 + (gutter > 0))
    cut_pieces = follow_plan(plan, A4)
    assert len(cut_pieces) == len(trims)
    for expected in trims:
        assert (
            sum(
                all(abs(a - b) < 2e-3 for a, b in zip(mine, expected, strict=True))
                for mine in cut_pieces
            )
            == 1
        )


def test_cut_plan_in_words_lists_measures_and_cuts_in_order(pieces):
    setup = Setup(paper("a4"), Margins.make_even(7), gutter=5.5, grid=(4, 7))
    job = impose(pieces(30, 33, 33, 2, "Tiles"), setup)
    assert write_cut_plan("Game 1", job.beds, setup, words_for("en").cuts).splitlines()[5:14] == [
        "Sheet 1: Tiles, 28 per sheet",
        "  4 different measures: 33, 38.5, 179.25, 280.5 mm; 13 cuts if you stack the strips",
        "  1. 179.25 mm, right edge at the stop",
        "  2. 38.5 mm, left edge at the stop, 3 times; put the part beyond the blade in again",
        "  3. 33 mm, left edge at the stop, for 4 strips",
        "  4. each of 4 strips:",
        "     4.1. 280.5 mm, bottom edge at the stop",
        "     4.2. 38.5 mm, top edge at the stop, 6 times; put the part beyond the blade in again",
        "     4.3. 33 mm, top edge at the stop, for 7 strips",
    ]


def test_cut_plan_names_a_strip_with_different_cuts_separately():
    rows = [(10, 40, 2), (50, 30, 3), (90, 30, 3)]
    parts = [
        Rect(10 + index * (width + 5), y, width, 30)
        for y, width, count in rows
        for index in range(count)
    ]
    bed = Bed(1, 1, "Tiles", A4, tuple(map(Outline.of_box, parts)), parts=tuple(parts))
    lines = write_bed(bed, words_for("en").cuts)
    strip_lines = [
        line.split(". ")[1]
        for line in lines
        if "strip" in line.split(". ")[-1] and line.endswith(":")
    ]
    assert strip_lines == ["the strip:", "each of 2 strips:"]


def test_cut_plan_has_no_trim_cut_at_the_edge_of_the_paper():
    plan = plan_cuts(Rect(0, 0, 100, 60), [Rect(0, 0, 50, 60), Rect(50, 0, 50, 60)])
    assert [(cut.measure, cut.repeats) for cut in plan.cuts] == [(50, 1)]
    assert not plan.strips


def test_touching_pieces_need_two_measures_per_direction(pieces):
    job = impose(pieces(9, 63, 88), Setup())
    plan = plan_cuts(job.beds[0].paper, [outline.box for outline in job.beds[0].outlines])
    assert (len(collect_measures(plan)), count_strokes(plan)) == (4, 8)


def test_pieces_that_no_straight_cut_separates_have_no_plan():
    pinwheel = [
        Rect(0, 0, 20, 10),
        Rect(20, 0, 10, 20),
        Rect(10, 20, 20, 10),
        Rect(0, 10, 10, 20),
        Rect(10, 10, 10, 10),
    ]
    assert plan_cuts(Rect(0, 0, 30, 30), pinwheel) is None


def test_cut_plan_of_folded_sheets_is_for_the_folded_paper(pieces):
    job = impose(pieces(8, 63, 88), Setup(duplex=find_mode("gutterfold")))
    assert job.beds[0].paper == Rect(0, 0, 210, 148.5)
    assert len(job.beds[0].outlines) == 4
    title = write_bed(job.beds[0], words_for("en").cuts)[0]
    assert title == "Sheets 1 to 2: cards, 4 per sheet, folded and glued"


HEXAGON = tuple(
    Point(*xy) for xy in ((110, 130), (130, 130), (140, 145), (130, 160), (110, 160), (100, 145))
)
OUTLINES = (
    Outline.of_box(Rect(20, 30, 63, 88), 3.0),
    Outline.of_box(Rect(100, 30, 22, 22), 11.0),
    Outline.of_box(Rect(20, 130, 40, 30)),
    Outline(HEXAGON),
)
BED = Bed(1, 1, "shapes", A4, OUTLINES)
AREAS = [63 * 88 - (4 - math.pi) * 9, math.pi * 121, 1200, 900]


def test_dxf_has_the_outlines_in_mm_from_the_bottom_left():
    with Worker() as worker:
        drawing = ezdxf.read(io.StringIO(write_dxf(BED, worker)))
    assert drawing.units == 4
    assert drawing.layers.get("CUT").color == ezdxf.colors.RED
    lines = list(drawing.modelspace().query('LWPOLYLINE[layer=="CUT"]'))
    assert [round(line_area(line), 2) for line in lines] == [round(area, 2) for area in AREAS]
    (sheet,) = drawing.modelspace().query('LWPOLYLINE[layer!="CUT"]')
    assert not drawing.layers.get(sheet.dxf.layer).dxf.plot, (
        "machines must not cut the frame that shows the paper"
    )
    assert drawing.layers.get("CUT").dxf.plot
    assert max(point[1] for point in sheet.get_points()) == 297
    xs = [point[0] for point in lines[0].get_points()]
    ys = [point[1] for point in lines[0].get_points()]
    assert (min(xs), max(xs), min(ys), max(ys)) == (20, 83, 297 - 118, 297 - 30)


def line_area(line):
    """Return the area of a polyline with its arcs; a bulge is the tangent of a quarter of the angle."""
    points = line.get_points("xyb")
    total = 0.0
    for (x, y, bulge), (u, v, _) in zip(points, points[1:] + points[:1], strict=True):
        total += (x * v - u * y) / 2
        angle = 4 * math.atan(bulge)
        chord = math.hypot(u - x, v - y)
        if bulge:
            radius = chord / 2 / math.sin(abs(angle) / 2)
            total += math.copysign(radius**2 * (abs(angle) - math.sin(abs(angle))) / 2, bulge)
    return abs(total)


def test_svg_has_one_path_per_piece_and_the_size_of_the_paper():
    text = write_svg(BED)
    assert 'width="210mm" height="297mm" viewBox="0 0 210 297"' in text
    paths = re.findall(r'<path d="([^"]+)"', text)
    assert len(paths) == 4
    assert paths[0].startswith("M23 30 L80 30 A3 3 0 0 1 83 33 L83 115")
    assert paths[2] == "M20 130 L60 130 L60 160 L20 160 Z"


@pytest.mark.parametrize("name", REGISTRATIONS)
def test_registration_marks_have_white_paper_round_them(pieces, name):
    setup = Setup(cutter=find_registration(name))
    sheet = impose(pieces(20, 50, 60, 3), setup).sheets[0]
    inner = REGISTRATIONS[name].get_inner_area(setup.paper.size)
    assert all(inner.holds(placed.ink) for placed in sheet.front.placed)
    assert all(placed.ink == pytest.approx(placed.trim.grown(3)) for placed in sheet.front.placed)
    count = len(REGISTRATIONS[name].draw_marks(setup.paper.size))
    assert sheet.front.marks[:count] == REGISTRATIONS[name].draw_marks(setup.paper.size)
    assert sheet.back.marks == impose(pieces(20, 50, 60, 3), setup).sheets[0].back.marks
    for line in sheet.front.marks[:count]:
        assert not any(bar(line).grown(1.9).overlaps(placed.ink) for placed in sheet.front.placed)


def bar(line: Line) -> Rect:
    """Return the black stretches of a level or upright line."""
    box = Rect.between(*line.a, *line.b)
    half = line.width / 2
    return (
        Rect(box.x, box.y - half, box.w, line.width)
        if box.h == 0
        else Rect(box.x - half, box.y, line.width, box.h)
    )


@pytest.mark.parametrize(
    ("name", "corners"),
    [
        (
            "silhouette",
            [
                (10, 10, 5, 5),
                (191.6, 10, 8.4, 1),
                (199, 10, 1, 8.4),
                (10, 286, 8.4, 1),
                (10, 278.6, 1, 8.4),
            ],
        ),
        (
            "cricut",
            [
                (10, 10, 190, 1.27),
                (10, 285.73, 190, 1.27),
                (10, 10, 1.27, 277),
                (198.73, 10, 1.27, 277),
            ],
        ),
    ],
)
def test_registration_marks_lie_10_mm_from_the_edges_of_the_paper(name, corners):
    """A square and angles, or a frame, have outer edges 10 mm from the edges of the paper."""
    bars = [bar(line) for line in REGISTRATIONS[name].draw_marks(A4.size)]
    assert bars == [pytest.approx(corner) for corner in corners]
    inner = REGISTRATIONS[name].get_inner_area(A4.size)
    assert not any(item.grown(1.99).overlaps(inner) for item in bars)
    assert A4.grown(-13.3).w <= inner.w <= A4.grown(-13).w


def test_cut_outlines_have_rounded_corners_and_hexagons():
    piece = Piece("a", "cards", fill_box("rect", Size(63, 88)).rounded(3), 3, "f")
    hexagon = Piece("b", "hexes", parse_shape("hex 40mm"), 0, "f")
    job = impose([piece, hexagon], Setup())
    assert job.beds[0].outlines[0].radius == 3
    corner = job.beds[1].outlines[0].box
    assert job.beds[1].outlines[0].corners[0] == pytest.approx(
        Point(corner.x + 20 / math.sqrt(3), corner.y)
    )


def test_dxf_has_the_same_bytes_each_time_and_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    drawings = []
    for _ in range(2):
        with Worker() as worker:
            drawings.append(write_dxf(BED, worker))
    assert drawings[0] == drawings[1]
    assert list(tmp_path.iterdir()) == []
    lines = ezdxf.read(io.StringIO(drawings[0])).modelspace().query("LWPOLYLINE")
    numbers = [value for line in lines for point in line.get_points("xyb") for value in point]
    assert numbers == [round(value, 6) for value in numbers], (
        "more digits would differ between versions of Python"
    )


def distance_from(outline, point):
    """Return the distance of a place from an outline."""
    flat = list(outline.flat)
    far = []
    for a, b in zip(flat, flat[1:] + flat[:1], strict=True):
        way = b - a
        share = max(
            0.0,
            min(
                1.0, ((point.x - a.x) * way.x + (point.y - a.y) * way.y) / (way.length() ** 2 or 1)
            ),
        )
        far.append((a + way.scaled(share) - point).length())
    return min(far)


@pytest.mark.parametrize("outline", OUTLINES)
def test_cuts_with_bridges_cover_the_outline_except_for_even_gaps(outline):
    """Bridges hold the piece in its sheet."""
    around = sum(
        (b - a).length()
        for a, b in zip(outline.flat, outline.flat[1:] + outline.flat[:1], strict=True)
    )
    ways = list(split_at_bridges(outline, 0.8))
    assert len(ways) == max(2, round(around / 50))
    lengths = [sum((b - a).length() for a, b in pairwise(way)) for way in ways]
    assert lengths == pytest.approx([around / len(ways) - 0.8] * len(ways))
    assert all(distance_from(outline, point) < 0.01 for way in ways for point in way)
    for before, after in zip(ways, ways[1:] + ways[:1], strict=True):
        assert (after[0] - before[-1]).length() <= 0.8 + 1e-6


def test_cut_files_have_bridges_for_the_components_that_ask_for_them():
    bed = Bed(1, 1, "shapes", A4, OUTLINES, bridges=(0.0, 0.8, 0.0, 0.5))
    text = write_svg(bed)
    paths = re.findall(r'<path d="([^"]+)"', text)
    assert len([path for path in paths if path.endswith("Z")]) == 2
    assert len(paths) == 2 + 2 + max(2, round(6 * (HEXAGON[1] - HEXAGON[0]).length() / 50))
    with Worker() as worker:
        lines = list(
            ezdxf.read(io.StringIO(write_dxf(bed, worker)))
            .modelspace()
            .query('LWPOLYLINE[layer=="CUT"]')
        )
    assert [line.closed for line in lines].count(True) == 2
    assert len(lines) == len(paths)
    with pytest.raises(InvalidValueError, match="bridges of 30 mm"):
        write_svg(Bed(1, 1, "shapes", A4, OUTLINES, bridges=(0.0, 30.0, 0.0, 0.0)))


def test_outlines_of_a_punch_board_touch_or_keep_their_distance(pnp, tmp_path):
    result = pnp(
        "build",
        "tests/data/packs/punch",
        "--what",
        "sheets",
        "--cutter",
        "plain",
        "-o",
        str(tmp_path),
    )
    assert "53 pieces on 1 sheet" in result.output
    (file,) = (tmp_path / "punch").glob("*.svg")
    paths = re.findall(r'<path d="M([^"]+)"', file.read_text())
    assert not [path for path in paths if path.endswith("Z")]
    places = [[tuple(map(float, place.split())) for place in re.split("L", path)] for path in paths]
    for item, other in combinations(places, 2):
        far = min(math.dist(a, b) for a in item for b in other)
        assert far < 1.0 or far > 2.9


def test_picture_of_a_cut_plan_shows_every_cut_with_its_number(pieces):
    job = impose(pieces(30, 70, 120, 3), Setup(least_margin=6.0))
    (bed,) = job.beds
    (page,) = draw_cut_pages("Game 1", job.beds, Size(210, 297), words_for("en").cuts)
    plan = plan_cuts(bed.paper, bed.parts)
    lines = {(name, line) for name, cut in number_cuts(plan) for line in cut.lines}
    edges = {round(edge, 3) for box in bed.parts for edge in (box.x, box.right, box.y, box.bottom)}
    for _, line in lines:
        assert round(line.a.x if line.a.x == line.b.x else line.a.y, 3) in edges
    black = [mark for mark in page.side.marks if mark.grey == 0]
    assert len(black) == len(lines) == 14
    numbers = sorted(note.text for note in page.side.notes if note.size < 3)
    assert numbers == sorted(name for name, _ in lines)
    assert {name.partition(".")[0] for name in numbers} == {"1", "2", "3", "4", "5", "6"}
    rows = [note.at.y for note in page.side.notes if note.size == 3.2]
    assert {round((after - before) / 3.2, 3) for before, after in pairwise(rows)} == {1.4}
    texts = [note.text for note in page.side.notes]
    assert "5.1. 272 mm, bottom edge at the stop" in texts


@pytest.mark.parametrize("sheet", ["a4", "297 x 210 mm", "400 x 100 mm"])
def test_picture_of_a_cut_plan_is_the_sheet_to_scale(pieces, sheet):
    job = impose(pieces(4, 40, 60), Setup(paper(sheet)))
    (page,) = draw_cut_pages("Game 1", job.beds, Size(210, 297), words_for("en").cuts)
    thin = {
        width: [mark for mark in page.side.marks if mark.width == width and mark.grey]
        for width in (0.2, 0.15)
    }
    sheet_box = Rect.around([Rect.between(*mark.a, *mark.b) for mark in thin[0.2]])
    share = sheet_box.w / job.beds[0].paper.w
    assert share == pytest.approx(min(150 / job.beds[0].paper.w, 110 / job.beds[0].paper.h))
    for width, boxes in (
        (0.2, [job.beds[0].paper]),
        (0.15, [outline.box for outline in job.beds[0].outlines]),
    ):
        assert all(
            mark.a.x == pytest.approx(mark.b.x) or mark.a.y == pytest.approx(mark.b.y)
            for mark in thin[width]
        )
        lengths = sum((mark.b - mark.a).length() for mark in thin[width])
        assert lengths == pytest.approx(sum(2 * (box.w + box.h) for box in boxes) * share)


def test_long_cut_plan_continues_on_further_pages(pieces):
    sizes = {"a": (5, 70, 120, 3), "b": (9, 44, 68, 3), "c": (6, 25, 31, 2), "d": (3, 90, 41, 2)}
    mixed = [piece for name, size in sizes.items() for piece in pieces(*size, name)]
    job = impose_packed(mixed, Setup())
    pages = draw_cut_pages("Game 1", job.beds, Size(148, 210), words_for("en").cuts)
    texts = [note.text for page in pages for note in page.side.notes if note.size == 3.2]
    expected = [line.strip() for bed in job.beds for line in write_bed(bed, words_for("en").cuts)]
    assert texts == expected
    for page in pages:
        assert all(0 < note.at.y < 210 - 10 for note in page.side.notes)
