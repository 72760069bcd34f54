"""Text in art: a family that is not in the font set would vanish without a word, so it is an error here."""

import re

from generator.draw.art import Art, local
from generator.errors import Kind, Wrong, nearest
from generator.fonts import FontSet

GENERIC = {"serif": "Alegreya", "sans-serif": "Alegreya Sans", "monospace": "Fira Sans Condensed"}
"""What art means by a family that is none, from the fonts that come with the program."""

_FAMILY = re.compile(r"font-family\s*:\s*([^;}]+)")
_SHORTHAND = re.compile(r"(\bfont\s*:)([^;}]*?\d[\w.%]*(?:\s*/\s*[\w.%]+)?)\s+([^;}]+)")
"""`font: bold 12px/1.2 Family`: what precedes the family ends with the size."""


def check_fonts(art: Art, fonts: FontSet) -> None:
    """Make every family that the art names one of the set, or say which cannot be."""
    has_text = any(local(element.tag) == "text" for element in art.root.iter())
    if not has_text:
        return
    for element in art.root.iter():
        if family := element.get("font-family"):
            element.set("font-family", _resolved(family, art, fonts))
        if style := element.get("style"):
            element.set("style", _in_css(style, art, fonts))
        if local(element.tag) == "style" and element.text:
            element.text = _in_css(element.text, art, fonts)
    if not art.root.get("font-family"):
        art.root.set("font-family", GENERIC["sans-serif"])


def _in_css(css: str, art: Art, fonts: FontSet) -> str:
    css = _SHORTHAND.sub(lambda match: f"{match[1]}{match[2]} {_resolved(match[3], art, fonts)}", css)
    return _FAMILY.sub(lambda match: f"font-family:{_resolved(match[1], art, fonts)}", css)


def _resolved(families: str, art: Art, fonts: FontSet) -> str:
    names = [name.strip().strip("'\"") for name in families.split(",")]
    for name in names:
        if name in fonts.families:
            return f"'{name}'"
        if name in GENERIC:
            return f"'{GENERIC[name]}'"
    raise Wrong(
        f"{art.name} sets text in {names[0]!r}, which is not in the font set",
        f"one of: {', '.join(fonts.families)}",
        nearest(names[0], fonts.families)
        or "put the font file into the pack's fonts/ folder, or convert the text to paths",
        Kind.MISSING,
    )
