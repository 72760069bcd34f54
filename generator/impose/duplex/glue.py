"""Fronts and backs on sheets of their own, glued back to back; a line round the grid to align them by."""

from generator.core.geometry import Rect, Size
from generator.impose.duplex.flip import on_long_edge
from generator.impose.duplex.mode import Mode, Spot, together
from generator.impose.sheet import Sheet, Side


def _spots(area: Rect, paper: Size, _bleed: float) -> tuple[Spot, ...]:
    return (Spot(area, on_long_edge(paper)),)


def _assemble(paper: Size, front: Side, back: Side | None) -> Sheet:
    """A sheet of backs that would be blank is not printed."""
    return Sheet(paper, front, back if back is not None and back.placed else None)


MODE = Mode(
    name="glue",
    what="print fronts and backs on sheets of their own, and glue them back to back",
    viewer="Simplex",
    spots=_spots,
    assemble=_assemble,
    parts=together,
    bare="single",
    outlined=True,
)
