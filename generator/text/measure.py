"""How wide a text is on one line."""

from generator.core.fonts import FontFile
from generator.core.geometry import Rect
from generator.text import bidi
from generator.text.shape import Look, Shaped, shape


def measure(text: str, font: FontFile, size: float, spacing: float = 0.0, features: tuple[str, ...] = ()) -> float:
    """The advance in mm of plain text without markup, and without the spacing after its last letter.

    It is what resvg and typst draw for one `<text>` of that size and letter spacing (mm); `("smcp",)` are small caps.
    Text of both directions is not measured here but set.
    """
    return size * _shaped(text, font, size, spacing, features).width


def measure_ink(
    text: str, font: FontFile, size: float, spacing: float = 0.0, features: tuple[str, ...] = ()
) -> Rect | None:
    """The bounds of its ink in mm, from where it begins on its baseline; none where nothing is inked."""
    ink = _shaped(text, font, size, spacing, features).ink
    return Rect(*(size * side for side in ink)) if ink else None


def _shaped(text: str, font: FontFile, size: float, spacing: float, features: tuple[str, ...]) -> Shaped:
    return shape(text, Look(font, features, spacing / size), bidi.direction(bidi.base_level(text)))
