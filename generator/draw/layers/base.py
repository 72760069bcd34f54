"""The base classes of all kinds of layers, and of the parts that layers are made of."""

from abc import abstractmethod

from pydantic import BaseModel, ConfigDict

from generator.draw.canvas import Canvas
from generator.pack.fields import Share
from generator.pack.game import Layer


class DrawnLayer(Layer):
    """A layer that can draw itself; `opacity` is from 0 to 1."""

    opacity: Share = 1.0

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draw the layer over the content of the canvas."""


class LayerPart(BaseModel):
    """A part of a layer that has fields of its own, such as a shape."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True
    )
