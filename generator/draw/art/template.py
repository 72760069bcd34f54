"""Text of a template: written into the element that the designer drew it in, and measured against the picture."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree as ET

from generator.draw.art.computed import Computed, length, walk
from generator.draw.art.fonts import TEXT, font_of
from generator.draw.art.model import LABEL, Art
from generator.errors import Kind, Wrong
from generator.fonts import FontSet
from generator.geometry import Point, Rect
from generator.text.measure import measure
from generator.units import number

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


def check_texts(art: Art, fonts: FontSet) -> None:
    """Raise when a text that was filled in leaves its box, or the picture."""
    computed = {at.element: at for at in walk(art.root)}
    for at in list(computed.values()):
        if at.element.tag == "text" and any(one.get(CHANGED) for one in at.element.iter()):
            for chunk in _chunks(_pieces(at.element, computed)):
                _check(chunk, art, computed, fonts)


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


def _check(chunk: list[_Piece], art: Art, computed: dict[ET.Element, Computed], fonts: FontSet) -> None:
    changed = [piece for piece in chunk if piece.at.element.get(CHANGED)]
    shown = [piece for piece in chunk if piece.text.strip()]
    if not changed or not shown or shown[0].at.value("writing-mode", "lr").startswith(("tb", "v")):
        return
    key = changed[0].at.element.get(CHANGED, "")
    corners = [shown[0].at.matrix.moved(end) for end in _ends(chunk, shown, art, fonts)]
    limit, of = _limit(art, key, computed)
    over = max(max(limit.x - at.x, at.x - limit.right, limit.y - at.y, at.y - limit.bottom) for at in corners)
    if over > art.view.w * TOLERANCE:
        text = "".join(piece.text for piece in shown).strip()
        raise Wrong(
            f"{art.name}: the text {text!r} in {key!r} sticks out of {of} by {number(over)} units",
            f"a shorter text: the picture is {number(art.view.w)} units wide",
            kind=Kind.FIT,
        )


def _ends(chunk: list[_Piece], shown: list[_Piece], art: Art, fonts: FontSet) -> tuple[Point, Point]:
    """Where the line of letters begins and ends on its baseline."""
    widths = (_width(piece, art, fonts) for piece in shown)
    width = sum(widths)
    x = next((piece.x for piece in reversed(chunk[: chunk.index(shown[0]) + 1]) if piece.x is not None), 0.0)
    y = next((piece.y for piece in reversed(chunk[: chunk.index(shown[0]) + 1]) if piece.y is not None), 0.0)
    start = x - width * {"middle": 0.5, "end": 1.0}.get(shown[0].at.value("text-anchor", "start"), 0.0)
    return Point(start, y), Point(start + width, y)


def _width(piece: _Piece, art: Art, fonts: FontSet) -> float:
    text = re.sub(r"\s+", " ", piece.text)
    text = text.strip() if piece.at.element.get(CHANGED) else text
    features = ("smcp",) if piece.at.value("font-variant", "normal") == "small-caps" else ()
    font = font_of(piece.at, art.name, fonts)
    return measure(text, font, piece.at.size, piece.at.length("letter-spacing"), features)


def _limit(art: Art, key: str, computed: dict[ET.Element, Computed]) -> tuple[Rect, str]:
    for at in computed.values():
        if f"{key}{BOX}" in {at.element.get("id"), at.element.get(LABEL)} and at.element.tag == "rect":
            sides = (length(at.element.get(side, "0"), at.size) or 0.0 for side in ("x", "y", "width", "height"))
            box = Rect(*sides)
            corners = [at.matrix.moved(Point(x, y)) for x in (box.x, box.right) for y in (box.y, box.bottom)]
            xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
            return Rect.between(min(xs), min(ys), max(xs), max(ys)), repr(f"{key}{BOX}")
    return art.view, "the picture"
