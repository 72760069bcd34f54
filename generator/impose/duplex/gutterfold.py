"""Fronts and backs on one side of the paper, which is folded between them and glued."""

from dataclasses import replace
from functools import partial

from generator.core.geometry import Point, Rect, Segment, Size
from generator.impose.duplex.flip import about_level, about_upright
from generator.impose.duplex.mode import Mode, Spot, together
from generator.impose.sheet import Sheet, Side

APART = 5.0
"""From the fold to the nearest bleed, in mm: less than that is hard to fold along."""


def _spots(area: Rect, paper: Size, bleed: float) -> tuple[Spot, ...]:
    """The upper half with the fold below it, or the left half with the fold beside it."""
    keep, middle = APART + bleed, area.centre
    return (
        Spot(
            Rect.between(area.x, area.y, area.right, middle.y - keep),
            partial(about_level, middle.y),
            Segment(Point(0, middle.y), Point(paper.w, middle.y)),
        ),
        Spot(
            Rect.between(area.x, area.y, middle.x - keep, area.bottom),
            partial(about_upright, middle.x),
            Segment(Point(middle.x, 0), Point(middle.x, paper.h)),
        ),
    )


def _assemble(paper: Size, front: Side, back: Side | None) -> Sheet:
    return Sheet(paper, replace(front, placed=front.placed + back.placed) if back else front)


MODE = Mode(
    name="gutterfold",
    what="print fronts and backs on one side, fold between them and glue",
    viewer="Simplex",
    spots=_spots,
    assemble=_assemble,
    parts=together,
    bare="single",
    both=True,
)
