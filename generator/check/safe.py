"""How near to the cut something stands that must not be cut: a text by its box, a feature by what its picture shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.core.geometry import EPSILON, Point, Rect
from generator.core.outline import Outline
from generator.draw.face import Ink
from generator.pack.game import Asset
from generator.preview.raster import Rasteriser

Rims = Callable[[Asset], tuple[tuple[float, float], ...]]
"""Where pictures end, in parts of their boxes."""


def gap(ink: Ink, outline: Outline, safe: float, rims: Rims) -> float:
    """How far inside the outline it lies (mm), less than 0 where it is cut; exactly so only where that is not safe."""
    found = box_gap(ink.box, outline)
    if found >= safe or not ink.corners:
        return found
    return max(found, min((outline.depth(place) for place in _rim_of(ink, rims)), default=found))


HALF = 127
SEEN = 192
"""Pixels across a picture, by which it is told where it has ink."""


def _rim_of(ink: Ink, rims: Rims) -> Iterator[Point]:
    """Where something ends: the corners of its box, or in each row of pixels the first and the last of its picture."""
    if ink.art is None:
        yield from ink.corners
        return
    start, right, _, below = ink.corners
    for x, y in rims(ink.art):
        yield start + (right - start).scaled(x) + (below - start).scaled(y)


def rim(raster: Rasteriser, art: Asset) -> tuple[tuple[float, float], ...]:
    """The rim of a picture in parts of its box; the whole box where that cannot be told."""
    svg = art.svg or (art.path.read_text("utf-8", errors="replace") if art.path.suffix.lower() == ".svg" else "")
    if "viewBox" not in svg:
        return (0, 0), (1, 0), (1, 1), (0, 1)
    inked = raster.svg(svg, SEEN, SEEN).getchannel("A").point(lambda level: 255 * (level > HALF))
    rows = ((y, inked.crop((0, y, SEEN, y + 1)).getbbox()) for y in range(SEEN))
    ends = ((y, at) for y, box in rows if box for at in (box[0], box[2]))
    return tuple((x / SEEN, (y + down) / SEEN) for y, x in ends for down in (0, 1))


def box_gap(box: Rect, outline: Outline) -> float:
    """How far inside the outline a box lies, at its nearest corner; a corner of a bay may lie in it."""
    inside = any(box.grown(-EPSILON).holds(Rect(*corner, 0, 0)) for corner in outline.core)
    places = [Point(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    gap = min(outline.depth(place) for place in places)
    return min(gap, -EPSILON) if inside and not outline.is_convex else gap
