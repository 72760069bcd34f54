"""A printer's fault, as measured on paper, how it is undone, and where it is kept: by name, in the user's folder."""

import json
from dataclasses import asdict, dataclass, fields
from math import atan, cos, degrees, radians, sin
from typing import Any

from generator.core.files import Outbox
from generator.core.geometry import Affine, Point, Size
from generator.core.problems import Kind, Wrong, nearest
from generator.core.settings import settings_folder
from generator.core.units import number

SPAN = 120.0
"""Between the two crosses of the test sheet, in mm."""

BAR = 100.0
"""The length of the test sheet's bars, in mm."""

BACKS, BOTH = "backs", "both"
SIDES = (BACKS, BOTH)


@dataclass(frozen=True)
class Limit:
    """What a value may be, with its unit; beyond it the reading is a slip."""

    what: str
    least: float
    most: float
    unit: str

    def check(self, value: float) -> None:
        """Raise what is wrong with a value."""
        if not self.least <= value <= self.most:
            between = f"{number(self.least)} to {number(self.most)} {self.unit}"
            raise Wrong(f"{self.what} of {number(value)} {self.unit} cannot be", between)


SHIFT = Limit("a shift", -15, 15, "mm")
TURN = Limit("a turn", -5, 5, "degrees")
LENGTH = Limit("a bar", 90, 110, "mm")
EDGE = Limit("an unprintable edge", 0, 25, "mm")


@dataclass(frozen=True)
class Profile:
    """A printer by name.

    What should be printed at a place comes to lie `x` mm further right and `y` mm further
    down, turned clockwise by `turn` degrees and with 100 mm as long as `across` and `down`
    say, about the middle of the page as its own side is seen. That is true of the `sides`,
    for the duplex mode and the orientation that it was measured with. `edge` is the
    unprintable edge in mm, where it was looked at.
    """

    name: str
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    across: float = BAR
    down: float = BAR
    sides: str = BACKS
    duplex: str = "long-edge"
    orientation: str = "portrait"
    edge: float | None = None

    def __post_init__(self) -> None:
        for limit, values in ((SHIFT, (self.x, self.y)), (TURN, (self.turn,)), (LENGTH, (self.across, self.down))):
            for value in values:
                limit.check(value)
        if self.edge is not None:
            EDGE.check(self.edge)
        if not self.name.strip():
            raise Wrong("a printer without a name cannot be", "a word, such as office")
        if self.sides not in SIDES:
            raise Wrong(f"unknown sides {self.sides!r}", f"one of: {', '.join(SIDES)}")

    @property
    def true(self) -> bool:
        """Whether there is nothing to undo."""
        return (self.x, self.y, self.turn, self.across, self.down) == (0, 0, 0, BAR, BAR)

    def fault(self, paper: Size) -> Affine:
        """Where the printer puts what stands at a place of a page."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        w, h = self.across / BAR, self.down / BAR
        linear = Affine(c * w, s * w, -s * h, c * h)
        middle = Point(paper.w / 2, paper.h / 2)
        e, f = middle + Point(self.x, self.y) - linear.apply(middle)
        return Affine(linear.a, linear.b, linear.c, linear.d, e, f)

    def undo(self, paper: Size) -> Affine:
        """Where a thing must stand so that the printer puts it in its place."""
        return self.fault(paper).inverse()

    def __str__(self) -> str:
        shift = f"shifts {self.sides} by {number(self.x)}, {number(self.y)} mm, turns {number(self.turn)} degrees"
        bars = f"100 mm print as {number(self.across)} across, {number(self.down)} down"
        edge = "" if self.edge is None else f"; leaves {number(self.edge)} mm blank"
        return f"{shift}; {bars}; {self.duplex}, {self.orientation}{edge}"


def from_crosses(a: Point, b: Point, aside: Point) -> tuple[Point, float]:
    """The shift and the turn, from where the lines of the crosses A and B meet their scales.

    The level scale is `aside.y` mm below the place of its cross on the back, the upright one `aside.x` mm to the right
    of it: a cross that is turned meets them elsewhere than one that is only shifted.
    """
    slope, middle = (b.y - a.y) / SPAN, (a + b).scaled(0.5)
    x, y = middle + Point(slope * aside.y, -slope * aside.x)
    longer = 1 + slope**2
    return Point((x - slope * y) / longer, (y + slope * x) / longer), degrees(atan(slope))


def relative(bars: tuple[float, float], front: tuple[float, float]) -> tuple[float, float]:
    """How long 100 mm of the front are on the back, from what the bars of either measure."""
    for value in (*bars, *front):
        LENGTH.check(value)
    return bars[0] / front[0] * BAR, bars[1] / front[1] * BAR


FILE = "printers.json"


def profiles() -> dict[str, Profile]:
    """All printers, by name."""
    path = settings_folder() / FILE
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text("utf-8"))
        return {name: Profile(name, **_checked(row)) for name, row in rows.items()}
    except Wrong as wrong:
        raise Wrong(f"{path}: {wrong.found}", wrong.expected) from None
    except (ValueError, AttributeError, TypeError):
        raise Wrong(f"{path} cannot be read", "what 'pnp printer add' writes; mend it or remove it") from None


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    known = {field.name for field in fields(Profile)} - {"name"}
    if set(row) - known:
        raise ValueError(row)
    return row


def profile(name: str) -> Profile:
    """The printer of that name."""
    known = profiles()
    if name not in known:
        listed = f"one of: {', '.join(sorted(known))}" if known else "a name that 'pnp printer add' has been given"
        hint = nearest(name, known) or "pnp calibrate makes the sheet to measure a printer with"
        raise Wrong(f"unknown printer {name!r}", listed, hint, Kind.MISSING)
    return known[name]


def keep(new: Profile) -> None:
    """Add a printer, or measure it anew."""
    _write(profiles() | {new.name: new})


def remove(name: str) -> None:
    """Forget a printer."""
    gone = profile(name).name
    _write({name: other for name, other in profiles().items() if name != gone})


def _write(known: dict[str, Profile]) -> None:
    rows = {name: {key: value for key, value in asdict(row).items() if key != "name"} for name, row in known.items()}
    with Outbox(settings_folder()) as outbox:
        outbox.write(FILE, (json.dumps(rows, indent=2, ensure_ascii=False, sort_keys=True) + "\n").encode())
