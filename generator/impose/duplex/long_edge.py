"""Both sides in one run, the paper turned over about its long edge; a square counts as portrait."""

from generator.core.geometry import Rect, Size
from generator.impose.duplex.flip import on_long_edge
from generator.impose.duplex.mode import Mode, Spot, together
from generator.impose.sheet import Sheet


def _spots(area: Rect, paper: Size, _bleed: float) -> tuple[Spot, ...]:
    return (Spot(area, on_long_edge(paper)),)


MODE = Mode(
    name="long-edge",
    what="print on both sides, flip on the long edge",
    viewer="DuplexFlipLongEdge",
    spots=_spots,
    assemble=Sheet,
    parts=together,
    bare="long-edge",
)
