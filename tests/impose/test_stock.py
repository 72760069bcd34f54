"""Test the distribution of pieces to a stock of papers, and the length of rolls."""

from functools import cache
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError, Kind
from generator.base.paper import PaperChoice, paper, parse_paper_choices
from generator.base.shapes import parse_shape
from generator.impose.duplex import find_mode
from generator.impose.impose import PaperStock, distribute_pieces, impose
from generator.impose.layout import find_layout
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from tests.tools.examples import try_times


def deck(size, count, name="cards", bleed=3.0):
    return [
        Piece(f"{name}{n}", name, parse_shape(size), bleed, "front", "back") for n in range(count)
    ]


def stock_of(**counts):
    return [
        PaperStock(Setup(paper(name), least_margin=6.0), count) for name, count in counts.items()
    ]


def count_sheets(pieces, rows):
    shared = distribute_pieces(pieces, rows)
    assert sorted(piece.id for part in shared for piece in part) == sorted(
        piece.id for piece in pieces
    )
    return [len(impose(part, row.setup).sheets) for part, row in zip(shared, rows, strict=True)]


def test_large_paper_is_used_first_as_long_as_there_is_some():
    assert count_sheets(deck("rect 70 x 120 mm", 30), stock_of(a4=20, a3=1)) == [4, 1]
    assert count_sheets(deck("rect 70 x 120 mm", 30), stock_of(a4=20, a3=5)) == [0, 3]
    assert count_sheets(deck("rect 70 x 120 mm", 10), stock_of(a4=20, a3=5)) == [0, 1]


def test_large_stock_of_three_papers_is_shared_out_at_once():
    """Each deck takes 27 full sheets of A3, and its last three cards a sheet of Letter, the smallest paper.

    To try all ways to share the stock out took minutes.
    """
    pieces = [piece for n in range(4) for piece in deck("rect 70 x 120 mm", 300, f"deck {n}")]
    on_a4, on_a3, on_letter = distribute_pieces(pieces, stock_of(a4=500, a3=500, letter=500))
    assert (len(on_a4), len(on_a3), len(on_letter)) == (0, 4 * 297, 4 * 3)


def test_smallest_paper_is_used_if_the_number_of_sheets_is_equal():
    assert count_sheets(deck("rect 63.5 x 88.9 mm", 8), stock_of(a3=5, a4=20)) == [0, 1]


@cache
def capacity(size, name):
    """Return the number of pieces that fit on a sheet.

    Gutters shrink only if this saves a sheet, so every number is tried.
    """
    (row,) = stock_of(**{name: 1})
    return max(
        len(impose(deck(size, count), row.setup).sheets[0].front.placed) for count in range(1, 41)
    )


@try_times(0.3)
@given(st.integers(1, 40), st.integers(0, 25), st.integers(1, 4), st.integers(1, 4))
@example(
    21, 0, 2, 2
)  # with smaller margins, nine cards fit on A4; 21 cards on A4 alone would not need that
@example(21, 0, 1, 2)
def test_no_other_distribution_takes_fewer_sheets(cards, tiles, many, few):
    rows = stock_of(a5=many, a4=few)
    pieces = deck("rect 60 x 80 mm", cards) + deck("rect 40 x 40 mm", tiles, "tiles")
    capacities = {name: [capacity(size, paper_name) for paper_name in ("a5", "a4")]
            for name, size in (("cards", "rect 60 x 80 mm"), ("tiles", "rect 40 x 40 mm"))}  # fmt: skip
    ways = [
        (a + c, b + d)
        for a, b, c, d in product(range(many + 1), range(few + 1), range(many + 1), range(few + 1))
        if a * capacities["cards"][0] + b * capacities["cards"][1] >= cards
        and c * capacities["tiles"][0] + d * capacities["tiles"][1] >= tiles
        and a + c <= many
        and b + d <= few
    ]
    if ways:
        assert sum(count_sheets(pieces, rows)) <= min(map(sum, ways))
    else:
        with pytest.raises(
            InvalidValueError, match=r"pieces do not fit on \d+ sheets? of"
        ) as wrong:
            distribute_pieces(pieces, rows)
        assert wrong.value.kind is Kind.FIT


def test_pieces_that_fit_on_one_paper_only_are_placed_there():
    assert count_sheets(
        deck("rect 180 x 240 mm", 2) + deck("rect 60 x 60 mm", 4, "tiles"), stock_of(a5=1, a4=3)
    ) == [1, 2]
    with pytest.raises(InvalidValueError, match="cards: a piece fits on none of the papers"):
        distribute_pieces(deck("rect 280 x 400 mm", 1), stock_of(a5=1, a4=3))


@pytest.mark.parametrize(
    "name",
    [
        "a4:0",
        "a4:x",
        f"a4:{'9' * 5000}",
        "a4:2,a4:3",
        "a4:2,A4 :3",
        "a4:2,a3",
        ":3",
        "roll 610mm:3",
        "a4:1,a3:1,a5:1,letter:1",
    ],
)
def test_malformed_stock_of_papers_is_refused(name):
    with pytest.raises(InvalidValueError):
        parse_paper_choices(name)


def test_paper_choice_knows_its_paper_and_stock():
    one, other = parse_paper_choices("A4:20, a3:5")
    stock = ((paper("a4"), 20), (paper("a3"), 5))
    assert (one, other) == (PaperChoice(paper("a4"), stock), PaperChoice(paper("a3"), stock))
    assert (one.text, one.title, other.title) == (
        "a4:20,a3:5",
        "a4 of a4:20,a3:5",
        "a3 of a4:20,a3:5",
    )
    assert parse_paper_choices("a4") == (PaperChoice(paper("a4")),)
    assert [choice.title for choice in parse_paper_choices("210 x 297 mm")] == ["210x297mm"]


@pytest.mark.parametrize("mode", ["long-edge", "single", "gutterfold"])
@pytest.mark.parametrize(("count", "wide"), [(1, 300), (30, 610), (200, 914.4)])
def test_roll_is_as_long_as_its_pieces_need(count, wide, mode):
    roll = paper(f"roll {wide}mm")
    job = impose(deck("rect 63.5 x 88.9 mm", count), Setup(roll, duplex=find_mode(mode)))
    (sheet,) = job.sheets
    assert sheet.paper.w == wide
    assert len({placed.piece for placed in sheet.front.placed}) == count
    shorter = Setup(roll.cut_to(sheet.paper.h - 1), duplex=find_mode(mode))
    assert count == 1 or count_on_sheet(deck("rect 63.5 x 88.9 mm", 1)[0], shorter) < count


def count_on_sheet(piece, setup):
    """Return the number of pieces in one orientation on a sheet of paper."""
    return len(find_layout(piece, setup, setup.duplex).slots)


def test_stock_gives_a_file_for_each_used_paper_or_is_refused(pnp, tmp_path):
    result = pnp(
        "build",
        "tests/data/packs/flip",
        "--what",
        "sheets",
        "--paper",
        "a4:1,a5:9,a3:1",
        "-o",
        tmp_path,
    )
    assert result.exit_code == 0, result.output
    assert {path.name for path in (tmp_path / "flip").glob("*.pdf")} == {"flip-1-sheets-a3.pdf"}
    result = pnp(
        "build", "tests/data/packs/flip", "--what", "sheets", "--paper", "a5:20", "-o", tmp_path
    )
    assert "16 pieces on 4 sheets" in result.output
    few = pnp(
        "build", "tests/data/packs/flip", "--what", "sheets", "--paper", "a5:1,a4:1", "-o", tmp_path
    )
    assert few.exit_code == 4
    assert "1 sheet of A5 and 1 sheet of A4" in few.output


def test_roll_has_a_sheet_of_its_width_and_a_how_to_make_page_on_a4(pnp, tmp_path):
    what = ("--what", "sheets", "--what", "making")
    result = pnp("build", "tests/data/packs/flip", *what, "--paper", "roll 610mm", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    import pypdfium2

    sizes = {}
    for path in (tmp_path / "flip").glob("*.pdf"):
        document = pypdfium2.PdfDocument(path)
        sizes[path.name] = [round(side * 25.4 / 72) for side in document[0].get_size()]
        document.close()
    assert sizes["flip-1-sheets-roll-610mm.pdf"][0] == 610
    assert sizes["flip-1-sheets-roll-610mm.pdf"][1] < 300
    assert sizes["flip-1-making-roll-610mm.pdf"] == [210, 297]
