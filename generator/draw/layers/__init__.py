"""The kinds of layers by their key in a layout. Related kinds share a module."""

from collections.abc import Mapping

from generator.draw.canvas import DrawnLayer
from generator.draw.layers.links import Links
from generator.draw.layers.pictures import Icon, ImageLayer, Repeat, Svg
from generator.draw.layers.shapes import Fill, FrameLayer, ShapeLayer
from generator.draw.layers.table import TableLayer
from generator.draw.layers.text import BlocksLayer, TextLayer

LAYERS: Mapping[str, type[DrawnLayer]] = {
    "blocks": BlocksLayer,
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
