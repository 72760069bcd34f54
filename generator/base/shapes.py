"""The named shapes, a row each: their corners within the bounding box, and how their size is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, pi, sin, sqrt
from types import MappingProxyType

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.geometry import EPSILON, Affine, Point, Size
from generator.base.outline import Outline
from generator.base.paths import Edge, read_path
from generator.base.polygon import area, loops, outward
from generator.base.ports import COMPASS
from generator.base.units import lengths, number

RECT = "rect"

MAX_IRREGULARITY = 0.01
"""The share of its height by which a shape may be too high or too low: sizes are often written rounded."""

MAX_PIECE_MM = 1500.0
"""The longest side of a piece; a longer one fits no paper, and its unit is taken for a slip."""

MAX_OUTLINE_LINES = 1500
"""Straight lines that may replace a curved outline: each pair of them is tested for a crossing."""

_OCTAGON = 1 / (2 + sqrt(2))


@dataclass(frozen=True)
class ShapeRow:
    """A row of the table of shapes.

    `corners` are shares of the bounding box from its top left, and `ratio` is the box's height
    divided by its width. A size states the `measured` side: the width `w` or the height `h`.
    """

    what: str
    corners: tuple[tuple[float, float], ...]
    ratio: float = 1.0
    measured: str = "w"
    is_round: bool = False

    def sized(self, across: float) -> Size:
        """Return the bounding box of a shape of a size in mm."""
        return (
            Size(across, across * self.ratio)
            if self.measured == "w"
            else Size(across / self.ratio, across)
        )

    def outline(self, kind: str, size: Size) -> Outline:
        """Return the outline that fills a box."""
        corners = tuple(Point(x * size.w, y * size.h) for x, y in self.corners)
        if self.is_round:
            return Outline(corners, size.w / 2, (), kind)
        return Outline(corners, 0.0, name_sides(corners), kind)


_WIDEST = (1 - cos(2 * pi / 5)) / (1 + cos(pi / 5))
"""The height at which a pentagon is widest, as a share of its box."""
_FOOT = 0.5 + sin(pi / 5) / (2 * sin(2 * pi / 5))
"""The right end of the side on which a pentagon stands, as a share of its box."""

_SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_FLAT = ((0.25, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.25, 1.0), (0.0, 0.5))
_POINTED = ((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25))
_FIVE = ((0.5, 0.0), (1.0, _WIDEST), (_FOOT, 1.0), (1 - _FOOT, 1.0), (0.0, _WIDEST))
_EIGHT = (
    *((_OCTAGON, 0.0), (1 - _OCTAGON, 0.0), (1.0, _OCTAGON), (1.0, 1 - _OCTAGON)),
    *((1 - _OCTAGON, 1.0), (_OCTAGON, 1.0), (0.0, 1 - _OCTAGON), (0.0, _OCTAGON)),
)

SHAPES: Mapping[str, ShapeRow] = MappingProxyType(
    {
        "rect": ShapeRow("a rectangle, by its width and height, or a square", _SQUARE),
        "circle": ShapeRow("a circle, by its diameter", _SQUARE, is_round=True),
        "hex": ShapeRow("a hexagon on a flat side, from flat to flat", _FLAT, sqrt(3) / 2, "h"),
        "hex pointed": ShapeRow("a hexagon on a corner, from flat to flat", _POINTED, 2 / sqrt(3)),
        "triangle": ShapeRow(
            "a triangle of three equal sides, by one of them",
            ((0.5, 0), (1, 1), (0, 1)),
            sqrt(3) / 2,
        ),
        "triangle down": ShapeRow("the same on a corner", ((0, 0), (1, 0), (0.5, 1)), sqrt(3) / 2),
        "pentagon": ShapeRow(
            "a pentagon on a flat side, by its width",
            _FIVE,
            (1 + cos(pi / 5)) / (2 * sin(2 * pi / 5)),
        ),
        "octagon": ShapeRow("an octagon, from flat to flat", _EIGHT),
    }
)
"""Every shape; a size names it before or after its length: `hex 40mm pointed`.

Rectangles need no name.
"""


def name_sides(corners: Sequence[Point]) -> tuple[str, ...]:
    """Return the names of sides by their directions; letters from `a` on if two would be equal."""
    directions = [outward(a, b) for a, b in pairwise((*corners, corners[0]))]
    names = tuple(COMPASS[round(atan2(out.x, -out.y) / (pi / 4)) % 8] for out in directions)
    return (
        names
        if len(set(names)) == len(names)
        else tuple(chr(ord("a") + n) for n in range(len(names)))
    )


def fill_box(kind: str, size: Size) -> Outline:
    """Return the outline of a shape that fills a box."""
    height = find_row("shape", kind, SHAPES).ratio * size.w
    if kind != RECT and abs(height - size.h) > MAX_IRREGULARITY * size.h:
        found = f"a {kind} of {number(size.w)} × {number(size.h)} mm is not regular"
        raise InvalidValueError(found, f"a height of {number(height)} mm")
    return SHAPES[kind].outline(kind, size)


def read_notation(notation: str, size: Size, radius: float) -> Outline:
    """Return the outline that an `Outline.notation` describes, at a size."""
    if notation in SHAPES:
        outline = SHAPES[notation].outline(notation, size)
        return outline if SHAPES[notation].is_round else outline.rounded(radius)
    (line,) = read_path(notation)[:1] or [[]]
    return trace_path(line, "an outline")


def back_outline(outline: Outline) -> Outline:
    """Return the outline of a back as it is seen: mirrored, with its sides named by their new directions."""
    if outline.kind in SHAPES:
        return outline
    mirror = outline.mirrored()
    return replace(mirror, names=name_sides(mirror.corners)) if mirror.names else mirror


def parse_shape(text: str) -> Outline | None:
    """Parse `hex 40mm` or `hex 40mm pointed`; return None if a text names no shape."""
    words = text.split()
    kind = " ".join(word for word in words if word.isalpha() and word not in _SIZE_WORDS)
    if kind.partition(" ")[0] not in {name.partition(" ")[0] for name in SHAPES}:
        return None
    if kind not in SHAPES:
        raise unknown("shape", kind, SHAPES)
    values = lengths(" ".join(word for word in words if not word.isalpha() or word in _SIZE_WORDS))
    if kind == RECT:
        return fill_box(kind, Size(values[0], values[-1]))
    if len(values) != 1:
        raise InvalidValueError(
            f"{text!r} is not a size", f"one length: {SHAPES[kind].what}, such as {kind} 40mm"
        )
    return fill_box(kind, SHAPES[kind].sized(check_side(values[0])))


# Words of a size that name no shape.
_SIZE_WORDS = frozenset({"mm", "cm", "in", "pt", "x"})


def check_side(value: float) -> float:
    """Return the length of a side in mm; raise `InvalidValueError` if no piece can have it."""
    if not 1 <= value <= MAX_PIECE_MM:
        raise InvalidValueError(
            f"a side cannot be {number(value)} mm long",
            f"between 1 mm and {number(MAX_PIECE_MM)} mm",
        )
    return value


def polygon_outline(corners: Sequence[Point]) -> Outline:
    """Return the polygon of some corners, with the top left of its bounding box at the origin.

    Repeated corners count once: many programs end a polygon with its first corner.
    """
    pairs = pairwise((*corners, corners[0]))
    corners = [corner for corner, after in pairs if (after - corner).length() > EPSILON]
    if area(corners) < 0:
        corners = corners[::-1]
    if abs(area(corners)) < 1 or len(list(loops(corners))) > 1:
        raise InvalidValueError(
            "a polygon that crosses itself, or encloses nothing",
            "corners in order along its outline",
        )
    names = name_sides(corners) if len(corners) <= MAX_NAMED_SIDES else ()
    outline = Outline(tuple(corners), names=names)
    return outline.mapped(Affine(e=-outline.box.x, f=-outline.box.y))


MAX_NAMED_SIDES = 26
"""Sides of a polygon that have names, the letters from `a` to `z`."""


def _has_length(edge: Edge) -> bool:
    return any((place - edge.a).length() > EPSILON for place in (edge.b, *edge.handles))


def trace_path(line: Sequence[Edge], name: str) -> Outline:
    """Return the outline of a closed path, with the top left of its bounding box at the origin."""
    line = [edge for edge in line if _has_length(edge)]
    flat = tuple(place for edge in line for place in edge.flat())
    if len(flat) > MAX_OUTLINE_LINES:
        raise InvalidValueError(
            f"{name} takes {len(flat)} straight lines",
            f"at most {MAX_OUTLINE_LINES}: a simpler outline",
        )
    if len(flat) < 3 or abs(area(flat)) < 1:
        raise InvalidValueError(
            f"{name} encloses nothing", "a closed line around at least a square millimetre"
        )
    if len(list(loops(flat))) > 1:
        raise InvalidValueError(f"{name} crosses itself", "a line that does not cross itself")
    if area(flat) < 0:
        line = [edge.reversed() for edge in line[::-1]]
        flat = flat[::-1]
    if not any(edge.handles or edge.bulge for edge in line):
        return polygon_outline([edge.a for edge in line])
    traced = Outline(flat, curve=tuple(line))
    return traced.mapped(Affine(e=-traced.box.x, f=-traced.box.y))
