"""`arrow: [A1, B2]`, `path: [A1, B1, B2]` — from here to there, and a move in numbered steps."""

from itertools import pairwise
from typing import ClassVar

from generator.core.geometry import Point
from generator.core.problems import Wrong
from generator.figure.overlays.base import Ink, Overlay
from generator.figure.pen import BAD, Pen
from generator.figure.spots import Ground
from generator.pack.fields import Bool, Length, Real, Text


class Arrow(Overlay):
    """An arrow from one spot to another."""

    main: ClassVar[str] = "arrow"
    arrow: list[Text]
    colour: Ink = BAD
    width: Length = 1.2

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw it."""
        if len(self.arrow) != 2:
            raise Wrong(f"an arrow of {len(self.arrow)} spots", "two: where it begins and where it points")
        pen.way([ground.spot(text) for text in self.arrow], self.colour, self.width)


class Path(Overlay):
    """A way over the board, its steps numbered from 1 unless it says otherwise.

    It goes straight from spot to spot, or keeps to the links whose kinds it is to `follow`; `round` is how far from
    a corner it begins to turn, in tiles.
    """

    main: ClassVar[str] = "path"
    path: list[Text]
    follow: tuple[Text, ...] | Text = ()
    round: Real = 0.5
    numbers: Bool = True
    colour: Ink = BAD
    width: Length = 1.2

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw the line, then the numbers on every spot but the first."""
        spots = [ground.spot(text) for text in self.path]
        if len(spots) < 2:
            raise Wrong("a path of one spot", "two spots or more")
        points, rounding = (self._along(ground, spots), self.round * ground.tile) if self.follow else (spots, 0.0)
        pen.way(points, self.colour, self.width, rounding)
        for step, spot in enumerate(spots[1:] if self.numbers else (), 1):
            pen.numeral(str(step), spot, self.colour)

    def _along(self, ground: Ground, spots: list[Point]) -> list[Point]:
        """The spots, and between two of them the middle of the side by which their tiles are joined."""
        kinds = (self.follow,) if isinstance(self.follow, str) else self.follow
        places = [ground.place_of(text) for text in self.path]
        points = spots[:1]
        for (here, there), spot in zip(pairwise(places), spots[1:], strict=True):
            points += [spot] if here == there else [ground.between(here, there, kinds), spot]
        return points
