"""Makes lengths plain numbers: a percentage would otherwise be one of the whole face, not of the picture."""

import re
from collections.abc import Mapping
from math import sqrt
from xml.etree import ElementTree as ET

from generator.core.geometry import Size
from generator.draw.art.model import Art, by_id, property_of, styled

ACROSS = ("x", "width", "cx", "rx", "x1", "x2", "fx", "dx", "refX", "markerWidth")
DOWN = ("y", "height", "cy", "ry", "y1", "y2", "fy", "dy", "refY", "markerHeight")
ALONG = ("r", "fr", "stroke-width", "stroke-dashoffset", "letter-spacing")
SHARES = {**dict.fromkeys(ACROSS, "w"), **dict.fromkeys(DOWN, "h"), **dict.fromkeys(ALONG, "d")}
UNITS_OF = {
    "linearGradient": ("gradientUnits", False),
    "radialGradient": ("gradientUnits", False),
    "pattern": ("patternUnits", False),
    "mask": ("maskUnits", False),
    "filter": ("filterUnits", False),
}
"""Elements whose own percentages are of a box, unless these units say otherwise."""
CONTENT_UNITS = {"clipPath": "clipPathUnits", "mask": "maskContentUnits", "pattern": "patternContentUnits"}
_PERCENT = re.compile(r"\s*([-+]?(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?)\s*%\s*", re.IGNORECASE)
_GEOMETRY = {"x", "y", "width", "height", "viewBox", "preserveAspectRatio", "id"}


def settle(art: Art) -> None:
    """Turn every percentage into a number, and give every inner `<svg>` its place and size."""
    _settle(art.root, art.view.size, by_id(art.root), inner=False)


def _settle(element: ET.Element, port: Size, ids: Mapping[str, ET.Element], *, inner: bool) -> None:
    if _counts_in_units(element, ids):
        _plain_lengths(element, port)
    if element.tag == "svg" and inner:
        _place(element, port)
        port = _inner_port(element, port)
        element = _wrapped(element)
    elif element.tag == "use":
        _size_use(element, port, ids)
    elif element.tag == "symbol":
        port = _inner_port(element, port)
    if element.get(CONTENT_UNITS.get(element.tag, "")) == "objectBoundingBox":
        return
    for child in list(element):
        _settle(child, port, ids, inner=True)


def _counts_in_units(element: ET.Element, ids: Mapping[str, ET.Element]) -> bool:
    """Whether an element's percentages are of the viewport, not of the box of what it paints."""
    if element.tag not in UNITS_OF:
        return not element.tag.startswith("fe")
    attribute = UNITS_OF[element.tag][0]
    return inherited(element, attribute, ids) == "userSpaceOnUse"


def inherited(element: ET.Element, attribute: str, ids: Mapping[str, ET.Element]) -> str | None:
    """An attribute of a gradient or a pattern, or of the one that it refers to."""
    seen: set[ET.Element] = set()
    at: ET.Element | None = element
    while at is not None and at not in seen:
        if attribute in at.attrib:
            return at.attrib[attribute]
        seen.add(at)
        at = ids.get(at.get("xlink:href", "").strip()[1:])
    return None


def _plain_lengths(element: ET.Element, port: Size) -> None:
    shares = {"w": port.w, "h": port.h, "d": sqrt((port.w**2 + port.h**2) / 2)}
    for name, of in SHARES.items():
        match = _PERCENT.fullmatch(element.get(name, ""))
        if match:
            element.set(name, f"{float(match[1]) / 100 * shares[of]:.9g}")
        if "%" in element.get("style", "") and (match := _PERCENT.fullmatch(property_of(element, name) or "")):
            styled(element, **{name: f"{float(match[1]) / 100 * shares[of]:.9g}"})


def _place(element: ET.Element, port: Size) -> None:
    for name, default in (("x", 0.0), ("y", 0.0), ("width", port.w), ("height", port.h)):
        if element.get(name, "auto") == "auto":
            element.set(name, f"{default:.9g}")


def _inner_port(element: ET.Element, port: Size) -> Size:
    numbers = re.split(r"[\s,]+", element.get("viewBox", "").strip())
    try:
        _, _, w, h = (float(number) for number in numbers)
    except ValueError:
        w, h = _float(element.get("width"), port.w), _float(element.get("height"), port.h)
    return Size(w, h)


def _float(text: str | None, default: float) -> float:
    try:
        return float(text) if text else default
    except ValueError:
        return default


def _wrapped(element: ET.Element) -> ET.Element:
    """Put an inner `<svg>` into a group of its transformation and opacity, which the engines apply wrongly on it."""
    outside = {key: value for key, value in element.attrib.items() if key not in _GEOMETRY}
    if not outside:
        return element
    picture = ET.Element("svg", {key: value for key, value in element.attrib.items() if key in _GEOMETRY - {"id"}})
    if "overflow" in outside:
        picture.set("overflow", outside.pop("overflow"))
    picture.extend(list(element))
    own_id = {"id": element.attrib["id"]} if "id" in element.attrib else {}
    tail = element.tail
    element.clear()
    element.tag, element.tail = "g", tail
    element.attrib.update({**own_id, **outside})
    element.append(picture)
    return picture


def _size_use(element: ET.Element, port: Size, ids: Mapping[str, ET.Element]) -> None:
    """A symbol fills the viewport unless its `<use>` says otherwise; the engines would take the face's."""
    target = ids.get(element.get("xlink:href", "").strip()[1:])
    if target is not None and target.tag == "symbol":
        for side, default in (("width", port.w), ("height", port.h)):
            if element.get(side, "auto") == "auto" and target.get(side) is None:
                element.set(side, f"{default:.9g}")
