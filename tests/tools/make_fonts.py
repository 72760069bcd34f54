"""Make fonts of several kinds whose letters are rectangles, so that their ink tells which font was used."""

import io
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation

FONTS = Path(__file__).parents[2] / "fonts"
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


TALLEST = 350
"""How much taller the rectangle `A` is at the end of the axis `GRAD`, of which it is 0 at the default."""


def make_variable(
    family: str = "Boxes", flavor: str | None = None, *, more_axes: bool = False
) -> bytes:
    """Return a variable font with an axis of weights from 100 to 900, as TTF or as WOFF2.

    With `more_axes`, it also has `wdth` from 75 to 125, which changes the width of `A` by its
    share, and `GRAD` from 0 to 100, which makes it taller.
    """
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
    axes = [("wght", 100, 100, 900, "Weight")]
    variations = [TupleVariation({"wght": (0, 1, 1)}, _deltas(BLACK_WIDTH - LIGHT_WIDTH))]
    if more_axes:
        axes += [("wdth", 75, 100, 125, "Width"), ("GRAD", 0, 0, 100, "Grade")]
        quarter = LIGHT_WIDTH * 0.25
        variations += [
            TupleVariation({"wdth": (0, 1, 1)}, _deltas(quarter)),
            TupleVariation({"wdth": (-1, -1, 0)}, _deltas(-quarter)),
            TupleVariation({"GRAD": (0, 1, 1)}, _deltas(0, TALLEST)),
        ]
    builder.setupFvar(axes, [])
    builder.setupGvar({"A": variations})
    return _bytes_of(builder.font, flavor)


def _deltas(wider: float, taller: float = 0) -> list[tuple[int, int]]:
    """Return the moves of the four corners of `A`, and of the four phantom points that hold the advance."""
    x = round(wider)
    y = round(taller)
    return [(0, 0), (0, y), (x, y), (x, 0), (0, 0), (0, 0), (0, 0), (0, 0)]


def make_variable_cff(family: str = "Boxes") -> bytes:
    """Return an OpenType font with variable outlines (CFF2): `A` grows with the weight, and `wdth` widens it."""
    builder = FontBuilder(EM, isTTF=False)
    builder.setupGlyphOrder(GLYPHS)
    builder.setupCharacterMap(CHARACTERS)
    wider = [LIGHT_WIDTH, BLACK_WIDTH - LIGHT_WIDTH, LIGHT_WIDTH, 1, "blend"]
    box = [0, 0, "rmoveto", 0, HEIGHT, "rlineto", *wider, 0, "rlineto", 0, -HEIGHT, "rlineto"]
    strings = {name: T2CharString(program=box if name == "A" else []) for name in GLYPHS}
    regions = [{"wght": (0, 1, 1)}, {"wdth": (0, 1, 1)}]
    _finish(builder, family, 100)
    builder.setupFvar([("wght", 100, 100, 900, "Weight"), ("wdth", 100, 100, 200, "Width")], [])
    builder.setupCFF2(strings, regions=regions)
    return _bytes_of(builder.font)


def width_at(weight: int, width: float = 100) -> float:
    """Return the width in em of the variable font's `A` at a weight and a `wdth` in per cent."""
    heavier = (BLACK_WIDTH - LIGHT_WIDTH) * (weight - 100) / 800
    return (LIGHT_WIDTH * width / 100 + heavier) / EM


LETTERS = "Spring Ave 62 gjq&%@"
"""The characters of `make_letters`: curves, thin parts, counters and descenders."""
WIDEST = 1.25
"""The share by which the letters of `make_letters` are wider at the end of the axis `wdth`, 125."""


def make_letters(kind: str, family: str = "Letters") -> bytes:
    """Return a font with the outlines of a bundled one: `otf` with CFF outlines, or `variable` with widths to 125."""
    with TTFont(FONTS / "alegreya-sans" / "AlegreyaSans-Regular.ttf") as source:
        outlines = source.getGlyphSet()
        characters = {ord(letter): source.getBestCmap()[ord(letter)] for letter in LETTERS}
        names = [".notdef", *dict.fromkeys(characters.values())]
        units = source["head"].unitsPerEm
        builder = FontBuilder(units, isTTF=kind == "variable")
        builder.setupGlyphOrder(names)
        builder.setupCharacterMap(characters)
        recorded = {name: _record(outlines, name) for name in names}
        advances = {name: outlines[name].width for name in names}
        if kind == "variable":
            glyphs = {name: _draw(recorded[name], TTGlyphPen(None)).glyph() for name in names}
            builder.setupGlyf(glyphs)
        else:
            strings = {
                name: _draw(recorded[name], T2CharStringPen(advances[name], None)).getCharString()
                for name in names
            }
            builder.setupCFF(family, {"FullName": family}, strings, {})
        # FreeType moves TrueType outlines to their left side bearing.
        builder.setupHorizontalMetrics(
            {name: (advances[name], source["hmtx"][name][1]) for name in names}
        )
        builder.setupHorizontalHeader(ascent=source["hhea"].ascent, descent=source["hhea"].descent)
    builder.setupNameTable({"familyName": family, "styleName": "Regular", "psName": family})
    builder.setupOS2(sCapHeight=640, sxHeight=450, sTypoAscender=900)
    builder.setupPost()
    if kind == "variable":
        builder.setupFvar([("wdth", 100, 100, 125, "Width")], [])
        builder.setupGvar(
            {name: [_widening(glyph, advances[name])] for name, glyph in glyphs.items()}
        )
    return _bytes_of(builder.font)


def _record(outlines, name: str) -> DecomposingRecordingPen:
    pen = DecomposingRecordingPen(outlines)
    outlines[name].draw(pen)
    return pen


def _draw(recorded: DecomposingRecordingPen, pen):
    recorded.replay(pen)
    return pen


def _widening(glyph, advance: int) -> TupleVariation:
    """Return the variation that widens a glyph, with its four phantom points."""
    points = glyph.coordinates if glyph.numberOfContours else []
    more = WIDEST - 1
    deltas = [(round(x * more), 0) for x, _ in points]
    return TupleVariation(
        {"wdth": (0, 1, 1)}, [*deltas, (0, 0), (round(advance * more), 0), (0, 0), (0, 0)]
    )


def compress(font: bytes) -> bytes:
    """Return a font as WOFF2."""
    return _bytes_of(TTFont(io.BytesIO(font)), "woff2")


def _bytes_of(font: TTFont, flavor: str | None = None) -> bytes:
    font.flavor = flavor
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 0  # no time stamps: equal bytes in every run
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue()
