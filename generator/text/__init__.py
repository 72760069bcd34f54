"""Text: a string, a style and a box become placed glyph runs.

markup ─▶ paragraph (shape, bidi, breaks) ─▶ lines ─▶ place ─▶ fit
Up to `place` all lengths are in em, multiples of the type size, so that a text is shaped once even
if several sizes are tried.
"""

from generator.text.bidi import has_rtl, is_rtl_language
from generator.text.fit import OverflowingTextError, TextSpace, set_text
from generator.text.lines import Block, InlineIcon, split_letters
from generator.text.shape import measure

__all__ = [
    "Block",
    "InlineIcon",
    "OverflowingTextError",
    "TextSpace",
    "has_rtl",
    "is_rtl_language",
    "measure",
    "set_text",
    "split_letters",
]
