"""Folded nets as meshes (OBJ) for virtual tables, and the turns that put each face on top.

A net is seen from outside, x to the right and y down. A mesh has y up, and the corners of a face
run anticlockwise. A table has x reversed and turns things by degrees about z, then x, then y.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, degrees, hypot

from generator.base import polygon
from generator.base.units import MM_PER_INCH, fine
from generator.impose.nets.net import Corners, FlatNet, NetPlan, Vector, find_normal


@dataclass(frozen=True)
class FoldedMesh:
    """A folded net: the panels of its faces in order, and the columns and rows of faces on its picture."""

    plan: NetPlan
    panels: tuple[int, ...]
    columns: int
    rows: int

    @property
    def obj(self) -> str:
        """The mesh in inches around its centre; each face shows its cell of the picture."""
        lines = ["# a net, folded"]
        corner = 1
        for index, panel in enumerate(self.panels):
            space = self._space[panel]
            lines += ["v " + " ".join(fine(part) for part in place) for place in space]
            lines += [
                f"vt {fine(u)} {fine(v)}"
                for u, v in self._texture_places(index, self.plan.panels[panel].corners)
            ]
            lines.append("vn " + " ".join(fine(part) for part in find_normal(self._space[panel])))
            around = range(corner + len(space) - 1, corner - 1, -1)
            lines.append("f " + " ".join(f"{at}/{at}/{index + 1}" for at in around))
            corner += len(space)
        return "\n".join([*lines, ""])

    @cached_property
    def _space(self) -> tuple[tuple[Vector, ...], ...]:
        """All panels in inches around the centre.

        Axes: right, up, and towards the viewer of the first panel.
        """
        flat = FlatNet(self.plan, 0)
        folded = [
            [flat.fold_point(number, place) for place in panel]
            for number, panel in enumerate(flat.panels)
        ]
        visible = [place for index in self.panels for place in folded[index]]
        middle = [sum(axis) / len(visible) for axis in zip(*visible, strict=True)]
        return tuple(tuple(_in_inches(place, middle) for place in panel) for panel in folded)

    def _texture_places(self, index: int, corners: Corners) -> Iterator[tuple[float, float]]:
        """Yield the texture coordinates of a face's corners, from the picture's bottom left."""
        box = polygon.round_all(corners)
        column = index % self.columns
        row = index // self.columns
        for place in corners:
            u = (place.x - box.x) / box.w
            v = (place.y - box.y) / box.h
            yield (column + u) / self.columns, 1 - (row + v) / self.rows

    def find_turns(self) -> tuple[dict[str, float], ...]:
        """Return the turns that put each face on top; or at the bottom, if no face is opposite."""
        looks = [find_normal(self._space[panel]) for panel in self.panels]
        return tuple(
            _turn_upwards(look, -1 if _has_no_opposite(look, looks) else 1) for look in looks
        )


def _in_inches(place: Vector, middle: Sequence[float]) -> Vector:
    x, y, z = (part - centre for part, centre in zip(place, middle, strict=True))
    return x / MM_PER_INCH, -y / MM_PER_INCH, -z / MM_PER_INCH


def _has_no_opposite(look: Vector, looks: Sequence[Vector]) -> bool:
    """Return True if no other face looks in the opposite direction."""
    return all(sum(a * b for a, b in zip(look, other, strict=True)) > -0.99 for other in looks)


def _turn_upwards(look: Vector, sign: int) -> dict[str, float]:
    a = -look[0] * sign
    b = look[1] * sign
    c = look[2] * sign
    return {
        "x": round(degrees(atan2(-c, hypot(a, b))), 3),
        "y": 0.0,
        "z": round(degrees(atan2(a, b)), 3),
    }
