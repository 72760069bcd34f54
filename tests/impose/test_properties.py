"""Test properties of sheets for any paper, size, bleed, gutter, margin and count."""

import re
from dataclasses import replace
from itertools import combinations
from math import ceil, floor, hypot

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import Rect, Size
from generator.base.outline import Outline
from generator.base.paper import paper, papers
from generator.base.shapes import fill_box
from generator.impose.duplex import DUPLEX_MODES, Tray, find_mode
from generator.impose.impose import impose
from generator.impose.marks import MARK_STYLES
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Job, Line, Note, Piece, SheetSide
from tests.tools.examples import try_times

TOLERANCE_MM = 1e-6

unhurried = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@st.composite
def setups(draw):
    unprintable = draw(st.sampled_from([0.0, 4.2, 6.0]))
    margin = (
        st.floats(unprintable, 25).map(lambda mm: round(mm, 2)).filter(lambda mm: mm >= unprintable)
    )
    landscape = ["297 x 210 mm", "11 x 8.5 in", "420 x 297 mm"]
    names = landscape + [row.name for row in papers()] + ["200 x 200 mm", *landscape]
    return Setup(
        paper=paper(draw(st.sampled_from(names))),
        margins=draw(
            st.one_of(
                margin.map(Margins.make_even), st.builds(Margins, margin, margin, margin, margin)
            )
        ),
        unprintable=Margins.make_even(unprintable),
        gutter=draw(st.one_of(st.none(), st.sampled_from([0.0, 5.5]), st.floats(0, 20))),
        grid=draw(st.one_of(st.none(), st.none(), st.tuples(st.integers(1, 3), st.integers(1, 3)))),
        duplex=find_mode(draw(st.sampled_from(["long-edge", *DUPLEX_MODES]))),
        marks=MARK_STYLES[draw(st.sampled_from(sorted(MARK_STYLES)))],
        caption="Hoses and Hydrants 2",
        tray=draw(st.sampled_from(Tray)),
    )


folded = setups().map(lambda setup: replace(setup, duplex=find_mode("gutterfold")))
close = setups().map(lambda setup: replace(setup, gutter=None))


@st.composite
def components(draw, name="tiles"):
    side = st.one_of(st.sampled_from([33.0, 63.0, 63.5, 88.0]), st.floats(15, 110))
    size = Size(draw(side), draw(side))
    bleed = draw(st.one_of(st.sampled_from([0.0, 2.0, 3.0]), st.floats(0, 6)))
    backs = draw(st.sampled_from(["all", "none", "some"]))
    return [
        Piece(
            f"{name}-{n}",
            name,
            fill_box("rect", size),
            bleed,
            f"{name} front {n}",
            _back(name, n, backs),
        )
        for n in range(draw(st.integers(0, 30)))
    ]


def _back(name, n, backs):
    return f"{name} back {n}" if backs == "all" or (backs == "some" and n % 3) else None


games = st.tuples(components("tiles"), components("cards")).map(lambda parts: parts[0] + parts[1])


def impose_or_check(pieces, setup) -> Job:
    try:
        return impose(pieces, setup)
    except InvalidValueError as wrong:
        refused = wrong
    check_refusal(refused, pieces, setup)
    assume(False)
    raise refused


def check_refusal(wrong, pieces, setup):
    """Assert that an error about space is raised only if a piece does not fit."""
    assert wrong.kind is Kind.FIT
    if setup.grid is None:
        assert any(
            not any(fits_in(piece, space) for space in spaces_for(piece, setup)) for piece in pieces
        )


def spaces_for(piece, setup):
    """Return the sizes of the areas for fronts: the printable area, or either half beside a fold."""
    w, h = setup.area.size
    if setup.duplex.name != "gutterfold":
        return [(w, h)]
    return [(w, h / 2 - 5 - piece.bleed), (w / 2 - 5 - piece.bleed, h)]


def fits_in(piece, space):
    w, h = piece.size
    across, down = space
    return (w <= across - TOLERANCE_MM and h <= down - TOLERANCE_MM) or (
        h <= across - TOLERANCE_MM and w <= down - TOLERANCE_MM
    )


def fronts_of(sheet):
    return [placed for placed in sheet.front.placed if "front" in placed.face]


def backs_of(sheet):
    """Return the placed backs of a sheet, on either of its sides."""
    sides = filter(None, (sheet.front, sheet.back))
    return [placed for side in sides for placed in side.placed if "back" in placed.face]


def cut_marks(side, setup):
    """Return the marks of a side without fold lines and without the outline, which comes last."""
    marks = [mark for mark in side.marks if not mark.dash]
    return marks[:-4] if setup.duplex.name == "glue" and has_outline(side) else marks


def has_outline(side):
    last = side.marks[-4:]
    return len(last) == 4 and [line.b for line in last] == [
        last[1].a,
        last[2].a,
        last[3].a,
        last[0].a,
    ]


def sides(job) -> list[SheetSide]:
    return [side for sheet in job.sheets for side in (sheet.front, sheet.back) if side is not None]


def gap(a: Rect, b: Rect) -> float:
    across = max(a.x - b.right, b.x - a.right, 0)
    down = max(a.y - b.bottom, b.y - a.bottom, 0)
    return hypot(across, down)


def ink_of(line: Line) -> Rect:
    left, right = sorted((line.a.x, line.b.x))
    top, bottom = sorted((line.a.y, line.b.y))
    half = line.width / 2
    thick_x, thick_y = (half, 0) if right - left < TOLERANCE_MM else (0, half)
    return Rect.between(left - thick_x, top - thick_y, right + thick_x, bottom + thick_y)


def box_of_note(note: Note) -> Rect:
    """Return the estimated box of a text: half an em for each letter, 0.72 em up and 0.25 em down."""
    long = 0.5 * note.size * len(note.text)
    up = 0.72 * note.size
    down = 0.25 * note.size
    x, y = note.at
    boxes = {
        0: (x, y - up, x + long, y + down),
        90: (x - down, y, x + up, y + long),
        270: (x - up, y - long, x + down, y),
    }
    return Rect.between(*boxes[note.turn])


def check_job_has_every_piece_once_and_in_order(job, pieces, setup):
    assert [p.piece for sheet in job.sheets for p in fronts_of(sheet)] == [p.id for p in pieces]
    assert [p.face for sheet in job.sheets for p in fronts_of(sheet)] == [p.front for p in pieces]
    backs = [p.face for sheet in job.sheets for p in backs_of(sheet)]
    assert backs == ([] if setup.duplex.name == "single" else [p.back for p in pieces if p.back])


def check_trims_have_their_size_keep_the_gutter_and_lie_inside_the_margins(job, pieces, setup):
    sizes = {p.id: p.size for p in pieces}
    gutter = setup.gutter
    w, h = setup.paper.size
    m = setup.margins
    fronts = Rect.between(m.left, m.top, w - m.right, h - m.bottom)
    for sheet in job.sheets:
        for placed in sheet.front.placed:
            assert fronts.holds(placed.trim)
        for side in filter(None, (sheet.front, sheet.back)):
            for placed in side.placed:
                expected = (
                    sizes[placed.piece] if placed.turn % 180 == 0 else sizes[placed.piece][::-1]
                )
                assert (
                    max(abs(placed.trim.w - expected[0]), abs(placed.trim.h - expected[1]))
                    < TOLERANCE_MM
                )
            for a, b in combinations(side.placed, 2):
                assert not a.trim.overlaps(b.trim)
                if gutter is not None and ("front" in a.face) == ("front" in b.face):
                    assert gap(a.trim, b.trim) > gutter - TOLERANCE_MM
                elif ("front" in a.face) != ("front" in b.face):
                    assert gap(a.trim, b.trim) > 10 - TOLERANCE_MM, "the fold lies between them"


def check_ink_covers_the_trim_and_at_most_the_bleed_without_overlap(job, pieces, setup):
    bleeds = {p.id: p.bleed for p in pieces}
    w, h = setup.paper.size
    u = setup.unprintable.top
    for side in sides(job):
        for placed in side.placed:
            assert placed.ink.holds(placed.trim)
            assert placed.trim.grown(bleeds[placed.piece]).holds(placed.ink)
            assert Rect.between(u, u, w - u, h - u).holds(placed.ink)
        for a, b in combinations(side.placed, 2):
            assert not ink_outline(a).overlaps(ink_outline(b))


def ink_outline(placed):
    return placed.clip or Outline.of_box(placed.ink)


@unhurried
@given(games, close)
def test_default_gutter_keeps_the_full_bleed_between_pieces(pieces, setup):
    bleeds = {p.id: p.bleed for p in pieces}
    w, h = setup.paper.size
    job = impose_or_check(pieces, setup)
    assume(not any("bleed is left between pieces" in notice for notice in job.notices))
    for side in sides(job):
        folded = setup.duplex.name == "gutterfold"
        # A back on a gutterfold sheet has the bleed that its front has.
        placed_fronts = [placed for placed in side.placed if not (folded and "back" in placed.face)]
        for placed in placed_fronts:
            with_bleed = placed.trim.grown(bleeds[placed.piece])
            left = white_edge(setup, min(each.trim.x for each in placed_fronts))
            right = white_edge(setup, w - max(entry.trim.right for entry in placed_fronts))
            bottom = white_edge(setup, h - max(item.trim.bottom for item in placed_fronts))
            assert abs(placed.ink.x - max(left, with_bleed.x)) < TOLERANCE_MM
            assert abs(placed.ink.bottom - min(h - bottom, with_bleed.bottom)) < TOLERANCE_MM
            assert abs(placed.ink.right - min(w - right, with_bleed.right)) < TOLERANCE_MM


def white_edge(setup, margin):
    """Return the white margin at an edge: the unprintable part, and space for a mark if there is enough."""
    space = setup.unprintable.top + 1.0
    return (
        space
        if setup.marks.reach and margin >= space + 0.5 - TOLERANCE_MM
        else setup.unprintable.top
    )


UP = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}


def through(setup, sheet):
    """Return the map of places on the back to places on the front, after turning or folding."""
    upright = sheet.paper.h >= sheet.paper.w
    if setup.duplex.name == "short-edge":
        upright = not upright
    x = sheet.paper.w / 2
    y = sheet.paper.h / 2
    if setup.duplex.name == "gutterfold":
        crease = next(mark for mark in sheet.front.marks if mark.dash)
        upright = crease.a.x == crease.b.x
        x, y = crease.a
    return lambda p: (2 * x - p[0], p[1]) if upright else (p[0], 2 * y - p[1])


def mirrored(box, map_place):
    a = map_place((box.x, box.y))
    b = map_place((box.right, box.bottom))
    return Rect.between(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))


def alike(one, other):
    return max(abs(u - v) for u, v in zip(one, other, strict=True)) < TOLERANCE_MM


def clipped(ink, setup):
    """Return the printable part of a box; on folded sheets with marks, 1 mm more of the edge stays blank."""
    gives = 1.0 if setup.duplex.name == "gutterfold" and setup.marks.reach else 0.0
    w, h = setup.paper.size
    u = setup.unprintable.top + gives
    return Rect.between(max(ink.x, u), max(ink.y, u), min(ink.right, w - u), min(ink.bottom, h - u))


def check_back_lies_upright_behind_its_front_on_any_paper(job, pieces, setup):
    names = {p.front: p.back for p in pieces}
    for sheet in job.sheets:
        fronts = {placed.piece: placed for placed in fronts_of(sheet)}
        for back in backs_of(sheet):
            front = fronts[back.piece]
            map_place = through(setup, sheet)
            assert names[front.face] == back.face
            assert alike(back.trim, mirrored(front.trim, map_place))
            theirs = clipped(mirrored(clipped(front.ink, setup), map_place), setup)
            ours = clipped(
                mirrored(clipped(mirrored(back.ink, map_place), setup), map_place), setup
            )
            assert alike(ours, theirs)
            root = map_place((0, 0))
            tip = map_place(UP[back.turn])
            assert (round(tip[0] - root[0], 6), round(tip[1] - root[1], 6)) == UP[front.turn]


@unhurried
@given(games, folded)
def test_fold_keeps_5_mm_from_every_bleed(pieces, setup):
    bleeds = {p.id: p.bleed for p in pieces}
    for sheet in impose_or_check(pieces, setup).sheets:
        for crease in (mark for mark in sheet.front.marks if mark.dash):
            line = Rect.between(*crease.a, *crease.b)
            assert all(
                gap(line, p.trim.grown(bleeds[p.piece])) >= 5 - TOLERANCE_MM
                for p in sheet.front.placed
            )


@unhurried
@given(components().filter(bool), setups(), st.integers(0, 12))
def test_skipped_slots_stay_empty_and_other_slots_keep_their_places(pieces, setup, skip):
    full = fronts_of(impose_or_check((pieces * 13)[: len(pieces) + skip], setup).sheets[0])
    assume(skip < len(full))
    places = [p.trim for p in full]
    moved = impose_or_check(pieces, replace(setup, skip=skip))
    first = fronts_of(moved.sheets[0])
    assert [p.trim for p in first] == places[skip : skip + len(first)]
    assert [p.piece for sheet in moved.sheets for p in fronts_of(sheet)] == [p.id for p in pieces]


def check_pages_alternate_sides_or_follow_the_two_passes(job, pieces, setup):
    both = setup.duplex.name not in {"single", "gutterfold"} and any(p.back for p in pieces)
    viewer = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge"}.get(
        setup.duplex.name, "Simplex"
    )
    assert job.duplex == (viewer if both else "Simplex")
    for n, sheet in enumerate(job.sheets, 1):
        blank = setup.duplex.name == "glue" and not backs_of(sheet)
        assert (sheet.back is not None) == (both and not blank)
        assert sheet.front.label.split()[:1] == [str(n)]
        assert sheet.back is None or sheet.back.label == f"{n} back"
    pages = [[page.side for page in part.pages] for part in job.parts]
    if setup.duplex.name == "two-pass" and both:
        backs = [sheet.back for sheet in job.sheets]
        expected = [
            [sheet.front for sheet in job.sheets],
            backs[::-1] if setup.tray == "face-up" else backs,
        ]
    else:
        expected = [sides(job)] if job.sheets else []
    assert pages == expected


def is_cross(mark, side, setup):
    """Return True if a mark is an arm of a + where the corners of four pieces meet.

    On the back, some of the four may be missing.
    """
    middle = (mark.a + mark.b).scaled(0.5)
    ends = [
        (x, y)
        for p in side.placed
        for x in (p.trim.x, p.trim.right)
        for y in (p.trim.y, p.trim.bottom)
    ]
    meeting = sum(abs(x - middle.x) + abs(y - middle.y) < TOLERANCE_MM for x, y in ends)
    return (
        1 <= meeting <= 4
        and abs((mark.b - mark.a).length() - 2 * setup.marks.cross_arm) < TOLERANCE_MM
    )


def check_marks_keep_0_2_mm_from_all_ink_and_are_printable(job, pieces, setup):
    w, h = setup.paper.size
    printable = Rect(0, 0, w, h).grown(-setup.unprintable.top)
    for side in sides(job):
        for mark in cut_marks(side, setup):
            assert max(ink_of(mark).w, ink_of(mark).h) >= 0.4 - TOLERANCE_MM
        for mark in side.marks:
            box = Rect.around(
                [ink_of(mark), Rect(*mark.a, 0, 0).grown(0.075), Rect(*mark.b, 0, 0).grown(0.075)]
            )
            assert printable.holds(box)
            assert all(gap(box, p.ink) >= 0.2 for p in side.placed) or is_cross(mark, side, setup)
        assert setup.marks.name != "none" or not cut_marks(side, setup)
        assert side.placed or not side.marks


def check_marks_lie_along_cuts_on_both_sides(job, pieces, setup):
    for side in sides(job):
        cuts = [(p.trim.x, p.trim.y) for p in side.placed] + [
            (p.trim.right, p.trim.bottom) for p in side.placed
        ]
        if setup.duplex.name != "gutterfold":  # where a front may have no back behind it
            cuts += slots_behind(job, side, setup)
        for mark in cut_marks(side, setup) if cuts else ():
            assert setup.duplex.name == "gutterfold" or along_a_cut(mark, cuts)


def slots_behind(job, side, setup):
    sheet = next(sheet for sheet in job.sheets if side in {sheet.front, sheet.back})
    map_place = through(setup, sheet) if side == sheet.back else lambda p: p
    fronts = sheet.front.placed
    return [map_place((p.trim.x, p.trim.y)) for p in fronts] + [
        map_place((p.trim.right, p.trim.bottom)) for p in fronts
    ]


def along_a_cut(mark: Line, cuts) -> bool:
    axis = 0 if mark.a.x == mark.b.x else 1
    return mark.a[axis] == mark.b[axis] and any(
        abs(mark.a[axis] - cut[axis]) < 2 * TOLERANCE_MM for cut in cuts
    )


@unhurried
@given(games, setups())
@example(
    [Piece(f"c-{n}", "cards", fill_box("rect", Size(45, 45)), 3, "f", "b") for n in range(16)],
    Setup(paper("200 x 200 mm"), Margins.make_even(10), gutter=0, caption="Game 1"),
)
@example(  # the footer stands in two rows
    [Piece("c", "cards", fill_box("rect", Size(33, 33)), 0, "f", "b")],
    Setup(
        paper("4x6"),
        Margins.make_even(0),
        Margins.make_even(0),
        duplex=find_mode("two-pass"),
        caption="Hoses and Hydrants 2",
    ),
)
def test_ruler_and_footer_keep_clear_of_ink_marks_and_edges(pieces, setup):
    job = impose_or_check(pieces, setup)
    w, h = setup.paper.size
    u = setup.unprintable.top
    printable = Rect.between(u, u, w - u, h - u)
    for side in sides(job):
        ruler = [ink_of(line) for line in side.ruler]
        texts = [box_of_note(note) for note in side.notes]
        marks = [ink_of(mark) for mark in side.marks]
        for box in ruler + texts:
            assert printable.holds(box)
            assert all(gap(box, p.ink) > 0.15 for p in side.placed)
            assert all(gap(box, mark) > 0.1 for mark in marks)
        for text in texts:
            assert all(gap(text, line) > 0.1 for line in ruler)
        assert all(gap(a, b) > 0.1 for a, b in combinations(texts, 2))
        assert all(note.size >= 5 * 25.4 / 72 - TOLERANCE_MM for note in side.notes)


def check_fronts_have_rulers_and_sides_have_footers_or_a_notice(job, pieces, setup):
    names = {p.id: p.component for p in pieces}
    for n, sheet in enumerate(job.sheets, 1):
        component = names[sheet.front.placed[0].piece]
        for side in filter(None, (sheet.front, sheet.back)):
            footers = [
                note for note in side.notes if f"sheet {n} of {len(job.sheets)}" in note.text
            ]
            missing = f"{component}: no room for the footer" in " ".join(job.notices)
            assert len(footers) == 1 or missing
        missing = f"{component}: no room for the scale ruler" in " ".join(job.notices)
        assert bool(sheet.front.ruler) != missing
        assert sheet.back is None or not sheet.back.ruler


PROPERTIES = (
    check_job_has_every_piece_once_and_in_order,
    check_trims_have_their_size_keep_the_gutter_and_lie_inside_the_margins,
    check_ink_covers_the_trim_and_at_most_the_bleed_without_overlap,
    check_back_lies_upright_behind_its_front_on_any_paper,
    check_pages_alternate_sides_or_follow_the_two_passes,
    check_marks_keep_0_2_mm_from_all_ink_and_are_printable,
    check_marks_lie_along_cuts_on_both_sides,
    check_fronts_have_rulers_and_sides_have_footers_or_a_notice,
)


@settings(unhurried, max_examples=try_times(2).max_examples)
@given(games, st.one_of(setups(), folded))
def test_sheets_of_any_job_have_all_properties(pieces, setup):
    """Check all properties on the same jobs, since imposing them takes most of the time."""
    job = impose_or_check(pieces, setup)
    for check in PROPERTIES:
        check(job, pieces, setup)


@unhurried
@given(games, setups())
def test_job_takes_no_more_sheets_than_a_plain_grid(pieces, setup):
    assume(setup.grid is None and setup.duplex.name != "gutterfold")
    job = impose_or_check(pieces, setup)
    sheet_count = 0
    for name in ("tiles", "cards"):
        part = [p for p in pieces if p.component == name]
        if part:
            gutter = 2 * part[0].bleed if setup.gutter is None else setup.gutter
            w, h = part[0].size
            most = max(_hold(w, h, gutter, setup), _hold(h, w, gutter, setup))
            sheet_count += ceil(len(part) / most)
    both = any("some pieces are turned" in notice for notice in job.notices)
    assert len(job.sheets) < sheet_count if both else len(job.sheets) == sheet_count


def _hold(w, h, gutter, setup):
    m = setup.margins
    size = setup.paper.size
    across = (size.w - m.left - m.right + gutter + TOLERANCE_MM) / (w + gutter)
    down = (size.h - m.top - m.bottom + gutter + TOLERANCE_MM) / (h + gutter)
    return floor(across) * floor(down)


@unhurried
@given(components(), setups(), st.booleans())
def test_margin_or_gutter_named_by_a_notice_saves_the_promised_sheets(pieces, setup, may_shrink):
    if may_shrink:
        setup = replace(
            setup, least_margin=max(setup.unprintable.top, setup.margins.top - 3), least_gutter=2.0
        )
    job = impose_or_check(pieces, setup)
    for notice in job.notices:
        if "would take" in notice:
            margin, smaller, gutter = (
                _find_mm(words, notice) for words in ("margin of", "smaller by", "gutter of")
            )
            margins = setup.margins
            if smaller:
                margins = Margins(*(mm - smaller for mm in margins))
            if margin:
                margins = Margins.make_even(margin)
            if four := re.search(r"margins of ([\d. ]+) mm \(clockwise from the top\)", notice):
                margins = Margins(*map(float, four.group(1).split()))
            assert all(mm >= setup.unprintable.top - TOLERANCE_MM for _, mm in margins.sides())
            changed = replace(setup, margins=margins)
            if margins != setup.margins:
                changed = replace(changed, least_margin=None)
            if gutter is not None:
                changed = replace(changed, gutter=gutter, least_gutter=None)
            promised, before = re.search(
                r"would take (\d+) sheets? instead of (\d+)", notice
            ).groups()
            assert int(promised) < int(before) == len(job.sheets)
            assert len(impose(pieces, changed).sheets) <= int(promised)


def _find_mm(words, notice):
    match = re.search(rf"{words} ([\d.]+) mm", notice)
    return float(match.group(1)) if match else None
