"""SVG art from a pack, made fit to stand inside a face.

Art is inlined as a `<symbol>`, not linked: an SVG linked as an image loses its
fonts in print. So its ids get a prefix of their own and its style sheets reach
no further than itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.parsers import expat

from generator.draw.uses import check_uses
from generator.errors import Wrong
from generator.geometry import Rect
from generator.units import MM_PER_INCH, UNITS

MAX_BYTES = 8_000_000
MAX_DEPTH = 200
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFUSED = {"script", "foreignObject", "iframe", "audio", "video"}

_URL = re.compile(r"url\(\s*['\"]?([^)'\"]*)['\"]?\s*\)")
CSS_DPI = 96
_PX = {**{unit: mm * CSS_DPI / MM_PER_INCH for unit, mm in UNITS.items()}, "px": 1.0, "": 1.0, "pc": 16.0}
_SIZE = re.compile(r"\s*(\d*\.?\d+)\s*([a-z]*)\s*")


@dataclass(frozen=True)
class Art:
    """A picture's elements, its own coordinates."""

    name: str
    root: ET.Element
    view: Rect

    @property
    def ratio(self) -> float:
        """The width as a multiple of the height."""
        return self.view.w / self.view.h


def read_art(path: Path, name: str) -> Art:
    """Read and check an SVG file."""
    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        raise Wrong(f"{name}: the picture has more than {MAX_BYTES // 1_000_000} MB", "a simpler SVG, or a PNG")
    root = _parse(data, name)
    if root.tag != f"{{{SVG}}}svg":
        raise Wrong(
            f"{name} is no SVG picture (its root is {root.tag!r})",
            'an SVG file with xmlns="http://www.w3.org/2000/svg"',
        )
    _check(root, name)
    check_uses(root, name)
    return Art(name, root, _view(root, name))


def check_svg(data: bytes, name: str) -> None:
    """Refuse a picture that asks for anything outside itself, or that is built to do harm."""
    _check(_parse(data, name), name)


def _parse(data: bytes, name: str) -> ET.Element:
    """The elements; entities are refused before anything is built."""
    guard = expat.ParserCreate()
    depth = [0]

    def start(*_: object) -> None:
        depth[0] += 1
        if depth[0] > MAX_DEPTH:
            raise Wrong(f"{name}: elements are nested more than {MAX_DEPTH} deep", "a simpler SVG")

    def end(*_: object) -> None:
        depth[0] -= 1

    def entity(*_: object) -> None:
        raise Wrong(f"{name} declares XML entities", "an SVG without them: save it again as plain SVG")

    guard.StartElementHandler, guard.EndElementHandler, guard.EntityDeclHandler = start, end, entity
    try:
        guard.Parse(data, True)  # noqa: FBT003 - expat's own signature
        return ET.fromstring(data)
    except (expat.ExpatError, ET.ParseError) as error:
        raise Wrong(f"{name} is not well-formed XML: {error}", "an SVG picture") from error


def _check(root: ET.Element, name: str) -> None:
    for element in root.iter():
        tag = local(element.tag)
        if tag in REFUSED:
            raise Wrong(f"{name}: <{tag}> is not allowed in art", "shapes, text and images only")
        if tag == "flowRoot":
            raise Wrong(
                f"{name}: Inkscape's flowed text shows nowhere but in Inkscape",
                "plain text",
                "in Inkscape: select it, then Text > Convert to Text",
            )
        for reference in references(element):
            if not reference.startswith(("#", "data:image/")):
                raise Wrong(
                    f"{name} refers to {reference!r}",
                    "a picture that holds all it needs: embed images, do not link them",
                )


def references(element: ET.Element) -> Iterator[str]:
    """All that an element points to."""
    for key, value in element.attrib.items():
        if local(key) == "href":
            yield value.strip()
        yield from _URL.findall(value)
    if local(element.tag) == "style":
        text = element.text or ""
        yield from _URL.findall(text)
        yield from (f"@import {rest}" for rest in re.findall(r"@import\s+([^;]+)", text))


def local(tag: object) -> str:
    """A tag's or an attribute's name without its namespace; comments have none."""
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def _view(root: ET.Element, name: str) -> Rect:
    box = root.get("viewBox")
    if box is not None:
        try:
            x, y, w, h = (float(part) for part in re.split(r"[\s,]+", box.strip()))
        except ValueError:
            raise Wrong(f"{name}: viewBox {box!r}", "four numbers") from None
        if w > 0 and h > 0:
            return Rect(x, y, w, h)
        raise Wrong(f"{name}: viewBox {box!r} is empty", "a width and a height above 0")
    sizes = [_SIZE.fullmatch(root.get(side, "")) for side in ("width", "height")]
    values = [float(match[1]) * _PX[match[2]] for match in sizes if match and match[2] in _PX]
    if len(values) == len(sizes) and min(values) > 0:
        return Rect(0, 0, values[0], values[1])
    raise Wrong(f"{name} has neither a viewBox nor a width and a height", "a viewBox on its <svg> element")
