"""The parts that a game's web pages share: its colours, the cover as a hero, and pictures that open large.

The pages need no script: a picture is a button that opens a popover with the same picture.
"""

from dataclasses import replace
from importlib.resources import files
from itertools import chain
from xml.etree import ElementTree as ET

import uharfbuzz as hb

from generator.base.fonts import FontFile, open_face, take_glyphs
from generator.base.html import Html, html
from generator.base.svg_table import SVG
from generator.picture.face import Face
from generator.picture.items import Art, art_of
from generator.picture.svg import art_data_address
from generator.picture.web_parts import css_text, font_face
from generator.rules.theme import BookletStyle, text_colour_on

# The parts of a theme that the pages show, as CSS variables.
PICTURES_IN_STYLE = ("head", "rule", "mark", "numeral", "bullet")

_HERO = """<header class="hero">
<div class="cover">$cover</div>
<div class="opening"><h1$hidden>$title</h1>
$inside</div>
</header>
"""
_LARGE = """<button class="enlarge" popovertarget="$id" aria-haspopup="dialog" title="$enlarge">$small</button>
<dialog class="large$wide" id="$id" popover aria-label="$label">
<button class="close" popovertarget="$id" popovertargetaction="hide" aria-label="$close" title="$close">✕</button>
$large</dialog>"""


def game_style(style: BookletStyle, heading: str) -> str:
    """Return the CSS of a game's pages: the colours and art of its style, and the rules that use them.

    `heading` is the name of the headings' font in the page.
    """
    theme = style.theme
    colours = {
        "colour": style.colour,
        "accent": style.accent,
        "band": style.heading_fill,
        "on-band": text_colour_on(style.heading_fill),
        "game-page": theme.page,
        "box": theme.box,
        "initial": theme.initial,
        "on-numeral": theme.on_numeral if theme.pictures.numeral else "",
        "frame": theme.frame[1] if theme.frame else "",
    }
    art = {
        name: f"url({_address(face)})"
        for name in PICTURES_IN_STYLE
        if (face := getattr(theme.pictures, name))
    }
    fonts = {"heading": css_text(heading), "weight": style.heading.weight}
    variables = ";".join(
        f"--{name}:{value}"
        for name, value in chain(fonts.items(), colours.items(), art.items())
        if value
    )
    return f".game{{{variables}}}\n{(files(__package__) / 'game.css').read_text('utf-8')}"


def _address(face: Face) -> str:
    """Return the data address of a theme's picture, which is one piece of art."""
    (art,) = art_of(face)
    return art_data_address(art)


def hero(style: BookletStyle, title: str, cover: Html, inside: Html) -> Html:
    """Return the head of a page: the cover beside the title and `inside`.

    On a lettered cover the title is in the picture, and the heading is for screen readers only.
    """
    is_hidden = style.cover is not None and style.theme.lettered
    return html(
        _HERO,
        cover=cover,
        hidden=html(' class="hidden"') if is_hidden else "",
        title=title,
        inside=inside,
    )


def enlarging(
    small: Html,
    large: Html,
    name: str,
    label: str,
    words: tuple[str, str],
    *,
    is_wide: bool = False,
) -> Html:
    """Return a picture that opens large at a click, a tap or Enter.

    `name` is the id of the popover, `words` are those for Enlarge and Close. A wide
    picture is scrolled sideways on a phone.
    """
    enlarge, close = words
    return html(
        _LARGE,
        small=small,
        large=large,
        id=name,
        label=label,
        enlarge=enlarge,
        close=close,
        wide=" wide" if is_wide else "",
    )


def art_with_fonts(art: Art) -> str:
    """Return the address of art that carries the fonts of its texts: a browser gives an image none of the page's."""
    if not art.fonts:
        return art_data_address(art)
    letters = {letter for word in art.words for letter in word} | {" "}
    rules = "".join(font_rule(font, letters) for font in art.fonts)
    root = ET.fromstring(art.svg)
    style = ET.Element(f"{{{SVG}}}style")
    style.text = rules
    root.insert(0, style)
    return art_data_address(replace(art, svg=ET.tostring(root, encoding="unicode")))


def font_rule(font: FontFile, letters: set[str], family: str = "") -> str:
    """Return an `@font-face` rule for a font, subset to some letters; `family` is another name for it."""
    return font_face(family or font.family, font.weight, _subset(font, letters), italic=font.italic)


def _subset(font: FontFile, letters: set[str]) -> bytes:
    """Return the file of a font, subset to some letters."""
    options = hb.SubsetInput()
    options.unicode_set.update({ord(letter) for letter in letters})
    # HarfBuzz drops this feature unless it is asked for; Alegreya's figures are old-style without it.
    options.layout_feature_tag_set.add(int.from_bytes(b"lnum"))
    return take_glyphs(open_face(font), options, font.key)
