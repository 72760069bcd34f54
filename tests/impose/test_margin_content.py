"""Test the content of margins: footers, scale rulers and their places."""

from dataclasses import replace
from math import hypot
from pathlib import Path

import pytest
import uharfbuzz

from generator.base.geometry import Point
from generator.base.paper import paper
from generator.impose.impose import impose
from generator.impose.margin_content import (
    DESCENT_EM,
    MarginFrame,
    estimate_text_ascent,
    estimate_text_width,
)
from generator.impose.marks import find_style
from generator.impose.setup import Margins, Setup

CAPTION = "Hoses and Hydrants 2"
FONT = Path(__file__).parents[2] / "fonts" / "alegreya-sans" / "AlegreyaSans-Regular.ttf"


def impose_front(pieces, setup):
    return impose(pieces, setup).sheets[0].front


def length_of(line):
    return hypot(line.b.x - line.a.x, line.b.y - line.a.y)


def test_footer_names_the_sheet_and_how_to_print_it(pieces):
    sheet = impose(pieces(10, 63, 88), Setup(caption=CAPTION)).sheets[1]
    line = (
        "Hoses and Hydrants 2 · cards · sheet 2 of 2 · {} · print at 100 %, flip on the long edge"
    )
    assert sheet.front.notes[-1].text == line.format("front")
    assert sheet.back.notes[-1].text == line.format("back")
    assert sheet.back.notes[-1].at == sheet.front.notes[-1].at


def test_long_footer_is_split_into_two_lines_without_loss(pieces):
    title = ", ".join(f"Tokens of kind {n}" for n in range(9))
    named = [replace(piece, component=title) for piece in pieces(4, 40, 40)]
    job = impose(named, Setup(caption=CAPTION))
    first, second = job.sheets[0].front.notes[-2:]
    footer = f"Hoses and Hydrants 2 · {title} · sheet 1 of 1 · front · print at 100 %, flip on the long edge"
    assert footer in {f"{first.text} · {second.text}", f"{first.text} {second.text}"}
    assert first.at.x == second.at.x
    assert second.at.y - first.at.y >= 0.97 * first.size == 0.97 * second.size
    assert (
        max(estimate_text_width(note.text, note.size) for note in (first, second)) < 210 - 2 * 4.2
    )
    assert not [notice for notice in job.notices if "footer" in notice]


@pytest.mark.parametrize("name", ["a4", "297 x 210 mm"])
def test_scale_ruler_is_100_mm_and_4_in_long(pieces, name):
    ruler = impose_front(pieces(1, 50, 50), Setup(paper(name), caption=CAPTION)).ruler
    base = max(ruler, key=length_of)
    assert length_of(base) == pytest.approx(4 * 25.4 + 0.15)
    assert base.a.y == base.b.y
    across = [line for line in ruler if abs(line.a.y - line.b.y) > 1e-6 and length_of(line) > 99]
    across += [line for line in ruler if abs(line.a.y - line.b.y) < 1e-6 and line is not base]
    ticks = [line for line in ruler if line is not base and line not in across]
    above = sorted(tick.a.x for tick in ticks if tick.b.y < tick.a.y)
    below = sorted(tick.a.x for tick in ticks if tick.b.y > tick.a.y)
    assert [x - above[0] for x in above] == pytest.approx(range(101))
    assert [x - below[0] for x in below] == pytest.approx([n * 25.4 / 8 for n in range(33)])
    assert above[0] == below[0]
    scales = (
        ([tick for tick in ticks if tick.b.y < tick.a.y], 10),
        ([tick for tick in ticks if tick.b.y > tick.a.y], 8),
    )
    for scale, step in scales:
        tall = [round(length_of(tick), 6) for tick in sorted(scale, key=lambda tick: tick.a.x)]
        longest = {*tall[::step]}
        halves = {*tall[step // 2 :: step]}
        others = {item for index, item in enumerate(tall) if index % (step // 2)}
        assert min(longest) > max(halves)
        assert min(halves) > max(others)


def test_scale_ruler_is_at_most_3_mm_deep(pieces):
    heights = [
        end.y for line in impose_front(pieces(1, 50, 50), Setup()).ruler for end in (line.a, line.b)
    ]
    across = [y for y in heights if y < min(heights) + 10]
    assert max(across) - min(across) == pytest.approx(2.85)


@pytest.mark.parametrize(
    ("turn", "box"),
    [(0, (40, 50, 30, 5)), (90, (35, 50, 5, 30)), (180, (10, 45, 30, 5)), (270, (40, 20, 5, 30))],
)
def test_box_of_a_margin_strip_follows_its_turn(turn, box):
    assert MarginFrame(Point(40, 50), turn, 30, 5).box == pytest.approx(box)


@pytest.mark.parametrize("name", ["a4", "297 x 210 mm"])
def test_second_scale_ruler_of_100_mm_stands_across_the_first(pieces, name):
    ruler = impose_front(pieces(9, 50, 50), Setup(paper(name), caption=CAPTION)).ruler
    (base,) = [line for line in ruler if abs(line.a.x - line.b.x) < 1e-6 and length_of(line) > 99]
    ticks = sorted(
        line.a.y for line in ruler if abs(line.a.y - line.b.y) < 1e-6 and length_of(line) < 4
    )
    assert [y - ticks[0] for y in ticks] == pytest.approx(range(101))
    assert min(base.a.y, base.b.y) == pytest.approx(ticks[0] - 0.075)
    tall = [
        length_of(line) for line in ruler if abs(line.a.y - line.b.y) < 1e-6 and length_of(line) < 4
    ]
    assert max(tall) == pytest.approx(1.65)


def test_labels_of_the_scale_ruler_stand_beside_each_other(pieces):
    upper, lower = impose_front(pieces(1, 50, 50), Setup()).notes[:2]
    assert (upper.text, lower.text) == ("100 mm", "4 in")
    assert lower.at.x > upper.at.x + estimate_text_width(upper.text, upper.size)


def test_narrow_margin_shortens_marks_at_one_end_of_a_cut_only(pieces):
    setup = Setup(paper("letter"), Margins.make_even(12.7), gutter=0, caption=CAPTION)
    side = impose_front(pieces(12, 63.5, 63.5, 3, "necks"), setup)
    assert side.ruler
    assert {note.turn for note in side.notes} == {0}
    longest = {}
    for mark in side.marks:
        if mark.a.x == mark.b.x:
            longest[round(mark.a.x)] = max(length_of(mark), longest.get(round(mark.a.x), 0))
    assert len(longest) == 4
    assert min(longest.values()) > 3.9


def test_margin_of_10_mm_with_3_mm_of_bleed_has_space_for_ruler_and_marks(pieces):
    setup = Setup(paper("200 x 200 mm"), Margins.make_even(10), gutter=0, caption=CAPTION)
    job = impose(pieces(16, 45, 45, 3), setup)
    assert len(job.sheets) == 1
    assert job.notices == ()
    assert job.sheets[0].front.ruler
    assert min(length_of(mark) for mark in job.sheets[0].front.marks) >= 0.4


def test_footer_and_ruler_run_along_the_sides_if_only_they_have_space(pieces):
    setup = Setup(paper("letter"), Margins.make_even(7), gutter=5.5, grid=(4, 7), caption=CAPTION)
    side = impose_front(pieces(28, 33, 33, 2), setup)
    assert {note.text[:6]: note.turn for note in side.notes} == {
        "100 mm": 270,
        "4 in": 270,
        "Hoses ": 90,
    }


def test_one_wide_margin_takes_footer_and_ruler(pieces):
    setup = Setup(
        paper("a4"), Margins(4.2, 4.2, 4.2, 25), marks=find_style("none"), caption=CAPTION
    )
    job = impose(pieces(1, 180.8, 288.6), setup)
    side = job.sheets[0].front
    assert job.notices == ()
    assert {note.turn for note in side.notes} == {270}
    assert {note.turn for note in job.sheets[0].back.notes} == {90}


def test_missing_space_for_footer_or_ruler_is_noted(pieces):
    job = impose(
        pieces(1, 201.6, 288.6),
        Setup(margins=Margins.make_even(4.2), marks=find_style("none"), caption=CAPTION),
    )
    assert job.notices == (
        "cards: no room for the footer in the margins of A4; larger margins would give it some",
        "cards: no room for the scale ruler in the margins of A4; larger margins would give it some",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Hoses and Hydrants 2 · tiles · sheet 2 of 5 · front · print at 100 %, flip on the long edge",
        "Électricité Été 1.0 · cartes · sheet 12 of 15 · back (blank) · print at 100 %, single-sided",
        "MADNESS · Goblins · sheet 2 of 5 · front · print at 100 %, flip on the long edge",
        "4 in",
    ],
)
def test_estimated_size_of_a_line_is_at_least_its_real_size(text):
    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(FONT)))
    font = uharfbuzz.Font(face)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    boxes = [font.get_glyph_extents(glyph.codepoint) for glyph in buffer.glyph_infos]
    assert sum(
        place.x_advance for place in buffer.glyph_positions
    ) / face.upem < estimate_text_width(text, 1)
    highest = max(box.y_bearing for box in boxes) / face.upem
    assert highest < estimate_text_ascent(text) < highest + 0.2
    assert min(box.y_bearing + box.height for box in boxes) / face.upem > -DESCENT_EM
