"""SVG images inside an SVG: taken apart and drawn in place, since linked ones lose their fonts in print."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from generator.core.problems import Wrong
from generator.core.units import number
from generator.draw.art.ids import renamed
from generator.draw.art.model import HREF, Art, property_of
from generator.draw.art.refuse import data_of, is_svg

MAX_NESTED = 3


def unpack(root: ET.Element, name: str, read: Callable[[bytes], Art], depth: int) -> None:
    """Replace every embedded SVG image by its elements."""
    images = [element for element in root.iter("image") if is_svg(element)]
    if images and depth >= MAX_NESTED:
        raise Wrong(f"{name}: pictures lie in pictures more than {MAX_NESTED} deep", "a simpler SVG")
    for count, image in enumerate(images):
        art = read(data_of(image.get(HREF, "").strip(), name))
        replace_image(image, art, f"e{depth}-{count}")


def replace_image(image: ET.Element, art: Art, prefix: str) -> None:
    """Make an `<image>` an `<svg>` of the same place that holds a picture's elements."""
    view = " ".join(f"{value:.9g}" for value in art.view)
    picture = ET.Element("svg", {"viewBox": view, "preserveAspectRatio": image.get("preserveAspectRatio", "")})
    for side in ("x", "y", "width", "height"):
        value = property_of(image, side)
        if value not in {None, "auto"}:
            picture.set(side, str(value))
    if not picture.get("preserveAspectRatio"):
        del picture.attrib["preserveAspectRatio"]
    _size(picture, art)
    picture.append(contents(art, prefix))
    image.tag = "g"
    for key in ("x", "y", "width", "height", "preserveAspectRatio", HREF):
        image.attrib.pop(key, None)
    image[:] = [picture]


def _size(picture: ET.Element, art: Art) -> None:
    """An image without a size has that of its picture, or the shape of it."""
    width, height = picture.get("width"), picture.get("height")
    if width is None and height is None:
        picture.set("width", number(art.view.w))
        picture.set("height", number(art.view.h))
    elif width is None and height and height.replace(".", "").isdigit():
        picture.set("width", number(float(height) * art.ratio))
    elif height is None and width and width.replace(".", "").isdigit():
        picture.set("height", number(float(width) / art.ratio))


def contents(art: Art, prefix: str) -> ET.Element:
    """The elements of a picture in a group, their ids prefixed."""
    group = renamed(art.root, prefix)
    group.tag = "g"
    group.set("id", f"{prefix}-art")
    for key in ROOT_ONLY:
        group.attrib.pop(key, None)
    return group


ROOT_ONLY = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile", "overflow")
"""What an outermost `<svg>` says of its page."""
