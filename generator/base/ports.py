"""The names of the places at which links reach a tile, and where a turn or a mirror takes them.

A side carries the name of the direction that it faces: `n`. `n1` and `n2` are its halves,
clockwise, and the ports in their middles; `n2/3` is the second of three parts. A corner has a name
as a side has, a circle's ports are degrees clockwise from the top, and a point inside a tile has
any other name.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The eight directions, clockwise from the top, 45° apart."""

SQUARE_PORTS = ("n", "e", "s", "w")
HEX_PORTS = ("n", "ne", "se", "s", "sw", "nw")
"""The sides of a hexagon that lies on a flat side; clockwise from the top, as with squares."""

POINTED_PORTS = ("ne", "e", "se", "sw", "w", "nw")
"""The sides of a hexagon that stands on a corner."""

TRIANGLE_PORTS = ("ne", "s", "nw")
DOWN_PORTS = ("n", "se", "sw")
"""The sides of a triangle that stands on a side, and of one that stands on a corner."""

OCTAGON_PORTS = COMPASS

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

MAX_SIDE_PARTS = 12
"""Parts into which a notation may divide a side; a larger number is taken for a mistake."""

_PART = re.compile(r"(?P<side>[a-z]+)(?P<nth>\d{1,2})(?:/(?P<of>\d{1,2}))?")
_EAST_WEST = str.maketrans("ew", "we")


def side_of(port: str) -> str:
    """Return the side that a port lies on: the port's name without a part."""
    match = _PART.fullmatch(port)
    return match["side"] if match else port


def share_of(port: str) -> Fraction:
    """Return how far along its side a port lies, clockwise."""
    number, count = part_of(port)
    return Fraction(2 * number - 1, 2 * count)


def part_of(port: str) -> tuple[int, int]:
    """Return which part of its side a port means, and of how many parts.

    Without a number, the whole side.
    """
    match = _PART.fullmatch(port)
    return (int(match["nth"]), int(match["of"] or 2)) if match else (1, 1)


def part_name(side: str, number: int, count: int) -> str:
    """Return the canonical name of a part.

    The middle one of three has the same port as the side itself.
    """
    if count == 1:
        return side
    return f"{side}{number}" if count == 2 else f"{side}{number}/{count}"


def port_name(side: str, share: Fraction) -> str:
    """Return the canonical name of the port so far along a side."""
    of = share.denominator // 2
    return part_name(side, (share.numerator + 1) // 2, of)


def canonical_port(port: str) -> str:
    """Return the canonical name of a port: `n2/3` is `n`, since both reach the middle of the side."""
    return port_name(side_of(port), share_of(port)) if _PART.fullmatch(port) else port


def is_valid_part(port: str) -> bool:
    """Return True if a part's number is within the number of parts."""
    number, count = part_of(port)
    return 1 <= number <= count <= MAX_SIDE_PARTS


def facing_port(port: str) -> str:
    """Return the port that meets a port from the neighbouring tile, in this side's names: `n2` meets `n1`."""
    return port_name(side_of(port), 1 - share_of(port)) if _PART.fullmatch(port) else port


def mirror_port(port: str) -> str:
    """Return the port as it is seen from behind."""
    if port[0].isdigit():
        return str(-int(port) % 360)
    facing = facing_port(port)
    side = side_of(facing)
    return side.translate(_EAST_WEST) + facing[len(side) :]


def turn_port(port: str, names: tuple[str, ...], steps: int) -> str:
    """Return a port of a tile turned clockwise by a number of steps through the sides `names`."""
    if port[0].isdigit():
        return str((int(port) + steps * 360 // len(names)) % 360)
    side = side_of(port)
    for ring in (names, CORNERS.get(names, ())):
        if side in ring:
            return ring[(ring.index(side) + steps) % len(ring)] + port[len(side) :]
    return port


def outer_names(sides: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of sides and corners."""
    return (*sides, *CORNERS.get(sides, ()))
