"""What holds for any paper, size, bleed, gutter, margin and count."""

from itertools import combinations
from math import ceil, floor, hypot

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from generator.errors import Kind, Wrong
from generator.geometry import Rect, Size
from generator.impose.duplex import MODES
from generator.impose.lay import impose
from generator.impose.marks import STYLES
from generator.impose.paper import paper, papers
from generator.impose.setup import Caption, Margins, Setup
from generator.impose.sheet import Job, Line, Note, Piece, Side

TINY = 1e-6

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@st.composite
def setups(draw):
    unprintable = draw(st.sampled_from([0.0, 4.2, 6.0]))
    margin = st.floats(unprintable, 25).map(lambda mm: round(mm, 2)).filter(lambda mm: mm >= unprintable)
    landscape = ["297 x 210 mm", "11 x 8.5 in", "420 x 297 mm"]
    names = landscape + [row.name for row in papers()] + ["200 x 200 mm", *landscape]
    return Setup(
        paper=paper(draw(st.sampled_from(names))),
        margins=draw(st.one_of(margin.map(Margins.even), st.builds(Margins, margin, margin, margin, margin))),
        unprintable=unprintable,
        gutter=draw(st.one_of(st.none(), st.sampled_from([0.0, 5.5]), st.floats(0, 20))),
        grid=draw(st.one_of(st.none(), st.none(), st.tuples(st.integers(1, 3), st.integers(1, 3)))),
        duplex=draw(st.sampled_from(["long-edge", *MODES])),
        marks=draw(st.sampled_from(sorted(STYLES))),
        caption=Caption("Hoses and Hydrants", "2"),
    )


@st.composite
def components(draw, name="tiles"):
    side = st.one_of(st.sampled_from([33.0, 63.0, 63.5, 88.0]), st.floats(15, 110))
    size = Size(draw(side), draw(side))
    bleed = draw(st.one_of(st.sampled_from([0.0, 2.0, 3.0]), st.floats(0, 6)))
    backs = draw(st.sampled_from(["all", "none", "some"]))
    return [
        Piece(f"{name}-{n}", name, size, bleed, f"{name} front {n}", _back(name, n, backs))
        for n in range(draw(st.integers(0, 30)))
    ]


def _back(name, n, backs):
    return f"{name} back {n}" if backs == "all" or (backs == "some" and n % 3) else None


games = st.tuples(components("tiles"), components("cards")).map(lambda parts: parts[0] + parts[1])


def laid(pieces, setup) -> Job:
    try:
        return impose(pieces, setup)
    except Wrong as wrong:
        refused = wrong
    check_refusal(refused, pieces, setup)
    assume(False)
    raise refused


def check_refusal(wrong, pieces, setup):
    """Only what truly does not fit may be refused."""
    assert wrong.kind is Kind.FIT
    long, short = max(setup.area.size), min(setup.area.size)
    if setup.grid is None:
        assert any(min(p.size) > short - TINY or max(p.size) > long - TINY for p in pieces)


def sides(job) -> list[Side]:
    return [side for sheet in job.sheets for side in (sheet.front, sheet.back) if side is not None]


def gap(a: Rect, b: Rect) -> float:
    across = max(a.x - b.right, b.x - a.right, 0)
    down = max(a.y - b.bottom, b.y - a.bottom, 0)
    return hypot(across, down)


def inked(line: Line) -> Rect:
    left, right = sorted((line.a.x, line.b.x))
    top, bottom = sorted((line.a.y, line.b.y))
    half = line.width / 2
    thick_x, thick_y = (half, 0) if right - left < TINY else (0, half)
    return Rect.between(left - thick_x, top - thick_y, right + thick_x, bottom + thick_y)


def written(note: Note) -> Rect:
    """The text's box from a safe guess: half an em a letter, 0.72 em up, 0.25 em down."""
    long, up, down = 0.5 * note.size * len(note.text), 0.72 * note.size, 0.25 * note.size
    x, y = note.at
    boxes = {
        0: (x, y - up, x + long, y + down),
        90: (x - down, y, x + up, y + long),
        270: (x - up, y - long, x + down, y),
    }
    return Rect.between(*boxes[note.turn])


@unhurried
@given(games, setups())
def test_no_piece_is_lost_or_added_and_the_order_is_kept(pieces, setup):
    job = laid(pieces, setup)
    assert [p.piece for sheet in job.sheets for p in sheet.front.placed] == [p.id for p in pieces]
    assert [p.face for sheet in job.sheets for p in sheet.front.placed] == [p.front for p in pieces]
    backs = [p.face for sheet in job.sheets if sheet.back for p in sheet.back.placed]
    assert backs == ([] if setup.duplex == "single" else [p.back for p in pieces if p.back])


@unhurried
@given(games, setups())
def test_trims_are_exact_and_apart_and_inside_the_margins(pieces, setup):
    sizes = {p.id: p.size for p in pieces}
    gutter = setup.gutter
    w, h = setup.paper.size
    m = setup.margins
    fronts = Rect.between(m.left, m.top, w - m.right, h - m.bottom)
    for sheet in laid(pieces, setup).sheets:
        for placed in sheet.front.placed:
            assert fronts.holds(placed.trim)
        for side in filter(None, (sheet.front, sheet.back)):
            for placed in side.placed:
                wanted = sizes[placed.piece] if placed.turn % 180 == 0 else sizes[placed.piece][::-1]
                assert max(abs(placed.trim.w - wanted[0]), abs(placed.trim.h - wanted[1])) < TINY
            for a, b in combinations(side.placed, 2):
                assert not a.trim.overlaps(b.trim)
                if gutter is not None:
                    assert gap(a.trim, b.trim) > gutter - TINY


@unhurried
@given(games, setups())
def test_ink_covers_the_trim_and_at_most_the_bleed_and_never_a_neighbour_or_the_unprintable_edge(pieces, setup):
    bleeds = {p.id: p.bleed for p in pieces}
    w, h = setup.paper.size
    u = setup.unprintable
    for side in sides(laid(pieces, setup)):
        for placed in side.placed:
            assert placed.ink.holds(placed.trim)
            assert placed.trim.grown(bleeds[placed.piece]).holds(placed.ink)
            assert Rect.between(u, u, w - u, h - u).holds(placed.ink)
        for a, b in combinations(side.placed, 2):
            assert not a.ink.overlaps(b.ink)


@unhurried
@given(games, setups())
def test_a_default_gutter_keeps_the_whole_bleed_between_pieces(pieces, setup):
    assume(setup.gutter is None)
    bleeds = {p.id: p.bleed for p in pieces}
    for side in sides(laid(pieces, setup)):
        for placed in side.placed:
            b = bleeds[placed.piece]
            w, h = setup.paper.size
            u = setup.unprintable
            whole = placed.trim.grown(b)
            assert abs(placed.ink.x - max(u, whole.x)) < TINY
            assert abs(placed.ink.bottom - min(h - u, whole.bottom)) < TINY
            assert abs(placed.ink.right - min(w - u, whole.right)) < TINY


UP = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}


def flipped_on_long_edge(x, y, size):
    """Where a spot of the back page lies, seen through the front: half a turn in space about the long middle line."""
    axis = (0, 1) if size.h >= size.w else (1, 0)
    dx, dy = x - size.w / 2, y - size.h / 2
    along = dx * axis[0] + dy * axis[1]
    return size.w / 2 + 2 * along * axis[0] - dx, size.h / 2 + 2 * along * axis[1] - dy


@unhurried
@given(games, setups())
def test_each_back_lies_behind_its_own_front_and_upright(pieces, setup):
    backs_of = {p.front: p.back for p in pieces}
    for sheet in laid(pieces, setup).sheets:
        if sheet.back is None:
            continue
        fronts = {placed.piece: placed for placed in sheet.front.placed}
        for back in sheet.back.placed:
            front = fronts[back.piece]
            assert backs_of[front.face] == back.face
            for mine, other in ((back.trim, front.trim), (back.ink, front.ink)):
                corners = [
                    flipped_on_long_edge(x, y, sheet.paper)
                    for x, y in (
                        (mine.x, mine.y),
                        (mine.right, mine.y),
                        (mine.x, mine.bottom),
                        (mine.right, mine.bottom),
                    )
                ]
                assert max(abs(min(x for x, _ in corners) - other.x), abs(min(y for _, y in corners) - other.y)) < TINY
                assert abs(max(x for x, _ in corners) - other.right) < TINY
                assert abs(max(y for _, y in corners) - other.bottom) < TINY
            ux, uy = UP[back.turn]
            middle = (sheet.paper.w / 2, sheet.paper.h / 2)
            tip = flipped_on_long_edge(middle[0] + ux, middle[1] + uy, sheet.paper)
            assert (round(tip[0] - middle[0], 6), round(tip[1] - middle[1], 6)) == UP[front.turn]


@unhurried
@given(games, setups())
def test_pages_alternate_front_and_back_or_are_all_fronts(pieces, setup):
    job = laid(pieces, setup)
    duplex = setup.duplex != "single" and any(p.back for p in pieces)
    assert all((sheet.back is not None) == duplex for sheet in job.sheets)
    assert job.duplex == ("DuplexFlipLongEdge" if duplex else "Simplex")
    for n, sheet in enumerate(job.sheets, 1):
        assert sheet.front.label == f"{n} front"
        assert sheet.back is None or sheet.back.label == f"{n} back"


@unhurried
@given(games, setups())
def test_marks_keep_0_2_mm_from_every_ink_and_lie_along_cuts(pieces, setup):
    w, h = setup.paper.size
    printable = Rect(0, 0, w, h).grown(-setup.unprintable)
    for side in sides(laid(pieces, setup)):
        for mark in side.marks:
            assert max(inked(mark).w, inked(mark).h) >= 0.4 - TINY
            box = Rect.round_all([inked(mark), Rect(*mark.a, 0, 0).grown(0.075), Rect(*mark.b, 0, 0).grown(0.075)])
            assert printable.holds(box)
            assert all(gap(box, p.ink) >= 0.2 for p in side.placed)
        assert setup.marks != "none" or not side.marks
        assert side.placed or not side.marks


@unhurried
@given(games, setups())
def test_marks_lie_along_cuts_on_both_sides(pieces, setup):
    for sheet in laid(pieces, setup).sheets:
        cuts = [(p.trim.x, p.trim.y) for p in sheet.front.placed]
        cuts += [(p.trim.right, p.trim.bottom) for p in sheet.front.placed]
        for mark in sheet.front.marks:
            assert along_a_cut(mark, cuts)
        if sheet.back is not None:
            behind = [flipped_on_long_edge(x, y, sheet.paper) for x, y in cuts]
            for mark in sheet.back.marks:
                assert along_a_cut(mark, behind)


def along_a_cut(mark: Line, cuts) -> bool:
    axis = 0 if mark.a.x == mark.b.x else 1
    return mark.a[axis] == mark.b[axis] and any(abs(mark.a[axis] - cut[axis]) < 2 * TINY for cut in cuts)


@unhurried
@given(games, setups())
@example(
    [Piece(f"c-{n}", "cards", Size(45, 45), 3, "f", "b") for n in range(16)],
    Setup(paper("200 x 200 mm"), Margins.even(10), gutter=0, caption=Caption("Game", "1")),
)
def test_ruler_and_footer_are_clear_of_ink_marks_edge_and_each_other(pieces, setup):
    job = laid(pieces, setup)
    w, h = setup.paper.size
    u = setup.unprintable
    printable = Rect.between(u, u, w - u, h - u)
    for side in sides(job):
        ruler = [inked(line) for line in side.ruler]
        texts = [written(note) for note in side.notes]
        marks = [inked(mark) for mark in side.marks]
        for box in ruler + texts:
            assert printable.holds(box)
            assert all(gap(box, p.ink) > 0.15 for p in side.placed)
            assert all(gap(box, mark) > 0.1 for mark in marks)
        for text in texts:
            assert all(gap(text, line) > 0.1 for line in ruler)
        assert all(gap(a, b) > 0.1 for a, b in combinations(texts, 2))
        assert all(note.size >= 5 * 25.4 / 72 - TINY for note in side.notes)


@unhurried
@given(games, setups())
def test_every_front_has_a_ruler_and_every_side_a_footer_or_a_notice_says_why_not(pieces, setup):
    job = laid(pieces, setup)
    names = {p.id: p.component for p in pieces}
    for n, sheet in enumerate(job.sheets, 1):
        component = names[sheet.front.placed[0].piece]
        for side in filter(None, (sheet.front, sheet.back)):
            footers = [note for note in side.notes if f"sheet {n} of {len(job.sheets)}" in note.text]
            missing = f"{component}: no room for the footer" in " ".join(job.notices)
            assert len(footers) == 1 or missing
        missing = f"{component}: no room for the scale ruler" in " ".join(job.notices)
        assert bool(sheet.front.ruler) != missing
        assert sheet.back is None or not sheet.back.ruler


@unhurried
@given(games, setups())
def test_as_few_sheets_as_a_plain_grid_needs(pieces, setup):
    assume(setup.grid is None)
    job = laid(pieces, setup)
    wanted = 0
    for name in ("tiles", "cards"):
        part = [p for p in pieces if p.component == name]
        if part:
            gutter = 2 * part[0].bleed if setup.gutter is None else setup.gutter
            w, h = part[0].size
            most = max(_hold(w, h, gutter, setup), _hold(h, w, gutter, setup))
            wanted += ceil(len(part) / most)
    assert len(job.sheets) == wanted


def _hold(w, h, gutter, setup):
    m, size = setup.margins, setup.paper.size
    across = (size.w - m.left - m.right + gutter + TINY) / (w + gutter)
    down = (size.h - m.top - m.bottom + gutter + TINY) / (h + gutter)
    return floor(across) * floor(down)


@unhurried
@given(components(), setups())
def test_the_margin_that_a_notice_names_does_fit_more(pieces, setup):
    job = laid(pieces, setup)
    for notice in job.notices:
        if "a margin of" in notice:
            words = notice.split()
            margin = float(words[words.index("of") + 1])
            assert setup.unprintable <= margin < setup.margins.top
            assert setup.margins.top - margin <= 3 + TINY
            smaller = Setup(setup.paper, Margins.even(margin), setup.unprintable, setup.gutter)
            columns, rows = (int(words[i]) for i in (words.index("instead", 7) - 3, words.index("instead", 7) - 1))
            first = impose(pieces * 40, smaller).sheets[0].front.placed
            assert len(first) == columns * rows
            assert len(first) > len(job.sheets[0].front.placed)
