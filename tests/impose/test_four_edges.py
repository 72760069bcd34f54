"""Test that nothing is printed on the four edges that a printer leaves blank."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from generator.base.geometry import Size
from generator.base.paper import paper
from generator.base.shapes import fill_box
from generator.impose.duplex import find_mode
from generator.impose.impose import impose
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Piece
from tests.tools.print_sheet import map_back_to_front
from tests.tools.read_pdf import darkest, read, read_all

EDGES = (3.0, 8.0, 12.7, 5.0)
DPI = 200
"""A pixel is smaller than the 0.15 mm by which an edge may be narrower."""
PIXELS_PER_MM = DPI / 25.4


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config" / "printers.json"


@pytest.fixture
def pack(tmp_path):
    """Return the pack of the duplex tests without its own margins."""
    folder = Path(shutil.copytree("tests/data/packs/flip", tmp_path / "flip"))
    game = folder / "game.yaml"
    game.write_text(game.read_text().replace("margin: 10mm, ", ""))
    return folder


def add_printer(pnp, *more):
    result = pnp("printer", "add", "tray", "--edge", "{}mm {}mm {}mm {}mm".format(*EDGES), *more)
    assert result.exit_code == 0, result.output
    return result.output


def blank_edges(path):
    """Yield the blank edges of each rendered side in mm, clockwise from the top."""
    pages = len(read_all(path))
    for number in range(pages - len(read(path)), pages):
        ink = np.asarray(darkest(path, number, DPI)) < 250
        rows = np.nonzero(ink.any(axis=1))[0]
        columns = np.nonzero(ink.any(axis=0))[0]
        high, wide = ink.shape
        edges = (rows[0], wide - 1 - columns[-1], high - 1 - rows[-1], columns[0])
        yield tuple(edge / PIXELS_PER_MM for edge in edges)


def build(pnp, pack, out, *options):
    result = pnp("build", pack, "--what", "sheets", "-o", out, "--printer", "tray", *options)
    assert result.exit_code == 0, result.output
    return sorted(out.rglob("*-sheets-*.pdf"))


@pytest.mark.parametrize("sheet", ["a4", "letter"])
@pytest.mark.parametrize(
    "duplex", ["long-edge", "short-edge", "two-pass", "single", "glue", "gutterfold"]
)
def test_unprintable_edges_of_every_side_stay_blank(pnp, settings, pack, tmp_path, duplex, sheet):
    add_printer(pnp)
    for path in build(pnp, pack, tmp_path / "out", "--paper", sheet, "--duplex", duplex):
        for edges in blank_edges(path):
            for edge, least in zip(edges, EDGES, strict=True):
                assert edge >= least - 0.15, (path.name, edges)


@pytest.mark.parametrize("sheet", ["a4", "letter"])
@pytest.mark.parametrize("duplex", ["long-edge", "short-edge"])
@pytest.mark.parametrize("orientation", ["--portrait", "--landscape"])
def test_backs_lie_behind_their_fronts_within_uneven_edges(
    pnp, settings, pack, tmp_path, duplex, sheet, orientation
):
    add_printer(pnp)
    (path,) = build(pnp, pack, tmp_path / "out", "--paper", sheet, "--duplex", duplex, orientation)
    pages = read(path)
    assert len(pages) >= 2
    for front, back in zip(pages[0::2], pages[1::2], strict=True):
        through = map_back_to_front(front, long=duplex == "long-edge")
        for form in back.forms:
            assert (
                min(
                    math.dist(through((form.x, form.y)), (other.x, other.y))
                    for other in front.forms
                )
                < 0.01
            )


@pytest.mark.parametrize("measured", ["--portrait", "--landscape"])
def test_page_in_the_other_orientation_keeps_the_wider_of_opposite_edges(
    pnp, settings, pack, tmp_path, measured
):
    """Drivers turn a landscape page to the left or to the right."""
    add_printer(pnp, measured)
    other = "--landscape" if measured == "--portrait" else "--portrait"
    wide = (8.0, 12.7, 8.0, 12.7)
    for orientation, least in ((measured, EDGES), (other, wide)):
        (path,) = build(pnp, pack, tmp_path / orientation, "--paper", "a4", orientation)
        for edges in blank_edges(path):
            assert all(edge >= mm - 0.15 for edge, mm in zip(edges, least, strict=True)), (
                orientation,
                edges,
            )


def test_only_wide_edges_take_space():
    """A wide edge at the foot leaves space for three rows of three cards; four wide edges do not."""
    cards = [Piece(f"c{n}", "cards", fill_box("rect", Size(63, 88)), 0, "f", "b") for n in range(9)]
    counts = {}
    for name, edges in {
        "even": (3, 3, 3, 3),
        "foot": (3, 3, 20, 3),
        "all": (20, 20, 20, 20),
    }.items():
        margins = Margins(*(max(5, mm) for mm in edges))
        setup = Setup(paper("a4"), margins, Margins(*edges), gutter=0)
        counts[name] = len(impose(cards, setup).sheets[0].front.placed)
    assert counts == {"even": 9, "foot": 9, "all": 6}


@pytest.mark.parametrize(
    ("duplex", "blank"),
    [
        ("long-edge", (3, 8, 12, 8)),
        ("short-edge", (12, 8, 12, 5)),
        ("two-pass", (3, 8, 12, 8)),
        ("single", (3, 8, 12, 5)),
        ("gutterfold", (3, 8, 12, 5)),
    ],
)
def test_edges_behind_each_other_are_as_wide_as_the_wider_one(duplex, blank):
    setup = Setup(
        paper("a4"),
        Margins.make_even(15),
        unprintable=Margins(3, 8, 12, 5),
        duplex=find_mode(duplex),
        marks=Setup().marks,
    )
    assert tuple(setup.blank) == blank


def test_margin_below_an_unprintable_edge_is_refused_with_its_side(pnp, settings, pack, tmp_path):
    add_printer(pnp)
    result = pnp("build", pack, "-o", tmp_path / "out", "--printer", "tray", "--margin", "10mm")
    assert result.exit_code == 3
    assert (
        "a bottom margin of 10 mm is less than the 12.7 mm that the printer leaves blank"
        in result.stderr
    )
    assert (
        pnp(
            "build", pack, "-o", tmp_path / "out", "--printer", "tray", "--margin", "10 10 12.7 10"
        ).exit_code
        == 0
    )


def test_four_edges_are_stored_and_listed(pnp, settings):
    expected = (
        "leaves 3 mm at the top, 8 mm at the right, 12.7 mm at the bottom, 5 mm at the left blank"
    )
    assert expected in add_printer(pnp)
    assert expected in pnp("printer", "list").output
    assert json.loads(settings.read_text())["tray"]["edge"] == {
        "top": 3,
        "right": 8,
        "bottom": 12.7,
        "left": 5,
    }


@pytest.mark.parametrize("text", ["4", "4mm", "0.4cm", "4 4 4 4"])
def test_one_length_stands_for_all_edges(pnp, settings, text):
    assert pnp("printer", "add", "old", "--edge", text).exit_code == 0
    assert pnp("printer", "list").output.endswith("; leaves 4 mm blank\n")


def test_printer_profiles_of_earlier_versions_are_read(pnp, settings, pack, tmp_path):
    settings.parent.mkdir()
    row = {
        "across": 100.0,
        "down": 100.0,
        "duplex": "long-edge",
        "edge": 7.5,
        "orientation": "portrait",
    }
    rest = {"sides": "backs", "turn": 0.0, "x": 0.0, "y": 0.0}
    settings.write_text(json.dumps({"tray": row | rest, "plain": rest | {"edge": None}}))
    assert "tray: shifts backs by 0, 0 mm" in pnp("printer", "list").output
    assert "leaves 7.5 mm blank" in pnp("printer", "list").output
    (path,) = build(pnp, pack, tmp_path / "out", "--paper", "a4")
    assert all(edge >= 7.4 for edges in blank_edges(path) for edge in edges)


@pytest.mark.parametrize(
    "edge", ["wide", [3, 3], {"top": 3}, {"top": 3, "right": 3, "bottom": 3, "lower": 3}]
)
def test_damaged_edge_of_a_profile_is_reported_with_the_file(pnp, settings, edge):
    settings.parent.mkdir()
    settings.write_text(json.dumps({"tray": {"edge": edge}}))
    result = pnp("printer", "list")
    assert result.exit_code == 3
    assert "printers.json" in result.stderr


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("3mm 3mm", 2, "'3mm 3mm' has 2 lengths; expected one for all sides, or four"),
        ("wide", 2, "'wide' is not a length"),
        ("3mm 3mm 30mm 3mm", 2, "an unprintable edge cannot be 30 mm\n  expected 0 to 25 mm"),
    ],
)
def test_impossible_edge_is_refused_with_its_range(pnp, settings, text, code, words):
    result = pnp("printer", "add", "tray", "--edge", text)
    assert result.exit_code == code
    assert words in result.stderr
    assert not settings.exists()


def test_help_shows_how_to_write_four_edges(pnp):
    assert '--edge "3mm 3mm 12.7mm 3mm"' in pnp("printer", "add", "--help").output


def deck(size, bleed, gutter=None):
    outline = fill_box("rect", Size(*size))
    return [Piece(f"c{n}", "cards", outline, bleed, "f", "b", gutter=gutter) for n in range(54)]


@pytest.mark.parametrize(
    ("size", "bleed", "gutter", "sheets"),
    [
        ((63.5, 63.5), 2, None, 5),
        ((65, 100), 3, None, 7),
        ((65, 100), 3, 0.0, 7),
        ((57.15, 88.9), 3, 0.0, 6),
    ],
)
def test_shrunk_margins_leave_space_for_the_footer_on_flipping(size, bleed, gutter, sheets):
    """In each of these, a smaller margin saved sheets and left no space for the footer."""
    setup = Setup(
        paper("letter"),
        least_margin=6.0,
        least_gutter=2.0,
        caption="Hoses and Hydrants 2",
    )
    job = impose(deck(size, bleed, gutter), setup)
    assert len(job.sheets) == sheets
    assert "a margin of" in " ".join(job.notices)
    for sheet in job.sheets:
        for side in (sheet.front, sheet.back):
            assert "flip on the long edge" in " ".join(note.text for note in side.notes)


def test_margin_does_not_shrink_if_the_footer_would_not_fit():
    """Four pieces would leave 1.8 mm at each side, too little for the smallest footer.

    A notice names the saving.
    """
    edge = Margins.make_even(4.6)
    setup = Setup(paper("letter"), Margins.make_even(12), edge, least_margin=6.0, gutter=0)
    job = impose(deck((101.5, 133.3), 0, 0.0), setup)
    assert len(job.sheets) == 27
    for side in (job.sheets[0].front, job.sheets[0].back):
        assert "flip on the long edge" in " ".join(note.text for note in side.notes)
    assert "would take 14 sheets instead of 27" in " ".join(job.notices)
