"""The images inside a picture: check them, read those that are SVG, and find the sizes of the others.

The sizes at print scale show whether an image has too few pixels.
"""

import base64
import binascii
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from xml.etree import ElementTree as ET

from PIL import Image

from generator.base.errors import InvalidValueError
from generator.base.geometry import IDENTITY, Affine, Rect, Size, read_transform
from generator.base.svg_table import SVG_KIND
from generator.draw.art.gate import LOADING_ELEMENTS
from generator.draw.art.tree import (
    DEFINITIONS,
    HREF,
    ArtTree,
    by_id,
    href_target,
    length_of,
    property_of,
    url_targets,
)
from generator.picture.images import (
    CMYK,
    UNREADABLE,
    check_end,
    data_address,
    is_too_large,
    open_image,
    screen_address,
    too_large_error,
)
from generator.picture.items import EmbeddedImage

EMBEDDED = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "WEBP": "webp"}

_UNIFORM_ADDRESS = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*")


def check_images(root: ET.Element, name: str) -> None:
    """Check all embedded images, and write them in a uniform form that the engines read.

    CMYK images are converted to RGB. Raises `InvalidValueError` for the first image that cannot be
    drawn.
    """
    uniform: dict[str, str] = {}
    for element, address in _embedded_images(root):
        if address not in uniform:
            uniform[address] = _uniform_address(address, name)
        element.set(HREF, uniform[address])


def _uniform_address(address: str, name: str) -> str:
    """Return the address of an embedded image in the form that the engines read."""
    data = decode_data_address(address, name)
    if _is_svg(data):
        return data_address("image/svg+xml", data)
    kind, mode = _check_pixels(data, name)
    if mode == CMYK:
        with open_image(data) as image:
            return screen_address(image, 1)
    media_type = f"image/{EMBEDDED[kind]}"
    is_uniform = _UNIFORM_ADDRESS.fullmatch(address) and address.startswith(f"data:{media_type};")
    return address if is_uniform else data_address(media_type, data)


def inner_pictures(
    root: ET.Element, name: str, read: Callable[[bytes], ArtTree]
) -> dict[str, ArtTree]:
    """Return the SVG pictures that images show, by their addresses; each is read once."""
    addresses = dict.fromkeys(address for _, address in _embedded_images(root))
    return {
        address: read(decode_data_address(address, name))
        for address in addresses
        if address.startswith(SVG_KIND)
    }


def _embedded_images(root: ET.Element) -> Iterator[tuple[ET.Element, str]]:
    for element in root.iter():
        address = element.get(HREF, "").strip()
        if element.tag in LOADING_ELEMENTS and address[:5].lower() == "data:":
            yield element, address


def decode_data_address(address: str, name: str) -> bytes:
    """Return the bytes of a `data:` address; raise `InvalidValueError` if it is malformed."""
    from urllib.parse import unquote_to_bytes

    head, _, body = address.partition(",")
    try:
        plain = unquote_to_bytes(body)
        coded = head.rstrip().lower().endswith(";base64")
        return base64.b64decode(re.sub(rb"\s", b"", plain), validate=True) if coded else plain
    except binascii.Error as error:
        raise InvalidValueError(
            f"{name} has an embedded image that cannot be read ({error})", "an image embedded anew"
        ) from error


def _is_svg(data: bytes) -> bool:
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"<") and b"<svg" in data


def _check_pixels(data: bytes, name: str) -> tuple[str, str]:
    """Return the format and the colour mode of a raster image.

    Raise `InvalidValueError` if it cannot be drawn.
    """
    try:
        with open_image(data) as image:
            kind = image.format or ""
            mode = image.mode
            width, height = image.size
    except Image.DecompressionBombError as error:
        raise too_large_error(f"{name}: an embedded image") from error
    except UNREADABLE as error:
        raise InvalidValueError(
            f"{name} has an embedded image that cannot be read", "a PNG or a JPEG image"
        ) from error
    check_end(f"{name}: an embedded image", data)
    if kind not in EMBEDDED:
        raise InvalidValueError(f"{name} has an embedded {kind} image", "a PNG or a JPEG image")
    if is_too_large(width, height):
        raise too_large_error(f"{name}: an embedded image", f"{width} × {height} pixels")
    return kind, mode


MAX_USE_DEPTH = 12
"""Nesting depth of uses; circles of uses draw nothing."""

_NUMBER = re.compile(r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?")


def embedded_images(
    art: ArtTree, names: Mapping[str, str] = MappingProxyType({})
) -> tuple[EmbeddedImage, ...]:
    """Return every image of pixels that a picture draws, also those in the pictures that it shows.

    `names` are the files that images were taken from, by the images' addresses.
    """
    finder = _Finder(by_id(art.root), art.inner, art.view.size, art.name, {**art.files, **names})
    return tuple(finder.images_in_children(art.root, _Place()))


@lru_cache(1024)
def _pixels_of(address: str, name: str) -> tuple[int, int]:
    """Return the size of an embedded image in pixels; the same image may stand on many cards."""
    with Image.open(io.BytesIO(decode_data_address(address, name))) as image:
        return image.size


@dataclass(frozen=True)
class _Place:
    """The state of drawing an element: transform, inherited fill, and depth of uses."""

    matrix: Affine = IDENTITY
    fill: str = ""
    depth: int = 0

    def nested(self, step: Affine, fill: str | None = None, deeper: int = 0) -> "_Place":
        """Return the state inside an element with another transform."""
        return _Place(self.matrix @ step, self.fill if fill is None else fill, self.depth + deeper)


@dataclass(frozen=True)
class _Finder:
    """Follows everything that a picture draws, through uses and patterns."""

    ids: Mapping[str, ET.Element]
    inner: Mapping[str, ArtTree]
    viewport: Size
    """The size that percentages refer to."""
    name: str
    names: Mapping[str, str]

    def images_under(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        """Yield the images of an element and its descendants."""
        if (
            element.tag in DEFINITIONS
            or property_of(element, "display") == "none"
            or place.depth > MAX_USE_DEPTH
        ):
            return
        transform = property_of(element, "transform")
        inside = place.nested(
            read_transform(transform) if transform else IDENTITY, property_of(element, "fill")
        )
        if element.tag == "image":
            yield from self._images_of_image(element, inside)
        elif element.tag == "use":
            yield from self._images_of_use(element, inside)
        else:
            yield from self._images_of_pattern(element, inside)
            inner = inside.nested(self._viewport(element)) if element.tag == "svg" else inside
            yield from self.images_in_children(element, inner)

    def _images_of_image(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        address = element.get(HREF, "").strip()
        tree = self.inner.get(address)
        size = (self._length_of(element, "width"), self._length_of(element, "height"))
        if tree is not None:
            full_size = {
                "width": str(size[0] or tree.view.w),
                "height": str(size[1] or tree.view.h),
            }
            port = ET.Element(
                "svg", {**element.attrib, **full_size, "viewBox": " ".join(map(str, tree.view))}
            )
            finder = _Finder(
                by_id(tree.root),
                tree.inner,
                tree.view.size,
                self.name,
                {**self.names, **tree.files},
            )
            yield from finder.images_in_children(
                tree.root, place.nested(self._viewport(port), deeper=1)
            )
        elif address.startswith("data:") and 0 not in size:
            at = Affine(e=self._length_of(element, "x") or 0, f=self._length_of(element, "y") or 0)
            name = self.names.get(address, f"an image in {self.name}")
            pixels = _pixels_of(address, self.name)
            yield EmbeddedImage(name, pixels, *size, _read_fit(element), place.matrix @ at)

    def images_in_children(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        """Yield the images of an element's children."""
        for child in element:
            yield from self.images_under(child, place)

    def _images_of_use(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        target = self.ids.get(href_target(element))
        if target is None:
            return
        at = place.nested(
            Affine(e=self._length_of(element, "x") or 0, f=self._length_of(element, "y") or 0),
            deeper=1,
        )
        if target.tag == "symbol":
            port = ET.Element(
                "svg", {**target.attrib, **_explicit_size(element), "x": "0", "y": "0"}
            )
            yield from self.images_in_children(target, at.nested(self._viewport(port)))
        else:
            yield from self.images_under(target, at)

    def _images_of_pattern(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        """Yield the images of the pattern that fills a shape."""
        pattern = next((self.ids.get(name) for name in url_targets(place.fill)), None)
        box = self._box(element)
        if pattern is None or pattern.tag != "pattern" or box is None:
            return
        turned = pattern.get("patternTransform")
        step = read_transform(turned) if turned else IDENTITY
        box_matrix = Affine(box.w, 0, 0, box.h, box.x, box.y)
        if pattern.get("viewBox"):
            tile = box_matrix if pattern.get("patternUnits") != "userSpaceOnUse" else IDENTITY
            step = step @ tile @ self._viewport(pattern)
        elif pattern.get("patternContentUnits") == "objectBoundingBox":
            step = step @ box_matrix
        yield from self.images_in_children(pattern, place.nested(step, "", deeper=1))

    def _length_of(self, element: ET.Element, name: str) -> float | None:
        return length_of(element, name, self.viewport)

    def _viewport(self, element: ET.Element) -> Affine:
        """Return the transform from the inside of an `<svg>` to its surroundings."""
        at = Affine(e=self._length_of(element, "x") or 0, f=self._length_of(element, "y") or 0)
        numbers = [float(part) for part in _NUMBER.findall(element.get("viewBox", ""))]
        w = self._length_of(element, "width")
        h = self._length_of(element, "height")
        if len(numbers) != 4 or min(numbers[2:]) <= 0 or not w or not h:
            return at
        x, y = numbers[:2]
        across = w / numbers[2]
        down = h / numbers[3]
        if _read_fit(element) != "stretch":
            across = down = (
                min(across, down) if _read_fit(element) == "contain" else max(across, down)
            )
        return at @ Affine(a=across, d=down) @ Affine(e=-x, f=-y)

    def _box(self, element: ET.Element) -> Rect | None:
        """Return the box of a rectangle, circle or ellipse; None for other shapes."""
        value = {
            name: self._length_of(element, name) or 0.0
            for name in ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")
        }
        if element.tag == "rect":
            return Rect(value["x"], value["y"], value["width"], value["height"])
        if element.tag in {"circle", "ellipse"}:
            rx, ry = (
                (value["r"], value["r"]) if element.tag == "circle" else (value["rx"], value["ry"])
            )
            return Rect(value["cx"] - rx, value["cy"] - ry, 2 * rx, 2 * ry)
        return None


def _explicit_size(element: ET.Element) -> dict[str, str]:
    return {side: element.attrib[side] for side in ("width", "height") if side in element.attrib}


def _read_fit(element: ET.Element) -> str:
    ratio = element.get("preserveAspectRatio", "")
    return (
        "stretch" if ratio.startswith("none") else "cover" if ratio.endswith("slice") else "contain"
    )
