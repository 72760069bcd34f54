"""What the stage gives: runs and icons at their places, all in mm."""

from dataclasses import dataclass

from generator.core.fonts import FontFile
from generator.core.geometry import Rect


@dataclass(frozen=True)
class Run:
    """A piece of text in one font and one direction, to be drawn as one SVG `<text>` without an anchor.

    `x` is the left edge in either direction, `y` the baseline. A run that reads from right to left carries, where
    its ends are not letters, a right-to-left mark, so that any engine orders it right from the left edge on.
    `width` is the advance, without the letter spacing after the last letter. Spaces count: `xml:space="preserve"`.
    `small_caps` asks for `font-variant="small-caps"`; the font has them.
    """

    text: str
    font: FontFile
    size: float
    x: float
    y: float
    colour: str
    spacing: float
    width: float
    small_caps: bool = False


@dataclass(frozen=True)
class InlineIcon:
    """A picture that stands in a line of text, as large as its box."""

    name: str
    box: Rect
    colour: str


@dataclass(frozen=True)
class Block:
    """A text as it is set: `size` is what it came down to, `box` the bounds of its ink, `lines` how many it takes."""

    runs: tuple[Run, ...]
    icons: tuple[InlineIcon, ...]
    size: float
    box: Rect
    lines: int
