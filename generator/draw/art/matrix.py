"""Transformations as SVG has them: x' = a x + c y + e, y' = b x + d y + f."""

import re
from math import cos, hypot, radians, sin, tan
from typing import NamedTuple

from generator.geometry import Point

_STEP = re.compile(r"([a-zA-Z]+)\s*\(([^)]*)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


class Matrix(NamedTuple):
    """`a b c d e f` of SVG's `matrix()`."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __matmul__(self, inner: "Matrix") -> "Matrix":
        """First the inner transformation, then this."""
        x, y, shift = (self.turned(Point(*pair)) for pair in (inner[:2], inner[2:4], inner[4:]))
        return Matrix(*x, *y, shift.x + self.e, shift.y + self.f)

    def turned(self, vector: Point) -> Point:
        """A vector, without the shift."""
        return Point(self.a * vector.x + self.c * vector.y, self.b * vector.x + self.d * vector.y)

    def moved(self, point: Point) -> Point:
        """A place."""
        x, y = self.turned(point)
        return Point(x + self.e, y + self.f)

    @property
    def scale(self) -> float:
        """How much longer things become, on the whole."""
        return float(abs(self.a * self.d - self.b * self.c) ** 0.5)

    @property
    def least(self) -> float:
        """How much longer an axis becomes, the one that grows least."""
        return min(hypot(self.a, self.b), hypot(self.c, self.d))


IDENTITY = Matrix()


def read_transform(text: str) -> Matrix:
    """The matrix of a `transform`; what is not known leaves things where they are, as in the engines."""
    matrix = IDENTITY
    for kind, inside in _STEP.findall(text):
        matrix = matrix @ _step(kind, [float(number) for number in _NUMBER.findall(inside)])
    return matrix


def _step(kind: str, n: list[float]) -> Matrix:
    if kind == "matrix" and len(n) == 6:
        return Matrix(*n)
    if kind == "translate" and n:
        return Matrix(e=n[0], f=n[1] if len(n) > 1 else 0.0)
    if kind == "scale" and n:
        return Matrix(a=n[0], d=n[-1])
    if kind == "rotate" and n:
        c, s = cos(radians(n[0])), sin(radians(n[0]))
        x, y = n[1:3] if len(n) == 3 else (0.0, 0.0)
        return Matrix(e=x, f=y) @ Matrix(c, s, -s, c) @ Matrix(e=-x, f=-y)
    if kind in {"skewX", "skewY"} and n:
        slope = tan(radians(n[0]))
        return Matrix(c=slope) if kind == "skewX" else Matrix(b=slope)
    return IDENTITY
