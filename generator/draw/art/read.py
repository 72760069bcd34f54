"""From the bytes of an SVG file to a picture that is safe and plain."""

import re
from xml.etree import ElementTree as ET

from generator.core.geometry import Rect, Size
from generator.core.problems import Wrong
from generator.draw.art.css import cascade
from generator.draw.art.dialect import modernise
from generator.draw.art.gate import admit
from generator.draw.art.images import check_images, inner_pictures, is_svg
from generator.draw.art.limits import check_limits
from generator.draw.art.model import HREF, LABEL, PX, Art
from generator.draw.art.plain import plain

MAX_FACE = 200_000_000
"""Bytes of a face with all the images in it."""
MAX_NESTED = 3
"""Pictures in pictures."""

_SIZE = re.compile(r"\s*\+?((?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_OURS = re.compile(r"(?:<\?xml version=\"1.0\" encoding=\"utf-8\" *\?>\s*)?<svg[\s>]")


def read_art(
    data: bytes, name: str, language: str = "en", replaced: frozenset[str] = frozenset(), depth: int = 0
) -> Art:
    """Read and check an SVG; `language` decides between texts that the picture has in several.

    `replaced` are the images, by id or label, that will show something else: what they link to is forgotten.
    """
    root = plain(admit(data, name, replaced=replaced).root, language)
    for image in root.iter("image"):
        if replaced & {image.get("id", ""), image.get(LABEL, "")}:
            image.attrib.pop(HREF, None)
    check_images(root, name)
    cascade(root, name)
    modernise(root)
    view = _view(root, name)
    if depth > MAX_NESTED:
        raise Wrong(f"{name}: pictures lie in pictures more than {MAX_NESTED} deep", "a simpler SVG")
    inner = inner_pictures(root, name, lambda found: read_art(found, name, language, depth=depth + 1))
    check_limits(root, view, name)
    return Art(name, root, view, inner)


def check_face(svg: str, size: Size, name: str, seen: set[int]) -> None:
    """Check a picture that we once drew ourselves, of a file from anywhere: by the same gate, and as we write them.

    `seen` keeps which images were checked already: many faces show the same. The art that is placed in it comes through
    the gate for art.
    """
    root = plain(admit(svg.encode(), name, MAX_FACE).root, "en")
    if not _OURS.match(svg):
        raise Wrong(f"{name} is no picture that pnp drew", "an SVG that begins with <svg")
    if any(element.tag == "style" for element in root.iter()):
        raise Wrong(f"{name} holds a style sheet", "a picture that has been drawn")
    written = [(image, image.get(HREF)) for image in root.iter("image")]
    check_images(root, name, seen)
    if any(image.get(HREF) != address and is_svg(image) for image, address in written):
        raise Wrong(f"{name} holds an SVG image that pnp did not place", "a picture that has been drawn")
    inner_pictures(root, name, lambda found: read_art(found, f"art in {name}"), seen)
    check_limits(root, _view(root, name) if root.get("viewBox") else Rect(0, 0, *size), name)


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
