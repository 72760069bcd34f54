"""The pixel images that a picture holds: whether each can be drawn."""

import base64
import binascii
import re
from xml.etree import ElementTree as ET

from PIL import Image

from generator.core.problems import Wrong
from generator.draw.art.model import HREF
from generator.draw.pixels import MAX_PIXELS, UNREADABLE, check_end, opened, too_large

EMBEDDED = {"PNG", "JPEG", "GIF", "WEBP"}


def check_images(root: ET.Element, name: str, seen: set[int] | None = None) -> None:
    """Raise for the first embedded image that cannot be drawn; those that were `seen` in other pictures can be."""
    seen = set() if seen is None else seen
    for element in root.iter():
        address = element.get(HREF, "").strip()
        if address.startswith("data:") and not is_svg(element) and hash(address) not in seen:
            _check_pixels(address, name)
            seen.add(hash(address))


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
    except UNREADABLE as error:
        raise Wrong(f"{name} has an embedded image that cannot be read", "a PNG or a JPEG image") from error
    check_end(f"{name}: an embedded image", data)
    if kind not in EMBEDDED:
        raise Wrong(f"{name} has an embedded {kind} image", "a PNG or a JPEG image")
    if width * height > MAX_PIXELS:
        raise too_large(f"{name}: an embedded image", f"{width} × {height} pixels")


def is_svg(element: ET.Element) -> bool:
    """Whether an element is an image that is an SVG itself."""
    return element.tag == "image" and element.get(HREF, "").strip().startswith("data:image/svg+xml")
