"""The outline of a component's pieces."""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import sqrt
from pathlib import Path

from generator.core.geometry import Point, Size
from generator.core.problems import Wrong, nearest, unknown
from generator.core.units import lengths, number
from generator.pack.links import HEX_PORTS, SQUARE_PORTS

LARGEST = 1500.0
"""mm; a piece beyond this fits no paper and is a slip of the unit."""


class ShapeKind(StrEnum):
    """What is cut."""

    RECT = "rect"
    HEX = "hex"
    CIRCLE = "circle"


@dataclass(frozen=True)
class Shape:
    """An outline and the size of the upright box round it, in mm; hexagons lie on a flat side."""

    kind: ShapeKind
    size: Size

    @property
    def ports(self) -> tuple[str, ...]:
        """The names of the sides that links may use."""
        return {ShapeKind.RECT: SQUARE_PORTS, ShapeKind.HEX: HEX_PORTS, ShapeKind.CIRCLE: ()}[self.kind]

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners, clockwise from the top left; a circle has none."""
        w, h = self.size
        if self.kind is ShapeKind.RECT:
            return (Point(0, 0), Point(w, 0), Point(w, h), Point(0, h))
        if self.kind is ShapeKind.HEX:
            quarter = w / 4
            right = w - quarter
            return (
                Point(quarter, 0),
                Point(right, 0),
                Point(w, h / 2),
                Point(right, h),
                Point(quarter, h),
                Point(0, h / 2),
            )
        return ()

    def __str__(self) -> str:
        return f"{number(self.size.w)} × {number(self.size.h)} mm"


@dataclass(frozen=True)
class NamedSize:
    """A row of the table of sizes."""

    name: str
    title: str
    size: Size


@cache
def named_sizes() -> dict[str, NamedSize]:
    """The sizes that have a name, from `sizes.toml`."""
    rows = tomllib.loads((Path(__file__).parent / "sizes.toml").read_text("utf-8"))
    sides = {name: lengths(row["size"]) for name, row in rows.items()}
    return {name: NamedSize(name, row["title"], Size(sides[name][0], sides[name][-1])) for name, row in rows.items()}


def parse_shape(text: str) -> Shape:
    """Read `poker`, `2.5in` (a square), `63.5 x 88.9 mm`, `hex 40mm` (from flat to flat) or `circle 22mm`."""
    word, _, rest = text.strip().partition(" ")
    if word in {"hex", "circle"}:
        (across,) = _numbers(rest, 1)
        if word == "circle":
            return Shape(ShapeKind.CIRCLE, Size(across, across))
        return Shape(ShapeKind.HEX, Size(across * 2 / sqrt(3), across))
    if text.strip() in named_sizes():
        return Shape(ShapeKind.RECT, named_sizes()[text.strip()].size)
    if re.fullmatch(r"[A-Za-z][\w -]*", text.strip()):
        wrong = unknown("size", text.strip(), named_sizes())
        raise Wrong(
            wrong.found, wrong.expected, nearest(text.strip(), named_sizes()) or "or write it out: 63.5 x 88.9 mm"
        )
    width, *height = _numbers(text, 1, 2)
    return Shape(ShapeKind.RECT, Size(width, height[0] if height else width))


def _numbers(text: str, *counts: int) -> tuple[float, ...]:
    values = lengths(text)
    if len(values) not in counts:
        raise Wrong(f"{text!r} is no size", "one length for a square or two with an x between them")
    for value in values:
        if not 1 <= value <= LARGEST:
            raise Wrong(f"a side of {number(value)} mm cannot be", f"between 1 mm and {number(LARGEST)} mm")
    return values
