"""Fronts in one run and backs in a second, for a printer that prints on one side.

The sheets go in again with their blank side to the print and the same edge first, so each is
turned about its long edge. What comes out of a face-down tray is turned over for that,
and its first sheet lies on top; what comes out of a face-up tray goes in as it lies,
the last sheet on top. Of a tray that prints on the upper side the reverse is true.
"""

from generator.core.geometry import Rect, Size
from generator.impose.duplex.flip import on_long_edge
from generator.impose.duplex.mode import Mode, Spot
from generator.impose.sheet import Page, Part, Sheet
from generator.impose.tray import FACE_UP


def _spots(area: Rect, paper: Size, _bleed: float) -> tuple[Spot, ...]:
    return (Spot(area, on_long_edge(paper)),)


def _parts(sheets: tuple[Sheet, ...], tray: str) -> tuple[Part, ...]:
    fronts = tuple(Page(sheet.paper, sheet.front) for sheet in sheets)
    backs = tuple(Page(sheet.paper, sheet.back) for sheet in sheets if sheet.back is not None)
    return Part("1-fronts", fronts), Part("2-backs", backs[::-1] if tray == FACE_UP else backs)


MODE = Mode(
    name="two-pass",
    what="print all fronts, put the sheets back in, print all backs",
    viewer="Simplex",
    spots=_spots,
    assemble=Sheet,
    parts=_parts,
    bare="two-pass",
)
