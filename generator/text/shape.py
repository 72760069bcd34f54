"""HarfBuzz: how wide a text is, where its ink lies, what a font cannot draw. The only file that knows uharfbuzz.

It shapes as resvg and typst do (both through usvg): the direction is given,
the script guessed, the language left open, so that both agree with what is
measured here. Lengths are in em, multiples of the type size, y downwards.
What a font lacks is named before anything is drawn, since the engines leave it
out without a word.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import uharfbuzz as hb

from generator.core.fonts import FontFile, FontSet
from generator.core.geometry import Rect
from generator.core.problems import Kind, Wrong
from generator.text import bidi

SMALL_CAPS = "smcp"

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_JOINED = ("ARABIC", "SYRIAC", "NKO", "MANICHAEAN", "PSALTER PAHLAVI", "MANDAIC", "MONGOLIAN", "PHAGS-PA", "OGHAM")
_HEADLINE = ("DEVANAGARI", "BENGALI", "GURMUKHI", "MODI", "SHARADA", "SYLOTI NAGRI", "TIRHUTA")


@dataclass(frozen=True)
class LetterLook:
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


@dataclass(frozen=True)
class Shaped:
    """A text's width and ink from its left end on the baseline, and what every character adds to it (in em).

    A ligature's width stands at its first character. `width` has no letter spacing after the last glyph. `seams` are
    the characters before which the text must be parted to be drawn as it is meant.
    """

    advances: tuple[float, ...]
    width: float
    ink: Rect | None
    seams: tuple[int, ...]


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
    stated = _face(font).get_font_extents("ltr")
    upem = _face(font).face.upem
    ascent, descent = stated.ascender / upem, -stated.descender / upem
    shown = (shape(c, LetterLook(font), "ltr").ink if draws(font, c) else None for c in ("bdfhkl", "gjpqy", "H", "0"))
    tall, deep, cap, figure = shown
    if not (tall and deep and cap and figure):
        return Metrics(ascent, descent, ascent * 0.7, ascent * 0.7)
    return Metrics(-tall.y, deep.bottom, -cap.y, -figure.y)


@lru_cache(maxsize=4096)
def shape(text: str, look: LetterLook, direction: str) -> Shaped:
    """Shape a text that runs in one direction."""
    if not text:
        return Shaped((), 0.0, None, ())
    advances = [0.0] * len(text)
    edges: list[Edges] = []
    narrow = []
    x = gap = 0.0
    clusters = [(start, list(group)) for start, group in groupby(_glyphs(text, look, direction), _cluster)]
    for start, glyphs in clusters:
        x += gap
        gap = look.spacing if look.spacing and _spaced(text[start]) else 0.0
        for _, advance, ink, dx, dy in glyphs:
            if ink:
                edges.append((ink[0] + x + dx, ink[1] + dy, ink[2] + x + dx, ink[3] + dy))
            x += advance
            advances[start] += advance
        advances[start] += gap
        if gap < 0 and advances[start] <= 0 and any(glyph.ink for glyph in glyphs):
            raise Wrong(f"the letter spacing is so tight that {text[start]!r} would vanish", "a wider `spacing`")
        if len(glyphs) > 1 and _drawn_narrower(glyphs):
            narrow.append(start)
    return Shaped(tuple(advances), x, _bounds(edges), _seams(text, look, {start for start, _ in clusters}, narrow))


class _Glyph(NamedTuple):
    """A glyph of the cluster that begins at a character; its ink is round its own origin, from which it is moved."""

    cluster: int
    advance: float
    ink: Edges | None
    dx: float
    dy: float


_cluster = itemgetter(0)


def _glyphs(text: str, look: LetterLook, direction: str) -> Iterator[_Glyph]:
    """The glyphs from left to right."""
    buffer = _buffer(text, look, direction)
    upem = _face(look.font).face.upem / look.scale
    inks = _inks(look.font)
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        dx, advance, dy = position.x_offset / upem, position.x_advance / upem, -position.y_offset / upem
        ink = inks(info.codepoint)
        if ink and look.scale != 1.0:
            ink = (ink[0] * look.scale, ink[1] * look.scale, ink[2] * look.scale, ink[3] * look.scale)
        yield _Glyph(info.cluster, advance, ink, dx, dy - look.rise)


def _bounds(edges: Sequence[Edges]) -> Rect | None:
    if not edges:
        return None
    left, top, right, bottom = zip(*edges, strict=True)
    return Rect.between(min(left), min(top), max(right), max(bottom))


def _drawn_narrower(glyphs: Sequence[_Glyph]) -> bool:
    """Whether usvg goes on too early after a cluster: it takes the widest glyph's advance, not the sum."""
    return max(glyph.advance for glyph in glyphs) != sum(glyph.advance for glyph in glyphs)


def _seams(text: str, look: LetterLook, starts: set[int], narrow: Sequence[int]) -> tuple[int, ...]:
    """Where a run has to end: after a cluster that is drawn too narrow, and in ligatures that would not be spaced."""
    if not narrow and not look.spacing:
        return ()
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


def check_characters(text: str, font: FontFile, fonts: FontSet) -> None:
    """Raise for the first character that the font lacks, with the fonts that have it."""
    for character in dict.fromkeys(text):
        if _is_control(character) or not draws(font, character):
            able = {file.family for file in fonts.files if draws(file, character) and not _is_control(character)}
            raise Wrong(
                f"the font {font.family!r} ({font.style}) has no {_shown(character)}",
                _fonts_with("it", able),
                "write something else, or set it in a font that has it",
                Kind.MISSING,
            )


def check_feature(font: FontFile, tag: str, name: str, fonts: FontSet) -> None:
    """Raise when the font cannot draw what the style asks for, with the fonts that can."""
    if not has_feature(font, tag):
        able = {file.family for file in fonts.files if has_feature(file, tag)}
        raise Wrong(f"the font {font.family!r} ({font.style}) has no {name}", _fonts_with(name, able), "", Kind.MISSING)


def _is_control(character: str) -> bool:
    """Whether a character is none to be written: some fonts have an empty glyph for it, and no SVG may hold it."""
    return unicodedata.category(character) == "Cc" and not character.isspace()


def _fonts_with(what: str, families: set[str]) -> str:
    return f"a font with {what}: {', '.join(sorted(families))}" if families else f"a font with {what}; there is none"


def _shown(character: str) -> str:
    name = unicodedata.name(character, "unnamed")
    return f"{character!r} (U+{ord(character):04X} {name})"
