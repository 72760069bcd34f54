"""Both sides in one run, the paper turned over about its long edge; a square counts as portrait."""

from generator.geometry import Size
from generator.impose.duplex.flip import about_level, about_upright
from generator.impose.duplex.mode import Mode, whole
from generator.impose.sheet import Sheet
from generator.impose.slots import Slot


def _behind(slot: Slot, paper: Size) -> Slot:
    return about_level(slot, paper) if paper.w > paper.h else about_upright(slot, paper)


MODE = Mode(
    name="long-edge",
    what="print on both sides, flip on the long edge",
    how="flip on the long edge",
    viewer="DuplexFlipLongEdge",
    field=whole,
    behind=_behind,
    assemble=Sheet,
)
