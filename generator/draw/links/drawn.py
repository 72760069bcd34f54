"""A link on its way to being shapes: what was written, the area that it covers, and how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import dist

from generator.core.geometry import Point
from generator.draw.links.body import Body, samples
from generator.pack.game import LinkStyle
from generator.pack.tile import Link

HALO = 0.09
"""The clear gap beside a link that crosses over another, as a share of its width; from `HALO_MIN` to `HALO_MAX` mm."""

HALO_MIN, HALO_MAX = 0.5, 1.1


@dataclass(frozen=True)
class Drawn:
    """A link with its body and its style."""

    link: Link
    body: Body
    style: LinkStyle

    @property
    def casing(self) -> float:
        """The casing's width on either side, in mm."""
        return self.style.casing.width if self.style.casing else 0.0

    @cached_property
    def places(self) -> tuple[Point, ...]:
        """Places along the body's middle, near enough to each other to measure distances from."""
        return tuple(samples(self.body))

    @property
    def halo(self) -> float:
        """How far the clear gap reaches outside the link's edge, in mm, casing and all."""
        return self.casing + min(max(HALO * self.style.width, HALO_MIN), HALO_MAX)

    def distance(self, place: Point) -> float:
        """From a place to the rim of the casing, in mm; negative on the link."""
        return min(dist(place, other) for other in self.places) - self.body.half - self.casing
