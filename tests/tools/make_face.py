"""Faces for tests, made of items or of an SVG as art."""

import re
from base64 import b64decode

from generator.base.fonts import font_set
from generator.base.geometry import Rect, Size
from generator.picture.face import Face
from generator.picture.items import Art, Box, PlacedArt, Shape, TextRun, art_of
from generator.picture.svg import SvgWriter


def face_of_svg(
    svg: str, size: Size, bleed: float = 0.0, label: str = "a face", name: str = "drawing.svg"
) -> Face:
    """Return a face with an SVG as art, stretched over the trim and its bleed."""
    full = Rect(0, 0, *size).grown(bleed)
    return Face((PlacedArt(Art(name, svg, full), full, "stretch"),), size, bleed, label)


def text_run(text: str, x: float, y: float, size: float = 5.0, **more: object) -> TextRun:
    """Return a text run: by default in black Alegreya Sans; `more` overrides its attributes."""
    values = {
        "colour": "#000000",
        "spacing": 0.0,
        "width": 0.0,
        "family": "Alegreya Sans",
        "weight": 400,
    } | more
    font = font_set().find(
        values.pop("family"), values.pop("weight"), italic=bool(values.pop("italic", False))
    )
    return TextRun(text, font, size, x, y, **values)


def rect(x: float, y: float, w: float, h: float, fill: str) -> Shape:
    """Return a filled rectangle."""
    return Shape(Box(Rect(x, y, w, h)), fill)


def svg_of(face: Face) -> str:
    """Return the SVG of a face with all pictures embedded."""
    return SvgWriter().write(face)


def art_svg(face: Face) -> str:
    """Return the SVGs of all art on a face, joined."""
    return "".join(art.svg for art in art_of(face))


def with_art(text: str) -> str:
    """Return a page or an SVG as text, followed by the SVGs of all art that its images embed."""
    addresses = dict.fromkeys(
        re.findall(r'href="data:image/svg\+xml;base64,([A-Za-z0-9+/=]*)"', text)
    )
    return text + "".join(with_art(b64decode(address).decode()) for address in addresses)
