"""The images that a picture holds: whether each can be drawn, and those that are SVG themselves."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree as ET

from PIL import Image

from generator.core.problems import Wrong
from generator.core.svg import SVG_KIND
from generator.draw.art.model import HREF, Art
from generator.draw.pixels import MAX_PIXELS, UNREADABLE, check_end, opened, too_large

EMBEDDED = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "WEBP": "webp"}
LOADS = {"image", "feImage"}

_PLAIN = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=]*")


def check_images(root: ET.Element, name: str, seen: set[int] | None = None) -> None:
    """Raise for the first embedded image of pixels that cannot be drawn; those that were `seen` elsewhere can be.

    However an address was written, it then says what it is.
    """
    seen = set() if seen is None else seen
    for element, address in _embedded(root):
        if hash(address) not in seen:
            data = data_of(address, name)
            if _is_svg(data):
                element.set(HREF, SVG_KIND + base64.b64encode(data).decode())
                continue
            kind = _check_pixels(data, name)
            if not _PLAIN.fullmatch(address) or not address.startswith(f"data:image/{EMBEDDED[kind][:2]}"):
                element.set(HREF, f"data:image/{EMBEDDED[kind]};base64,{base64.b64encode(data).decode()}")
            seen.add(hash(element.get(HREF, "")))


def inner_pictures(
    root: ET.Element, name: str, read: Callable[[bytes], Art], seen: set[int] | None = None
) -> dict[str, Art]:
    """The pictures that images show, by their addresses, each read once."""
    found: dict[str, Art] = {}
    for _, address in _embedded(root):
        if address.startswith(SVG_KIND) and address not in found and hash(address) not in (seen or ()):
            found[address] = read(data_of(address, name))
            if seen is not None:
                seen.add(hash(address))
    return found


def is_svg(image: ET.Element) -> bool:
    """Whether what an image shows is an SVG."""
    return image.get(HREF, "").startswith(SVG_KIND)


def _embedded(root: ET.Element) -> Iterator[tuple[ET.Element, str]]:
    for element in root.iter():
        address = element.get(HREF, "").strip()
        if element.tag in LOADS and address.startswith("data:"):
            yield element, address


def data_of(address: str, name: str) -> bytes:
    """The bytes of a `data:` address."""
    from urllib.parse import unquote_to_bytes

    head, _, body = address.partition(",")
    try:
        plain = unquote_to_bytes(body)
        coded = head.rstrip().endswith(";base64")
        return base64.b64decode(re.sub(rb"\s", b"", plain), validate=True) if coded else plain
    except binascii.Error as error:
        raise Wrong(f"{name} has an embedded image that cannot be read ({error})", "an image embedded anew") from error


def _is_svg(data: bytes) -> bool:
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"<") and b"<svg" in data


def _check_pixels(data: bytes, name: str) -> str:
    try:
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
    return kind
