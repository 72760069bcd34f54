"""What lies over what: casing, fill and pattern of each link, and the clear gap where one crosses over another."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import dist

from generator.core.geometry import Rect
from generator.core.units import number
from generator.draw.links.body import outline
from generator.draw.links.drawn import Drawn
from generator.draw.links.patterns import pattern_named
from generator.draw.links.primitives import Clipped, Filled, Primitive


def compose(drawn: Iterable[Drawn], sheet: Rect) -> tuple[Primitive, ...]:
    """All links, the later over the earlier; `sheet` is the tile with its bleed."""
    layers = _layers(drawn)
    shapes: list[Primitive] = []
    for i, layer in enumerate(layers):
        above = [upper for later in layers[i + 1 :] for upper in later]
        parts = _shapes(layer)
        for upper in above:
            if any(_touch(upper, lower) for lower in layer):
                parts = (Clipped(_all_but(upper, sheet), parts),)
        shapes.extend(parts)
    return tuple(shapes)


def _layers(drawn: Iterable[Drawn]) -> list[list[Drawn]]:
    """Links that lie in one plane: those of one kind that share a port are one shape, all others pass over or under."""
    layers: list[list[Drawn]] = []
    for one in drawn:
        for layer in layers:
            if any(one.link.kind == other.link.kind and {*one.link.ports} & {*other.link.ports} for other in layer):
                layer.append(one)
                break
        else:
            layers.append([one])
    return layers


def _shapes(layer: list[Drawn]) -> tuple[Primitive, ...]:
    """Every casing first, then every fill, then the patterns: so nothing shows a seam where links join."""
    casings = (
        Filled(outline(one.body, one.style.casing.width), one.style.casing.colour) for one in layer if one.style.casing
    )
    fills = (Filled(outline(one.body, 0), one.style.fill) for one in layer)
    patterns = (part for one in layer for part in pattern_named(one.style.pattern).draw(one.body, one.style))
    return (*casings, *fills, *patterns)


def _touch(upper: Drawn, lower: Drawn) -> bool:
    near = upper.body.half + upper.halo + lower.body.half + lower.casing
    return any(dist(a, b) < near for a, b in product(upper.places, lower.places))


def _all_but(upper: Drawn, sheet: Rect) -> str:
    """The whole sheet with a hole where the upper link and its halo lie."""
    left, top, right, bottom = (number(v) for v in (sheet.x, sheet.y, sheet.right, sheet.bottom))
    return f"M{left} {top}H{right}V{bottom}H{left}Z" + outline(upper.body, upper.halo)
