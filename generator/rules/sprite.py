"""Faces in a web page: each once, as a symbol, however often it is shown."""

import re
from collections.abc import Iterable
from html import escape

from generator.draw.face import Face
from generator.geometry import Rect
from generator.units import MM_PER_INCH, number

CSS_DPI = 96
LARGER = 1.5
"""How much larger than on paper pictures are on a screen, where there is room for it."""

_OPEN = re.compile(r"^.*?<svg\b[^>]*>", re.DOTALL)
_VIEW = re.compile(r"<svg\b[^>]*\bviewBox=[\"']([^\"']+)")


def sprite(faces: Iterable[Face]) -> str:
    """All faces, not shown: cut to their trim, which a symbol does by itself."""
    symbols = "".join(map(_symbol, faces))
    return f'<svg class="sprite" aria-hidden="true" xmlns:xlink="http://www.w3.org/1999/xlink">{symbols}</svg>'


def use(face: Face, alt: str, kind: str = "face") -> str:
    """A face in its place; `alt` is what a reader hears who does not see it."""
    w, h = number(face.size.w), number(face.size.h)
    width = number(LARGER * face.size.w / MM_PER_INCH * CSS_DPI)
    height = number(LARGER * face.size.h / MM_PER_INCH * CSS_DPI)
    size = f'width="{width}" height="{height}" ' if kind == "face" else ""
    label = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
    return (
        f'<svg class="{kind}" {size}viewBox="0 0 {w} {h}" {label}>'
        f'<use href="#face-{face.name}" width="{w}" height="{h}"/></svg>'
    )


def _symbol(face: Face) -> str:
    return f'<symbol id="face-{face.name}" viewBox="{" ".join(map(number, _trim(face)))}">{_inside(face)}</symbol>'


def _trim(face: Face) -> Rect:
    """The trim in the picture's own units, which may begin anywhere."""
    view = _VIEW.search(face.svg)
    if view is None:
        return Rect(0, 0, *face.size)
    x, y, w, _ = (float(part) for part in view[1].replace(",", " ").split())
    unit = w / face.full.w
    return Rect(x + face.bleed * unit, y + face.bleed * unit, face.size.w * unit, face.size.h * unit)


def _inside(face: Face) -> str:
    """What is inside a face's SVG."""
    return _OPEN.sub("", face.svg, count=1).rpartition("</svg>")[0]
