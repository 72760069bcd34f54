import pytest

from generator.base.errors import InvalidValueError, Kind
from generator.base.paper import paper
from generator.impose.cutting.machines import find_registration
from generator.impose.duplex import find_mode, find_tray
from generator.impose.impose import impose
from generator.impose.marks.styles import find_style
from generator.impose.setup import Margins, Setup
from generator.impose.sheet import Job


def refusal(**settings):
    with pytest.raises(InvalidValueError) as caught:
        Setup(**settings)
    return caught.value


@pytest.mark.parametrize(
    ("settings", "found"),
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
def test_what_cannot_be(settings, found):
    assert refusal(**settings).found == found


@pytest.mark.parametrize(
    ("look_up", "name", "found"),
    [
        (find_mode, "long edge", "unknown duplex mode 'long edge'"),
        (find_style, "cross", "unknown marks 'cross'"),
        (find_tray, "face-top", "unknown tray 'face-top'"),
        (find_registration, "silhuette", "unknown cutter 'silhuette'"),
    ],
)
def test_names_that_stand_in_no_table(look_up, name, found):
    with pytest.raises(InvalidValueError) as caught:
        look_up(name)
    assert caught.value.found == found


def test_margins_that_leave_nothing():
    wrong = refusal(paper=paper("a5"), margins=Margins.make_even(74))
    assert (wrong.found, wrong.kind) == ("the margins leave nothing of A5", Kind.FIT)


def test_a_margin_as_small_as_the_printer_allows_and_none_for_one_that_prints_to_the_edge():
    assert Setup(margins=Margins.make_even(4.2)).area == pytest.approx(Setup().printable)
    assert (
        Setup(margins=Margins.make_even(0), unprintable=Margins.make_even(0)).area.size
        == paper("a4").size
    )


def test_a_piece_cannot_have_a_negative_bleed_or_no_size(pieces):
    with pytest.raises(InvalidValueError, match=r"cards: a bleed cannot be -1 mm"):
        impose(pieces(1, 20, 20, -1), Setup())
    with pytest.raises(InvalidValueError, match=r"cards: a piece cannot be 0 x 20 mm"):
        impose(pieces(1, 0, 20), Setup())


def test_nothing_makes_no_sheets():
    assert impose([], Setup()) == Job(())
