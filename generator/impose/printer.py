"""Printer profiles: the measured error, its correction, and the file in the user's settings folder."""

import json
from dataclasses import asdict, dataclass, fields
from math import atan, cos, degrees, radians, sin
from typing import Any

from generator.base.errors import InvalidValueError, Kind, nearest
from generator.base.files import Outbox
from generator.base.geometry import Affine, Point, Size
from generator.base.settings import settings_folder
from generator.base.units import number
from generator.impose.setup import Margins

# Distance between the two crosses of the test sheet.
CROSS_DISTANCE_MM = 120.0

# Length of the test sheet's bars.
BAR_LENGTH_MM = 100.0

BACKS_ONLY = "backs"
BOTH_SIDES = "both"
SIDES = (BACKS_ONLY, BOTH_SIDES)


@dataclass(frozen=True)
class Limit:
    """The range of a plausible reading and its unit; a value outside is a slip of the pen."""

    name: str
    minimum: float
    maximum: float
    unit: str

    def check(self, value: float) -> None:
        """Raise InvalidValueError if a value is outside the range."""
        if not self.minimum <= value <= self.maximum:
            expected = f"{number(self.minimum)} to {number(self.maximum)} {self.unit}"
            raise InvalidValueError(f"{self.name} cannot be {number(value)} {self.unit}", expected)


SHIFT_LIMIT = Limit("a shift", -15, 15, "mm")
TURN_LIMIT = Limit("a turn", -5, 5, "degrees")
BAR_LIMIT = Limit("a bar", 90, 110, "mm")
EDGE_LIMIT = Limit("an unprintable edge", 0, 25, "mm")


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
        for limit, values in (
            (SHIFT_LIMIT, (self.x, self.y)),
            (TURN_LIMIT, (self.turn,)),
            (BAR_LIMIT, (self.across, self.down)),
        ):
            for value in values:
                limit.check(value)
        for mm in self.edge or ():
            EDGE_LIMIT.check(mm)
        if not self.name.strip():
            raise InvalidValueError("a printer needs a name", "a word, such as office")
        if self.sides not in SIDES:
            raise InvalidValueError(f"unknown sides {self.sides!r}", f"one of: {', '.join(SIDES)}")

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
        BAR_LIMIT.check(value)
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
            f"{path} cannot be read", "what 'pnp printer add' writes; mend it or remove it"
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
        raise InvalidValueError(f"unknown printer {name!r}", listed, hint, Kind.MISSING)
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
