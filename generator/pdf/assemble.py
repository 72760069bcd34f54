"""Pictures that are put together of faces: each face stays a form of its own, however many pictures show it."""

from collections.abc import Callable, Sequence
from math import cos, radians, sin

import pikepdf

from generator.core.geometry import Point
from generator.core.units import number, points
from generator.draw.face import Face, Part

FINE = 6
"""Digits of a turn: a third of a millimetre in a kilometre."""

_ARC = 0.5522847
"""How far the handles of a quarter circle reach, as a share of its radius."""


def assembled(pdf: pikepdf.Pdf, face: Face, form: Callable[[Face], pikepdf.Object]) -> pikepdf.Object:
    """The form of a picture that shows the forms of its parts."""
    names = {name: f"/F{number}" for number, name in enumerate(dict.fromkeys(part.face.name for part in face.parts))}
    used = pikepdf.Dictionary({names[part.face.name]: form(part.face) for part in face.parts})
    height = points(face.size.h)
    lines = [f"q {_matrix(part, height)} cm {_clip(part)} {names[part.face.name]} Do Q" for part in face.parts]
    made = pdf.make_stream("\n".join(lines).encode())
    made.Type, made.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    made.BBox = pikepdf.Array([0, 0, *(round(points(side), FINE) for side in face.size)])
    made.Resources = pikepdf.Dictionary(XObject=used)
    return pdf.make_indirect(made)


def _matrix(part: Part, height: float) -> str:
    """From the face's form, which begins at the lower left of its bleed, to its place and turn in the picture."""
    c, s = part.scale * cos(radians(part.turn)), part.scale * sin(radians(part.turn))
    middle = _in_form(part.face, Point(part.face.size.w / 2, part.face.size.h / 2))
    x = points(part.centre.x) - (c * middle.x + s * middle.y)
    y = height - points(part.centre.y) - (c * middle.y - s * middle.x)
    return " ".join(_fine(value) for value in (c, -s, s, c, x, y))


def _clip(part: Part) -> str:
    corners = [_in_form(part.face, corner) for corner in part.corners]
    return f"{_polygon(corners) if corners else _circle(part.face)} W n"


def _polygon(corners: Sequence[Point]) -> str:
    first, *rest = (f"{number(corner.x)} {number(corner.y)}" for corner in corners)
    return f"{first} m {' '.join(f'{corner} l' for corner in rest)} h"


def _circle(face: Face) -> str:
    """The circle in a trim, in four curves."""
    middle, r = _in_form(face, Point(face.size.w / 2, face.size.h / 2)), points(face.size.w / 2)
    quarters = [(Point(0, r), Point(r, 0)), (Point(r, 0), Point(0, -r)), (Point(0, -r), Point(-r, 0))]
    quarters.append((Point(-r, 0), Point(0, r)))
    curves = []
    for start, end in quarters:
        run = [middle + start + end.scaled(_ARC), middle + end + start.scaled(_ARC), middle + end]
        curves.append(" ".join(f"{number(p.x)} {number(p.y)}" for p in run) + " c")
    return f"{number(middle.x)} {number(middle.y + r)} m {' '.join(curves)} h"


def _in_form(face: Face, at: Point) -> Point:
    """A place of a face (mm from its trim's top left) in its form: points, from the lower left of the bleed."""
    return Point(points(at.x + face.bleed), points(face.size.h + face.bleed - at.y))


def _fine(value: float) -> str:
    return f"{round(value, FINE) + 0.0:.{FINE}f}".rstrip("0").rstrip(".")
