"""The parts of the test sheet: scales, crosses, bars and ladders, all lines and notes."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.core.geometry import Point, Rect
from generator.core.units import number
from generator.impose.sheet import Anchor, Line, Note
from generator.printer.profile import BAR

THIN = 0.1
REACH = 6
"""How far a scale goes to each side, in mm."""

ASIDE = 9.0
"""From where a cross should be to its scales, in mm."""

CROSS = 14.0
"""How far a cross goes to each side, in mm."""

TEXT = 2.2
RUNGS = range(2, 11)
"""Distances from the paper's edge that the ladders show, in mm."""


@dataclass(frozen=True)
class ScaleDrawing:
    """Some lines and the notes that belong to them."""

    lines: tuple[Line, ...] = ()
    notes: tuple[Note, ...] = ()

    def __add__(self, other: "ScaleDrawing") -> "ScaleDrawing":
        return ScaleDrawing(self.lines + other.lines, self.notes + other.notes)


def scale(at: Point, x_to: Point, y_to: Point) -> ScaleDrawing:
    """A level scale above a place and an upright one at its right; `x_to` and `y_to` are where +1 mm lies on them."""
    level, upright = at + Point(0, -ASIDE), at + Point(ASIDE, 0)
    return ScaleDrawing(
        (*_ticks(level, x_to, Point(0, -1)), *_ticks(upright, y_to, Point(1, 0))),
        (*_numbers(level, x_to, Point(0, -2.6)), *_numbers(upright, y_to, Point(3.6, TEXT * 0.3))),
    )


def _ticks(base: Point, towards: Point, out: Point) -> Iterator[Line]:
    yield Line(base + towards.scaled(-REACH), base + towards.scaled(REACH), THIN)
    for half in range(-2 * REACH, 2 * REACH + 1):
        foot = base + towards.scaled(half / 2)
        yield Line(foot, foot + out.scaled(2.0 if half % 4 == 0 else 1.4 if half % 2 == 0 else 0.8), THIN)


def _numbers(base: Point, towards: Point, out: Point) -> Iterator[Note]:
    for mm in range(-REACH, REACH + 1, 2):
        text = f"{mm:+}".replace("-", "−") if mm else "0"
        yield Note(text, base + towards.scaled(mm) + out, TEXT * 0.8, Anchor.MIDDLE)


def cross(at: Point) -> ScaleDrawing:
    """Two long thin lines, to be seen through the paper."""
    return ScaleDrawing(
        (
            Line(at + Point(-CROSS, 0), at + Point(CROSS, 0), THIN),
            Line(at + Point(0, -CROSS), at + Point(0, CROSS), THIN),
        )
    )


def bar(start: Point, towards: Point, label: str) -> ScaleDrawing:
    """A ruler of 100 mm; its length is from the first tick's middle to the last one's."""
    across = towards.turned(90)
    ticks = [
        Line(start + towards.scaled(mm), start + towards.scaled(mm) + across.scaled(_tall(mm)), THIN)
        for mm in range(int(BAR) + 1)
    ]
    turn = 0 if towards.x else 90
    place = start + towards.scaled(BAR / 2) + across.scaled(-1.5 if turn == 0 else 4.5 + TEXT)
    note = Note(label, place, TEXT, Anchor.MIDDLE, turn)
    return ScaleDrawing((Line(start, start + towards.scaled(BAR), THIN), *ticks), (note,))


def _tall(mm: int) -> float:
    return 4.0 if mm % 10 == 0 else 3.0 if mm % 5 == 0 else 2.0


def ladders(paper: Rect) -> ScaleDrawing:
    """Short lines at known distances from each edge: those that are missing were not printed."""
    whole = ScaleDrawing()
    for edge, inwards in _edges(paper):
        along = inwards.turned(90)
        for step, mm in enumerate(RUNGS):
            foot = edge + inwards.scaled(mm) + along.scaled(4.0 * step - 18)
            label = Note(number(mm), foot + inwards.scaled(2.2) + (0, TEXT * 0.35), TEXT * 0.8, Anchor.MIDDLE)
            whole += ScaleDrawing((Line(foot, foot + along.scaled(3.0), 0.2),), (label,))
    return whole


def _edges(paper: Rect) -> Iterator[tuple[Point, Point]]:
    middle = Point(paper.centre.x, paper.y + paper.h * 0.3)
    yield Point(middle.x, paper.y), Point(0, 1)
    yield Point(paper.right, middle.y), Point(-1, 0)
    yield Point(middle.x, paper.bottom), Point(0, -1)
    yield Point(paper.x, middle.y), Point(1, 0)
