"""The edges of a cut: the pairs of places inside and in the bleed to compare, and the pieces that share a cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from generator.base.geometry import Point
from generator.base.outline import Outline
from generator.pack.game import Component

SAMPLE_INSIDE_MM = 0.3
"""Distance inside the trim in mm at which colour is sampled, clear of antialiased pixels at the trim."""

SAMPLE_OUTSIDE_SHARE = 0.6
"""Distance outside the trim at which colour is sampled, as a share of the bleed."""

SIDE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "n": "top",
        "ne": "top right",
        "e": "right",
        "se": "bottom right",
        "s": "bottom",
        "sw": "bottom left",
        "w": "left",
        "nw": "top left",
    }
)
"""The names of sides in messages, by their names in link notation."""

SIMILAR_LEVELS = 48
"""Levels of 255 by which a channel of two colours may differ, and a sliver still passes for the neighbour's.

A judgement: a higher value misses slivers of a visibly different colour.
"""
GUIDED_CUT_MM = 1.0
"""Distance in mm by which a blade along a ruler may stray from its line, as a judgement."""

Pair = tuple[Point, Point]
"""A place inside the trim and the place opposite in the bleed, in mm from the trim's top left."""


def edge_pairs(outline: Outline, bleed: float, step: float) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the name of each edge with the places to compare, `step` mm apart."""
    for side in outline.sides:
        yield (
            SIDE_NAMES.get(side.port, side.port),
            list(_straight_places(side.start, side.end, bleed, step)),
        )
    if not outline.sides:
        yield "all round", list(_curve_places(outline, bleed, step))


def _straight_places(a: Point, b: Point, bleed: float, step: float) -> Iterator[Pair]:
    along = (b - a).unit()
    inwards = along.turned(90)
    for count in range(int(((b - a).length() - 2 * SAMPLE_INSIDE_MM) / step)):
        place = a + along.scaled(SAMPLE_INSIDE_MM + count * step)
        yield (
            place + inwards.scaled(SAMPLE_INSIDE_MM),
            place - inwards.scaled(SAMPLE_OUTSIDE_SHARE * bleed),
        )


def _curve_places(outline: Outline, bleed: float, step: float) -> Iterator[Pair]:
    """Yield the places to sample along a curve, whose pieces between two points are nearly straight."""
    for a, b in pairwise((*outline.flat, outline.flat[0])):
        along = (b - a).unit()
        inwards = along.turned(90)
        for count in range(max(1, round((b - a).length() / step))):
            place = a + along.scaled(count * step)
            yield (
                place + inwards.scaled(SAMPLE_INSIDE_MM),
                place - inwards.scaled(SAMPLE_OUTSIDE_SHARE * bleed),
            )


def shares_cuts(spec: Component) -> bool:
    """Return True if pieces lie so close together that a slightly misplaced cut reaches a neighbour."""
    return spec.gutter is not None and spec.gutter < min(GUIDED_CUT_MM, 2 * spec.bleed)


def are_similar(colours: Iterable[Sequence[float]]) -> bool:
    """Return True if colours, each with its channels from 0 to 255, look equal next to a cut."""
    return all(
        max(channel) - min(channel) <= SIMILAR_LEVELS for channel in zip(*colours, strict=True)
    )
