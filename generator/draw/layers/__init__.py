"""The kinds of layers: one file a kind, found by this table. A kind's key in a layout is its name here."""

from generator.draw.layers.base import DrawnLayer
from generator.draw.layers.fill import Fill
from generator.draw.layers.frame import FrameLayer
from generator.draw.layers.icon import Icon
from generator.draw.layers.image import ImageLayer
from generator.draw.layers.links import Links
from generator.draw.layers.repeat import Repeat
from generator.draw.layers.shape import ShapeLayer
from generator.draw.layers.svg import Svg
from generator.draw.layers.table import TableLayer
from generator.draw.layers.text import TextLayer

LAYERS: dict[str, type[DrawnLayer]] = {
    "fill": Fill,
    "frame": FrameLayer,
    "icon": Icon,
    "image": ImageLayer,
    "links": Links,
    "repeat": Repeat,
    "shape": ShapeLayer,
    "svg": Svg,
    "table": TableLayer,
    "text": TextLayer,
}
