"""Text in art: the font that sets it, and what is filled into it.

A font that is not in the font set would vanish without a word, so it is an error here. Families, weights and slopes
must be there as the picture asks for them; there is no second best, unless the pack names a family that stands for
another. The generic families stand for ours. What is filled in stands where the designer drew a text, and is measured
against the picture.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from generator.core.fonts import FontFile, FontSet
from generator.core.geometry import Point, Rect
from generator.core.problems import Kind, Wrong, nearest
from generator.core.units import number
from generator.draw.art.model import LABEL, UNSEEN, ArtTree, Computed, length, styled, walk
from generator.text.lacking import check_characters
from generator.text.shape import measure, measure_ink

GENERIC = {"serif": "Alegreya", "sans-serif": "Alegreya Sans", "monospace": "Fira Sans Condensed"}
"""What art means by a family that is none, from the fonts that come with the program."""
ALSO_GENERIC = {"sans": "sans-serif", "system-ui": "sans-serif", "ui-sans-serif": "sans-serif", "ui-serif": "serif"}

_NAME = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([^,]+))")
TEXT = {"text", "tspan", "textPath"}


def set_fonts(art: ArtTree, fonts: FontSet) -> None:
    """Name the font file's own family, weight and slope on every text, or say which cannot be."""
    for at in walk(art.root):
        text = own_text(at)
        if text.strip():
            font = font_of(at, art.name, fonts)
            _check_letters(text, font, art.name, fonts)
            _write(at.element, font)


def fonts_of(art: ArtTree, fonts: FontSet) -> tuple[FontFile, ...]:
    """Return the font files that set the texts of a picture, also those of the pictures inside it."""
    found = {font_of(at, art.name, fonts): None for at in walk(art.root) if own_text(at).strip()}
    for inner in art.inner.values():
        found |= dict.fromkeys(fonts_of(inner, fonts))
    return tuple(sorted(found))


def named_fonts(art: ArtTree) -> tuple[FontFile, ...]:
    """Return the fonts that the texts of a finished picture name; their files are not known."""
    found: dict[FontFile, None] = {}
    for at in walk(art.root):
        if own_text(at).strip():
            family = next(filter(None, _NAME.findall(at.value("font-family", "sans-serif"))[0]), "").strip()
            italic = at.value("font-style", "normal") != "normal"
            found[FontFile(family, int(at.value("font-weight", "400")), italic, Path())] = None
    for inner in art.inner.values():
        found |= dict.fromkeys(named_fonts(inner))
    return tuple(sorted(found))


def words_of(art: ArtTree) -> tuple[str, ...]:
    """Return the words of a picture's texts, in order, also those of the pictures inside it."""
    own = [word for at in walk(art.root) for word in own_text(at).split()]
    return (*own, *(word for inner in art.inner.values() for word in words_of(inner)))


def own_text(at: Computed) -> str:
    """The characters that an element sets itself, and those that stand behind its children."""
    if at.element.tag not in TEXT or at.value("display", "inline") == "none":
        return ""
    return (at.element.text or "") + "".join(child.tail or "" for child in at.element)


def font_of(at: Computed, name: str, fonts: FontSet) -> FontFile:
    """The font file that an element's text is set in."""
    weight, italic = int(at.value("font-weight", "400")), at.value("font-style", "normal") != "normal"
    families = [next(filter(None, match), "").strip() for match in _NAME.findall(at.value("font-family", "sans-serif"))]
    for family in families:
        postscript = {file.path.stem: file for file in fonts.files}.get(family)
        if postscript:
            return postscript
        known = _known(family, at.value("font-stretch", "normal"), fonts)
        if known:
            return _find(fonts, known, weight, name, italic=italic)
        if other := fonts.standing_for(family, weight, italic=italic):
            return other
    raise Wrong(
        f"{name} sets text in {families[0]!r}, which is not in the font set",
        f"one of: {', '.join(fonts.families)}",
        nearest(families[0], fonts.families)
        or "put the font file into the pack's fonts/ folder, say in game.yaml what stands for it "
        f"(`fonts: {{{families[0]}: {fonts.families[0]}}}`), or convert the text to paths",
        Kind.MISSING,
    )


def _known(family: str, stretch: str, fonts: FontSet) -> str | None:
    """The family of the set that is meant: its own name, with the width that is asked for, or a generic one."""
    by_lower = {known.lower(): known for known in fonts.families}
    wide = f"{family} {stretch}".lower()
    if stretch != "normal" and wide in by_lower:
        return by_lower[wide]
    generic = GENERIC.get(ALSO_GENERIC.get(family.lower(), family.lower()))
    return by_lower.get(family.lower(), generic)


def _find(fonts: FontSet, family: str, weight: int, name: str, *, italic: bool) -> FontFile:
    try:
        return fonts.find(family, weight, italic=italic)
    except Wrong as wrong:
        raise Wrong(
            f"{name} sets text in a font that is not there: {wrong.found}", wrong.expected, wrong.hint, wrong.kind
        ) from wrong


def _check_letters(text: str, font: FontFile, name: str, fonts: FontSet) -> None:
    try:
        check_characters(re.sub(r"\s", "", text), font, fonts)
    except Wrong as wrong:
        raise Wrong(f"{name}: {wrong.found}", wrong.expected, wrong.hint, wrong.kind) from wrong


def _write(element: ET.Element, font: FontFile) -> None:
    families = ", ".join(f"'{name}'" for name in font.names)
    slope = "italic" if font.italic else "normal"
    styled(element, font_family=families, font_weight=str(font.weight), font_style=slope, font_stretch="normal")


BOX = "-box"
"""A rectangle `title-box` bounds the text `title`; without one, the picture does."""

CHANGED = "data-filled"
POSITIONS = ("dx", "dy", "rotate", "textLength", "lengthAdjust")
TOLERANCE = 0.002
"""Of the picture's width: nobody sees it, and editors round their coordinates."""


def fill_text(element: ET.Element, text: str, key: str, name: str) -> None:
    """Put a text in the place of the one that is drawn, in the style of its first letters."""
    texts = [element] if element.tag in TEXT else list(element.iter("text"))
    if len(texts) != 1:
        found = "no text" if not texts else f"{len(texts)} texts"
        raise Wrong(f"{name}: {key!r} is a <{element.tag}>, which holds {found}", "the id of a <text> or a <tspan>")
    whole = texts[0]
    way = _way(whole)
    for one in way:
        one.text = None
        for place in ("x", "y"):
            if place in one.attrib:
                one.set(place, re.split(r"[\s,]+", one.attrib[place].strip())[0])
        for attribute in POSITIONS:
            one.attrib.pop(attribute, None)
    for outer, inner in pairwise(way):
        outer[:] = [inner]
        inner.tail = None
    way[-1][:] = []
    way[-1].text = text
    way[-1].set("xml:space", "default")
    way[-1].set(CHANGED, key)


def _way(element: ET.Element) -> list[ET.Element]:
    """From the element down to the one whose letters come first."""
    if (element.text or "").strip() or not len(element):
        return [element]
    for child in element:
        if "".join(child.itertext()).strip():
            return [element, *_way(child)]
    return [element, *_way(element[0])]


@dataclass(frozen=True)
class _Piece:
    """A stretch of text in one look; `x` and `y` where a new place begins."""

    at: Computed
    text: str
    x: float | None
    y: float | None


@dataclass(frozen=True)
class _Line:
    """A stretch of text set from one place: the key by which it was filled in if it was, what shows, its start."""

    key: str
    shown: list[_Piece]
    start: Point
    widths: list[float]

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(piece.text for piece in self.shown).strip()

    @property
    def ends(self) -> list[Point]:
        """The two ends of its baseline in the picture."""
        matrix = self.shown[0].at.matrix
        return [matrix.apply(self.start + Point(x, 0)) for x in (0, sum(self.widths))]


APART = {"defs", "symbol", "pattern", "marker", *UNSEEN}
"""What stands in one of these is not seen there."""


class ArtText(NamedTuple):
    """A line of text in a picture: the corners of its ink, clockwise from its top left, in the picture's units."""

    text: str
    corners: tuple[Point, ...]
    is_filled: bool


def check_texts(art: ArtTree, fonts: FontSet) -> tuple[ArtText, ...]:
    """Where the texts stand; raises when one that was filled in leaves its box, or the picture."""
    if next(art.root.iter("text"), None) is None:
        return ()
    computed = {at.element: at for at in walk(art.root)}
    apart = {inner for at in computed.values() if at.element.tag in APART for inner in at.element.iter()}
    found = []
    for at in list(computed.values()):
        for chunk in _chunks(_pieces(at.element, computed)) if at.element.tag == "text" else ():
            line = _line(chunk, art, fonts)
            if line is not None and line.key:
                _check(line, art, computed)
            if line is not None and (line.key or at.element not in apart):
                found.append(ArtText(line.text, _corners(line, art, fonts), bool(line.key)))
    return tuple(found)


def _pieces(element: ET.Element, computed: dict[ET.Element, Computed]) -> Iterator[_Piece]:
    at = computed[element]
    if element.tag == "textPath" or at.value("display", "inline") == "none":
        return
    x, y = (length((element.get(side) or "").split(" ")[0], at.size) for side in ("x", "y"))
    yield _Piece(at, element.text or "", x, y)
    for child in element:
        yield from _pieces(child, computed)
        yield _Piece(at, child.tail or "", None, None)


def _chunks(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    """Stretches that are set one after the other from one place."""
    chunks: list[list[_Piece]] = [[]]
    for piece in pieces:
        if piece.x is not None and any(before.text.strip() for before in chunks[-1]):
            chunks.append([])
        chunks[-1].append(piece)
    return chunks


def _line(chunk: list[_Piece], art: ArtTree, fonts: FontSet) -> _Line | None:
    """The line of a chunk; nothing for what does not show, or runs downwards."""
    key = next((key for piece in chunk if (key := piece.at.element.get(CHANGED))), "")
    shown = [piece for piece in chunk if piece.text.strip() and piece.at.size > 0]
    if not shown or shown[0].at.value("writing-mode", "lr").startswith(("tb", "v")):
        return None
    before = chunk[: chunk.index(shown[0]) + 1][::-1]
    x = next((piece.x for piece in before if piece.x is not None), 0.0)
    y = next((piece.y for piece in before if piece.y is not None), 0.0)
    widths = [_width(piece, art, fonts) for piece in shown]
    share = {"middle": 0.5, "end": 1.0}.get(shown[0].at.value("text-anchor", "start"), 0.0)
    return _Line(key, shown, Point(x - sum(widths) * share, y), widths)


def _check(line: _Line, art: ArtTree, computed: dict[ET.Element, Computed]) -> None:
    limit, of = _limit(art, line.key, computed)
    over = max(max(limit.x - at.x, at.x - limit.right, limit.y - at.y, at.y - limit.bottom) for at in line.ends)
    if over > art.view.w * TOLERANCE:
        raise Wrong(
            f"{art.name}: the text {line.text!r} in {line.key!r} sticks out of {of} by {number(over)} units",
            f"a shorter text: the picture is {number(art.view.w)} units wide",
            kind=Kind.FIT,
        )


def _corners(line: _Line, art: ArtTree, fonts: FontSet) -> tuple[Point, ...]:
    """The corners of the ink of its letters, all together."""
    boxes, x = [], line.start.x
    for piece, width in zip(line.shown, line.widths, strict=True):
        ink = measure_ink(*_set(piece, art, fonts))
        if ink:
            boxes.append(Rect(x + ink.x, line.start.y + ink.y, ink.w, ink.h))
        x += width
    if not boxes:
        return (*line.ends, *line.ends[::-1])
    box, matrix = Rect.round_all(boxes), line.shown[0].at.matrix
    ring = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    return tuple(matrix.apply(Point(x, y)) for x, y in ring)


def _width(piece: _Piece, art: ArtTree, fonts: FontSet) -> float:
    return measure(*_set(piece, art, fonts))


def _set(piece: _Piece, art: ArtTree, fonts: FontSet) -> tuple[str, FontFile, float, float, tuple[str, ...]]:
    """Its letters, and what they are set in."""
    text = re.sub(r"\s+", " ", piece.text)
    text = text.strip() if piece.at.element.get(CHANGED) else text
    features = ("smcp",) if piece.at.value("font-variant", "normal") == "small-caps" else ()
    font = font_of(piece.at, art.name, fonts)
    return text, font, piece.at.size, piece.at.length("letter-spacing"), features


def _limit(art: ArtTree, key: str, computed: dict[ET.Element, Computed]) -> tuple[Rect, str]:
    for at in computed.values():
        if f"{key}{BOX}" in {at.element.get("id"), at.element.get(LABEL)} and at.element.tag == "rect":
            sides = (length(at.element.get(side, "0"), at.size) or 0.0 for side in ("x", "y", "width", "height"))
            box = Rect(*sides)
            corners = [at.matrix.apply(Point(x, y)) for x in (box.x, box.right) for y in (box.y, box.bottom)]
            xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
            return Rect.between(min(xs), min(ys), max(xs), max(ys)), repr(f"{key}{BOX}")
    return art.view, "the picture"
