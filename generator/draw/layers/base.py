"""What every kind of layer has: its fields, and how it is drawn."""

from abc import abstractmethod

from generator.draw.canvas import Canvas
from generator.pack.fields import Share
from generator.pack.game import Layer


class DrawnLayer(Layer):
    """A layer that can draw itself; `opacity` is how much of it is seen, from 0 to 1."""

    opacity: Share = 1.0

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Put the layer on the canvas, over what is there."""
