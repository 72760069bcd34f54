"""Faces in a web page: each once, as a symbol, however often it is shown."""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple
from xml.etree import ElementTree as ET

from generator.core.geometry import Rect
from generator.core.svg import written
from generator.core.units import MM_PER_INCH, number
from generator.draw.face import Face, Part, apart

CSS_DPI = 96
LARGER = 1.5
"""How much larger than on paper pictures are on a screen, where there is room for it."""

_VIEW = re.compile(r"<svg\b[^>]*\bviewBox=[\"']([^\"']+)")


def sprite(faces: Iterable[Face]) -> str:
    """All faces, not shown, and what they are put together of: whoever shows one cuts it."""
    pictures = {face.name: face for face in faces}
    symbols = "".join(
        map(_symbol, {face.name: face for face in (*apart(pictures.values()), *pictures.values())}.values())
    )
    return f'<svg class="sprite" aria-hidden="true" xmlns:xlink="http://www.w3.org/1999/xlink">{symbols}</svg>'


class Share(NamedTuple):
    """How much of its room a picture takes, and of its own size: what stands beside it is drawn alike."""

    room: float
    size: float


ALL = Share(1.0, 1.0)


def use(face: Face, alt: str, kind: str = "face", share: Share = ALL) -> str:
    """A face in its place; `alt` is what a reader hears who does not see it."""
    w, h = number(face.size.w), number(face.size.h)
    width = number(share.size * LARGER * face.size.w / MM_PER_INCH * CSS_DPI)
    height = number(share.size * LARGER * face.size.h / MM_PER_INCH * CSS_DPI)
    size = f'width="{width}" height="{height}" ' if kind == "face" else ""
    if share.room < 1:
        size += f'style="max-width:{number(100 * share.room)}%" '
    label = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
    return (
        f'<svg class="{kind}" {size}viewBox="0 0 {w} {h}" {label}>'
        f'<use href="#face-{face.name}" width="{w}" height="{h}"/></svg>'
    )


def _symbol(face: Face) -> str:
    if face.parts:
        view, inside = (
            Rect(0, 0, *face.size),
            "".join(_part(face, index, part) for index, part in enumerate(face.parts)),
        )
    else:
        view, inside = _trim(face), _inside(face)
    view_box = " ".join(map(number, view))
    return f'<symbol id="face-{face.name}" viewBox="{view_box}" overflow="visible">{inside}</symbol>'


def _part(face: Face, index: int, part: Part) -> str:
    """A face at its place in a picture, cut to its outline."""
    w, h = number(part.face.size.w), number(part.face.size.h)
    middle = f"{number(-part.face.size.w / 2)} {number(-part.face.size.h / 2)}"
    turn = f"rotate({number(part.turn)}) " if part.turn else ""
    place = f"translate({number(part.centre.x)} {number(part.centre.y)}) {turn}scale({number(part.scale)})"
    clip = f"clip-{face.name}-{index}"
    return (
        f'<clipPath id="{clip}">{_outline(part)}</clipPath><g transform="{place} translate({middle})">'
        f'<g clip-path="url(#{clip})"><use href="#face-{part.face.name}" width="{w}" height="{h}"/></g></g>'
    )


def _outline(part: Part) -> str:
    if not part.corners:
        r = number(part.face.size.w / 2)
        return f'<circle cx="{r}" cy="{r}" r="{r}"/>'
    return f'<polygon points="{" ".join(f"{number(p.x)},{number(p.y)}" for p in part.corners)}"/>'


def _trim(face: Face) -> Rect:
    """The trim in the picture's own units, which may begin anywhere."""
    view = _VIEW.search(face.svg)
    if view is None:
        return Rect(0, 0, *face.size)
    x, y, w, _ = (float(part) for part in view[1].replace(",", " ").split())
    unit = w / face.full.w
    return Rect(x + face.bleed * unit, y + face.bleed * unit, face.size.w * unit, face.size.h * unit)


def _inside(face: Face) -> str:
    """What is inside a face's SVG, written anew: a browser reads it by other rules than those of XML."""
    root = ET.fromstring(face.svg.encode())
    return "".join(map(written, root))
