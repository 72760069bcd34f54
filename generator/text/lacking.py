"""What a font cannot draw: named before anything is drawn, since the engines leave it out without a word."""

import unicodedata
from collections.abc import Callable
from functools import cache

from generator.core.fonts import FontFile, FontSet
from generator.core.problems import Kind, Wrong
from generator.text.shape import draws, has_feature


@cache
def _drawing(font: FontFile) -> Callable[[str], bool]:
    """Whether a font draws a character that may be written."""
    return cache(lambda character: not _is_control(character) and draws(font, character))


def check_characters(text: str, font: FontFile, fonts: FontSet) -> None:
    """Raise for the first character that the font lacks, with the fonts that have it."""
    can_draw = _drawing(font)
    for character in dict.fromkeys(text):
        if not can_draw(character):
            able = {file.family for file in fonts.files if _drawing(file)(character)}
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
