"""Fonts inside a page: only the letters that it shows, so that figures look the same everywhere."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator

import uharfbuzz as hb

from generator.core.fonts import FontFile, FontSet
from generator.core.web import css_text
from generator.draw.face import Face

BODY = "Alegreya"

_FAMILIES = re.compile(r"font-family\s*[=:]\s*[\"']?([^\";>]+)")
_TAG = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
_ENTITIES = "<>&'\""


def font_rules(fonts: FontSet, heading: FontFile, text: str, faces: Iterable[Face]) -> Iterator[str]:
    """An `@font-face` for every font that the page's text and its pictures are set in."""
    pictures = [face.svg for face in faces]
    named = {name.strip("'\" ") for svg in pictures for names in _FAMILIES.findall(svg) for name in names.split(",")}
    drawn = {letter for svg in pictures for letter in _TAG.sub("", svg)} | set(_ENTITIES)
    for font in fonts.files:
        letters = set(text) if font == heading or (font.family == BODY and font.weight in {400, 700}) else set()
        letters |= drawn if font.family in named else set()
        if letters:
            yield _rule(font, letters)


def _rule(font: FontFile, letters: set[str]) -> str:
    data = b64encode(_subset(font, letters)).decode()
    style = "italic" if font.italic else "normal"
    return (
        f"@font-face{{font-family:{css_text(font.family)};font-weight:{font.weight};font-style:{style};"
        f"font-display:swap;src:url(data:font/ttf;base64,{data})}}"
    )


def _subset(font: FontFile, letters: set[str]) -> bytes:
    wanted = hb.SubsetInput()
    wanted.unicode_set.update({ord(letter) for letter in letters})
    made = hb.subset(hb.Face(hb.Blob.from_file_path(str(font.path))), wanted)
    return bytes(made.blob.data)
