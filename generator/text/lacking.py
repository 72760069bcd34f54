"""Characters and features missing from a font, reported before rendering: engines skip them silently."""

import unicodedata
from collections.abc import Callable
from functools import cache

from generator.core.fonts import FontFile, FontSet
from generator.core.problems import Kind, Wrong
from generator.text.shape import can_draw, has_feature


@cache
def _glyph_checker(font: FontFile) -> Callable[[str], bool]:
    """Return a function that tells whether a font has a glyph for a character."""
    return cache(lambda character: not _is_control(character) and can_draw(font, character))


def check_characters(text: str, font: FontFile, fonts: FontSet) -> None:
    """Raise Wrong for the first character missing from the font, naming the fonts that have it."""
    can_draw = _glyph_checker(font)
    for character in dict.fromkeys(text):
        if not can_draw(character):
            able = {file.family for file in fonts.files if _glyph_checker(file)(character)}
            raise Wrong(
                f"the font {font.family!r} ({font.style}) has no {_shown(character)}",
                _fonts_with("it", able),
                "write something else, or set it in a font that has it",
                Kind.MISSING,
            )


def check_feature(font: FontFile, tag: str, name: str, fonts: FontSet) -> None:
    """Raise Wrong if the font lacks the feature that the style needs, naming the fonts that have it."""
    if not has_feature(font, tag):
        able = {file.family for file in fonts.files if has_feature(file, tag)}
        raise Wrong(f"the font {font.family!r} ({font.style}) has no {name}", _fonts_with(name, able), "", Kind.MISSING)


def _is_control(character: str) -> bool:
    """Return True for control characters: some fonts have an empty glyph for them, but SVG forbids them."""
    return unicodedata.category(character) == "Cc" and not character.isspace()


def _fonts_with(what: str, families: set[str]) -> str:
    return f"a font with {what}: {', '.join(sorted(families))}" if families else f"a font with {what}; there is none"


def _shown(character: str) -> str:
    name = unicodedata.name(character, "unnamed")
    return f"{character!r} (U+{ord(character):04X} {name})"
