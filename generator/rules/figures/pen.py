"""The pen of overlays: shapes and words over a figure, in mm."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import atan2, pi, tan

from generator.base.fonts import FontSet
from generator.base.geometry import EPSILON, Affine, Point, Rect
from generator.base.paths import xy
from generator.base.polygon import box_around, distance_to_segment
from generator.base.units import MM_PER_PT
from generator.picture.items import Box, Circle, Group, Item, Path, Polygon, Shape, Stroke
from generator.rules.theme import luma
from generator.text import Block, set_text
from generator.text.style import Align, Style, VAlign

# Ink and paper, a right and a wrong move, and marks.
INK = "#1d2730"
PAPER = "#ffffff"
GOOD = "#1f8a4c"
BAD = "#c8322b"
MARK = "#f0b429"

# Rims of lines and slips of paper behind labels let a little of the figure show through.
RIM_OPACITY = 0.85
SLIP_OPACITY = 0.92

LABEL_STYLE = Style(
    font="Alegreya Sans",
    weight=700,
    size=11 * MM_PER_PT,
    colour=INK,
    align=Align.CENTER,
    valign=VAlign.MIDDLE,
)
"""The style of labels and numbers: eleven points stay readable in a small folded booklet."""

MIN_LIGHT_LUMA = 160 / 255
"""The luma above which a colour counts as light, so that its rim is dark."""

LINE_RIM = 1.9
"""The width of a line with its rim, as a multiple of the line's width."""
FRAME_RIM = 1.8
"""The width of a frame with its rim, as a multiple of the frame's width."""
ARROW_HEAD = 3.2
"""The length of an arrow's head, as a multiple of the line's width."""

MIN_TURN = 0.01
"""Radians; a smaller turn counts as straight."""
MAX_TURN = pi - 0.01
"""Radians; a larger turn runs back on itself and has no inside to round."""

FRAME_MM = 0.7
"""Width of the outline round the piece just played, in mm: found by looking at pieces of 10 to 25 mm on paper."""

LABEL_PADDING_MM = 1.0
"""The space around a label on its slip, and the radius of the slip's corners."""

NUMERAL_RADIUS_MM = 2.5
"""The radius of the disc of a number: two digits of eleven points are 4.1 mm wide and 2.5 mm high."""
NUMERAL_RIM_MM = 0.4
"""The width of the light rim of discs and badges."""

BADGE_TEXT_SHARE = 0.82
"""The type size on a badge, as a share of the badge's height."""

MAX_LABEL_MM = 80.0
"""The width of a label's longest line: about the width of a figure in a column."""


@dataclass
class Pen:
    """Collects the items drawn over a figure, and in `reach` the boxes that they occupy.

    A `solid` line is given by its points and half its width. Everything under it or under one of the
    `slips` of paper counts as hidden.
    """

    fonts: FontSet
    language: str
    reach: list[Rect] = field(default_factory=list)
    solid: list[tuple[Sequence[Point], float]] = field(default_factory=list)
    slips: list[Rect] = field(default_factory=list)
    _items: list[Item] = field(default_factory=list)

    def items(self, view: Rect, under: Sequence[Item] = ()) -> tuple[Item, ...]:
        """Return the drawn items over those in `under`, moved into a picture of a view of the figure."""
        items = (*under, *self._items)
        return (Group(items, Affine(e=-view.x, f=-view.y)),) if items else ()

    def blank_copy(self) -> "Pen":
        """Return an empty pen."""
        return Pen(self.fonts, self.language)

    def covers(self, spot: Point) -> bool:
        """Return True if the drawing hides a spot completely."""
        lines = (
            distance_to_segment(spot, a, b) <= half
            for way, half in self.solid
            for a, b in pairwise([way[0], *way])
        )
        return any(slip.holds(Rect(spot.x, spot.y, 0, 0)) for slip in self.slips) or any(lines)

    def circle(
        self, centre: Point, radius: float, fill: str, line: str = "none", width: float = 0.0
    ) -> None:
        """Draw a disc or a ring."""
        stroke = Stroke(width, line) if line != "none" else None
        self.solid += [((centre,), radius)] if fill != "none" else []
        self._items.append(Shape(Circle(centre, radius), fill, stroke))
        self.reach.append(Rect(centre.x, centre.y, 0, 0).grown(radius + width / 2))

    def polygon(self, corners: Sequence[Point], fill: str, opacity: float = 1.0) -> None:
        """Draw a filled outline."""
        self._items.append(Shape(Polygon(tuple(corners)), with_opacity(fill, opacity)))
        self.reach.append(box_around(corners))

    def frame(self, corners: Sequence[Point]) -> None:
        """Draw a closed outline in the colour of marks, with a dark rim so that it shows on any background."""
        self._edge(corners, INK, FRAME_MM * FRAME_RIM)
        outline = Path(line_data(corners) + "Z")
        self._items.append(Shape(outline, "none", Stroke(FRAME_MM, MARK, join="round")))
        self.reach.append(box_around(corners).grown(FRAME_MM))

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line through some points, with a white rim so that it is visible on any background."""
        self._line(line_data(points), colour, PAPER, width)
        self.reach.append(box_around(points).grown(width))

    def _line(self, data: str, colour: str, rim: str, width: float) -> None:
        for stroke_width, stroke_colour in (
            (width * LINE_RIM, with_opacity(rim, RIM_OPACITY)),
            (width, colour),
        ):
            stroke = Stroke(stroke_width, stroke_colour, cap="round", join="round")
            self._items.append(Shape(Path(data), stroke=stroke))

    def arrow(
        self, points: Sequence[Point], colour: str, width: float, rounding: float = 0.0
    ) -> None:
        """Draw an arrow through some points; its rim is dark if its colour is light."""
        end = points[-1]
        along = (end - points[-2]).unit()
        head = ARROW_HEAD * width
        line = [*points[:-1], end - along.scaled(head * 0.9)]
        self._line(line_data(line, rounding), colour, _contrasting(colour), width)
        self.reach.append(box_around(line).grown(width))
        self.solid += [(line, width * 0.95), ((end, end - along.scaled(head * 0.6)), head * 0.35)]
        left = along.turned(150).scaled(head)
        right = along.turned(-150).scaled(head)
        tip = [end + along.scaled(width / 2), end + left, end + right]
        self._edge(tip, _contrasting(colour), width * 0.9)
        self.polygon(tip, colour)

    def _edge(self, corners: Sequence[Point], colour: str, width: float) -> None:
        stroke = Stroke(width, with_opacity(colour, RIM_OPACITY), join="round")
        self._items.append(Shape(Path(line_data(corners) + "Z"), stroke=stroke))

    def label(self, text: str, at: Point) -> None:
        """Draw a text with its middle at a place, on a slip of paper."""
        block = self._set(text, at, LABEL_STYLE)
        slip = block.box.grown(LABEL_PADDING_MM)
        self._items.append(Shape(Box(slip, LABEL_PADDING_MM), with_opacity(PAPER, SLIP_OPACITY)))
        self._items.extend(block.runs)
        self.slips.append(slip)
        self.reach.append(slip)

    def letters(self, text: str, at: Point) -> Rect:
        """Draw a few letters with their middle at a place, without a slip.

        Return the box around them.
        """
        block = self._set(text, at, LABEL_STYLE)
        self._items.extend(block.runs)
        self.reach.append(block.box)
        return block.box

    def numeral(self, text: str, at: Point, fill: str = INK) -> None:
        """Draw a number in a disc."""
        self.circle(at, NUMERAL_RADIUS_MM + NUMERAL_RIM_MM, PAPER)
        self.circle(at, NUMERAL_RADIUS_MM, fill)
        self._items.extend(self._set(text, at, replace(LABEL_STYLE, colour=PAPER)).runs)

    def badge(self, text: str, at: Point, fill: str, height: float) -> None:
        """Draw a few letters on a rounded badge with a light rim; two letters or more make it longer."""
        style = replace(LABEL_STYLE, colour=_contrasting(fill), size=height * BADGE_TEXT_SHARE)
        block = self._set(text, at, style)
        width = max(height, block.box.w + 0.5 * height)
        box = Rect(at.x - width / 2, at.y - height / 2, width, height)
        self._items.append(Shape(Box(box, height / 2), fill, Stroke(NUMERAL_RIM_MM, PAPER)))
        self._items.extend(block.runs)
        self.slips.append(box)
        self.reach.append(box.grown(0.2))

    def _set(self, text: str, at: Point, style: Style) -> Block:
        box = Rect(at.x - MAX_LABEL_MM / 2, at.y - MAX_LABEL_MM / 2, MAX_LABEL_MM, MAX_LABEL_MM)
        return set_text(text, style, box, self.fonts, icons={}, lang=self.language, minimum=None)


def _contrasting(colour: str) -> str:
    """Return the colour that stands out from a colour: paper, or ink if the colour is light."""
    return INK if colour.startswith("#") and luma(colour) > MIN_LIGHT_LUMA else PAPER


def with_opacity(colour: str, opacity: float) -> str:
    """Return an opaque colour, `#rrggbb`, as a translucent one; 1 leaves any colour as it is."""
    return colour if opacity == 1.0 else f"{colour}{round(255 * opacity):02x}"


def line_data(points: Sequence[Point], rounding: float = 0.0) -> str:
    """Return path data of a line whose corners are rounded by arcs.

    An arc begins `rounding` mm before its corner, or less if the neighbouring stretches are short.
    """
    bends = _without_straight(points)
    lengths = [(next_point - point).length() for point, next_point in pairwise(bends)]
    available = [
        length if end in {0, len(lengths) - 1} else length / 2 for end, length in enumerate(lengths)
    ]
    reaches = [min(rounding, *sides) for sides in pairwise(available)]
    corners = zip(bends, bends[1:], bends[2:], reaches, strict=False)
    return "".join(
        [f"M{xy(bends[0])}", *(_rounded_corner(*corner) for corner in corners), f"L{xy(bends[-1])}"]
    )


def _without_straight(points: Sequence[Point]) -> list[Point]:
    """Return the points without those on a straight line, so that an arc can reach past them."""
    corners = [points[0]]
    for point, after in pairwise(points[1:]):
        if abs(_turn(point - corners[-1], after - point)) > MIN_TURN:
            corners.append(point)
    return [*corners, points[-1]]


def _rounded_corner(before: Point, corner: Point, after: Point, reach: float) -> str:
    way_in = corner - before
    way_out = after - corner
    turn = abs(_turn(way_in, way_out))
    if reach < EPSILON or not MIN_TURN < turn < MAX_TURN:
        return f"L{xy(corner)}"
    # The control points of the cubic that comes closest to a circle's arc of this turn.
    handle = 4 / 3 * tan(turn / 4) * reach / tan(turn / 2)
    u = way_in.unit()
    v = way_out.unit()
    start = corner - u.scaled(reach)
    end = corner + v.scaled(reach)
    return f"L{xy(start)}C{xy(start + u.scaled(handle))} {xy(end - v.scaled(handle))} {xy(end)}"


def _turn(one: Point, other: Point) -> float:
    """Return the angle in radians from one direction to another."""
    return atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y)
