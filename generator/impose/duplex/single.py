"""Fronts only."""

from generator.geometry import Size
from generator.impose.duplex.mode import Mode, whole
from generator.impose.sheet import Sheet, Side


def _assemble(paper: Size, front: Side, _back: Side | None) -> Sheet:
    return Sheet(paper, front)


MODE = Mode(
    name="single",
    what="print the fronts only",
    how="on one side",
    viewer="Simplex",
    field=whole,
    behind=None,
    assemble=_assemble,
)
