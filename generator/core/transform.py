"""Moves of the plane as SVG writes them."""

import re
from math import cos, radians, sin, tan

from generator.core.geometry import IDENTITY, Affine

_STEP = re.compile(r"([a-zA-Z]+)\s*\(([^)]*)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


def read_transform(text: str) -> Affine:
    """The matrix of a `transform`; what is not known leaves things where they are, as in the engines."""
    matrix = IDENTITY
    for kind, inside in _STEP.findall(text):
        matrix = matrix @ _step(kind, [float(number) for number in _NUMBER.findall(inside)])
    return matrix


def _step(kind: str, n: list[float]) -> Affine:
    if kind == "matrix" and len(n) == 6:
        return Affine(*n)
    if kind == "translate" and n:
        return Affine(e=n[0], f=n[1] if len(n) > 1 else 0.0)
    if kind == "scale" and n:
        return Affine(a=n[0], d=n[-1])
    if kind == "rotate" and n:
        c, s = cos(radians(n[0])), sin(radians(n[0]))
        x, y = n[1:3] if len(n) == 3 else (0.0, 0.0)
        return Affine(e=x, f=y) @ Affine(c, s, -s, c) @ Affine(e=-x, f=-y)
    if kind in {"skewX", "skewY"} and n:
        slope = tan(radians(n[0]))
        return Affine(c=slope) if kind == "skewX" else Affine(b=slope)
    return IDENTITY
