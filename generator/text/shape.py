"""HarfBuzz: how wide a text is, and where its ink lies.

It shapes as resvg and typst do: the direction is given, the script guessed, the language left open, so that both agree
with what is measured here. Lengths are in em, multiples of the type size, y downwards.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate, groupby, islice
from operator import itemgetter, lt
from typing import Any, NamedTuple

import uharfbuzz as hb

from generator.core.fonts import FontFile
from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.text import bidi

SMALL_CAPS = "smcp"

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_JOINED = ("ARABIC", "SYRIAC", "NKO", "MANICHAEAN", "PSALTER PAHLAVI", "MANDAIC", "MONGOLIAN", "PHAGS-PA", "OGHAM")
_HEADLINE = ("DEVANAGARI", "BENGALI", "GURMUKHI", "MODI", "SHARADA", "SYLOTI NAGRI", "TIRHUTA")


class LetterLook(NamedTuple):
    """What decides the shapes of letters: a font, its features, and the letter spacing in em.

    They are `scale` times as large as the text that they stand in, and `rise` em above its line; the rest is paint.
    """

    font: FontFile
    features: tuple[str, ...] = ()
    spacing: float = 0.0
    scale: float = 1.0
    rise: float = 0.0
    colour: str = ""
    underline: bool = False
    upper: bool = False


Glyph = tuple[float, Edges | None, float, float]
"""The advance of a glyph, its ink round its own origin, and how far that is moved."""


@dataclass(frozen=True)
class Shaped:
    """A text's width from its left end on the baseline, and what every character adds to it (in em).

    A ligature's width stands at its first character. `width` has no letter spacing after the last glyph. `seams` are
    the characters before which the text must be parted to be drawn as it is meant. Each glyph has its origin.
    """

    advances: tuple[float, ...]
    width: float
    seams: tuple[int, ...]
    glyphs: Sequence[Glyph]
    origins: Sequence[float]

    @cached_property
    def ink(self) -> Rect | None:
        """The bounds of its ink, which only those need who draw it."""
        placed = (
            (ink, x + right, down) for (_, ink, right, down), x in zip(self.glyphs, self.origins, strict=False) if ink
        )
        edges = [(ink[0] + left, ink[1] + down, ink[2] + left, ink[3] + down) for ink, left, down in placed]
        return _bounds(edges) if edges else None


@dataclass(frozen=True)
class Metrics:
    """Heights over the baseline and the depth under it, in em, as drawn in letters like `d`, `p`, `H` and in `0`."""

    ascent: float
    descent: float
    cap: float
    figure: float


@cache
def _face(font: FontFile) -> Any:
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(font.path))))


@cache
def draws(font: FontFile, text: str) -> bool:
    """Whether the font has glyphs for a text; accents may be put on, and what is invisible needs none."""
    return all(info.codepoint for info in _buffer(text, LetterLook(font), "ltr").glyph_infos)


@cache
def has_feature(font: FontFile, tag: str) -> bool:
    """Whether a font can substitute glyphs in this way."""
    return tag in _face(font).face.get_language_feature_tags("GSUB")


@cache
def _inks(font: FontFile) -> Callable[[int], Edges | None]:
    """The edges of a glyph's ink round its origin; nothing when it has none. Each glyph is looked up once."""
    face = _face(font)
    upem = face.face.upem

    @cache
    def ink(glyph: int) -> Edges | None:
        box = face.get_glyph_extents(glyph)
        if box is None or not box.width or not box.height:
            return None
        left, top = box.x_bearing / upem, -box.y_bearing / upem
        return left, top, left + box.width / upem, top - box.height / upem

    return ink


@cache
def metrics(font: FontFile) -> Metrics:
    """A font's heights; from its own statement where it lacks the Latin letters that show them."""
    stated, upem = _face(font).get_font_extents("ltr"), _face(font).face.upem
    ascent, descent = stated.ascender / upem, -stated.descender / upem
    shown = (shape(c, LetterLook(font), "ltr").ink if draws(font, c) else None for c in ("bdfhkl", "gjpqy", "H", "0"))
    tall, deep, cap, figure = shown
    if not (tall and deep and cap and figure):
        return Metrics(ascent, descent, ascent * 0.7, ascent * 0.7)
    return Metrics(-tall.y, deep.bottom, -cap.y, -figure.y)


@lru_cache(maxsize=1024)
def shape(text: str, look: LetterLook, direction: str) -> Shaped:
    """Shape a text that runs in one direction."""
    if not text:
        return Shaped((), 0.0, (), (), ())
    buffer, glyph_of = _buffer(text, look, direction), _glyphs(look.font, look.scale, look.rise)
    infos, positions = buffer.glyph_infos, buffer.glyph_positions
    glyphs = [glyph_of(info.codepoint, at.position) for info, at in zip(infos, positions, strict=True)]
    starts = [info.cluster for info in infos]
    if look.spacing or not all(map(lt, starts, islice(starts, 1, None))):
        return _clustered(text, look, _clusters(starts, glyphs))
    along, advances = [glyph[0] for glyph in glyphs], [0.0] * len(text)
    for start, advance in zip(starts, along, strict=True):
        advances[start] = advance
    origins = tuple(accumulate(along, initial=0.0))
    return Shaped(tuple(advances), origins[-1], (), glyphs, origins)


def _clustered(text: str, look: LetterLook, clusters: Sequence["Cluster"]) -> Shaped:
    """What is spaced, has several glyphs for a character, or runs to the left."""
    advances, narrow = [0.0] * len(text), list[int]()
    placed, origins = list[Glyph](), list[float]()
    x = gap = 0.0
    for start, glyphs in clusters:
        x += gap
        gap = look.spacing if look.spacing and _spaced(text[start]) else 0.0
        for glyph in glyphs:
            placed.append(glyph)
            origins.append(x)
            x += glyph[0]
            advances[start] += glyph[0]
        advances[start] += gap
        if gap < 0 and advances[start] <= 0 and any(ink for _, ink, _, _ in glyphs):
            raise Wrong(f"the letter spacing is so tight that {text[start]!r} would vanish", "a wider `spacing`")
        if len(glyphs) > 1 and _drawn_narrower(glyphs):
            narrow.append(start)
    return Shaped(tuple(advances), x, _seams(text, look, clusters, narrow), placed, origins)


Cluster = tuple[int, list[Glyph]]
"""The glyphs that begin at a character."""


def _clusters(starts: Sequence[int], glyphs: Sequence[Glyph]) -> list[Cluster]:
    """The glyphs from left to right, those of a cluster together."""
    pairs = groupby(zip(starts, glyphs, strict=True), key=itemgetter(0))
    return [(start, [glyph for _, glyph in together]) for start, together in pairs]


@cache
def _glyphs(font: FontFile, scale: float, rise: float) -> Callable[[int, tuple[int, int, int, int]], Glyph]:
    """The glyphs of a font as HarfBuzz places them, each kept: a text has few of them, and each often."""
    upem, inks = _face(font).face.upem / scale, _inks(font)

    @lru_cache(maxsize=4096)
    def glyph(number: int, position: tuple[int, int, int, int]) -> Glyph:
        ink, (right, up, along, _) = inks(number), position
        if ink and scale != 1.0:
            ink = (ink[0] * scale, ink[1] * scale, ink[2] * scale, ink[3] * scale)
        return along / upem, ink, right / upem, -up / upem - rise

    return glyph


Overhangs = Callable[[str], tuple[float, float]]
"""How far the ink of a letter reaches past its own width on the left and on the right."""


@cache
def overhangs(look: LetterLook, direction: str) -> Overhangs:
    """The overhangs of a look's letters, each found once."""

    @cache
    def of(character: str) -> tuple[float, float]:
        shaped = shape(character, look, direction)
        if not shaped.ink:
            return 0.0, 0.0
        return max(0.0, -shaped.ink.x), max(0.0, shaped.ink.right - shaped.width)

    return of


def _bounds(edges: Sequence[Edges]) -> Rect:
    left, top, right, bottom = zip(*edges, strict=True)
    return Rect.between(min(left), min(top), max(right), max(bottom))


def _drawn_narrower(glyphs: Sequence[Glyph]) -> bool:
    """Whether usvg goes on too early after a cluster: it takes the widest glyph's advance, not the sum."""
    advances = [advance for advance, _, _, _ in glyphs]
    return max(advances) != sum(advances)


def _seams(text: str, look: LetterLook, clusters: Iterable[Cluster], narrow: Sequence[int]) -> tuple[int, ...]:
    """Where a run has to end: after a cluster that is drawn too narrow, and in ligatures that would not be spaced."""
    if not narrow and not look.spacing:
        return ()
    starts = {start for start, _ in clusters}
    after = {min((other for other in starts if other > start), default=len(text)) for start in narrow}
    inside = {i for i, c in enumerate(text) if i not in starts and c.isalpha()} if look.spacing else set()
    return tuple(i for i in sorted(after | inside) if i < len(text) and _parts(text[i]))


def _buffer(text: str, look: LetterLook, direction: str) -> Any:
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.direction = direction
    buffer.language = "und"
    buffer.guess_segment_properties()
    hb.shape(_face(look.font), buffer, dict.fromkeys(look.features, True))
    return buffer


@cache
def _spaced(character: str) -> bool:
    """Whether letter spacing goes after a character, in usvg: not where letters are joined or hang from a line."""
    return not unicodedata.name(character, "").startswith(_JOINED + _HEADLINE)


@cache
def _parts(character: str) -> bool:
    """Whether a run may begin with a character: the letters of joined scripts lose their shapes."""
    return not unicodedata.name(character, "").startswith(_JOINED)


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
    return shape(text, LetterLook(font, features, spacing / size), bidi.direction(bidi.base_level(text)))
