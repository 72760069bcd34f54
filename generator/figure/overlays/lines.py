"""`arrow: [A1, B2]`, `path: [A1, B1, B2]` — from here to there, and a move in numbered steps."""

from itertools import pairwise
from typing import ClassVar

from generator.errors import Wrong
from generator.figure.overlays.base import Overlay
from generator.figure.pen import BAD, Pen
from generator.figure.spots import Ground
from generator.pack.fields import Bool, Length, Text


class Arrow(Overlay):
    """An arrow from one spot to another."""

    main: ClassVar[str] = "arrow"
    arrow: list[Text]
    width: Length = 1.2

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw it."""
        if len(self.arrow) != 2:
            raise Wrong(f"an arrow of {len(self.arrow)} spots", "two: where it begins and where it points")
        start, end = (ground.spot(text) for text in self.arrow)
        pen.arrow(start, end, BAD, self.width)


class Path(Overlay):
    """A way over the board, its steps numbered from 1 unless it says otherwise."""

    main: ClassVar[str] = "path"
    path: list[Text]
    numbers: Bool = True
    width: Length = 1.2

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw the line, then the numbers on every spot but the first."""
        spots = [ground.spot(text) for text in self.path]
        if len(spots) < 2:
            raise Wrong("a path of one spot", "two spots or more")
        for start, end in pairwise(spots[:-1]):
            pen.line([start, end], BAD, self.width)
        pen.arrow(spots[-2], spots[-1], BAD, self.width)
        for step, spot in enumerate(spots[1:] if self.numbers else (), 1):
            pen.numeral(str(step), spot, BAD)
