"""Cut marks: one file a style, and the table of them."""

from collections.abc import Mapping
from types import MappingProxyType

from generator.core.problems import unknown
from generator.impose.marks import corners, crosshair, none, ticks
from generator.impose.marks.style import Style

STYLES: Mapping[str, Style] = MappingProxyType(
    {row.name: row for row in (crosshair.STYLE, ticks.STYLE, corners.STYLE, none.STYLE)}
)


def style(name: str) -> Style:
    """The style of that name."""
    if name not in STYLES:
        raise unknown("marks", name, STYLES)
    return STYLES[name]
