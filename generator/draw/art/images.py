"""The images inside a picture: check them, read those that are SVG, and find the sizes of the others.

The sizes at print scale show whether an image has too few pixels.
"""

import base64
import binascii
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from xml.etree import ElementTree as ET

from PIL import ExifTags, Image, ImageOps

from generator.base.errors import InvalidValueError
from generator.base.geometry import (
    IDENTITY,
    Affine,
    Point,
    Rect,
    Size,
    fit_view,
    map_view,
    read_transform,
)
from generator.base.svg_table import SVG_KIND
from generator.draw.art.drawn import DrawnElement, drawn_inside
from generator.draw.art.gate import LOADING_ELEMENTS
from generator.draw.art.tree import HREF, ArtTree, length_of, read_fit, url_targets, view_box
from generator.picture.images import (
    CMYK,
    PHONE_JPEG,
    UNREADABLE,
    UPRIGHT,
    check_end,
    data_address,
    is_too_large,
    make_coarse_copy,
    open_image,
    png_address,
    screen_address,
    too_large_error,
)
from generator.picture.items import EmbeddedImage

EMBEDDED = {"PNG": "png", "JPEG": "jpeg", PHONE_JPEG: "jpeg", "GIF": "gif", "WEBP": "webp"}

_UNIFORM_ADDRESS = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*")


def check_images(root: ET.Element, name: str) -> None:
    """Check all embedded images, and write them in a uniform form that the engines read.

    CMYK images are converted to RGB, and photographs are turned as their EXIF orientation says.
    Raises `InvalidValueError` for the first image that cannot be drawn.
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
    kind, mode, is_turned = _check_pixels(data, name)
    if is_turned or mode == CMYK:
        with open_image(data) as image:
            upright = ImageOps.exif_transpose(image)
            return screen_address(upright, 1) if mode == CMYK else png_address(upright)
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


def _check_pixels(data: bytes, name: str) -> tuple[str, str, bool]:
    """Return the format and the colour mode of a raster image, and whether its EXIF orientation turns it.

    Raise `InvalidValueError` if it cannot be drawn.
    """
    is_turned = False
    try:
        with open_image(data) as image:
            kind = image.format or ""
            mode = image.mode
            width, height = image.size
            if kind in EMBEDDED and not is_too_large(width, height):
                is_turned = image.getexif().get(ExifTags.Base.Orientation, UPRIGHT) != UPRIGHT
                make_coarse_copy(image)  # decodes to the end, where a file that was cut short fails
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
    return kind, mode, is_turned


def embedded_images(
    art: ArtTree, names: Mapping[str, str] = MappingProxyType({}), matrix: Affine = IDENTITY
) -> Iterator[EmbeddedImage]:
    """Yield every image of pixels that a picture draws, also those in the pictures that it shows.

    `names` are the files that images were taken from, by the images' addresses. `matrix` maps the
    picture's units to those in which the images are placed.
    """
    if next(art.root.iter("image"), None) is not None:
        yield from _images_in(art, {**art.files, **names}, drawn_inside(art, art.root, matrix))


def _images_in(
    art: ArtTree, names: Mapping[str, str], drawn: Iterable[DrawnElement]
) -> Iterator[EmbeddedImage]:
    for at in drawn:
        if at.tag == "image":
            yield from _images_of(at, art, names)
            continue
        pattern = next(map(art.ids.get, url_targets(at.paint.fill)), None)
        if pattern is not None and pattern.tag == "pattern" and (box := _object_box(at)):
            inside = at.matrix @ _pattern_transform(pattern, box, at.viewport)
            yield from _images_in(art, names, drawn_inside(art, pattern, inside))


def _images_of(at: DrawnElement, art: ArtTree, names: Mapping[str, str]) -> Iterator[EmbeddedImage]:
    """Yield the image that an `<image>` shows, or those in the picture that it shows."""
    address = at.element.get(HREF, "").strip()
    width, height = (length_of(at.element, side, at.viewport) for side in ("width", "height"))
    place = Point(at.length("x"), at.length("y"))
    fit = read_fit(at.element)
    tree = art.inner.get(address)
    if tree is not None:
        box = Rect(*place, width or tree.view.w, height or tree.view.h)
        inside = map_view(tree.view, fit_view(tree.view, box, fit))
        yield from embedded_images(tree, names, at.matrix @ inside)
    elif address.startswith("data:") and 0 not in (width, height):
        name = names.get(address, f"an image in {art.name}")
        matrix = at.matrix @ Affine(e=place.x, f=place.y)
        yield EmbeddedImage(name, _pixels_of(address, art.name), width, height, fit, matrix)


@lru_cache(1024)
def _pixels_of(address: str, name: str) -> tuple[int, int]:
    """Return the size of an embedded image in pixels; the same image may stand on many cards."""
    with Image.open(io.BytesIO(decode_data_address(address, name))) as image:
        return image.size


def _pattern_transform(pattern: ET.Element, box: Rect, viewport: Size) -> Affine:
    """Return the transform from a pattern's content to a shape with a box that the pattern fills."""
    in_box = Affine(box.w, 0, 0, box.h, box.x, box.y)
    step = read_transform(pattern.get("patternTransform", ""))
    if view := view_box(pattern):
        to_shape = IDENTITY if pattern.get("patternUnits") == "userSpaceOnUse" else in_box
        tile = DrawnElement(pattern, viewport).box()
        return step @ to_shape @ map_view(view, fit_view(view, tile, read_fit(pattern)))
    if pattern.get("patternContentUnits") == "objectBoundingBox":
        return step @ in_box
    return step


def _object_box(at: DrawnElement) -> Rect | None:
    """Return the box of a rectangle, circle or ellipse; None for other shapes."""
    if at.tag == "rect":
        return at.box()
    if at.tag in {"circle", "ellipse"}:
        rx, ry = at.radii
        return Rect(at.length("cx") - rx, at.length("cy") - ry, 2 * rx, 2 * ry)
    return None
