"""How text looks and how links look: plain values that a pack names and the stages after it use."""

from dataclasses import dataclass
from enum import StrEnum


class Align(StrEnum):
    """Where the lines of a text stand across their box."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    JUSTIFY = "justify"


class VAlign(StrEnum):
    """Where a text stands down its box."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


class Caps(StrEnum):
    """How letters are set: as they are written, as small capitals (the font must have them), or in capitals."""

    NORMAL = "normal"
    SMALL = "small"
    UPPER = "upper"


@dataclass(frozen=True)
class Style:
    """A text style; `size` and `spacing` in mm, `leading` as a multiple of the size."""

    font: str = "Alegreya Sans"
    weight: int = 400
    italic: bool = False
    size: float = 3.5
    colour: str = "#000000"
    align: Align = Align.LEFT
    valign: VAlign = VAlign.TOP
    leading: float = 1.2
    spacing: float = 0.0
    caps: Caps = Caps.NORMAL
    hyphenate: bool = False


@dataclass(frozen=True)
class Stroke:
    """A line's width in mm and its colour."""

    width: float
    colour: str


@dataclass(frozen=True)
class LinkStyle:
    """How a kind of link is drawn; `width` in mm without the casing on either side.

    `fill` is the ground colour, `ink` the colour of its pattern. `cap` says how it ends inside the tile.
    """

    width: float
    fill: str
    casing: Stroke | None = None
    pattern: str = "solid"
    ink: str = "#000000"
    cap: str = "round"
