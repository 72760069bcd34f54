"""From the bytes of an SVG file to a picture that is safe and plain."""

import re
from xml.etree import ElementTree as ET
from xml.parsers import expat

from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.draw.art.cascade import cascade
from generator.draw.art.dialect import modernise
from generator.draw.art.embedded import unpack
from generator.draw.art.limits import check_limits
from generator.draw.art.model import PX, SVG, Art
from generator.draw.art.plain import plain
from generator.draw.art.refuse import check_contents, check_images, is_svg

MAX_BYTES = 8_000_000
MAX_DEPTH = 200
MAX_ENTITIES = 2000
"""Ampersands in a file that declares entities: Illustrator uses a few dozen."""

_SIZE = re.compile(r"\s*\+?(\d*\.?\d+(?:e[-+]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_NAMESPACE = re.compile(r"https?://[\w./#:-]{1,100}")
_GZIP = b"\x1f\x8b"


def read_art(data: bytes, name: str, language: str = "en", depth: int = 0) -> Art:
    """Read and check an SVG; `language` decides between texts that the picture has in several."""
    if len(data) > MAX_BYTES:
        raise Wrong(f"{name}: the picture has more than {MAX_BYTES // 1_000_000} MB", "a simpler SVG, or a PNG")
    parsed = _parse(data, name)
    if parsed.tag != f"{{{SVG}}}svg":
        raise Wrong(
            f"{name} is no SVG picture (its root is {parsed.tag!r})",
            'an SVG file with xmlns="http://www.w3.org/2000/svg"',
        )
    root = plain(parsed, language)
    check_contents(root, name)
    check_images(root, name)
    cascade(root, name)
    modernise(root)
    view = _view(root, name)
    unpack(root, name, lambda inner: read_art(inner, name, language, depth + 1), depth)
    check_limits(root, view, name)
    return Art(name, root, view)


def check_svg(data: bytes, name: str) -> None:
    """Refuse a picture that asks for anything outside itself, or that is built to do harm."""
    root = plain(_parse(data, name), "en")
    check_contents(root, name)
    if any(is_svg(element) for element in root.iter()):
        raise Wrong(f"{name} holds an SVG image", "a picture that has been drawn")


def _parse(data: bytes, name: str) -> ET.Element:
    """The elements; what would blow them up is refused before anything is built."""
    if data.startswith(_GZIP):
        raise Wrong(f"{name} is a compressed SVG", "plain SVG", "save it as .svg, not as .svgz")
    guard = expat.ParserCreate()
    depth = [0]

    def start(*_: object) -> None:
        depth[0] += 1
        if depth[0] > MAX_DEPTH:
            raise Wrong(f"{name}: elements are nested more than {MAX_DEPTH} deep", "a simpler SVG")

    def end(*_: object) -> None:
        depth[0] -= 1

    def entity(_name: str, _is_parameter: int, value: str | None, *_: object) -> None:
        if not value or not _NAMESPACE.fullmatch(value) or data.count(b"&") > MAX_ENTITIES:
            raise Wrong(f"{name} declares XML entities", "an SVG without them: save it again as plain SVG")

    guard.StartElementHandler, guard.EndElementHandler, guard.EntityDeclHandler = start, end, entity
    try:
        guard.Parse(data, True)  # noqa: FBT003 - expat's own signature
        return ET.fromstring(data)
    except (expat.ExpatError, ET.ParseError, LookupError, ValueError) as error:
        if isinstance(error, Wrong):
            raise
        raise Wrong(f"{name} is not well-formed XML: {error}", "an SVG picture") from error


def _view(root: ET.Element, name: str) -> Rect:
    """The part of the plane that the picture shows, in its own units."""
    box = root.get("viewBox")
    if box is not None:
        return _view_box(box, name)
    sizes = [_SIZE.fullmatch(root.get(side, "")) for side in ("width", "height")]
    values = [float(match[1]) * PX[match[2].lower()] for match in sizes if match and match[2].lower() in PX]
    if len(values) == len(sizes) and min(values) > 0:
        return Rect(0, 0, values[0], values[1])
    raise Wrong(f"{name} has neither a viewBox nor a width and a height", "a viewBox on its <svg> element")


def _view_box(box: str, name: str) -> Rect:
    try:
        x, y, w, h = (float(part) for part in re.split(r"[\s,]+", box.strip()))
    except ValueError:
        raise Wrong(f"{name}: viewBox {box!r}", "four numbers") from None
    if not all(abs(value) < 1e9 for value in (x, y, w, h)):
        raise Wrong(f"{name}: viewBox {box!r}", "four numbers that are not so large")
    if w > 0 and h > 0:
        return Rect(x, y, w, h)
    raise Wrong(f"{name}: viewBox {box!r} is empty", "a width and a height above 0")
