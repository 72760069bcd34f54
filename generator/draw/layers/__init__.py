"""The kinds of layers, found by this table; its keys are those of a layout. What is alike stands in one file.

A kind is imported when a pack asks for it.
"""

from collections.abc import Mapping

from generator.core.values import Late, at
from generator.draw.layers.base import DrawnLayer

LAYERS: Mapping[str, type[DrawnLayer]] = Late(
    {
        "blocks": at(f"{__name__}.blocks:BlocksLayer"),
        "fill": at(f"{__name__}.shapes:Fill"),
        "frame": at(f"{__name__}.shapes:FrameLayer"),
        "icon": at(f"{__name__}.shapes:Icon"),
        "image": at(f"{__name__}.shapes:ImageLayer"),
        "links": at(f"{__name__}.links:Links"),
        "repeat": at(f"{__name__}.shapes:Repeat"),
        "shape": at(f"{__name__}.shapes:ShapeLayer"),
        "svg": at(f"{__name__}.shapes:Svg"),
        "table": at(f"{__name__}.table:TableLayer"),
        "text": at(f"{__name__}.text:TextLayer"),
    }
)
