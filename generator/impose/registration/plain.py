"""No marks: a machine or a laser that is told where the sheet lies."""

from generator.core.geometry import Rect, Size
from generator.impose.registration.kind import Registration
from generator.impose.sheet import Line


def _lines(_paper: Size) -> tuple[Line, ...]:
    return ()


def _inner(paper: Size) -> Rect:
    return Rect(0, 0, *paper)


KIND = Registration("plain", "cut files only, no marks on the paper", _lines, _inner)
