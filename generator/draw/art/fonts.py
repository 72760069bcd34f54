"""Text in art: a font that is not in the font set would vanish without a word, so it is an error here.

Families, weights and slopes must be there as the picture asks for them; there
is no second best, unless the pack names a family that stands for another. The generic families stand for ours.
"""

import re
from xml.etree import ElementTree as ET

from generator.core.fonts import FontFile, FontSet
from generator.core.problems import Kind, Wrong, nearest
from generator.draw.art.computed import Computed, walk
from generator.draw.art.model import Art, styled
from generator.text.shape import check_characters

GENERIC = {"serif": "Alegreya", "sans-serif": "Alegreya Sans", "monospace": "Fira Sans Condensed"}
"""What art means by a family that is none, from the fonts that come with the program."""
ALSO_GENERIC = {"sans": "sans-serif", "system-ui": "sans-serif", "ui-sans-serif": "sans-serif", "ui-serif": "serif"}

_NAME = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([^,]+))")
TEXT = {"text", "tspan", "textPath"}


def set_fonts(art: Art, fonts: FontSet) -> None:
    """Name the font file's own family, weight and slope on every text, or say which cannot be."""
    for at in walk(art.root):
        text = own_text(at)
        if text.strip():
            font = font_of(at, art.name, fonts)
            _check(text, font, art.name, fonts)
            _write(at.element, font)


def own_text(at: Computed) -> str:
    """The characters that an element sets itself, and those that stand behind its children."""
    if at.element.tag not in TEXT or at.value("display", "inline") == "none":
        return ""
    return (at.element.text or "") + "".join(child.tail or "" for child in at.element)


def font_of(at: Computed, name: str, fonts: FontSet) -> FontFile:
    """The font file that an element's text is set in."""
    weight, italic = int(at.value("font-weight", "400")), at.value("font-style", "normal") != "normal"
    families = [next(filter(None, match)).strip() for match in _NAME.findall(at.value("font-family", "sans-serif"))]
    for family in families:
        postscript = {file.path.stem: file for file in fonts.files}.get(family)
        if postscript:
            return postscript
        known = _known(family, at.value("font-stretch", "normal"), fonts)
        if known:
            return _find(fonts, known, weight, name, italic=italic)
        if other := fonts.standing_for(family, weight, italic=italic):
            return other
    raise Wrong(
        f"{name} sets text in {families[0]!r}, which is not in the font set",
        f"one of: {', '.join(fonts.families)}",
        nearest(families[0], fonts.families)
        or "put the font file into the pack's fonts/ folder, say in game.yaml what stands for it "
        f"(`fonts: {{{families[0]}: {fonts.families[0]}}}`), or convert the text to paths",
        Kind.MISSING,
    )


def _known(family: str, stretch: str, fonts: FontSet) -> str | None:
    """The family of the set that is meant: its own name, with the width that is asked for, or a generic one."""
    by_lower = {known.lower(): known for known in fonts.families}
    wide = f"{family} {stretch}".lower()
    if stretch != "normal" and wide in by_lower:
        return by_lower[wide]
    generic = GENERIC.get(ALSO_GENERIC.get(family.lower(), family.lower()))
    return by_lower.get(family.lower(), generic)


def _find(fonts: FontSet, family: str, weight: int, name: str, *, italic: bool) -> FontFile:
    try:
        return fonts.find(family, weight, italic=italic)
    except Wrong as wrong:
        raise Wrong(
            f"{name} sets text in a font that is not there: {wrong.found}", wrong.expected, wrong.hint, wrong.kind
        ) from wrong


def _check(text: str, font: FontFile, name: str, fonts: FontSet) -> None:
    try:
        check_characters(re.sub(r"\s", "", text), font, fonts)
    except Wrong as wrong:
        raise Wrong(f"{name}: {wrong.found}", wrong.expected, wrong.hint, wrong.kind) from wrong


def _write(element: ET.Element, font: FontFile) -> None:
    families = ", ".join(f"'{name}'" for name in font.names)
    slope = "italic" if font.italic else "normal"
    styled(element, font_family=families, font_weight=str(font.weight), font_style=slope, font_stretch="normal")
