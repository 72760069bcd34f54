"""What a picture may not hold: anything from outside, anything that runs, anything that would not show."""

import base64
import binascii
import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from PIL import Image

from generator.core.problems import Wrong
from generator.draw.art.model import HREF, by_id, references
from generator.draw.pixels import MAX_PIXELS, check_end, opened, too_large

REFUSED = {"script", "foreignObject", "iframe", "audio", "video", "canvas"}
FLOWED = {"flowRoot", "flowRegion", "flowPara"}
EMBEDDED = {"PNG", "JPEG", "GIF", "WEBP"}

DRAWN_FROM_DATA = {"image", "feImage"}
"""What the engines would read a file for."""

_NAME = re.compile(r"#[^\s/\\%?#:]+")
_CSS_URL = re.compile(r"url\(\s*['\"]?([^)'\"]*)")
_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}", re.IGNORECASE)


def check_contents(root: ET.Element, name: str) -> None:
    """Raise for the first thing that asks for more than the picture itself, or that would not show."""
    ids = by_id(root)
    for element in root.iter():
        _check_tag(element.tag, name)
        if element.tag == "style":
            _check_sheet(element.text or "", name)
        for reference in references(element):
            _check_reference(element, reference, ids, name)


def _check_tag(tag: str, name: str) -> None:
    if tag in REFUSED:
        raise Wrong(f"{name}: <{tag}> is not allowed in art", "shapes, text and images only")
    if tag in FLOWED:
        raise Wrong(
            f"{name}: Inkscape's flowed text shows nowhere but in Inkscape",
            "plain text",
            "in Inkscape: select it, then Text > Convert to Text",
        )


def _check_reference(element: ET.Element, reference: str, ids: Mapping[str, ET.Element], name: str) -> None:
    """Pass what the picture holds: data, or one of its own elements by its name."""
    if element.tag in DRAWN_FROM_DATA and reference.startswith("data:image/"):
        return
    inner = _NAME.fullmatch(reference) and element.tag != "image"
    if inner and (element.tag != "feImage" or reference[1:] in ids):
        return
    if reference not in {"", "#"} or (reference and element.tag in DRAWN_FROM_DATA):
        shown = reference if len(reference) < 80 else reference[:77] + "…"
        raise Wrong(f"{name} refers to {shown!r}", "a picture that holds all it needs: embed images, do not link them")


def check_images(root: ET.Element, name: str) -> None:
    """Raise for the first embedded image that cannot be drawn."""
    for element in root.iter():
        address = element.get(HREF, "").strip()
        if address.startswith("data:") and not is_svg(element):
            _check_pixels(address, name)


def _check_sheet(css: str, name: str) -> None:
    imported = re.search(r"@import\s+([^;]+)", css)
    if imported:
        raise Wrong(
            f"{name} refers to '@import {imported[1].strip()}'",
            "a picture that holds all it needs: styles in the picture itself",
        )
    for reference in _CSS_URL.findall(_FONT_FACE.sub("", css)):
        if not reference.startswith("#"):
            raise Wrong(f"{name} refers to {reference[:80]!r}", "a picture that holds all it needs")


def data_of(address: str, name: str) -> bytes:
    """The bytes of a `data:` address."""
    from urllib.parse import unquote_to_bytes

    head, _, body = address.partition(",")
    try:
        plain = unquote_to_bytes(body)
        return base64.b64decode(re.sub(rb"\s", b"", plain), validate=True) if head.endswith(";base64") else plain
    except binascii.Error as error:
        raise Wrong(f"{name} has an embedded image that cannot be read ({error})", "an image embedded anew") from error


def _check_pixels(address: str, name: str) -> None:
    try:
        data = data_of(address, name)
        with opened(data) as image:
            kind, (width, height) = image.format or "", image.size
    except Image.DecompressionBombError as error:
        raise too_large(f"{name}: an embedded image") from error
    except (OSError, SyntaxError) as error:
        raise Wrong(f"{name} has an embedded image that cannot be read", "a PNG or a JPEG image") from error
    check_end(f"{name}: an embedded image", data)
    if kind not in EMBEDDED:
        raise Wrong(f"{name} has an embedded {kind} image", "a PNG or a JPEG image")
    if width * height > MAX_PIXELS:
        raise too_large(f"{name}: an embedded image", f"{width} × {height} pixels")


def is_svg(element: ET.Element) -> bool:
    """Whether an element is an image that is an SVG itself."""
    return element.tag == "image" and element.get(HREF, "").strip().startswith("data:image/svg+xml")
