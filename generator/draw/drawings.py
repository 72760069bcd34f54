"""What a face is made of: what each of its layers drew, as SVG, and what is known of it that SVG does not tell.

A layer that many designs have alike is drawn once, and is the same drawing on all their faces.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import chain
from typing import TypeVar
from xml.etree import ElementTree as ET

from generator.core.geometry import Rect, Size
from generator.core.held import Drawing, Held
from generator.core.units import number
from generator.draw.face import Face, Facts, Ink, Resolution

Item = TypeVar("Item")

REMEMBERED = 500
"""Drawings of layers, most of which never come again."""

_MEANT = re.compile('[&<>"\r\n\t]')
_QUOTED = str.maketrans({'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"})
"""What stands between quotes as something else."""


@dataclass(frozen=True)
class LayerDrawing:
    """Elements in their order, what they refer to by its name, larger pictures, and facts of a face."""

    drawn: list[str] = field(default_factory=list)
    symbols: dict[str, str] = field(default_factory=dict)
    defined: dict[str, str] = field(default_factory=dict)
    shown: dict[str, Held] = field(default_factory=dict)
    inks: list[Ink] = field(default_factory=list)
    texts: list[Ink] = field(default_factory=list)
    pictures: list[Resolution] = field(default_factory=list)
    lines: list[float] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any((self.drawn, self.inks, self.texts, self.pictures, self.lines))


class KnownDrawings:
    """What was drawn before, by the very objects that it was drawn of, and some values."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[LayerDrawing, object]] = {}

    def get(self, objects: tuple[object, ...], *values: Hashable) -> LayerDrawing | None:
        """What was drawn of them."""
        known = self._known.get((*map(id, objects), *values))
        return known and known[0]

    def keep(self, drawing: LayerDrawing, objects: tuple[object, ...], *values: Hashable) -> None:
        """Remember it, with its objects, since else another may lie where one did."""
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[(*map(id, objects), *values)] = drawing, objects


def face_of(drawings: Sequence[LayerDrawing], size: Size, bleed: float, label: str, *, mirrored: bool) -> Face:
    """The face of some drawings, the lowest first."""
    move = {"transform": f"matrix(-1 0 0 1 {number(size.w)} 0)"} if mirrored else {}
    known = (*_sorted(drawing.symbols for drawing in drawings), *_sorted(drawing.defined for drawing in drawings))
    body = tag("g", move, "".join(chain.from_iterable(drawing.drawn for drawing in drawings)))
    written = f"{_root(size, bleed)}{tag('defs', {}, ''.join(known))}{body}</svg>"
    pictures = {name: held for drawing in drawings for name, held in drawing.shown.items()}
    inks, texts = _all(drawing.inks for drawing in drawings), _all(drawing.texts for drawing in drawings)
    if mirrored:
        inks, texts = (tuple(ink.mirrored(size.w) for ink in some) for some in (inks, texts))
    thinnest = min(chain.from_iterable(drawing.lines for drawing in drawings), default=None)
    facts = Facts(inks, texts, _all(drawing.pictures for drawing in drawings), thinnest)
    return Face((Drawing(written, tuple(pictures.items())),), size, bleed, label, facts)


def _sorted(named: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Each once, in an order that does not depend on what is drawn first."""
    every = {name: written for some in named for name, written in some.items()}
    return (every[name] for name in sorted(every))


def _all(some: Iterable[Iterable[Item]]) -> tuple[Item, ...]:
    return tuple(chain.from_iterable(some))


@lru_cache(REMEMBERED)
def _root(size: Size, bleed: float) -> str:
    """The opening tag of a face so large."""
    import svgwrite  # slow to load, since it brings what reads web pages; faces that are kept need it not

    full = Rect(0, 0, *size).grown(bleed)
    sides = f"{number(full.w)}mm", f"{number(full.h)}mm"
    root = svgwrite.Drawing(size=sides, viewBox=" ".join(map(number, full)), debug=False).get_xml()
    return f"{tag(root.tag, root.attrib).removesuffix(' />')}>"


def tag(name: str, said: Mapping[str, str], inner: str = "") -> str:
    """An element of ours as Python's own library writes it, but faster; what is in it is written already."""
    known = "".join([f' {key}="{value}"' for key, value in said.items()])
    if _MEANT.search("".join(said.values())):
        known = "".join([f' {key}="{in_tags(value).translate(_QUOTED)}"' for key, value in said.items()])
    return f"<{name}{known}>{inner}</{name}>" if inner else f"<{name}{known} />"


def in_tags(text: str) -> str:
    """Letters between tags."""
    return escape(text, quote=False)


def written_whole(element: ET.Element) -> str:
    """An element with all in it."""
    inner = (written_whole(child) + in_tags(child.tail or "") for child in element)
    return tag(element.tag, element.attrib, in_tags(element.text or "") + "".join(inner))
