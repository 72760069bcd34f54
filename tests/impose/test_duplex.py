"""Test that backs lie behind their fronts after the paper is turned."""

import pytest

from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.paper import paper
from generator.base.shapes import fill_box
from generator.impose.duplex import DUPLEX_MODES, find_mode
from generator.impose.grid import Slot, get_placement
from generator.impose.impose import impose
from generator.impose.setup import Setup
from generator.impose.sheet import Piece

LONG_EDGE = DUPLEX_MODES["long-edge"]
SHORT_EDGE = DUPLEX_MODES["short-edge"]
UPRIGHT = Affine(a=-1, e=210)
LEVEL = Affine(d=-1, f=297)
LEVEL_LYING = Affine(d=-1, f=210)
UPRIGHT_LYING = Affine(a=-1, e=297)
BOX = Piece("a", "cards", fill_box("rect", Size(30, 30)), 2, "front", "back")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("mode", "size", "through"),
    [
        (LONG_EDGE, Size(210, 297), UPRIGHT),
        (SHORT_EDGE, Size(210, 297), LEVEL),
        (LONG_EDGE, Size(297, 210), LEVEL_LYING),
        (SHORT_EDGE, Size(297, 210), UPRIGHT_LYING),
        (LONG_EDGE, Size(210, 210), UPRIGHT),
        (SHORT_EDGE, Size(210, 210), LEVEL_LYING),
    ],
)
def test_back_points_up_like_its_front_through_the_paper(mode, size, through, turn):
    front = Slot(Rect(20, 40, 30, 30), Rect(18, 38, 33, 34), turn)
    (spot,) = mode.find_spots(Rect(10, 10, size.w - 20, size.h - 20), size, 2)
    back = spot.map_to_back(front)
    assert back.turn in {0, 90, 180, 270}
    for there in (Point(15, 0), Point(15, 15)):
        assert tuple(get_placement(BOX, back).apply(there)) == pytest.approx(
            through.apply(get_placement(BOX, front).apply(there))
        )
    corners = [through.apply(Point(x, y)) for x in (18, 51) for y in (38, 72)]
    left, top = (min(values) for values in zip(*corners, strict=True))
    assert back.ink == pytest.approx((left, top, 33, 34))
    assert mode.find_spots(front.trim, size, 2)[0].map_to_back(back) == front


def test_glue_mode_prints_no_sheet_of_blank_backs():
    """The component has backs, and the pieces of its second sheet have none."""
    backed = [
        Piece(f"a{n}", "cards", fill_box("rect", Size(63, 88)), 0, "front", "back")
        for n in range(9)
    ]
    plain = [
        Piece(f"b{n}", "cards", fill_box("rect", Size(63, 88)), 0, "front", None) for n in range(2)
    ]
    job = impose([*backed, *plain], Setup(paper("a4"), duplex=find_mode("glue")))
    assert [page.side.label for page in job.parts[0].pages] == ["1 front", "1 back", "2 front"]
