"""The base class of all kinds of layers."""

from abc import abstractmethod

from generator.draw.canvas import Canvas
from generator.pack.fields import Share
from generator.pack.game import Layer


class DrawnLayer(Layer):
    """A layer that can draw itself; `opacity` is from 0 to 1."""

    opacity: Share = 1.0

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draw the layer over the content of the canvas."""
