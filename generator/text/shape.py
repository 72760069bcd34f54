"""Text shaping with HarfBuzz: the width of a text, its ink and its outlines.

Shaping follows resvg and typst, so that measurements agree with their output: the direction is
given, the script is guessed and the language left open. Lengths are in em, multiples of the type
size, y down.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate, groupby, islice
from operator import itemgetter, lt
from typing import Any, NamedTuple

import uharfbuzz as hb

from generator.base.errors import InvalidValueError, Kind
from generator.base.fonts import FontFile, FontSet, open_face
from generator.base.geometry import Rect
from generator.text import bidi

SMALL_CAPS = "smcp"
"""The OpenType feature that turns small letters into small capitals."""

# Left, top, right and bottom.
Edges = tuple[float, float, float, float]

# Scripts by the first words of their characters' names. usvg, the library under resvg and typst,
# adds no letter spacing in them, since it would tear their words apart.
_JOINED = (
    "ARABIC",
    "SYRIAC",
    "NKO",
    "MANICHAEAN",
    "PSALTER PAHLAVI",
    "MANDAIC",
    "MONGOLIAN",
    "PHAGS-PA",
    "OGHAM",
)
_HEADLINE = ("DEVANAGARI", "BENGALI", "GURMUKHI", "MODI", "SHARADA", "SYLOTI NAGRI", "TIRHUTA")


class LetterStyle(NamedTuple):
    """The appearance of letters: a font, its OpenType features and the letter spacing in em.

    Letters are `scale` times as large as the surrounding text and `rise` em above its baseline; the
    other fields are paint.
    """

    font: FontFile
    features: tuple[str, ...] = ()
    spacing: float = 0.0
    scale: float = 1.0
    rise: float = 0.0
    colour: str = ""
    underline: bool = False
    upper: bool = False


# The advance of a glyph, its ink around its own origin, and its offset.
Glyph = tuple[float, Edges | None, float, float]


@dataclass(frozen=True)
class Shaped:
    """The advance widths of a text's characters in em, and its glyphs.

    A ligature's width is at its first character. `width` has no letter spacing after the last
    glyph. `seams` are the characters before which a run must be split to be drawn correctly.
    `origins` are the places of the glyphs, and the end of the last.
    """

    advances: tuple[float, ...]
    width: float
    seams: tuple[int, ...]
    glyphs: Sequence[Glyph]
    origins: Sequence[float]

    @cached_property
    def ink(self) -> Rect | None:
        """The bounds of the ink; computed on demand, because only drawing needs them."""
        placed = (
            (ink, x + right, down)
            for (_, ink, right, down), x in zip(self.glyphs, self.origins, strict=False)
            if ink
        )
        edges = [
            (ink[0] + left, ink[1] + down, ink[2] + left, ink[3] + down)
            for ink, left, down in placed
        ]
        return _bounds(edges) if edges else None


@dataclass(frozen=True)
class Metrics:
    """Heights above the baseline and the depth below it in em, from letters like `d`, `p`, `H` and `0`."""

    ascent: float
    descent: float
    cap: float
    figure: float


@cache
def _face(font: FontFile) -> Any:
    return hb.Font(open_face(font))


@cache
def can_draw(font: FontFile, text: str) -> bool:
    """Return True if the font has glyphs for a text.

    Accents may be composed, invisible characters need none.
    """
    return all(info.codepoint for info in _buffer(text, LetterStyle(font), "ltr").glyph_infos)


@cache
def has_feature(font: FontFile, tag: str) -> bool:
    """Return True if a font has an OpenType feature for substituting glyphs."""
    return tag in _face(font).face.get_language_feature_tags("GSUB")


@cache
def _inks(font: FontFile) -> Callable[[int], Edges | None]:
    """Return a cached function from a glyph to its ink bounds around its origin.

    None without ink.
    """
    face = _face(font)
    upem = face.face.upem

    @cache
    def ink(glyph: int) -> Edges | None:
        box = face.get_glyph_extents(glyph)
        if box is None or not box.width or not box.height:
            return None
        left = box.x_bearing / upem
        top = -box.y_bearing / upem
        return left, top, left + box.width / upem, top - box.height / upem

    return ink


def stated_heights(font: FontFile) -> tuple[float, float]:
    """Return a font's ascent and descent in em, as its tables state them: the height of a line in a browser."""
    stated = _face(font).get_font_extents("ltr")
    upem = _face(font).face.upem
    return stated.ascender / upem, -stated.descender / upem


@cache
def measure_metrics(font: FontFile) -> Metrics:
    """Return a font's heights, or those in its tables if it lacks the Latin letters that show them."""
    ascent, descent = stated_heights(font)
    boxes = (
        shape_text(c, LetterStyle(font), "ltr").ink if can_draw(font, c) else None
        for c in ("bdfhkl", "gjpqy", "H", "0")
    )
    ascender, descender, cap, figure = boxes
    if not (ascender and descender and cap and figure):
        # In the bundled fonts, capitals are 0.57 to 0.81 times as high as the stated ascent.
        return Metrics(ascent, descent, ascent * 0.7, ascent * 0.7)
    return Metrics(-ascender.y, descender.bottom, -cap.y, -figure.y)


@lru_cache(maxsize=1024)
def shape_text(text: str, style: LetterStyle, direction: str) -> Shaped:
    """Shape a text that runs in one direction."""
    if not text:
        return Shaped((), 0.0, (), (), ())
    buffer = _buffer(text, style, direction)
    glyph_of = _glyphs(style.font, style.scale, style.rise)
    infos = buffer.glyph_infos
    positions = buffer.glyph_positions
    glyphs = [
        glyph_of(info.codepoint, at.position) for info, at in zip(infos, positions, strict=True)
    ]
    starts = [info.cluster for info in infos]
    if style.spacing or not all(map(lt, starts, islice(starts, 1, None))):
        return _shape_clusters(text, style, _clusters(starts, glyphs))
    along = [glyph[0] for glyph in glyphs]
    advances = [0.0] * len(text)
    for start, advance in zip(starts, along, strict=True):
        advances[start] = advance
    origins = tuple(accumulate(along, initial=0.0))
    return Shaped(tuple(advances), origins[-1], (), glyphs, origins)


def _shape_clusters(text: str, style: LetterStyle, clusters: Sequence["Cluster"]) -> Shaped:
    """Shape a text with letter spacing, with several glyphs for a character, or running to the left."""
    advances = [0.0] * len(text)
    narrow = list[int]()
    placed = list[Glyph]()
    origins = list[float]()
    x = gap = 0.0
    for start, glyphs in clusters:
        x += gap
        gap = style.spacing if style.spacing and _takes_spacing(text[start]) else 0.0
        for glyph in glyphs:
            placed.append(glyph)
            origins.append(x)
            x += glyph[0]
            advances[start] += glyph[0]
        advances[start] += gap
        if gap < 0 and advances[start] <= 0 and any(ink for _, ink, _, _ in glyphs):
            raise InvalidValueError(
                f"the letter spacing is so tight that {text[start]!r} would vanish",
                "a wider `spacing`",
            )
        if len(glyphs) > 1 and _drawn_narrower(glyphs):
            narrow.append(start)
    return Shaped(tuple(advances), x, _seams(text, style, clusters, narrow), placed, origins)


# The glyphs that begin at a character.
Cluster = tuple[int, list[Glyph]]


def _clusters(starts: Sequence[int], glyphs: Sequence[Glyph]) -> list[Cluster]:
    """Group the glyphs from left to right by cluster."""
    pairs = groupby(zip(starts, glyphs, strict=True), key=itemgetter(0))
    return [(start, [glyph for _, glyph in together]) for start, together in pairs]


@cache
def _glyphs(
    font: FontFile, scale: float, rise: float
) -> Callable[[int, tuple[int, int, int, int]], Glyph]:
    """Return a cached function from HarfBuzz's glyph and position to a glyph: a text has few distinct ones."""
    upem = _face(font).face.upem / scale
    inks = _inks(font)

    @lru_cache(maxsize=4096)
    def glyph(number: int, position: tuple[int, int, int, int]) -> Glyph:
        ink = inks(number)
        (right, up, along, _) = position
        if ink and scale != 1.0:
            ink = (ink[0] * scale, ink[1] * scale, ink[2] * scale, ink[3] * scale)
        return along / upem, ink, right / upem, -up / upem - rise

    return glyph


# How far the ink of a letter reaches beyond its advance width at the left and right.
Overhangs = Callable[[str], tuple[float, float]]


@cache
def overhangs(style: LetterStyle, direction: str) -> Overhangs:
    """Return a cached function from a letter to its overhangs in a style."""

    @cache
    def of(character: str) -> tuple[float, float]:
        shaped = shape_text(character, style, direction)
        if not shaped.ink:
            return 0.0, 0.0
        return max(0.0, -shaped.ink.x), max(0.0, shaped.ink.right - shaped.width)

    return of


def _bounds(edges: Sequence[Edges]) -> Rect:
    left, top, right, bottom = zip(*edges, strict=True)
    return Rect.between(min(left), min(top), max(right), max(bottom))


def _drawn_narrower(glyphs: Sequence[Glyph]) -> bool:
    """Return True if usvg advances too little after a cluster: it takes the widest glyph, not the sum."""
    advances = [advance for advance, _, _, _ in glyphs]
    return max(advances) != sum(advances)


def _seams(
    text: str, style: LetterStyle, clusters: Iterable[Cluster], narrow: Sequence[int]
) -> tuple[int, ...]:
    """Return the places where a run must end: after clusters drawn too narrow and in ligatures with spacing."""
    if not narrow and not style.spacing:
        return ()
    starts = {start for start, _ in clusters}
    after = {
        min((other for other in starts if other > start), default=len(text)) for start in narrow
    }
    inside = (
        {i for i, c in enumerate(text) if i not in starts and c.isalpha()}
        if style.spacing
        else set()
    )
    return tuple(i for i in sorted(after | inside) if i < len(text) and _can_begin_run(text[i]))


def _buffer(text: str, style: LetterStyle, direction: str) -> Any:
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.direction = direction
    buffer.language = "und"
    buffer.guess_segment_properties()
    hb.shape(_face(style.font), buffer, dict.fromkeys(style.features, True))
    return buffer


@cache
def _takes_spacing(character: str) -> bool:
    """Return True if usvg adds letter spacing after a character: not in joined scripts or those with a headline."""
    return not unicodedata.name(character, "").startswith(_JOINED + _HEADLINE)


@cache
def _can_begin_run(character: str) -> bool:
    """Return True if a run may begin with a character: letters of joined scripts would lose their shapes."""
    return not unicodedata.name(character, "").startswith(_JOINED)


def measure(
    text: str, font: FontFile, size: float, spacing: float = 0.0, features: tuple[str, ...] = ()
) -> float:
    """Return the advance in mm of plain text, without markup and without spacing after the last letter.

    It equals the width that resvg and typst draw for one `<text>` of this size and letter spacing (mm);
    `("smcp",)` selects small caps. Text in both directions must be set instead.
    """
    return size * _shaped(text, font, size, spacing, features).width


def measure_ink(
    text: str, font: FontFile, size: float, spacing: float = 0.0, features: tuple[str, ...] = ()
) -> Rect | None:
    """Return the bounds of the ink in mm from the start of the baseline; None without ink."""
    ink = _shaped(text, font, size, spacing, features).ink
    return Rect(*(size * side for side in ink)) if ink else None


def _shaped(
    text: str, font: FontFile, size: float, spacing: float, features: tuple[str, ...]
) -> Shaped:
    return shape_text(
        text, LetterStyle(font, features, spacing / size), bidi.direction(bidi.base_level(text))
    )


# A `move`, `line`, `quad`, `cubic` or `close` with its points in em, from the text's left end, y
# down.
ContourStep = tuple[str, tuple[tuple[float, float], ...]]


@cache
def extract_contours(text: str, font: FontFile) -> tuple[ContourStep, ...]:
    """Return the outline steps of a left-to-right text in drawing order."""
    face = _face(font)
    buffer = _buffer(text, LetterStyle(font), "ltr")
    steps: list[ContourStep] = []
    x = 0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        right, up, along, _ = position.position
        face.draw_glyph(info.codepoint, _recorder(steps, x + right, up, face.face.upem))
        x += along
    return tuple(steps)


def _recorder(steps: list[ContourStep], right: int, up: int, upem: int) -> Any:
    """Return HarfBuzz drawing functions that append the steps of a glyph at a place."""

    def record(name: str) -> Callable[..., None]:
        def append(*arguments: Any) -> None:
            *values, _ = arguments  # coordinates, then HarfBuzz's user data
            points = zip(values[::2], values[1::2], strict=True)
            steps.append((name, tuple(((x + right) / upem, -(y + up) / upem) for x, y in points)))

        return append

    recorder = hb.DrawFuncs()
    recorder.set_move_to_func(record("move"))
    recorder.set_line_to_func(record("line"))
    recorder.set_quadratic_to_func(record("quad"))
    recorder.set_cubic_to_func(record("cubic"))
    recorder.set_close_path_func(record("close"))
    return recorder


@cache
def _glyph_checker(font: FontFile) -> Callable[[str], bool]:
    """Return a function that tells whether a font has a glyph for a character."""
    return cache(lambda character: not _is_control(character) and can_draw(font, character))


def has_character(font: FontFile, character: str) -> bool:
    """Return True if a font has a glyph for a character."""
    return _glyph_checker(font)(character)


def check_characters(text: str, font: FontFile, fonts: FontSet) -> None:
    """Raise InvalidValueError for the first character missing from the font, naming the fonts that have it."""
    can_draw = _glyph_checker(font)
    for character in dict.fromkeys(text):
        if not can_draw(character):
            able = {file.family for file in fonts.files if _glyph_checker(file)(character)}
            raise InvalidValueError(
                f"the font {font.family!r} ({font.style}) has no {_describe_character(character)}",
                _fonts_with("it", able),
                f"name both in the style: `font: [{font.family}, {min(able)}]`"
                if able
                else "put a font that has it into the pack's fonts/ folder",
                Kind.MISSING,
            )


def check_small_caps(font: FontFile, fonts: FontSet) -> None:
    """Raise InvalidValueError if the font has no small capitals, naming the fonts that have them."""
    if not has_feature(font, SMALL_CAPS):
        able = {file.family for file in fonts.files if has_feature(file, SMALL_CAPS)}
        raise InvalidValueError(
            f"the font {font.family!r} ({font.style}) has no small capitals",
            _fonts_with("small capitals", able),
            "",
            Kind.MISSING,
        )


def _is_control(character: str) -> bool:
    """Return True for control characters: some fonts have an empty glyph for them, but SVG forbids them."""
    return unicodedata.category(character) == "Cc" and not character.isspace()


def _fonts_with(what: str, families: set[str]) -> str:
    return (
        f"a font with {what}: {', '.join(sorted(families))}"
        if families
        else f"a font with {what}; there is none"
    )


def _describe_character(character: str) -> str:
    name = unicodedata.name(character, "unnamed")
    return f"{character!r} (U+{ord(character):04X} {name})"
