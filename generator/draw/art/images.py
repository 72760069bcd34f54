"""The images that a picture holds: whether each can be drawn, those that are SVG themselves, how large the others are.

At its printed size, an image of pixels may have too few of them.
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

from generator.core.geometry import IDENTITY, Affine, Rect, Size, read_transform
from generator.core.pixels import (
    INKS,
    UNREADABLE,
    check_end,
    in_light,
    is_too_large,
    opened,
    too_large,
)
from generator.core.problems import Wrong
from generator.core.svg import SVG_KIND
from generator.draw.art.model import HREF, ArtTree, by_id, length, property_of
from generator.picture.items import EmbeddedImage

EMBEDDED = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "WEBP": "webp"}
LOADS = {"image", "feImage"}

_PLAIN = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=]*")


def check_images(root: ET.Element, name: str, seen: set[int] | None = None) -> None:
    """Raise for the first embedded image of pixels that cannot be drawn; those that were `seen` elsewhere can be.

    However an address was written, it then says what it is; what is in inks is told in the colours of screens.
    """
    seen = set() if seen is None else seen
    for element, address in _embedded(root):
        if hash(address) not in seen:
            data = data_of(address, name)
            if _is_svg(data):
                element.set(HREF, SVG_KIND + base64.b64encode(data).decode())
                continue
            kind, mode = _check_pixels(data, name)
            if mode == INKS:
                with opened(data) as image:
                    element.set(HREF, in_light(image, 1))
            elif not _PLAIN.fullmatch(address) or not address.startswith(f"data:image/{EMBEDDED[kind][:2]}"):
                element.set(HREF, f"data:image/{EMBEDDED[kind]};base64,{base64.b64encode(data).decode()}")
            seen.add(hash(element.get(HREF, "")))


def inner_pictures(
    root: ET.Element, name: str, read: Callable[[bytes], ArtTree], seen: set[int] | None = None
) -> dict[str, ArtTree]:
    """The pictures that images show, by their addresses, each read once."""
    found: dict[str, ArtTree] = {}
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
        if element.tag in LOADS and address[:5].lower() == "data:":
            yield element, address


def data_of(address: str, name: str) -> bytes:
    """The bytes of a `data:` address."""
    from urllib.parse import unquote_to_bytes

    head, _, body = address.partition(",")
    try:
        plain = unquote_to_bytes(body)
        coded = head.rstrip().lower().endswith(";base64")
        return base64.b64decode(re.sub(rb"\s", b"", plain), validate=True) if coded else plain
    except binascii.Error as error:
        raise Wrong(f"{name} has an embedded image that cannot be read ({error})", "an image embedded anew") from error


def _is_svg(data: bytes) -> bool:
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"<") and b"<svg" in data


def _check_pixels(data: bytes, name: str) -> tuple[str, str]:
    """What kind of picture it is, and of what colours."""
    try:
        with opened(data) as image:
            kind, mode, (width, height) = image.format or "", image.mode, image.size
    except Image.DecompressionBombError as error:
        raise too_large(f"{name}: an embedded image") from error
    except UNREADABLE as error:
        raise Wrong(f"{name} has an embedded image that cannot be read", "a PNG or a JPEG image") from error
    check_end(f"{name}: an embedded image", data)
    if kind not in EMBEDDED:
        raise Wrong(f"{name} has an embedded {kind} image", "a PNG or a JPEG image")
    if is_too_large(width, height):
        raise too_large(f"{name}: an embedded image", f"{width} × {height} pixels")
    return kind, mode


ASIDE = {"defs", "symbol", "pattern", "clipPath", "mask", "filter", "marker", "linearGradient", "radialGradient"}
"""What draws nothing where it stands."""

DOWN = {"y", "height", "cy", "ry"}

MAX_USES = 12
"""Of uses in uses; those who go round in circles are drawn by nobody."""

_NUMBER = re.compile(r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?")
_PAINT = re.compile(r"url\(\s*['\"]?#([^)'\"\s]+)")


def embedded_images(art: ArtTree, names: Mapping[str, str] = MappingProxyType({})) -> tuple[EmbeddedImage, ...]:
    """Return every image of pixels that a picture draws, also those in the pictures that it shows.

    `names` are the files that images were taken from, by the images' addresses.
    """
    finder = _Finder(by_id(art.root), art.inner, art.view.size, art.name, names)
    return tuple(finder.all_under(art.root, _Place()))


@lru_cache(1024)
def _pixels_of(address: str, name: str) -> tuple[int, int]:
    """Return the size of an embedded image in pixels; the same image may stand on many cards."""
    with Image.open(io.BytesIO(data_of(address, name))) as image:
        return image.size


@dataclass(frozen=True)
class _Place:
    """Where something is drawn, what it is filled with unless it says so, and how many uses deep."""

    matrix: Affine = IDENTITY
    fill: str = ""
    depth: int = 0

    def inside(self, step: Affine, fill: str | None = None, deeper: int = 0) -> "_Place":
        """The same with a transformation more."""
        return _Place(self.matrix @ step, self.fill if fill is None else fill, self.depth + deeper)


@dataclass(frozen=True)
class _Finder:
    """Follows what a picture draws, through uses and patterns."""

    ids: Mapping[str, ET.Element]
    inner: Mapping[str, ArtTree]
    whole: Size
    """What percentages are of."""
    name: str
    names: Mapping[str, str]

    def under(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        """The images of an element and all in it."""
        if element.tag in ASIDE or property_of(element, "display") == "none" or place.depth > MAX_USES:
            return
        transform = property_of(element, "transform")
        here = place.inside(read_transform(transform) if transform else IDENTITY, property_of(element, "fill"))
        if element.tag == "image":
            yield from self._image(element, here)
        elif element.tag == "use":
            yield from self._used(element, here)
        else:
            yield from self._painted(element, here)
            inner = here.inside(self._viewport(element)) if element.tag == "svg" else here
            yield from self.all_under(element, inner)

    def _image(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        address, shown = element.get(HREF, "").strip(), self.inner.get(element.get(HREF, "").strip())
        size = self._side(element, "width"), self._side(element, "height")
        if shown is not None:
            whole = {"width": str(size[0] or shown.view.w), "height": str(size[1] or shown.view.h)}
            port = ET.Element("svg", {**element.attrib, **whole, "viewBox": " ".join(map(str, shown.view))})
            finder = _Finder(by_id(shown.root), shown.inner, shown.view.size, self.name, self.names)
            yield from finder.all_under(shown.root, place.inside(self._viewport(port), deeper=1))
        elif address.startswith("data:") and 0 not in size:
            at = Affine(e=self._side(element, "x") or 0, f=self._side(element, "y") or 0)
            name = self.names.get(address, f"an image in {self.name}")
            pixels = _pixels_of(address, self.name)
            yield EmbeddedImage(name, pixels, *size, _fit(element), place.matrix @ at)

    def all_under(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        """The images of all in an element."""
        for child in element:
            yield from self.under(child, place)

    def _used(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        target = self.ids.get(element.get(HREF, "").strip()[1:])
        if target is None:
            return
        at = place.inside(Affine(e=self._side(element, "x") or 0, f=self._side(element, "y") or 0), deeper=1)
        if target.tag == "symbol":
            port = ET.Element("svg", {**target.attrib, **_sized(element), "x": "0", "y": "0"})
            yield from self.all_under(target, at.inside(self._viewport(port)))
        else:
            yield from self.under(target, at)

    def _painted(self, element: ET.Element, place: _Place) -> Iterator[EmbeddedImage]:
        """The images of the pattern that a shape is filled with."""
        match = _PAINT.match(place.fill)
        pattern = self.ids.get(match[1]) if match else None
        box = self._box(element)
        if pattern is None or pattern.tag != "pattern" or box is None:
            return
        turned = pattern.get("patternTransform")
        step = read_transform(turned) if turned else IDENTITY
        whole = Affine(box.w, 0, 0, box.h, box.x, box.y)
        if pattern.get("viewBox"):
            tile = whole if pattern.get("patternUnits") != "userSpaceOnUse" else IDENTITY
            step = step @ tile @ self._viewport(pattern)
        elif pattern.get("patternContentUnits") == "objectBoundingBox":
            step = step @ whole
        yield from self.all_under(pattern, place.inside(step, "", deeper=1))

    def _side(self, element: ET.Element, name: str) -> float | None:
        whole = self.whole.h if name in DOWN else self.whole.w
        return length(property_of(element, name) or "", 16.0, whole)

    def _viewport(self, element: ET.Element) -> Affine:
        """From the coordinates inside an `<svg>` to those round it."""
        at = Affine(e=self._side(element, "x") or 0, f=self._side(element, "y") or 0)
        numbers = [float(part) for part in _NUMBER.findall(element.get("viewBox", ""))]
        w, h = self._side(element, "width"), self._side(element, "height")
        if len(numbers) != 4 or min(numbers[2:]) <= 0 or not w or not h:
            return at
        x, y, across, down = *numbers[:2], w / numbers[2], h / numbers[3]
        if _fit(element) != "stretch":
            across = down = min(across, down) if _fit(element) == "contain" else max(across, down)
        return at @ Affine(a=across, d=down) @ Affine(e=-x, f=-y)

    def _box(self, element: ET.Element) -> Rect | None:
        """The box of a shape that says its own; outlines of paths are not followed."""
        value = {
            name: self._side(element, name) or 0.0
            for name in ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")
        }
        if element.tag == "rect":
            return Rect(value["x"], value["y"], value["width"], value["height"])
        if element.tag in {"circle", "ellipse"}:
            rx, ry = (value["r"], value["r"]) if element.tag == "circle" else (value["rx"], value["ry"])
            return Rect(value["cx"] - rx, value["cy"] - ry, 2 * rx, 2 * ry)
        return None


def _sized(element: ET.Element) -> dict[str, str]:
    return {side: element.attrib[side] for side in ("width", "height") if side in element.attrib}


def _fit(element: ET.Element) -> str:
    ratio = element.get("preserveAspectRatio", "")
    return "stretch" if ratio.startswith("none") else "cover" if ratio.endswith("slice") else "contain"
