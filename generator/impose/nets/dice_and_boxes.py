"""Folded pieces as tables of panels: dice, boxes, trays, tents and card stands.

`DICE` and `BOXES` have a row for each, by the value of `make:`. The faces of a die are in the order
of their numbers; the flaps of boxes are panels without a face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import acos, degrees, pi, sin, sqrt
from types import MappingProxyType

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.units import number
from generator.impose.nets.net import Corners, FlatNet, NetPanel, NetPlan, fold_piece
from generator.impose.sheet import Piece


@dataclass(frozen=True)
class Die:
    """A row of `DICE`: the shape of the faces for an edge of 1, and how the panels hang together.

    `hung` gives, for each panel after the first, its parent, the parent's side and its own side.
    `bend` is the fold in degrees. `numbers` lists the panels in the order of the die's numbers. `tabs` are the
    indices of the rim edges that bear the tabs to glue, if that matters.
    """

    shape: str
    corners: Corners
    hung: tuple[tuple[int, int, int], ...]
    bend: float
    numbers: tuple[int, ...]
    tabs: frozenset[int] | None = None

    def plan(self, across: float) -> NetPlan:
        """Return the net of a die whose faces are `across` mm wide."""
        shape_width = max(place.x for place in self.corners)
        shape = tuple(place.scaled(across / shape_width) for place in self.corners)
        other_panels = (NetPanel(shape, *hung) for hung in self.hung)
        return NetPlan((NetPanel(shape), *other_panels), self.bend, tabs=self.tabs)


_SQUARE = polygon.box(Rect(0, 0, 1, 1))
_TRIANGLE = (Point(0.5, 0), Point(1, sqrt(3) / 2), Point(0, sqrt(3) / 2))
# The radius of the circle around a pentagon that is 1 wide.
_PENTAGON_RADIUS = 0.5 / sin(2 * pi / 5)

_PENTAGON = tuple(
    Point(0.5, _PENTAGON_RADIUS) + Point(0, -_PENTAGON_RADIUS).turned(index * 360 / 5)
    for index in range(5)
)


def _strip(first: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Yield triangles side by side from the second on: each hangs on the one before, turned over."""
    for index in range(1, count):
        yield (first + index - 1, 0, 0) if index % 2 else (first + index - 1, 2, 2)


_OCTAHEDRON = (*_strip(0, 6), (3, 1, 1), (2, 1, 1))
_ICOSAHEDRON = (
    *_strip(0, 10),
    *((index, 1, 1) for index in (1, 3, 5, 7, 9)),
    *((index, 1, 1) for index in (0, 2, 4, 6, 8)),
)
_DODECAHEDRON = (
    *((0, index, 2) for index in range(5)),
    (1, 0, 0),
    (6, 2, 2),
    *((7, index, 2) for index in (0, 1, 3, 4)),
)
_CUBE = ((0, 1, 3), (0, 0, 2), (0, 2, 0), (0, 3, 1), (4, 3, 1))

# Dice by the value of `make:`. The bends are 180 degrees minus the dihedral angles of the solids.
DICE: Mapping[str, Die] = MappingProxyType(
    {
        "die": Die(
            "rect", _SQUARE, _CUBE, 90.0, tuple(range(6)), frozenset({3, 4, 5, 9, 10, 12, 13})
        ),
        "d4": Die("triangle", _TRIANGLE, tuple(_strip(0, 4)), 109.4712206, (0, 1, 2, 3)),
        "d8": Die("triangle", _TRIANGLE, _OCTAHEDRON, 70.5287794, (0, 1, 2, 6, 7, 5, 4, 3)),
        "d12": Die(
            "pentagon", _PENTAGON, _DODECAHEDRON, 63.4349488, (0, 1, 2, 3, 4, 5, 9, 6, 10, 11, 8, 7)
        ),
        "d20": Die(
            *("triangle", _TRIANGLE, _ICOSAHEDRON, 41.8103149),
            (0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 17, 16, 15, 19, 18, 9, 8, 7, 6, 5),
        ),
    }
)


# How much larger a box is inside, in each direction, than its contents.
BOX_SLACK_MM = 1.0

# Largest depths of the flaps: the glued one, the tucked ones, and the dust flaps at the sides.
GLUE_FLAP_MM = 12.0
TUCK_FLAP_MM = 16.0
DUST_FLAP_MM = 14.0

TUCKBOX_FACES = ("front", "right", "back", "left", "top", "bottom")


def make_rectangles(faces: Sequence[tuple[float, float]]) -> tuple[Outline, ...]:
    """Return rectangles of these widths and heights in mm."""
    return tuple(Outline.of_box(Rect(0, 0, *size)) for size in faces)


def make_tuckbox_faces(contents: Size, depth: float) -> tuple[Outline, ...]:
    """Return the faces of a tuck box for contents of this size and depth in mm, in the order of `TUCKBOX_FACES`."""
    w = contents.w + BOX_SLACK_MM
    h = contents.h + BOX_SLACK_MM
    d = depth + BOX_SLACK_MM
    return make_rectangles(((w, h), (d, h), (w, h), (d, h), (w, d), (w, d)))


def plan_tuckbox(contents: Size, depth: float) -> NetPlan:
    """Return the net of a tuck box; panels with faces come first."""
    front, right, back, left, top, bottom = (
        _rectangle(*outline.size) for outline in make_tuckbox_faces(contents, depth)
    )
    w = contents.w + BOX_SLACK_MM
    h = contents.h + BOX_SLACK_MM
    d = depth + BOX_SLACK_MM
    # Flaps go into the box, so they are shorter than its walls; the two dust flaps at either end stay
    # 2 mm apart where they meet.
    tuck = min(TUCK_FLAP_MM, 0.7 * h)
    dust = min(DUST_FLAP_MM, w / 2 - 1, 0.9 * h)
    return NetPlan(
        (
            NetPanel(front),
            NetPanel(right, 0, 1, 3),
            NetPanel(back, 1, 1, 3),
            NetPanel(left, 2, 1, 3),
            NetPanel(top, 2, 0, 2),
            NetPanel(bottom, 0, 2, 0),
            NetPanel(_flap(h, min(GLUE_FLAP_MM, 0.8 * w)), 3, 1, 0, has_face=False),
            NetPanel(_flap(w, tuck, 0.5), 4, 0, 0, has_face=False),
            NetPanel(_flap(w, tuck, 0.5), 5, 2, 0, has_face=False),
            *(
                NetPanel(_flap(d, dust, 0.3), side, edge, 0, has_face=False)
                for side in (1, 3)
                for edge in (0, 2)
            ),
        ),
        has_tabs=False,
    )


def _rectangle(w: float, h: float) -> Corners:
    """Return a rectangle with a corner at the origin, clockwise."""
    return polygon.box(Rect(0, 0, w, h))


def _flap(length: float, depth: float, lean: float = 1.0) -> Corners:
    """Return a flap that hangs by its first side and narrows at both ends by `lean` times its depth."""
    narrowing = min(lean * depth, 0.3 * length)  # the outer edge keeps 40 % of the length or more
    return Point(0, 0), Point(length, 0), Point(length - narrowing, depth), Point(narrowing, depth)


def make_tray_faces(contents: Size, depth: float) -> tuple[Outline, ...]:
    """Return the bottom of a tray for contents of this size, then its walls clockwise from the upper one."""
    w = contents.w + BOX_SLACK_MM
    h = contents.h + BOX_SLACK_MM
    return make_rectangles(((w, h), (w, depth), (h, depth), (w, depth), (h, depth)))


def plan_tray(contents: Size, depth: float) -> NetPlan:
    """Return the net of a tray: four walls around the bottom, two of them with a tab at either end."""
    bottom, *walls = (_rectangle(*outline.size) for outline in make_tray_faces(contents, depth))
    # Two tabs are glued behind one wall and must not overlap there.
    tab = _flap(depth, min(GLUE_FLAP_MM, 0.45 * min(contents)))
    return NetPlan(
        (
            NetPanel(bottom),
            *(NetPanel(wall, 0, side, 2) for side, wall in enumerate(walls)),
            *(NetPanel(tab, wall, edge, 0, has_face=False) for wall in (1, 3) for edge in (1, 3)),
        ),
        has_tabs=False,
    )


def make_leaning_faces(side: Size, depth: float) -> tuple[Outline, ...]:
    """Return the two sides of a tent, or the plate of a stand and its strut."""
    _base_angle(side, depth)
    return make_rectangles(((side.w, side.h), (side.w, side.h)))


def plan_tent(side: Size, depth: float) -> NetPlan:
    """Return the net of a tent: front, floor and back in a row, and a flap to glue behind the front's upper edge."""
    foot = _base_angle(side, depth)
    face = _rectangle(side.w, side.h)
    return NetPlan(
        (
            NetPanel(face),
            NetPanel(_rectangle(side.w, depth), 0, 2, 0, has_face=False, bend=180 - foot),
            NetPanel(face, 1, 2, 2, bend=180 - foot),
            NetPanel(
                _flap(side.w, min(GLUE_FLAP_MM, 0.4 * side.h), 0.5),
                2,
                0,
                0,
                has_face=False,
                bend=2 * foot,
            ),
        ),
        has_tabs=False,
    )


# Height of a stand's lip as a share of its plate's.
LIP_SHARE = 0.25
# Width of the slot between plate and lip, in which the card stands.
STAND_SLOT_MM = 6.0


def plan_stand(plate: Size, depth: float) -> NetPlan:
    """Return the net of a stand: lip, slot, plate, strut and floor in a row, and a flap to glue under the slot."""
    foot = _base_angle(plate, depth)
    face = _rectangle(plate.w, plate.h)
    return NetPlan(
        (
            NetPanel(face),
            NetPanel(face, 0, 0, 0, bend=2 * foot),
            NetPanel(_rectangle(plate.w, STAND_SLOT_MM), 0, 2, 0, has_face=False, bend=-foot),
            NetPanel(_rectangle(plate.w, LIP_SHARE * plate.h), 2, 2, 0, has_face=False, bend=-90),
            NetPanel(_rectangle(plate.w, depth), 1, 2, 0, has_face=False, bend=180 - foot),
            NetPanel(_flap(plate.w, STAND_SLOT_MM, 0.3), 4, 2, 0, has_face=False, bend=0),
        ),
        has_tabs=False,
    )


def _base_angle(leg: Size, depth: float) -> float:
    """Return the angle in degrees at which two equal legs stand on their floor.

    Raise InvalidValueError unless the floor is shorter than both legs together.
    """
    if not 0 < depth < 2 * leg.h:
        raise InvalidValueError(
            f"a floor of {number(depth)} mm is at least as long as its two sides of {number(leg.h)} mm together",
            f"a depth below {number(2 * leg.h)} mm",
        )
    return degrees(acos(depth / 2 / leg.h))


def _number_names(names: Sequence[str]) -> Mapping[str, int]:
    return MappingProxyType({name: index for index, name in enumerate(names)})


@dataclass(frozen=True)
class BoxNet:
    """A row of `BOXES`: face names with their panels, and functions from size and depth (mm) to faces and net."""

    summary: str
    panel_by_face: Mapping[str, int]
    faces: Callable[[Size, float], tuple[Outline, ...]]
    plan: Callable[[Size, float], NetPlan]


# Folded pieces other than dice, by the value of `make:`.
BOXES: Mapping[str, BoxNet] = MappingProxyType(
    {
        "tuckbox": BoxNet(
            "a box that is closed", _number_names(TUCKBOX_FACES), make_tuckbox_faces, plan_tuckbox
        ),
        "tray": BoxNet(
            "an open box",
            _number_names(("bottom", "upper", "right", "lower", "left")),
            make_tray_faces,
            plan_tray,
        ),
        "tent": BoxNet(
            "two pictures that lean on each other",
            MappingProxyType({"front": 0, "back": 2}),
            make_leaning_faces,
            plan_tent,
        ),
        "stand": BoxNet(
            "a foot on which a card leans",
            _number_names(("plate", "behind")),
            make_leaning_faces,
            plan_stand,
        ),
    }
)


def find_net_plan(make: str, size: Size, depth: float) -> tuple[NetPlan, tuple[int, ...]] | None:
    """Return the net of a die or box and the panels of its faces, or None for a flat piece."""
    if make not in DICE and make not in BOXES:
        return None
    net, panels = _flat_net(make, size, depth, 0.0)
    return net.plan, panels


@cache
def _flat_net(make: str, size: Size, depth: float, bleed: float) -> tuple[FlatNet, tuple[int, ...]]:
    """Return the net of a die or box and the panels of its faces, computed once for all of this size."""
    if make in DICE:
        return FlatNet(DICE[make].plan(size.w), bleed), DICE[make].numbers
    box = BOXES[make]
    return FlatNet(box.plan(size, depth), bleed), tuple(box.panel_by_face.values())


def make_net_builder(make: str) -> Callable[[Piece], Piece]:
    """Return a function that turns a piece with a face for each panel into a folded die or box.

    The piece of a die has the size of one face, that of a box the size and depth of its contents. The
    function raises InvalidValueError if a face of a cube is not a square.
    """
    is_cube = make in DICE and DICE[make].shape == "rect"

    def build(piece: Piece) -> Piece:
        if is_cube and abs(piece.size.w - piece.size.h) > EPSILON:
            size = f"{number(piece.size.w)} x {number(piece.size.h)} mm"
            raise InvalidValueError(
                f"{piece.component}: the faces of a die must be square, not {size}",
                "a square, such as 16mm",
            )
        return fold_piece(piece, *_flat_net(make, piece.size, piece.depth, piece.bleed))

    return build
