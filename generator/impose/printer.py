"""A printer's error: the test sheet that measures it, its correction, and profiles in the user's settings folder.

Reading the back's crosses on the front's scales of the two-sided test sheet gives the error.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from math import atan, cos, degrees, radians, sin
from typing import Any

from generator.base.errors import InvalidValueError, Kind, nearest
from generator.base.files import Outbox
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.paper import Orientation, Paper, paper
from generator.base.settings import settings_folder
from generator.base.ui_strings import ENGLISH, words_for
from generator.base.units import number
from generator.impose import duplex
from generator.impose.duplex import DuplexMode, Tray, Turn
from generator.impose.grid import Slot
from generator.impose.setup import Margins
from generator.impose.sheet import Anchor, Job, Line, Note, Sheet, SheetSide

# Distance between the two crosses of the test sheet.
CROSS_DISTANCE_MM = 120.0

# Length of the test sheet's bars.
BAR_LENGTH_MM = 100.0

BACKS_ONLY = "backs"
BOTH_SIDES = "both"
SIDES = (BACKS_ONLY, BOTH_SIDES)


# The least and the largest plausible reading of each kind, and its unit; a value outside is a slip of
# the pen.
LIMITS = {
    "a shift": (-15.0, 15.0, "mm"),
    "a turn": (-5.0, 5.0, "degrees"),
    "a bar": (90.0, 110.0, "mm"),
    "an unprintable edge": (0.0, 25.0, "mm"),
}


def check_reading(kind: str, value: float) -> None:
    """Raise InvalidValueError if a reading of a kind in `LIMITS` is not plausible."""
    least, most, unit = LIMITS[kind]
    if not least <= value <= most:
        expected = f"{number(least)} to {number(most)} {unit}"
        raise InvalidValueError(
            f"{kind} cannot be {number(value)} {unit}", expected, kind=Kind.USAGE
        )


@dataclass(frozen=True)
class Profile:
    """A printer and its measured error.

    A point printed on a page lands `x` mm too far right and `y` mm too far down, turned clockwise
    by `turn` degrees about the middle of the page, seen from its own side; 100 mm come out `across`
    and `down` mm long. The error holds for `sides`, in the duplex mode and orientation in which it
    was measured. `edge` is what the printer leaves blank at each edge of a page of that
    orientation, or None if it was not measured. Raise InvalidValueError for a value outside its
    limits.
    """

    name: str
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    across: float = BAR_LENGTH_MM
    down: float = BAR_LENGTH_MM
    sides: str = BACKS_ONLY
    duplex: str = "long-edge"
    orientation: str = "portrait"
    edge: Margins | None = None

    def __post_init__(self) -> None:
        for kind, values in {
            "a shift": (self.x, self.y),
            "a turn": (self.turn,),
            "a bar": (self.across, self.down),
            "an unprintable edge": self.edge or (),
        }.items():
            for value in values:
                check_reading(kind, value)
        if not self.name.strip():
            raise InvalidValueError(
                "a printer needs a name", "a word, such as office", kind=Kind.USAGE
            )
        if self.sides not in SIDES:
            raise InvalidValueError(
                f"unknown sides {self.sides!r}", f"one of: {', '.join(SIDES)}", kind=Kind.USAGE
            )

    @property
    def is_exact(self) -> bool:
        """True if the profile has no error to correct."""
        return (self.x, self.y, self.turn, self.across, self.down) == (
            0,
            0,
            0,
            BAR_LENGTH_MM,
            BAR_LENGTH_MM,
        )

    def get_error(self, paper: Size) -> Affine:
        """Return the transform from a point of a page to the place where it is printed."""
        c = cos(radians(self.turn))
        s = sin(radians(self.turn))
        w = self.across / BAR_LENGTH_MM
        h = self.down / BAR_LENGTH_MM
        linear = Affine(c * w, s * w, -s * h, c * h)
        middle = Point(paper.w / 2, paper.h / 2)
        e, f = middle + Point(self.x, self.y) - linear.apply(middle)
        return Affine(linear.a, linear.b, linear.c, linear.d, e, f)

    def get_correction(self, paper: Size) -> Affine:
        """Return the transform that moves a page so that the print comes out right."""
        return self.get_error(paper).inverse()

    def get_edge(self, orientation: str) -> Margins | None:
        """Return the edges of a page that stay blank, in mm, or None if they were not measured.

        Printer drivers turn a page of the other orientation to either side. So each of its edges is
        as wide as the wider of the two that may become it.
        """
        if self.edge is None or orientation == self.orientation:
            return self.edge
        upright = max(self.edge.top, self.edge.bottom)
        level = max(self.edge.left, self.edge.right)
        return Margins(level, upright, level, upright)

    def __str__(self) -> str:
        shift = f"shifts {self.sides} by {number(self.x)}, {number(self.y)} mm, turns {number(self.turn)} degrees"
        bars = f"100 mm print as {number(self.across)} across, {number(self.down)} down"
        edge = "" if self.edge is None else f"; leaves {_describe_edge(self.edge)} blank"
        return f"{shift}; {bars}; {self.duplex}, {self.orientation}{edge}"


def _describe_edge(edge: Margins) -> str:
    if edge.is_even:
        return f"{number(edge.top)} mm"
    return ", ".join(f"{number(mm)} mm at the {side}" for side, mm in edge.sides())


def compute_shift_and_turn(a: Point, b: Point, aside: Point) -> tuple[Point, float]:
    """Compute shift and turn in degrees from the readings of the crosses A and B.

    On the back, the level scale is `aside.y` mm below its cross and the upright one `aside.x` mm to
    the right: a turned cross meets them elsewhere than one that is only shifted.
    """
    slope = (b.y - a.y) / CROSS_DISTANCE_MM
    middle = (a + b).scaled(0.5)
    x, y = middle + Point(slope * aside.y, -slope * aside.x)
    # A shift by (h, v) and the turn make the scales read x = h + slope * v and y = v - slope * h;
    # solved for h and v.
    squared_length = 1 + slope**2
    return Point((x - slope * y) / squared_length, (y + slope * x) / squared_length), degrees(
        atan(slope)
    )


def compare_bars(bars: tuple[float, float], front: tuple[float, float]) -> tuple[float, float]:
    """Return the length on the back, across and down, of 100 mm on the front; all lengths in mm."""
    for value in (*bars, *front):
        check_reading("a bar", value)
    return bars[0] / front[0] * BAR_LENGTH_MM, bars[1] / front[1] * BAR_LENGTH_MM


PROFILES_FILE = "printers.json"


def load_profiles() -> dict[str, Profile]:
    """Return all printers by name; raise InvalidValueError if the file is damaged."""
    path = settings_folder() / PROFILES_FILE
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text("utf-8"))
        return {name: Profile(name, **_read_row(row)) for name, row in rows.items()}
    except InvalidValueError as error:
        raise InvalidValueError(f"{path}: {error.found}", error.expected) from None
    except (ValueError, AttributeError, TypeError):
        raise InvalidValueError(
            f"{path} cannot be read",
            "a profile written by 'pnp printer add'; repair it or remove it",
        ) from None


def _read_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a stored profile; a single number stands for four equal edges.

    Raise ValueError or TypeError for anything else than what `store_profile` writes.
    """
    names = {field.name for field in fields(Profile)} - {"name"}
    if set(row) - names:
        raise ValueError(row)
    edge = row.get("edge")
    if isinstance(edge, dict):
        return row | {"edge": Margins(**{side: float(mm) for side, mm in edge.items()})}
    return row if edge is None else row | {"edge": Margins.make_even(float(edge))}


def find_profile(name: str) -> Profile:
    """Return the printer called `name`; raise InvalidValueError for an unknown name."""
    profiles = load_profiles()
    if name not in profiles:
        listed = (
            f"one of: {', '.join(sorted(profiles))}"
            if profiles
            else "a name that 'pnp printer add' has been given"
        )
        hint = (
            nearest(name, profiles) or "pnp calibrate makes a test sheet to measure a printer with"
        )
        raise InvalidValueError(f"unknown printer {name!r}", listed, hint, Kind.USAGE)
    return profiles[name]


def store_profile(new: Profile) -> None:
    """Add a printer, or replace the one of this name."""
    _write(load_profiles() | {new.name: new})


def remove_profile(name: str) -> None:
    """Remove a printer; raise InvalidValueError for an unknown name."""
    removed = find_profile(name).name
    _write({name: other for name, other in load_profiles().items() if name != removed})


def _write(profiles: dict[str, Profile]) -> None:
    rows = {
        name: {key: value for key, value in asdict(row).items() if key != "name"}
        for name, row in profiles.items()
    }
    with Outbox(settings_folder()) as outbox:
        outbox.write(
            PROFILES_FILE,
            (json.dumps(rows, indent=2, ensure_ascii=False, sort_keys=True) + "\n").encode(),
        )


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
    if turn is None or mode.is_glued:
        raise InvalidValueError(
            f"{mode.name} prints no backs behind fronts",
            "long-edge, short-edge or two-pass",
            kind=Kind.USAGE,
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
    how = words_for(ENGLISH).sheet.how_to_print(mode.name)
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
