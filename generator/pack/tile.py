"""What lies on one side of a tile: links, areas, labelled sides, and points inside it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType


class Bend(StrEnum):
    """The way that a link between two ports takes."""

    GENTLE = "gentle"
    SHARP = "sharp"
    STRAIGHT = "straight"


class Plane(StrEnum):
    """How a link lies to those of its tile that it crosses; `apart` also from those that it shares a port with."""

    LATER = "later"
    OVER = "over"
    UNDER = "under"
    APART = "apart"
    JOINS = "joins"


@dataclass(frozen=True)
class Course:
    """How a link runs: its bend, a place to go through (hundredths of the tile), its plane.

    `reach` is how far a link with one port goes: a share of the way to the centre, or mm where it is above 1. `hub`
    is a link whose legs go straight to one place.
    """

    bend: Bend = Bend.GENTLE
    through: tuple[float, float] | None = None
    reach: float | None = None
    plane: Plane = Plane.LATER
    hub: bool = False


@dataclass(frozen=True)
class Stand:
    """What a feature brings of its own: `at` is a share of its link's length, `size` mm, `turn` degrees."""

    slots: int = 1
    value: float = 0.0
    turn: float | None = None
    at: float | None = None
    size: float | None = None


DEFAULT, PLAIN = Course(), Stand()


@dataclass(frozen=True)
class Link:
    """One road, hose or neck: the ports that it joins, its kind, and what stands on it."""

    ports: tuple[str, ...]
    kind: str
    feature: str | None = None
    course: Course = DEFAULT
    stand: Stand = PLAIN


@dataclass(frozen=True)
class Border:
    """A side with a label and no link."""

    port: str
    label: str


@dataclass(frozen=True)
class Area:
    """A region that reaches some sides, or parts of them, and what stands in it."""

    parts: tuple[str, ...]
    kind: str
    feature: str | None = None
    stand: Stand = PLAIN


@dataclass(frozen=True)
class Inner:
    """A point inside the tile, in hundredths of its width and height."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Tile:
    """What runs across one side of a tile, in the order in which it was written."""

    links: tuple[Link, ...] = ()
    borders: tuple[Border, ...] = ()
    areas: tuple[Area, ...] = ()
    points: tuple[Inner, ...] = ()

    def mirrored(self) -> "Tile":
        """The same seen from behind."""
        inner = {point.name for point in self.points}

        def flip(port: str) -> str:
            return port if port in inner else mirrored(port)

        return Tile(
            tuple(
                replace(link, ports=tuple(map(flip, link.ports)), course=_flipped(link.course)) for link in self.links
            ),
            tuple(replace(border, port=flip(border.port)) for border in self.borders),
            tuple(replace(area, parts=tuple(map(mirrored, area.parts))) for area in self.areas),
            tuple(replace(point, x=100 - point.x) for point in self.points),
        )

    @property
    def carried(self) -> Iterator[tuple[str | None, Stand]]:
        """What stands on its links and in its areas."""
        yield from ((link.feature, link.stand) for link in self.links)
        yield from ((area.feature, area.stand) for area in self.areas)


NO_LINKS = Tile()


def _flipped(course: Course) -> Course:
    return replace(course, through=(100 - course.through[0], course.through[1])) if course.through else course


SQUARE_PORTS = ("n", "e", "s", "w")
HEX_PORTS = ("n", "ne", "se", "s", "sw", "nw")
"""The sides of a hexagon that lies on a flat side; clockwise from the top, as with squares."""

POINTED_PORTS = ("ne", "e", "se", "sw", "w", "nw")
"""Those of a hexagon that stands on a corner."""

TRIANGLE_PORTS = ("ne", "s", "nw")
DOWN_PORTS = ("n", "se", "sw")
"""A triangle on its foot, and on its tip."""

OCTAGON_PORTS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")

CORNERS: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType(
    {
        SQUARE_PORTS: ("ne", "se", "sw", "nw"),
        HEX_PORTS: ("nne", "e", "sse", "ssw", "w", "nnw"),
        POINTED_PORTS: ("ene", "ese", "s", "wsw", "wnw", "n"),
        TRIANGLE_PORTS: ("se", "sw", "n"),
        DOWN_PORTS: ("ne", "s", "nw"),
        OCTAGON_PORTS: ("nne", "ene", "ese", "sse", "ssw", "wsw", "wnw", "nnw"),
    }
)
"""The corners after each side, clockwise, by the names of the sides."""

MOST = 12
"""Parts of a side: more are a slip."""

_PART = re.compile(r"(?P<side>[a-z]+)(?P<nth>\d{1,2})(?:/(?P<of>\d{1,2}))?")
_EAST_WEST = str.maketrans("ew", "we")


def side_of(port: str) -> str:
    """The side that a port lies on: its name without a part."""
    found = _PART.fullmatch(port)
    return found["side"] if found else port


def share_of(port: str) -> Fraction:
    """How far along its side a port lies, clockwise."""
    nth, of = part_of(port)
    return Fraction(2 * nth - 1, 2 * of)


def part_of(port: str) -> tuple[int, int]:
    """Which part of its side a port means, and of how many: all of it where nothing is said."""
    found = _PART.fullmatch(port)
    return (int(found["nth"]), int(found["of"] or 2)) if found else (1, 1)


def part_named(side: str, nth: int, of: int) -> str:
    """The one name of a part of a side; the middle part of three has the same port as the side itself."""
    if of == 1:
        return side
    return f"{side}{nth}" if of == 2 else f"{side}{nth}/{of}"


def port_named(side: str, share: Fraction) -> str:
    """The one name of the port so far along a side."""
    of = share.denominator // 2
    return part_named(side, (share.numerator + 1) // 2, of)


def canonical(port: str) -> str:
    """The one name of a port: `n2/3` is `n`, since a link reaches the middle of the side by either."""
    return port_named(side_of(port), share_of(port)) if _PART.fullmatch(port) else port


def valid_part(port: str) -> bool:
    """Whether a part is one of so many."""
    nth, of = part_of(port)
    return 1 <= nth <= of <= MOST


def across(port: str) -> str:
    """The same place seen from the other tile at that side, by this side's name: `n1` is met by `n2`."""
    return port_named(side_of(port), 1 - share_of(port)) if _PART.fullmatch(port) else port


def mirrored(port: str) -> str:
    """The port seen from behind."""
    if port[0].isdigit():
        return str(-int(port) % 360)
    found = across(port)
    side = side_of(found)
    return side.translate(_EAST_WEST) + found[len(side) :]


def turned(port: str, names: tuple[str, ...], steps: int) -> str:
    """Where a port comes to lie when its tile is turned clockwise by so many sides of `names`."""
    if port[0].isdigit():
        return str((int(port) + steps * 360 // len(names)) % 360)
    side = side_of(port)
    for ring in (names, CORNERS.get(names, ())):
        if side in ring:
            return ring[(ring.index(side) + steps) % len(ring)] + port[len(side) :]
    return port


def outer_names(sides: tuple[str, ...]) -> tuple[str, ...]:
    """The names of sides and corners."""
    return (*sides, *CORNERS.get(sides, ()))
