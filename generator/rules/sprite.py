"""Faces in a web page: each once, as a symbol, however often it is shown."""

import re
from collections.abc import Iterable
from html import escape

from generator.draw.face import Face
from generator.units import MM_PER_INCH, number

CSS_DPI = 96

_OPEN = re.compile(r"^.*?<svg\b[^>]*>", re.DOTALL)


def sprite(faces: Iterable[Face]) -> str:
    """All faces, not shown: cut to their trim, which a symbol does by itself."""
    symbols = "".join(map(_symbol, faces))
    return f'<svg class="sprite" aria-hidden="true" xmlns:xlink="http://www.w3.org/1999/xlink">{symbols}</svg>'


def use(face: Face, alt: str, kind: str = "face") -> str:
    """A face in its place; `alt` is what a reader hears who does not see it."""
    w, h = number(face.size.w), number(face.size.h)
    width = number(face.size.w / MM_PER_INCH * CSS_DPI)
    height = number(face.size.h / MM_PER_INCH * CSS_DPI)
    size = f'width="{width}" height="{height}" ' if kind == "face" else ""
    label = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
    return (
        f'<svg class="{kind}" {size}viewBox="0 0 {w} {h}" {label}>'
        f'<use href="#face-{face.name}" width="{w}" height="{h}"/></svg>'
    )


def _symbol(face: Face) -> str:
    w, h = (number(side) for side in face.size)
    return f'<symbol id="face-{face.name}" viewBox="0 0 {w} {h}">{_inside(face)}</symbol>'


def _inside(face: Face) -> str:
    """What is inside a face's SVG."""
    return _OPEN.sub("", face.svg, count=1).rpartition("</svg>")[0]
