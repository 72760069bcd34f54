"""Make fonts of several kinds whose letters are rectangles, so that their ink tells which font was used."""

import io

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation

EM = 1000
HEIGHT = 700
LIGHT_WIDTH = 100
BLACK_WIDTH = 900
"""The widths of the rectangle `A` at the weights 100 and 900: it is as wide as it is heavy."""

GLYPHS = [".notdef", "space", "A"]
CHARACTERS = {32: "space", 65: "A"}
ADVANCE = 1000


def _rectangle(pen, width: int) -> None:
    pen.moveTo((0, 0))
    pen.lineTo((0, HEIGHT))
    pen.lineTo((width, HEIGHT))
    pen.lineTo((width, 0))
    pen.closePath()


def _finish(builder: FontBuilder, family: str, weight: int) -> None:
    builder.setupHorizontalMetrics(dict.fromkeys(GLYPHS, (ADVANCE, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular", "psName": family})
    builder.setupOS2(usWeightClass=weight, sCapHeight=HEIGHT, sxHeight=500, sTypoAscender=800)
    builder.setupPost()


def make_otf(family: str = "Boxes", width: int = 500) -> bytes:
    """Return a static font with CFF outlines."""
    builder = FontBuilder(EM, isTTF=False)
    builder.setupGlyphOrder(GLYPHS)
    builder.setupCharacterMap(CHARACTERS)
    strings = {}
    for name in GLYPHS:
        pen = T2CharStringPen(ADVANCE, None)
        if name == "A":
            _rectangle(pen, width)
        strings[name] = pen.getCharString()
    builder.setupCFF(family, {"FullName": family}, strings, {})
    _finish(builder, family, 400)
    return _bytes_of(builder.font)


def make_variable(family: str = "Boxes", flavor: str | None = None) -> bytes:
    """Return a variable font with an axis of weights from 100 to 900, as TTF or as WOFF2."""
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(GLYPHS)
    builder.setupCharacterMap(CHARACTERS)
    glyphs = {}
    for name in GLYPHS:
        pen = TTGlyphPen(None)
        if name == "A":
            _rectangle(pen, LIGHT_WIDTH)
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    _finish(builder, family, 100)
    builder.setupFvar([("wght", 100, 100, 900, "Weight")], [])
    grow = BLACK_WIDTH - LIGHT_WIDTH
    # Deltas of the four corners, and of the four phantom points that hold the advance.
    corners = [(0, 0), (0, 0), (grow, 0), (grow, 0), (0, 0), (0, 0), (0, 0), (0, 0)]
    builder.setupGvar({"A": [TupleVariation({"wght": (0, 1, 1)}, corners)]})
    return _bytes_of(builder.font, flavor)


def width_at(weight: int) -> float:
    """Return the width of `A` in em at a weight of the variable font."""
    return (LIGHT_WIDTH + (BLACK_WIDTH - LIGHT_WIDTH) * (weight - 100) / 800) / EM


def compress(font: bytes) -> bytes:
    """Return a font as WOFF2."""
    return _bytes_of(TTFont(io.BytesIO(font)), "woff2")


def _bytes_of(font: TTFont, flavor: str | None = None) -> bytes:
    font.flavor = flavor
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 0  # equal bytes at every time
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue()
