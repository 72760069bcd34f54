"""The two-sided test sheet: reading the back's crosses on the front's scales gives the printer's error."""

from collections.abc import Iterable, Iterator, Sequence

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.base.paper import Orientation, Paper, paper
from generator.base.ui_strings import ENGLISH, words_for
from generator.base.units import number
from generator.impose import duplex
from generator.impose.duplex import DuplexMode, Tray, Turn
from generator.impose.grid import Slot
from generator.impose.printer import BAR_LENGTH_MM, CROSS_DISTANCE_MM
from generator.impose.sheet import Anchor, Job, Line, Note, Sheet, SheetSide

# Least width and height of the paper: the crosses are 120 mm apart.
MIN_PAPER_MM = 200.0

# Font size of the instructions.
FONT_SIZE_MM = 2.9

# Distance between baselines in em.
LINE_HEIGHT_EM = 1.35

FRONT_INSTRUCTIONS = (
    "Print this sheet at 100 %, on both sides, {how}. Then hold it against a window, this side towards you.",
    "1. The crosses of the back shine through. Read where their lines cross the scales at A and at B, to a quarter of",
    "    a millimetre: first the level scale, then the upright one, with the signs that are printed.",
    "2. Measure both bars with a ruler, on this side and on the back: 100 mm should be 100 mm.",
    "3. At each edge of the paper, read the smallest number whose line is printed; the larger one of both sides.",
    "4. Save the readings under a name, and print with  pnp build … --printer NAME . For example, on one line:",
    "    {command}",
    "    (A read +0.5 and −0.25, B +0.5 and 0; across and down the bars of the back measure 99.5 and 100 mm, those of",
    "    the front 99.8 and 100 mm; the last line that is printed at the edges is that of 4 mm. Write edges that",
    "    differ clockwise from the top: --edge '4 3 10 3'.)",
)
BACK_INSTRUCTIONS = (
    "This is the back. Turn the sheet over and read the other side; measure the bars on this one.",
)


def make_calibration(paper: Paper, mode_name: str) -> Job:
    """Return the test sheet for a mode that prints on both sides.

    Raise InvalidValueError for other modes or small paper.
    """
    mode = duplex.find_mode(mode_name)
    turn = _turn(mode, paper)
    if min(paper.size) < MIN_PAPER_MM:
        raise InvalidValueError(
            f"{paper.title} is too small for the test sheet",
            f"paper at least {MIN_PAPER_MM:g} mm wide and high",
        )
    front = _side("1 front", paper, _scales(paper, turn), _front_words(mode, paper))
    back = _side("1 back", paper, _crosses(paper), BACK_INSTRUCTIONS)
    sheet = Sheet(paper.size, front, back)
    return Job(
        (sheet,), (), mode.pdf_duplex, 0, mode.name, mode.order_pages((sheet,), Tray.FACE_DOWN)
    )


def _turn(mode: DuplexMode, paper: Paper) -> Turn:
    turn = mode.find_spots(Rect(0, 0, *paper.size), paper.size, 0)[0].map_to_back
    if turn is None or mode.name in {"glue", "gutterfold"}:
        raise InvalidValueError(
            f"{mode.name} prints no backs behind fronts", "long-edge, short-edge or two-pass"
        )
    return turn


def _places(paper: Paper) -> dict[str, Point]:
    """Return the places of the crosses on the back's page."""
    middle = Point(paper.size.w / 2, paper.size.h / 2)
    return {
        "A": middle + Point(-CROSS_DISTANCE_MM / 2, 0),
        "B": middle + Point(CROSS_DISTANCE_MM / 2, 0),
    }


def _crosses(paper: Paper) -> Iterator[Line]:
    for at in _places(paper).values():
        yield from draw_cross(at)


def _scales(paper: Paper, turn: Turn) -> Iterator[Line | Note]:
    """Draw the scales on the front around the places where the crosses should be.

    Right and down on the back count as +.
    """

    def through(point: Point) -> Point:
        return Point(*turn(Slot(Rect(*point, 0, 0), Rect(*point, 0, 0))).trim[:2])

    for name, at in _places(paper).items():
        zero = through(at)
        yield from draw_scales(
            zero, through(at + Point(1, 0)) - zero, through(at + Point(0, 1)) - zero
        )
        yield Note(name, zero + Point(-13, -9), 6, Anchor.MIDDLE)


def find_scale_offsets(mode_name: str, orientation: Orientation) -> Point:
    """Return the distances from a cross to its upright scale (x) and level scale (y), on the back's page in mm."""
    lying = paper("a4").oriented(orientation)
    turn = _turn(duplex.find_mode(mode_name), lying)
    zero, offset = (
        turn(Slot(Rect(x, -x, 0, 0), Rect(x, -x, 0, 0))).trim for x in (0, SCALE_OFFSET_MM)
    )
    return Point(offset.x - zero.x, offset.y - zero.y)


def _front_words(mode: DuplexMode, paper: Paper) -> tuple[str, ...]:
    extra = "" if mode.name == "long-edge" else f" --duplex {mode.name}"
    extra += " --landscape" if paper.size.w > paper.size.h else ""
    command = (
        'pnp printer add NAME --a "0.5 -0.25" --b "0.5 0" --bars "99.5 100" --front-bars '
        f'"99.8 100" --edge 4{extra}'
    )
    how = words_for(ENGLISH).sheet.way(mode.name)
    return tuple(line.format(how=how, command=command) for line in FRONT_INSTRUCTIONS)


def _side(
    label: str, paper: Paper, drawing: Iterable[Line | Note], words: Sequence[str]
) -> SheetSide:
    """Return a side with a drawing, both bars, the ladders at the edges, and instructions at the bottom."""
    w, h = paper.size
    left = (w - BAR_LENGTH_MM) / 2
    items = [
        *drawing,
        *draw_bar(Point(left, 18), Point(1, 0), "100 mm across"),
        *draw_bar(Point(w / 2, 26), Point(0, 1), "100 mm down"),
        *draw_ladders(Rect(0, 0, w, h)),
    ]
    lines = tuple(item for item in items if isinstance(item, Line))
    labels = tuple(item for item in items if isinstance(item, Note))
    # A character is at most 0.45 em wide on average, and the words keep 15 mm from either edge.
    size = min(FONT_SIZE_MM, (w - 30) / max(0.45 * max(map(len, words)), 1))
    top = h - 20 - len(words) * FONT_SIZE_MM * LINE_HEIGHT_EM
    instructions = tuple(
        Note(line, Point(15, top + n * size * LINE_HEIGHT_EM), size) for n, line in enumerate(words)
    )
    title = Note(f"pnp calibrate · {paper.title} · {label.split()[1]}", Point(15, 14), FONT_SIZE_MM)
    return SheetSide(label, (), lines, (), (title, *labels, *instructions))


LINE_WIDTH_MM = 0.1
# Length of a scale to each side.
SCALE_REACH_MM = 6

# Distance from the expected place of a cross to its scales.
SCALE_OFFSET_MM = 9.0

# Length of a cross's arms: 14 mm reach past the scales (9 mm) for shifts up to 5 mm.
CROSS_ARM_MM = 14.0

LABEL_SIZE_MM = 2.2
# Distances from the paper's edge that the ladders show, in mm.
LADDER_MM = range(2, 11)


def draw_scales(at: Point, x_to: Point, y_to: Point) -> Iterator[Line | Note]:
    """Draw a level scale above a place and an upright one to its right.

    `x_to` and `y_to` are the steps of +1 mm along them.
    """
    level = at + Point(0, -SCALE_OFFSET_MM)
    upright = at + Point(SCALE_OFFSET_MM, 0)
    yield from _ticks(level, x_to, Point(0, -1))
    yield from _ticks(upright, y_to, Point(1, 0))
    yield from _numbers(level, x_to, Point(0, -2.6))
    yield from _numbers(upright, y_to, Point(3.6, LABEL_SIZE_MM * 0.3))


def _ticks(base: Point, towards: Point, out: Point) -> Iterator[Line]:
    yield Line(
        base + towards.scaled(-SCALE_REACH_MM), base + towards.scaled(SCALE_REACH_MM), LINE_WIDTH_MM
    )
    for half in range(-2 * SCALE_REACH_MM, 2 * SCALE_REACH_MM + 1):
        foot = base + towards.scaled(half / 2)
        yield Line(
            foot,
            foot + out.scaled(2.0 if half % 4 == 0 else 1.4 if half % 2 == 0 else 0.8),
            LINE_WIDTH_MM,
        )


def _numbers(base: Point, towards: Point, out: Point) -> Iterator[Note]:
    for mm in range(-SCALE_REACH_MM, SCALE_REACH_MM + 1, 2):
        text = f"{mm:+}".replace("-", "−") if mm else "0"
        yield Note(text, base + towards.scaled(mm) + out, LABEL_SIZE_MM * 0.8, Anchor.MIDDLE)


def draw_cross(at: Point) -> Iterator[Line]:
    """Draw two long thin lines that show through the paper."""
    for arm in (Point(CROSS_ARM_MM, 0), Point(0, CROSS_ARM_MM)):
        yield Line(at - arm, at + arm, LINE_WIDTH_MM)


def draw_bar(start: Point, towards: Point, label: str) -> Iterator[Line | Note]:
    """Draw a ruler of 100 mm from the middle of its first tick to the middle of its last."""
    yield Line(start, start + towards.scaled(BAR_LENGTH_MM), LINE_WIDTH_MM)
    across = towards.turned(90)
    for mm in range(int(BAR_LENGTH_MM) + 1):
        foot = start + towards.scaled(mm)
        yield Line(foot, foot + across.scaled(_tick_length(mm)), LINE_WIDTH_MM)
    # The label of the level bar stands above it; that of the upright one stands beyond its ticks.
    turn = 0 if towards.x else 90
    distance = -1.5 if turn == 0 else 4.5 + LABEL_SIZE_MM
    place = start + towards.scaled(BAR_LENGTH_MM / 2) + across.scaled(distance)
    yield Note(label, place, LABEL_SIZE_MM, Anchor.MIDDLE, turn)


def _tick_length(mm: int) -> float:
    """Return the length of a bar's tick in mm: longest at whole centimetres."""
    return 4.0 if mm % 10 == 0 else 3.0 if mm % 5 == 0 else 2.0


def draw_ladders(paper: Rect) -> Iterator[Line | Note]:
    """Draw short lines at known distances from each edge: missing lines show the unprintable edge."""
    for edge, inwards in _edges(paper):
        along = inwards.turned(90)
        for step, mm in enumerate(LADDER_MM):
            # Steps of 4 mm along the edge, so that the lines of 3 mm do not touch, around its middle.
            foot = edge + inwards.scaled(mm) + along.scaled(4.0 * step - 18)
            yield Line(foot, foot + along.scaled(3.0), 0.2)
            place = foot + inwards.scaled(2.2) + (0, LABEL_SIZE_MM * 0.35)
            yield Note(number(mm), place, LABEL_SIZE_MM * 0.8, Anchor.MIDDLE)


def _edges(paper: Rect) -> Iterator[tuple[Point, Point]]:
    """Yield for each edge a place on it and the direction into the paper."""
    middle = Point(paper.centre.x, paper.y + paper.h * 0.3)
    yield Point(middle.x, paper.y), Point(0, 1)
    yield Point(paper.right, middle.y), Point(-1, 0)
    yield Point(middle.x, paper.bottom), Point(0, -1)
    yield Point(paper.x, middle.y), Point(1, 0)
