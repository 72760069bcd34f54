"""Text in art: choose its fonts, replace its words, and measure it.

A font that is missing from the font set would vanish silently, so it is an error. Families, weights
and slopes must exist as the picture names them, unless the pack names a substitute; generic
families stand for the bundled fonts. New words take the place of the text that the designer drew,
and are measured against the picture.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from generator.base import polygon
from generator.base.errors import InvalidValueError, Kind, nearest, prefixing
from generator.base.fonts import FontFile, FontSet
from generator.base.geometry import Point, Rect
from generator.base.units import number
from generator.draw.art.tree import (
    DEFINITIONS,
    LABEL,
    TEXT_ELEMENTS,
    ArtTree,
    Computed,
    first_length,
    length,
    set_style,
    walk,
)
from generator.text.shape import check_characters, measure, measure_ink, stated_heights

GENERIC = {"serif": "Alegreya", "sans-serif": "Alegreya Sans", "monospace": "Fira Sans Condensed"}
"""The bundled fonts for generic families."""
ALSO_GENERIC = {
    "sans": "sans-serif",
    "system-ui": "sans-serif",
    "ui-sans-serif": "sans-serif",
    "ui-serif": "serif",
}

_NAME = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([^,]+))")


def set_fonts(art: ArtTree, fonts: FontSet) -> None:
    """Name the font file's own family, weight and slope on every text.

    Raise `InvalidValueError` for missing fonts.
    """
    for at in walk(art.root):
        text = own_text(at)
        if text.strip():
            font = font_of(at, art.name, fonts)
            with prefixing(art.name):
                check_characters(re.sub(r"\s", "", text), font, fonts)
            _write_font(at.element, font)


def fonts_of(art: ArtTree, fonts: FontSet) -> tuple[FontFile, ...]:
    """Return the font files that set the texts of a picture, also those of the pictures inside it."""
    fonts_used = {
        font_of(at, art.name, fonts): None for at in walk(art.root) if own_text(at).strip()
    }
    for inner in art.inner.values():
        fonts_used |= dict.fromkeys(fonts_of(inner, fonts))
    return tuple(sorted(fonts_used))


def named_fonts(art: ArtTree) -> tuple[FontFile, ...]:
    """Return the fonts that the texts of a finished picture name; their files are not known."""
    named: dict[FontFile, None] = {}
    for at in walk(art.root):
        if own_text(at).strip():
            family = next(
                filter(None, _NAME.findall(at.value("font-family", "sans-serif"))[0]), ""
            ).strip()
            italic = at.value("font-style", "normal") != "normal"
            named[FontFile(family, int(at.value("font-weight", "400")), italic, Path())] = None
    for inner in art.inner.values():
        named |= dict.fromkeys(named_fonts(inner))
    return tuple(sorted(named))


def words_of(art: ArtTree) -> tuple[str, ...]:
    """Return the words of a picture's texts, in order, also those of the pictures inside it."""
    words = [word for at in walk(art.root) for word in own_text(at).split()]
    return (*words, *(word for inner in art.inner.values() for word in words_of(inner)))


def own_text(at: Computed) -> str:
    """Return the characters that an element sets itself, including those after its children."""
    if at.element.tag not in TEXT_ELEMENTS or at.value("display", "inline") == "none":
        return ""
    return (at.element.text or "") + "".join(child.tail or "" for child in at.element)


def font_of(at: Computed, name: str, fonts: FontSet) -> FontFile:
    """Return the font file for an element's text; raise `InvalidValueError` if there is none."""
    weight = int(at.value("font-weight", "400"))
    italic = at.value("font-style", "normal") != "normal"
    families = [
        next(filter(None, match), "").strip()
        for match in _NAME.findall(at.value("font-family", "sans-serif"))
    ]
    for family in families:
        faces = [file for file in fonts.files if family in {file.postscript_name, file.family}]
        if any(file.postscript_name == family for file in faces):
            # All weights of a variable font have one such name, and it may be that of the family.
            return min(
                faces,
                key=lambda file: (
                    file.italic != italic,
                    abs((file.axis_weight or file.weight) - weight),
                ),
            )
        known_family = _known_family(family, at.value("font-stretch", "normal"), fonts)
        if known_family:
            with prefixing(f"{name} sets text in a missing font"):
                return fonts.find(known_family, weight, italic=italic)
        if other := fonts.substitute_for(family, weight, italic=italic):
            return other
    raise InvalidValueError(
        f"{name} sets text in {families[0]!r}, which is not in the font set",
        f"one of: {', '.join(fonts.families)}",
        nearest(families[0], fonts.families)
        or "put the font file into the pack's fonts/ folder, name a substitute in game.yaml "
        f"(`fonts: {{{families[0]}: {fonts.families[0]}}}`), or convert the text to paths",
        Kind.MISSING,
    )


def _known_family(family: str, stretch: str, fonts: FontSet) -> str | None:
    """Return the family of the font set that a name stands for; None if there is none.

    A width such as `condensed` is part of the name of some families.
    """
    by_lower = {name.lower(): name for name in fonts.families}
    stretched = f"{family} {stretch}".lower()
    if stretch != "normal" and stretched in by_lower:
        return by_lower[stretched]
    generic = GENERIC.get(ALSO_GENERIC.get(family.lower(), family.lower()))
    return by_lower.get(family.lower(), generic)


def _write_font(element: ET.Element, font: FontFile) -> None:
    families = ", ".join(f"'{name}'" for name in font.names)
    slope = "italic" if font.italic else "normal"
    set_style(
        element,
        font_family=families,
        font_weight=str(font.weight),
        font_style=slope,
        font_stretch="normal",
    )


BOX = "-box"
"""The suffix of the id of a rectangle that bounds a text: `title-box` bounds the text `title`.

A text without one is bounded by the picture.
"""

CHANGED = "data-filled"
"""The attribute that holds the key of `set:` by which a text was replaced."""
POSITIONS = ("dx", "dy", "rotate", "textLength", "lengthAdjust")
TOLERANCE_SHARE = 0.002
"""The tolerance for text outside its box, as a share of the picture's width.

Editors round coordinates.
"""


def fill_text(element: ET.Element, text: str, key: str, name: str) -> None:
    """Replace a drawn text by another, in the style of its first letters.

    Raise `InvalidValueError` if the element holds no text, or several.
    """
    texts = [element] if element.tag in TEXT_ELEMENTS else list(element.iter("text"))
    if len(texts) != 1:
        text_count = "no text" if not texts else f"{len(texts)} texts"
        raise InvalidValueError(
            f"{name}: {key!r} is a <{element.tag}>, which holds {text_count}",
            "the id of a <text> or a <tspan>",
        )
    text_element = texts[0]
    path = _path_to_first_letters(text_element)
    for item in path:
        item.text = None
        for place in ("x", "y"):
            if place in item.attrib:
                item.set(place, re.split(r"[\s,]+", item.attrib[place].strip())[0])
        for attribute in POSITIONS:
            item.attrib.pop(attribute, None)
    for outer, inner in pairwise(path):
        outer[:] = [inner]
        inner.tail = None
    path[-1][:] = []
    path[-1].text = text
    path[-1].set("xml:space", "default")
    path[-1].set(CHANGED, key)


def _path_to_first_letters(element: ET.Element) -> list[ET.Element]:
    """Return the elements from a text down to the one with the first letters."""
    if (element.text or "").strip() or not len(element):
        return [element]
    for child in element:
        if "".join(child.itertext()).strip():
            return [element, *_path_to_first_letters(child)]
    return [element, *_path_to_first_letters(element[0])]


@dataclass(frozen=True)
class _Piece:
    """A part of a text in one style; `x` and `y` are set where a new position begins."""

    at: Computed
    text: str
    x: float | None
    y: float | None


@dataclass(frozen=True)
class _Line:
    """A part of a text set from one position: its key if it was replaced, its visible pieces, and its start."""

    key: str
    visible: list[_Piece]
    start: Point
    widths: list[float]

    @property
    def text(self) -> str:
        """Return the line's text."""
        return "".join(piece.text for piece in self.visible).strip()

    @property
    def ends(self) -> list[Point]:
        """Return both ends of the baseline in the picture."""
        matrix = self.visible[0].at.matrix
        return [matrix.apply(self.start + Point(x, 0)) for x in (0, sum(self.widths))]


class ArtText(NamedTuple):
    """A line of text in a picture: the corners of its ink, clockwise from its top left, in the picture's units."""

    text: str
    corners: tuple[Point, ...]
    is_filled: bool


def check_texts(art: ArtTree, fonts: FontSet) -> tuple[ArtText, ...]:
    """Return the places of all texts.

    Raise `InvalidValueError` if a replaced text leaves its box or the picture.
    """
    if next(art.root.iter("text"), None) is None:
        return ()
    computed = {at.element: at for at in walk(art.root)}
    undrawn = {
        inner
        for at in computed.values()
        if at.element.tag in DEFINITIONS
        for inner in at.element.iter()
    }
    art_texts = []
    for at in list(computed.values()):
        for chunk in _chunks(_pieces(at.element, computed)) if at.element.tag == "text" else ():
            line = _build_line(chunk, art, fonts)
            if line is not None and line.key:
                _check_line(line, art, computed)
            if line is not None and (line.key or at.element not in undrawn):
                art_texts.append(ArtText(line.text, _corners(line, art, fonts), bool(line.key)))
    return tuple(art_texts)


def text_boxes(art: ArtTree, fonts: FontSet) -> dict[ET.Element, Rect]:
    """Return the box of each `<text>` in its own coordinates: as wide as its lines, as high as their fonts."""
    computed = {at.element: at for at in walk(art.root)}
    boxes_by_text = {}
    for element in art.root.iter("text"):
        boxes = []
        for chunk in _chunks(_pieces(element, computed)):
            line = _build_line(chunk, art, fonts)
            if line is not None:
                at = line.visible[0].at
                ascent, descent = stated_heights(font_of(at, art.name, fonts))
                height = (ascent + descent) * at.size
                boxes.append(
                    Rect(line.start.x, line.start.y - ascent * at.size, sum(line.widths), height)
                )
        if boxes:
            boxes_by_text[element] = Rect.around(boxes)
    return boxes_by_text


def _pieces(element: ET.Element, computed: dict[ET.Element, Computed]) -> Iterator[_Piece]:
    at = computed[element]
    if element.tag == "textPath" or at.value("display", "inline") == "none":
        return
    x, y = (first_length(element, name, at.size) for name in ("x", "y"))
    yield _Piece(at, element.text or "", x, y)
    for child in element:
        yield from _pieces(child, computed)
        yield _Piece(at, child.tail or "", None, None)


def _chunks(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    """Group pieces that are set one after the other from one position."""
    chunks: list[list[_Piece]] = [[]]
    for piece in pieces:
        if piece.x is not None and any(before.text.strip() for before in chunks[-1]):
            chunks.append([])
        chunks[-1].append(piece)
    return chunks


def _build_line(chunk: list[_Piece], art: ArtTree, fonts: FontSet) -> _Line | None:
    """Return the line of a chunk; None if it is invisible or runs vertically."""
    key = next((key for piece in chunk if (key := piece.at.element.get(CHANGED))), "")
    visible = [piece for piece in chunk if piece.text.strip() and piece.at.size > 0]
    if not visible or visible[0].at.value("writing-mode", "lr").startswith(("tb", "v")):
        return None
    before = chunk[: chunk.index(visible[0]) + 1][::-1]
    x = next((piece.x for piece in before if piece.x is not None), 0.0)
    y = next((piece.y for piece in before if piece.y is not None), 0.0)
    widths = [_width(piece, art, fonts) for piece in visible]
    share = {"middle": 0.5, "end": 1.0}.get(visible[0].at.value("text-anchor", "start"), 0.0)
    return _Line(key, visible, Point(x - sum(widths) * share, y), widths)


def _check_line(line: _Line, art: ArtTree, computed: dict[ET.Element, Computed]) -> None:
    limit, of = _text_limit(art, line.key, computed)
    over = max(
        max(limit.x - at.x, at.x - limit.right, limit.y - at.y, at.y - limit.bottom)
        for at in line.ends
    )
    if over > art.view.w * TOLERANCE_SHARE:
        raise InvalidValueError(
            f"{art.name}: the text {line.text!r} in {line.key!r} sticks out of {of} by {number(over)} units",
            f"a shorter text: the picture is {number(art.view.w)} units wide",
            kind=Kind.FIT,
        )


def _corners(line: _Line, art: ArtTree, fonts: FontSet) -> tuple[Point, ...]:
    """Return the corners of the box around the ink of a line."""
    boxes = []
    x = line.start.x
    for piece, width in zip(line.visible, line.widths, strict=True):
        ink = measure_ink(*_measure_arguments(piece, art, fonts))
        if ink:
            boxes.append(Rect(x + ink.x, line.start.y + ink.y, ink.w, ink.h))
        x += width
    if not boxes:
        return (*line.ends, *line.ends[::-1])
    matrix = line.visible[0].at.matrix
    return tuple(map(matrix.apply, polygon.box(Rect.around(boxes))))


def _width(piece: _Piece, art: ArtTree, fonts: FontSet) -> float:
    return measure(*_measure_arguments(piece, art, fonts))


def _measure_arguments(
    piece: _Piece, art: ArtTree, fonts: FontSet
) -> tuple[str, FontFile, float, float, tuple[str, ...]]:
    """Return the arguments for measuring a piece: text, font, size, letter spacing and features."""
    text = re.sub(r"\s+", " ", piece.text)
    text = text.strip() if piece.at.element.get(CHANGED) else text
    features = ("smcp",) if piece.at.value("font-variant", "normal") == "small-caps" else ()
    font = font_of(piece.at, art.name, fonts)
    return text, font, piece.at.size, piece.at.length("letter-spacing"), features


def _text_limit(art: ArtTree, key: str, computed: dict[ET.Element, Computed]) -> tuple[Rect, str]:
    for at in computed.values():
        if (
            f"{key}{BOX}" in {at.element.get("id"), at.element.get(LABEL)}
            and at.element.tag == "rect"
        ):
            sides = (
                length(at.element.get(side, "0"), at.size) or 0.0
                for side in ("x", "y", "width", "height")
            )
            return at.matrix.bounding_box(Rect(*sides)), repr(f"{key}{BOX}")
    return art.view, "the picture"
