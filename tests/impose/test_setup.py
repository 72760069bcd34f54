"""Test impossible settings of imposition and the messages about them."""

import pytest

from generator.base.errors import InvalidValueError, Kind
from generator.base.paper import paper
from generator.impose.duplex import find_mode, find_tray
from generator.impose.impose import impose
from generator.impose.marks import find_style
from generator.impose.plotter import find_registration
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Job


def refusal(**settings):
    with pytest.raises(InvalidValueError) as caught:
        Setup(**settings)
    return caught.value


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"margins": Margins(10, -1, 10, 10)}, "a right margin cannot be -1 mm"),
        ({"gutter": -0.5}, "a gutter cannot be -0.5 mm"),
        ({"unprintable": Margins.make_even(-4)}, "an unprintable edge cannot be -4 mm"),
        ({"grid": (0, 3)}, "a grid cannot be 0 x 3"),
        (
            {"margins": Margins(10, 10, 3, 10)},
            "a bottom margin of 3 mm is less than the 4.2 mm that the printer leaves blank",
        ),
    ],
)
def test_impossible_setup_is_refused(settings, message):
    assert refusal(**settings).found == message


@pytest.mark.parametrize(
    ("look_up", "name", "message"),
    [
        (find_mode, "long edge", "unknown duplex mode 'long edge'"),
        (find_style, "cross", "unknown marks 'cross'"),
        (find_tray, "face-top", "unknown tray 'face-top'"),
        (find_registration, "silhuette", "unknown cutter 'silhuette'"),
    ],
)
def test_unknown_mode_mark_tray_or_cutter_is_refused(look_up, name, message):
    with pytest.raises(InvalidValueError) as caught:
        look_up(name)
    assert caught.value.found == message


def test_margins_that_leave_no_space_are_refused():
    wrong = refusal(paper=paper("a5"), margins=Margins.make_even(74))
    assert (wrong.found, wrong.kind) == ("the margins leave nothing of A5", Kind.FIT)


def test_margin_may_be_as_small_as_the_unprintable_edge():
    assert Setup(margins=Margins.make_even(4.2)).area == pytest.approx(Setup().printable)
    assert (
        Setup(margins=Margins.make_even(0), unprintable=Margins.make_even(0)).area.size
        == paper("a4").size
    )


def test_piece_with_negative_bleed_or_without_a_size_is_refused(pieces):
    with pytest.raises(InvalidValueError, match=r"cards: a bleed cannot be -1 mm"):
        impose(pieces(1, 20, 20, -1), Setup())
    with pytest.raises(InvalidValueError, match=r"cards: a piece cannot be 0 x 20 mm"):
        impose(pieces(1, 0, 20), Setup())


def test_job_without_pieces_has_no_sheets():
    assert impose([], Setup()) == Job(())
