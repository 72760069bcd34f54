"""Fronts only."""

from generator.core.geometry import Rect, Size
from generator.impose.duplex.mode import Mode, Spot, together
from generator.impose.sheet import Sheet, Side


def _spots(area: Rect, _paper: Size, _bleed: float) -> tuple[Spot, ...]:
    return (Spot(area),)


def _assemble(paper: Size, front: Side, _back: Side | None) -> Sheet:
    return Sheet(paper, front)


MODE = Mode(
    name="single",
    what="print the fronts only",
    viewer="Simplex",
    spots=_spots,
    assemble=_assemble,
    parts=together,
    bare="single",
)
