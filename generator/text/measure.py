"""How wide a text is on one line."""

from generator.fonts import FontFile
from generator.text import bidi
from generator.text.shape import Look, shape


def measure(text: str, font: FontFile, size: float, spacing: float = 0.0, features: tuple[str, ...] = ()) -> float:
    """The advance in mm of plain text without markup, and without the spacing after its last letter.

    It is what resvg and typst draw for one `<text>` of that size and letter spacing (mm); `("smcp",)` are small caps.
    Text of both directions is not measured here but set.
    """
    look = Look(font, features, spacing / size)
    return size * shape(text, look, bidi.direction(bidi.base_level(text))).width
