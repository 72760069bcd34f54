"""Test components that share sheets."""

from dataclasses import replace
from itertools import combinations
from math import ceil
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import Rect, Size
from generator.base.outline import CIRCLE_SIDES, Outline
from generator.base.paper import paper
from generator.base.shapes import fill_box, parse_shape
from generator.impose.duplex import find_mode
from generator.impose.guillotine import plan_cuts
from generator.impose.impose import impose, impose_packed, order_for_stacking
from generator.impose.marks import find_style
from generator.impose.nets.standee import build_standee
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times


@pytest.mark.parametrize("way", ["glue", "gutterfold"])
def test_folded_pieces_never_share_a_sheet_that_is_glued_double(way):
    size = Outline.of_box(Rect(0, 0, 25, 40))
    figures = [
        build_standee(Piece(f"s{n}", "figures", size, 2.0, "figure", "behind")) for n in range(3)
    ]
    cards = [Piece(f"c{n}", "cards", size, 2.0, "card", "back") for n in range(3)]
    tokens = [Piece(f"t{n}", "tokens", size, 2.0, "token", "coin") for n in range(2)]
    job = impose_packed([*figures, *cards, *tokens], Setup(duplex=find_mode(way)))
    components_by_sheet = [
        {placed.piece[0] for placed in sheet.front.placed} for sheet in job.sheets
    ]
    assert components_by_sheet == [{"c", "t"}, {"s"}]
    assert job.sheets[1].back is None


def test_three_components_share_one_sheet(pieces):
    mixed = (
        pieces(3, 63, 88, 3, "cards")
        + pieces(6, 30, 30, 2, "tiles")
        + pieces(10, 20, 20, 2, "tokens")
    )
    assert len(impose(mixed, Setup()).sheets) == 3
    job = impose_packed(mixed, Setup())
    assert len(job.sheets) == 1
    assert {placed.piece for placed in job.sheets[0].front.placed} == {piece.id for piece in mixed}
    footer = job.sheets[0].front.notes[-1].text
    assert footer.startswith("cards, tiles, tokens · sheet 1 of 1"), (
        "all edges have marks: no advice follows"
    )


def test_components_that_share_cuts_lie_in_one_grid(pieces):
    """Expect neighbours edge to edge: gaps for the bleed would not fit into one grid."""
    bodies = [replace(piece, gutter=0.0) for piece in pieces(4, 50, 50, 3, "bodies", "")]
    aids = [replace(piece, gutter=0.0) for piece in pieces(4, 50, 50, 3, "aids", "")]
    (sheet,) = impose_packed([*bodies, *aids], Setup(duplex=find_mode("single"))).sheets
    boxes = [placed.trim for placed in sheet.front.placed]
    assert len(boxes) == 8
    for edges in ({round(box.x, 3) for box in boxes}, {round(box.y, 3) for box in boxes}):
        first, *others = sorted(edges)
        assert all((edge - first) % 50 == pytest.approx(0) for edge in others)
    assert sheet.front.notes[-1].text.startswith("bodies, aids · sheet 1 of 1")


def test_components_that_share_cuts_stay_apart_if_one_sheet_cannot_hold_them(pieces):
    cards = [
        replace(piece, gutter=0.0)
        for name in ("bodies", "aids", "labours")
        for piece in pieces(10, 50, 50, 3, name, "")
    ]
    job = impose_packed(cards, Setup(duplex=find_mode("single")))
    printed_ids = [placed.piece for sheet in job.sheets for placed in sheet.front.placed]
    assert sorted(printed_ids) == sorted(piece.id for piece in cards)


@pytest.mark.parametrize("gutter", [None, 40.0])
def test_stacks_of_cut_pieces_are_in_order_with_any_gutter(pieces, gutter):
    cards = [replace(card, gutter=gutter) for card in pieces(30, 50, 50)]
    sheets = [
        sheet.front.placed for sheet in impose(order_for_stacking(cards, Setup()), Setup()).sheets
    ]
    slots = len(sheets[0])
    stacked_ids = [
        sheet[slot].piece for slot in range(slots) for sheet in sheets if slot < len(sheet)
    ]
    assert stacked_ids == [card.id for card in cards]
    assert slots == (15 if gutter is None else 6)


@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_stacks_of_cut_pieces_are_in_order_with_reduced_margins(pieces, bleed):
    cards = pieces(54, 63.5, 88.9, bleed)
    setup = Setup(paper("a4" if bleed else "letter"), least_margin=6.0, least_gutter=2.0)
    sheets = [
        sheet.front.placed for sheet in impose(order_for_stacking(cards, setup), setup).sheets
    ]
    assert [len(sheet) for sheet in sheets] == [9] * 6
    assert [sheet[slot].piece for slot in range(9) for sheet in sheets] == [
        card.id for card in cards
    ]


def test_packing_keeps_full_sheets(pieces):
    mixed = pieces(20, 63, 88, 0, "cards") + pieces(4, 30, 30, 2, "tiles")
    job = impose_packed(mixed, Setup())
    assert [len(sheet.front.placed) for sheet in job.sheets] == [9, 9, 6]


def test_components_share_sheets_only_if_this_saves_a_sheet(pieces):
    mixed = pieces(9, 63, 88, 0, "cards") + pieces(1, 180, 250, 0, "boards")
    assert impose_packed(mixed, Setup()) == impose(mixed, Setup())


def test_skipped_slots_on_packed_sheets_are_refused(pieces):
    with pytest.raises(InvalidValueError, match="slots cannot be skipped on packed sheets"):
        impose_packed(pieces(2, 63, 88), Setup(skip=1))


@st.composite
def games(draw):
    all_pieces = []
    for name in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        size = Size(draw(st.floats(12, 90)), draw(st.floats(12, 90)))
        bleed = draw(st.sampled_from([0.0, 2.0, 3.0]))
        gutter = draw(st.sampled_from([None, 0.0, 5.0]))
        all_pieces += [
            Piece(
                f"{name}-{n}",
                name,
                fill_box("rect", size),
                bleed,
                f"{name} front {n}",
                f"{name} back {n}",
                gutter,
            )
            for n in range(draw(st.integers(1, 12)))
        ]
    return all_pieces


STACKED = [
    Piece(
        f"a-{n}",
        "a",
        fill_box("rect", Size(12.0, 12.946022525104972)),
        2,
        f"a front {n}",
        "a back",
        0.0,
    )
    for n in range(4)
]


SHIFTED = [
    Piece(
        f"c-{n}", "c", fill_box("rect", Size(66, 13)), 3, f"c front {n}", f"c back {n}", gutter=5.0
    )
    for n in range(3)
]
"""Two rows on one sheet: the boxes of their ink overlap at a corner, the ink does not."""


@try_times(0.6)
@example(SHIFTED, "long-edge")
@example(
    [*STACKED, Piece("b-0", "b", fill_box("rect", Size(12, 52)), 0, "b front 0", "b back 0")],
    "long-edge",
)
@given(games(), st.sampled_from(["long-edge", "gutterfold", "glue"]))
def test_packed_pieces_are_complete_separate_and_cut_straight(pieces, duplex):
    setup = Setup(duplex=find_mode(duplex), marks=find_style("corners"))
    assume(all(min(p.size) < 80 and max(p.size) < 88 for p in pieces))
    job = impose_packed(pieces, setup)
    assert len(job.sheets) <= len(impose(pieces, setup).sheets)
    fronts = [p for sheet in job.sheets for p in sheet.front.placed if "front" in p.face]
    assert sorted(p.piece for p in fronts) == sorted(p.id for p in pieces)
    sizes = {p.id: p for p in pieces}
    for sheet in job.sheets:
        for side in filter(None, (sheet.front, sheet.back)):
            for placed in side.placed:
                piece = sizes[placed.piece]
                assert sorted(placed.trim.size) == pytest.approx(sorted(piece.size))
                assert placed.ink.holds(placed.trim)
            for a, b in combinations(side.placed, 2):
                assert not ink_outline(a).overlaps(ink_outline(b))
                if a.piece[0] != b.piece[0]:
                    bleeds = sizes[a.piece].bleed + sizes[b.piece].bleed
                    assert gap(a.trim, b.trim) >= bleeds - 1e-6
    for bed in job.beds:
        assert plan_cuts(bed.paper, [outline.box for outline in bed.outlines]) is not None


def ink_outline(placed) -> Outline:
    """Return the outline of the ink of a placed face."""
    return placed.clip or Outline.of_box(placed.ink)


def gap(a: Rect, b: Rect) -> float:
    return max(a.x - b.right, b.x - a.right, a.y - b.bottom, b.y - a.bottom)


def test_pieces_with_a_grid_are_packed_without_the_grid(pieces):
    tiles = [replace(piece, grid=(4, 7)) for piece in pieces(3, 33, 33, 2, "tiles")]
    assert len(impose_packed(tiles + pieces(3, 63, 88, 3), Setup()).sheets) == 1


def test_pieces_that_need_different_folds_share_no_sheet(pieces):
    """Some cards fit only beside a fold, and some boards only above it."""
    mixed = pieces(1, 80, 200, 0, "tall") + pieces(1, 180, 100, 0, "wide")
    setup = Setup(duplex=find_mode("gutterfold"))
    assert impose_packed(mixed, setup) == impose(mixed, setup)
    with pytest.raises(InvalidValueError, match="a piece of 250 x 250 mm does not fit on A4"):
        impose_packed(mixed + pieces(1, 250, 250, 0, "large"), setup)


def test_hexagons_and_tokens_keep_their_outline_on_shared_sheets(pieces):
    token = Piece("token", "tokens", parse_shape("circle 22mm"), 2, "token", "token back")
    hexagon = Piece("hex", "hexes", parse_shape("hex 40mm"), 2, "hex", "hex back")
    (sheet,) = impose_packed(
        [*pieces(2, 63, 88, 3), token, hexagon, replace(hexagon, id="other")], Setup()
    ).sheets
    for side in (sheet.front, sheet.back):
        *boxes, hexed, _, round_one = sorted(
            len(placed.clip.flat) if placed.clip else 0 for placed in side.placed
        )
        assert boxes == [0, 0]
        assert 6 <= hexed <= 8
        assert round_one >= CIRCLE_SIDES
        slanted = [
            mark
            for mark in side.marks
            if min(abs(mark.a.x - mark.b.x), abs(mark.a.y - mark.b.y)) > 0.1
        ]
        assert len(slanted) >= 4, "the slanted sides of a hexagon have marks"
        for a, b in combinations(
            [(placed.clip or Outline.of_box(placed.ink)).flat for placed in side.placed], 2
        ):
            assert are_separate(a, b)
        (card, *_) = [placed for placed in side.placed if not placed.clip]
        assert [
            mark
            for mark in side.marks
            if mark.a.x == mark.b.x and abs(mark.a.x - card.trim.x) < 0.001
        ]


def are_separate(a, b):
    """Return True if a side of a convex outline separates it from the other one.

    Circles are polygons, so 0.05 mm may overlap.
    """
    for item, other in ((a, b), (b, a)):
        for i, corner in enumerate(item):
            out = polygon.outward(item[i - 1], corner)
            if all(polygon.dot(place - corner, out) >= -0.05 for place in other):
                return True
    return False


def test_folds_on_shared_sheets_lie_only_beside_folded_pieces(pieces):
    cards = pieces(2, 63, 88, 3)
    figure = build_standee(
        Piece("figure", "figures", fill_box("rect", Size(30, 40)), 2, "figure", "figure back")
    )
    for mixed in ([*cards, figure], [figure, *cards]):
        (sheet,) = impose_packed(mixed, Setup()).sheets
        dotted = [mark for mark in sheet.front.marks if mark.dash]
        trims = [placed.trim for placed in sheet.front.placed if placed.piece == "figure"]
        box = Rect.around(trims).grown(30)
        assert dotted
        assert all(box.holds(Rect(*mark.a, 0, 0)) for mark in dotted)


def test_each_fold_has_a_mark_between_neighbours_on_a_shared_sheet(pieces):
    figure = build_standee(
        Piece("figure", "figures", fill_box("rect", Size(32, 24)), 2, "figure", "figure back")
    )
    mixed = [
        *pieces(1, 66, 90, 0, "nets"),
        figure,
        *pieces(4, 18, 18, 2, "tokens"),
        *pieces(12, 40, 40, 2, "tiles"),
    ]
    (sheet,) = impose_packed(mixed, Setup()).sheets
    trims = [placed.trim for placed in sheet.front.placed if placed.piece == "figure"]
    level = trims[0].x == trims[1].x
    folds = {round(trim[1 if level else 0], 3) for trim in trims}
    folds |= {round(trim.bottom if level else trim.right, 3) for trim in trims}
    marked_folds = {
        round(mark.a.y if level else mark.a.x, 3) for mark in sheet.front.marks if mark.dash
    }
    assert len(folds) == 3
    assert marked_folds == folds


def test_mixed_pieces_rarely_take_more_sheets_than_their_area(pieces):
    """The area includes bleeds; level shelves alone would take three more sheets for these forty."""
    more = 0
    for seed in range(40):
        rng = Random(seed)  # noqa: S311 - it hides nothing
        sizes = [
            (rng.choice([25, 31, 44, 57, 63, 88]), rng.choice([31, 44, 63, 88, 120]))
            for _ in range(3)
        ]
        mixed = [
            piece
            for n, (w, h) in enumerate(sizes)
            for piece in pieces(rng.randint(1, 7), w, h, 2, f"c{n}")
        ]
        area = sum((piece.size.w + 4) * (piece.size.h + 4) for piece in mixed) / (194 * 281)
        more += len(impose_packed(mixed, Setup()).sheets) - ceil(area)
    assert more <= 2
