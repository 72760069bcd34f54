"""Test that backs lie behind fronts in every duplex mode, on every paper and in both orientations."""

import math

import numpy as np
import pytest

from generator.base.paper import Orientation, papers
from generator.impose.duplex import Tray, find_mode
from generator.impose.setup import Margins
from generator.pipeline.printing import PrintOptions
from tests.tools.print_sheet import (
    print_and_fold,
    print_and_glue,
    print_duplex,
    print_in_two_passes,
)
from tests.tools.read_pdf import read, render

PAPERS = [row.name for row in papers()]
ORIENTATIONS = ("portrait", "landscape")
TWO_SIDED = ("long-edge", "short-edge", "two-pass", "glue", "gutterfold")
SMALL = {"a5": Margins.make_even(6), "4x6": Margins.make_even(5)}
"""Margins with which small papers hold a card and its back on both sides of a fold."""


def turn_sheets(paths, duplex, tray="face-down"):
    if duplex == "two-pass":
        return print_in_two_passes(*paths, tray)
    return {"glue": print_and_glue, "gutterfold": print_and_fold}.get(duplex, print_duplex)(*paths)


def make_options(duplex, orientation, paper, tray="face-down"):
    return PrintOptions(
        duplex=find_mode(duplex),
        orientation=Orientation(orientation),
        margins=SMALL.get(paper),
        tray=Tray(tray),
    )


def check_backs(sheet, back_of):
    """Check that each back lies behind its own front, with the same direction up."""
    assert sheet.front.forms
    assert len(sheet.front.forms) == len(sheet.back.forms)
    behind = {form.name: form for form in sheet.back.forms}
    for front in sheet.front.forms:
        back = behind[back_of[front.name]]
        x, y = sheet.through((back.x, back.y))
        assert math.hypot(x - front.x, y - front.y) <= 0.01
        tip = sheet.through((back.x + _up(back)[0], back.y + _up(back)[1]))
        assert math.hypot(tip[0] - x - _up(front)[0], tip[1] - y - _up(front)[1]) < 1e-6


def _up(form):
    return math.sin(math.radians(form.turn)), -math.cos(math.radians(form.turn))


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("duplex", TWO_SIDED)
def test_back_lies_upright_behind_its_front_in_every_mode(
    write_files, back_of, duplex, paper, orientation
):
    turned_sheets = turn_sheets(
        write_files(paper, make_options(duplex, orientation, paper)), duplex
    )
    assert sum(len(sheet.front.forms) for sheet in turned_sheets) == 16
    for sheet in turned_sheets:
        check_backs(sheet, back_of)
        wide = sheet.front.width > sheet.front.height
        assert wide == (orientation == "landscape")


@pytest.mark.parametrize("tray", ["face-down", "face-up"])
@pytest.mark.parametrize("paper", ["a5", "a4"])
def test_second_pass_prints_backs_behind_fronts_from_either_tray(write_files, back_of, paper, tray):
    turned_sheets = turn_sheets(
        write_files(paper, make_options("two-pass", "portrait", paper, tray)), "two-pass", tray
    )
    assert len(turned_sheets) > 1
    for sheet in turned_sheets:
        check_backs(sheet, back_of)


def test_wrong_tray_puts_backs_behind_wrong_fronts(write_files, back_of):
    """Make sure that the test above can fail."""
    paths = write_files("a5", make_options("two-pass", "portrait", "a5", "face-up"))
    first = print_in_two_passes(*paths, "face-down")[0]
    with pytest.raises(KeyError):
        check_backs(first, back_of)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("duplex", TWO_SIDED)
def test_dot_of_a_back_covers_the_dot_of_its_front_against_the_light(
    write_files, duplex, orientation
):
    """Each pixel of the rendered back is moved to its place behind the front."""
    paths = write_files("a4", make_options(duplex, orientation, "a4"))
    turned_sheets = turn_sheets(paths, duplex)
    front, back, through = render_first_sheet(paths, duplex, turned_sheets[0])
    red = front[..., 0] - front[..., 2] > 100
    blue = back[..., 2] - back[..., 0] > 100
    assert red.sum() > 500
    ys, xs = np.nonzero(blue)
    moved = np.array([through((x + 0.5, y + 0.5)) for x, y in zip(xs, ys, strict=True)])
    there = np.zeros_like(red)
    there[np.floor(moved[:, 1]).astype(int), np.floor(moved[:, 0]).astype(int)] = True
    assert (there & red).sum() / (there | red).sum() > 0.9


def render_first_sheet(paths, duplex, sheet, dpi=100):
    """Return the pictures of both sides of the first sheet, and its turning in pixels."""
    scale = dpi / 25.4
    last = {"two-pass": (paths[-1], 0), "gutterfold": (paths[0], 0)}.get(duplex, (paths[0], 1))
    return (
        render(paths[0], 0, dpi),
        render(*last, dpi),
        lambda p: tuple(value * scale for value in sheet.through((p[0] / scale, p[1] / scale))),
    )


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("paper", PAPERS)
def test_single_sided_file_has_only_fronts(write_files, paper, orientation):
    (path,) = write_files(paper, make_options("single", orientation, paper))
    pages = read(path)
    assert sum(len(page.forms) for page in pages) == 16
    assert all(page.label.endswith("front") for page in pages)


HOW = {
    "long-edge": ("flip on the long edge", "flip on the long edge"),
    "short-edge": ("flip on the short edge", "flip on the short edge"),
    "single": ("single-sided", ""),
    "two-pass": (
        "put all sheets back, same edge first, to print their blank sides",
        "feed the sheets, same edge first, to print their blank sides",
    ),
    "glue": ("turn the sheet of backs over its long edge", "glue it behind the fronts"),
    "gutterfold": ("fold back along the dotted line", ""),
}


@pytest.mark.parametrize("duplex", HOW)
def test_footer_of_each_page_explains_feeding_and_flipping(write_files, duplex):
    pages = [
        page
        for path in write_files("a4", make_options(duplex, "portrait", "a4"))
        for page in read(path)
    ]
    for page in pages:
        words = HOW[duplex][1 if page.label.endswith("back") else 0]
        assert "print at 100 %" in page.text
        assert words in page.text
