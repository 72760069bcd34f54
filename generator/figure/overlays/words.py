"""`label: a hydrant`, `number: 3` — words and numbers on a figure."""

from typing import ClassVar

from generator.figure.overlays.base import Overlay
from generator.figure.pen import INK, Pen
from generator.figure.spots import Ground
from generator.pack.fields import Text


class Label(Overlay):
    """Words at a spot, with a line to what they name."""

    main: ClassVar[str] = "label"
    label: Text
    at: Text
    to: Text | None = None

    @property
    def text(self) -> str:
        """The label."""
        return self.label

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Write the words; the line starts at the edge of their slip."""
        at = ground.spot(self.at)
        if self.to is not None:
            target = ground.spot(self.to)
            pen.line([at, target], INK, 0.45)
            pen.circle(target, 0.9, INK)
        pen.words(self.label, at)


class Number(Overlay):
    """A number in a disc."""

    main: ClassVar[str] = "number"
    number: Text
    at: Text

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Write it."""
        pen.numeral(self.number, ground.spot(self.at))
