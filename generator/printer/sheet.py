"""The two-sided test sheet: what the front's scales read of the back's crosses is the printer's fault."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.core.geometry import Point, Rect
from generator.core.paper import Orientation, Paper, paper
from generator.core.problems import Wrong
from generator.core.units import number
from generator.core.words import ENGLISH, words_for
from generator.impose import duplex
from generator.impose.duplex import Mode, Tray, Turn
from generator.impose.sheet import Anchor, Job, Line, Note, Sheet, SheetSide
from generator.impose.slots import Slot
from generator.printer.profile import BAR, SPAN

SMALLEST = 200.0
"""The narrowest paper that the sheet is made for, in mm."""

SIZE = 2.9
"""The instructions' font size in mm."""

LINE = 1.35
"""From one line to the next, in parts of the font size."""

FRONT = (
    "Print this sheet at 100 %, on both sides, {how}. Then hold it against a window, this side towards you.",
    "1. The crosses of the back shine through. Read where their lines cross the scales at A and at B, to a quarter of",
    "    a millimetre: first the level scale, then the upright one, with the signs that are printed.",
    "2. Measure both bars with a ruler, on this side and on the back: 100 mm should be 100 mm.",
    "3. At each edge of the paper, the smallest number whose line is there is what the printer can print.",
    "4. Keep what you read under a name, and print with  pnp build … --printer NAME . For example, on one line:",
    "    {command}",
    "    (A read +0.5 and −0.25, B +0.5 and 0; across and down the bars of the back measure 99.5 and 100 mm, those of",
    "    the front 99.8 and 100 mm; the last line that is printed at the edges is that of 4 mm.)",
)
BACK = ("This is the back. Turn the sheet over and read the other side; measure the bars on this one.",)


@dataclass(frozen=True)
class ScaleDrawing:
    """Some lines and the notes that belong to them."""

    lines: tuple[Line, ...] = ()
    notes: tuple[Note, ...] = ()

    def __add__(self, other: "ScaleDrawing") -> "ScaleDrawing":
        return ScaleDrawing(self.lines + other.lines, self.notes + other.notes)


def calibration(paper: Paper, mode_name: str) -> Job:
    """The sheet, for a mode that prints on both sides of the paper."""
    mode = duplex.mode(mode_name)
    turn = _turn(mode, paper)
    if min(paper.size) < SMALLEST:
        raise Wrong(f"{paper.title} is too small for the test sheet", f"paper at least {SMALLEST:g} mm wide and high")
    front = _side("1 front", paper, _scales(paper, turn), _front_words(mode, paper))
    back = _side("1 back", paper, _crosses(paper), BACK)
    sheet = Sheet(paper.size, front, back)
    return Job((sheet,), (), mode.viewer, 0, mode.name, mode.parts((sheet,), Tray.FACE_DOWN))


def _turn(mode: Mode, paper: Paper) -> Turn:
    turn = mode.spots(Rect(0, 0, *paper.size), paper.size, 0)[0].behind
    if turn is None or mode.name in {"glue", "gutterfold"}:
        raise Wrong(f"{mode.name} prints no backs behind fronts", "long-edge, short-edge or two-pass")
    return turn


def _places(paper: Paper) -> dict[str, Point]:
    """The crosses as the back's page has them."""
    middle = Point(paper.size.w / 2, paper.size.h / 2)
    return {"A": middle + Point(-SPAN / 2, 0), "B": middle + Point(SPAN / 2, 0)}


def _crosses(paper: Paper) -> ScaleDrawing:
    whole = ScaleDrawing()
    for at in _places(paper).values():
        whole += cross(at)
    return whole


def _scales(paper: Paper, turn: Turn) -> ScaleDrawing:
    """On the front, where the crosses should come; right and down on the back is what counts as +."""

    def through(point: Point) -> Point:
        return Point(*turn(Slot(Rect(*point, 0, 0), Rect(*point, 0, 0))).trim[:2])

    whole = ScaleDrawing()
    for name, at in _places(paper).items():
        zero = through(at)
        whole += scale(zero, through(at + Point(1, 0)) - zero, through(at + Point(0, 1)) - zero)
        whole += ScaleDrawing((), (Note(name, zero + Point(-13, -9), 6, Anchor.MIDDLE),))
    return whole


def aside(mode_name: str, orientation: Orientation) -> Point:
    """Where the upright scale (x) and the level one (y) lie from a cross, as the back's page has it."""
    lying = paper("a4").lying(orientation)
    turn = _turn(duplex.mode(mode_name), lying)
    zero, there = (turn(Slot(Rect(x, -x, 0, 0), Rect(x, -x, 0, 0))).trim for x in (0, ASIDE))
    return Point(there.x - zero.x, there.y - zero.y)


def _front_words(mode: Mode, paper: Paper) -> tuple[str, ...]:
    extra = "" if mode.name == "long-edge" else f" --duplex {mode.name}"
    extra += " --landscape" if paper.size.w > paper.size.h else ""
    command = (
        f'pnp printer add NAME --a "0.5 -0.25" --b "0.5 0" --bars "99.5 100" --front-bars "99.8 100" --edge 4{extra}'
    )
    how = words_for(ENGLISH).sheet.way(mode.name)
    return tuple(line.format(how=how, command=command) for line in FRONT)


def _side(label: str, paper: Paper, drawn: ScaleDrawing, words: Sequence[str]) -> SheetSide:
    w, h = paper.size
    left = (w - BAR) / 2
    whole = drawn + bar(Point(left, 18), Point(1, 0), "100 mm across") + ladders(Rect(0, 0, w, h))
    whole += bar(Point(w / 2, 26), Point(0, 1), "100 mm down")
    size = min(SIZE, (w - 30) / max(0.45 * max(map(len, words)), 1))
    top = h - 20 - len(words) * SIZE * LINE
    notes = tuple(Note(line, Point(15, top + n * size * LINE), size) for n, line in enumerate(words))
    title = Note(f"pnp calibrate · {paper.title} · {label.split()[1]}", Point(15, 14), SIZE)
    return SheetSide(label, (), whole.lines, (), (title, *whole.notes, *notes))


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
