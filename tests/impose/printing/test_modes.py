"""Every mode on every paper, both ways up: printed, turned as the sheet says, and looked at against the light."""

import math

import numpy as np
import pytest

from generator.base.paper import Orientation, papers
from generator.impose.duplex import Tray, find_mode
from generator.impose.setup import Margins
from generator.pipeline.printing import PrintOptions
from tests.tools.print_sheet import duplexed, fed_twice, folded, glued
from tests.tools.read_pdf import read, render

PAPERS = [row.name for row in papers()]
WAYS = ("portrait", "landscape")
TWO_SIDED = ("long-edge", "short-edge", "two-pass", "glue", "gutterfold")
SMALL = {"a5": Margins.make_even(6), "4x6": Margins.make_even(5)}
"""Margins with which small papers hold a card beside its back, with the fold between them."""


def sheets(paths, duplex, tray="face-down"):
    if duplex == "two-pass":
        return fed_twice(*paths, tray)
    return {"glue": glued, "gutterfold": folded}.get(duplex, duplexed)(*paths)


def wish(duplex, way, paper, tray="face-down"):
    return PrintOptions(
        duplex=find_mode(duplex),
        orientation=Orientation(way),
        margins=SMALL.get(paper),
        tray=Tray(tray),
    )


def check(sheet, back_of):
    """Each back behind its own front, and pointing the same way through the paper."""
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


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("duplex", TWO_SIDED)
def test_each_back_lies_upright_behind_its_own_front(printed, back_of, duplex, paper, way):
    made = sheets(printed(paper, wish(duplex, way, paper)), duplex)
    assert sum(len(sheet.front.forms) for sheet in made) == 16
    for sheet in made:
        check(sheet, back_of)
        wide = sheet.front.width > sheet.front.height
        assert wide == (way == "landscape")


@pytest.mark.parametrize("tray", ["face-down", "face-up"])
@pytest.mark.parametrize("paper", ["a5", "a4"])
def test_the_second_pass_meets_the_first_from_either_tray(printed, back_of, paper, tray):
    made = sheets(printed(paper, wish("two-pass", "portrait", paper, tray)), "two-pass", tray)
    assert len(made) > 1
    for sheet in made:
        check(sheet, back_of)


def test_the_wrong_tray_is_noticed(printed, back_of):
    """Make sure that the test above can fail."""
    paths = printed("a5", wish("two-pass", "portrait", "a5", "face-up"))
    first = fed_twice(*paths, "face-down")[0]
    with pytest.raises(KeyError):
        check(first, back_of)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("duplex", TWO_SIDED)
def test_against_the_light_the_blue_dot_of_a_back_lies_on_the_red_dot_of_its_front(
    printed, duplex, way
):
    """On the rendering: a pixel of the back is moved to where it lies behind the front."""
    paths = printed("a4", wish(duplex, way, "a4"))
    made = sheets(paths, duplex)
    front, back, through = render_first_sheet(paths, duplex, made[0])
    red = front[..., 0] - front[..., 2] > 100
    blue = back[..., 2] - back[..., 0] > 100
    assert red.sum() > 500
    ys, xs = np.nonzero(blue)
    moved = np.array([through((x + 0.5, y + 0.5)) for x, y in zip(xs, ys, strict=True)])
    there = np.zeros_like(red)
    there[np.floor(moved[:, 1]).astype(int), np.floor(moved[:, 0]).astype(int)] = True
    assert (there & red).sum() / (there | red).sum() > 0.9


def render_first_sheet(paths, duplex, sheet, dpi=100):
    """The pictures of the first sheet's sides, and its turning in pixels."""
    scale = dpi / 25.4
    last = {"two-pass": (paths[-1], 0), "gutterfold": (paths[0], 0)}.get(duplex, (paths[0], 1))
    return (
        render(paths[0], 0, dpi),
        render(*last, dpi),
        lambda p: tuple(value * scale for value in sheet.through((p[0] / scale, p[1] / scale))),
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("paper", PAPERS)
def test_fronts_only(printed, paper, way):
    (path,) = printed(paper, wish("single", way, paper))
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
def test_every_page_says_how_to_feed_and_flip_it(printed, duplex):
    pages = [page for path in printed("a4", wish(duplex, "portrait", "a4")) for page in read(path)]
    for page in pages:
        words = HOW[duplex][1 if page.label.endswith("back") else 0]
        assert "print at 100 %" in page.text
        assert words in page.text
